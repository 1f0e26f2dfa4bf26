"""python -m onnx_hwest._sweep_child: runs the points of a chunk one by one, so that its parent sees which one crashes
it."""

import pickle
import sys

from . import _sweep_points


def main() -> None:
    chunk, data, done = pickle.load(sys.stdin.buffer)
    model = _sweep_points.model_of(chunk, data)
    for point in range(chunk.first + done, chunk.first + chunk.count):
        pickle.dump(_sweep_points.run_points(chunk, model, point, 1)[0], sys.stdout.buffer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

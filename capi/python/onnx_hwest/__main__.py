"""python -m onnx_hwest MODEL --target T: the text report, through the library."""

import argparse
import sys

from . import Error, __version__, load

_EXIT_CODES = {
    "usage": 2,
    "bind_conflict": 2,
    "model_missing": 3,
    "model_format": 3,
    "model_corrupt": 3,
    "model_refused": 3,
    "target_unknown": 4,
    "target_invalid": 4,
    "free_dims": 5,
}


def _binding(text):
    name, equals, number = text.rpartition("=")
    if not equals or not name or not number.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}': write NAME=N")
    return name, int(number)


def _shape(text):
    name, _, sizes = text.rpartition("=")
    try:
        return name, tuple(int(size) for size in sizes.split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}': write 1x3x224x224 or INPUT=1x128") from None


def _parse(args):
    parser = argparse.ArgumentParser(prog="python -m onnx_hwest", description="Estimate an ONNX model on a target.")
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("--target", metavar="T", help="built-in name or ./file.textproto; without it, shapes only")
    parser.add_argument("--mode", metavar="M")
    parser.add_argument("--precision", metavar="P")
    parser.add_argument("--batch", metavar="N", type=int)
    parser.add_argument("--dim", metavar="NAME=N", type=_binding, action="append", default=[])
    parser.add_argument("--shape", metavar="[INPUT=]AxB", type=_shape, action="append", default=[])
    parser.add_argument("--format", default="text", choices=["text", "json", "csv", "markdown", "dot", "svg"])
    parser.add_argument("--version", action="version", version=__version__)
    return parser.parse_args(args)


def main(args=None):
    options = _parse(args)
    try:
        with load(options.model) as model:
            analysis = model.analyze(options.target, mode=options.mode, precision=options.precision,
                                     batch=options.batch, dims=dict(options.dim), shapes=dict(options.shape))
        sys.stdout.write(analysis.report(options.format, kind="analysis" if options.target else "shapes"))
    except Error as error:
        print(f"onnx_hwest: error: {error.message}", file=sys.stderr)
        return _EXIT_CODES.get(error.code, 1)
    except ValueError as error:
        print(f"onnx_hwest: error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

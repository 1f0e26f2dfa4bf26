"""Times of single layers, many at once."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, Optional, Union

from ._arguments import PathLike, text
from ._callbacks import Callbacks
from ._handles import Handle
from ._library import check, library
from ._model import Model, load
from ._options import options_of
from ._target import Target


class Predictor:
    """Times of layers on one target, for searches over architectures and for pruning loops. Needs NumPy.

        predictor = onnx_hwest.Predictor("jetson-orin", precision="int8")
        seconds = predictor.conv(in_channels=64, out_channels=np.arange(8, 129, 8), size=56, kernel=3)

    A time is what a whole analysis of a model of this one layer says of its kernels; what it takes to invoke a model is
    no part of it. In a network a layer may take less: neighbours fuse, values stay on the chip. model() says what the
    whole takes. Sizes are numbers or arrays, which broadcast; the result has their shape, NaN where no unit runs the
    layer or there is no such layer. A Predictor may be pickled; the copy remembers no layers.

    target: name, path, or Target. precision, and all else in options: as for Model.analyze(). batch: of layers and of
    models. Raises Error.
    """

    def __init__(self, target: Union[PathLike, Target], *, precision: Optional[str] = None, batch: int = 1,
                 **options: Any) -> None:
        self._target, self._batch, self._options = target, batch, dict(options, precision=precision)
        self._handle: Optional[Handle] = None
        self._open()

    def _open(self) -> Handle:
        if self._handle is None:
            callbacks, pointer = Callbacks(), ctypes.c_void_p()
            loaded = self._target._open() if isinstance(self._target, Target) else None
            asked = options_of(loaded, self._target, callbacks, **self._options)
            check(library().hwest_predictor_create(ctypes.byref(asked), ctypes.byref(pointer)))
            self._handle = Handle(pointer.value, library().hwest_predictor_free)
        return self._handle

    def __getstate__(self) -> Dict[str, Any]:
        if isinstance(self._target, Target):
            raise TypeError("a Predictor on a Target in memory cannot be pickled: give the target's name or path")
        return dict(self.__dict__, _handle=None)

    def _times(self, function: str, activation: Optional[str], columns: Any) -> Any:
        import numpy as np

        arrays = np.broadcast_arrays(*columns)
        for array in arrays:
            if array.dtype.kind not in "iu":
                raise TypeError("sizes are integers")
        sizes = np.empty(arrays[0].shape + (len(arrays),), dtype=np.int64)
        for at, array in enumerate(arrays):
            sizes[..., at] = array
        seconds = np.empty(arrays[0].shape, dtype=np.float64)
        check(getattr(library(), function)(
            self._open().pointer, text("activation", activation),
            sizes.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)), seconds.size,
            seconds.ctypes.data_as(ctypes.POINTER(ctypes.c_double))))
        return seconds if seconds.shape else float(seconds)

    def conv(self, in_channels: Any, out_channels: Any, size: Any, kernel: Any = 1, *, width: Any = None,
             kernel_width: Any = None, stride: Any = 1, padding: Any = None, dilation: Any = 1, groups: Any = 1,
             batch: Any = None, activation: Optional[str] = None) -> Any:
        """Seconds of convolutions without bias.

        size: height of the image; width: likewise, None = square. kernel: height of the window; kernel_width: likewise,
        None = square. padding: on each side; None = dilation * (kernel - 1) // 2, which keeps the size at stride 1.
        activation: an operator behind the layer, such as "Relu" or "SiLU". batch: None = the predictor's.
        """
        import numpy as np

        if padding is None:
            padding = np.asarray(dilation) * (np.asarray(kernel) - 1) // 2
        return self._times("hwest_predictor_conv", activation,
                           (self._batch if batch is None else batch, in_channels, size,
                            size if width is None else width, out_channels, kernel,
                            kernel if kernel_width is None else kernel_width, stride, padding, dilation, groups))

    def matmul(self, m: Any, k: Any, n: Any, *, batch: Any = None, activation: Optional[str] = None) -> Any:
        """Seconds of products of m x k matrices with constant weights of k x n, such as linear layers over m tokens."""
        return self._times("hwest_predictor_matmul", activation, (self._batch if batch is None else batch, m, k, n))

    def model(self, model: Any) -> float:
        """Seconds of one inference of a whole model: a Model, or what load() takes."""
        opened = model if isinstance(model, Model) else load(model)
        batch = {} if self._batch == 1 else {"batch": self._batch}
        with opened.analyze(self._target, **batch, **self._options) as analysis:
            return analysis.totals.latency_s

"""Latency, memory, energy, fusion and placement of an ONNX model on an accelerator.

    import onnx_hwest

    with onnx_hwest.load("resnet18.onnx") as model:
        analysis = model.analyze("jetson-orin", batch=4)
        print(analysis.totals.latency_s, analysis.totals.peak_memory_bytes)
        for group in analysis.groups:
            print(group.name, group.unit, group.time_s, group.bound)
        report = analysis.to_dict()

Unknown is None, never 0. Units are the suffix of a name. Models and analyses may be used from several threads, closed
in any order, and need no closing at all.
"""

from ._errors import Error
from ._library import library_path, library_version
from ._model import Analysis, Model, load
from ._rows import Group, Totals
from ._version import __version__

__all__ = ["Analysis", "Error", "Group", "Model", "Totals", "__version__", "library_path", "library_version", "load"]

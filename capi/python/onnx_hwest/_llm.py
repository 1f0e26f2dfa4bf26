"""Language models on runtimes of targets."""

from __future__ import annotations

import ctypes
from typing import Iterable, Optional, Sequence, Union, get_args

from ._arguments import PathLike, path
from ._callbacks import Callbacks
from ._formats import Binary, LlmFormat
from ._handles import Handle
from ._library import library
from ._structs import llm_options, report_options


def llm(models: Union[PathLike, Iterable[PathLike]], targets: Union[str, Iterable[str]],
        format: Union[LlmFormat, Binary] = "json", *, mode: Optional[str] = None, runtime: Optional[str] = None,
        weights: Optional[str] = None, kv: Optional[str] = None, prompts: Sequence[int] = (),
        contexts: Sequence[int] = (), batches: Sequence[int] = (), new_tokens: Optional[int] = None,
        image_tokens: Optional[int] = None, draft: Optional[PathLike] = None, draft_tokens: Optional[int] = None,
        acceptance: Optional[float] = None, what_if: bool = False) -> Union[str, bytes]:
    """Time to the first token, tokens per second, energy and memory of a language model, as a report. Raises Error.

    models: an ONNX graph, a config.json or a GGUF file; or several graphs: the parts of a split decoder, an encoder or
    a vision part and its decoder. prompts, contexts, batches: every combination is a row. acceptance: share of the
    tokens of `draft` that the model takes. The others are as the flags of `onnx-hwest llm`. html and svg draw tokens
    per second and memory over the context.
    """
    files = [models] if isinstance(models, (str, bytes)) or hasattr(models, "__fspath__") else list(models)
    names = [targets] if isinstance(targets, str) else list(targets)
    callbacks, pointer, form = Callbacks(), ctypes.c_void_p(), report_options(format=format)
    paths = [path("models", file).decode("utf-8", "surrogateescape") for file in files]
    asked = llm_options(models=paths, targets=names, mode=mode, runtime=runtime, weights=weights, kv=kv,
                        prompts=prompts, contexts=contexts, batches=batches, new_tokens=new_tokens,
                        image_tokens=image_tokens, draft=draft, draft_tokens=draft_tokens, acceptance=acceptance,
                        what_if=what_if)
    callbacks.check(library().hwest_llm(ctypes.byref(asked), ctypes.byref(form), ctypes.byref(pointer)))
    buffer = Handle(pointer.value, library().hwest_buffer_free)
    content = ctypes.string_at(library().hwest_buffer_data(buffer.pointer), library().hwest_buffer_size(buffer.pointer))
    return content if format in get_args(Binary) else content.decode("utf-8", "replace")

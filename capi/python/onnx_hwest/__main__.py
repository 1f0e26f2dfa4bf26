"""python -m onnx_hwest ARGS...: the command line onnx-hwest, run by the library.

A model may also be a PyTorch file or a name, which is exported first: MODEL.pt2, MODEL.pt, timm:NAME, hf:NAME,
torchvision:NAME; --list shows what the installed packages offer. --seq-len N is the input length of language models,
--export FILE keeps the ONNX file.
"""

import ctypes
import sys
from typing import List, Optional

from ._errors import Error
from ._library import encode, library
from ._torch_sources import OPTIONS, Refused, Unreadable, exported, listing, sources_in, without_export

_USAGE = 2
_MODEL_REFUSED = 3


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _ready(words: List[str]) -> List[str]:
    """The command line as the library takes it; exits with the reason if there is none."""
    sources = sources_in(words)
    try:
        if not sources:
            return without_export(words) if any(word.startswith(OPTIONS) for word in words) else words
        return exported(words, sources, (lambda line: None) if "--quiet" in words else _say)
    except Unreadable as error:
        code, message = _MODEL_REFUSED, str(error)
    except Refused as error:
        code, message = _USAGE, str(error)
    except Error as error:
        code, message = _MODEL_REFUSED, str(error)
    except Exception as error:  # of PyTorch or of the model's own code
        code, message = _MODEL_REFUSED, f"{', '.join(sources)}: {error}"
    _say(f"onnx-hwest: error: {' '.join(message.split())}")
    raise SystemExit(code)


def main(args: Optional[List[str]] = None) -> int:
    words = list(sys.argv[1:] if args is None else args)
    if words == ["--list"]:
        print(listing(), end="")
        return 0
    words = ["onnx-hwest", *_ready(words)]
    sys.stdout.flush()
    sys.stderr.flush()
    argv = (ctypes.c_char_p * len(words))(*map(encode, words))
    return int(library().hwest_main(len(words), argv))


if __name__ == "__main__":
    sys.exit(main())

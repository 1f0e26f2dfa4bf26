"""python -m onnx_hwest ARGS...: the command line onnx-hwest, run by the library."""

import ctypes
import sys
from typing import List, Optional

from ._library import encode, library


def main(args: Optional[List[str]] = None) -> int:
    words = ["onnx-hwest", *(sys.argv[1:] if args is None else args)]
    sys.stdout.flush()
    sys.stderr.flush()
    argv = (ctypes.c_char_p * len(words))(*map(encode, words))
    return int(library().hwest_main(len(words), argv))


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Freezes the interface of capi/hwest.h as test/abi/frozen/VERSION.

usage: freeze.py VERSION

Writes hwest.h and libhwest.abi there. A client of that version (client.c) is written by hand and never changed; a frozen
version is never frozen again once it was released. Needs abidw.
"""

import os
import shutil
import sys
import tempfile

import surface

HERE = os.path.dirname(os.path.abspath(__file__))


def main(version):
    header = os.path.join(HERE, "..", "..", "capi", "hwest.h")
    folder = os.path.join(HERE, "frozen", version)
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        dumped = surface.dump(surface.read(header), scratch, os.environ.get("CC", "cc"))
        shutil.copyfile(dumped, os.path.join(folder, "libhwest.abi"))
    shutil.copyfile(header, os.path.join(folder, "hwest.h"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    main(sys.argv[1])

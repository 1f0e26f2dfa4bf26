#!/usr/bin/env python3
"""Runs doxygen and fails on what it warns of, but for struct members and macros without a comment:
their names are to say it all.

usage: doxygen.py DOXYGEN CONFIGURATION WARNINGS
"""

import pathlib
import re
import subprocess
import sys

_NAMED_WELL = re.compile(r"warning: Member \w+ \((variable|macro definition)\) of \w+ [\w:.]+ is not documented\.")


def main(doxygen, configuration, warnings):
    code = subprocess.run([doxygen, configuration]).returncode
    lines = [line for line in pathlib.Path(warnings).read_text().splitlines() if not _NAMED_WELL.search(line)]
    print("\n".join(lines), file=sys.stderr)
    return 1 if code != 0 or lines else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

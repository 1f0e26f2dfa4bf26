#!/usr/bin/env python3
"""Checks the form of the source: columns of code, clang-format, ruff, eslint, clang-tidy, subjects of commits.

  cmake/lint.py                      all but `tidy`, over every file that git knows
  cmake/lint.py --fix                the same, and mends what the tools can mend
  cmake/lint.py --only tidy          clang-tidy over lib and capi as they were compiled in build/: after cmake/setup.sh
  cmake/lint.py FILE...              these files alone, as the hooks of .pre-commit-config.yaml call it
  cmake/lint.py --message FILE       the message of a commit: at most 72 characters, the area first

`cmake/setup.sh --with-lint` installs the tools in the versions that cmake/lint names. Generated files are left out.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLS = pathlib.Path.home() / ".cache/onnx-hwest/lint-venv/bin"
ESLINT = ROOT / "cmake/lint/node_modules/.bin/eslint"
LIMIT = 120
NOT_READ = (":(exclude,attr:linguist-generated)", ":!test/fuzz/seeds", ":!test/fuzz/findings", ":!test/golden")
CXX = (".cc", ".h", ".c")
SCRIPT = (".ts", ".mjs")
CODE = (*CXX, *SCRIPT, ".py")
SUBJECT = re.compile(r"[a-z][\w./-]*: \S|Merge\b|Revert\b|fixup! |squash! ")
PER_CALL = 40  # files


def tracked(files):
    """The files that are read by hand; of those named, if any are."""
    listed = subprocess.run(["git", "ls-files", "-z", "--", *(files or ["."]), *NOT_READ], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def side_by_side(commands):
    """What the commands print that failed, as many at a time as there are processors."""
    def run(command):
        try:
            done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  check=False)
        except FileNotFoundError:
            return f"no {command[0]}: cmake/setup.sh --packages --with-lint installs it\n"
        return (done.stdout or f"{command[0]} failed") if done.returncode else ""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [text for text in pool.map(run, commands) if text]


def in_parts(command, files):
    return side_by_side([[*map(str, command), *files[at:at + PER_CALL]] for at in range(0, len(files), PER_CALL)])


def check_columns(files, _):
    """Of code. A template literal of TypeScript cannot be broken."""
    return [f"{name}:{number}: {len(line)} columns, {LIMIT} at most\n"
            for name in files if name.endswith(CODE)
            for number, line in enumerate((ROOT / name).read_text().split("\n"), 1)
            if len(line) > LIMIT and not (name.endswith(SCRIPT) and "`" in line)]


def check_format(files, fix):
    files = [name for name in files if name.endswith(CXX)]
    return in_parts([TOOLS / "clang-format", *(["-i"] if fix else ["--dry-run", "-Werror", "--ferror-limit=1"])], files)


def check_ruff(files, fix):
    files = [name for name in files if name.endswith(".py")]
    return in_parts([TOOLS / "ruff", "check", "--quiet", "--output-format=concise", *(["--fix"] if fix else [])], files)


def check_eslint(files, fix):
    files = [name for name in files if name.endswith(SCRIPT)]
    if not files:
        return []
    return side_by_side([[str(ESLINT), "--config", "cmake/lint/eslint.config.mjs", *(["--fix"] if fix else []),
                          *files]])


def check_tidy(_, __):
    """Over the units that are compiled, which hold twelve files each: a fifth of the time of file by file."""
    database = ROOT / "build/compile_commands.json"
    if not database.exists():
        return ["no build/compile_commands.json: run cmake/setup.sh --tests first\n"]
    of_product = re.compile(r"build/(lib|capi)/.*/Unity/|^(lib|capi)/")
    entries = json.loads(database.read_text())
    names = (os.path.relpath(entry["file"], ROOT) for entry in entries)
    units = sorted({name for name in names if of_product.match(name) and name.endswith((".cc", ".cxx"))})
    if len(units) < 20:
        return [f"{len(units)} units of lib and capi in build/compile_commands.json: configure again\n"]
    for entry in entries:  # clang does not know this flag of GCC's
        entry["command"] = entry["command"].replace(" -freorder-functions", "")
    own = ROOT / "build/tidy"
    own.mkdir(exist_ok=True)
    (own / "compile_commands.json").write_text(json.dumps(entries))
    command = [str(TOOLS / "clang-tidy"), "-p", str(own), "--quiet", "--warnings-as-errors=*"]
    return side_by_side([[*command, unit] for unit in units])


CHECKS = {"columns": check_columns, "format": check_format, "ruff": check_ruff, "eslint": check_eslint,
          "tidy": check_tidy}


def check_message(path):
    subject = pathlib.Path(path).read_text().split("\n", 1)[0]
    if len(subject) <= 72 and SUBJECT.match(subject):
        return 0
    print(f"{subject!r}: a subject has at most 72 characters ({len(subject)}) and names the area first, as in "
          "'fuse: Mul by one is its input'", file=sys.stderr)
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--only", choices=CHECKS, action="append")
    parser.add_argument("--message", metavar="FILE")
    parser.add_argument("files", nargs="*", metavar="FILE")
    args = parser.parse_args()
    if args.message:
        return check_message(args.message)
    files = tracked(args.files)
    failed = 0
    for name in args.only or [name for name in CHECKS if name != "tidy"]:
        start = time.monotonic()
        found = CHECKS[name](files, args.fix)
        print("".join(found), end="")
        print(f"{name}: {'findings' if found else 'ok'}, {time.monotonic() - start:.1f} s", file=sys.stderr)
        failed |= bool(found)
    return failed


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs the cases of cases.txt, which says how they are written, on the files beside it.

usage: cases_test.py ONNX_HWEST [TEXT]        only cases whose command has TEXT
"""

import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent


class Case:
    def __init__(self, line, command):
        self.line, self.command, self.exit, self.has, self.lacks = line, command, None, [], []

    def take(self, word, rest):
        """One line of the case; False when it is none."""
        if word == "exit" and self.exit is None and rest.isdigit():
            self.exit = int(rest)
        elif word in ("has", "lacks") and rest:
            getattr(self, word).append(blanks_as_one(rest))
        else:
            return False
        return True


def blanks_as_one(text):
    return " ".join(text.split())


def fail(line, what):
    sys.exit(f"cases.txt:{line}: {what}")


def read_cases(text):
    cases, case = [], None
    for number, line in enumerate(text.splitlines(), 1):
        word, _, rest = line.strip().partition(" ")
        if line.startswith("#"):
            continue
        if not word:
            case = None
        elif word == "$" and case is None:
            case = Case(number, shlex.split(rest))
            cases.append(case)
        elif case is None or not case.take(word, rest.strip()):
            fail(number, "is no line of a case; the head of the file says how they are written")
    return cases


def check_table(cases):
    """A case that cannot fail, or a file that no case reads, is a mistake."""
    for case in cases:
        if case.command[:1] != ["onnx-hwest"]:
            fail(case.line, "a command begins with onnx-hwest")
        if case.exit is None or not case.has:
            fail(case.line, "a case needs `exit` and at least one `has`")
    words = {word for case in cases for word in case.command}
    unread = [file.name for file in sorted(FOLDER.glob("*.onnx")) if file.name not in words]
    if unread:
        sys.exit(f"cases.txt: no case reads {', '.join(unread)}")


def faults(case, program, folder):
    done = subprocess.run([program, *case.command[1:]], cwd=folder, capture_output=True, text=True, timeout=100)
    printed = blanks_as_one(done.stdout + "\n" + done.stderr)
    found = [] if done.returncode == case.exit else [f"exit {done.returncode}, not {case.exit}"]
    found += [f"lacks: {text}" for text in case.has if text not in printed]
    found += [f"has: {text}" for text in case.lacks if text in printed]
    return found + ([done.stdout + done.stderr] if found else [])


def main():
    program, wanted = os.path.abspath(sys.argv[1]), " ".join(sys.argv[2:])
    cases = read_cases((FOLDER / "cases.txt").read_text(encoding="utf-8"))
    check_table(cases)
    cases = [case for case in cases if wanted in shlex.join(case.command)]
    failed = 0
    with tempfile.TemporaryDirectory() as holder:  # a case may write
        folder = shutil.copytree(FOLDER, os.path.join(holder, "cases"))
        for case in cases:
            found = faults(case, program, folder)
            failed += bool(found)
            if found:
                print(f"cases.txt:{case.line}: {shlex.join(case.command)}", *found, sep="\n    ")
    print(f"{len(cases)} cases, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())

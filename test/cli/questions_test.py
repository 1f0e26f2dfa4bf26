#!/usr/bin/env python3
"""Pages of docs/ show what their commands print: a block that begins with "```text 7 'What would help' 5" has the first
7 lines of the output of the command before it, and 5 from the one that begins with these words on; "```json NAME" is
the file NAME. HWEST_UPDATE_GOLDEN=1 writes the lines anew.

usage: questions_test.py PROGRAM
"""

import difflib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("questions.md", "first-five-minutes.md", "choose-a-board.md", "gate-in-ci.md", "int8-slower.md", "own-chip.md")
FILES = {"resnet18.onnx": "examples/models/resnet18.onnx", "vit.onnx": "test/models/mobilenet_v2.ts.onnx",
         "npu.textproto": "examples/my_npu.textproto"}
FENCE = re.compile(r"^```(\w*) ?(.*)\n((?:.*\n)*?)```$", re.M)


def chosen(output, wanted):
    """The lines of `output` that "7 'What would help' 5" names."""
    lines, parts, first = [line.rstrip() for line in output.splitlines()], [], 0
    for word in shlex.split(wanted):
        if word.isdigit():
            parts.append("\n".join(lines[first:first + int(word)]))
            continue
        found = [index for index, line in enumerate(lines) if line.startswith(word)]
        assert found, f"no line begins with {word!r} in:\n{output}"
        first = found[0]
    return "\n...\n".join(parts) + "\n"


def answered(text, folder, program):
    """The page with what its commands print now; raises AssertionError where one fails."""
    output, count = None, 0

    def block(match):
        nonlocal output, count
        language, rest, body = match[1], match[2], match[3]
        if language == "":
            for line in body.splitlines():
                words = shlex.split(line, comments=True)
                assert words[0] == "onnx-hwest", f"{line} is no command of the program"
                done = subprocess.run([program, *words[1:]], cwd=folder, capture_output=True, text=True)
                assert done.returncode == 0, f"{line} exits with {done.returncode}: {done.stderr}"
                output, count = done.stdout, count + 1
        elif language == "text" and rest:
            return f"```text {rest}\n{chosen(output, rest)}```"
        elif rest:
            (folder / rest).parent.mkdir(exist_ok=True)
            (folder / rest).write_text(body)
        return match[0]

    return FENCE.sub(block, text), count


def check(page, program):
    """Whether a page shows what its commands print."""
    text = page.read_text()
    with tempfile.TemporaryDirectory() as name:
        for file, source in FILES.items():
            shutil.copy(ROOT / source, pathlib.Path(name) / file)
        now, count = answered(text, pathlib.Path(name), os.path.abspath(program))
    assert count >= 5, f"{page.name} has {count} commands"
    if now == text:
        print(f"{count} commands print what {page.name} shows")
    elif os.environ.get("HWEST_UPDATE_GOLDEN"):
        page.write_text(now)
        print(f"{page} is written anew")
    else:
        shown = difflib.unified_diff(text.splitlines(True), now.splitlines(True), page.name, "what is printed", n=1)
        print("".join(shown))
        return False
    return True


def main(program):
    wrong = [page for page in PAGES if not check(ROOT / "docs" / page, program)]
    if not wrong:
        return 0
    print(f"HWEST_UPDATE_GOLDEN=1 {sys.argv[0]} {program} writes them anew")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

#!/usr/bin/env python3
"""Turns the comments of a C++ header into Doxygen's, for its eyes alone: // above a declaration becomes ///, // behind
one becomes ///<, and the first block describes the file. A Markdown table only loses what would be a command.

usage: comments.py FILE
"""

import re
import sys


def plain(text):
    """Text without anything that Doxygen obeys."""
    return re.sub(r"([\\@<>#&])", r"\\\1", text)


def header(lines):
    indent_of_trailing = None  # column of the comment behind the line before
    may_be_code = False  # after an empty line of a comment, or a line of code in it
    yield "/// \\file"
    for line in lines:
        whole = re.match(r"^(\s*)// ?(.*)$", line)
        trailing = re.match(r"^(.*\S\s*)//(?! ?NOLINT) ?(.*)$", line)
        if whole:
            text = whole.group(2)
            is_code = may_be_code and text.startswith("  ")
            may_be_code = is_code or not text
            mark = "///<" if indent_of_trailing == len(whole.group(1)) and whole.group(1) else "///"
            yield f"{whole.group(1)}{mark} {'    ' + text if is_code else plain(text)}"
        elif trailing and trailing.group(1).count('"') % 2 == 0:
            indent_of_trailing = len(trailing.group(1))
            yield f"{trailing.group(1)}///< {plain(trailing.group(2))}"
        else:
            indent_of_trailing = None
            yield re.sub(r"\s*// NOLINT.*$", "", line)


def main(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    if path.endswith(".md"):
        lines = [line.replace("@", "&#64;").replace("\\~", "~") for line in lines]
    elif lines[0].startswith("/**"):  # the C header is written for Doxygen, but for this word
        lines[0] = lines[0].replace("/**", "/** @file\n *", 1)
    else:
        lines = header(lines)
    print("\n".join(lines))


if __name__ == "__main__":
    main(sys.argv[1])

"""Sums what `gcov --json-format --stdout` says: lines of the folders, and those that ran."""

import argparse
import collections
import json
import re
import sys

FOLDERS = ("import", "ir", "op", "pass")


def read_counts(lines):
    """{file: {line: runs}}; a line that several objects have counts in each."""
    counts = collections.defaultdict(lambda: collections.defaultdict(int))
    for text in lines:
        for file in json.loads(text)["files"]:
            match = re.search(r"(?:^|/)lib/(\w+)/(.*)$", file["file"])
            if match is None or match[1] not in FOLDERS:
                continue
            for line in file["lines"]:
                counts[f"{match[1]}/{match[2]}"][line["line_number"]] += line["count"]
    return counts


def share_text(name, ran, lines):
    return f"{name:<12} {lines:6d} lines {ran:6d} ran {100 * ran / max(lines, 1):6.1f} %"


def ranges(numbers):
    """[3, 4, 5, 9] as 3-5, 9."""
    parts = []
    for number in sorted(numbers):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--missing", type=int, default=0)
    options = parser.parse_args()
    counts = read_counts(sys.stdin)
    if not counts:
        sys.exit("coverage.py: error: no line of lib/ was counted")
    total = [0, 0]
    for folder in FOLDERS:
        files = [lines for file, lines in counts.items() if file.startswith(folder + "/")]
        ran = sum(sum(runs > 0 for runs in lines.values()) for lines in files)
        lines = sum(len(lines) for lines in files)
        print(share_text("lib/" + folder, ran, lines))
        total = [total[0] + ran, total[1] + lines]
    print(share_text("all", *total))
    without = {file: [line for line, runs in lines.items() if runs == 0] for file, lines in counts.items()}
    for file in sorted(without, key=lambda file: -len(without[file]))[: options.missing]:
        print(f"{len(without[file]):5d} of {len(counts[file]):5d}  {file}: {ranges(without[file])}")


main()

#!/usr/bin/env python3
"""Holds the layer rule: a folder includes only itself and lower folders, and third-party headers stay with their owners.

usage: layers_test.py SOURCE_DIR
"""

import pathlib
import re
import sys

LAYER = {
    "base": 0, "ir": 1, "op": 2, "import": 2, "target": 2, "profile": 2, "pass": 3, "fuse": 4, "cost": 5, "partition": 6, "plan": 7,
    "analysis": 8, "rewrite": 9, "study": 10, "workload": 10, "measured": 10, "fit": 11, "report": 12, "sweep": 13, "diff": 13,
    "budget": 13, "evidence": 13, "cli": 14, "capi": 15,
}
# Rooms of one layer do not see each other.
OWNERS = {
    r"google/protobuf/": {"target", "budget", "workload"},
    r"hwest/target/v1/": {"target"},
    r"hwest/budget/v1/": {"budget"},
    r"hwest/workload/v1/": {"workload"},
    r"gvc\.h|cgraph\.h|gvplugin\.h|gvcext\.h|graphviz/": {"report"},
    r"CLI/": {"cli"},
    r"nlohmann/": {"report", "profile", "measured", "workload", "capi"},
    r"nlopt": {"fit"},
    r"zlib\.h": {"report"},
    r"onnx/": {"cli"},
    r"catch2/": set(),
}
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.M)


def problems_of(path, name):
    found = []
    text = path.read_text()
    if re.search(r"\w<\{", text):  # g++ takes it; the distribution's clang, which builds the fuzzer, does not
        found.append(f"{path}: a template argument in braces without its type")
    for header in INCLUDE.findall(text):
        first = header.split("/")[0]
        if "/" in header and first in LAYER and first != name and LAYER[first] >= LAYER[name]:
            found.append(f"{path}: {name} includes {header}, a folder that is not below it")
        for pattern, owners in OWNERS.items():
            if re.match(pattern, header) and name not in owners:
                found.append(f"{path}: {header} belongs to {', '.join(sorted(owners)) or 'the tests'}")
    return found


def main():
    source = pathlib.Path(sys.argv[1])
    folders = {name: source / "lib" / name for name in LAYER if name != "capi"}
    folders["capi"] = source / "capi"
    problems, files = [], 0
    for name, folder in folders.items():
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".h", ".cc"):
                files += 1
                problems += problems_of(path, name)
    for path in sorted((source / "include").rglob("*.h")):
        files += 1
        for header in INCLUDE.findall(path.read_text()):
            if not header.startswith(("hwest/", "absl/")) and ("/" in header or header.endswith(".h")):
                problems.append(f"{path}: a public header includes {header}")
    print("\n".join(problems + [f"{files} files, {len(problems)} problems"]))
    return 1 if problems or files < 100 else 0


if __name__ == "__main__":
    sys.exit(main())

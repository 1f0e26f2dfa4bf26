#!/usr/bin/env python3
"""Holds the layer rule: a folder includes only itself and lower folders, and third-party headers stay with their
owners; modules of the Python package import each other in one direction; tables by an enum have a row for each
enumerator, graphs are built with the limits of loading, and figures do not depend on the C library's mathematics.

usage: layers_test.py SOURCE_DIR
"""

import ast
import pathlib
import re
import sys

# From the lowest up. Rooms of one floor do not see each other.
FLOORS = ("base", "chart ir", "op", "import target profile", "pass", "fuse", "cost", "partition", "plan", "analysis",
          "llm", "rewrite", "study workload measured complog", "fit", "report", "sweep", "explore diff budget evidence",
          "app", "cli", "capi")
LAYER = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms.split()}
OWNERS = {
    r"google/protobuf/": {"target", "budget", "workload"},
    r"hwest/target/v1/": {"target"},
    r"hwest/budget/v1/": {"budget"},
    r"hwest/workload/v1/": {"workload"},
    r"gvc\.h|cgraph\.h|gvplugin\.h|gvcext\.h|graphviz/": {"report"},
    r"nlohmann/": {"report", "profile", "measured", "complog", "workload", "capi"},
    r"zlib\.h": {"report"},
    r"onnx/": {"cli"},
    r"catch2/": set(),
}
PRIVATE = re.compile(r"\b\w+::(?:detail|internal)::\w+|\babsl::\w+_internal::\w+")
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.M)


def problems_of(path, name):
    found = []
    text = path.read_text()
    if re.search(r"\w<\{", text):  # g++ takes it; the distribution's clang, which builds the fuzzer, does not
        found.append(f"{path}: a template argument in braces without its type")
    if found_private := PRIVATE.search(text):
        found.append(f"{path}: {found_private[0]} is private to its library")
    for header in INCLUDE.findall(text):
        first = header.split("/")[0]
        if "/" in header and first in LAYER and first != name and LAYER[first] >= LAYER[name]:
            found.append(f"{path}: {name} includes {header}, a folder that is not below it")
        for pattern, owners in OWNERS.items():
            if re.match(pattern, header) and name not in owners:
                found.append(f"{path}: {header} belongs to {', '.join(sorted(owners)) or 'the tests'}")
    return found


def imports_of(path):
    """The modules of the package that one imports, wherever in it: also for types alone, and inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found |= {node.module} if node.module else {alias.name for alias in node.names}
    return found


def circle_of(package):
    """Modules that import each other in a circle, else nothing."""
    imports = {path.stem: imports_of(path) for path in sorted(package.glob("*.py"))}
    done = set()

    def walk(name, behind):
        if name in behind:
            return behind[behind.index(name):] + [name]
        if name in done or name not in imports:
            return []
        for other in sorted(imports[name]):
            if circle := walk(other, behind + [name]):
                return circle
        done.add(name)
        return []

    return next(filter(None, (walk(name, []) for name in imports)), [])


BY_ENUM = re.compile(r"\b(k[A-Z]\w*)\[static_cast<(?:std::)?size_t>\([^()]*\)\]")
FROM_WORD = re.compile(r"ParseWord\([^;]*?, (k\w+Words)\)")
# The one place that makes a graph of what was read or edited: it sets the limits.
BUILDER = "lib/analysis/load.cc"


def untied_tables(path):
    """Tables that an enum is an index of, and lists of words by an enum, whose size nothing ties to it."""
    text = path.read_text()
    for name in sorted(set(BY_ENUM.findall(text))):
        if not re.search(rf"static_assert\(std::size\({name}\)[^;]*kNumEnumerators<", text):
            yield f"{path}: {name} is indexed by an enum: static_assert(std::size({name}) == kNumEnumerators<ENUM>)"
    for name in sorted(set(FROM_WORD.findall(text))):
        if f"static_assert(NumWords({name}) == kNumEnumerators<" not in text:
            yield f"{path}: {name} is a list by an enum: static_assert(NumWords({name}) == kNumEnumerators<ENUM>)"


# A C library has several versions of each and picks by processor.
LIBM = re.compile(r"\b(?:std::)?(exp2?|expm1|log(?:2|10|1p)?|pow|cbrt|hypot|a?(?:sin|cos|tan)h?|atan2|erfc?|"
                  r"[lt]gamma|fma)[fl]?\(")
CALLBACK = "capi/callbacks.cc"  # calls a function that the caller gave it, by the name log


def libm_calls(path):
    """Calls of functions whose last digits depend on the processor."""
    if path.as_posix().endswith(CALLBACK):
        return
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line).split("//")[0]
        for name in LIBM.findall(code):
            yield f"{path}:{number}: {name}() of the C library: use base/portable_math.h"


def main():
    source = pathlib.Path(sys.argv[1])
    folders = {name: source / "lib" / name for name in LAYER if name != "capi"}
    folders["capi"] = source / "capi"
    problems, files = [], 0
    for name, folder in folders.items():
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".h", ".cc"):
                files += 1
                problems += [*problems_of(path, name), *untied_tables(path), *libm_calls(path)]
                if name != "ir" and "BuildGraph(" in path.read_text() and not path.as_posix().endswith(BUILDER):
                    problems.append(f"{path}: builds a graph past {BUILDER}: use BuildModel")
    for path in sorted((source / "include").rglob("*.h")):
        files += 1
        for header in INCLUDE.findall(path.read_text()):
            if not header.startswith(("hwest/", "absl/")) and ("/" in header or header.endswith(".h")):
                problems.append(f"{path}: a public header includes {header}")
    if circle := circle_of(source / "capi" / "python" / "onnx_hwest"):
        problems.append(f"capi/python: modules import each other: {' -> '.join(circle)}")
    print("\n".join(problems + [f"{files} files, {len(problems)} problems"]))
    return 1 if problems or files < 100 else 0


if __name__ == "__main__":
    sys.exit(main())

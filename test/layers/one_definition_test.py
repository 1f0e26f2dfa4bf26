#!/usr/bin/env python3
"""Holds the one-definition rule, which no linker checks for types and inline functions: a name of a namespace has one
definition in the whole program. Names in anonymous namespaces belong to their file.

usage: one_definition_test.py SOURCE_DIR   all of lib, include and capi
       one_definition_test.py --self       that the scan finds what it is for
"""

import collections
import pathlib
import re
import sys

SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
TYPE = re.compile(r"(?:^|\s)(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:alignas\([^)]*\)\s*)?"
                  r"([A-Za-z_]\w*(?:::\w+)*)\s*(<[^{};]*>)?\s*(?:final\s*)?(?::[^:].*)?$", re.S)
FUNCTION = re.compile(r"([A-Za-z_]\w*|operator\s*\S+)\s*\((.*)\)\s*(?:const|noexcept|->[^{;]*|\s)*$", re.S)
VARIABLE = re.compile(r"\binline\s+constexpr\b[^={(]*?([A-Za-z_]\w*)\s*(?:\[[^\]]*\])*\s*$", re.S)
NAMESPACE = re.compile(r"(?:^|\s)(?:inline\s+)?namespace(?:\s+([\w:]+))?\s*$")


def parameter_types(text):
    """The types of a parameter list: names and default values make no other function."""
    types, depth, part = [], 0, ""
    for c in text + ",":
        depth += (c in "<([{") - (c in ">)]}")
        if c == "," and depth == 0:
            words = re.findall(r"[\w:]+|\S", part.split("=")[0])
            if len(words) > 1 and re.match(r"[A-Za-z_]\w*$", words[-1]):
                words.pop()
            types.append(" ".join(words))
            part = ""
        else:
            part += c
    return ", ".join(t for t in types if t)


def definitions_of(text):
    """Yields (qualified name, line) of what `text` defines in named namespaces, or in none."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    text = DIRECTIVE.sub(blank, SKIPPED.sub(blank, text))
    scopes = []  # names of namespaces; None where what is inside belongs to a file, a type or a function
    start = parens = 0
    for at, c in enumerate(text):
        parens += (c in "([") - (c in ")]")
        if parens > 0 or c not in "{};":
            continue
        head = text[start:at].strip()
        start = at + 1
        if c == "}":
            if scopes:
                scopes.pop()
            continue
        is_open = c == "{"
        outside = all(scope is not None for scope in scopes)
        line = text.count("\n", 0, at) + 1
        name = "::".join(scope for scope in scopes if scope)
        namespace = NAMESPACE.search(head)
        if is_open and namespace:
            scopes.append(namespace.group(1))
            continue
        if is_open:
            scopes.append(None)
        if not outside or not head:
            continue
        defined = defined_by(head, is_open)
        if defined:
            yield (f"{name}::{defined}" if name else defined), line


def defined_by(head, is_open):
    """What the text before a brace or a semicolon defines; none for declarations and what one file keeps."""
    if is_open and (match := TYPE.search(head)):
        return match.group(1) + re.sub(r"\s+", "", match.group(2) or "")
    if not is_open and (match := re.match(r"(?:template\s*<.*>\s*)?using\s+([A-Za-z_]\w*)\s*=", head, re.S)):
        return match.group(1)
    if match := VARIABLE.search(head.split("=")[0]):
        return match.group(1)
    if is_open and not re.match(r"(?:static|extern)\b", head) and "=" not in head.split("(")[0]:
        match = FUNCTION.search(head.split(") :")[0] + (")" if ") :" in head else ""))
        if match and not head[:match.start(1)].endswith("::"):  # members are those of one class
            return f"{match.group(1)}({parameter_types(match.group(2))})"
    return None


def duplicates_in(files):
    """`files` by name; returns the names that several of them define, with where."""
    places = collections.defaultdict(list)
    for file, text in files.items():
        for name, line in definitions_of(text):
            places[name].append(f"{file}:{line}")
    return {name: where for name, where in places.items() if len({w.split(":")[0] for w in where}) > 1}, len(places)


def check_self():
    first = """namespace hwest {
struct Stage { int a; };
enum class Kind : int { kA };
using Row = int;
inline int Twice(const Row& row) { return 2 * row; }
inline constexpr int kMost = 4;
namespace { struct Own { int b; }; int Helper(int x) { return x; } }
class Forward;
int Declared(int x);
class Outer { struct Inner { char c = '{'; }; };
}"""
    second = """namespace hwest {
class Stage final : public Base { double b; };
enum Kind { kB };
using Row = double;  // a comment with a { brace
inline int Twice(const Row& other) { return other + other; }
inline int Twice(double x) { return 2; }
inline constexpr int kMost = 5;
namespace { struct Own { char b; }; int Helper(int x) { return -x; } }
class Forward;
int Declared(int x);
class Another { struct Inner { int d; }; };
}
namespace other { struct Stage {}; }"""
    found, _ = duplicates_in({"a.h": first, "b.h": second})
    wanted = {"hwest::Stage", "hwest::Kind", "hwest::Row", "hwest::Twice(const Row &)", "hwest::kMost"}
    if set(found) != wanted:
        print(f"found {sorted(found)}, wanted {sorted(wanted)}")
    return 0 if set(found) == wanted else 1


def main():
    if sys.argv[1] == "--self":
        return check_self()
    source = pathlib.Path(sys.argv[1])
    paths = [p for room in ("lib", "include", "capi") for p in sorted((source / room).rglob("*"))
             if p.suffix in (".h", ".cc")]
    duplicates, names = duplicates_in({str(p.relative_to(source)): p.read_text() for p in paths})
    duplicates = {name: where for name, where in duplicates.items() if not name.startswith("main(")}  # two programs
    for name, where in sorted(duplicates.items()):
        print(f"{name}: {', '.join(where)}")
    print(f"{len(paths)} files, {names} names, {len(duplicates)} defined more than once")
    return 1 if duplicates or names < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Holds that what an operator, or a kind of unit, is stands in its row: no other source of lib or capi names one, and
the kinds have the same names and numbers in target files, in C++ and in C. Parameters of the cost models: each that is
read has a row in lib/target/kinds.cc, which is where its default stands, and each row is read.

usage: declared_once_test.py SOURCE_DIR
"""

import pathlib
import re
import sys

# Where an operator's name stands beside lib/op, and why. A folder ends in a slash, "*" ends a prefix.
ALLOWED_OPERATORS = {
    "lib/target/patterns": "the expressions of fusion patterns, data",
    "lib/target/readings": "the expressions of readings and what they mean, data",
    "lib/rewrite/rules": "the expressions of rewrite rules, data",
    "lib/rewrite/opset_steps.cc": "what versions of operators changed, and how that goes back, a table",
    "lib/rewrite/figures_image.cc": "what arithmetic with constants does to a channel of an image",
    "lib/pass/convention": "what other tools count for an operator, a table for each tool",
    "lib/fit/operator_graph.cc": "the words of operators' measurements and the node that each becomes, a table",
    "lib/fit/operators.cc": "Attention: a class of operators that measurements name",
    "lib/import/tflite": "the operators of TensorFlow Lite and those of ONNX that each becomes, a table",
    "lib/ir/builder_nodes.cc": "Constant: its payload is a value of the graph, which is built below lib/op",
    "lib/ir/builder_calls.cc": "Identity: the node that a call of a local function leaves behind",
    "lib/study/quantize_apply.cc": "QuantizeLinear and DequantizeLinear, which it writes, and the axis of channels in "
                                   "the weights of each operator that they have a form for, a table",
    "lib/study/strip_qdq.cc": "QuantizeLinear and DequantizeLinear, which it takes out, and Identity in their place",
    "lib/study/activations.cc": "Relu and Identity: what the study writes in place of an activation",
}
# Words that are also the names of operators.
OTHER_WORDS = {
    "lib/ir/dim_parser.cc": "functions of expressions of sizes",
    "lib/target/walk.cc": "message types of target.proto",
}
ALLOWED_KINDS = {
    "lib/target/kinds.cc": "the rows of the kinds",
    "lib/cost/": "one file for the arithmetic of each kind",
    "capi/numbers.h": "numbers of the interface equal those of the enumeration",
}
ROW = re.compile(r'(?:\.op = |Row\(|Window\(|Rule\()"(\w+)"')
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# The enumerations of kinds; 0 is "unset" or "unknown".
KINDS = {
    "lib/target/target.proto": (r"enum Kind \{.*?\}", r"(\w+) = ([1-9]\d*);"),
    "include/hwest/target.h": (r"enum class UnitKind .*?\}", r"k(\w+) = ([1-9]\d*)"),
    "capi/hwest_rows.h": (r"enum \{\s*HWEST_UNIT_UNKNOWN.*?\}", r"HWEST_UNIT_(\w+) = ([1-9]\d*)"),
}
KIND = re.compile(r"\bUnitKind::k(?!Unset)\w+")


def sources(source):
    for folder in ("lib", "capi"):
        for path in sorted((source / folder).rglob("*")):
            if path.suffix in (".cc", ".h"):
                yield path.relative_to(source).as_posix(), path.read_text()


def code_of(text):
    """The text without comments and includes."""
    text = re.sub(r"^\s*#\s*include.*$", "", text, flags=re.M)
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def kinds_of(source, path):
    """The numbers of kinds by name, in capitals without underscores."""
    block, row = KINDS[path]
    text = re.search(block, (source / path).read_text(), flags=re.S)[0]
    return {name.replace("_", "").upper(): int(number) for name, number in re.findall(row, text)}


PARAM_ROW = re.compile(r'\{\.name = "(\w+)", (?:\.kinds = "[A-Z_ ]+", )?\.min = ')
PARAM_READ = re.compile(r'\b(?:Param\(|ParamAt\(\w+, |ParamOf\(\w+, )"(\w+)"')


def param_problems(source):
    """Parameters without a row, and rows that nothing reads."""
    rows = set(PARAM_ROW.findall((source / "lib/target/kinds.cc").read_text()))
    paths = [path for folder in ("cost", "plan") for path in (source / "lib" / folder).glob("*.cc")]
    texts = [code_of(path.read_text()) for path in paths]
    read = {name for text in texts for name in PARAM_READ.findall(text)}
    quoted = {word for text in texts for word in QUOTED.findall(text)}
    return [f"parameter {name} is read and has no row in lib/target/kinds.cc" for name in sorted(read - rows)] + \
        [f"no cost model reads the parameter {name}" for name in sorted(rows - quoted)] + \
        ([] if len(rows) > 30 and len(read) > 25 else [f"found {len(rows)} parameters, {len(read)} of them read"])


def is_allowed(path, places):
    return any(path.startswith(place) for place in places)


def main():
    source = pathlib.Path(sys.argv[1])
    operators = set()
    for path in (source / "lib" / "op").rglob("*.cc"):
        operators |= set(ROW.findall(path.read_text()))
    problems, used = [], set()
    for path, text in sources(source):
        code = code_of(text)
        named = sorted({word for word in QUOTED.findall(code) if word in operators})
        kinds = sorted(set(KIND.findall(code)))
        for places, found, what in ((ALLOWED_OPERATORS | OTHER_WORDS, [] if path.startswith("lib/op/") else named,
                                     "a trait or role in the row of lib/op"),
                                    (ALLOWED_KINDS, kinds, "a property in the row of target/kinds.cc")):
            if not found:
                continue
            used |= {place for place in places if path.startswith(place)}
            if not is_allowed(path, places):
                problems.append(f"{path} names {', '.join(found)}: ask for {what}")
    first, *others = KINDS
    kinds = kinds_of(source, first)
    for path in others:
        if kinds_of(source, path) != kinds:
            problems.append(f"{path} has the kinds {kinds_of(source, path)}, {first} has {kinds}")
    problems += param_problems(source)
    for place in (ALLOWED_OPERATORS | OTHER_WORDS | ALLOWED_KINDS).keys() - used:
        problems.append(f"{place} is allowed and names none")
    print("\n".join(problems + [f"{len(operators)} operators, {len(problems)} problems"]))
    return 1 if problems or len(operators) < 300 or len(kinds) < 5 else 0


if __name__ == "__main__":
    sys.exit(main())

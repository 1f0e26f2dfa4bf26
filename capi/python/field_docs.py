#!/usr/bin/env python3
"""Documents the fields of onnx_hwest/_row_types.py with the comments that hwest.h has on the members behind them.

usage: field_docs.py [--check]

Writes a string under each field, which editors show, and onnx_hwest/_row_docs.py, from which help() gets the same. With
--check it writes nothing and fails when either file is not what it would write.
"""

import pathlib
import re
import sys

PYTHON = pathlib.Path(__file__).resolve().parent
HEADER = PYTHON.parent / "hwest.h"
TYPES = PYTHON / "onnx_hwest" / "_row_types.py"
DOCS = PYTHON / "onnx_hwest" / "_row_docs.py"
WIDTH = 120
STRUCT = r"[Ss]ee (hwest_\w+) in hwest\.h"
WORDS = {"HWEST_NO_ID": "None", "HWEST_OVERLAP_YES": "overlap=True"}


def comments_of(header):
    """{struct: {member: comment}} and {constant: comment}."""
    structs = {}
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\n\} \w+;", header, flags=re.S):
        members = re.findall(r"(\w+);\s*/\*\*<(.*?)\*/", body, flags=re.S)
        structs[name] = {member: " ".join(text.replace("*/", "").split()) for member, text in members}
    constants = dict(re.findall(r"(HWEST_\w+) = \w+,?\s*/\*\*<\s*(.*?)\s*\*/", header))
    return structs, constants


def words_of(prefix, header):
    """The words that stand for HWEST_<prefix>_* in Python."""
    names = re.findall(rf"\bHWEST_{prefix}_(\w+) = ", header)
    return ", ".join(f"'{name.lower()}'" for name in names if name != "UNKNOWN" and not name.startswith("IS_"))


def in_python(text, header):
    """A comment on C in the words of Python."""
    text = re.sub(r"HWEST_(\w+?)_\*", lambda found: words_of(found[1], header), text)
    for constant, word in WORDS.items():
        text = text.replace(constant, word)
    text = re.sub(r"(?:; |, )?(?:never NULL|ends in NULL)", "", text)
    text = re.sub(r"\bNULL\b|(?<![\w.])-1(?= =)|\bNaN\b", "None", text)
    text = re.sub(r"index in hwest_\w+\(\)", "index of the row", text)
    text = re.sub(r"\bhwest_(\w+)\.(\w+)", r"\2", text)
    return text.strip().replace('"', "'")


def doc_of(struct, field, structs, constants, header):
    text = structs[struct].get(field)
    if text is None:
        kind = struct.replace("hwest_target_", "hwest_")[len("hwest_"):].upper()
        text = constants.get(f"HWEST_{kind}_{field.upper()}")
    if text is None:
        raise SystemExit(f"{HEADER.name} says nothing of {field} of {struct}")
    return in_python(text, header) or f"of the {struct[len('hwest_'):].replace('_', ' ')}"


def wrapped(doc):
    lines, line = [], '    """'
    for word in doc.split():
        if len(line) + len(word) + 1 > WIDTH - 3:
            lines.append(line)
            line = "   "
        line += ("" if line.endswith('"""') else " ") + word
    return lines + [line + '"""']


def documented(types, header):
    """The text of _row_types.py with a string under each field, and {class: {field: doc}}."""
    structs, constants = comments_of(header)
    lines, docs, struct, row = [], {}, None, None
    # A class's own docstring names its struct; the other ones are ours.
    types = re.sub(r'^    """.*?"""\n', lambda found: found[0] if re.search(STRUCT, found[0]) else "", types,
                   flags=re.S | re.M)
    for line in types.splitlines():
        lines.append(line)
        if found := re.match(r"class (\w+)\(Row\)", line):
            row, struct = found[1], None
        elif found := re.search(STRUCT, line):
            struct = found[1]
            docs[row] = {}
        elif struct and (found := re.match(r"    (\w+): ", line)):
            doc = docs[row][found[1]] = doc_of(struct, found[1], structs, constants, header)
            lines += wrapped(doc.replace("\\", "\\\\"))
    return "\n".join(lines) + "\n", docs


def docs_text(docs):
    lines = ['"""What each field of a row is; written by capi/python/field_docs.py from hwest.h."""', "",
             "from typing import Dict", "", "FIELDS: Dict[str, Dict[str, str]] = {"]
    for row, fields in docs.items():
        lines.append(f'    "{row}": {{')
        lines += [f"        {field!r}: {doc!r}," for field, doc in fields.items()]
        lines.append("    },")
    return "\n".join(lines + ["}"]) + "\n"


def main(check):
    header = HEADER.read_text(encoding="utf-8")
    types, docs = documented(TYPES.read_text(encoding="utf-8"), header)
    stale = [path for path, text in ((TYPES, types), (DOCS, docs_text(docs)))
             if not path.exists() or path.read_text(encoding="utf-8") != text]
    if check:
        for path in stale:
            print(f"{path.name} is not what field_docs.py writes from {HEADER.name}: run it")
        return 1 if stale else 0
    TYPES.write_text(types, encoding="utf-8")
    DOCS.write_text(docs_text(docs), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))

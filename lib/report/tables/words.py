"""Words that columns and options are chosen from: reads words.table and writes their faces. README.md says how it is
written."""

import re
import textwrap
from dataclasses import dataclass, field

from schema import FOLDER, ROOT
from to_c import wrapped

PATH = FOLDER / "words.table"
FORMATS = ROOT / "lib" / "report" / "formats.cc"
BINARY = ("png", "pdf")


@dataclass
class Word:
    text: str  # in JSON, in Python and on the command line
    enumerator: str  # of C++; "" = of C alone
    about: str

    @property
    def c_name(self):
        return re.sub(r"\W", "_", self.text).upper()


@dataclass
class Words:
    name: str  # HWEST_<name>_*
    type: str  # of C++; "" = none
    about: str
    is_bits: bool
    words: list = field(default_factory=list)

    def number(self, index):
        return 1 << index if self.is_bits else index

    @property
    def first(self):
        """The number of the first enumerator of C++."""
        return sum(not word.enumerator for word in self.words)


def enumerator_of(text):
    return "k" + "".join(part.capitalize() for part in re.split(r"\W|_", text))


def read_words():
    every = []
    for number, line in enumerate(PATH.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if found := re.fullmatch(r"(enum|bits) ([A-Z_]+)(?: (\w+))?: (.+)", line):
            every.append(Words(found[2], found[3] or "", found[4], is_bits=found[1] == "bits"))
        elif found := re.fullmatch(r"  ([\w,-]+)(=\w*)?(?:  +(.+))?", line):
            enumerator = enumerator_of(found[1]) if found[2] is None else found[2][1:]
            every[-1].words.append(Word(found[1], enumerator, found[3] or ""))
        elif re.match(r"    +\S", line):
            every[-1].words[-1].about += " " + line.strip()
        else:
            raise SystemExit(f"{PATH.name}:{number}: neither words nor one of them")
    return every


def words_called(every, name):
    for words in every:
        if words.name == name:
            return words
    raise SystemExit(f"{PATH.name} has no words {name}")


def python_words(every):
    lines = ['"""Words of the C ABI; the number of each is its place. None is what is not chosen or not known.',
             'Written by lib/report/tables/generate.py from words.table beside it."""', "",
             "from typing import Dict, Optional, Tuple", "",
             "WORDS: Dict[str, Tuple[Optional[str], ...]] = {"]
    for words in every:
        if not words.is_bits:
            texts = [f'"{word.text}"' if word.enumerator or not words.type else "None" for word in words.words]
            lines.append(wrapped(f'    "{words.name}": ({texts[0]},', ", ".join(texts[1:]) + "),", " " * 8))
    return "\n".join(lines + ["}"]) + "\n"


def formats_of_kinds(every):
    """{kind of document: the words of the formats that it is written in}, as formats.cc says."""
    code = FORMATS.read_text(encoding="utf-8")
    text_of = {word.enumerator: word.text for word in words_called(every, "FORMAT").words}
    lists = {name: [text_of[enumerator] for enumerator in re.findall(r"Format::(k\w+)", body)]
             for name, body in re.findall(r"constexpr Format (k\w+)\[\] = \{(.*?)\};", code, flags=re.S)}
    kinds = {kind: [word for name in names.split(", ") for word in lists[name]]
             for kind, names in re.findall(r'\{ReportKind::\w+, "(\w+)", "[^"]*", (k[\w, ]+)\},', code)}
    if not lists or len(kinds) != code.count("{ReportKind::k"):
        raise SystemExit(f"{FORMATS.name}: its lists of formats cannot be read")
    return kinds


def python_formats(every):
    kinds = formats_of_kinds(every)
    tables = kinds["error"]
    lines = ['"""What report() of each kind of result takes; those of an analysis and its graph also take Binary, for',
             'bytes. Written by lib/report/tables/generate.py from lib/report/formats.cc."""', "",
             "from typing import Literal", "",
             literal("Binary", BINARY), literal("TableFormat", tables)]
    for kind, words in kinds.items():
        if set(words) != set(tables):
            lines.append(literal(kind.capitalize() + "Format", [word for word in words if word not in BINARY]))
    return "\n".join(lines) + "\n"


def literal(name, words):
    texts = [f'"{word}"' for word in words]
    return wrapped(f"{name} = Literal[{texts[0]},", ", ".join(texts[1:]) + "]", " " * 4)


def cpp_words(every, chosen):
    """`chosen`: names of the words that flags take."""
    lines = ["// Words of flags, by the numbers of the enums. Written by lib/report/tables/generate.py.",
             "#pragma once", "", "namespace hwest {", ""]
    for words in every:
        if words.name not in chosen:
            continue
        texts = " ".join(word.text for word in words.words if word.enumerator)
        parts = "\n".join(f'    "{line} "' for line in textwrap.wrap(texts, 110))
        lines += [f"inline constexpr char k{words.type}Words[] =", parts[:-2] + '";']
    return "\n".join(lines + ["", "}  // namespace hwest"]) + "\n"

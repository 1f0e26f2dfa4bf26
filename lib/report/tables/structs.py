"""Option structs beside hwest_options: reads options.table. README.md says how a row looks."""

import re
from dataclasses import dataclass, field

from request import KINDS, Option
from schema import FOLDER
from to_c import in_lines
from words import words_called

PATH = FOLDER / "options.table"


@dataclass
class Struct:
    name: str
    argument: str  # what functions call it
    about: str
    options: list = field(default_factory=list)

    @property
    def c_name(self):
        return "hwest_" + self.name


@dataclass
class Command:
    """What the program has in place of a function."""
    flag: str
    c: str
    python: str


def read_structs():
    """The structs, and the commands that messages name."""
    structs, commands = [], []
    for number, line in enumerate(PATH.read_text(encoding="utf-8").splitlines(), 1):
        place, indent, text = f"{PATH.name}:{number}", len(line) - len(line.lstrip()), line.strip()
        if not text or text.startswith("#"):
            continue
        if found := re.fullmatch(r"options (\w+)(?: as (\w+))?: (.+)", line):
            structs.append(Struct(found[1], found[2] or "options", found[3]))
        elif found := re.fullmatch(r"command (.+): (\S+), (\S+)", line):
            commands.append(Command(*found.groups()))
        elif indent == 2 and (found := re.fullmatch(r"(\w+): (\S.*?)(?:   +(.+))?", text)):
            structs[-1].options.append(Option(found[1], found[2], found[3] or "", place))
        elif indent == 4 and text.startswith("flag "):
            structs[-1].options[-1].flag = text[len("flag "):]
        elif indent == 4 and not structs[-1].options:
            structs[-1].about += " " + text
        elif indent == 6:
            structs[-1].options[-1].about += " " + text
        else:
            raise SystemExit(f"{place}: neither a struct, a member, nor a line of one")
    for option in (option for struct in structs for option in struct.options):
        if not option.is_member and option.type.split()[0] not in KINDS:
            types = ", ".join(KINDS)
            raise SystemExit(f"{option.place}: {option.type!r} is no type; there are {types} and member TYPE")
    return structs, commands


def words_of_flags(structs):
    """Names of the words that flags of the program are chosen from."""
    return {option.type[5:] for struct in structs for option in struct.options
            if option.flag and option.type.startswith("enum ")}


# C: the members, holes stated in the table.


def comment_of(option):
    if option.type.startswith("enum "):
        return "; ".join(part for part in (f"HWEST_{option.type[5:]}_*", option.about) if part)
    return f"1 = {option.about}; 0 = do not" if option.type == "switch" else option.about


COUNTED = {"counted texts": "const char *const *", "counted ints": "const int64_t *"}


def length_of(name):
    return re.sub("(?<=ch)es$|s$", "", name) + "_count"


def members_of(struct):
    """[(type, name, comment)]"""
    members = [("uint32_t", "struct_size", "sizeof this struct")]
    for option in struct.options:
        if option.type in COUNTED:
            members += [(COUNTED[option.type], option.name, option.about),
                        ("uint64_t", length_of(option.name), f"length of `{option.name}`")]
            continue
        c_type = option.type.partition(" ")[2] if option.is_member else option.kind.c
        members.append((c_type, option.name, comment_of(option)))
        if option.type == "bytes":
            members.append(("size_t", "size", f"number of bytes at `{option.name}`"))
    return members


def for_c(structs):
    """As request.options_header() takes them."""
    return [(struct.c_name, struct.about, members_of(struct)) for struct in structs]


# Python: a function for each struct that makes it of keyword arguments.

COUNTED_PYTHON = {"counted texts": "Iterable[str]", "counted ints": "Sequence[int]"}


def is_argument(option):
    return option.name != "reserved" and not option.name.endswith("_payload")


def is_needed(option):
    return option.type == "path" and option.about.endswith("needed")


def is_handle(option):
    """An object that Python owns a handle of, which is kept during the call."""
    return bool(re.fullmatch(r"member const hwest_(target|what_if|explanation) \*", option.type))


def argument(option, every_words):
    if is_handle(option):
        return f"{option.name}: Optional[Handle] = None"
    if option.is_member:
        return f"{option.name}: Any = None"
    if option.type in COUNTED:
        return f"{option.name}: {COUNTED_PYTHON[option.type]} = ()"
    if option.type.startswith("enum "):
        first = words_called(every_words, option.type[5:]).words[0]
        return f'{option.name}: str = "{first.text}"' if first.enumerator else f"{option.name}: Optional[str] = None"
    if is_needed(option):
        return f"{option.name}: PathLike"
    return f"{option.name}: {option.kind.python} = {option.kind.empty}"


def member_value(option):
    name = option.name
    if is_handle(option):
        return f"{name}={name}.pointer if {name} else None"
    if option.is_member:
        return f"{name}={name}"
    if option.type in COUNTED:
        return f'**to.{option.type.replace(" ", "_")}("{name}", {name})'
    if option.type == "bytes":
        return f"**to.sized({name})"
    words = f', WORDS["{option.type[5:]}"]' if option.type.startswith("enum ") else ""
    convert = "path" if is_needed(option) else option.kind.convert
    return f'{name}=to.{convert}("{name}", {name}{words})'


def python_structs(structs, every_words):
    parts = ['"""Option structs of the C ABI from keyword arguments. Written by lib/report/tables/generate.py from\n'
             'options.table beside it."""\n\n'
             "from __future__ import annotations\n\n"
             "from typing import Any, Iterable, Mapping, Optional, Sequence, Union\n\n"
             "from . import _abi\nfrom . import _arguments as to\nfrom ._arguments import PathLike\n"
             "from ._handles import Handle\nfrom ._words import WORDS\n"]
    for struct in structs:
        options = [option for option in struct.options if is_argument(option)]
        options.sort(key=lambda option: not is_needed(option))
        arguments = ["*", *(argument(option, every_words) for option in options)]
        head = in_lines(f"def {struct.name}(", arguments, ") -> Any:", len(f"def {struct.name}("))
        values = "".join(f"        {member_value(option)},\n" for option in options)
        parts.append(f'\n{head}\n    """A {struct.c_name}."""\n    return to.structure(\n'
                     f"        _abi.{struct.c_name},\n"
                     f"{values}    )\n")
    return "\n".join(parts)


# The words of messages.


def form_of(option):
    if option.type == "switch":
        return "kSwitch"
    if option.kind.form != "kList":
        return "kPlain"
    return {"texts": "kList", "counted texts": "kList", "shapes": "kShapes"}.get(option.type, "kDict")


def option_words(options, structs, commands):
    """capi/option_words.cc; `options` are those of an analysis."""
    rows = [(command.flag, command.c, command.python, "kPlain") for command in commands]
    flags = {flag for flag, *_ in rows}
    members = [("options", option) for option in options]
    members += [(struct.argument, option) for struct in structs for option in struct.options]
    for argument, option in members:
        if option.flag_name and option.flag_name not in flags:
            flags.add(option.flag_name)
            rows.append((option.flag_name, f"{argument}.{option.name}", option.name, form_of(option)))
    lines = ["// Written by lib/report/tables/generate.py from lib/analysis/request.table and options.table.",
             '#include "words.h"', "", "namespace hwest::capi {", "namespace {", "",
             "constexpr OptionWords kWords[] = {"]
    lines += [f'    {{"{flag}", "{c}", "{python}", ValueForm::{form}}},' for flag, c, python, form in rows]
    return "\n".join(lines + ["};", "", "}  // namespace", "",
                              "absl::Span<const OptionWords> AllOptionWords() { return kWords; }", "",
                              "}  // namespace hwest::capi"]) + "\n"

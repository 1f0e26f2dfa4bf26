"""Options of an analysis: reads lib/analysis/request.table and writes its faces. README.md says how a row looks."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from schema import FIRST_VERSION, ROOT, check_since
from to_c import declaration, in_lines, wrapped
from words import words_called

PATH = ROOT / "lib" / "analysis" / "request.table"
GROUPS = ("Report", "Model", "Target", "Placement")  # in the order of the help page
KEYS = ("flag", "group", "verbs", "words", "form", "help", "c", "python", "default", "example", "shown", "since")
WRITTEN = "Written by lib/report/tables/generate.py from lib/analysis/request.table."


class Kind(NamedTuple):
    """How a kind of value travels."""
    c: str  # type of the member
    form: str  # OptionForm
    none: str  # the member's default
    python: str  # type of the argument
    convert: str  # how the argument becomes the member; see _arguments.py
    empty: str = "None"  # the argument's default
    path: str = "kNone"  # PathIn: how its text names a file


LIST = "const char *const *"
KINDS = {
    "target": Kind("const char *", "kText", "NULL", "Union[PathLike, Target, None]", "", path="kTarget"),
    "text": Kind("const char *", "kText", "NULL", "Optional[str]", "text"),
    "path": Kind("const char *", "kText", "NULL", "Optional[PathLike]", "path_or_none", path="kTarget"),
    "file": Kind("const char *", "kFile", "NULL", "Optional[str]", "text", path="kFile"),
    "enum": Kind("int32_t", "kText", "0", "str", "choose"),
    "switch": Kind("int32_t", "kSwitch", "0", "bool", "switch", "False"),
    "count": Kind("int64_t", "kText", "0", "Optional[int]", "count"),
    "count32": Kind("int32_t", "kText", "0", "Optional[int]", "count"),
    "figure": Kind("double", "kText", "0", "Optional[float]", "amount"),
    "texts": Kind(LIST, "kList", "", "Iterable[str]", "words", "()"),
    "sizes": Kind(LIST, "kList", "", "Optional[Mapping[str, int]]", "sizes"),
    "shapes": Kind(LIST, "kList", "", "Optional[Mapping[str, Sequence[int]]]", "shape_texts"),
    "names": Kind(LIST, "kList", "", "Optional[Mapping[str, str]]", "names", path="kToolchain"),
    "contents": Kind(LIST, "kList", "", "Optional[Mapping[str, Any]]", "contents_of_inputs", path="kContents"),
    # Of option structs alone.
    "id": Kind("int64_t", "kText", "0", "Optional[int]", "id_or_first"),
    "node": Kind("const char *", "kText", "NULL", "Union[None, str, int]", "node_name"),
    "count_or_zero": Kind("int64_t", "kText", "0", "Optional[int]", "count_or_zero"),
    "counted": Kind("", "kList", "", "", "counted"),  # a list and its length
    "bytes": Kind("const char *", "kText", "NULL", "Optional[bytes]", "sized"),
}


@dataclass
class Option:
    name: str
    type: str
    about: str
    place: str
    words: str = ""
    flag: str = ""
    group: str = ""
    verbs: str = ""
    form: str = ""  # of an element of a list, as the flag's value when it is not said
    help: str = ""
    c: str = ""
    python: str = ""
    default: str = ""
    example: str = ""
    shown: str = ""  # rarely = the help page lists it last
    since: str = FIRST_VERSION

    @property
    def is_member(self):
        """Of the struct alone; nobody gives it as text."""
        return self.type.startswith("member ")

    @property
    def kind(self):
        return KINDS[self.type.split()[0]]

    @property
    def flag_name(self):
        return self.flag.split(" ")[0]

    @property
    def flag_value(self):
        return self.flag.partition(" ")[2]

    @property
    def setter(self):
        verb = "Add" if self.kind.form == "kList" else "Set"
        return verb + "".join(part.capitalize() for part in self.name.split("_"))


def read_options(every_words):
    """The rows; options of type enum are chosen from `every_words`."""
    options = []
    for number, line in enumerate(PATH.read_text(encoding="utf-8").splitlines(), 1):
        place, indent, text = f"{PATH.name}:{number}", len(line) - len(line.lstrip()), line.strip()
        if not text or text.startswith("#"):
            continue
        if indent == 0 and (found := re.fullmatch(r"(\w+): (\S.*?)   +(.+)", line)):
            options.append(Option(found[1], found[2], found[3], place))
        elif options and indent > 2:
            options[-1].about += " " + text
        elif options and indent == 2 and text.split()[0] in KEYS:
            setattr(options[-1], *text.split(" ", 1))
        else:
            raise SystemExit(f"{place}: neither an option nor one of {', '.join(KEYS)}")
    for option in options:
        check(option)
        if option.type.startswith("enum "):
            option.words = " ".join(word.text for word in words_called(every_words, option.type[5:]).words)
    return options


def check(option):
    check_since(option.place, option.since)
    if not option.is_member and option.type.split()[0] not in KINDS:
        raise SystemExit(f"{option.place}: {option.type!r} is no type; there are {', '.join(KINDS)} and member TYPE")
    if option.flag and (option.group not in GROUPS or not option.verbs):
        raise SystemExit(f"{option.place}: a flag needs its verbs, and a group of {', '.join(GROUPS)}")
    if option.flag_value and not (option.example or option.words or option.type.startswith("enum ")):
        raise SystemExit(f"{option.place}: a flag that takes a value needs an example, or the words it may be")
    if option.shown not in ("", "rarely"):
        raise SystemExit(f"{option.place}: a flag is shown rarely, or that line is left out")


def joined(*parts):
    return "; ".join(part for part in parts if part)


def about_of(option):
    """The description for C and Python, led by the form of an element."""
    form = option.form or option.flag_value
    has_form = option.kind.form == "kList" and re.search("[=@]", form)
    return joined((f'"{form}": ' if has_form else "") + option.about,
                  "the text of such a file" if option.type == "file" else "")


# C: the struct, and how its members are given to the setters.


def comment_of(option):
    if option.is_member:
        return option.about
    about = about_of(option)
    if option.type.startswith("enum "):
        about = f"HWEST_{option.type[5:]}_*: {about}"
    if option.type == "switch":
        about = f"1 = {about}; 0 = do not"
    default = f"{option.kind.none} = {option.default}" if option.default else ""
    return joined(about, option.c, default)


def members_of(options):
    """[(type, name, comment)]; holes are stated."""
    members = [("uint32_t", "struct_size", "sizeof this struct")]
    for option in options:
        c_type = option.type.partition(" ")[2] if option.is_member else option.kind.c
        words = sum(kind in ("int32_t", "uint32_t") for kind, _, _ in members)
        if c_type != "int32_t" and words % 2:
            members.append(reserved(members))
        members.append((c_type, option.name, comment_of(option)))
    if sum(kind in ("int32_t", "uint32_t") for kind, _, _ in members) % 2:
        members.append(reserved(members))
    return members


def reserved(members):
    count = sum(name.startswith("reserved") for _, name, _ in members)
    return ("uint32_t", "reserved" + (str(count) if count else ""), "0")


def struct_text(name, about, members):
    lines = [wrapped("/**", about + " */", " * "), f"typedef struct {name} {{"]
    at = max(len(declaration(c_type, member)) for c_type, member, _ in members) + 4
    for c_type, member, comment in members:
        head = f"  {declaration(c_type, member)}".ljust(at) + "/**<"
        lines.append(wrapped(head, comment + " */", " " * (at + 5)))
    return "\n".join(lines + [f"}} {name};"])


ANALYSIS = ("What to analyse and how. All zero beside struct_size: no target, so counts and shapes only. Lists are "
            "arrays of strings that end in NULL; a NULL list is empty. All is copied during the call.")


def options_header(options, structs):
    """`structs`: [(name, what it is about, its members)], of the calls beside hwest_analyze()."""
    parts = ["/* Option structs of hwest.h, which includes this file. Written by lib/report/tables/generate.py from\n"
             " * lib/analysis/request.table and options.table beside it. */\n"
             "#ifndef HWEST_OPTIONS_H_\n#define HWEST_OPTIONS_H_",
             struct_text("hwest_options", ANALYSIS, members_of(options))]
    parts += [struct_text(*struct) for struct in structs]
    return "\n\n".join([*parts, "#endif /* HWEST_OPTIONS_H_ */"]) + "\n"


def give_source(options):
    lines = [f"// {WRITTEN}", '#include "give.h"', "", '#include "base/status_macros.h"', "",
             "namespace hwest::capi {", "",
             "absl::Status GiveOptions(const hwest_options& options, RequestDraft* draft) {"]
    for option in options:
        if not option.is_member:
            lines.append(f'  HWEST_RETURN_IF_ERROR(Give("{option.name}", options.{option.name}, draft));')
    return "\n".join(lines + ["  return absl::OkStatus();", "}", "", "}  // namespace hwest::capi"]) + "\n"


# C++: the table that the flags and the words of messages are made of.


def literal(text):
    if not text:
        return "nullptr"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def setters_header(options):
    lines = [f"// What each option does with its text. {WRITTEN}", "#pragma once", "",
             '#include "analysis/request_options.h"', "", "namespace hwest {", ""]
    lines += [f"absl::Status {option.setter}(const Given& given, RequestDraft* draft);" for option in options
              if not option.is_member]
    return "\n".join(lines + ["", "}  // namespace hwest"]) + "\n"


def default_of_flag(option):
    """What holds without the flag, where that says more than that it is not there."""
    return "" if option.default in ("none", "do not") else option.default


def options_table(options):
    given = sorted((option for option in options if not option.is_member),
                   key=lambda option: GROUPS.index(option.group or GROUPS[-1]))
    lines = [f"// The options, in the order of the help page. {WRITTEN}", "#pragma once", "",
             '#include "analysis/request_setters.h"', "", "namespace hwest {", "",
             "inline constexpr RequestOption kRequestOptions[] = {"]
    for option in given:
        lines += [f'    {{.name = "{option.name}",',
                  f"     .flag = {literal(option.flag_name)},",
                  f"     .value = {literal(option.flag_value)},",
                  f"     .help = {literal_lines(joined(option.about, option.help))},",
                  f"     .group = {literal(option.group)},",
                  f"     .verbs = {literal(option.verbs)},",
                  f"     .choices = {literal(option.words)},",
                  f"     .form = OptionForm::{option.kind.form},",
                  f"     .path = PathIn::{option.kind.path},",
                  f"     .set = {option.setter},",
                  f"     .default_text = {literal(default_of_flag(option))},",
                  f"     .example = {literal(option.example)},",
                  f"     .is_rare = {'true' if option.shown else 'false'}}},"]
    return "\n".join(lines + ["};", "", "}  // namespace hwest"]) + "\n"


def literal_lines(text):
    """A literal; a long one in parts, one below the other."""
    words = text.split(" ")
    if len(text) <= 95:
        return literal(text)
    half = len(words) // 2
    return literal(" ".join(words[:half]) + " ") + "\n             " + literal(" ".join(words[half:]))


# Python: the arguments of analyze().


def python_doc(option):
    is_dict = option.kind.form == "kList" and option.type != "texts"
    about = joined(option.about if is_dict else about_of(option), option.python)
    if option.type.startswith("enum "):
        about += ": " + ", ".join(f'"{word}"' for word in option.words.split())
    if option.type == "target":
        about += ", or a Target"
    if option.default not in ("", "none") and option.kind.empty == "None":
        about += f"; None = {option.default}"
    return f"{option.name}: {about}."


def argument(option):
    empty = f'"{option.words.split()[0]}"' if option.type.startswith("enum ") else option.kind.empty
    return f"{option.name}: {option.kind.python} = {empty}"


def member_value(option):
    name, convert = option.name, option.kind.convert
    if option.type == "target":
        return "None if target is None or isinstance(target, Target) else path(\"target\", target)"
    words = f', WORDS["{option.type[5:]}"]' if option.type.startswith("enum ") else ""
    return f'{convert}("{name}", {name}{words})'


def python_options(options):
    given = [option for option in options if not option.is_member]
    keywords = [option for option in given if option.name != "target"]
    signature = [argument(option) for option in keywords]
    callbacks = [f"{name.lower()}: Optional[{name}] = None" for name in ("Progress", "Log", "Cancel")]
    doc = [wrapped("        " + text.split(" ")[0], " ".join(text.split(" ")[1:]), "            ")
           for text in (python_doc(option) for option in sorted(given, key=lambda option: option.name != "target"))]
    target = "target: Union[PathLike, Target, None]"
    handed = ["target", "Callbacks(progress, log, cancel)", *(f"{option.name}={option.name}" for option in keywords)]
    return TEMPLATE.format(
        written=WRITTEN,
        parameters=in_lines("def options_of(",
                            ["loaded: Optional[Handle]", target, "callbacks: Callbacks", "*", *signature],
                            ") -> Any:", 15),
        members="\n".join(f"        {option.name}={member_value(option)}," for option in given),
        analyze=in_lines("    def analyze(", ["self", target + " = None", "*", *signature, *callbacks],
                         ") -> Analysis:", 16),
        doc="\n".join(doc),
        handed=in_lines("        return self._analyze(", handed, ")", 29))


TEMPLATE = '''"""Options of an analysis: arguments of Python, members of hwest_options.
{written}"""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _abi
from ._analysis import Analysis
from ._arguments import (PathLike, amount, choose, contents_of_inputs, count, names, path, path_or_none,
                         shapes as shape_texts, sizes, structure, switch, text, words)
from ._callbacks import Callbacks, Cancel, Log, Progress
from ._handles import Handle
from ._target import Target
from ._words import WORDS


{parameters}
    """A hwest_options. `loaded`, the handle of a Target, and `callbacks` are the caller's to keep during the call."""
    return structure(
        _abi.hwest_options,
{members}
        loaded=loaded.pointer if loaded else None,
        progress=callbacks.progress,
        log=callbacks.log,
        cancel=callbacks.cancel,
    )


class Analyzable:
    """What can be analysed."""

    def _analyze(self, target: Union[PathLike, Target, None], callbacks: Callbacks, **options: Any) -> Analysis:
        raise NotImplementedError

{analyze}
        """Estimates this model on a target; without one, counts and shapes only. Raises Error.

{doc}
        progress: called with (stage, index, count) before each stage; False ends with Cancelled.
        log: called with each Diagnostic.
        cancel: ends with Cancelled when another thread asks for it.
        """
{handed}
'''


# Documentation.


def default_words(option):
    default = default_of_flag(option)
    return f"default {default}" if default else ""


def options_page(options):
    lines = ["# Options of an analysis", "",
             "What each is called: the flag of the program, and the member of `hwest_options` in C, which is also the",
             "argument of `Model.analyze()` in Python. Since: the version of the interface that it came with.", "",
             "Written by `lib/report/tables/generate.py` from `lib/analysis/request.table`.", "",
             "| flag | C and Python | in C | in Python | since | what it is |", "|---|---|---|---|---|---|"]
    for option in options:
        if option.is_member:
            continue
        cells = [f"`{option.flag}`" if option.flag else "", f"`{option.name}`", f"`{option.kind.c.strip()}`",
                 f"`{option.kind.python}`", option.since, joined(option.about, option.help, default_words(option))]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def generated(options, structs):
    """{path: text}"""
    python = "capi/python/onnx_hwest/"
    return {
        "capi/hwest_options.h": options_header(options, structs),
        "capi/give_options.cc": give_source(options),
        "lib/analysis/request_setters.h": setters_header(options),
        "lib/analysis/request_table.h": options_table(options),
        python + "_options.py": python_options(options),
        "docs/options.md": options_page(options),
    }

"""Reads the .table files: see README.md for how they are written."""

import pathlib
import re
from dataclasses import dataclass, field, replace

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
FILES = ("plan.table", "model.table", "study.table", "target.table", "workload.table",
         "compare.table", "sweep.table", "fit.table")

IDS = ("node", "group", "segment", "value")  # a column of one id; with an s, of several
TYPES = (*IDS, *(word + "s" for word in IDS), "int", "real", "text", "worded", "texts", "bool", "flag", "enum", "count",
         "shape", "list")
UNITS = {"s": "s", "j": "J", "w": "W", "hz": "Hz", "bytes": "bytes", "share": "share", "per_s": "1/s"}
FIRST_VERSION = "0.2"  # of columns that name none
VERSION = re.search(r"project\(onnx-hwest VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


@dataclass
class Column:
    name: str
    type: str
    words: str = ""  # of an enum: HWEST_<words>_*
    nullable: bool = False
    about: str = ""
    getter: str = ""
    json: str = ""  # its key; KEY.PART for a member of an object
    only: str = ""  # "json" or "c"
    after: str = ""  # the key that it follows in JSON
    least: str = ""  # what has to be known of all nodes, or the figure is the least that it can be
    most: str = ""  # the same of one that is the most
    since: str = FIRST_VERSION
    unit: str = ""
    place: str = ""  # file:line
    cpp: str = ""  # type of a member that only C++ sees
    made: str = ""  # what fills its member of a struct that is made from the table

    @property
    def in_c(self):
        return not self.cpp and self.only != "json"

    @property
    def in_json(self):
        return not self.cpp and self.only != "c"

    @property
    def key(self):
        return self.json.partition(".")[0].rstrip("?")


@dataclass
class Read:
    """What a handle has of a table: all its rows, or one that the table is about."""
    prefix: str  # of the functions; the name of the function of `one`
    member: str  # what Python calls it; "" = no property
    about: str
    is_one: bool
    rows: str = ""  # arguments of FillTable, or of FillOne

    def handle(self, handles):
        found = [name for name in handles if self.prefix == name or self.prefix.startswith(name + "_")]
        return max(found, key=len)

    def table_name(self, handles):
        """Of the member of the handle's tables."""
        return self.member or self.prefix[len(self.handle(handles)) + 1:] or "rows"


@dataclass
class Table:
    name: str
    about: str = ""
    in_c: str = ""
    reads: list = field(default_factory=list)
    row: str = ""  # type of the C++ row; "" = rows are filled by hand
    made: str = ""  # the function that makes the row, whose type is then written, too
    context: str = ""  # what getters see beside `row`
    flags: str = ""
    faces: str = "json c"
    text: str = ""  # columns of the plain text, in its order
    shown: str = ""  # columns that notebooks show; "" = those of the text, then the first ones
    none: str = ""  # JSON keys whose null says that there is none, not that it is unknown
    asked: str = ""  # JSON keys that are there only when they are not null
    shapes: str = ""  # JSON keys that need no target
    place: str = "report"  # folder of lib that has its JSON columns
    extends: str = ""  # a table whose JSON columns come first
    columns: list = field(default_factory=list)

    @property
    def struct(self):
        return "hwest_" + self.name

    @property
    def title(self):
        return "".join(word.capitalize() for word in self.name.split("_"))

    @property
    def has_json(self):
        return bool(self.row) and "json" in self.faces

    @property
    def has_c(self):
        return "c" in self.faces.split()

    def keys_of(self, directive):
        return directive.split(", ") if directive else []

    @property
    def none_keys(self):
        return self.keys_of(self.none)

    def c_columns(self):
        return [column for column in self.columns if column.in_c]

    def json_columns(self):
        columns = [column for column in self.columns if column.in_json and not column.after]
        for moved in (column for column in self.columns if column.in_json and column.after):
            at = [i for i, column in enumerate(columns) if column.key == moved.after]
            if not at:
                raise SystemExit(f"{moved.place}: there is no {moved.after} to stand after")
            columns.insert(at[-1] + 1, moved)
        return columns

    @property
    def members(self):
        """Columns that are members of the struct that is made from the table."""
        return [column for column in self.columns if column.cpp or column.made]


def unit_of(name):
    for suffix in sorted(UNITS, key=len, reverse=True):
        if name.endswith("_" + suffix):
            return UNITS[suffix]
    return ""


def column_of(place, name, kind, about):
    if kind.startswith("`"):
        return Column(name=name, type="", about=about, place=place, cpp=kind.strip("`"))
    found = re.fullmatch(r"(\w+)(?: ([A-Z]+))?(\??)", kind)
    if not found or found[1] not in TYPES or (found[1] == "enum") != bool(found[2]):
        raise SystemExit(f"{place}: {kind!r} is no type; there are {', '.join(TYPES)}")
    return Column(name=name, type=found[1], words=found[2] or "", nullable=bool(found[3]) or found[1] == "count",
                  about=about, json=name, unit=unit_of(name), place=place)


def numbers_of(version):
    return [int(part) for part in version.split(".")]


def check_since(place, since):
    if numbers_of(since) > numbers_of(VERSION):
        raise SystemExit(f"{place}: since {since}, and CMakeLists.txt says that this is {VERSION}")


def set_attribute(column, name, value):
    if name not in ("json", "only", "after", "least", "most", "since", "unit"):
        raise SystemExit(f"{column.place}: a column has no @{name}")
    if name == "since":
        check_since(column.place, value)
    setattr(column, name, value)


DIRECTIVES = {"about": "about", "in_c": "in_c", "row": "row", "made": "made", "with": "context", "flags": "flags",
              "faces": "faces", "text": "text", "shown": "shown", "none": "none", "asked": "asked", "shapes": "shapes",
              "place": "place", "extends": "extends"}


def read_file(path):
    tables, table, column, last = [], None, None, None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        place, indent, text = f"{path.name}:{number}", len(line) - len(line.lstrip()), line.strip()
        if not text or text.startswith("#"):
            continue
        if found := re.fullmatch(r"table (\w+)", line):
            table, column, last = Table(found[1], flags=found[1].upper()), None, None
            tables.append(table)
        elif indent == 2 and (found := re.fullmatch(r"from (\w+) ([\w.]+)  +(.*)", text)):
            column = Column(name=found[1], type="from", getter=found[2], about=found[3], place=place)
            table.columns.append(column)
        elif indent == 2 and (found := re.fullmatch(r"(\w+): (`.+?`|\S+(?: [A-Z]+\??)?)(?:  +(.*))?", text)):
            column = column_of(place, found[1], found[2], found[3] or "")
            table.columns.append(column)
        elif indent == 2 and (found := re.fullmatch(r"(read|one) +(\w+)(?: as (\w+))?: (.+)", text)):
            table.reads.append(Read(found[2], found[3] or "", found[4], is_one=found[1] == "one"))
            last = "read"
        elif last == "read" and text.startswith("= "):
            table.reads[-1].rows = text[2:]
        elif indent == 2 and text.split()[0] in DIRECTIVES:
            last = DIRECTIVES[text.split()[0]]
            setattr(table, last, text.split(None, 1)[1])
        elif column is not None and text.startswith("= "):
            column.getter = text[2:]
        elif column is not None and text.startswith("@"):
            for attribute in text[1:].split(" @"):
                set_attribute(column, *attribute.split(None, 1))
        elif column is not None and indent > 4:
            column.about += " " + text
        elif last == "read":
            table.reads[-1].about += " " + text
        elif last is not None:
            setattr(table, last, getattr(table, last) + " " + text)
        else:
            raise SystemExit(f"{place}: neither a table, a column, nor a line of one")
    return tables


def copy_columns(table, tables):
    """In the place of each `from`, the columns that it names."""
    columns = []
    for column in table.columns:
        if column.type != "from":
            columns.append(column)
            continue
        members = {member.name: member for base in tables if base.name == column.name for member in base.members
                   if not member.cpp}
        for name in column.about.split(", "):
            if name not in members:
                raise SystemExit(f"{column.place}: {name} is no figure of the table {column.name}")
            columns.append(replace(members[name], getter=f"{column.getter}.{name}", json=name, only="", after="",
                                   made="", since=column.since, place=column.place))
    table.columns = columns


def make_members(table):
    """A getter that sees the argument of the function that makes the row fills a member, which every face shows."""
    if not table.made:
        return
    argument = re.search(r"(\w+)\)$", table.made)[1]
    for column in table.columns:
        if re.search(rf"\b{argument}\b", column.getter):
            column.made, column.getter = column.getter, f"row.{column.name}"
    names = [column.name for column in table.members]
    for name in names:
        if names.count(name) > 1:
            raise SystemExit(f"table {table.name}: {name} is two members")


def check(table):
    for face in ("in_c", "in_json"):
        names = [c.name if face == "in_c" else c.json for c in table.columns if getattr(c, face)]
        for name in names:
            if names.count(name) > 1:
                raise SystemExit(f"table {table.name}: {name} stands there twice")
    for key in table.none_keys + table.keys_of(table.asked):
        if not any(column.key == key and (column.nullable or column.type == "list") for column in table.json_columns()):
            raise SystemExit(f"table {table.name}: no null stands in {key}")
    for key in table.keys_of(table.shapes):
        if not any(column.key == key for column in table.json_columns()):
            raise SystemExit(f"table {table.name}: there is no {key}")
    for read in table.reads:
        if not read.rows:
            raise SystemExit(f"table {table.name}: {read.prefix} says not what it is filled from")
    for column in table.columns:
        if table.row and not column.getter and not column.cpp:
            raise SystemExit(f"{column.place}: {column.name} has no getter")
        if not column.about:
            raise SystemExit(f"{column.place}: {column.name} has no description")


def extend(table, tables):
    bases = [base for base in tables if base.name == table.extends]
    if len(bases) != 1 or table.has_c:
        raise SystemExit(f"table {table.name}: {table.extends} is no table that one of faces json can extend")
    table.columns = bases[0].json_columns() + table.columns
    table.none = ", ".join(bases[0].none_keys + table.none_keys)


def read_tables():
    tables = [table for name in FILES for table in read_file(FOLDER / name)]
    for table in tables:
        make_members(table)
    for table in tables:
        copy_columns(table, tables)
        if table.extends:
            extend(table, tables)
    for table in tables:
        check(table)
    return tables

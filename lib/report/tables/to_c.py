"""The C face of the tables: hwest_rows.h, layout.c, hwest.map, and what makes, fills and reads tables behind it."""

import re

from schema import IDS, ROOT, numbers_of

WIDTH = 120
MEMBERS = {"int": "int64_t", "real": "double", "text": "const char *", "worded": "const char *",
           "texts": "const char *const *", "bool": "int32_t", "enum": "int32_t", "count": "hwest_count",
           **dict.fromkeys(IDS, "int64_t")}
NULLS = {"int": "-1", "real": "NaN", "text": "NULL", "worded": "NULL", "bool": "-1", "shape": "-1",
         **dict.fromkeys(IDS, "-1")}


def null_of(column):
    return f"HWEST_{column.words}_UNKNOWN" if column.type == "enum" else NULLS.get(column.type, "unknown")


def comment_of(column):
    """The description in the words of C."""
    text = re.sub(r"\bnull\b", null_of(column), column.about)
    if column.type == "enum":
        text = f"HWEST_{column.words}_*: {text}"
    if column.type == "bool":
        text = re.sub("(?=;|$)", ", 1 or 0", text, count=1)
    if column.type in ("text", "worded") and not column.nullable:
        text += "; never NULL"
    if column.nullable and "null" not in column.about and column.type != "count":
        text += f"; {null_of(column)} = unknown"
    return text


def length_of(name):
    return name[:-1] + "_count"  # of an array: nodes, node_count


def members_of(table):
    """[(type, name, comment)] in the order of the struct: by version, those of 32 bits first, holes stated."""
    members = [("uint32_t", "struct_size", "sizeof this struct")]
    columns = table.c_columns()
    for since in sorted({column.since for column in columns}, key=numbers_of):
        new = [column for column in columns if column.since == since]
        words = [("int32_t", column.name, comment_of(column)) for column in new if column.type in ("enum", "bool")]
        if any(column.type == "flag" for column in new):
            words.append(("uint32_t", "flags", f"HWEST_{table.flags}_IS_*"))
        members += words
        if sum(c_type in ("int32_t", "uint32_t") for c_type, _, _ in members) % 2:
            count = sum(name.startswith("reserved") for _, name, _ in members)
            members.append(("uint32_t", "reserved" + (str(count) if count else ""), "0"))
        for column in new:
            members += wide_members(column)
    return members


def wide_members(column):
    if column.type == "shape":
        return [("int64_t", "rank", "length of `dims`; -1 = unknown"),
                ("const hwest_count *", column.name, "sizes by axis; NULL when the rank is 0 or unknown")]
    if column.type[:-1] in IDS:
        return [("const uint32_t *", column.name, comment_of(column)),
                ("uint64_t", length_of(column.name), f"length of `{column.name}`")]
    if column.type in ("enum", "bool", "flag"):
        return []
    return [(MEMBERS[column.type], column.name, comment_of(column))]


def wrapped(head, text, indent):
    """`head` and the words of `text`, in lines of at most WIDTH; the end of a comment stays with its last word."""
    lines = [head]
    for word in text.replace(" */", "\0*/").split(" "):
        if len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(indent)
        lines[-1] += ("" if lines[-1] == indent else " ") + word
    return "\n".join(lines).replace("\0", " ")


def in_lines(head, parts, tail, indent):
    """`head`, the parts with commas between them, and `tail`, broken between parts."""
    lines = [head]
    for i, part in enumerate(parts):
        part += tail if i + 1 == len(parts) else ","
        if len(lines[-1]) + 1 + len(part) > WIDTH:
            lines.append(" " * indent + part)
        else:
            lines[-1] += ("" if lines[-1].endswith(("(", "{")) else " ") + part
    return "\n".join(lines)


def declaration(c_type, name):
    return f"{c_type}{'' if c_type.endswith('*') else ' '}{name};"


def struct_text(table):
    lines = [wrapped("/**", f"{table.about} {table.in_c}".strip() + " */", " * "),
             f"typedef struct {table.struct} {{"]
    members = members_of(table)
    at = max(len(declaration(c_type, name)) for c_type, name, _ in members) + 4
    for c_type, name, comment in members:
        head = f"  {declaration(c_type, name)}".ljust(at) + "/**<"
        lines.append(wrapped(head, comment + " */", " " * (at + 5)))
    return "\n".join(lines + [f"}} {table.struct};"])


def handles_of(header):
    return re.findall(r"typedef struct (hwest_\w+) \1;", header)


def argument_of(handle):
    return handle[len("hwest_"):].replace("target_list", "list")


def function_text(returns, name, parameters):
    head = f"HWEST_API {returns} {name}("
    text = head + ", ".join(parameters) + ");"
    if len(text) <= WIDTH:
        return text
    lines = [head]
    for i, parameter in enumerate(parameters):
        part = parameter + (");" if i + 1 == len(parameters) else ",")
        if len(lines[-1]) + 1 + len(part) > WIDTH:
            lines.append(" " * len(head))
        lines[-1] += ("" if lines[-1].endswith("(") or not lines[-1].strip() else " ") + part
    return "\n".join(line.rstrip() for line in lines)


def row_argument(struct):
    return struct.rpartition("_")[2]


def one_text(read, this, struct):
    row = row_argument(struct)
    return "\n".join([
        wrapped("/**", read.about, " * "),
        f" * @param[in,out] {row}  the caller sets struct_size; after success it holds the number of bytes filled. */",
        function_text("hwest_status", read.prefix, [this, f"{struct} *{row}"]),
    ])


def functions_text(read, struct, handles):
    handle, prefix = read.handle(handles), read.prefix
    this = f"const {handle} *{argument_of(handle)}"
    if read.is_one:
        return one_text(read, this, struct)
    return "\n".join([
        wrapped("/**", read.about + " */", " * "),
        function_text("uint64_t", prefix + "_count", [this]),
        "/** One of them. */",
        function_text("hwest_status", prefix + "_get", [this, "uint64_t index", f"{struct} *row"]),
        "/** Several of them. */",
        function_text("hwest_status", prefix + "_read",
                      [this, "uint64_t first", "uint64_t count", f"{struct} *rows", "size_t stride"]),
    ])


def words_text(words):
    lines = [wrapped("/**", words.about + " */", " * "), "enum {"]
    heads = [f"  HWEST_{words.name}_{word.c_name} = {words.number(i)}" for i, word in enumerate(words.words)]
    heads = [head + "," * (i + 1 < len(heads)) for i, head in enumerate(heads)]
    at = max(len(head) for head in heads) + 1
    for head, word in zip(heads, words.words):
        lines.append(wrapped(head.ljust(at) + "/**<", word.about + " */", " " * (at + 5)) if word.about else head)
    return "\n".join(lines + ["};"])


def rows_header(tables, every_words, handles):
    parts = ["/* Rows of the tables of hwest.h, which includes this file and says what holds for all of them, and the "
             "words in them.\n"
             " * Written by lib/report/tables/generate.py from the .table files beside it. */\n"
             "#ifndef HWEST_ROWS_H_\n#define HWEST_ROWS_H_"]
    parts += [words_text(words) for words in every_words]
    parts += [struct_text(table) for table in tables]
    parts += [functions_text(read, table.struct, handles) for table in tables for read in table.reads]
    return "\n\n".join(parts + ["#endif /* HWEST_ROWS_H_ */"]) + "\n"


def layout(structs):
    lines = ["/* Layout of every struct on 64-bit machines; on others the order is the same. Written by",
             " * lib/report/tables/generate.py from hwest.h and hwest_rows.h. */", '#include "hwest.h"', "",
             "#define AT(type, field, offset) \\",
             '  _Static_assert(sizeof(void *) != 8 || offsetof(type, field) == (offset), #type "." #field " moved")']
    for name, members in structs.items():
        lines.append("")
        offset = 0
        for c_type, member in members:
            size = 4 if c_type in ("int32_t", "uint32_t") else 16 if c_type == "hwest_count" else 8
            offset += -offset % min(size, 8)
            lines.append(f"AT({name}, {member}, {offset});")
            offset += size
    return "\n".join(lines) + "\n"


def symbol_map(functions):
    names = "".join(f"    {name};\n" for name in sorted(name for name, _, _ in functions))
    return ("/* Every function of hwest.h; nothing else leaves the library. "
            "Written by lib/report/tables/generate.py. */\n"
            f"HWEST_0 {{\n  global:\n{names}  local:\n    *;\n}};\n")


def fill_of(table, column):
    """The statements that fill the members of a column."""
    get, to = column.getter, f"to->{column.name}"
    if column.type == "flag":
        return [f"to->flags |= BitIf({get}, HWEST_{table.flags}_{column.name.upper()});"]
    if column.type == "shape":
        return [f"to->rank = RankOf({get});", f"{to} = texts->KeepShape({get});"]
    if column.type[:-1] in IDS:
        return [f"{to} = IdsOf({get});", f"to->{length_of(column.name)} = ({get}).size();"]
    call = {"int": "Number({})", "real": "Figure({})", "enum": "NumberOf({})", "bool": "Truth({})",
            "text": "texts->KeepText({})", "worded": "texts->KeepText(Worded({}, row.options))",
            "texts": "texts->KeepList({})", "count": "texts->KeepCount({})"}.get(column.type, "IdNumber({})")
    return [f"{to} = {call.format(get)};"]


def context_of(table, columns):
    """What getters of these columns see beside the row, as a parameter; none when they do not."""
    name = table.context.split(" ")[-1]
    is_seen = name and any(re.search(rf"\b{name}\b", column.getter) for column in columns)
    return f", {table.context}" if is_seen else ""


def fill_signature(table):
    return (f"void FillRow(const {table.row}& row{context_of(table, table.c_columns())}, Texts* texts, "
            f"{table.struct}* to)")


def fills_header(tables):
    lines = ["// Rows of the C ABI from those of the library. Written by lib/report/tables/generate.py.",
             "#pragma once", "",
             '#include "fill.h"', "", "namespace hwest::capi {", ""]
    lines += [wrapped_code(fill_signature(table) + ";") for table in tables if table.row]
    return "\n".join(lines + ["", "}  // namespace hwest::capi"]) + "\n"


def wrapped_code(line, indent=2):
    if len(line) <= WIDTH:
        return line
    cut = line.rfind(", ", 0, WIDTH) + 1
    return line[:cut] + "\n" + " " * line.index("(") + " " + line[cut + 1:]


def fills_source(tables):
    lines = ["// Written by lib/report/tables/generate.py from the .table files beside it.",
             '#include "fill_rows.h"', "",
             "namespace hwest::capi {"]
    for table in tables:
        if not table.row:
            continue
        lines += ["", wrapped_code(fill_signature(table) + " {"), "  *to = {};",
                  "  to->struct_size = sizeof *to;"]
        body = [statement for column in table.c_columns() for statement in fill_of(table, column)]
        if not any("texts" in statement for statement in body):
            lines.append("  static_cast<void>(texts);")
        lines += ["  " + statement for statement in body]
        lines.append("}")
    return "\n".join(lines + ["", "}  // namespace hwest::capi"]) + "\n"


def numbers_header(every_words):
    lines = ["// The numbers in C of the words that C++ has as enums. Written by lib/report/tables/generate.py.",
             "#pragma once", "", '#include "budget/budget.h"', '#include "fit/folds.h"', '#include "hwest.h"',
             '#include "numbers_of.h"', '#include "report/getters.h"', '#include "report/report.h"', "",
             "namespace hwest::capi {", ""]
    for words in every_words:
        if not words.type:
            continue
        last = f"HWEST_{words.name}_{words.words[-1].c_name}"
        lines += ["template <>", f"struct Numbers<{words.type}> {{",
                  f"  static constexpr int32_t kFirst = {words.first}, kLast = {last};", "};"]
        lines += [f"static_assert(NumberOf({words.type}::{word.enumerator}) == HWEST_{words.name}_{word.c_name});"
                  for word in words.words if word.enumerator]
        lines.append("")
    return "\n".join(lines + ["}  // namespace hwest::capi"]) + "\n"


def tables_of_handles(tables, handles):
    """[(handle, name of its struct of tables, [(read, table)])]"""
    found = []
    for handle in handles:
        reads = [(read, table) for table in tables for read in table.reads if read.handle(handles) == handle]
        if reads:
            title = "".join(part.capitalize() for part in handle.split("_")[1:])
            found.append((handle, title + "Tables", reads))
    return found


def tables_header(tables, handles):
    lines = ["// The tables of a handle, made when they are first asked for. Written by lib/report/tables/generate.py.",
             "#pragma once", "", '#include "hwest.h"', '#include "table.h"', "", "namespace hwest::capi {"]
    for handle, title, reads in tables_of_handles(tables, handles):
        lines += ["", f"struct {title} {{", f"  explicit {title}(const {handle}& of);", ""]
        lines += [f"  const LazyTable<{table.struct}> {read.table_name(handles)};" + "  // one row" * read.is_one
                  for read, table in reads]
        lines.append("};")
    return "\n".join(lines + ["", "}  // namespace hwest::capi"]) + "\n"


def filling(read):
    if read.rows.startswith("Fill"):
        return read.rows
    rows, comma, context = split_argument(read.rows)
    return f"{'FillOne' if read.is_one else 'FillTable'}({rows}, table{comma}{context})"


def split_argument(arguments):
    """The first argument, and the others with the comma before them."""
    depth = 0
    for i, letter in enumerate(arguments):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            return arguments[:i], ", ", arguments[i + 1:].strip()
    return arguments, "", ""


def reading_functions(read, struct, handle, title, member):
    this, argument = f"const {handle}* {argument_of(handle)}", argument_of(handle)
    table = f"&hwest::capi::{title}::{member}"
    if read.is_one:
        row = row_argument(struct)
        return [wrapped_code(f"hwest_status {read.prefix}({this}, {struct}* {row}) {{"),
                f'  return GetOne("{argument}", {argument}, "{row}", {table}, {row});', "}"]
    return [f"uint64_t {read.prefix}_count({this}) {{", f"  return CountRows({argument}, {table});", "}",
            wrapped_code(f"hwest_status {read.prefix}_get({this}, uint64_t index, {struct}* row) {{"),
            f"  return GetRow({argument}, {table}, index, row);", "}",
            wrapped_code(f"hwest_status {read.prefix}_read({this}, uint64_t first, uint64_t count, {struct}* rows, "
                      "size_t stride) {"),
            f"  return ReadRows({argument}, {table}, first, count, rows, stride);", "}"]


def tables_source(tables, handles):
    lines = ["// Written by lib/report/tables/generate.py from the .table files beside it.",
             '#include "tables.h"', "", '#include "handles.h"', '#include "rows.h"', "", "namespace hwest::capi {"]
    for handle, title, reads in tables_of_handles(tables, handles):
        members = [f"{read.table_name(handles)}([&of](auto* table) {{ {filling(read)}; }})" for read, _ in reads]
        lines += ["", f"{title}::{title}(const {handle}& of)", "    : " + ",\n      ".join(members) + " {}"]
    lines += ["", "}  // namespace hwest::capi", "", "using hwest::capi::CountRows;", "using hwest::capi::GetOne;",
              "using hwest::capi::GetRow;", "using hwest::capi::ReadRows;"]
    for handle, title, reads in tables_of_handles(tables, handles):
        lines.append("")
        for read, table in reads:
            lines += reading_functions(read, table.struct, handle, title, read.table_name(handles))
    return "\n".join(lines) + "\n"


def code_of(text):
    """Without comments."""
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def functions_of(code):
    """[(name, what it returns, its parameters)]"""
    found = re.findall(r"HWEST_API\s+([\w\s*]+?)(\w+)\(([^)]*)\);", code)
    split = [(name, " ".join(returns.split()), " ".join(parameters.split())) for returns, name, parameters in found]
    return [(name, returns, [] if parameters == "void" else parameters.split(", "))
            for name, returns, parameters in split]


def structs_of(code):
    """{name: [(type, member)]}"""
    structs = {}
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\n\} \w+;", code, flags=re.S):
        members = re.findall(r"([^;]*?)(\w+);", " ".join(body.split()))
        structs[name] = [(c_type.strip(), member) for c_type, member in members]
    return structs


def header_text():
    return (ROOT / "capi" / "hwest.h").read_text(encoding="utf-8")


def whole_header(rows, options):
    """The text of hwest.h with the files that it includes in their places."""
    header = header_text()
    for name, text in (("hwest_rows.h", rows), ("hwest_options.h", options)):
        if header.count(f'#include "{name}"') != 1:
            raise SystemExit(f"hwest.h includes {name} once")
        header = header.replace(f'#include "{name}"', text)
    return header

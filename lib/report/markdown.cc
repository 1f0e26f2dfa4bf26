// The Markdown format: headings and pipe tables, for issues and reviews.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/text_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr absl::string_view kSpecial = "\\`*_{}[]<>|#~&";

std::string HeadLine(const std::vector<std::string>& columns) {
  std::vector<std::string> titles, rules;
  for (const std::string& column : columns) {
    titles.push_back(MarkdownCell(column));
    rules.push_back("---");
  }
  return absl::StrCat("| ", absl::StrJoin(titles, " | "), " |\n| ", absl::StrJoin(rules, " | "), " |\n");
}

// What a null of this key means: unknown, but for what is not there at all: causal work, a convention asked for, a host.
absl::string_view NullWord(absl::string_view key) {
  return key == "causal_macs" || key == "flops_as" || key == "host" ? "" : "unknown";
}

// Columns that hold ids of groups or nodes: there they are written as `explain` takes them.
struct IdColumn {
  absl::string_view part, column, prefix;
};
constexpr IdColumn kIdColumns[] = {{"groups", "id", "g"},       {"groups", "nodes", "#"}, {"group", "id", "g"},
                                   {"group", "nodes", "#"},     {"nodes", "id", "#"},     {"nodes", "group", "g"},
                                   {"node", "id", "#"},         {"node", "group", "g"},   {"segments", "groups", "g"}};

Json WithIds(absl::string_view part, absl::string_view column, const Json& cell) {
  for (const IdColumn& row : kIdColumns) {
    if (row.part != part || row.column != column) continue;
    if (cell.is_number()) return absl::StrCat(row.prefix, DumpJson(cell));
    if (!cell.is_array()) return cell;
    Json ids = Json::array();
    for (const Json& id : cell) ids.push_back(absl::StrCat(row.prefix, DumpJson(id)));
    return ids;
  }
  return cell;
}

absl::Status WriteTable(const std::string& title, const JsonTable& table, const ReportOptions& options, Sink sink) {
  std::string text = absl::StrCat("\n## ", MarkdownCell(title), "\n\n", HeadLine(table.columns));
  for (const size_t i : RowsShown(table, options, 0)) {
    const Json row = table.row(i);
    std::vector<std::string> cells;
    for (const std::string& column : table.columns) {
      cells.push_back(MarkdownCell(CellText(WithIds(title, column, row.at(column)), NullWord(column))));
    }
    absl::StrAppend(&text, "| ", absl::StrJoin(cells, " | "), " |\n");
    if (text.size() < 65536) continue;
    HWEST_RETURN_IF_ERROR(sink(text));
    text.clear();
  }
  return sink(text);
}

// A list of ids, or a small table such as shares by name; lists of rows have no place in a line.
bool FitsLine(const Json& value) {
  return std::none_of(value.begin(), value.end(), [](const Json& member) { return member.is_structured(); }) &&
         !(value.is_array() && value.empty());
}

std::string ObjectList(const std::string& key, const Json& object) {
  std::string text = absl::StrCat("\n## ", MarkdownCell(key), "\n\n");
  for (const auto& [name, value] : object.items()) {
    const std::string cell =
        value.is_structured() && !FitsLine(value) ? "" : CellText(WithIds(key, name, value), NullWord(name));
    if (!cell.empty()) absl::StrAppend(&text, "- ", MarkdownCell(name), ": ", MarkdownCell(cell), "\n");
  }
  return text;
}

// Whether a part says anything: a request about no model has none but unknown members.
bool IsTold(const Json& object) {
  return std::any_of(object.begin(), object.end(), [](const Json& member) { return !member.is_null() && !member.empty(); });
}

// What the figures of an analysis leave out, before any of them.
std::string MissingLine(const Document& document) {
  if (document.kind != ReportKind::kAnalysis) return "";
  const std::string missing = MissingText(*document.view);
  if (missing.empty()) return "";
  return absl::StrCat("\n**", missing, ":** times and energy are at least, throughput at most what stands here.\n");
}

}  // namespace

std::string MarkdownCell(absl::string_view text) {
  std::string cell;
  for (const char c : EscapeControl(text)) {
    if (kSpecial.find(c) != absl::string_view::npos) cell += '\\';
    cell += c;
  }
  return cell;
}

absl::Status WriteMarkdown(const Document& document, const ReportOptions& options, Sink sink) {
  std::string title = absl::StrCat("onnx-hwest ", ReportKindName(document.kind));
  if (document.kind == ReportKind::kDescribe) absl::StrAppend(&title, " ", document.tables.front());
  if (document.view != nullptr) {
    const RequestView& request = document.view->request;
    title = absl::StrCat(request.model, request.target ? absl::StrCat(" on ", *request.target) : "");
  }
  HWEST_RETURN_IF_ERROR(sink(absl::StrCat("# ", MarkdownCell(title), "\n")));
  HWEST_RETURN_IF_ERROR(sink(MissingLine(document)));
  const JsonTable* only = nullptr;
  if (options.level.has_value()) {
    HWEST_ASSIGN_OR_RETURN(only, LevelTable(document, options));
  }
  for (const Part& part : document.parts) {
    if (const auto* object = std::get_if<Json>(&part.content)) {
      if (object->is_object() && IsTold(*object)) HWEST_RETURN_IF_ERROR(sink(ObjectList(part.key, *object)));
      continue;
    }
    const JsonTable& table = std::get<JsonTable>(part.content);
    const bool is_level_table = part.key == "nodes" || part.key == "groups" || part.key == "modules";
    if (table.size == 0 || (is_level_table && only != nullptr && &table != only)) continue;
    if (part.key == "nodes" && only == nullptr && TableOf(document, "groups") != nullptr) continue;
    HWEST_RETURN_IF_ERROR(WriteTable(part.key, table, options, sink));
  }
  return absl::OkStatus();
}

}  // namespace hwest

// The Markdown format: headings and pipe tables, for issues and reviews.
#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/text_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr absl::string_view kSpecial = "\\`*_{}[]<>|#~&";

std::string HeadLine(const Columns& columns) {
  std::vector<std::string> titles, rules;
  for (const ColumnInfo& column : columns) {
    titles.push_back(MarkdownCell(column.key));
    rules.push_back("---");
  }
  return absl::StrCat("| ", absl::StrJoin(titles, " | "), " |\n| ", absl::StrJoin(rules, " | "), " |\n");
}

// Ids as `explain` takes them.
Cell WithIds(absl::string_view prefix, const Cell& cell) {
  if (prefix.empty()) return cell;
  if (cell.is_number()) return absl::StrCat(prefix, DumpJson(cell));
  if (cell.list() == nullptr) return cell;
  Cell ids = Cell::OfList();
  for (const Cell& id : *cell.list()) ids.push_back(WithIds(prefix, id));
  return ids;
}

std::string TextOf(const ColumnInfo& column, const Cell& cell) {
  return MarkdownCell(CellText(WithIds(column.id_prefix, cell), column.has_none ? "" : "unknown"));
}

absl::Status WriteTable(const std::string& title, const CellTable& table, const ReportOptions& options, Sink sink) {
  std::string text = absl::StrCat("\n## ", MarkdownCell(title), "\n\n", HeadLine(table.columns));
  for (const size_t i : RowsShown(table, options, 0)) {
    const Cells row = table.row(i);
    std::vector<std::string> cells;
    for (size_t c = 0; c < row.size(); ++c) cells.push_back(TextOf(table.columns[c], row[c]));
    absl::StrAppend(&text, "| ", absl::StrJoin(cells, " | "), " |\n");
    if (text.size() < 65536) continue;
    HWEST_RETURN_IF_ERROR(sink(text));
    text.clear();
  }
  return sink(text);
}

// Whether it is a list of ids or a small table such as shares by name; lists of rows do not fit a line.
bool FitsLine(const Cell& value) {
  if (value.object() != nullptr) {
    return std::none_of(value.object()->begin(), value.object()->end(),
                        [](const Cell::Member& member) { return member.second.is_structured(); });
  }
  return !value.is_empty() && std::none_of(value.list()->begin(), value.list()->end(),
                                           [](const Cell& element) { return element.is_structured(); });
}

ColumnInfo InfoOf(const Columns& columns, const std::string& key) {
  const auto found = absl::c_find_if(columns, [&](const ColumnInfo& column) { return column.key == key; });
  return found != columns.end() ? *found : ColumnInfo{key};
}

std::string ObjectList(const Part& part, const Cell::Object& object) {
  std::string text = absl::StrCat("\n## ", MarkdownCell(part.key), "\n\n");
  for (const auto& [name, value] : object) {
    if (value.is_structured() && !FitsLine(value)) continue;
    const std::string cell = TextOf(InfoOf(part.columns, name), value);
    if (!cell.empty()) absl::StrAppend(&text, "- ", MarkdownCell(name), ": ", cell, "\n");
  }
  return text;
}

// Whether a part says anything: in a request without a model all members are unknown.
bool HasContent(const Cell::Object& object) {
  return std::any_of(object.begin(), object.end(), [](const Cell::Member& member) {
    const Cell& cell = member.second;
    const bool is_bare =
        (cell.list() != nullptr && cell.list()->empty()) || (cell.object() != nullptr && cell.object()->empty());
    return !cell.is_null() && !is_bare;
  });
}

// The lines before all figures that say what they lack and leave out.
std::string MissingLine(const Document& document) {
  if (document.kind != ReportKind::kAnalysis) return "";
  const std::string misfit = MisfitText(*document.view), missing = MissingText(*document.view);
  const std::string first = misfit.empty() ? "" : absl::StrCat("\n**Does not fit:** ", MarkdownCell(misfit), "\n");
  if (missing.empty()) return first;
  return absl::StrCat(first, "\n**", missing,
                      ":** times and energy are at least, throughput at most what stands here.\n");
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
  const CellTable* only = nullptr;
  if (options.level.has_value()) {
    HWEST_ASSIGN_OR_RETURN(only, LevelTable(document, options));
  }
  for (const Part& part : document.parts) {
    if (const auto* cell = std::get_if<Cell>(&part.content)) {
      if (cell->object() != nullptr && HasContent(*cell->object())) {
        HWEST_RETURN_IF_ERROR(sink(ObjectList(part, *cell->object())));
      }
      continue;
    }
    const CellTable& table = std::get<CellTable>(part.content);
    const bool is_level_table = part.key == "nodes" || part.key == "groups" || part.key == "modules";
    if (table.size == 0 || (is_level_table && only != nullptr && &table != only)) continue;
    if (part.key == "nodes" && only == nullptr && TableOf(document, "groups") != nullptr) continue;
    HWEST_RETURN_IF_ERROR(WriteTable(part.key, table, options, sink));
  }
  return absl::OkStatus();
}

}  // namespace hwest

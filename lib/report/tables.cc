// Generic tables: the one for a level, the rows to show, and the look of a cell.
#include <algorithm>
#include <iterator>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/enumerators.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr absl::string_view kLevelKeys[] = {"nodes", "groups", "segments", "modules", "units"};
static_assert(std::size(kLevelKeys) == kNumEnumerators<Level>);

// Columns that hold a row's cost, the best one first.
std::vector<size_t> CostColumns(const CellTable& table) {
  std::vector<size_t> columns;
  for (const char* key : {"time_s", "macs"}) {
    for (size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].key == key) columns.push_back(i);
    }
  }
  return columns;
}

double CostOf(const Cells& row, const std::vector<size_t>& columns) {
  for (const size_t i : columns) {
    if (row[i].is_number()) return row[i].figure();
  }
  return 0;
}

}  // namespace

const CellTable* TableOf(const Document& document, absl::string_view key) {
  for (const Part& part : document.parts) {
    if (part.key == key) return std::get_if<CellTable>(&part.content);
  }
  return nullptr;
}

absl::StatusOr<const CellTable*> LevelTable(const Document& document, const ReportOptions& options) {
  if (document.tables.empty()) return absl::InternalError("a document without tables");
  const bool has_plan = TableOf(document, "groups") != nullptr;
  if (!options.level.has_value()) return TableOf(document, document.tables.front());
  const absl::string_view key = kLevelKeys[static_cast<size_t>(*options.level)];
  const CellTable* table = TableOf(document, key);
  if (table != nullptr) return table;
  return MakeError(
      Code::kUsage, absl::StrCat("a report of kind ", ReportKindName(document.kind), " has no table of ", key),
      has_plan ? "use another --level" : "leave --level out, or use `analyze` with --target", {"--level", "--target"});
}

std::vector<size_t> CostliestRows(const std::vector<double>& costs, int64_t top) {
  std::vector<size_t> rows(costs.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  const auto is_costlier = [&](size_t a, size_t b) { return costs[a] != costs[b] ? costs[a] > costs[b] : a < b; };
  const size_t shown = top > 0 ? std::min(static_cast<size_t>(top), rows.size()) : rows.size();
  if (shown < rows.size()) {
    std::nth_element(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(shown), rows.end(), is_costlier);
    rows.resize(shown);
  }
  std::sort(rows.begin(), rows.end(), is_costlier);
  return rows;
}

std::vector<size_t> RowsShown(const CellTable& table, const ReportOptions& options, int64_t default_top) {
  const int64_t top = options.top.value_or(default_top);
  const std::vector<size_t> cost_columns = CostColumns(table);
  if (top > 0 && !cost_columns.empty()) {
    std::vector<double> costs;
    for (size_t i = 0; i < table.size; ++i) costs.push_back(CostOf(table.row(i), cost_columns));
    return CostliestRows(costs, top);
  }
  std::vector<size_t> rows(top > 0 ? std::min(table.size, static_cast<size_t>(top)) : table.size);
  std::iota(rows.begin(), rows.end(), size_t{0});
  return rows;
}

std::string CellText(const Cell& cell, absl::string_view unknown) {
  if (cell.is_null()) return std::string(unknown);
  if (cell.text() != nullptr) return *cell.text();
  if (!cell.is_structured()) return DumpJson(cell);
  const auto join = [&](const Cell::List& list, absl::string_view between) {
    return absl::StrJoin(list, between, [&](std::string* out, const Cell& element) {
      absl::StrAppend(out, CellText(element, unknown));
    });
  };
  if (cell.list() != nullptr) return join(*cell.list(), ";");
  std::vector<std::string> members;
  for (const auto& [key, value] : *cell.object()) {
    const std::string text = value.list() != nullptr ? join(*value.list(), ",") : CellText(value, unknown);
    members.push_back(absl::StrCat(key, "=", text));
  }
  return absl::StrJoin(members, ";");
}

}  // namespace hwest

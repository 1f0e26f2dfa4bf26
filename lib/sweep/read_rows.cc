// Reads rows of a sweep from JSON lines.
#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "report/read_json.h"
#include "sweep/columns.h"
#include "sweep/row.h"

namespace hwest {
namespace {

NamedShares SharesMember(const Cell& row, absl::string_view key) {
  NamedShares shares;
  const Cell* member = FindMember(row, key);
  if (member == nullptr || member->object() == nullptr) return shares;
  for (const auto& [name, share] : *member->object()) {
    if (share.is_number()) shares.emplace_back(name, share.figure());
  }
  return shares;
}

Dims DimsMember(const Cell& row) {
  Dims dims;
  const Cell* member = FindMember(row, "dims");
  if (member == nullptr || member->object() == nullptr) return dims;
  for (const auto& [name, size] : *member->object()) {
    if (size.number() != nullptr) dims.emplace_back(name, *size.number());
  }
  return dims;
}

SweepRow RowFrom(const Cell& cell) {
  SweepRow row;
  ReadColumns(cell, &row);
  row.dims = DimsMember(cell);
  row.set = SharesMember(cell, "set");
  row.ok = TextMember(cell, "status") == "ok";
  row.code = TextMember(cell, "code");
  row.message = TextMember(cell, "message");
  row.summary.incomplete = row.ok ? std::optional<bool>(row.code == InfoOf(Code::kIncomplete).id) : std::nullopt;
  row.units = SharesMember(cell, "units");
  row.bounds = SharesMember(cell, "bounds");
  return row;
}

template <class T>
void AddOnce(const T& value, std::vector<T>* list) {
  if (std::find(list->begin(), list->end(), value) == list->end()) list->push_back(value);
}

template <class T>
void AddOnce(const std::optional<T>& value, std::vector<T>* list) {
  if (value.has_value()) AddOnce(*value, list);
}

}  // namespace

SweepAxes AxesOf(const std::vector<SweepRow>& rows) {
  SweepAxes axes;
  for (const SweepRow& row : rows) {
    AddOnce(row.model, &axes.models);
    AddOnce(row.target, &axes.targets);
    AddOnce(row.mode, &axes.modes);
    AddOnce(row.precision, &axes.precisions);
    AddOnce(row.batch, &axes.batches);
    AddOnce(row.size, &axes.sizes);
    for (const auto& dim : row.dims) {
      auto axis =
          std::find_if(axes.dims.begin(), axes.dims.end(), [&](const auto& one) { return one.first == dim.first; });
      if (axis == axes.dims.end()) axis = axes.dims.insert(axes.dims.end(), {dim.first, {}});
      AddOnce(dim.second, &axis->second);
    }
    for (const auto& [path, value] : row.set) {
      auto axis = std::find_if(axes.settings.begin(), axes.settings.end(),
                               [&, name = path](const auto& one) { return one.first == name; });
      if (axis == axes.settings.end()) axis = axes.settings.insert(axes.settings.end(), {path, ""});
      const std::string text = DumpJson(Cell(value));
      const std::vector<std::string> known = absl::StrSplit(axis->second, ',', absl::SkipEmpty());
      if (std::find(known.begin(), known.end(), text) != known.end()) continue;
      absl::StrAppend(&axis->second, axis->second.empty() ? "" : ",", text);
    }
    axes.rewritten |= row.rewritten;
  }
  return axes;
}

absl::StatusOr<std::vector<SweepRow>> ReadRows(absl::string_view lines) {
  std::vector<SweepRow> rows;
  size_t number = 0;
  for (const absl::string_view line : absl::StrSplit(lines, '\n')) {
    ++number;
    if (absl::StripAsciiWhitespace(line).empty()) continue;
    HWEST_ASSIGN_OR_RETURN(const Cell cell, ReadJson(line));
    const bool is_row = FindMember(cell, "model") != nullptr && FindMember(cell, "target") != nullptr &&
                        FindMember(cell, "status") != nullptr;
    if (!is_row) {
      return MakeError(Code::kUsage, absl::StrCat("line ", number, " is no row of a sweep"),
                       "hand over what `sweep --format jsonl` writes");
    }
    rows.push_back(RowFrom(cell));
  }
  return rows;
}

}  // namespace hwest

// TensorRT Engine Explorer: the data frame of an EnginePlan, plan.df.to_csv() or plan.df.to_json(). Times are
// milliseconds.
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "profile/read_profile.h"
#include "profile/text_lines.h"

namespace hwest {
namespace {

constexpr double kFrameMs = 1e-3;
constexpr char kNameColumn[] = "Name", kTypeColumn[] = "type";
// Older releases have no median.
constexpr const char* kLatencies[] = {"latency.median_time", "latency.avg_time"};

absl::string_view FirstLine(absl::string_view text) { return text.substr(0, text.find('\n')); }

std::optional<double> LatencyOf(const Tree& layer) {
  for (const char* key : kLatencies) {
    if (const std::optional<double> ms = NumberOf(layer, key); ms.has_value() && *ms >= 0) return ms;
  }
  return std::nullopt;
}

// The rows of a frame by column, as to_json() writes it without `orient`: {"Name": {"0": .., "1": ..}, ..}.
Tree RowsOf(const Tree& columns) {
  Tree rows = Tree::object();
  for (const auto& [column, cells] : columns.items()) {
    if (!cells.is_object()) continue;
    for (const auto& [row, cell] : cells.items()) rows[row][column] = cell;
  }
  return rows;
}

bool IsFrameByColumn(const Tree& tree) {
  const Tree* names = MemberOf(tree, kNameColumn);
  const Tree* times = MemberOf(tree, kLatencies[1]);
  return names != nullptr && names->is_object() && times != nullptr && times->is_object();
}

}  // namespace

bool IsTrexTable(absl::string_view text) {
  const std::vector<std::string> cells = CsvCells(FirstLine(text));
  return CellNamed(cells, kNameColumn).has_value() && CellNamed(cells, kLatencies[1]).has_value();
}

absl::StatusOr<Profile> ReadTrexTable(absl::string_view text, absl::string_view) {
  Profile profile{.program = "trex"};
  std::optional<size_t> name_at, type_at, time_at;
  for (const std::string& line : PlainLines(text)) {
    const std::vector<std::string> cells = CsvCells(line);
    if (!time_at.has_value()) {
      name_at = CellNamed(cells, kNameColumn);
      type_at = CellNamed(cells, kTypeColumn);
      for (const char* column : kLatencies) {
        if (!time_at.has_value()) time_at = CellNamed(cells, column);
      }
      if (!name_at.has_value() || !time_at.has_value()) break;
      continue;
    }
    if (cells.size() <= std::max(*name_at, *time_at)) continue;
    const std::optional<double> ms = TimeIn(cells[*time_at]);
    if (!ms.has_value() || cells[*name_at].empty()) continue;
    const bool has_type = type_at.has_value() && cells.size() > *type_at;
    profile.entries.push_back(
        {.name = cells[*name_at], .op = has_type ? cells[*type_at] : "", .time_s = *ms * kFrameMs});
  }
  return profile;
}

bool IsTrexFrame(const Tree& tree) {
  if (IsFrameByColumn(tree)) return true;
  return tree.is_array() &&
         std::any_of(tree.begin(), tree.end(), [](const Tree& layer) { return LatencyOf(layer).has_value(); });
}

absl::StatusOr<Profile> ReadTrexFrame(const Tree& tree, absl::string_view) {
  Profile profile{.program = "trex"};
  for (const Tree& layer : tree.is_array() ? tree : RowsOf(tree)) {
    const std::optional<double> ms = LatencyOf(layer);
    std::string layer_name = TextOf(layer, kNameColumn);
    if (!ms.has_value() || layer_name.empty()) continue;
    profile.entries.push_back(
        {.name = std::move(layer_name), .op = TextOf(layer, kTypeColumn), .time_s = *ms * kFrameMs});
  }
  return profile;
}

bool IsEngineGraph(const Tree& tree) {
  const Tree* layers = MemberOf(tree, "Layers");
  return layers != nullptr && layers->is_array() && MemberOf(tree, "Bindings") != nullptr;
}

absl::StatusOr<Profile> ReadEngineGraph(const Tree&, absl::string_view name) {
  return ImportError(name, "is the graph of an engine, which holds no times",
                     "give what `trtexec --exportProfile` writes beside it");
}

}  // namespace hwest

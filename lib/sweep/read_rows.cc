// Rows of a sweep from what was written of them.
#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "report/read_json.h"
#include "sweep/row.h"

namespace hwest {
namespace {

std::optional<int64_t> WholeMember(const Cell& row, absl::string_view key) {
  const Cell* cell = FindMember(row, key);
  return cell != nullptr && cell->number() != nullptr ? std::optional<int64_t>(*cell->number()) : std::nullopt;
}

std::optional<bool> TruthMember(const Cell& row, absl::string_view key) {
  const Cell* cell = FindMember(row, key);
  return cell != nullptr && cell->truth() != nullptr ? std::optional<bool>(*cell->truth()) : std::nullopt;
}

std::optional<std::string> MaybeText(const Cell& row, absl::string_view key) {
  const Cell* cell = FindMember(row, key);
  return cell != nullptr && cell->text() != nullptr ? std::optional<std::string>(*cell->text()) : std::nullopt;
}

// A count that depends on nothing.
Count CountMember(const Cell& row, absl::string_view key) {
  const std::optional<int64_t> number = WholeMember(row, key);
  return number.has_value() ? Count(*number) : Count();
}

void ReadFigures(const Cell& cell, SummaryView* summary) {
  summary->latency_s = FigureMember(cell, "latency_s");
  summary->latency_low_s = FigureMember(cell, "latency_low_s");
  summary->latency_high_s = FigureMember(cell, "latency_high_s");
  summary->interval_s = FigureMember(cell, "interval_s");
  summary->throughput_per_s = FigureMember(cell, "throughput_per_s");
  summary->energy_j = FigureMember(cell, "energy_j");
  summary->power_w = FigureMember(cell, "power_w");
  summary->peak_memory_bytes = WholeMember(cell, "peak_memory_bytes");
  summary->macs = CountMember(cell, "macs");
  summary->flops = CountMember(cell, "flops");
  summary->moved_bytes = WholeMember(cell, "moved_bytes");
  summary->intensity = FigureMember(cell, "intensity");
  summary->grade = MaybeText(cell, "grade");
}

SweepRow RowFrom(const Cell& cell) {
  SweepRow row;
  row.model = TextMember(cell, "model");
  row.sha256 = MaybeText(cell, "sha256");
  row.target = TextMember(cell, "target");
  row.mode = MaybeText(cell, "mode");
  row.precision = MaybeText(cell, "precision");
  row.batch = WholeMember(cell, "batch");
  row.size = WholeMember(cell, "size");
  const Cell* dims = FindMember(cell, "dims");
  if (dims != nullptr && dims->object() != nullptr) {
    for (const auto& [name, size] : *dims->object()) {
      if (size.number() != nullptr) row.dims.emplace_back(name, *size.number());
    }
  }
  row.rewritten = TruthMember(cell, "rewritten").value_or(false);
  row.ok = TextMember(cell, "status") == "ok";
  row.code = TextMember(cell, "code");
  row.message = TextMember(cell, "message");
  ReadFigures(cell, &row.summary);
  row.summary.incomplete = row.ok ? std::optional<bool>(!row.code.empty()) : std::nullopt;
  row.segments = WholeMember(cell, "segments");
  row.accelerated_macs_share = FigureMember(cell, "accelerated_macs_share");
  row.groups = WholeMember(cell, "groups");
  const Cell* units = FindMember(cell, "units");
  if (units != nullptr && units->object() != nullptr) {
    for (const auto& [name, share] : *units->object()) {
      if (share.is_number()) row.units.emplace_back(name, share.figure());
    }
  }
  row.pareto = TruthMember(cell, "pareto");
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
      auto axis = std::find_if(axes.dims.begin(), axes.dims.end(), [&](const auto& one) { return one.first == dim.first; });
      if (axis == axes.dims.end()) axis = axes.dims.insert(axes.dims.end(), {dim.first, {}});
      AddOnce(dim.second, &axis->second);
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

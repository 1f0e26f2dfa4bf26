#include "sweep/row.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "report/getters.h"
#include "report/view_parts.h"
#include "report/writers.h"
#include "target/kinds.h"

namespace hwest {
namespace {

using getters::CountCell;

template <class T>
Cell NullIfEmpty(const T& text) {
  return text.empty() ? Cell() : Cell(text);
}

Cell DimsCell(const SweepRow& row) {
  Cell cell = Cell::OfObject();
  for (const auto& [name, size] : row.dims) cell.Set(name, size);
  return cell;
}

Cell UnitsCell(const SweepRow& row) {
  if (row.units.empty()) return Cell();
  Cell cell = Cell::OfObject();
  for (const auto& [name, share] : row.units) cell.Set(name, share);
  return cell;
}

constexpr SweepColumn kColumns[] = {
    {"model", [](const SweepRow& row) { return Cell(row.model); }},
    {"sha256", [](const SweepRow& row) { return Cell(row.sha256); }},
    {"target", [](const SweepRow& row) { return Cell(row.target); }},
    {"mode", [](const SweepRow& row) { return Cell(row.mode); }},
    {"precision", [](const SweepRow& row) { return Cell(row.precision); }},
    {"batch", [](const SweepRow& row) { return Cell(row.batch); }},
    {"dims", DimsCell},
    {"size", [](const SweepRow& row) { return Cell(row.size); }},
    {"rewritten", [](const SweepRow& row) { return Cell(row.rewritten); }},
    {"status", [](const SweepRow& row) { return Cell(row.ok ? "ok" : "error"); }},
    {"code", [](const SweepRow& row) { return NullIfEmpty(row.code); }},
    {"message", [](const SweepRow& row) { return NullIfEmpty(row.message); }},
    {"latency_s", [](const SweepRow& row) { return Cell(row.summary.latency_s); }},
    {"latency_low_s", [](const SweepRow& row) { return Cell(row.summary.latency_low_s); }},
    {"latency_high_s", [](const SweepRow& row) { return Cell(row.summary.latency_high_s); }},
    {"interval_s", [](const SweepRow& row) { return Cell(row.summary.interval_s); }},
    {"throughput_per_s", [](const SweepRow& row) { return Cell(row.summary.throughput_per_s); }},
    {"energy_j", [](const SweepRow& row) { return Cell(row.summary.energy_j); }},
    {"power_w", [](const SweepRow& row) { return Cell(row.summary.power_w); }},
    {"peak_memory_bytes", [](const SweepRow& row) { return Cell(row.summary.peak_memory_bytes); }},
    {"macs", [](const SweepRow& row) { return CountCell(row.summary.macs); }},
    {"flops", [](const SweepRow& row) { return CountCell(row.summary.flops); }},
    {"moved_bytes", [](const SweepRow& row) { return Cell(row.summary.moved_bytes); }},
    {"intensity", [](const SweepRow& row) { return Cell(row.summary.intensity); }},
    {"segments", [](const SweepRow& row) { return Cell(row.segments); }},
    {"accelerated_macs_share", [](const SweepRow& row) { return Cell(row.accelerated_macs_share); }},
    {"grade", [](const SweepRow& row) { return Cell(row.summary.grade); }},
    {"groups", [](const SweepRow& row) { return Cell(row.groups); }},
    {"units", UnitsCell},
    {"pareto", [](const SweepRow& row) { return Cell(row.pareto); }},
};

SweepRow PlainRow(const std::string& model, const SweepPoint& point) {
  SweepRow row;
  row.model = model;
  row.target = point.target;
  row.mode = NonEmpty(point.mode);
  if (point.precision != "auto") row.precision = NonEmpty(point.precision);
  row.batch = point.batch;
  row.dims = point.dims;
  row.size = point.size;
  row.rewritten = point.rewritten;
  return row;
}

std::optional<double> AcceleratedShare(const Analysis& analysis) {
  if (analysis.coverage.counted < analysis.coverage.nodes) return std::nullopt;
  int64_t all = 0, accelerated = 0;
  const auto& units = analysis.target->units;
  for (const PlannedGroup& group : analysis.plan->groups) {
    all += group.work.macs;
    if (group.unit.valid() && !IsCpu(units[group.unit])) accelerated += group.work.macs;
  }
  if (all == 0) return std::nullopt;
  return static_cast<double>(accelerated) / static_cast<double>(all);
}

// "a=1;b=2"
std::string MembersText(const Cell& object) {
  const auto member = [](std::string* to, const Cell::Member& one) { absl::StrAppend(to, one.first, "=", DumpJson(one.second)); };
  return absl::StrJoin(*object.object(), ";", member);
}

// Where the time goes; empty where a group has none that is known.
std::vector<std::pair<std::string, double>> UnitShares(const Analysis& analysis) {
  const auto& units = analysis.target->units;
  std::vector<double> busy_s(units.size());
  double all_s = 0;
  for (const Segment& segment : analysis.plan->segments) {
    const double seconds = segment.transfer_s + segment.invoke_s + segment.time_s;
    busy_s[segment.unit.index()] += seconds;
    all_s += seconds;
  }
  std::vector<std::pair<std::string, double>> shares;
  if (analysis.coverage.costed < analysis.coverage.nodes || !(all_s > 0)) return shares;
  for (size_t i = 0; i < busy_s.size(); ++i) {
    if (busy_s[i] > 0) shares.emplace_back(units[UnitId(i)].name, busy_s[i] / all_s);
  }
  return shares;
}

std::string FieldOf(const SweepColumn& column, const SweepRow& row) {
  const Cell cell = column.get(row);
  if (cell.is_null()) return "";
  if (cell.object() != nullptr) return CsvField(MembersText(cell));
  return cell.text() != nullptr ? CsvField(*cell.text()) : DumpJson(cell);
}

}  // namespace

absl::Span<const SweepColumn> SweepColumns() { return kColumns; }

std::string DimsText(const Dims& dims) {
  return absl::StrJoin(dims, ";", absl::PairFormatter("="));
}

std::string UnitsText(const SweepRow& row) { return row.units.empty() ? "" : MembersText(UnitsCell(row)); }

SweepRow RowOf(const std::string& model, const SweepPoint& point, const Analysis& analysis) {
  SweepRow row = PlainRow(model, point);
  row.target = analysis.target->name;
  row.mode = NonEmpty(analysis.mode);
  row.precision = NonEmpty(analysis.precision);
  row.batch = analysis.batch;
  row.ok = true;
  row.summary = SummaryOf(analysis);
  row.segments = static_cast<int64_t>(analysis.plan->segments.size());
  row.accelerated_macs_share = AcceleratedShare(analysis);
  row.groups = static_cast<int64_t>(analysis.plan->groups.size());
  row.units = UnitShares(analysis);
  if (!row.summary.incomplete.value_or(false)) return row;
  row.code = std::string(InfoOf(Code::kIncomplete).id);
  row.message = absl::StrCat(analysis.coverage.nodes - analysis.coverage.costed, " of ", analysis.coverage.nodes,
                             " nodes have no time: the figures are at least these");
  return row;
}

SweepRow FailedRow(const std::string& model, const SweepPoint& point, const absl::Status& failed) {
  SweepRow row = PlainRow(model, point);
  const Diagnostic error = DiagnosticOf(failed);
  row.error = error;
  row.code = std::string(InfoOf(error.code).id);
  row.message = absl::StrCat(error.message, error.remedy.empty() ? "" : ": ", error.remedy);
  return row;
}

std::string CsvHead() {
  const auto key = [](std::string* to, const SweepColumn& column) { *to += column.key; };
  return absl::StrCat(absl::StrJoin(kColumns, ",", key), "\n");
}

std::string CsvLine(const SweepRow& row) {
  const auto field = [&](std::string* to, const SweepColumn& column) { *to += FieldOf(column, row); };
  return absl::StrCat(absl::StrJoin(kColumns, ",", field), "\n");
}

std::string JsonLine(const SweepRow& row) {
  Cell cell = Cell::OfObject();
  for (const SweepColumn& column : kColumns) cell.Set(column.key, column.get(row));
  return absl::StrCat(DumpJson(cell), "\n");
}

std::string WorkOf(const SweepRow& row) {
  return absl::StrCat(row.model, "\n", row.batch.value_or(-1), "\n", DimsText(row.dims), "\n", row.size.value_or(-1));
}

}  // namespace hwest

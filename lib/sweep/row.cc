#include "sweep/row.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "report/document.h"
#include "report/view_parts.h"
#include "report/writers.h"
#include "sweep/columns.h"
#include "target/kinds.h"

namespace hwest {
namespace {

const Columns& AllColumns() { return ColumnsOf(static_cast<const SweepRow*>(nullptr)); }

const std::vector<size_t>& AllIndices() {
  static const auto* const indices = new std::vector<size_t>(*SweepColumnsNamed({}));
  return *indices;
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
  const auto member = [](std::string* to, const Cell::Member& one) {
    absl::StrAppend(to, one.first, "=", DumpJson(one.second));
  };
  return absl::StrJoin(*object.object(), ";", member);
}

// The share of time of each unit; empty where a group has no known time.
NamedShares UnitShares(const Analysis& analysis) {
  const auto& units = analysis.target->units;
  std::vector<double> busy_s(units.size());
  double all_s = 0;
  for (const Segment& segment : analysis.plan->segments) {
    const double seconds = segment.transfer_s + segment.invoke_s + segment.time_s;
    busy_s[segment.unit.index()] += seconds;
    all_s += seconds;
  }
  NamedShares shares;
  if (analysis.coverage.costed < analysis.coverage.nodes || !(all_s > 0)) return shares;
  for (size_t i = 0; i < busy_s.size(); ++i) {
    if (busy_s[i] > 0) shares.emplace_back(units[UnitId(i)].name, busy_s[i] / all_s);
  }
  return shares;
}

// Shares of the latency; none where a group has no estimate.
NamedShares BoundShares(const Analysis& analysis, const SummaryView& summary) {
  NamedShares shares;
  if (!summary.utilisation.has_value()) return shares;
  for (const BoundRow& bound : BoundsOf(analysis)) {
    shares.emplace_back(std::string(BoundName(bound.bound)), bound.time_s / analysis.plan->latency_s);
  }
  return shares;
}

// What an analysis says that its figures leave out, or lack.
void AddDoubt(const Analysis& analysis, SweepRow* row) {
  for (const Diagnostic& found : analysis.diagnostics) {
    if (found.code != Code::kDoesNotFit) continue;
    row->code = std::string(InfoOf(found.code).id);
    row->message = absl::StrCat(found.message, ": ", found.remedy);
    return;
  }
  if (!row->summary.incomplete.value_or(false)) return;
  row->code = std::string(InfoOf(Code::kIncomplete).id);
  row->message = absl::StrCat(analysis.coverage.nodes - analysis.coverage.costed, " of ", analysis.coverage.nodes,
                              " nodes have no time: the figures are at least these");
}

std::string FieldOf(const Cell& cell) {
  if (cell.is_null()) return "";
  if (cell.object() != nullptr) return CsvField(MembersText(cell));
  return cell.text() != nullptr ? CsvField(*cell.text()) : DumpJson(cell);
}

}  // namespace

std::string DimsText(const Dims& dims) { return absl::StrJoin(dims, ";", absl::PairFormatter("=")); }

std::string SharesOf(const NamedShares& shares) { return shares.empty() ? "" : MembersText(SharesCellOf(shares)); }

std::string StatusText(const SweepRow& row) { return row.ok ? "ok" : "error"; }

Cell DimsCell(const SweepRow& row) {
  Cell cell = Cell::OfObject();
  for (const auto& [name, size] : row.dims) cell.Set(name, size);
  return cell;
}

NamedShares SetOf(const SweepPoint& point) {
  NamedShares set;
  for (const auto& [figure, value] : point.set) set.emplace_back(figure.path, value);
  return set;
}

std::string SetText(const NamedShares& set) { return set.empty() ? "" : MembersText(SetCell(set)); }

Cell SetCell(const NamedShares& set) {
  Cell cell = Cell::OfObject();
  for (const auto& [path, value] : set) {
    const auto whole = static_cast<int64_t>(value);
    cell.Set(path, static_cast<double>(whole) == value ? Cell(whole) : Cell(value));
  }
  return cell;
}

Cell SharesCellOf(const NamedShares& shares) {
  if (shares.empty()) return Cell();
  Cell cell = Cell::OfObject();
  for (const auto& [name, share] : shares) cell.Set(name, share);
  return cell;
}

absl::StatusOr<std::vector<size_t>> SweepColumnsNamed(const std::vector<std::string>& names) {
  return ColumnsNamed(AllColumns(), names);
}

SweepRow PlainRow(const std::string& model, const SweepPoint& point) {
  SweepRow row;
  row.model = model;
  row.target = point.target;
  row.mode = NonEmpty(point.mode);
  if (point.precision != "auto") row.precision = NonEmpty(point.precision);
  row.batch = point.batch;
  row.set = SetOf(point);
  row.dims = point.dims;
  row.size = point.size;
  row.rewritten = point.rewritten;
  return row;
}

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
  row.grade = std::string(GradeName(analysis.plan->grade));
  row.groups = static_cast<int64_t>(analysis.plan->groups.size());
  row.units = UnitShares(analysis);
  row.params = analysis.params.params;
  row.nodes = analysis.coverage.nodes;
  if (row.summary.energy_j.has_value())
    row.energy_per_input_j = *row.summary.energy_j / static_cast<double>(analysis.batch);
  row.bounds = BoundShares(analysis, row.summary);
  AddDoubt(analysis, &row);
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

std::string CsvHead(const std::vector<size_t>& columns) {
  const auto key = [](std::string* to, size_t column) { *to += AllColumns()[column].key; };
  return absl::StrCat(absl::StrJoin(columns, ",", key), "\n");
}

std::string CsvLine(const SweepRow& row, const std::vector<size_t>& columns) {
  const Cells cells = CellsOf(row);
  const auto field = [&](std::string* to, size_t column) { *to += FieldOf(cells[column]); };
  return absl::StrCat(absl::StrJoin(columns, ",", field), "\n");
}

std::string CsvHead() { return CsvHead(AllIndices()); }
std::string CsvLine(const SweepRow& row) { return CsvLine(row, AllIndices()); }
std::string JsonLine(const SweepRow& row) { return absl::StrCat(DumpJson(ObjectOf(AllColumns(), CellsOf(row))), "\n"); }

std::string WorkOf(const SweepRow& row) {
  return absl::StrCat(row.model, "\n", row.batch.value_or(-1), "\n", DimsText(row.dims), "\n", row.size.value_or(-1));
}

}  // namespace hwest

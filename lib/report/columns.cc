// Written by lib/report/tables/generate.py from the .table files beside it.
#include "report/columns.h"

namespace hwest {

using namespace getters;

const Columns& ColumnsOf(const GroupRow*) {
  static const auto* const columns = new Columns{
      {.key = "id", .id_prefix = "g"},
      {"pattern"},
      {.key = "nodes", .id_prefix = "#"},
      {.key = "unit", .has_none = true},
      {.key = "segment", .has_none = true},
      {"precision"},
      {"macs"},
      {"int_macs"},
      {"flops"},
      {"in_bytes"},
      {"weight_bytes"},
      {"out_bytes"},
      {"dram_bytes"},
      {"live_bytes"},
      {"onchip_bytes"},
      {"saved_bytes"},
      {"saved_launches"},
      {"start_s"},
      {"end_s"},
      {"intensity"},
      {"compute_s"},
      {"memory_s"},
      {"overhead_s"},
      {"time_s"},
      {"low_s"},
      {"high_s"},
      {"energy_j"},
      {"energy_parts_j"},
      {"bound"},
      {"utilisation"},
      {"assumptions"},
      {"energy_low_j"},
      {"energy_high_j"},
      {.key = "grade", .has_none = true},
      {"name"},
      {.key = "measured_s", .has_none = true},
      {.key = "measured_ratio", .has_none = true},
      {.key = "root", .id_prefix = "#"},
      {"dram_intensity"},
      {"reload_bytes"},
      {.key = "tile", .has_none = true},
      {.key = "loop_order", .has_none = true},
      {"traffic"},
  };
  return *columns;
}

Cells CellsOf(const GroupRow& row, const View& view) {
  Cells cells;
  cells.reserve(43);
  cells.push_back(IdCell(row.id));
  cells.push_back(Cell(row.pattern));
  cells.push_back(IdsCell(row.nodes));
  cells.push_back(Cell(UnitNameOf(view, row.unit)));
  cells.push_back(IdCell(row.segment));
  cells.push_back(Cell(row.precision));
  cells.push_back(Cell(row.macs));
  cells.push_back(Cell(row.int_macs));
  cells.push_back(Cell(row.flops));
  cells.push_back(Cell(row.in_bytes));
  cells.push_back(Cell(row.weight_bytes));
  cells.push_back(Cell(row.out_bytes));
  cells.push_back(Cell(Of(row.estimate, &Estimate::dram_bytes)));
  cells.push_back(Cell(view.live_bytes(row.id)));
  cells.push_back(Cell(Of(row.estimate, &Estimate::onchip_bytes)));
  cells.push_back(Cell(row.saved_bytes));
  cells.push_back(Cell(row.saved_launches));
  cells.push_back(Cell(row.start_s));
  cells.push_back(Cell(EndOf(row)));
  cells.push_back(Cell(RatioOfSum(row.flops, row.in_bytes, row.weight_bytes, row.out_bytes)));
  cells.push_back(Cell(Of(row.estimate, &Estimate::compute_s)));
  cells.push_back(Cell(Of(row.estimate, &Estimate::memory_s)));
  cells.push_back(Cell(Of(row.estimate, &Estimate::overhead_s)));
  cells.push_back(Cell(Of(row.estimate, &Estimate::time_s)));
  cells.push_back(Cell(Of(row.estimate, &Estimate::low_s)));
  cells.push_back(Cell(Of(row.estimate, &Estimate::high_s)));
  cells.push_back(Cell(EnergyOf(row.energy)));
  cells.push_back(Cell{{"compute", Cell(Of(row.energy, &EnergyParts::compute_j))},
                       {"onchip", Cell(Of(row.energy, &EnergyParts::onchip_j))},
                       {"dram", Cell(Of(row.energy, &EnergyParts::dram_j))},
                       {"static", Cell(Of(row.energy, &EnergyParts::static_j))}});
  cells.push_back(WordCell(Of(row.estimate, &Estimate::bound)));
  cells.push_back(Cell(Of(row.estimate, &Estimate::utilisation)));
  cells.push_back(Cell(AssumptionsOf(row)));
  cells.push_back(Cell(row.energy_low_j));
  cells.push_back(Cell(row.energy_high_j));
  cells.push_back(WordCell(row.grade));
  cells.push_back(Cell(row.label));
  cells.push_back(Cell(row.measured_s));
  cells.push_back(Cell(row.measured_ratio));
  cells.push_back(IdCell(row.root));
  cells.push_back(Cell(RatioOfSum(row.flops, Of(row.estimate, &Estimate::dram_bytes))));
  cells.push_back(Cell(Of(row.estimate, &Estimate::reload_bytes)));
  cells.push_back(NullWithoutMembers(Cell{{"m", Cell(Of(TilingOf(row), &Tiling::m))},
                       {"n", Cell(Of(TilingOf(row), &Tiling::n))},
                       {"k", Cell(Of(TilingOf(row), &Tiling::k))}}));
  cells.push_back(Cell(LoopOrderOf(row)));
  cells.push_back(TrafficCell(row, view));
  return cells;
}

const TextColumns& TextColumnsOf(const GroupRow*) {
  static const auto* const columns = new TextColumns{
      {.title = "id", .column = 0, .shown = Shown::kPlain, .null = "-", .is_dim = true},
      {.title = "time", .column = 23, .shown = Shown::kSeconds, .null = "unknown"},
      {.title = "measured", .column = 35, .shown = Shown::kSeconds, .null = "-"},
      {.title = "ratio", .column = 36, .shown = Shown::kRatio, .null = "-"},
      {.title = "share", .column = 23, .shown = Shown::kShareOfTotal, .null = "-"},
      {.title = "bound", .column = 28, .shown = Shown::kPlain, .null = "-", .is_word = true},
      {.title = "unit", .column = 3, .shown = Shown::kPlain, .null = "none", .is_word = true},
      {.title = "type", .column = 5, .shown = Shown::kPlain, .null = "-", .is_word = true},
      {.title = "MACs", .column = 6, .shown = Shown::kCount, .null = "unknown"},
      {.title = "kernel", .column = 1, .shown = Shown::kPlain, .null = "-", .is_word = true, .is_shortened = true},
      {.title = "node", .column = 34, .shown = Shown::kPlain, .null = "-", .is_word = true, .is_shortened = true},
  };
  return *columns;
}

const Columns& ColumnsOf(const MeasuredEntry*) {
  static const auto* const columns = new Columns{
      {"name"},
      {.key = "op", .has_none = true},
      {"time_s"},
      {"match"},
      {.key = "nodes", .id_prefix = "#"},
      {.key = "groups", .id_prefix = "g"},
      {"set_time_s"},
      {"set_predicted_s"},
  };
  return *columns;
}

Cells CellsOf(const MeasuredEntry& row, const View& view) {
  Cells cells;
  cells.reserve(8);
  cells.push_back(Cell(row.entry.name));
  cells.push_back(Cell(NonEmpty(row.entry.op)));
  cells.push_back(Cell(row.entry.time_s));
  cells.push_back(Cell(MatchWord(row.match)));
  cells.push_back(IdsCell(row.nodes));
  cells.push_back(IdsCell(row.groups));
  cells.push_back(Cell(Of(SetOf(view, row), &MeasuredSet::time_s)));
  cells.push_back(Cell(Of(SetOf(view, row), &MeasuredSet::predicted_s)));
  return cells;
}

const Columns& ColumnsOf(const SegmentRow*) {
  static const auto* const columns = new Columns{
      {"id"},
      {"unit"},
      {.key = "groups", .id_prefix = "g"},
      {"in_bytes"},
      {"out_bytes"},
      {"transfer_s"},
      {"invoke_s"},
      {"start_s"},
      {"time_s"},
      {"energy_j"},
      {"reason"},
      {.key = "contexts", .has_none = true},
      {.key = "interval_s", .has_none = true},
      {.key = "reloaded_bytes", .has_none = true},
      {"low_s"},
      {"high_s"},
      {"energy_low_j"},
      {"energy_high_j"},
      {"grade"},
  };
  return *columns;
}

Cells CellsOf(const SegmentRow& row, const View& view) {
  Cells cells;
  cells.reserve(19);
  cells.push_back(IdCell(row.id));
  cells.push_back(Cell(*UnitNameOf(view, row.unit)));
  cells.push_back(IdsCell(row.groups));
  cells.push_back(Cell(row.in_bytes));
  cells.push_back(Cell(row.out_bytes));
  cells.push_back(Cell(row.transfer_s));
  cells.push_back(Cell(row.invoke_s));
  cells.push_back(Cell(row.start_s));
  cells.push_back(Cell(row.WholeSeconds()));
  cells.push_back(Cell(row.energy_j));
  cells.push_back(Cell(row.reason));
  cells.push_back(Cell(row.contexts));
  cells.push_back(Cell(row.interval_s));
  cells.push_back(Cell(row.reloaded_bytes));
  cells.push_back(Cell(IfWhole(row, row.low_s)));
  cells.push_back(Cell(IfWhole(row, row.high_s)));
  cells.push_back(Cell(row.energy_low_j));
  cells.push_back(Cell(row.energy_high_j));
  cells.push_back(WordCell(row.grade));
  return cells;
}

const Columns& ColumnsOf(const UnitRow*) {
  static const auto* const columns = new Columns{
      {"name"},
      {"kind"},
      {.key = "toolchain", .has_none = true},
      {"groups"},
      {"busy_s"},
      {"energy_j"},
      {"macs"},
      {"grade"},
      {"is_cpu"},
      {"is_placeable"},
      {"is_left_out"},
      {"is_prefix_only"},
  };
  return *columns;
}

Cells CellsOf(const UnitRow& row) {
  Cells cells;
  cells.reserve(12);
  cells.push_back(Cell(row.name));
  cells.push_back(WordCell(row.kind));
  cells.push_back(Cell(row.toolchain));
  cells.push_back(Cell(row.groups));
  cells.push_back(Cell(row.WholeSeconds()));
  cells.push_back(Cell(row.energy_j));
  cells.push_back(Cell(row.macs));
  cells.push_back(WordCell(row.grade));
  cells.push_back(Cell(row.is_cpu));
  cells.push_back(Cell(row.placeable));
  cells.push_back(Cell(row.left_out));
  cells.push_back(Cell(row.prefix_only));
  return cells;
}

const Columns& ColumnsOf(const BoundRow*) {
  static const auto* const columns = new Columns{
      {"class"},
      {"time_s"},
      {"flops"},
      {"bytes"},
      {"groups"},
      {.key = "intensity", .has_none = true},
      {.key = "groups_share", .has_none = true},
      {.key = "flops_share", .has_none = true},
      {.key = "bytes_share", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const BoundRow& row, const View& view) {
  Cells cells;
  cells.reserve(9);
  cells.push_back(WordCell(row.bound));
  cells.push_back(Cell(row.time_s));
  cells.push_back(Cell(row.flops));
  cells.push_back(Cell(row.bytes));
  cells.push_back(Cell(row.groups));
  cells.push_back(Cell(RatioOfSum(row.flops, row.bytes)));
  cells.push_back(Cell(RatioOfSum(row.groups, static_cast<int64_t>(view.groups.size()))));
  cells.push_back(Cell(RatioOfSum(row.flops, SumOf(view.bounds, &BoundRow::flops))));
  cells.push_back(Cell(RatioOfSum(row.bytes, SumOf(view.bounds, &BoundRow::bytes))));
  return cells;
}

const TextColumns& TextColumnsOf(const BoundRow*) {
  static const auto* const columns = new TextColumns{
      {.title = "bound", .column = 0, .shown = Shown::kPlain, .null = "-", .is_word = true},
      {.title = "share", .column = 1, .shown = Shown::kShareOfTotal, .null = "-"},
      {.title = "", .column = 1, .shown = Shown::kBar, .null = ""},
      {.title = "time", .column = 1, .shown = Shown::kSeconds, .null = "unknown"},
      {.title = "groups", .column = 4, .shown = Shown::kPlain, .null = "-"},
      {.title = "of all", .column = 6, .shown = Shown::kShare, .null = "-"},
      {.title = "FLOP", .column = 2, .shown = Shown::kCount, .null = "unknown"},
      {.title = "of all", .column = 7, .shown = Shown::kShare, .null = "-"},
      {.title = "moved", .column = 3, .shown = Shown::kBytes, .null = "unknown"},
      {.title = "of all", .column = 8, .shown = Shown::kShare, .null = "-"},
      {.title = "FLOP/B", .column = 5, .shown = Shown::kRatio, .null = "-"},
  };
  return *columns;
}

const Columns& ColumnsOf(const ModuleView*) {
  static const auto* const columns = new Columns{
      {"path"},
      {.key = "parent", .has_none = true},
      {.key = "parent_index", .has_none = true},
      {"class"},
      {"nodes"},
      {"macs"},
      {"flops"},
      {"params"},
      {"time_s"},
      {"energy_j"},
  };
  return *columns;
}

Cells CellsOf(const ModuleView& row) {
  Cells cells;
  cells.reserve(10);
  cells.push_back(Cell(row.path));
  cells.push_back(Cell(row.parent));
  cells.push_back(Cell(row.parent_index));
  cells.push_back(Cell(row.class_name));
  cells.push_back(Cell(row.nodes));
  cells.push_back(CountCell(row.macs));
  cells.push_back(CountCell(row.flops));
  cells.push_back(Cell(row.params));
  cells.push_back(Cell(row.time_s));
  cells.push_back(Cell(row.energy_j));
  return cells;
}

const Columns& ColumnsOf(const SupportRowView*) {
  static const auto* const columns = new Columns{
      {"node"},
      {"op"},
      {"unit"},
      {"supported"},
      {.key = "limit", .has_none = true},
      {.key = "what", .has_none = true},
      {.key = "found", .has_none = true},
      {.key = "allowed", .has_none = true},
      {.key = "source", .has_none = true},
      {.key = "node_id", .id_prefix = "#"},
      {"only_in_group"},
      {.key = "evidence", .has_none = true},
      {.key = "document", .has_none = true},
      {.key = "cure", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const SupportRowView& row, const View& view) {
  Cells cells;
  cells.reserve(14);
  cells.push_back(Cell(row.label));
  cells.push_back(Cell(row.op));
  cells.push_back(Cell(*UnitNameOf(view, row.unit)));
  cells.push_back(WordCell(row.support.verdict));
  cells.push_back(Cell(NonEmpty(row.support.limit)));
  cells.push_back(Cell(NonEmpty(row.support.what)));
  cells.push_back(Cell(NonEmpty(row.support.found)));
  cells.push_back(Cell(NonEmpty(row.support.allowed)));
  cells.push_back(Cell(NonEmpty(row.support.source)));
  cells.push_back(IdCell(row.node));
  cells.push_back(Cell(row.support.only_in_group));
  cells.push_back(WordCell(row.evidence));
  cells.push_back(Cell(DocumentOf(row.unit, row.support, view)));
  cells.push_back(Cell(CureCommandOf(row, view)));
  return cells;
}

const Columns& ColumnsOf(const RefusalRow*) {
  static const auto* const columns = new Columns{
      {"unit"},
      {"op"},
      {.key = "limit", .has_none = true},
      {.key = "what", .has_none = true},
      {.key = "found", .has_none = true},
      {.key = "allowed", .has_none = true},
      {.key = "source", .has_none = true},
      {.key = "document", .has_none = true},
      {"evidence"},
      {"nodes"},
      {"nodes_share"},
      {"macs"},
      {"macs_share"},
      {"example"},
      {.key = "example_id", .id_prefix = "#"},
      {.key = "cure_kind", .has_none = true},
      {.key = "cure", .has_none = true},
      {"cure_nodes"},
      {.key = "cure_command", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const RefusalRow& row, const View& view) {
  Cells cells;
  cells.reserve(19);
  cells.push_back(Cell(*UnitNameOf(view, row.unit)));
  cells.push_back(Cell(row.op));
  cells.push_back(Cell(NonEmpty(row.support.limit)));
  cells.push_back(Cell(NonEmpty(row.support.what)));
  cells.push_back(Cell(NonEmpty(row.support.found)));
  cells.push_back(Cell(NonEmpty(row.support.allowed)));
  cells.push_back(Cell(NonEmpty(row.support.source)));
  cells.push_back(Cell(DocumentOf(row.unit, row.support, view)));
  cells.push_back(WordCell(row.evidence));
  cells.push_back(Cell(static_cast<int64_t>(row.nodes.size())));
  cells.push_back(Cell(row.nodes_share));
  cells.push_back(Cell(row.macs));
  cells.push_back(Cell(row.macs_share));
  cells.push_back(Cell(LabelOf(row.nodes.front(), view)));
  cells.push_back(IdCell(row.nodes.front()));
  cells.push_back(WordCell(Of(row.cure, &Cure::kind)));
  cells.push_back(Cell(Of(row.cure, &Cure::change)));
  cells.push_back(Cell(row.cure.has_value() ? static_cast<int64_t>(row.cure->nodes.size()) : 0));
  cells.push_back(Cell(CommandOf(row, view)));
  return cells;
}

const Columns& ColumnsOf(const ExplainedUnit*) {
  static const auto* const columns = new Columns{
      {"unit"},
      {"supported"},
      {.key = "reason", .has_none = true},
      {.key = "time_s", .has_none = true},
      {"chosen"},
      {.key = "latency_s", .has_none = true},
      {.key = "delta_s", .has_none = true},
      {"flag"},
  };
  return *columns;
}

Cells CellsOf(const ExplainedUnit& row) {
  Cells cells;
  cells.reserve(8);
  cells.push_back(Cell(row.unit));
  cells.push_back(WordCell(row.verdict));
  cells.push_back(Cell(row.reason));
  cells.push_back(Cell(row.time_s));
  cells.push_back(Cell(row.chosen));
  cells.push_back(Cell(row.latency_s));
  cells.push_back(Cell(row.delta_s));
  cells.push_back(Cell(row.flag));
  return cells;
}

const Columns& ColumnsOf(const ToolchainRow*) {
  static const auto* const columns = new Columns{
      {"toolchain"},
      {"typed"},
      {"noted"},
      {"not_stated"},
  };
  return *columns;
}

Cells CellsOf(const ToolchainRow& row) {
  Cells cells;
  cells.reserve(4);
  cells.push_back(Cell(row.stats.toolchain));
  cells.push_back(Cell(row.stats.typed));
  cells.push_back(Cell(row.stats.noted));
  cells.push_back(Cell(row.stats.not_stated));
  return cells;
}

const Columns& ColumnsOf(const SummaryView*) {
  static const auto* const columns = new Columns{
      {.key = "macs", .is_of_shapes = true, .bound = BoundKind::kAtLeast, .needs = need::kCounts},
      {.key = "int_macs", .is_of_shapes = true, .bound = BoundKind::kAtLeast, .needs = need::kCounts},
      {.key = "causal_macs", .has_none = true, .is_of_shapes = true, .bound = BoundKind::kAtLeast, .needs = need::kCounts},
      {.key = "flops", .is_of_shapes = true, .bound = BoundKind::kAtLeast, .needs = need::kCounts},
      {.key = "moved_bytes", .bound = BoundKind::kAtLeast, .needs = need::kTypes | need::kCounts},
      {"intensity"},
      {.key = "peak_memory_bytes", .bound = BoundKind::kAtLeast, .needs = need::kTypes},
      {.key = "latency_s", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {.key = "latency_low_s", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {.key = "latency_high_s", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {.key = "interval_s", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {.key = "throughput_per_s", .bound = BoundKind::kAtMost, .needs = need::kTimes},
      {.key = "energy_j", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {.key = "energy_low_j", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {.key = "energy_high_j", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {"energy_parts_j"},
      {"power_w"},
      {"power_of"},
      {"grade"},
      {"gap"},
      {.key = "greedy_latency_s", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {.key = "overlap_latency_s", .bound = BoundKind::kAtLeast, .needs = need::kTimes},
      {.key = "convention", .is_of_shapes = true},
      {.key = "flops_as", .has_none = true, .is_of_shapes = true},
      {"incomplete"},
      {"precisions"},
      {"grades"},
      {"evidence_share"},
      {"unseen"},
      {.key = "size_range", .has_none = true},
      {.key = "host_competes", .has_none = true},
      {.key = "tokens_per_s", .has_none = true, .bound = BoundKind::kAtMost, .needs = need::kTimes},
      {.key = "sparse_macs", .is_asked = true, .bound = BoundKind::kAtLeast, .needs = need::kCounts},
      {"placement"},
      {.key = "placed_as", .has_none = true},
      {.key = "best", .has_none = true},
      {.key = "dram_bytes", .bound = BoundKind::kAtLeast, .needs = need::kTypes},
      {.key = "onchip_bytes", .bound = BoundKind::kAtLeast, .needs = need::kTypes},
      {"dram_intensity"},
      {"utilisation"},
      {"fits"},
  };
  return *columns;
}

Cells CellsOf(const SummaryView& row) {
  Cells cells;
  cells.reserve(41);
  cells.push_back(CountCell(row.macs));
  cells.push_back(CountCell(row.int_macs));
  cells.push_back(CountCell(row.causal_macs));
  cells.push_back(CountCell(row.flops));
  cells.push_back(Cell(row.moved_bytes));
  cells.push_back(Cell(row.intensity));
  cells.push_back(Cell(row.peak_memory_bytes));
  cells.push_back(Cell(row.latency_s));
  cells.push_back(Cell(row.latency_low_s));
  cells.push_back(Cell(row.latency_high_s));
  cells.push_back(Cell(row.interval_s));
  cells.push_back(Cell(row.throughput_per_s));
  cells.push_back(Cell(row.energy_j));
  cells.push_back(Cell(row.energy_low_j));
  cells.push_back(Cell(row.energy_high_j));
  cells.push_back(Cell{{"compute", Cell(Of(row.energy, &PlanEnergy::compute_j))},
                       {"onchip", Cell(Of(row.energy, &PlanEnergy::onchip_j))},
                       {"dram", Cell(Of(row.energy, &PlanEnergy::dram_j))},
                       {"static", Cell(Of(row.energy, &PlanEnergy::static_j))},
                       {"moves", Cell(Of(row.energy, &PlanEnergy::moves_j))}});
  cells.push_back(Cell(row.power_w));
  cells.push_back(Cell(row.power_of));
  cells.push_back(WordCell(row.grade));
  cells.push_back(Cell(row.gap));
  cells.push_back(Cell(row.greedy_latency_s));
  cells.push_back(Cell(row.overlap_latency_s));
  cells.push_back(Cell(kConvention));
  cells.push_back(ConventionCell(row.flops_as));
  cells.push_back(Cell(row.incomplete));
  cells.push_back(SharesCell(row.precisions));
  cells.push_back(NullWithoutMembers(Cell{{"measured", Cell(Of(row.grades, &GradeShares::measured))},
                       {"family", Cell(Of(row.grades, &GradeShares::family))},
                       {"datasheet", Cell(Of(row.grades, &GradeShares::datasheet))},
                       {"assumed", Cell(Of(row.grades, &GradeShares::assumed))}}));
  cells.push_back(Cell(row.evidence_share));
  cells.push_back(UnseenCell(row.unseen));
  cells.push_back(NullWithoutMembers(Cell{{"low_s", Cell(Of(row.size_range, &SizeRange::low_s))},
                       {"high_s", Cell(Of(row.size_range, &SizeRange::high_s))}}));
  cells.push_back(Cell(row.host_competes));
  cells.push_back(Cell(row.tokens_per_s));
  cells.push_back(Cell(row.sparse_macs));
  cells.push_back(Cell(row.placement));
  cells.push_back(Cell(row.placed_as));
  cells.push_back(NullWithoutMembers(Cell{{"latency_s", Cell(row.best_latency_s)},
                       {"gain", Cell(row.best_gain)},
                       {"how", Cell(row.best_means)}}));
  cells.push_back(Cell(row.dram_bytes));
  cells.push_back(Cell(row.onchip_bytes));
  cells.push_back(Cell(row.dram_intensity));
  cells.push_back(Cell(row.utilisation));
  cells.push_back(Cell(row.fits));
  return cells;
}

const TextColumns& TextColumnsOf(const SummaryView*) {
  static const auto* const columns = new TextColumns{
      {.title = "latency", .column = 7, .shown = Shown::kSeconds, .null = "unknown"},
      {.title = "rate", .column = 11, .shown = Shown::kPerSecond, .null = "unknown"},
      {.title = "energy", .column = 12, .shown = Shown::kJoules, .null = "unknown"},
      {.title = "power", .column = 16, .shown = Shown::kWatts, .null = "unknown"},
      {.title = "peak memory", .column = 6, .shown = Shown::kBytes, .null = "unknown"},
      {.title = "moved", .column = 4, .shown = Shown::kBytes, .null = "unknown"},
      {.title = "DRAM", .column = 36, .shown = Shown::kBytes, .null = "unknown"},
      {.title = "on chip", .column = 37, .shown = Shown::kBytes, .null = "unknown"},
      {.title = "utilisation", .column = 39, .shown = Shown::kPlain, .null = "-"},
      {.title = "MACs", .column = 0, .shown = Shown::kCount, .null = "unknown"},
      {.title = "FLOP", .column = 3, .shown = Shown::kCount, .null = "unknown"},
  };
  return *columns;
}

const Columns& ColumnsOf(const MemoryNeed*) {
  static const auto* const columns = new Columns{
      {"memory"},
      {"size_bytes"},
      {"needed_bytes"},
      {"weight_bytes"},
      {"cache_bytes"},
      {"activation_bytes"},
      {"system_bytes"},
      {"is_part"},
      {"fits"},
      {.key = "why", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const MemoryNeed& row) {
  Cells cells;
  cells.reserve(10);
  cells.push_back(Cell(row.memory));
  cells.push_back(Cell(row.size_bytes));
  cells.push_back(Cell(row.needed_bytes()));
  cells.push_back(Cell(row.weight_bytes));
  cells.push_back(Cell(row.cache_bytes));
  cells.push_back(Cell(row.activation_bytes));
  cells.push_back(Cell(row.system_bytes));
  cells.push_back(Cell(row.is_part));
  cells.push_back(Cell(row.fits));
  cells.push_back(Cell(NonEmpty(row.why)));
  return cells;
}

const Columns& ColumnsOf(const Diagnostic*) {
  static const auto* const columns = new Columns{
      {"severity"},
      {"code"},
      {"message"},
      {.key = "remedy", .has_none = true},
      {.key = "node", .has_none = true},
      {.key = "value", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const Diagnostic& row) {
  Cells cells;
  cells.reserve(6);
  cells.push_back(WordCell(InfoOf(row.code).severity));
  cells.push_back(Cell(InfoOf(row.code).id));
  cells.push_back(Cell(row.message));
  cells.push_back(Cell(NonEmpty(row.remedy)));
  cells.push_back(Cell(NonEmpty(row.node)));
  cells.push_back(Cell(NonEmpty(row.value)));
  return cells;
}

const Columns& ColumnsOf(const NodeRow*) {
  static const auto* const columns = new Columns{
      {.key = "id", .id_prefix = "#"},
      {"name"},
      {"label"},
      {"domain"},
      {"op"},
      {"since"},
      {"class"},
      {"origin"},
      {"module"},
      {"graph"},
      {"inputs"},
      {"outputs"},
      {"input_ids"},
      {"output_ids"},
      {"macs"},
      {"int_macs"},
      {.key = "causal_macs", .has_none = true},
      {"flops"},
      {"params"},
      {"in_bytes"},
      {"weight_bytes"},
      {"out_bytes"},
      {"intensity"},
      {.key = "group", .id_prefix = "g", .has_none = true},
      {.key = "unit", .has_none = true},
      {.key = "reading", .has_none = true},
      {.key = "measured_s", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const NodeRow& row, const View& view) {
  Cells cells;
  cells.reserve(27);
  cells.push_back(IdCell(row.id));
  cells.push_back(Cell(row.name));
  cells.push_back(Cell(row.label));
  cells.push_back(Cell(row.domain));
  cells.push_back(Cell(row.op));
  cells.push_back(Cell(row.since));
  cells.push_back(WordCell(row.node_class));
  cells.push_back(WordCell(row.origin));
  cells.push_back(Cell(row.module));
  cells.push_back(Cell(row.graph));
  cells.push_back(Cell(row.inputs));
  cells.push_back(Cell(row.outputs));
  cells.push_back(IdsCell(view.graph->inputs(row.id)));
  cells.push_back(IdsCell(view.graph->outputs(row.id)));
  cells.push_back(CountCell(row.macs));
  cells.push_back(CountCell(row.int_macs));
  cells.push_back(CountCell(row.causal_macs));
  cells.push_back(CountCell(row.flops));
  cells.push_back(CountCell(row.params));
  cells.push_back(CountCell(row.in_bytes));
  cells.push_back(CountCell(row.weight_bytes));
  cells.push_back(CountCell(row.out_bytes));
  cells.push_back(Cell(RatioOfSum(row.flops, row.in_bytes, row.weight_bytes, row.out_bytes)));
  cells.push_back(IdCell(row.group));
  cells.push_back(Cell(UnitNameOf(view, row.unit)));
  cells.push_back(Cell(ReadingOf(view, row.id)));
  cells.push_back(Cell(row.measured_s));
  return cells;
}

const Columns& ColumnsOf(const GraphNodeRow*) {
  static const auto* const columns = new Columns{
      {.key = "id", .id_prefix = "#"},
      {"name"},
      {"label"},
      {"domain"},
      {"op"},
      {"since"},
      {"class"},
      {"origin"},
      {"module"},
      {"graph"},
      {"inputs"},
      {"outputs"},
      {"input_ids"},
      {"output_ids"},
      {"macs"},
      {"int_macs"},
      {.key = "causal_macs", .has_none = true},
      {"flops"},
      {"params"},
      {"in_bytes"},
      {"weight_bytes"},
      {"out_bytes"},
      {"intensity"},
      {.key = "group", .id_prefix = "g", .has_none = true},
      {.key = "unit", .has_none = true},
      {.key = "reading", .has_none = true},
      {.key = "measured_s", .has_none = true},
      {"output_types"},
      {"attributes"},
      {.key = "users", .id_prefix = "#"},
      {"source_line"},
      {"bytes"},
      {"time_s"},
      {"bound"},
      {.key = "reason", .has_none = true},
      {"dram_bytes"},
      {"onchip_bytes"},
      {"utilisation"},
  };
  return *columns;
}

Cells CellsOf(const GraphNodeRow& row, const View& view) {
  Cells cells;
  cells.reserve(38);
  cells.push_back(IdCell(row.id));
  cells.push_back(Cell(row.name));
  cells.push_back(Cell(row.label));
  cells.push_back(Cell(row.domain));
  cells.push_back(Cell(row.op));
  cells.push_back(Cell(row.since));
  cells.push_back(WordCell(row.node_class));
  cells.push_back(WordCell(row.origin));
  cells.push_back(Cell(row.module));
  cells.push_back(Cell(row.graph));
  cells.push_back(Cell(row.inputs));
  cells.push_back(Cell(row.outputs));
  cells.push_back(IdsCell(view.graph->inputs(row.id)));
  cells.push_back(IdsCell(view.graph->outputs(row.id)));
  cells.push_back(CountCell(row.macs));
  cells.push_back(CountCell(row.int_macs));
  cells.push_back(CountCell(row.causal_macs));
  cells.push_back(CountCell(row.flops));
  cells.push_back(CountCell(row.params));
  cells.push_back(CountCell(row.in_bytes));
  cells.push_back(CountCell(row.weight_bytes));
  cells.push_back(CountCell(row.out_bytes));
  cells.push_back(Cell(RatioOfSum(row.flops, row.in_bytes, row.weight_bytes, row.out_bytes)));
  cells.push_back(IdCell(row.group));
  cells.push_back(Cell(UnitNameOf(view, row.unit)));
  cells.push_back(Cell(ReadingOf(view, row.id)));
  cells.push_back(Cell(row.measured_s));
  cells.push_back(Cell(OutputTypesOf(row, view)));
  cells.push_back(AttributesOf(row, view));
  cells.push_back(IdsCell(row.users));
  cells.push_back(Cell(NonEmpty(row.source_line)));
  cells.push_back(CountCell(row.bytes));
  cells.push_back(Cell(row.time_s));
  cells.push_back(WordCell(row.bound));
  cells.push_back(Cell(NonEmpty(row.reason)));
  cells.push_back(Cell(row.dram_bytes));
  cells.push_back(Cell(row.onchip_bytes));
  cells.push_back(Cell(row.utilisation));
  return cells;
}

const TextColumns& TextColumnsOf(const GraphNodeRow*) {
  static const auto* const columns = new TextColumns{
      {.title = "id", .column = 0, .shown = Shown::kPlain, .null = "-", .is_dim = true},
      {.title = "op", .column = 4, .shown = Shown::kPlain, .null = "-", .is_word = true},
      {.title = "name", .column = 2, .shown = Shown::kPlain, .null = "-", .is_word = true, .is_shortened = true},
      {.title = "output", .column = 27, .shown = Shown::kPlain, .null = "-", .is_word = true, .is_shortened = true},
      {.title = "MACs", .column = 14, .shown = Shown::kCount, .null = "unknown"},
      {.title = "moved", .column = 31, .shown = Shown::kBytes, .null = "unknown"},
      {.title = "FLOP/B", .column = 22, .shown = Shown::kRatio, .null = "-"},
      {.title = "group", .column = 23, .shown = Shown::kPlain, .null = "-", .is_dim = true},
      {.title = "unit", .column = 24, .shown = Shown::kPlain, .null = "none", .is_word = true},
      {.title = "time", .column = 32, .shown = Shown::kSeconds, .null = "unknown"},
      {.title = "measured", .column = 26, .shown = Shown::kSeconds, .null = "-"},
      {.title = "bound", .column = 33, .shown = Shown::kPlain, .null = "-", .is_word = true},
      {.title = "inputs", .column = 10, .shown = Shown::kPlain, .null = "-", .is_word = true, .is_shortened = true},
      {.title = "users", .column = 29, .shown = Shown::kPlain, .null = "-", .is_word = true},
      {.title = "attributes", .column = 28, .shown = Shown::kPlain, .null = "-", .is_word = true, .is_shortened = true},
      {.title = "module", .column = 8, .shown = Shown::kPlain, .null = "-", .is_word = true, .is_shortened = true},
      {.title = "source", .column = 30, .shown = Shown::kPlain, .null = "-", .is_word = true, .is_shortened = true},
      {.title = "why", .column = 34, .shown = Shown::kPlain, .null = "-", .is_word = true, .is_shortened = true},
  };
  return *columns;
}

const Columns& ColumnsOf(const GraphTotals*) {
  static const auto* const columns = new Columns{
      {"nodes"},
      {"macs"},
      {"flops"},
      {"bytes"},
      {"time_s"},
      {"uncounted"},
      {"untimed"},
      {"dram_bytes"},
      {"onchip_bytes"},
  };
  return *columns;
}

Cells CellsOf(const GraphTotals& row) {
  Cells cells;
  cells.reserve(9);
  cells.push_back(Cell(row.nodes));
  cells.push_back(CountCell(row.macs));
  cells.push_back(CountCell(row.flops));
  cells.push_back(CountCell(row.bytes));
  cells.push_back(Cell(row.time_s));
  cells.push_back(Cell(row.uncounted));
  cells.push_back(Cell(row.untimed));
  cells.push_back(Cell(row.dram_bytes));
  cells.push_back(Cell(row.onchip_bytes));
  return cells;
}

const Columns& ColumnsOf(const ValueRow*) {
  static const auto* const columns = new Columns{
      {"name"},
      {"kind"},
      {"dtype"},
      {"shape"},
      {"value"},
      {.key = "producer", .has_none = true},
      {"constant"},
      {"blocked_by"},
      {"id"},
      {.key = "producer_id", .id_prefix = "#", .has_none = true},
      {"is_input"},
      {"is_output"},
      {"graph"},
      {.key = "blocked_by_id", .id_prefix = "#", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const ValueRow& row) {
  Cells cells;
  cells.reserve(14);
  cells.push_back(Cell(row.name));
  cells.push_back(Cell(KindText(row.kind)));
  cells.push_back(Cell(row.dtype));
  cells.push_back(ShapeCell(row.shape));
  cells.push_back(ElementsOf(row));
  cells.push_back(Cell(row.producer));
  cells.push_back(Cell(row.constant));
  cells.push_back(Cell(row.blocked_by));
  cells.push_back(IdCell(row.id));
  cells.push_back(IdCell(row.producer_id));
  cells.push_back(Cell(row.is_input));
  cells.push_back(Cell(row.is_output));
  cells.push_back(Cell(row.graph));
  cells.push_back(IdCell(row.blocked_by_id));
  return cells;
}

const Columns& ColumnsOf(const SymbolRow*) {
  static const auto* const columns = new Columns{
      {"name"},
      {"text"},
      {"min"},
      {"max"},
      {.key = "assumed", .has_none = true},
      {.key = "cause", .has_none = true},
      {"is_data_dependent"},
  };
  return *columns;
}

Cells CellsOf(const SymbolRow& row) {
  Cells cells;
  cells.reserve(7);
  cells.push_back(Cell(row.name));
  cells.push_back(Cell(row.text));
  cells.push_back(Cell(row.min));
  cells.push_back(CountCell(row.max));
  cells.push_back(Cell(row.assumed));
  cells.push_back(Cell(row.cause));
  cells.push_back(Cell(row.data_dependent));
  return cells;
}

const Columns& ColumnsOf(const WhatIfRow*) {
  static const auto* const columns = new Columns{
      {"kind"},
      {"change"},
      {"flags"},
      {"edits"},
      {.key = "target_text", .has_none = true},
      {"batch"},
      {"latency_s"},
      {"interval_s"},
      {"saving_s"},
      {"saving_low_s"},
      {"saving_high_s"},
      {"throughput_per_s"},
      {"energy_j"},
      {"how"},
      {"scope"},
      {"risk"},
      {"work"},
      {.key = "beside_s", .has_none = true},
      {"writes"},
      {"rewrite"},
      {"inputs"},
      {"outputs"},
      {"parts"},
      {.key = "as_promised", .has_none = true},
      {.key = "command", .has_none = true},
      {"width"},
      {.key = "rules_text", .has_none = true},
      {.key = "precision_of", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const WhatIfRow& row, const View& view) {
  Cells cells;
  cells.reserve(28);
  cells.push_back(WordCell(row.kind));
  cells.push_back(Cell(row.change));
  cells.push_back(Cell(row.flags));
  cells.push_back(EditsOf(row));
  cells.push_back(Cell(NonEmpty(row.target_text)));
  cells.push_back(Cell(row.batch));
  cells.push_back(Cell(row.latency_s));
  cells.push_back(Cell(row.interval_s));
  cells.push_back(Cell(row.saving_s));
  cells.push_back(Cell(row.saving_low_s));
  cells.push_back(Cell(row.saving_high_s));
  cells.push_back(Cell(RatioOf(row.batch, row.interval_s)));
  cells.push_back(Cell(row.energy_j));
  cells.push_back(Cell(HowText(row)));
  cells.push_back(WordCell(row.scope));
  cells.push_back(WordCell(row.risk));
  cells.push_back(Cell(row.work));
  cells.push_back(Cell(row.beside_s));
  cells.push_back(Cell(row.writes));
  cells.push_back(Cell(row.rewrite));
  cells.push_back(Cell(row.inputs));
  cells.push_back(Cell(row.outputs));
  cells.push_back(Cell(row.parts));
  cells.push_back(Cell(row.as_promised));
  cells.push_back(Cell(CommandOf(row, view)));
  cells.push_back(Cell(row.width));
  cells.push_back(Cell(NonEmpty(row.rules_text)));
  cells.push_back(Cell(NonEmpty(row.precision_of)));
  return cells;
}

const Columns& ColumnsOf(const GenerationRow*) {
  static const auto* const columns = new Columns{
      {"context"},
      {.key = "ttft_s", .has_none = true},
      {.key = "ttft_low_s", .has_none = true},
      {.key = "ttft_high_s", .has_none = true},
      {"ttft_energy_j"},
      {"token_s"},
      {"token_low_s"},
      {"token_high_s"},
      {"tokens_per_s"},
      {"tokens_low_per_s"},
      {"tokens_high_per_s"},
      {"token_energy_j"},
      {"cache_bytes"},
      {"peak_memory_bytes"},
      {"fits"},
      {.key = "runtime", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const GenerationRow& row) {
  Cells cells;
  cells.reserve(16);
  cells.push_back(Cell(row.context));
  cells.push_back(Cell(row.first_token_s));
  cells.push_back(Cell(IfPrompt(row, row.first_token_low_s)));
  cells.push_back(Cell(IfPrompt(row, row.first_token_high_s)));
  cells.push_back(Cell(row.first_token_j));
  cells.push_back(Cell(row.token_s));
  cells.push_back(Cell(row.token_low_s));
  cells.push_back(Cell(row.token_high_s));
  cells.push_back(Cell(RatioOf(1, row.token_s)));
  cells.push_back(Cell(RatioOf(1, row.token_high_s)));
  cells.push_back(Cell(RatioOf(1, row.token_low_s)));
  cells.push_back(Cell(row.token_j));
  cells.push_back(Cell(row.cache_bytes));
  cells.push_back(Cell(row.peak_memory_bytes));
  cells.push_back(Cell(row.fits));
  cells.push_back(Cell(NonEmpty(row.runtime)));
  return cells;
}

const Columns& ColumnsOf(const FusionRow*) {
  static const auto* const columns = new Columns{
      {.key = "node", .id_prefix = "#"},
      {.key = "pattern", .has_none = true},
      {.key = "words", .has_none = true},
      {.key = "expression", .has_none = true},
      {.key = "source", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const FusionRow& row) {
  Cells cells;
  cells.reserve(5);
  cells.push_back(IdCell(row.node));
  cells.push_back(Cell(NonEmpty(row.name)));
  cells.push_back(Cell(NonEmpty(row.words)));
  cells.push_back(Cell(NonEmpty(row.expression)));
  cells.push_back(Cell(NonEmpty(row.source)));
  return cells;
}

const Columns& ColumnsOf(const MissRow*) {
  static const auto* const columns = new Columns{
      {"pattern"},
      {"node"},
      {"guard"},
      {"found"},
      {"needed"},
      {"edit"},
  };
  return *columns;
}

Cells CellsOf(const MissRow& row) {
  Cells cells;
  cells.reserve(6);
  cells.push_back(Cell(row.pattern));
  cells.push_back(Cell(row.node));
  cells.push_back(Cell(row.guard));
  cells.push_back(Cell(row.found));
  cells.push_back(Cell(row.needed));
  cells.push_back(Cell(row.edit));
  return cells;
}

const Columns& ColumnsOf(const ValidationRow*) {
  static const auto* const columns = new Columns{
      {"target"},
      {"device"},
      {"unit"},
      {"runtime"},
      {"mode"},
      {"precision"},
      {"metric"},
      {"n"},
      {"families"},
      {"fitted"},
      {"median"},
      {"p90"},
      {"bias"},
      {"spearman"},
      {"coverage80"},
      {"noise"},
      {"roofline_median"},
      {"flops_median"},
  };
  return *columns;
}

Cells CellsOf(const ValidationRow& row) {
  Cells cells;
  cells.reserve(18);
  cells.push_back(Cell(row.target));
  cells.push_back(Cell(row.device));
  cells.push_back(Cell(row.unit));
  cells.push_back(Cell(row.runtime));
  cells.push_back(Cell(NonEmpty(row.mode)));
  cells.push_back(Cell(row.precision));
  cells.push_back(Cell(row.metric));
  cells.push_back(Cell(row.summary.n));
  cells.push_back(Cell(row.summary.families));
  cells.push_back(Cell(row.fitted));
  cells.push_back(Cell(row.summary.median));
  cells.push_back(Cell(row.summary.p90));
  cells.push_back(Cell(row.summary.bias));
  cells.push_back(Cell(row.spearman));
  cells.push_back(Cell(row.summary.coverage80));
  cells.push_back(Cell(row.summary.noise));
  cells.push_back(Cell(row.summary.roofline_median));
  cells.push_back(Cell(row.summary.flops_median));
  return cells;
}

const Columns& ColumnsOf(const Pool*) {
  static const auto* const columns = new Columns{
      {.key = "family", .has_none = true},
      {"unit"},
      {.key = "runtime", .has_none = true},
      {.key = "precision", .has_none = true},
      {"metric"},
      {"devices"},
      {"n"},
      {"families"},
      {"fitted"},
      {"median"},
      {"p90"},
      {"bias"},
      {"least_spearman"},
      {"coverage80"},
      {"noise"},
      {"roofline_median"},
      {"flops_median"},
      {"does_not_fit"},
  };
  return *columns;
}

Cells CellsOf(const Pool& row) {
  Cells cells;
  cells.reserve(18);
  cells.push_back(Cell(NonEmpty(row.family)));
  cells.push_back(Cell(row.unit));
  cells.push_back(Cell(NonEmpty(row.runtime)));
  cells.push_back(Cell(NonEmpty(row.precision)));
  cells.push_back(Cell(row.metric));
  cells.push_back(Cell(row.devices));
  cells.push_back(Cell(row.summary.n));
  cells.push_back(Cell(row.summary.families));
  cells.push_back(Cell(row.fitted));
  cells.push_back(Cell(row.summary.median));
  cells.push_back(Cell(row.summary.p90));
  cells.push_back(Cell(row.summary.bias));
  cells.push_back(Cell(row.least_spearman));
  cells.push_back(Cell(row.summary.coverage80));
  cells.push_back(Cell(row.summary.noise));
  cells.push_back(Cell(row.summary.roofline_median));
  cells.push_back(Cell(row.summary.flops_median));
  cells.push_back(Cell(row.does_not_fit));
  return cells;
}

const Columns& ColumnsOf(const DeviceRows*) {
  static const auto* const columns = new Columns{
      {"device"},
      {"count"},
  };
  return *columns;
}

Cells CellsOf(const DeviceRows& row) {
  Cells cells;
  cells.reserve(2);
  cells.push_back(Cell(row.device));
  cells.push_back(Cell(row.count));
  return cells;
}

const Columns& ColumnsOf(const Point*) {
  static const auto* const columns = new Columns{
      {"row"},
      {"target"},
      {"model"},
      {"family"},
      {"bind"},
      {"batch"},
      {"match"},
      {"device"},
      {"unit"},
      {"runtime"},
      {"mode"},
      {"precision"},
      {"metric"},
      {"source"},
      {"source_version"},
      {"measured"},
      {"predicted"},
      {"low"},
      {"high"},
      {.key = "fold", .has_none = true},
      {"target_mode"},
      {"roofline"},
      {"flops"},
      {"evidence_share"},
      {"time_in"},
      {"fits"},
  };
  return *columns;
}

Cells CellsOf(const Point& row) {
  Cells cells;
  cells.reserve(26);
  cells.push_back(Cell(row.measured.row));
  cells.push_back(Cell(row.query.target->name));
  cells.push_back(Cell(row.measured.model));
  cells.push_back(Cell(row.measured.family));
  cells.push_back(Cell(row.measured.bind));
  cells.push_back(BatchOf(row));
  cells.push_back(Cell(MatchText(row)));
  cells.push_back(Cell(row.measured.device));
  cells.push_back(Cell(row.measured.unit));
  cells.push_back(Cell(row.measured.runtime));
  cells.push_back(Cell(NonEmpty(row.measured.mode)));
  cells.push_back(Cell(row.measured.precision));
  cells.push_back(Cell(row.measured.metric));
  cells.push_back(Cell(NonEmpty(row.measured.source)));
  cells.push_back(Cell(NonEmpty(row.measured.source_version)));
  cells.push_back(Cell(row.measured.value));
  cells.push_back(Cell(row.prediction.value));
  cells.push_back(Cell(row.prediction.low));
  cells.push_back(Cell(row.prediction.high));
  cells.push_back(Cell(NonEmpty(row.fold)));
  cells.push_back(Cell(row.query.mode));
  cells.push_back(Cell(row.prediction.roofline));
  cells.push_back(Cell(row.prediction.flops));
  cells.push_back(Cell(row.prediction.evidence_share));
  cells.push_back(Cell(SharesText(row.prediction.time_in)));
  cells.push_back(Cell(row.prediction.fits));
  return cells;
}

const Columns& ColumnsOf(const EvidenceBin*) {
  static const auto* const columns = new Columns{
      {.key = "low", .has_none = true},
      {.key = "high", .has_none = true},
      {"n"},
      {"families"},
      {"median"},
      {"p90"},
      {"coverage80"},
  };
  return *columns;
}

Cells CellsOf(const EvidenceBin& row) {
  Cells cells;
  cells.reserve(7);
  cells.push_back(Cell(row.low));
  cells.push_back(Cell(row.high));
  cells.push_back(Cell(row.summary.n));
  cells.push_back(Cell(row.summary.families));
  cells.push_back(Cell(row.summary.median));
  cells.push_back(Cell(row.summary.p90));
  cells.push_back(Cell(row.summary.coverage80));
  return cells;
}

const Columns& ColumnsOf(const TrustRow*) {
  static const auto* const columns = new Columns{
      {.key = "trust", .has_none = true},
      {"n"},
      {"families"},
      {"median"},
      {"p90"},
      {"coverage80"},
  };
  return *columns;
}

Cells CellsOf(const TrustRow& row) {
  Cells cells;
  cells.reserve(6);
  cells.push_back(Cell(NonEmpty(row.trust)));
  cells.push_back(Cell(row.summary.n));
  cells.push_back(Cell(row.summary.families));
  cells.push_back(Cell(row.summary.median));
  cells.push_back(Cell(row.summary.p90));
  cells.push_back(Cell(row.summary.coverage80));
  return cells;
}

const Columns& ColumnsOf(const CalibratedEvidence*) {
  static const auto* const columns = new Columns{
      {"unit"},
      {"precision"},
      {"classes"},
      {"count"},
      {"families"},
      {"data"},
      {.key = "shared_by", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const CalibratedEvidence& row) {
  Cells cells;
  cells.reserve(7);
  cells.push_back(Cell(row.unit));
  cells.push_back(Cell(row.evidence.precision));
  cells.push_back(Cell(row.evidence.classes));
  cells.push_back(Cell(row.evidence.count));
  cells.push_back(Cell(row.evidence.families));
  cells.push_back(Cell(row.evidence.data));
  cells.push_back(Cell(NonEmpty(row.evidence.shared_by)));
  return cells;
}

const Columns& ColumnsOf(const SkippedRows*) {
  static const auto* const columns = new Columns{
      {"reason"},
      {"count"},
  };
  return *columns;
}

Cells CellsOf(const SkippedRows& row) {
  Cells cells;
  cells.reserve(2);
  cells.push_back(Cell(row.reason));
  cells.push_back(Cell(row.count));
  return cells;
}

const Columns& ColumnsOf(const CalibratedFact*) {
  static const auto* const columns = new Columns{
      {.key = "target", .has_none = true},
      {"path"},
      {"prior"},
      {"min"},
      {"max"},
      {"value"},
      {"spread"},
      {"count"},
      {"data"},
      {.key = "shared_by", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const CalibratedFact& row) {
  Cells cells;
  cells.reserve(10);
  cells.push_back(Cell(NonEmpty(row.target)));
  cells.push_back(Cell(row.path));
  cells.push_back(Cell(row.prior));
  cells.push_back(Cell(row.min));
  cells.push_back(Cell(row.max));
  cells.push_back(Cell(row.fit.value));
  cells.push_back(Cell(row.fit.spread));
  cells.push_back(Cell(row.fit.count));
  cells.push_back(Cell(row.fit.data));
  cells.push_back(Cell(NonEmpty(row.fit.shared_by)));
  return cells;
}

const Columns& ColumnsOf(const LogNode*) {
  static const auto* const columns = new Columns{
      {.key = "node", .id_prefix = "#"},
      {"name"},
      {"op"},
      {"log_unit"},
      {"unit"},
      {"agrees"},
      {.key = "kernel", .has_none = true},
      {.key = "type", .has_none = true},
      {.key = "reason", .has_none = true},
      {"refusal"},
      {.key = "evidence", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const LogNode& row, const View& view) {
  Cells cells;
  cells.reserve(11);
  cells.push_back(IdCell(row.node));
  cells.push_back(Cell(LabelOf(row.node, view)));
  cells.push_back(Cell(std::string(view.graph->op(row.node))));
  cells.push_back(Cell(row.log_unit));
  cells.push_back(Cell(*UnitNameOf(view, row.unit)));
  cells.push_back(Cell(row.agrees));
  cells.push_back(Cell(NonEmpty(row.kernel)));
  cells.push_back(Cell(NonEmpty(row.type)));
  cells.push_back(Cell(NonEmpty(row.reason)));
  cells.push_back(Cell(RefusalIn(row.node, view)));
  cells.push_back(WordCell(EvidenceIn(row.node, view)));
  return cells;
}

const Columns& ColumnsOf(const LogComparison*) {
  static const auto* const columns = new Columns{
      {"program"},
      {"format"},
      {"nodes"},
      {"agree"},
      {"agree_share"},
      {"unnamed"},
      {"unmatched"},
      {.key = "log_kernels", .has_none = true},
      {.key = "plan_groups", .has_none = true},
      {.key = "edges", .has_none = true},
      {.key = "edges_agree", .has_none = true},
      {.key = "edges_share", .has_none = true},
      {.key = "log_segments", .has_none = true},
      {.key = "plan_segments", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const LogComparison& row) {
  Cells cells;
  cells.reserve(14);
  cells.push_back(Cell(row.program));
  cells.push_back(Cell(std::string(LogFormatName(row.format))));
  cells.push_back(Cell(static_cast<int64_t>(row.nodes.size())));
  cells.push_back(Cell(row.agree));
  cells.push_back(Cell(RatioOfSum(row.agree, static_cast<int64_t>(row.nodes.size()))));
  cells.push_back(Cell(row.unnamed));
  cells.push_back(Cell(row.unmatched));
  cells.push_back(Cell(row.log_kernels));
  cells.push_back(Cell(row.plan_groups));
  cells.push_back(Cell(row.edges));
  cells.push_back(Cell(row.edges_agree));
  cells.push_back(Cell(EdgesShare(row)));
  cells.push_back(Cell(row.log_segments));
  cells.push_back(Cell(row.plan_segments));
  return cells;
}

const Columns& ColumnsOf(const TargetSummary*) {
  static const auto* const columns = new Columns{
      {"name"},
      {"aliases"},
      {.key = "base", .has_none = true},
      {.key = "family", .has_none = true},
      {"summary"},
      {"units"},
      {"modes"},
      {.key = "default_mode", .has_none = true},
      {.key = "precision", .has_none = true},
      {"toolchains"},
      {"grade"},
      {"facts"},
      {"estimated"},
      {"fitted"},
  };
  return *columns;
}

Cells CellsOf(const TargetSummary& row) {
  Cells cells;
  cells.reserve(14);
  cells.push_back(Cell(row.name));
  cells.push_back(Cell(row.aliases));
  cells.push_back(Cell(NonEmpty(row.base)));
  cells.push_back(Cell(NonEmpty(row.family)));
  cells.push_back(Cell(row.summary));
  cells.push_back(Cell(row.units));
  cells.push_back(Cell(row.modes));
  cells.push_back(Cell(NonEmpty(row.default_mode)));
  cells.push_back(Cell(NonEmpty(NumName(row.precision))));
  cells.push_back(Cell(row.toolchains));
  cells.push_back(WordCell(row.own_fits > 0 ? Grade::kMeasured : row.shared_fits > 0 ? Grade::kFamily : Grade::kDatasheet));
  cells.push_back(Cell(row.facts));
  cells.push_back(Cell(row.estimated));
  cells.push_back(Cell(row.fitted));
  return cells;
}

const Columns& ColumnsOf(const TargetFact*) {
  static const auto* const columns = new Columns{
      {"path"},
      {"value"},
      {.key = "unit", .has_none = true},
      {"source"},
      {"trust"},
      {.key = "fit", .has_none = true},
      {.key = "note", .has_none = true},
      {"stated"},
      {"fitted_shared_by"},
      {"min"},
      {"max"},
      {"is_read"},
  };
  return *columns;
}

Cells CellsOf(const TargetFact& row) {
  Cells cells;
  cells.reserve(12);
  cells.push_back(Cell(row.path));
  cells.push_back(Cell(row.value));
  cells.push_back(Cell(NonEmpty(row.unit)));
  cells.push_back(Cell(row.source));
  cells.push_back(WordCell(row.trust));
  cells.push_back(FitOf(row));
  cells.push_back(Cell(NonEmpty(row.note)));
  cells.push_back(Cell(row.stated));
  cells.push_back(Cell(SharedByOf(row)));
  cells.push_back(Cell(row.min));
  cells.push_back(Cell(row.max));
  cells.push_back(Cell(row.is_read));
  return cells;
}

const Columns& ColumnsOf(const TaskRow*) {
  static const auto* const columns = new Columns{
      {"name"},
      {.key = "model", .has_none = true},
      {"precision"},
      {"batch"},
      {.key = "rate_per_s", .has_none = true},
      {"reached_per_s"},
      {.key = "deadline_s", .has_none = true},
      {"priority"},
      {"units"},
      {"alone_s"},
      {"unknown_groups"},
      {"incomplete"},
      {"response_mean_s"},
      {"response_worst_s"},
      {.key = "response_bound_s", .has_none = true},
      {.key = "margin_s", .has_none = true},
      {"missed_per_s"},
      {.key = "max_rate_per_s", .has_none = true},
      {"age_s"},
      {"energy_j"},
      {"verdict"},
      {.key = "reason", .has_none = true},
  };
  return *columns;
}

Cells CellsOf(const TaskRow& row) {
  Cells cells;
  cells.reserve(22);
  cells.push_back(Cell(row.name));
  cells.push_back(Cell(NonEmpty(row.model)));
  cells.push_back(Cell(NonEmpty(row.precision)));
  cells.push_back(Cell(row.batch));
  cells.push_back(Cell(row.rate_per_s));
  cells.push_back(Cell(row.reached_per_s));
  cells.push_back(Cell(row.deadline_s));
  cells.push_back(Cell(row.priority));
  cells.push_back(SharesOf(row));
  cells.push_back(Cell(row.alone_s));
  cells.push_back(Cell(row.unknown_groups));
  cells.push_back(Cell(row.incomplete));
  cells.push_back(Cell(row.mean_s));
  cells.push_back(Cell(row.worst_s));
  cells.push_back(Cell(row.bound_s));
  cells.push_back(Cell(row.margin_s));
  cells.push_back(Cell(row.missed_per_s));
  cells.push_back(Cell(row.max_rate_per_s));
  cells.push_back(Cell(row.age_s));
  cells.push_back(Cell(row.energy_j));
  cells.push_back(Cell(TaskVerdictName(row.verdict)));
  cells.push_back(Cell(NonEmpty(row.reason)));
  return cells;
}

const Columns& ColumnsOf(const WorkloadUnitRow*) {
  static const auto* const columns = new Columns{
      {"name"},
      {"policy"},
      {"runs"},
      {"servers"},
      {"busy_share"},
      {"by_task"},
      {"asked_share"},
  };
  return *columns;
}

Cells CellsOf(const WorkloadUnitRow& row) {
  Cells cells;
  cells.reserve(7);
  cells.push_back(Cell(row.name));
  cells.push_back(Cell(PolicyKindName(row.policy)));
  cells.push_back(Cell(row.runs));
  cells.push_back(Cell(row.servers));
  cells.push_back(Cell(row.busy_share));
  cells.push_back(ByTaskCell(row.by_task));
  cells.push_back(Cell(row.asked_share));
  return cells;
}

const Columns& ColumnsOf(const WorkloadTraffic*) {
  static const auto* const columns = new Columns{
      {"task"},
      {"mean_bytes_per_s"},
      {"peak_bytes_per_s"},
      {"bytes"},
  };
  return *columns;
}

Cells CellsOf(const WorkloadTraffic& row) {
  Cells cells;
  cells.reserve(4);
  cells.push_back(Cell(row.task));
  cells.push_back(Cell(row.mean_bytes_per_s));
  cells.push_back(Cell(row.peak_bytes_per_s));
  cells.push_back(Cell(row.bytes));
  return cells;
}

const Columns& ColumnsOf(const SlowdownRow*) {
  static const auto* const columns = new Columns{
      {"task"},
      {"by"},
      {"factor"},
  };
  return *columns;
}

Cells CellsOf(const SlowdownRow& row) {
  Cells cells;
  cells.reserve(3);
  cells.push_back(Cell(row.task));
  cells.push_back(Cell(row.by));
  cells.push_back(Cell(row.factor));
  return cells;
}

const Columns& ColumnsOf(const WorkloadSpan*) {
  static const auto* const columns = new Columns{
      {"task"},
      {"job"},
      {"unit"},
      {"start_s"},
      {"end_s"},
  };
  return *columns;
}

Cells CellsOf(const WorkloadSpan& row, const WorkloadReport& report) {
  Cells cells;
  cells.reserve(5);
  cells.push_back(Cell(SpanTaskName(report, row)));
  cells.push_back(Cell(row.job));
  cells.push_back(Cell(row.unit));
  cells.push_back(Cell(row.start_s));
  cells.push_back(Cell(row.end_s));
  return cells;
}

const Columns& ColumnsOf(const FixRow*) {
  static const auto* const columns = new Columns{
      {"task"},
      {"kind"},
      {"change"},
      {"verdict"},
      {"response_worst_s"},
      {"response_bound_s"},
  };
  return *columns;
}

Cells CellsOf(const FixRow& row) {
  Cells cells;
  cells.reserve(6);
  cells.push_back(Cell(row.task));
  cells.push_back(Cell(FixKindName(row.kind)));
  cells.push_back(Cell(row.change));
  cells.push_back(Cell(TaskVerdictName(row.verdict)));
  cells.push_back(Cell(row.worst_s));
  cells.push_back(Cell(row.bound_s));
  return cells;
}

const Columns& ColumnsOf(const CapacityRow*) {
  static const auto* const columns = new Columns{
      {"target"},
      {.key = "mode", .has_none = true},
      {"precision"},
      {"batch"},
      {"holds"},
      {"streams"},
      {"at_least"},
      {"shown"},
      {"verdict"},
      {"runs_on"},
      {"power_w"},
      {"power_of"},
      {.key = "price", .has_none = true},
      {"headroom"},
      {"busiest"},
      {"response_worst_s"},
      {"response_bound_s"},
      {.key = "first_limit", .has_none = true},
      {.key = "reason", .has_none = true},
      {"workload"},
  };
  return *columns;
}

Cells CellsOf(const CapacityRow& row) {
  Cells cells;
  cells.reserve(20);
  cells.push_back(Cell(row.target));
  cells.push_back(Cell(NonEmpty(row.mode)));
  cells.push_back(Cell(NonEmpty(row.precision)));
  cells.push_back(Cell(row.batch));
  cells.push_back(Cell(row.holds));
  cells.push_back(Cell(row.streams));
  cells.push_back(Cell(row.at_least));
  cells.push_back(Cell(row.shown));
  cells.push_back(Cell(VerdictOf(row)));
  cells.push_back(Cell(NonEmpty(row.runs_on)));
  cells.push_back(Cell(row.power_w));
  cells.push_back(Cell(row.power_of));
  cells.push_back(Cell(row.price));
  cells.push_back(Cell(row.headroom));
  cells.push_back(Cell(NonEmpty(row.busiest)));
  cells.push_back(Cell(row.worst_s));
  cells.push_back(Cell(row.bound_s));
  cells.push_back(Cell(LimitOf(row)));
  cells.push_back(Cell(NonEmpty(row.reason)));
  cells.push_back(Cell(NonEmpty(row.workload)));
  return cells;
}

}  // namespace hwest

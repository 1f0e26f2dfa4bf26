// Written by lib/report/tables/generate.py from the .table files beside it.
#include "report/columns.h"

namespace hwest {

using namespace getters;

const Columns& ColumnsOf(const GroupRow*) {
  static const auto* const columns = new Columns{
      {"id", "g"},
      {"pattern"},
      {"nodes", "#"},
      {"unit"},
      {"segment"},
      {"precision"},
      {"macs"},
      {"int_macs"},
      {"flops"},
      {"in_bytes"},
      {"weight_bytes"},
      {"out_bytes"},
      {"dram_bytes"},
      {"live_bytes"},
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
      {"grade"},
      {"name"},
  };
  return *columns;
}

Cells CellsOf(const GroupRow& row, const View& view) {
  Cells cells;
  cells.reserve(34);
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
  return cells;
}

const TextColumns& TextColumnsOf(const GroupRow*) {
  static const auto* const columns = new TextColumns{
      {.title = "id", .column = 0, .shown = Shown::kPlain, .unknown = "-", .is_dim = true},
      {.title = "time", .column = 22, .shown = Shown::kSeconds, .unknown = "unknown"},
      {.title = "share", .column = 22, .shown = Shown::kShareOfTotal, .unknown = "-"},
      {.title = "bound", .column = 27, .shown = Shown::kPlain, .unknown = "-", .is_word = true},
      {.title = "unit", .column = 3, .shown = Shown::kPlain, .unknown = "none", .is_word = true},
      {.title = "type", .column = 5, .shown = Shown::kPlain, .unknown = "-", .is_word = true},
      {.title = "MACs", .column = 6, .shown = Shown::kCount, .unknown = "unknown"},
      {.title = "kernel", .column = 1, .shown = Shown::kPlain, .unknown = "-", .is_word = true, .is_shortened = true},
      {.title = "node", .column = 33, .shown = Shown::kPlain, .unknown = "-", .is_word = true, .is_shortened = true},
  };
  return *columns;
}

const Columns& ColumnsOf(const SegmentRow*) {
  static const auto* const columns = new Columns{
      {"id"},
      {"unit"},
      {"groups", "g"},
      {"in_bytes"},
      {"out_bytes"},
      {"transfer_s"},
      {"invoke_s"},
      {"start_s"},
      {"time_s"},
      {"energy_j"},
      {"reason"},
      {"contexts"},
      {"interval_s"},
      {"reloaded_bytes"},
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
      {"toolchain"},
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
      {"intensity"},
      {"groups_share"},
  };
  return *columns;
}

Cells CellsOf(const BoundRow& row, const View& view) {
  Cells cells;
  cells.reserve(7);
  cells.push_back(WordCell(row.bound));
  cells.push_back(Cell(row.time_s));
  cells.push_back(Cell(row.flops));
  cells.push_back(Cell(row.bytes));
  cells.push_back(Cell(row.groups));
  cells.push_back(Cell(RatioOfSum(row.flops, row.bytes)));
  cells.push_back(Cell(RatioOfSum(row.groups, static_cast<int64_t>(view.groups.size()))));
  return cells;
}

const TextColumns& TextColumnsOf(const BoundRow*) {
  static const auto* const columns = new TextColumns{
      {.title = "bound", .column = 0, .shown = Shown::kPlain, .unknown = "-", .is_word = true},
      {.title = "share", .column = 1, .shown = Shown::kShareOfTotal, .unknown = "-"},
      {.title = "", .column = 1, .shown = Shown::kBar, .unknown = ""},
      {.title = "time", .column = 1, .shown = Shown::kSeconds, .unknown = "unknown"},
      {.title = "groups", .column = 4, .shown = Shown::kPlain, .unknown = "-"},
      {.title = "of all", .column = 6, .shown = Shown::kShare, .unknown = "-"},
      {.title = "FLOP", .column = 2, .shown = Shown::kCount, .unknown = "unknown"},
      {.title = "moved", .column = 3, .shown = Shown::kBytes, .unknown = "unknown"},
      {.title = "FLOP/B", .column = 5, .shown = Shown::kRatio, .unknown = "-"},
  };
  return *columns;
}

const Columns& ColumnsOf(const ModuleView*) {
  static const auto* const columns = new Columns{
      {"path"},
      {"parent"},
      {"parent_index"},
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
      {"limit"},
      {"what"},
      {"found"},
      {"allowed"},
      {"source"},
      {"node_id", "#"},
      {"only_in_group"},
  };
  return *columns;
}

Cells CellsOf(const SupportRowView& row, const View& view) {
  Cells cells;
  cells.reserve(11);
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
  return cells;
}

const Columns& ColumnsOf(const ExplainedUnit*) {
  static const auto* const columns = new Columns{
      {"unit"},
      {"supported"},
      {"reason"},
      {"time_s"},
      {"chosen"},
      {"latency_s"},
      {"delta_s"},
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

const Columns& ColumnsOf(const Diagnostic*) {
  static const auto* const columns = new Columns{
      {"severity"},
      {"code"},
      {"message"},
      {"remedy"},
      {"node"},
      {"value"},
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
      {"id", "#"},
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
      {"causal_macs"},
      {"flops"},
      {"params"},
      {"in_bytes"},
      {"weight_bytes"},
      {"out_bytes"},
      {"intensity"},
      {"group", "g"},
      {"unit"},
  };
  return *columns;
}

Cells CellsOf(const NodeRow& row, const View& view) {
  Cells cells;
  cells.reserve(25);
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
  return cells;
}

const Columns& ColumnsOf(const ValueRow*) {
  static const auto* const columns = new Columns{
      {"name"},
      {"kind"},
      {"dtype"},
      {"shape"},
      {"value"},
      {"producer"},
      {"constant"},
      {"blocked_by"},
      {"id"},
      {"producer_id", "#"},
      {"is_input"},
      {"is_output"},
      {"graph"},
      {"blocked_by_id", "#"},
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
      {"assumed"},
      {"cause"},
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
      {"target_text"},
      {"batch"},
      {"latency_s"},
      {"interval_s"},
      {"saving_s"},
      {"throughput_per_s"},
      {"energy_j"},
  };
  return *columns;
}

Cells CellsOf(const WhatIfRow& row) {
  Cells cells;
  cells.reserve(11);
  cells.push_back(WordCell(row.kind));
  cells.push_back(Cell(row.change));
  cells.push_back(Cell(row.flags));
  cells.push_back(EditsOf(row));
  cells.push_back(Cell(NonEmpty(row.target_text)));
  cells.push_back(Cell(row.batch));
  cells.push_back(Cell(row.latency_s));
  cells.push_back(Cell(row.interval_s));
  cells.push_back(Cell(row.saving_s));
  cells.push_back(Cell(RatioOf(row.batch, row.interval_s)));
  cells.push_back(Cell(row.energy_j));
  return cells;
}

const Columns& ColumnsOf(const GenerationRow*) {
  static const auto* const columns = new Columns{
      {"context"},
      {"ttft_s"},
      {"ttft_low_s"},
      {"ttft_high_s"},
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
  };
  return *columns;
}

Cells CellsOf(const GenerationRow& row) {
  Cells cells;
  cells.reserve(14);
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
  return cells;
}

const Columns& ColumnsOf(const FusionRow*) {
  static const auto* const columns = new Columns{
      {"node", "#"},
      {"pattern"},
      {"words"},
      {"expression"},
      {"source"},
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
      {"family"},
      {"unit"},
      {"runtime"},
      {"precision"},
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
  };
  return *columns;
}

Cells CellsOf(const Pool& row) {
  Cells cells;
  cells.reserve(17);
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
      {"fold"},
      {"target_mode"},
      {"roofline"},
      {"flops"},
  };
  return *columns;
}

Cells CellsOf(const Point& row) {
  Cells cells;
  cells.reserve(23);
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
      {"target"},
      {"path"},
      {"prior"},
      {"min"},
      {"max"},
      {"value"},
      {"spread"},
      {"count"},
      {"data"},
      {"shared_by"},
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

const Columns& ColumnsOf(const TargetSummary*) {
  static const auto* const columns = new Columns{
      {"name"},
      {"aliases"},
      {"base"},
      {"family"},
      {"summary"},
      {"units"},
      {"modes"},
      {"default_mode"},
      {"precision"},
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
  cells.push_back(WordCell(row.fitted > 0 ? Grade::kMeasured : Grade::kDatasheet));
  cells.push_back(Cell(row.facts));
  cells.push_back(Cell(row.estimated));
  cells.push_back(Cell(row.fitted));
  return cells;
}

const Columns& ColumnsOf(const TargetFact*) {
  static const auto* const columns = new Columns{
      {"path"},
      {"value"},
      {"unit"},
      {"source"},
      {"trust"},
      {"fit"},
      {"note"},
      {"stated"},
      {"fitted_shared_by"},
  };
  return *columns;
}

Cells CellsOf(const TargetFact& row) {
  Cells cells;
  cells.reserve(9);
  cells.push_back(Cell(row.path));
  cells.push_back(Cell(row.value));
  cells.push_back(Cell(NonEmpty(row.unit)));
  cells.push_back(Cell(row.source));
  cells.push_back(WordCell(row.trust));
  cells.push_back(FitOf(row));
  cells.push_back(Cell(NonEmpty(row.note)));
  cells.push_back(Cell(row.stated));
  cells.push_back(Cell(SharedByOf(row)));
  return cells;
}

}  // namespace hwest

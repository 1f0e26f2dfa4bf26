// Written by lib/report/tables/generate.py from the .table files beside it.
#include "fill_rows.h"

namespace hwest::capi {

void FillRow(const GroupRow& row, const View& view, Texts* texts, hwest_group* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->id = IdNumber(row.id);
  to->pattern = texts->KeepText(row.pattern);
  to->nodes = IdsOf(row.nodes);
  to->node_count = (row.nodes).size();
  to->unit = texts->KeepText(UnitNameOf(view, row.unit));
  to->segment = IdNumber(row.segment);
  to->precision = texts->KeepText(row.precision);
  to->macs = Number(row.macs);
  to->int_macs = Number(row.int_macs);
  to->flops = Number(row.flops);
  to->in_bytes = Number(row.in_bytes);
  to->weight_bytes = Number(row.weight_bytes);
  to->out_bytes = Number(row.out_bytes);
  to->dram_bytes = Number(Of(row.estimate, &Estimate::dram_bytes));
  to->live_bytes = Number(view.live_bytes(row.id));
  to->onchip_bytes = Number(Of(row.estimate, &Estimate::onchip_bytes));
  to->saved_bytes = Number(row.saved_bytes);
  to->saved_launches = Number(row.saved_launches);
  to->start_s = Figure(row.start_s);
  to->end_s = Figure(EndOf(row));
  to->intensity = Figure(RatioOfSum(row.flops, row.in_bytes, row.weight_bytes, row.out_bytes));
  to->compute_s = Figure(Of(row.estimate, &Estimate::compute_s));
  to->memory_s = Figure(Of(row.estimate, &Estimate::memory_s));
  to->overhead_s = Figure(Of(row.estimate, &Estimate::overhead_s));
  to->time_s = Figure(Of(row.estimate, &Estimate::time_s));
  to->low_s = Figure(Of(row.estimate, &Estimate::low_s));
  to->high_s = Figure(Of(row.estimate, &Estimate::high_s));
  to->energy_j = Figure(EnergyOf(row.energy));
  to->compute_j = Figure(Of(row.energy, &EnergyParts::compute_j));
  to->onchip_j = Figure(Of(row.energy, &EnergyParts::onchip_j));
  to->dram_j = Figure(Of(row.energy, &EnergyParts::dram_j));
  to->static_j = Figure(Of(row.energy, &EnergyParts::static_j));
  to->bound = NumberOf(Of(row.estimate, &Estimate::bound));
  to->utilisation = Figure(Of(row.estimate, &Estimate::utilisation));
  to->assumptions = texts->KeepList(AssumptionsOf(row));
  to->energy_low_j = Figure(row.energy_low_j);
  to->energy_high_j = Figure(row.energy_high_j);
  to->grade = NumberOf(row.grade);
  to->name = texts->KeepText(row.label);
  to->measured_s = Figure(row.measured_s);
  to->measured_ratio = Figure(row.measured_ratio);
  to->root = IdNumber(row.root);
  to->dram_intensity = Figure(RatioOfSum(row.flops, Of(row.estimate, &Estimate::dram_bytes)));
  to->reload_bytes = Number(Of(row.estimate, &Estimate::reload_bytes));
  to->tile_m = Number(Of(TilingOf(row), &Tiling::m));
  to->tile_n = Number(Of(TilingOf(row), &Tiling::n));
  to->tile_k = Number(Of(TilingOf(row), &Tiling::k));
  to->loop_order = texts->KeepText(LoopOrderOf(row));
}

void FillRow(const TrafficRow& row, const View& view, Texts* texts, hwest_traffic* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->group = IdNumber(row.group);
  to->memory = texts->KeepText(view.memories[row.traffic.memory]);
  to->read_bytes = Number(row.traffic.read_bytes);
  to->written_bytes = Number(row.traffic.written_bytes);
}

void FillRow(const MeasuredEntry& row, const View& view, Texts* texts, hwest_measured_entry* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->name = texts->KeepText(row.entry.name);
  to->op = texts->KeepText(NonEmpty(row.entry.op));
  to->time_s = Figure(row.entry.time_s);
  to->match = texts->KeepText(MatchWord(row.match));
  to->nodes = IdsOf(row.nodes);
  to->node_count = (row.nodes).size();
  to->groups = IdsOf(row.groups);
  to->group_count = (row.groups).size();
  to->set_time_s = Figure(Of(SetOf(view, row), &MeasuredSet::time_s));
  to->set_predicted_s = Figure(Of(SetOf(view, row), &MeasuredSet::predicted_s));
}

void FillRow(const SegmentRow& row, const View& view, Texts* texts, hwest_segment* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->id = IdNumber(row.id);
  to->unit = texts->KeepText(*UnitNameOf(view, row.unit));
  to->groups = IdsOf(row.groups);
  to->group_count = (row.groups).size();
  to->in_bytes = Number(row.in_bytes);
  to->out_bytes = Number(row.out_bytes);
  to->transfer_s = Figure(row.transfer_s);
  to->invoke_s = Figure(row.invoke_s);
  to->start_s = Figure(row.start_s);
  to->time_s = Figure(row.WholeSeconds());
  to->energy_j = Figure(row.energy_j);
  to->reason = texts->KeepText(row.reason);
  to->contexts = Number(row.contexts);
  to->interval_s = Figure(row.interval_s);
  to->reloaded_bytes = Number(row.reloaded_bytes);
  to->low_s = Figure(IfWhole(row, row.low_s));
  to->high_s = Figure(IfWhole(row, row.high_s));
  to->energy_low_j = Figure(row.energy_low_j);
  to->energy_high_j = Figure(row.energy_high_j);
  to->grade = NumberOf(row.grade);
}

void FillRow(const UnitRow& row, Texts* texts, hwest_unit* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->name = texts->KeepText(row.name);
  to->kind = NumberOf(row.kind);
  to->toolchain = texts->KeepText(row.toolchain);
  to->groups = Number(row.groups);
  to->busy_s = Figure(row.WholeSeconds());
  to->energy_j = Figure(row.energy_j);
  to->macs = Number(row.macs);
  to->grade = NumberOf(row.grade);
  to->flags |= BitIf(row.is_cpu, HWEST_UNIT_IS_CPU);
  to->flags |= BitIf(row.placeable, HWEST_UNIT_IS_PLACEABLE);
  to->flags |= BitIf(row.left_out, HWEST_UNIT_IS_LEFT_OUT);
  to->flags |= BitIf(row.prefix_only, HWEST_UNIT_IS_PREFIX_ONLY);
}

void FillRow(const BoundRow& row, const View& view, Texts* texts, hwest_bound_total* to) {
  *to = {};
  to->struct_size = sizeof *to;
  static_cast<void>(texts);
  to->bound = NumberOf(row.bound);
  to->time_s = Figure(row.time_s);
  to->flops = Number(row.flops);
  to->bytes = Number(row.bytes);
  to->groups = Number(row.groups);
  to->intensity = Figure(RatioOfSum(row.flops, row.bytes));
  to->groups_share = Figure(RatioOfSum(row.groups, static_cast<int64_t>(view.groups.size())));
  to->flops_share = Figure(RatioOfSum(row.flops, SumOf(view.bounds, &BoundRow::flops)));
  to->bytes_share = Figure(RatioOfSum(row.bytes, SumOf(view.bounds, &BoundRow::bytes)));
}

void FillRow(const ModuleView& row, Texts* texts, hwest_module* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->path = texts->KeepText(row.path);
  to->parent = Number(row.parent_index);
  to->class_name = texts->KeepText(row.class_name);
  to->nodes = Number(row.nodes);
  to->macs = texts->KeepCount(row.macs);
  to->flops = texts->KeepCount(row.flops);
  to->params = Number(row.params);
  to->time_s = Figure(row.time_s);
  to->energy_j = Figure(row.energy_j);
}

void FillRow(const SupportRowView& row, const View& view, Texts* texts, hwest_support* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->label = texts->KeepText(row.label);
  to->op = texts->KeepText(row.op);
  to->unit = texts->KeepText(*UnitNameOf(view, row.unit));
  to->verdict = NumberOf(row.support.verdict);
  to->limit = texts->KeepText(NonEmpty(row.support.limit));
  to->what = texts->KeepText(NonEmpty(row.support.what));
  to->found = texts->KeepText(NonEmpty(row.support.found));
  to->allowed = texts->KeepText(NonEmpty(row.support.allowed));
  to->source = texts->KeepText(NonEmpty(row.support.source));
  to->node = IdNumber(row.node);
  to->only_in_group = Truth(row.support.only_in_group);
  to->evidence = NumberOf(row.evidence);
  to->document = texts->KeepText(DocumentOf(row.unit, row.support, view));
}

void FillRow(const RefusalRow& row, const View& view, Texts* texts, hwest_refusal* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->unit = texts->KeepText(*UnitNameOf(view, row.unit));
  to->op = texts->KeepText(row.op);
  to->limit = texts->KeepText(NonEmpty(row.support.limit));
  to->what = texts->KeepText(NonEmpty(row.support.what));
  to->found = texts->KeepText(NonEmpty(row.support.found));
  to->allowed = texts->KeepText(NonEmpty(row.support.allowed));
  to->source = texts->KeepText(NonEmpty(row.support.source));
  to->document = texts->KeepText(DocumentOf(row.unit, row.support, view));
  to->evidence = NumberOf(row.evidence);
  to->nodes = Number(static_cast<int64_t>(row.nodes.size()));
  to->nodes_share = Figure(row.nodes_share);
  to->macs = Number(row.macs);
  to->macs_share = Figure(row.macs_share);
  to->example = texts->KeepText(LabelOf(row.nodes.front(), view));
  to->example_id = IdNumber(row.nodes.front());
  to->cure_kind = NumberOf(Of(row.cure, &Cure::kind));
  to->cure = texts->KeepText(Of(row.cure, &Cure::change));
  to->cure_nodes = Number(row.cure.has_value() ? static_cast<int64_t>(row.cure->nodes.size()) : 0);
  to->cure_command = texts->KeepText(CommandOf(row, view));
}

void FillRow(const Lifetime& row, const Graph& graph, Texts* texts, hwest_lifetime* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->value = IdNumber(row.value);
  to->name = texts->KeepText(graph.name(row.value));
  to->bytes = Number(row.bytes);
  to->first_group = IdNumber(row.first);
  to->last_group = IdNumber(row.last);
}

void FillRow(const SummaryView& row, const View& view, Texts* texts, hwest_totals* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->grade = NumberOf(row.grade);
  to->macs = texts->KeepCount(row.macs);
  to->int_macs = texts->KeepCount(row.int_macs);
  to->flops = texts->KeepCount(row.flops);
  to->params = Number(view.model.params.params);
  to->params_by_use = Number(view.model.params.params_by_use);
  to->buffers = Number(view.model.params.buffers);
  to->stored_bytes = Number(view.model.params.stored_bytes);
  to->deployed_bytes = Number(view.model.deployed_bytes);
  to->moved_bytes = Number(row.moved_bytes);
  to->peak_memory_bytes = Number(row.peak_memory_bytes);
  to->batch = Number(view.request.batch);
  to->nodes = Number(view.coverage.nodes);
  to->typed_nodes = Number(view.coverage.typed);
  to->counted_nodes = Number(view.coverage.counted);
  to->costed_nodes = Number(view.coverage.costed);
  to->placed_nodes = Number(view.coverage.placed);
  to->unknown_nodes = Number(view.coverage.unknown_nodes.size());
  to->intensity = Figure(row.intensity);
  to->latency_s = Figure(row.latency_s);
  to->latency_low_s = Figure(row.latency_low_s);
  to->latency_high_s = Figure(row.latency_high_s);
  to->interval_s = Figure(row.interval_s);
  to->throughput_per_s = Figure(row.throughput_per_s);
  to->energy_j = Figure(row.energy_j);
  to->energy_low_j = Figure(row.energy_low_j);
  to->energy_high_j = Figure(row.energy_high_j);
  to->power_w = Figure(row.power_w);
  to->gap = Figure(row.gap);
  to->target = texts->KeepText(view.request.target);
  to->mode = texts->KeepText(view.request.mode);
  to->precision = texts->KeepText(view.request.precision);
  to->causal_macs = texts->KeepCount(row.causal_macs);
  to->flops_as = texts->KeepCount(FlopsAsOf(row));
  to->macs_share = Figure(view.coverage.macs_share);
  to->time_share = Figure(view.coverage.time_share);
  to->transfer_s = Figure(row.transfer_s);
  to->greedy_latency_s = Figure(row.greedy_latency_s);
  to->overlap_latency_s = Figure(row.overlap_latency_s);
  to->incomplete = texts->KeepText(NonEmpty(Incompleteness(view)));
  to->measured_share = Figure(Of(row.grades, &GradeShares::measured));
  to->family_share = Figure(Of(row.grades, &GradeShares::family));
  to->datasheet_share = Figure(Of(row.grades, &GradeShares::datasheet));
  to->evidence_share = Figure(row.evidence_share);
  to->size_low_s = Figure(Of(row.size_range, &SizeRange::low_s));
  to->size_high_s = Figure(Of(row.size_range, &SizeRange::high_s));
  to->tokens_per_s = Figure(row.tokens_per_s);
  to->precisions = texts->KeepText(NonEmpty(SharesText(row.precisions)));
  to->host_competes = Truth(row.host_competes);
  to->sparse_macs = Number(row.sparse_macs);
  to->unseen = texts->KeepText(NonEmpty(UnseenText(row.unseen)));
  to->power_of = texts->KeepText(row.power_of);
  to->constant_bytes = Number(view.model.constant_bytes);
  to->placement = texts->KeepText(row.placement);
  to->placed_as = texts->KeepText(row.placed_as);
  to->best_latency_s = Figure(row.best_latency_s);
  to->dram_bytes = Number(row.dram_bytes);
  to->onchip_bytes = Number(row.onchip_bytes);
  to->dram_intensity = Figure(row.dram_intensity);
  to->utilisation = Figure(row.utilisation);
  to->fits = Truth(row.fits);
  to->assumed_share = Figure(Of(row.grades, &GradeShares::assumed));
}

void FillRow(const MemoryNeed& row, Texts* texts, hwest_memory_need* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->memory = texts->KeepText(row.memory);
  to->size_bytes = Number(row.size_bytes);
  to->needed_bytes = Number(row.needed_bytes());
  to->weight_bytes = Number(row.weight_bytes);
  to->cache_bytes = Number(row.cache_bytes);
  to->activation_bytes = Number(row.activation_bytes);
  to->system_bytes = Number(row.system_bytes);
  to->is_part = Truth(row.is_part);
  to->fits = Truth(row.fits);
  to->why = texts->KeepText(NonEmpty(row.why));
}

void FillRow(const Diagnostic& row, Texts* texts, hwest_diagnostic* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->severity = NumberOf(InfoOf(row.code).severity);
  to->code = texts->KeepText(InfoOf(row.code).id);
  to->message = texts->KeepText(Worded(row.message, row.options));
  to->remedy = texts->KeepText(Worded(NonEmpty(row.remedy), row.options));
  to->node = texts->KeepText(NonEmpty(row.node));
  to->value = texts->KeepText(NonEmpty(row.value));
}

void FillRow(const ModelInfo& row, const Graph& graph, Texts* texts, hwest_model_info* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->name = texts->KeepText(row.name);
  to->producer = texts->KeepText(row.producer);
  to->ir_version = Number(row.ir_version);
  to->nodes = Number(graph.nodes().size());
  to->values = Number(graph.values().size());
  to->file_bytes = Number(row.file_bytes);
  to->metadata_bytes = Number(row.metadata_bytes);
}

void FillRow(const OpsetImport& row, const Graph& graph, Texts* texts, hwest_opset* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->domain = texts->KeepText(DomainText(graph.str(row.domain)));
  to->version = Number(row.version);
}

void FillRow(const NodeRow& row, const View& view, Texts* texts, hwest_node* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->id = IdNumber(row.id);
  to->name = texts->KeepText(row.name);
  to->label = texts->KeepText(row.label);
  to->domain = texts->KeepText(row.domain);
  to->op = texts->KeepText(row.op);
  to->since = Number(row.since);
  to->node_class = NumberOf(row.node_class);
  to->origin = NumberOf(row.origin);
  to->module = texts->KeepText(row.module);
  to->graph = Number(row.graph);
  to->inputs = IdsOf(view.graph->inputs(row.id));
  to->input_count = (view.graph->inputs(row.id)).size();
  to->outputs = IdsOf(view.graph->outputs(row.id));
  to->output_count = (view.graph->outputs(row.id)).size();
  to->macs = texts->KeepCount(row.macs);
  to->int_macs = texts->KeepCount(row.int_macs);
  to->causal_macs = texts->KeepCount(row.causal_macs);
  to->flops = texts->KeepCount(row.flops);
  to->params = texts->KeepCount(row.params);
  to->in_bytes = texts->KeepCount(row.in_bytes);
  to->weight_bytes = texts->KeepCount(row.weight_bytes);
  to->out_bytes = texts->KeepCount(row.out_bytes);
  to->intensity = Figure(RatioOfSum(row.flops, row.in_bytes, row.weight_bytes, row.out_bytes));
  to->group = IdNumber(row.group);
  to->unit = texts->KeepText(UnitNameOf(view, row.unit));
  to->reading = texts->KeepText(ReadingOf(view, row.id));
  to->measured_s = Figure(row.measured_s);
}

void FillRow(const ValueRow& row, Texts* texts, hwest_value* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->name = texts->KeepText(row.name);
  to->kind = NumberOf(row.kind);
  to->dtype = texts->KeepText(row.dtype);
  to->rank = RankOf(row.shape);
  to->dims = texts->KeepShape(row.shape);
  to->contents = texts->KeepText(ContentsOf(row));
  to->flags |= BitIf(row.constant, HWEST_VALUE_IS_CONSTANT);
  to->id = IdNumber(row.id);
  to->producer = IdNumber(row.producer_id);
  to->flags |= BitIf(row.is_input, HWEST_VALUE_IS_INPUT);
  to->flags |= BitIf(row.is_output, HWEST_VALUE_IS_OUTPUT);
  to->graph = Number(row.graph);
  to->blocked_by = IdNumber(row.blocked_by_id);
}

void FillRow(const SymbolRow& row, Texts* texts, hwest_symbol* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->name = texts->KeepText(row.name);
  to->text = texts->KeepText(row.text);
  to->min = Number(row.min);
  to->max = texts->KeepCount(row.max);
  to->assumed = Number(row.assumed);
  to->cause = texts->KeepText(row.cause);
  to->is_data_dependent = Truth(row.data_dependent);
}

void FillRow(const WhatIfRow& row, const View& view, Texts* texts, hwest_change* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->kind = NumberOf(row.kind);
  to->change = texts->KeepText(row.change);
  to->flags = texts->KeepList(row.flags);
  to->edits = texts->KeepList(EditTexts(row));
  to->target_text = texts->KeepText(NonEmpty(row.target_text));
  to->batch = Number(row.batch);
  to->latency_s = Figure(row.latency_s);
  to->interval_s = Figure(row.interval_s);
  to->saving_s = Figure(row.saving_s);
  to->throughput_per_s = Figure(RatioOf(row.batch, row.interval_s));
  to->energy_j = Figure(row.energy_j);
  to->how = texts->KeepText(HowText(row));
  to->scope = NumberOf(row.scope);
  to->risk = NumberOf(row.risk);
  to->work = texts->KeepText(row.work);
  to->saving_low_s = Figure(row.saving_low_s);
  to->saving_high_s = Figure(row.saving_high_s);
  to->beside_s = Figure(row.beside_s);
  to->writes = Truth(row.writes);
  to->rewrite = texts->KeepList(row.rewrite);
  to->inputs = texts->KeepList(row.inputs);
  to->outputs = texts->KeepList(row.outputs);
  to->parts = texts->KeepList(row.parts);
  to->as_promised = Truth(row.as_promised);
  to->command = texts->KeepText(CommandOf(row, view));
  to->width = texts->KeepList(row.width);
  to->rules_text = texts->KeepText(NonEmpty(row.rules_text));
  to->precision_of = texts->KeepText(NonEmpty(row.precision_of));
}

void FillRow(const GenerationRow& row, Texts* texts, hwest_context* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->context = Number(row.context);
  to->first_token_s = Figure(row.first_token_s);
  to->first_token_low_s = Figure(IfPrompt(row, row.first_token_low_s));
  to->first_token_high_s = Figure(IfPrompt(row, row.first_token_high_s));
  to->first_token_j = Figure(row.first_token_j);
  to->token_s = Figure(row.token_s);
  to->token_low_s = Figure(row.token_low_s);
  to->token_high_s = Figure(row.token_high_s);
  to->tokens_per_s = Figure(RatioOf(1, row.token_s));
  to->tokens_low_per_s = Figure(RatioOf(1, row.token_high_s));
  to->tokens_high_per_s = Figure(RatioOf(1, row.token_low_s));
  to->token_j = Figure(row.token_j);
  to->cache_bytes = Number(row.cache_bytes);
  to->peak_memory_bytes = Number(row.peak_memory_bytes);
  to->fits = Truth(row.fits);
  to->runtime = texts->KeepText(NonEmpty(row.runtime));
}

void FillRow(const FusionRow& row, Texts* texts, hwest_fusion* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->node = IdNumber(row.node);
  to->pattern = texts->KeepText(NonEmpty(row.name));
  to->words = texts->KeepText(NonEmpty(row.words));
  to->expression = texts->KeepText(NonEmpty(row.expression));
  to->source = texts->KeepText(NonEmpty(row.source));
}

void FillRow(const MissRow& row, Texts* texts, hwest_miss* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->pattern = texts->KeepText(row.pattern);
  to->node = texts->KeepText(row.node);
  to->guard = texts->KeepText(row.guard);
  to->found = texts->KeepText(row.found);
  to->needed = texts->KeepText(row.needed);
  to->edit = texts->KeepText(row.edit);
}

void FillRow(const MoveRow& row, const Target& target, Texts* texts, hwest_move* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->unit = texts->KeepText(target.units[row.unit].name);
  to->time_s = Figure(row.time_s);
  to->latency_s = Figure(row.latency_s);
}

void FillRow(const Point& row, Texts* texts, hwest_point* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->row = Number(row.measured.row);
  to->target = texts->KeepText(row.query.target->name);
  to->model = texts->KeepText(row.measured.model);
  to->family = texts->KeepText(row.measured.family);
  to->bind = texts->KeepText(row.measured.bind);
  to->batch = texts->KeepText(row.measured.batch);
  to->is_near = Truth(row.measured.closeness == Closeness::kNear);
  to->device = texts->KeepText(row.measured.device);
  to->unit = texts->KeepText(row.measured.unit);
  to->runtime = texts->KeepText(row.measured.runtime);
  to->precision = texts->KeepText(row.measured.precision);
  to->metric = texts->KeepText(row.measured.metric);
  to->source = texts->KeepText(NonEmpty(row.measured.source));
  to->source_version = texts->KeepText(NonEmpty(row.measured.source_version));
  to->measured = Figure(row.measured.value);
  to->predicted = Figure(row.prediction.value);
  to->low = Figure(row.prediction.low);
  to->high = Figure(row.prediction.high);
  to->fold = texts->KeepText(NonEmpty(row.fold));
  to->mode = texts->KeepText(row.query.mode);
  to->roofline = Figure(row.prediction.roofline);
  to->flops = Figure(row.prediction.flops);
  to->evidence_share = Figure(row.prediction.evidence_share);
  to->time_in = texts->KeepText(SharesText(row.prediction.time_in));
  to->fits = Truth(row.prediction.fits);
}

void FillRow(const SkippedRows& row, Texts* texts, hwest_skipped* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->reason = texts->KeepText(row.reason);
  to->count = Number(row.count);
}

void FillRow(const CalibratedFact& row, Texts* texts, hwest_fit* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->target = texts->KeepText(NonEmpty(row.target));
  to->path = texts->KeepText(row.path);
  to->prior = Figure(row.prior);
  to->min = Figure(row.min);
  to->max = Figure(row.max);
  to->value = Figure(row.fit.value);
  to->spread = Figure(row.fit.spread);
  to->count = Number(row.fit.count);
  to->data = texts->KeepText(row.fit.data);
  to->shared_by = texts->KeepText(NonEmpty(row.fit.shared_by));
}

void FillRow(const LogNode& row, const View& view, Texts* texts, hwest_log_node* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->node = IdNumber(row.node);
  to->label = texts->KeepText(LabelOf(row.node, view));
  to->op = texts->KeepText(std::string(view.graph->op(row.node)));
  to->log_unit = texts->KeepText(row.log_unit);
  to->unit = texts->KeepText(*UnitNameOf(view, row.unit));
  to->agrees = Truth(row.agrees);
  to->kernel = texts->KeepText(NonEmpty(row.kernel));
  to->type = texts->KeepText(NonEmpty(row.type));
  to->reason = texts->KeepText(NonEmpty(row.reason));
  to->refusal = texts->KeepText(RefusalIn(row.node, view));
  to->evidence = NumberOf(EvidenceIn(row.node, view));
}

void FillRow(const LogComparison& row, Texts* texts, hwest_log_totals* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->program = texts->KeepText(row.program);
  to->format = texts->KeepText(std::string(LogFormatName(row.format)));
  to->nodes = Number(static_cast<int64_t>(row.nodes.size()));
  to->agree = Number(row.agree);
  to->agree_share = Figure(RatioOfSum(row.agree, static_cast<int64_t>(row.nodes.size())));
  to->unnamed = Number(row.unnamed);
  to->unmatched = Number(row.unmatched);
  to->log_kernels = Number(row.log_kernels);
  to->plan_groups = Number(row.plan_groups);
  to->edges = Number(row.edges);
  to->edges_agree = Number(row.edges_agree);
  to->edges_share = Figure(EdgesShare(row));
  to->log_segments = Number(row.log_segments);
  to->plan_segments = Number(row.plan_segments);
}

void FillRow(const TargetSummary& row, Texts* texts, hwest_target_info* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->name = texts->KeepText(row.name);
  to->aliases = texts->KeepList(row.aliases);
  to->base = texts->KeepText(NonEmpty(row.base));
  to->family = texts->KeepText(NonEmpty(row.family));
  to->summary = texts->KeepText(row.summary);
  to->units = texts->KeepList(row.units);
  to->modes = texts->KeepList(row.modes);
  to->default_mode = texts->KeepText(NonEmpty(row.default_mode));
  to->precision = texts->KeepText(NonEmpty(NumName(row.precision)));
  to->toolchains = texts->KeepList(row.toolchains);
  to->grade = NumberOf(row.own_fits > 0 ? Grade::kMeasured : row.shared_fits > 0 ? Grade::kFamily : Grade::kDatasheet);
  to->facts = Number(row.facts);
  to->estimated = Number(row.estimated);
  to->fitted = Number(row.fitted);
}

void FillRow(const Unit& row, const Target& target, Texts* texts, hwest_target_unit* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->kind = NumberOf(row.kind);
  to->name = texts->KeepText(row.name);
  to->toolchain = texts->KeepText(NonEmpty(row.toolchain));
  to->precision = texts->KeepText(NonEmpty(NumName(row.precision)));
  to->memory = texts->KeepText(MemoryNameOf(target, row));
  to->flags |= BitIf(IsCpu(row), HWEST_UNIT_IS_CPU);
  to->flags |= BitIf(row.placeable, HWEST_UNIT_IS_PLACEABLE);
  to->flags |= BitIf(IsPrefixOnly(target, row), HWEST_UNIT_IS_PREFIX_ONLY);
  to->instances = Number(row.instances);
  to->cores = Number(row.cores);
  to->clock_hz = Figure(row.clock_hz.value());
  to->macs_per_s = Figure(PeakMacsPerS(row));
  to->bytes_per_s = Figure(SharedBytesPerS(target, row));
  to->launch_s = Figure(row.launch_s.value());
  to->invoke_s = Figure(row.invoke_s.value());
  to->static_w = Figure(row.static_w.value());
}

void FillRow(const Mode& row, const Target& target, Texts* texts, hwest_target_mode* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->is_default = Truth(IsDefault(target, row));
  to->name = texts->KeepText(row.name);
  to->cap_w = Figure(row.cap_w.value());
}

void FillRow(const TargetFact& row, Texts* texts, hwest_fact* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->path = texts->KeepText(row.path);
  to->value = Figure(row.value);
  to->unit = texts->KeepText(NonEmpty(row.unit));
  to->source = texts->KeepText(row.source);
  to->trust = NumberOf(row.trust);
  to->note = texts->KeepText(NonEmpty(row.note));
  to->stated = Figure(row.stated);
  to->fitted = Figure(Of(row.fit, &Fit::value));
  to->fitted_spread = Figure(Of(row.fit, &Fit::spread));
  to->fitted_count = Number(Of(row.fit, &Fit::count));
  to->fitted_data = texts->KeepText(Of(row.fit, &Fit::data));
  to->fitted_shared_by = texts->KeepText(SharedByOf(row));
  to->min = Figure(row.min);
  to->max = Figure(row.max);
  to->is_read = Truth(row.is_read);
}

void FillRow(const LintProblem& row, Texts* texts, hwest_problem* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->line = Number(row.line);
  to->path = texts->KeepText(NonEmpty(row.path));
  to->message = texts->KeepText(row.message);
  to->remedy = texts->KeepText(row.remedy);
  to->severity = NumberOf(row.severity);
}

void FillRow(const TaskRow& row, Texts* texts, hwest_workload_task* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->name = texts->KeepText(row.name);
  to->model = texts->KeepText(NonEmpty(row.model));
  to->precision = texts->KeepText(NonEmpty(row.precision));
  to->batch = Number(row.batch);
  to->rate_per_s = Figure(row.rate_per_s);
  to->reached_per_s = Figure(row.reached_per_s);
  to->deadline_s = Figure(row.deadline_s);
  to->priority = Number(row.priority);
  to->units = texts->KeepList(ShareTexts(row));
  to->alone_s = Figure(row.alone_s);
  to->unknown_groups = Number(row.unknown_groups);
  to->incomplete = Truth(row.incomplete);
  to->response_mean_s = Figure(row.mean_s);
  to->response_worst_s = Figure(row.worst_s);
  to->response_bound_s = Figure(row.bound_s);
  to->margin_s = Figure(row.margin_s);
  to->missed_per_s = Figure(row.missed_per_s);
  to->max_rate_per_s = Figure(row.max_rate_per_s);
  to->age_s = Figure(row.age_s);
  to->energy_j = Figure(row.energy_j);
  to->verdict = texts->KeepText(TaskVerdictName(row.verdict));
  to->reason = texts->KeepText(NonEmpty(row.reason));
}

void FillRow(const WorkloadUnitRow& row, Texts* texts, hwest_workload_unit* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->name = texts->KeepText(row.name);
  to->policy = texts->KeepText(PolicyKindName(row.policy));
  to->runs = texts->KeepText(row.runs);
  to->servers = Number(row.servers);
  to->busy_share = Figure(row.busy_share);
  to->by_task = texts->KeepList(ByTaskTexts(row.by_task));
  to->asked_share = Figure(row.asked_share);
}

void FillRow(const WorkloadTraffic& row, Texts* texts, hwest_workload_traffic* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->task = texts->KeepText(row.task);
  to->mean_bytes_per_s = Figure(row.mean_bytes_per_s);
  to->peak_bytes_per_s = Figure(row.peak_bytes_per_s);
  to->bytes = Number(row.bytes);
}

void FillRow(const SlowdownRow& row, Texts* texts, hwest_workload_slowdown* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->task = texts->KeepText(row.task);
  to->by = texts->KeepText(row.by);
  to->factor = Figure(row.factor);
}

void FillRow(const WorkloadSpan& row, const WorkloadReport& report, Texts* texts, hwest_workload_segment* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->task = texts->KeepText(SpanTaskName(report, row));
  to->job = Number(row.job);
  to->unit = texts->KeepText(row.unit);
  to->start_s = Figure(row.start_s);
  to->end_s = Figure(row.end_s);
}

void FillRow(const FixRow& row, Texts* texts, hwest_workload_fix* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->task = texts->KeepText(row.task);
  to->kind = texts->KeepText(FixKindName(row.kind));
  to->change = texts->KeepText(row.change);
  to->verdict = texts->KeepText(TaskVerdictName(row.verdict));
  to->response_worst_s = Figure(row.worst_s);
  to->response_bound_s = Figure(row.bound_s);
}

void FillRow(const WorkloadReport& row, Texts* texts, hwest_workload_total* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->tasks = Number(row.tasks.size());
  to->missed = Number(MissedTasks(row));
  to->hyperperiod_s = Figure(row.hyperperiod_s);
  to->simulated_s = Figure(row.simulated_s);
  to->jobs = Number(row.jobs);
  to->energy_j_per_s = Figure(row.energy_j_per_s);
  to->cap_w = Figure(row.cap_w);
  to->peak_memory_bytes = Number(row.memory.peak_bytes);
  to->mean_bytes_per_s = Figure(row.memory.mean_bytes_per_s);
  to->peak_bytes_per_s = Figure(row.memory.peak_bytes_per_s);
  to->capacity_bytes_per_s = Figure(row.memory.capacity_bytes_per_s);
  to->reached_per_s = Figure(row.reached_per_s);
  to->power_of = texts->KeepText(row.power_of);
  to->fits = Truth(row.memory.fits);
}

void FillRow(const DiffState& row, Texts* texts, hwest_diff_info* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->same = Truth(row.diff.same);
  to->segments_delta_s = Figure(row.diff.segments_delta_s);
  to->model_a = texts->KeepText(row.a.model);
  to->target_a = texts->KeepText(row.a.target);
  to->mode_a = texts->KeepText(row.a.mode);
  to->precision_a = texts->KeepText(row.a.precision);
  to->model_b = texts->KeepText(row.b.model);
  to->target_b = texts->KeepText(row.b.target);
  to->mode_b = texts->KeepText(row.b.mode);
  to->precision_b = texts->KeepText(row.b.precision);
}

void FillRow(const TotalChange& row, Texts* texts, hwest_diff_total* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->key = texts->KeepText(row.key);
  to->a = Figure(NumberOf(row.a));
  to->b = Figure(NumberOf(row.b));
  to->delta = Figure(row.delta);
  to->share = Figure(row.share);
}

void FillRow(const ModuleChange& row, Texts* texts, hwest_diff_module* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->path = texts->KeepText(row.path);
  to->a_s = Figure(row.a_s);
  to->b_s = Figure(row.b_s);
  to->delta_s = Figure(row.delta_s);
}

void FillRow(const NodeChange& row, Texts* texts, hwest_diff_node* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->change = texts->KeepText(ChangeKindName(row.kind));
  to->a = Number(row.a);
  to->b = Number(row.b);
  to->op = texts->KeepText(row.op);
  to->name_a = texts->KeepText(NonEmpty(row.name_a));
  to->name_b = texts->KeepText(NonEmpty(row.name_b));
  to->what = texts->KeepList(row.what);
  to->delta_s = Figure(row.delta_s);
}

void FillRow(const CheckLine& row, Texts* texts, hwest_check_line* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->model = texts->KeepText(row.check->check.model);
  to->target = texts->KeepText(row.check->target);
  to->mode = texts->KeepText(NonEmpty(row.check->mode));
  to->precision = texts->KeepText(row.check->precision);
  to->batch = Number(row.check->batch);
  to->figure = texts->KeepText(InfoOf(row.line->limit.figure).name);
  to->limit = Figure(row.line->limit.bound);
  to->judge = texts->KeepText(JudgeName(row.line->limit.judge));
  to->value = Figure(row.line->value);
  to->low = Figure(row.line->low);
  to->high = Figure(row.line->high);
  to->margin = Figure(row.line->margin);
  to->verdict = texts->KeepText(BudgetVerdictName(row.line->verdict));
  to->why = texts->KeepText(NonEmpty(row.line->why));
  to->help = texts->KeepList(HelpTexts(*row.line));
  to->file = texts->KeepText(NonEmpty(row.file));
  to->line = Number(row.file_line());
  to->probability = Figure(row.line->probability);
  to->fits = Truth(row.check->fits);
}

void FillRow(const CheckState& row, Texts* texts, hwest_check_total* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->verdict = texts->KeepText(BudgetVerdictName(WorstOf(row.results)));
  to->checks = Number(row.results.size());
  to->limits = Number(row.lines.size());
  to->over = Number(row.Count(BudgetVerdict::kOver));
  to->undecided = Number(row.Count(BudgetVerdict::kUndecided));
  to->unknown = Number(row.Count(BudgetVerdict::kUnknown));
}

void FillRow(const SweepRow& row, Texts* texts, hwest_sweep_row* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->model = texts->KeepText(row.model);
  to->sha256 = texts->KeepText(row.sha256);
  to->target = texts->KeepText(row.target);
  to->mode = texts->KeepText(row.mode);
  to->precision = texts->KeepText(row.precision);
  to->batch = Number(row.batch);
  to->dims = texts->KeepText(NonEmpty(DimsText(row.dims)));
  to->size = Number(row.size);
  to->rewritten = Truth(row.rewritten);
  to->status = texts->KeepText(StatusText(row));
  to->code = texts->KeepText(NonEmpty(row.code));
  to->message = texts->KeepText(NonEmpty(row.message));
  to->latency_s = Figure(row.summary.latency_s);
  to->latency_low_s = Figure(row.summary.latency_low_s);
  to->latency_high_s = Figure(row.summary.latency_high_s);
  to->interval_s = Figure(row.summary.interval_s);
  to->throughput_per_s = Figure(row.summary.throughput_per_s);
  to->energy_j = Figure(row.summary.energy_j);
  to->power_w = Figure(row.summary.power_w);
  to->peak_memory_bytes = Number(row.summary.peak_memory_bytes);
  to->macs = texts->KeepCount(row.summary.macs);
  to->flops = texts->KeepCount(row.summary.flops);
  to->moved_bytes = Number(row.summary.moved_bytes);
  to->intensity = Figure(row.summary.intensity);
  to->segments = Number(row.segments);
  to->accelerated_macs_share = Figure(row.accelerated_macs_share);
  to->grade = texts->KeepText(row.grade);
  to->groups = Number(row.groups);
  to->units = texts->KeepText(NonEmpty(SharesOf(row.units)));
  to->energy_per_input_j = Figure(row.energy_per_input_j);
  to->params = Number(row.params);
  to->nodes = Number(row.nodes);
  to->dram_bytes = Number(row.summary.dram_bytes);
  to->utilisation = Figure(row.summary.utilisation);
  to->fits = Truth(row.summary.fits);
  to->onchip_bytes = Number(row.summary.onchip_bytes);
  to->dram_intensity = Figure(row.summary.dram_intensity);
  to->bounds = texts->KeepText(NonEmpty(SharesOf(row.bounds)));
  to->set = texts->KeepText(NonEmpty(SetText(row.set)));
  to->runtime = texts->KeepText(row.language.runtime);
  to->weights = texts->KeepText(row.language.weights);
  to->kv = texts->KeepText(row.language.kv);
  to->prompt = Number(row.language.prompt);
  to->context = Number(row.language.context);
  to->ttft_s = Figure(row.language.ttft_s);
  to->ttft_low_s = Figure(row.language.ttft_low_s);
  to->ttft_high_s = Figure(row.language.ttft_high_s);
  to->tokens_per_s = Figure(row.language.tokens_per_s);
  to->tokens_per_s_low = Figure(row.language.tokens_per_s_low);
  to->tokens_per_s_high = Figure(row.language.tokens_per_s_high);
  to->energy_per_token_j = Figure(row.language.energy_per_token_j);
  to->runtime_memory_bytes = Number(row.language.memory_bytes);
  to->runtime_fits = Truth(row.language.fits);
  to->max_context = Number(row.language.max_context);
  to->pareto = Truth(row.pareto);
}

void FillRow(const CapacityRow& row, Texts* texts, hwest_board* to) {
  *to = {};
  to->struct_size = sizeof *to;
  to->target = texts->KeepText(row.target);
  to->mode = texts->KeepText(NonEmpty(row.mode));
  to->precision = texts->KeepText(NonEmpty(row.precision));
  to->batch = Number(row.batch);
  to->holds = Truth(row.holds);
  to->streams = Number(row.streams);
  to->at_least = Truth(row.at_least);
  to->shown = Number(row.shown);
  to->verdict = texts->KeepText(VerdictOf(row));
  to->runs_on = texts->KeepText(NonEmpty(row.runs_on));
  to->power_w = Figure(row.power_w);
  to->power_of = texts->KeepText(row.power_of);
  to->price = Figure(row.price);
  to->headroom = Figure(row.headroom);
  to->busiest = texts->KeepText(NonEmpty(row.busiest));
  to->response_worst_s = Figure(row.worst_s);
  to->response_bound_s = Figure(row.bound_s);
  to->first_limit = texts->KeepText(LimitOf(row));
  to->reason = texts->KeepText(NonEmpty(row.reason));
  to->workload = texts->KeepText(NonEmpty(row.workload));
}

}  // namespace hwest::capi

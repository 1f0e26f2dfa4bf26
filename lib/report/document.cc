#include "report/document.h"

#include "absl/strings/str_cat.h"
#include "report/writers.h"

namespace hwest {
namespace {

Json ScalarJson(const Count& count) {
  if (const auto* number = std::get_if<int64_t>(&count)) return *number;
  if (const auto* text = std::get_if<std::string>(&count)) return *text;
  return nullptr;
}

Json ElementJson(const KnownElement& element) {
  if (const auto* integer = std::get_if<int64_t>(&element)) return *integer;
  if (const auto* text = std::get_if<std::string>(&element)) return *text;
  if (const auto* number = std::get_if<double>(&element)) return *number;
  return nullptr;
}

Json ShapeJson(const ShapeText& shape) {
  if (!shape.has_value()) return nullptr;
  Json dims = Json::array();
  for (const Count& dim : *shape) dims.push_back(ScalarJson(dim));
  return dims;
}

template <class T>
Json IdsJson(const T& ids) {
  Json list = Json::array();
  for (const auto id : ids) list.push_back(id.index());
  return list;
}

template <class T>
Json IdJson(T id) {
  return id.valid() ? Json(id.index()) : Json(nullptr);
}

Json PairsJson(const std::vector<std::pair<std::string, int64_t>>& pairs) {
  Json object = Json::object();
  for (const auto& [name, number] : pairs) object[name] = number;
  return object;
}

Json SymbolJson(const SymbolRow& symbol) {
  return Json{{"name", symbol.name},
              {"text", symbol.text},
              {"min", symbol.min},
              {"max", JsonOf(symbol.max)},
              {"assumed", JsonOf(symbol.assumed)},
              {"cause", JsonOf(symbol.cause)}};
}

Json PortsJson(const std::vector<PortRow>& ports) {
  Json list = Json::array();
  for (const PortRow& port : ports) {
    list.push_back({{"name", port.name}, {"dtype", JsonOf(port.dtype)}, {"shape", ShapeJson(port.shape)}});
  }
  return list;
}

Json ModelJson(const View& view) {
  const ModelFacts& model = view.model;
  Json symbols = Json::array();
  for (const SymbolRow& symbol : view.symbols) symbols.push_back(SymbolJson(symbol));
  return Json{{"name", model.name},
              {"ir_version", model.ir_version},
              {"opsets", PairsJson(model.opsets)},
              {"producer", model.producer},
              {"inputs", PortsJson(model.inputs)},
              {"outputs", PortsJson(model.outputs)},
              {"symbols", symbols},
              {"nodes", model.nodes},
              {"params", model.params.params},
              {"params_by_use", model.params.params_by_use},
              {"buffers", model.params.buffers},
              {"stored_bytes", model.params.stored_bytes},
              {"deployed_bytes", JsonOf(model.deployed_bytes)}};
}

constexpr char kConvention[] =
    "1 MAC = 1 multiply-accumulate of a contraction, padding included; flops = 2*macs + other float operations";

// Null without an energy, so that every key is there.
Json EnergyPartsJson(const SummaryView& summary) {
  const auto joules = [&](double EnergyParts::*part) {
    return summary.energy.has_value() ? Json((*summary.energy).*part) : Json(nullptr);
  };
  return Json{{"compute", joules(&EnergyParts::compute_j)},
              {"onchip", joules(&EnergyParts::onchip_j)},
              {"dram", joules(&EnergyParts::dram_j)},
              {"static", joules(&EnergyParts::static_j)},
              {"moves", summary.energy.has_value() ? Json(summary.moves_j) : Json(nullptr)}};
}

Json FlagJson(std::optional<bool> flag) { return flag.has_value() ? Json(*flag) : Json(nullptr); }

Json SharesJson(const std::vector<std::pair<std::string, double>>& shares) {
  Json json = Json::object();
  for (const auto& [name, share] : shares) json[name] = share;
  return json;
}

Json GradesJson(const std::optional<GradeShares>& grades) {
  if (!grades.has_value()) return nullptr;
  return Json{{"measured", grades->measured}, {"family", grades->family}, {"datasheet", grades->datasheet}};
}

Json SizeRangeJson(const std::optional<SizeRange>& range) {
  if (!range.has_value()) return nullptr;
  return Json{{"low_s", range->low_s}, {"high_s", JsonOf(range->high_s)}};
}

Json SummaryJson(const SummaryView& summary) {
  return Json{{"macs", JsonOf(summary.macs)},
              {"int_macs", JsonOf(summary.int_macs)},
              {"causal_macs", JsonOf(summary.causal_macs)},
              {"flops", JsonOf(summary.flops)},
              {"moved_bytes", JsonOf(summary.moved_bytes)},
              {"intensity", JsonOf(summary.intensity)},
              {"peak_memory_bytes", JsonOf(summary.peak_memory_bytes)},
              {"latency_s", JsonOf(summary.latency_s)},
              {"latency_low_s", JsonOf(summary.latency_low_s)},
              {"latency_high_s", JsonOf(summary.latency_high_s)},
              {"interval_s", JsonOf(summary.interval_s)},
              {"throughput_per_s", JsonOf(summary.throughput_per_s)},
              {"energy_j", JsonOf(summary.energy_j)},
              {"energy_low_j", JsonOf(summary.energy_low_j)},
              {"energy_high_j", JsonOf(summary.energy_high_j)},
              {"energy_parts_j", EnergyPartsJson(summary)},
              {"power_w", JsonOf(summary.power_w)},
              {"grade", JsonOf(summary.grade)},
              {"gap", JsonOf(summary.gap)},
              {"greedy_latency_s", JsonOf(summary.greedy_latency_s)},
              {"overlap_latency_s", JsonOf(summary.overlap_latency_s)},
              {"convention", kConvention},
              {"flops_as", ConventionJson(summary.flops_as)},
              {"incomplete", FlagJson(summary.incomplete)},
              {"precisions", SharesJson(summary.precisions)},
              {"grades", GradesJson(summary.grades)},
              {"evidence_share", JsonOf(summary.evidence_share)},
              {"size_range", SizeRangeJson(summary.size_range)},
              {"host_competes", FlagJson(summary.host_competes)},
              {"tokens_per_s", JsonOf(summary.tokens_per_s)}};
}

Json ShapesSummaryJson(const SummaryView& summary) {
  return Json{{"macs", JsonOf(summary.macs)},
              {"int_macs", JsonOf(summary.int_macs)},
              {"causal_macs", JsonOf(summary.causal_macs)},
              {"flops", JsonOf(summary.flops)},
              {"convention", kConvention},
              {"flops_as", ConventionJson(summary.flops_as)}};
}

Json SearchJson(const std::optional<SearchView>& search) {
  if (!search.has_value()) return nullptr;
  return Json{{"atoms", search->atoms},
              {"states", search->states},
              {"live", search->live},
              {"exact", search->exact},
              {"gap", search->gap}};
}

Json CoverageJson(const CoverageView& coverage) {
  return Json{
      {"nodes", coverage.nodes},
      {"typed", coverage.typed},
      {"counted", coverage.counted},
      {"costed", JsonOf(coverage.costed)},
      {"placed", JsonOf(coverage.placed)},
      {"classes", PairsJson(coverage.classes)},
      {"origin",
       {{"module", coverage.from_module}, {"function", coverage.from_function}, {"unknown", coverage.from_unknown}}},
      {"unknown_nodes", coverage.unknown_nodes},
      {"data_dependent", coverage.data_dependent},
      {"macs_share", JsonOf(coverage.macs_share)},
      {"time_share", JsonOf(coverage.time_share)}};
}

Json RequestJson(const RequestView& request) {
  return Json{{"model", request.model},
              {"target", JsonOf(request.target)},
              {"mode", JsonOf(request.mode)},
              {"precision", JsonOf(request.precision)},
              {"objective", request.objective == Objective::kEnergy ? "energy" : "latency"},
              {"batch", JsonOf(request.batch)},
              {"dims", PairsJson(request.dims)},
              {"host", JsonOf(request.host)}};
}

Json BoundJson(const BoundRow& row) {
  return Json{{"class", std::string(BoundName(row.bound))},
              {"time_s", row.time_s},
              {"flops", row.flops},
              {"bytes", row.bytes},
              {"groups", row.groups}};
}

Json UnitRowJson(const UnitRow& unit) {
  return Json{{"name", unit.name},     {"kind", std::string(UnitKindName(unit.kind))},     {"toolchain", JsonOf(unit.toolchain)},
              {"groups", unit.groups}, {"busy_s", JsonOf(unit.WholeSeconds())}, {"energy_j", JsonOf(unit.energy_j)},
              {"macs", unit.macs},     {"grade", std::string(GradeName(unit.grade))}};
}

Json SegmentJson(const View& view, size_t index) {
  const SegmentRow& segment = view.segments[index];
  return Json{{"id", segment.id.index()},          {"unit", UnitJson(view, segment.unit)},
              {"groups", IdsJson(segment.groups)}, {"in_bytes", segment.in_bytes},
              {"out_bytes", segment.out_bytes},    {"transfer_s", segment.transfer_s},
              {"invoke_s", segment.invoke_s},      {"start_s", segment.start_s},
              {"time_s", JsonOf(segment.WholeSeconds())}, {"energy_j", JsonOf(segment.energy_j)},
              {"reason", segment.reason},          {"contexts", JsonOf(segment.contexts)},
              {"interval_s", JsonOf(segment.interval_s)}, {"reloaded_bytes", JsonOf(segment.reloaded_bytes)},
              {"low_s", segment.incomplete ? Json(nullptr) : Json(segment.low_s)},
              {"high_s", segment.incomplete ? Json(nullptr) : Json(segment.high_s)},
              {"energy_low_j", JsonOf(segment.energy_low_j)},
              {"energy_high_j", JsonOf(segment.energy_high_j)},
              {"grade", std::string(GradeName(segment.grade))}};
}

Json ModuleJson(const ModuleView& module) {
  return Json{{"path", module.path},     {"parent", JsonOf(module.parent)}, {"class", JsonOf(module.class_name)},
              {"nodes", module.nodes},   {"macs", JsonOf(module.macs)},     {"flops", JsonOf(module.flops)},
              {"params", module.params}, {"time_s", JsonOf(module.time_s)}, {"energy_j", JsonOf(module.energy_j)}};
}

Json ValueJson(const ValueRow& value) {
  Json elements = nullptr;
  if (value.value.has_value()) {
    elements = Json::array();
    for (const KnownElement& element : *value.value) elements.push_back(ElementJson(element));
  }
  return Json{{"name", value.name},           {"kind", value.kind == ValueKind::kUnknown ? "tensor" : std::string(ValueKindName(value.kind))},
              {"dtype", JsonOf(value.dtype)}, {"shape", ShapeJson(value.shape)},
              {"value", std::move(elements)}, {"producer", JsonOf(value.producer)},
              {"constant", value.constant},   {"blocked_by", value.blocked_by}};
}

Json SupportJson(const View& view, const SupportRowView& row) {
  return Json{
      {"node", row.label},
      {"op", row.op},
      {"unit", UnitJson(view, row.unit)},
      {"supported", std::string(VerdictName(row.support.verdict))},
      {"limit", JsonOf(row.support.limit.empty() ? std::nullopt : std::optional<std::string>(row.support.limit))},
      {"what", JsonOf(row.support.what.empty() ? std::nullopt : std::optional<std::string>(row.support.what))},
      {"found", JsonOf(row.support.found.empty() ? std::nullopt : std::optional<std::string>(row.support.found))},
      {"allowed", JsonOf(row.support.allowed.empty() ? std::nullopt : std::optional<std::string>(row.support.allowed))},
      {"source", JsonOf(row.support.source.empty() ? std::nullopt : std::optional<std::string>(row.support.source))}};
}

Json StatsRowJson(const ToolchainStats& stats) {
  return Json{{"toolchain", stats.toolchain},
              {"typed", stats.typed},
              {"noted", stats.noted},
              {"not_stated", stats.not_stated}};
}

Json StatsJson(const View& view) {
  Json stats = Json::object();
  for (const ToolchainRow& row : view.toolchains) {
    stats[row.stats.toolchain] = {
        {"typed", row.stats.typed}, {"noted", row.stats.noted}, {"not_stated", row.stats.not_stated}};
  }
  return stats;
}

template <class T>
JsonTable TableOfRows(std::vector<std::string> columns, const std::vector<T>& rows, Json (*row)(const T&)) {
  return JsonTable{std::move(columns), rows.size(), [&rows, row](size_t i) { return row(rows[i]); }};
}

JsonTable TableOfView(std::vector<std::string> columns, size_t size, const View& view,
                      Json (*row)(const View&, size_t)) {
  return JsonTable{std::move(columns), size, [&view, row](size_t i) { return row(view, i); }};
}

std::vector<std::string> NodeColumns() {
  return {"id",     "name",   "domain",   "op",           "since",     "class",    "origin",
          "module", "graph",  "inputs",   "outputs",      "macs",      "int_macs", "causal_macs",
          "flops",  "params", "in_bytes", "weight_bytes", "out_bytes", "group"};
}

JsonTable NodesTable(const View& view) { return TableOfView(NodeColumns(), view.nodes.size(), view, NodeJson); }

JsonTable SymbolsTable(const View& view) {
  return TableOfRows<SymbolRow>({"name", "text", "min", "max", "assumed", "cause"}, view.symbols, SymbolJson);
}

JsonTable DiagnosticsTable(const View& view) {
  return TableOfRows<Diagnostic>({"severity", "code", "message", "remedy", "node", "value"}, view.diagnostics, JsonOf);
}

}  // namespace

Document HeadOf(ReportKind kind, const View& view) {
  Document document;
  document.kind = kind;
  document.view = &view;
  document.parts.push_back({"request", RequestJson(view.request)});
  document.parts.push_back({"diagnostics", DiagnosticsTable(view)});
  return document;
}

Json UnitJson(const View& view, UnitId unit) {
  return unit.valid() ? Json(view.units[unit.index()].name) : Json(nullptr);
}

Json JsonOf(const Count& count) { return ScalarJson(count); }
Json JsonOf(const std::optional<double>& number) { return number.has_value() ? Json(*number) : Json(nullptr); }
Json JsonOf(const std::optional<int64_t>& number) { return number.has_value() ? Json(*number) : Json(nullptr); }
Json JsonOf(const std::optional<std::string>& text) { return text.has_value() ? Json(*text) : Json(nullptr); }

Json JsonOf(const Diagnostic& diagnostic) {
  const CodeInfo& info = InfoOf(diagnostic.code);
  constexpr const char* kSeverities[] = {"error", "warning", "note"};
  const auto text = [](const std::string& s) { return s.empty() ? Json(nullptr) : Json(s); };
  return Json{{"severity", kSeverities[static_cast<size_t>(info.severity)]},
              {"code", std::string(info.id)},
              {"message", diagnostic.message},
              {"remedy", text(diagnostic.remedy)},
              {"node", text(diagnostic.node)},
              {"value", text(diagnostic.value)}};
}

Json NodeJson(const View& view, size_t index) {
  const NodeRow& node = view.nodes[index];
  return Json{{"id", node.id.index()},
              {"name", node.name},
              {"domain", node.domain},
              {"op", node.op},
              {"since", JsonOf(node.since)},
              {"class", std::string(NodeClassName(node.node_class))},
              {"origin", std::string(OriginName(node.origin))},
              {"module", JsonOf(node.module)},
              {"graph", node.graph},
              {"inputs", node.inputs},
              {"outputs", node.outputs},
              {"macs", JsonOf(node.macs)},
              {"int_macs", JsonOf(node.int_macs)},
              {"causal_macs", JsonOf(node.causal_macs)},
              {"flops", JsonOf(node.flops)},
              {"params", JsonOf(node.params)},
              {"in_bytes", JsonOf(node.in_bytes)},
              {"weight_bytes", JsonOf(node.weight_bytes)},
              {"out_bytes", JsonOf(node.out_bytes)},
              {"group", IdJson(node.group)}};
}

Json GroupJson(const View& view, size_t index) {
  const GroupRow& group = view.groups[index];
  const Estimate* estimate = group.estimate.has_value() ? &*group.estimate : nullptr;
  const auto seconds = [&](double Estimate::*member) { return estimate ? Json(estimate->*member) : Json(nullptr); };
  const auto joules = [&](double EnergyParts::*part) {
    return group.energy ? Json((*group.energy).*part) : Json(nullptr);
  };
  return Json{{"id", group.id.index()},
              {"pattern", group.pattern},
              {"nodes", IdsJson(group.nodes)},
              {"unit", UnitJson(view, group.unit)},
              {"segment", IdJson(group.segment)},
              {"precision", JsonOf(group.precision)},
              {"macs", JsonOf(group.macs)},
              {"int_macs", JsonOf(group.int_macs)},
              {"flops", JsonOf(group.flops)},
              {"in_bytes", JsonOf(group.in_bytes)},
              {"weight_bytes", JsonOf(group.weight_bytes)},
              {"out_bytes", JsonOf(group.out_bytes)},
              {"saved_bytes", group.saved_bytes},
              {"saved_launches", group.saved_launches},
              {"start_s", JsonOf(group.start_s)},
              {"compute_s", seconds(&Estimate::compute_s)},
              {"memory_s", seconds(&Estimate::memory_s)},
              {"overhead_s", seconds(&Estimate::overhead_s)},
              {"time_s", seconds(&Estimate::time_s)},
              {"low_s", seconds(&Estimate::low_s)},
              {"high_s", seconds(&Estimate::high_s)},
              {"energy_j", group.energy ? Json(group.energy->total()) : Json(nullptr)},
              {"energy_parts_j",
               {{"compute", joules(&EnergyParts::compute_j)},
                {"onchip", joules(&EnergyParts::onchip_j)},
                {"dram", joules(&EnergyParts::dram_j)},
                {"static", joules(&EnergyParts::static_j)}}},
              {"bound", estimate ? Json(std::string(BoundName(estimate->bound))) : Json(nullptr)},
              {"utilisation", seconds(&Estimate::utilisation)},
              {"assumptions", estimate ? Json(estimate->assumptions) : Json::array()},
              {"energy_low_j", JsonOf(group.energy_low_j)},
              {"energy_high_j", JsonOf(group.energy_high_j)},
              {"grade", group.grade ? Json(std::string(GradeName(*group.grade))) : Json(nullptr)}};
}

Document AnalysisDocument(const View& view) {
  Document document = HeadOf(ReportKind::kAnalysis, view);
  auto& parts = document.parts;
  parts.push_back({"model", ModelJson(view)});
  parts.push_back({"summary", SummaryJson(view.summary)});
  parts.push_back(
      {"bounds", TableOfRows<BoundRow>({"class", "time_s", "flops", "bytes", "groups"}, view.bounds, BoundJson)});
  parts.push_back({"search", SearchJson(view.search)});
  parts.push_back({"coverage", CoverageJson(view.coverage)});
  parts.push_back({"units", TableOfRows<UnitRow>({"name", "kind", "toolchain", "groups", "busy_s", "energy_j", "macs", "grade"},
                                                 view.units, UnitRowJson)});
  parts.push_back({"nodes", NodesTable(view)});
  parts.push_back(
      {"groups", TableOfView({"id",          "pattern",        "nodes",   "unit",      "segment",        "precision",
                              "macs",        "int_macs",       "flops",   "in_bytes",  "weight_bytes",   "out_bytes",
                              "saved_bytes", "saved_launches", "start_s", "compute_s", "memory_s",       "overhead_s",
                              "time_s",      "low_s",          "high_s",  "energy_j",  "energy_parts_j", "bound",
                              "utilisation", "assumptions",    "energy_low_j", "energy_high_j", "grade"},
                             view.groups.size(), view, GroupJson)});
  parts.push_back({"segments", TableOfView({"id", "unit", "groups", "in_bytes", "out_bytes", "transfer_s", "invoke_s",
                                            "start_s", "time_s", "energy_j", "reason", "contexts", "interval_s",
                                            "reloaded_bytes", "low_s", "high_s", "energy_low_j", "energy_high_j",
                                            "grade"},
                                           view.segments.size(), view, SegmentJson)});
  parts.push_back({"modules", TableOfRows<ModuleView>(
                                  {"path", "parent", "class", "nodes", "macs", "flops", "params", "time_s", "energy_j"},
                                  view.modules, ModuleJson)});
  if (view.what_if != nullptr) {
    parts.push_back({"what_if", WhatIfTable(view)});
  } else {
    parts.push_back({"what_if", Json(nullptr)});
  }
  if (view.generation != nullptr) {
    parts.push_back({"generation", GenerationTable(view)});
  } else {
    parts.push_back({"generation", Json(nullptr)});
  }
  document.tables = {"groups", "bounds", "units", "segments", "modules", "nodes"};
  return document;
}

Document ShapesDocument(const View& view) {
  Document document = HeadOf(ReportKind::kShapes, view);
  auto& parts = document.parts;
  parts.push_back({"model", ModelJson(view)});
  parts.push_back({"summary", ShapesSummaryJson(view.summary)});
  parts.push_back({"nodes", NodesTable(view)});
  parts.push_back({"symbols", SymbolsTable(view)});
  parts.push_back(
      {"values", JsonTable{{"name", "kind", "dtype", "shape", "value", "producer", "constant", "blocked_by"},
                           view.values.size(),
                           [&view](size_t i) { return ValueJson(view.values[i]); }}});
  document.tables = {"values", "symbols", "nodes"};
  return document;
}

Document SupportStatsDocument(const View& view) {
  Document document = HeadOf(ReportKind::kSupport, view);
  document.parts.push_back({"stats", JsonTable{{"toolchain", "typed", "noted", "not_stated"},
                                               view.toolchains.size(),
                                               [&view](size_t i) { return StatsRowJson(view.toolchains[i].stats); }}});
  document.tables = {"stats"};
  return document;
}

Document SupportDocument(const View& view) {
  Document document = HeadOf(ReportKind::kSupport, view);
  JsonTable rows{{"node", "op", "unit", "supported", "limit", "found", "allowed", "source", "what"},
                 view.support.size(),
                 [&view](size_t i) { return SupportJson(view, view.support[i]); }};
  document.parts.push_back({"rows", std::move(rows)});
  document.parts.push_back({"stats", StatsJson(view)});
  document.tables = {"rows"};
  return document;
}

}  // namespace hwest

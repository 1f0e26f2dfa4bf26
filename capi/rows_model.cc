// Rows about the model alone: nodes, values, symbols, modules, diagnostics.
#include <map>
#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "rows.h"
#include "wording.h"

namespace hwest::capi {
namespace {

static_assert(static_cast<int>(NodeClass::kCompute) == HWEST_NODE_COMPUTE &&
              static_cast<int>(NodeClass::kOpaque) == HWEST_NODE_OPAQUE);
static_assert(static_cast<int>(Origin::kModule) == HWEST_ORIGIN_MODULE &&
              static_cast<int>(Origin::kUnknown) == HWEST_ORIGIN_UNKNOWN);
static_assert(static_cast<int>(ValueKind::kUnknown) == HWEST_VALUE_UNKNOWN &&
              static_cast<int>(ValueKind::kSparse) == HWEST_VALUE_SPARSE);
static_assert(static_cast<int>(Severity::kError) == HWEST_SEVERITY_ERROR &&
              static_cast<int>(Severity::kNote) == HWEST_SEVERITY_NOTE);

constexpr size_t kMostContents = 1024;  // elements of a known tensor that are written out

std::string TextOf(const KnownElement& element) {
  if (const auto* number = std::get_if<int64_t>(&element)) return absl::StrCat(*number);
  if (const auto* text = std::get_if<std::string>(&element)) return *text;
  if (const auto* real = std::get_if<double>(&element)) return absl::StrCat(*real);
  return "?";
}

std::string ContentsOf(const ValueRow& value) {
  if (!value.value.has_value() || value.value->size() > kMostContents) return "";
  return absl::StrCat(
      "[", absl::StrJoin(*value.value, ", ", [](std::string* to, const KnownElement& e) { *to += TextOf(e); }), "]");
}

int64_t OrNone(NodeId node) { return node.valid() ? static_cast<int64_t>(node.index()) : -1; }

void AddValue(const Analysis& analysis, const View& view, ValueId id, Table<hwest_value>* table) {
  const ValueRow row = view.values[id.index()];
  const Value& value = analysis.graph->value(id);
  const ValueFact& fact = analysis.facts.values[id];
  Texts& texts = table->texts;
  table->rows.push_back({
      .struct_size = sizeof(hwest_value),
      .kind = static_cast<int32_t>(fact.type.kind),
      .id = static_cast<int64_t>(id.index()),
      .name = texts.Keep(row.name),
      .dtype = texts.KeepKnown(row.dtype),
      .rank = row.shape.has_value() ? static_cast<int64_t>(row.shape->size()) : -1,
      .dims = row.shape.has_value() ? texts.KeepCounts(*row.shape) : nullptr,
      .flags = ValueFlagsOf(value),
      .graph = value.graph.valid() ? value.graph.index() : 0,
      .producer = OrNone(value.producer),
      .contents = texts.KeepNonEmpty(ContentsOf(row)),
      .blocked_by = OrNone(fact.blocked_by),
  });
}

void AddValues(const Analysis& analysis, const View& view, const std::vector<ValueId>& ids,
               Table<hwest_value>* table) {
  for (const ValueId id : ids) {
    if (id.valid()) AddValue(analysis, view, id, table);
  }
}

}  // namespace

uint32_t ValueFlagsOf(const Value& value) {
  return BitIf(value.is_input, HWEST_VALUE_IS_INPUT) | BitIf(value.is_output, HWEST_VALUE_IS_OUTPUT) |
         BitIf(value.constant.valid(), HWEST_VALUE_IS_CONSTANT);
}

void FillNodes(const Analysis& analysis, const View& view, Table<hwest_node>* table) {
  const Graph& graph = *analysis.graph;
  Texts& texts = table->texts;
  std::vector<const char*> units;
  for (const UnitRow& unit : view.units) units.push_back(texts.Keep(unit.name));
  table->rows.reserve(view.nodes.size());
  for (const NodeRow& row : view.nodes) {
    const UnitId unit = row.group.valid() ? analysis.plan->groups[row.group.index()].unit : UnitId();
    table->rows.push_back({
        .struct_size = sizeof(hwest_node),
        .node_class = static_cast<int32_t>(row.node_class),
        .id = static_cast<int64_t>(row.id.index()),
        .name = texts.Keep(row.name),
        .label = texts.Keep(row.label),
        .domain = texts.Keep(row.domain),
        .op = texts.Keep(row.op),
        .since = OrUnknown(row.since),
        .origin = static_cast<int32_t>(row.origin),
        .graph = static_cast<uint32_t>(row.graph),
        .module = texts.KeepKnown(row.module),
        .inputs = IdsOf(graph.inputs(row.id)),
        .input_count = graph.inputs(row.id).size(),
        .outputs = IdsOf(graph.outputs(row.id)),
        .output_count = graph.outputs(row.id).size(),
        .macs = texts.KeepCount(row.macs),
        .int_macs = texts.KeepCount(row.int_macs),
        .flops = texts.KeepCount(row.flops),
        .causal_macs = texts.KeepCount(row.causal_macs),
        .params = texts.KeepCount(row.params),
        .in_bytes = texts.KeepCount(row.in_bytes),
        .weight_bytes = texts.KeepCount(row.weight_bytes),
        .out_bytes = texts.KeepCount(row.out_bytes),
        .group = row.group.valid() ? static_cast<int64_t>(row.group.index()) : -1,
        .unit = unit.valid() ? units[unit.index()] : nullptr,
    });
  }
}

void FillValues(const Analysis& analysis, const View& view, Table<hwest_value>* table) {
  table->rows.reserve(view.values.size());
  for (size_t v = 0; v < view.values.size(); ++v) AddValue(analysis, view, ValueId(v), table);
}

void FillInputs(const Analysis& analysis, const View& view, Table<hwest_value>* table) {
  AddValues(analysis, view, analysis.graph->main().inputs, table);
}

void FillOutputs(const Analysis& analysis, const View& view, Table<hwest_value>* table) {
  AddValues(analysis, view, analysis.graph->main().outputs, table);
}

hwest_symbol SymbolRowOf(const SymbolRow& symbol, Texts* texts) {
  return {
      .struct_size = sizeof(hwest_symbol),
      .is_data_dependent = symbol.data_dependent ? 1 : 0,
      .name = texts->Keep(symbol.name),
      .text = texts->Keep(symbol.text),
      .min = symbol.min,
      .max = texts->KeepCount(symbol.max),
      .assumed = OrUnknown(symbol.assumed),
      .cause = texts->KeepKnown(symbol.cause),
  };
}

void FillSymbols(const Analysis&, const View& view, Table<hwest_symbol>* table) {
  for (const SymbolRow& symbol : view.symbols) table->rows.push_back(SymbolRowOf(symbol, &table->texts));
}

void FillModules(const Analysis&, const View& view, Table<hwest_module>* table) {
  Texts& texts = table->texts;
  std::map<std::string, int64_t> index;  // by path
  for (size_t m = 0; m < view.modules.size(); ++m) {
    const ModuleView& row = view.modules[m];
    const auto parent = row.parent.has_value() ? index.find(*row.parent) : index.end();
    table->rows.push_back({
        .struct_size = sizeof(hwest_module),
        .reserved = 0,
        .path = texts.Keep(row.path),
        .class_name = texts.KeepKnown(row.class_name),
        .parent = parent == index.end() ? -1 : parent->second,
        .nodes = row.nodes,
        .macs = texts.KeepCount(row.macs),
        .flops = texts.KeepCount(row.flops),
        .params = row.params,
        .time_s = OrUnknown(row.time_s),
        .energy_j = OrUnknown(row.energy_j),
    });
    index.emplace(row.path, static_cast<int64_t>(m));
  }
}

hwest_diagnostic DiagnosticRowOf(const Diagnostic& diagnostic, Texts* texts) {
  const CodeInfo& info = InfoOf(diagnostic.code);
  return {
      .struct_size = sizeof(hwest_diagnostic),
      .severity = static_cast<int32_t>(info.severity),
      .code = texts->Keep(info.id),
      .message = texts->Keep(InWordsOfC(diagnostic.message)),
      .remedy = texts->KeepNonEmpty(InWordsOfC(diagnostic.remedy)),
      .node = texts->KeepNonEmpty(diagnostic.node),
      .value = texts->KeepNonEmpty(diagnostic.value),
  };
}

void FillDiagnostics(const std::vector<Diagnostic>& diagnostics, Table<hwest_diagnostic>* table) {
  for (const Diagnostic& diagnostic : diagnostics) {
    table->rows.push_back(DiagnosticRowOf(diagnostic, &table->texts));
  }
}

}  // namespace hwest::capi

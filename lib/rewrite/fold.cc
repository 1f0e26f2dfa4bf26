// Rules that work on the whole model, and the sizes that the request binds.
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "op/rule.h"
#include "pass/needed.h"
#include "rewrite/apply.h"
#include "rewrite/payload.h"

namespace hwest {
namespace {

constexpr size_t kMostFoldedElements = 4096;  // larger constants are better computed than stored

bool AppendScalar(const Scalar& scalar, ElemType elem, std::string* out) {
  if (!scalar.is_constant()) return false;
  if (HoldsNumbers(elem)) {
    AppendNumber(scalar.number(), elem, out);
    return true;
  }
  const int bits = ElemBits(elem);
  if ((!IsInteger(elem) && elem != ElemType::kBool) || bits < 8 || !scalar.is_int()) return false;
  AppendInt(scalar.dim().value(), bits, out);
  return true;
}

// The contents of a value as a constant of its name; none when they are not known as a whole.
std::optional<Constant> ContentsOf(const Analysis& analysis, ValueId value, StrId name) {
  const ValueFact& fact = analysis.facts.values[value];
  if (fact.known == nullptr || !fact.type.is_tensor() || !fact.type.shape.constant()) return std::nullopt;
  if (fact.known->size() > kMostFoldedElements || fact.known->empty()) return std::nullopt;
  Constant constant;
  constant.name = name;
  constant.elem = fact.type.elem;
  constant.storage = Storage::kDecoded;
  for (const Dim dim : fact.type.shape.dims()) constant.dims.push_back(dim.value());
  for (const Scalar& scalar : *fact.known) {
    if (!AppendScalar(scalar, constant.elem, &constant.data)) return std::nullopt;
  }
  constant.length = static_cast<int64_t>(constant.data.size());
  return constant;
}

bool IsReadAtRunTime(const Analysis& analysis, ValueId value) {
  const Graph& graph = *analysis.graph;
  if (graph.value(value).is_output) return true;
  const auto uses = graph.uses(value);
  return std::any_of(uses.begin(), uses.end(), [&](const Use& use) { return !IsFolded(analysis.classes[use.node]); });
}

RawType TypeOf(const Type& type, const RawType& declared) {
  RawType made = declared;
  made.has_shape = true;
  made.dims.resize(static_cast<size_t>(type.shape.rank()));
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    RawDim& dim = made.dims[static_cast<size_t>(axis)];
    if (!type.shape.dim(axis).is_constant()) continue;
    dim.has_value = true;
    dim.value = type.shape.dim(axis).value();
  }
  return made;
}

bool SameSizes(const RawType& a, const RawType& b) {
  return a.has_shape == b.has_shape &&
         std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(),
                    [](const RawDim& x, const RawDim& y) { return x.has_value == y.has_value && x.value == y.value; });
}

}  // namespace

int64_t FileNodeOf(const Analysis& analysis, const EditedModel& model, NodeId node) {
  const Graph& graph = *analysis.graph;
  if (graph.node(node).graph != GraphId(0u)) return -1;
  for (const ValueId output : graph.outputs(node)) {
    if (!output.valid() || graph.name(output).empty()) continue;
    const StrId name = model.raw().strings.Find(graph.name(output));
    const int64_t maker = name.valid() ? model.MakerOf(name) : -1;
    const bool is_it =
        maker >= 0 && model.text(model.raw().graph.nodes[static_cast<size_t>(maker)].op) == graph.op(node);
    return is_it ? maker : -1;
  }
  return -1;
}

int64_t FoldConstants(const Analysis& analysis, EditedModel* model, std::vector<StrId>* doubtful) {
  const Graph& graph = *analysis.graph;
  int64_t folded = 0;
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    const NodeClass node_class = analysis.classes[node];
    if ((node_class != NodeClass::kConstant && node_class != NodeClass::kShape) || graph.inputs(node).empty()) continue;
    const auto outputs = graph.outputs(node);
    const int64_t at = FileNodeOf(analysis, *model, node);
    if (at < 0 || outputs.size() != 1 || !IsReadAtRunTime(analysis, outputs[0])) continue;
    const StrId name = model->Intern(graph.name(outputs[0]));
    auto contents = ContentsOf(analysis, outputs[0], name);
    if (!contents.has_value() || model->IsGraphOutput(name)) continue;
    for (const StrId input : model->raw().graph.nodes[static_cast<size_t>(at)].inputs) doubtful->push_back(input);
    model->Remove(static_cast<size_t>(at));
    model->AddInitializer(*std::move(contents));
    ++folded;
  }
  return folded;
}

int64_t RemoveDead(const Analysis& analysis, EditedModel* model, std::vector<StrId>* doubtful) {
  const Graph& graph = *analysis.graph;
  int64_t removed = 0;
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    if (graph.outputs(node).empty() || FileNodeOf(analysis, *model, node) < 0) continue;
    const auto outputs = graph.outputs(node);
    const bool is_read = std::any_of(outputs.begin(), outputs.end(), [&](ValueId value) {
      return value.valid() && (!graph.uses(value).empty() || graph.value(value).is_output);
    });
    if (is_read) continue;
    bool has_body = false;
    for (const Attribute& attribute : graph.attributes(node)) has_body |= !attribute.graphs.empty();
    if (has_body) continue;
    for (const ValueId value : outputs) {
      if (value.valid()) doubtful->push_back(model->Intern(graph.name(value)));
    }
    ++removed;
  }
  return removed;
}

bool WriteBoundTypes(const Analysis& analysis, EditedModel* model) {
  const Graph& graph = *analysis.graph;
  bool changed = false;
  const auto fact_of = [&](StrId name, absl::Span<const ValueId> values) -> const Type* {
    for (const ValueId value : values) {
      if (graph.name(value) == model->text(name)) return &analysis.facts.values[value].type;
    }
    return nullptr;
  };
  const auto write = [&](std::vector<RawValueInfo> infos, absl::Span<const ValueId> values, auto set) {
    for (size_t i = 0; i < infos.size(); ++i) {
      const Type* type = fact_of(infos[i].name, values);
      if (type == nullptr || !type->is_tensor() || !type->shape.ranked()) continue;
      if (infos[i].type.kind != ValueKind::kTensor) continue;
      const RawType now = TypeOf(*type, infos[i].type);
      if (SameSizes(now, infos[i].type)) continue;
      set(i, now);
      changed = true;
    }
  };
  write(model->raw().graph.inputs, graph.main().inputs,
        [&](size_t i, const RawType& type) { model->SetInputType(i, type); });
  write(model->raw().graph.outputs, graph.main().outputs,
        [&](size_t i, const RawType& type) { model->SetOutputType(i, type); });
  return changed;
}

}  // namespace hwest

// Writes another batch or other sizes wherever a static export states its own.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "op/rule.h"
#include "rewrite/apply.h"
#include "rewrite/payload.h"
#include "rewrite/rules.h"

namespace hwest {
namespace {

using Ints = std::vector<int64_t>;

absl::Status SizeConflict(const BindRequest& bind, absl::string_view why) {
  if (bind.resized.empty()) {
    return MakeError(Code::kBindConflict, absl::StrCat("another batch cannot be written: ", why),
                     "export the model with a dynamic batch, or leave out --batch", {"--batch"});
  }
  return MakeError(Code::kBindConflict, absl::StrCat(bind.resized_as, " cannot be written: ", why),
                   "export the model with these sizes dynamic, or at those wanted");
}

// Why the node that makes `output` is as at the exported sizes: an operand that is as large as then, though the node
// needs it larger; else its own constants.
std::string WhyAsExported(const Analysis& wanted, const Analysis& now, const EditedModel& model, NodeId node,
                          ValueId output) {
  const Graph& graph = *now.graph;
  const std::string what = absl::StrCat(graph.op(node), " '", EscapeControl(graph.name(output)), "'");
  absl::flat_hash_map<absl::string_view, const Shape*> shapes;  // that inference followed the operands to
  for (size_t v = 0; v < wanted.graph->values().size(); ++v) {
    const Type& type = wanted.facts.values[ValueId(v)].type;
    if (type.is_tensor() && type.shape.constant()) shapes[wanted.graph->name(ValueId(v))] = &type.shape;
  }
  for (const ValueId input : graph.inputs(node)) {
    if (!input.valid()) continue;
    const Type& type = now.facts.values[input].type;
    const auto found = shapes.find(graph.name(input));
    if (found == shapes.end() || !type.is_tensor() || type.shape == *found->second) continue;
    return absl::StrCat(what, " reads '", EscapeControl(graph.name(input)), "', which is ",
                        ToString(type.shape, *now.dims), " from constants of the file and would have to be ",
                        ToString(*found->second, *wanted.dims));
  }
  const StrId name = model.raw().strings.Find(graph.name(output));
  const bool is_inside = !name.valid() || model.MakerOf(name) < 0;
  return absl::StrCat(what, " has the sizes of the exported one in constants",
                      is_inside ? " of a function, which are not written" : "");
}

// Whether the model as written has the shapes of `analysis`, which follows a batch to more places than can be written.
absl::Status CheckBatch(const Analysis& analysis, const EditedModel& model) {
  EditedModel written = model.Clone();
  WriteBoundTypes(analysis, &written);
  HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Graph> graph, written.GraphOf());
  AnalysisRequest request = ModelPartOf(analysis.request);
  request.bind = WithoutSizes(request.bind);
  const absl::StatusOr<Analysis> now = Analyze(graph, request);
  if (!now.ok()) return SizeConflict(analysis.request.bind, DiagnosticOf(now.status()).message);
  absl::flat_hash_map<absl::string_view, const Type*> wanted;
  absl::flat_hash_set<absl::string_view> refused;  // also where the batch is followed
  for (size_t n = 0; n < analysis.graph->nodes().size(); ++n) {
    for (const ValueId value : analysis.graph->outputs(NodeId(n))) {
      if (!value.valid()) continue;
      wanted[analysis.graph->name(value)] = &analysis.facts.values[value].type;
      if (analysis.facts.refused.contains(NodeId(n))) refused.insert(analysis.graph->name(value));
    }
  }
  for (size_t n = 0; n < graph->nodes().size(); ++n) {
    const NodeId node(n);
    for (const ValueId value : graph->outputs(node)) {
      if (!value.valid() || graph->node(node).graph != GraphId(0u)) continue;
      const auto found = wanted.find(graph->name(value));
      const Type& type = now->facts.values[value].type;
      if (found == wanted.end() || !found->second->is_tensor() || !found->second->shape.constant()) continue;
      const bool is_refused = now->facts.refused.contains(node) && !refused.contains(found->first);
      if (!is_refused && type.is_tensor() && type.shape == found->second->shape) continue;
      return SizeConflict(analysis.request.bind, WhyAsExported(analysis, *now, written, node, value));
    }
  }
  return absl::OkStatus();
}

// A new constant; its name.
StrId AddInts(const Ints& ints, absl::string_view stem, EditedModel* model) {
  Constant constant;
  constant.name = model->NewName(stem);
  constant.elem = ElemType::kInt64;
  constant.dims = {static_cast<int64_t>(ints.size())};
  constant.storage = Storage::kDecoded;
  for (const int64_t value : ints) AppendInt(value, 64, &constant.data);
  constant.length = static_cast<int64_t>(constant.data.size());
  const StrId name = constant.name;
  model->AddInitializer(std::move(constant));
  return name;
}

std::optional<Ints> SizesOf(const Analysis& analysis, ValueId value) {
  const Type& type = analysis.facts.values[value].type;
  if (!type.is_tensor() || !type.shape.constant()) return std::nullopt;
  Ints sizes;
  for (const Dim dim : type.shape.dims()) sizes.push_back(dim.value());
  return sizes;
}

std::optional<Ints> ContentsOf(const Analysis& analysis, NodeId node, size_t input) {
  const auto inputs = analysis.graph->inputs(node);
  if (input >= inputs.size() || !inputs[input].valid()) return std::nullopt;
  const Known& known = analysis.facts.values[inputs[input]].known;
  if (known == nullptr) return std::nullopt;
  Ints ints;
  for (const Scalar& scalar : *known) {
    if (!scalar.is_int() || !scalar.dim().is_constant()) return std::nullopt;
    ints.push_back(scalar.dim().value());
  }
  return ints;
}

// Ends of a slice that took all of an axis and no longer would: they move to its new end. None when none has to.
std::optional<Ints> EndsOf(const Analysis& analysis, NodeId node, size_t operand) {
  const auto from = SizesOf(analysis, analysis.graph->inputs(node)[0]),
             to = SizesOf(analysis, analysis.graph->outputs(node)[0]);
  const auto starts = ContentsOf(analysis, node, operand - 1), axes = ContentsOf(analysis, node, operand + 1),
             steps = ContentsOf(analysis, node, operand + 2);
  auto ends = ContentsOf(analysis, node, operand);
  if (!from.has_value() || !to.has_value() || !starts.has_value() || !ends.has_value()) return std::nullopt;
  if (from->size() != to->size() || starts->size() != ends->size() || ends->size() > from->size()) return std::nullopt;
  if (axes.has_value() && axes->size() != ends->size()) return std::nullopt;
  if (steps.has_value() && std::any_of(steps->begin(), steps->end(), [](int64_t step) { return step != 1; })) {
    return std::nullopt;
  }
  const auto rank = static_cast<int64_t>(from->size());
  bool moved = false;
  for (size_t i = 0; i < ends->size(); ++i) {
    int64_t axis = axes.has_value() ? (*axes)[i] : static_cast<int64_t>(i);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank) return std::nullopt;
    const int64_t size = (*from)[static_cast<size_t>(axis)], wanted = (*to)[static_cast<size_t>(axis)];
    const auto place = [size](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size); };
    if (place((*ends)[i]) - place((*starts)[i]) == wanted || size - place((*starts)[i]) != wanted) continue;
    (*ends)[i] = size;
    moved = true;
  }
  return moved ? ends : std::nullopt;
}

// The sizes that a constant has in the file: of an initialiser, or of a Constant node's tensor.
std::optional<Ints> WrittenSizes(const EditedModel& model, StrId name) {
  const RawGraph& graph = model.raw().graph;
  const int64_t initializer = model.InitializerOf(name), maker = model.MakerOf(name);
  if (initializer >= 0) {
    const auto& dims = graph.initializers[static_cast<size_t>(initializer)].dims;
    return Ints(dims.begin(), dims.end());
  }
  if (maker < 0 || model.text(graph.nodes[static_cast<size_t>(maker)].op) != kConstantOperator) return std::nullopt;
  for (const RawAttribute& attribute : graph.nodes[static_cast<size_t>(maker)].attributes) {
    if (attribute.tensors.size() == 1) return Ints(attribute.tensors[0].dims.begin(), attribute.tensors[0].dims.end());
  }
  return std::nullopt;
}

// A constant that the exporter expanded to one image is expanded to more. Others stay as they are.
void Expand(const Analysis& analysis, ValueId value, size_t before, EditedModel* model) {
  const StrId name = model->Intern(analysis.graph->name(value));
  const auto written = WrittenSizes(*model, name), wanted = SizesOf(analysis, value);
  if (!written.has_value() || !wanted.has_value() || *written == *wanted || written->size() != wanted->size()) return;
  for (size_t axis = 0; axis < wanted->size(); ++axis) {
    if ((*written)[axis] != (*wanted)[axis] && (*written)[axis] != 1) return;
  }
  RawNode node;
  node.domain = node.overload = model->Intern("");
  node.op = model->Intern(kExpandOperator);
  node.outputs = {model->NewName(analysis.graph->name(value))};
  node.name = node.outputs[0];
  for (const Use& use : analysis.graph->uses(value)) {
    const int64_t reader = FileNodeOf(analysis, *model, use.node);
    if (reader >= 0) model->SetInput(static_cast<size_t>(reader), use.input, node.outputs[0]);
  }
  node.inputs = {name, AddInts(*wanted, analysis.graph->name(value), model)};
  model->InsertBefore(before, std::move(node), -1);
}

// Types that the file declares of values inside are those of its own batch.
void DropOldTypes(const Analysis& analysis, EditedModel* model) {
  absl::flat_hash_map<absl::string_view, const Shape*> shapes;
  for (size_t n = 0; n < analysis.graph->nodes().size(); ++n) {
    for (const ValueId value : analysis.graph->outputs(NodeId(n))) {
      if (!value.valid() || !analysis.facts.values[value].type.is_tensor()) continue;
      shapes[analysis.graph->name(value)] = &analysis.facts.values[value].type.shape;
    }
  }
  model->KeepValueInfos([&](const RawValueInfo& info) {
    const auto found = shapes.find(model->text(info.name));
    if (found == shapes.end() || !found->second->ranked() || !info.type.has_shape) return true;
    if (static_cast<size_t>(found->second->rank()) != info.type.dims.size()) return false;
    for (int axis = 0; axis < found->second->rank(); ++axis) {
      const RawDim& declared = info.type.dims[static_cast<size_t>(axis)];
      const Dim dim = found->second->dim(axis);
      if (declared.has_value && dim.is_constant() && declared.value != dim.value()) return false;
    }
    return true;
  });
}

}  // namespace

BindRequest WithoutSizes(BindRequest bind) {
  bind.batch.reset();
  bind.resized.clear();
  bind.dims.clear();
  bind.shapes.clear();
  return bind;
}

absl::Status WriteSizes(const Analysis& analysis, EditedModel* model) {
  constexpr int kFirstWithExpand = 8;
  const Graph& graph = *analysis.graph;
  std::vector<StrId> doubtful;
  std::vector<bool> seen(graph.values().size(), false);
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    const int64_t at = FileNodeOf(analysis, *model, node);
    if (at < 0) continue;
    const auto inputs = graph.inputs(node);
    for (const ValueId value : inputs) {
      if (!value.valid() || seen[value.index()] || graph.node(node).opset < kFirstWithExpand) continue;
      seen[value.index()] = true;
      if (graph.IsConstant(value)) Expand(analysis, value, static_cast<size_t>(at), model);
    }
    const OpRule* rule = RuleOf(graph, node);
    if (rule == nullptr || rule->sizes.form == SizeForm::kNone) continue;
    const size_t operand = rule->sizes.input;
    if (operand >= inputs.size() || !inputs[operand].valid() || !graph.IsConstant(inputs[operand])) continue;
    const auto sizes = rule->sizes.form == SizeForm::kEnds ? EndsOf(analysis, node, operand)
                                                           : SizesOf(analysis, graph.outputs(node)[0]);
    if (!sizes.has_value() || sizes->empty()) continue;
    doubtful.push_back(model->raw().graph.nodes[static_cast<size_t>(at)].inputs[operand]);
    model->SetInput(static_cast<size_t>(at), operand, AddInts(*sizes, graph.name(graph.outputs(node)[0]), model));
  }
  model->Settle(std::move(doubtful));
  DropOldTypes(analysis, model);
  HWEST_RETURN_IF_ERROR(CheckBatch(analysis, *model));
  WriteBoundTypes(analysis, model);
  return absl::OkStatus();
}

}  // namespace hwest

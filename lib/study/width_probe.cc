#include "study/width_probe.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cost/model_view.h"
#include "hwest/diagnostic.h"
#include "hwest/reading.h"
#include "op/op_rules.h"
#include "op/rule.h"
#include "pass/bind.h"
#include "pass/infer.h"
#include "pass/work.h"

namespace hwest {
namespace {

constexpr absl::string_view kSymbol = "hwest_width_";
constexpr int kMostPasses = 8;      // of inference; each joins sizes that the one before found to be equal
constexpr int kMostSteps = 4096;    // of one change
constexpr int kWidestInteger = 16;  // bits; wider ones are indices and sizes
constexpr absl::string_view kGroup = "group";

constexpr Traits kSameSizes = trait::kDequantizes | trait::kQuantizes | trait::kConverts | trait::kIdentity;

absl::string_view TextOf(const RawModel& raw, StrId id) { return id.valid() ? raw.strings[id] : absl::string_view(); }

// The tensor of a node without operands; null = it is no such node.
const Constant* TensorOf(const RawNode& node) {
  const auto is_there = [](StrId name) { return !Absent(name); };
  if (std::any_of(node.inputs.begin(), node.inputs.end(), is_there) || node.outputs.size() != 1) return nullptr;
  if (node.attributes.size() != 1 || node.attributes[0].tensors.size() != 1) return nullptr;
  return &node.attributes[0].tensors[0];
}

bool HoldsWeights(ElemType elem) {
  return IsFloat(elem) || (IsInteger(elem) && ElemBits(elem) > 0 && ElemBits(elem) <= kWidestInteger);
}

int64_t GroupOf(const Graph& graph, NodeId node) {
  const Attribute* group = graph.FindAttribute(node, kGroup);
  return group != nullptr && group->kind == AttrKind::kInt ? group->i : 1;
}

// "/model.2/Split (64)"
std::string NeedText(const std::string& node, int64_t size) { return absl::StrCat(node, " needs ", size, " of them"); }

}  // namespace

absl::StatusOr<WidthProbe> WidthProbe::Make(const Analysis& base, const std::function<absl::StatusOr<RawModel>()>& read,
                                            const LoadOptions& limits) {
  WidthProbe probe(base);
  {
    HWEST_ASSIGN_OR_RETURN(const RawModel raw, read());
    probe.FindConstants(raw);
  }
  probe.FindDepthwise();
  probe.fixed_axes_.resize(probe.axes_.size());
  for (int pass = 0; pass < kMostPasses; ++pass) {
    HWEST_ASSIGN_OR_RETURN(const bool has_joined, probe.Infer(read, limits));
    if (!has_joined) break;
  }
  probe.MakeClasses();
  probe.MakeLayers();
  probe.FixAtNodes();
  probe.MakeEquations();
  return probe;
}

void WidthProbe::FindConstants(const RawModel& raw) {
  for (const Constant& constant : raw.graph.initializers) AddConstant(constant, TextOf(raw, constant.name));
  for (const RawNode& node : raw.graph.nodes) {
    if (const Constant* constant = TensorOf(node)) AddConstant(*constant, TextOf(raw, node.outputs[0]));
  }
  absl::flat_hash_map<absl::string_view, ValueId> values;
  for (uint32_t v = 0; v < graph_.values().size(); ++v) {
    if (graph_.value(ValueId(v)).graph == GraphId(0u)) values.emplace(graph_.name(ValueId(v)), ValueId(v));
  }
  std::vector<ConstantRow> found = std::move(constants_);
  constants_.clear();
  for (ConstantRow& row : found) {
    const auto value = values.find(row.name);
    if (value == values.end() || graph_.value(value->second).is_output) continue;
    row.value = value->second;
    const std::vector<Use> readers = ReadersOf(row.value);
    const bool is_wide = graph_.constant(graph_.value(row.value).constant).elem == ElemType::kInt32;
    const bool is_weight = !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](const Use& use) {
      const OpRule* rule = RuleOf(graph_, use.node);
      if (rule == nullptr || graph_.node(use.node).graph != GraphId(0u)) return false;
      if (Covers(rule->shape_inputs, use.input)) return false;
      // Integers of 32 bits are biases of integer products, or indices.
      const bool is_bias =
          row.dims.size() == 1 && (IsLayer(use.node) || HasTrait(graph_, use.node, trait::kDequantizes));
      return !is_wide || is_bias;
    });
    if (!is_weight) continue;
    if (row.dims.size() > 1 || readers.size() == 1) {
      by_name_.emplace(row.name, constants_.size());
      KeepConstant(std::move(row), readers);
      continue;
    }
    for (const Use& reader : readers) {
      by_reader_[{reader.node, reader.input}] = constants_.size();
      KeepConstant({.name = row.name, .value = row.value, .dims = row.dims, .reader = reader}, {reader});
    }
  }
}

// Gives each size a symbol.
void WidthProbe::KeepConstant(ConstantRow row, const std::vector<Use>& readers) {
  size_t sized = row.dims.size();  // the taps of a window are no channels
  for (const Use& use : readers) {
    NodeId node = use.node;
    while (HasTrait(graph_, node, kSameSizes) && graph_.uses(graph_.outputs(node)[0]).size() == 1) {
      node = graph_.uses(graph_.outputs(node)[0])[0].node;
    }
    const bool is_window =
        HasTrait(graph_, node, trait::kWindowOfWeights) || graph_.FindAttribute(node, "kernel_shape") != nullptr;
    if (is_window && row.dims.size() > 2) sized = 2;
  }
  for (size_t axis = 0; axis < row.dims.size(); ++axis) {
    row.axes.push_back(-1);
    if (axis >= sized || row.dims[axis] <= 1) continue;
    row.axes.back() = static_cast<int>(axes_.size());
    axes_.push_back({.constant = constants_.size(),
                     .axis = static_cast<int>(axis),
                     .size = row.dims[axis],
                     .parent = static_cast<int>(axes_.size()),
                     .group_of = NodeId()});
  }
  by_input_.emplace(InputName(row), constants_.size());
  constants_.push_back(std::move(row));
}

std::vector<Use> WidthProbe::ReadersOf(ValueId value) const {
  std::vector<Use> readers;
  std::vector<ValueId> names = {value};
  while (!names.empty()) {
    const ValueId name = names.back();
    names.pop_back();
    for (const Use& use : graph_.uses(name)) {
      if (HasTrait(graph_, use.node, trait::kIdentity) && graph_.IsConstant(graph_.outputs(use.node)[0])) {
        names.push_back(graph_.outputs(use.node)[0]);
      } else {
        readers.push_back(use);
      }
    }
  }
  return readers;
}

std::string WidthProbe::InputName(const ConstantRow& row) const {
  if (!row.reader.node.valid()) return row.name;
  return absl::StrCat(row.name, "@", graph_.name(graph_.outputs(row.reader.node)[0]), ".", row.reader.input);
}

void WidthProbe::AddConstant(const Constant& constant, absl::string_view name) {
  if ((!HoldsWeights(constant.elem) && constant.elem != ElemType::kInt32) || constant.dims.empty() ||
      constant.Elements() <= 1 || constant.sparse)
    return;
  constants_.push_back({.name = std::string(name), .value = ValueId(), .dims = constant.dims});
}

// The number of groups of a depthwise convolution follows its channels.
void WidthProbe::FindDepthwise() {
  for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
    const NodeId node(n);
    if (graph_.node(node).graph != GraphId(0u) || graph_.inputs(node).size() < 2) continue;
    const int64_t group = GroupOf(graph_, node);
    if (group <= 1) continue;
    for (size_t i = 0; i < graph_.inputs(node).size(); ++i) {
      const int c = ConstantAt(node, i);
      if (c < 0 || constants_[static_cast<size_t>(c)].dims.size() < 3) continue;
      ConstantRow& row = constants_[static_cast<size_t>(c)];
      if (row.dims[1] != 1 || row.axes[0] < 0 || row.dims[0] % group != 0 || row.axes[1] >= 0) continue;
      row.axes[1] = static_cast<int>(axes_.size());
      depthwise_[node] = row.axes[1];
      axes_.push_back({.constant = static_cast<size_t>(c),
                       .axis = 1,
                       .size = group,
                       .parent = static_cast<int>(axes_.size()),
                       .group_of = node});
      break;
    }
  }
}

int WidthProbe::ConstantAt(NodeId node, size_t input) const {
  const auto own = by_reader_.find({node, input});
  if (own != by_reader_.end()) return static_cast<int>(own->second);
  ValueId value = graph_.inputs(node)[input];
  while (value.valid()) {
    const auto row = by_name_.find(graph_.name(value));
    if (row != by_name_.end()) return static_cast<int>(row->second);
    const NodeId producer = graph_.value(value).producer;
    if (!producer.valid() || !graph_.IsConstant(value) || graph_.inputs(producer).empty()) return -1;
    const auto read = by_reader_.find({producer, 0});
    if (read != by_reader_.end()) return static_cast<int>(read->second);
    value = graph_.inputs(producer)[0];
  }
  return -1;
}

int WidthProbe::Find(int axis) const {
  while (axes_[static_cast<size_t>(axis)].parent != axis) axis = axes_[static_cast<size_t>(axis)].parent;
  return axis;
}

bool WidthProbe::Join(int a, int b) {
  a = Find(a), b = Find(b);
  if (a == b || axes_[static_cast<size_t>(a)].size != axes_[static_cast<size_t>(b)].size) return false;
  std::string &kept = fixed_axes_[static_cast<size_t>(a)], &other = fixed_axes_[static_cast<size_t>(b)];
  if (kept.empty()) kept = other;
  axes_[static_cast<size_t>(b)].parent = a;
  return true;
}

int WidthProbe::AxisOf(SymbolId symbol) const {
  const absl::string_view text = dims_->symbol(symbol).text;
  int axis = -1;
  const bool is_ours = absl::StartsWith(text, kSymbol) && absl::SimpleAtoi(text.substr(kSymbol.size()), &axis);
  return is_ours && axis >= 0 && axis < static_cast<int>(axes_.size()) ? axis : -1;
}

absl::Status WidthProbe::Edit(RawModel* raw) const {
  RawGraph& graph = raw->graph;
  const auto is_ours = [&](StrId name) { return by_name_.contains(TextOf(*raw, name)); };
  std::erase_if(graph.initializers, [&](const Constant& constant) { return is_ours(constant.name); });
  std::erase_if(graph.nodes,
                [&](const RawNode& node) { return TensorOf(node) != nullptr && is_ours(node.outputs[0]); });
  std::erase_if(graph.inputs, [&](const RawValueInfo& input) { return is_ours(input.name); });
  std::erase_if(graph.value_info, [&](const RawValueInfo& info) { return is_ours(info.name); });
  for (const ConstantRow& row : constants_) {
    graph.inputs.push_back({raw->strings.Intern(InputName(row)), {.kind = ValueKind::kTensor}});
  }
  absl::flat_hash_map<absl::string_view, std::vector<const ConstantRow*>> readers;
  for (const auto& [reader, row] : by_reader_) {
    readers[graph_.name(graph_.outputs(reader.first)[0])].push_back(&constants_[row]);
  }
  absl::flat_hash_set<absl::string_view> outputs;
  for (const auto& [node, axis] : depthwise_) outputs.insert(graph_.name(graph_.outputs(node)[0]));
  for (RawNode& node : graph.nodes) {
    if (node.outputs.empty()) continue;
    const auto reads = readers.find(TextOf(*raw, node.outputs[0]));
    for (const ConstantRow* row : reads != readers.end() ? reads->second : std::vector<const ConstantRow*>()) {
      if (row->reader.input < node.inputs.size()) node.inputs[row->reader.input] = raw->strings.Intern(InputName(*row));
    }
    if (!outputs.contains(TextOf(*raw, node.outputs[0]))) continue;
    for (RawAttribute& attribute : node.attributes) {
      if (TextOf(*raw, attribute.name) == kGroup) attribute.i = 1;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> WidthProbe::Infer(const std::function<absl::StatusOr<RawModel>()>& read,
                                       const LoadOptions& limits) {
  HWEST_ASSIGN_OR_RETURN(RawModel raw, read());
  HWEST_RETURN_IF_ERROR(Edit(&raw));
  HWEST_ASSIGN_OR_RETURN(probe_, BuildModel(std::move(raw), limits));
  dims_ = std::make_unique<DimPool>(&probe_->dims());

  // A fixed batch that the request replaces reaches into constants of the file: ties are those of the file's own.
  DimPool bind_dims(&graph_.dims());
  HWEST_ASSIGN_OR_RETURN(const BoundInputs as_asked, Bind(graph_, base_.request.bind, bind_dims));
  const bool is_rebatched = as_asked.rebatch.has_value();
  absl::flat_hash_map<absl::string_view, ValueId> inputs;
  for (const ValueId input : graph_.main().inputs) inputs.emplace(graph_.name(input), input);

  BoundInputs bound;
  bound.overrides_static = true;
  for (const ValueId input : probe_->main().inputs) {
    const absl::string_view name = probe_->name(input);
    Type type;
    Known known;
    if (const auto row = by_input_.find(name); row != by_input_.end()) {
      const ConstantRow& constant = constants_[row->second];
      Shape::Dims dims;
      for (size_t i = 0; i < constant.dims.size(); ++i) {
        const int root = constant.axes[i] < 0 ? -1 : Find(constant.axes[i]);
        const bool is_free = root >= 0 && fixed_axes_[static_cast<size_t>(root)].empty();
        const int64_t size =
            constant.axes[i] < 0 ? constant.dims[i] : axes_[static_cast<size_t>(constant.axes[i])].size;
        dims.push_back(is_free ? dims_->Symbol(absl::StrCat(kSymbol, root)) : Dim(size));
      }
      type = Type::Tensor(graph_.constant(graph_.value(constant.value).constant).elem, Shape(std::move(dims)));
    } else if (const auto of = inputs.find(name); of != inputs.end()) {
      const Type* declared = graph_.declared(of->second);
      const ValueFact& fact = base_.facts.values[of->second];
      type = is_rebatched && declared != nullptr ? *declared : fact.type;
      if (!is_rebatched) known = fact.known;
    }
    bound.inputs.push_back(std::move(type));
    bound.contents.push_back(std::move(known));
    bound.elements.emplace_back();
    bound.strings.emplace_back();
  }
  HWEST_ASSIGN_OR_RETURN(const OpRules rules, OpRules::Parse(base_.request.op_rules, "op-rules"));
  std::vector<Diagnostic> diagnostics;
  facts_ = hwest::Infer(*probe_, bound, *dims_, diagnostics, {.rules = &rules});
  nodes_.clear();
  for (uint32_t n = 0; n < probe_->nodes().size(); ++n) {
    const absl::Span<const ValueId> outputs = probe_->outputs(NodeId(n));
    if (!outputs.empty() && outputs[0].valid()) nodes_.emplace(probe_->name(outputs[0]), NodeId(n));
  }
  return Tie();
}

NodeId WidthProbe::InProbe(NodeId node) const {
  const absl::Span<const ValueId> outputs = graph_.outputs(node);
  if (outputs.empty() || !outputs[0].valid()) return {};
  const auto at = nodes_.find(graph_.name(outputs[0]));
  return at == nodes_.end() ? NodeId() : at->second;
}

bool WidthProbe::Tie() {
  const bool by_constraints = TieConstraints();
  return TieVectors() || by_constraints;
}

// The sizes in an expression where each alone has its value: of a sum of layers all are equal, of a concatenation not.
std::vector<int> WidthProbe::EqualSizes(Dim dim) {
  std::vector<int> axes;
  const std::optional<int64_t> value = Value(dim, {});
  if (!dim.is_symbolic() || !value.has_value()) return axes;
  for (const SymbolId symbol : dims_->SymbolsOf(dim)) {
    const int axis = AxisOf(symbol);
    if (axis < 0 || axes_[static_cast<size_t>(axis)].size != *value) return {};
    axes.push_back(axis);
  }
  return axes;
}

bool WidthProbe::TieConstraints() {
  bool has_joined = false;
  for (const Constraint& constraint : facts_.constraints) {
    const std::vector<int> a = EqualSizes(constraint.a), b = EqualSizes(constraint.b);
    std::vector<int> all = a;
    all.insert(all.end(), b.begin(), b.end());
    for (const int axis : all) has_joined = Join(all[0], axis) || has_joined;
    const Dim other = a.empty() ? constraint.a : constraint.b;
    if (all.empty() || (!a.empty() && !b.empty()) || !other.is_constant()) continue;
    std::string& fixed = fixed_axes_[static_cast<size_t>(Find(all[0]))];
    if (!fixed.empty()) continue;
    fixed = NeedText(Label(constraint.node), other.value());
    has_joined = true;
  }
  return has_joined;
}

// What inference does not compare: biases and scales of output channels, the groups of depthwise convolutions.
bool WidthProbe::TieVectors() {
  bool has_joined = false;
  for (const auto& [node, axis] : depthwise_) {
    const int channels = constants_[axes_[static_cast<size_t>(axis)].constant].axes[0];
    has_joined = Join(channels, axis) || has_joined;
  }
  for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
    const NodeId node(n);
    const bool scales = HasTrait(graph_, node, trait::kDequantizes | trait::kQuantizes);
    if (!scales && !IsLayer(node)) continue;
    const ConstantRow* weights = nullptr;
    for (size_t i = 0; i < graph_.inputs(node).size() && weights == nullptr; ++i) {
      const int c = ConstantAt(node, i);
      if (scales && i > 0) break;
      if (c >= 0 && (scales || constants_[static_cast<size_t>(c)].dims.size() > 1)) {
        weights = &constants_[static_cast<size_t>(c)];
      }
    }
    if (weights == nullptr) continue;
    const Attribute* stated = graph_.FindAttribute(node, "axis");
    for (size_t i = 1; i < graph_.inputs(node).size(); ++i) {
      const int c = ConstantAt(node, i);
      if (c < 0 || constants_[static_cast<size_t>(c)].dims.size() != 1) continue;
      const ConstantRow& vector = constants_[static_cast<size_t>(c)];
      // Of equal sizes the axis that the node names, else the one that its output has.
      int of = -1;
      const auto rank = static_cast<int64_t>(weights->dims.size());
      if (scales) {
        int64_t axis = rank == 1 ? 0 : stated != nullptr ? stated->i : 1;
        if (axis < 0) axis += rank;
        if (axis >= 0 && axis < rank) of = weights->axes[static_cast<size_t>(axis)];
      } else {
        const bool is_window = HasTrait(graph_, node, trait::kWindowOfWeights);
        const NodeId at = InProbe(node);
        const Shape& out = at.valid() ? ShapeOf(probe_->outputs(at)[0]) : Shape();
        for (size_t axis = 0; axis < weights->axes.size(); ++axis) {
          const int candidate = weights->axes[axis];
          if (candidate < 0 || axes_[static_cast<size_t>(candidate)].size != vector.dims[0]) continue;
          bool is_out = false;
          for (const Dim dim : out.ranked() ? out.dims() : absl::Span<const Dim>()) {
            const SymbolId symbol = dims_->AsSymbol(dim);
            is_out = is_out || (symbol.valid() && AxisOf(symbol) >= 0 && Find(AxisOf(symbol)) == Find(candidate));
          }
          if (is_out || (of < 0 && is_window && axis == 0)) of = candidate;
        }
      }
      if (of >= 0 && vector.axes[0] >= 0) has_joined = Join(of, vector.axes[0]) || has_joined;
    }
  }
  return has_joined;
}

void WidthProbe::MakeClasses() {
  class_of_.assign(axes_.size(), -1);
  for (size_t axis = 0; axis < axes_.size(); ++axis) {
    const auto root = static_cast<size_t>(Find(static_cast<int>(axis)));
    if (class_of_[root] < 0) {
      class_of_[root] = static_cast<int>(classes_.size());
      classes_.push_back({.size = axes_[root].size, .fixed = fixed_axes_[root], .equations = {}});
    }
    class_of_[axis] = class_of_[root];
  }
}

std::vector<WidthProbe::Class> WidthProbe::ClassesOf(Dim dim) const {
  std::vector<Class> classes;
  if (!dim.is_symbolic()) return classes;
  for (const SymbolId symbol : dims_->SymbolsOf(dim)) {
    const int axis = AxisOf(symbol);
    if (axis >= 0) classes.push_back(class_of_[static_cast<size_t>(axis)]);
  }
  return classes;
}

bool WidthProbe::IsLayer(NodeId node) const {
  if (graph_.node(node).graph != GraphId(0u) || !IsKernel(base_.classes[node])) return false;
  const std::optional<Work>& work = base_.work[node];
  if (!work.has_value() || work->contractions.size() != 1) return false;
  const ContractionKind kind = work->contractions[0].kind;
  return kind != ContractionKind::kActivation && kind != ContractionKind::kRecurrent;
}

void WidthProbe::MakeLayers() {
  for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
    const NodeId node(n), at = InProbe(node);
    if (!at.valid() || !IsLayer(node)) continue;
    int weights = -1;
    size_t input = 0;
    for (size_t i = graph_.inputs(node).size(); i-- > 0;) {
      const int c = ConstantAt(node, i);
      if (c >= 0 && constants_[static_cast<size_t>(c)].dims.size() > 1) weights = c, input = i;
    }
    if (weights < 0) continue;
    const Shape& operand = ShapeOf(probe_->inputs(at)[input]);
    const Shape& out = ShapeOf(probe_->outputs(at)[0]);
    Layer layer{.node = node, .read = {}, .is_depthwise = depthwise_.contains(node), .fixed = ""};
    if (operand.ranked() && out.ranked()) {
      bool is_found = false;
      for (const Dim size : operand.dims()) {
        const SymbolId symbol = dims_->AsSymbol(size);
        const int axis = symbol.valid() ? AxisOf(symbol) : -1;
        if (axis < 0) continue;
        const Class of = class_of_[static_cast<size_t>(axis)];
        for (const Dim made : is_found ? absl::Span<const Dim>() : out.dims()) {
          const std::vector<Class> classes = ClassesOf(made);
          if (is_found || std::find(classes.begin(), classes.end(), of) == classes.end()) continue;
          const std::optional<int64_t> now = Value(made, {});
          if (!now.has_value()) continue;
          is_found = true;
          layer.made = of;
          layer.width = *now;
          layer.per_size = std::max<int64_t>(1, *now / SizeNow(of));
        }
        if (!is_found || layer.made != of || !layer.read.empty()) {
          layer.read.push_back(of);
        } else if (std::count(operand.dims().begin(), operand.dims().end(), size) > 1) {
          layer.read.push_back(of);
        }
      }
      if (is_found) {
        // What is left of `made` in the list is its own axis.
        const auto own = std::find(layer.read.begin(), layer.read.end(), layer.made);
        const auto same = [&](Dim size) {
          const std::vector<Class> classes = ClassesOf(size);
          return classes.size() == 1 && classes[0] == layer.made;
        };
        const auto axes = std::count_if(operand.dims().begin(), operand.dims().end(), same);
        if (own != layer.read.end() && axes < 2) layer.read.erase(own);
        classes_[static_cast<size_t>(layer.made)].is_made = true;
      }
    }
    if (layer.made < 0) {
      const std::optional<int64_t> n_now = Evaluate(base_.work[node]->contractions[0].n, *base_.dims);
      layer.width = n_now.value_or(0) * (GroupOf(graph_, node));
      for (const int axis : constants_[static_cast<size_t>(weights)].axes) {
        if (axis < 0) continue;
        const Axis& row = axes_[static_cast<size_t>(axis)];
        const std::string& why = fixed_axes_[static_cast<size_t>(Find(axis))];
        if (row.size == layer.width && !why.empty() && layer.fixed.empty()) layer.fixed = why;
      }
      if (layer.fixed.empty()) layer.fixed = "its sizes are those of the file: inference does not follow them";
    }
    layers_.push_back(std::move(layer));
  }
}

void WidthProbe::FixDim(Dim dim, const std::string& why) {
  for (const Class of : ClassesOf(dim)) {
    std::string& fixed = classes_[static_cast<size_t>(of)].fixed;
    if (fixed.empty()) fixed = why;
  }
}

void WidthProbe::Fix(const Shape& shape, const std::string& why) {
  for (const Dim dim : shape.ranked() ? shape.dims() : absl::Span<const Dim>()) FixDim(dim, why);
}

std::string WidthProbe::Label(NodeId probe_node) const { return probe_->Label(probe_node); }

// A node that hides sizes, or states them, stands against a change.
void WidthProbe::FixAtNode(NodeId node) {
  const absl::Span<const ValueId> inputs = probe_->inputs(node), outputs = probe_->outputs(node);
  bool is_known = !facts_.refused.contains(node);
  for (const ValueId output : outputs) {
    if (!output.valid()) continue;
    const Type& type = facts_.values[output].type;
    is_known = is_known && (!type.is_tensor() || type.shape.known()) && type.kind != ValueKind::kUnknown;
  }
  if (!is_known) {
    for (const ValueId input : inputs) {
      if (input.valid()) Fix(ShapeOf(input), absl::StrCat("sizes are not followed through ", Label(node)));
    }
    return;
  }
  const OpRule* rule = RuleOf(*probe_, node);
  if (rule == nullptr || inputs.empty() || outputs.empty() || !inputs[0].valid() || !outputs[0].valid()) return;
  const Shape &in = ShapeOf(inputs[0]), &out = ShapeOf(outputs[0]);
  if (!in.ranked() || !out.ranked()) return;
  std::set<Class> of_out;
  for (const Dim dim : out.dims()) {
    for (const Class of : ClassesOf(dim)) of_out.insert(of);
  }
  const bool is_layout = rule->op_class == OpClass::kLayout;
  const bool multiplies = multiplies_.contains(probe_->name(outputs[0]));
  for (int axis = 0; axis < in.rank(); ++axis) {
    const Dim dim = in.dim(axis);
    const std::vector<Class> classes = ClassesOf(dim);
    if (classes.empty()) continue;
    const std::optional<int64_t> now = Value(dim, {});
    const bool is_stated = !multiplies && in.rank() == out.rank() && out.dim(axis).is_constant() && now.has_value() &&
                           out.dim(axis).IsConstant(*now) && *now > 1;
    const bool is_hidden =
        is_layout && std::any_of(classes.begin(), classes.end(), [&](Class of) { return !of_out.contains(of); });
    if (is_stated || is_hidden) FixDim(dim, NeedText(Label(node), now.value_or(0)));
  }
}

void WidthProbe::FixAtNodes() {
  for (uint32_t n = 0; n < graph_.nodes().size(); ++n) {
    const std::optional<Work>& work = base_.work[NodeId(n)];
    const absl::Span<const ValueId> made = graph_.outputs(NodeId(n));
    if (!work.has_value() || work->contractions.empty() || made.empty() || !made[0].valid()) continue;
    multiplies_.insert(std::string(graph_.name(made[0])));
  }
  for (const ValueId output : probe_->main().outputs) {
    if (!output.valid()) continue;
    Fix(ShapeOf(output), absl::StrCat("output ", probe_->name(output), " of the model has them"));
  }
  for (uint32_t n = 0; n < probe_->nodes().size(); ++n) FixAtNode(NodeId(n));
}

void WidthProbe::AddEquation(Dim a, Dim b, NodeId node) {
  if (a.is_unknown() || b.is_unknown() || a == b) return;
  std::set<Class> classes;
  for (const Dim dim : {a, b}) {
    for (const Class of : ClassesOf(dim)) classes.insert(of);
  }
  if (classes.empty()) return;
  for (const Class of : classes) classes_[static_cast<size_t>(of)].equations.push_back(equations_.size());
  equations_.push_back({a, b, node, {classes.begin(), classes.end()}});
}

void WidthProbe::MakeEquations() {
  for (const Constraint& constraint : facts_.constraints) AddEquation(constraint.a, constraint.b, constraint.node);
  for (uint32_t n = 0; n < probe_->nodes().size(); ++n) {
    const NodeId node(n);
    const OpRule* rule = RuleOf(*probe_, node);
    const bool keeps = rule != nullptr && (rule->op_class == OpClass::kView || (rule->traits & trait::kKeepsElements));
    if (!keeps || probe_->inputs(node).empty() || probe_->outputs(node).empty()) continue;
    const ValueId in = probe_->inputs(node)[0], out = probe_->outputs(node)[0];
    if (!in.valid() || !out.valid() || !ShapeOf(in).ranked() || !ShapeOf(out).ranked()) continue;
    AddEquation(ShapeOf(in).Elements(*dims_), ShapeOf(out).Elements(*dims_), node);
  }
  for (const auto& [node, axis] : depthwise_) {
    const Axis& group = axes_[static_cast<size_t>(axis)];
    const int channels = constants_[group.constant].axes[0];
    const int64_t multiple = axes_[static_cast<size_t>(channels)].size / group.size;
    if (multiple <= 1 || !InProbe(node).valid()) continue;
    const auto symbol = [&](int at) { return dims_->Symbol(absl::StrCat(kSymbol, Find(at))); };
    AddEquation(symbol(channels), dims_->Mul(multiple, symbol(axis)), InProbe(node));
  }
}

std::optional<int64_t> WidthProbe::Value(Dim dim, const Sizes& sizes) {
  if (!dim.is_symbolic()) return dim.is_constant() ? std::optional<int64_t>(dim.value()) : std::nullopt;
  Binding binding;
  for (const SymbolId symbol : dims_->SymbolsOf(dim)) {
    const int axis = AxisOf(symbol);
    if (axis < 0) continue;
    const int64_t now = axes_[static_cast<size_t>(axis)].size;
    const auto changed = sizes.empty() ? sizes.end() : sizes.find(class_of_[static_cast<size_t>(axis)]);
    binding[symbol] = changed != sizes.end() ? changed->second : now;
  }
  return Evaluate(dims_->Substitute(dim, binding), *dims_);
}

absl::StatusOr<WidthProbe::Sizes> WidthProbe::Change(Class of, int64_t size) {
  const auto refuse = [](const std::string& why) { return MakeError(Code::kUsage, why, ""); };
  Sizes sizes{{of, size}};
  if (!classes_[static_cast<size_t>(of)].fixed.empty()) return refuse(classes_[static_cast<size_t>(of)].fixed);
  std::vector<size_t> open = classes_[static_cast<size_t>(of)].equations;
  for (int step = 0; !open.empty(); ++step) {
    if (step > kMostSteps) return refuse("too many sizes follow each other");
    const Equation& equation = equations_[open.back()];
    open.pop_back();
    const std::string at = Label(equation.node);
    const auto gap = [&](const Sizes& now) -> std::optional<int64_t> {
      const std::optional<int64_t> a = Value(equation.a, now), b = Value(equation.b, now);
      return a.has_value() && b.has_value() ? std::optional<int64_t>(*a - *b) : std::nullopt;
    };
    const std::optional<int64_t> missing = gap(sizes);
    if (!missing.has_value()) return refuse(absl::StrCat("sizes are not followed through ", at));
    if (*missing == 0) continue;
    // Sizes that only follow come before those that other layers make. Of the parts of a sum none gives way.
    std::vector<Class> followers, makers;
    for (const Class other : equation.classes) {
      if (sizes.contains(other)) continue;
      const std::vector<Class> alone = {other};
      const bool is_alone = ClassesOf(equation.a) == alone || ClassesOf(equation.b) == alone;
      if (!classes_[static_cast<size_t>(other)].is_made) followers.push_back(other);
      if (classes_[static_cast<size_t>(other)].is_made && is_alone) makers.push_back(other);
    }
    const std::vector<Class>& candidates = followers.empty() ? makers : followers;
    if (candidates.empty()) return refuse(absl::StrCat(at, " does not take this size"));
    if (candidates.size() > 1) return refuse(absl::StrCat("several layers could follow at ", at));
    const Class follower = candidates[0];
    const ClassRow& row = classes_[static_cast<size_t>(follower)];
    if (!row.fixed.empty()) return refuse(row.fixed);
    Sizes tried = sizes;
    tried[follower] = row.size + 1;
    const std::optional<int64_t> next = gap(tried);
    const int64_t slope = next.value_or(*missing) - *missing;
    if (slope == 0 || *missing % slope != 0) return refuse(absl::StrCat(at, " does not take this size"));
    tried[follower] = row.size - *missing / slope;
    if (tried[follower] < 1 || gap(tried) != 0) return refuse(absl::StrCat(at, " does not take this size"));
    sizes = std::move(tried);
    open.insert(open.end(), row.equations.begin(), row.equations.end());
  }
  return sizes;
}

std::vector<WidthEdit> WidthProbe::EditsOf(const Sizes& sizes) const {
  std::vector<WidthEdit> edits;
  for (const ConstantRow& row : constants_) {
    WidthEdit edit{.name = row.name, .attribute = "", .dims = row.dims};
    if (row.reader.node.valid()) {
      edit.reader = std::string(graph_.name(graph_.outputs(row.reader.node)[0]));
      edit.operand = row.reader.input;
    }
    for (size_t i = 0; i < row.axes.size(); ++i) {
      if (row.axes[i] < 0) continue;
      const auto changed = sizes.find(class_of_[static_cast<size_t>(row.axes[i])]);
      if (changed == sizes.end()) continue;
      const NodeId group_of = axes_[static_cast<size_t>(row.axes[i])].group_of;
      if (!group_of.valid()) {
        edit.dims[i] = changed->second;
        continue;
      }
      edits.push_back({.name = std::string(graph_.name(graph_.outputs(group_of)[0])),
                       .attribute = std::string(kGroup),
                       .dims = {changed->second}});
    }
    if (edit.dims != row.dims) edits.push_back(std::move(edit));
  }
  return edits;
}

}  // namespace hwest

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/builder_impl.h"

namespace hwest {
namespace {

std::string ScalarBytes(const void* data, size_t size) { return std::string(static_cast<const char*>(data), size); }

}  // namespace

absl::Status GraphBuilder::EmitNode(const RawNode& raw, Frame& frame) {
  if (CallableFunction* function = FindFunction(raw)) return EmitCall(raw, *function, frame);
  HWEST_RETURN_IF_ERROR(Spend(static_cast<int64_t>(raw.inputs.size() + raw.outputs.size()),
                              static_cast<int64_t>(frame.prefix.size() * (1 + raw.outputs.size()))));
  std::vector<Attribute> attributes;
  std::vector<GraphId> bodies;
  HWEST_RETURN_IF_ERROR(EmitAttributes(raw, frame, attributes, bodies));
  HWEST_ASSIGN_OR_RETURN(const std::vector<ValueId> inputs, ResolveInputs(raw, frame));
  std::vector<ValueId> outputs;
  for (const StrId name : raw.outputs) {
    const ValueId output = Absent(name) ? ValueId() : Define(name, frame);
    if (output.valid()) HWEST_RETURN_IF_ERROR(CheckWritable(output, name, Describe(raw)));
    outputs.push_back(output);
  }
  const NodeId id = AddNode(raw, frame, inputs, outputs, std::move(attributes));
  for (const GraphId body : bodies) graph_.bodies_[body].owner = id;
  DefineConstantOutput(id);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<ValueId>> GraphBuilder::ResolveInputs(const RawNode& raw, Frame& frame) {
  std::vector<ValueId> inputs;
  for (const StrId name : raw.inputs) {
    if (Absent(name)) {
      inputs.emplace_back();
      continue;
    }
    ValueId value = Lookup(name, frame);
    if (!value.valid() && !IsAbsentFormal(name, frame)) {
      return MakeError(Code::kModelRefused,
                       absl::StrCat(Describe(raw), " reads '", text(name), "', which nothing defines"),
                       "export the model again");
    }
    inputs.push_back(value);
  }
  return inputs;
}

absl::Status GraphBuilder::EmitAttributes(const RawNode& raw, Frame& frame, std::vector<Attribute>& out,
                                          std::vector<GraphId>& bodies) {
  for (const RawAttribute& written : raw.attributes) {
    const RawAttribute* source = &written;
    if (!Absent(written.ref)) {
      const auto argument = frame.arguments.find(written.ref);
      if (argument == frame.arguments.end()) continue;  // optional and not given at the call
      source = argument->second;
    }
    HWEST_RETURN_IF_ERROR(
        Spend(static_cast<int64_t>(1 + source->ints.size() + source->floats.size() + source->strings.size())));
    // clang-format off
    Attribute attribute{.name = written.name, .kind = source->kind, .i = source->i, .f = source->f, .s = source->s,
                        .ints = source->ints, .floats = source->floats, .strings = source->strings,
                        .by_reference = source != &written};
    // clang-format on
    for (const Constant& tensor : source->tensors) attribute.tensors.push_back(AddConstant(tensor));
    for (const RawGraph& body : source->graphs) {
      HWEST_ASSIGN_OR_RETURN(const GraphId id, EmitBody(body, written.name, frame));
      attribute.graphs.push_back(id);
      bodies.push_back(id);
    }
    out.push_back(std::move(attribute));
  }
  return absl::OkStatus();
}

absl::StatusOr<GraphId> GraphBuilder::EmitBody(const RawGraph& raw, StrId attribute, Frame& frame) {
  if (frame.body_depth + 1 > options_.limits.max_body_depth) {
    return MakeError(Code::kModelRefused, absl::StrCat("bodies nest deeper than ", options_.limits.max_body_depth),
                     "flatten the control flow");
  }
  Frame inner;
  inner.outer = &frame;
  inner.graph = graph_.bodies_.push_back(Body{.name = raw.name, .parent = frame.graph, .attribute = attribute});
  inner.opsets = frame.opsets;
  inner.prefix = frame.prefix;
  inner.scope = frame.scope;
  inner.source_line = frame.source_line;
  inner.body_depth = frame.body_depth + 1;
  inner.call_depth = frame.call_depth;
  inner.in_function = frame.in_function;
  inner.arguments = frame.arguments;
  HWEST_RETURN_IF_ERROR(EmitGraph(raw, inner));
  return inner.graph;
}

NodeId GraphBuilder::AddNode(const RawNode& raw, Frame& frame, absl::Span<const ValueId> inputs,
                             absl::Span<const ValueId> outputs, std::vector<Attribute> attributes) {
  Node node;
  node.domain = strings().Intern(CanonicalDomain(text(raw.domain)));
  node.op = strings().Intern(text(raw.op));
  node.name = Absent(raw.name) ? strings().Intern("") : Prefixed(raw.name, frame);
  const auto opset = frame.opsets->find(node.domain);
  node.opset = opset == frame.opsets->end() ? 0 : static_cast<int32_t>(opset->second);
  node.graph = frame.graph;
  node.scope = ScopeOf(raw, frame);
  node.source_line = Absent(raw.metadata.source_line) ? frame.source_line : raw.metadata.source_line;
  node.first_input = static_cast<uint32_t>(graph_.edges_.size());
  node.num_inputs = static_cast<uint32_t>(inputs.size());
  graph_.edges_.insert(graph_.edges_.end(), inputs.begin(), inputs.end());
  node.first_output = static_cast<uint32_t>(graph_.edges_.size());
  node.num_outputs = static_cast<uint32_t>(outputs.size());
  graph_.edges_.insert(graph_.edges_.end(), outputs.begin(), outputs.end());
  node.first_attribute = static_cast<uint32_t>(graph_.attributes_.size());
  node.num_attributes = static_cast<uint32_t>(attributes.size());
  for (Attribute& attribute : attributes) graph_.attributes_.push_back(std::move(attribute));
  const NodeId id = graph_.nodes_.push_back(node);
  for (const ValueId output : outputs) {
    if (output.valid()) graph_.values_[output].producer = id;
  }
  graph_.bodies_[frame.graph].nodes.push_back(id);
  return id;
}

// Constant nodes carry their payload in one of several attributes; later stages look at Value::constant only.
void GraphBuilder::DefineConstantOutput(NodeId id) {
  const Node& node = graph_.nodes_[id];
  if (text(node.op) != "Constant" || node.domain.index() != 0 || node.num_outputs != 1) return;
  const ValueId output = graph_.edges_[node.first_output];
  if (!output.valid()) return;
  for (uint32_t i = 0; i < node.num_attributes; ++i) {
    const Attribute& attribute = graph_.attributes_[node.first_attribute + i];
    if (!attribute.tensors.empty()) {
      graph_.values_[output].constant = attribute.tensors[0];
      graph_.values_[output].is_argument = attribute.by_reference;
      return;
    }
    Constant constant;
    constant.name = graph_.values_[output].name;
    constant.storage = Storage::kDecoded;
    switch (attribute.kind) {
      case AttrKind::kInt:
        constant.elem = ElemType::kInt64;
        constant.data = ScalarBytes(&attribute.i, sizeof attribute.i);
        break;
      case AttrKind::kInts:
        constant.elem = ElemType::kInt64;
        constant.dims = {static_cast<int64_t>(attribute.ints.size())};
        constant.data = ScalarBytes(attribute.ints.data(), attribute.ints.size() * sizeof(int64_t));
        break;
      case AttrKind::kFloat:
        constant.elem = ElemType::kFloat;
        constant.data = ScalarBytes(&attribute.f, sizeof attribute.f);
        break;
      case AttrKind::kFloats:
        constant.elem = ElemType::kFloat;
        constant.dims = {static_cast<int64_t>(attribute.floats.size())};
        constant.data = ScalarBytes(attribute.floats.data(), attribute.floats.size() * sizeof(float));
        break;
      case AttrKind::kString:
        constant.elem = ElemType::kString;
        constant.strings = {std::string(text(attribute.s))};
        break;
      case AttrKind::kStrings:
        constant.elem = ElemType::kString;
        constant.dims = {static_cast<int64_t>(attribute.strings.size())};
        for (const StrId s : attribute.strings) constant.strings.emplace_back(text(s));
        break;
      default: continue;
    }
    constant.length = static_cast<int64_t>(constant.data.size());
    graph_.values_[output].constant = graph_.constants_.push_back(std::move(constant));
    return;
  }
}

ScopeId GraphBuilder::ScopeOf(const RawNode& raw, const Frame& frame) {
  if (frame.scope.valid()) return frame.scope;
  const std::vector<ScopeLevel> levels = LevelsOfMetadata(raw.metadata, strings());
  return levels.empty() ? scopes_.AddNodeName(text(raw.name)) : scopes_.Add(levels);
}

std::string GraphBuilder::Describe(const RawNode& raw) {
  if (!Absent(raw.name)) return std::string(text(raw.name));
  for (const StrId output : raw.outputs) {
    if (!Absent(output)) return std::string(text(output));
  }
  return std::string(text(raw.op));
}

}  // namespace hwest

#include "ir/builder.h"

#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/interner.h"
#include "base/status_macros.h"
#include "ir/dim_parser.h"
#include "ir/opsets.h"
#include "ir/order.h"
#include "ir/scopes.h"

namespace hwest {
namespace {

bool Absent(StrId name) { return !name.valid() || name.index() == 0; }

// Libraries of operator helpers: their functions spell one operator each and are no modules of the source program.
bool IsOperatorLibrary(absl::string_view domain) { return absl::StartsWith(domain, "pkg.onnxscript."); }

using FunctionKey = std::pair<StrId, std::pair<StrId, StrId>>;

// A function with the order of its nodes and its operator sets, computed once however often it is called.
struct Function {
  const RawFunction* raw = nullptr;
  std::optional<std::vector<uint32_t>> order;
  OpsetMap opsets;
  bool active = false;  // on the call stack
};

// Frame is one namespace of values: the main graph, a body, or one call of a function.
struct Frame {
  Frame* outer = nullptr;  // visible from a body; null in a function
  GraphId graph;
  const OpsetMap* opsets = nullptr;
  std::string prefix;  // of node and value names, "" outside functions
  ScopeId scope;       // of the call, none outside functions
  int body_depth = 0;
  int call_depth = 0;
  bool in_function = false;
  absl::flat_hash_map<StrId, ValueId> names;
  absl::flat_hash_map<StrId, const RawAttribute*> arguments;  // attribute arguments of the call
};

std::string ScalarBytes(const void* data, size_t size) { return std::string(static_cast<const char*>(data), size); }

}  // namespace

class GraphBuilder {
 public:
  GraphBuilder(RawModel model, const BuildOptions& options)
      : raw_(std::move(model)), options_(options), scopes_(raw_.strings) {}

  absl::StatusOr<Graph> Build();

 private:
  StringTable& strings() { return raw_.strings; }
  absl::string_view text(StrId id) { return id.valid() ? raw_.strings[id] : absl::string_view(); }
  void Warn(Code code, std::string message, std::string remedy, absl::string_view node, absl::string_view value) {
    graph_.diagnostics_.push_back({code, std::move(message), std::move(remedy), std::string(node), std::string(value)});
  }

  void AddInfo();
  void AddFunctions();
  void AddRangeConstraints();
  absl::Status EmitMain();
  absl::Status EmitGraph(const RawGraph& raw, Frame& frame);
  absl::Status EmitInputs(const RawGraph& raw, Frame& frame);
  absl::Status EmitOutputs(const RawGraph& raw, Frame& frame);
  absl::Status EmitNodes(const std::vector<RawNode>& nodes, const std::vector<uint32_t>& order, Frame& frame);
  absl::Status EmitNode(const RawNode& raw, Frame& frame);
  absl::Status EmitCall(const RawNode& raw, Function& function, Frame& frame);
  absl::Status BindCallInputs(const RawNode& raw, const RawFunction& callee, Frame& frame, Frame& call);
  absl::Status BindCallOutputs(const RawNode& raw, const RawFunction& callee, Frame& frame, Frame& call);
  absl::Status EmitAttributes(const RawNode& raw, Frame& frame, std::vector<Attribute>& out, std::vector<GraphId>& bodies);
  absl::StatusOr<GraphId> EmitBody(const RawGraph& raw, StrId attribute, Frame& frame);
  absl::StatusOr<std::vector<ValueId>> ResolveInputs(const RawNode& raw, Frame& frame);
  void DefineConstantOutput(NodeId id);

  ValueId NewValue(StrId name, Frame& frame);
  ValueId Define(StrId name, Frame& frame);
  ValueId Lookup(StrId name, const Frame& frame) const;
  bool IsAbsentFormal(StrId name, const Frame& frame) const;
  ConstantId AddConstant(const Constant& constant);
  NodeId AddNode(const RawNode& raw, Frame& frame, absl::Span<const ValueId> inputs, absl::Span<const ValueId> outputs,
                 std::vector<Attribute> attributes);
  ScopeId ScopeOf(const RawNode& raw, const Frame& frame);
  StrId Prefixed(StrId name, const Frame& frame);
  Function* FindFunction(const RawNode& raw);
  const OpsetMap& OpsetsOf(Function& function);
  Type Convert(const RawType& raw, absl::string_view value);
  void Declare(ValueId value, const RawValueInfo& info);
  void IndexUses();
  std::string Describe(const RawNode& raw);

  RawModel raw_;
  const BuildOptions& options_;
  Graph graph_;
  ScopeTree scopes_;
  OpsetMap opsets_;
  absl::flat_hash_map<FunctionKey, Function> functions_;
  absl::flat_hash_map<const Constant*, ConstantId> constants_;  // by identity, so that inlined copies stay shared
};

absl::StatusOr<Graph> BuildGraph(RawModel model, const BuildOptions& options) {
  return GraphBuilder(std::move(model), options).Build();
}

absl::StatusOr<Graph> GraphBuilder::Build() {
  graph_.diagnostics_ = std::move(raw_.diagnostics);
  AddInfo();
  AddFunctions();
  HWEST_RETURN_IF_ERROR(EmitMain());
  AddRangeConstraints();
  IndexUses();
  graph_.scopes_ = scopes_.Take();
  graph_.strings_ = std::make_unique<StringTable>(std::move(raw_.strings));
  return std::move(graph_);
}

void GraphBuilder::AddInfo() {
  opsets_ = MakeOpsetMap(raw_.opsets, strings());
  ModelInfo& info = graph_.info_;
  info.opsets = raw_.opsets;
  AddMissingOpsets(opsets_, raw_.ir_version, strings(), graph_.diagnostics_);
  info.name = std::string(text(raw_.graph.name));
  info.producer = raw_.producer_version.empty() ? raw_.producer_name
                                                : absl::StrCat(raw_.producer_name, " ", raw_.producer_version);
  info.ir_version = raw_.ir_version;
  info.file_bytes = raw_.file_bytes;
  info.metadata_bytes = raw_.metadata_bytes;
}

void GraphBuilder::AddFunctions() {
  for (const RawFunction& function : raw_.functions) {
    const StrId domain = strings().Intern(CanonicalDomain(text(function.domain)));
    const StrId overload = strings().Intern(text(function.overload));
    functions_[{domain, {function.name, overload}}].raw = &function;
  }
}

void GraphBuilder::AddRangeConstraints() {
  if (raw_.graph.range_constraints.empty()) return;
  for (const RangeConstraint& range : ParseRangeConstraints(raw_.graph.range_constraints)) {
    for (size_t i = 0; i < graph_.dims_.num_symbols(); ++i) {
      const SymbolId id(i);
      if (graph_.dims_.symbol(id).text != range.name) continue;
      Symbol& symbol = graph_.dims_.mutable_symbol(id);
      symbol.min = range.min;
      symbol.max = range.max;
    }
  }
}

absl::Status GraphBuilder::EmitMain() {
  Frame frame;
  frame.graph = graph_.bodies_.push_back(Body{.name = raw_.graph.name});
  frame.opsets = &opsets_;
  return EmitGraph(raw_.graph, frame);
}

absl::Status GraphBuilder::EmitGraph(const RawGraph& raw, Frame& frame) {
  HWEST_RETURN_IF_ERROR(EmitInputs(raw, frame));
  HWEST_ASSIGN_OR_RETURN(const std::vector<uint32_t> order, TopologicalOrder(raw.nodes, strings()));
  HWEST_RETURN_IF_ERROR(EmitNodes(raw.nodes, order, frame));
  return EmitOutputs(raw, frame);
}

absl::Status GraphBuilder::EmitInputs(const RawGraph& raw, Frame& frame) {
  const bool defaults = raw_.ir_version >= 4;  // before IR 4 every initialiser had to be listed as an input
  for (const Constant& constant : raw.initializers) {
    const ValueId value = Define(constant.name, frame);
    graph_.values_[value].constant = AddConstant(constant);
    graph_.values_[value].is_initializer = true;
  }
  for (const RawValueInfo& input : raw.inputs) {
    ValueId value;
    const auto known = frame.names.find(input.name);
    if (known == frame.names.end()) {
      value = Define(input.name, frame);
      graph_.bodies_[frame.graph].inputs.push_back(value);
    } else {
      value = known->second;
      if (defaults && graph_.values_[value].is_initializer && frame.outer == nullptr) {
        Warn(Code::kFolded, absl::StrCat("input '", text(input.name), "' has a default; the default is used"), "", "",
             text(input.name));
      }
    }
    graph_.values_[value].is_input = true;
    Declare(value, input);
  }
  return absl::OkStatus();
}

absl::Status GraphBuilder::EmitOutputs(const RawGraph& raw, Frame& frame) {
  for (const RawValueInfo& output : raw.outputs) {
    const ValueId value = Lookup(output.name, frame);
    if (!value.valid()) {
      return MakeError(Code::kModelRefused,
                       absl::StrCat("graph output '", text(output.name), "' is produced by no node"),
                       "export the model again");
    }
    graph_.values_[value].is_output = true;
    graph_.bodies_[frame.graph].outputs.push_back(value);
    if (graph_.values_[value].declared < 0) Declare(value, output);
  }
  for (const RawValueInfo& info : raw.value_info) {
    const auto found = frame.names.find(info.name);
    if (found != frame.names.end() && graph_.values_[found->second].declared < 0) Declare(found->second, info);
  }
  return absl::OkStatus();
}

absl::Status GraphBuilder::EmitNodes(const std::vector<RawNode>& nodes, const std::vector<uint32_t>& order,
                                     Frame& frame) {
  for (const uint32_t index : order) {
    if (static_cast<int64_t>(graph_.nodes_.size()) >= options_.limits.max_nodes) {
      return MakeError(Code::kModelRefused,
                       absl::StrCat("more than ", options_.limits.max_nodes, " nodes after inlining"),
                       "split the model");
    }
    HWEST_RETURN_IF_ERROR(EmitNode(nodes[index], frame));
  }
  return absl::OkStatus();
}

absl::Status GraphBuilder::EmitNode(const RawNode& raw, Frame& frame) {
  if (Function* function = FindFunction(raw)) return EmitCall(raw, *function, frame);
  std::vector<Attribute> attributes;
  std::vector<GraphId> bodies;
  HWEST_RETURN_IF_ERROR(EmitAttributes(raw, frame, attributes, bodies));
  HWEST_ASSIGN_OR_RETURN(const std::vector<ValueId> inputs, ResolveInputs(raw, frame));
  std::vector<ValueId> outputs;
  for (const StrId name : raw.outputs) {
    const ValueId output = Absent(name) ? ValueId() : Define(name, frame);
    if (output.valid() && (graph_.values_[output].is_input || graph_.values_[output].is_initializer)) {
      return MakeError(Code::kModelRefused,
                       absl::StrCat(Describe(raw), " writes '", text(name), "', which is an input or initialiser"),
                       "export the model again; every value needs one producer");
    }
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
      return MakeError(Code::kModelRefused, absl::StrCat(Describe(raw), " reads '", text(name), "', which nothing defines"),
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
    Attribute attribute{.name = written.name, .kind = source->kind, .i = source->i, .f = source->f, .s = source->s,
                        .ints = source->ints, .floats = source->floats, .strings = source->strings,
                        .by_reference = source != &written};
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
  inner.body_depth = frame.body_depth + 1;
  inner.call_depth = frame.call_depth;
  inner.in_function = frame.in_function;
  inner.arguments = frame.arguments;
  HWEST_RETURN_IF_ERROR(EmitGraph(raw, inner));
  return inner.graph;
}

absl::Status GraphBuilder::EmitCall(const RawNode& raw, Function& function, Frame& frame) {
  const RawFunction& callee = *function.raw;
  if (function.active || frame.call_depth + 1 > options_.limits.max_call_depth) {
    return MakeError(Code::kModelRefused,
                     absl::StrCat("function '", text(callee.name), "' ",
                                  function.active ? "calls itself" : "is nested too deeply"),
                     "export the model again without recursive functions");
  }
  function.active = true;
  if (!function.order.has_value()) {
    HWEST_ASSIGN_OR_RETURN(function.order, TopologicalOrder(callee.nodes, strings()));
  }
  Frame call;
  call.graph = frame.graph;
  call.opsets = &OpsetsOf(function);
  const std::string label = Describe(raw);
  call.prefix = frame.prefix.empty() ? label : absl::StrCat(frame.prefix, "/", label);
  call.body_depth = frame.body_depth;
  call.call_depth = frame.call_depth + 1;
  call.in_function = true;
  const ScopeId caller = ScopeOf(raw, frame);
  call.scope = IsOperatorLibrary(text(callee.domain)) ? caller : scopes_.AddCall(caller, label, text(callee.name));

  HWEST_RETURN_IF_ERROR(BindCallInputs(raw, callee, frame, call));
  // Values the caller knows by name keep that name: outputs are defined before the body names them.
  for (size_t i = 0; i < callee.outputs.size() && i < raw.outputs.size(); ++i) {
    if (Absent(raw.outputs[i]) || call.names.contains(callee.outputs[i])) continue;
    call.names[callee.outputs[i]] = Define(raw.outputs[i], frame);
  }
  HWEST_RETURN_IF_ERROR(EmitNodes(callee.nodes, *function.order, call));
  HWEST_RETURN_IF_ERROR(BindCallOutputs(raw, callee, frame, call));
  function.active = false;
  return absl::OkStatus();
}

absl::Status GraphBuilder::BindCallInputs(const RawNode& raw, const RawFunction& callee, Frame& frame, Frame& call) {
  HWEST_ASSIGN_OR_RETURN(const std::vector<ValueId> inputs, ResolveInputs(raw, frame));
  for (size_t i = 0; i < callee.inputs.size(); ++i) {
    call.names[callee.inputs[i]] = i < inputs.size() ? inputs[i] : ValueId();
  }
  for (const RawAttribute& attribute : callee.default_attributes) call.arguments[attribute.name] = &attribute;
  for (const RawAttribute& attribute : raw.attributes) {
    const RawAttribute* source = &attribute;
    if (!Absent(attribute.ref)) {
      const auto outer = frame.arguments.find(attribute.ref);
      if (outer == frame.arguments.end()) continue;
      source = outer->second;
    }
    call.arguments[attribute.name] = source;
  }
  return absl::OkStatus();
}

// An output that no node of the body produced is one of its inputs, or listed twice: the call's name becomes an
// Identity of it.
absl::Status GraphBuilder::BindCallOutputs(const RawNode& raw, const RawFunction& callee, Frame& frame, Frame& call) {
  for (size_t i = 0; i < callee.outputs.size() && i < raw.outputs.size(); ++i) {
    if (Absent(raw.outputs[i])) continue;
    const auto mine = frame.names.find(raw.outputs[i]);
    const ValueId inner = Lookup(callee.outputs[i], call);
    if (!inner.valid()) {
      return MakeError(Code::kModelRefused,
                       absl::StrCat("output '", text(callee.outputs[i]), "' of function '", text(callee.name),
                                    "' is produced by no node"),
                       "export the model again");
    }
    if (mine != frame.names.end() && mine->second == inner) continue;
    RawNode identity;
    identity.domain = strings().Intern("");
    identity.op = strings().Intern("Identity");
    identity.name = raw.outputs[i];
    const ValueId output = mine != frame.names.end() ? mine->second : Define(raw.outputs[i], frame);
    AddNode(identity, call, {inner}, {output}, {});
  }
  return absl::OkStatus();
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
      default:
        continue;
    }
    constant.length = static_cast<int64_t>(constant.data.size());
    graph_.values_[output].constant = graph_.constants_.push_back(std::move(constant));
    return;
  }
}

ValueId GraphBuilder::NewValue(StrId name, Frame& frame) {
  return graph_.values_.push_back(Value{.name = Prefixed(name, frame), .graph = frame.graph});
}

ValueId GraphBuilder::Define(StrId name, Frame& frame) {
  const auto known = frame.names.find(name);
  if (known != frame.names.end() && known->second.valid()) return known->second;
  if (frame.outer != nullptr && Lookup(name, *frame.outer).valid()) {
    Warn(Code::kShadowedName, absl::StrCat("'", text(name), "' hides a value of an outer graph; the inner one is used"),
         "rename the inner value", "", text(name));
  }
  const ValueId value = NewValue(name, frame);
  frame.names[name] = value;
  return value;
}

ValueId GraphBuilder::Lookup(StrId name, const Frame& frame) const {
  for (const Frame* at = &frame; at != nullptr; at = at->outer) {
    const auto found = at->names.find(name);
    if (found != at->names.end()) return found->second;
  }
  return ValueId();
}

// A formal input of a function that the call leaves out.
bool GraphBuilder::IsAbsentFormal(StrId name, const Frame& frame) const {
  for (const Frame* at = &frame; at != nullptr; at = at->outer) {
    if (at->in_function && at->names.contains(name)) return true;
  }
  return false;
}

ConstantId GraphBuilder::AddConstant(const Constant& constant) {
  const auto [entry, fresh] = constants_.try_emplace(&constant, ConstantId());
  if (fresh) entry->second = graph_.constants_.push_back(constant);
  return entry->second;
}

StrId GraphBuilder::Prefixed(StrId name, const Frame& frame) {
  return frame.prefix.empty() ? name : strings().Intern(absl::StrCat(frame.prefix, "/", text(name)));
}

ScopeId GraphBuilder::ScopeOf(const RawNode& raw, const Frame& frame) {
  if (frame.scope.valid()) return frame.scope;
  std::vector<ScopeLevel> levels = LevelsOfMetadata(raw.metadata, strings());
  if (levels.empty()) levels = LevelsOfName(text(raw.name));
  return levels.empty() ? ScopeId() : scopes_.Add(levels);
}

Function* GraphBuilder::FindFunction(const RawNode& raw) {
  if (functions_.empty()) return nullptr;
  const StrId domain = strings().Intern(CanonicalDomain(text(raw.domain)));
  const auto found = functions_.find({domain, {raw.op, strings().Intern(text(raw.overload))}});
  if (found == functions_.end()) return nullptr;
  const bool native = options_.has_rule != nullptr && options_.has_rule(text(domain), text(raw.op));
  return native ? nullptr : &found->second;
}

const OpsetMap& GraphBuilder::OpsetsOf(Function& function) {
  if (function.opsets.empty()) {
    function.opsets = MakeOpsetMap(function.raw->opsets, strings());
    // A domain the function does not import itself applies as the model imports it.
    for (const auto& [domain, version] : opsets_) function.opsets.try_emplace(domain, version);
  }
  return function.opsets;
}

std::string GraphBuilder::Describe(const RawNode& raw) {
  if (!Absent(raw.name)) return std::string(text(raw.name));
  for (const StrId output : raw.outputs) {
    if (!Absent(output)) return std::string(text(output));
  }
  return std::string(text(raw.op));
}

Type GraphBuilder::Convert(const RawType& raw, absl::string_view value) {
  Type type;
  type.kind = raw.kind;
  const RawType* leaf = &raw;
  while (!leaf->element.empty()) leaf = &leaf->element[0];
  if (!raw.element.empty()) type.inner = raw.element[0].kind;
  type.elem = static_cast<ElemType>(leaf->elem);
  if (!leaf->has_shape || static_cast<int>(leaf->dims.size()) > options_.limits.max_rank) return type;
  Shape::Dims dims;
  for (const RawDim& dim : leaf->dims) {
    if (dim.has_value && dim.value >= 0) {
      dims.emplace_back(dim.value);
    } else if (!dim.has_value && !Absent(dim.param)) {
      dims.push_back(graph_.dims_.Parse(text(dim.param)));
    } else {
      if (dim.has_value) {
        Warn(Code::kDeclaredConflict, absl::StrCat("'", value, "' declares a dim of ", dim.value, "; taken as unknown"),
             "export with symbolic dims", "", value);
      }
      dims.push_back(Dim::Unknown());
    }
  }
  type.shape = Shape(std::move(dims));
  return type;
}

void GraphBuilder::Declare(ValueId value, const RawValueInfo& info) {
  if (info.type.kind == ValueKind::kUnknown) return;
  graph_.values_[value].declared = static_cast<int32_t>(graph_.declared_.size());
  graph_.declared_.push_back(Convert(info.type, text(info.name)));
}

void GraphBuilder::IndexUses() {
  graph_.use_begin_.assign(graph_.values_.size() + 1, 0);
  for (size_t n = 0; n < graph_.nodes_.size(); ++n) {
    for (const ValueId input : graph_.inputs(NodeId(n))) {
      if (input.valid()) ++graph_.use_begin_[input.index() + 1];
    }
  }
  for (size_t v = 1; v < graph_.use_begin_.size(); ++v) graph_.use_begin_[v] += graph_.use_begin_[v - 1];
  graph_.uses_.resize(graph_.use_begin_.back());
  std::vector<uint32_t> next(graph_.use_begin_.begin(), graph_.use_begin_.end() - 1);
  for (size_t n = 0; n < graph_.nodes_.size(); ++n) {
    const absl::Span<const ValueId> inputs = graph_.inputs(NodeId(n));
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].valid()) graph_.uses_[next[inputs[i].index()]++] = {NodeId(n), static_cast<uint32_t>(i)};
    }
  }
}

}  // namespace hwest

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/builder_impl.h"
#include "ir/dim_parser.h"
#include "ir/order.h"
#include "ir/uses.h"

namespace hwest {

absl::StatusOr<Graph> BuildGraph(RawModel model, const BuildOptions& options) {
  return GraphBuilder(std::move(model), options).Build();
}

absl::StatusOr<Graph> GraphBuilder::Build() {
  graph_.diagnostics_ = std::move(raw_.diagnostics);
  AddInfo();
  AddFunctions();
  HWEST_RETURN_IF_ERROR(EmitMain());
  AddRangeConstraints();
  SumUpWarnings();
  IndexUses(graph_.nodes_, graph_.edges_, graph_.values_.size(), &graph_.use_begin_, &graph_.uses_);
  graph_.scopes_ = scopes_.Take();
  graph_.strings_ = std::make_shared<StringTable>(std::move(raw_.strings));
  MarkConstants();
  return std::move(graph_);
}

void GraphBuilder::AddInfo() {
  opsets_ = MakeOpsetMap(raw_.opsets, strings());
  ModelInfo& info = graph_.info_;
  info.opsets = raw_.opsets;
  AddMissingOpsets(opsets_, raw_.ir_version, strings(), graph_.diagnostics_);
  info.name = std::string(text(raw_.graph.name));
  info.producer =
      raw_.producer_version.empty() ? raw_.producer_name : absl::StrCat(raw_.producer_name, " ", raw_.producer_version);
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
  absl::flat_hash_map<std::string, SymbolId> symbols;
  for (size_t i = 0; i < graph_.dims_.num_symbols(); ++i) symbols[graph_.dims_.symbol(SymbolId(i)).text] = SymbolId(i);
  for (const RangeConstraint& range : ParseRangeConstraints(raw_.graph.range_constraints)) {
    const auto found = symbols.find(range.name);
    if (found == symbols.end()) continue;
    Symbol& symbol = graph_.dims_.mutable_symbol(found->second);
    symbol.min = range.min;
    symbol.max = range.max;
  }
}

absl::Status GraphBuilder::EmitMain() {
  Frame frame;
  frame.graph = graph_.bodies_.push_back(Body{.name = raw_.graph.name});
  frame.opsets = &opsets_;
  return EmitGraph(raw_.graph, frame);
}

absl::Status GraphBuilder::EmitGraph(const RawGraph& raw, Frame& frame) {
  const auto values = static_cast<int64_t>(raw.inputs.size() + raw.initializers.size());
  HWEST_RETURN_IF_ERROR(Spend(values + static_cast<int64_t>(raw.outputs.size() + raw.value_info.size()),
                              values * static_cast<int64_t>(frame.prefix.size())));
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

// Nodes are in topological order, so one sweep settles every value.
void GraphBuilder::MarkConstants() {
  graph_.is_constant_.resize(graph_.values_.size());
  for (size_t v = 0; v < graph_.values_.size(); ++v) {
    graph_.is_constant_[v] = graph_.values_[ValueId(v)].constant.valid();
  }
  for (size_t n = 0; n < graph_.nodes_.size(); ++n) {
    const NodeId node(n);
    if (OwnsBodies(node) || !ReadsConstants(node)) continue;
    for (const ValueId output : graph_.outputs(node)) {
      if (output.valid()) graph_.is_constant_[output.index()] = true;
    }
  }
}

// True when the node computes from constants, from at least one, and draws nothing.
bool GraphBuilder::ReadsConstants(NodeId node) {
  const absl::Span<const ValueId> inputs = graph_.inputs(node);
  bool any = std::any_of(inputs.begin(), inputs.end(),
                         [&](ValueId input) { return input.valid() && graph_.is_constant_[input.index()]; });
  if (!any) return false;
  const BuildRole& role = RoleOf(node);
  if (role.is_random) return false;
  any = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].valid() || (i < 32 && ((role.type_inputs >> i) & 1u) != 0)) continue;
    if (!graph_.is_constant_[inputs[i].index()]) return false;
    any = true;
  }
  return any;
}

const BuildRole& GraphBuilder::RoleOf(NodeId id) {
  const Node& node = graph_.nodes_[id];
  const auto [row, is_new] = roles_.try_emplace({node.domain, node.op});
  if (is_new && options_.role_of != nullptr) row->second = options_.role_of(graph_.domain(id), graph_.op(id));
  return row->second;
}

bool GraphBuilder::OwnsBodies(NodeId node) const {
  for (const Attribute& attribute : graph_.attributes(node)) {
    if (!attribute.graphs.empty()) return true;
  }
  return false;
}

}  // namespace hwest

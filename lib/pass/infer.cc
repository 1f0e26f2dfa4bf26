#include "pass/infer.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "op/known.h"
#include "op/rule.h"
#include "pass/rebatch.h"

namespace hwest {
namespace {

class Inference {
 public:
  Inference(const Graph& graph, const BoundInputs& bound, DimPool& dims, std::vector<Diagnostic>& diagnostics,
            const Rebatch* rebatch)
      : graph_(graph), bound_(bound), dims_(dims), diagnostics_(diagnostics), rebatch_(rebatch) {
    facts_.values.resize(graph.values().size());
  }

  Facts Run() {
    SeedConstants();
    SeedInputs();
    for (size_t n = 0; n < graph_.nodes().size(); ++n) Visit(NodeId(n));
    ReportNewerOpset();
    ReportConstraints();
    return std::move(facts_);
  }

 private:
  void SeedConstants();
  void SeedInputs();
  void Visit(NodeId node);
  void ApplyRule(const OpRule& rule, NodeId node);
  absl::Status RunRule(const OpRule& rule, InferContext& context);
  void MeetDeclared(ValueId value);
  Type DeclaredType(const Type& declared);
  void Blame(NodeId node, ValueId output);
  void ReportUnknownOp(NodeId node);
  void ReportNewerOpset();
  void ReportConstraints();
  void ReportConflict(ValueId value, const Type& declared);

  const Graph& graph_;
  const BoundInputs& bound_;
  DimPool& dims_;
  std::vector<Diagnostic>& diagnostics_;
  const Rebatch* rebatch_;
  Facts facts_;
  absl::flat_hash_set<std::pair<StrId, StrId>> reported_ops_;
};

void Inference::SeedConstants() {
  for (size_t v = 0; v < graph_.values().size(); ++v) {
    const ValueId value(v);
    const ConstantId id = graph_.value(value).constant;
    if (!id.valid()) continue;
    const Constant& constant = graph_.constant(id);
    Shape::Dims dims;
    for (const int64_t dim : constant.dims) dims.push_back(dim < 0 ? Dim::Unknown() : Dim(dim));
    ValueFact& fact = facts_.values[value];
    fact.type = Type::Tensor(constant.elem, Shape(std::move(dims)));
    fact.known = DecodeConstant(constant);
  }
}

void Inference::SeedInputs() {
  const std::vector<ValueId>& inputs = graph_.main().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    facts_.values[inputs[i]].type = bound_.inputs[i];
    facts_.values[inputs[i]].known = bound_.contents[i];
    if (bound_.elements[i] != nullptr) facts_.elements[inputs[i]] = bound_.elements[i];
  }
  for (size_t g = 1; g < graph_.bodies().size(); ++g) {
    for (const ValueId input : graph_.body(GraphId(g)).inputs) {
      if (const Type* declared = graph_.declared(input)) facts_.values[input].type = DeclaredType(*declared);
    }
  }
}

void Inference::Visit(NodeId node) {
  const OpRule* rule = FindRule(graph_.domain(node), graph_.op(node));
  if (rule != nullptr) {
    ApplyRule(*rule, node);
  } else {
    ReportUnknownOp(node);
  }
  for (const ValueId output : graph_.outputs(node)) {
    if (!output.valid()) continue;
    MeetDeclared(output);
    Blame(node, output);
  }
}

// Runs the rule with the operands that hold the exported batch followed, for the time of this rule.
absl::Status Inference::RunRule(const OpRule& rule, InferContext& context) {
  if (rebatch_ == nullptr) return rule.infer(context);
  const NodeId node = context.node();
  const auto followed = rebatch_->Follow(node, facts_);
  Known* operand = followed.has_value() ? &facts_.values[graph_.inputs(node)[followed->input]].known : nullptr;
  Known written;
  if (operand != nullptr) written = std::exchange(*operand, followed->contents);
  absl::Status status = rule.infer(context);
  if (!status.ok() && rebatch_->Widen(node, &facts_)) status = rule.infer(context);
  if (operand != nullptr) *operand = std::move(written);
  return status;
}

void Inference::ApplyRule(const OpRule& rule, NodeId node) {
  InferContext context(graph_, node, facts_, dims_);
  const absl::Status status = RunRule(rule, context);
  if (!status.ok()) {
    diagnostics_.push_back({.code = Code::kInferFailed,
                            .message = absl::StrCat(graph_.op(node), ": ", std::string(status.message())),
                            .remedy = "check the shapes of the node's inputs",
                            .node = graph_.Label(node)});
    return;
  }
  if (rule.known != nullptr) rule.known(context);
}

// The file's declared type with the caller's bindings applied.
Type Inference::DeclaredType(const Type& declared) {
  Type type = declared;
  if (type.shape.ranked()) {
    for (int axis = 0; axis < type.shape.rank(); ++axis) {
      type.shape.set_dim(axis, dims_.Substitute(type.shape.dim(axis), bound_.symbols));
    }
  }
  return type;
}

void Inference::MeetDeclared(ValueId value) {
  const Type* written = graph_.declared(value);
  if (written == nullptr || bound_.overrides_static) return;
  const Type declared = DeclaredType(*written);
  Type& type = facts_.values[value].type;
  if (type.kind == ValueKind::kUnknown) {
    type = declared;
    return;
  }
  if (type.kind != declared.kind) return;
  if (type.elem == ElemType::kUndefined) type.elem = declared.elem;
  if (!declared.shape.ranked()) return;
  if (!type.shape.ranked()) {
    type.shape = declared.shape;
    return;
  }
  if (type.shape.rank() != declared.shape.rank()) return ReportConflict(value, declared);
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    const Dim dim = type.shape.dim(axis);
    if (dim.is_unknown()) {
      type.shape.set_dim(axis, declared.shape.dim(axis));
    } else if (dim.is_constant() && declared.shape.dim(axis).is_constant() && !(dim == declared.shape.dim(axis))) {
      return ReportConflict(value, declared);
    }
  }
}

void Inference::ReportConflict(ValueId value, const Type& declared) {
  diagnostics_.push_back(
      {.code = Code::kDeclaredConflict,
       .message = absl::StrCat("the file declares ", ToString(declared.shape, dims_), ", inference finds ",
                               ToString(facts_.values[value].type.shape, dims_), "; the latter is used"),
       .remedy = "export again without stale shape annotations",
       .node = graph_.value(value).producer.valid() ? graph_.Label(graph_.value(value).producer) : "",
       .value = std::string(graph_.name(value))});
}

void Inference::Blame(NodeId node, ValueId output) {
  ValueFact& fact = facts_.values[output];
  if (IsTyped(fact)) return;
  fact.blocked_by = node;
  for (const ValueId input : graph_.inputs(node)) {
    if (input.valid() && facts_.values[input].blocked_by.valid()) {
      fact.blocked_by = facts_.values[input].blocked_by;
      return;
    }
  }
}

void Inference::ReportUnknownOp(NodeId node) {
  const Node& row = graph_.node(node);
  if (!reported_ops_.insert({row.domain, row.op}).second) return;
  const absl::string_view domain = graph_.domain(node);
  diagnostics_.push_back({.code = Code::kUnknownOp,
                          .message = absl::StrCat("no rule for ", domain.empty() ? "ai.onnx" : domain, "::",
                                                  graph_.op(node), "; its shape is taken from the file, its cost is unknown"),
                          .remedy = "the coverage line lists every node it touches",
                          .node = graph_.Label(node)});
}

void Inference::ReportNewerOpset() {
  for (const OpsetImport& import : graph_.info().opsets) {
    const absl::string_view domain = graph_.str(import.domain);
    if ((!domain.empty() && domain != "ai.onnx") || import.version <= NewestOpset()) continue;
    diagnostics_.push_back({.code = Code::kOpsetNewer,
                            .message = absl::StrCat("the model imports ai.onnx ", import.version, "; rules are known up to ",
                                                    NewestOpset(), " and the newest ones are used"),
                            .remedy = "look for a newer release of this tool"});
    return;
  }
}

// One note per pair of sizes, at the first node that needs them to agree.
void Inference::ReportConstraints() {
  absl::flat_hash_set<std::string> seen;
  for (const Constraint& constraint : facts_.constraints) {
    const std::string pair = absl::StrCat(dims_.ToString(constraint.a), " and ", dims_.ToString(constraint.b));
    if (!seen.insert(pair).second) continue;
    diagnostics_.push_back({.code = Code::kDimConstraint,
                            .message = absl::StrCat(pair, " have to be equal, or one of them 1"),
                            .remedy = "",
                            .node = graph_.Label(constraint.node)});
  }
}

}  // namespace

bool IsTyped(const ValueFact& fact) {
  const Type& type = fact.type;
  if (type.kind == ValueKind::kUnknown) return false;
  if (type.kind != ValueKind::kTensor) return true;
  return type.elem != ElemType::kUndefined && type.shape.known();
}

Facts Infer(const Graph& graph, const BoundInputs& bound, DimPool& dims, std::vector<Diagnostic>& diagnostics,
            const Rebatch* rebatch) {
  return Inference(graph, bound, dims, diagnostics, rebatch).Run();
}

}  // namespace hwest

#include "pass/infer.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "op/known.h"
#include "op/op_rules.h"
#include "op/rule.h"
#include "op/run_time.h"
#include "pass/bodies.h"
#include "pass/check_types.h"
#include "pass/follower.h"
#include "pass/needed.h"

namespace hwest {
namespace {

// Beyond these nothing is followed that could take a small model seconds or gigabytes.
constexpr int kMaxRank = 64;                             // of a value; more axes are none that are known
constexpr int64_t kMaxFollowedInAll = int64_t{1} << 24;  // known elements that nodes read and make
constexpr size_t kAlwaysFollowed = 256;                  // of one value: shapes, axes and their like

class Inference {
 public:
  Inference(const Graph& graph, const BoundInputs& bound, DimPool& dims, std::vector<Diagnostic>& diagnostics,
            const InferOptions& options)
      : graph_(graph),
        bound_(bound),
        dims_(dims),
        diagnostics_(diagnostics),
        follower_(options.follower),
        rules_(options.rules),
        stats_(options.stats),
        owners_(graph) {
    facts_.values.resize(graph.values().size());
  }

  Facts Run() {
    SeedConstants();
    SeedInputs();
    Sweep(0, static_cast<uint32_t>(graph_.nodes().size()));
    CheckTypes(graph_, facts_, dims_, diagnostics_);
    ReportUnknownOps();
    ReportNewerOpset();
    ReportEmptyInput();
    ReportConstraints();
    ReportUnfollowed();
    facts_.unneeded = FindUnneeded(graph_, facts_, dims_);
    ReportTakenWithin();
    return std::move(facts_);
  }

 private:
  void SeedConstants();
  void SeedInputs();
  // What was reported up to a moment, so that what repeated looks report can be taken back.
  struct Mark {
    size_t diagnostics;
    size_t constraints;
  };
  Mark Now() const { return {diagnostics_.size(), facts_.constraints.size()}; }
  void RollBack(const Mark& mark);
  Effort EffortNow() const;
  void Sweep(uint32_t begin, uint32_t end);
  void Follow(NodeId owner);
  void InferBody(const BodyRange& body);
  void SettleInputs(NodeId owner, const BodyRange& body, int round);
  NodeId BlockerOf(NodeId node) const;
  void Visit(InferContext& context);
  void ApplyRule(const OpRule& rule, InferContext& context);
  absl::Status RunRule(const OpRule& rule, InferContext& context);
  absl::Status RefuseNegativeSizes(NodeId node);
  bool MayFollow(const InferContext& context);
  void BoundOutputs(NodeId node);
  void ApplyDeclaredType(ValueId value);
  static void ApplyDeclaredContainer(const Type& declared, Type& type);
  Type DeclaredType(const Type& declared);
  void RecordCause(NodeId node, ValueId output);
  void NoteUnknownOp(NodeId node);
  void ReportUnknownOps();
  void ReportFailure(NodeId node, const absl::Status& status);
  void ReportNewerOpset();
  void ReportEmptyInput();
  void ReportConstraints();
  void ReportTakenWithin();
  void ReportUnfollowed();
  void ReportConflict(ValueId value, const Type& declared);

  const Graph& graph_;
  const BoundInputs& bound_;
  DimPool& dims_;
  std::vector<Diagnostic>& diagnostics_;
  const Follower* follower_;
  const OpRules* rules_;
  InferStats* stats_;
  Facts facts_;
  const Owners owners_;
  int64_t repeats_ = 0;   // nodes looked at once more
  int64_t followed_ = 0;  // known elements that nodes read and made
  NodeId unfollowed_;     // the first whose contents were not followed because of that
  absl::flat_hash_set<std::pair<StrId, StrId>> unknown_ops_;
  std::vector<NodeId> unknown_nodes_;  // the first of each operator
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
    const bool is_ranked = dims.size() <= static_cast<size_t>(kMaxRank);
    fact.type = Type::Tensor(constant.elem, is_ranked ? Shape(std::move(dims)) : Shape());
    if (is_ranked) fact.known = DecodeConstant(constant);
  }
}

void Inference::SeedInputs() {
  const std::vector<ValueId>& inputs = graph_.main().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    facts_.values[inputs[i]].type = bound_.inputs[i];
    facts_.values[inputs[i]].known = bound_.contents[i];
    if (bound_.elements[i] != nullptr) facts_.elements[inputs[i]] = bound_.elements[i];
    if (bound_.strings[i] != nullptr) facts_.strings[inputs[i]] = bound_.strings[i];
  }
  for (size_t g = 1; g < graph_.bodies().size(); ++g) {
    for (const ValueId input : graph_.body(GraphId(g)).inputs) {
      if (const Type* declared = graph_.declared(input)) facts_.values[input].type = DeclaredType(*declared);
    }
  }
}

void Inference::RollBack(const Mark& mark) {
  diagnostics_.erase(diagnostics_.begin() + static_cast<ptrdiff_t>(mark.diagnostics), diagnostics_.end());
  facts_.constraints.erase(facts_.constraints.begin() + static_cast<ptrdiff_t>(mark.constraints),
                           facts_.constraints.end());
}

// Nested loops multiply their looks; the sum of repeats stays in proportion to the nodes.
Effort Inference::EffortNow() const {
  const int64_t budget = 8 * static_cast<int64_t>(graph_.nodes().size()) + 1000;
  return repeats_ < budget ? Effort::kFull : repeats_ < 2 * budget ? Effort::kCoarse : Effort::kLeast;
}

void Inference::Sweep(uint32_t begin, uint32_t end) {
  for (uint32_t n = begin; n < end; ++n) {
    const NodeId owner = owners_.At(n, end);
    if (owner.valid()) {
      Follow(owner);
      n = owner.index();
    } else {
      InferContext context(graph_, NodeId(n), facts_, dims_);
      Visit(context);
    }
  }
}

// Looks at the bodies of `owner` until what was assumed of their inputs holds in every run, then at the node itself.
void Inference::Follow(NodeId owner) {
  const OpRule* rule = FindRule(graph_.domain(owner), graph_.op(owner));
  const FollowFn follow = rule == nullptr ? nullptr : rule->follow;
  const std::vector<BodyRange> bodies = BodiesOf(graph_, owner);
  InferContext context(graph_, owner, facts_, dims_);
  const Mark mark = Now();
  for (int round = 0; follow == nullptr ? round == 0 : follow(context, round, EffortNow()); ++round) {
    if (round > 0) RollBack(mark);
    for (const BodyRange& body : bodies) {
      if (round > 0) {
        Forget(graph_, body.begin, body.end, facts_);
        repeats_ += body.end - body.begin;
      }
      SettleInputs(owner, body, round);
      InferBody(body);
    }
  }
  Visit(context);
}

// Discards the diagnostics of a body that never runs.
void Inference::InferBody(const BodyRange& body) {
  const Mark mark = Now();
  Sweep(body.begin, body.end);
  const auto trips = facts_.trips.find(body.body);
  if (trips != facts_.trips.end() && trips->second.IsConstant(0)) RollBack(mark);
}

// Declared types fill what the first look would not know of the body's inputs.
void Inference::SettleInputs(NodeId owner, const BodyRange& body, int round) {
  for (const ValueId input : graph_.body(body.body).inputs) {
    if (round == 0) ApplyDeclaredType(input);
    ValueFact& fact = facts_.values[input];
    fact.blocked_by = IsTyped(fact) ? NodeId() : BlockerOf(owner);
  }
}

void Inference::Visit(InferContext& context) {
  const NodeId node = context.node();
  if (stats_ != nullptr) ++stats_->looks;
  facts_.refused.erase(node);
  if (facts_.run_time != nullptr) facts_.run_time->taken_within.erase(node);
  const OpRule* rule = FindRule(graph_.domain(node), graph_.op(node));
  if (rule != nullptr) {
    ApplyRule(*rule, context);
  } else if (const CustomRule* custom = FindCustomRule(rules_, graph_, node)) {
    absl::Status status = InferCustom(*custom, context);
    if (status.ok()) status = RefuseNegativeSizes(node);
    if (!status.ok()) ReportFailure(node, status);
  } else {
    NoteUnknownOp(node);
  }
  BoundOutputs(node);
  for (const ValueId output : graph_.outputs(node)) {
    if (!output.valid()) continue;
    ApplyDeclaredType(output);
    RecordCause(node, output);
  }
}

// Runs the rule with the exported sizes replaced by those asked for in its operands.
absl::Status Inference::RunRule(const OpRule& rule, InferContext& context) {
  FillFromRunTime(context, rule.shape_inputs);
  if (follower_ == nullptr) return rule.infer(context);
  const NodeId node = context.node();
  follower_->Prepare(node, &facts_);
  const auto followed = follower_->Follow(node, facts_);
  Known* operand = followed.has_value() ? &facts_.values[graph_.inputs(node)[followed->input]].known : nullptr;
  Known written;
  if (operand != nullptr) written = std::exchange(*operand, followed->contents);
  absl::Status status = rule.infer(context);
  if (!status.ok() && follower_->Widen(node, &facts_)) status = rule.infer(context);
  if (operand != nullptr) *operand = std::move(written);
  return status;
}

void Inference::ApplyRule(const OpRule& rule, InferContext& context) {
  absl::Status status = RunRule(rule, context);
  if (status.ok()) status = RefuseNegativeSizes(context.node());
  if (!status.ok()) return ReportFailure(context.node(), status);
  if (rule.known == nullptr) return;
  if (MayFollow(context)) return rule.known(context);
  if (!unfollowed_.valid()) unfollowed_ = context.node();
}

// Whether the contents of what the node reads and makes are still worth their time.
bool Inference::MayFollow(const InferContext& context) {
  if (followed_ < kMaxFollowedInAll) return true;
  for (const ValueId input : graph_.inputs(context.node())) {
    const Known* known = input.valid() ? &facts_.values[input].known : nullptr;
    if (known != nullptr && *known != nullptr && (*known)->size() > kAlwaysFollowed) return false;
  }
  for (const ValueId output : graph_.outputs(context.node())) {
    if (!output.valid() || !facts_.values[output].type.shape.constant()) continue;
    const Dim elements = facts_.values[output].type.shape.Elements(dims_);
    if (elements.is_constant() && elements.value() > static_cast<int64_t>(kAlwaysFollowed)) return false;
  }
  return true;
}

// Counts what the node read and made, and lets go of what is beyond the bounds.
void Inference::BoundOutputs(NodeId node) {
  const auto count = [&](ValueId value) {
    const Known& known = facts_.values[value].known;
    return known == nullptr ? size_t{0} : known->size();
  };
  for (const ValueId input : graph_.inputs(node)) {
    if (input.valid()) followed_ += static_cast<int64_t>(count(input));
  }
  for (const ValueId output : graph_.outputs(node)) {
    if (!output.valid()) continue;
    ValueFact& fact = facts_.values[output];
    if (fact.type.shape.ranked() && fact.type.shape.rank() > kMaxRank) {
      fact.type.shape = Shape();
      fact.known = nullptr;
    }
    const size_t made = count(output);
    followed_ += static_cast<int64_t>(made);
    if (followed_ <= kMaxFollowedInAll || made <= kAlwaysFollowed) continue;
    fact.known = nullptr;
    if (!unfollowed_.valid()) unfollowed_ = node;
  }
}

// A rule that subtracts sizes gets a negative one from operands that no runtime takes.
absl::Status Inference::RefuseNegativeSizes(NodeId node) {
  absl::Status status;
  for (const ValueId output : graph_.outputs(node)) {
    if (!output.valid()) continue;
    Shape& shape = facts_.values[output].type.shape;
    for (int axis = 0; shape.ranked() && axis < shape.rank(); ++axis) {
      const Dim dim = shape.dim(axis);
      if (!dim.is_constant() || dim.value() >= 0) continue;
      status = absl::InvalidArgumentError(
          absl::StrCat("axis ", axis, " of ", std::string(graph_.name(output)), " would have the size ", dim.value()));
      shape.set_dim(axis, Dim::Unknown());
    }
  }
  return status;
}

void Inference::ReportFailure(NodeId node, const absl::Status& status) {
  facts_.refused.insert(node);
  diagnostics_.push_back({.code = Code::kInferFailed,
                          .message = absl::StrCat(graph_.op(node), ": ", std::string(status.message())),
                          .remedy = "check the shapes of the node's inputs",
                          .node = graph_.Label(node)});
}

// The file's declared type with the caller's bindings applied.
Type Inference::DeclaredType(const Type& declared) {
  Type type = declared;
  if (type.shape.ranked()) {
    for (int axis = 0; axis < type.shape.rank(); ++axis) {
      const Dim dim = dims_.Substitute(type.shape.dim(axis), bound_.symbols);
      type.shape.set_dim(axis, dim.is_constant() && dim.value() < 0 ? Dim::Unknown() : dim);
    }
  }
  return type;
}

void Inference::ApplyDeclaredType(ValueId value) {
  const Type* written = graph_.declared(value);
  if (written == nullptr || bound_.overrides_static) return;
  const Type declared = DeclaredType(*written);
  Type& type = facts_.values[value].type;
  if (type.kind == ValueKind::kUnknown) {
    type = declared;
    return;
  }
  if (type.kind != declared.kind) return;
  if (!type.is_tensor()) return ApplyDeclaredContainer(declared, type);
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

// What files declare of elements is often the shape of the first one, so only what they hold is taken.
void Inference::ApplyDeclaredContainer(const Type& declared, Type& type) {
  if (type.elem != ElemType::kUndefined) return;
  type.inner = declared.inner;
  type.elem = declared.elem;
  type.shape = declared.shape;
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

void Inference::RecordCause(NodeId node, ValueId output) {
  ValueFact& fact = facts_.values[output];
  if (IsTyped(fact)) return;
  fact.blocked_by = BlockerOf(node);
}

// The node that blocks an input or a body of `node`, else the node itself.
NodeId Inference::BlockerOf(NodeId node) const {
  const auto first = [&](absl::Span<const ValueId> values) {
    for (const ValueId value : values) {
      if (value.valid() && facts_.values[value].blocked_by.valid()) return facts_.values[value].blocked_by;
    }
    return NodeId();
  };
  NodeId blocker = first(graph_.inputs(node));
  for (const Attribute& attribute : graph_.attributes(node)) {
    for (const GraphId body : attribute.graphs) {
      if (!blocker.valid()) blocker = first(graph_.body(body).outputs);
    }
  }
  return blocker.valid() ? blocker : node;
}

void Inference::NoteUnknownOp(NodeId node) {
  if (unknown_ops_.insert({graph_.node(node).domain, graph_.node(node).op}).second) unknown_nodes_.push_back(node);
}

void Inference::ReportUnknownOps() {
  for (const NodeId node : unknown_nodes_) {
    const absl::string_view domain = graph_.domain(node);
    diagnostics_.push_back(
        {.code = Code::kUnknownOp,
         .message = absl::StrCat("no rule for ", domain.empty() ? "ai.onnx" : domain, "::", graph_.op(node),
                                 "; its shape is taken from the file, its cost is unknown"),
         .remedy = "give its shape and cost with --op-rules FILE; the coverage line lists every node it touches",
         .node = graph_.Label(node),
         .options = {{"--op-rules", {"FILE"}}}});
  }
}

void Inference::ReportNewerOpset() {
  for (const OpsetImport& import : graph_.info().opsets) {
    const absl::string_view domain = graph_.str(import.domain);
    if ((!domain.empty() && domain != "ai.onnx") || import.version <= NewestOpset()) continue;
    diagnostics_.push_back(
        {.code = Code::kOpsetNewer,
         .message = absl::StrCat("the model imports ai.onnx ", import.version, "; rules are known up to ",
                                 NewestOpset(), " and the newest ones are used"),
         .remedy = "look for a newer release of this tool"});
    return;
  }
}

// Runtimes take a 0 at its word, some exporters write it for a size that is open.
void Inference::ReportEmptyInput() {
  const std::vector<ValueId>& inputs = graph_.main().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Type& type = bound_.inputs[i];
    for (int axis = 0; type.is_tensor() && type.shape.ranked() && axis < type.shape.rank(); ++axis) {
      if (!type.shape.dim(axis).IsConstant(0)) continue;
      const std::string name(graph_.name(inputs[i]));
      const NamedOption size("--dim", {absl::StrCat(name, ".", axis, "=1")});
      diagnostics_.push_back(
          {.code = Code::kAssumed,
           .message = absl::StrCat("input '", name, "' ", ToString(type.shape, dims_),
                                   " holds nothing; where its 0 stands for an open size, set it: ", size.text()),
           .remedy = "",
           .value = name,
           .options = {size}});
      return;
    }
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

// One note, at the first of the nodes whose range might cross the end of its axis.
void Inference::ReportTakenWithin() {
  if (facts_.run_time == nullptr) return;
  std::vector<NodeId> nodes;
  for (const NodeId node : facts_.run_time->taken_within) {
    if (!IsDead(graph_, facts_, node)) nodes.push_back(node);
  }
  if (nodes.empty()) return;
  std::sort(nodes.begin(), nodes.end());
  const size_t more = nodes.size() - 1;
  const std::string others = more == 0 ? "" : absl::StrCat(", and so are those of ", more, " other nodes");
  diagnostics_.push_back({.code = Code::kAssumed,
                          .message = absl::StrCat(
                              "only run time knows where the range starts; it is taken to lie within its axis", others),
                          .remedy = "state the contents of the input that it depends on with --value",
                          .node = graph_.Label(nodes.front()),
                          .options = {"--value"}});
}

void Inference::ReportUnfollowed() {
  if (!unfollowed_.valid()) return;
  diagnostics_.push_back({.code = Code::kAssumed,
                          .message = absl::StrCat("contents of ", kMaxFollowedInAll,
                                                  " elements were followed; from here on contents of more than ",
                                                  kAlwaysFollowed, " elements, and sizes made of them, are unknown"),
                          .remedy = "",
                          .node = graph_.Label(unfollowed_)});
}

}  // namespace

bool IsTyped(const ValueFact& fact) {
  const Type& type = fact.type;
  if (type.kind == ValueKind::kUnknown) return false;
  if (type.kind != ValueKind::kTensor) return true;
  return type.elem != ElemType::kUndefined && type.shape.known();
}

Facts Infer(const Graph& graph, const BoundInputs& bound, DimPool& dims, std::vector<Diagnostic>& diagnostics,
            const InferOptions& options) {
  return Inference(graph, bound, dims, diagnostics, options).Run();
}

}  // namespace hwest

#include "fuse/matcher.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace hwest {
namespace {

// Bounds on one attempt, so that no graph makes matching more than linear.
constexpr int kMaxSteps = 4000;
constexpr int kMaxPassed = 16;

// Parts of this fusion are folded into the weights of the node they follow.
constexpr absl::string_view kFoldedPick = "conv_bn";

void BindOps(const Graph& graph, const OpNames& present, absl::Span<const OpName> names,
             absl::InlinedVector<OpKey, 2>* keys) {
  for (const OpName& name : names) {
    if (!present.MayHave(name.op)) continue;
    const StrId op = graph.FindStr(name.op);
    if (!op.valid()) continue;
    const StrId domain = graph.FindStr(name.domain == "ai.onnx" ? "" : name.domain);
    if (!domain.valid()) continue;
    const OpRule* rule = FindRule(name.domain, name.op);
    keys->push_back({domain, op, rule != nullptr && (rule->traits & trait::kCommutes) != 0});
  }
}

uint8_t OpBit(StrId op) { return static_cast<uint8_t>(op.index() % 64); }

CompiledRow::Ops OpsOf(absl::Span<const OpKey> keys) {
  CompiledRow::Ops ops = 0;
  for (const OpKey& key : keys) ops |= CompiledRow::Ops{1} << OpBit(key.op);
  return ops;
}

// Fills `starts` of the expression and of all below it.
CompiledRow::Ops FindStarts(CompiledRow& row, uint16_t index) {
  const Expr& expr = row.pattern->exprs[index];
  CompiledRow::Part& part = row.parts[index];
  const bool is_any = expr.kind == ExprKind::kLeaf || expr.kind == ExprKind::kNumber;
  CompiledRow::Ops starts = is_any ? CompiledRow::kAnything : OpsOf(part.through);
  part.own = OpsOf(part.ops);
  if (expr.kind == ExprKind::kOp && part.enabled) starts |= part.own;
  for (size_t i = 0; i < expr.args.size(); ++i) {
    const CompiledRow::Ops of_arg = FindStarts(row, expr.args[i]);
    if (expr.kind == ExprKind::kEither || (expr.optional && i == 0)) starts |= of_arg;
  }
  return part.starts = starts;
}

// The operators that can end a match, as often as the expression names them.
void CollectRoots(const CompiledRow& row, uint16_t index, std::vector<OpKey>* roots) {
  const Expr& expr = row.pattern->exprs[index];
  const CompiledRow::Part& part = row.parts[index];
  if (expr.kind == ExprKind::kEither) {
    for (const uint16_t arg : expr.args) CollectRoots(row, arg, roots);
  }
  if (expr.kind != ExprKind::kOp) return;
  if (part.enabled) roots->insert(roots->end(), part.ops.begin(), part.ops.end());
  if (expr.optional) CollectRoots(row, expr.args[0], roots);
}

}  // namespace

OpNames::OpNames(const Graph& graph) {
  StrId last;
  for (const Node& node : graph.nodes()) {
    if (node.op == last) continue;
    last = node.op;
    Add(graph.str(node.op));
  }
}

bool OpNames::MayHaveAny(absl::string_view ops) const {
  if (ops.empty()) return true;
  while (!ops.empty()) {
    const size_t end = std::min(ops.find(' '), ops.size());
    if (MayHave(ops.substr(0, end))) return true;
    ops.remove_prefix(std::min(end + 1, ops.size()));
  }
  return false;
}

CompiledRow CompileRow(const PatternRow& row, const Pattern& pattern, const Graph& graph, const OpNames& names,
                       absl::Span<const std::string> picks) {
  CompiledRow compiled;
  compiled.row = &row;
  compiled.pattern = &pattern;
  compiled.parts.reserve(pattern.exprs.size());
  for (const Expr& expr : pattern.exprs) {
    CompiledRow::Part part;
    BindOps(graph, names, expr.ops, &part.ops);
    BindOps(graph, names, expr.through, &part.through);
    part.enabled = expr.pick.empty() || std::find(picks.begin(), picks.end(), expr.pick) != picks.end();
    part.folded = expr.pick == kFoldedPick;
    compiled.parts.push_back(std::move(part));
  }
  FindStarts(compiled, pattern.root);
  CollectRoots(compiled, pattern.root, &compiled.roots);
  const auto& slots = pattern.slots;
  const auto core = std::find(slots.begin(), slots.end(), "core");
  if (core != slots.end()) compiled.core_slot = static_cast<int32_t>(core - slots.begin());
  return compiled;
}

Matcher::Matcher(const GuardContext& context, QdqMode qdq, OfConstants of_constants)
    : context_(context),
      passed_kernels_(qdq == QdqMode::kKept ? 0 : trait::kQuantizes | trait::kDequantizes),
      of_constants_(of_constants),
      stamp_of_(context.graph.nodes().size(), 0) {
  const IdMap<NodeId, Traits> traits = TraitsOfNodes(context.graph);
  rows_.reserve(traits.size());
  for (uint32_t n = 0; n < traits.size(); ++n) rows_.push_back(RowOf(NodeId(n), traits[NodeId(n)]));
}

Matcher::Matcher(const GuardContext& context, const Matcher& like)
    : context_(context),
      passed_kernels_(like.passed_kernels_),
      of_constants_(like.of_constants_),
      rows_(like.rows_),
      stamp_of_(context.graph.nodes().size(), 0) {}

Matcher::NodeRow Matcher::RowOf(NodeId node, Traits traits) const {
  const NodeClass node_class = context_.classes[node];
  const bool runs = node_class == NodeClass::kCompute || node_class == NodeClass::kLayout ||
                    node_class == NodeClass::kView ||
                    (node_class == NodeClass::kConstant && of_constants_ == OfConstants::kYes);
  const auto inputs = context_.graph.inputs(node);
  return {.traits = traits,
          .op_bit = OpBit(context_.graph.node(node).op),
          .joins = runs && !inputs.empty() && inputs[0].valid(),
          .is_passed = FindPassed(node, traits)};
}

bool Matcher::FindPassed(NodeId node, Traits traits) const {
  const NodeClass node_class = context_.classes[node];
  if (node_class == NodeClass::kView) return (traits & trait::kPassesThrough) != 0;
  return node_class != NodeClass::kConstant && node_class != NodeClass::kDead && (traits & passed_kernels_) != 0;
}

void Matcher::Update(NodeId node) {
  const OpRule* rule = RuleOf(context_.graph, node);
  rows_[node] = RowOf(node, rule == nullptr ? 0 : rule->traits);
}

bool Matcher::Read(const CompiledRow& row, NodeId root, Match* match, std::vector<ValueId>* values) {
  if (none_taken_.empty()) none_taken_.assign(rows_.size(), 0);
  read_ = values;
  const bool found = Find(row, root, none_taken_, match);
  read_ = nullptr;
  return found;
}

bool Matcher::Find(const CompiledRow& row, NodeId root, const std::vector<uint8_t>& taken, Match* match,
                   Obstacle* obstacle) {
  row_ = &row;
  taken_ = &taken;
  match_ = match;
  obstacle_ = obstacle;
  root_ = root;
  graph_id_ = context_.graph.node(root).graph;
  steps_ = 0;
  goals_.clear();
  members_.clear();
  leaves_.clear();
  outputs_.clear();
  if (!excuse_.guard.empty()) excuse_ = Obstacle();
  bindings_.assign(row.pattern->slots.size(), ValueId());
  const auto outputs = context_.graph.outputs(root);
  if (outputs.empty() || !outputs[0].valid()) return false;
  goals_.push_back({row.pattern->root, outputs[0], false});
  return Solve();
}

// False where the operator before the value alone shows that the expression does not match it.
bool Matcher::CanStart(uint16_t expr, ValueId value) const {
  const CompiledRow::Ops starts = row_->parts[expr].starts;
  return starts == CompiledRow::kAnything || CanCome(value, starts);
}

// False where no operator of `from` makes the value, nodes to look through aside.
bool Matcher::CanCome(ValueId value, CompiledRow::Ops from) const {
  const NodeId node = context_.graph.value(value).producer;
  return CanJoin(node) && (rows_[node].is_passed || (from >> rows_[node].op_bit & 1u) != 0);
}

bool Matcher::Solve() {
  if (++steps_ > kMaxSteps) return false;
  if (goals_.empty()) return Accept();
  const Goal goal = goals_.back();
  goals_.pop_back();
  if (Try(goal)) return true;
  goals_.push_back(goal);
  return false;
}

bool Matcher::Try(const Goal& goal) {
  const Expr& expr = row_->pattern->exprs[goal.expr];
  if (expr.slot < 0 || goal.is_named) {
    return (!expr.through.empty() && TryThrough(goal)) || TryTerm(goal);
  }
  ValueId& bound = bindings_[static_cast<size_t>(expr.slot)];
  const ValueId value = Resolve(goal.value);
  if (bound.valid() && bound != value) return false;
  const ValueId before = bound;
  bound = value;
  const size_t num_outputs = outputs_.size();
  if (expr.is_output) outputs_.push_back(value);
  if ((!expr.through.empty() && TryThrough(goal)) || TryTerm(goal)) return true;
  bindings_[static_cast<size_t>(expr.slot)] = before;
  outputs_.resize(num_outputs);
  return false;
}

// Steps over one layout node and tries the same expression before it.
bool Matcher::TryThrough(const Goal& goal) {
  const size_t num_members = members_.size();
  ValueId value = goal.value;
  for (int hop = 0; hop < kMaxPassed; ++hop) {
    const NodeId node = context_.graph.value(value).producer;
    if (!CanJoin(node) || context_.graph.outputs(node)[0] != value) break;
    const bool is_layout = Has(row_->parts[goal.expr].through, node, nullptr);
    if (!is_layout && !IsPassed(node)) break;
    members_.push_back({node, false});
    value = context_.graph.inputs(node)[0];
    if (!is_layout) continue;
    goals_.push_back({goal.expr, value, true});
    if (Solve()) return true;
    goals_.pop_back();
    break;
  }
  members_.resize(num_members);
  return false;
}

bool Matcher::TryTerm(const Goal& goal) {
  const Expr& expr = row_->pattern->exprs[goal.expr];
  switch (expr.kind) {
    case ExprKind::kNumber: return TryNumber(expr.number, goal.value);
    case ExprKind::kLeaf: return TryLeaf(expr, goal.value);
    case ExprKind::kEither:
      for (const uint16_t arg : expr.args) {
        if (!CanStart(arg, goal.value)) continue;
        goals_.push_back({arg, goal.value, false});
        if (Solve()) return true;
        goals_.pop_back();
      }
      return false;
    case ExprKind::kOp:
      if (row_->parts[goal.expr].enabled && CanCome(goal.value, row_->parts[goal.expr].own) &&
          TryOp(goal.expr, goal.value)) {
        return true;
      }
      if (!expr.optional || !CanStart(expr.args[0], goal.value)) return false;
      goals_.push_back({expr.args[0], goal.value, false});
      if (Solve()) return true;
      goals_.pop_back();
      return false;
  }
  return false;
}

bool Matcher::TryNumber(double number, ValueId value) {
  if (EqualsNumber(context_, value, number)) return Solve();
  if (!IsConst(context_, value) || !Excuse(context_.graph.value(value).producer, "constant",
                                           absl::StrCat("the value ", number), "use that value", value)) {
    return false;
  }
  if (Solve()) return true;
  excuse_.guard.clear();
  return false;
}

template <class Place>
bool Matcher::Holds(bool (*const& guard)(const GuardContext&, Place), Place at) {
  const bool holds = guard(context_, at);
  if (context_.asked != nullptr) {
    GuardContext again = context_;
    again.asked = nullptr;
    const auto ask = [again, guard, at] { return guard(again, at) ? 1 : 0; };
    context_.asked->Add(static_cast<const void*>(&guard), at.index(), ask, holds ? 1 : 0);
  }
  return holds;
}

bool Matcher::TryLeaf(const Expr& expr, ValueId value) {
  const bool was_excused = !excuse_.guard.empty();
  bool holds = true;
  for (const Guard* guard : expr.guards) {
    holds = holds && (Holds(guard->value, value) ||
                      Excuse(context_.graph.value(value).producer, guard->name, guard->needed, guard->edit, value));
  }
  if (holds) {
    leaves_.push_back(value);
    if (Solve()) return true;
    leaves_.pop_back();
  }
  if (!was_excused) excuse_.guard.clear();
  return false;
}

bool Matcher::TryOp(uint16_t index, ValueId value) {
  const size_t num_members = members_.size();
  const size_t output = row_->pattern->exprs[index].output;
  for (int hop = 0; hop < kMaxPassed; ++hop) {
    const NodeId node = context_.graph.value(value).producer;
    if (!CanJoin(node)) break;
    const auto outputs = context_.graph.outputs(node);
    if (output < outputs.size() && outputs[output] == value && TryNode(index, node)) return true;
    if (outputs[0] != value || !IsPassed(node)) break;
    members_.push_back({node, false});
    value = context_.graph.inputs(node)[0];
  }
  members_.resize(num_members);
  return false;
}

bool Matcher::TryNode(uint16_t index, NodeId node) {
  const Expr& expr = row_->pattern->exprs[index];
  bool commutes = false;
  if (!Has(row_->parts[index].ops, node, &commutes)) return false;
  const bool was_excused = !excuse_.guard.empty();
  bool holds = true;
  for (const Guard* guard : expr.guards) {
    holds = holds && (Holds(guard->node, node) ||
                      Excuse(node, guard->name, guard->needed, guard->edit, context_.graph.outputs(node)[0]));
  }
  if (holds && TryArgs(index, node, commutes)) return true;
  if (!was_excused) excuse_.guard.clear();
  return false;
}

bool Matcher::TryArgs(uint16_t index, NodeId node, bool commutes) {
  const Expr& expr = row_->pattern->exprs[index];
  const auto inputs = context_.graph.inputs(node);
  const bool is_pair = commutes && expr.args.size() == 2;
  if (is_pair && inputs.size() != 2) return false;
  members_.push_back({node, row_->parts[index].folded, true});
  const bool two_ways = is_pair && inputs[0] != inputs[1];
  const bool later_first = row_->row != nullptr && row_->row->later_first;
  const bool second_first = two_ways && later_first && IsMadeLater(inputs[1], inputs[0]);
  for (int turn = 0; turn < (two_ways ? 2 : 1); ++turn) {
    const size_t num_goals = goals_.size();
    if (PushArgs(expr, node, (turn == 1) != second_first) && Solve()) return true;
    goals_.resize(num_goals);
  }
  members_.pop_back();
  return false;
}

// Of two values that could both be computed together with their sum, that is the later one: the other is there by then.
// Longer branches are begun first, so a short one ends last; of two as long that which the file has first.
bool Matcher::IsMadeLater(ValueId value, ValueId other) {
  if (!value.valid() || !other.valid()) return false;
  const NodeId node = context_.graph.value(value).producer, before = context_.graph.value(other).producer;
  if (!node.valid() || !before.valid()) return node.valid();
  const uint32_t depth = DepthOf(value), other_depth = DepthOf(other);
  return depth != other_depth ? depth < other_depth : node < before;
}

uint32_t Matcher::DepthOf(ValueId value) {
  const size_t num_nodes = context_.graph.nodes().size();
  if (depths_.empty()) {
    depths_.resize(num_nodes);
    for (size_t i = 0; i < num_nodes; ++i) {
      uint32_t depth = 0;
      for (const ValueId input : context_.graph.inputs(NodeId(i))) {
        const NodeId maker = input.valid() ? context_.graph.value(input).producer : NodeId();
        if (maker.valid() && maker.index() < i) depth = std::max(depth, depths_[maker.index()]);
      }
      depths_[i] = depth + (IsKernel(NodeId(i)) ? 1 : 0);
    }
  }
  return depths_[context_.graph.value(value).producer.index()];
}

// Pushes the arguments so that the first one is tried first; false when one of them cannot match.
bool Matcher::PushArgs(const Expr& expr, NodeId node, bool swapped) {
  const auto inputs = context_.graph.inputs(node);
  for (size_t i = expr.args.size(); i-- > 0;) {
    const size_t position = swapped ? 1 - i : i;
    const ValueId input = position < inputs.size() ? inputs[position] : ValueId();
    if (input.valid()) {
      if (!CanStart(expr.args[i], input)) return false;
      goals_.push_back({expr.args[i], input, false});
      continue;
    }
    const Expr& arg = row_->pattern->exprs[expr.args[i]];
    if (arg.kind != ExprKind::kLeaf || !arg.optional) return false;
  }
  return true;
}

bool Matcher::CanJoin(NodeId node) const {
  return node.valid() && rows_[node].joins && (*taken_)[node.index()] == 0 &&
         context_.graph.node(node).graph == graph_id_;
}

bool Matcher::Has(absl::Span<const OpKey> keys, NodeId node, bool* commutes) const {
  const Node& row = context_.graph.node(node);
  for (const OpKey& key : keys) {
    if (key.op != row.op || key.domain != row.domain) continue;
    if (commutes != nullptr) *commutes = key.commutes;
    return true;
  }
  return false;
}

// The value that `value` is under another name.
ValueId Matcher::Resolve(ValueId value) const {
  for (int hop = 0; hop < kMaxPassed; ++hop) {
    const NodeId node = context_.graph.value(value).producer;
    if (!node.valid() || !IsPassed(node) || context_.graph.outputs(node)[0] != value) break;
    const auto inputs = context_.graph.inputs(node);
    if (inputs.empty() || !inputs[0].valid()) break;
    value = inputs[0];
  }
  return value;
}

bool Matcher::IsKernel(NodeId node) const {
  return context_.classes[node] == NodeClass::kCompute || context_.classes[node] == NodeClass::kLayout;
}

}  // namespace hwest

// ai.onnx.preview.training: optimiser steps and gradients.
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"

namespace hwest {
namespace {

// Inputs of an optimiser: R, T, then n tensors X, n gradients G, and n of each state; outputs: n new X, n of each new
// state.
template <int kStates>
absl::StatusOr<int> Parameters(const OpView& op) {
  const int tensors = op.num_inputs() - 2;
  constexpr int kKinds = 2 + kStates;
  HWEST_RETURN_IF_ERROR(RequireInputs(op, op.num_inputs() < 2 ? 2 : op.num_inputs()));
  if (tensors <= 0 || tensors % kKinds != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(op.op(), " expects ", kKinds, " tensors for each parameter, found ", tensors, " in all"));
  }
  return tensors / kKinds;
}

// New values have the types of the old ones.
template <int kStates>
absl::Status InferOptimizer(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const int parameters, Parameters<kStates>(ctx));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0, 1));
  for (int i = 2; i < ctx.num_inputs(); ++i) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 0));
  for (int i = 0; i < parameters * (1 + kStates); ++i) {
    const bool is_state = i >= parameters;  // past the gradients
    ctx.set_out(i, ctx.in(2 + i + (is_state ? parameters : 0)));
  }
  return absl::OkStatus();
}

// Ten operations a parameter: regularisation, new states, the step.
template <int kStates>
absl::StatusOr<Work> WorkOptimizer(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const int parameters, Parameters<kStates>(op));
  constexpr PerElement kPlain = {.add = 5, .mul = 5};
  constexpr PerElement kWithRoot = {.add = 4, .mul = 5, .transcendental = 1};
  Work work;
  for (int i = 0; i < parameters; ++i) {
    AddOps(op.dims(), work, InElements(op, 2 + i), op.op() == "Momentum" ? kPlain : kWithRoot);
  }
  return work;
}

// Inputs: the tensors that xs, then zs name; output i is the gradient with respect to input i.
absl::Status InferGradient(InferContext& ctx) {
  const int variables = static_cast<int>(ctx.strings("xs").size());
  const int inputs = variables + static_cast<int>(ctx.strings("zs").size());
  if (variables == 0 || !ctx.has_attr("y")) return absl::InvalidArgumentError("Gradient expects xs and y");
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, inputs));
  for (int i = 0; i < variables && i < ctx.num_outputs(); ++i) ctx.set_out(i, ctx.in(i));
  return absl::OkStatus();
}

// Every Gradient walks the nodes of its graph, so in larger graphs its work stays unknown.
constexpr size_t kMaxNodes = 10000;

// The value of `name` that a node of the same graph makes; none when there is none.
ValueId FindValue(const OpView& op, absl::string_view name) {
  const StrId wanted = op.graph().FindStr(name);
  const Body& body = op.graph().body(op.graph().node(op.node()).graph);
  if (!wanted.valid() || body.nodes.size() > kMaxNodes) return ValueId();
  for (const NodeId node : body.nodes) {
    for (const ValueId value : op.graph().outputs(node)) {
      if (value.valid() && op.graph().value(value).name == wanted) return value;
    }
  }
  return ValueId();
}

// Nodes between the named variables and `y`.
std::vector<NodeId> NodesBehind(const OpView& op, ValueId y) {
  absl::flat_hash_set<absl::string_view> stops;
  for (const absl::string_view attr : {"xs", "zs"}) {
    for (const StrId name : op.strings(attr)) stops.insert(op.graph().str(name));
  }
  std::vector<ValueId> open = {y};
  std::vector<NodeId> nodes;
  absl::flat_hash_set<NodeId> met;
  while (!open.empty()) {
    const ValueId value = open.back();
    open.pop_back();
    const NodeId producer = op.graph().value(value).producer;
    if (stops.contains(op.graph().name(value)) || !producer.valid() || !met.insert(producer).second) continue;
    nodes.push_back(producer);
    for (const ValueId input : op.graph().inputs(producer)) {
      if (input.valid()) open.push_back(input);
    }
  }
  return nodes;
}

// Twice the work of the function it differentiates.
absl::StatusOr<Work> WorkGradient(const OpView& op) {
  DimPool& dims = op.dims();
  const ValueId y = FindValue(op, op.attr("y", absl::string_view()));
  Work work;
  work.macs = y.valid() ? Dim(0) : Dim::Unknown();
  for (const NodeId node : y.valid() ? NodesBehind(op, y) : std::vector<NodeId>()) {
    const OpView forward = op.at(node);
    const OpRule* rule = FindRule(forward.domain(), forward.op());
    if (rule == nullptr || rule->op_class == OpClass::kControl || rule->infer == InferGradient) {
      work.macs = Dim::Unknown();
      break;
    }
    if (rule->work == nullptr) continue;
    HWEST_ASSIGN_OR_RETURN(const Work part, rule->work(forward));
    work.macs = dims.Add(work.macs, dims.Mul(part.macs, 2));
    work.int_macs = dims.Add(work.int_macs, dims.Mul(part.int_macs, 2));
    for (size_t kind = 0; kind < work.ops.size(); ++kind) {
      work.ops[kind] = dims.Add(work.ops[kind], dims.Mul(part.ops[kind], 2));
    }
  }
  return work;
}

constexpr absl::string_view kDomain = "ai.onnx.preview.training";

template <int kStates>
constexpr OpRule Optimizer(absl::string_view op) {
  // clang-format off
  return {.domain = kDomain, .op = op, .versions = "1", .infer = InferOptimizer<kStates>, .known = nullptr,
          .work = WorkOptimizer<kStates>, .op_class = OpClass::kCompute};
  // clang-format on
}

constexpr OpRule kTrainingRules[] = {
    Optimizer<1>("Adagrad"),
    Optimizer<2>("Adam"),
    {.domain = kDomain, .op = "Gradient", .versions = "1", .infer = InferGradient, .work = WorkGradient},
    Optimizer<1>("Momentum"),
};

}  // namespace

absl::Span<const OpRule> TrainingRules() { return kTrainingRules; }

}  // namespace hwest

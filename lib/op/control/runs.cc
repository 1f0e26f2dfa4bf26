// Follows a Loop run by run while its contents are known.
#include <algorithm>
#include <memory>
#include <utility>

#include "op/control/loop.h"

namespace hwest {
namespace {

constexpr int64_t kMaxRuns = 32;

bool IsOpen(Dim dim, Dim initial, const OpView& op) {
  if (dim.is_unknown()) return !initial.is_unknown();
  const SymbolId symbol = op.dims().AsSymbol(dim);
  return symbol.valid() && op.dims().symbol(symbol).name.rfind("carry", 0) == 0 && !(dim == initial);
}

// True when the rule that holds in every run knows less than the first run does.
bool LosesShape(const OpView& op, const Shape& initial, const Shape& rule) {
  if (!rule.ranked() || !initial.ranked() || rule.rank() != initial.rank()) return rule.ranked() != initial.ranked();
  for (int axis = 0; axis < rule.rank(); ++axis) {
    if (IsOpen(rule.dim(axis), initial.dim(axis), op)) return true;
  }
  return false;
}

bool LosesContents(const Known& initial, const Known& rule) {
  if (initial == nullptr) return false;
  if (rule == nullptr || rule->size() != initial->size()) return true;
  for (size_t k = 0; k < initial->size(); ++k) {
    if ((*rule)[k].is_unknown() && !(*initial)[k].is_unknown()) return true;
  }
  return false;
}

bool Loses(const OpView& op, const State& initial, const State& rule) {
  if (rule.type.kind != initial.type.kind || rule.type.presence != initial.type.presence) return true;
  if (initial.elements != nullptr && rule.elements == nullptr) return true;
  return LosesShape(op, initial.type.shape, rule.type.shape) || LosesContents(initial.known, rule.known);
}

// Sizes that all runs give alike, behind the number of runs.
Type StackedType(const std::vector<State>& runs) {
  Type each = runs.front().type;
  for (const State& run : runs) JoinElement(each, run.type);
  if (!each.shape.ranked()) return each;
  Shape::Dims dims = {static_cast<int64_t>(runs.size())};
  dims.insert(dims.end(), each.shape.dims().begin(), each.shape.dims().end());
  each.shape = Shape(std::move(dims));
  return each;
}

Known StackedContents(const std::vector<State>& runs) {
  std::vector<Scalar> all;
  for (const State& run : runs) {
    if (run.known == nullptr || all.size() + run.known->size() > static_cast<size_t>(kMaxKnownElements)) return nullptr;
    all.insert(all.end(), run.known->begin(), run.known->end());
  }
  return std::make_shared<const std::vector<Scalar>>(std::move(all));
}

// What the body was given for every run, once more: the facts of its values hold in all of them.
void BackToEveryRun(InferContext& ctx, const LoopParts& parts) {
  FollowMemory& memory = *ctx.memory();
  SetCounters(ctx, parts, memory.iter);
  for (size_t i = 0; i < parts.carried.size(); ++i) SetState(ctx, parts.carried[i].in, memory.general[i]);
  if (memory.state == FollowMemory::State::kDone) SetRuns(ctx, parts, memory.iter, memory.run);
}

// Keeps what the run gives; false when that is not the same each time the run is looked at.
bool KeepRun(InferContext& ctx, const LoopParts& parts) {
  FollowMemory& memory = *ctx.memory();
  for (size_t i = 0; i < parts.carried.size(); ++i) memory.carried[i] = StateOf(ctx, parts.carried[i].out);
  for (size_t i = 0; i < parts.scans.size(); ++i) memory.scans[i].push_back(StateOf(ctx, parts.scans[i]));
  ++memory.run;
  const auto varies = [&](const State& state) { return IsMadeInRun(ctx, state); };
  return std::none_of(memory.carried.begin(), memory.carried.end(), varies) &&
         std::none_of(memory.scans.begin(), memory.scans.end(),
                      [&](const std::vector<State>& runs) { return varies(runs.back()); });
}

}  // namespace

bool WantsRuns(InferContext& ctx, const LoopParts& parts, Dim trips) {
  const Dim limit = LimitOf(ctx);
  const bool first = !ctx.has_input(1) || TruthOf(ctx, ctx.input(1)) == true;
  const bool open_limit = ctx.has_input(0) && NumberOf(ctx, ctx.input(0)).is_unknown();
  if (!first || open_limit || (!limit.is_unknown() && !limit.is_constant())) return false;
  const Dim most = trips.is_constant() ? trips : limit;
  if (most.is_constant() && (most.value() < 2 || most.value() > kMaxRuns)) return false;
  if (!trips.is_constant()) return true;
  return std::any_of(parts.carried.begin(), parts.carried.end(),
                     [&](const Carried& value) { return Loses(ctx, value.initial, StateOf(ctx, value.in)); });
}

void StartRuns(InferContext& ctx, const LoopParts& parts, Dim iter) {
  auto memory = std::make_shared<FollowMemory>();
  memory->iter = iter;
  memory->scans.resize(parts.scans.size());
  for (const Carried& value : parts.carried) {
    memory->general.push_back(StateOf(ctx, value.in));
    memory->carried.push_back(value.initial);
    SetState(ctx, value.in, value.initial);
  }
  ctx.memory() = std::move(memory);
  SetCounters(ctx, parts, 0);
}

bool NextRun(InferContext& ctx, const LoopParts& parts, Effort effort) {
  FollowMemory& memory = *ctx.memory();
  if (memory.state != FollowMemory::State::kRunning) return false;
  const std::optional<bool> again = TruthOf(ctx, parts.condition_out);
  const bool kept = KeepRun(ctx, parts);
  if (!kept) {
    memory.state = FollowMemory::State::kFailed;
  } else if (again == false || LimitOf(ctx).IsConstant(memory.run)) {
    memory.state = FollowMemory::State::kDone;
  } else if (!again.has_value() || memory.run >= kMaxRuns || effort != Effort::kFull) {
    memory.state = FollowMemory::State::kFailed;
  } else {
    for (size_t i = 0; i < parts.carried.size(); ++i) SetState(ctx, parts.carried[i].in, memory.carried[i]);
    SetCounters(ctx, parts, memory.run);
    return true;
  }
  BackToEveryRun(ctx, parts);
  return true;
}

void SetFromRuns(InferContext& ctx, const LoopParts& parts) {
  const FollowMemory& memory = *ctx.memory();
  const int carried = static_cast<int>(parts.carried.size());
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    if (i < carried) {
      SetOutput(ctx, i, memory.carried[static_cast<size_t>(i)]);
      continue;
    }
    const std::vector<State>& runs = memory.scans[static_cast<size_t>(i - carried)];
    if (!runs.front().type.is_tensor()) continue;
    ctx.set_out(i, StackedType(runs));
    ctx.set_known(i, StackedContents(runs));
  }
}

}  // namespace hwest

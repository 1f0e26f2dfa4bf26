// Loop: a body run while a count and a condition last.
#include "op/control/loop.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/body.h"
#include "op/check.h"
#include "op/control/rules.h"
#include "op/known.h"
#include "op/typical_size.h"

namespace hwest {
namespace {

// A limit from here on is no limit: exporters write the greatest integer for "while".
constexpr int64_t kNoLimit = INT32_MAX;
// Contents of scan outputs are followed for loops of up to so many runs.
constexpr int64_t kMaxFollowedRuns = 1024;

}  // namespace

absl::StatusOr<LoopParts> ReadLoop(const OpView& op) {
  LoopParts parts;
  parts.id = FindBody(op, "body");
  if (!parts.id.valid()) return absl::InvalidArgumentError("Loop expects a body");
  const Body& body = op.graph().body(parts.id);
  const size_t carried = static_cast<size_t>(std::max(0, op.num_inputs() - 2));
  const size_t outputs = static_cast<size_t>(op.num_outputs());
  if (body.inputs.size() < carried + 2 || body.outputs.size() < std::max(carried, outputs) + 1) {
    return absl::InvalidArgumentError(absl::StrCat("Loop expects a body for ", carried, " carried values and ", outputs,
                                                   " outputs, found one with ", body.inputs.size(), " inputs and ",
                                                   body.outputs.size(), " outputs"));
  }
  parts.iter = body.inputs[0];
  parts.condition_in = body.inputs[1];
  parts.condition_out = body.outputs[0];
  for (size_t i = 0; i < carried; ++i) {
    const int input = static_cast<int>(i) + 2;
    parts.carried.push_back(
        {StateOf(op, op.has_input(input) ? op.input(input) : ValueId()), body.inputs[i + 2], body.outputs[i + 1]});
  }
  parts.scans.assign(body.outputs.begin() + static_cast<ptrdiff_t>(carried) + 1, body.outputs.end());
  return parts;
}

Dim NumberOf(const OpView& op, ValueId value) {
  const Known& known = op.fact(value).known;
  return known != nullptr && known->size() == 1 && known->front().is_int() ? known->front().dim() : Dim::Unknown();
}

Dim LimitOf(const OpView& op) {
  const Dim limit = op.has_input(0) ? NumberOf(op, op.input(0)) : Dim::Unknown();
  if (limit.is_unknown() || (limit.is_constant() && limit.value() >= kNoLimit)) return Dim::Unknown();
  return op.dims().Max(limit, 0);
}

std::optional<bool> TruthOf(const OpView& op, ValueId value) {
  const Dim number = NumberOf(op, value);
  return number.is_unknown() ? std::nullopt : Truth(op.dims(), Scalar::Int(number));
}

namespace {

void SetCounter(InferContext& ctx, ValueId value, ElemType elem, Dim number) {
  const Type* declared = ctx.graph().declared(value);
  const bool listed = declared != nullptr && declared->shape.ranked() && declared->shape.rank() == 1;
  State state;
  state.type = Type::Tensor(elem, listed ? Shape({1}) : Shape::Scalar());
  state.known = std::make_shared<const std::vector<Scalar>>(1, Scalar::Int(number));
  SetState(ctx, value, state);
}

}  // namespace

void SetCounters(InferContext& ctx, const LoopParts& parts, Dim run) {
  SetCounter(ctx, parts.iter, ElemType::kInt64, run);
  SetCounter(ctx, parts.condition_in, ElemType::kBool, 1);
}

void SetRuns(InferContext& ctx, const LoopParts& parts, Dim iter, Dim trips) {
  SetTrips(ctx, parts.id, trips);
  const SymbolId symbol = ctx.dims().AsSymbol(iter);
  if (!symbol.valid()) return;
  Symbol& record = ctx.dims().mutable_symbol(symbol);
  record.max_expr = ctx.dims().Sub(trips, 1);
  const auto max = ctx.dims().BoundsOf(record.max_expr).max;
  record.max = max.has_value() ? std::optional<int64_t>(std::max<int64_t>(0, *max)) : std::nullopt;
  record.typical = ctx.dims().FloorDiv(record.max_expr, 2);
  record.counts_runs = true;
}

namespace {

// Whether a run of the body may be the last one before the limit.
enum class Ends { kEarly, kAtLimit };

Dim FreshTrips(InferContext& ctx, int64_t min, Dim limit, Ends ends) {
  Symbol info;
  info.min = min;
  info.max_expr = limit;
  if (ends == Ends::kEarly || limit.is_unknown()) info.typical = TypicalTrips(ctx.dims(), min, limit);
  return ctx.FreshSize("trips", std::move(info));
}

// How often the body runs, from how its condition comes out.
Dim CountTrips(InferContext& ctx, const LoopParts& parts, Dim iter) {
  DimPool& dims = ctx.dims();
  const Dim limit = LimitOf(ctx);
  const std::optional<bool> first = ctx.has_input(1) ? TruthOf(ctx, ctx.input(1)) : std::optional<bool>(true);
  const std::optional<bool> next = TruthOf(ctx, parts.condition_out);
  if (first == false || limit.IsConstant(0)) return 0;
  const auto within = [&](Dim count) { return limit.is_unknown() ? count : dims.Min(limit, count); };
  const bool at_least_one = first == true && (limit.is_unknown() || dims.LessEqual(1, limit) == Tri::kTrue);
  const bool limit_open = ctx.has_input(0) && limit.is_unknown() && NumberOf(ctx, ctx.input(0)).is_unknown();
  if (next == false) return first == true && !limit_open ? within(1) : FreshTrips(ctx, 0, within(1), Ends::kEarly);
  if (next == true) {
    return first == true && !limit.is_unknown()
               ? limit
               : FreshTrips(ctx, at_least_one && !limit_open ? 1 : 0, limit, Ends::kAtLimit);
  }
  const std::optional<Dim> counted = CountWhile(ctx, parts.condition_out, 1, iter);
  if (counted.has_value() && !limit_open) return within(*counted);
  return FreshTrips(ctx, at_least_one && !limit_open ? 1 : 0, counted.has_value() ? within(*counted) : limit,
                    Ends::kEarly);
}

// All runs one after another, when the contents of each are known.
Known ScanContents(InferContext& ctx, const State& state, const Counter& counter) {
  if (state.known == nullptr || !counter.trips.is_constant() || counter.trips.value() > kMaxFollowedRuns)
    return nullptr;
  const int64_t elements = static_cast<int64_t>(state.known->size());
  if (elements * counter.trips.value() > kMaxKnownElements) return nullptr;
  std::vector<Scalar> all;
  for (int64_t run = 0; run < counter.trips.value(); ++run) {
    const State at = AtRun(ctx.dims(), state, counter.iter, run);
    all.insert(all.end(), at.known->begin(), at.known->end());
  }
  return std::make_shared<const std::vector<Scalar>>(std::move(all));
}

absl::Status SetScan(InferContext& ctx, int i, ValueId out, const Counter& counter) {
  State state = StateOf(ctx, out);
  if (!state.type.is_tensor()) {
    if (state.type.kind == ValueKind::kUnknown) return absl::OkStatus();
    return absl::InvalidArgumentError("Loop stacks tensors only");
  }
  const Type each = InEveryRun(ctx, state.type, counter.iter);
  Shape shape;
  if (each.shape.ranked()) {
    Shape::Dims dims = {counter.trips};
    for (int axis = 0; axis < each.shape.rank(); ++axis) {
      // Every run gives the same size, so one that is only decided at run time is the size of all.
      const Dim dim = AtRun(ctx.dims(), state, counter.iter, 0).type.shape.dim(axis);
      dims.push_back(dim == state.type.shape.dim(axis) ? dim : each.shape.dim(axis));
    }
    shape = Shape(std::move(dims));
  }
  ctx.set_out(i, state.type.elem, std::move(shape));
  ctx.set_known(i, ScanContents(ctx, state, counter));
  return absl::OkStatus();
}

}  // namespace

bool FollowLoop(InferContext& ctx, int round, Effort effort) {
  const auto parts = ReadLoop(ctx);
  if (!parts.ok()) return round == 0;
  if (round == 0) {
    const Dim limit = LimitOf(ctx);
    const bool once = limit.IsConstant(0) || limit.IsConstant(1);
    const Dim last = limit.is_unknown() ? limit : ctx.dims().Sub(limit, 1);
    SetCounters(ctx, *parts, once ? Dim(0) : ctx.FreshSize("iter", 0, last));
    StartCarried(ctx, parts->carried, once ? Effort::kFull : effort);
    return true;
  }
  if (ctx.memory() != nullptr) return NextRun(ctx, *parts, effort);
  const Dim iter = NumberOf(ctx, parts->iter);
  const bool repeats = ctx.dims().AsSymbol(iter).valid() && effort != Effort::kLeast;
  if (repeats && AdvanceCarried(ctx, parts->carried, iter, round, effort)) return true;
  const Dim trips = CountTrips(ctx, *parts, iter);
  SetRuns(ctx, *parts, iter, trips);
  if (!repeats || effort != Effort::kFull || !WantsRuns(ctx, *parts, trips)) return false;
  StartRuns(ctx, *parts, iter);
  return true;
}

absl::Status InferLoop(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0, 1));
  HWEST_ASSIGN_OR_RETURN(const LoopParts parts, ReadLoop(ctx));
  if (ctx.memory() != nullptr && ctx.memory()->state == FollowMemory::State::kDone) {
    SetFromRuns(ctx, parts);
    return absl::OkStatus();
  }
  const Counter counter{NumberOf(ctx, parts.iter), TripsOf(ctx, parts.id)};
  const int carried = static_cast<int>(parts.carried.size());
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    if (i < carried) {
      SetOutput(ctx, i, FinalOf(ctx, parts.carried[static_cast<size_t>(i)], counter));
    } else {
      HWEST_RETURN_IF_ERROR(SetScan(ctx, i, parts.scans[static_cast<size_t>(i - carried)], counter));
    }
  }
  return absl::OkStatus();
}

}  // namespace hwest

// Scan: a body run over slices of its inputs.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/body.h"
#include "op/check.h"
#include "op/control/carried.h"
#include "op/control/rules.h"
#include "op/typical_size.h"

namespace hwest {
namespace {

// Scan of operator set 8 has a batch axis in front of every tensor, and lengths as its first input.
struct ScanParts {
  GraphId id;
  bool batched = false;
  int first = 0;  // input that holds the first state
  int states = 0;
  int scans = 0;  // scanned inputs
  std::vector<ValueId> body_inputs;
  std::vector<ValueId> body_outputs;
};

absl::StatusOr<ScanParts> ReadScan(const OpView& op) {
  ScanParts parts;
  parts.id = FindBody(op, "body");
  const int64_t scans = op.attr("num_scan_inputs", int64_t{0});
  parts.batched = op.opset() > 0 && op.opset() < 9;
  parts.first = parts.batched ? 1 : 0;
  if (!parts.id.valid()) return absl::InvalidArgumentError("Scan expects a body");
  if (scans < 1 || scans > op.num_inputs() - parts.first) {
    return absl::InvalidArgumentError(
        absl::StrCat("Scan expects num_scan_inputs within its ", op.num_inputs(), " inputs, found ", scans));
  }
  parts.scans = static_cast<int>(scans);
  parts.states = op.num_inputs() - parts.first - parts.scans;
  const Body& body = op.graph().body(parts.id);
  parts.body_inputs = body.inputs;
  parts.body_outputs = body.outputs;
  const size_t inputs = static_cast<size_t>(parts.states + parts.scans);
  const size_t outputs = static_cast<size_t>(std::max(parts.states, op.num_outputs()));
  if (body.inputs.size() < inputs || body.outputs.size() < outputs) {
    return absl::InvalidArgumentError(absl::StrCat("Scan expects a body of ", inputs, " inputs and ", outputs,
                                                   " outputs, found ", body.inputs.size(), " and ",
                                                   body.outputs.size()));
  }
  return parts;
}

int64_t EntryOf(const OpView& op, absl::string_view name, int i) {
  const auto list = op.ints(name);
  return static_cast<size_t>(i) < list.size() ? list[static_cast<size_t>(i)] : 0;
}

// The axis that scan input `k` is cut along.
absl::StatusOr<int> AxisOf(const OpView& op, const ScanParts& parts, int k) {
  const Shape& shape = op.in(parts.first + parts.states + k).shape;
  if (parts.batched) {
    HWEST_RETURN_IF_ERROR(RequireRank(op, parts.first + parts.states + k, 2));
    return 1;
  }
  HWEST_RETURN_IF_ERROR(RequireRank(op, parts.first + parts.states + k, 1));
  return NormalizeAxis(EntryOf(op, "scan_input_axes", k), shape.ranked() ? shape.rank() : 1 << 16);
}

Type Without(const Type& type, std::vector<int> axes) {
  Type part = type;
  if (!type.shape.ranked()) return part;
  Shape::Dims dims;
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) dims.push_back(type.shape.dim(axis));
  }
  part.shape = Shape(std::move(dims));
  return part;
}

struct ScanSizes {
  Dim batch = 1;
  Dim length;
};

Dim BetterKnown(Dim a, Dim b) { return a.is_unknown() || (b.is_constant() && !a.is_constant()) ? b : a; }

// Sizes that all scanned inputs share, as far as any tells.
ScanSizes SizesOf(const OpView& op, const ScanParts& parts) {
  ScanSizes sizes;
  if (parts.batched) sizes.batch = Dim::Unknown();
  for (int i = parts.first; i < op.num_inputs(); ++i) {
    const Shape& shape = op.in(i).shape;
    if (!shape.ranked() || shape.rank() == 0) continue;
    if (parts.batched) sizes.batch = BetterKnown(sizes.batch, shape.dim(0));
    const int k = i - parts.first - parts.states;
    if (k < 0) continue;
    const auto axis = AxisOf(op, parts, k);
    if (axis.ok()) sizes.length = BetterKnown(sizes.length, shape.dim(*axis));
  }
  return sizes;
}

std::vector<Carried> CarriedOf(const OpView& op, const ScanParts& parts) {
  std::vector<Carried> carried;
  for (int i = 0; i < parts.states; ++i) {
    const int input = parts.first + i;
    const size_t port = static_cast<size_t>(i);
    State initial = StateOf(op, op.has_input(input) ? op.input(input) : ValueId());
    if (parts.batched) initial = State{Without(initial.type, {0}), nullptr, nullptr};
    carried.push_back({initial, parts.body_inputs[port], parts.body_outputs[port]});
  }
  return carried;
}

// Adds the scanned axis, and the batch, to what one run gives.
absl::Status SetScan(InferContext& ctx, const ScanParts& parts, int i, const ScanSizes& sizes) {
  const Type& each = ctx.fact(parts.body_outputs[static_cast<size_t>(i)]).type;
  if (!each.is_tensor() && each.kind != ValueKind::kUnknown) {
    return absl::InvalidArgumentError("Scan stacks tensors only");
  }
  Shape shape;
  if (each.shape.ranked()) {
    const int64_t wanted = parts.batched ? 0 : EntryOf(ctx, "scan_output_axes", i - parts.states);
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(wanted, each.shape.rank() + 1));
    Shape::Dims dims(each.shape.dims().begin(), each.shape.dims().end());
    dims.insert(dims.begin() + axis, sizes.length);
    if (parts.batched) dims.insert(dims.begin(), sizes.batch);
    shape = Shape(std::move(dims));
  }
  if (each.is_tensor()) ctx.set_out(i, each.elem, std::move(shape));
  return absl::OkStatus();
}

}  // namespace

bool FollowScan(InferContext& ctx, int round, Effort effort) {
  const auto parts = ReadScan(ctx);
  if (!parts.ok()) return round == 0;
  const std::vector<Carried> carried = CarriedOf(ctx, *parts);
  if (round > 0) return effort != Effort::kLeast && AdvanceCarried(ctx, carried, 0, round, effort);
  StartCarried(ctx, carried, effort);
  for (int k = 0; k < parts->scans; ++k) {
    const int input = parts->first + parts->states + k;
    const auto axis = AxisOf(ctx, *parts, k);
    State state;
    if (axis.ok())
      state.type = Without(ctx.in(input), parts->batched ? std::vector<int>{0, 1} : std::vector<int>{*axis});
    SetState(ctx, parts->body_inputs[static_cast<size_t>(parts->states + k)], state);
  }
  const ScanSizes sizes = SizesOf(ctx, *parts);
  const Dim runs = ctx.dims().Mul(sizes.batch, sizes.length);
  Symbol open;
  open.typical = TypicalTrips(ctx.dims(), 0, Dim::Unknown());
  SetTrips(ctx, parts->id, runs.is_unknown() ? ctx.FreshSize("trips", open) : runs);
  return true;
}

absl::Status InferScan(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const ScanParts parts, ReadScan(ctx));
  ScanSizes sizes = SizesOf(ctx, parts);
  for (int k = 0; k < parts.scans; ++k) {
    HWEST_ASSIGN_OR_RETURN(const int axis, AxisOf(ctx, parts, k));
    const Shape& shape = ctx.in(parts.first + parts.states + k).shape;
    if (shape.ranked()) HWEST_RETURN_IF_ERROR(ctx.Unify(sizes.length, shape.dim(axis)).status());
  }
  const std::vector<Carried> carried = CarriedOf(ctx, parts);
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    if (i >= parts.states) {
      HWEST_RETURN_IF_ERROR(SetScan(ctx, parts, i, sizes));
      continue;
    }
    State last = FinalOf(ctx, carried[static_cast<size_t>(i)], {0, sizes.length});
    if (parts.batched) {
      Shape::Dims dims = {sizes.batch};
      dims.insert(dims.end(), last.type.shape.dims().begin(), last.type.shape.dims().end());
      if (last.type.shape.ranked()) last.type.shape = Shape(std::move(dims));
      last.known = nullptr;
    }
    SetOutput(ctx, i, last);
  }
  return absl::OkStatus();
}

}  // namespace hwest

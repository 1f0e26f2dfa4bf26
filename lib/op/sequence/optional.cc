// Optionals: values that may be absent.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/control/state.h"
#include "op/families.h"
#include "op/known.h"

namespace hwest {
namespace {

absl::Status InferOptional(InferContext& ctx) {
  Type type = ContainerOf(ValueKind::kOptional, ctx.in(0));
  type.presence = ctx.has_input(0) ? Presence::kPresent : Presence::kAbsent;
  ctx.set_out(0, std::move(type));
  if (ctx.has_input(0)) ctx.set_elements(0, ctx.elements(0));
  return absl::OkStatus();
}

// From operator set 18 on the input may be a plain tensor or sequence.
absl::Status RequireOptional(const OpView& op) {
  const ValueKind kind = op.in(0).kind;
  const bool plain = kind == ValueKind::kTensor || kind == ValueKind::kSequence;
  if (kind == ValueKind::kOptional || kind == ValueKind::kUnknown || plain) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(op.op(), " expects an optional, found a ", ValueKindName(kind)));
}

absl::Status InferOptionalGetElement(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireOptional(ctx));
  State state = StateOf(ctx, ctx.input(0));
  if (state.type.kind == ValueKind::kOptional) state.type = ElementType(state.type);
  SetOutput(ctx, 0, state);
  return absl::OkStatus();
}

absl::Status InferOptionalHasElement(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireOptional(ctx));
  ctx.set_out(0, ElemType::kBool, Shape::Scalar());
  return absl::OkStatus();
}

void KnownOptionalHasElement(InferContext& ctx) {
  Presence presence = ctx.in(0).presence;
  if (!ctx.has_input(0)) presence = Presence::kAbsent;
  if (ctx.in(0).kind == ValueKind::kTensor || ctx.in(0).kind == ValueKind::kSequence) presence = Presence::kPresent;
  if (presence != Presence::kUnknown) ctx.set_known(0, {FromBool(presence == Presence::kPresent)});
}

// clang-format off
constexpr OpRule kOptionalRules[] = {
    {.op = "Optional", .versions = "15", .infer = InferOptional, .op_class = OpClass::kView},
    {.op = "OptionalGetElement", .versions = "15 18", .infer = InferOptionalGetElement, .op_class = OpClass::kView},
    {.op = "OptionalHasElement", .versions = "15 18", .infer = InferOptionalHasElement,
     .known = KnownOptionalHasElement, .op_class = OpClass::kView, .shape_inputs = Inputs({0})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> OptionalRules() { return kOptionalRules; }

}  // namespace hwest

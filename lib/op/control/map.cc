// SequenceMap: a body run on every element of sequences.
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/body.h"
#include "op/check.h"
#include "op/control/carried.h"
#include "op/control/rules.h"
#include "op/control/state.h"
#include "op/typical_size.h"

namespace hwest {
namespace {

// Sequences up to this length are looked at element by element where their elements differ.
constexpr size_t kMaxLooks = 32;

absl::StatusOr<const Body*> ReadBody(const OpView& op) {
  const GraphId id = FindBody(op, "body");
  if (!id.valid()) return absl::InvalidArgumentError("SequenceMap expects a body");
  const Body& body = op.graph().body(id);
  if (body.inputs.size() < static_cast<size_t>(op.num_inputs()) ||
      body.outputs.size() < static_cast<size_t>(op.num_outputs())) {
    return absl::InvalidArgumentError(absl::StrCat("SequenceMap expects a body of ", op.num_inputs(), " inputs and ",
                                                   op.num_outputs(), " outputs, found ", body.inputs.size(), " and ",
                                                   body.outputs.size()));
  }
  return &body;
}

// Elements to look at one by one; 0 when one look tells as much.
size_t LooksOf(const OpView& op, Effort effort) {
  if (effort != Effort::kFull || !op.in(0).length.is_constant()) return 0;
  size_t looks = 0;
  for (int i = 0; i < op.num_inputs(); ++i) {
    const Elements& elements = op.elements(i);
    if (op.in(i).kind != ValueKind::kSequence) continue;
    if (elements == nullptr || elements->size() > kMaxLooks) return 0;
    if (looks > 0 && elements->size() != looks) return 0;
    looks = elements->size();
  }
  return looks;
}

// Body inputs for element `index`, or for any element.
void SetInputs(InferContext& ctx, const Body& body, std::optional<size_t> index) {
  for (int i = 0; i < ctx.num_inputs(); ++i) {
    State state = StateOf(ctx, ctx.has_input(i) ? ctx.input(i) : ValueId());
    if (state.type.kind == ValueKind::kSequence) {
      if (index.has_value()) {
        const Element element = (*state.elements)[*index];
        state = State{element.type, element.known, nullptr};
      } else {
        state = State{ElementType(state.type), nullptr, nullptr};
      }
    }
    SetState(ctx, body.inputs[static_cast<size_t>(i)], state);
  }
}

// What the looks at single elements gave so far; null when the elements are looked at together.
Elements& KeptOf(InferContext& ctx, int i) { return ctx.facts().elements[ctx.output(i)]; }

void Keep(InferContext& ctx, const Body& body, int i) {
  const ValueFact& out = ctx.fact(body.outputs[static_cast<size_t>(i)]);
  Elements& kept = KeptOf(ctx, i);
  std::vector<Element> elements = *kept;
  elements.push_back({out.type, out.known});
  kept = std::make_shared<const std::vector<Element>>(std::move(elements));
}

void StartLooks(InferContext& ctx, size_t looks) {
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    if (!ctx.has_output(i)) continue;
    ctx.facts().elements.erase(ctx.output(i));
    if (looks > 0) KeptOf(ctx, i) = std::make_shared<const std::vector<Element>>();
  }
}

}  // namespace

bool FollowSequenceMap(InferContext& ctx, int round, Effort effort) {
  const auto body = ReadBody(ctx);
  if (!body.ok() || !ctx.has_output(0)) return round == 0;
  const size_t looks = LooksOf(ctx, round == 0 ? effort : Effort::kFull);
  if (round == 0) {
    const Dim length = ctx.in(0).length;
    Symbol open;
    open.typical = TypicalTrips(ctx.dims(), 0, Dim::Unknown());
    SetTrips(ctx, FindBody(ctx, "body"), length.is_unknown() ? ctx.FreshSize("trips", open) : length);
    StartLooks(ctx, looks);
    SetInputs(ctx, **body, looks > 0 ? std::optional<size_t>(0) : std::nullopt);
    return true;
  }
  if (ctx.elements_of(ctx.output(0)) == nullptr || ctx.elements_of(ctx.output(0))->size() >= looks) return false;
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    if (ctx.has_output(i)) Keep(ctx, **body, i);
  }
  const size_t kept = ctx.elements_of(ctx.output(0))->size();
  // The last look is at all elements together: what the body's values are in every run.
  SetInputs(ctx, **body, kept < looks ? std::optional<size_t>(kept) : std::nullopt);
  return true;
}

absl::Status InferSequenceMap(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_ASSIGN_OR_RETURN(const Body* body, ReadBody(ctx));
  if (ctx.in(0).kind != ValueKind::kSequence && ctx.in(0).kind != ValueKind::kUnknown) {
    return absl::InvalidArgumentError("SequenceMap expects a sequence as input 0");
  }
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    const Type& each = ctx.fact(body->outputs[static_cast<size_t>(i)]).type;
    Type type = ContainerOf(ValueKind::kSequence, InEveryRun(ctx, each, 0));
    type.length = TripsOf(ctx, FindBody(ctx, "body"));
    const Elements kept = ctx.has_output(i) ? ctx.elements_of(ctx.output(i)) : nullptr;
    ctx.set_out(i, std::move(type));
    if (ctx.has_output(i)) ctx.facts().elements.erase(ctx.output(i));
    ctx.set_elements(i, kept);
  }
  return absl::OkStatus();
}

}  // namespace hwest

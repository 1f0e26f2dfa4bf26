#include "op/control/carried.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "op/body.h"

namespace hwest {
namespace {

// The walk from one look at a body to the next: what holds in every run, and guesses for what does not.
class Walk {
 public:
  Walk(InferContext& ctx, Dim iter) : ctx_(ctx), dims_(ctx.dims()) {
    const SymbolId symbol = dims_.AsSymbol(iter);
    if (symbol.valid()) {
      iter_ = iter;
      next_[symbol] = dims_.Add(iter, 1);
      previous_[symbol] = dims_.Sub(iter, 1);
      first_[symbol] = 0;
    }
    CollectVarying();
  }

  // The state to look at next; `in` itself when it holds in every run.
  State Next(const State& initial, const State& in, const State& out, int round, Effort effort);

  bool IsOpen(Dim dim) const { return dim.is_unknown() || std::find(open_.begin(), open_.end(), dim) != open_.end(); }
  bool DependsOnRun(Dim dim) { return !dim.is_unknown() && dims_.Substitute(dim, first_) != dim; }
  // Made anew in every run.
  bool Varies(Dim dim) { return !dim.is_unknown() && dims_.Substitute(dim, varying_) != dim; }
  bool IsInvariant(Dim dim) { return !dim.is_unknown() && !DependsOnRun(dim) && !Varies(dim); }
  Shape InvariantPart(const Shape& shape);

 private:
  enum class Want : uint8_t { kSize, kNumber };

  void CollectVarying();
  Dim NextDim(Dim initial, Dim in, Dim out, Want want);
  Dim Guess(Dim initial, Dim in, Dim out);
  Dim Open(Want want) { return want == Want::kSize ? ctx_.FreshSize("carry", 0, Dim::Unknown()) : Dim::Unknown(); }
  void NextTensor(const State& initial, const State& in, const State& out, State& next);
  void NextContainer(const State& initial, const State& in, const State& out, State& next);
  Known NextKnown(const State& initial, const State& in, const State& out, const Shape& shape);
  Shape JoinedShape(const Type& in, const Type& out);
  void GiveUp(State& state, int round, Effort effort);

  InferContext& ctx_;
  DimPool& dims_;
  Dim iter_ = 0;
  Binding next_, previous_, first_, varying_;
  std::vector<Dim> open_;
  bool may_guess_ = true;
};

// Sizes that the nodes of the bodies make differ from run to run; so do sizes that were given up.
void Walk::CollectVarying() {
  const auto add = [&](NodeId node) {
    const auto made = ctx_.facts().fresh.find(node);
    if (made == ctx_.facts().fresh.end()) return;
    for (const Dim dim : made->second) {
      if (dim != iter_) varying_[dims_.AsSymbol(dim)] = 0;
    }
  };
  for (uint32_t n = FirstOwned(ctx_.graph(), ctx_.node()).index(); n < ctx_.node().index(); ++n) add(NodeId(n));
  const auto own = ctx_.facts().fresh.find(ctx_.node());
  if (own == ctx_.facts().fresh.end()) return;
  for (const Dim dim : own->second) {
    if (dims_.symbol(dims_.AsSymbol(dim)).name.rfind("carry", 0) != 0) continue;
    open_.push_back(dim);
    varying_[dims_.AsSymbol(dim)] = 0;
  }
}

Dim Walk::Guess(Dim initial, Dim in, Dim out) {
  const Dim step = dims_.Sub(out, in);
  if (IsInvariant(step) && !initial.is_unknown()) return dims_.Add(initial, dims_.Mul(iter_, step));
  if (!Varies(out)) {
    const Dim shifted = dims_.Substitute(out, previous_);
    if (dims_.Substitute(shifted, first_) == initial) return shifted;
  }
  return Dim::Unknown();
}

Dim Walk::NextDim(Dim initial, Dim in, Dim out, Want want) {
  if (IsOpen(in)) return in;
  if (out == dims_.Substitute(in, next_)) return in;
  if (may_guess_ && !out.is_unknown()) {
    const Dim guess = Guess(initial, in, out);
    if (!guess.is_unknown() && guess != in) return guess;
  }
  const Dim open = Open(want);
  if (want == Want::kSize) open_.push_back(open);
  return open;
}

Known Walk::NextKnown(const State& initial, const State& in, const State& out, const Shape& shape) {
  if (in.known == nullptr || out.known == nullptr || initial.known == nullptr || !shape.constant()) return nullptr;
  const size_t count = in.known->size();
  if (out.known->size() != count || initial.known->size() != count || !(shape == in.type.shape)) return nullptr;
  std::vector<Scalar> next = *in.known;
  bool any = count == 0;
  for (size_t k = 0; k < count; ++k) {
    const Scalar a = next[k], b = (*out.known)[k], first = (*initial.known)[k];
    if (a.is_int()) {
      next[k] = Scalar::Int(
          NextDim(first.is_int() ? first.dim() : Dim(), a.dim(), b.is_int() ? b.dim() : Dim(), Want::kNumber));
    } else if (!(a == b)) {
      next[k] = Scalar();
    }
    any = any || !next[k].is_unknown();
  }
  return any ? std::make_shared<const std::vector<Scalar>>(std::move(next)) : nullptr;
}

void Walk::NextTensor(const State& initial, const State& in, const State& out, State& next) {
  const Shape& from = in.type.shape;
  const Shape& to = out.type.shape;
  if (from.ranked() && (!to.ranked() || to.rank() != from.rank())) next.type.shape = Shape();
  if (next.type.shape.ranked()) {
    for (int axis = 0; axis < from.rank(); ++axis) {
      const Dim first = initial.type.shape.ranked() && initial.type.shape.rank() == from.rank()
                            ? initial.type.shape.dim(axis)
                            : Dim::Unknown();
      next.type.shape.set_dim(axis, NextDim(first, from.dim(axis), to.dim(axis), Want::kSize));
    }
  }
  next.known = NextKnown(initial, in, out, next.type.shape);
}

Shape Walk::InvariantPart(const Shape& shape) {
  Shape part = shape;
  if (!shape.ranked()) return part;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!IsInvariant(shape.dim(axis))) part.set_dim(axis, Dim::Unknown());
  }
  return part;
}

Shape Walk::JoinedShape(const Type& in, const Type& out) {
  if (IsEmptyContainer(out)) return in.shape;
  Type joined = in;
  Type element = out;
  element.shape = InvariantPart(out.shape);
  if (IsEmptyContainer(in)) return element.shape;
  JoinElement(joined, element);
  return joined.shape;
}

void Walk::NextContainer(const State& initial, const State& in, const State& out, State& next) {
  next.type.shape = JoinedShape(in.type, out.type);
  next.type.length = NextDim(initial.type.length, in.type.length, out.type.length, Want::kSize);
  if (in.type.presence != out.type.presence) next.type.presence = Presence::kUnknown;
  if (!SameElements(in.elements, out.elements) || !(next.type.length == in.type.length)) next.elements = nullptr;
}

// Ends the walk where guesses would take too long.
void Walk::GiveUp(State& state, int round, Effort effort) {
  const int tries = effort == Effort::kFull ? 6 : 1;
  if (round < tries && effort != Effort::kLeast) return;
  if (round > tries || effort == Effort::kLeast) {
    state.type.shape = Shape();
    state.type.length = Dim::Unknown();
    state.type.presence = Presence::kUnknown;
  } else if (state.type.shape.ranked()) {
    state.type.shape = Shape::UnknownDims(state.type.shape.rank());
  }
  state.known = nullptr;
  state.elements = nullptr;
}

State Walk::Next(const State& initial, const State& in, const State& out, int round, Effort effort) {
  constexpr int kGuesses = 2;
  may_guess_ = effort == Effort::kFull && round <= kGuesses;
  State next = in;
  if (in.type.kind == ValueKind::kUnknown) return next;
  if (out.type.kind == ValueKind::kUnknown) {
    next = State();
    next.type.kind = in.type.kind;
    next.type.inner = in.type.inner;
    next.type.elem = in.type.elem;
    return next;
  }
  if (in.type.kind != out.type.kind) return State();
  if (in.type.elem == ElemType::kUndefined) next.type.elem = out.type.elem;
  if (in.type.is_tensor()) {
    NextTensor(initial, in, out, next);
  } else {
    NextContainer(initial, in, out, next);
  }
  GiveUp(next, round, effort);
  return next;
}

// The last value of a size: by the rule that holds in every run, else as the last run gives it.
class Ending {
 public:
  Ending(InferContext& ctx, const Counter& counter, Walk& walk)
      : ctx_(ctx), dims_(ctx.dims()), walk_(walk), runs_once_(dims_.BoundsOf(counter.trips).min.value_or(0) >= 1) {}

  State Of(const State& initial, const State& rule, const State& last);

 private:
  Dim EndDim(Dim initial, Dim rule, Dim last);
  Shape EndShape(const Shape& initial, const Shape& rule, const Shape& last);
  Known EndKnown(const State& initial, const Known& rule, const Known& last);
  Dim Bounded(Dim dim);

  InferContext& ctx_;
  DimPool& dims_;
  Walk& walk_;
  bool runs_once_;
};

// A size that only the last run knows.
Dim Ending::Bounded(Dim dim) {
  if (dim.is_unknown() || !walk_.Varies(dim)) return dim;
  const Bounds bounds = dims_.BoundsOf(dim);
  return ctx_.FreshSize("final", bounds.min.value_or(0), bounds.max.has_value() ? Dim(*bounds.max) : Dim());
}

Dim Ending::EndDim(Dim initial, Dim rule, Dim last) {
  if (!walk_.IsOpen(rule)) return rule;
  const Dim end = Bounded(last);
  return runs_once_ ? end : EitherSize(ctx_, "final", initial, end);
}

Shape Ending::EndShape(const Shape& initial, const Shape& rule, const Shape& last) {
  if (!last.ranked()) return rule;
  if (!runs_once_ && (!initial.ranked() || initial.rank() != last.rank())) return rule;
  const bool has_rule = rule.ranked() && rule.rank() == last.rank();
  Shape end = last;
  for (int axis = 0; axis < last.rank(); ++axis) {
    const Dim first = initial.ranked() && initial.rank() == last.rank() ? initial.dim(axis) : Dim::Unknown();
    end.set_dim(axis, EndDim(first, has_rule ? rule.dim(axis) : Dim::Unknown(), last.dim(axis)));
  }
  return end;
}

Known Ending::EndKnown(const State& initial, const Known& rule, const Known& last) {
  if (last == nullptr) return rule;
  std::vector<Scalar> end = *last;
  for (size_t k = 0; k < end.size(); ++k) {
    const bool has_rule = rule != nullptr && rule->size() == end.size() && !(*rule)[k].is_unknown();
    const bool had = initial.known != nullptr && initial.known->size() == end.size();
    if (end[k].is_int() && walk_.Varies(end[k].dim())) end[k] = Scalar();
    if (!runs_once_ && !(had && (*initial.known)[k] == end[k])) end[k] = Scalar();
    if (has_rule) end[k] = (*rule)[k];
  }
  return std::make_shared<const std::vector<Scalar>>(std::move(end));
}

State Ending::Of(const State& initial, const State& rule, const State& last) {
  if (initial.type.kind != last.type.kind || rule.type.kind == ValueKind::kUnknown) {
    State end = runs_once_ ? last : State();
    end.known = nullptr;
    end.elements = nullptr;
    end.type.shape = walk_.InvariantPart(end.type.shape);
    end.type.length = Bounded(end.type.length);
    return end;
  }
  State end = rule;
  if (rule.type.is_tensor()) {
    end.type.shape = EndShape(initial.type.shape, rule.type.shape, last.type.shape);
    end.known = EndKnown(initial, rule.known, last.known);
    return end;
  }
  end.type.length = EndDim(initial.type.length, rule.type.length, last.type.length);
  if (runs_once_) end.type.presence = last.type.presence;
  return end;
}

}  // namespace

void StartCarried(InferContext& ctx, const std::vector<Carried>& values, Effort effort) {
  for (const Carried& value : values) {
    State state = value.initial;
    if (effort != Effort::kFull) state.known = nullptr;
    if (effort != Effort::kFull) state.elements = nullptr;
    if (effort == Effort::kCoarse && state.type.shape.ranked()) {
      state.type.shape = Shape::UnknownDims(state.type.shape.rank());
    }
    if (effort == Effort::kLeast) state.type.shape = Shape();
    if (effort != Effort::kFull) state.type.length = Dim::Unknown();
    SetState(ctx, value.in, state);
  }
}

bool AdvanceCarried(InferContext& ctx, const std::vector<Carried>& values, Dim iter, int round, Effort effort) {
  Walk walk(ctx, iter);
  bool changed = false;
  for (const Carried& value : values) {
    const State in = StateOf(ctx, value.in);
    const State next = walk.Next(value.initial, in, StateOf(ctx, value.out), round, effort);
    if (SameState(in, next)) continue;
    SetState(ctx, value.in, next);
    changed = true;
  }
  return changed;
}

State FinalOf(InferContext& ctx, const Carried& value, const Counter& counter) {
  DimPool& dims = ctx.dims();
  const State out = StateOf(ctx, value.out);
  if (counter.trips.IsConstant(0)) return value.initial;
  if (counter.trips.IsConstant(1)) return AtRun(dims, out, counter.iter, 0);
  Walk walk(ctx, counter.iter);
  const State rule = AtRun(dims, StateOf(ctx, value.in), counter.iter, counter.trips);
  const State last = AtRun(dims, out, counter.iter, dims.Sub(counter.trips, 1));
  return Ending(ctx, counter, walk).Of(value.initial, rule, last);
}

bool IsMadeInRun(InferContext& ctx, const State& state) {
  Walk walk(ctx, 0);
  const auto shape_varies = [&](const Type& type) {
    if (walk.Varies(type.length)) return true;
    if (!type.shape.ranked()) return false;
    const auto dims = type.shape.dims();
    return std::any_of(dims.begin(), dims.end(), [&](Dim dim) { return walk.Varies(dim); });
  };
  const auto numbers_vary = [&](const Known& known) {
    return known != nullptr && std::any_of(known->begin(), known->end(), [&](const Scalar& scalar) {
             return scalar.is_int() && walk.Varies(scalar.dim());
           });
  };
  if (shape_varies(state.type) || numbers_vary(state.known)) return true;
  return state.elements != nullptr &&
         std::any_of(state.elements->begin(), state.elements->end(),
                     [&](const Element& element) { return shape_varies(element.type) || numbers_vary(element.known); });
}

Type InEveryRun(InferContext& ctx, const Type& type, Dim iter) {
  Walk walk(ctx, iter);
  Type result = type;
  result.shape = walk.InvariantPart(type.shape);
  return result;
}

}  // namespace hwest

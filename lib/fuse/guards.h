// Guards: the named predicates that pattern expressions may demand of a node or of a leaf value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "pass/size_questions.h"

namespace hwest {

// How close two numbers have to be to count as one: what compilers take for the same, or no further apart than rounding
// to the element type of the value moves them.
enum class NumberMatch : uint8_t { kUsual, kOfType };

struct GuardContext {
  const Graph& graph;
  const Facts& facts;
  const IdMap<NodeId, NodeClass>& classes;
  NumberMatch numbers = NumberMatch::kUsual;
  SizeQuestions* asked = nullptr;  // receives what a match asked; may be null
  mutable std::optional<bool> sums_products =
      std::nullopt;  // what `no_products` found in the model, once for all nodes
};

// Guard is one row; exactly one of `node` and `value` is set and decides where the guard may be written.
struct Guard {
  absl::string_view name;
  absl::string_view needed;  // what has to hold, for people
  absl::string_view edit;    // smallest change of the model that makes it hold
  bool (*node)(const GuardContext&, NodeId) = nullptr;
  bool (*value)(const GuardContext&, ValueId) = nullptr;
};

// FindGuard returns the row of `name`, null when there is none.
const Guard* FindGuard(absl::string_view name);
absl::Span<const Guard> AllGuards();

// True for initialisers, Constant outputs and everything that is computed from them before run time.
bool IsConst(const GuardContext& context, ValueId value);
// True when every element of `value` is known and as close to `number` as the context says, usually within 0.25 %:
// rounding to bfloat16 moves it by 0.2 %.
bool EqualsNumber(const GuardContext& context, ValueId value, double number);

// What a guard found instead, for people: "BatchNormalization with training_mode 1", "float [1, 64, ?]".
std::string Describe(const GuardContext& context, NodeId node);
std::string Describe(const GuardContext& context, ValueId value);

}  // namespace hwest

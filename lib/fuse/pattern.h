// The pattern language: one expression says which nodes run as one kernel.
//
//   (Relu|Clip)(BatchNormalization[inference]?{conv_bn}(Conv(data, w, b?), g[const], s[const], m[const], v[const]))
//
//   Op(a, b)        node by operator, inputs by position; inputs past the last argument are free; the two inputs of a
//                   commutative operator match either way round; (A|B)(x) is any of the operators;
//                   domain::Op names an operator of another domain
//   Op.1(x)         node by one of its later outputs, e.g. the second part of a Split
//   x               lower case: any value; a name used twice is one value; "_" is any value each time
//   x?              input that may be absent
//   c:Conv(x, w)    names the value of an inner expression; c*: lets it, and what else its node makes, also be used
//                   outside the group
//   Op?(x)          node that may be missing: then its first argument stands for it
//   Op?{pick}(x)    as before, and always missing unless the toolchain picked `pick`
//   Op[guard](x)    named predicates, see guards.h; x[const, scalar] for values
//   0.5             value whose elements are all this number, within 0.25 %, which covers rounding to bfloat16
//   ~(A|B) x        any number of these layout nodes may stand between
//   (e | f)         either expression
//   @name @name(e)  fragment of the vocabulary, written out in place; % in its text is the argument
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "fuse/guards.h"

namespace hwest {

struct OpName {
  absl::string_view domain;
  absl::string_view op;
};

enum class ExprKind : uint8_t { kOp, kLeaf, kNumber, kEither };

struct Expr {
  ExprKind kind = ExprKind::kLeaf;
  bool optional = false;
  bool is_output = false;
  int32_t slot = -1;                      // index into Pattern::slots
  double number = 0;                      // kNumber
  absl::Span<const OpName> ops;           // kOp: any of these
  absl::Span<const OpName> through;       // layout operators that may stand before it
  absl::InlinedVector<uint16_t, 4> args;  // kOp: inputs; kEither: alternatives
  absl::InlinedVector<const Guard*, 2> guards;
  uint16_t output = 0;     // kOp: which of the node's outputs the value is
  absl::string_view pick;  // of an optional node; "" = none needed
};

struct Pattern {
  std::vector<Expr> exprs;
  uint16_t root = 0;
  std::vector<std::string> slots;
  // What the expressions point into; copies share it.
  std::shared_ptr<const std::string> text;
  std::shared_ptr<const std::vector<OpName>> names;
};

// Fragment is a named piece of expression text.
struct Fragment {
  absl::string_view name;
  absl::string_view text;
};

// ParsePattern reads an expression. Errors: InvalidArgument with the 1-based column in `text`; inside of a fragment
// that is the column of its name.
absl::StatusOr<Pattern> ParsePattern(absl::string_view text, absl::Span<const Fragment> vocabulary);

// Every operator that can be the root when the toolchain's picks are `picks`.
std::vector<OpName> RootOps(const Pattern& pattern, absl::Span<const std::string> picks);

}  // namespace hwest

// The language of replacements: what a rule writes in place of its match.
//
//   h = Mul(x, 0.5); Mul(h, Add(Erf(Mul(x, 0.70710678)), 1))
//
//   x                 a value that the match named
//   0.5               a constant of the element type that the match results in, without axes
//   Op(a, b; k=v)     a node of the default domain with inputs and attributes; domain::Op is one of another domain; "_"
//                     is an absent input. Operands that newer versions take as inputs may always be attributes
//   Op?(a, b)         a node that is left out if a later input is absent: its first input then stands for it
//   Root(a; *root)    the operator that the match ends in; root.1 is its second input
//   *c                in place of an attribute: all attributes of the node that makes c; later ones of a name win
//   $name $name(a, 1) a figure computed from the match (rewrite/figures.h): a constant as an input, else an attribute
//   n = e;            names a value; a b = Op(..); names several outputs
//   e, f              the values that replace the outputs of the match, in order
//
// Attributes are 1, 0.5, [0, 1], "text" or a figure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hwest {

// A figure or a check with what it is asked about.
struct Call {
  std::string name;
  std::vector<std::string> args;  // names of values, and numbers
};

struct MadeAttribute {
  enum class Kind : uint8_t { kInt, kFloat, kInts, kText, kCall, kCopied };
  Kind kind = Kind::kInt;
  std::string name;  // of a copied one: the value whose node has them
  double number = 0;
  std::vector<int64_t> ints;
  std::string text;
  Call call;
};

struct MadeExpr {
  enum class Kind : uint8_t { kName, kNumber, kCall, kOp, kAbsent };
  Kind kind = Kind::kName;
  std::string name;  // kName; of kOp the operator
  std::string domain;
  bool is_optional = false;  // kOp: stands for its first input where another one is absent
  double number = 0;
  Call call;
  std::vector<uint16_t> inputs;  // indices into Replacement::exprs
  std::vector<MadeAttribute> attributes;
};

struct Replacement {
  struct Statement {
    std::vector<std::string> names;
    uint16_t expr = 0;
  };
  std::vector<MadeExpr> exprs;
  std::vector<Statement> statements;
  std::vector<uint16_t> outputs;
};

// Errors: InvalidArgument with the 1-based column.
absl::StatusOr<Replacement> ParseReplacement(absl::string_view text);
// "name(a, b) other(c)". Errors: as above.
absl::StatusOr<std::vector<Call>> ParseCalls(absl::string_view text);

}  // namespace hwest

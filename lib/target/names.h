// The names that target, toolchain and fusion files may use, and suggestions for misspelt ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/target.h"

namespace hwest {

// Fusions that a toolchain can pick: those that a pattern requires. Sorted.
absl::Span<const absl::string_view> FusionNames();

// Readings that a toolchain can opt out of: those that mean an operator. Sorted.
absl::Span<const absl::string_view> ReadingNames();

// A parameter of the cost models; kinds.cc holds the rows.
struct ParamRow {
  absl::string_view name;
  absl::string_view kinds = "";  // space separated names of target.proto's Kind; "" = every kind
  double min = 0;                // of credible values
  double max = 0;
  double absent = 0;  // what applies where a file states none, unless the kind has a value of its own (kinds.h)
  absl::string_view absent_as = "";     // or that of another parameter
  absl::string_view absent_means = "";  // what the value stands for; empty = itself
  bool decides = false;                 // a unit that leaves it to the default has assumed times
  absl::string_view meaning = "";
};
absl::Span<const ParamRow> AllParams();
// The row of a parameter, ignoring a precision after a dot ("overlap.int8", "overlap.w8a16"). Null when there is none.
const ParamRow* FindParamRow(absl::string_view name);
bool IsFor(const ParamRow& row, UnitKind kind);

// What is wrong with an operator's name, e.g. "operator 'Cnv' is not known", and the nearest names; empty when nothing
// is. Operators in domains without a rule in lib/op are the user's own; "ai.onnx" written out is the domain of the
// user's own operators that have none.
struct NameProblem {
  std::string message;
  std::string remedy;
};
NameProblem CheckOperator(absl::string_view domain, absl::string_view op);
// As above, for a text that names operators of any domain.
NameProblem CheckOperatorAnywhere(absl::string_view op);
// As above; at least one of `ops` must have the attribute, or any operator when `ops` is empty or holds "*".
NameProblem CheckAttribute(absl::string_view domain, const std::vector<std::string>& ops, absl::string_view attribute);
NameProblem CheckFusion(absl::string_view name);
NameProblem CheckReading(absl::string_view name);
// As above, for a group's name in reports, which a pattern of --fusions may define: only a near miss is wrong.
NameProblem CheckGroupName(absl::string_view name);
// As above: a toolchain may be the user's own.
NameProblem CheckToolchainName(absl::string_view name);
// As above; `kind` = kUnset matches every kind.
NameProblem CheckParamName(absl::string_view name, UnitKind kind);
// True for "int8", or "w8a16": bits of the weights and of the activations.
bool IsPrecisionName(absl::string_view text);

// The unit of measure in the suffix of a field's name, e.g. "B/s"; empty = none.
absl::string_view MeasureOf(absl::string_view field);

// "did you mean A, B? " with the names that `name` may mean; empty when there is none.
std::string DidYouMean(absl::string_view name, const std::vector<std::string>& known);

}  // namespace hwest

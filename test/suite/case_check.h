// Compares what inference finds for an output with the result of the reference implementation.
#pragma once

#include <string>

#include "hwest/analysis.h"
#include "suite/case_reader.h"

namespace hwest {

enum class Match {
  kKnown,    // kind, element type and every size are known, and right
  kBounded,  // right, with a data-dependent size whose finite bounds hold the size found
  kUnknown,  // nothing is wrong, something is not known
  kWrong,
};

struct Finding {
  Match verdict = Match::kKnown;
  std::string why;  // empty for kKnown
};

// CheckOutput compares the facts of `value` with `expected`. Symbols that `binding` holds are replaced first.
Finding CheckOutput(const Analysis& analysis, ValueId value, const CaseValue& expected, const Binding& binding);

// InputSizes maps each symbol that is one dim of an input to its size in the run; symbols that two inputs need to
// differ are left out.
Binding InputSizes(const Analysis& analysis, const std::vector<CaseValue>& inputs);

}  // namespace hwest

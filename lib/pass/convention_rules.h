// The table behind CountAs: which rule each tool applies to which ONNX operator.
#pragma once

#include "absl/types/span.h"
#include "hwest/convention.h"
#include "op/rule.h"

namespace hwest {

// What a factor of a rule multiplies.
enum class Basis : uint8_t {
  kNone,
  kMacs,              // multiply-accumulates of the native rule
  kInput,             // elements of input 0
  kOutput,            // elements of output 0
  kOutputs1,          // elements of output 0, once for each input but the first
  kBias,              // elements of output 0 when there is a third input
  kRows,              // elements of input 0 over the size of attribute `axis`
  kTaps,              // elements of output 0 times those of the first two axes of the kernel
  kWindow,            // elements of output 0 times `size`
  kOutputsByWeight,   // elements of output 0 times input channels of a group times kernel (transposed convolution)
  kOutputsByFilter,   // elements of output 0 times all weight axes but the first
  kGates,             // recurrent: per step, sample and direction, see convention.cc
  kRecurrentWeights,  // recurrent: elements of W, R and B for each step and sample
  kHidden,            // recurrent: hidden elements of every step and sample, one direction
};

// When a rule applies.
enum class When : uint8_t {
  kAlways,
  kModule,   // the node does not come from a functional call, as far as the file tells
  kWeights,  // input 1 is constant, and as above
  kNearest,  // attribute mode
  kLinear,
  kCubic,
  kModuleNearest,
  kModuleLinear3,  // mode linear over an input of rank 3
  kModuleLinear4,
  kModuleCubic,
};

struct OpsOfBasis {
  Basis basis = Basis::kNone;
  int64_t times = 0;
};

// The first row whose `ops` (space separated, default domain) and `when` fit decides; its figure is the sum of the
// factors. What no row names counts nothing, for the reason of the row with empty `ops`, the last one of each tool.
struct ConventionRule {
  Convention convention;
  absl::string_view ops;
  When when = When::kAlways;
  OpsOfBasis a, b;
  absl::string_view reason;
};
absl::Span<const ConventionRule> ConventionRules();

}  // namespace hwest

// Names of the enums of hwest/estimate.h.
#include <iterator>

#include "base/enumerators.h"
#include "hwest/estimate.h"

namespace hwest {
namespace {

constexpr absl::string_view kBoundNames[] = {"compute", "memory", "overhead", "transfer", "balanced"};
static_assert(std::size(kBoundNames) == kNumEnumerators<Bound>);
constexpr absl::string_view kGradeNames[] = {"measured", "family", "datasheet", "assumed"};
static_assert(std::size(kGradeNames) == kNumEnumerators<Grade>);
constexpr absl::string_view kLoopOrderNames[] = {"weight_stationary", "input_stationary", "output_stationary"};
static_assert(std::size(kLoopOrderNames) == kNumEnumerators<LoopOrder>);

}  // namespace

absl::string_view BoundName(Bound bound) { return kBoundNames[static_cast<size_t>(bound)]; }
absl::string_view LoopOrderName(LoopOrder order) { return kLoopOrderNames[static_cast<size_t>(order)]; }
absl::string_view GradeName(Grade grade) { return kGradeNames[static_cast<size_t>(grade)]; }

std::string PrecisionName(Precision precision) { return NumPairName(precision.act, precision.weight); }

}  // namespace hwest

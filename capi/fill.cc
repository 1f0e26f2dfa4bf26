#include "fill.h"

#include "base/enumerators.h"

namespace hwest::capi {
namespace {

static_assert(static_cast<int>(Bound::kCompute) + 1 == HWEST_BOUND_COMPUTE &&
              static_cast<int>(Bound::kBalanced) + 1 == HWEST_BOUND_BALANCED);
static_assert(static_cast<int>(Grade::kMeasured) + 1 == HWEST_GRADE_MEASURED &&
              static_cast<int>(Grade::kDatasheet) + 1 == HWEST_GRADE_DATASHEET);
static_assert(static_cast<int>(NodeClass::kCompute) == HWEST_NODE_COMPUTE &&
              static_cast<int>(NodeClass::kDead) == HWEST_NODE_DEAD);
static_assert(static_cast<int>(Origin::kModule) == HWEST_ORIGIN_MODULE &&
              static_cast<int>(Origin::kUnknown) == HWEST_ORIGIN_UNKNOWN);
static_assert(static_cast<int>(Severity::kError) == HWEST_SEVERITY_ERROR &&
              static_cast<int>(Severity::kNote) == HWEST_SEVERITY_NOTE);
static_assert(static_cast<int>(Trust::kUnset) == HWEST_TRUST_UNKNOWN &&
              static_cast<int>(Trust::kEstimated) == HWEST_TRUST_ESTIMATED);
static_assert(static_cast<int>(ValueKind::kUnknown) == HWEST_VALUE_UNKNOWN &&
              static_cast<int>(ValueKind::kSparse) == HWEST_VALUE_SPARSE);
static_assert(static_cast<int>(Verdict::kYes) == HWEST_VERDICT_YES &&
              static_cast<int>(Verdict::kNoted) == HWEST_VERDICT_NOTED);
static_assert(static_cast<int>(WhatIfKind::kSupport) == HWEST_CHANGE_SUPPORT &&
              static_cast<int>(WhatIfKind::kMode) == HWEST_CHANGE_MODE);
// The last ones there are.
static_assert(kNumEnumerators<Bound> == HWEST_BOUND_BALANCED);
static_assert(kNumEnumerators<Grade> == HWEST_GRADE_DATASHEET);
static_assert(kNumEnumerators<NodeClass> == HWEST_NODE_DEAD + 1);
static_assert(kNumEnumerators<Origin> == HWEST_ORIGIN_UNKNOWN + 1);
static_assert(kNumEnumerators<Severity> == HWEST_SEVERITY_NOTE + 1);
static_assert(kNumEnumerators<Trust> == HWEST_TRUST_ESTIMATED + 1);
static_assert(kNumEnumerators<ValueKind> == HWEST_VALUE_SPARSE + 1);
static_assert(kNumEnumerators<Verdict> == HWEST_VERDICT_NOTED + 1);
static_assert(kNumEnumerators<WhatIfKind> == HWEST_CHANGE_MODE + 1);

}  // namespace

int32_t WordNumber(Bound bound) { return static_cast<int32_t>(bound) + 1; }
int32_t WordNumber(Grade grade) { return static_cast<int32_t>(grade) + 1; }
int32_t WordNumber(NodeClass node_class) { return static_cast<int32_t>(node_class); }
int32_t WordNumber(Origin origin) { return static_cast<int32_t>(origin); }
int32_t WordNumber(Severity severity) { return static_cast<int32_t>(severity); }
int32_t WordNumber(Trust trust) { return static_cast<int32_t>(trust); }
int32_t WordNumber(UnitKind kind) { return static_cast<int32_t>(kind); }
int32_t WordNumber(ValueKind kind) { return static_cast<int32_t>(kind); }
int32_t WordNumber(Verdict verdict) { return static_cast<int32_t>(verdict); }
int32_t WordNumber(WhatIfKind kind) { return static_cast<int32_t>(kind); }

}  // namespace hwest::capi

// The study of hwest/study.h for callers that may lose interest.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "analysis/load.h"
#include "hwest/study.h"

namespace hwest {

// TryChanges is WhatIfUntil that also returns what saves no time, which may still save energy or memory.
absl::StatusOr<std::vector<WhatIfRow>> TryChanges(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                                  const ModelSource& source, const StudyProgress& progress,
                                                  const std::function<bool()>& stop);

// WhatIfUntil is WhatIf that asks `stop`, which may be null, before each stage of each analysis. Errors: as WhatIf;
// kInterrupted when it was cancelled.
absl::StatusOr<std::vector<WhatIfRow>> WhatIfUntil(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                                   const ModelSource& source, const StudyProgress& progress,
                                                   const std::function<bool()>& stop);

// MovesUntil is MovesOf that tells `progress` of each unit and asks `stop`; both may be null. Errors: as MovesOf;
// kInterrupted when it was cancelled.
absl::StatusOr<std::vector<MoveRow>> MovesUntil(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                                const std::vector<NodeId>& nodes, const StudyProgress& progress,
                                                const std::function<bool()>& stop);

// The request of `base` whose analyses end when `stop`, which may be null, says so.
AnalysisRequest RequestUntil(const Analysis& base, const std::function<bool()>& stop);

}  // namespace hwest

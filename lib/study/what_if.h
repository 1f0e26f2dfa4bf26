// The studies of hwest/study.h, in forms that the caller can cancel.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "hwest/diagnostic.h"
#include "hwest/study.h"
#include "study/cures.h"

namespace hwest {

struct Changes {
  std::vector<WhatIfRow> rows;
  std::vector<Diagnostic> notes;  // what else was seen, e.g. that integers are slower
};

// TryChanges is WhatIfUntil that also returns what saves no time, which may still save energy or memory.
absl::StatusOr<Changes> TryChanges(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                   const CureSource& source, const StudyProgress& progress,
                                   const std::function<bool()>& stop);

// WhatIfUntil is WhatIf that calls `stop`, which may be null, before each stage of each analysis. Errors: those of
// WhatIf; kInterrupted after `stop` returned true.
absl::StatusOr<Changes> WhatIfUntil(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                    const CureSource& source, const StudyProgress& progress,
                                    const std::function<bool()>& stop);

// MovesUntil is MovesOf that reports each unit to `progress` and calls `stop`; both may be null. Errors: those of
// MovesOf; kInterrupted after `stop` returned true.
absl::StatusOr<std::vector<MoveRow>> MovesUntil(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                                const std::vector<NodeId>& nodes, const StudyProgress& progress,
                                                const std::function<bool()>& stop);

// The request of `base` whose analyses end when `stop`, which may be null, says so.
AnalysisRequest RequestUntil(const Analysis& base, const std::function<bool()>& stop);

}  // namespace hwest

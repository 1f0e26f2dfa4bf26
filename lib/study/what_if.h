// The study of hwest/study.h for callers that may lose interest.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hwest/study.h"

namespace hwest {

// TryChanges is WhatIfUntil that also returns what saves no time, which may still save energy or memory.
absl::StatusOr<std::vector<WhatIfRow>> TryChanges(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                                  const std::string& model_path, const StudyProgress& progress,
                                                  const std::function<bool()>& stop);

// WhatIfUntil is WhatIf that asks `stop`, which may be null, before it tries a change. Errors: as WhatIf; kInterrupted
// when it was cancelled.
absl::StatusOr<std::vector<WhatIfRow>> WhatIfUntil(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                                   const std::string& model_path, const StudyProgress& progress,
                                                   const std::function<bool()>& stop);

}  // namespace hwest

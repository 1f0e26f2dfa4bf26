// Rewrites a model that was read from a file or from memory.
#pragma once

#include "absl/status/statusor.h"
#include "app/model.h"
#include "hwest/rewrite.h"
#include "hwest/watch.h"

namespace hwest::app {

// Rewrite is RewriteModel of a file, or of memory if the bytes were kept. Errors: as RewriteModel; FailedPrecondition
// when there is nothing to read again.
absl::StatusOr<Rewritten> Rewrite(const LoadedModel& model, const RequestMaker& request, const RewriteOptions& options,
                                  const Watch& watch);

}  // namespace hwest::app

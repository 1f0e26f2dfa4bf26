// Rewrites a model that was read from a file or from memory.
#pragma once

#include "absl/status/statusor.h"
#include "app/model.h"
#include "hwest/rewrite.h"
#include "hwest/watch.h"
#include "rewrite/edited_model.h"

namespace hwest::app {

// The file, or the bytes that were kept, to be changed. Errors: as EditedModel::Open; FailedPrecondition when there is
// nothing to read again.
absl::StatusOr<EditedModel> OpenForEdits(const LoadedModel& model);

// Rewrite is RewriteModel of a file, or of memory if the bytes were kept. Errors: as RewriteModel; FailedPrecondition
// when there is nothing to read again.
absl::StatusOr<Rewritten> Rewrite(const LoadedModel& model, const RequestMaker& request, const RewriteOptions& options,
                                  const Watch& watch);

}  // namespace hwest::app

// A model file read again with some of its nodes changed.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/study.h"
#include "study/cures.h"

namespace hwest {

// LoadEdited reads the model and makes the edits before the graph is built; the file stays as it is. Errors: as
// LoadModel; kUsage when an edit names an output that no node of the main graph makes.
absl::StatusOr<std::shared_ptr<const Graph>> LoadEdited(const CureSource& source, const std::vector<ModelEdit>& edits);

}  // namespace hwest

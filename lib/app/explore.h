// An exploration from files: which figures of a target make models fast, frugal or small.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/request_options.h"
#include "explore/explore.h"

namespace hwest::app {

struct ExploreFiles {
  std::string target;               // built-in name, alias or path
  std::vector<std::string> models;  // paths
  RequestDraft base = {};           // sizes, mode, precision and placement of every model
  ExploreRequest how = {};          // space, objective and search; models and target are those of the files
};

// Errors: those of LoadModel, of the sizes, and of hwest::Explore; kUsage without a model.
absl::StatusOr<Exploration> Explore(ExploreFiles files);

// The text of `output`, a target file that restates what the best point sets: its base is a built-in target, or a path
// from there. Errors: kCheckFailed where no point keeps the constraints.
absl::StatusOr<std::string> BestTargetFile(const Exploration& found, const std::string& output);

}  // namespace hwest::app

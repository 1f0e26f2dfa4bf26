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

// Errors: those of LoadModel, of the sizes, and of hwest::Explore.
absl::StatusOr<Exploration> Explore(ExploreFiles files);

}  // namespace hwest::app

// The model that a use case is about.
#pragma once

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "analysis/load.h"
#include "hwest/graph.h"

namespace hwest::app {

struct LoadedModel {
  std::shared_ptr<const Graph> graph;
  std::string name;         // as reports call it
  ModelSource source;       // what studies read again; without a path the model is in memory
  absl::string_view bytes;  // of a model in memory; null = not kept
};

}  // namespace hwest::app

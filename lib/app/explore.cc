#include "app/explore.h"

#include <utility>

#include "base/status_macros.h"

namespace hwest::app {

absl::StatusOr<Exploration> Explore(ExploreFiles files) {
  ExploreRequest request = std::move(files.how);
  request.target = files.target;
  for (const std::string& path : files.models) {
    if (request.watch.step != nullptr) request.watch.step("reading " + path, files.models.size());
    HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(path));
    HWEST_ASSIGN_OR_RETURN(AnalysisRequest base, RequestFor(files.base, *graph));
    request.base.push_back(std::move(base));
    request.models.emplace_back(path, std::move(graph));
  }
  return hwest::Explore(request);
}

}  // namespace hwest::app

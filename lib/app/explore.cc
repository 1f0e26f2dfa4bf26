#include "app/explore.h"

#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace hwest::app {

namespace {

std::string BaseFrom(const std::string& output, const Exploration& found) {
  if (found.origin == "built-in") return found.target;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(output, error).parent_path();
  const std::filesystem::path base = std::filesystem::proximate(found.origin, folder, error);
  return base.has_parent_path() ? base.string() : absl::StrCat("./", base.string());
}

}  // namespace

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

absl::StatusOr<std::string> BestTargetFile(const Exploration& found, const std::string& output) {
  if (found.best.has_value()) return BestTargetText(found, BaseFrom(output, found));
  return MakeError(Code::kCheckFailed, absl::StrCat("no point keeps ", found.constraint),
                   "allow more, or vary other figures");
}

}  // namespace hwest::app

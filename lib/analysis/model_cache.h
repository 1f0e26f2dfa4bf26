// ModelCache: what the stages of the model found, kept per binding for the next analysis.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "analysis/stages.h"

namespace hwest {

// ModelTables is a workspace as the stages of the model left it. Its pool of dims is not changed any more.
struct ModelTables {
  AnalysisRequest request;  // that asked first; of it only what these stages read
  Workspace workspace;
};

// Whether the stages of the model find the same for both requests.
bool SameForModel(const AnalysisRequest& a, const AnalysisRequest& b);

// Gives `workspace` the tables; both share the dims from here on.
void TakeTables(std::shared_ptr<const ModelTables> tables, Workspace* workspace);

class ModelCache {
 public:
  // Null when there are none for such a request.
  std::shared_ptr<const ModelTables> Find(const AnalysisRequest& request) const;
  // Keeps what the stages of the model left in `workspace`, which goes on with a copy; forgets the oldest above a few.
  void Keep(Workspace* workspace);

 private:
  mutable std::mutex mutex_;  // of kept_
  std::vector<std::shared_ptr<const ModelTables>> kept_;  // oldest first
};

}  // namespace hwest

// ModelCache: what analyses of one model found that others need again, within bounds.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "analysis/stages.h"

namespace hwest {

// What the stages of the model read of a request.
struct ModelKey {
  explicit ModelKey(const AnalysisRequest& request);

  bool has_target = false;
  BindRequest bind;
  std::string op_rules;
  std::optional<Convention> flops_as;
};

// Whether the stages of the model find for `request` what they found for `key`.
bool SameForModel(const ModelKey& key, const AnalysisRequest& request);

// OverlayCache keeps what built-in toolchains fuse at one precision: they are the same on every target that has them.
class OverlayCache {
 public:
  // Null when it is not there.
  std::shared_ptr<const Overlay> Find(absl::string_view toolchain, Num precision) const;
  // Forgets the oldest above a few.
  void Keep(Num precision, std::shared_ptr<const Overlay> overlay);

 private:
  mutable std::mutex mutex_;  // of kept_
  std::vector<std::pair<Num, std::shared_ptr<const Overlay>>> kept_;  // oldest first
};

// ModelTables is a workspace as the stages of the model left it. Its pool of dims is not changed any more.
struct ModelTables {
  explicit ModelTables(const AnalysisRequest& request) : key(request) {}

  ModelKey key;
  Workspace workspace;
  mutable OverlayCache overlays;
};

// Gives `workspace` the tables; both share the dims from here on.
void TakeTables(std::shared_ptr<const ModelTables> tables, Workspace* workspace);

// What an analysis of a larger batch takes from that of a part of it.
struct PlannedPart {
  Plan plan;
  Overlays overlays;
  SupportTable support;
  int64_t batch = 1;
};

class ModelCache {
 public:
  // Null when there are none for such a request.
  std::shared_ptr<const ModelTables> Find(const AnalysisRequest& request) const;
  // Keeps what the stages of the model left in `workspace`, which goes on with a copy; forgets the oldest above a few.
  // Tables of large graphs are not kept: several of them would take more memory than the analysis itself.
  void Keep(Workspace* workspace);

  // The part that was planned for an equal request; null when there is none.
  std::shared_ptr<const PlannedPart> FindPart(const AnalysisRequest& request) const;
  void KeepPart(const AnalysisRequest& request, std::shared_ptr<const PlannedPart> part);

 private:
  mutable std::mutex mutex_;  // of all below
  std::vector<std::shared_ptr<const ModelTables>> kept_;  // oldest first
  std::vector<std::pair<AnalysisRequest, std::shared_ptr<const PlannedPart>>> parts_;
};

// Graphs above this are analysed without a cache.
inline constexpr size_t kMaxNodesKept = 100'000;

}  // namespace hwest

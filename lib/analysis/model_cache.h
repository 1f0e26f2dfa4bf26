// ModelCache: what analyses of one model found that others need again, within bounds.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/stages.h"
#include "base/bounded_cache.h"
#include "partition/support.h"
#include "plan/frame.h"
#include "plan/run_group.h"

namespace hwest {

// What the stages of the model read of a request.
struct ModelKey {
  bool has_target = false;
  BindRequest bind;
  std::string op_rules;
  std::optional<Convention> flops_as;
};

// Whether the stages of the model find for `request` what they found for `key`.
bool SameForModel(const ModelKey& key, const AnalysisRequest& request);

// What built-in toolchains fuse at one precision is the same on every target that has them. "" = nothing fuses.
struct OverlayKey {
  std::string toolchain;
  Num precision = Num::kUnset;

  bool operator==(const OverlayKey&) const = default;
};
using OverlayCache = BoundedCache<OverlayKey, Overlay>;

// Rows of all that is kept per binding, by kind: groups of overlays, groups as units run them; ten times as many of
// nodes on units: what is supported, and frames.
inline constexpr size_t kMaxRowsKept = 50'000;

// What targets have in common. Toolchains that are files, or handed in with a target, have no part in it.
struct TargetTables {
  OverlayCache overlays{kMaxRowsKept};
  GroupCache groups{kMaxRowsKept};
  FrameCache frames{10 * kMaxRowsKept};
  SupportCache support{10 * kMaxRowsKept};
};

// ModelTables is a workspace as the stages of the model left it. Its pool of dims is not changed any more.
struct ModelTables {
  Workspace workspace;
  mutable TargetTables of_targets;
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
  void KeepPart(AnalysisRequest request, std::shared_ptr<const PlannedPart> part);

 private:
  BoundedCache<ModelKey, ModelTables> tables_{8};
  BoundedCache<AnalysisRequest, PlannedPart> parts_{kMaxRowsKept};  // by group
};

// Graphs above this are analysed without a cache.
inline constexpr size_t kMaxNodesKept = 100'000;

}  // namespace hwest

// The ordered list of stages. A stage reads tables of earlier stages and fills its own.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "cost/model_view.h"
#include "cost/precision.h"
#include "fuse/fuse.h"
#include "hwest/analysis.h"
#include "op/op_rules.h"
#include "pass/bind.h"
#include "pass/work.h"
#include "plan/run_group.h"

namespace hwest {

struct ModelTables;  // analysis/model_cache.h
struct TargetTables;

// Workspace is the analysis and the tables that no report reads.
struct Workspace {
  Analysis analysis;
  BoundInputs bound;
  OpRules rules;                            // of custom operators
  IdMap<GraphId, Dim> runs;                 // of each body per inference
  std::shared_ptr<const ModelIndex> index;  // null without a target
  IdMap<UnitId, std::optional<UnitPrecision>> precisions;
  ModelCache* cache = nullptr;          // for analyses inside of this one; may be null
  const ModelTables* tables = nullptr;  // kept ones this analysis began with; may be null
  TargetTables* of_variants = nullptr;  // what targets with the same toolchains have in common; may be null
  std::function<bool()> go_on;  // tells the watcher of the stage at work once more; false = cancelled. May be null
};

enum class Needs : uint8_t { kModel, kTarget };

// What stages hand to each other: fields of the Workspace and its Analysis, in the order of their first filling.
enum class Table : uint32_t {
  kTarget,
  kBound,
  kRules,
  kFacts,
  kClasses,
  kWork,
  kConvention,
  kModules,
  kReading,
  kPrecisions,
  kOverlays,
  kSupport,
  kPlan,
  kMeasured,
  kCoverage
};
using Tables = uint32_t;  // a bit each

template <class... Some>
constexpr Tables SetOf(Some... tables) {
  return ((Tables{1} << static_cast<uint32_t>(tables)) | ... | Tables{0});
}

struct AnalysisStage {
  absl::string_view name;
  absl::string_view summary;
  Needs needs;  // a stage of Needs::kModel also runs without a target; it then skips what it would read of one
  Tables reads;
  Tables fills;
  absl::Status (*run)(Workspace&);
};

absl::Span<const AnalysisStage> Stages();

// The workspace after all stages, or after those before the plan.
enum class RunUntil : uint8_t { kPlan, kEnd };
absl::StatusOr<Workspace> RunStages(std::shared_ptr<const Graph> graph, const AnalysisRequest& request,
                                    ModelCache* cache, RunUntil until);

// Analyze with the tables of earlier analyses of the graph; `cache` may be null.
absl::StatusOr<Analysis> AnalyzeWith(std::shared_ptr<const Graph> graph, const AnalysisRequest& request,
                                     ModelCache* cache);

ModelView ViewOf(const Workspace& workspace);

// Whether the toolchains' own fusions are applied, beside those of the request.
enum class Fusing : uint8_t { kYes, kNo };

// How a toolchain fuses the model of the workspace, whose tables the result refers to; `layers` may be null.
FuseOptions FuseOptionsOf(const Workspace& workspace, const Toolchain* toolchain, Num precision,
                          const LayerPrecisions* layers);

// One overlay per unit.
absl::StatusOr<Overlays> MakeOverlays(const Workspace& workspace, Fusing fusing);

// Which unit runs which node with these overlays. Errors: as CheckSupport.
absl::StatusOr<SupportTable> CheckSupportOf(const Workspace& workspace, const Overlays& overlays);

// The plan of the workspace's request with these overlays and their support; see Plan::size_range for models with
// data-dependent sizes. Errors: as PlaceAndPlan. Where the workspace has no groups of earlier analyses, those of
// `groups` are taken and kept there, if it is not null.
absl::StatusOr<Plan> PlanOf(const Workspace& workspace, const Overlays& overlays, const SupportTable& support,
                            GroupCache* groups = nullptr);

// MakePlan fills the plan: that of PlanOf, or where they are better the one without fusions, image by image, or of
// several engines. Errors: as PlaceAndPlan.
absl::Status MakePlan(Workspace& workspace);

// As LeastUnfusedSeconds, for the sizes that PlanOf takes. `support` may be that of the fused overlays.
double LeastSecondsOf(const Workspace& workspace, const Overlays& unfused, const SupportTable& support, double enough,
                      GroupCache* groups);

// Whether the request names a target, or hands one in.
inline bool HasTarget(const AnalysisRequest& request) { return request.loaded != nullptr || !request.target.empty(); }

}  // namespace hwest

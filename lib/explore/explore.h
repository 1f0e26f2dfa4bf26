// Exploration of one's own chip: which values of a target's figures make models fast, frugal or small.
//
//   const ExploreRequest request{.target = "npu.textproto", .models = {{"a.onnx", graph}},
//                                .vary = {{"npu.rows", "8:128:x2"}, {"sram.size", "1MB,2MB"}}};
//   HWEST_ASSIGN_OR_RETURN(const Exploration found, Explore(request));
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "explore/constraint.h"
#include "explore/evaluate.h"
#include "explore/search.h"
#include "explore/space.h"
#include "hwest/analysis.h"
#include "hwest/watch.h"
#include "report/report.h"

namespace hwest {

enum class ExploreFor : uint8_t { kLatency, kEnergy, kEdp };  // energy-delay product

struct ExploreRequest {
  std::string target;                                                        // as the user named it
  std::vector<std::pair<std::string, std::shared_ptr<const Graph>>> models;  // with their names
  std::vector<AnalysisRequest> base;     // of each model: sizes, mode, precision, placement
  std::shared_ptr<const Target> loaded;  // null = load `target`
  Vary vary;
  ExploreFor objective = ExploreFor::kLatency;
  std::string constraint;  // "area<4,power<2W"; empty = none
  SearchBy search = SearchBy::kEveryPoint;
  size_t budget = 1000;              // points of an annealing
  std::optional<double> process_nm;  // none = areas are unknown, and energies those that the target states
  Watch watch = {};
};

// How much a figure of the target matters at the best point: the per cent by which latency and energy change where it
// grows by one per cent, as geometric means over the models.
struct Sensitivity {
  std::string path;
  std::optional<double> latency, energy;
  std::vector<std::pair<std::string, double>> classes;  // of the latency, by class of layers, most time first
};

// A layer that takes another time at the best point than on the target as it is.
struct LayerChange {
  std::string model, layer, what;  // what = class of its operator
  double base_s = 0, best_s = 0;
  std::string base_bound, best_bound;
};

struct Exploration {
  std::string target;  // its name
  std::string origin;
  std::vector<std::string> models;
  std::vector<Settable> figures;  // that vary
  ExploreFor objective = ExploreFor::kLatency;
  SearchBy search = SearchBy::kEveryPoint;
  std::string constraint;
  std::optional<double> process_nm;
  size_t size = 0;                   // of the space
  ExplorePoint base;                 // the target as it is
  std::vector<ExplorePoint> points;  // in the order of the space; of an annealing those it asked for
  std::optional<size_t> best;        // of `points`; none = no point keeps the constraints
  std::vector<Sensitivity> sensitivities;
  std::vector<LayerChange> layers;            // largest change first
  std::shared_ptr<const Target> base_target;  // as it is, before its mode
  std::shared_ptr<const Target> best_target;  // the same with the best point; null without one
  std::vector<Diagnostic> notes;
};

// Errors: kUsage for spaces, constraints and budgets that make no sense; those of Analyze for a model on the target as
// it is; kInterrupted.
absl::StatusOr<Exploration> Explore(const ExploreRequest& request);

// The name of a point: "npu.rows=64 sram.size=2 MB".
std::string PointText(const Exploration& found, const ExplorePoint& point);
std::string ExploreForName(ExploreFor objective);  // "latency"

// A target file over `base`, a path or name, that restates what the best point sets. Requires a best point.
std::string BestTargetText(const Exploration& found, const std::string& base);

// Formats: text, markdown, json, csv (the points), svg (the trade-off), html.
absl::Status WriteExploration(const Exploration& found, const ReportOptions& options, Sink sink);

}  // namespace hwest

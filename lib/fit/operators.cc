#include "fit/operators.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "cost/cost.h"
#include "cost/group_work.h"
#include "cost/precision.h"
#include "fit/metrics.h"
#include "fit/operator_graph.h"
#include "hwest/analysis.h"
#include "hwest/profile.h"
#include "hwest/reading.h"
#include "plan/operator_class.h"

namespace hwest {
namespace {

absl::Status NotPredicted(absl::string_view why) { return absl::NotFoundError(why); }

// Where a row is predicted: one unit at one precision.
struct Place {
  Query query;
  std::string unit;
};

Measurement AsMeasurement(const MeasuredOperator& row) {
  Measurement measured;
  measured.device = row.device;
  measured.unit = row.unit;
  measured.runtime = row.runtime;
  // Scales of blocks change no rate.
  measured.precision = std::string(absl::StripSuffix(row.precision, "_block"));
  measured.metric = "latency_ms";
  return measured;
}

class Places {
 public:
  explicit Places(const OperatorOptions& options, const Targets& targets) : forced_(options.target) {
    for (const auto& target : targets) {
      for (const std::string& alias : target->aliases) targets_.emplace(alias, target);
    }
    for (const auto& target : targets) targets_[target->name] = target;
  }

  absl::StatusOr<Place> Of(const MeasuredOperator& row) const {
    HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Target> target, TargetOf(row));
    HWEST_ASSIGN_OR_RETURN(Query query, MatchRowOn(AsMeasurement(row), target));
    if (query.engines.size() != 1 || query.engines[0].size() != 1)
      return NotPredicted("measured on several units at once");
    std::string unit = query.engines[0][0];
    return Place{.query = std::move(query), .unit = std::move(unit)};
  }

 private:
  absl::StatusOr<std::shared_ptr<const Target>> TargetOf(const MeasuredOperator& row) const {
    if (forced_ != nullptr) return forced_;
    const auto at = targets_.find(row.target);
    if (at == targets_.end()) return NotPredicted(absl::StrCat("no target '", row.target, "'"));
    return at->second;
  }

  std::shared_ptr<const Target> forced_;
  std::map<std::string, std::shared_ptr<const Target>> targets_;
};

AnalysisRequest RequestAt(const Place& place) {
  AnalysisRequest request;
  request.finds_best = false;
  request.target = place.query.target->name;
  request.loaded = place.query.target;
  request.mode = place.query.mode;
  request.precision = place.query.precision;
  request.only = {place.unit};
  if (!place.query.toolchain.empty()) request.toolchains.emplace_back(place.unit, place.query.toolchain);
  return request;
}

absl::StatusOr<Analysis> AnalyseAt(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request) {
  absl::StatusOr<Analysis> analysis = Analyze(graph, request);
  if (!analysis.ok()) return NotPredicted(absl::StrCat("analysis failed: ", DiagnosticOf(analysis.status()).message));
  return analysis;
}

ModelView ViewOfOperator(const Analysis& analysis) {
  return {GraphAsRead(analysis), analysis.facts, analysis.classes, analysis.work, *analysis.dims};
}

// All that takes time in the graph, as one group.
absl::StatusOr<Group> WholeGroup(const ModelView& model) {
  Group group{.pattern = "operator"};
  std::vector<ValueId> made;
  for (size_t n = 0; n < model.graph.nodes().size(); ++n) {
    const NodeId node(n);
    if (!IsKernel(model.classes[node])) continue;
    group.nodes.push_back(node);
    for (const ValueId output : model.graph.outputs(node)) made.push_back(output);
  }
  if (group.nodes.empty()) return NotPredicted("takes no time in the cost model: a view or nothing at all");
  if (group.nodes.size() == 1) return SingleNode(model, group.nodes[0]);
  group.root = group.nodes.back();
  for (const NodeId node : group.nodes) {
    for (const ValueId input : model.graph.inputs(node)) {
      if (input.valid() && std::find(made.begin(), made.end(), input) == made.end()) group.inputs.push_back(input);
    }
  }
  std::sort(group.inputs.begin(), group.inputs.end());
  group.inputs.erase(std::unique(group.inputs.begin(), group.inputs.end()), group.inputs.end());
  for (const ValueId output : model.graph.main().outputs) group.outputs.push_back(output);
  std::sort(group.outputs.begin(), group.outputs.end());
  return group;
}

// In the middle of a network: what is read and written stays on the chip if it fits there, the smaller one first.
Residency MidNetwork(const Target& target, const Unit& unit, const GroupWork& work) {
  const int64_t room = OnChipBytes(target, unit);
  Residency residency;
  const bool in_first = work.in_bytes <= work.out_bytes;
  const int64_t first = std::min(work.in_bytes, work.out_bytes), second = std::max(work.in_bytes, work.out_bytes);
  if (first > room) return residency;
  (in_first ? residency.in_bytes : residency.out_bytes) = first;
  if (second <= room - first) (in_first ? residency.out_bytes : residency.in_bytes) = second;
  return residency;
}

OperatorPoint OperatorPointOf(const MeasuredOperator& row, const Place& place, const std::string& operator_class) {
  const size_t dot = operator_class.rfind('.');
  return {.measured = row,
          .unit = place.unit,
          .precision = place.query.precision,
          .operator_class = operator_class.substr(0, dot),
          .size = operator_class.substr(dot + 1),
          .estimate = {}};
}

absl::StatusOr<Precision> PrecisionOn(const Analysis& analysis, const ModelView& model, const Group& group,
                                      const Place& place) {
  HWEST_ASSIGN_OR_RETURN(const PrecisionChoice choice,
                         ChoosePrecisions(*analysis.target, place.query.precision, FilePrecisionOf(model), {}));
  for (size_t u = 0; u < analysis.target->units.size(); ++u) {
    const std::optional<UnitPrecision>& own = choice.units[UnitId(u)];
    if (analysis.target->units[UnitId(u)].name == place.unit && own.has_value()) {
      return Widened(model, group, own->main, own->widens);
    }
  }
  return NotPredicted(absl::StrCat("precision ", place.query.precision, " not modelled"));
}

absl::StatusOr<OperatorPoint> PredictAlone(const MeasuredOperator& row, const Place& place) {
  HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Graph> graph, OperatorGraph(row));
  HWEST_ASSIGN_OR_RETURN(const Analysis analysis, AnalyseAt(graph, RequestAt(place)));
  const ModelView model = ViewOfOperator(analysis);
  HWEST_ASSIGN_OR_RETURN(const Group group, WholeGroup(model));
  HWEST_ASSIGN_OR_RETURN(const Precision precision, PrecisionOn(analysis, model, group, place));
  const GroupWork work = MakeGroupWork(model, group, precision);
  const Unit* found = UnitOf(*analysis.target, place.unit);
  if (found == nullptr) return NotPredicted("no such unit");
  const Unit& unit = *found;
  OperatorPoint point = OperatorPointOf(row, place, OperatorClassOf(model, group, work));
  absl::StatusOr<Estimate> estimate =
      EstimateGroup(*analysis.target, unit, work, MidNetwork(*analysis.target, unit, work));
  if (!estimate.ok()) return NotPredicted(absl::StrCat("no estimate: ", estimate.status().message()));
  if (!work.counts_known || !work.bytes_known || !(estimate->time_s > 0))
    return NotPredicted("not all of it can be counted");
  point.estimate = *std::move(estimate);
  return point;
}

// Rows of one network on one device.
struct Network {
  Place place;
  std::vector<const MeasuredOperator*> rows;
};

void AddEstimate(const Estimate& more, Estimate* sum) {
  sum->compute_s += more.compute_s;
  sum->memory_s += more.memory_s;
  sum->overhead_s += more.overhead_s;
  if (more.time_s > sum->time_s) sum->bound = more.bound;
  sum->time_s += more.time_s;
}

// The points of a network's groups, tied together where a row is of several, and the rows that no group is of.
class NetworkPoints {
 public:
  NetworkPoints(const Network& network, const Analysis& analysis)
      : network_(network), analysis_(analysis), model_(ViewOfOperator(analysis)) {}

  std::vector<OperatorPoint> Run(std::vector<const MeasuredOperator*>* lost) {
    const MeasuredTimes& times = *analysis_.measured;
    std::vector<OperatorPoint> points;
    for (size_t set = 0; set < times.sets.size(); ++set) {
      if (times.sets[set].predicted_s.has_value() && times.sets[set].time_s > 0) points.push_back(PointAt(set));
    }
    for (size_t e = 0; e < times.entries.size(); ++e) {
      if (times.entries[e].match != MeasuredMatch::kGroups) lost->push_back(network_.rows[e]);
    }
    return points;
  }

 private:
  OperatorPoint PointAt(size_t set) const {
    const MeasuredTimes& times = *analysis_.measured;
    const PlannedGroup* longest = nullptr;
    Estimate sum;
    for (const GroupId id : times.sets[set].groups) {
      const PlannedGroup& group = analysis_.plan->groups[id.index()];
      if (!group.estimate.has_value()) continue;
      if (longest == nullptr || group.estimate->time_s > longest->estimate->time_s) longest = &group;
      AddEstimate(*group.estimate, &sum);
    }
    OperatorPoint point =
        OperatorPointOf(*RowOfSet(set), network_.place, OperatorClassOf(model_, longest->group, longest->work));
    point.in_network = true;
    point.measured.seconds = times.sets[set].time_s;
    point.estimate = std::move(sum);
    return point;
  }

  // The first row that is of the set.
  const MeasuredOperator* RowOfSet(size_t set) const {
    const MeasuredTimes& times = *analysis_.measured;
    for (size_t e = 0; e < times.entries.size(); ++e) {
      const MeasuredEntry& entry = times.entries[e];
      if (entry.match == MeasuredMatch::kGroups && times.set_of[entry.groups.front()] == set) return network_.rows[e];
    }
    return network_.rows.front();
  }

  const Network& network_;
  const Analysis& analysis_;
  const ModelView model_;
};

absl::StatusOr<Analysis> AnalyseNetwork(const Network& network, const std::string& folder) {
  const absl::StatusOr<std::shared_ptr<const Graph>> graph =
      LoadModel(absl::StrCat(folder, "/", network.rows.front()->model, ".onnx"));
  if (!graph.ok()) return NotPredicted(absl::StrCat("model not readable: ", DiagnosticOf(graph.status()).message));
  auto profile = std::make_shared<Profile>();
  profile->program = network.rows.front()->runtime;
  for (const MeasuredOperator* row : network.rows) profile->entries.push_back({row->layer, "", row->seconds});
  AnalysisRequest request = RequestAt(network.place);
  request.measured_profile = std::move(profile);
  HWEST_ASSIGN_OR_RETURN(Analysis analysis, AnalyseAt(*graph, request));
  if (analysis.measured == nullptr || !analysis.plan.has_value()) return NotPredicted("no plan of the network");
  return analysis;
}

bool IsContraction(const OperatorPoint& point) {
  return absl::StartsWith(point.operator_class, "conv") || absl::StartsWith(point.operator_class, "matmul") ||
         point.operator_class == "Attention" || point.operator_class == "recurrent";
}

using PointIndices = std::vector<size_t>;

OperatorPool PoolOf(const std::vector<OperatorPoint>& points, const PointIndices& of, OperatorPool pool) {
  std::vector<double> factors, errors;
  pool.worst = of.front();
  double furthest = 0;
  for (const size_t i : of) {
    const Outcome outcome{points[i].estimate.time_s, points[i].measured.seconds};
    factors.push_back(points[i].factor());
    errors.push_back(ErrorOf(outcome));
    if (errors.back() < furthest) continue;
    furthest = errors.back();
    pool.worst = i;
  }
  pool.n = of.size();
  pool.median_factor = *Median(factors);
  pool.median_error = *Median(errors);
  pool.p10 = *Quantile(factors, 0.1);
  pool.p90 = *Quantile(factors, 0.9);
  return pool;
}

// Pools by what `describe` says of each point.
template <class Describe>
std::vector<OperatorPool> PoolsBy(const std::vector<OperatorPoint>& points, const Describe& describe) {
  using PoolKey = std::tuple<std::string, std::string, std::string, std::string, std::string>;
  std::map<PoolKey, std::pair<OperatorPool, PointIndices>> pools;
  for (size_t i = 0; i < points.size(); ++i) {
    const OperatorPool pool = describe(points[i]);
    auto& entry = pools[PoolKey(pool.target, pool.unit, pool.precision, pool.operator_class, pool.size)];
    entry.first = pool;
    entry.second.push_back(i);
  }
  std::vector<OperatorPool> rows;
  for (const auto& [key, entry] : pools) rows.push_back(PoolOf(points, entry.second, entry.first));
  return rows;
}

OperatorPool FinePool(const OperatorPoint& point) {
  return {.target = point.measured.target,
          .unit = point.unit,
          .precision = point.precision,
          .operator_class = point.operator_class,
          .size = point.size};
}

OperatorPool DevicePool(const OperatorPoint& point) {
  const bool lasts = point.measured.seconds >= kLastingSeconds;
  const char* kind = !IsContraction(point) ? "other operators"
                     : lasts               ? "contractions from 20 us"
                                           : "contractions below";
  return {.target = point.measured.target, .unit = point.unit, .precision = "", .operator_class = kind, .size = ""};
}

class Study {
 public:
  Study(const std::vector<MeasuredOperator>& rows, const OperatorOptions& options, const Targets& targets)
      : rows_(rows), options_(options), places_(options, targets) {}

  absl::StatusOr<OperatorValidation> Run() {
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (options_.stop && options_.stop()) return absl::CancelledError("cancelled");
      Count(Take(rows_[i]));
      if (options_.progress) options_.progress(i + 1, rows_.size());
    }
    for (const auto& [key, network] : networks_) PredictNetwork(network);
    return Summed();
  }

 private:
  absl::Status Take(const MeasuredOperator& row) {
    if (!row.unread.empty()) return NotPredicted(row.unread);
    HWEST_ASSIGN_OR_RETURN(Place place, places_.Of(row));
    if (IsOfNetwork(row)) {
      Network& network = networks_[{row.source, row.model, row.target, row.unit, place.query.precision}];
      network.place = std::move(place);
      network.rows.push_back(&row);
      return absl::OkStatus();
    }
    return TakeAlone(row, place);
  }

  absl::Status TakeAlone(const MeasuredOperator& row, const Place& place) {
    HWEST_ASSIGN_OR_RETURN(OperatorPoint point, PredictAlone(row, place));
    result_.points.push_back(std::move(point));
    return absl::OkStatus();
  }

  void Count(const absl::Status& status) {
    if (!status.ok()) ++skipped_[std::string(status.message())];
  }

  // A row whose network is in the folder is a layer of it; another one stands for itself.
  bool IsOfNetwork(const MeasuredOperator& row) {
    if (options_.models.empty() || row.model.empty() || row.layer.empty()) return false;
    if (absl::StrContains(row.model, '/')) return false;
    const auto [at, is_new] = is_there_.try_emplace(row.model, false);
    if (is_new) at->second = LoadModel(absl::StrCat(options_.models, "/", row.model, ".onnx")).ok();
    return at->second;
  }

  void PredictNetwork(const Network& network) {
    const absl::StatusOr<Analysis> analysis = AnalyseNetwork(network, options_.models);
    if (!analysis.ok()) {
      skipped_[std::string(analysis.status().message())] += network.rows.size();
      return;
    }
    std::vector<const MeasuredOperator*> lost;
    for (OperatorPoint& point : NetworkPoints(network, *analysis).Run(&lost)) {
      result_.points.push_back(std::move(point));
    }
    for (const MeasuredOperator* row : lost) Count(TakeAlone(*row, network.place));
  }

  OperatorValidation Summed() {
    std::stable_sort(result_.points.begin(), result_.points.end(),
                     [](const OperatorPoint& a, const OperatorPoint& b) { return a.measured.row < b.measured.row; });
    result_.devices = PoolsBy(result_.points, DevicePool);
    result_.pools = PoolsBy(result_.points, FinePool);
    for (const auto& [reason, count] : skipped_) result_.skipped.push_back({reason, count});
    std::stable_sort(result_.skipped.begin(), result_.skipped.end(),
                     [](const SkippedRows& a, const SkippedRows& b) { return a.count > b.count; });
    return std::move(result_);
  }

  using NetworkKey = std::tuple<std::string, std::string, std::string, std::string, std::string>;

  const std::vector<MeasuredOperator>& rows_;
  const OperatorOptions& options_;
  const Places places_;
  std::map<NetworkKey, Network> networks_;
  std::map<std::string, bool> is_there_;  // by model
  std::map<std::string, size_t> skipped_;
  OperatorValidation result_;
};

}  // namespace

absl::StatusOr<OperatorValidation> ValidateOperators(const std::vector<MeasuredOperator>& rows,
                                                     const OperatorOptions& options) {
  Targets targets = options.targets;
  if (targets.empty()) {
    HWEST_ASSIGN_OR_RETURN(targets, LoadBuiltInTargets());
  }
  return Study(rows, options, targets).Run();
}

}  // namespace hwest

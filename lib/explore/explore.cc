#include "explore/explore.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/enumerators.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "cost/model_view.h"
#include "explore/silicon.h"
#include "hwest/diagnostic.h"
#include "plan/operator_class.h"
#include "sweep/row.h"

namespace hwest {
namespace {

// Sensitivities are slopes between a tenth less and a tenth more; of counts between half and twice as many, because an
// array a tenth larger fits no layer.
constexpr double kStep = 1.1, kCountStep = 2;
constexpr size_t kLayersKept = 20;
// Layers that change by less of the latency are not listed.
constexpr double kLeastChange = 0.002;

using Times = std::map<std::string, double>;  // by class of layers

std::string LayerClass(const ModelView& model, const PlannedGroup& group) {
  const std::string of_size = OperatorClassOf(model, group.group, group.work);
  return of_size.substr(0, of_size.rfind('.'));
}

double FigureOf(Limited figure, const ExplorePoint& point) {
  switch (figure) {
    case Limited::kArea: return point.area_mm2.value_or(0);
    case Limited::kPower: return point.power_w.value_or(0);
    case Limited::kLatency: return point.worst_latency_s;
    case Limited::kEnergy: return point.worst_energy_j.value_or(0);
  }
  return 0;
}

std::optional<double> ScoreOf(ExploreFor objective, const ExplorePoint& point) {
  if (!point.ok()) return std::nullopt;
  if (objective == ExploreFor::kLatency) return point.geomean_latency_s;
  if (!point.geomean_energy_j.has_value()) return std::nullopt;
  return *point.geomean_energy_j * (objective == ExploreFor::kEdp ? point.geomean_latency_s : 1);
}

class Explorer {
 public:
  explicit Explorer(const ExploreRequest& request) : request_(request) {}

  absl::StatusOr<Exploration> Run() {
    HWEST_RETURN_IF_ERROR(Prepare());
    HWEST_RETURN_IF_ERROR(CheckBase());
    Search();
    if (stopped_) return MakeError(Code::kInterrupted, "the exploration was cancelled", "");
    MarkFront();
    if (const ExplorePoint* best = BestOf(found_.points)) {
      found_.best = static_cast<size_t>(best - found_.points.data());
      Target chosen = completed_;
      space_->Apply(best->values, &chosen);
      found_.best_target = std::make_shared<const Target>(std::move(chosen));
      AddSensitivities(*best);
      AddLayers(*best);
    }
    AddNotes();
    return std::move(found_);
  }

 private:
  absl::Status Prepare();
  absl::Status CheckBase();
  void Search();
  ExplorePoint Judged(ExplorePoint point) const;
  void MarkFront();
  void AddSensitivities(const ExplorePoint& best);
  Sensitivity SensitivityOf(size_t axis, const ExplorePoint& best);
  void AddLayers(const ExplorePoint& best);
  void AddLayersOf(size_t model, const ExplorePoint& best);
  void AddNotes();
  std::vector<double> BaseValues() const;

  const ExploreRequest& request_;
  Exploration found_;
  std::vector<ExploreLimit> constraints_;
  std::optional<Space> space_;
  std::optional<Evaluator> evaluator_;
  Target completed_;                 // with energies that the file does not state
  std::vector<std::string> filled_;  // these
  bool stopped_ = false;
};

absl::Status Explorer::Prepare() {
  if (request_.models.empty()) return MakeError(Code::kUsage, "no model was named", "name one or more files");
  Target base;
  if (request_.loaded != nullptr) base = *request_.loaded;
  if (request_.loaded == nullptr) {
    HWEST_ASSIGN_OR_RETURN(base, LoadTarget(request_.target));
  }
  found_.base_target = std::make_shared<const Target>(base);
  HWEST_ASSIGN_OR_RETURN(space_, Space::Make(base, request_.vary));
  if (!request_.constraint.empty()) {
    HWEST_ASSIGN_OR_RETURN(constraints_, ParseExploreLimits("--constraint", request_.constraint));
  }
  if (request_.process_nm.has_value()) filled_ = FillEnergies(*request_.process_nm, &base);
  completed_ = base;
  const auto shared = std::make_shared<const Target>(base);
  std::vector<ExploreModel> models;
  for (size_t m = 0; m < request_.models.size(); ++m) {
    const auto& [name, graph] = request_.models[m];
    if (request_.watch.step != nullptr) request_.watch.step(absl::StrCat("reading ", name), request_.models.size());
    AnalysisRequest request = m < request_.base.size() ? request_.base[m] : AnalysisRequest();
    request.loaded = shared;
    HWEST_ASSIGN_OR_RETURN(std::unique_ptr<Variants> variants, Variants::Make(graph, request));
    models.push_back({name, std::move(variants)});
    found_.models.push_back(name);
  }
  evaluator_.emplace(models.front().variants->base(), *space_, std::move(models), request_.process_nm);
  found_.target = base.name;
  found_.origin = base.origin;
  for (const Space::Axis& axis : space_->axes()) found_.figures.push_back(axis.figure);
  found_.objective = request_.objective;
  found_.search = request_.search;
  found_.constraint = request_.constraint;
  found_.process_nm = request_.process_nm;
  found_.size = space_->size();
  return absl::OkStatus();
}

// What no point can tell is refused before the search.
absl::Status Explorer::CheckBase() {
  found_.base = Judged(evaluator_->At(BaseValues()));
  ExplorePoint first = found_.base.ok() ? found_.base : evaluator_->At(space_->ValuesOf(space_->At(0)));
  if (!first.ok()) return MakeError(Code::kTargetInvalid, first.message, "complete the target's file");
  const auto limits = [&](Limited figure) {
    return std::any_of(constraints_.begin(), constraints_.end(),
                       [&](const ExploreLimit& row) { return row.figure == figure; });
  };
  if (limits(Limited::kArea) && !first.area_mm2.has_value()) {
    return MakeError(Code::kUsage, "--constraint limits the area, which is not known",
                     request_.process_nm.has_value()
                         ? "state the capacities of the memories on the chip, and a rate in int8, fp16, bf16 or fp32"
                         : "add --process NM, the process of the chip, e.g. --process 16",
                     {"--constraint", {"--process", {"NM"}}, {"--process", {"16"}}});
  }
  const bool wants_energy =
      request_.objective != ExploreFor::kLatency || limits(Limited::kPower) || limits(Limited::kEnergy);
  if (wants_energy && !first.geomean_energy_j.has_value()) {
    return MakeError(Code::kUsage, "energies are not known",
                     "state energy_j and energy_j_per_byte in the target's file, or add --process NM to estimate them",
                     {{"--process", {"NM"}}});
  }
  return absl::OkStatus();
}

// The values that the target has; of a figure that it does not state the first one of its axis.
std::vector<double> Explorer::BaseValues() const {
  std::vector<double> values;
  for (const Space::Axis& axis : space_->axes()) {
    const auto now = FindSettable(evaluator_->models().front().variants->base(), axis.figure.path);
    values.push_back(now.ok() && now->value.has_value() ? *now->value : axis.values.front());
  }
  return values;
}

ExplorePoint Explorer::Judged(ExplorePoint point) const {
  point.score = ScoreOf(request_.objective, point);
  for (const ExploreLimit& limit : constraints_) {
    const double figure = FigureOf(limit.figure, point);
    if (figure > limit.max) point.broken_by += portable::Log(figure / limit.max);
  }
  point.keeps = point.ok() && point.broken_by == 0;
  return point;
}

void Explorer::Search() {
  size_t done = 0;
  const size_t total =
      request_.search == SearchBy::kEveryPoint ? space_->size() : std::min(request_.budget, space_->size());
  const auto evaluate = [&](const GridPoint& point) {
    ExplorePoint row = Judged(evaluator_->At(space_->ValuesOf(point)));
    row.point = point;
    if (request_.watch.count != nullptr) request_.watch.count("points", ++done, total);
    return row;
  };
  const auto goes_on = [&] {
    stopped_ = stopped_ || (request_.watch.stop != nullptr && request_.watch.stop());
    return !stopped_;
  };
  const SearchCalls calls{evaluate, goes_on};
  found_.points = request_.search == SearchBy::kEveryPoint ? SearchGrid(*space_, calls)
                                                           : SearchAnneal(*space_, request_.budget, calls);
}

void Explorer::MarkFront() {
  const auto figures_of = [](const ExplorePoint& point) {
    return ParetoFigures{point.geomean_latency_s, point.geomean_energy_j, point.area_mm2};
  };
  ParetoFront front;
  for (const ExplorePoint& point : found_.points) {
    if (point.keeps) front.Add("", figures_of(point));
  }
  for (ExplorePoint& point : found_.points) {
    point.pareto = point.keeps && front.IsOn("", figures_of(point)).value_or(false);
  }
}

std::optional<double> Slope(std::optional<double> less, std::optional<double> more, double step) {
  if (!less.has_value() || !more.has_value() || !(*less > 0) || !(*more > 0)) return std::nullopt;
  return portable::Log(*more / *less) / portable::Log(step);
}

// The time of each class, as the geometric mean over the models that have it would weigh it: each model counts alike.
Times TimesOf(Evaluator& evaluator, const std::vector<double>& values) {
  Times times;
  for (size_t m = 0; m < evaluator.models().size(); ++m) {
    const absl::StatusOr<const Plan*> plan = evaluator.PlanAt(m, values);
    if (!plan.ok()) continue;
    const ModelView model = evaluator.models()[m].variants->model();
    for (const PlannedGroup& group : (*plan)->groups) {
      if (group.estimate.has_value()) times[LayerClass(model, group)] += group.estimate->time_s / (*plan)->latency_s;
    }
  }
  return times;
}

// As above in seconds, so that two points compare.
Times SecondsOf(Evaluator& evaluator, const std::vector<double>& values) {
  Times times;
  for (size_t m = 0; m < evaluator.models().size(); ++m) {
    const absl::StatusOr<const Plan*> plan = evaluator.PlanAt(m, values);
    if (!plan.ok()) continue;
    const ModelView model = evaluator.models()[m].variants->model();
    for (const PlannedGroup& group : (*plan)->groups) {
      if (group.estimate.has_value()) times[LayerClass(model, group)] += group.estimate->time_s;
    }
  }
  return times;
}

Sensitivity Explorer::SensitivityOf(size_t axis, const ExplorePoint& best) {
  const Settable& figure = space_->axes()[axis].figure;
  const double value = best.values[axis];
  std::vector<double> less = best.values, more = best.values;
  const bool is_count = figure.is_whole && figure.measure.empty();
  const auto stated = [&](double number) { return figure.is_whole ? std::round(number) : number; };
  less[axis] = std::max(is_count ? 1.0 : figure.min, stated(value / (is_count ? kCountStep : kStep)));
  more[axis] = std::min(figure.max, stated(value * (is_count ? kCountStep : kStep)));
  Sensitivity row{.path = figure.path, .latency = {}, .energy = {}, .classes = {}};
  if (!(more[axis] > less[axis]) || !(less[axis] > 0)) return row;
  const double step = more[axis] / less[axis];
  const ExplorePoint at_less = evaluator_->At(less), at_more = evaluator_->At(more);
  if (!at_less.ok() || !at_more.ok()) return row;
  row.latency = Slope(at_less.geomean_latency_s, at_more.geomean_latency_s, step);
  row.energy = Slope(at_less.geomean_energy_j, at_more.geomean_energy_j, step);
  const Times shares = TimesOf(*evaluator_, best.values);
  const Times before = SecondsOf(*evaluator_, less), after = SecondsOf(*evaluator_, more);
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, share] : shares) order.emplace_back(-share, name);
  std::sort(order.begin(), order.end());
  for (const auto& [share, name] : order) {
    const auto a = before.find(name), b = after.find(name);
    if (a == before.end() || b == after.end()) continue;
    if (const std::optional<double> slope = Slope(a->second, b->second, step)) row.classes.emplace_back(name, *slope);
  }
  return row;
}

void Explorer::AddSensitivities(const ExplorePoint& best) {
  for (size_t axis = 0; axis < space_->axes().size(); ++axis) found_.sensitivities.push_back(SensitivityOf(axis, best));
}

struct LayerTime {
  std::string what, bound;
  double seconds = 0;
};

// Groups by the name of their root: a variant may fuse no differently, but place differently.
std::map<std::string, LayerTime> LayersOf(const ModelView& model, const Plan& plan) {
  std::map<std::string, LayerTime> layers;
  for (const PlannedGroup& group : plan.groups) {
    if (!group.estimate.has_value()) continue;
    LayerTime& layer = layers[std::string(model.graph.Label(group.group.root))];
    layer.what = OperatorClassText(OperatorClassOf(model, group.group, group.work));
    layer.bound = std::string(BoundName(group.estimate->bound));
    layer.seconds += group.estimate->time_s;
  }
  return layers;
}

void Explorer::AddLayersOf(size_t m, const ExplorePoint& best) {
  const ModelView model = evaluator_->models()[m].variants->model();
  const absl::StatusOr<const Plan*> before = evaluator_->PlanAt(m, BaseValues());
  if (!before.ok()) return;
  const std::map<std::string, LayerTime> base = LayersOf(model, **before);
  const absl::StatusOr<const Plan*> after = evaluator_->PlanAt(m, best.values);
  if (!after.ok()) return;
  const double least_s = kLeastChange * (*after)->latency_s;
  for (const auto& [name, now] : LayersOf(model, **after)) {
    const auto then = base.find(name);
    if (then == base.end() || std::abs(then->second.seconds - now.seconds) < least_s) continue;
    found_.layers.push_back({.model = found_.models[m],
                             .layer = name,
                             .what = now.what,
                             .base_s = then->second.seconds,
                             .best_s = now.seconds,
                             .base_bound = then->second.bound,
                             .best_bound = now.bound});
  }
}

void Explorer::AddLayers(const ExplorePoint& best) {
  for (size_t m = 0; m < found_.models.size(); ++m) AddLayersOf(m, best);
  std::stable_sort(found_.layers.begin(), found_.layers.end(), [](const LayerChange& a, const LayerChange& b) {
    return std::abs(a.base_s - a.best_s) > std::abs(b.base_s - b.best_s);
  });
  if (found_.layers.size() > kLayersKept) found_.layers.resize(kLayersKept);
}

void Explorer::AddNotes() {
  const auto add = [&](std::string message, std::string remedy = "") {
    found_.notes.push_back({.code = Code::kAssumed, .message = std::move(message), .remedy = std::move(remedy)});
  };
  for (const Diagnostic& note : evaluator_->models().front().variants->analysis().diagnostics) {
    if (note.code == Code::kAssumed) found_.notes.push_back(note);
  }
  if (!filled_.empty()) {
    add(absl::StrCat("energies that the file does not state are estimates for ", *request_.process_nm,
                     " nm: ", absl::StrJoin(filled_, ", "), " (Horowitz, ISSCC 2014; Jouppi et al., ISCA 2021)"));
  }
  if (request_.process_nm.has_value()) {
    add(AreaNote(*evaluator_->TargetAt(BaseValues()), *request_.process_nm));
  } else {
    add("areas are unknown without the process of the chip", "add --process NM");
  }
  if (!found_.best.has_value()) {
    add(absl::StrCat("no point keeps ", request_.constraint), "allow more, or vary other figures");
  }
}

}  // namespace

absl::StatusOr<Exploration> Explore(const ExploreRequest& request) { return Explorer(request).Run(); }

std::string ExploreForName(ExploreFor objective) {
  constexpr absl::string_view kNames[] = {"latency", "energy", "edp"};
  static_assert(std::size(kNames) == kNumEnumerators<ExploreFor>);
  return std::string(kNames[static_cast<size_t>(objective)]);
}

std::string PointText(const Exploration& found, const ExplorePoint& point) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < found.figures.size(); ++i) {
    parts.push_back(absl::StrCat(found.figures[i].path, "=", ValueText(found.figures[i], point.values[i])));
  }
  return absl::StrJoin(parts, " ");
}

}  // namespace hwest

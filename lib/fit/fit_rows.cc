#include "fit/fit_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "fit/prediction.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr double kNearWeight = 0.3;  // a detail of the graph differs
constexpr int kManyFamilies = 20;
constexpr double kAlike = 0.7;  // share of the variance of errors that the rows of one model have in common

class Collector {
 public:
  explicit Collector(const FitRowsOptions& options) : options_(options) {}

  FitRows Run(const std::vector<Measurement>& rows, const Targets& targets) {
    Match(rows, targets);
    KeepPrimaryRuntimes();
    MakePlans();
    ShareWeights();
    EvenOutFamilies();
    for (const auto& [reason, count] : skipped_) result_.skipped.push_back({reason, count});
    std::stable_sort(result_.skipped.begin(), result_.skipped.end(),
                     [](const SkippedRows& a, const SkippedRows& b) { return a.count > b.count; });
    return std::move(result_);
  }

 private:
  void Skip(absl::string_view why) { ++skipped_[std::string(why)]; }
  void Match(const std::vector<Measurement>& rows, const Targets& targets);
  void KeepPrimaryRuntimes();
  void MakePlans();
  void ShareWeights();
  void EvenOutFamilies();

  const FitRowsOptions& options_;
  std::vector<Question> questions_;
  std::map<std::string, size_t> skipped_;
  FitRows result_;
};

void Collector::Match(const std::vector<Measurement>& rows, const Targets& targets) {
  for (const Measurement& row : rows) {
    absl::StatusOr<Query> query =
        options_.target == nullptr ? MatchRow(row, targets) : MatchRowOn(row, options_.target);
    if (!query.ok()) {
      Skip(query.status().message());
    } else if (query->engines.size() != 1) {
      Skip("several engines side by side are not fitted");
    } else if (query->precision == "auto") {
      Skip("precision not stated");
    } else {
      questions_.push_back({&row, *std::move(query)});
    }
  }
}

bool IsOnCpu(const Query& query) {
  const Unit* unit = UnitOf(*query.target, query.engines[0][0]);
  return unit != nullptr && IsCpu(*unit);
}

void Collector::KeepPrimaryRuntimes() {
  const auto pool = [](const Question& q) {
    return std::make_tuple(q.query.target->family, q.row->unit, q.row->metric);
  };
  std::map<std::tuple<std::string, std::string, std::string>, std::map<std::string, double>> weights;
  for (const Question& q : questions_) {
    const double weight = q.query.shares_fits ? TrustWeight(*q.row) : 0;
    weights[pool(q)][std::string(RuntimeWithoutVersion(q.row->runtime))] += weight;
  }
  const auto is_primary = [&](const Question& q) {
    const auto& runtimes = weights.at(pool(q));
    const auto most = std::max_element(runtimes.begin(), runtimes.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most->first == RuntimeWithoutVersion(q.row->runtime);
  };
  std::set<std::pair<std::string, std::string>> has_primary;  // target and unit
  for (const Question& q : questions_) {
    if (is_primary(q)) has_primary.insert({q.query.target->name, q.row->unit});
  }
  std::vector<Question> kept;
  for (Question& q : questions_) {
    const bool is_only = has_primary.count({q.query.target->name, q.row->unit}) == 0;
    if (!q.query.shares_fits) {
      Skip(
          "another toolchain than the unit's own, which shares no figures with it, or wider layers that the row does "
          "not name");
    } else if (IsOnCpu(q.query) || is_primary(q) || is_only) {
      kept.push_back(std::move(q));
    } else {
      Skip("not the runtime that most rows were measured with");
    }
  }
  questions_ = std::move(kept);
}

// What SecondsOf would have to say for the measured figure to come out.
double SecondsFrom(const Measurement& measured, const FitPlan& plan) {
  const MetricInfo& metric = *FindMetric(measured.metric);
  if (metric.quantity == Quantity::kLatency) return measured.value / metric.per_s;
  return plan.batch / measured.value + plan.copied_ahead_s;
}

Precision PrecisionOf(const FitPlan& plan, const std::string& name) {
  const auto at = std::find_if(plan.steps.begin(), plan.steps.end(),
                               [&](const FitPlan::Step& step) { return PrecisionName(step.work.precision) == name; });
  if (at != plan.steps.end()) return at->work.precision;
  for (const FitPlan::Pipeline& pipeline : plan.pipelines) {
    for (const GroupWork& work : pipeline.works) {
      if (PrecisionName(work.precision) == name) return work.precision;
    }
  }
  return Precision();
}

void Collector::MakePlans() {
  const AnalysisSlots slots = SlotsOf(questions_);
  std::vector<FitPlan> plans(slots.count);
  const std::vector<absl::Status> statuses =
      AnalyseRows(questions_, slots, options_.predict, [&](size_t slot, const Analysis& analysis) {
        absl::StatusOr<FitPlan> plan = MakeFitPlan(analysis);
        if (!plan.ok()) return plan.status();
        plans[slot] = *std::move(plan);
        return absl::OkStatus();
      });
  std::map<size_t, size_t> index;  // of slots with a plan
  for (size_t q = 0; q < questions_.size(); ++q) {
    const size_t slot = slots.of[q][0];
    if (!statuses[slot].ok()) {
      Skip(statuses[slot].message());
      continue;
    }
    const auto [at, fresh] = index.try_emplace(slot, result_.plans.size());
    if (fresh) result_.plans.push_back({std::move(plans[slot]), questions_[q].query});
    const Measurement& row = *questions_[q].row;
    if (!result_.plans[at->second].plan.pipelines.empty() && FindMetric(row.metric)->quantity == Quantity::kLatency) {
      Skip("pipelined units are fitted to rates");
      continue;
    }
    const Precision precision = PrecisionOf(result_.plans[at->second].plan, questions_[q].query.precision);
    result_.rows.push_back({.measured = row,
                            .query = std::move(questions_[q].query),
                            .plan = at->second,
                            .precision = precision,
                            .seconds = SecondsFrom(row, result_.plans[at->second].plan),
                            .weight = TrustWeight(row) * (row.closeness == Closeness::kExact ? 1 : kNearWeight)});
  }
}

void Collector::ShareWeights() {
  const auto thing = [](const FitRow& row) {
    return std::make_tuple(row.plan, row.measured.device, row.measured.runtime, row.measured.metric);
  };
  std::map<std::tuple<size_t, std::string, std::string, std::string>, double> counts;
  for (const FitRow& row : result_.rows) counts[thing(row)] += 1;
  for (FitRow& row : result_.rows) row.weight /= counts.at(thing(row));
  // What a model's graph hides from the estimate it hides on every device: its rows there are not independent. What it
  // hides of a CPU is another thing than what it hides of the accelerators beside CPUs.
  const auto graph = [](const FitRow& row) {
    return std::make_tuple(row.measured.model, row.query.precision, row.query.target->family, IsOnCpu(row.query));
  };
  std::map<std::tuple<std::string, std::string, std::string, bool>, std::set<std::string>> devices;
  for (const FitRow& row : result_.rows) devices[graph(row)].insert(row.measured.device);
  for (FitRow& row : result_.rows) row.weight /= 1 + kAlike * static_cast<double>(devices.at(graph(row)).size() - 1);
}

// Models of one family resemble each other: what they weigh together grows with the root of their number, as families
// do in the law of intervals. What the pool weighs beside its priors stays; a CPU, which shares no parameter with the
// accelerator beside it, is a pool of its own. Of few families the large ones are what is known best: there it made
// predictions of others worse.
void Collector::EvenOutFamilies() {
  const auto pool = [](const FitRow& row) {
    const Unit* unit = UnitOf(*row.query.target, row.query.engines[0][0]);
    return std::make_pair(row.query.target->family, unit != nullptr && IsCpu(*unit));
  };
  const auto part = [&](const FitRow& row) {
    return std::make_tuple(pool(row), row.query.precision, row.measured.family);
  };
  using Pool = std::pair<std::string, bool>;
  std::map<std::tuple<Pool, std::string, std::string>, double> parts;
  for (const FitRow& row : result_.rows) parts[part(row)] += row.weight;
  std::map<std::pair<Pool, std::string>, int> families;
  for (const auto& [key, weight] : parts) ++families[{std::get<0>(key), std::get<1>(key)}];
  std::map<Pool, double> before, after;
  for (FitRow& row : result_.rows) {
    before[pool(row)] += row.weight;
    if (families.at({pool(row), row.query.precision}) >= kManyFamilies) row.weight /= std::sqrt(parts.at(part(row)));
    after[pool(row)] += row.weight;
  }
  for (FitRow& row : result_.rows) row.weight *= before.at(pool(row)) / after.at(pool(row));
}

}  // namespace

FitRows CollectFitRows(const std::vector<Measurement>& rows, const Targets& targets, const FitRowsOptions& options) {
  return Collector(options).Run(rows, targets);
}

double FigureFrom(const FitRow& row, const FitPlan& plan, double seconds) {
  const MetricInfo& metric = *FindMetric(row.measured.metric);
  if (metric.quantity == Quantity::kLatency) return seconds * metric.per_s;
  return plan.batch / std::max(seconds - plan.copied_ahead_s, plan.copied_ahead_s);
}

}  // namespace hwest

#include "fit/summary.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "fit/metrics.h"

namespace hwest {
namespace {

using Points = std::vector<const Point*>;

// Lower ends of the bins by share of the time that measurements cover.
constexpr double kEvidenceEdges[] = {0.98, 0.9, 0.7, 0};

constexpr size_t kFewestModels = 10;  // of a device whose rank correlation a pool looks at

Outcome OutcomeOf(const Point& point) { return {point.prediction.value, point.measured.value}; }

bool IsExact(const Point& point) { return point.measured.closeness == Closeness::kExact; }

bool IsInside(const Point& point) {
  return point.prediction.low <= point.measured.value && point.measured.value <= point.prediction.high;
}

std::optional<double> BaselineMedian(absl::Span<const Point* const> points,
                                     std::optional<double> Prediction::* baseline) {
  std::vector<double> errors;
  for (const Point* point : points) {
    const std::optional<double>& value = point->prediction.*baseline;
    if (value.has_value()) errors.push_back(ErrorOf({*value, point->measured.value}));
  }
  return Median(std::move(errors));
}

// What two versions of one source have to agree in to be about the same thing.
auto SeriesKeyOf(const Measurement& m) {
  return std::tie(m.model, m.bind, m.batch, m.device, m.unit, m.runtime, m.precision, m.mode, m.metric, m.source);
}

std::optional<double> NoiseOf(absl::Span<const Point* const> points) {
  using Key = std::remove_reference_t<decltype(SeriesKeyOf(points[0]->measured))>;
  std::map<Key, std::map<std::string, std::vector<double>>> versions;
  for (const Point* point : points) {
    const Measurement& m = point->measured;
    if (!m.source_version.empty()) versions[SeriesKeyOf(m)][m.source_version].push_back(m.value);
  }
  std::vector<double> errors;
  for (const auto& [thing, values] : versions) {
    std::optional<double> last;
    for (const auto& [version, of_version] : values) {
      const double value = GeometricMean(of_version);
      if (last.has_value()) errors.push_back(ErrorOf({value, *last}));
      last = value;
    }
  }
  return Median(std::move(errors));
}

// Points of one (model, precision, mode, batch) merged: a source that repeats itself counts once.
std::vector<Outcome> Merged(absl::Span<const Point* const> points) {
  struct Values {
    std::vector<double> predicted, measured;
  };
  std::map<std::tuple<std::string, std::string, std::string, std::string>, Values> merged;
  for (const Point* point : points) {
    const Measurement& m = point->measured;
    Values& values = merged[{m.model, m.precision, m.mode, m.batch}];
    values.predicted.push_back(point->prediction.value);
    values.measured.push_back(m.value);
  }
  std::vector<Outcome> outcomes;
  for (const auto& [key, values] : merged) {
    outcomes.push_back({GeometricMean(values.predicted), GeometricMean(values.measured)});
  }
  return outcomes;
}

// Types that activations may have at a precision of the contract, by its name.
std::vector<std::string> ActivationsAt(const std::string& precision) {
  if (absl::EndsWith(precision, "a16")) return {"int16", "fp16", "bf16"};
  return {absl::EndsWith(precision, "a8") ? "int8" : precision};
}

// Whether a parameter is of another precision, or says how wide intervals are.
bool IsForeignParam(const std::string& param, const std::string& precision) {
  const size_t dot = param.find('.');
  return absl::StartsWith(param, "interval_ln") || (dot != std::string::npos && param.substr(dot + 1) != precision);
}

// Whether a fact is a fitted number that a time on the query's units at its precision is computed from.
bool IsFittedFor(const TargetFact& fact, const Query& query) {
  using Part = FactPlace::Part;
  const FactPlace& place = fact.place;
  const bool is_energy = absl::StrContains(place.field, "energy_j") || absl::EndsWith(place.field, "_w");
  if (!fact.fit.has_value() || is_energy) return false;
  if (place.part != Part::kUnit && place.part != Part::kRate && place.part != Part::kParam) return true;
  const bool on_unit = std::any_of(query.engines.begin(), query.engines.end(), [&](const auto& units) {
    return std::find(units.begin(), units.end(), place.name) != units.end();
  });
  if (place.part == Part::kParam && IsForeignParam(place.field, query.precision)) return false;
  if (!on_unit || place.part != Part::kRate || query.precision == "auto") return on_unit;
  const std::vector<std::string> types = ActivationsAt(query.precision);
  return std::find(types.begin(), types.end(), NumName(place.act)) != types.end();
}

// Places of the fitted numbers behind a point; one that targets share has the same place in all of them.
std::set<std::string> FittedPlaces(const Query& query) {
  std::set<std::string> places;
  for (const TargetFact& fact : FactsOf(*query.target)) {
    if (!IsFittedFor(fact, query)) continue;
    const std::string& sharers = fact.fit->shared_by;
    places.insert(absl::StrCat(sharers.empty() ? query.target->name : sharers, ":", fact.path));
  }
  return places;
}

size_t FittedNumbers(const Points& points) {
  std::set<std::string> all;
  std::set<const Target*> seen;
  for (const Point* point : points) {
    if (seen.insert(point->query.target.get()).second) all.merge(FittedPlaces(point->query));
  }
  return all.size();
}

using RowKey = std::tuple<std::string, std::string, std::string, std::string, std::string, std::string, std::string>;

ValidationRow RowFrom(const Points& points) {
  const Measurement& m = points[0]->measured;
  return {.target = points[0]->query.target->name,
          .device = m.device,
          .unit = m.unit,
          .runtime = m.runtime,
          .mode = m.mode,
          .precision = m.precision,
          .metric = m.metric,
          .fitted = FittedPlaces(points[0]->query).size(),
          .summary = Summarize(points),
          .spearman = RankCorrelation(Merged(points))};
}

using PoolKey = std::tuple<std::string, std::string, std::string, std::string, std::string>;

// Family, unit and metric of accelerators, to the runtimes with the weight of their points.
using Primaries = std::map<std::tuple<std::string, std::string, std::string>, std::map<std::string, double>>;

std::string PrimaryOf(const Primaries& primaries, const Point& point) {
  const auto& counts = primaries.at({point.query.target->family, point.measured.unit, point.measured.metric});
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

std::optional<double> LeastSpearman(const Points& points) {
  std::map<std::string, Points> devices;
  for (const Point* point : points) devices[point->measured.device].push_back(point);
  std::optional<double> least;
  for (const auto& [device, own] : devices) {
    std::set<std::string> models;
    for (const Point* point : own) models.insert(point->measured.model);
    const std::optional<double> found = models.size() < kFewestModels ? std::nullopt : RankCorrelation(Merged(own));
    if (found.has_value()) least = std::min(least.value_or(1), *found);
  }
  return least;
}

Pool PoolFrom(const PoolKey& key, const Points& points) {
  std::set<std::string> devices;
  for (const Point* point : points) devices.insert(point->measured.device);
  const auto& [family, unit, runtime, precision, metric] = key;
  const auto misfits =
      std::count_if(points.begin(), points.end(), [](const Point* point) { return point->prediction.fits == false; });
  return {.family = family,
          .unit = unit,
          .runtime = runtime,
          .precision = precision,
          .metric = metric,
          .devices = devices.size(),
          .fitted = FittedNumbers(points),
          .summary = Summarize(points),
          .least_spearman = LeastSpearman(points),
          .does_not_fit = static_cast<size_t>(misfits)};
}

// Past the last one without a share.
size_t EvidenceBinOf(const Prediction& prediction) {
  if (!prediction.evidence_share.has_value()) return std::size(kEvidenceEdges);
  size_t bin = 0;
  while (bin + 1 < std::size(kEvidenceEdges) && *prediction.evidence_share < kEvidenceEdges[bin]) ++bin;
  return bin;
}

}  // namespace

Summary Summarize(absl::Span<const Point* const> points) {
  std::vector<Outcome> outcomes;
  std::set<std::string> families;
  size_t inside = 0;
  for (const Point* point : points) {
    outcomes.push_back(OutcomeOf(*point));
    families.insert(point->measured.family);
    inside += IsInside(*point) ? 1 : 0;
  }
  Summary summary{.n = points.size(), .families = families.size()};
  if (points.empty()) return summary;
  const std::vector<double> errors = ErrorsOf(outcomes);
  summary.median = Median(errors);
  summary.p90 = Quantile(errors, 0.9);
  summary.bias = Bias(outcomes);
  summary.coverage80 = static_cast<double>(inside) / static_cast<double>(points.size());
  summary.noise = NoiseOf(points);
  summary.roofline_median = BaselineMedian(points, &Prediction::roofline);
  summary.flops_median = BaselineMedian(points, &Prediction::flops);
  return summary;
}

std::vector<ValidationRow> RowsOf(const std::vector<Point>& points) {
  std::map<RowKey, Points> groups;
  for (const Point& point : points) {
    const Measurement& m = point.measured;
    if (!IsExact(point)) continue;
    groups[{point.query.target->name, m.device, m.unit, m.runtime, m.mode, m.precision, m.metric}].push_back(&point);
  }
  std::vector<ValidationRow> rows;
  for (const auto& [key, group] : groups) rows.push_back(RowFrom(group));
  return rows;
}

std::vector<Pool> PoolsOf(const std::vector<Point>& points) {
  Primaries primaries;
  for (const Point& point : points) {
    if (IsExact(point) && point.query.shares_fits) {
      auto& counts = primaries[{point.query.target->family, point.measured.unit, point.measured.metric}];
      counts[std::string(RuntimeWithoutVersion(point.measured.runtime))] += TrustWeight(point.measured);
    }
  }
  std::map<PoolKey, Points> groups;
  for (const Point& point : points) {
    const Measurement& m = point.measured;
    if (!IsExact(point) || !point.query.shares_fits) continue;
    if (m.unit == "CPU") {
      groups[{"", m.unit, "", "", m.metric}].push_back(&point);
    } else if (const std::string primary = PrimaryOf(primaries, point); RuntimeWithoutVersion(m.runtime) == primary) {
      groups[{point.query.target->family, m.unit, primary, m.precision, m.metric}].push_back(&point);
    }
  }
  std::vector<Pool> pools;
  for (const auto& [key, group] : groups) pools.push_back(PoolFrom(key, group));
  return pools;
}

std::vector<TrustRow> TrustRowsOf(const std::vector<Point>& points) {
  std::map<std::string, Points> by_trust;
  for (const Point& point : points) {
    if (IsExact(point) && point.query.shares_fits) by_trust[point.measured.trust].push_back(&point);
  }
  std::vector<TrustRow> rows;
  for (const auto& [trust, own] : by_trust) rows.push_back({.trust = trust, .summary = Summarize(own)});
  return rows;
}

std::vector<EvidenceBin> EvidenceBinsOf(const std::vector<Point>& points) {
  std::vector<EvidenceBin> bins;
  for (size_t i = 0; i <= std::size(kEvidenceEdges); ++i) {
    Points own;
    for (const Point& point : points) {
      if (IsExact(point) && point.query.shares_fits && EvidenceBinOf(point.prediction) == i) own.push_back(&point);
    }
    if (own.empty()) continue;
    const bool is_known = i < std::size(kEvidenceEdges);
    bins.push_back({.low = is_known ? std::optional(kEvidenceEdges[i]) : std::nullopt,
                    .high = is_known ? std::optional(i == 0 ? 1 : kEvidenceEdges[i - 1]) : std::nullopt,
                    .summary = Summarize(own)});
  }
  return bins;
}

}  // namespace hwest

#include "study/recipes.h"

#include <algorithm>
#include <random>

#include "support/catch.h"

namespace hwest {
namespace {

// A time for each set: what settings take alone, and what pairs take or save beside that.
struct Times {
  std::vector<RecipePart> parts;
  std::vector<double> alone;              // saved, by setting
  std::vector<std::vector<double>> pair;  // saved beside that
  double base_s = 100;

  double Of(const std::vector<size_t>& set) const {
    double latency_s = base_s;
    for (const size_t i : set) {
      latency_s -= alone[i];
      for (const size_t j : set) latency_s -= i < j ? pair[i][j] : 0;
    }
    return latency_s;
  }
};

Times TimesOf(const std::vector<std::string>& of, const std::vector<double>& alone) {
  Times times{.parts = {}, .alone = alone, .pair = std::vector(of.size(), std::vector<double>(of.size(), 0))};
  for (size_t i = 0; i < of.size(); ++i) times.parts.push_back({of[i], AccuracyRisk::kNone, times.base_s - alone[i]});
  return times;
}

std::vector<size_t> BestOf(const Times& times, AccuracyRisk most = AccuracyRisk::kTraining) {
  return BestSet(times.parts, times.base_s, most, [&](const auto& set) { return std::optional(times.Of(set)); });
}

using Indices = std::vector<size_t>;

TEST_CASE("settings that add up are taken together, one of a kind, without what adds nothing") {
  CHECK(BestOf(TimesOf({"mode", "precision"}, {10, 20})) == Indices{0, 1});
  CHECK(BestOf(TimesOf({"mode", "mode"}, {10, 20})) == Indices{1});
  CHECK(BestOf(TimesOf({"mode", "precision"}, {10, 0.1})) == Indices{0});
  CHECK(BestOf(TimesOf({"mode", "precision"}, {-1, -2})).empty());
  CHECK(BestOf(TimesOf({}, {})).empty());
}

TEST_CASE("a setting that costs alone is taken where it pays beside another") {
  Times times = TimesOf({"mode", "precision", "units"}, {5, -1, 2});
  times.pair[0][1] = 30;
  CHECK(BestOf(times) == Indices{0, 1, 2});
}

TEST_CASE("settings of more risk than allowed are left out") {
  Times times = TimesOf({"mode", "precision"}, {10, 20});
  times.parts[1].risk = AccuracyRisk::kCalibration;
  CHECK(BestOf(times, AccuracyRisk::kRounding) == Indices{0});
  CHECK(BestOf(times, AccuracyRisk::kCalibration) == Indices{0, 1});
}

TEST_CASE("settings that are refused together stay apart") {
  const Times times = TimesOf({"mode", "precision"}, {10, 20});
  const auto refused = [&](const std::vector<size_t>& set) {
    return set.size() > 1 ? std::nullopt : std::optional<double>(times.Of(set));
  };
  CHECK(BestSet(times.parts, times.base_s, AccuracyRisk::kTraining, refused) == Indices{1});
}

TEST_CASE("a set is never worse than one setting alone, and seldom far from the best") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> saved(-5, 15), beside(-8, 4);
  int at_best = 0;
  constexpr int kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    Times times = TimesOf({"mode", "mode", "precision", "precision", "units", "toolchain"},
                          {saved(random), saved(random), saved(random), saved(random), saved(random), saved(random)});
    for (auto& row : times.pair) {
      for (double& each : row) each = beside(random);
    }
    const double found_s = times.Of(BestOf(times));
    double single_s = times.base_s, best_s = times.base_s;
    for (uint32_t bits = 1; bits < 64; ++bits) {
      Indices set;
      for (size_t i = 0; i < 6; ++i) {
        if ((bits >> i & 1) != 0) set.push_back(i);
      }
      if ((bits & 3) == 3 || (bits & 12) == 12) continue;
      best_s = std::min(best_s, times.Of(set));
      if (set.size() == 1) single_s = std::min(single_s, times.Of(set));
    }
    CHECK(found_s <= single_s);
    at_best += found_s <= best_s + kLeastSaving * times.base_s * 4 ? 1 : 0;
  }
  CHECK(at_best >= kRounds * 95 / 100);
}

}  // namespace
}  // namespace hwest

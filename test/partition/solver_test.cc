// The solver against brute force on small random problems, and its laws.
#include "partition/solver.h"

#include <algorithm>
#include <random>
#include <utility>

#include "support/catch.h"

namespace hwest {
namespace {

struct Shape {
  uint32_t units;
  uint32_t atoms;
  uint32_t reach = 1000;  // how far back an atom reads
};

// A random DAG in topological order: each atom writes one value and reads up to three earlier ones, some of them inputs
// of the model. Costs are small integers over 8, so that sums are exact.
PlacementProblem RandomProblem(std::mt19937& random, Shape shape) {
  const auto draw = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  PlacementProblem problem;
  problem.num_units = shape.units;
  const uint32_t inputs = 1 + draw(2);
  problem.num_values = inputs + shape.atoms;
  for (uint32_t a = 0; a < shape.atoms; ++a) {
    PlacementProblem::Atom atom{.writes = {inputs + a}, .nodes = 1 + draw(3)};
    for (uint32_t r = 0; r < 1 + draw(3); ++r) {
      const uint32_t value = inputs + a - 1 - draw(std::min(shape.reach, inputs + a));
      if (std::find(atom.reads.begin(), atom.reads.end(), value) == atom.reads.end()) atom.reads.push_back(value);
    }
    problem.atoms.push_back(atom);
    for (uint32_t u = 0; u < shape.units; ++u) {
      problem.cost.push_back(draw(6) == 0 ? kInfeasible : (1 + draw(40)) / 8.0);
    }
    problem.cost[a * shape.units + shape.units - 1] = (8 + draw(60)) / 8.0;  // the last unit runs everything
  }
  const uint32_t edges = (shape.units + 1) * (shape.units + 1);
  for (uint32_t e = 0; e < edges; ++e) {
    problem.fixed.push_back(draw(3) == 0 ? draw(16) / 8.0 : 0);
    problem.per_byte.push_back(draw(8) / 8.0);
  }
  for (uint32_t b = 0; b < problem.num_values * (shape.units + 1); ++b) problem.bytes.push_back(draw(6));
  for (uint32_t v = 0; v < problem.num_values; ++v) problem.is_output.push_back(v + 1 == problem.num_values);
  for (uint32_t u = 0; u < shape.units; ++u) problem.invoke.push_back(draw(12) / 8.0);
  problem.limits.resize(shape.units);
  for (PlacementProblem::Atom& atom : problem.atoms) atom.cuts = draw(3) == 0 ? draw(1u << shape.units) : 0;
  if (draw(2) == 0) return problem;
  for (uint32_t v = 0; v < problem.num_values * shape.units; ++v) {
    const bool is_input = v < inputs * shape.units;
    problem.spill.push_back(is_input || draw(3) == 0 ? 0 : draw(16) / 8.0);
  }
  for (PlacementProblem::Atom& atom : problem.atoms) {
    if (draw(4) == 0) continue;
    for (size_t r = 0; r < atom.reads.size() * shape.units; ++r) atom.read_spill.push_back(draw(12) / 8.0);
  }
  return problem;
}

void AddLimits(std::mt19937& random, PlacementProblem& problem) {
  if (random() % 2 == 0) problem.max_segments = 1 + random() % 4;
  if (random() % 2 == 0) problem.limits[problem.num_units - 1].is_free = true;
  problem.limits[0].min_nodes = random() % 5;
  if (random() % 3 == 0) problem.limits[0].prefix_only = true;
  if (problem.num_units > 2 && random() % 2 == 0) problem.limits[1].max_segments = 1;
}

double BruteForce(const PlacementProblem& problem) {
  Assignment units(problem.atoms.size(), 0);
  double best = kInfeasible;
  while (true) {
    best = std::min(best, PlanCost(problem, units));
    size_t at = 0;
    while (at < units.size() && ++units[at] == problem.num_units) units[at++] = 0;
    if (at == units.size()) return best;
  }
}

// A chain of `atoms` on two units with one value between neighbours; unit 1 costs twice as much.
PlacementProblem Chain(uint32_t atoms) {
  PlacementProblem problem{.num_units = 2, .num_values = atoms + 1};
  for (uint32_t a = 0; a < atoms; ++a) {
    problem.atoms.push_back({.reads = {a}, .writes = {a + 1}});
    problem.cost.insert(problem.cost.end(), {1.0, 2.0});
  }
  problem.invoke = {0.5, 0.25};
  problem.fixed.assign(9, 0);
  problem.fixed[0 * 3 + 1] = problem.fixed[1 * 3 + 0] = 3.0;
  problem.per_byte.assign(9, 0);
  problem.bytes.assign(3 * problem.num_values, 0);
  problem.is_output.assign(problem.num_values, false);
  problem.limits.resize(2);
  return problem;
}

// The sums are exact, so equal means equal.
void CheckAgainstBruteForce(const PlacementProblem& problem) {
  const double want = BruteForce(problem);
  const std::optional<Placement> got = SolvePlacement(problem, {}, {});
  REQUIRE(got.has_value() == (want < kInfeasible));
  if (!got.has_value()) return;
  CHECK(got->cost == want);
  CHECK(PlanCost(problem, got->units) == want);
  CHECK(got->lower_bound == want);
}

// What the toolchains demand of their units, alone and together.
struct LimitRow {
  const char* name;
  void (*add)(PlacementProblem& problem);
};
// clang-format off
constexpr LimitRow kLimitRows[] = {
    {"none", [](PlacementProblem&) {}},
    {"one segment on the first unit", [](PlacementProblem& p) { p.limits[0].max_segments = 1; }},
    {"two segments on the first unit", [](PlacementProblem& p) { p.limits[0].max_segments = 2; }},
    {"one segment on each of two units",
     [](PlacementProblem& p) { p.limits[0].max_segments = p.limits[1].max_segments = 1; }},
    {"two segments in all", [](PlacementProblem& p) { p.max_segments = 2; }},
    {"one segment in all", [](PlacementProblem& p) { p.max_segments = 1; }},
    {"one segment on all units but the last", [](PlacementProblem& p) {
       p.max_segments = 1;
       p.limits[2].is_free = true;
     }},
    {"two segments on one unit, as all others are free", [](PlacementProblem& p) {
       p.max_segments = 2;
       p.limits[0].is_free = p.limits[2].is_free = true;
     }},
    {"none on all units but the first", [](PlacementProblem& p) {
       p.max_segments = 0;
       p.limits[0].is_free = true;
     }},
    {"prefix only", [](PlacementProblem& p) { p.limits[0].prefix_only = true; }},
    {"a prefix of one segment", [](PlacementProblem& p) {
       p.limits[0].prefix_only = true;
       p.limits[0].max_segments = 1;
     }},
    {"smallest segment", [](PlacementProblem& p) { p.limits[0].min_nodes = 4; }},
    {"smallest of two segments", [](PlacementProblem& p) {
       p.limits[0].min_nodes = 3;
       p.limits[0].max_segments = 2;
     }},
};
// clang-format on

TEST_CASE("a segment ends before an atom that reads what the host copies first") {
  PlacementProblem problem = Chain(4);
  problem.spill.assign(problem.num_values * 2, 0);
  problem.spill[2 * 2 + 0] = 0.125;  // value 2, which atom 2 reads
  CHECK(PlanCost(problem, {0, 0, 0, 0}) == 4 + 0.5);
  problem.atoms[2].cuts = 1;
  CHECK(PlanCost(problem, {0, 0, 0, 0}) == 4 + 2 * 0.5 + 0.125);
  CHECK(PlanCost(problem, {1, 1, 1, 1}) == 8 + 0.25);  // the other unit needs no copy
  problem.limits[0].max_segments = 1;
  CHECK(PlanCost(problem, {0, 0, 0, 0}) == kInfeasible);
  CheckAgainstBruteForce(problem);
}

TEST_CASE("the solver finds what brute force finds") {
  std::mt19937 random(7);
  for (int round = 0; round < 36; ++round) {
    const Shape shape{.units = 3, .atoms = 3 + static_cast<uint32_t>(random() % 6)};
    const PlacementProblem problem = RandomProblem(random, shape);
    for (const LimitRow& row : kLimitRows) {
      INFO("round " << round << ", " << row.name);
      PlacementProblem limited = problem;
      row.add(limited);
      CheckAgainstBruteForce(limited);
    }
  }
}

TEST_CASE("the solver finds what brute force finds under limits mixed at random") {
  std::mt19937 random(13);
  for (int round = 0; round < 200; ++round) {
    const auto units = 2 + static_cast<uint32_t>(random() % 2);
    PlacementProblem problem =
        RandomProblem(random, {.units = units, .atoms = 2 + static_cast<uint32_t>(random() % 5)});
    AddLimits(random, problem);
    INFO("round " << round);
    CheckAgainstBruteForce(problem);
  }
}

// What decides nothing for atoms of one unit is a second unit at a cost that no plan pays.
TEST_CASE("atoms of one unit each are placed without a search, as the search places them") {
  std::mt19937 random(17);
  int placed = 0;
  for (int round = 0; round < 200; ++round) {
    PlacementProblem problem = RandomProblem(random, {.units = 3, .atoms = 2 + static_cast<uint32_t>(random() % 8)});
    if (round % 2 == 1) AddLimits(random, problem);
    Assignment only;
    for (uint32_t a = 0; a < problem.atoms.size(); ++a) {
      only.push_back(random() % 3);
      for (uint32_t u = 0; u < 3; ++u) {
        double& cost = problem.cost[a * 3 + u];
        cost = u == only.back() ? (cost < kInfeasible ? cost : 1) : kInfeasible;
      }
    }
    INFO("round " << round);
    const std::optional<Placement> got = SolvePlacement(problem, {}, {});
    CheckAgainstBruteForce(problem);
    if (!got.has_value()) continue;  // so says brute force
    ++placed;
    CHECK(got->units == only);
    CHECK(got->peak_states == 1);
    for (uint32_t a = 0; a < problem.atoms.size(); ++a) problem.cost[a * 3 + (only[a] + 1) % 3] = 1e9;
    const std::optional<Placement> searched = SolvePlacement(problem, {}, {});
    REQUIRE(searched.has_value());
    CHECK(searched->units == only);
    CHECK(searched->cost == got->cost);
    CHECK(searched->peak_live >= got->peak_live);  // with a choice, more values may be moved
  }
  CHECK(placed > 100);
}

// The same units at other places of a problem of the most units there may be, between some that run nothing.
PlacementProblem Spread(const PlacementProblem& few, const Assignment& places) {
  constexpr uint32_t kMost = PlacementProblem::kMostUnits;
  PlacementProblem problem{
      .num_units = kMost, .num_values = few.num_values, .atoms = few.atoms, .is_output = few.is_output};
  Assignment row = places;
  row.push_back(kMost);  // the memory of inputs and outputs
  const auto spread = [&](const std::vector<double>& from, size_t columns, size_t wide, double empty) {
    std::vector<double> to(from.size() / columns * wide, empty);
    for (size_t i = 0; i < from.size(); ++i) to[i / columns * wide + row[i % columns]] = from[i];
    return to;
  };
  const uint32_t units = few.num_units;
  problem.cost = spread(few.cost, units, kMost, kInfeasible);
  problem.invoke = spread(few.invoke, units, kMost, 0);
  problem.bytes = spread(few.bytes, units + 1, kMost + 1, 0);
  problem.spill = spread(few.spill, units, kMost, 0);
  for (PlacementProblem::Atom& atom : problem.atoms) {
    atom.read_spill = spread(atom.read_spill, units, kMost, 0);
    const uint64_t cuts = std::exchange(atom.cuts, 0);
    for (uint32_t u = 0; u < units; ++u) atom.cuts |= ((cuts >> u) & 1u) << places[u];
  }
  problem.fixed.assign((kMost + 1) * (kMost + 1), 0);
  problem.per_byte = problem.fixed;
  for (uint32_t a = 0; a <= units; ++a) {
    for (uint32_t b = 0; b <= units; ++b) {
      problem.fixed[row[a] * (kMost + 1) + row[b]] = few.fixed[a * (units + 1) + b];
      problem.per_byte[row[a] * (kMost + 1) + row[b]] = few.per_byte[a * (units + 1) + b];
    }
  }
  problem.limits.resize(kMost);
  for (uint32_t u = 0; u < units; ++u) problem.limits[places[u]] = few.limits[u];
  problem.max_segments = few.max_segments;
  return problem;
}

TEST_CASE("a unit's number decides nothing, up to the most units there may be") {
  std::mt19937 random(19);
  int placed = 0;
  for (int round = 0; round < 60; ++round) {
    PlacementProblem few = RandomProblem(random, {.units = 3, .atoms = 2 + static_cast<uint32_t>(random() % 6)});
    if (round % 2 == 1) AddLimits(random, few);
    const Assignment places = {static_cast<uint32_t>(random() % 20), 33, PlacementProblem::kMostUnits - 1};
    INFO("round " << round);
    const std::optional<Placement> want = SolvePlacement(few, {}, {}),
                                   got = SolvePlacement(Spread(few, places), {}, {});
    REQUIRE(got.has_value() == want.has_value());
    if (!got.has_value()) continue;
    CHECK(got->cost == want->cost);
    CHECK(PlanCost(Spread(few, places), got->units) == want->cost);
    ++placed;
  }
  CHECK(placed >= 30);
}

TEST_CASE("a beam too narrow still brackets the optimum") {
  std::mt19937 random(11);
  for (int round = 0; round < 100; ++round) {
    const PlacementProblem problem = RandomProblem(random, {.units = 3, .atoms = 7});
    const double want = BruteForce(problem);
    const SolverOptions narrow{.max_states = 2, .max_transitions = 1};
    const std::optional<Placement> got = SolvePlacement(problem, narrow, {Assignment(7, 2)});
    REQUIRE(got.has_value());
    CHECK(got->cost >= want * (1 - 1e-12));
    CHECK(got->lower_bound <= want * (1 + 1e-12));
    CHECK(got->cost <= PlanCost(problem, Assignment(7, 2)) * (1 + 1e-12));
  }
}

TEST_CASE(
    "a search that gives up keeps the best plan known, or finds one without choice, and still brackets the optimum") {
  std::mt19937 random(12);
  int found_alone = 0;
  for (int round = 0; round < 100; ++round) {
    const PlacementProblem problem = RandomProblem(random, {.units = 3, .atoms = 7});
    const double want = BruteForce(problem);
    for (const size_t cells : {1, 8, 64}) {
      const Assignment seed(7, 2);
      const std::optional<Placement> seeded = SolvePlacement(problem, {.max_cells = cells}, {seed});
      REQUIRE(seeded.has_value());
      CHECK(seeded->cost <= PlanCost(problem, seed) * (1 + 1e-12));
      CHECK(seeded->cost >= want * (1 - 1e-12));
      CHECK(seeded->lower_bound <= want * (1 + 1e-12));
      const std::optional<Placement> found = SolvePlacement(problem, {.max_cells = cells}, {});
      if (!found.has_value()) continue;  // it gave up
      ++found_alone;
      CHECK(found->cost == Approx(PlanCost(problem, found->units)));
      CHECK(found->lower_bound <= want * (1 + 1e-12));
    }
  }
  CHECK(found_alone > 150);
}

TEST_CASE("states that another can replace whatever comes are dropped: many live values stay exact") {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    PlacementProblem problem = RandomProblem(random, {.units = 2, .atoms = 40, .reach = 16});
    problem.spill.clear();
    for (PlacementProblem::Atom& atom : problem.atoms) atom.read_spill.clear();
    const std::optional<Placement> got = SolvePlacement(problem, {.max_states = 2000}, {});
    INFO("round " << round);
    REQUIRE(got.has_value());
    CHECK(got->peak_live >= 8);
    CHECK(got->peak_states <= 2000);
    CHECK(got->lower_bound == got->cost);
    CHECK(got->cost == PlanCost(problem, got->units));
  }
}

TEST_CASE("moves are paid once per value and destination") {
  PlacementProblem problem = Chain(4);
  problem.atoms[2].reads = {1, 2};
  problem.atoms[3].reads = {1, 3};
  // Value 1 is made on unit 0 and read on unit 1 by atoms 1, 2 and 3.
  CHECK(PlanCost(problem, {0, 1, 1, 1}) == Approx(0.5 + 1 + 3 + 0.25 + 3 * 2));
  CHECK(PlanCost(problem, {0, 0, 0, 0}) == Approx(0.5 + 4));
  CHECK(PlanCost(problem, {0, 1, 0, 1}) == Approx(0.5 + 1 + (3 + 0.25 + 2) + (3 + 0.5 + 1) + (3 + 0.25 + 2)));
}

TEST_CASE("values are spilled once, and read from shared memory by every other segment") {
  PlacementProblem problem = Chain(4);
  problem.fixed.assign(9, 0);
  problem.atoms[3].reads = {1, 3};
  problem.spill.assign(2 * problem.num_values, 0);
  problem.spill[1 * 2 + 0] = 5;  // value 1, made by atom 0
  problem.atoms[1].read_spill = {7, 11};
  problem.atoms[3].read_spill = {13, 17, 0, 0};
  CHECK(PlanCost(problem, {0, 0, 0, 0}) == Approx(0.5 + 4));
  // Atom 1 reads it on the other unit, atom 3 again in a later segment of the unit that made it.
  CHECK(PlanCost(problem, {0, 1, 0, 0}) == Approx(0.5 + 1 + (0.25 + 2 + 5 + 11) + (0.5 + 1) + (1 + 13)));
  CHECK(PlanCost(problem, {0, 0, 1, 0}) == Approx(0.5 + 1 + 1 + (0.25 + 2) + (0.5 + 1 + 5 + 13)));
}

TEST_CASE("limits forbid plans") {
  PlacementProblem problem = Chain(4);
  SECTION("segments of the whole plan") {
    problem.max_segments = 1;
    CHECK(PlanCost(problem, {0, 0, 1, 1}) == kInfeasible);
    CHECK(PlanCost(problem, {1, 1, 1, 1}) < kInfeasible);
  }
  SECTION("segments of one unit") {
    problem.limits[0].max_segments = 1;
    CHECK(PlanCost(problem, {0, 1, 0, 0}) == kInfeasible);
    CHECK(PlanCost(problem, {1, 0, 0, 1}) < kInfeasible);
  }
  SECTION("smallest segment") {
    problem.limits[0].min_nodes = 2;
    CHECK(PlanCost(problem, {0, 1, 1, 1}) == kInfeasible);
    CHECK(PlanCost(problem, {1, 1, 1, 0}) == kInfeasible);
    CHECK(PlanCost(problem, {1, 0, 0, 1}) < kInfeasible);
  }
  SECTION("prefix only") {
    problem.limits[0].prefix_only = true;
    CHECK(PlanCost(problem, {1, 0, 0, 0}) == kInfeasible);
    CHECK(PlanCost(problem, {0, 0, 1, 1}) < kInfeasible);
  }
}

TEST_CASE("the greedy plan takes the unit that goes on longest") {
  PlacementProblem problem = Chain(5);
  problem.cost[2 * 2 + 0] = kInfeasible;
  CHECK(LongestSegments(problem) == Assignment{1, 1, 1, 1, 1});
  problem.cost[4 * 2 + 1] = kInfeasible;
  CHECK(LongestSegments(problem) == Assignment{1, 1, 1, 1, 0});
  problem.cost[4 * 2 + 0] = kInfeasible;
  CHECK_FALSE(LongestSegments(problem).has_value());
}

TEST_CASE("a long problem is solved within its budget of states") {
  std::mt19937 random(3);
  const PlacementProblem problem = RandomProblem(random, {.units = 3, .atoms = 2000, .reach = 4});
  const std::optional<Placement> got = SolvePlacement(problem, {}, {});
  REQUIRE(got.has_value());
  CHECK(got->peak_states > 0);
  CHECK(got->lower_bound <= got->cost);
  CHECK(got->cost == Approx(PlanCost(problem, got->units)));
}

}  // namespace
}  // namespace hwest

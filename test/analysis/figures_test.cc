// The figures themselves: tiny models of each kind on targets of each kind, compared with test/golden/figures.txt digit
// by digit. A change of an estimate shows here first; HWEST_UPDATE_GOLDEN=1 accepts it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hwest/analysis.h"
#include "hwest/target.h"
#include "support/catch.h"
#include "support/golden.h"
#include "support/onnx_writer.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

// One target for each kind of machine and each way to combine them.
constexpr const char* kTargets[] = {"coral-usb",          "hailo-8", "jetson-orin", "raspberry-pi-5", "rk3588",
                                    "snapdragon-8-gen-3", "tda4vm",  "x86-avx512"};

struct Model {
  std::string name;
  std::shared_ptr<const Graph> graph;
};

std::vector<Model> TinyModels() {
  std::vector<Model> models;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HWEST_SOURCE_DIR) + "/test/models/tiny")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string name = entry.path().stem().string();
    auto graph = LoadModelFromMemory(test::ModelFromText(text), name);
    INFO(name << ": " << graph.status());
    REQUIRE(graph.ok());
    models.push_back({name, *graph});
  }
  std::sort(models.begin(), models.end(), [](const Model& a, const Model& b) { return a.name < b.name; });
  return models;
}

std::string UnitsOf(const Analysis& analysis) {
  std::string units;
  for (const Segment& segment : analysis.plan->segments) {
    absl::StrAppend(&units, units.empty() ? "" : ",",
                    segment.unit.valid() ? analysis.target->units[segment.unit].name : "-");
  }
  return units;
}

std::string RowOf(const Model& model, const Target& target) {
  AnalysisRequest request;
  request.loaded = std::make_shared<const Target>(target);
  const absl::StatusOr<Analysis> analysis = Analyze(model.graph, request);
  if (!analysis.ok()) return absl::StrCat("error: ", analysis.status().message());
  const Plan& plan = *analysis->plan;
  return absl::StrFormat("%-18s %.12e %.12e %9d %3d/%d  %s", model.name, plan.latency_s, plan.energy_j,
                         plan.peak_memory_bytes, analysis->coverage.costed, analysis->coverage.nodes,
                         UnitsOf(*analysis));
}

std::string TableOf(const std::vector<Model>& models, const Target& target) {
  std::string table = absl::StrCat("\n", target.name, "\n");
  for (const Model& model : models) absl::StrAppend(&table, RowOf(model, target), "\n");
  return table;
}

Target TargetOf(const char* name) {
  auto target = LoadTarget(name);
  INFO(target.status());
  REQUIRE(target.ok());
  return *std::move(target);
}

TEST_CASE("figures of tiny models on targets of each kind") {
  const std::vector<Model> models = TinyModels();
  REQUIRE(models.size() >= 10);
  std::string text =
      "# model, latency_s, energy_j, peak_memory_bytes, nodes with a time / nodes, units of the segments in order\n";
  for (const char* target : kTargets) text += TableOf(models, TargetOf(target));
  test::CheckGolden("figures.txt", text);
}

void Scale(Fact& fact, double factor) {
  if (fact.stated.has_value()) *fact.stated *= factor;
  if (fact.fit.has_value()) fact.fit->value *= factor;
}

// A figure of a unit that estimates depend on; false = the unit has none of it.
struct Figure {
  std::string name;
  std::function<bool(Unit&)> change;
};

bool ScaleKnown(Fact& fact) {
  Scale(fact, 0.9);
  return fact.value_or(0) > 0;
}

Figure ParamNamed(const std::string& name) {
  return {name, [name](Unit& unit) {
            bool found = false;
            for (Param& param : unit.params) {
              if (param.name == name || absl::StartsWith(param.name, name + ".")) found |= ScaleKnown(param.fact);
            }
            return found;
          }};
}

TEST_CASE("the table of figures notices a change of any figure that estimates rest on") {
  const Figure figures[] = {
      {"clock_hz", [](Unit& unit) { return ScaleKnown(unit.clock_hz); }},
      {"launch_s", [](Unit& unit) { return ScaleKnown(unit.launch_s); }},
      {"invoke_s", [](Unit& unit) { return ScaleKnown(unit.invoke_s); }},
      ParamNamed("compute_efficiency"),
      ParamNamed("dram_efficiency"),
      ParamNamed("overlap"),
  };
  const std::vector<Model> models = TinyModels();
  for (const char* name : kTargets) {
    const Target target = TargetOf(name);
    const std::string before = TableOf(models, target);
    for (const Figure& figure : figures) {
      Target changed = target;
      bool found = false;
      for (uint32_t u = 0; u < changed.units.size(); ++u) {
        if (changed.units[UnitId(u)].placeable) found |= figure.change(changed.units[UnitId(u)]);
      }
      INFO(figure.name << " of " << name);
      if (found) CHECK(TableOf(models, changed) != before);
    }
  }
}

}  // namespace
}  // namespace hwest

#include "sweep/overview.h"

#include <algorithm>
#include <string>
#include <vector>

#include "support/catch.h"

namespace hwest {
namespace {

struct UnitCase {
  Measure measure;
  std::vector<double> figures;
  std::string unit;
  std::vector<std::string> cells;
};

TEST_CASE("one unit for all figures of a column") {
  const auto c = GENERATE(values<UnitCase>({
      {Measure::kSeconds, {0.0004544, 0.00128, 2.77}, "ms", {"0.4544", "1.280", "2770"}},
      {Measure::kSeconds, {0.00005, 0.0002}, "us", {"50.00", "200.0"}},
      {Measure::kSeconds, {0.00005, 0.0002, 12}, "ms", {"0.05000", "0.2000", "12000"}},
      {Measure::kSeconds, {0, 3e-9}, "us", {"0", "0.003000"}},
      {Measure::kSeconds, {4000, 0}, "s", {"4000", "0"}},
      {Measure::kSeconds, {}, "s", {}},
      {Measure::kJoules, {0.0097, 0.0999996}, "mJ", {"9.700", "100.0"}},
      {Measure::kWatts, {0.09, 2.85, 250}, "W", {"0.09000", "2.850", "250.0"}},
      {Measure::kBytes, {181.9e6, 465.3e6}, "MB", {"181.9", "465.3"}},
      {Measure::kBytes, {512, 1024}, "kB", {"0.5120", "1.024"}},
      {Measure::kPlain, {0.6633, 12345.6}, "", {"0.6633", "12346"}},
  }));
  const ColumnUnit unit = UnitOf(c.measure, c.figures);
  CHECK(unit.name == c.unit);
  std::vector<std::string> cells;
  for (const double figure : c.figures) cells.push_back(FormatIn(unit, figure));
  CHECK(cells == c.cells);
}

SweepRow Row(const std::string& model, const std::string& target, const std::string& mode, double latency_s) {
  SweepRow row;
  row.model = model;
  row.target = target;
  row.mode = mode;
  row.ok = true;
  row.summary.latency_s = latency_s;
  return row;
}

TEST_CASE("models by the name of their file, with folders where two have one name") {
  struct ModelsCase {
    std::vector<std::string> models;
    std::vector<std::string> shown;
    std::string head;
  };
  const auto c = GENERATE(values<ModelsCase>({
      {{"a/x.onnx", "b/y.onnx"}, {"x.onnx", "y.onnx"}, "2 points: t, mode m"},
      {{"in/x.onnx", "in/y.onnx"}, {"x.onnx", "y.onnx"}, "2 points: t, mode m, models in in/"},
      {{"in/a/x.onnx", "in/b/x.onnx"}, {"a/x.onnx", "b/x.onnx"}, "2 points: t, mode m, models in in/"},
      {{"a/x.onnx", "a/x.onnx"}, {}, "2 points: a/x.onnx, t, mode m"},
  }));
  std::vector<SweepRow> rows;
  for (const std::string& model : c.models) rows.push_back(Row(model, "t", "m", 1));
  const Overview overview(rows, {});
  CHECK(overview.Head() == c.head);
  for (size_t i = 0; i < c.shown.size(); ++i) CHECK(overview.Cells(rows[i])[1] == c.shown[i]);
}

TEST_CASE("a narrow page does without what the target tells") {
  const auto spares = [](const std::vector<SweepRow>& rows) {
    std::vector<std::string> titles;
    for (const Column& column : Overview(rows, {}).Columns()) {
      if (column.spare == 0 && !column.title.empty()) titles.push_back(column.title);
    }
    return titles;
  };
  const std::vector<std::string> told = {"target", "latency s"}, chosen = {"target", "mode", "latency s"};
  CHECK(spares({Row("x", "a", "30W", 1), Row("x", "b", "usual", 2)}) == told);
  CHECK(spares({Row("x", "a", "30W", 1), Row("x", "a", "50W", 1), Row("x", "b", "usual", 2)}) == chosen);
}

std::vector<std::string> TitlesOf(const std::vector<SweepRow>& rows, const std::vector<std::string>& columns) {
  ReportOptions options;
  options.graph.columns = columns;
  return Overview(rows, options).Titles();
}

TEST_CASE("columns that are named stand in that order, in the unit that suits them") {
  SweepRow row = Row("a/x.onnx", "t", "m", 0.002);
  row.batch = 4;
  row.params = 11'689'512;
  row.energy_per_input_j = 0.0125;
  row.summary.dram_bytes = 2'500'000;
  row.summary.utilisation = 0.25;
  row.bounds = {{"compute", 0.75}, {"memory", 0.25}};
  ReportOptions options;
  options.graph.columns = {"latency_s", "energy_per_input_j", "params", "dram_bytes", "utilisation", "bounds", "nodes",
                           "model"};
  const std::vector<SweepRow> rows = {row};
  const Overview overview(rows, options);
  CHECK(overview.Titles() == std::vector<std::string>{"latency ms", "energy_per_input mJ", "params", "dram MB",
                                                      "utilisation", "bounds", "nodes", "model"});
  CHECK(overview.Cells(row) == std::vector<std::string>{"2.000", "12.50", "11689512", "2.500", "25.0 %",
                                                        "compute 75.0 %, memory 25.0 %", "-", "a/x.onnx"});
  CHECK(overview.Legend().empty());
  row.code = "incomplete";
  row.summary.incomplete = true;
  CHECK(overview.Cells(row)[0] == ">= 2.000");
}

TEST_CASE("energy of an input stands beside its rate where runs have several") {
  const auto has = [](const std::vector<SweepRow>& rows, const std::string& title) {
    const std::vector<std::string> titles = TitlesOf(rows, {});
    return std::find(titles.begin(), titles.end(), title) != titles.end();
  };
  SweepRow one = Row("x", "t", "m", 1), four = one;
  one.batch = 1;
  one.energy_per_input_j = four.energy_per_input_j = 0.004;
  four.batch = 4;
  CHECK_FALSE(has({one}, "energy/input mJ"));
  CHECK(has({one, four}, "energy/input mJ"));
}

}  // namespace
}  // namespace hwest

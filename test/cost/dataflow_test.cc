// Pipelines with numbers computed by hand, and their laws.
#include "cost/dataflow.h"

#include <cmath>

#include "cost/cost.h"
#include "cost/tiny_target.h"
#include "support/catch.h"

namespace hwest {
namespace {

using test::Figure;
using test::MakeRate;
using test::SetParam;
using test::TinyTarget;

// 1 GHz, 1000 MACs, 100 depthwise MACs and 10 element operations per cycle; 1000 bytes of SRAM; 1 GB/s to memory.
Target Chip() {
  Target target = TinyTarget();
  Unit& unit = target.units[UnitId(0u)];
  unit.kind = UnitKind::kDataflow;
  unit.rates = {MakeRate(WorkKind::kContraction, Num::kInt8, 1000, 1e-12),
                MakeRate(WorkKind::kDepthwise, Num::kInt8, 100, 1e-12),
                MakeRate(WorkKind::kPointwise, Num::kInt8, 10, 2e-12)};
  unit.tiles.clear();
  unit.launch_s = Fact();
  unit.switch_s = Figure(1e-3);
  target.memories[0].capacity_bytes = Figure(1000);
  return target;
}

const Unit& UnitIn(const Target& target) { return target.units[UnitId(0u)]; }

GroupWork Layer(ContractionKind kind, int64_t m, int64_t n, int64_t k, int64_t taps = 1) {
  GroupWork work{
      .macs = m * n * k, .in_bytes = m, .out_bytes = m, .num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  work.contractions = {{.kind = kind, .m = m, .n = n, .k = k, .kernel_elements = taps}};
  return work;
}

// Stages one behind the other; value i is read by stage i and written by the one before.
struct Chain {
  std::vector<GroupWork> works;
  std::vector<double> seconds;

  PipelineEstimate Price(const Target& target, int64_t batch = 1, Tenancy tenancy = Tenancy::kAlone) const {
    std::vector<PipelineStage> stages;
    for (size_t i = 0; i < works.size(); ++i) {
      PipelineStage stage{.work = &works[i], .seconds = seconds[i]};
      stage.reads = {{.value = ValueId(i), .bytes = works[i].in_bytes}};
      stage.writes = {ValueId(i + 1)};
      stages.push_back(stage);
    }
    const absl::StatusOr<PipelineEstimate> estimate = EstimatePipeline(target, UnitIn(target), stages, batch, tenancy);
    INFO(estimate.status());
    REQUIRE(estimate.ok());
    return *estimate;
  }
};

Chain Weighty(std::vector<int64_t> weight_bytes) {
  Chain chain;
  for (const int64_t bytes : weight_bytes) {
    chain.works.push_back(Layer(ContractionKind::kMatMul, 100, 10, 1));
    chain.works.back().weight_bytes = bytes;
    chain.seconds.push_back(1e-3);
  }
  return chain;
}

TEST_CASE("a group of a pipeline takes its share of the multipliers and no memory time") {
  const Target target = Chip();
  struct Row {
    GroupWork work;
    double want_s;
  };
  GroupWork activated = Layer(ContractionKind::kConv, 100, 100, 100, 9);
  activated.ops[static_cast<size_t>(OpKind::kAdd)] = 1000000;
  GroupWork sum{.in_bytes = 4000, .out_bytes = 2000, .num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  sum.ops[static_cast<size_t>(OpKind::kAdd)] = 2000;
  const Row rows[] = {
      {Layer(ContractionKind::kConv, 100, 100, 100, 9), 1e-6},
      {activated, 1e-6},  // its tail streams behind it
      {Layer(ContractionKind::kDepthwise, 100, 1, 9, 9), 9e-9},
      {sum, 200e-9},
  };
  for (const Row& row : rows) {
    const absl::StatusOr<Estimate> estimate = EstimateGroup(target, UnitIn(target), row.work, {});
    REQUIRE(estimate.ok());
    CHECK(estimate->compute_s == Approx(row.want_s));
    CHECK(estimate->memory_s == 0);
    CHECK(estimate->time_s == Approx(row.want_s));
    CHECK(estimate->dram_bytes == 0);
  }
}

TEST_CASE("what fits stays: one result an interval, a first one after the fill") {
  Target target = Chip();
  SetParam(target.units[UnitId(0u)], "frame_s", 1e-4);
  // Half a window of 3 of 10 rows, twice.
  Chain chain{{Layer(ContractionKind::kConv, 100, 1, 9, 9), Layer(ContractionKind::kConv, 100, 1, 9, 9)}, {3e-3, 5e-3}};
  const PipelineEstimate one = chain.Price(target);
  REQUIRE(one.contexts.size() == 1);
  CHECK(one.interval_s == Approx(8.1e-3));
  CHECK(one.latency_s == Approx(8.1e-3 * (1 + 2 * 0.15)));
  CHECK(one.reloaded_bytes == 0);
  // The same images in one inference: the fill is that of one image.
  chain.seconds = {12e-3, 20e-3};
  for (GroupWork& work : chain.works) work.contractions[0].batch = 4;
  const PipelineEstimate four = chain.Price(target, 4);
  CHECK(four.interval_s == Approx(4 * one.interval_s));
  CHECK(four.latency_s == Approx(4 * one.interval_s + one.latency_s - one.interval_s));
}

TEST_CASE("what does not fit is cut into contexts that are reloaded") {
  const Target target = Chip();
  const PipelineEstimate two = Weighty({600, 600}).Price(target);
  REQUIRE(two.contexts.size() == 2);
  CHECK(two.contexts[0].first == 0);
  CHECK(two.contexts[1].first == 1);
  CHECK(two.contexts[1].last == 2);
  CHECK(two.contexts[0].boundary_bytes == 0);
  CHECK(two.contexts[1].boundary_bytes == 200);
  CHECK(two.reloaded_bytes == 1400);
  // What crosses streams beside the work.
  CHECK(two.latency_s == Approx(2 * (1e-3 + 1e-3 + 600e-9)));
  CHECK(two.interval_s == two.latency_s);
  CHECK(Weighty({500, 500}).Price(target).contexts.size() == 1);
  // A layer larger than the chip is a context of its own.
  CHECK(Weighty({5000, 100}).Price(target).contexts.size() == 2);
}

TEST_CASE("contexts are also bound by layers") {
  Target target = Chip();
  SetParam(target.units[UnitId(0u)], "context_layers", 4);
  CHECK(Weighty({1, 1, 1, 1}).Price(target).contexts.size() == 1);
  CHECK(Weighty({1, 1, 1, 1, 1}).Price(target).contexts.size() == 2);
  // Five heads take one more layer.
  Chain heads{{Layer(ContractionKind::kActivation, 100, 1, 1)}, {1e-3}};
  heads.works[0].contractions[0].batch = 16;
  CHECK(heads.Price(target).contexts.size() == 1);
  Chain more = heads;
  more.works.push_back(heads.works[0]);
  more.seconds.push_back(1e-3);
  CHECK(more.Price(target).contexts.size() == 2);
  SetParam(target.units[UnitId(0u)], "product_layers", 0.5);
  SetParam(target.units[UnitId(0u)], "head_layers", 0.05);
  CHECK(more.Price(target).contexts.size() == 1);
}

TEST_CASE("near an edge of what fits, both sides are priced") {
  Target target = Chip();
  SetParam(target.units[UnitId(0u)], "packing_margin", 0.2);
  struct Row {
    std::vector<int64_t> weight_bytes;
    int contexts, tighter, looser;
  };
  const Row rows[] = {
      {{390, 390}, 1, 0, 0}, {{450, 450}, 1, 0, 2},      {{550, 550}, 2, 1, 0},
      {{610, 610}, 2, 0, 0}, {{480, 480, 480}, 2, 0, 3},
  };
  for (const Row& row : rows) {
    CAPTURE(row.weight_bytes);
    const PipelineEstimate estimate = Weighty(row.weight_bytes).Price(target);
    CHECK(estimate.contexts.size() == static_cast<size_t>(row.contexts));
    CHECK(estimate.tighter.contexts == row.tighter);
    CHECK(estimate.looser.contexts == row.looser);
    if (row.tighter > 0) CHECK(estimate.tighter.interval_s < estimate.interval_s);
    if (row.looser > 0) CHECK(estimate.looser.interval_s > estimate.interval_s);
  }
  const PipelineEstimate edge = Weighty({450, 450}).Price(target);
  CHECK(edge.looser.time_s == Approx(2 * (1e-3 + 1e-3 + 450e-9)));
  CHECK(edge.looser.interval_s == edge.looser.time_s);
}

TEST_CASE("a context ends where the fewest bytes cross, once it fills its share") {
  Target target = Chip();
  Unit& unit = target.units[UnitId(0u)];
  SetParam(unit, "context_layers", 4);
  Chain chain = Weighty({1, 1, 1, 1, 1, 1});
  chain.works[2].in_bytes = 20;
  chain.works[3].in_bytes = 60;
  struct Row {
    double share;
    size_t want;  // stages of the first context
  };
  const Row rows[] = {{1, 4}, {0.75, 3}, {0.5, 2}, {0.25, 2}};
  for (const Row& row : rows) {
    CAPTURE(row.share);
    SetParam(unit, "context_share", row.share);
    CHECK(chain.Price(target).contexts[0].last == row.want);
  }
  // A value that is read again further on crosses until then, and of equal places the later one is taken.
  SetParam(unit, "context_share", 0.5);
  const Chain even = Weighty({1, 1, 1, 1, 1, 1});
  CHECK(even.Price(target).contexts[0].last == 4);
  std::vector<PipelineStage> stages;
  for (size_t i = 0; i < even.works.size(); ++i) {
    stages.push_back({.work = &even.works[i],
                      .seconds = 1e-3,
                      .reads = {{.value = ValueId(i), .bytes = 100}},
                      .writes = {ValueId(i + 1)}});
  }
  stages[4].reads.push_back({.value = ValueId(3u), .bytes = 100});  // made by stage 2
  const auto skip = EstimatePipeline(target, UnitIn(target), stages, 1, Tenancy::kAlone);
  REQUIRE(skip.ok());
  CHECK(skip->contexts[0].last == 3);
}

TEST_CASE("what crosses into a context takes its time where that is the longer") {
  Target target = Chip();
  target.memories[1].bytes_per_s = Figure(1e5);
  const PipelineEstimate two = Weighty({600, 600}).Price(target);
  REQUIRE(two.contexts.size() == 2);
  CHECK(two.latency_s == Approx(2 * (1e-3 + 600e-5) + 1e-3 + 200e-5));
}

TEST_CASE("layers share the controllers, each takes one at least, and parting one takes more") {
  Target target = Chip();
  Unit& unit = target.units[UnitId(0u)];
  SetParam(unit, "context_layers", 4);
  struct Row {
    std::vector<double> seconds;
    double parting, want;
  };
  const Row rows[] = {
      {{1e-3, 1e-3, 1e-3, 1e-3}, 0, 4e-3},
      {{3e-3, 1e-3}, 0, 4e-3},
      {{4e-3, 0, 0, 0}, 0, 16e-3},                    // three idle ones hold a controller each
      {{4e-3, 4e-4}, 0, 16e-3 / 3},                   // the shorter has time to spare
      {{3e-3, 1e-3}, 1, 12e-3 / (1 + std::sqrt(2))},  // x + 1 - 1 / x of the three that the shorter leaves
  };
  for (const Row& row : rows) {
    CAPTURE(row.seconds, row.parting);
    SetParam(unit, "parting_layers", row.parting);
    Chain chain = Weighty(std::vector<int64_t>(row.seconds.size(), 1));
    chain.seconds = row.seconds;
    const PipelineEstimate estimate = chain.Price(target);
    REQUIRE(estimate.contexts.size() == 1);
    CHECK(estimate.interval_s == Approx(row.want));
    double sum = 0;
    for (const double seconds : row.seconds) sum += seconds;
    CHECK(estimate.contexts[0].time_share == Approx(row.want / sum));
  }
}

TEST_CASE("a controller drives several blocks of a dense layer, and weights lie beside them") {
  Target target = Chip();
  Unit& unit = target.units[UnitId(0u)];
  SetParam(unit, "context_layers", 4);
  SetParam(unit, "blocks", 8);
  SetParam(unit, "layer_blocks", 4);
  const auto interval = [&](const Chain& chain) { return chain.Price(target).interval_s; };
  Chain dense = Weighty({1});
  CHECK(interval(dense) == Approx(1e-3));
  // All blocks by two controllers; two leave one each to two others.
  dense = Weighty({1, 1, 1});
  dense.seconds = {1e-3, 0, 0};
  CHECK(interval(dense) == Approx(8e-3 / 6));
  // Half of the chip's bytes take half of its blocks.
  dense = Weighty({500, 1});
  dense.seconds = {0, 1e-3};
  CHECK(interval(dense) == Approx(2e-3));
  // A depthwise layer has one block of each controller, so that two layers take half of the time each.
  Chain depthwise{{Layer(ContractionKind::kDepthwise, 100, 1, 9, 9), Layer(ContractionKind::kDepthwise, 100, 1, 9, 9)},
                  {1e-3, 1e-3}};
  CHECK(interval(depthwise) == Approx(2e-3));
}

TEST_CASE("no layer hands on more than a controller streams") {
  Target target = Chip();
  Chain chain = Weighty({1});
  chain.works[0].out_bytes = 100;
  SetParam(target.units[UnitId(0u)], "stream_bytes", 1e-4);  // at 1 GHz a millisecond
  CHECK(chain.Price(target).interval_s == Approx(1e-3 * std::pow(2, 1 / 2.5)));
  SetParam(target.units[UnitId(0u)], "stream_bytes", 1e-6);
  CHECK(chain.Price(target).interval_s == Approx(0.1).epsilon(1e-4));
}

TEST_CASE("one of several contexts is begun with less than the chip holds") {
  Target target = Chip();
  Unit& unit = target.units[UnitId(0u)];
  SetParam(unit, "context_bytes", 0.6);
  CHECK(Weighty({500, 500}).Price(target).contexts.size() == 1);
  CHECK(Weighty({500, 500, 500}).Price(target).contexts.size() == 3);
  SetParam(unit, "context_layers", 4);
  SetParam(unit, "context_fill", 0.5);
  CHECK(Weighty({1, 1, 1, 1}).Price(target).contexts.size() == 1);
  const PipelineEstimate cut = Weighty({1, 1, 1, 1, 1}).Price(target);
  CHECK(cut.contexts.size() == 3);
  CHECK(cut.contexts[0].interval_s == Approx(2e-3));
  SetParam(unit, "context_use", 0.75);  // three controllers for two layers
  CHECK(Weighty({1, 1, 1, 1, 1}).Price(target).contexts[0].interval_s == Approx(2e-3 / 0.75));
}

TEST_CASE("statistics and what applies them take a layer, another element operation half of one, or as stated") {
  Target target = Chip();
  SetParam(target.units[UnitId(0u)], "context_layers", 2);
  const GroupWork work{.in_bytes = 10, .out_bytes = 10, .num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  for (const bool takes_statistics : {false, true}) {
    const PipelineStage stage{.work = &work, .seconds = 1e-3, .takes_statistics = takes_statistics};
    const auto contexts = [&](size_t count) {
      const std::vector<PipelineStage> stages(count, stage);
      const auto estimate = EstimatePipeline(target, UnitIn(target), stages, 1, Tenancy::kAlone);
      REQUIRE(estimate.ok());
      return estimate->contexts.size();
    };
    const size_t fit = takes_statistics ? 2 : 4;
    CHECK(contexts(fit) == 1);
    CHECK(contexts(fit + 1) == 2);
    Unit& unit = target.units[UnitId(0u)];
    SetParam(unit, takes_statistics ? "statistics_layers" : "element_layers", 2);
    CHECK(contexts(1) == 1);
    CHECK(contexts(2) == 2);
  }
}

TEST_CASE("weights take the share that is kept of them") {
  Target target = Chip();
  SetParam(target.units[UnitId(0u)], "weight_share", 0.5);
  CHECK(Weighty({600, 600}).Price(target).contexts.size() == 1);
  CHECK(Weighty({600, 600}).Price(target).contexts[0].weight_bytes == 600);
}

TEST_CASE("a product of activations waits for its second operand, statistics for the image") {
  const Target target = Chip();
  const auto fill = [&](const Chain& chain) { return chain.Price(target).contexts[0].fill_s; };
  const Chain plain{{Layer(ContractionKind::kMatMul, 100, 1, 1)}, {1e-3}};
  const Chain product{{Layer(ContractionKind::kActivation, 100, 1, 1)}, {1e-3}};
  CHECK(fill(plain) == 0);
  CHECK(fill(product) == Approx(1e-3));
  GroupWork pool{.in_bytes = 4900, .out_bytes = 100, .num_nodes = 1, .precision = {Num::kInt8, Num::kInt8}};
  PipelineStage stage{.work = &pool, .seconds = 1e-3, .needs_whole_input = true};
  const auto pooled = EstimatePipeline(target, UnitIn(target), {stage}, 1, Tenancy::kAlone);
  REQUIRE(pooled.ok());
  CHECK(pooled->contexts[0].fill_s == Approx(1e-3));
}

TEST_CASE("a chip shared with another segment reloads even one context") {
  const Target target = Chip();
  const PipelineEstimate shared = Weighty({500}).Price(target, 1, Tenancy::kShared);
  CHECK(shared.interval_s == Approx(1e-3 + 1e-3 + 500e-9));
  CHECK(shared.reloaded_bytes == 500);
}

TEST_CASE("laws: a batch amortises reloads; more bandwidth or capacity is never slower") {
  for (const std::vector<int64_t>& weights :
       {std::vector<int64_t>{100, 200}, {600, 600, 600}, {900, 100, 900, 50, 50}, {2000, 10}}) {
    const Target target = Chip();
    const Chain chain = Weighty(weights);
    const PipelineEstimate one = chain.Price(target);
    Chain batch = chain;
    for (size_t i = 0; i < weights.size(); ++i) {
      batch.seconds[i] *= 8;
      batch.works[i].in_bytes *= 8;
      batch.works[i].contractions[0].batch = 8;
    }
    const PipelineEstimate eight = batch.Price(target, 8);
    CHECK(eight.interval_s >= one.interval_s);
    CHECK(eight.interval_s / 8 <= one.interval_s * (1 + 1e-12));
    Target faster = target;
    faster.memories[1].bytes_per_s = Figure(2e9);
    CHECK(chain.Price(faster).interval_s <= one.interval_s);
    Target held = target;
    SetParam(held.units[UnitId(0u)], "dram_scale", 2);
    CHECK(chain.Price(held).interval_s == Approx(chain.Price(faster).interval_s));
    Target larger = target;
    larger.memories[0].capacity_bytes = Figure(1e6);
    CHECK(chain.Price(larger).interval_s <= one.interval_s);
    CHECK(one.latency_s >= one.interval_s);
  }
}

}  // namespace
}  // namespace hwest

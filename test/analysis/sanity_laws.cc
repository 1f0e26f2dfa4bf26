#include "analysis/sanity_laws.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "analysis/stated_slowdown.h"
#include "base/status_macros.h"
#include "cost/cost.h"
#include "cost/figures_class.h"
#include "cost/precision.h"
#include "cost/weight_layout.h"
#include "hwest/diagnostic.h"
#include "hwest/host.h"
#include "target/kinds.h"

namespace hwest::test {
namespace {

// Sums of the same figures in another order.
constexpr double kRounding = 1e-9;
constexpr double kFaster = 1.3;
constexpr int64_t kBatch = 8;

struct Change {
  std::string what;
  std::function<void(Target&)> apply;
};

void Multiply(Fact& fact, double factor) {
  if (fact.stated.has_value()) *fact.stated *= factor;
  if (fact.fit.has_value()) fact.fit->value *= factor;
}

void Enlarge(Memory& memory) {
  Multiply(memory.capacity_bytes, kFaster);
  Multiply(memory.usable_bytes, kFaster);
}

// Where the layers of a pipeline lie. Its contexts are cut where the fewest bytes cross among the places that leave the
// chip well filled, which with more room may be a worse place.
bool HoldsContexts(const Target& target, const Memory& memory) {
  return std::any_of(target.units.begin(), target.units.end(),
                     [&](const Unit& unit) { return IsStreaming(unit) && OnChipMemoryOf(target, unit) == &memory; });
}

std::vector<Change> EachChange(const Target& target) {
  std::vector<Change> changes;
  for (uint32_t u = 0; u < target.units.size(); ++u) {
    const UnitId id(u);
    if (!target.units[id].placeable) continue;
    const std::string& name = target.units[id].name;
    changes.push_back(
        {absl::StrCat("clock of ", name, " x", kFaster), [id](Target& t) { Multiply(t.units[id].clock_hz, kFaster); }});
    changes.push_back({absl::StrCat("one more core of ", name), [id](Target& t) { ++t.units[id].cores; }});
    changes.push_back({absl::StrCat("twice the cores of ", name), [id](Target& t) { t.units[id].cores *= 2; }});
  }
  for (size_t m = 0; m < target.memories.size(); ++m) {
    changes.push_back({absl::StrCat("bandwidth of ", target.memories[m].name, " x", kFaster),
                       [m](Target& t) { Multiply(t.memories[m].bytes_per_s, kFaster); }});
    if (HoldsContexts(target, target.memories[m])) continue;
    changes.push_back(
        {absl::StrCat("size of ", target.memories[m].name, " x", kFaster), [m](Target& t) { Enlarge(t.memories[m]); }});
  }
  return changes;
}

std::vector<Change> TogetherChanges() {
  return {{absl::StrCat("every clock x", kFaster),
           [](Target& t) {
             for (Unit& unit : t.units) Multiply(unit.clock_hz, kFaster);
           }},
          {"twice the cores of every unit",
           [](Target& t) {
             for (Unit& unit : t.units) unit.cores *= 2;
           }},
          {absl::StrCat("every bandwidth x", kFaster),
           [](Target& t) {
             for (Memory& memory : t.memories) Multiply(memory.bytes_per_s, kFaster);
           }},
          {absl::StrCat("every memory x", kFaster), [](Target& t) {
             for (Memory& memory : t.memories) {
               if (!HoldsContexts(t, memory)) Enlarge(memory);
             }
           }}};
}

bool IsPlacedAlike(const Plan& a, const Plan& b) {
  return std::equal(
      a.groups.begin(), a.groups.end(), b.groups.begin(), b.groups.end(),
      [](const PlannedGroup& x, const PlannedGroup& y) { return x.unit == y.unit && x.group.nodes == y.group.nodes; });
}

// Whether a layer runs on another unit. What other groups alone gain is nothing that a toolchain has a means for.
bool MovesLayers(const Plan& from, const Plan& to) {
  return std::any_of(from.groups.begin(), from.groups.end(), [&](const PlannedGroup& row) {
    return std::any_of(row.group.nodes.begin(), row.group.nodes.end(), [&](NodeId node) {
      const GroupId id = to.group_of[node];
      return id.valid() && to.groups[id.index()].unit != row.unit;
    });
  });
}

double SharedBytes(const Plan& plan) {
  double bytes = 0;
  for (const PlannedGroup& row : plan.groups) {
    if (row.estimate.has_value()) bytes += static_cast<double>(row.estimate->dram_bytes);
  }
  return bytes;
}

// Of weights that a cache holds from one inference to the next. Where it begins to, activations have less room: more
// bytes stay in sum, but other groups' work may have hidden theirs.
constexpr double kMovingIn = 0.01;
double KeptWeights(const Plan& plan) {
  double bytes = 0;
  for (const PlannedGroup& row : plan.groups) {
    bytes += static_cast<double>(row.residency.weight_bytes + row.residency.cached_bytes);
  }
  return bytes;
}

// The file fixes its batch, or leaves other dims free once the shapes of the request are taken away.
bool IsRefusedBatch(const absl::Status& status) {
  const Code code = DiagnosticOf(status).code;
  return !status.ok() && (code == Code::kBindConflict || code == Code::kFreeDims);
}

class Checker {
 public:
  Checker(std::shared_ptr<const Graph> graph, const BindRequest& bind, const Target& target)
      : graph_(std::move(graph)), target_(target) {
    request_.bind = bind;
    request_.loaded = std::make_shared<const Target>(target);
  }

  absl::StatusOr<std::vector<Violation>> Run(Changes changes) {
    HWEST_ASSIGN_OR_RETURN(const Analysis base, Analyze(graph_, request_));
    CheckBounds(base);
    CheckWhole(*base.plan);
    CheckPlacement(base);
    CheckFaster(*base.plan, changes == Changes::kEach ? EachChange(target_) : TogetherChanges());
    CheckFused();
    CheckPower(*base.plan, "of one image");
    CheckBatch(base);
    CheckNarrower(WithoutOwnTimes(target_), "");
    if (changes == Changes::kEach) CheckNarrower(WithoutClasses(target_), ", without figures of single precisions");
    return std::move(violations_);
  }

 private:
  void AtMost(absl::string_view law, absl::string_view what, double found, double bound) {
    if (found <= bound * (1 + kRounding)) return;
    violations_.push_back({std::string(law), std::string(what), bound, found});
  }
  // A changed request that fails breaks its law; its figures cannot be compared.
  bool Succeeded(absl::string_view law, absl::string_view what, const absl::Status& status) {
    if (!status.ok()) violations_.push_back({std::string(law), absl::StrCat(what, ": ", status.message()), 0, 0});
    return status.ok();
  }
  void CheckBounds(const Analysis& base);
  void CheckGroup(const PlannedGroup& row, absl::string_view name);
  void CheckWhole(const Plan& plan);
  void CheckPlacement(const Analysis& base);
  void CheckTaken(const Analysis& base);
  void CheckFaster(const Plan& base, const std::vector<Change>& changes);
  void CheckFused();
  void CheckBatch(const Analysis& base);
  void CheckPower(const Plan& plan, absl::string_view of);
  void CheckNarrower(const Target& target, absl::string_view of);
  void CheckNarrower(const std::shared_ptr<const Target>& target, const Unit& unit, absl::string_view of);

  std::shared_ptr<const Graph> graph_;
  const Target& target_;
  AnalysisRequest request_;
  std::vector<Violation> violations_;
};

void Checker::CheckBounds(const Analysis& base) {
  for (const PlannedGroup& row : base.plan->groups) {
    if (!row.unit.valid() || !row.estimate.has_value()) continue;
    CheckGroup(row, graph_->Label(row.group.root));
  }
}

// Libraries of CPUs may take windows of 3 x 3 with half of the products, in half precision or in 8 bits:
// lib/cost/simd_cpu.cc.
double LeastProducts(const Unit& unit, const GroupWork& work) {
  auto products = static_cast<double>(work.macs);
  const Num act = work.precision.act;
  if (unit.kind != UnitKind::kSimdCpu || (act != Num::kFp16 && act != Num::kInt8)) return products;
  for (const ContractionSize& size : work.contractions) {
    const bool is_window = size.kind == ContractionKind::kConv && size.kernel_elements == 9;
    if (is_window) products -= static_cast<double>(size.macs()) / 2;
  }
  return products;
}

void Checker::CheckGroup(const PlannedGroup& row, absl::string_view name) {
  const Estimate& estimate = *row.estimate;
  const Unit& unit = target_.units[row.unit];
  const auto at_least = [&](absl::string_view what, double bound) {
    AtMost("bounds", absl::StrCat(what, " of ", name, " on ", unit.name), bound, estimate.time_s);
  };
  at_least("compute time", estimate.compute_s);
  at_least("memory time", estimate.memory_s);
  at_least("lower end", estimate.low_s);
  AtMost("bounds", absl::StrCat("utilisation of ", name, " on ", unit.name), estimate.utilisation, 1);
  AtMost("bounds", absl::StrCat("upper end of ", name), estimate.time_s, estimate.high_s);
  const Rate* rate = RateFor(unit, WorkKind::kContraction, row.work.precision);
  const std::optional<double> peak = rate != nullptr ? PeakPerS(unit, *rate) : std::nullopt;
  if (peak.has_value()) at_least("MACs at the peak rate", LeastProducts(unit, row.work) / *peak);
  const Memory* shared = SharedMemoryOf(target_, unit);
  if (shared == nullptr || !shared->bytes_per_s.known()) return;
  const WeightBlocks blocks = WeightBlocksOf(unit, row.work.precision);
  const double cached = PaddedShare(blocks, row.work) * static_cast<double>(row.residency.cached_bytes);
  at_least("bytes at the peak bandwidth",
           (static_cast<double>(estimate.dram_bytes) - cached) / *shared->bytes_per_s.value());
}

void Checker::CheckWhole(const Plan& plan) {
  AtMost("whole", "lower end of the latency", plan.latency_low_s, plan.latency_s);
  AtMost("whole", "latency, against its upper end", plan.latency_s, plan.latency_high_s);
  AtMost("whole", "lower end of the energy", plan.energy_low_j, plan.energy_j);
  AtMost("whole", "energy, against its upper end", plan.energy_j, plan.energy_high_j);
  AtMost("whole", "time between results", plan.interval_s, plan.latency_s);
  for (const double figure : {plan.latency_s, plan.interval_s, plan.energy_j}) {
    if (!(figure > 0)) violations_.push_back({"whole", "latency, interval and energy above zero", 0, figure});
  }
}

void Checker::CheckPlacement(const Analysis& base) {
  CheckTaken(base);
  AnalysisRequest request = request_;
  request.placement = PlacementBy::kBest;
  const absl::StatusOr<Analysis> analysis = Analyze(graph_, request);
  if (!Succeeded("placement", "the best", analysis.status())) return;
  if (analysis->coverage.costed != base.coverage.costed) return;
  const double best_s = analysis->plan->latency_s, own_s = base.plan->latency_s;
  AtMost("placement", "latency of the best, against the toolchain's", best_s, own_s);
  const std::optional<double>& told_s = base.plan->best_latency_s;
  if (told_s.has_value()) AtMost("placement", "latency of the best, against what is told of it", best_s, *told_s);
  if (!told_s.has_value() && MovesLayers(*base.plan, *analysis->plan)) {
    AtMost("placement", "what the best saves untold", own_s * (1 - kWorthwhileGain), best_s);
  }
}

// What the accelerator's toolchain supports runs there, unless it allows no further segment.
void Checker::CheckTaken(const Analysis& base) {
  const UnitId unit = base.plan->compiled_for;
  if (!unit.valid() || ToolchainOf(target_, target_.units[unit])->max_segments.has_value()) return;
  for (const PlannedGroup& row : base.plan->groups) {
    if (row.unit == unit) continue;
    for (const NodeId node : row.group.nodes) {
      const Support& support = base.support[unit][node];
      if (!IsKernel(base.classes[node]) || support.verdict == Verdict::kNo || support.only_in_group) continue;
      const std::string what = absl::StrCat(base.graph->Label(node), " is left though it is supported");
      violations_.push_back({"placement", what, 0, 1});
    }
  }
}

void Checker::CheckFaster(const Plan& base, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    Target changed = target_;
    change.apply(changed);
    AnalysisRequest request = request_;
    request.loaded = std::make_shared<const Target>(std::move(changed));
    const absl::StatusOr<Analysis> analysis = Analyze(graph_, request);
    if (!Succeeded("faster", change.what, analysis.status())) continue;
    const bool weights_move_in = KeptWeights(*analysis->plan) > KeptWeights(base);
    AtMost("faster", change.what, analysis->plan->latency_s, base.latency_s * (weights_move_in ? 1 + kMovingIn : 1));
    if (IsPlacedAlike(*analysis->plan, base)) {
      AtMost("traffic", change.what, SharedBytes(*analysis->plan), SharedBytes(base));
    }
  }
}

// Only plans that leave as little without a time compare: what has none counts as nothing. The host of a module
// competes, or fewer fusions would leave more to it.
void Checker::CheckFused() {
  AnalysisRequest request = request_;
  request.host_competes = HostCompetes::kYes;
  const absl::StatusOr<Analysis> fused = Analyze(graph_, request);
  request.fusions = "none";
  const absl::StatusOr<Analysis> analysis = Analyze(graph_, request);
  if (!Succeeded("fused", "with the host competing", fused.status())) return;
  if (!Succeeded("fused", "without fusion", analysis.status())) return;
  if (analysis->coverage.costed != fused->coverage.costed) return;
  AtMost("fused", "latency, against that without fusion", fused->plan->latency_s, analysis->plan->latency_s);
}

void Checker::CheckBatch(const Analysis& base) {
  if (base.batch != 1) return;
  AnalysisRequest request = request_;
  request.bind.batch = kBatch;
  request.bind.shapes.clear();
  const absl::StatusOr<Analysis> analysis = Analyze(graph_, request);
  if (IsRefusedBatch(analysis.status()) || !Succeeded("batch", "batch of 8", analysis.status())) return;
  if (analysis->batch != kBatch) return;
  const Plan& plan = *analysis->plan;
  AtMost("batch", "one image, against a batch of 8", base.plan->latency_s, plan.latency_s);
  AtMost("batch", "an image of 8, against one alone", plan.latency_s / kBatch, base.plan->latency_s);
  AtMost("batch", "time between results of 8, per image", plan.interval_s / kBatch, base.plan->interval_s);
  CheckPower(plan, "of a batch of 8");
}

void Checker::CheckPower(const Plan& plan, absl::string_view of) {
  const Mode* mode = ModeOf(target_, target_.mode);
  if (mode == nullptr || !mode->cap_w.known()) return;
  double joules = 0;
  for (const Segment& segment : plan.segments) joules += IsDiscreteHost(target_, segment.unit) ? 0 : segment.energy_j;
  AtMost("power", of, joules / plan.interval_s, *mode->cap_w.value());
}

// From wider to narrower: types of the same kind, and what a compiler narrows next. Where w8a16 has integer activations
// and w4a16 half precision ones, the latter is narrower than half precision alone.
struct Narrowing {
  const char* wide;
  const char* narrow;
};
constexpr Narrowing kNarrowings[] = {{"fp32", "tf32"},  {"fp32", "fp16"},   {"fp32", "bf16"},  {"tf32", "fp16"},
                                     {"tf32", "bf16"},  {"fp16", "fp8"},    {"fp8", "fp4"},    {"fp32", "int8"},
                                     {"fp16", "int8"},  {"w8a16", "int8"},  {"fp16", "w8a16"}, {"fp16", "w4a16"},
                                     {"bf16", "w4a16"}, {"w8a16", "w4a16"}, {"int8", "w4a8"}};

// Whether the same kernels run on the same units: a toolchain may refuse an operator, or not fuse it, at one precision.
bool HaveSameKernels(const Plan& a, const Plan& b) {
  const auto is_same = [](const PlannedGroup& x, const PlannedGroup& y) {
    return x.unit == y.unit && x.group.nodes == y.group.nodes;
  };
  return std::equal(a.groups.begin(), a.groups.end(), b.groups.begin(), b.groups.end(), is_same);
}

// Weights that fit a cache as a whole stay there, and what they take of it is lost to the activations, which may have
// saved more. So a model may get slower when its weights shrink until they fit: up to 1.14 times, MobileNetV2 in w4a16.
bool KeepsWeightsInCache(const Target& target, const Unit& unit, const Plan& plan) {
  const Memory* memory = OnChipMemoryOf(target, unit);
  if (memory == nullptr || memory->scratchpad) return false;
  return std::any_of(plan.groups.begin(), plan.groups.end(),
                     [](const PlannedGroup& group) { return group.residency.weight_bytes > 0; });
}

// A file of 4-bit weights keeps them beside activations in floating point; to 8 bits they are widened.
bool WidensWeights(const Plan& wide, const Plan& narrow) {
  const auto bytes = [](const Plan& plan) {
    int64_t sum = 0;
    for (const PlannedGroup& group : plan.groups) sum += group.work.weight_bytes;
    return sum;
  };
  return bytes(narrow) > bytes(wide);
}

// Layers fill contexts one after the other. Where smaller weights make these fewer, more layers share the array in
// each, and the time of one context is that of its slowest: 1.07 times as long for DETR in w4a8 on Hailo-8, in five
// contexts, not six.
bool HasFewerContexts(const Plan& wide, const Plan& narrow) {
  const auto contexts = [](const Plan& plan) {
    int most = 0;
    for (const Segment& segment : plan.segments) most = std::max(most, segment.contexts);
    return most;
  };
  return contexts(narrow) < contexts(wide);
}

// Exceptions of the law, with their reasons above. What is slower by measurement, as DenseNet in w8a8 on Hexagon, is so
// by figures that its file states.
bool IsExcepted(const Target& target, const Unit& unit, const Plan& wide, const Plan& narrow) {
  return (KeepsWeightsInCache(target, unit, narrow) && !KeepsWeightsInCache(target, unit, wide)) ||
         WidensWeights(wide, narrow) || HasFewerContexts(wide, narrow);
}

void Checker::CheckNarrower(const Target& target, absl::string_view of) {
  const auto shared = std::make_shared<const Target>(target);
  for (const Unit& unit : shared->units) {
    if (unit.placeable) CheckNarrower(shared, unit, of);
  }
}

// The unit alone, with the CPU for what it refuses.
void Checker::CheckNarrower(const std::shared_ptr<const Target>& target, const Unit& unit, absl::string_view of) {
  struct Run {
    Precision precision;
    absl::StatusOr<Analysis> analysis;
  };
  std::map<std::string, Run> runs;
  for (const std::string& name : PrecisionsOf(unit)) {
    AnalysisRequest request = request_;
    request.loaded = target;
    request.only = {unit.name};
    request.precision = name;
    const auto choice = ChoosePrecisions(*target, name, {}, request.only);
    if (!Succeeded("narrower", absl::StrCat(name, " on ", unit.name), choice.status())) continue;
    Run run{.precision = {}, .analysis = Analyze(graph_, request)};
    if (!Succeeded("narrower", absl::StrCat(name, " on ", unit.name), run.analysis.status())) continue;
    for (uint32_t u = 0; u < target->units.size(); ++u) {
      if (target->units[UnitId(u)].name == unit.name) run.precision = choice->units[UnitId(u)]->main;
    }
    runs.emplace(name, std::move(run));
  }
  for (const Narrowing& pair : kNarrowings) {
    const auto wide = runs.find(pair.wide), narrow = runs.find(pair.narrow);
    if (wide == runs.end() || narrow == runs.end()) continue;
    if (IsFloating(narrow->second.precision.act) && !IsFloating(wide->second.precision.act)) continue;
    if (!RatesGrow(unit, wide->second.precision, narrow->second.precision)) continue;
    const Plan& slower = *wide->second.analysis->plan;
    const Plan& faster = *narrow->second.analysis->plan;
    if (!HaveSameKernels(slower, faster) || IsExcepted(*target, unit, slower, faster)) continue;
    const absl::StatusOr<Slowdown> stated =
        StatedSlowdown(*target, unit, wide->second.precision, narrow->second.precision);
    if (!Succeeded("narrower", unit.name, stated.status())) continue;
    const std::string cause =
        stated->figure.empty() ? "" : absl::StrCat(", ", stated->factor, " times as slow in ", stated->figure);
    AtMost("narrower", absl::StrCat(pair.narrow, " on ", unit.name, ", against ", pair.wide, of, cause),
           faster.latency_s, slower.latency_s * stated->factor);
  }
}

}  // namespace

absl::StatusOr<std::vector<Violation>> CheckSanity(const std::shared_ptr<const Graph>& graph, const BindRequest& bind,
                                                   const Target& target, Changes changes) {
  return Checker(graph, bind, target).Run(changes);
}

std::string TextOf(const Violation& violation) {
  return absl::StrCat(violation.law, ": ", violation.what, ": ", violation.found, ", at most ", violation.bound);
}

absl::StatusOr<Target> TargetInMode(const std::string& name, const std::string& mode) {
  HWEST_ASSIGN_OR_RETURN(Target target, LoadTarget(name));
  HWEST_ASSIGN_OR_RETURN(target, ApplyMode(target, mode));
  target.modes.clear();
  target.default_mode.reset();
  return target;
}

}  // namespace hwest::test

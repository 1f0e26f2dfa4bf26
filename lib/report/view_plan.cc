// Rows of the plan: units, groups, segments and the split by bound.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "cost/cost.h"
#include "cost/precision.h"
#include "cost/slow_kernels.h"
#include "fuse/patterns.h"
#include "plan/liveness.h"
#include "report/getters.h"
#include "report/view_parts.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr size_t kNumBounds = static_cast<size_t>(Bound::kBalanced) + 1;

bool AnyWithoutTime(const Plan& plan, const std::vector<GroupId>& groups) {
  return std::any_of(groups.begin(), groups.end(),
                     [&](GroupId id) { return !plan.groups[id.index()].estimate.has_value(); });
}

// Whether a group on the unit has no time.
bool IsIncomplete(const Plan& plan, UnitId unit) {
  return std::any_of(plan.groups.begin(), plan.groups.end(),
                     [&](const PlannedGroup& group) { return group.unit == unit && !group.estimate.has_value(); });
}

void FillUnits(const Analysis& analysis, View* view) {
  const Target& target = *analysis.target;
  for (const Memory& memory : target.memories) view->memories.push_back(memory.name);
  const std::vector<std::string>& only = analysis.request.only;
  for (size_t i = 0; i < target.units.size(); ++i) {
    const Unit& unit = target.units[UnitId(i)];
    UnitRow row;
    row.name = unit.name;
    row.kind = unit.kind;
    row.toolchain = NonEmpty(unit.toolchain);
    row.grade = GradeOf(unit);
    row.is_cpu = IsCpu(unit);
    row.placeable = unit.placeable;
    const Toolchain* toolchain = ToolchainOf(target, unit);
    row.prefix_only = toolchain != nullptr && toolchain->prefix_only;
    row.left_out = !only.empty() && std::find(only.begin(), only.end(), unit.name) == only.end();
    if (analysis.plan.has_value() && i < analysis.plan->units.size()) {
      const UnitTotals& totals = analysis.plan->units[UnitId(i)];
      row.groups = totals.groups;
      row.busy_s = totals.busy_s;
      row.energy_j = KnownEnergy(totals.energy_j, totals.busy_s);
      row.macs = totals.macs;
      row.incomplete = IsIncomplete(*analysis.plan, UnitId(i));
      if (row.incomplete) row.energy_j.reset();
    }
    view->units.push_back(std::move(row));
  }
}

void FillToolchains(const Analysis& analysis, View* view) {
  for (const ToolchainStats& stats : analysis.toolchain_stats) {
    ToolchainRow row{.stats = stats};
    for (const Toolchain& toolchain : analysis.target->toolchains) {
      if (toolchain.name == stats.toolchain) row.sources = toolchain.sources;
    }
    view->toolchains.push_back(std::move(row));
  }
}

bool AnyCounted(const Analysis& analysis, const Group& group) {
  for (const NodeId node : group.nodes) {
    if (analysis.counts[node].macs.has_value()) return true;
  }
  return false;
}

// Whether at least one node of the group is counted.
bool IsCounted(const Analysis& analysis, const PlannedGroup& planned) {
  const bool is_known = planned.work.counts_known && !planned.work.has_opaque;
  return is_known || AnyCounted(analysis, planned.group);
}

// No profile tells apart groups that were measured together.
MeasuredFigures FiguresOf(const MeasuredSet& set) {
  MeasuredFigures figures;
  if (set.groups.size() == 1) figures.time_s = set.time_s;
  if (set.predicted_s.has_value()) figures.ratio = getters::RatioOf(set.time_s, *set.predicted_s);
  return figures;
}

// "PRelu takes 9 cycles of a core an element in onnxruntime-cpu, most of its kernel's time: .. (derived: ort-timed)"
std::string SlowWords(const Analysis& analysis, NodeId node, const SlowKernel& row, absl::string_view toolchain) {
  const std::optional<Work>& work = analysis.work[node];
  const bool has_windows = work.has_value() && !work->contractions.empty();
  const double cycles = row.cycles.value_or(0);
  std::string words = absl::StrCat(
      GraphAsRead(analysis).op(node), " takes ", cycles, cycles == 1 ? " cycle" : " cycles", " of a core an element ",
      has_windows ? "of its windows " : "", "in ", toolchain, ", most of its kernel's time");
  if (!row.cycles.note.empty()) absl::StrAppend(&words, ": ", row.cycles.note);
  return absl::StrCat(words, " (", TrustName(row.cycles.trust), ": ", row.cycles.source, ")");
}

// Where kernels that the runtime has no fast code for take half of the time and more.
void AddSlowWords(const Analysis& analysis, const PlannedGroup& planned, Estimate* estimate) {
  const double slow_s = estimate->slow_share * estimate->compute_s;
  if (slow_s <= 0 || slow_s < estimate->time_s / 2) return;
  const Toolchain* toolchain = ToolchainOf(*analysis.target, analysis.target->units[planned.unit]);
  if (toolchain == nullptr) return;
  DimPool dims(analysis.dims.get());  // threads may share the analysis
  const LimitContext context{GraphAsRead(analysis), analysis.facts, analysis.classes, &dims,
                             planned.work.precision.act};
  for (const NodeId node : planned.group.nodes) {
    const SlowKernel* row = SlowKernelOf(context, planned.group, node, toolchain->slow);
    if (row == nullptr) continue;
    std::string words = SlowWords(analysis, node, *row, toolchain->name);
    if (!absl::c_linear_search(estimate->assumptions, words)) estimate->assumptions.push_back(std::move(words));
  }
}

GroupRow GroupRowOf(const Analysis& analysis, GroupId id, const PlannedGroup& planned) {
  const GroupWork& work = planned.work;
  GroupRow row;
  row.id = id;
  row.pattern = std::string(planned.group.pattern);
  if (planned.group.fusion != nullptr) row.fusion = std::string(planned.group.fusion->words);
  row.root = RootOf(planned);
  row.label = analysis.graph->Label(row.root);
  row.nodes = planned.group.nodes;
  row.unit = planned.unit;
  row.segment = planned.segment;
  if (work.precision.act != Num::kUnset) row.precision = PrecisionName(work.precision);
  if (IsCounted(analysis, planned)) {
    row.macs = work.macs;
    row.int_macs = work.int_macs;
    row.flops = work.flops;
    row.in_bytes = work.in_bytes;
    row.weight_bytes = work.weight_bytes;
    row.out_bytes = work.out_bytes;
  }
  row.saved_bytes = planned.saved_bytes;
  row.saved_launches = planned.saved_launches;
  if (planned.unit.valid()) row.start_s = planned.start_s;
  row.estimate = planned.estimate;
  if (row.estimate.has_value()) AddSlowWords(analysis, planned, &*row.estimate);
  if (row.estimate.has_value() && KnownEnergy(row.estimate->energy.total(), row.estimate->time_s).has_value()) {
    row.energy = row.estimate->energy;
    const double factor = EnergyIntervalFactor(row.estimate->high_s / row.estimate->time_s);
    row.energy_low_j = row.energy->total() / factor;
    row.energy_high_j = row.energy->total() * factor;
  }
  if (row.unit.valid()) row.grade = GradeOf(analysis.target->units[row.unit]);
  const MeasuredFigures measured = MeasuredOf(analysis, id);
  row.measured_s = measured.time_s;
  row.measured_ratio = measured.ratio;
  return row;
}

// A segment has the relative interval of its groups.
void SetInterval(const Analysis& analysis, SegmentRow* row) {
  double time_s = 0, low_s = 0, high_s = 0;
  for (const GroupId group : row->groups) {
    const std::optional<Estimate>& estimate = analysis.plan->groups[group.index()].estimate;
    if (!estimate.has_value()) continue;
    time_s += estimate->time_s;
    low_s += estimate->low_s;
    high_s += estimate->high_s;
  }
  const double low = time_s > 0 ? low_s / time_s : 1, high = time_s > 0 ? high_s / time_s : 1;
  row->low_s = row->time_s * low;
  row->high_s = row->time_s * high;
  if (!row->energy_j.has_value()) return;
  const double factor = EnergyIntervalFactor(high);
  row->energy_low_j = *row->energy_j / factor;
  row->energy_high_j = *row->energy_j * factor;
}

SegmentRow SegmentRowOf(const Analysis& analysis, SegmentId id, const Segment& segment) {
  SegmentRow row;
  row.id = id;
  row.unit = segment.unit;
  row.groups = segment.groups;
  row.in_bytes = segment.in_bytes;
  row.out_bytes = segment.out_bytes;
  row.transfer_s = segment.transfer_s;
  row.invoke_s = segment.invoke_s;
  row.start_s = segment.start_s;
  row.time_s = segment.time_s;
  row.incomplete = AnyWithoutTime(*analysis.plan, segment.groups);
  if (!row.incomplete) row.energy_j = KnownEnergy(segment.energy_j, segment.time_s);
  row.grade = GradeOf(analysis.target->units[segment.unit]);
  SetInterval(analysis, &row);
  row.reason = segment.reason;
  if (segment.contexts > 0) {
    row.contexts = segment.contexts;
    row.interval_s = segment.interval_s;
    row.reloaded_bytes = segment.reloaded_bytes;
  }
  return row;
}

// The time that filling a pipeline and loading its contexts adds to its groups.
double PipelineSeconds(const Plan& plan, const Segment& segment) {
  return segment.contexts > 0 ? segment.time_s - GroupSeconds(plan, segment.groups) : 0;
}

// Computed when a table of groups first needs it, in any thread.
std::function<int64_t(GroupId)> LiveBytesIn(const Analysis& analysis) {
  struct Live {
    std::once_flag once;
    std::vector<int64_t> bytes;
  };
  return [&analysis, live = std::make_shared<Live>()](GroupId id) {
    std::call_once(live->once,
                   [&] { live->bytes = LiveBytesOf(analysis.plan->lifetimes, analysis.plan->groups.size()); });
    return live->bytes[id.index()];
  };
}

void FillRoofs(const Analysis& analysis, View* view) {
  std::map<std::pair<UnitId, std::string>, Precision> seen;
  for (const PlannedGroup& group : analysis.plan->groups) {
    const Precision precision = group.work.precision;
    if (!group.unit.valid() || !group.estimate.has_value() || precision.act == Num::kUnset) continue;
    seen.emplace(std::make_pair(group.unit, PrecisionName(precision)), precision);
  }
  for (const auto& [key, precision] : seen) {
    const Unit& unit = analysis.target->units[key.first];
    RoofRow row{.unit = key.first, .precision = key.second};
    const Rate* rate = RateFor(unit, WorkKind::kContraction, precision);  // the one that estimates use
    if (rate != nullptr) row.flops_per_s = PeakPerS(unit, *rate);
    if (row.flops_per_s) *row.flops_per_s *= 2;  // a multiply-accumulate is two
    row.bytes_per_s = getters::SharedBytesPerS(*analysis.target, unit);
    view->roofs.push_back(std::move(row));
  }
}

}  // namespace

int64_t MovedBytes(const Analysis& analysis, const PlannedGroup& planned) {
  const GroupWork& work = planned.work;
  return IsCounted(analysis, planned) ? work.in_bytes + work.weight_bytes + work.out_bytes : 0;
}

double GroupSeconds(const Plan& plan, absl::Span<const GroupId> groups) {
  double seconds = 0;
  for (const GroupId group : groups) {
    const std::optional<Estimate>& estimate = plan.groups[group.index()].estimate;
    if (estimate.has_value()) seconds += estimate->time_s;
  }
  return seconds;
}

NodeId RootOf(const PlannedGroup& planned) {
  return planned.group.root.valid() ? planned.group.root : planned.group.nodes.back();
}

MeasuredFigures MeasuredOf(const Analysis& analysis, GroupId group) {
  if (analysis.measured == nullptr) return {};
  const std::optional<uint32_t>& set = analysis.measured->set_of[group];
  return set.has_value() ? FiguresOf(analysis.measured->sets[*set]) : MeasuredFigures();
}

// Groups count under their own bound; moving data between segments is transfer, starting a segment is overhead.
std::vector<BoundRow> BoundsOf(const Analysis& analysis) {
  std::vector<BoundRow> rows(kNumBounds);
  for (size_t i = 0; i < kNumBounds; ++i) rows[i].bound = static_cast<Bound>(i);
  for (const PlannedGroup& group : analysis.plan->groups) {
    if (!group.estimate.has_value()) continue;
    BoundRow& row = rows[static_cast<size_t>(group.estimate->bound)];
    row.time_s += group.estimate->time_s;
    if (IsCounted(analysis, group)) row.flops += group.work.flops;
    row.bytes += MovedBytes(analysis, group);
    ++row.groups;
  }
  for (const Segment& segment : analysis.plan->segments) {
    rows[static_cast<size_t>(Bound::kTransfer)].time_s += segment.transfer_s;
    rows[static_cast<size_t>(Bound::kOverhead)].time_s += segment.invoke_s + PipelineSeconds(*analysis.plan, segment);
  }
  return rows;
}

std::vector<Lifetime> LargestLifetimes(const View& view, GroupId at) {
  std::vector<Lifetime> largest;
  for (const Lifetime& row : view.lifetimes) {
    const bool is_alive = !at.valid() || (row.first <= at && at <= row.last);
    if (row.bytes.value_or(0) > 0 && is_alive) largest.push_back(row);
  }
  absl::c_stable_sort(largest, [](const Lifetime& a, const Lifetime& b) { return *a.bytes > *b.bytes; });
  return largest;
}

bool IsPipelined(const View& view, const GroupRow& group) {
  return group.segment.valid() && view.segments[group.segment.index()].IsPipeline();
}

double ShareOfPipeline(const View& view, const SegmentRow& segment) {
  if (!segment.IsPipeline()) return 1;
  double sum_s = 0;
  for (const GroupId id : segment.groups) {
    const std::optional<Estimate> estimate = view.groups[id.index()].estimate;
    if (estimate.has_value()) sum_s += estimate->time_s;
  }
  return sum_s > 0 ? segment.time_s / sum_s : 1;
}

std::vector<MemoryStep> MemorySteps(const View& view) {
  std::vector<double> ends(view.groups.size(), 0);
  for (const SegmentRow& segment : view.segments) {
    const double scale = ShareOfPipeline(view, segment);
    double sum_s = 0;
    for (const GroupId id : segment.groups) {
      const std::optional<Estimate> estimate = view.groups[id.index()].estimate;
      if (estimate.has_value()) sum_s += estimate->time_s;
      ends[id.index()] = segment.BeginSeconds() + scale * sum_s;
    }
  }
  std::vector<MemoryStep> steps;
  double now_s = 0;
  for (const GroupRow& group : view.groups) {
    if (!group.start_s.has_value()) continue;
    const double start_s = now_s;
    now_s = std::max(start_s, ends[group.id.index()]);
    steps.push_back({group.id, start_s, now_s, view.live_bytes(group.id)});
  }
  return steps;
}

void FillPlan(const Analysis& analysis, View* view) {
  if (analysis.target != nullptr) FillUnits(analysis, view);
  if (analysis.target != nullptr) FillToolchains(analysis, view);
  if (!analysis.plan.has_value()) return;
  const Plan& plan = *analysis.plan;
  view->groups = {plan.groups.size(),
                  [&analysis, &plan](size_t i) { return GroupRowOf(analysis, GroupId(i), plan.groups[i]); }};
  view->live_bytes = LiveBytesIn(analysis);
  view->measured = analysis.measured.get();
  view->lifetimes = plan.lifetimes;
  FillRoofs(analysis, view);
  for (size_t i = 0; i < plan.segments.size(); ++i) {
    view->segments.push_back(SegmentRowOf(analysis, SegmentId(i), plan.segments[i]));
  }
  view->bounds = BoundsOf(analysis);
  view->search = {plan.search.atoms, plan.search.states, plan.search.live, plan.search.exact, plan.gap};
}

}  // namespace hwest

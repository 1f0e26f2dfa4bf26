// Rows about a plan: groups, segments, units, timeline, memory, bounds, support.
#include <optional>
#include <string>

#include "plan/liveness.h"
#include "rows.h"

namespace hwest::capi {
namespace {

static_assert(static_cast<int>(Bound::kCompute) + 1 == HWEST_BOUND_COMPUTE &&
              static_cast<int>(Bound::kBalanced) + 1 == HWEST_BOUND_BALANCED);
static_assert(static_cast<int>(Verdict::kYes) == HWEST_VERDICT_YES &&
              static_cast<int>(Verdict::kNoted) == HWEST_VERDICT_NOTED);
static_assert(static_cast<int>(UnitKind::kSimtGpu) == HWEST_UNIT_SIMT_GPU &&
              static_cast<int>(UnitKind::kSimdCpu) == HWEST_UNIT_SIMD_CPU);

template <class From, class T>
std::optional<T> Of(const std::optional<From>& from, T From::*figure) {
  return from.has_value() ? std::optional<T>(*from.*figure) : std::nullopt;
}

std::vector<const char*> UnitNames(const View& view, Texts* texts) {
  std::vector<const char*> names;
  for (const UnitRow& unit : view.units) names.push_back(texts->Keep(unit.name));
  return names;
}

std::optional<double> EndOf(const GroupRow& row) {
  if (!row.start_s.has_value() || !row.estimate.has_value()) return std::nullopt;
  return *row.start_s + row.estimate->time_s;
}

hwest_group GroupRowOf(const GroupRow& row, const Group& group, int64_t live_bytes,
                       const std::vector<const char*>& units, Texts* texts) {
  const std::optional<double> energy_j =
      row.energy.has_value() ? std::optional<double>(row.energy->total()) : std::nullopt;
  return {
      .struct_size = sizeof(hwest_group),
      .bound = row.estimate.has_value() ? static_cast<int32_t>(row.estimate->bound) + 1 : HWEST_BOUND_UNKNOWN,
      .id = static_cast<int64_t>(row.id.index()),
      .pattern = texts->Keep(row.pattern),
      .name = texts->Keep(row.label),
      .unit = row.unit.valid() ? units[row.unit.index()] : nullptr,
      .precision = texts->KeepKnown(row.precision),
      .nodes = IdsOf(group.nodes),
      .node_count = group.nodes.size(),
      .segment = row.segment.valid() ? static_cast<int64_t>(row.segment.index()) : -1,
      .macs = OrUnknown(row.macs),
      .int_macs = OrUnknown(row.int_macs),
      .flops = OrUnknown(row.flops),
      .in_bytes = OrUnknown(row.in_bytes),
      .weight_bytes = OrUnknown(row.weight_bytes),
      .out_bytes = OrUnknown(row.out_bytes),
      .saved_bytes = row.saved_bytes,
      .saved_launches = row.saved_launches,
      .start_s = OrUnknown(row.start_s),
      .compute_s = OrUnknown(Of(row.estimate, &Estimate::compute_s)),
      .memory_s = OrUnknown(Of(row.estimate, &Estimate::memory_s)),
      .overhead_s = OrUnknown(Of(row.estimate, &Estimate::overhead_s)),
      .time_s = OrUnknown(Of(row.estimate, &Estimate::time_s)),
      .low_s = OrUnknown(Of(row.estimate, &Estimate::low_s)),
      .high_s = OrUnknown(Of(row.estimate, &Estimate::high_s)),
      .energy_j = OrUnknown(energy_j),
      .utilisation = OrUnknown(Of(row.estimate, &Estimate::utilisation)),
      .end_s = OrUnknown(EndOf(row)),
      .dram_bytes = OrUnknown(Of(row.estimate, &Estimate::dram_bytes)),
      .live_bytes = live_bytes,
      .compute_j = OrUnknown(Of(row.energy, &EnergyParts::compute_j)),
      .onchip_j = OrUnknown(Of(row.energy, &EnergyParts::onchip_j)),
      .dram_j = OrUnknown(Of(row.energy, &EnergyParts::dram_j)),
      .static_j = OrUnknown(Of(row.energy, &EnergyParts::static_j)),
      .assumptions =
          texts->KeepList(row.estimate.has_value() ? row.estimate->assumptions : std::vector<std::string>()),
  };
}

// Intervals of one segment, appended unless they have no length.
class Timeline {
 public:
  Timeline(const char* unit, int64_t segment, double start_s, std::vector<hwest_event>* events)
      : unit_(unit), segment_(segment), now_(start_s), events_(*events) {}

  void Add(int32_t kind, int64_t group, double seconds) {
    if (!(seconds > 0)) return;
    events_.push_back({.struct_size = sizeof(hwest_event),
                       .kind = kind,
                       .unit = unit_,
                       .segment = segment_,
                       .group = group,
                       .start_s = now_,
                       .end_s = now_ + seconds});
    now_ += seconds;
  }

 private:
  const char* unit_;
  int64_t segment_;
  double now_;
  std::vector<hwest_event>& events_;
};

void AddEvents(const Analysis& analysis, const Segment& segment, Timeline timeline) {
  timeline.Add(HWEST_EVENT_TRANSFER, -1, segment.transfer_s);
  timeline.Add(HWEST_EVENT_INVOKE, -1, segment.invoke_s);
  if (segment.contexts > 0) {
    timeline.Add(HWEST_EVENT_PIPELINE, -1, segment.time_s);
    return;
  }
  for (const GroupId id : segment.groups) {
    const std::optional<Estimate>& estimate = analysis.plan->groups[id.index()].estimate;
    if (estimate.has_value()) timeline.Add(HWEST_EVENT_GROUP, id.index(), estimate->time_s);
  }
}

uint32_t FlagsOf(const UnitRow& unit) {
  return BitIf(unit.is_cpu, HWEST_UNIT_IS_CPU) | BitIf(unit.placeable, HWEST_UNIT_IS_PLACEABLE) |
         BitIf(unit.left_out, HWEST_UNIT_IS_LEFT_OUT) | BitIf(unit.prefix_only, HWEST_UNIT_IS_PREFIX_ONLY);
}

}  // namespace

void FillGroups(const Analysis& analysis, const View& view, Table<hwest_group>* table) {
  const std::vector<const char*> units = UnitNames(view, &table->texts);
  if (!analysis.plan.has_value()) return;
  const std::vector<int64_t> live = LiveBytesOf(analysis.plan->lifetimes, view.groups.size());
  table->rows.reserve(view.groups.size());
  for (const GroupRow& row : view.groups) {
    const size_t i = row.id.index();
    table->rows.push_back(GroupRowOf(row, analysis.plan->groups[i].group, live[i], units, &table->texts));
  }
}

void FillSegments(const Analysis& analysis, const View& view, Table<hwest_segment>* table) {
  const std::vector<const char*> units = UnitNames(view, &table->texts);
  for (const SegmentRow& row : view.segments) {
    table->rows.push_back({
        .struct_size = sizeof(hwest_segment),
        .contexts = static_cast<int32_t>(row.contexts.value_or(0)),
        .id = static_cast<int64_t>(row.id.index()),
        .unit = units[row.unit.index()],
        .reason = table->texts.Keep(row.reason),
        .groups = IdsOf(analysis.plan->segments[row.id.index()].groups),
        .group_count = row.groups.size(),
        .in_bytes = row.in_bytes,
        .out_bytes = row.out_bytes,
        .start_s = row.start_s,
        .transfer_s = row.transfer_s,
        .invoke_s = row.invoke_s,
        .time_s = OrUnknown(row.WholeSeconds()),
        .energy_j = OrUnknown(row.energy_j),
        .interval_s = OrUnknown(row.interval_s),
        .reloaded_bytes = OrUnknown(row.reloaded_bytes),
    });
  }
}

void FillUnits(const Analysis& analysis, const View& view, Table<hwest_unit>* table) {
  Texts& texts = table->texts;
  for (size_t u = 0; u < view.units.size(); ++u) {
    const UnitRow& row = view.units[u];
    table->rows.push_back({
        .struct_size = sizeof(hwest_unit),
        .kind = static_cast<int32_t>(analysis.target->units[UnitId(u)].kind),
        .name = texts.Keep(row.name),
        .toolchain = texts.KeepKnown(row.toolchain),
        .flags = FlagsOf(row),
        .reserved = 0,
        .groups = row.groups,
        .macs = row.macs,
        .busy_s = OrUnknown(row.WholeSeconds()),
        .energy_j = OrUnknown(row.energy_j),
    });
  }
}

void FillEvents(const Analysis& analysis, const View& view, Table<hwest_event>* table) {
  if (!analysis.plan.has_value()) return;
  const std::vector<const char*> units = UnitNames(view, &table->texts);
  const std::vector<Segment>& segments = analysis.plan->segments;
  for (size_t s = 0; s < segments.size(); ++s) {
    const char* unit = units[segments[s].unit.index()];
    AddEvents(analysis, segments[s], Timeline(unit, static_cast<int64_t>(s), segments[s].start_s, &table->rows));
  }
}

void FillLifetimes(const Analysis& analysis, const View&, Table<hwest_lifetime>* table) {
  if (!analysis.plan.has_value()) return;
  for (const Lifetime& life : analysis.plan->lifetimes) {
    table->rows.push_back({
        .struct_size = sizeof(hwest_lifetime),
        .reserved = 0,
        .value = static_cast<int64_t>(life.value.index()),
        .name = table->texts.Keep(analysis.graph->name(life.value)),
        .bytes = OrUnknown(life.bytes),
        .first_group = static_cast<int64_t>(life.first.index()),
        .last_group = static_cast<int64_t>(life.last.index()),
    });
  }
}

void FillBounds(const Analysis&, const View& view, Table<hwest_bound_total>* table) {
  for (const BoundRow& row : view.bounds) {
    table->rows.push_back({
        .struct_size = sizeof(hwest_bound_total),
        .bound = static_cast<int32_t>(row.bound) + 1,
        .time_s = row.time_s,
        .flops = row.flops,
        .bytes = row.bytes,
        .groups = row.groups,
    });
  }
}

void FillSupport(const Analysis&, const View& view, Table<hwest_support>* table) {
  Texts& texts = table->texts;
  const std::vector<const char*> units = UnitNames(view, &texts);
  table->rows.reserve(view.support.size());
  for (const SupportRowView& row : view.support) {
    const Support& support = row.support;
    table->rows.push_back({
        .struct_size = sizeof(hwest_support),
        .verdict = static_cast<int32_t>(support.verdict),
        .node = static_cast<int64_t>(row.node.index()),
        .label = texts.Keep(row.label),
        .op = texts.Keep(row.op),
        .unit = units[row.unit.index()],
        .limit = texts.KeepNonEmpty(support.limit),
        .what = texts.KeepNonEmpty(support.what),
        .found = texts.KeepNonEmpty(support.found),
        .allowed = texts.KeepNonEmpty(support.allowed),
        .source = texts.KeepNonEmpty(support.source),
        .only_in_group = support.only_in_group ? 1 : 0,
        .reserved = 0,
    });
  }
}

}  // namespace hwest::capi

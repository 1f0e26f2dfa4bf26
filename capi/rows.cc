#include "rows.h"

#include <optional>

#include "plan/liveness.h"

namespace hwest::capi {
namespace {

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

void FillPorts(const View& view, const std::vector<ValueId>& ids, Table<hwest_value>* table) {
  std::vector<ValueRow> rows;
  for (const ValueId id : ids) {
    if (id.valid()) rows.push_back(view.values[id.index()]);
  }
  FillTable(rows, table);
}

}  // namespace

void FillTotals(const Analysis&, const View& view, Table<hwest_totals>* table) {
  table->rows.emplace_back();
  FillRow(view.summary, view, &table->texts, &table->rows.back());
}

void FillGroups(const Analysis&, const View& view, Table<hwest_group>* table) { FillTable(view.groups, table, view); }

// Their arrays of groups are those of the view.
void FillSegments(const Analysis&, const View& view, Table<hwest_segment>* table) {
  FillTable(view.segments, table, view);
}

void FillUnits(const Analysis&, const View& view, Table<hwest_unit>* table) { FillTable(view.units, table); }

void FillEvents(const Analysis& analysis, const View& view, Table<hwest_event>* table) {
  if (!analysis.plan.has_value()) return;
  std::vector<const char*> units;
  for (const UnitRow& unit : view.units) units.push_back(table->texts.KeepText(unit.name));
  const std::vector<Segment>& segments = analysis.plan->segments;
  for (size_t s = 0; s < segments.size(); ++s) {
    const char* unit = units[segments[s].unit.index()];
    AddEvents(analysis, segments[s], Timeline(unit, static_cast<int64_t>(s), segments[s].start_s, &table->rows));
  }
}

void FillLifetimes(const Analysis& analysis, const View&, Table<hwest_lifetime>* table) {
  if (analysis.plan.has_value()) FillTable(analysis.plan->lifetimes, table, *analysis.graph);
}

void FillBounds(const Analysis&, const View& view, Table<hwest_bound_total>* table) {
  FillTable(view.bounds, table, view);
}

void FillSupport(const Analysis&, const View& view, Table<hwest_support>* table) {
  FillTable(view.support, table, view);
}

void FillNodes(const Analysis&, const View& view, Table<hwest_node>* table) { FillTable(view.nodes, table, view); }

void FillValues(const Analysis&, const View& view, Table<hwest_value>* table) { FillTable(view.values, table); }

void FillInputs(const Analysis& analysis, const View& view, Table<hwest_value>* table) {
  FillPorts(view, analysis.graph->main().inputs, table);
}

void FillOutputs(const Analysis& analysis, const View& view, Table<hwest_value>* table) {
  FillPorts(view, analysis.graph->main().outputs, table);
}

void FillSymbols(const Analysis&, const View& view, Table<hwest_symbol>* table) { FillTable(view.symbols, table); }

void FillMeasured(const Analysis&, const View& view, Table<hwest_measured_entry>* table) {
  if (view.measured != nullptr) FillTable(view.measured->entries, table, view);
}

void FillModules(const Analysis&, const View& view, Table<hwest_module>* table) { FillTable(view.modules, table); }

}  // namespace hwest::capi

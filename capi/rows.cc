#include "rows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/load.h"
#include "app/analyze.h"
#include "plan/liveness.h"
#include "report/view_parts.h"

namespace hwest::capi {
namespace {

// Appends the intervals of one segment, except empty ones.
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

// A value with the file's type, or with `type` where that says more.
ValueRow DeclaredRow(const Graph& graph, ValueId id, const Type& type, const DimPool& dims) {
  ValueRow row;
  row.id = id;
  row.name = std::string(graph.name(id));
  row.kind = type.kind;
  row.dtype = DtypeOf(type);
  row.shape = ShapeTextOf(dims, type.shape);
  SetPlace(graph.value(id), &row);
  return row;
}

hwest_accuracy AccuracyOf(const Summary& summary) {
  hwest_accuracy row = {};
  row.struct_size = sizeof row;
  row.points = static_cast<int64_t>(summary.n);
  row.families = static_cast<int64_t>(summary.families);
  row.median = OrUnknown(summary.median);
  row.p90 = OrUnknown(summary.p90);
  row.bias = OrUnknown(summary.bias);
  row.coverage80 = OrUnknown(summary.coverage80);
  row.noise = OrUnknown(summary.noise);
  row.roofline_median = OrUnknown(summary.roofline_median);
  row.flops_median = OrUnknown(summary.flops_median);
  return row;
}

}  // namespace

std::vector<ValueRow> InputsAsDeclared(const Graph& graph) {
  std::vector<ValueRow> rows;
  const absl::StatusOr<ModelInputs> inputs = InputsOf(graph);
  if (!inputs.ok()) return rows;
  for (size_t i = 0; i < inputs->types.size(); ++i) {
    rows.push_back(DeclaredRow(graph, graph.main().inputs[i], inputs->types[i], *inputs->dims));
  }
  return rows;
}

std::vector<ValueRow> OutputsAsDeclared(const Graph& graph) {
  const Type unknown;
  std::vector<ValueRow> rows;
  for (const ValueId id : graph.main().outputs) {
    if (!id.valid()) continue;
    const Type* declared = graph.declared(id);
    rows.push_back(DeclaredRow(graph, id, declared == nullptr ? unknown : *declared, graph.dims()));
  }
  return rows;
}

std::vector<SymbolRow> FreeSymbols(const Graph& graph) {
  std::vector<SymbolRow> rows;
  const absl::StatusOr<ModelInputs> inputs = InputsOf(graph);
  if (!inputs.ok()) return rows;
  for (const SymbolId id : inputs->symbols) {
    const Symbol& symbol = inputs->dims->symbol(id);
    rows.push_back({.name = symbol.name,
                    .text = symbol.text.empty() ? symbol.name : symbol.text,
                    .min = symbol.min,
                    .max = symbol.max.has_value() ? Count(*symbol.max) : Count()});
  }
  return rows;
}

std::vector<ValueRow> ValuesOf(const View& view, const std::vector<ValueId>& ids) {
  std::vector<ValueRow> rows;
  for (const ValueId id : ids) {
    if (id.valid()) rows.push_back(view.values[id.index()]);
  }
  return rows;
}

std::vector<Diagnostic> DiagnosticsOf(const Analysis& analysis) {
  std::vector<Diagnostic> all = analysis.diagnostics;
  const std::vector<Diagnostic> notes = app::NotesOnRewrites(analysis);
  all.insert(all.end(), notes.begin(), notes.end());
  return all;
}

absl::Span<const MeasuredEntry> MeasuredEntriesOf(const View& view) {
  if (view.measured == nullptr) return {};
  return view.measured->entries;
}

std::vector<TrafficRow> TrafficRowsOf(const View& view) {
  std::vector<TrafficRow> rows;
  for (const GroupRow& group : view.groups) {
    if (!group.estimate.has_value()) continue;
    for (const MemoryTraffic& traffic : group.estimate->traffic) rows.push_back({group.id, traffic});
  }
  return rows;
}

absl::Span<const Lifetime> LifetimesOf(const Analysis& analysis) {
  if (!analysis.plan.has_value()) return {};
  return analysis.plan->lifetimes;
}

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

void FillUnits(const Target& stated, Table<hwest_target_unit>* table) {
  const absl::StatusOr<Target> in_mode = ApplyMode(stated, "");
  const Target& target = in_mode.ok() ? *in_mode : stated;
  FillTable(target.units, table, target);
}

void FillPools(const std::vector<Pool>& pools, Table<hwest_accuracy>* table) {
  Texts& texts = table->texts;
  for (const Pool& pool : pools) {
    hwest_accuracy row = AccuracyOf(pool.summary);
    row.family = texts.KeepText(NonEmpty(pool.family));
    row.unit = texts.KeepText(NonEmpty(pool.unit));
    row.runtime = texts.KeepText(NonEmpty(pool.runtime));
    row.precision = texts.KeepText(NonEmpty(pool.precision));
    row.metric = texts.KeepText(NonEmpty(pool.metric));
    row.devices = static_cast<int64_t>(pool.devices);
    row.fitted = static_cast<int64_t>(pool.fitted);
    row.spearman = OrUnknown(pool.least_spearman);
    table->rows.push_back(row);
  }
}

void FillDevices(const std::vector<ValidationRow>& devices, Table<hwest_accuracy>* table) {
  Texts& texts = table->texts;
  for (const ValidationRow& device : devices) {
    hwest_accuracy row = AccuracyOf(device.summary);
    row.target = texts.KeepText(NonEmpty(device.target));
    row.device = texts.KeepText(NonEmpty(device.device));
    row.unit = texts.KeepText(NonEmpty(device.unit));
    row.runtime = texts.KeepText(NonEmpty(device.runtime));
    row.mode = texts.KeepText(NonEmpty(device.mode));
    row.precision = texts.KeepText(NonEmpty(device.precision));
    row.metric = texts.KeepText(NonEmpty(device.metric));
    row.devices = -1;
    row.fitted = static_cast<int64_t>(device.fitted);
    row.spearman = OrUnknown(device.spearman);
    table->rows.push_back(row);
  }
}

}  // namespace hwest::capi

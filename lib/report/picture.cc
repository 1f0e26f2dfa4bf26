#include "report/picture.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/model_view.h"
#include "hwest/reading.h"
#include "report/chart.h"
#include "report/picture_boxes.h"
#include "report/picture_columns.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr size_t kMaxLabel = 36, kMaxName = 22;
constexpr uint32_t kNone = UINT32_MAX;
constexpr size_t kMostUnits = 4;

// The graph that the plan is for: compilers may make and read some values elsewhere.
const Graph& GraphAsRead(const View& view) { return view.reading != nullptr ? view.reading->graph : *view.graph; }

// The item that computes `value`: views in between are looked through. kNone for inputs and constants.
uint32_t SourceOf(const View& view, const std::vector<uint32_t>& item_of, ValueId value) {
  for (size_t steps = 0; value.valid() && steps <= view.nodes.size(); ++steps) {
    const NodeId written = view.graph->value(value).producer;
    if (!written.valid()) return kNone;
    if (item_of[written.index()] != kNone) return item_of[written.index()];
    const NodeId producer = GraphAsRead(view).value(value).producer;
    if (!producer.valid()) return kNone;
    if (item_of[producer.index()] != kNone) return item_of[producer.index()];
    if (view.nodes[producer.index()].node_class != NodeClass::kView) return kNone;
    const auto inputs = GraphAsRead(view).inputs(producer);
    value = inputs.empty() ? ValueId() : inputs[0];
  }
  return kNone;
}

// Values that a node reads: its inputs, as written and as read, and for a control node the results of its bodies.
std::vector<ValueId> ReadsOf(const View& view, NodeId node) {
  const Graph& graph = *view.graph;
  const auto inputs = graph.inputs(node);
  std::vector<ValueId> reads(inputs.begin(), inputs.end());
  if (view.reading != nullptr && view.reading->nodes.contains(node)) {
    const auto others = view.reading->graph.inputs(node);
    reads.insert(reads.end(), others.begin(), others.end());
  }
  for (const Attribute& attribute : graph.attributes(node)) {
    for (const GraphId body : attribute.graphs) {
      const std::vector<ValueId>& outputs = graph.body(body).outputs;
      reads.insert(reads.end(), outputs.begin(), outputs.end());
    }
  }
  return reads;
}

// By item: the values it reads, with the items that make them.
using Reads = std::vector<std::map<uint32_t, std::set<ValueId>>>;

Reads AllReads(const View& view, const std::vector<Item>& items) {
  std::vector<uint32_t> item_of(view.nodes.size(), kNone);
  for (size_t i = 0; i < items.size(); ++i) {
    for (const NodeId node : items[i].nodes) item_of[node.index()] = static_cast<uint32_t>(i);
  }
  Reads reads(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    for (const NodeId node : items[i].nodes) {
      for (const ValueId value : ReadsOf(view, node)) {
        const uint32_t source = SourceOf(view, item_of, value);
        if (source != kNone && source != i) reads[i][source].insert(value);
      }
    }
  }
  return reads;
}

std::vector<PictureEdge> EdgesOf(const View& view, const std::vector<Item>& items, const Grouping& grouping) {
  const Reads reads = AllReads(view, items);
  std::map<std::pair<uint32_t, uint32_t>, std::set<ValueId>> edges;
  const bool is_ordered = grouping.of == Grouping::Of::kItems;
  for (size_t i = 0; i < items.size(); ++i) {
    for (const auto& [source, values] : reads[i]) {
      const uint32_t from = grouping.box_of[source], to = grouping.box_of[i];
      // A repeated block's output to its next copy leads back to its beginning.
      if (from == to || (is_ordered && from > to)) continue;
      edges[{from, to}].insert(values.begin(), values.end());
    }
  }
  std::vector<PictureEdge> rows;
  for (const auto& [ends, values] : edges) {
    std::string label = ShapeToText(view.values[values.begin()->index()].shape);
    if (values.size() > 1 && grouping.repeats.empty()) absl::StrAppend(&label, " +", values.size() - 1);
    // Arrows between units run both ways, too close together to label with shapes.
    if (grouping.of == Grouping::Of::kUnits)
      label = absl::StrCat(values.size(), values.size() == 1 ? " value" : " values");
    rows.push_back({ends.first, ends.second, Shorten(label, kMaxLabel)});
  }
  return rows;
}

std::string UnitName(const View& view, UnitId unit) {
  return EscapeControl(unit.valid() ? absl::string_view(view.units[unit.index()].name) : "no unit");
}

std::string TimeText(std::optional<double> time_s) { return time_s ? FormatSeconds(*time_s) : "time unknown"; }

std::string OpsText(const View& view, const Item& item) {
  std::vector<std::string> ops;
  for (const NodeId node : item.nodes) {
    const NodeRow& row = view.nodes[node.index()];
    if (IsKernel(row.node_class)) ops.push_back(row.op);
  }
  if (ops.empty()) return view.nodes[item.root.index()].op;
  if (ops.size() <= 3) return absl::StrJoin(ops, "+");
  return absl::StrCat(item.group.valid() ? view.groups[item.group.index()].pattern : ops.front(), " (", ops.size(),
                      " ops)");
}

// The last whole components of a path that fit; they differ most between neighbours.
std::string EndOf(const std::string& path, size_t fits) {
  if (path.size() <= fits) return path;
  const size_t slash = path.find('/', path.size() - fits);
  return slash == std::string::npos ? Shorten(path, fits) : path.substr(slash + 1);
}

// The box of one group or node.
PictureBox OwnBox(const View& view, const Item& item, bool is_node) {
  PictureBox box{.segment = item.segment};
  box.tooltip = EscapeControl(view.nodes[item.root.index()].label);
  box.lines.push_back(Shorten(EscapeControl(OpsText(view, item)), kMaxLabel));
  if (is_node) box.lines.push_back(Shorten(box.tooltip, kMaxLabel));
  if (view.groups.empty()) {
    box.lines.push_back(WithUnit(item.macs.value_or(0), "MACs"));
  } else if (item.needs_no_kernel()) {
    box.lines.push_back(kNoKernelWords);
  } else if (is_node) {
    box.lines.push_back(absl::StrCat(UnitName(view, item.unit), item.time_s ? " " : "",
                                     item.time_s ? FormatSeconds(*item.time_s) : ""));
  } else {
    const std::string precision = view.groups[item.group.index()].precision.value_or("");
    box.lines.push_back(absl::StrCat("g", item.group.index(), " ", EndOf(box.tooltip, kMaxName)));
    box.lines.push_back(absl::StrCat(UnitName(view, item.unit), precision.empty() ? "" : " ", precision));
    box.lines.push_back(TimeText(item.time_s));
  }
  return box;
}

// The word (unit, bound, precision) that takes the most time.
template <class Word>
class Longest {
 public:
  void Add(const Word& word, double time_s) {
    const double total = times_[word] += time_s;
    if (times_.size() == 1 || total > most_) {
      most_ = total;
      word_ = word;
    }
  }
  const Word& word() const { return word_; }

 private:
  std::map<Word, double> times_;
  Word word_{};
  double most_ = 0;
};

template <class Number>
void AddTo(std::optional<Number>* total, const std::optional<Number>& part, bool is_first) {
  if (is_first) {
    *total = part;
  } else if (total->has_value()) {
    *total = part.has_value() ? std::optional<Number>(**total + *part) : std::nullopt;
  }
}

// The sums over the items of each box.
std::vector<BoxFigures> FiguresOf(const std::vector<Item>& items, const Grouping& grouping) {
  struct Sum {
    size_t items = 0, timed = 0;
    Longest<UnitId> unit;
    Longest<std::optional<Bound>> bound;
    Longest<std::string> precision;
  };
  std::vector<BoxFigures> boxes(grouping.boxes);
  std::vector<Sum> sums(grouping.boxes);
  for (size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    BoxFigures& box = boxes[grouping.box_of[i]];
    Sum& sum = sums[grouping.box_of[i]];
    if (!item.needs_no_kernel()) {
      const double time_s = item.time_s.value_or(0);
      sum.unit.Add(item.unit, time_s);
      sum.bound.Add(item.bound, time_s);
      sum.precision.Add(item.precision, time_s);
      box.has_kernel = true;
    }
    const bool is_first = sum.items++ == 0;
    if (!item.is_free) {
      const bool is_first_timed = sum.timed++ == 0;
      AddTo(&box.time_s, item.time_s, is_first_timed);
      AddTo(&box.energy_j, item.energy_j, is_first_timed);
      if (item.time_s.has_value() && item.measured_ratio.has_value()) {
        box.measured_s += *item.measured_ratio * *item.time_s;
        box.measured_of_s += *item.time_s;
      }
    }
    AddTo(&box.flops, item.flops, is_first);
    AddTo(&box.bytes, item.bytes, is_first);
    box.unit = sum.unit.word();
    box.bound = sum.bound.word();
    box.precision = sum.precision.word();
  }
  return boxes;
}

// The boxes that take a large part of the latency.
std::vector<size_t> Bottlenecks(const std::vector<BoxFigures>& boxes, double latency_s) {
  constexpr double kMuch = 0.05;
  constexpr int64_t kMost = 5;
  std::vector<double> times;
  for (const BoxFigures& box : boxes) times.push_back(box.time_s.value_or(0));
  std::vector<size_t> rows = latency_s > 0 && boxes.size() > 1 ? CostliestRows(times, kMost) : std::vector<size_t>();
  rows.erase(std::remove_if(rows.begin(), rows.end(), [&](size_t row) { return times[row] < kMuch * latency_s; }),
             rows.end());
  return rows;
}

// The time of a box's items on one unit.
struct UnitShare {
  UnitId unit;
  size_t items = 0;
  double time_s = 0;
  bool known = true;
};

struct BoxTotals {
  size_t items = 0;
  int64_t macs = 0;
  SegmentId segment;
  std::vector<UnitShare> units;  // the one that takes longest first

  void Add(const Item& item) {
    ++items;
    macs += item.macs.value_or(0);
    segment = item.segment;
    if (item.needs_no_kernel()) return;
    auto share = std::find_if(units.begin(), units.end(), [&](const UnitShare& row) { return row.unit == item.unit; });
    if (share == units.end()) share = units.insert(units.end(), {.unit = item.unit});
    ++share->items;
    share->time_s += item.time_s.value_or(0);
    share->known = share->known && (item.is_free || item.time_s.has_value());
  }
};

std::string ShareText(const View& view, const UnitShare& share) {
  const std::string unit = UnitName(view, share.unit);
  const bool is_unknown = !share.known && share.time_s <= 0;
  return absl::StrCat(unit, " ",
                      is_unknown ? "time unknown" : AtLeast(FormatSeconds(share.time_s), share.time_s, !share.known));
}

// The segment's time, which on pipelined units covers all groups together, and its overheads.
void AddSegmentLines(const SegmentRow& segment, std::vector<std::string>* lines) {
  lines->push_back(AtLeast(FormatSeconds(segment.time_s), segment.time_s, segment.incomplete));
  std::vector<std::string> parts;
  if (segment.transfer_s > 0) {
    parts.push_back(absl::StrCat(FormatBytes(static_cast<double>(segment.in_bytes)), " in, transfer ",
                                 FormatSeconds(segment.transfer_s)));
  }
  if (segment.invoke_s > 0) parts.push_back(absl::StrCat("invoke ", FormatSeconds(segment.invoke_s)));
  if (!parts.empty()) lines->push_back(absl::StrJoin(parts, ", "));
}

// The box of several groups or nodes.
PictureBox SharedBox(const View& view, const Grouping& grouping, size_t index, const BoxTotals& totals, bool of_nodes) {
  const std::string name = EscapeControl(grouping.names[index]);
  PictureBox box{.tooltip = name};
  const UnitId unit = totals.units.empty() ? UnitId() : totals.units.front().unit;
  const absl::string_view what = of_nodes ? "node" : "group";
  box.lines.push_back(Shorten(name, kMaxLabel));
  const std::string macs = absl::StrCat(", ", WithUnit(totals.macs, "MACs"));
  box.lines.push_back(absl::StrCat(totals.items, " ", what, totals.items == 1 ? "" : "s", totals.macs > 0 ? macs : ""));
  if (view.groups.empty()) return box;
  if (grouping.of == Grouping::Of::kSegments && totals.segment.valid()) {
    AddSegmentLines(view.segments[totals.segment.index()], &box.lines);
    return box;
  }
  if (grouping.of == Grouping::Of::kUnits && unit.valid()) {
    box.lines.push_back(absl::StrCat("busy ", FormatSeconds(view.units[unit.index()].busy_s)));
    return box;
  }
  for (size_t u = 0; u < totals.units.size() && u < kMostUnits; ++u)
    box.lines.push_back(ShareText(view, totals.units[u]));
  if (totals.units.size() > kMostUnits) {
    box.lines.push_back(absl::StrCat(totals.units.size() - kMostUnits, " more units"));
  }
  return box;
}

// Marks the boxes of repeated blocks, with the total of all repetitions.
void MarkRepeats(const View& view, const std::vector<Item>& items, const Grouping& grouping,
                 const std::vector<BoxFigures>& figures, Picture* picture) {
  for (const Repeat& repeat : grouping.repeats) {
    picture->repeats.push_back(NameOf(view, items, repeat));
    for (size_t i = repeat.first; i < repeat.first + repeat.length; ++i) {
      PictureBox& box = picture->boxes[grouping.box_of[i]];
      box.repeat = static_cast<uint32_t>(picture->repeats.size());
      const std::optional<double> time_s = figures[grouping.box_of[i]].time_s;
      const std::string times = absl::StrCat(repeat.times, " x");
      const bool is_timed = !view.groups.empty() && time_s.has_value();
      box.lines.push_back(is_timed ? absl::StrCat(times, ", ", TimeText(time_s), " in all") : times);
      for (size_t block = 1; block < repeat.times; ++block) {
        if (items[i + block * repeat.length].segment != items[i].segment) box.segment = SegmentId();
      }
    }
  }
}

std::vector<PictureBox> BoxesOf(const View& view, const std::vector<Item>& items, const Grouping& grouping,
                                const ReportOptions& options) {
  const bool nodes = DrawsNodes(view, options);
  std::vector<PictureBox> boxes;
  if (grouping.of == Grouping::Of::kItems) {
    for (size_t i = 0; i < items.size(); ++i) {
      if (grouping.box_of[i] == boxes.size()) boxes.push_back(OwnBox(view, items[i], nodes));
    }
    return boxes;
  }
  std::vector<BoxTotals> totals(grouping.boxes);
  for (size_t i = 0; i < items.size(); ++i) totals[grouping.box_of[i]].Add(items[i]);
  for (size_t b = 0; b < totals.size(); ++b) {
    std::stable_sort(totals[b].units.begin(), totals[b].units.end(),
                     [](const UnitShare& x, const UnitShare& y) { return x.time_s > y.time_s; });
    boxes.push_back(SharedBox(view, grouping, b, totals[b], nodes));
  }
  return boxes;
}

// How much is drawn and what it costs, for readers who have only the picture.
std::string StatisticsOf(const View& view, const std::vector<Item>& items, size_t boxes, bool of_nodes, bool is_part) {
  const auto plural = [](size_t count, absl::string_view what) {
    return absl::StrCat(count, " ", what, count == 1 ? "" : "s");
  };
  std::vector<std::string> parts = {plural(view.nodes.size(), "node")};
  if (!view.groups.empty()) parts.push_back(plural(view.groups.size(), "group"));
  if (!view.segments.empty()) parts.push_back(plural(view.segments.size(), "segment"));
  parts.push_back(absl::StrCat(boxes, boxes == 1 ? " box" : " boxes"));
  const absl::string_view what = of_nodes ? "nodes" : "groups";
  if (is_part) parts.push_back(absl::StrCat(items.size(), " ", what, " shown"));
  const SummaryView& summary = view.summary;
  if (summary.energy_j) parts.push_back(FormatJoules(*summary.energy_j));
  if (summary.peak_memory_bytes) parts.push_back(absl::StrCat("peak ", BytesText(summary.peak_memory_bytes)));
  if (summary.intensity) parts.push_back(absl::StrFormat("%.4g FLOP/B", *summary.intensity));
  for (const BoundRow& row : view.bounds) {
    const double share = summary.latency_s.value_or(0) > 0 ? row.time_s / *summary.latency_s : 0;
    if (share >= 0.01) parts.push_back(absl::StrCat(Percent(share), " ", BoundName(row.bound)));
  }
  return absl::StrJoin(parts, ", ");
}

std::vector<std::string> TitleOf(const View& view, const std::string& caption, const std::string& statistics) {
  std::vector<std::string> lines;
  const RequestView& request = view.request;
  lines.push_back(
      EscapeControl(absl::StrCat(request.model, request.target ? absl::StrCat(" on ", *request.target) : "")));
  std::vector<std::string> facts;
  const SummaryView& summary = view.summary;
  const bool is_partial = summary.incomplete.value_or(false);
  if (summary.latency_s || is_partial) facts.push_back(LatencyText(view));
  if (!summary.fits.value_or(true)) facts.push_back("does not fit into memory");
  if (is_partial) facts.push_back(MissingText(view));
  facts.push_back(absl::StrCat(summary.counts_partial ? "at least " : "", WithUnit(summary.macs, "MACs")));
  lines.push_back(EscapeControl(absl::StrJoin(facts, ", ")));
  std::vector<std::string> settings;
  if (request.mode) settings.push_back(absl::StrCat("mode ", *request.mode));
  if (request.precision) settings.push_back(PrecisionText(view));
  if (request.batch) settings.push_back(absl::StrCat("batch ", *request.batch));
  if (!settings.empty()) lines.push_back(EscapeControl(absl::StrJoin(settings, ", ")));
  std::vector<std::string> inputs;
  for (const PortRow& port : view.model.inputs) inputs.push_back(absl::StrCat(port.name, " ", ShapeToText(port.shape)));
  lines.push_back(Shorten(EscapeControl(absl::StrCat("inputs: ", absl::StrJoin(inputs, ", "))), 120));
  lines.push_back(statistics);
  if (!caption.empty()) lines.push_back(caption);
  return lines;
}

}  // namespace

std::vector<std::vector<uint32_t>> SourcesOf(const View& view, const std::vector<Item>& items) {
  std::vector<std::vector<uint32_t>> sources;
  for (const std::map<uint32_t, std::set<ValueId>>& reads : AllReads(view, items)) {
    sources.emplace_back();
    for (const auto& [source, values] : reads) sources.back().push_back(source);
  }
  return sources;
}

absl::StatusOr<Picture> MakePicture(const View& view, const ReportOptions& options, const std::vector<NodeId>* nodes) {
  const ColorBy by = options.picture.color_by.value_or(ColorBy::kUnit);
  HWEST_RETURN_IF_ERROR(Colors::Check(view, by));
  Picture picture;
  const std::vector<Item> items = ItemsOf(view, options, nodes);
  HWEST_ASSIGN_OR_RETURN(const Grouping grouping, GroupingOf(view, items, options));
  const std::vector<BoxFigures> figures = FiguresOf(items, grouping);
  picture.boxes = BoxesOf(view, items, grouping, options);
  picture.edges = EdgesOf(view, items, grouping);
  Colors colors(view, by);
  for (size_t b = 0; b < picture.boxes.size(); ++b) picture.boxes[b].paint = colors.Of(figures[b]);
  picture.legend = colors.Legend();
  MarkRepeats(view, items, grouping, figures, &picture);
  for (const size_t b : Bottlenecks(figures, view.summary.latency_s.value_or(0))) {
    picture.boxes[b].is_bottleneck = true;
    picture.boxes[b].lines.push_back(
        absl::StrCat(Percent(*figures[b].time_s / *view.summary.latency_s), " of the latency"));
  }
  if (grouping.folded) picture.note = grouping.caption;
  const bool of_nodes = DrawsNodes(view, options);
  picture.title =
      TitleOf(view, grouping.caption, StatisticsOf(view, items, picture.boxes.size(), of_nodes, nodes != nullptr));
  if (!of_nodes && grouping.of == Grouping::Of::kItems) {
    for (const SegmentRow& segment : view.segments) {
      const std::string unit = segment.unit.valid() ? view.units[segment.unit.index()].name : "no unit";
      picture.segments.push_back(
          EscapeControl(absl::StrCat("segment ", segment.id.index(), " on ", unit, ", ",
                                     AtLeast(FormatSeconds(segment.time_s), segment.time_s, segment.incomplete))));
    }
  }
  if (grouping.of != Grouping::Of::kUnits) BreakIntoColumns(&picture);
  return picture;
}

absl::Status WritePicture(const Document& document, const ReportOptions& options, Sink sink) {
  if (document.view == nullptr || document.view->graph == nullptr) return absl::InternalError("a picture of no graph");
  if (options.picture.chart.has_value()) {
    HWEST_ASSIGN_OR_RETURN(const Drawing drawing, DrawChart(*document.view, *options.picture.chart));
    HWEST_ASSIGN_OR_RETURN(const std::string bytes, PictureBytes(drawing.Svg(), options.format));
    return sink(bytes);
  }
  const bool draws_modules = options.level == Level::kModule && document.view->graph != nullptr;
  const bool is_graph = document.kind == ReportKind::kGraph;
  if (options.level.has_value() && !draws_modules && !is_graph) {
    HWEST_RETURN_IF_ERROR(LevelTable(document, options).status());
  }
  ReportOptions drawn = options;
  if (is_graph && !drawn.level.has_value()) drawn.level = Level::kNode;  // what its tables show
  HWEST_ASSIGN_OR_RETURN(const Picture picture,
                         MakePicture(*document.view, drawn, is_graph ? &document.nodes : nullptr));
  if (!picture.note.empty() && document.view->notes != nullptr) {
    document.view->notes->push_back({.code = Code::kCollapsed, .message = picture.note});
  }
  HWEST_ASSIGN_OR_RETURN(const std::string bytes, RenderPicture(picture, options.format));
  return sink(bytes);
}

}  // namespace hwest

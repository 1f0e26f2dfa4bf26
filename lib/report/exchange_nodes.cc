// Figures by node for model viewers.
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "report/document.h"
#include "report/getters.h"

namespace hwest {
namespace {

// Whether each node has a name that no other node has.
std::vector<bool> HaveOwnNames(const Graph& graph) {
  std::map<absl::string_view, size_t> times;
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) ++times[graph.name(NodeId(n))];
  std::vector<bool> own(graph.nodes().size());
  for (uint32_t n = 0; n < own.size(); ++n) {
    const absl::string_view name = graph.name(NodeId(n));
    own[n] = !name.empty() && times[name] == 1;
  }
  return own;
}

// JSON with one object a line, so that memory never holds a whole large model.
class Lines {
 public:
  explicit Lines(Sink sink) : sink_(sink) {}
  absl::Status Add(const std::string& text) {
    const absl::string_view before = is_first_ ? "" : ",\n";
    is_first_ = false;
    return sink_(absl::StrCat(before, text));
  }

 private:
  Sink sink_;
  bool is_first_ = true;
};

// Viewers print every digit they get; no estimate has more than these.
Cell Rounded(double figure) {
  double rounded = figure;
  return absl::SimpleAtod(absl::StrFormat("%.6g", figure), &rounded) ? Cell(rounded) : Cell(figure);
}

Cell Rounded(const std::optional<double>& figure, double by = 1) { return figure ? Rounded(*figure * by) : Cell(); }

// A figure of a node under the name that viewers show.
struct Figure {
  const char* name;
  const char* type;  // of Netron
  Cell value;
};

std::vector<Figure> FiguresOf(const View& view, const GraphNodeRow& node) {
  std::vector<Figure> figures = {{"hwest.time_us", "float32", Rounded(node.time_s, 1e6)},
                                 {"hwest.macs", "int64", getters::CountCell(node.macs)},
                                 {"hwest.flops", "int64", getters::CountCell(node.flops)},
                                 {"hwest.bytes", "int64", getters::CountCell(node.bytes)}};
  const auto intensity = getters::RatioOfSum(node.flops, node.bytes);
  figures.push_back({"hwest.intensity", "float32", Rounded(intensity)});
  if (node.group.valid()) figures.push_back({"hwest.group", "string", absl::StrCat("g", node.group.index())});
  if (node.unit.valid()) figures.push_back({"hwest.unit", "string", view.units[node.unit.index()].name});
  if (node.bound) figures.push_back({"hwest.bound", "string", std::string(BoundName(*node.bound))});
  if (node.group.valid())
    figures.push_back({"hwest.precision", "string", Cell(view.groups[node.group.index()].precision)});
  if (node.group.valid() && view.measured != nullptr) {
    figures.push_back({"hwest.measured_us", "float32", Rounded(node.measured_s, 1e6)});
    figures.push_back({"hwest.measured_ratio", "float32", Rounded(view.groups[node.group.index()].measured_ratio)});
  }
  if (!node.reason.empty()) figures.push_back({"hwest.reason", "string", node.reason});
  return figures;
}

absl::Status WriteModelFigures(const View& view, Lines* lines) {
  const SummaryView& summary = view.summary;
  const auto add = [&](const char* name, const std::optional<double>& value) -> absl::Status {
    if (!value.has_value()) return absl::OkStatus();
    return lines->Add(DumpJson(
        Cell{{"kind", "model"}, {"target", ""}, {"name", name}, {"value", Rounded(*value)}, {"type", "float32"}}));
  };
  const auto scaled = [](const std::optional<double>& value, double by) {
    return value ? std::optional<double>(*value * by) : std::nullopt;
  };
  HWEST_RETURN_IF_ERROR(add("hwest.latency_ms", scaled(summary.latency_s, 1e3)));
  HWEST_RETURN_IF_ERROR(add("hwest.energy_mj", scaled(summary.energy_j, 1e3)));
  const std::optional<double> peak =
      summary.peak_memory_bytes ? std::optional<double>(static_cast<double>(*summary.peak_memory_bytes)) : std::nullopt;
  return add("hwest.peak_memory_mb", scaled(peak, 1e-6));
}

// What a viewer colours by: a number or a word.
Cell MetricOf(const View& view, const GraphNodeRow& node, ColorBy by) {
  const bool has_group = node.group.valid();
  switch (by) {
    case ColorBy::kUnit: return node.unit.valid() ? Cell(view.units[node.unit.index()].name) : Cell();
    case ColorBy::kBound: return node.bound ? Cell(std::string(BoundName(*node.bound))) : Cell();
    case ColorBy::kTime: return Rounded(node.time_s, 1e6);
    case ColorBy::kEnergy: {
      if (!has_group) return Cell();
      const GroupRow group = view.groups[node.group.index()];
      if (!group.energy) return Cell();
      return group.root == node.id ? Rounded(group.energy->total() * 1e6) : Cell(0.0);
    }
    case ColorBy::kIntensity: {
      const auto intensity = getters::RatioOfSum(node.flops, node.bytes);
      return Rounded(intensity);
    }
    case ColorBy::kMeasured: return has_group ? Rounded(view.groups[node.group.index()].measured_ratio) : Cell();
    case ColorBy::kPrecision: return has_group ? Cell(view.groups[node.group.index()].precision) : Cell();
  }
  return Cell();
}

constexpr const char* kMetricNames[] = {
    "unit", "bound", "time, us", "energy, uJ", "FLOP per byte", "precision", "measured over predicted"};
static_assert(std::size(kMetricNames) == kNumEnumerators<ColorBy>);

absl::Status WriteNodeData(const View& view, ColorBy by, Sink sink) {
  HWEST_RETURN_IF_ERROR(
      sink(absl::StrCat("{\"name\":", DumpJson(Cell(absl::StrCat("hwest ", kMetricNames[static_cast<size_t>(by)]))),
                        ",\"results\":{\n")));
  Lines lines(sink);
  bool is_number = true;
  for (uint32_t n = 0; n < view.nodes.size(); ++n) {
    const GraphNodeRow node = view.graph_node(view, NodeId(n));
    const Cell value = MetricOf(view, node, by);
    if (value.is_null()) continue;
    is_number = is_number && value.is_number();
    HWEST_RETURN_IF_ERROR(lines.Add(absl::StrCat(DumpJson(Cell(node.name)), ":{\"value\":", DumpJson(value), "}")));
  }
  constexpr char kGradient[] =
      ",\"gradient\":[{\"stop\":0,\"bgColor\":\"#fff7e0\"},{\"stop\":0.5,\"bgColor\":\"#fdbe6f\"},{\"stop\":1,"
      "\"bgColor\":\"#e8603c\"}]";
  return sink(absl::StrCat("\n}", is_number ? kGradient : "", "}\n"));
}

// Dots separate modules in the file, slashes in the viewer.
std::string NamespaceOf(const GraphNodeRow& node) {
  std::string path = node.module.value_or("");
  for (char& c : path) c = c == '.' ? '/' : c;
  return path;
}

absl::Status WriteOwnGraph(const View& view, Sink sink) {
  const std::string id = DumpJson(Cell(view.model.name.empty() ? "model" : view.model.name));
  HWEST_RETURN_IF_ERROR(sink(absl::StrCat("{\"label\":", id, ",\"graphs\":[{\"id\":", id, ",\"nodes\":[\n")));
  Lines lines(sink);
  for (uint32_t n = 0; n < view.nodes.size(); ++n) {
    const GraphNodeRow node = view.graph_node(view, NodeId(n));
    Cell edges = Cell::OfList();
    const auto inputs = view.graph->inputs(node.id);
    for (size_t i = 0; i < inputs.size(); ++i) {
      const NodeId producer = inputs[i].valid() ? view.graph->value(inputs[i]).producer : NodeId();
      if (!producer.valid()) continue;
      const auto outputs = view.graph->outputs(producer);
      size_t output = 0;
      while (output < outputs.size() && outputs[output] != inputs[i]) ++output;
      edges.push_back(Cell{{"sourceNodeId", absl::StrCat(producer.index())},
                           {"sourceNodeOutputId", absl::StrCat(output)},
                           {"targetNodeInputId", absl::StrCat(i)}});
    }
    Cell attributes = Cell::OfList();
    attributes.push_back(Cell{{"key", "name"}, {"value", node.label}});
    for (const Figure& figure : FiguresOf(view, node)) {
      if (!figure.value.is_null())
        attributes.push_back(Cell{{"key", figure.name}, {"value", CellText(figure.value, "")}});
    }
    HWEST_RETURN_IF_ERROR(lines.Add(DumpJson(Cell{{"id", absl::StrCat(n)},
                                                  {"label", node.op},
                                                  {"namespace", NamespaceOf(node)},
                                                  {"incomingEdges", std::move(edges)},
                                                  {"attrs", std::move(attributes)}})));
  }
  return sink("\n]}]}\n");
}

}  // namespace

absl::Status WriteNetron(const Document& document, const ReportOptions&, Sink sink) {
  const View& view = *document.view;
  const std::vector<bool> own = HaveOwnNames(*view.graph);
  const auto write = [&](bool of_words, Lines* lines) -> absl::Status {
    for (uint32_t n = 0; n < own.size(); ++n) {
      if (!own[n]) continue;
      const GraphNodeRow node = view.graph_node(view, NodeId(n));
      for (const Figure& figure : FiguresOf(view, node)) {
        const bool is_word = figure.value.text() != nullptr;
        if (figure.value.is_null() || is_word != of_words) continue;
        HWEST_RETURN_IF_ERROR(lines->Add(DumpJson(Cell{{"kind", "node"},
                                                       {"target", node.name},
                                                       {"name", figure.name},
                                                       {"value", figure.value},
                                                       {"type", is_word ? "string" : figure.type}})));
      }
    }
    return absl::OkStatus();
  };
  HWEST_RETURN_IF_ERROR(sink("{\"signature\":\"netron:attachment\",\n\"metadata\":[\n"));
  Lines words(sink);
  HWEST_RETURN_IF_ERROR(write(true, &words));
  HWEST_RETURN_IF_ERROR(sink("\n],\n\"metrics\":[\n"));
  Lines numbers(sink);
  HWEST_RETURN_IF_ERROR(WriteModelFigures(view, &numbers));
  HWEST_RETURN_IF_ERROR(write(false, &numbers));
  return sink("\n]}\n");
}

absl::Status WriteModelExplorer(const Document& document, const ReportOptions& options, Sink sink) {
  const View& view = *document.view;
  for (const bool own : HaveOwnNames(*view.graph)) {
    if (!own) return WriteOwnGraph(view, sink);
  }
  return WriteNodeData(view, options.picture.color_by.value_or(ColorBy::kTime), sink);
}

}  // namespace hwest

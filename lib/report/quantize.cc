// Plans of formats as text, tables, a chart and a page.
#include "hwest/quantize.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "chart/axis.h"
#include "report/chart.h"
#include "report/document.h"
#include "report/still_page.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr size_t kUsualRows = 10;

std::string SignedTime(double seconds) {
  return seconds == 0 ? "0" : absl::StrCat(seconds > 0 ? "+" : "-", FormatSeconds(std::abs(seconds)));
}
std::string LossText(const std::optional<double>& loss) {
  return loss.has_value() ? absl::StrFormat("%.4g", *loss) : "not stated";
}

const FrontierPoint* ChosenOf(const QuantizePlan& plan) {
  return plan.chosen.has_value() ? &plan.frontier[*plan.chosen] : nullptr;
}
// The one that text speaks of: the chosen one, else the fastest.
const FrontierPoint* ShownOf(const QuantizePlan& plan) {
  if (plan.chosen.has_value()) return ChosenOf(plan);
  return plan.frontier.empty() ? nullptr : &plan.frontier.back();
}

// "12 int8, 3 fp16"
std::string CountsText(const std::vector<std::string>& formats) {
  std::vector<std::pair<std::string, int>> counts;
  for (const std::string& format : formats) {
    const auto same =
        std::find_if(counts.begin(), counts.end(), [&](const auto& entry) { return entry.first == format; });
    if (same != counts.end()) {
      ++same->second;
    } else {
      counts.emplace_back(format, 1);
    }
  }
  std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  for (const auto& [format, count] : counts) parts.push_back(absl::StrCat(count, " ", format));
  return absl::StrJoin(parts, ", ");
}

double BestGain(const PlanLayer& layer) {
  double best = 0;
  for (const LayerChoice& choice : layer.choices) best = std::max(best, std::abs(choice.gain_s));
  return best;
}

// Layers in the order of what their formats change most.
std::vector<size_t> LayersByGain(const QuantizePlan& plan) {
  std::vector<size_t> order(plan.layers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return BestGain(plan.layers[a]) > BestGain(plan.layers[b]); });
  return order;
}

std::string PlanText(const QuantizePlan& plan) {
  const FrontierPoint* point = ShownOf(plan);
  if (point == nullptr || plan.layers.empty()) return "";
  if (plan.budget.has_value() && !plan.chosen.has_value()) {
    return absl::StrCat("No choice of formats keeps within a loss of ", LossText(plan.budget), ": the least is ",
                        LossText(plan.frontier.front().loss), ".");
  }
  const double base_s = plan.base->plan->latency_s;
  const std::string figures = absl::StrCat(FormatSeconds(point->latency_s), ", ", SignedTime(point->latency_s - base_s),
                                           " against ", plan.formats[0], ": ", CountsText(point->formats));
  const std::string proof = plan.is_exact ? "" : " The search left out partial choices, so a faster one may exist.";
  if (plan.has_sensitivity && !plan.budget.has_value()) {
    return absl::StrCat("The fastest of all losses takes ", figures, ", at a loss of ", LossText(point->loss),
                        ". --budget LOSS chooses among the rows of the frontier.", proof);
  }
  if (plan.has_sensitivity) {
    return absl::StrCat("The fastest within a loss of ", LossText(plan.budget), " takes ", figures, "; loss ",
                        LossText(point->loss), ".", proof);
  }
  if (plan.is_quantised) {
    return absl::StrCat("The fastest with no layer narrower than in the file takes ", figures, ".", proof);
  }
  return absl::StrCat("The fastest mix takes ", figures,
                      ". What it costs in accuracy is not known: --sensitivity FILE --budget LOSS chooses within a "
                      "loss.",
                      proof);
}

std::string MissingText(const QuantizePlan& plan) {
  if (plan.missing == 0) return "";
  return absl::StrCat(plan.missing,
                      " pairs of layer and format have no loss in the sensitivity: these layers keep to "
                      "the formats that have one, else to ",
                      plan.formats[0], ".");
}

// The command that helps next.
std::string NextText(const QuantizePlan& plan, const ReportOptions& options) {
  const std::string command = absl::StrCat("onnx-hwest quantize-plan ", ShellQuoted(options.model_path), " --target ",
                                           ShellQuoted(plan.file->request.target));
  if (plan.chosen.has_value()) {
    const std::string applied =
        plan.applied_s.has_value()
            ? absl::StrCat("Written with Q/DQ, by --apply and --ranges, it takes ", FormatSeconds(*plan.applied_s),
                           ", quantising what it reads and what is between its kernels. ")
            : "";
    return absl::StrCat(applied,
                        "Write it for a tool with --export ort, tensorrt, qnn, rknn, tidl or hailo; time it with "
                        "--export hwest --output plan.csv, then `onnx-hwest MODEL --target ",
                        plan.file->request.target, " --precision ", plan.formats[0], " --precision-of plan.csv`",
                        plan.is_quantised ? ", MODEL being the file before it was quantised" : "", ".");
  }
  return absl::StrCat("Next: ", command, " --sensitivity loss.csv --budget LOSS");
}

std::string UniformSection(const QuantizePlan& plan, const ReportOptions& options) {
  TextTable table({{.title = "every layer at"},
                   {.title = "latency", .align = Align::kRight},
                   {.title = absl::StrCat("against ", plan.formats[0]), .align = Align::kRight}});
  const double base_s = plan.base->plan->latency_s;
  for (const auto& [format, latency_s] : plan.uniform) {
    table.Add({format == "file" ? "as in the file" : format, FormatSeconds(latency_s),
               format == plan.formats[0] ? "" : SignedTime(latency_s - base_s)});
  }
  return absl::StrCat("\n", Paint("Formats", Style::kBold, options.color), "\n", table.Print(options));
}

std::string FindingsSection(const QuantizePlan& plan, const ReportOptions& options) {
  std::string text;
  for (const QuantFinding& finding : plan.findings) {
    if (finding.kind == QuantFindingKind::kVerdict) continue;
    absl::StrAppend(&text, Wrapped(EscapeControl(finding.text), "  - ", "    ", options));
    if (!finding.fix.empty())
      absl::StrAppend(&text, Wrapped(absl::StrCat("-> ", finding.fix), "    ", "       ", options));
  }
  if (text.empty()) return "";
  return absl::StrCat("\n", Paint("What decides", Style::kBold, options.color), "\n", text);
}

std::string LayersSection(const QuantizePlan& plan, const ReportOptions& options) {
  std::vector<Column> columns = {{.title = "layer", .squeeze = Squeeze::kShorten},
                                 {.title = absl::StrCat("time at ", plan.formats[0]), .align = Align::kRight}};
  for (size_t f = 1; f < plan.formats.size(); ++f) {
    columns.push_back({.title = absl::StrCat(plan.formats[f], " saves"), .align = Align::kRight});
    columns.push_back({.title = "conversions", .align = Align::kRight, .spare = 1});
    if (plan.has_sensitivity) columns.push_back({.title = "loss", .align = Align::kRight});
  }
  if (plan.is_quantised) columns.push_back({.title = "in the file"});
  const FrontierPoint* point = ShownOf(plan);
  if (point != nullptr) columns.push_back({.title = plan.chosen.has_value() ? "plan" : "fastest"});
  TextTable table(std::move(columns));
  const std::vector<size_t> order = LayersByGain(plan);
  const size_t most = options.top.has_value() && *options.top == 0 ? order.size()
                      : options.top.has_value()                    ? static_cast<size_t>(*options.top)
                                                                   : kUsualRows;
  for (size_t i = 0; i < std::min(most, order.size()); ++i) {
    const PlanLayer& layer = plan.layers[order[i]];
    std::vector<std::string> cells = {EscapeControl(layer.name()), FormatSeconds(layer.time_s)};
    for (size_t f = 1; f < layer.choices.size(); ++f) {
      const LayerChoice& choice = layer.choices[f];
      cells.push_back(SignedTime(choice.gain_s));
      cells.push_back(choice.conversions_s > 0 ? FormatSeconds(choice.conversions_s) : "");
      if (plan.has_sensitivity) cells.push_back(LossText(choice.loss));
    }
    if (plan.is_quantised) cells.push_back(layer.in_file);
    if (point != nullptr) cells.push_back(point->formats[order[i]]);
    table.Add(std::move(cells));
  }
  std::string text = absl::StrCat("\n", Paint("Layers, each alone in another format", Style::kBold, options.color),
                                  "\n", table.Print(options));
  if (order.size() > most) {
    absl::StrAppend(&text, "  ", order.size() - most, " more: --top 0 lists all\n");
  }
  return text;
}

std::string FrontierSection(const QuantizePlan& plan, const ReportOptions& options) {
  if (!plan.has_sensitivity || plan.frontier.size() < 2) return "";
  TextTable table({{.title = "loss", .align = Align::kRight},
                   {.title = "latency", .align = Align::kRight},
                   {.title = "energy", .align = Align::kRight},
                   {.title = "memory", .align = Align::kRight},
                   {.title = "layers"},
                   {.title = ""}});
  for (size_t p = 0; p < plan.frontier.size(); ++p) {
    const FrontierPoint& point = plan.frontier[p];
    table.Add({LossText(point.loss), FormatSeconds(point.latency_s),
               point.energy_j.has_value() ? FormatJoules(*point.energy_j) : "unknown",
               FormatBytes(static_cast<double>(point.peak_memory_bytes)), CountsText(point.formats),
               plan.chosen == p ? "the plan" : ""});
  }
  return absl::StrCat("\n", Paint("Loss and latency", Style::kBold, options.color), "\n", table.Print(options));
}

std::string QuantizeText(const QuantizePlan& plan, const ReportOptions& options) {
  std::string text =
      Wrapped(absl::StrCat(EscapeControl(options.model_path), " on ", EscapeControl(plan.file->target->name), ": ",
                           plan.findings.empty() ? "" : plan.findings[0].text),
              "", "", options);
  absl::StrAppend(&text, UniformSection(plan, options), FindingsSection(plan, options), LayersSection(plan, options),
                  FrontierSection(plan, options), "\n");
  for (const std::string& line : {PlanText(plan), MissingText(plan), NextText(plan, options)}) {
    if (!line.empty()) absl::StrAppend(&text, Wrapped(line, "", "", options));
  }
  return text;
}

// Tables

// An object with the figure of each format.
template <class Figure>
Cell ByFormat(const PlanLayer& layer, const Figure& figure) {
  Cell::Object cell;
  for (const LayerChoice& choice : layer.choices) cell.emplace_back(choice.format, figure(choice));
  return Cell::OfObject(std::move(cell));
}

// A row for each layer.
CellTable LayerTable(const QuantizePlan& plan) {
  std::vector<Cells> rows;
  const FrontierPoint* point = ChosenOf(plan);
  for (size_t i = 0; i < plan.layers.size(); ++i) {
    const PlanLayer& layer = plan.layers[i];
    Cell conversions_s;
    for (const LayerChoice& choice : layer.choices) {
      if (point != nullptr && point->formats[i] == choice.format) conversions_s = choice.conversions_s;
    }
    rows.push_back({layer.name(), layer.output, layer.macs, layer.time_s,
                    plan.is_quantised ? Cell(layer.in_file) : Cell(),
                    point != nullptr ? Cell(point->formats[i]) : Cell(), std::move(conversions_s),
                    ByFormat(layer, [](const LayerChoice& choice) { return Cell(choice.gain_s); }),
                    ByFormat(layer, [](const LayerChoice& choice) { return Cell(choice.loss); })});
  }
  return TableOfCells({"node", "output", "macs", "time_s", "in_file", "format", "conversions_s", "gain_s", "loss"},
                      std::move(rows));
}

// A row for each layer and format.
CellTable ChoiceTable(const QuantizePlan& plan) {
  std::vector<Cells> rows;
  for (const PlanLayer& layer : plan.layers) {
    for (const LayerChoice& choice : layer.choices) {
      rows.push_back({layer.name(), choice.format, choice.runs, choice.gain_s, choice.gain_j, choice.gain_bytes,
                      choice.conversions_s, choice.loss});
    }
  }
  return TableOfCells({"node", "format", "runs", "gain_s", "gain_j", "gain_bytes", "conversions_s", "loss"},
                      std::move(rows));
}

CellTable FrontierTable(const QuantizePlan& plan) {
  std::vector<Cells> rows;
  for (size_t p = 0; p < plan.frontier.size(); ++p) {
    const FrontierPoint& point = plan.frontier[p];
    Cell::Object formats;
    for (size_t i = 0; i < point.formats.size(); ++i) formats.emplace_back(plan.layers[i].name(), point.formats[i]);
    const bool is_known = plan.has_sensitivity;
    rows.push_back({is_known ? Cell(point.loss) : Cell(), point.latency_s, point.summed_s, point.energy_j,
                    point.peak_memory_bytes, plan.chosen == p, Cell::OfObject(std::move(formats))});
  }
  return TableOfCells({"loss", "latency_s", "summed_s", "energy_j", "peak_memory_bytes", "is_chosen", "formats"},
                      std::move(rows));
}

CellTable FindingTable(const QuantizePlan& plan) {
  std::vector<Cells> rows;
  for (const QuantFinding& finding : plan.findings) {
    rows.push_back(
        {QuantFindingName(finding.kind), finding.text, finding.fix, finding.time_s, finding.share, finding.nodes});
  }
  return TableOfCells({"kind", "text", "fix", "time_s", "share", "nodes"}, std::move(rows));
}

Document QuantizeDocument(const QuantizePlan& plan, const ReportOptions& options) {
  Document document{.kind = ReportKind::kQuantizePlan};
  Cell::Object uniform;
  for (const auto& [format, latency_s] : plan.uniform) uniform.emplace_back(format, latency_s);
  document.parts.push_back(
      {"plan", Cell{{"model", options.model_path},
                    {"target", plan.file->target->name},
                    {"mode", plan.file->mode},
                    {"formats", plan.formats},
                    {"base", plan.formats[0]},
                    {"base_latency_s", plan.base->plan->latency_s},
                    {"file_latency_s", plan.file->plan->latency_s},
                    {"is_quantised", plan.is_quantised},
                    {"uniform_latency_s", Cell::OfObject(std::move(uniform))},
                    {"has_sensitivity", plan.has_sensitivity},
                    {"missing", plan.missing},
                    {"budget", plan.budget},
                    {"is_exact", plan.is_exact},
                    {"applied_latency_s", plan.applied_s},
                    {"chosen", plan.chosen.has_value() ? Cell(static_cast<int64_t>(*plan.chosen)) : Cell()}}});
  document.parts.push_back({"layers", LayerTable(plan)});
  document.parts.push_back({"choices", ChoiceTable(plan)});
  document.parts.push_back({"frontier", FrontierTable(plan)});
  document.parts.push_back({"findings", FindingTable(plan)});
  document.tables = {"choices", "layers", "frontier", "findings"};
  return document;
}

// Chart and page

std::string QuantizeTitle(const QuantizePlan& plan) {
  return absl::StrCat("Loss and latency on ", plan.file->target->name);
}

// Latency over loss; the chosen point is filled.
Drawing DrawQuantizePlan(const QuantizePlan& plan) {
  constexpr double kWidth = 900, kHeight = 300;
  Drawing drawing(kWidth, QuantizeTitle(plan),
                  {plan.has_sensitivity ? "each dot: the fastest formats of at most this loss; filled: the plan"
                                        : "no sensitivity was given: the loss of the fastest formats is not known"});
  std::vector<double> losses, latencies;
  for (const FrontierPoint& point : plan.frontier) {
    losses.push_back(point.loss);
    latencies.push_back(point.latency_s);
  }
  latencies.push_back(plan.base->plan->latency_s);
  if (losses.empty()) return drawing;
  const Plot plot = {.left = Drawing::kMargin + 80,
                     .top = drawing.y + 20,
                     .width = kWidth - 2 * Drawing::kMargin - 100,
                     .height = kHeight};
  const Axis x = Axis::Of(losses, plot.Across()), y = Axis::Of(latencies, plot.Up());
  DrawAxisAtLeft(plot, y, [](double seconds) { return FormatSeconds(seconds); }, "latency", &drawing);
  DrawAxisBelow(plot, x, [](double loss) { return absl::StrFormat("%.3g", loss); }, "loss", &drawing);
  const Tint& tint = TintAt(0);
  for (size_t p = 0; p < plan.frontier.size(); ++p) {
    const FrontierPoint& point = plan.frontier[p];
    const double at_x = x.At(point.loss), at_y = y.At(point.latency_s);
    if (p > 0) {  // no choice between two points is faster than the first of them
      const double before = y.At(plan.frontier[p - 1].latency_s);
      drawing.Line(x.At(plan.frontier[p - 1].loss), before, at_x, before, tint.line);
      drawing.Line(at_x, before, at_x, at_y, tint.line);
    }
  }
  for (size_t p = 0; p < plan.frontier.size(); ++p) {
    const FrontierPoint& point = plan.frontier[p];
    drawing.Dot(x.At(point.loss), y.At(point.latency_s), 6, plan.chosen == p ? tint.line : kPaper, tint.line,
                absl::StrCat("loss ", LossText(point.loss), ": ", FormatSeconds(point.latency_s), ", ",
                             CountsText(point.formats)));
  }
  drawing.y = plot.bottom() + 70;
  return drawing;
}

// The first rows, with a line below about those left out.
void AddTable(const std::vector<std::string>& titles, std::vector<std::vector<std::string>> rows, StillPage& page) {
  constexpr size_t kMostRows = 1000;
  const size_t left_out = rows.size() - std::min(rows.size(), kMostRows);
  rows.resize(rows.size() - left_out);
  page.Table(titles, rows);
  if (left_out > 0) page.Paragraph(absl::StrCat(left_out, " more rows are left out; --format csv has all."));
}

std::string QuantizePage(const QuantizePlan& plan, const ReportOptions& options) {
  StillPage page(absl::StrCat("Precision by layer: ", options.model_path, " on ", plan.file->target->name));
  for (const QuantFinding& finding : plan.findings) {
    page.Paragraph(finding.fix.empty() ? finding.text : absl::StrCat(finding.text, " Change: ", finding.fix, "."));
  }
  for (const std::string& line : {PlanText(plan), MissingText(plan)}) {
    if (!line.empty()) page.Paragraph(line);
  }
  if (plan.has_sensitivity) page.Picture(DrawQuantizePlan(plan));
  page.Heading("Loss and latency");
  std::vector<std::vector<std::string>> rows;
  for (size_t p = 0; p < plan.frontier.size(); ++p) {
    const FrontierPoint& point = plan.frontier[p];
    rows.push_back({plan.has_sensitivity ? LossText(point.loss) : "unknown", FormatSeconds(point.latency_s),
                    point.energy_j ? FormatJoules(*point.energy_j) : "unknown", BytesText(point.peak_memory_bytes),
                    plan.chosen == p ? "yes" : "", CountsText(point.formats)});
  }
  AddTable({"loss", "latency", "energy", "peak memory", "chosen", "layers"}, std::move(rows), page);
  page.Heading(absl::StrCat("Layers, each alone in another format than ", plan.formats[0]));
  rows = {};
  for (const PlanLayer& layer : plan.layers) {
    for (const LayerChoice& choice : layer.choices) {
      if (choice.format == plan.formats[0]) continue;
      rows.push_back({layer.name(), choice.format, choice.runs, FormatSeconds(choice.gain_s),
                      choice.gain_j ? FormatJoules(*choice.gain_j) : "unknown",
                      FormatBytes(static_cast<double>(choice.gain_bytes)), FormatSeconds(choice.conversions_s),
                      LossText(choice.loss)});
    }
  }
  AddTable({"layer", "format", "runs as", "saves", "energy saved", "memory saved", "conversions", "loss"},
           std::move(rows), page);
  return page.Finish();
}

}  // namespace

absl::Status WriteQuantizePlan(const QuantizePlan& plan, const ReportOptions& options, Sink sink) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kQuantizePlan, options.format));
  if (options.format == Format::kText) return sink(QuantizeText(plan, options));
  if (options.format == Format::kHtml) return sink(QuantizePage(plan, options));
  if (options.format == Format::kSvg || options.format == Format::kPng || options.format == Format::kPdf) {
    HWEST_ASSIGN_OR_RETURN(const std::string picture,
                           PictureBytes(WithDarkScheme(DrawQuantizePlan(plan).Svg()), options.format));
    return sink(picture);
  }
  return WriteDocument(QuantizeDocument(plan, options), options, sink);
}

}  // namespace hwest

// Validations for people: text and Markdown.
#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/text.h"
#include "fit/metrics.h"
#include "plan/operator_class.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/validation_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr int64_t kTopInText = 10;
constexpr size_t kDevicesNamed = 12;
constexpr absl::string_view kLegend =
    "error = exp|ln(predicted / measured)| - 1; bias > 0: predicted too high; rank = Spearman's correlation;\n"
    "in 80 % = share inside the predicted interval; noise = median error between two versions of one source;\n"
    "covered = share of the predicted time in operators and sizes that calibration has seen in other families;\n"
    "roofline and FLOPs = median error of work over peak, per group with bandwidth and for the whole model.\n";

std::vector<std::string> MeasureTitles() {
  return {"n", "median", "p90", "bias", "rank", "in 80 %", "noise", "roofline", "FLOPs"};
}

std::string ShareText(const std::optional<double>& share) {
  if (!share.has_value()) return "-";
  return absl::StrFormat("%.*f %%", std::fabs(*share) < 1 ? 1 : 0, *share * 100);
}

std::vector<std::string> MeasureCells(const Summary& summary, const std::optional<double>& rank) {
  // clang-format off
  return {absl::StrCat(summary.n),       ShareText(summary.median),
          ShareText(summary.p90),        ShareText(summary.bias),
          rank.has_value() ? absl::StrFormat("%.3f", *rank) : std::string("-"),
          ShareText(summary.coverage80), ShareText(summary.noise),
          ShareText(summary.roofline_median), ShareText(summary.flops_median)};
  // clang-format on
}

std::vector<std::string> Joined(std::vector<std::string> head, const std::vector<std::string>& tail) {
  head.insert(head.end(), tail.begin(), tail.end());
  return head;
}

// A metric as a word beside others; latency is the default and needs none.
std::string MetricWord(const std::string& metric) {
  constexpr std::pair<absl::string_view, absl::string_view> kWords[] = {{"latency_ms", ""},
                                                                        {"throughput_fps", "FPS"},
                                                                        {"decode_tokens_per_s", "tokens/s"},
                                                                        {"ttft_ms", "first token"},
                                                                        {"memory_mb", "memory"}};
  for (const auto& [name, word] : kWords) {
    if (name == metric) return std::string(word);
  }
  return metric;
}

// Joins the words that are not empty.
std::string Label(std::vector<std::string> words, const std::string& metric) {
  words.push_back(MetricWord(metric));
  words.erase(std::remove(words.begin(), words.end(), ""), words.end());
  return absl::StrJoin(words, " ");
}

TextTable MeasureTable(const std::string& first) {
  std::vector<Column> columns = {{.title = first, .squeeze = Squeeze::kShorten}};
  for (const std::string& title : MeasureTitles()) columns.push_back({.title = title, .align = Align::kRight});
  return TextTable(std::move(columns));
}

std::string RowsText(const Validation& validation, const ReportOptions& options) {
  TextTable table = MeasureTable("measured as");
  std::string heading;
  for (const ValidationRow& row : validation.rows) {
    const std::string own = absl::StrCat(row.target, "  ", row.device);
    if (own != heading) table.Add({own});
    heading = own;
    table.Add(Joined({absl::StrCat("  ", Label({row.unit, row.runtime, row.precision, row.mode}, row.metric))},
                     MeasureCells(row.summary, row.spearman)));
  }
  return table.Print(options);
}

std::string PoolsText(const Validation& validation, const ReportOptions& options) {
  TextTable table = MeasureTable("kind of machine");
  for (const Pool& pool : validation.pools) {
    table.Add(Joined({Label({pool.family, pool.unit, pool.runtime, pool.precision}, pool.metric)},
                     MeasureCells(pool.summary, pool.least_spearman)));
  }
  return table.Print(options);
}

// Where most of the time of a point goes.
std::string TimeInText(const Prediction& prediction) {
  constexpr size_t kMostNamed = 3;
  std::vector<std::string> parts;
  for (const auto& [operator_class, share] : prediction.time_in) {
    if (parts.size() == kMostNamed) break;
    parts.push_back(absl::StrCat(OperatorClassText(operator_class), " ", ShareText(share)));
  }
  return absl::StrJoin(parts, ", ");
}

std::vector<std::string> PointCells(const Point& point) {
  const Measurement& m = point.measured;
  return {
      absl::StrCat(m.row),
      m.model,
      point.query.target->name,
      Label({m.unit, m.runtime, m.precision, m.mode, m.batch == "1" ? "" : absl::StrCat("batch ", m.batch)}, m.metric),
      absl::StrFormat("%.4g", m.value),
      absl::StrFormat("%.4g", point.prediction.value),
      ShareText(ErrorOf({point.prediction.value, m.value})),
      ShareText(point.prediction.evidence_share),
      TimeInText(point.prediction)};
}

// The row of points that share something.
std::vector<std::string> PartCells(const std::string& common, const Summary& summary) {
  return {common,
          absl::StrCat(summary.n),
          absl::StrCat(summary.families),
          ShareText(summary.median),
          ShareText(summary.p90),
          ShareText(summary.coverage80)};
}

std::vector<std::string> EvidenceCells(const EvidenceBin& bin) {
  const std::string share = bin.low.has_value() ? absl::StrFormat("%.0f to %.0f %%", *bin.low * 100, *bin.high * 100)
                                                : std::string("not calibrated");
  return PartCells(share, bin.summary);
}

std::vector<std::string> TrustCells(const TrustRow& row) {
  return PartCells(row.trust.empty() ? "not rated" : row.trust, row.summary);
}

std::vector<std::string> PartTitles() { return {"n", "families", "median", "p90", "in 80 %"}; }

TextTable PartTable(const std::string& first) {
  std::vector<Column> columns = {{.title = first}};
  for (const std::string& title : PartTitles()) columns.push_back({.title = title, .align = Align::kRight});
  return TextTable(std::move(columns));
}

std::string EvidenceText(const Validation& validation, const ReportOptions& options) {
  TextTable table = PartTable("time in measured work");
  for (const EvidenceBin& bin : validation.evidence) table.Add(EvidenceCells(bin));
  return table.Print(options);
}

// Nothing where the file rates no row.
std::string TrustText(const Validation& validation, const ReportOptions& options) {
  if (validation.trust.empty() || (validation.trust.size() == 1 && validation.trust[0].trust.empty())) return "";
  TextTable table = PartTable("trust of the rows");
  for (const TrustRow& row : validation.trust) table.Add(TrustCells(row));
  return absl::StrCat(table.Print(options), "\n");
}

std::string PointsText(const Validation& validation, int64_t count, const ReportOptions& options) {
  TextTable table({{.title = "row", .align = Align::kRight},
                   {.title = "model", .squeeze = Squeeze::kShorten},
                   {.title = "target", .squeeze = Squeeze::kShorten},
                   {.title = "measured as", .squeeze = Squeeze::kShorten},
                   {.title = "measured", .align = Align::kRight},
                   {.title = "predicted", .align = Align::kRight},
                   {.title = "error", .align = Align::kRight},
                   {.title = "covered", .align = Align::kRight},
                   {.title = "time in", .squeeze = Squeeze::kShorten}});
  for (const size_t i : FurthestOff(validation.points, count)) table.Add(PointCells(validation.points[i]));
  return table.Print(options);
}

std::string SkippedText(const Validation& validation, const ReportOptions& options) {
  TextTable table({{.title = "rows", .align = Align::kRight}, {.title = "skipped because", .squeeze = Squeeze::kWrap}});
  for (const SkippedRows& row : validation.skipped) table.Add({absl::StrCat(row.count), row.reason});
  std::string text = table.Print(options);
  if (validation.unknown_devices.empty()) return text;
  std::vector<std::string> names;
  for (const DeviceRows& row : validation.unknown_devices) {
    if (names.size() == kDevicesNamed) break;
    names.push_back(absl::StrCat(row.device, " (", row.count, ")"));
  }
  const size_t more = validation.unknown_devices.size() - names.size();
  if (more > 0) names.push_back(absl::StrCat(more, " more"));
  absl::StrAppend(&text, "\nNo target is measured as these devices; --target NAME predicts their rows all the same:\n");
  return absl::StrCat(text, Wrapped(EscapeControl(absl::StrJoin(names, ", ")), "  ", "  ", options));
}

size_t SkippedCount(const Validation& validation) {
  size_t count = 0;
  for (const SkippedRows& row : validation.skipped) count += row.count;
  return count;
}

std::string HeadText(const Validation& validation, const ValidationRequest& request) {
  const size_t skipped = SkippedCount(validation);
  const auto exact = std::count_if(validation.points.begin(), validation.points.end(),
                                   [](const Point& point) { return point.measured.closeness == Closeness::kExact; });
  return absl::StrCat(validation.points.size() + skipped, " rows: ", validation.points.size(), " predicted (", exact,
                      " exact matches, which the tables are about), ", skipped, " skipped; ",
                      request.leave_out == "none" ? std::string("nothing fitted here")
                                                  : absl::StrCat("left out: one ", request.leave_out, " at a time"),
                      request.target.empty() ? "" : absl::StrCat("; all on ", request.target));
}

std::string MarkdownRow(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) absl::StrAppend(&text, " ", MarkdownCell(cell), " |");
  return absl::StrCat(text, "\n");
}

std::string MarkdownHead(const std::vector<std::string>& texts, const std::vector<std::string>& numbers) {
  std::string rule = "|";
  for (size_t i = 0; i < texts.size(); ++i) absl::StrAppend(&rule, " --- |");
  for (size_t i = 0; i < numbers.size(); ++i) absl::StrAppend(&rule, " ---: |");
  return absl::StrCat("\n", MarkdownRow(Joined(texts, numbers)), rule, "\n");
}

std::string MarkdownTables(const Validation& validation) {
  const std::vector<std::string> titles = MeasureTitles();
  std::string text =
      MarkdownHead({"family", "unit", "runtime", "precision", "metric"}, Joined({"devices", "fitted"}, titles));
  for (const Pool& pool : validation.pools) {
    absl::StrAppend(&text, MarkdownRow(Joined({pool.family, pool.unit, pool.runtime, pool.precision, pool.metric,
                                               absl::StrCat(pool.devices), absl::StrCat(pool.fitted)},
                                              MeasureCells(pool.summary, pool.least_spearman))));
  }
  absl::StrAppend(&text, MarkdownHead({"time in measured work"}, PartTitles()));
  for (const EvidenceBin& bin : validation.evidence) absl::StrAppend(&text, MarkdownRow(EvidenceCells(bin)));
  absl::StrAppend(&text, MarkdownHead({"trust of the rows"}, PartTitles()));
  for (const TrustRow& row : validation.trust) absl::StrAppend(&text, MarkdownRow(TrustCells(row)));
  absl::StrAppend(&text, MarkdownHead({"target", "device", "unit", "runtime", "precision", "mode", "metric"},
                                      Joined({"families", "fitted"}, titles)));
  for (const ValidationRow& row : validation.rows) {
    absl::StrAppend(
        &text, MarkdownRow(Joined({row.target, row.device, row.unit, row.runtime, row.precision, row.mode, row.metric,
                                   absl::StrCat(row.summary.families), absl::StrCat(row.fitted)},
                                  MeasureCells(row.summary, row.spearman))));
  }
  return text;
}

}  // namespace

std::string ValidationText(const Validation& validation, const ValidationRequest& request,
                           const ReportOptions& options) {
  std::string text = absl::StrCat(HeadText(validation, request), "\n");
  if (!validation.rows.empty()) {
    absl::StrAppend(&text, "\n", RowsText(validation, options), "\n", PoolsText(validation, options), "\n",
                    EvidenceText(validation, options), "\n", TrustText(validation, options), kLegend);
  }
  if (!validation.points.empty()) {
    absl::StrAppend(&text, "\nFurthest off\n", PointsText(validation, options.top.value_or(kTopInText), options));
  }
  if (!validation.skipped.empty()) absl::StrAppend(&text, "\n", SkippedText(validation, options));
  return text;
}

std::string ValidationMarkdown(const Validation& validation, const ValidationRequest& request,
                               const ReportOptions& options) {
  std::string text = absl::StrCat("# Validation\n\n", MarkdownCell(HeadText(validation, request)), "\n\n",
                                  MarkdownCell(absl::StrJoin(absl::StrSplit(kLegend, '\n', absl::SkipEmpty()), " ")),
                                  "\n", MarkdownTables(validation));
  if (options.top.has_value() && !validation.points.empty()) {
    absl::StrAppend(&text, MarkdownHead({"row", "model", "target", "measured as"},
                                        {"measured", "predicted", "error", "covered", "time in"}));
    for (const size_t i : FurthestOff(validation.points, *options.top)) {
      absl::StrAppend(&text, MarkdownRow(PointCells(validation.points[i])));
    }
  }
  if (validation.skipped.empty()) return text;
  absl::StrAppend(&text, MarkdownHead({"skipped because"}, {"rows"}));
  for (const SkippedRows& row : validation.skipped) {
    absl::StrAppend(&text, MarkdownRow({row.reason, absl::StrCat(row.count)}));
  }
  return text;
}

}  // namespace hwest

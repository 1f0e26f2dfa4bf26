#include "budget/report.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "chart/axis.h"
#include "report/document.h"
#include "report/still_page.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr size_t kSummaryBytes = 900'000;  // a job summary holds 1 MiB

std::string Amount(const LimitLine& line, const std::optional<double>& amount) {
  return amount.has_value() ? AmountText(*amount, InfoOf(line.limit.figure).kind) : "unknown";
}

std::string IntervalText(const LimitLine& line) {
  if (!line.low.has_value() || !line.high.has_value() || line.low == line.high) return "";
  return absl::StrCat(Amount(line, line.low), " to ", Amount(line, line.high));
}

// "+20.6 %" of the limit is left; "" where the limit is 0.
std::string MarginText(const LimitLine& line) {
  if (!line.margin.has_value() || line.limit.bound <= 0) return "";
  return absl::StrFormat("%+.1f %%", *line.margin / line.limit.bound * 100);
}

// "73 %"; "" for a figure without an interval.
std::string ProbabilityText(const LimitLine& line) {
  if (!line.probability.has_value()) return "";
  if (*line.probability < 0.01) return "<1 %";
  return *line.probability > 0.99 ? ">99 %" : absl::StrFormat("%.0f %%", *line.probability * 100);
}

std::string PlaceText(const Budget& budget, int line) {
  if (budget.path.empty()) return "";
  return line > 0 ? absl::StrCat(EscapeControl(budget.path), ":", line) : EscapeControl(budget.path);
}

std::string HeadText(const CheckResult& result) {
  const std::string mode = result.mode.empty() ? "" : absl::StrCat(", mode ", EscapeControl(result.mode));
  return absl::StrCat(EscapeControl(result.check.model), " on ", EscapeControl(result.target), mode, ", ",
                      EscapeControl(result.precision), ", batch ", result.batch);
}

Style StyleOf(BudgetVerdict verdict) {
  constexpr Style kStyles[] = {Style::kGood, Style::kWarn, Style::kWarn, Style::kBad};
  static_assert(std::size(kStyles) == kNumEnumerators<BudgetVerdict>);
  return kStyles[static_cast<size_t>(verdict)];
}

std::string CheckText(const Budget& budget, const CheckResult& result, const ReportOptions& options) {
  std::string text =
      absl::StrCat(Paint(HeadText(result), Style::kBold, options.color), ": ",
                   Paint(BudgetVerdictName(result.verdict), StyleOf(result.verdict), options.color), "\n");
  if (!result.misfit.empty()) absl::StrAppend(&text, Wrapped(EscapeControl(result.misfit), "  ", "    ", options));
  TextTable table({{.title = "verdict"},
                   {.title = "limit"},
                   {.title = "judge"},
                   {.title = "value", .align = Align::kRight},
                   {.title = "80 % interval", .align = Align::kRight},
                   {.title = "room", .align = Align::kRight},
                   {.title = "holds with", .align = Align::kRight},
                   {.title = budget.path.empty() ? "" : "line", .squeeze = Squeeze::kShorten}});
  std::string help;
  for (const LimitLine& line : result.lines) {
    table.Add({std::string(BudgetVerdictName(line.verdict)), LimitText(line.limit),
               std::string(JudgeName(line.limit.judge)), Amount(line, line.value), IntervalText(line), MarginText(line),
               ProbabilityText(line), PlaceText(budget, line.limit.line)});
    if (line.verdict == BudgetVerdict::kOk) continue;
    absl::StrAppend(&help, "\n  ", InfoOf(line.limit.figure).name, ": ", FindingText(line), "\n");
    for (const std::string& one : HelpTexts(line)) absl::StrAppend(&help, Wrapped(one, "    ", "      ", options));
  }
  return absl::StrCat(text, table.Print(options), help);
}

std::string MisfitMarkdown(const CheckResult& result) {
  return result.misfit.empty() ? "" : absl::StrCat("\n\n**Does not fit:** ", MarkdownCell(result.misfit));
}

std::string CheckMarkdown(const CheckResult& result) {
  std::string text = absl::StrCat("\n## ", MarkdownCell(HeadText(result)), ": ", BudgetVerdictName(result.verdict),
                                  MisfitMarkdown(result),
                                  "\n\n| verdict | limit | judge | value | 80 % interval | room | holds with |\n"
                                  "| --- | --- | --- | ---: | ---: | ---: | ---: |\n");
  std::string help;
  for (const LimitLine& line : result.lines) {
    // clang-format off
    const std::string cells[] = {std::string(BudgetVerdictName(line.verdict)), LimitText(line.limit),
                                 std::string(JudgeName(line.limit.judge)),     Amount(line, line.value),
                                 IntervalText(line),                           MarginText(line),
                                 ProbabilityText(line)};
    // clang-format on
    text += "|";
    for (const std::string& cell : cells) absl::StrAppend(&text, " ", MarkdownCell(cell), " |");
    text += "\n";
    if (line.verdict == BudgetVerdict::kOk) continue;
    absl::StrAppend(&help, "\n- **", InfoOf(line.limit.figure).name, "**: ", MarkdownCell(FindingText(line)), "\n");
    for (const std::string& one : HelpTexts(line)) absl::StrAppend(&help, "  - ", MarkdownCell(one), "\n");
  }
  return absl::StrCat(text, help);
}

// Broken checks first, and as many as fit a job summary.
std::string ChecksMarkdown(const std::vector<CheckResult>& results) {
  std::string text = absl::StrCat("# Budget: ", BudgetVerdictName(WorstOf(results)), "\n");
  size_t left_out = 0;
  for (const bool holds : {false, true}) {
    for (const CheckResult& result : results) {
      if ((result.verdict == BudgetVerdict::kOk) != holds) continue;
      const std::string one = CheckMarkdown(result);
      if (text.size() + one.size() > kSummaryBytes) {
        ++left_out;
      } else {
        text += one;
      }
    }
  }
  if (left_out > 0) absl::StrAppend(&text, "\n", left_out, " more checks are left out: the page would be too long.\n");
  return text;
}

// Each figure as a share of its limit, with its interval: up to the line at 100 % it holds, from there on where the
// limit is the least that is allowed.
Drawing CheckChart(const CheckResult& result) {
  constexpr double kWidth = 1100, kNames = 330, kBeside = 170, kRow = 24;
  Drawing drawing(kWidth, "Figures over their limits", {});
  std::vector<const LimitLine*> lines;
  double most = 1.2;
  for (const LimitLine& line : result.lines) {
    if (!line.value.has_value() || line.limit.bound <= 0) continue;
    lines.push_back(&line);
    most = std::max(most, std::max(*line.value, line.high.value_or(0)) / line.limit.bound);
  }
  most = std::min(most * 1.05, 4.0);
  const Plot plot{.left = Drawing::kMargin + kNames,
                  .top = drawing.y,
                  .width = kWidth - 2 * Drawing::kMargin - kNames - kBeside,
                  .height = kRow * static_cast<double>(lines.size()) + 4};
  const Axis axis = Axis::Linear(most, plot.Across(), 8);
  DrawAxisBelow(
      plot, axis, [](double share) { return absl::StrFormat("%.0f %%", share * 100); }, "share of the limit", &drawing);
  for (const LimitLine* line : lines) {
    const auto at = [&](double amount) { return axis.At(std::min(amount / line->limit.bound, axis.high())); };
    const bool holds = line->verdict == BudgetVerdict::kOk;
    const Tint tint = TintAt(holds ? 0 : 1);
    const std::string words =
        absl::StrCat(BudgetVerdictName(line->verdict), ": ", LimitText(line->limit), ", ", FindingText(*line));
    drawing.Text(plot.left - 8, drawing.y + 16, LimitText(line->limit), {.size = 11, .anchor = Anchor::kEnd});
    drawing.Box(plot.left, drawing.y + 4, at(*line->value) - plot.left, kRow - 8, tint.fill, tint.line, words);
    if (line->low.has_value() && line->high.has_value()) {
      drawing.Line(at(*line->low), drawing.y + kRow / 2, at(*line->high), drawing.y + kRow / 2, kInk);
    }
    drawing.Text(plot.right() + 10, drawing.y + 16,
                 absl::StrCat(Amount(*line, line->value), ", ", BudgetVerdictName(line->verdict)), {.size = 11});
    drawing.y += kRow;
  }
  drawing.Line(axis.At(1), plot.top, axis.At(1), plot.bottom(), kInk, {.width = 1.5, .is_dashed = true});
  drawing.y += 46;
  return drawing;
}

std::string CheckPage(const Budget& budget, const std::vector<CheckResult>& results) {
  StillPage page(absl::StrCat("Budget: ", BudgetVerdictName(WorstOf(results))));
  size_t held = 0;
  for (const CheckResult& result : results) held += result.verdict == BudgetVerdict::kOk ? 1 : 0;
  page.Paragraph(absl::StrCat(held, " of ", results.size(), results.size() == 1 ? " check holds" : " checks hold",
                              budget.path.empty() ? "" : absl::StrCat(", ", budget.path)));
  for (const CheckResult& result : results) {
    page.Heading(absl::StrCat(HeadText(result), ": ", BudgetVerdictName(result.verdict)));
    if (!result.misfit.empty()) page.Paragraph(result.misfit);
    if (!result.lines.empty()) page.Picture(CheckChart(result));
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> help;
    for (const LimitLine& line : result.lines) {
      rows.push_back({std::string(BudgetVerdictName(line.verdict)), LimitText(line.limit),
                      std::string(JudgeName(line.limit.judge)), Amount(line, line.value), IntervalText(line),
                      MarginText(line), ProbabilityText(line), PlaceText(budget, line.limit.line)});
      if (line.verdict == BudgetVerdict::kOk) continue;
      help.push_back(absl::StrCat(InfoOf(line.limit.figure).name, ": ", FindingText(line)));
      for (const std::string& one : HelpTexts(line)) help.push_back(one);
    }
    page.Table({"verdict", "limit", "judge", "value", "80 % interval", "room", "holds with", "line"}, rows);
    for (const std::string& one : help) page.Paragraph(one);
  }
  return page.Finish();
}

Cell GroupsCell(const LimitLine& line) {
  Cell groups = Cell::OfList();
  for (const CostlyGroup& group : line.groups) {
    // clang-format off
    groups.push_back(Cell{{"id", group.id.index()}, {"name", group.label}, {"pattern", group.pattern},
                          {"amount", group.amount},
                          {"share", group.share}});
    // clang-format on
  }
  return groups;
}

Cell MendCell(const std::optional<Mend>& mend) {
  if (!mend.has_value()) return Cell();
  return Cell{{"change", mend->change},
              {"flags", mend->flags},
              {"value", mend->value},
              {"mends", mend->mends},
              {"command", mend->command.empty() ? Cell() : Cell(mend->command)}};
}

// Counts and bytes are whole numbers.
Cell AmountCell(const LimitLine& line, const std::optional<double>& amount) {
  const AmountKind kind = InfoOf(line.limit.figure).kind;
  if (!amount.has_value()) return Cell();
  const bool is_whole = (kind == AmountKind::kCount || kind == AmountKind::kBytes) && std::fabs(*amount) < 9e18 &&
                        *amount == std::floor(*amount);
  return is_whole ? Cell(static_cast<int64_t>(*amount)) : Cell(*amount);
}

Cell LineCell(const Budget& budget, const LimitLine& line) {
  return Cell{{"figure", InfoOf(line.limit.figure).name},
              {"limit", AmountCell(line, line.limit.bound)},
              {"judge", JudgeName(line.limit.judge)},
              {"value", AmountCell(line, line.value)},
              {"low", AmountCell(line, line.low)},
              {"high", AmountCell(line, line.high)},
              {"margin", AmountCell(line, line.margin)},
              {"verdict", BudgetVerdictName(line.verdict)},
              {"probability", line.probability.has_value() ? Cell(*line.probability) : Cell()},
              {"file", budget.path.empty() ? Cell() : Cell(budget.path)},
              {"line", line.limit.line > 0 ? Cell(line.limit.line) : Cell()},
              {"why", line.why.empty() ? Cell() : Cell(line.why)},
              {"groups", GroupsCell(line)},
              {"mend", MendCell(line.mend)}};
}

const std::vector<std::string>& CheckKeys() {
  static const auto* const keys =
      new std::vector<std::string>{"model", "target", "mode", "precision", "batch", "verdict", "lines", "fits", "dims"};
  return *keys;
}

Cells CheckCells(const Budget& budget, const CheckResult& result) {
  Cell lines = Cell::OfList();
  for (const LimitLine& line : result.lines) lines.push_back(LineCell(budget, line));
  Cell dims = Cell::OfObject();
  for (const auto& [name, size] : result.check.dims) dims.Set(name, size);
  return {Cell(result.check.model), Cell(result.target), result.mode.empty() ? Cell() : Cell(result.mode),
          Cell(result.precision),   Cell(result.batch),  Cell(BudgetVerdictName(result.verdict)),
          std::move(lines),         Cell(result.fits),   std::move(dims)};
}

Document CheckDocument(const Budget& budget, const std::vector<CheckResult>& results) {
  Document document;
  document.kind = ReportKind::kCheck;
  document.parts.push_back({"request", Cell{{"budget", budget.path.empty() ? Cell() : Cell(budget.path)}}});
  document.parts.push_back({"diagnostics", Cell::OfList()});
  document.parts.push_back({"verdict", Cell(BudgetVerdictName(WorstOf(results)))});
  std::vector<Cells> rows;
  for (const CheckResult& result : results) rows.push_back(CheckCells(budget, result));
  document.parts.push_back({"checks", TableOfCells(CheckKeys(), std::move(rows))});
  return document;
}

// A row for each limit.
Document LinesDocument(const Budget& budget, const std::vector<CheckResult>& results) {
  constexpr const char* kOfCheck[] = {"model", "target", "mode", "precision", "batch"};
  constexpr const char* kOfLine[] = {"figure", "limit",   "judge",       "value", "low",  "high",
                                     "margin", "verdict", "probability", "file",  "line", "why"};
  std::vector<std::string> keys(std::begin(kOfCheck), std::end(kOfCheck));
  keys.insert(keys.end(), std::begin(kOfLine), std::end(kOfLine));
  keys.emplace_back("help");
  std::vector<Cells> rows;
  for (const CheckResult& result : results) {
    for (const LimitLine& line : result.lines) {
      Cells cells = CheckCells(budget, result);
      cells.resize(std::size(kOfCheck));
      const Cell all = LineCell(budget, line);
      for (size_t i = 0; i < std::size(kOfLine); ++i) cells.push_back((*all.object())[i].second);
      cells.push_back(Cell(absl::StrJoin(HelpTexts(line), "; ")));
      rows.push_back(std::move(cells));
    }
  }
  Document document;
  document.kind = ReportKind::kCheck;
  document.parts.push_back({"lines", TableOfCells(keys, std::move(rows))});
  document.tables = {"lines"};
  return document;
}

}  // namespace

std::string LimitText(const BudgetLimit& limit) {
  const FigureInfo& info = InfoOf(limit.figure);
  const std::string bound = AmountText(limit.bound, info.kind);
  if (!limit.against.empty()) return absl::StrCat(info.name, " at most ", bound);
  const std::string allow = limit.allow.empty() ? "" : absl::StrCat(" without ", absl::StrJoin(limit.allow, ", "));
  return EscapeControl(absl::StrCat(info.name, info.at_least ? " at least " : " at most ", bound, allow));
}

std::string FindingText(const LimitLine& line) {
  if (line.verdict == BudgetVerdict::kUnknown) {
    const char* const part = InfoOf(line.limit.figure).at_least ? "at most " : "at least ";
    return absl::StrCat(line.value.has_value() ? absl::StrCat(part, Amount(line, line.value), ", more is not known: ")
                                               : std::string("unknown: "),
                        EscapeControl(line.why));
  }
  std::string text = Amount(line, line.value);
  if (!IntervalText(line).empty()) absl::StrAppend(&text, " (", IntervalText(line), ")");
  if (!line.margin.has_value()) return text;
  const std::string by = AmountText(std::fabs(*line.margin), InfoOf(line.limit.figure).kind);
  const bool over = *line.margin < 0;
  const bool least = InfoOf(line.limit.figure).at_least;
  const std::string share = line.limit.bound > 0 ? absl::StrFormat(" (%.1f %% of the limit)",
                                                                   std::fabs(*line.margin) / line.limit.bound * 100)
                                                 : "";
  const bool is_end = line.limit.judge == Judge::kUpper && !IntervalText(line).empty();
  return absl::StrCat(text, is_end ? ", at the worse end " : ", ", by,
                      over ? (least ? " too little" : " too much") : " of room", share,
                      line.verdict == BudgetVerdict::kUndecided ? "; the limit lies inside the interval" : "",
                      line.probability.has_value() ? absl::StrCat("; holds with ", ProbabilityText(line)) : "");
}

std::vector<std::string> HelpTexts(const LimitLine& line) {
  std::vector<std::string> texts;
  std::vector<std::string> groups;
  const AmountKind kind = GroupAmountKind(line.limit.figure);
  for (const CostlyGroup& group : line.groups) {
    groups.push_back(absl::StrCat("g", group.id.index(), " ", group.pattern, " '", EscapeControl(group.label), "' ",
                                  AmountText(group.amount, kind), " (", Percent(group.share), ")"));
  }
  if (line.verdict != BudgetVerdict::kUnknown && !line.why.empty()) texts.push_back(EscapeControl(line.why));
  if (!groups.empty()) texts.push_back(absl::StrCat("most expensive: ", absl::StrJoin(groups, ", ")));
  if (line.mend.has_value()) {
    texts.push_back(absl::StrCat(
        line.mend->mends ? "would mend it: " : "would help, but not enough: ", EscapeControl(line.mend->change),
        ", then ", AmountText(line.mend->value, InfoOf(line.limit.figure).kind), line.mend->command.empty() ? "" : ": ",
        line.mend->command));
  } else if (line.was_tried) {
    texts.push_back("no change that was tried brings it nearer to the limit");
  }
  return texts;
}

absl::Status WriteCheck(const Budget& budget, const std::vector<CheckResult>& results, const ReportOptions& options,
                        Sink sink) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kCheck, options.format));
  switch (options.format) {
    case Format::kText: {
      std::vector<std::string> texts;
      for (const CheckResult& result : results) texts.push_back(CheckText(budget, result, options));
      return sink(absl::StrJoin(texts, "\n"));
    }
    case Format::kCsv: return WriteDocument(LinesDocument(budget, results), options, sink);
    case Format::kMarkdown: return sink(ChecksMarkdown(results));
    case Format::kHtml: return sink(CheckPage(budget, results));
    case Format::kJunit: return sink(CheckAsJunit(budget, results));
    case Format::kSarif: return sink(CheckAsSarif(budget, results));
    case Format::kCodeQuality: return sink(CheckAsCodeQuality(budget, results));
    case Format::kOpenMetrics: return sink(CheckAsOpenMetrics(budget, results));
    case Format::kBenchmark: return sink(CheckAsBenchmark(results));
    case Format::kBencher: return sink(CheckAsBencher(results));
    default: return WriteDocument(CheckDocument(budget, results), options, sink);
  }
}

}  // namespace hwest

// A comparison as a document.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "diff/diff.h"
#include "report/document.h"
#include "report/read_json.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr int64_t kDefaultTop = 20;
constexpr char kMarks[] = {'-', '+', '~', '>', 'g'};  // by kind
static_assert(std::size(kMarks) == kNumEnumerators<ChangeKind>);

Cell MaybeCell(const std::optional<std::string>& text) { return text.has_value() ? Cell(*text) : Cell(); }

Cell SideCell(const DiffSide& side) {
  return Cell{{"model", side.model},
              {"target", MaybeCell(side.target)},
              {"mode", MaybeCell(side.mode)},
              {"precision", MaybeCell(side.precision)},
              {"summary", side.summary}};
}

Cell NameCell(const std::string& name) { return name.empty() ? Cell() : Cell(name); }

CellTable NodesTable(const DiffResult& diff) {
  Columns columns;
  for (const char* key : {"change", "a", "b", "op", "name_a", "name_b", "what", "delta_s"}) columns.push_back({key});
  return {std::move(columns), diff.nodes.size(), [&diff](size_t i) {
            const NodeChange& row = diff.nodes[i];
            return Cells{Cell(ChangeKindName(row.kind)), Cell(row.a),          Cell(row.b),    Cell(row.op),
                         NameCell(row.name_a),           NameCell(row.name_b), Cell(row.what), Cell(row.delta_s)};
          }};
}

Document DiffDocument(const DiffSide& a, const DiffSide& b, const DiffResult& diff) {
  Document document;
  document.kind = ReportKind::kDiff;
  document.parts.push_back({"request", Cell{{"a", a.model}, {"b", b.model}}});
  document.parts.push_back({"diagnostics", Cell::OfList()});
  document.parts.push_back({"a", SideCell(a)});
  document.parts.push_back({"b", SideCell(b)});
  document.parts.push_back({"same", Cell(diff.same)});
  document.parts.push_back({"segments_delta_s", Cell(diff.segments_delta_s)});
  std::vector<Cells> totals, modules;
  for (const TotalChange& row : diff.totals)
    totals.push_back({Cell(row.key), row.a, row.b, Cell(row.delta), Cell(row.share)});
  for (const ModuleChange& row : diff.modules)
    modules.push_back({Cell(row.path), Cell(row.a_s), Cell(row.b_s), Cell(row.delta_s)});
  document.parts.push_back({"totals", TableOfCells({"key", "a", "b", "delta", "share"}, std::move(totals))});
  document.parts.push_back({"modules", TableOfCells({"path", "a_s", "b_s", "delta_s"}, std::move(modules))});
  document.parts.push_back({"nodes", NodesTable(diff)});
  document.tables = {"nodes"};
  return document;
}

std::string SideText(const DiffSide& side) {
  std::vector<std::string> words = {EscapeControl(side.model)};
  if (side.target.has_value()) words.push_back(absl::StrCat("on ", EscapeControl(*side.target)));
  if (side.mode.has_value()) words.push_back(absl::StrCat("mode ", EscapeControl(*side.mode)));
  if (side.precision.has_value()) words.push_back(EscapeControl(*side.precision));
  const Cell* const fits = FindMember(side.summary, "fits");
  if (fits != nullptr && fits->truth() != nullptr && !*fits->truth()) words.emplace_back("does not fit into memory");
  return absl::StrJoin(words, ", ");
}

// "+1.234 ms", "0 s"
std::string SignedSeconds(double seconds) { return absl::StrCat(seconds > 0 ? "+" : "", FormatSeconds(seconds)); }

std::string CellWords(const TotalChange& total, const Cell& cell, bool whole, Shown shown) {
  if (!cell.is_number()) return CellText(cell, "unknown");
  if (whole || total.bound == BoundKind::kNone) return whole ? FigureShown(cell.figure(), shown) : "unknown";
  return absl::StrCat(total.bound == BoundKind::kAtMost ? "<= " : ">= ", FigureShown(cell.figure(), shown));
}

// Rows of cells for text and Markdown alike.
using Rows = std::vector<std::vector<std::string>>;

void AddTotalRow(const DiffResult& diff, absl::string_view key, const std::string& title, Shown shown, Rows* rows) {
  const auto total =
      std::find_if(diff.totals.begin(), diff.totals.end(), [&](const TotalChange& row) { return row.key == key; });
  if (total == diff.totals.end()) return;
  std::string delta = "unknown", share;
  if (total->delta.has_value()) {
    const std::string change = FigureShown(std::fabs(*total->delta), shown);
    delta = *total->delta == 0 ? "=" : absl::StrCat(*total->delta > 0 ? "+" : "-", change);
    if (*total->delta != 0 && total->share.has_value()) share = absl::StrFormat("%+.1f %%", *total->share * 100);
  } else if (total->a.truth() != nullptr && total->b.truth() != nullptr) {
    delta = std::string(*total->a.truth() == *total->b.truth() ? "=" : "changed");
  }
  rows->push_back({title, CellWords(*total, total->a, total->a_whole, shown),
                   CellWords(*total, total->b, total->b_whole, shown), delta, share});
}

Rows TotalRows(const DiffResult& diff) {
  constexpr const SummaryView* kSummary = nullptr;
  Rows rows;
  if (diff.is_llm) {
    for (const LlmFigure& figure : LlmFigures()) AddTotalRow(diff, figure.key, figure.title, figure.shown, &rows);
    return rows;
  }
  for (const TextColumn& line : TextColumnsOf(kSummary)) {
    AddTotalRow(diff, ColumnsOf(kSummary)[line.column].key, line.title, line.shown, &rows);
  }
  return rows;
}

// Modules worth listing: of nested modules with the same difference, only the innermost.
Rows ModuleRows(const DiffResult& diff, const ReportOptions& options) {
  Rows rows;
  std::vector<double> weights;
  for (size_t i = 0; i < diff.modules.size(); ++i) {
    const ModuleChange& row = diff.modules[i];
    if (row.path.empty()) continue;
    const bool has_inner = i + 1 < diff.modules.size() && absl::StartsWith(diff.modules[i + 1].path, row.path) &&
                           diff.modules[i + 1].delta_s == row.delta_s;
    if (has_inner) continue;
    const auto text = [](const std::optional<double>& seconds) {
      return seconds.has_value() ? FormatSeconds(*seconds) : std::string("-");
    };
    rows.push_back({EscapeControl(row.path), text(row.a_s), text(row.b_s),
                    row.delta_s.has_value() ? SignedSeconds(*row.delta_s) : std::string("unknown")});
    weights.push_back(std::fabs(row.delta_s.value_or(0)));
  }
  // As many modules as nodes, in order.
  const auto top = static_cast<size_t>(options.top.value_or(kDefaultTop));
  if (top == 0 || rows.size() <= top) return rows;
  std::vector<double> heaviest = weights;
  std::nth_element(heaviest.begin(), heaviest.begin() + static_cast<ptrdiff_t>(top - 1), heaviest.end(),
                   std::greater<>());
  Rows kept;
  for (size_t i = 0; i < rows.size() && kept.size() < top; ++i) {
    if (weights[i] >= heaviest[top - 1]) kept.push_back(std::move(rows[i]));
  }
  return kept;
}

// An unknown difference may have any weight.
double WeightOf(const NodeChange& row) {
  return row.delta_s.has_value() ? std::fabs(*row.delta_s) : std::numeric_limits<double>::infinity();
}

std::string DeltaText(const NodeChange& row) {
  if (!row.delta_s.has_value()) return "unknown";
  return *row.delta_s == 0 ? "" : SignedSeconds(*row.delta_s);
}

// The nodes with the largest differences, largest first.
std::vector<size_t> TopNodes(const DiffResult& diff, const ReportOptions& options) {
  std::vector<size_t> nodes(diff.nodes.size());
  std::iota(nodes.begin(), nodes.end(), size_t{0});
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](size_t x, size_t y) { return WeightOf(diff.nodes[x]) > WeightOf(diff.nodes[y]); });
  const auto top = static_cast<size_t>(options.top.value_or(kDefaultTop));
  if (top > 0 && nodes.size() > top) nodes.resize(top);
  return nodes;
}

Rows NodeRows(const DiffResult& diff, const ReportOptions& options) {
  Rows rows;
  for (const size_t i : TopNodes(diff, options)) {
    const NodeChange& row = diff.nodes[i];
    const bool renamed = !row.name_a.empty() && !row.name_b.empty() && row.name_a != row.name_b;
    std::vector<std::string> what = row.what;
    if (renamed) what.push_back(absl::StrCat("was ", row.name_a));
    rows.push_back({std::string(1, kMarks[static_cast<size_t>(row.kind)]), DeltaText(row), EscapeControl(row.op),
                    EscapeControl(row.name_b.empty() ? row.name_a : row.name_b),
                    EscapeControl(absl::StrJoin(what, "; "))});
  }
  return rows;
}

std::string NodesTitle(const DiffResult& diff, const ReportOptions& options) {
  size_t counts[5] = {};
  for (const NodeChange& row : diff.nodes) ++counts[static_cast<size_t>(row.kind)];
  std::vector<std::string> parts;
  for (size_t i = 0; i < 5; ++i) {
    if (counts[i] > 0) parts.push_back(absl::StrCat(counts[i], " ", ChangeKindName(static_cast<ChangeKind>(i))));
  }
  const size_t shown = TopNodes(diff, options).size();
  return absl::StrCat("Nodes: ", absl::StrJoin(parts, ", "),
                      shown < diff.nodes.size() ? absl::StrCat("; the ", shown, " that weigh most") : std::string());
}

std::string DiffText(const DiffSide& a, const DiffSide& b, const DiffResult& diff, const ReportOptions& options) {
  std::string text = absl::StrCat("a  ", SideText(a), "\nb  ", SideText(b), "\n\n");
  if (diff.same) return absl::StrCat(text, "No difference.\n");
  // clang-format off
  TextTable totals({{.title = ""}, {.title = "a", .align = Align::kRight}, {.title = "b", .align = Align::kRight},
                    {.title = "difference", .align = Align::kRight}, {.title = "", .align = Align::kRight}});
  // clang-format on
  for (std::vector<std::string>& row : TotalRows(diff)) totals.Add(std::move(row));
  absl::StrAppend(&text, totals.Print(options));
  const Rows modules = ModuleRows(diff, options);
  if (!modules.empty()) {
    TextTable table({{.title = "module", .squeeze = Squeeze::kShorten},
                     {.title = "a", .align = Align::kRight},
                     {.title = "b", .align = Align::kRight},
                     {.title = "difference", .align = Align::kRight}});
    for (const std::vector<std::string>& row : modules) table.Add(row);
    absl::StrAppend(&text, "\n", Paint("Modules", Style::kBold, options.color), "\n", table.Print(options));
  }
  if (!diff.nodes.empty()) {
    // clang-format off
    TextTable table({{.title = ""}, {.title = "difference", .align = Align::kRight}, {.title = "op"},
                     {.title = "node", .squeeze = Squeeze::kShorten}, {.title = "what", .squeeze = Squeeze::kWrap}});
    // clang-format on
    for (std::vector<std::string>& row : NodeRows(diff, options)) table.Add(std::move(row));
    absl::StrAppend(
        &text, "\n", Paint(NodesTitle(diff, options), Style::kBold, options.color), "\n", table.Print(options),
        Wrapped("- removed, + added, ~ changed, > on another unit, g in another kind of group", "  ", "  ", options));
  }
  if (diff.segments_delta_s != 0) {
    absl::StrAppend(&text, "\nTransfers and invocations: ", SignedSeconds(diff.segments_delta_s), "\n");
  }
  return text;
}

void AddMarkdown(const std::vector<std::string>& titles, const Rows& rows, std::string* text) {
  const auto add = [&](const std::vector<std::string>& cells) {
    *text += '|';
    for (const std::string& cell : cells) absl::StrAppend(text, " ", MarkdownCell(cell), " |");
    *text += '\n';
  };
  add(titles);
  *text += '|';
  for (size_t i = 0; i < titles.size(); ++i) *text += " --- |";
  *text += '\n';
  for (const std::vector<std::string>& row : rows) add(row);
}

std::string DiffMarkdown(const DiffSide& a, const DiffSide& b, const DiffResult& diff, const ReportOptions& options) {
  std::string text =
      absl::StrCat("# Difference\n\n- a: ", MarkdownCell(SideText(a)), "\n- b: ", MarkdownCell(SideText(b)), "\n\n");
  if (diff.same) return absl::StrCat(text, "No difference.\n");
  AddMarkdown({"", "a", "b", "difference", ""}, TotalRows(diff), &text);
  const Rows modules = ModuleRows(diff, options);
  if (!modules.empty()) {
    text += "\n## Modules\n\n";
    AddMarkdown({"module", "a", "b", "difference"}, modules, &text);
  }
  if (!diff.nodes.empty()) {
    absl::StrAppend(&text, "\n## ", NodesTitle(diff, options), "\n\n");
    AddMarkdown({"", "difference", "op", "node", "what"}, NodeRows(diff, options), &text);
  }
  if (diff.segments_delta_s != 0)
    absl::StrAppend(&text, "\nTransfers and invocations: ", SignedSeconds(diff.segments_delta_s), "\n");
  return text;
}

constexpr size_t kMostRows = 2000;  // of a page

Cell ListOfTexts(const std::vector<std::string>& texts) { return Cell::OfList({texts.begin(), texts.end()}); }

// What the page shows around its two panes; see viewer/src/comparison.ts.
Cell ComparisonCell(const DiffSide& a, const DiffSide& b, const DiffResult& diff, const ReportOptions& options) {
  ReportOptions shown = options;
  if (!shown.top.has_value()) shown.top = static_cast<int64_t>(kMostRows);
  const std::vector<size_t> nodes = TopNodes(diff, shown);
  Cell totals = Cell::OfList(), changes = Cell::OfList(), pairs = Cell::OfList();
  for (const std::vector<std::string>& row : TotalRows(diff)) totals.push_back(ListOfTexts(row));
  for (const size_t i : nodes) {
    const NodeChange& row = diff.nodes[i];
    changes.push_back(Cell{{"mark", std::string(1, kMarks[static_cast<size_t>(row.kind)])},
                           {"a", row.a},
                           {"b", row.b},
                           {"op", row.op},
                           {"name", row.name_b.empty() ? row.name_a : row.name_b},
                           {"delta", DeltaText(row)},
                           {"what", row.what}});
  }
  for (const int64_t node : diff.b_of_a) pairs.push_back(node);
  return Cell{{"a", SideText(a)},
              {"b", SideText(b)},
              {"left_out", static_cast<int64_t>(diff.nodes.size() - nodes.size())},
              {"totals", std::move(totals)},
              {"changes", std::move(changes)},
              {"pairs", std::move(pairs)}};
}

}  // namespace

absl::Status WriteDiffPage(const DiffSide& a, const DiffSide& b, const DiffResult& diff, const Analysis* analysis_a,
                           const Analysis* analysis_b, const ReportOptions& options, Sink sink) {
  if (analysis_a == nullptr || analysis_b == nullptr) {
    return MakeError(Code::kUsage, "format html shows two models, and a side is a saved report",
                     "name its model, or use text, json, csv or markdown");
  }
  const View view_a = MakeView(*analysis_a, {.model_path = a.model}),
             view_b = MakeView(*analysis_b, {.model_path = b.model});
  const Document document_a = AnalysisDocument(view_a), document_b = AnalysisDocument(view_b);
  const Document* const documents[] = {&document_a, &document_b};
  return WriteHtmlPage(documents, absl::StrCat(SideText(a), " against ", SideText(b)),
                       DumpJson(ComparisonCell(a, b, diff, options)), sink);
}

absl::Status WriteDiff(const DiffSide& a, const DiffSide& b, const DiffResult& diff, const ReportOptions& options,
                       Sink sink) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kDiff, options.format));
  switch (options.format) {
    case Format::kText: return sink(DiffText(a, b, diff, options));
    case Format::kMarkdown: return sink(DiffMarkdown(a, b, diff, options));
    case Format::kHtml: return WriteDiffPage(a, b, diff, nullptr, nullptr, options, sink);
    default: return WriteDocument(DiffDocument(a, b, diff), options, sink);
  }
}

}  // namespace hwest

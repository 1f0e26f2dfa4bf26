// The text format: analysis, shapes and explain have special pages, every other document prints its tables.
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "partition/support.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

// Numbers with a unit in their key's suffix are printed with it.
std::string ReadableCell(absl::string_view key, const Cell& cell) {
  if (!cell.is_number()) return CellText(cell, "-");
  const double number = cell.figure();
  if (absl::EndsWith(key, "_s")) return FormatSeconds(number);
  if (absl::EndsWith(key, "_bytes")) return FormatBytes(number);
  if (key == "share") return Percent(number);
  if (cell.real() != nullptr && number == std::floor(number) && std::fabs(number) < 1e15) {
    return absl::StrFormat("%.0f", number);
  }
  return CellText(cell, "-");
}

}  // namespace

std::string TableText(const CellTable& table, const ReportOptions& options) {
  std::vector<Cells> rows;
  for (const size_t i : RowsShown(table, options, 0)) rows.push_back(table.row(i));
  std::vector<size_t> shown;  // columns in which some row has something
  std::vector<Column> columns;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    const bool any = std::any_of(rows.begin(), rows.end(), [c](const Cells& row) { return !row[c].is_empty(); });
    if (!any && !rows.empty()) continue;
    const bool numeric = !rows.empty() && std::all_of(rows.begin(), rows.end(), [c](const Cells& row) {
      return row[c].is_number() || row[c].is_null();
    });
    shown.push_back(c);
    columns.push_back({.title = table.columns[c].key,
                       .align = numeric ? Align::kRight : Align::kLeft,
                       .squeeze = numeric ? Squeeze::kKeep : Squeeze::kWrap});
  }
  TextTable text(columns);
  for (const Cells& row : rows) {
    std::vector<std::string> line;
    for (const size_t c : shown) line.push_back(ReadableCell(table.columns[c].key, row[c]));
    text.Add(std::move(line));
  }
  return text.Print(options);
}

namespace {

size_t WidestLine(absl::string_view text) {
  size_t widest = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) widest = std::max(widest, DisplayWidth(line));
  return widest;
}

// Empty where there is nothing to say.
std::string RecordCell(absl::string_view key, const Cell& cell) {
  if (cell.list() == nullptr) return cell.is_empty() ? "" : ReadableCell(key, cell);
  std::vector<std::string> items;
  for (const Cell& item : *cell.list()) items.push_back(item.is_empty() ? "-" : CellText(item, "-"));
  const bool says = std::any_of(items.begin(), items.end(), [](const std::string& item) { return item != "-"; });
  return says ? absl::StrJoin(items, ", ") : "";
}

// A row below the other, cell by cell.
std::string RecordsText(const CellTable& table, const ReportOptions& options) {
  std::string text;
  for (const size_t i : RowsShown(table, options, 0)) {
    const Cells row = table.row(i);
    absl::StrAppend(&text, text.empty() ? "" : "\n", "  ",
                    Paint(EscapeControl(CellText(row[0], "-")), Style::kAccent, options.color), "\n");
    for (size_t c = 1; c < row.size(); ++c) {
      const std::string cell = EscapeControl(RecordCell(table.columns[c].key, row[c]));
      if (cell.empty()) continue;
      absl::StrAppend(&text, Wrapped(absl::StrCat(table.columns[c].key, ": ", cell), "    ", "      ", options));
    }
  }
  return text;
}

// Pages of `describe` and `fusions` hold prose, of which a table may be too wide to be read.
std::string PageText(const CellTable& table, const ReportOptions& options) {
  constexpr size_t kWidestTable = 2 * kLineWidth;
  std::string text = TableText(table, options);
  return WidestLine(text) > kWidestTable ? RecordsText(table, options) : text;
}

std::string SupportStatsText(const View& view) {
  std::string text;
  for (size_t u = 0; u < view.units.size(); ++u) {
    int64_t yes = 0, noted = 0, no = 0;
    for (const SupportRowView& row : view.support) {
      if (row.unit != UnitId(u)) continue;
      ++(row.support.verdict == Verdict::kYes ? yes : row.support.verdict == Verdict::kNoted ? noted : no);
    }
    if (yes + noted + no == 0 || !view.units[u].placeable) continue;
    absl::StrAppend(&text, "  ", view.units[u].name, ": ", yes, " yes, ", noted, " with a note, ", no, " no\n");
  }
  return text;
}

// How many limits of each toolchain are typed.
std::string LimitStatsText(const View& view, const ReportOptions& options) {
  TextTable table({{.title = "toolchain"},
                   {.title = "limits typed", .align = Align::kRight},
                   {.title = "only noted", .align = Align::kRight},
                   {.title = "typed", .align = Align::kRight},
                   {.title = "operators not stated", .align = Align::kRight}});
  for (const ToolchainRow& row : view.toolchains) {
    const int64_t all = row.stats.typed + row.stats.noted;
    const double share = all > 0 ? static_cast<double>(row.stats.typed) / static_cast<double>(all) : 0;
    table.Add({row.stats.toolchain, absl::StrCat(row.stats.typed), absl::StrCat(row.stats.noted),
               all > 0 ? absl::StrCat(static_cast<int64_t>(100 * share), " %") : "-",
               absl::StrCat(row.stats.not_stated)});
  }
  return table.empty() ? "" : absl::StrCat("\n", table.Print(options));
}

std::string SourcesText(const View& view, const std::set<std::string>& cited, const ReportOptions& options) {
  std::string text;
  for (const ToolchainRow& row : view.toolchains) {
    for (const FactSource& source : row.sources) {
      if (cited.count(source.key) == 0) continue;
      absl::StrAppend(&text, Wrapped(absl::StrCat(source.key, ": ", source.title), "  ", "    ", options));
    }
  }
  return text.empty() ? "" : absl::StrCat("\nsources\n", text);
}

// Refusals and notes; nodes that simply run are only counted.
std::string SupportReport(const View& view, const ReportOptions& options) {
  if (options.stats == Stats::kAlone) {
    return absl::StrCat(HeaderText(view, options), "\n", SupportStatsText(view), LimitStatsText(view, options));
  }
  TextTable table({{.title = "node", .squeeze = Squeeze::kShorten},
                   {.title = "op"},
                   {.title = "unit"},
                   {.title = "runs"},
                   {.title = "limit", .squeeze = Squeeze::kWrap, .style = Style::kWarn}});
  std::set<std::string> cited;
  for (const SupportRowView& row : view.support) {
    if (row.support.verdict == Verdict::kYes || !view.units[row.unit.index()].placeable) continue;
    cited.insert(row.support.source);
    table.Add({row.label, row.op, view.units[row.unit.index()].name, std::string(VerdictName(row.support.verdict)),
               SupportText(row.support, row.evidence)});
  }
  std::string text = absl::StrCat(HeaderText(view, options), "\n", SupportStatsText(view), RefusalsText(view, options));
  if (!table.empty()) absl::StrAppend(&text, "\n", table.Print(options), SourcesText(view, cited, options));
  return absl::StrCat(text, LimitStatsText(view, options));
}

}  // namespace

absl::Status WriteText(const Document& document, const ReportOptions& options, Sink sink) {
  switch (document.kind) {
    case ReportKind::kAnalysis: return sink(AnalysisText(*document.view, options));
    case ReportKind::kShapes: return sink(ShapesText(*document.view, options));
    case ReportKind::kSupport: return sink(SupportReport(*document.view, options));
    case ReportKind::kCures: return sink(CuresText(*document.view, options));
    case ReportKind::kExplain: return sink(ExplainText(*document.view, document.node, document, options));
    case ReportKind::kGraph: return WriteGraphText(document, options, sink);
    default: break;
  }
  std::string text;
  for (const std::string& key : document.tables) {
    const CellTable* table = TableOf(document, key);
    if (table == nullptr || table->size == 0) continue;
    const bool is_page = document.kind == ReportKind::kDescribe || document.kind == ReportKind::kFusions;
    absl::StrAppend(&text, text.empty() ? "" : "\n", is_page ? PageText(*table, options) : TableText(*table, options));
  }
  return sink(text);
}

}  // namespace hwest

// The text report of an analysis: what it costs, where the time goes, what runs where and why.
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "report/answer.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr int64_t kDefaultTop = 10;
constexpr size_t kBoundBar = 10;  // widest bar of the table by bound, which has many columns
constexpr size_t kFigureWidth = 16;
constexpr size_t kBoundWidth = 22;  // of figures that begin with "at least" or "would be"

// Bars give way on narrow terminals.
size_t BarWidth(const ReportOptions& options) {
  return options.width == 0 || options.width >= 80 ? 20 : options.width >= 70 ? 10 : 0;
}

class AnalysisWriter {
 public:
  AnalysisWriter(const View& view, const ReportOptions& options) : view_(view), options_(options) {}

  std::string Text() const {
    std::string text = absl::StrCat(HeaderText(view_, options_), Idle(), "\n", Summary());
    for (const std::string& section :
         {Convention(), Bounds(), Units(), Costs(), MeasuredText(view_, options_), Segments(), Fallback(),
          RewrittenText(view_, options_), WhatIfText(view_, options_), GenerationText(view_, options_), Coverage(),
          Notes()}) {
      if (!section.empty()) absl::StrAppend(&text, "\n", section);
    }
    return text;
  }

 private:
  double Total() const { return view_.summary.latency_s.value_or(0); }
  std::string Share(double seconds) const { return Total() > 0 ? Percent(seconds / Total()) : "-"; }
  std::string Title(absl::string_view text) const {
    return absl::StrCat(Paint(text, Style::kBold, options_.color), "\n");
  }
  std::string UnitName(UnitId unit) const { return unit.valid() ? view_.units[unit.index()].name : "none"; }

  // Whether the latency leaves nodes out.
  bool IsPartial() const { return view_.summary.incomplete.value_or(false); }
  // The title of a table of shares of the latency.
  std::string ShareTitle(absl::string_view text) const {
    return Title(absl::StrCat(text, IsPartial() ? ", shares of what is known" : ""));
  }
  std::string BarOf(double seconds) const {
    return Bar(Total() > 0 ? seconds / Total() : 0, BarWidth(options_), options_.glyphs);
  }

  // Without measured times where no profile was given.
  TextColumns WithoutUnasked(const CellTable& table, TextColumns columns) const {
    const auto is_unasked = [&](const TextColumn& column) {
      return view_.measured == nullptr && absl::StartsWith(table.columns[column.column].key, "measured_");
    };
    columns.erase(std::remove_if(columns.begin(), columns.end(), is_unasked), columns.end());
    return columns;
  }
  // The columns of text that the table declares.
  template <class Rows>
  std::string Table(const Rows& from, const std::vector<size_t>& rows, size_t most_bar = SIZE_MAX) const {
    using Row = std::decay_t<decltype(from[0])>;
    const CellTable table = TableOfRows(from, view_);
    return RowsText(table, WithoutUnasked(table, TextColumnsOf(static_cast<const Row*>(nullptr))), rows,
                    {.total_s = Total(), .bar_width = std::min(most_bar, BarWidth(options_))}, options_);
  }
  std::string Summary() const;
  std::string Line(const AnswerLine& line) const;
  std::string Convention() const {
    const auto& convention = view_.summary.flops_as;
    return convention.has_value() ? ConventionText(*convention, options_) : "";
  }
  std::string Idle() const {
    const std::string idle = IdleText(view_);
    return idle.empty() ? "" : Paint(Wrapped(idle, "  ", "  ", options_), Style::kWarn, options_.color);
  }
  std::string Bounds() const;
  std::string Units() const;
  std::string Costs() const;
  std::string Segments() const;
  std::string SegmentTable(const std::vector<size_t>& rows) const;
  std::string Fallback() const;
  std::string Coverage() const { return absl::StrCat(Title("Coverage"), CoverageText(view_, options_)); }
  std::string Notes() const {
    const std::string notes = NotesText(view_, options_);
    return notes.empty() ? "" : absl::StrCat(Title("Notes"), notes);
  }
  std::string GroupTable() const;
  std::string ModuleTable() const;

  const View& view_;
  const ReportOptions& options_;
};

// "  Latency      57.00 us        ...", the figure in bold, in as many lines as the rest takes.
std::string AnalysisWriter::Line(const AnswerLine& line) const {
  const std::string head = absl::StrFormat("  %-13s", absl::StrCat(line.is_part ? "  " : "", line.name));
  const std::string indent(head.size() + 2, ' ');
  const std::string rest = absl::StrJoin(line.rest, "   ");
  if (line.figure.empty() && !line.name.empty()) return Wrapped(rest, head, indent, options_);
  const size_t width = IsPartial() || !view_.summary.fits.value_or(true) ? kBoundWidth : kFigureWidth;
  const std::string blanks(line.figure.size() + 2 < width ? width - line.figure.size() : 2, ' ');
  std::string text = rest.empty() ? absl::StrCat(head, line.figure, "\n")
                                  : Wrapped(rest, absl::StrCat(head, line.figure, blanks), indent, options_);
  return text.replace(head.size(), line.figure.size(), Paint(line.figure, Style::kBold, options_.color));
}

std::string AnalysisWriter::Summary() const {
  std::string text = absl::StrCat(Wrapped(VerdictText(view_), "  ", "  ", options_), "\n");
  for (const AnswerLine& line : AnswerLines(view_)) text += Line(line);
  return text;
}

std::string AnalysisWriter::Bounds() const {
  if (view_.bounds.empty()) return "";
  std::vector<size_t> rows(view_.bounds.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  return absl::StrCat(ShareTitle("Time by bound"), Table(view_.bounds, rows, kBoundBar));
}

std::string AnalysisWriter::Units() const {
  TextTable table({{.title = "unit"},
                   {.title = "share", .align = Align::kRight},
                   {.title = "", .style = Style::kAccent},
                   {.title = "busy", .align = Align::kRight},
                   {.title = "groups", .align = Align::kRight},
                   {.title = "MACs", .align = Align::kRight},
                   {.title = "energy", .align = Align::kRight},
                   {.title = "toolchain", .squeeze = Squeeze::kShorten}});
  for (const UnitRow& unit : view_.units) {
    if (!unit.placeable && unit.groups == 0) continue;
    const bool has_share = unit.busy_s > 0 || !unit.incomplete;
    table.Add({unit.name, has_share ? Share(unit.busy_s) : "-", BarOf(unit.busy_s),
               AtLeast(FormatSeconds(unit.busy_s), unit.busy_s, unit.incomplete), absl::StrCat(unit.groups),
               FormatCount(static_cast<double>(unit.macs)), unit.energy_j ? FormatJoules(*unit.energy_j) : "unknown",
               unit.toolchain.value_or("-")});
  }
  return table.empty() ? "" : absl::StrCat(ShareTitle("Units"), table.Print(options_));
}

std::string AnalysisWriter::GroupTable() const {
  std::vector<double> costs;
  for (const GroupRow& group : view_.groups) costs.push_back(group.estimate ? group.estimate->time_s : 0);
  const std::vector<size_t> rows = CostliestRows(costs, options_.top.value_or(kDefaultTop));
  const std::string title = rows.size() < view_.groups.size()
                                ? absl::StrCat("Top ", rows.size(), " of ", view_.groups.size(), " groups")
                                : absl::StrCat("All ", rows.size(), " groups");
  return absl::StrCat(ShareTitle(title), Table(view_.groups, rows));
}

std::string AnalysisWriter::ModuleTable() const {
  std::vector<double> costs;
  for (const ModuleView& module : view_.modules) costs.push_back(module.time_s.value_or(0));
  const std::vector<size_t> rows = CostliestRows(costs, options_.top.value_or(kDefaultTop));
  TextTable table({{.title = "time", .align = Align::kRight},
                   {.title = "share", .align = Align::kRight},
                   {.title = "nodes", .align = Align::kRight},
                   {.title = "MACs", .align = Align::kRight},
                   {.title = "params", .align = Align::kRight},
                   {.title = "energy", .align = Align::kRight},
                   {.title = "module", .squeeze = Squeeze::kShorten},
                   {.title = "class", .squeeze = Squeeze::kShorten}});
  for (const size_t i : rows) {
    const ModuleView& module = view_.modules[i];
    table.Add({module.time_s ? FormatSeconds(*module.time_s) : "unknown", module.time_s ? Share(*module.time_s) : "-",
               absl::StrCat(module.nodes), CountText(module.macs), FormatCount(static_cast<double>(module.params)),
               module.energy_j ? FormatJoules(*module.energy_j) : "unknown",
               module.path.empty() ? "(root)" : module.path, module.class_name.value_or("-")});
  }
  if (rows.empty()) return absl::StrCat(Title("Modules"), "  the file names no modules\n");
  const std::string notes = absl::StrCat(
      Wrapped("a fused group counts for the module of its node with the most MACs", "  ", "  ", options_),
      Wrapped("the root is the whole model; what it has beyond its modules is nodes of none, transfers and invokes",
              "  ", "  ", options_));
  return absl::StrCat(ShareTitle(absl::StrCat("Top ", rows.size(), " of ", view_.modules.size(), " modules")),
                      table.Print(options_), notes);
}

std::string AnalysisWriter::Costs() const {
  switch (options_.level.value_or(Level::kGroup)) {
    case Level::kNode: return NodeTableText(view_, options_, kDefaultTop);
    case Level::kGroup: return GroupTable();
    case Level::kModule: return ModuleTable();
    case Level::kSegment:  // these two tables are always there
    case Level::kUnit: break;
  }
  return "";
}

std::string AnalysisWriter::SegmentTable(const std::vector<size_t>& rows) const {
  TextTable table({{.title = "id", .align = Align::kRight, .style = Style::kDim},
                   {.title = "unit"},
                   {.title = "groups", .align = Align::kRight},
                   {.title = "time", .align = Align::kRight},
                   {.title = "invoke", .align = Align::kRight},
                   {.title = "transfer", .align = Align::kRight},
                   {.title = "in", .align = Align::kRight},
                   {.title = "starts here because", .squeeze = Squeeze::kWrap}});
  for (const size_t i : rows) {
    const SegmentRow& segment = view_.segments[i];
    table.Add({absl::StrCat(segment.id.index()), UnitName(segment.unit), absl::StrCat(segment.groups.size()),
               AtLeast(FormatSeconds(segment.time_s), segment.time_s, segment.incomplete),
               FormatSeconds(segment.invoke_s), FormatSeconds(segment.transfer_s), BytesText(segment.in_bytes),
               segment.reason});
  }
  return table.Print(options_);
}

// In order of execution; beyond --top, only the most expensive segments, still in order.
std::string AnalysisWriter::Segments() const {
  if (view_.segments.empty()) return "";
  std::vector<double> costs;
  for (const SegmentRow& segment : view_.segments) {
    costs.push_back(segment.time_s + segment.invoke_s + segment.transfer_s);
  }
  std::vector<size_t> rows = CostliestRows(costs, options_.top.value_or(kDefaultTop));
  std::sort(rows.begin(), rows.end());
  const std::string title =
      rows.size() < costs.size()
          ? absl::StrCat("Segments, the ", rows.size(), " most expensive of ", costs.size(), " (--top 0 for all)")
          : absl::StrCat("Segments");
  return absl::StrCat(Title(title), SegmentTable(rows));
}

std::string AnalysisWriter::Fallback() const {
  const std::vector<FallbackRow> rows = FallbackRows(view_);
  if (rows.empty()) return "";
  TextTable table({{.title = "kernel", .squeeze = Squeeze::kShorten},
                   {.title = "groups", .align = Align::kRight},
                   {.title = "time", .align = Align::kRight},
                   {.title = "first node", .squeeze = Squeeze::kShorten},
                   {.title = "why", .squeeze = Squeeze::kWrap, .style = Style::kWarn}});
  for (const FallbackRow& row : rows) {
    table.Add({row.kernel, absl::StrCat(row.groups), AtLeast(FormatSeconds(row.known_s), row.known_s, row.is_partial),
               row.first_label, row.why});
  }
  return absl::StrCat(Title(HasAccelerator(view_) ? "Not on an accelerator" : "Not placed"), table.Print(options_));
}

}  // namespace

std::string AnalysisText(const View& view, const ReportOptions& options) {
  return AnalysisWriter(view, options).Text();
}

}  // namespace hwest

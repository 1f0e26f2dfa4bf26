// Documents about targets, about this program, and errors.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/view_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

Cell NoRequest(absl::string_view target, const ReportOptions& options) {
  return Cell{{"model", NonEmpty(options.model_path)},
              {"target", NonEmpty(target)},
              {"mode", nullptr},
              {"precision", nullptr},
              {"objective", nullptr},
              {"batch", nullptr},
              {"dims", Cell::OfObject()},
              {"host", nullptr}};
}

Document DocumentOf(ReportKind kind, absl::string_view target, const ReportOptions& options) {
  Document document;
  document.kind = kind;
  Part request{"request", NoRequest(target, options)};
  for (const Cell::Member& member : *std::get<Cell>(request.content).object()) {
    request.columns.push_back({member.first, "", true});  // nothing of an analysis is asked for here
  }
  document.parts.push_back(std::move(request));
  document.parts.push_back({"diagnostics", CellTable{}});
  return document;
}

// One line each, cut only at the edge of a terminal.
std::string TargetLines(absl::Span<const TargetSummary> targets, const ReportOptions& options) {
  TextTable table(
      {{.title = "name", .style = Style::kAccent}, {.title = "summary", .squeeze = Squeeze::kCut, .least = 8}});
  for (const TargetSummary& target : targets) {
    const std::string aliases = absl::StrJoin(target.aliases, ", ");
    table.Add({target.name, aliases.empty() ? target.summary : absl::StrCat(target.summary, "; also ", aliases)});
  }
  const std::string more =
      absl::StrCat(targets.size(), " targets; --json has units and modes, `targets show NAME` all figures");
  return absl::StrCat(table.Print(options), Wrapped(more, "  ", "  ", options));
}

}  // namespace

absl::Status WriteTargets(absl::Span<const TargetSummary> targets, const ReportOptions& options, Sink sink) {
  if (options.format == Format::kText) return sink(TargetLines(targets, options));
  Document document = DocumentOf(ReportKind::kTargets, "", options);
  document.parts.push_back({"targets", TableOfRows(targets)});
  document.tables = {"targets"};
  return WriteDocument(document, options, sink);
}

absl::Status WriteTarget(const Target& target, const ReportOptions& options, Sink sink) {
  const std::vector<TargetFact> facts = FactsOf(target);
  Document document = DocumentOf(ReportKind::kTarget, target.name, options);
  document.parts.push_back(PartOfRow("target", SummaryOf(target)));
  document.parts.push_back({"facts", TableOfRows(facts)});
  document.tables = {"facts"};
  return WriteDocument(document, options, sink);
}

absl::Status WriteLint(absl::Span<const LintReport> reports, const ReportOptions& options, Sink sink) {
  std::vector<Cells> files, shares, problems;
  for (const LintReport& report : reports) {
    Cell trust = Cell::OfObject();
    for (const TrustShare& row : report.trust) {
      const std::string name(TrustName(row.trust));
      trust.Set(name, row.count);
      shares.push_back({report.origin, name, row.count, row.share});
    }
    files.push_back({report.origin, ErrorsIn(report), report.problems.size() - ErrorsIn(report), report.facts,
                     std::move(trust), report.noted});
    for (const LintProblem& problem : report.problems) {
      problems.push_back({report.origin, getters::WordCell(problem.severity),
                          problem.line > 0 ? Cell(problem.line) : Cell(), NonEmpty(problem.path), problem.message,
                          NonEmpty(problem.remedy)});
    }
  }
  Document document = DocumentOf(ReportKind::kLint, "", options);
  document.parts.push_back(
      {"files", TableOfCells({"file", "problems", "warnings", "facts", "trust", "noted"}, std::move(files))});
  document.parts.push_back({"trust", TableOfCells({"file", "trust", "facts", "share"}, std::move(shares))});
  CellTable found = TableOfCells({"file", "severity", "line", "path", "message", "remedy"}, std::move(problems));
  for (ColumnInfo& column : found.columns) column.has_none = true;  // a null line, path or remedy: there is none
  document.parts.push_back({"problems", std::move(found)});
  document.tables = {"files", "trust", "problems"};
  return WriteDocument(document, options, sink);
}

absl::Status WriteListing(ReportKind kind, const Listing& listing, const ReportOptions& options, Sink sink) {
  std::vector<Cells> rows;
  for (const Listing::Row& texts : listing.rows) {
    Cells row;
    for (size_t i = 0; i < listing.columns.size(); ++i) {
      const std::vector<std::string> none;
      const std::vector<std::string>& cell = i < texts.size() ? texts[i] : none;
      row.push_back(listing.columns[i].is_list ? Cell(cell) : cell.empty() ? Cell() : Cell(cell[0]));
    }
    rows.push_back(std::move(row));
  }
  std::vector<std::string> columns;
  for (const Listing::Column& column : listing.columns) columns.push_back(column.name);
  Document document = DocumentOf(kind, "", options);
  document.parts.push_back({listing.key, TableOfCells(columns, std::move(rows))});
  document.tables = {listing.key};
  return WriteDocument(document, options, sink);
}

absl::Status WriteError(const Diagnostic& error, const ReportOptions& options, Sink sink) {
  Document document;
  document.kind = ReportKind::kError;
  document.parts.push_back({"request", NoRequest("", options)});
  const std::vector<Diagnostic> diagnostics = {error};
  document.parts.push_back({"diagnostics", TableOfRows(diagnostics)});
  document.tables = {"diagnostics"};
  return WriteDocument(document, options, sink);
}

}  // namespace hwest

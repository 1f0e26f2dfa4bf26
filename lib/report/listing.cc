// Documents about targets, about this program, and errors.
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

Json TextOrNull(absl::string_view text) { return text.empty() ? Json(nullptr) : Json(std::string(text)); }

JsonTable TableOfJson(std::vector<std::string> columns, std::vector<Json> rows) {
  auto shared = std::make_shared<const std::vector<Json>>(std::move(rows));
  const size_t size = shared->size();
  return JsonTable{std::move(columns), size, [shared](size_t i) { return (*shared)[i]; }};
}

JsonTable DiagnosticsOf(const std::vector<Diagnostic>& diagnostics) {
  std::vector<Json> rows;
  for (const Diagnostic& diagnostic : diagnostics) rows.push_back(JsonOf(diagnostic));
  return TableOfJson({"severity", "code", "message", "remedy", "node", "value"}, std::move(rows));
}

Json NoRequest(absl::string_view target, const ReportOptions& options) {
  return Json{{"model", TextOrNull(options.model_path)},
              {"target", TextOrNull(target)},
              {"mode", nullptr},
              {"precision", nullptr},
              {"objective", nullptr},
              {"batch", nullptr},
              {"dims", Json::object()},
              {"host", nullptr}};
}

Document DocumentOf(ReportKind kind, absl::string_view target, const ReportOptions& options) {
  Document document;
  document.kind = kind;
  document.parts.push_back({"request", NoRequest(target, options)});
  document.parts.push_back({"diagnostics", DiagnosticsOf({})});
  return document;
}

Json TargetJson(const TargetSummary& target) {
  return Json{{"name", target.name},
              {"aliases", target.aliases},
              {"base", TextOrNull(target.base)},
              {"family", TextOrNull(target.family)},
              {"summary", target.summary},
              {"units", target.units},
              {"modes", target.modes},
              {"default_mode", TextOrNull(target.default_mode)},
              {"precision", TextOrNull(NumName(target.precision))},
              {"toolchains", target.toolchains},
              {"grade", std::string(GradeName(target.fitted > 0 ? Grade::kMeasured : Grade::kDatasheet))},
              {"facts", target.facts},
              {"estimated", target.estimated}};
}

Json FactJson(const TargetFact& fact) {
  Json fit = nullptr;
  if (fact.fit.has_value()) {
    fit = {
        {"value", fact.fit->value}, {"spread", fact.fit->spread}, {"count", fact.fit->count}, {"data", fact.fit->data}};
  }
  return Json{{"path", fact.path},
              {"value", fact.value},
              {"unit", TextOrNull(fact.unit)},
              {"source", fact.source},
              {"trust", std::string(TrustName(fact.trust))},
              {"fit", std::move(fit)}};
}

// One line each, cut only at the edge of a terminal.
std::string TargetLines(absl::Span<const TargetSummary> targets, const ReportOptions& options) {
  TextTable table({{.title = "name", .style = Style::kAccent}, {.title = "summary", .squeeze = Squeeze::kCut, .least = 8}});
  for (const TargetSummary& target : targets) {
    const std::string aliases = absl::StrJoin(target.aliases, ", ");
    table.Add({target.name, aliases.empty() ? target.summary : absl::StrCat(target.summary, "; also ", aliases)});
  }
  const std::string more = absl::StrCat(targets.size(), " targets; --json has units and modes, `targets show NAME` all figures");
  return absl::StrCat(table.Print(options), Wrapped(more, "  ", "  ", options));
}

}  // namespace

absl::Status WriteTargets(absl::Span<const TargetSummary> targets, const ReportOptions& options, Sink sink) {
  std::vector<Json> rows;
  for (const TargetSummary& target : targets) rows.push_back(TargetJson(target));
  std::vector<std::string> columns = {"name",  "aliases", "base",         "family",    "summary",
                                      "units", "modes",   "default_mode", "precision", "toolchains",
                                      "grade", "facts",   "estimated"};
  if (options.format == Format::kText) return sink(TargetLines(targets, options));
  Document document = DocumentOf(ReportKind::kTargets, "", options);
  document.parts.push_back({"targets", TableOfJson(std::move(columns), std::move(rows))});
  document.tables = {"targets"};
  return WriteDocument(document, options, sink);
}

absl::Status WriteTarget(const Target& target, const ReportOptions& options, Sink sink) {
  std::vector<Json> rows;
  for (const TargetFact& fact : FactsOf(target)) rows.push_back(FactJson(fact));
  Document document = DocumentOf(ReportKind::kTarget, target.name, options);
  document.parts.push_back({"target", TargetJson(SummaryOf(target))});
  document.parts.push_back(
      {"facts", TableOfJson({"path", "value", "unit", "source", "trust", "fit"}, std::move(rows))});
  document.tables = {"facts"};
  return WriteDocument(document, options, sink);
}

absl::Status WriteLint(absl::Span<const LintReport> reports, const ReportOptions& options, Sink sink) {
  std::vector<Json> files, shares, problems;
  for (const LintReport& report : reports) {
    Json trust = Json::object();
    for (const TrustShare& row : report.trust) {
      const std::string name(TrustName(row.trust));
      trust[name] = row.count;
      shares.push_back({{"file", report.origin}, {"trust", name}, {"facts", row.count}, {"share", row.share}});
    }
    files.push_back({{"file", report.origin},
                     {"problems", ErrorsIn(report)},
                     {"warnings", report.problems.size() - ErrorsIn(report)},
                     {"facts", report.facts},
                     {"trust", std::move(trust)},
                     {"noted", report.noted}});
    for (const LintProblem& problem : report.problems) {
      problems.push_back({{"file", report.origin},
                          {"severity", problem.severity == Severity::kError ? "error" : "warning"},
                          {"line", problem.line > 0 ? Json(problem.line) : Json(nullptr)},
                          {"path", TextOrNull(problem.path)},
                          {"message", problem.message},
                          {"remedy", TextOrNull(problem.remedy)}});
    }
  }
  Document document = DocumentOf(ReportKind::kLint, "", options);
  document.parts.push_back({"files", TableOfJson({"file", "problems", "warnings", "facts", "trust", "noted"}, std::move(files))});
  document.parts.push_back({"trust", TableOfJson({"file", "trust", "facts", "share"}, std::move(shares))});
  document.parts.push_back(
      {"problems", TableOfJson({"file", "severity", "line", "path", "message", "remedy"}, std::move(problems))});
  document.tables = {"files", "trust", "problems"};
  return WriteDocument(document, options, sink);
}

absl::Status WriteListing(ReportKind kind, const Listing& listing, const ReportOptions& options, Sink sink) {
  std::vector<Json> rows;
  for (const Listing::Row& cells : listing.rows) {
    Json row = Json::object();
    for (size_t i = 0; i < listing.columns.size(); ++i) {
      const std::vector<std::string> none;
      const std::vector<std::string>& cell = i < cells.size() ? cells[i] : none;
      row[listing.columns[i].name] = listing.columns[i].is_list ? Json(cell)
                                     : cell.empty()             ? Json(nullptr)
                                                                : Json(cell[0]);
    }
    rows.push_back(std::move(row));
  }
  std::vector<std::string> columns;
  for (const Listing::Column& column : listing.columns) columns.push_back(column.name);
  Document document = DocumentOf(kind, "", options);
  document.parts.push_back({listing.key, TableOfJson(std::move(columns), std::move(rows))});
  document.tables = {listing.key};
  return WriteDocument(document, options, sink);
}

absl::Status WriteError(const Diagnostic& error, const ReportOptions& options, Sink sink) {
  Document document;
  document.kind = ReportKind::kError;
  document.parts.push_back({"request", NoRequest("", options)});
  document.parts.push_back({"diagnostics", DiagnosticsOf({error})});
  document.tables = {"diagnostics"};
  return WriteDocument(document, options, sink);
}

}  // namespace hwest

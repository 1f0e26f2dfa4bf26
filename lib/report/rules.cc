// Documents about rules of the user's: what is wrong with each, and whether it computes the same.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/document.h"
#include "report/report.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

std::string RuleTrialsText(const std::vector<RuleTrial>& trials, const ReportOptions& options) {
  TextTable table({{.title = "rule", .squeeze = Squeeze::kShorten},
                   {.title = "line", .align = Align::kRight},
                   {.title = "exactness"},
                   {.title = "verdict"},
                   {.title = "runs", .align = Align::kRight},
                   {.title = "relative", .align = Align::kRight},
                   {.title = "finding", .squeeze = Squeeze::kWrap}});
  for (const RuleTrial& trial : trials) {
    table.Add({trial.name, absl::StrCat(trial.line), std::string(ExactnessName(trial.exactness)), trial.verdict,
               trial.runs == 0 ? "-" : absl::StrCat(trial.runs),
               trial.max_rel.has_value() ? absl::StrFormat("%.1e", *trial.max_rel) : "-", trial.finding});
  }
  return table.Print(options);
}

}  // namespace

absl::Status WriteRuleTrials(const std::vector<RuleTrial>& trials, const std::string& file,
                             const ReportOptions& options, Sink sink) {
  if (options.format == Format::kText) return sink(RuleTrialsText(trials, options));
  std::vector<Cells> rows;
  for (const RuleTrial& trial : trials) {
    rows.push_back({Cell(trial.name), Cell(trial.line), Cell(ExactnessName(trial.exactness)), Cell(trial.verdict),
                    Cell(trial.runs), Cell(trial.max_rel),
                    trial.finding.empty() ? Cell(nullptr) : Cell(trial.finding)});
  }
  Document document;
  document.kind = ReportKind::kRules;
  document.parts.push_back({"file", Cell(file)});
  document.parts.push_back(
      {"rules", TableOfCells({"name", "line", "exactness", "verdict", "runs", "max_rel", "finding"}, std::move(rows))});
  document.tables = {"rules"};
  return WriteDocument(document, options, sink);
}

}  // namespace hwest

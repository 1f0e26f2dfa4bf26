// Documents about rewriting: the rules applied, what each saves, and what was written.
#include "hwest/rewrite.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "base/text.h"
#include "report/document.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/view_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

CellTable RulesTable(const Rewritten& rewritten) {
  std::vector<Cells> rows;
  for (const AppliedRule& rule : rewritten.rules) {
    rows.push_back({Cell(rule.name), Cell(std::string(ExactnessName(rule.exactness))), Cell(rule.places),
                    Cell(rule.saved_s), Cell(rule.reason)});
  }
  return TableOfCells({"name", "exactness", "places", "saved_s", "reason"}, std::move(rows));
}

Cell RulesCell(const Rewritten& rewritten) {
  Cell list = Cell::OfList();
  const CellTable table = RulesTable(rewritten);
  for (size_t i = 0; i < table.size; ++i) list.push_back(ObjectOf(table.columns, table.row(i)));
  return list;
}

Cell SummaryPart(const Analysis& analysis) { return Cell{{"summary", SummaryCellOf(analysis)}}; }

// The command that writes the file.
std::string CommandText(absl::string_view command) { return absl::StrCat(command, " --output better.onnx"); }

std::string LatencyOf(const Analysis& analysis) {
  return analysis.plan.has_value() ? FormatSeconds(analysis.plan->latency_s) : "unknown";
}

std::string RulesText(const Rewritten& rewritten, const ReportOptions& options) {
  TextTable table({{.title = "rule", .squeeze = Squeeze::kShorten},
                   {.title = "places", .align = Align::kRight},
                   {.title = "saves", .align = Align::kRight},
                   {.title = "exactness"},
                   {.title = "what became what", .squeeze = Squeeze::kWrap}});
  for (const AppliedRule& rule : rewritten.rules) {
    table.Add({rule.name, absl::StrCat(rule.places), rule.saved_s.has_value() ? FormatSeconds(*rule.saved_s) : "-",
               std::string(ExactnessName(rule.exactness)), rule.words});
  }
  return table.Print(options);
}

constexpr int kRoundings = 10;  // as onnx_hwest.verify allows

std::string Figured(const std::optional<double>& figure) {
  return figure.has_value() ? absl::StrFormat("%.2e", *figure) : "-";
}

Cell VerifyCell(const std::optional<Verification>& verify) {
  if (!verify.has_value()) return nullptr;
  Cell outputs = Cell::OfList();
  for (const Verification::Output& output : verify->outputs) {
    outputs.push_back(Cell{{"name", output.name},
                           {"max_abs", output.max_abs},
                           {"max_rel", output.max_rel},
                           {"rounding", output.rounding},
                           {"varies", output.varies},
                           {"equal", output.equal}});
  }
  Cell choices = Cell::OfList();
  for (const Verification::Choice& choice : verify->choices) {
    choices.push_back(Cell{
        {"name", choice.name}, {"operator", choice.op}, {"changed", choice.changed}, {"elements", choice.elements}});
  }
  return Cell{{"verdict", verify->verdict},
              {"runs", verify->runs},
              {"class", ExactnessName(verify->exactness)},
              {"tolerance", verify->tolerance},
              {"outputs", std::move(outputs)},
              {"first_difference", verify->first_difference},
              {"choices", std::move(choices)},
              {"weights_drawn", verify->weights_drawn},
              {"message", verify->message.empty() ? Cell(nullptr) : Cell(verify->message)}};
}

// Where the first file itself makes rounding larger than its class allows.
std::string RoundingText(const Verification& verify, const ReportOptions& options) {
  std::vector<std::string> moved;
  for (const Verification::Output& output : verify.outputs) {
    if (output.rounding.value_or(0) * kRoundings <= verify.tolerance.value_or(0)) continue;
    moved.push_back(absl::StrCat(EscapeControl(output.name), " by ", Figured(output.rounding)));
  }
  if (moved.empty()) return "";
  return Wrapped(absl::StrCat("moving each input and weight by one rounding moves ", absl::StrJoin(moved, ", "),
                              " in the first file alone: ", kRoundings, " times that is allowed"),
                 "", "  ", options);
}

std::string ChoicesText(const std::vector<Verification::Choice>& choices, const ReportOptions& options) {
  if (choices.empty()) return "";
  constexpr size_t kMostNamed = 3;
  std::vector<std::string> named;
  for (const Verification::Choice& choice : absl::MakeConstSpan(choices).subspan(0, kMostNamed)) {
    named.push_back(absl::StrCat(EscapeControl(choice.name), " (", EscapeControl(choice.op), ", ", choice.changed,
                                 " of ", choice.elements, ")"));
  }
  const size_t more = choices.size() - named.size();
  return Wrapped(absl::StrCat("rounding turned what is chosen by ", absl::StrJoin(named, ", "),
                              more > 0 ? absl::StrCat(" and ", more, " more") : "",
                              ": what follows is compared with the choice of the first file"),
                 "", "  ", options);
}

std::string VerifyText(const Verification& verify, const ReportOptions& options) {
  std::string text = "\n";
  if (verify.weights_drawn > 0) {
    absl::StrAppend(&text, verify.weights_drawn, " weights are not in the file: drawn at random, the same in both\n");
  }
  if (verify.verdict == "not_run") {
    return absl::StrCat(text, Wrapped(absl::StrCat("not verified: ", verify.message), "", "  ", options));
  }
  TextTable table({{.title = "output", .squeeze = Squeeze::kShorten},
                   {.title = "largest difference", .align = Align::kRight},
                   {.title = "relative", .align = Align::kRight},
                   {.title = "verdict"}});
  for (const Verification::Output& output : verify.outputs) {
    table.Add({output.name, Figured(output.max_abs), Figured(output.max_rel), output.equal ? "equal" : "differs"});
  }
  if (!verify.outputs.empty()) absl::StrAppend(&text, table.Print(options));
  absl::StrAppend(&text, RoundingText(verify, options), ChoicesText(verify.choices, options));
  const std::string limit =
      absl::StrCat(absl::StrFormat("%g", verify.tolerance.value_or(0)), " (", ExactnessName(verify.exactness), ")");
  if (verify.verdict == "equal") {
    if (!verify.message.empty()) absl::StrAppend(&text, Wrapped(verify.message, "", "  ", options));
    return absl::StrCat(text, "equal in ", verify.runs, " runs, within ", limit, "\n");
  }
  absl::StrAppend(
      &text, verify.message.empty() ? absl::StrCat("the files differ by more than ", limit) : verify.message, "\n");
  if (verify.first_difference.has_value()) {
    absl::StrAppend(&text, "the first tensor that differs: ", *verify.first_difference, "\n");
  }
  return text;
}

std::string RewriteText(const Rewritten& rewritten, const RewriteReport& report, const ReportOptions& options) {
  const Analysis& before = *rewritten.before;
  const Analysis& after = *rewritten.after;
  std::string text =
      absl::StrCat(report.output, ": ", FormatBytes(static_cast<double>(report.totals.bytes)), ", of them ",
                   FormatBytes(static_cast<double>(report.totals.copied_bytes)), " copied from the file as they are\n");
  if (before.plan.has_value()) {
    absl::StrAppend(&text, before.target->name, " ", before.mode, ": ", LatencyOf(before), " as written, ",
                    LatencyOf(after), " after rewriting; ", before.plan->segments.size(), " segments, then ",
                    after.plan->segments.size(), "\n");
  }
  const size_t nodes_before = before.graph->nodes().size(), nodes_after = after.graph->nodes().size();
  absl::StrAppend(&text, nodes_before, " nodes, then ", nodes_after, "\n");
  const std::string verified = report.verify.has_value() ? VerifyText(*report.verify, options) : "";
  if (rewritten.rules.empty()) {
    return absl::StrCat(text, "no rule makes the model better: it is written as it is\n", verified);
  }
  return absl::StrCat(text, "\n", RulesText(rewritten, options), verified);
}

}  // namespace

Cell RewrittenCell(const Rewritten* rewritten, absl::string_view command) {
  if (rewritten == nullptr) return nullptr;
  const bool is_written = !command.empty() && !rewritten->rules.empty();
  return Cell{{"summary", SummaryCellOf(*rewritten->after)},
              {"rules", RulesCell(*rewritten)},
              {"command", is_written ? Cell(CommandText(command)) : Cell(nullptr)}};
}

std::string RewrittenText(const View& view, const ReportOptions& options) {
  if (view.rewritten == nullptr) return "";
  const Rewritten& rewritten = *view.rewritten;
  const std::string title = absl::StrCat(Paint("Rewriting", Style::kBold, options.color), "\n");
  if (rewritten.rules.empty()) return absl::StrCat(title, "  no rule makes the model better here\n");
  const size_t count = rewritten.rules.size();
  const std::string line =
      absl::StrCat(LatencyOf(*rewritten.before), " as written, ", LatencyOf(*rewritten.after), " after ", count,
                   count == 1 ? " rewrite" : " rewrites", view.rewrite_command.empty() ? "" : ":");
  // A command is one line, however narrow the terminal, so that it can be pasted.
  const std::string command =
      view.rewrite_command.empty() ? "" : absl::StrCat("  ", CommandText(view.rewrite_command), "\n");
  return absl::StrCat(title, Wrapped(line, "  ", "  ", options), command, RulesText(rewritten, options));
}

absl::Status WriteRewriteReport(const Rewritten& rewritten, const RewriteReport& report, const ReportOptions& options,
                                Sink sink) {
  if (options.format == Format::kText) return sink(RewriteText(rewritten, report, options));
  View view = MakeView(*rewritten.before, {.model_path = options.model_path});
  Document document = HeadOf(ReportKind::kRewrite, view);
  document.parts.push_back({"before", SummaryPart(*rewritten.before)});
  document.parts.push_back({"after", SummaryPart(*rewritten.after)});
  document.parts.push_back({"rules", RulesTable(rewritten)});
  document.parts.push_back(
      {"output",
       Cell{{"path", report.output}, {"bytes", report.totals.bytes}, {"copied_bytes", report.totals.copied_bytes}}});
  document.parts.push_back({"verify", VerifyCell(report.verify)});
  document.tables = {"rules"};
  return WriteDocument(document, options, sink);
}

}  // namespace hwest

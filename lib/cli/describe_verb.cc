// describe and fusions: the tables that this program works from.
#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "fuse/patterns.h"
#include "op/rule.h"

namespace hwest {
namespace {

std::string Text(absl::string_view text) { return std::string(text); }

std::vector<std::string> Words(absl::string_view text) { return absl::StrSplit(text, ' ', absl::SkipEmpty()); }

Listing Ops() {
  constexpr absl::string_view kClasses[] = {"compute", "layout", "view", "constant", "control"};
  Listing listing{"ops", {{"domain"}, {"op"}, {"versions", true}, {"class"}}, {}};
  for (const OpRule& rule : AllRules()) {
    listing.rows.push_back({{rule.domain.empty() ? "ai.onnx" : Text(rule.domain)},
                            {Text(rule.op)},
                            Words(rule.versions),
                            {Text(kClasses[static_cast<size_t>(rule.op_class)])}});
  }
  return listing;
}

Listing Formats() {
  Listing listing{"formats", {{"name"}, {"extensions", true}, {"summary"}}, {}};
  for (const FormatInfo& format : AllFormats()) {
    listing.rows.push_back({{Text(format.name)}, Words(format.extensions), {Text(format.summary)}});
  }
  return listing;
}

Listing Codes() {
  constexpr absl::string_view kSeverities[] = {"error", "warning", "note"};
  Listing listing{"codes", {{"code"}, {"severity"}, {"exit"}, {"meaning"}}, {}};
  for (const CodeInfo& code : AllCodes()) {
    listing.rows.push_back({{Text(code.id)},
                            {Text(kSeverities[static_cast<size_t>(code.severity)])},
                            {absl::StrCat(code.exit_code)},
                            {Text(code.meaning)}});
  }
  return listing;
}

// How a file for --op-rules is written.
Listing OpRulesForm() {
  constexpr std::pair<absl::string_view, absl::string_view> kRows[] = {
      {"DOMAIN::OP(IN, ..) -> OUT, ..", "begins the rule of an operator at the start of a line and names its operands"},
      {"shape OUT = [SIZE, ..]", "sizes of an output; [] is a scalar. Statements are indented, one a line"},
      {"shape OUT = IN", "the shape of an input"},
      {"dtype OUT = IN", "the element type of an input (the first one when not stated), or a type such as float16"},
      {"rank IN = N", "refuses a node whose input has another rank"},
      {"macs = SIZE", "multiply-accumulates, costed as vector code"},
      {"matmul = [B, M, N, K]", "multiply-accumulates of B products of MxK by KxN, costed as such"},
      {"ops KIND = SIZE", "other operations; KIND is add, mul, compare, transcendental or integer"},
      {"class = compute", "or layout (moves data) or view (free)"},
      {"# TEXT", "a comment, up to the end of the line"},
      {"SIZE: 3, + - * // % ( )", "whole numbers and arithmetic; // rounds down"},
      {"SIZE: min max ceildiv broadcast", "functions of two sizes, e.g. max(x.0, 1)"},
      {"SIZE: x.0, x.-1", "size of an axis of an operand; outputs only in macs, matmul and ops"},
      {"SIZE: x[0]", "element of an input whose contents are known"},
      {"SIZE: numel(x), rank(x)", "elements and axes of an operand"},
      {"SIZE: @name, @name.0", "an attribute, or an element of one that is a list"},
      {"SIZE: attr(name, 8)", "an attribute with the value it has when absent"},
  };
  Listing listing{"op-rules", {{"form"}, {"meaning"}}, {}};
  for (const auto& [form, meaning] : kRows) listing.rows.push_back({{Text(form)}, {Text(meaning)}});
  return listing;
}

// The names between brackets of an expression, in order of first use.
std::vector<std::string> GuardsOf(absl::string_view expression) {
  std::vector<std::string> guards;
  for (size_t at = expression.find('['); at != absl::string_view::npos; at = expression.find('[', at + 1)) {
    const size_t end = expression.find(']', at);
    if (end == absl::string_view::npos) break;
    for (absl::string_view guard : absl::StrSplit(expression.substr(at + 1, end - at - 1), ',')) {
      const std::string name(absl::StripAsciiWhitespace(guard));
      if (std::find(guards.begin(), guards.end(), name) == guards.end()) guards.push_back(name);
    }
  }
  return guards;
}

bool PicksAll(const Toolchain& toolchain, absl::string_view picks) {
  for (const std::string& pick : Words(picks)) {
    if (PickOf(toolchain, pick) == nullptr) return false;
  }
  return true;
}

// Patterns with the toolchains that apply them; with a name only those of that toolchain.
absl::StatusOr<Listing> Patterns(const std::string& only) {
  std::vector<Toolchain> toolchains;
  for (const std::string& name : only.empty() ? ListToolchains() : std::vector<std::string>{only}) {
    HWEST_ASSIGN_OR_RETURN(Toolchain toolchain, LoadToolchain(name));
    toolchains.push_back(std::move(toolchain));
  }
  Listing listing{"patterns", {{"name"}, {"toolchains", true}, {"expression"}, {"guards", true}, {"source"}}, {}};
  for (const PatternRow& row : AllPatterns()) {
    std::vector<std::string> users;
    for (const Toolchain& toolchain : toolchains) {
      if (PicksAll(toolchain, row.picks)) users.push_back(toolchain.name);
    }
    if (!only.empty() && users.empty()) continue;
    listing.rows.push_back(
        {{Text(row.name)}, users, {Text(row.expression)}, GuardsOf(row.expression), {Text(row.source)}});
  }
  return listing;
}

absl::StatusOr<Listing> TableOf(const std::string& what) {
  if (what == "ops") return Ops();
  if (what == "formats") return Formats();
  if (what == "codes") return Codes();
  if (what == "patterns") return Patterns("");
  if (what == "op-rules") return OpRulesForm();
  return MakeError(Code::kUsage, absl::StrCat("there is no table '", EscapeControl(what), "'"),
                   "write onnx-hwest describe ops, patterns, targets, formats, codes or op-rules");
}

}  // namespace

absl::Status RunDescribe(const Options& options, const Streams& streams) {
  if (options.words[0] == "targets") {
    return Deliver(options, streams, [&](Sink sink) { return WriteTargets(ListTargets(), options.report, sink); });
  }
  HWEST_ASSIGN_OR_RETURN(const Listing listing, TableOf(options.words[0]));
  return Deliver(options, streams,
                 [&](Sink sink) { return WriteListing(ReportKind::kDescribe, listing, options.report, sink); });
}

absl::Status RunFusions(const Options& options, const Streams& streams) {
  HWEST_ASSIGN_OR_RETURN(const Listing listing, Patterns(options.toolchain));
  return Deliver(options, streams,
                 [&](Sink sink) { return WriteListing(ReportKind::kFusions, listing, options.report, sink); });
}

}  // namespace hwest

// describe and fusions: print the tables that this program works with.
#include <algorithm>
#include <iterator>
#include <memory>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "budget/budget.h"
#include "cli/completions.h"
#include "cli/manual.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"
#include "fuse/fusion_rules.h"
#include "fuse/patterns.h"
#include "fuse/select.h"
#include "hwest/capacity.h"
#include "hwest/llm.h"
#include "hwest/support.h"
#include "hwest/workload.h"
#include "measured/import.h"
#include "measured/measurements.h"
#include "op/rule.h"
#include "op/typical_size.h"
#include "partition/support.h"
#include "rewrite/figures.h"
#include "rewrite/user_rules.h"
#include "target/schema.h"

namespace hwest {
namespace {

std::string Text(absl::string_view text) { return std::string(text); }

std::vector<std::string> Words(absl::string_view text) { return absl::StrSplit(text, ' ', absl::SkipEmpty()); }

Listing Ops() {
  constexpr absl::string_view kClasses[] = {"compute", "layout", "view", "constant", "control"};
  static_assert(std::size(kClasses) == kNumEnumerators<OpClass>);
  Listing listing{"ops", {{"domain"}, {"op"}, {"versions", true}, {"class"}}, {}};
  for (const OpRule& rule : AllRules()) {
    listing.rows.push_back({{rule.domain.empty() ? "ai.onnx" : Text(rule.domain)},
                            {Text(rule.op)},
                            Words(rule.versions),
                            {Text(kClasses[static_cast<size_t>(rule.op_class)])}});
  }
  return listing;
}

// The sizes that --expect replaces.
Listing Sizes() {
  Listing listing{"sizes", {{"name"}, {"made by"}, {"typical"}, {"reason"}}, {}};
  for (const TypicalSize& size : TypicalSizes()) {
    listing.rows.push_back({{Text(size.name)}, {Text(size.makers)}, {Text(size.size)}, {Text(size.reason)}});
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

Listing WorkloadForm() {
  Listing listing{"workload", {{"in"}, {"key"}, {"type"}, {"meaning"}}, {}};
  for (const WorkloadKey& key : WorkloadKeys()) {
    listing.rows.push_back({{key.in.empty() ? "file" : key.in}, {key.name}, {key.type}, {key.meaning}});
  }
  return listing;
}

// The columns that a file of measured figures may have.
Listing MeasurementsForm() {
  Listing listing{"measurements", {{"column"}, {"needed"}, {"meaning"}}, {}};
  for (const MeasurementColumn& column : AllMeasurementColumns()) {
    listing.rows.push_back({{Text(column.name)}, {Text(column.needed)}, {Text(column.meaning)}});
  }
  return listing;
}

// What --measurements reads.
Listing Imports() {
  Listing listing{"imports", {{"name"}, {"written by"}, {"a row is"}}, {}};
  for (const ImportInfo& info : AllImports()) {
    listing.rows.push_back({{Text(info.name)}, {Text(info.written)}, {Text(info.summary)}});
  }
  return listing;
}

Listing Codes() {
  constexpr absl::string_view kSeverities[] = {"error", "warning", "note"};
  static_assert(std::size(kSeverities) == kNumEnumerators<Severity>);
  Listing listing{"codes", {{"code"}, {"severity"}, {"exit"}, {"meaning"}}, {}};
  for (const CodeInfo& code : AllCodes()) {
    listing.rows.push_back({{Text(code.id)},
                            {Text(kSeverities[static_cast<size_t>(code.severity)])},
                            {absl::StrCat(code.exit_code)},
                            {Text(code.meaning)}});
  }
  return listing;
}

// The fields of a budget file, message by message, as its schema has them.
Listing BudgetForm() {
  Listing listing{"budget", {{"field"}, {"type"}, {"meaning"}}, {}};
  std::string message, above;  // comment lines over a message are its meaning
  for (const absl::string_view line : absl::StrSplit(BudgetSchemaText(), '\n')) {
    const absl::string_view text = absl::StripAsciiWhitespace(line);
    const std::vector<absl::string_view> parts = absl::StrSplit(text, absl::MaxSplits("// ", 1));
    const std::vector<absl::string_view> words = absl::StrSplit(parts[0], ' ', absl::SkipEmpty());
    const std::string meaning = parts.size() > 1 ? Text(parts[1]) : "";
    if (words.empty()) above = meaning.empty() ? "" : absl::StrCat(above, above.empty() ? "" : " ", meaning);
    if (words.size() < 2) continue;
    if (words[0] == "message" || words[0] == "enum") {
      message = Text(words[1]);
      listing.rows.push_back({{message}, {Text(words[0])}, {above}});
      above.clear();
      continue;
    }
    const auto equals = std::find(words.begin(), words.end(), "=");
    if (message.empty() || equals == words.end() || equals == words.begin() || words[0] == "option") continue;
    const std::vector<absl::string_view> type(words.begin(), equals - 1);
    if (meaning.empty() && type.empty()) continue;
    listing.rows.push_back({{absl::StrCat(message, ".", *(equals - 1))}, {absl::StrJoin(type, " ")}, {meaning}});
  }
  return listing;
}

// What `rewrite` may do to a model.
Listing Rewrites() {
  Listing listing{"rewrites", {{"name"}, {"exactness"}, {"canonical"}, {"what becomes what"}, {"reason"}}, {}};
  for (const RewriteRuleInfo& rule : RewriteRuleInfos()) {
    listing.rows.push_back({{Text(rule.name)},
                            {Text(ExactnessName(rule.exactness))},
                            {rule.is_canonical ? "yes" : "no"},
                            {Text(rule.words)},
                            {Text(rule.reason)}});
  }
  return listing;
}

// The form of a file for --op-rules.
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

// The form of a file for --fusions.
Listing FusionsForm() {
  // clang-format off
  constexpr std::pair<absl::string_view, absl::string_view> kRows[] = {
      {"NAME = EXPRESSION", "begins a pattern at the start of a line; it goes on while a parenthesis is open"},
      {"family NAME",
       "what its groups are called, default the pattern's own name. Statements are indented, one a line"},
      {"toolchains NAME, ..",
       "who applies it, by the name that its file states or a unit gives it; default every toolchain"},
      {"picks NAME, ..", "fusions that such a toolchain has to have, too"},
      {"@NAME = TEXT", "a fragment for the expressions below; % in it is the argument"},
      {"# TEXT", "a comment, up to the end of the line"},
      {"EXPRESSION: Op(a, b)", "a node by operator; commutative operators of two inputs match either way round"},
      {"EXPRESSION: (A|B)(x)", "any of the operators; domain::Op names one of another domain"},
      {"EXPRESSION: Op.1(x)", "a node by one of its later outputs"},
      {"EXPRESSION: x, _, x?",
       "a value, any value each time, an input that may be absent; the same name is the same value"},
      {"EXPRESSION: c:Op(x)", "names the value of an inner node; c*: lets all that the node makes be used outside the group, too"},
      {"EXPRESSION: Op?(x)", "a node that may be missing; Op?{conv_bn}(x) only where the toolchain has that fusion"},
      {"EXPRESSION: Op[guard](x), x[guard]", "demands something of a node or value, see the guards below"},
      {"EXPRESSION: 0.5", "a constant of that number"},
      {"EXPRESSION: ~(A|B) x", "any number of these layout nodes may stand between"},
      {"EXPRESSION: (e | f)", "either expression"},
      {"EXPRESSION: @NAME, @NAME(e)", "a fragment, written out in place"},
  };
  // clang-format on
  Listing listing{"fusions", {{"form"}, {"meaning"}}, {}};
  for (const auto& [form, meaning] : kRows) listing.rows.push_back({{Text(form)}, {Text(meaning)}});
  for (const Guard& guard : AllGuards()) {
    listing.rows.push_back({{absl::StrCat("guard ", guard.name, guard.node != nullptr ? " of a node" : " of a value")},
                            {Text(guard.needed)}});
  }
  for (const Fragment& fragment : PatternVocabulary()) {
    listing.rows.push_back({{absl::StrCat("fragment @", fragment.name)}, {Text(fragment.text)}});
  }
  return listing;
}

// The form of a file for --rules.
Listing RulesForm() {
  // clang-format off
  constexpr std::pair<absl::string_view, absl::string_view> kRows[] = {
      {"NAME = PATTERN -> REPLACEMENT",
       "begins a rule at the start of a line; it goes on while a parenthesis is open or a line ends with ->, ; or ,"},
      {"when CHECK CHECK(a, b)", "checks, all of which have to hold. Statements are indented, one a line"},
      {"exactness CLASS", "exact (the same function computed alike), rounding (the default) or approximate, which "
       "needs --allow-approximate"},
      {"words TEXT", "what becomes what, for reports"},
      {"because TEXT", "why it computes the same"},
      {"sample EXPRESSION", "what `rules test` tries it on, as a replacement; default made from the pattern"},
      {"of NAME TYPE, ..", "types of values there: x float[1,8,4,4], w const float[8]; others are searched for"},
      {"@NAME = TEXT", "a fragment for the patterns below; % in it is the argument"},
      {"# TEXT", "a comment, up to the end of the line"},
      {"PATTERN", "an expression as of `onnx-hwest describe fusions`, with its guards and fragments; values that it "
       "names are those of the replacement"},
      {"REPLACEMENT: x, 0.5", "a value that the pattern names, a constant of the type of the result"},
      {"REPLACEMENT: Op(a, b; k=v)", "a node: operands, then attributes 1, 0.5, [0, 1], \"text\" or $figure; _ is an "
       "absent operand; domain::Op is of another domain. What newer versions take as operands may be attributes"},
      {"REPLACEMENT: Op?(a, b)", "left out, with a in its place, where a later operand is absent"},
      {"REPLACEMENT: Root(a; *root)", "the operator that the pattern ends in; root.1 is its second operand"},
      {"REPLACEMENT: *c", "in place of an attribute: all attributes of the node that makes c"},
      {"REPLACEMENT: n = e; f", "names a value; a b = Op(..) names several outputs"},
      {"REPLACEMENT: e, f", "what replaces the outputs, in order"},
  };
  // clang-format on
  Listing listing{"rules", {{"form"}, {"meaning"}}, {}};
  for (const auto& [form, meaning] : kRows) listing.rows.push_back({{Text(form)}, {Text(meaning)}});
  for (const CheckRow& row : AllChecks()) {
    if (row.takes == kOwnRulesOnly) continue;
    listing.rows.push_back(
        {{absl::StrCat("check ", row.name, row.takes.empty() ? "" : OperandsText(row.takes))}, {Text(row.words)}});
  }
  for (const FigureRow* row : RewriteFigures()) {
    if (row->takes == kOwnRulesOnly) continue;
    listing.rows.push_back({{absl::StrCat("figure $", row->name, row->takes.empty() ? "" : OperandsText(row->takes))},
                            {Text(row->words)}});
  }
  return listing;
}

// How target and toolchain files are written.
Listing TargetFormatForm() {
  Listing listing{"target-format", {{"field"}, {"type"}, {"meaning"}}, {}};
  const auto cell = [](std::string text) {
    return text.empty() ? std::vector<std::string>{} : std::vector<std::string>{std::move(text)};
  };
  for (const FormatRow& row : TargetFormat()) {
    std::vector<std::string> type = cell(row.type);
    if (!row.measure.empty()) type.push_back(row.measure);
    if (!row.range.empty()) type.push_back(absl::StrCat("credible ", row.range));
    listing.rows.push_back({{row.name.empty() ? row.in : absl::StrCat(row.in, ".", row.name)},
                            cell(absl::StrJoin(type, ", ")),
                            cell(row.meaning)});
  }
  return listing;
}

// Which runtimes of language models each target has.
absl::StatusOr<Listing> Runtimes() {
  Listing listing{
      "runtimes", {{"target"}, {"runtime"}, {"title"}, {"unit"}, {"default"}, {"weights", true}, {"cache", true}}, {}};
  for (const TargetSummary& summary : ListTargets()) {
    HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Target> target, SharedTarget(summary.name, ""));
    HWEST_ASSIGN_OR_RETURN(const std::vector<LlmRuntime> runtimes, RuntimesOf(*target));
    for (const LlmRuntime& runtime : runtimes) {
      listing.rows.push_back({{summary.name},
                              {runtime.name},
                              {runtime.title},
                              {runtime.unit},
                              {runtime.is_default ? "yes" : "no"},
                              runtime.weights,
                              runtime.caches});
    }
  }
  return listing;
}

// Stages before and after a network, for `fit`.
absl::StatusOr<Listing> StageRows() {
  Listing listing{"stages", {{"name"}, {"meaning"}, {"figure"}, {"trust"}}, {}};
  for (const NamedStage& row : CapacityStages()) {
    listing.rows.push_back(
        {{row.stage.name}, {row.meaning}, {row.stage.figure}, {std::string(TrustName(row.stage.trust))}});
  }
  return listing;
}

std::vector<std::string> Texts(const std::vector<absl::string_view>& texts) {
  return std::vector<std::string>(texts.begin(), texts.end());
}

// One that only takes the operator that the nodes spell out is inferred.
EvidenceKind EvidenceOf(const Pick* pick) {
  return pick != nullptr ? EvidenceOf(pick->trust) : EvidenceKind::kInferred;
}

// The toolchains that make the fusion of one row.
struct Makers {
  std::vector<std::string> names, evidence, seen_in;

  // `row` is known as well as the weakest of its picks. A row without any is the user's.
  void Add(const PatternRow& row, const Toolchain& toolchain) {
    names.push_back(toolchain.own_name);
    const std::vector<std::string> picks = Words(row.picks);
    EvidenceKind evidence_of = picks.empty() ? EvidenceKind::kRequest : EvidenceKind::kCompiler;
    std::string version;
    for (const std::string& name : picks) {
      const Pick* pick = PickOf(toolchain, name);
      evidence_of = std::max(evidence_of, EvidenceOf(pick));
      const FactSource* source = pick == nullptr ? nullptr : FindSource(toolchain, pick->source);
      if (source != nullptr) version = source->date;
    }
    evidence.emplace_back(EvidenceKindName(evidence_of));
    seen_in.push_back(evidence_of == EvidenceKind::kCompiler ? version : "");
  }

 private:
  static const FactSource* FindSource(const Toolchain& toolchain, const std::string& key) {
    const auto found = absl::c_find_if(toolchain.sources, [&](const FactSource& source) { return source.key == key; });
    return found == toolchain.sources.end() ? nullptr : &*found;
  }
};

void AddPattern(const PatternRow& row, absl::Span<const Fragment> vocabulary, Makers makers, Listing* listing) {
  listing->rows.push_back({{Text(row.name)},
                           std::move(makers.names),
                           std::move(makers.evidence),
                           std::move(makers.seen_in),
                           {Text(row.expression)},
                           Texts(GuardsOf(row, vocabulary)),
                           {Text(row.source)},
                           {Text(row.words)},
                           Words(row.picks)});
}

// Patterns with the toolchains that apply them, those of `rules` first; with a name, only that toolchain's.
absl::StatusOr<Listing> Patterns(const std::string& only, const FusionRules* rules) {
  std::vector<Toolchain> toolchains;
  for (const std::string& name : only.empty() ? ListToolchains() : std::vector<std::string>{only}) {
    HWEST_ASSIGN_OR_RETURN(Toolchain toolchain, LoadToolchain(name));
    toolchain.name = name;
    toolchains.push_back(std::move(toolchain));
  }
  const auto makers_of = [&](const PatternRow& row, const std::vector<std::string>& names) {
    Makers makers;
    for (const Toolchain& toolchain : toolchains) {
      const bool named = names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
                           return toolchain.IsCalled(name);
                         });
      if (named && MissingPicks(row, toolchain).empty()) makers.Add(row, toolchain);
    }
    return makers;
  };
  Listing listing{"patterns",
                  {{"name"},
                   {"toolchains", true},
                   {"evidence", true},
                   {"seen_in", true},
                   {"expression"},
                   {"guards", true},
                   {"source"},
                   {"words"},
                   {"picks", true}},
                  {}};
  for (size_t i = 0; rules != nullptr && i < rules->rows.size(); ++i) {
    Makers makers = makers_of(rules->rows[i], rules->toolchains[i]);
    if (only.empty() || !makers.names.empty()) {
      AddPattern(rules->rows[i], rules->vocabulary, std::move(makers), &listing);
    }
  }
  for (const PatternRow& row : AllPatterns()) {
    Makers makers = makers_of(row, {});
    if (only.empty() || !makers.names.empty()) AddPattern(row, PatternVocabulary(), std::move(makers), &listing);
  }
  return listing;
}

absl::StatusOr<Listing> AllPatternsTable() { return Patterns("", nullptr); }

template <Listing (*kTable)()>
absl::StatusOr<Listing> Sure() {
  return kTable();
}

struct Page {
  absl::string_view name;
  absl::string_view shows;
  absl::StatusOr<Listing> (*table)();  // null = no listing
};

constexpr Page kPages[] = {
    {"ops", "operators with a rule, by domain and version", Sure<Ops>},
    {"sizes", "typical values of sizes that only the data decide", Sure<Sizes>},
    {"patterns", "fusion patterns and the toolchains that apply them", AllPatternsTable},
    {"rewrites", "rules by which `rewrite` makes equivalent models", Sure<Rewrites>},
    {"targets", "built-in targets", nullptr},
    {"stages", "stages before and after a network that `fit` takes, with their figures", StageRows},
    {"runtimes", "runtimes of language models on each target, for `llm`", Runtimes},
    {"formats", "formats of reports, with the extensions that choose them", Sure<Formats>},
    {"measurements", "columns of a file of measured figures", Sure<MeasurementsForm>},
    {"imports", "files of other programs that --measurements reads", Sure<Imports>},
    {"codes", "errors, warnings and notes by their stable names, with exit codes", Sure<Codes>},
    {"op-rules", "how a file for --op-rules is written", Sure<OpRulesForm>},
    {"fusions", "how a file for --fusions is written", Sure<FusionsForm>},
    {"rules", "how a file for --rules is written", Sure<RulesForm>},
    {"budget", "how a budget file is written, for `check`", Sure<BudgetForm>},
    {"workload", "how a file for `workload` is written", Sure<WorkloadForm>},
    {"target-format", "how a target file is written", Sure<TargetFormatForm>},
    {"target-example", "a target file to start from", nullptr},
    {"man", "the manual page, for man(1)", nullptr},
    {"completions", "completions of a shell; needs --shell", nullptr},
};

Listing Pages() {
  Listing listing{"pages", {{"page"}, {"shows"}}, {}};
  for (const Page& page : kPages) listing.rows.push_back({{Text(page.name)}, {Text(page.shows)}});
  return listing;
}

absl::StatusOr<Listing> TableOf(const std::string& what) {
  std::vector<std::string> names;
  for (const Page& page : kPages) {
    if (page.name == what && page.table != nullptr) return page.table();
    names.emplace_back(page.name);
  }
  const std::vector<std::string> nearest = NearestNames(what, names, 2);
  return MakeError(Code::kUsage, absl::StrCat("there is no page '", EscapeControl(what), "'"),
                   nearest.empty()
                       ? "`onnx-hwest describe` lists the pages"
                       : absl::StrCat("did you mean onnx-hwest describe ", absl::StrJoin(nearest, " or "), "?"));
}

// Whether it prints plain text: the manual page, shell completions, or a target file to start from.
bool IsText(const std::string& what) { return what == "man" || what == "completions" || what == "target-example"; }

absl::StatusOr<std::string> Manual(const DescribeOptions& options) {
  if (options.report.format != Format::kText) {
    return MakeError(Code::kUsage, absl::StrCat("`describe ", options.words[0], "` is text only"),
                     "leave out --format");
  }
  if (options.words[0] == "man") return ManualPage();
  if (options.words[0] == "target-example") return Text(ExampleTarget());
  if (!options.shell.has_value()) {
    return MakeError(Code::kUsage, "`describe completions` needs --shell", "write --shell bash, zsh or fish");
  }
  return Completions(*options.shell);
}

}  // namespace

std::string PageNames(absl::string_view separator) {
  return absl::StrJoin(kPages, separator, [](std::string* out, const Page& page) { absl::StrAppend(out, page.name); });
}

absl::Status RunDescribe(const DescribeOptions& options, const Streams& streams) {
  const auto print = [&](const Listing& listing) {
    return Deliver(options, streams,
                   [&](Sink sink) { return WriteListing(ReportKind::kDescribe, listing, options.report, sink); });
  };
  if (options.words.empty()) return print(Pages());
  if (IsText(options.words[0])) {
    HWEST_ASSIGN_OR_RETURN(const std::string text, Manual(options));
    return Deliver(options, streams, [&](Sink sink) { return sink(text); });
  }
  if (options.words[0] == "targets") {
    return Deliver(options, streams, [&](Sink sink) { return WriteTargets(ListTargets(), options.report, sink); });
  }
  HWEST_ASSIGN_OR_RETURN(const Listing listing, TableOf(options.words[0]));
  return print(listing);
}

absl::Status RunFusions(const FusionsOptions& options, const Streams& streams) {
  HWEST_ASSIGN_OR_RETURN(const auto rules, FusionRules::Parse(options.request.fusion_rules, options.fusions_file));
  HWEST_ASSIGN_OR_RETURN(Listing listing, Patterns(options.toolchain, rules.get()));
  if (options.request.fusions == "none") listing.rows.clear();
  return Deliver(options, streams,
                 [&](Sink sink) { return WriteListing(ReportKind::kFusions, listing, options.report, sink); });
}

namespace {

constexpr char kShellWords[] = "bash zsh fish";  // by their numbers
static_assert(NumWords(kShellWords) == kNumEnumerators<Shell>);

// clang-format off: a paragraph a flag
constexpr Flag kDescribeFlags[] = {
    {.name = "--shell", .value = "SHELL", .help = "which one `describe completions` is for", .group = "Report",
     .set = SetChoice<&DescribeOptions::shell>, .choices = TextIn(kShellWords)},
};
constexpr Flag kFusionsFlags[] = {
    {.name = "--toolchain", .value = "NAME", .help = "the patterns of this toolchain, built in or a file",
     .group = "Target", .set = SetText<&FusionsOptions::toolchain>, .example = "tidl", .path = PathIn::kToolchain},
};
// clang-format on

}  // namespace

absl::Span<const Flag> DescribeFlags() { return kDescribeFlags; }
absl::Span<const Flag> FusionsFlags() { return kFusionsFlags; }

}  // namespace hwest

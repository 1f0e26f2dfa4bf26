// Flags that only analyze, support or graph takes.
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "base/enumerators.h"
#include "cli/setters.h"
#include "cli/verbs.h"
#include "hwest/generation.h"
#include "report/chart.h"

namespace hwest {
namespace {

absl::Status AddContexts(const Flag& flag, const std::string& value, Options* options) {
  for (const absl::string_view text : absl::StrSplit(value, ',')) {
    int64_t tokens;
    if (!absl::SimpleAtoi(text, &tokens) || tokens < 1 || tokens > kMostContext) {
      return BadValue(flag.name, value, "write tokens of context, e.g. --context 128,512,2048");
    }
    dynamic_cast<AnalyzeOptions&>(*options).contexts.push_back(tokens);
  }
  return absl::OkStatus();
}

// clang-format off: a paragraph a flag
constexpr Flag kAnalyzeFlags[] = {
    {.name = "--what-if", .help = "try the changes that may help, and rank them by what they save", .group = "Report",
     .set = Switch<Study::kWhatIf, &AnalyzeOptions::study>},
    {.name = "--rewrite", .help = "also find the rewrites that make the model better here, and say what they bring",
     .group = "Report", .set = Switch<true, &AnalyzeOptions::with_rewrites>},
    {.name = "--context", .value = "N,..",
     .help = "tokens in the key/value cache of a language model: time to first token and tokens per second at each",
     .group = "Model", .set = AddContexts, .example = "128,512,2048"},
    {.name = "--chart", .value = "NAME",
     .help = "in place of the graph: timeline of the units, memory over time, roofline, or time by modules",
     .group = "Picture", .set = SetChoice<&Options::report, &ReportOptions::picture, &PictureOptions::chart>,
     .named_choices = NamesOf<ChartName, Chart, kNumEnumerators<Chart>>},
};

constexpr Flag kSupportFlags[] = {
    {.name = "--stats", .help = "how much of what each toolchain demands is typed, without the rows (json holds both)",
     .group = "Report", .set = Switch<Stats::kAlone, &Options::report, &ReportOptions::stats>},
};

constexpr auto kNodes = &ReportOptions::graph;

constexpr Flag kGraphFlags[] = {
    {.name = "--start", .value = "N", .help = "from the node of this id", .group = "Nodes",
     .set = SetNumber<0, &Options::report, kNodes, &GraphSelection::start>, .example = "50"},
    {.name = "--end", .value = "N", .help = "to the node of this id", .group = "Nodes",
     .set = SetNumber<0, &Options::report, kNodes, &GraphSelection::end>, .example = "80"},
    {.name = "--around", .value = "NODE",
     .help = "name, output, #id, id, or gN of a group: the nodes before and after it", .group = "Nodes",
     .set = SetText<&Options::report, kNodes, &GraphSelection::around>, .example = "Conv_12"},
    {.name = "--context", .value = "N", .help = "nodes on either side of --around", .group = "Nodes",
     .set = SetNumber<0, &Options::report, kNodes, &GraphSelection::context>, .default_text = "5", .example = "3"},
    {.name = "--max-nodes", .value = "N", .help = "the first N of the nodes that fit", .group = "Nodes",
     .set = SetNumber<0, &Options::report, kNodes, &GraphSelection::max_nodes>, .example = "100"},
    {.name = "--op", .value = "OP,..", .help = "nodes of these operators", .group = "Nodes",
     .set = AddNames<&Options::report, kNodes, &GraphSelection::ops>, .example = "Conv,Gemm", .repeats = true},
    {.name = "--unit", .value = "NAME,..", .help = "nodes on these units; none = on no unit", .group = "Nodes",
     .set = AddNames<&Options::report, kNodes, &GraphSelection::units>, .example = "dla0,none", .repeats = true},
    {.name = "--bound", .value = "BOUND,..",
     .help = "nodes of groups bound by compute, memory, overhead, transfer or balanced", .group = "Nodes",
     .set = AddNames<&Options::report, kNodes, &GraphSelection::bounds>, .example = "memory", .repeats = true},
    {.name = "--module", .value = "PATH", .help = "nodes of this module and of those in it", .group = "Nodes",
     .set = SetText<&Options::report, kNodes, &GraphSelection::module>, .example = "/layer1"},
    {.name = "--grep", .value = "TEXT",
     .help = "nodes with this in a name, operator, value, module or source line, in any case", .group = "Nodes",
     .set = SetText<&Options::report, kNodes, &GraphSelection::grep>, .example = "attention"},
};
// clang-format on

}  // namespace

absl::Span<const Flag> AnalyzeFlags() { return kAnalyzeFlags; }
absl::Span<const Flag> SupportFlags() { return kSupportFlags; }
absl::Span<const Flag> GraphFlags() { return kGraphFlags; }

}  // namespace hwest

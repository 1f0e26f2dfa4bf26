// memory: what is where, at which address, whether it fits, and what would take less.
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "app/memory.h"
#include "base/status_macros.h"
#include "budget/amount.h"
#include "cli/check.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"

namespace hwest {

absl::Status RunMemoryVerb(const MemoryVerbOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kMemory, options.report.format));
  const std::string& path = options.words[0];
  std::vector<Diagnostic> notes;
  if (options.check == Check::kYes) HWEST_RETURN_IF_ERROR(CheckModel(path, &notes));
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(path));
  PrintProgress("planning memory", options, streams);
  const app::MemoryRequest request{.draft = options.request, .arenas = options.arenas, .range = options.range};
  HWEST_ASSIGN_OR_RETURN(const MemoryReport report, app::Memory(Analyzer(std::move(graph)), request));
  ReportOptions written = options.report;
  written.model_path = path;
  HWEST_RETURN_IF_ERROR(
      Deliver(options, streams, [&](Sink sink) { return WriteMemory(report, options.rows, written, sink); }));
  notes.insert(notes.end(), report.analysis->diagnostics.begin(), report.analysis->diagnostics.end());
  PrintNotes(notes, options, streams);
  return options.strict == Strict::kYes ? AfterReport(app::CheckFits(report)) : absl::OkStatus();
}

namespace {

absl::Status AddArenas(const Flag& flag, const std::string& value, Options* options) {
  for (const std::string& text : SplitNames(value)) {
    const std::optional<double> bytes = ParseAmount(text, AmountKind::kBytes);
    if (!bytes.has_value() || *bytes < 1) return BadValue(flag.name, value, "write sizes such as 512kB,2MB");
    dynamic_cast<MemoryVerbOptions&>(*options).arenas.push_back(static_cast<int64_t>(*bytes));
  }
  return absl::OkStatus();
}

// NAME=A:B asks for a verdict over the range; NAME=N binds, as everywhere.
absl::Status AddDimOrRange(const Flag& flag, const std::string& value, Options* options) {
  if (!absl::StrContains(value, ":")) return Give(RequestOptionNamed("dims"), value, &options->request);
  auto& range = dynamic_cast<MemoryVerbOptions&>(*options).range;
  if (range.has_value()) return BadValue(flag.name, value, "give one range, and a size for every other name");
  range = app::ParseDimRange(value);
  return range.has_value() ? absl::OkStatus() : BadValue(flag.name, value, "write a range such as batch=1:64");
}

// clang-format off: a paragraph a flag
constexpr Flag kMemoryFlags[] = {
    {.name = "--plan", .help = "every tensor with its address, and the map, as text", .group = "Report",
     .set = Switch<PlanRows::kYes, &MemoryVerbOptions::rows>, .is_form = true},
    {.name = "--arena", .value = "SIZE,..", .help = "whether the activations fit into arenas of these sizes",
     .group = "Study", .set = AddArenas, .example = "512kB,2MB", .repeats = true},
    {.name = "--dim", .value = "NAME=N|A:B",
     .help = "size of a symbol or of INPUT.AXIS; for a range, whether it fits at every value", .group = "Model",
     .set = AddDimOrRange, .example = "batch=1:64", .repeats = true},
};
// clang-format on

}  // namespace

absl::Span<const Flag> MemoryFlags() { return kMemoryFlags; }

}  // namespace hwest

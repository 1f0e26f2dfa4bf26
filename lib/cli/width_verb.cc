// width: the steps that time takes over the channels of each layer.
#include <memory>
#include <utility>

#include "app/width.h"
#include "base/status_macros.h"
#include "cli/check.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"

namespace hwest {

absl::Status RunWidthVerb(const WidthVerbOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kWidth, options.report.format));
  const std::string& path = options.words[0];
  std::vector<Diagnostic> notes;
  if (options.check == Check::kYes) HWEST_RETURN_IF_ERROR(CheckModel(path, &notes));
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(path));
  const app::LoadedModel model{.graph = std::move(graph), .name = path, .source = {.path = path, .limits = {}}};
  HWEST_ASSIGN_OR_RETURN(const app::WidthResult result,
                         app::Width(model, options.request, options.how, WatchOf(options, streams)));
  ReportOptions written = options.report;
  written.model_path = path;
  HWEST_RETURN_IF_ERROR(Deliver(options, streams, [&](Sink sink) { return WriteWidth(result, written, sink); }));
  notes.insert(notes.end(), result.analysis->diagnostics.begin(), result.analysis->diagnostics.end());
  PrintNotes(notes, options, streams);
  return absl::OkStatus();
}

namespace {

// clang-format off: a paragraph a flag
constexpr Flag kWidthFlags[] = {
    {.name = "--layer", .value = "A,B", .help = "only these layers, by the names that the report lists",
     .group = "Study", .set = AddNames<&WidthVerbOptions::how, &WidthOptions::layers>, .example = "/conv1/Conv",
     .repeats = true},
    {.name = "--at", .value = "N", .help = "also what each layer takes with N output channels", .group = "Study",
     .set = SetNumber<1, &WidthVerbOptions::how, &WidthOptions::width>, .example = "48"},
};
// clang-format on

}  // namespace

absl::Span<const Flag> WidthFlags() { return kWidthFlags; }

}  // namespace hwest

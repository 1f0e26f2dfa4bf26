// explore: which values of a target's figures make models fast, frugal or small.
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "app/explore.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"
#include "explore/silicon.h"

namespace hwest {
namespace {

// --output is the best target where its name is that of one, else the report.
bool IsTargetFile(const std::string& path) { return absl::EndsWith(path, ".textproto"); }

absl::Status WriteBest(const ExploreVerbOptions& options, const Exploration& found) {
  HWEST_ASSIGN_OR_RETURN(const std::string text, app::BestTargetFile(found, options.output));
  return WriteFile(options.output, [&](Sink sink) { return sink(text); });
}

}  // namespace

absl::Status RunExplore(const ExploreVerbOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kExplore, options.report.format));
  const size_t first = options.request.target.empty() ? 1 : 0;  // of the models
  if (options.words.size() == first) {
    return MakeError(Code::kUsage, "no model was named", "write onnx-hwest explore TARGET MODEL...");
  }
  app::ExploreFiles files{.target = first == 0 ? options.request.target : options.words[0],
                          .models = {options.words.begin() + static_cast<ptrdiff_t>(first), options.words.end()},
                          .base = options.request,
                          .how = options.how};
  files.how.watch = WatchOf(options, streams);
  HWEST_ASSIGN_OR_RETURN(const Exploration found, app::Explore(std::move(files)));
  Options report = options;
  if (IsTargetFile(options.output)) report.output.clear();
  HWEST_RETURN_IF_ERROR(
      Deliver(report, streams, [&](Sink sink) { return WriteExploration(found, options.report, sink); }));
  if (options.report.format != Format::kText) PrintNotes(found.notes, options, streams);
  if (!IsTargetFile(options.output)) return absl::OkStatus();
  const absl::Status written = WriteBest(options, found);
  return written.ok() ? written : AfterReport(written);
}

namespace {

constexpr char kObjectiveWords[] = "latency energy edp";  // by their numbers
constexpr char kSearchWords[] = "grid anneal";

absl::Status AddVary(const Flag& flag, const std::string& value, Options* options) {
  const size_t equals = value.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == value.size()) {
    return BadValue(flag.name, value, "write PATH=VALUES, e.g. npu.clock=0.5GHz:2GHz:x2");
  }
  dynamic_cast<ExploreVerbOptions&>(*options).how.vary.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  return absl::OkStatus();
}

absl::Status SetProcess(const Flag& flag, const std::string& value, Options* options) {
  double nm;
  if (!absl::SimpleAtod(value, &nm) || !(nm >= kLeastProcess && nm <= kMostProcess)) {
    return BadValue(flag.name, value,
                    absl::StrCat("give nanometres from ", kLeastProcess, " to ", kMostProcess, ", e.g. 16"));
  }
  dynamic_cast<ExploreVerbOptions&>(*options).how.process_nm = nm;
  return absl::OkStatus();
}

constexpr auto kHow = &ExploreVerbOptions::how;

// clang-format off: a paragraph a flag
constexpr Flag kExploreFlags[] = {
    {.name = "--vary", .value = "PATH=V,..",
     .help = "values of a figure of the target, by the path in the column `set` of `onnx-hwest targets show NAME`: "
             "sram.size=1MB,2MB, npu.clock=0.5GHz:2GHz:x2 or npu.rows=16:64:+16", .group = "Study", .set = AddVary,
     .example = "sram.size=1MB:8MB:x2", .repeats = true},
    {.name = "--objective", .value = "WHAT",
     .help = "what the best point has least of, as the geometric mean over the models; edp = energy times latency",
     .group = "Study", .set = SetChoice<kHow, &ExploreRequest::objective>, .choices = TextIn(kObjectiveWords),
     .default_text = "latency"},
    {.name = "--constraint", .value = "LIMITS",
     .help = "limits on area, power, latency and energy, of the model where they are worst", .group = "Study",
     .set = SetText<kHow, &ExploreRequest::constraint>, .example = "area<4mm2,power<2W"},
    {.name = "--search", .value = "HOW", .help = "every point, or simulated annealing with a fixed seed",
     .group = "Study", .set = SetChoice<kHow, &ExploreRequest::search>, .choices = TextIn(kSearchWords),
     .default_text = "grid"},
    {.name = "--budget", .value = "N", .help = "points that annealing may ask for", .group = "Study",
     .set = SetNumber<1, kHow, &ExploreRequest::budget>, .default_text = "1000", .example = "500"},
    {.name = "--process", .value = "NM",
     .help = "of the chip, 5 to 45 nm: areas, and energies that the file does not state, are estimated for it",
     .group = "Study", .set = SetProcess, .default_text = "areas are unknown", .example = "16"},
};
// clang-format on
static_assert(NumWords(kObjectiveWords) == kNumEnumerators<ExploreFor>);
static_assert(NumWords(kSearchWords) == kNumEnumerators<SearchBy>);

}  // namespace

absl::Span<const Flag> ExploreFlags() { return kExploreFlags; }

}  // namespace hwest

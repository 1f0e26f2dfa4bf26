// fit: which boards hold a number of streams.
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "app/capacity.h"
#include "base/status_macros.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

// A file for each board that holds some streams.
absl::Status WriteWorkloads(const std::string& folder, const CapacityReport& report) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (const CapacityRow& row : report.boards) {
    if (row.workload.empty() || row.shown == 0) continue;
    const std::string name = std::filesystem::path(row.target).stem().string();
    const std::string path = (std::filesystem::path(folder) / absl::StrCat(name, ".textproto")).string();
    HWEST_RETURN_IF_ERROR(WriteFile(path, [&](Sink sink) { return sink(row.workload); }));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunFitVerb(const FitVerbOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kFit, options.report.format));
  app::FitWords words = options.fit;
  words.models = options.words;
  if (words.targets.empty()) words.targets = {"edge"};
  words.watch = WatchOf(options, streams);
  HWEST_ASSIGN_OR_RETURN(const CapacityReport report, app::Fit(words));
  HWEST_RETURN_IF_ERROR(
      Deliver(options, streams, [&](Sink sink) { return WriteCapacity(report, options.report, sink); }));
  if (!options.workloads.empty()) HWEST_RETURN_IF_ERROR(AfterReport(WriteWorkloads(options.workloads, report)));
  return options.strict == Strict::kYes ? AfterReport(app::CheckHolds(report)) : absl::OkStatus();
}

namespace {

constexpr auto kFit = &FitVerbOptions::fit;

// N, or N@RATE; "max" counts.
absl::Status SetFitStreams(const Flag& flag, const std::string& value, Options* options) {
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(value, absl::MaxSplits('@', 1));
  app::FitWords& to = dynamic_cast<FitVerbOptions&>(*options).fit;
  const bool counts = parts.first == "max";
  if (counts) to.streams = 0;
  if (!counts && (!absl::SimpleAtoi(parts.first, &to.streams) || to.streams < 1)) {
    return BadValue(flag.name, value, "write how many, e.g. 4@30FPS, or max@30FPS for as many as a board holds");
  }
  to.rate = std::string(parts.second);
  return absl::OkStatus();
}

absl::Status AddBatches(const Flag& flag, const std::string& value, Options* options) {
  for (const std::string& text : SplitNames(value)) {
    HWEST_ASSIGN_OR_RETURN(const int64_t batch, ParseNumber(flag.name, text, 1));
    dynamic_cast<FitVerbOptions&>(*options).fit.batches.push_back(batch);
  }
  return absl::OkStatus();
}

// clang-format off: a paragraph a flag
constexpr Flag kFitFlags[] = {
    {.name = "--streams", .value = "N[@RATE]",
     .help = "streams, each of which runs every model, at that many frames a second; max = as many as a board holds",
     .group = "Study", .set = SetFitStreams, .default_text = "max@30FPS", .example = "4@30FPS"},
    {.name = "--deadline", .value = "TIME", .help = "from a frame to the end of its job", .group = "Study",
     .set = SetText<kFit, &app::FitWords::deadline>, .default_text = "the time between two frames", .example = "50ms"},
    {.name = "--max-power", .value = "POWER", .help = "on average, of what the board states its power of",
     .group = "Study", .set = SetText<kFit, &app::FitWords::max_power>, .example = "15W"},
    {.name = "--pre", .value = "STAGE,..",
     .help = "what a stream takes before the models: h264, h265@3840x2160, resize, or NAME=TIME of a CPU core; see "
             "`onnx-hwest describe stages`", .group = "Study", .set = AddNames<kFit, &app::FitWords::stages>,
     .example = "h265,resize", .repeats = true},
    {.name = "--post", .value = "STAGE,..", .help = "what a stream takes behind them: nms, track, or NAME=TIME",
     .group = "Study", .set = AddNames<kFit, &app::FitWords::stages>, .example = "nms,track", .repeats = true},
    {.name = "--target", .value = "NAME,..",
     .help = "boards: names, paths, edge = boards, modules and chips of 15 W or less without work, all = every one",
     .group = "Target", .set = AddNames<kFit, &app::FitWords::targets>, .default_text = "edge",
     .example = "rk3588,jetson-orin", .path = PathIn::kTarget, .repeats = true},
    {.name = "--mode", .value = "MODE,..", .help = "power modes to try", .group = "Target",
     .set = AddNames<kFit, &app::FitWords::modes>, .default_text = "all of each board", .example = "15W,30W"},
    {.name = "--precision", .value = "P,..", .help = "precisions to try", .group = "Target",
     .set = AddNames<kFit, &app::FitWords::precisions>, .default_text = "auto: as the file, else the board's usual one",
     .example = "auto,int8"},
    {.name = "--batch", .value = "N,..", .help = "streams whose frames run together, to try", .group = "Model",
     .set = AddBatches, .default_text = "1", .example = "1,4"},
    {.name = "--host", .value = "NAME", .help = "of cards and modules", .group = "Target",
     .set = SetText<kFit, &app::FitWords::host>, .default_text = "as the file of each says",
     .example = "raspberry-pi-5", .path = PathIn::kTarget},
    {.name = "--prices", .value = "FILE", .help = "CSV of target and price: boards are ordered by them",
     .group = "Study", .set = SetText<kFit, &app::FitWords::prices>, .example = "prices.csv", .path = PathIn::kFile},
    {.name = "--workloads", .value = "DIR",
     .help = "writes there the file of `onnx-hwest workload` for each board, which gives the same figures",
     .group = "Report", .set = SetText<&FitVerbOptions::workloads>, .example = "fits", .path = PathIn::kFolder,
     .is_form = true},
    {.name = "--threads", .value = "N", .help = "boards that are tried at a time", .group = "Study",
     .set = SetNumber<1, kFit, &app::FitWords::threads>, .default_text = "as many as the machine has cores",
     .example = "2", .is_rare = true},
    {.name = "--strict", .help = "exit with 8 when no board holds the streams, with 7 when that is not known",
     .group = "Report", .set = Switch<Strict::kYes, &Options::strict>},
};
// clang-format on

}  // namespace

absl::Span<const Flag> FitFlags() { return kFitFlags; }

}  // namespace hwest

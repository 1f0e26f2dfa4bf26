// sweep: many points, a row each; also runs an `analyze` with several models or targets.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "app/sweep.h"
#include "base/status_macros.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"
#include "sweep/file.h"

namespace hwest {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A line on the terminal with the counts so far.
class ProgressLine {
 public:
  ProgressLine(size_t total, size_t kept, const SweepOptions& options, const Streams& streams)
      : total_(total), kept_(kept), err_(streams.err) {
    shows_ = options.progress == Progress::kAuto && options.quiet == Quiet::kNo && ::isatty(::fileno(err_)) == 1;
  }

  void Show(const app::SweepTally& tally) {
    if (!shows_ || SecondsSince(shown_) <= 0.25) return;
    shown_ = Clock::now();
    const double seconds = SecondsSince(start_);
    const double rate = seconds > 0 ? static_cast<double>(tally.done - kept_) / seconds : 0;
    const size_t left = total_ - tally.done;
    const double left_s = rate > 0 ? static_cast<double>(left) / rate : 0;
    std::fprintf(err_, "\r\x1b[Konnx-hwest: %zu of %zu points done, %zu failed, %zu left, %.0f points/s, %s to go",
                 tally.done, total_, tally.failed, left, rate, TimeText(left_s).c_str());
    std::fflush(err_);
    visible_ = true;
  }

  // Removes the line.
  void End() {
    if (visible_) std::fputs("\r\x1b[K", err_);
    visible_ = false;
  }

 private:
  static std::string TimeText(double seconds) {
    const int64_t whole = std::llround(seconds);
    if (whole < 60) return absl::StrCat(whole, " s");
    if (whole < 3600) return absl::StrFormat("%d:%02d min", whole / 60, whole % 60);
    return absl::StrFormat("%d:%02d h", whole / 3600, whole % 3600 / 60);
  }

  const size_t total_, kept_;
  std::FILE* const err_;
  bool shows_ = false, visible_ = false;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
};

std::optional<RowForm> RowFormOf(Format format) {
  if (format == Format::kCsv) return RowForm::kCsv;
  return format == Format::kJsonl ? std::optional(RowForm::kJsonLines) : std::nullopt;
}

absl::Status CheckResume(const SweepOptions& options, bool holds_rows) {
  if (options.resume == Resume::kNo || holds_rows) return absl::OkStatus();
  if (!options.report.graph.columns.empty()) {
    return MakeError(Code::kUsage, "--resume reads every column of the rows that are there", "leave --columns out");
  }
  return MakeError(Code::kUsage, "--resume goes on with a file of rows, and none was named",
                   "add --output FILE.csv or --output FILE.jsonl");
}

// The error of an interrupted sweep; WithCommand completes its remedy with the user's command.
absl::Status Interrupted(const app::SweepTally& tally, size_t total, bool kept) {
  return MakeError(Code::kInterrupted, absl::StrCat("interrupted after ", tally.done, " of ", app::PointsText(total)),
                   kept ? "--resume" : "run it again, with --output FILE.csv to be able to go on later");
}

void NoteFailures(const app::SweepTally& tally, const SweepOptions& options, const Streams& streams) {
  if (options.quiet == Quiet::kYes || tally.failed == 0 || options.report.format == Format::kText) return;
  std::fprintf(streams.err, "onnx-hwest: note: %zu of %zu points failed; their column `message` says why\n",
               tally.failed, tally.done);
}

absl::Status Outcome(const app::SweepTally& tally, const SweepOptions& options) {
  absl::Status outcome = app::OutcomeOf(tally);
  if (outcome.ok() && options.strict == Strict::kYes) outcome = app::CheckComplete(tally);
  return outcome.ok() ? outcome : AfterReport(outcome);
}

SweepAxes AxesOf(const SweepOptions& options) {
  SweepAxes axes = options.axes;
  axes.models = options.words;
  axes.rewritten = options.with_rewrites;
  return axes;
}

}  // namespace

absl::Status RunSweepVerb(const SweepOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckSweepReport(options.report));
  const std::optional<RowForm> form = RowFormOf(options.report.format);
  const bool is_whole = form == RowForm::kJsonLines || options.report.graph.columns.empty();
  const bool holds_rows = form.has_value() && is_whole && !options.output.empty() && CanHoldRows(options.output);
  HWEST_RETURN_IF_ERROR(CheckResume(options, holds_rows));
  HWEST_ASSIGN_OR_RETURN(const app::SweepJob job,
                         app::PlanSweep(AxesOf(options), options.shard, options.request, nullptr));
  const auto range = job.range();
  const size_t total = range.second - range.first;
  InterruptWatch watch;  // before the file exists, so that the printed command can always resume it
  std::unique_ptr<SweepFile> file;
  if (holds_rows) {
    HWEST_ASSIGN_OR_RETURN(file, SweepFile::Open(options.output, *form, options.resume, job.plan, range));
  }
  std::vector<SweepRow> rows;
  app::SweepTally tally;
  if (file != nullptr) {
    tally.done = file->kept();
    tally.failed = file->kept_failed();
  }
  ProgressLine line(total, tally.done, options, streams);
  const size_t threads = options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  const absl::Status ran = app::RunPoints(job, {range.first + tally.done, range.second}, threads, nullptr,
                                          {.step = nullptr, .count = nullptr, .stop = InterruptWatch::Seen},
                                          [&](const SweepRow& row) -> absl::Status {
                                            tally.Count(row);
                                            line.Show(tally);
                                            if (file != nullptr) return file->Add(row);
                                            rows.push_back(row);
                                            return absl::OkStatus();
                                          });
  line.End();
  const bool cut = DiagnosticOf(ran).code == Code::kInterrupted && !ran.ok();
  if (!ran.ok() && !cut) return ran;
  const bool whole = !options.shard.has_value();
  if (file != nullptr) {
    HWEST_RETURN_IF_ERROR(cut ? file->Flush() : file->Finish(whole));
    if (!cut) watch.Keep();
  } else if (!cut || options.output.empty()) {
    if (whole && !cut && options.report.format != Format::kJsonl) MarkPareto(&rows);
    HWEST_RETURN_IF_ERROR(
        Deliver(options, streams, [&](Sink sink) { return WriteSweep(rows, job.request, options.report, sink); }));
  }
  if (cut) return AfterReport(Interrupted(tally, total, file != nullptr));
  PrintNotes(job.request.notes, options, streams);
  NoteFailures(tally, options, streams);
  return Outcome(tally, options);
}

namespace {

constexpr int64_t kMostThreads = 1024;

bool ListsNames(absl::string_view value) { return value == "all" || SplitNames(value).size() > 1; }
bool ListsPrecisions(absl::string_view value) {
  return absl::StrContains(value, ",") && !absl::StrContains(value, "=");
}
bool ListsBatches(absl::string_view value) { return absl::StrContains(value, ","); }
bool ListsSizes(absl::string_view value) { return absl::StrContains(value, ",") || absl::StrContains(value, ":"); }
bool ListsSizesOfDim(absl::string_view value) {
  return ListsSizes(value.substr(std::min(value.rfind('='), value.size())));
}
bool IsOfSweep(absl::string_view) { return true; }

// UNIT=P,.. is one point.
absl::Status AddPrecisions(const Flag& flag, const std::string& value, Options* options) {
  std::vector<std::string>* const precisions = &dynamic_cast<SweepOptions&>(*options).axes.precisions;
  if (!absl::StrContains(value, "=")) return AppendNames(flag, value, precisions);
  precisions->push_back(value);
  return absl::OkStatus();
}

template <std::vector<int64_t> SweepAxes::* axis>
absl::Status SetSizes(const Flag& flag, const std::string& value, Options* options) {
  std::vector<int64_t>& sizes = dynamic_cast<SweepOptions&>(*options).axes.*axis;
  HWEST_ASSIGN_OR_RETURN(sizes, ParseSizes(flag.name, value));
  if (std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size >= 1; })) return absl::OkStatus();
  return BadValue(flag.name, value, "give numbers of 1 or more");
}

absl::Status AddDimSizes(const Flag& flag, const std::string& value, Options* options) {
  return AddDimAxis(flag.name, value, &dynamic_cast<SweepOptions&>(*options).axes);
}

absl::Status AddSetting(const Flag& flag, const std::string& value, Options* options) {
  return AddSettingAxis(flag.name, value, &dynamic_cast<SweepOptions&>(*options).axes);
}

absl::Status SetShard(const Flag& flag, const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(dynamic_cast<SweepOptions&>(*options).shard, ParseShard(flag.name, value));
  return absl::OkStatus();
}

absl::Status SetThreads(const Flag& flag, const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const int64_t threads, ParseNumber(flag.name, value, 1));
  dynamic_cast<SweepOptions&>(*options).threads = static_cast<size_t>(std::min(threads, kMostThreads));
  return absl::OkStatus();
}

constexpr auto kAxes = &SweepOptions::axes;

// clang-format off: a paragraph a flag
constexpr Flag kSweepFlags[] = {
    {.name = "--target", .value = "NAME,..|all",
     .help = "built-in names or files, see `onnx-hwest targets`; all = every built-in one", .group = "Target",
     .set = AddNames<kAxes, &SweepAxes::targets>, .example = "jetson-orin,tda4vm", .path = PathIn::kTarget,
     .lists = ListsNames},
    {.name = "--mode", .value = "MODE,..|all", .help = "power modes; all = every one of each target", .group = "Target",
     .set = AddNames<kAxes, &SweepAxes::modes>, .default_text = "as the target says", .example = "15W,30W",
     .lists = ListsNames},
    {.name = "--set", .value = "PATH=V,..",
     .help = "values of a figure of the target, by the path in the column `set` of `onnx-hwest targets show NAME`: "
             "sram.size=1MB,2MB or npu.clock=0.5GHz:2GHz:x2", .group = "Target",
     .set = AddSetting, .default_text = "as the target says", .example = "dram.bandwidth=34GB/s,68GB/s",
     .repeats = true, .lists = IsOfSweep},
    {.name = "--precision", .value = "P,..", .help = "precisions; UNIT=P,.. is one point, repeat the flag for more",
     .group = "Target", .set = AddPrecisions, .default_text = "auto", .example = "fp16,int8", .repeats = true,
     .lists = ListsPrecisions},
    {.name = "--batch", .value = "N,..", .help = "inputs per run", .group = "Model",
     .set = SetSizes<&SweepAxes::batches>, .default_text = "as exported", .example = "1,4,16", .lists = ListsBatches},
    {.name = "--dim", .value = "NAME=N,..", .help = "sizes of a symbol or of INPUT.AXIS", .group = "Model",
     .set = AddDimSizes, .example = "seq=128:512:x2", .repeats = true, .lists = ListsSizesOfDim},
    {.name = "--size", .value = "N,..", .help = "heights and widths of images", .group = "Model",
     .set = SetSizes<&SweepAxes::sizes>, .default_text = "as exported", .example = "320,640", .lists = ListsSizes},
    {.name = "--rewrite", .help = "rows are those after the rewrites that make the model better there",
     .group = "Sweep", .set = Switch<true, &SweepOptions::with_rewrites>},
    {.name = "--shard", .value = "I/N",
     .help = "only that part of the points, e.g. of a job array; all parts in order are the whole", .group = "Sweep",
     .set = SetShard, .example = "1/4", .lists = IsOfSweep},
    {.name = "--resume", .help = "go on with the rows of --output FILE.csv or FILE.jsonl", .group = "Sweep",
     .set = Switch<Resume::kYes, &SweepOptions::resume>},
    {.name = "--threads", .value = "N", .help = "points at a time", .group = "Sweep", .set = SetThreads,
     .default_text = "as many as there are cores", .example = "4", .is_rare = true},
};
// clang-format on

}  // namespace

absl::Span<const Flag> SweepFlags() { return kSweepFlags; }

}  // namespace hwest

// sweep: many points, a row each; also what several models or targets on one command line mean.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"
#include "sweep/file.h"
#include "sweep/fit.h"
#include "sweep/report.h"
#include "sweep/run.h"

namespace hwest {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string PointsText(size_t count) { return absl::StrCat(count, count == 1 ? " point" : " points"); }

// What came out so far, and the line that says so on a terminal.
class Tally {
 public:
  Tally(size_t total, size_t kept, size_t kept_failed, const SweepOptions& options, const Streams& streams)
      : total_(total), kept_(kept), done_(kept), failed_(kept_failed), err_(streams.err) {
    shows_ = options.progress == Progress::kAuto && options.quiet == Quiet::kNo && ::isatty(::fileno(err_)) == 1;
  }

  void Count(const SweepRow& row) {
    ++done_;
    incomplete_ += row.ok && !row.code.empty();
    if (!row.ok && failed_++ == 0) first_failed_ = row;
    if (shows_ && SecondsSince(shown_) > 0.25) Show();
  }

  void Show() {
    shown_ = Clock::now();
    const double seconds = SecondsSince(start_);
    const double rate = seconds > 0 ? static_cast<double>(done_ - kept_) / seconds : 0;
    const double left_s = rate > 0 ? static_cast<double>(total_ - done_) / rate : 0;
    std::fprintf(err_, "\r\x1b[Konnx-hwest: %zu of %zu points done, %zu failed, %zu left, %.0f points/s, %s to go", done_,
                 total_, failed_, total_ - done_, rate, TimeText(left_s).c_str());
    std::fflush(err_);
    visible_ = true;
  }

  // Takes the line away again.
  void End() {
    if (visible_) std::fputs("\r\x1b[K", err_);
    visible_ = false;
  }

  size_t done() const { return done_; }
  size_t failed() const { return failed_; }
  size_t incomplete() const { return incomplete_; }
  const std::optional<SweepRow>& first_failed() const { return first_failed_; }

 private:
  static std::string TimeText(double seconds) {
    const auto whole = static_cast<int64_t>(seconds + 0.5);
    if (whole < 60) return absl::StrCat(whole, " s");
    if (whole < 3600) return absl::StrFormat("%d:%02d min", whole / 60, whole % 60);
    return absl::StrFormat("%d:%02d h", whole / 3600, whole % 3600 / 60);
  }

  const size_t total_, kept_;
  size_t done_, failed_, incomplete_ = 0;
  std::optional<SweepRow> first_failed_;
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

// Goes on to be read with the user's command before it, see WithCommand.
absl::Status Interrupted(const Tally& tally, size_t total, bool kept) {
  return MakeError(Code::kInterrupted,
                   absl::StrCat("interrupted after ", tally.done(), " of ", PointsText(total)),
                   kept ? "--resume" : "run it again, with --output FILE.csv to be able to go on later");
}

// How the sweep ends when every row is there.
absl::Status Outcome(const Tally& tally, const SweepOptions& options) {
  if (tally.failed() == tally.done() && tally.first_failed().has_value()) {
    const Diagnostic& error = tally.first_failed()->error;
    const std::string all = absl::StrCat("all ", PointsText(tally.done()), " failed, the first: ");
    return AfterReport(MakeError(error.code, absl::StrCat(tally.done() == 1 ? "" : all, error.message), error.remedy));
  }
  if (options.strict == Strict::kNo || tally.failed() + tally.incomplete() == 0) return absl::OkStatus();
  return AfterReport(MakeError(
      Code::kIncomplete, absl::StrCat(tally.failed(), " of ", PointsText(tally.done()), " failed, ", tally.incomplete(), " are incomplete"),
      "leave --strict out to accept that"));
}

void NoteFailures(const Tally& tally, const SweepOptions& options, const Streams& streams) {
  if (options.quiet == Quiet::kYes || tally.failed() == 0 || options.report.format == Format::kText) return;
  std::fprintf(streams.err, "onnx-hwest: note: %zu of %zu points failed; their column `message` says why\n", tally.failed(),
               tally.done());
}

}  // namespace

absl::Status RunSweepVerb(const SweepOptions& options, const Streams& streams) {
  SweepRequest request{options.axes, options.shard};
  request.axes.models = options.words;
  request.axes.rewritten = options.with_rewrites;
  HWEST_ASSIGN_OR_RETURN(SweepPlan plan, SweepPlan::Make(request.axes));
  const auto nowhere = [](absl::string_view) { return absl::OkStatus(); };
  HWEST_RETURN_IF_ERROR(WriteSweep({}, request, options.report, nowhere));
  const std::optional<RowForm> form = RowFormOf(options.report.format);
  const bool is_whole = form == RowForm::kJsonLines || options.report.graph.columns.empty();
  const bool holds_rows = form.has_value() && is_whole && !options.output.empty() && CanHoldRows(options.output);
  HWEST_RETURN_IF_ERROR(CheckResume(options, holds_rows));
  HWEST_ASSIGN_OR_RETURN(SweepFit fit, FitModels(request.axes, options.request, nullptr));
  plan.LeaveOut(std::move(fit.of_model));
  if (fit.note.has_value()) request.notes.push_back(*std::move(fit.note));
  const auto range = plan.RangeOf(options.shard.value_or(Shard()));
  const size_t total = range.second - range.first;
  InterruptWatch watch;  // from before there is a file: what is printed then can go on with it
  std::unique_ptr<SweepFile> file;
  if (holds_rows) {
    HWEST_ASSIGN_OR_RETURN(file, SweepFile::Open(options.output, *form, options.resume, plan, range));
  }
  std::vector<SweepRow> rows;
  Tally tally(total, file != nullptr ? file->kept() : 0, file != nullptr ? file->kept_failed() : 0, options, streams);
  SweepRun run;
  run.base = options.request;
  run.range = {range.first + tally.done(), range.second};
  run.threads = options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  run.stop = InterruptWatch::Seen;
  run.take = [&](size_t, const SweepRow& row) -> absl::Status {
    tally.Count(row);
    if (file != nullptr) return file->Add(row);
    rows.push_back(row);
    return absl::OkStatus();
  };
  const absl::Status ran = RunSweep(plan, run);
  tally.End();
  const bool cut = DiagnosticOf(ran).code == Code::kInterrupted && !ran.ok();
  if (!ran.ok() && !cut) return ran;
  const bool whole = !options.shard.has_value();
  if (file != nullptr) {
    HWEST_RETURN_IF_ERROR(cut ? file->Flush() : file->Finish(whole));
    if (!cut) watch.Keep();
  } else if (!cut || options.output.empty()) {
    if (whole && !cut && options.report.format != Format::kJsonl) MarkPareto(&rows);
    HWEST_RETURN_IF_ERROR(
        Deliver(options, streams, [&](Sink sink) { return WriteSweep(rows, request, options.report, sink); }));
  }
  if (cut) return AfterReport(Interrupted(tally, total, file != nullptr));
  PrintNotes(request.notes, options, streams);
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

template <std::vector<int64_t> SweepAxes::*axis>
absl::Status SetSizes(const Flag& flag, const std::string& value, Options* options) {
  std::vector<int64_t>& sizes = dynamic_cast<SweepOptions&>(*options).axes.*axis;
  HWEST_ASSIGN_OR_RETURN(sizes, ParseSizes(flag.name, value));
  if (std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size >= 1; })) return absl::OkStatus();
  return BadValue(flag.name, value, "give numbers of 1 or more");
}

absl::Status AddDimSizes(const Flag& flag, const std::string& value, Options* options) {
  return AddDimAxis(flag.name, value, &dynamic_cast<SweepOptions&>(*options).axes);
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

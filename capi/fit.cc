// Boards that hold a number of streams.
#include <string>
#include <utility>

#include "app/capacity.h"
#include "base/status_macros.h"
#include "callbacks.h"
#include "guard.h"
#include "handle_report.h"
#include "handles.h"
#include "hwest.h"
#include "request.h"

namespace hwest::capi {
namespace {

auto WriterOf(const hwest_boards* boards) {
  return DocumentWriter(
      [=](const ReportOptions& options, Sink sink) { return WriteCapacity(boards->report, options, sink); });
}

std::string WordOr(const char* text) { return text != nullptr ? text : ""; }

absl::StatusOr<app::FitWords> FitWordsOf(const hwest_fit_options& fit) {
  app::FitWords words{.models = TextsOf(fit.models),
                      .targets = TextsOf(fit.targets),
                      .modes = TextsOf(fit.modes),
                      .precisions = TextsOf(fit.precisions),
                      .streams = fit.streams,
                      .rate = WordOr(fit.rate),
                      .deadline = WordOr(fit.deadline),
                      .max_power = WordOr(fit.max_power),
                      .stages = TextsOf(fit.stages),
                      .prices = WordOr(fit.prices),
                      .host = WordOr(fit.host)};
  if (words.targets.empty()) words.targets = {"edge"};
  if (fit.streams < 0) return BadOption("fit.streams", fit.streams, "give 0 or more");
  if (fit.threads < 0) return BadOption("fit.threads", fit.threads, "give 0 or more");
  words.threads = static_cast<size_t>(fit.threads);
  if (fit.batches != nullptr) words.batches.assign(fit.batches, fit.batches + fit.batch_count);
  for (const int64_t batch : words.batches) {
    if (batch < 1) return BadOption("fit.batches", batch, "give 1 or more");
  }
  return words;
}

absl::Status FitInto(const hwest_fit_options* fit, const hwest_watch* watch, hwest_boards** boards) {
  HWEST_ASSIGN_OR_RETURN(const hwest_fit_options asked, CopyIn("fit", fit));
  HWEST_ASSIGN_OR_RETURN(const hwest_watch watching, CopyIn("watch", watch));
  HWEST_ASSIGN_OR_RETURN(app::FitWords words, FitWordsOf(asked));
  words.watch = WatchOf(watching);
  HWEST_ASSIGN_OR_RETURN(CapacityReport report, app::Fit(words));
  *boards = new hwest_boards{std::move(report)};
  return absl::OkStatus();
}

}  // namespace
}  // namespace hwest::capi

using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_boards_create(const hwest_fit_options* fit, const hwest_watch* watch, hwest_boards** boards) {
  return Guard([&]() -> absl::Status {
    if (fit == nullptr) return NullArgument("fit");
    if (boards == nullptr) return NullArgument("boards");
    return hwest::capi::FitInto(fit, watch, boards);
  });
}

void hwest_boards_free(hwest_boards* boards) { delete boards; }

HWEST_REPORT(hwest_boards_report, hwest_boards)

#include "app/sweep.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace hwest::app {

absl::StatusOr<SweepJob> PlanSweep(SweepAxes axes, std::optional<Shard> shard, RequestDraft base,
                                   const LoadedGraph& loaded) {
  HWEST_ASSIGN_OR_RETURN(SweepPlan plan, SweepPlan::Make(axes));
  HWEST_ASSIGN_OR_RETURN(SweepFit fit, FitModels(axes, base, loaded));
  plan.LeaveOut(std::move(fit.of_model));
  hwest::SweepRequest request{std::move(axes), shard};
  if (fit.note.has_value()) request.notes.push_back(*std::move(fit.note));
  return SweepJob{std::move(request), std::move(base), std::move(plan)};
}

absl::Status RunPoints(const SweepJob& job, std::pair<size_t, size_t> range, size_t threads,
                       const LoadedSweepModel& loaded, const Watch& watch,
                       const std::function<absl::Status(const SweepRow& row)>& take) {
  size_t done = 0;
  SweepRun run;
  run.base = job.base;
  run.range = range;
  run.threads = std::max<size_t>(threads, 1);
  run.stop = watch.stop;
  run.loaded = loaded;
  run.take = [&](size_t, const SweepRow& row) {
    HWEST_RETURN_IF_ERROR(take(row));
    if (watch.count != nullptr) watch.count("points", ++done, range.second - range.first);
    return absl::OkStatus();
  };
  return RunSweep(job.plan, run);
}

absl::StatusOr<std::vector<SweepRow>> RowsOf(const SweepJob& job, std::pair<size_t, size_t> range, size_t threads,
                                             const LoadedSweepModel& loaded, const Watch& watch) {
  std::vector<SweepRow> rows;
  HWEST_RETURN_IF_ERROR(RunPoints(job, range, threads, loaded, watch, [&](const SweepRow& row) {
    rows.push_back(row);
    return absl::OkStatus();
  }));
  if (range.second - range.first == job.plan.size()) MarkPareto(&rows);
  return rows;
}

absl::StatusOr<SweepResult> Sweep(SweepRequest request) {
  RequestDraft base;
  static_cast<AnalysisRequest&>(base) = std::move(request.base);
  HWEST_ASSIGN_OR_RETURN(const SweepJob job,
                         PlanSweep(std::move(request.axes), std::nullopt, std::move(base), nullptr));
  HWEST_ASSIGN_OR_RETURN(std::vector<SweepRow> rows, RowsOf(job, job.range(), request.threads, nullptr, request.watch));
  const auto failed = std::count_if(rows.begin(), rows.end(), [](const SweepRow& row) { return !row.ok; });
  return SweepResult{std::make_shared<const std::vector<SweepRow>>(std::move(rows)), static_cast<size_t>(failed),
                     job.request.axes, job.request.notes};
}

absl::Status WriteSweep(const SweepResult& result, const ReportOptions& options, Sink sink) {
  return hwest::WriteSweep(*result.rows, {result.axes, std::nullopt, result.notes}, options, sink);
}

void SweepTally::Count(const SweepRow& row) {
  ++done;
  too_large += row.ok && row.code == InfoOf(Code::kDoesNotFit).id;
  incomplete += row.ok && row.code == InfoOf(Code::kIncomplete).id;
  if (!row.ok && failed++ == 0) first_failed = row;
}

absl::Status OutcomeOf(const SweepTally& tally) {
  if (tally.failed < tally.done || !tally.first_failed.has_value()) return absl::OkStatus();
  const Diagnostic& error = tally.first_failed->error;
  const std::string all = absl::StrCat("all ", PointsText(tally.done), " failed, the first: ");
  return MakeError(error.code, absl::StrCat(tally.done == 1 ? "" : all, error.message), error.remedy);
}

absl::Status CheckComplete(const SweepTally& tally) {
  if (tally.failed + tally.incomplete + tally.too_large == 0) return absl::OkStatus();
  return MakeError(tally.failed + tally.incomplete == 0 ? Code::kDoesNotFit : Code::kIncomplete,
                   absl::StrCat(tally.failed, " of ", PointsText(tally.done), " failed, ", tally.incomplete,
                                " are incomplete, ", tally.too_large, " do not fit into memory"),
                   "leave --strict out to accept that");
}

std::string PointsText(size_t count) { return absl::StrCat(count, count == 1 ? " point" : " points"); }

}  // namespace hwest::app

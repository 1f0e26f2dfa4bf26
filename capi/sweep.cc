// Sweeps: many points, a row each.
#include "app/sweep.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "callbacks.h"
#include "give.h"
#include "guard.h"
#include "handle_report.h"
#include "handles.h"
#include "hwest.h"
#include "request.h"

namespace hwest::capi {
namespace {

absl::Status SizesOf(absl::string_view name, const int64_t* sizes, uint64_t count, std::vector<int64_t>* to) {
  if (sizes == nullptr && count > 0) return NullArgument(name);
  for (uint64_t i = 0; i < count; ++i) {
    if (sizes[i] < 1) return BadOption(name, sizes[i], "use 1 or more");
    to->push_back(sizes[i]);
  }
  return absl::OkStatus();
}

absl::StatusOr<SweepAxes> AxesOf(const hwest_sweep_lists& lists) {
  SweepAxes axes;
  axes.models = TextsOf(lists.models);
  axes.targets = TextsOf(lists.targets);
  axes.modes = TextsOf(lists.modes);
  axes.precisions = TextsOf(lists.precisions);
  axes.rewritten = lists.rewritten != 0;
  for (size_t i = 0; lists.loaded_targets != nullptr && i < axes.targets.size(); ++i) {
    const hwest_target* target = lists.loaded_targets[i];
    axes.loaded.push_back(target != nullptr ? target->target : nullptr);
  }
  absl::Status status = SizesOf("lists.batches", lists.batches, lists.batch_count, &axes.batches);
  if (status.ok()) status = SizesOf("lists.sizes", lists.sizes, lists.size_count, &axes.sizes);
  for (const std::string& dim : TextsOf(lists.dims)) {
    if (status.ok()) status = AddDimAxis("lists.dims", dim, &axes);
  }
  for (const std::string& setting : TextsOf(lists.settings)) {
    if (status.ok()) status = AddSettingAxis("lists.settings", setting, &axes);
  }
  if (!status.ok()) return status;
  return axes;
}

// The options that all points share, without what the lists set.
absl::StatusOr<RequestDraft> BaseOf(const hwest_options* options) {
  RequestDraft base;
  if (options == nullptr) return base;
  const absl::StatusOr<hwest_options> ours = CopyIn("options", options);
  if (!ours.ok()) return ours.status();
  const RequestDraft usual;
  if (absl::Status status = GiveOptions(*ours, &base); !status.ok()) return status;
  const bool is_listed = !base.target.empty() || ours->loaded != nullptr || base.mode != usual.mode ||
                         base.precision != usual.precision || base.bind.batch.has_value() ||
                         base.image_size.has_value();
  if (!is_listed) return base;
  return MakeError(Code::kUsage, "options.target, mode, precision, batch and image_size are what a sweep lists",
                   "put them into the lists", {"options.target"});
}

absl::StatusOr<std::unique_ptr<hwest_sweep_plan>> PlanOf(const hwest_sweep_lists& lists) {
  absl::StatusOr<SweepAxes> axes = AxesOf(lists);
  if (!axes.ok()) return axes.status();
  if (lists.loaded == nullptr && lists.loaded_count > 0) return NullArgument("lists.loaded");
  absl::StatusOr<RequestDraft> base = BaseOf(lists.options);
  if (!base.ok()) return base.status();
  const auto loaded = [&](size_t model) {
    const bool is_loaded = model < lists.loaded_count && lists.loaded[model] != nullptr;
    return is_loaded ? lists.loaded[model]->state->graph : nullptr;
  };
  absl::StatusOr<app::SweepJob> job = app::PlanSweep(*std::move(axes), std::nullopt, *std::move(base), loaded);
  if (!job.ok()) return job.status();
  return std::make_unique<hwest_sweep_plan>(*std::move(job));
}

absl::StatusOr<std::pair<size_t, size_t>> RangeOf(const hwest_sweep_options& options, const SweepPlan& plan) {
  const size_t points = plan.size();
  if (options.first > points || options.count > points - options.first) {
    return MakeError(Code::kUsage,
                     absl::StrCat("points ", options.first, " to ", options.first + options.count,
                                  " are not among the ", points, " of the sweep"),
                     "ask for less");
  }
  return std::pair<size_t, size_t>(options.first, options.count > 0 ? options.first + options.count : points);
}

SweepModel LoadedOf(const hwest_sweep_options& options, size_t model) {
  if (model >= options.loaded_count || options.loaded[model] == nullptr) return {};
  const std::shared_ptr<const ModelState>& state = options.loaded[model]->state;
  absl::string_view bytes;
  if (options.data != nullptr && options.data_sizes != nullptr && options.data[model] != nullptr) {
    bytes = {options.data[model], options.data_sizes[model]};
  }
  return {std::shared_ptr<const Analyzer>(state, &state->analyzer), state->fingerprint.get(), state->source, bytes};
}

SweepRow NotRun(const hwest_sweep_options& options, const SweepPlan& plan, size_t index) {
  const SweepPoint point = plan.point(index);
  SweepRow row = FailedRow(plan.models()[point.model], point, MakeError(Code::kInternal, options.failed, ""));
  const SweepModel model = LoadedOf(options, point.model);
  if (!model.sha256.empty()) row.sha256 = model.sha256;
  return row;
}

absl::StatusOr<std::vector<SweepRow>> RowsOf(const hwest_sweep_options& options, const hwest_sweep_plan& asked) {
  const SweepPlan& plan = asked.job.plan;
  if (options.loaded == nullptr && options.loaded_count > 0) return NullArgument("options.loaded");
  const auto range = RangeOf(options, plan);
  if (!range.ok()) return range.status();
  if (options.failed != nullptr) {
    std::vector<SweepRow> rows;
    for (size_t i = range->first; i < range->second; ++i) rows.push_back(NotRun(options, plan, i));
    return rows;
  }
  if (options.threads < 0) return BadOption("options.threads", options.threads, "use 0 or more");
  const Watch watch = WatchOf(options.progress, options.progress_payload, options.cancel);
  const auto loaded = [&](size_t model) { return LoadedOf(options, model); };
  return app::RowsOf(asked.job, *range, static_cast<size_t>(options.threads), loaded, watch);
}

auto WriterOf(const hwest_sweep* sweep) {
  return [=](hwest_report_options options, Sink sink) -> absl::Status {
    const std::vector<std::string> columns = TextsOf(std::exchange(options.columns, nullptr));
    absl::StatusOr<ReportRequest> request = ReportRequestOf(options);
    if (!request.ok()) return request.status();
    request->options.graph.columns = columns;
    return WriteSweep(sweep->rows, sweep->request, request->options, sink);
  };
}

}  // namespace
}  // namespace hwest::capi

hwest_sweep_plan::hwest_sweep_plan(hwest::app::SweepJob numbered)
    : job(std::move(numbered)), left_out(job.plan.models().size()) {
  for (size_t model = 0; model < left_out.size(); ++model) {
    for (const hwest::LeftOutOption& what : job.plan.left_out(model)) {
      const absl::string_view option = what.option == absl::string_view("image_size") ? "sizes" : what.option;
      left_out[model].push_back(what.name.empty() ? std::string(option) : absl::StrCat(option, "=", what.name));
    }
    std::vector<const char*>& texts = left_out_texts.emplace_back();
    for (const std::string& text : left_out[model]) texts.push_back(text.c_str());
    texts.push_back(nullptr);
  }
}

using hwest::capi::CopyIn;
using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_sweep_plan_create(const hwest_sweep_lists* lists, hwest_sweep_plan** plan) {
  return Guard([&]() -> absl::Status {
    if (lists == nullptr) return NullArgument("lists");
    if (plan == nullptr) return NullArgument("plan");
    const absl::StatusOr<hwest_sweep_lists> ours = CopyIn("lists", lists);
    if (!ours.ok()) return ours.status();
    absl::StatusOr<std::unique_ptr<hwest_sweep_plan>> made = hwest::capi::PlanOf(*ours);
    if (!made.ok()) return made.status();
    *plan = made->release();
    return absl::OkStatus();
  });
}

uint64_t hwest_sweep_plan_points(const hwest_sweep_plan* plan) { return plan == nullptr ? 0 : plan->job.plan.size(); }

const char* const* hwest_sweep_plan_left_out(const hwest_sweep_plan* plan, uint64_t model) {
  return plan == nullptr || model >= plan->left_out_texts.size() ? nullptr : plan->left_out_texts[model].data();
}

void hwest_sweep_plan_free(hwest_sweep_plan* plan) { delete plan; }

hwest_status hwest_sweep_run(const hwest_sweep_plan* plan, const hwest_sweep_options* options, hwest_sweep** sweep) {
  return Guard([&]() -> absl::Status {
    if (plan == nullptr) return NullArgument("plan");
    if (sweep == nullptr) return NullArgument("sweep");
    const absl::StatusOr<hwest_sweep_options> ours = CopyIn("options", options);
    if (!ours.ok()) return ours.status();
    absl::StatusOr<std::vector<hwest::SweepRow>> rows = hwest::capi::RowsOf(*ours, *plan);
    if (!rows.ok()) return rows.status();
    *sweep = new hwest_sweep{plan->job.request, *std::move(rows)};
    return absl::OkStatus();
  });
}

hwest_status hwest_sweep_from_rows(const char* lines, size_t size, hwest_sweep** sweep) {
  return Guard([&]() -> absl::Status {
    if (lines == nullptr && size > 0) return NullArgument("lines");
    if (sweep == nullptr) return NullArgument("sweep");
    absl::StatusOr<std::vector<hwest::SweepRow>> rows = hwest::ReadRows({lines, size});
    if (!rows.ok()) return rows.status();
    hwest::MarkPareto(&*rows);
    hwest::SweepAxes axes = hwest::AxesOf(*rows);
    *sweep = new hwest_sweep{{std::move(axes), std::nullopt}, *std::move(rows)};
    return absl::OkStatus();
  });
}

void hwest_sweep_free(hwest_sweep* sweep) { delete sweep; }

HWEST_REPORT(hwest_sweep_report, hwest_sweep)

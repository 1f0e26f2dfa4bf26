// What the opaque handles hold. Handles share their state, so they may be released in any order.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "analysis/load.h"
#include "app/calibrate.h"
#include "app/model.h"
#include "app/sweep.h"
#include "compare.h"
#include "fit/summary.h"
#include "hwest.h"
#include "hwest/analysis.h"
#include "hwest/generation.h"
#include "hwest/study.h"
#include "hwest/validation.h"
#include "report/report.h"
#include "report/view.h"
#include "rows.h"
#include "sweep/report.h"
#include "table.h"

namespace hwest::capi {

struct ModelState {
  ModelState(std::shared_ptr<const Graph> loaded, std::string called, ModelSource from);

  const std::shared_ptr<const Graph> graph;
  const Analyzer analyzer;
  const std::string name;
  const ModelSource source;  // its path: empty = from memory
  LazyTable<hwest_model_info> info;
  LazyTable<hwest_value> inputs, outputs;
  LazyTable<hwest_symbol> symbols;
  LazyTable<hwest_opset> opsets;
  LazyTable<hwest_diagnostic> diagnostics;
  Lazy<std::string> fingerprint;  // see FingerprintOf
};

// As use cases take it. What came from standard input is not to be read once more.
app::LoadedModel ModelOf(const ModelState& state);

struct TargetState {
  explicit TargetState(Target loaded);

  const std::shared_ptr<const Target> target;
  LazyTable<hwest_target_info> info;
  LazyTable<hwest_target_unit> units;
  LazyTable<hwest_target_mode> modes;
  LazyTable<hwest_fact> facts;
};

struct AnalysisState {
  AnalysisState(Analysis result, std::shared_ptr<const ModelState> of);

  const Analysis analysis;
  const std::shared_ptr<const ModelState> model;
  Lazy<View> view;
  LazyTable<hwest_totals> totals;  // one row
  LazyTable<hwest_group> groups;
  LazyTable<hwest_node> nodes;
  LazyTable<hwest_value> values, inputs, outputs;
  LazyTable<hwest_symbol> symbols;
  LazyTable<hwest_module> modules;
  LazyTable<hwest_segment> segments;
  LazyTable<hwest_unit> units;
  LazyTable<hwest_event> events;
  LazyTable<hwest_lifetime> lifetimes;
  LazyTable<hwest_bound_total> bounds;
  LazyTable<hwest_support> support;
  LazyTable<hwest_measured_entry> measured;
  LazyTable<hwest_diagnostic> diagnostics;
};

}  // namespace hwest::capi

struct hwest_model {
  std::shared_ptr<const hwest::capi::ModelState> state;
};

struct hwest_target {
  std::shared_ptr<const hwest::capi::TargetState> state;
};

struct hwest_target_list {
  hwest_target_list();

  const std::vector<hwest::TargetSummary> targets;
  hwest::capi::LazyTable<hwest_target_info> rows;
};

struct hwest_lint {
  explicit hwest_lint(hwest::LintReport found);

  const hwest::LintReport report;
  hwest::capi::LazyTable<hwest_problem> problems;
};

struct hwest_analysis {
  std::shared_ptr<const hwest::capi::AnalysisState> state;
};

struct hwest_what_if {
  hwest_what_if(std::vector<hwest::WhatIfRow> found, std::shared_ptr<const hwest::capi::AnalysisState> base);

  const std::vector<hwest::WhatIfRow> rows;
  const std::shared_ptr<const hwest::capi::AnalysisState> of;
  hwest::capi::LazyTable<hwest_change> changes;
};

struct hwest_generation {
  explicit hwest_generation(std::vector<hwest::GenerationRow> found);

  const std::vector<hwest::GenerationRow> rows;
  hwest::capi::LazyTable<hwest_context> contexts;
};

struct hwest_explanation {
  hwest_explanation(hwest::NodeId explained, hwest::AnalyzeResult found,
                    std::shared_ptr<const hwest::capi::AnalysisState> base);

  const hwest::NodeId node;
  const hwest::AnalyzeResult result;
  const std::shared_ptr<const hwest::capi::AnalysisState> of;
  hwest::capi::Lazy<hwest::View> view;
  hwest::capi::LazyTable<hwest_fusion> fusion;  // one row
  hwest::capi::LazyTable<hwest_miss> miss_rows;
  hwest::capi::LazyTable<hwest_move> move_rows;
};

struct hwest_workload {
  explicit hwest_workload(hwest::WorkloadReport found);

  const hwest::WorkloadReport report;
  hwest::capi::LazyTable<hwest_workload_task> tasks;
  hwest::capi::LazyTable<hwest_workload_unit> units;
  hwest::capi::LazyTable<hwest_workload_traffic> traffic;
  hwest::capi::LazyTable<hwest_workload_slowdown> slowdowns;
  hwest::capi::LazyTable<hwest_workload_segment> segments;
  hwest::capi::LazyTable<hwest_workload_fix> fixes;
  hwest::capi::LazyTable<hwest_diagnostic> diagnostics;
  hwest::capi::LazyTable<hwest_workload_total> totals;  // one row
};

struct hwest_diff {
  explicit hwest_diff(hwest::capi::DiffState found);

  const hwest::capi::DiffState state;
  hwest::capi::LazyTable<hwest_diff_info> info;  // one row
  hwest::capi::LazyTable<hwest_diff_total> totals;
  hwest::capi::LazyTable<hwest_diff_module> modules;
  hwest::capi::LazyTable<hwest_diff_node> nodes;
};

struct hwest_check {
  explicit hwest_check(hwest::app::CheckReport found);

  const hwest::capi::CheckState state;
  hwest::capi::LazyTable<hwest_check_total> totals;  // one row
  hwest::capi::LazyTable<hwest_check_line> lines;
};

struct hwest_sweep_plan {
  explicit hwest_sweep_plan(hwest::app::SweepJob numbered);

  const hwest::app::SweepJob job;
  std::vector<std::vector<std::string>> left_out;  // by model
  std::vector<std::vector<const char*>> left_out_texts;
};

struct hwest_sweep {
  hwest_sweep(hwest::SweepRequest asked, std::vector<hwest::SweepRow> found);

  const hwest::SweepRequest request;
  const std::vector<hwest::SweepRow> rows;
  hwest::capi::LazyTable<hwest_sweep_row> table;
};

struct hwest_validation {
  explicit hwest_validation(hwest::app::ValidateResult found);

  const hwest::app::ValidateResult result;
  hwest::capi::LazyTable<hwest_accuracy> pools, devices;
  hwest::capi::LazyTable<hwest_point> points;
  hwest::capi::LazyTable<hwest_skipped> skipped;
};

struct hwest_calibration {
  explicit hwest_calibration(hwest::app::CalibrateResult found);

  const hwest::app::CalibrateResult result;
  hwest::capi::LazyTable<hwest_fit> fits;
  hwest::capi::LazyTable<hwest_accuracy> before, after;
  hwest::capi::LazyTable<hwest_skipped> skipped;
};

struct hwest_cancel {
  std::shared_ptr<std::atomic<bool>> requested;
};

struct hwest_buffer {
  std::string bytes;
};

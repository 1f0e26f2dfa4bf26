// What the opaque handles hold besides their tables (tables.h). Handles share their state, so callers may release them
// in any order.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/load.h"
#include "app/calibrate.h"
#include "app/model.h"
#include "app/predictor.h"
#include "app/sweep.h"
#include "compare.h"
#include "complog/compare.h"
#include "fit/summary.h"
#include "hwest.h"
#include "hwest/analysis.h"
#include "hwest/capacity.h"
#include "hwest/generation.h"
#include "hwest/study.h"
#include "hwest/validation.h"
#include "report/report.h"
#include "report/view.h"
#include "sweep/report.h"
#include "table.h"
#include "tables.h"

namespace hwest::capi {

struct ModelState {
  ModelState(std::shared_ptr<const Graph> loaded, std::string called, ModelSource from);

  const std::shared_ptr<const Graph> graph;
  const Analyzer analyzer;
  const std::string name;
  const ModelSource source;       // its path: empty = from memory
  Lazy<std::string> fingerprint;  // see FingerprintOf
};

// The model as use cases take it. Nothing reads standard input twice.
app::LoadedModel ModelOf(const ModelState& state);

struct AnalysisState {
  AnalysisState(Analysis result, std::shared_ptr<const ModelState> of);

  const Analysis analysis;
  const std::shared_ptr<const ModelState> model;
  Lazy<View> view;
};

}  // namespace hwest::capi

struct hwest_model {
  const std::shared_ptr<const hwest::capi::ModelState> state;
  const hwest::capi::ModelTables tables{*this};
};

struct hwest_target {
  const std::shared_ptr<const hwest::Target> target;
  const hwest::capi::TargetTables tables{*this};
};

struct hwest_target_list {
  const std::vector<hwest::TargetSummary> targets;
  const hwest::capi::TargetListTables tables{*this};
};

struct hwest_lint {
  const hwest::LintReport report;
  const hwest::capi::LintTables tables{*this};
};

struct hwest_analysis {
  const hwest::View& view() const { return state->view.get(); }

  const std::shared_ptr<const hwest::capi::AnalysisState> state;
  const hwest::capi::AnalysisTables tables{*this};
};

struct hwest_what_if {
  const hwest::View& view() const { return of->view.get(); }

  const std::vector<hwest::WhatIfRow> rows;
  const std::vector<hwest::Diagnostic> notes;
  const std::shared_ptr<const hwest::capi::AnalysisState> of;
  const hwest::capi::WhatIfTables tables{*this};
};

struct hwest_refusals {
  const hwest::View& view() const { return of->view.get(); }

  const std::vector<hwest::RefusalRow> rows;
  const std::shared_ptr<const hwest::capi::AnalysisState> of;
  const hwest::capi::RefusalsTables tables{*this};
};

struct hwest_import_log {
  const hwest::View& view() const { return of->view.get(); }

  const hwest::LogComparison result;
  const std::shared_ptr<const hwest::capi::AnalysisState> of;
  const hwest::capi::ImportLogTables tables{*this};
};

struct hwest_predictor {
  const std::unique_ptr<hwest::app::Predictor> predictor;
};

struct hwest_generation {
  const std::vector<hwest::GenerationRow> rows;
  const hwest::capi::GenerationTables tables{*this};
};

struct hwest_explanation {
  hwest_explanation(hwest::NodeId explained, hwest::AnalyzeResult found,
                    std::shared_ptr<const hwest::capi::AnalysisState> base);

  hwest::FusionRow fusion() const;  // the node alone where nothing is fused

  const hwest::NodeId node;
  const hwest::AnalyzeResult result;
  const std::shared_ptr<const hwest::capi::AnalysisState> of;
  hwest::capi::Lazy<hwest::View> view;
  const hwest::capi::ExplanationTables tables{*this};
};

struct hwest_workload {
  const hwest::WorkloadReport report;
  const hwest::capi::WorkloadTables tables{*this};
};

struct hwest_boards {
  const hwest::CapacityReport report;
  const hwest::capi::BoardsTables tables{*this};
};

struct hwest_diff {
  const hwest::capi::DiffState state;
  const hwest::capi::DiffTables tables{*this};
};

struct hwest_check {
  explicit hwest_check(hwest::app::CheckReport found) : state(std::move(found.budget), std::move(found.results)) {}

  const hwest::capi::CheckState state;
  const hwest::capi::CheckTables tables{*this};
};

struct hwest_sweep_plan {
  explicit hwest_sweep_plan(hwest::app::SweepJob numbered);

  const hwest::app::SweepJob job;
  std::vector<std::vector<std::string>> left_out;  // by model
  std::vector<std::vector<const char*>> left_out_texts;
};

struct hwest_sweep {
  const hwest::SweepRequest request;
  const std::vector<hwest::SweepRow> rows;
  const hwest::capi::SweepTables tables{*this};
};

struct hwest_validation {
  const hwest::app::ValidateResult result;
  const hwest::capi::ValidationTables tables{*this};
};

struct hwest_calibration {
  const hwest::app::CalibrateResult result;
  const hwest::capi::CalibrationTables tables{*this};
};

struct hwest_cancel {
  std::shared_ptr<std::atomic<bool>> requested;
};

struct hwest_buffer {
  std::string bytes;
};

// The tables of a handle, made when they are first asked for. Written by lib/report/tables/generate.py.
#pragma once

#include "hwest.h"
#include "table.h"

namespace hwest::capi {

struct ModelTables {
  explicit ModelTables(const hwest_model& of);

  const LazyTable<hwest_diagnostic> diagnostics;
  const LazyTable<hwest_model_info> info;  // one row
  const LazyTable<hwest_opset> opsets;
  const LazyTable<hwest_value> inputs;
  const LazyTable<hwest_value> outputs;
  const LazyTable<hwest_symbol> symbols;
};

struct TargetTables {
  explicit TargetTables(const hwest_target& of);

  const LazyTable<hwest_target_info> info;  // one row
  const LazyTable<hwest_target_unit> units;
  const LazyTable<hwest_target_mode> modes;
  const LazyTable<hwest_fact> facts;
};

struct TargetListTables {
  explicit TargetListTables(const hwest_target_list& of);

  const LazyTable<hwest_target_info> rows;
};

struct LintTables {
  explicit LintTables(const hwest_lint& of);

  const LazyTable<hwest_problem> problem;
};

struct AnalysisTables {
  explicit AnalysisTables(const hwest_analysis& of);

  const LazyTable<hwest_group> groups;
  const LazyTable<hwest_traffic> traffic;
  const LazyTable<hwest_measured_entry> measured;
  const LazyTable<hwest_segment> segments;
  const LazyTable<hwest_unit> units;
  const LazyTable<hwest_bound_total> bounds;
  const LazyTable<hwest_module> modules;
  const LazyTable<hwest_support> support;
  const LazyTable<hwest_event> timeline;
  const LazyTable<hwest_lifetime> lifetimes;
  const LazyTable<hwest_totals> totals;  // one row
  const LazyTable<hwest_memory_need> memory_needs;
  const LazyTable<hwest_diagnostic> diagnostics;
  const LazyTable<hwest_node> nodes;
  const LazyTable<hwest_value> values;
  const LazyTable<hwest_value> inputs;
  const LazyTable<hwest_value> outputs;
  const LazyTable<hwest_symbol> symbols;
};

struct WhatIfTables {
  explicit WhatIfTables(const hwest_what_if& of);

  const LazyTable<hwest_change> changes;
};

struct RefusalsTables {
  explicit RefusalsTables(const hwest_refusals& of);

  const LazyTable<hwest_refusal> rows;
};

struct ImportLogTables {
  explicit ImportLogTables(const hwest_import_log& of);

  const LazyTable<hwest_log_node> nodes;
  const LazyTable<hwest_log_totals> totals;  // one row
};

struct GenerationTables {
  explicit GenerationTables(const hwest_generation& of);

  const LazyTable<hwest_context> context;
};

struct ExplanationTables {
  explicit ExplanationTables(const hwest_explanation& of);

  const LazyTable<hwest_fusion> fusion;  // one row
  const LazyTable<hwest_miss> misses;
  const LazyTable<hwest_move> moves;
};

struct ValidationTables {
  explicit ValidationTables(const hwest_validation& of);

  const LazyTable<hwest_accuracy> pools;
  const LazyTable<hwest_accuracy> devices;
  const LazyTable<hwest_point> points;
  const LazyTable<hwest_skipped> skipped;
};

struct CalibrationTables {
  explicit CalibrationTables(const hwest_calibration& of);

  const LazyTable<hwest_accuracy> before;
  const LazyTable<hwest_accuracy> after;
  const LazyTable<hwest_skipped> skipped;
  const LazyTable<hwest_fit> fits;
};

struct WorkloadTables {
  explicit WorkloadTables(const hwest_workload& of);

  const LazyTable<hwest_diagnostic> diagnostics;
  const LazyTable<hwest_workload_task> tasks;
  const LazyTable<hwest_workload_unit> units;
  const LazyTable<hwest_workload_traffic> traffic;
  const LazyTable<hwest_workload_slowdown> slowdowns;
  const LazyTable<hwest_workload_segment> segments;
  const LazyTable<hwest_workload_fix> fixes;
  const LazyTable<hwest_workload_total> totals;  // one row
};

struct BoardsTables {
  explicit BoardsTables(const hwest_boards& of);

  const LazyTable<hwest_board> rows;
};

struct DiffTables {
  explicit DiffTables(const hwest_diff& of);

  const LazyTable<hwest_diff_info> info;  // one row
  const LazyTable<hwest_diff_total> totals;
  const LazyTable<hwest_diff_module> modules;
  const LazyTable<hwest_diff_node> nodes;
};

struct CheckTables {
  explicit CheckTables(const hwest_check& of);

  const LazyTable<hwest_check_line> lines;
  const LazyTable<hwest_check_total> totals;  // one row
};

struct SweepTables {
  explicit SweepTables(const hwest_sweep& of);

  const LazyTable<hwest_sweep_row> row;
};

}  // namespace hwest::capi

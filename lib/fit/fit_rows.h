// The rows that a fit uses, with the plans that predict them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fit/analyse_rows.h"
#include "fit/fit_plan.h"
#include "fit/match.h"
#include "fit/summary.h"

namespace hwest {

struct FitRow {
  Measurement measured;
  Query query;
  size_t plan = 0;      // index into FitRows::plans
  Precision precision;  // that the unit runs it at
  double seconds = 0;   // measured, of the latency that the plan predicts
  double weight = 1;  // rows of one thing from several releases share the weight of one, those of one model on several
                      // devices part of it; near matches and rows for checking count less
};

struct FitRows {
  struct Placed {
    FitPlan plan;
    Query query;
  };
  std::vector<FitRow> rows;
  std::vector<Placed> plans;
  std::vector<SkippedRows> skipped;  // most first
};

struct FitRowsOptions {
  PredictOptions predict;
  std::shared_ptr<const Target> target;  // every row on this one; null = by the targets' measured_as
};

// CollectFitRows matches the rows and makes the plan of each at the values the targets hold. Of the runtimes an
// accelerator of one family was measured with only the one with the most rows is kept, but for targets that have no row
// of it. Every other row is counted in `skipped`.
FitRows CollectFitRows(const std::vector<Measurement>& rows, const Targets& targets, const FitRowsOptions& options);

// The figure of the row's metric when one inference takes `seconds`.
double FigureFrom(const FitRow& row, const FitPlan& plan, double seconds);

}  // namespace hwest

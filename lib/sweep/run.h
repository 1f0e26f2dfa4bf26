// Runs a sweep on the cores of one machine.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "analysis/load.h"
#include "hwest/analysis.h"
#include "sweep/points.h"
#include "sweep/row.h"

namespace hwest {

// A loaded model.
struct SweepModel {
  std::shared_ptr<const Analyzer> analyzer;  // null = load it from its path
  std::string sha256;
  ModelSource source;       // where rewriting reads it again; no path = it is in memory
  absl::string_view bytes;  // the same of one that is in memory; null = they were not kept
};

struct SweepRun {
  RequestDraft base;                // what the points share; their own settings override it
  std::pair<size_t, size_t> range;  // first point and the one past the last
  size_t threads = 1;
  std::function<bool()> stop;                      // called between stages of an analysis, from any thread; may be null
  std::function<SweepModel(size_t model)> loaded;  // of SweepPlan::models, from any thread; null = none is
  // Receives the rows in the order of the points, one at a time, from any thread. An error ends the sweep.
  std::function<absl::Status(size_t index, const SweepRow& row)> take;
};

// RunSweep makes the rows of the points in the range. It loads each model once, when its first point is due, and frees
// it after its last. Rows do not depend on the number of threads. Errors: those of `take`; kInterrupted when stopped,
// after `take` got all rows before the first unfinished one.
absl::Status RunSweep(const SweepPlan& plan, const SweepRun& run);

}  // namespace hwest

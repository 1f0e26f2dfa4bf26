// Sweeps: many models, targets, modes, precisions and sizes, a row for each combination.
//
//   SweepAxes axes{.models = {"a.onnx", "b.onnx"}, .targets = {"jetson-orin", "tda4vm"}};
//   HWEST_ASSIGN_OR_RETURN(const app::SweepResult sweep, app::Sweep({.axes = std::move(axes), .threads = 4}));
//   HWEST_RETURN_IF_ERROR(app::WriteSweep(sweep, {.format = Format::kCsv}, sink));
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hwest/analysis.h"
#include "hwest/report.h"
#include "hwest/target.h"
#include "hwest/watch.h"

namespace hwest {

using Dims = std::vector<std::pair<std::string, int64_t>>;

// What a sweep runs over. An axis without values stands for one value: what an analysis takes by default.
struct SweepAxes {
  std::vector<std::string> models;                    // paths; of language models all that ReadDecoder takes
  std::vector<std::string> targets;                   // "all" = every built-in one
  std::vector<std::shared_ptr<const Target>> loaded;  // one for each of `targets`, null = load that; empty = none is
  std::vector<std::string> modes;                     // "all" = every mode of each target
  // Figures of the targets by path, as `targets show` lists them, each with its values: {"sram.size", "1MB,2MB"}.
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<std::string> precisions;
  std::vector<int64_t> batches;
  std::vector<std::pair<std::string, std::vector<int64_t>>> dims;  // sizes by name
  std::vector<int64_t> sizes;                                      // height and width of images
  bool rewritten = false;  // every point is of the model after the rewrites that help it there
};

struct SweepRow;  // lib/sweep/row.h

namespace app {

struct SweepRequest {
  SweepAxes axes;
  AnalysisRequest base = {};  // what the points have in common; what the axes say is not among it
  size_t threads = 1;         // rows do not depend on it
  Watch watch = {};           // counts "points"
};

struct SweepResult {
  std::shared_ptr<const std::vector<SweepRow>> rows;  // in the order of the points
  size_t failed = 0;                                  // of these: points that have an error in place of figures
  SweepAxes axes;                                     // as asked for
  std::vector<Diagnostic> notes;                      // what was left out of models that it does not fit
};

// A point that fails is a row that says why. Errors: kUsage for axes that make no sense; kBindConflict for a dim that
// no model has; kInterrupted.
absl::StatusOr<SweepResult> Sweep(SweepRequest request);

// Formats: text, markdown, json, jsonl, csv, html, svg, png, pdf; options.graph.columns names columns.
absl::Status WriteSweep(const SweepResult& result, const ReportOptions& options, Sink sink);

}  // namespace app
}  // namespace hwest

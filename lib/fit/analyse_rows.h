// Runs the analyses that rows of measurements need: each distinct one once, each model loaded once, on several threads.
// Results do not depend on the threads.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "fit/match.h"
#include "hwest/analysis.h"
#include "measured/measurements.h"

namespace hwest {

struct PredictOptions {
  std::string models;  // folder, or several with commas between; the first that has a model counts
  size_t threads = 2;
  // Called after each analysis, from any thread but one at a time. May be empty.
  std::function<void(size_t done, size_t total)> progress;
  // Asked before each analysis and each of its stages, from several threads at a time; true = do no more. May be empty.
  std::function<bool()> stop;
};

// The folders of `models`; a folder whose own name has a comma is one.
std::vector<std::string> FoldersOf(const std::string& models);

struct Question {
  const Measurement* row = nullptr;
  Query query;
};

// Which analyses the questions need; equal ones share a slot.
struct AnalysisSlots {
  size_t count = 0;
  std::vector<std::vector<size_t>> of;  // by question, then engine of its query
};
AnalysisSlots SlotsOf(absl::Span<const Question> questions);

// Takes what is wanted of an analysis; called once per slot, from several threads at a time.
using TakeAnalysis = std::function<absl::Status(size_t slot, const Analysis& analysis)>;

// AnalyseRows runs the analysis of each slot. One status per slot: that of `take`, or NotFound, whose message says why
// there is no analysis.
std::vector<absl::Status> AnalyseRows(absl::Span<const Question> questions, const AnalysisSlots& slots,
                                      const PredictOptions& options, const TakeAnalysis& take);

}  // namespace hwest

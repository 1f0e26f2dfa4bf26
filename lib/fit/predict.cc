#include "fit/predict.h"

#include "base/status_macros.h"

namespace hwest {
namespace {

absl::StatusOr<Prediction> PredictionFrom(const Question& question, const std::vector<size_t>& slots,
                                          const std::vector<absl::Status>& statuses,
                                          const std::vector<Timing>& timings) {
  std::vector<Timing> engines;
  for (const size_t slot : slots) {
    HWEST_RETURN_IF_ERROR(statuses[slot]);
    engines.push_back(timings[slot]);
  }
  return PredictionOf(*FindMetric(question.row->metric), engines);
}

}  // namespace

std::vector<absl::StatusOr<Prediction>> Predict(absl::Span<const Question> questions, const PredictOptions& options) {
  const AnalysisSlots slots = SlotsOf(questions);
  std::vector<Timing> timings(slots.count);
  const std::vector<absl::Status> statuses =
      AnalyseRows(questions, slots, options, [&](size_t slot, const Analysis& analysis) -> absl::Status {
        HWEST_ASSIGN_OR_RETURN(timings[slot], TimingOf(analysis));
        return absl::OkStatus();
      });
  std::vector<absl::StatusOr<Prediction>> predictions;
  for (size_t i = 0; i < questions.size(); ++i) {
    predictions.push_back(PredictionFrom(questions[i], slots.of[i], statuses, timings));
  }
  return predictions;
}

}  // namespace hwest

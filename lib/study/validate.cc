#include "study/validate.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

// Counts reasons and collects points while the folds go by.
struct Draft {
  std::vector<Point> points;
  std::map<std::string, size_t> skipped;

  void Skip(const absl::Status& why) { ++skipped[std::string(why.message())]; }
};

absl::Status CheckOptions(const ValidateOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_directory(options.predict.models, error)) {
    return MakeError(Code::kModelMissing,
                     absl::StrCat("no folder of models '", EscapeControl(options.predict.models), "'"),
                     "name it with --models");
  }
  if (options.leave_out == LeaveOut::kNone || options.fitter) return absl::OkStatus();
  return MakeError(Code::kUsage,
                   absl::StrCat("--leave-out ", LeaveOutName(options.leave_out),
                                " fits the targets anew, which is not part of this version"),
                   "use --leave-out none");
}

absl::StatusOr<Targets> StartingTargets(const ValidateOptions& options) {
  if (options.target != nullptr) return Targets{options.target};
  if (!options.targets.empty()) return options.targets;
  return LoadBuiltInTargets();
}

absl::StatusOr<Targets> TargetsFor(const Fold& fold, const Targets& start, const std::vector<Measurement>& rows,
                                   const ValidateOptions& options) {
  if (options.leave_out == LeaveOut::kNone) return start;
  return options.fitter(start, RowsWithout(rows, options.leave_out, fold));
}

void PredictFold(const Fold& fold, const Targets& targets, const ValidateOptions& options, Draft* draft) {
  std::vector<Question> questions;
  for (const Measurement* row : fold.rows) {
    absl::StatusOr<Query> query =
        options.target == nullptr ? MatchRow(*row, targets) : MatchRowOn(*row, targets.front());
    if (query.ok()) {
      questions.push_back({row, *std::move(query)});
    } else {
      draft->Skip(query.status());
    }
  }
  const std::vector<absl::StatusOr<Prediction>> predictions = Predict(questions, options.predict);
  for (size_t i = 0; i < questions.size(); ++i) {
    if (predictions[i].ok()) {
      draft->points.push_back({*questions[i].row, std::move(questions[i].query), *predictions[i], fold.name});
    } else {
      draft->Skip(predictions[i].status());
    }
  }
}

std::vector<SkippedRows> MostFirst(const std::map<std::string, size_t>& reasons) {
  std::vector<SkippedRows> skipped;
  for (const auto& [reason, count] : reasons) skipped.push_back({reason, count});
  std::stable_sort(skipped.begin(), skipped.end(),
                   [](const SkippedRows& a, const SkippedRows& b) { return a.count > b.count; });
  return skipped;
}

}  // namespace

absl::StatusOr<Validation> Validate(const std::vector<Measurement>& rows, const ValidateOptions& options) {
  HWEST_RETURN_IF_ERROR(CheckOptions(options));
  HWEST_ASSIGN_OR_RETURN(const Targets start, StartingTargets(options));
  Draft draft;
  for (const Fold& fold : FoldsOf(rows, options.leave_out)) {
    HWEST_ASSIGN_OR_RETURN(const Targets targets, TargetsFor(fold, start, rows, options));
    PredictFold(fold, targets, options, &draft);
  }
  std::sort(draft.points.begin(), draft.points.end(),
            [](const Point& a, const Point& b) { return a.measured.row < b.measured.row; });
  Validation validation;
  validation.points = std::move(draft.points);
  validation.rows = RowsOf(validation.points);
  validation.pools = PoolsOf(validation.points);
  validation.skipped = MostFirst(draft.skipped);
  return validation;
}

}  // namespace hwest

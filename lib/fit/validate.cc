#include "fit/validate.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
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
  HWEST_RETURN_IF_ERROR(CheckModels(options.predict));
  if (options.leave_out == LeaveOut::kNone || options.fitter) return absl::OkStatus();
  return MakeError(
      Code::kUsage,
      absl::StrCat("--leave-out ", LeaveOutName(options.leave_out), " fits the targets anew and needs a fitter"),
      "use --leave-out none", {"--leave-out", "--leave-out"});
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

// The counts as rows of (text, count), most first.
template <class Row>
std::vector<Row> MostFirst(const std::map<std::string, size_t>& counts) {
  std::vector<Row> rows;
  for (const auto& [text, count] : counts) rows.push_back({text, count});
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.count > b.count; });
  return rows;
}

std::vector<DeviceRows> UnknownDevices(const std::vector<Measurement>& rows, const Targets& targets) {
  std::set<std::string> known;
  for (const auto& target : targets) {
    for (const MeasuredAs& as : target->measured_as) known.insert(as.device);
  }
  std::map<std::string, size_t> counts;
  for (const Measurement& row : rows) {
    if (known.count(row.device) == 0) ++counts[row.device];
  }
  return MostFirst<DeviceRows>(counts);
}

}  // namespace

absl::Status CheckModels(const PredictOptions& options) {
  for (const std::string& folder : FoldersOf(options.models)) {
    std::error_code error;
    if (std::filesystem::is_directory(folder, error)) continue;
    return MakeError(Code::kModelMissing, absl::StrCat("no folder of models '", EscapeControl(folder), "'"),
                     "name it with --models", {"--models"});
  }
  return absl::OkStatus();
}

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
  validation.evidence = EvidenceBinsOf(validation.points);
  validation.trust = TrustRowsOf(validation.points);
  validation.skipped = MostFirst<SkippedRows>(draft.skipped);
  if (options.target == nullptr) validation.unknown_devices = UnknownDevices(rows, start);
  return validation;
}

}  // namespace hwest

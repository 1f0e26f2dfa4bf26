// Budgets: limits on what models cost on their targets, as rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "budget/amount.h"

namespace hwest {

// What a limit is about.
enum class BudgetFigure : uint8_t {
  kLatency,
  kRate,
  kEnergy,
  kPower,
  kPeakMemory,
  kMacs,
  kParams,
  kFallback,
  kSegments,
  kUnknown,
  kLatencyGrowth,
  kPeakMemoryGrowth,
  kMissingMemory,
  kTtft,       // of a language model on the target's runtime
  kTokensPerS  // likewise
};
// What a limit is compared with: the estimate, the worse end of its interval, or both ends.
enum class Judge : uint8_t { kPoint, kUpper, kInterval };
absl::string_view JudgeName(Judge judge);  // "point", "upper", "interval"

// The verdict on a limit between the ends of an interval, where both are judged.
enum class Undecided : bool { kFail, kWarn };

// What formats need to know about a figure.
struct FigureInfo {
  BudgetFigure figure;
  absl::string_view name;  // in reports: "latency", "growth.latency"
  AmountKind kind;
  bool at_least;             // the limit is a minimum
  absl::string_view metric;  // in OpenMetrics: name and unit, the unit at its end
  absl::string_view unit;    // of that; "" = none
  absl::string_view symbol;  // of `shown`: "ms"
  double shown;              // the value of one symbol's unit
};
const FigureInfo& InfoOf(BudgetFigure figure);
absl::Span<const FigureInfo> AllFigures();

struct BudgetLimit {
  BudgetFigure figure = BudgetFigure::kLatency;
  double bound = 0;  // s, 1/s, J, W, bytes, a count or a share
  Judge judge = Judge::kPoint;
  int line = 0;                    // of the file; 0 = not in one
  std::vector<std::string> allow;  // of kFallback: operators
  std::string against;             // of growth: the path of a saved report
  int64_t prompt = 128;            // tokens, of a language model
  std::optional<int64_t> context;  // likewise, that its memory is kept for; none = the prompt and an answer
};

struct BudgetCheck {
  std::string model;       // as written
  std::string model_path;  // relative to the working folder
  std::string target;
  std::string mode;  // "" = the target's default
  std::string precision = "auto";
  std::optional<int64_t> batch;
  std::vector<std::pair<std::string, int64_t>> dims;
  int line = 0;
  std::vector<BudgetLimit> limits;
};

struct Budget {
  std::string path;  // as the user wrote it; "" = the limits are flags
  std::vector<BudgetCheck> checks;
  Undecided undecided = Undecided::kFail;
};

// ReadBudget reads protobuf text, or the same message as JSON if the name ends in .json. Errors: kUsage with file and
// line: an unknown key, an amount without its unit, two checks of one thing, no checks.
absl::StatusOr<Budget> ReadBudget(const std::string& path);
absl::StatusOr<Budget> ParseBudget(absl::string_view text, const std::string& path);

// A limit as given in a call or by a flag. Errors: kUsage for text that is no amount of the figure.
absl::StatusOr<BudgetLimit> ParseLimit(BudgetFigure figure, absl::string_view amount);

// That the memories of the target hold the model: nothing is missing.
BudgetLimit FitsLimit();

// A name that distinguishes the check: "exports/detector.onnx@jetson-orin:30W:int8:b4", without defaults.
std::string NameOf(const BudgetCheck& check);

// The schema's own text, for the reference.
absl::string_view BudgetSchemaText();

}  // namespace hwest

#include "app/capacity.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "budget/amount.h"
#include "workload/quantity.h"

namespace hwest::app {
namespace {

constexpr size_t kMostLines = 100'000;

absl::StatusOr<Fraction> PeriodOf(const std::string& text) {
  const std::optional<Fraction> period = ReadPeriod(text);
  if (period.has_value()) return *period;
  return MakeError(Code::kUsage, absl::StrCat("'", EscapeControl(text), "' is not a rate"), "write e.g. 30FPS",
                   {"--streams"});
}

// MODEL=RATE, unless a file has that name.
absl::StatusOr<CapacityModel> ModelOf(const std::string& word) {
  std::error_code error;
  const size_t equals = word.rfind('=');
  if (equals == std::string::npos || equals == 0 || std::filesystem::exists(word, error)) return CapacityModel{word};
  HWEST_ASSIGN_OR_RETURN(const Fraction period, PeriodOf(word.substr(equals + 1)));
  return CapacityModel{word.substr(0, equals), period};
}

absl::StatusOr<double> AmountOf(const char* flag, const std::string& text, AmountKind kind, const char* example) {
  const std::optional<double> amount = ParseAmount(text, kind);
  if (amount.has_value() && *amount > 0) return *amount;
  return MakeError(Code::kUsage, absl::StrCat(flag, " is '", EscapeControl(text), "'"),
                   absl::StrCat("write e.g. ", example), {flag});
}

}  // namespace

absl::StatusOr<std::map<std::string, double>> ReadPrices(const std::string& path) {
  std::error_code error;
  std::ifstream file(path);
  if (!file || !std::filesystem::is_regular_file(path, error)) {
    return MakeError(Code::kUsage, absl::StrCat("cannot read the prices ", EscapeControl(path)),
                     "name a CSV file with a target and its price a line", {"--prices"});
  }
  std::map<std::string, double> prices;
  std::string line;
  for (size_t number = 1; std::getline(file, line) && number <= kMostLines; ++number) {
    const std::string text(absl::StripAsciiWhitespace(line));
    if (text.empty() || text[0] == '#') continue;
    const std::pair<std::string, std::string> cells = absl::StrSplit(text, absl::MaxSplits(',', 1));
    double price = 0;
    const std::string name(absl::StripAsciiWhitespace(cells.first));
    const bool is_number = absl::SimpleAtod(absl::StripAsciiWhitespace(cells.second), &price);
    if (!is_number && prices.empty() && number == 1) continue;  // the heading
    if (name.empty() || !is_number || !std::isfinite(price) || price < 0) {
      return MakeError(Code::kUsage, absl::StrCat(EscapeControl(path), ":", number, ": no target and price"),
                       "write e.g. rk3588,149", {"--prices"});
    }
    HWEST_ASSIGN_OR_RETURN(const std::vector<std::string> targets, TargetsNamed({name}));
    prices[targets.front()] = price;
  }
  return prices;
}

absl::StatusOr<CapacityRequest> RequestOf(const FitWords& words) {
  CapacityRequest request{.targets = words.targets,
                          .precisions = words.precisions,
                          .batches = words.batches,
                          .streams = words.streams,
                          .host = words.host,
                          .threads = words.threads,
                          .watch = words.watch};
  if (words.modes != std::vector<std::string>{"all"}) request.modes = words.modes;
  for (const std::string& word : words.models) {
    HWEST_ASSIGN_OR_RETURN(CapacityModel model, ModelOf(word));
    request.models.push_back(std::move(model));
  }
  if (!words.rate.empty()) {
    HWEST_ASSIGN_OR_RETURN(request.period, PeriodOf(words.rate));
  }
  if (!words.deadline.empty()) {
    HWEST_ASSIGN_OR_RETURN(request.deadline_s, AmountOf("--deadline", words.deadline, AmountKind::kSeconds, "50ms"));
  }
  if (!words.max_power.empty()) {
    HWEST_ASSIGN_OR_RETURN(request.max_w, AmountOf("--max-power", words.max_power, AmountKind::kWatts, "15W"));
  }
  for (const std::string& word : words.stages) {
    HWEST_ASSIGN_OR_RETURN(CapacityStage stage, ParseCapacityStage(word));
    request.stages.push_back(std::move(stage));
  }
  if (!words.prices.empty()) {
    HWEST_ASSIGN_OR_RETURN(request.prices, ReadPrices(words.prices));
  }
  return request;
}

absl::StatusOr<CapacityReport> Fit(const FitWords& words) {
  HWEST_ASSIGN_OR_RETURN(const CapacityRequest request, RequestOf(words));
  return FindCapacity(request);
}

absl::Status CheckHolds(const CapacityReport& report) {
  const auto any = [&](auto is) { return std::any_of(report.boards.begin(), report.boards.end(), is); };
  if (any([](const CapacityRow& row) { return row.holds.value_or(false); })) return absl::OkStatus();
  if (any([](const CapacityRow& row) { return !row.holds.has_value(); })) {
    return MakeError(Code::kIncomplete, "no board is known to hold it", "leave --strict out to accept that");
  }
  return MakeError(Code::kCheckFailed, "no board holds it", "the report says what gives way first");
}

}  // namespace hwest::app

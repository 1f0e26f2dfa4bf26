// Writes today's values as comments beside the limits, so that a budget can be tightened as models improve.
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/text.h"
#include "budget/report.h"

namespace hwest {
namespace {

constexpr char kMark[] = "# now ";

// The line without an earlier value; keeps a comment mark inside quotes.
absl::string_view WithoutValue(absl::string_view line) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#' && absl::StartsWith(line.substr(i), kMark)) {
      line = line.substr(0, i);
      while (absl::EndsWith(line, " ")) line.remove_suffix(1);
      return line;
    } else if (c == '#') {
      const size_t own = line.find(kMark, i);
      if (own == absl::string_view::npos) return line;
      line = line.substr(0, own);
      while (absl::EndsWith(line, " ")) line.remove_suffix(1);
      return line;
    }
  }
  return line;
}

std::string ValueText(const LimitLine& line) {
  const FigureInfo& info = InfoOf(line.limit.figure);
  const std::string value = line.value.has_value() ? AmountText(*line.value, info.kind) : "unknown";
  const bool has_interval = line.low.has_value() && line.high.has_value() && line.low != line.high;
  return absl::StrCat(info.name, " ", value,
                      has_interval ? absl::StrCat(" (", AmountText(*line.low, info.kind), " to ",
                                                  AmountText(*line.high, info.kind), ")")
                                   : std::string());
}

}  // namespace

absl::StatusOr<std::string> WithValuesOfToday(absl::string_view text, const Budget& budget,
                                              const std::vector<CheckResult>& results) {
  if (absl::EndsWithIgnoreCase(budget.path, ".json")) {
    return MakeError(Code::kUsage, absl::StrCat(EscapeControl(budget.path), " has no place for comments"),
                     "write the budget as protobuf text to use --update");
  }
  std::map<int, std::vector<std::string>> values;  // by line
  for (const CheckResult& result : results) {
    for (const LimitLine& line : result.lines) values[line.limit.line].push_back(ValueText(line));
  }
  std::vector<std::string> lines = absl::StrSplit(text, '\n');
  for (const auto& [number, texts] : values) {
    if (number < 1 || static_cast<size_t>(number) > lines.size()) continue;
    std::string& line = lines[static_cast<size_t>(number) - 1];
    const bool has_return = absl::EndsWith(line, "\r");
    if (has_return) line.pop_back();
    line = absl::StrCat(WithoutValue(line), "  ", kMark, absl::StrJoin(texts, ", "), has_return ? "\r" : "");
  }
  return absl::StrJoin(lines, "\n");
}

}  // namespace hwest

// qnn-profile-viewer, and ONNX Runtime's QNN provider with profiling_level detailed: a CSV of events.
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "profile/read_profile.h"
#include "profile/text_lines.h"

namespace hwest {
namespace {

constexpr double kEventMicrosecond = 1e-6;
constexpr char kQnnHeader[] =
    "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier";
constexpr size_t kMessage = 1, kTime = 2, kUnit = 3, kIdentifier = 6;

// "Conv_token_12_3:OpId_7 (cycles)" as "Conv".
std::string NodeOf(absl::string_view identifier) {
  identifier = absl::StripAsciiWhitespace(identifier);
  absl::ConsumePrefix(&identifier, "\"");
  absl::ConsumeSuffix(&identifier, "\"");
  absl::ConsumeSuffix(&identifier, " (cycles)");
  if (const size_t id = identifier.rfind(":OpId_"); id != absl::string_view::npos)
    identifier = identifier.substr(0, id);
  if (const size_t token = identifier.rfind("_token_"); token != absl::string_view::npos) {
    identifier = identifier.substr(0, token);
  }
  return std::string(identifier);
}

// Of all runs: what nodes took, in order of appearance, and the accelerator as a whole.
struct Events {
  std::vector<std::string> order;
  std::map<std::string, std::vector<double>> cycles, microseconds;
  std::vector<double> accelerator_us;

  void Add(const std::vector<absl::string_view>& cells) {
    const std::optional<double> time = TimeIn(cells[kTime]);
    if (!time.has_value()) return;
    const bool is_time = cells[kUnit] == "US";
    const std::string node = NodeOf(cells[kIdentifier]);
    if (cells[kMessage] != "NODE") {
      if (is_time && node == "Accelerator (execute) time") accelerator_us.push_back(*time);
      return;
    }
    if (cycles.count(node) + microseconds.count(node) == 0) order.push_back(node);
    (is_time ? microseconds : cycles)[node].push_back(*time);
  }
};

}  // namespace

bool IsQnnCsv(absl::string_view text) { return absl::StrContains(text.substr(0, 4096), kQnnHeader); }

// Cycles are those of threads that run side by side: each node takes its share of the accelerator's time.
absl::StatusOr<Profile> ReadQnnEvents(absl::string_view text, absl::string_view name) {
  Events events;
  for (const std::string& line : PlainLines(text)) {
    const std::vector<absl::string_view> cells = absl::StrSplit(line, ',');
    if (cells.size() > kIdentifier) events.Add(cells);
  }
  Profile profile{.program = "qnn"};
  double all_cycles = 0;
  for (auto& [node, cycles] : events.cycles) all_cycles += MedianOf(cycles).value_or(0);
  const std::optional<double> whole_us = MedianOf(events.accelerator_us);
  for (const std::string& node : events.order) {
    if (const auto at = events.microseconds.find(node); at != events.microseconds.end()) {
      profile.entries.push_back({.name = node, .op = "", .time_s = *MedianOf(at->second) * kEventMicrosecond});
    } else if (whole_us.has_value() && all_cycles > 0) {
      const double share = *MedianOf(events.cycles[node]) / all_cycles;
      profile.entries.push_back({.name = node, .op = "", .time_s = share * *whole_us * kEventMicrosecond});
    }
  }
  if (profile.entries.empty() && !events.order.empty()) {
    return ImportError(name, "counts cycles and does not say how long the accelerator ran",
                       "profile a run that ends, with profiling_level=detailed");
  }
  if (!events.accelerator_us.empty()) profile.runs = static_cast<int64_t>(events.accelerator_us.size());
  return profile;
}

}  // namespace hwest

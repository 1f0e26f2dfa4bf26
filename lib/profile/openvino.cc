// Performance counters of OpenVINO: benchmark_app with -report_type average_counters, or what -pc prints.
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "profile/read_profile.h"
#include "profile/text_lines.h"

namespace hwest {
namespace {

constexpr double kCounterMs = 1e-3;
constexpr char kReportStart[] = "layerName;execStatus;layerType;execType;";
constexpr char kTimeCell[] = "realTime (ms)", kPrintedTime[] = "realTime (ms):";
constexpr char kExecuted[] = "EXECUTED";

void ReadReportLine(absl::string_view line, std::optional<size_t>* time_at, Profile* profile) {
  const std::vector<absl::string_view> cells = absl::StrSplit(line, ';');
  if (absl::StartsWith(line, kReportStart)) {
    *time_at = CellNamed(cells, kTimeCell);
    return;
  }
  if (!time_at->has_value() || cells.size() <= **time_at || !absl::EndsWith(cells[1], kExecuted)) return;
  const std::optional<double> ms = TimeIn(cells[**time_at]);
  if (!ms.has_value()) return;
  profile->entries.push_back({.name = std::string(cells[0]), .op = std::string(cells[2]), .time_s = *ms * kCounterMs});
}

// "NAME EXECUTED layerType: T execType: E realTime (ms): 0.1 cpuTime (ms): 0.1"
void ReadPrintedLine(absl::string_view line, Profile* profile) {
  const std::vector<absl::string_view> words = WordsIn(line);
  if (words.size() < 4 || !absl::EndsWith(words[1], kExecuted) || words[2] != "layerType:") return;
  const size_t at = line.find(kPrintedTime);
  if (at == absl::string_view::npos) return;
  const std::vector<absl::string_view> rest = WordsIn(line.substr(at + sizeof(kPrintedTime) - 1));
  const std::optional<double> ms = rest.empty() ? std::nullopt : TimeIn(rest[0]);
  if (!ms.has_value()) return;
  profile->entries.push_back({.name = std::string(words[0]), .op = std::string(words[3]), .time_s = *ms * kCounterMs});
}

}  // namespace

bool IsOpenVinoCounters(absl::string_view text) {
  return absl::StrContains(text, kReportStart) ||
         (absl::StrContains(text, "layerType:") && absl::StrContains(text, kPrintedTime));
}

absl::StatusOr<Profile> ReadOpenVinoCounters(absl::string_view text, absl::string_view) {
  Profile profile{.program = "openvino"};
  std::optional<size_t> time_at;
  for (const std::string& line : PlainLines(text)) {
    ReadReportLine(line, &time_at, &profile);
    if (!time_at.has_value()) ReadPrintedLine(line, &profile);
  }
  return profile;
}

}  // namespace hwest

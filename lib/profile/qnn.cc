// qnn-profile-viewer, and ONNX Runtime's QNN provider with profiling_level detailed: a CSV of events, or what the
// viewer prints.
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "profile/cycle_times.h"
#include "profile/read_profile.h"
#include "profile/text_lines.h"

namespace hwest {
namespace {

constexpr char kQnnHeader[] =
    "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier";
constexpr char kAcceleratorTime[] = "Accelerator (execute) time";
constexpr char kPrintedRuns[] = "Execute Stats (Average):", kPrintedTotals[] = "Execute Stats (Overall):";
constexpr char kPrintedNode[] = ":OpId_";
constexpr char kQnnRemedy[] = "profile a run that ends, with profiling_level=detailed";
constexpr size_t kHeadBytes = 4096;
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

void AddEvent(const std::vector<absl::string_view>& cells, CycleTimes* times) {
  const std::optional<double> time = TimeIn(cells[kTime]);
  if (!time.has_value()) return;
  const bool is_time = cells[kUnit] == "US";
  const std::string node = NodeOf(cells[kIdentifier]);
  if (cells[kMessage] == "NODE") {
    is_time ? times->AddMicroseconds(node, *time) : times->AddCycles(node, *time);
  } else if (is_time && node == kAcceleratorTime) {
    times->AddWhole(*time);
  }
}

// "conv1:OpId_7 (cycles) : 720 cycles" or "Accelerator (execute) time : 80 us", of what the viewer prints.
void AddPrintedLine(absl::string_view line, CycleTimes* times) {
  const size_t colon = line.rfind(':');
  if (colon == absl::string_view::npos) return;
  const std::vector<absl::string_view> words = WordsIn(line.substr(colon + 1));
  const absl::string_view event = absl::StripAsciiWhitespace(line.substr(0, colon));
  const std::optional<double> time = words.size() == 2 ? TimeIn(words[0]) : std::nullopt;
  if (!time.has_value()) return;
  const bool is_time = words[1] == "us";
  if (absl::StrContains(event, kPrintedNode)) {
    is_time ? times->AddMicroseconds(NodeOf(event), *time) : times->AddCycles(NodeOf(event), *time);
  } else if (is_time && event == kAcceleratorTime) {
    times->AddWhole(*time);
  }
}

// Averages stand beside the runs that they are of.
absl::string_view RunsIn(absl::string_view text) {
  const size_t runs = text.find(kPrintedRuns);
  if (runs == absl::string_view::npos) return {};
  return text.substr(runs, text.find(kPrintedTotals, runs) - runs);
}

}  // namespace

bool IsQnnCsv(absl::string_view text) { return absl::StrContains(text.substr(0, kHeadBytes), kQnnHeader); }

absl::StatusOr<Profile> ReadQnnEvents(absl::string_view text, absl::string_view name) {
  CycleTimes times;
  for (const std::string& line : PlainLines(text)) {
    const std::vector<absl::string_view> cells = absl::StrSplit(line, ',');
    if (cells.size() > kIdentifier) AddEvent(cells, &times);
  }
  return times.Times("qnn", name, kQnnRemedy);
}

bool IsQnnText(absl::string_view text) { return absl::StrContains(text, kPrintedRuns); }

absl::StatusOr<Profile> ReadQnnText(absl::string_view text, absl::string_view name) {
  CycleTimes times;
  for (const std::string& line : PlainLines(RunsIn(text))) AddPrintedLine(line, &times);
  return times.Times("qnn", name, kQnnRemedy);
}

}  // namespace hwest

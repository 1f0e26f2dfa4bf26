// Results of a profile job of Qualcomm AI Hub: times in microseconds, of layers that run beside each other as cycles.
#include "profile/cycle_times.h"
#include "profile/read_profile.h"

namespace hwest {
namespace {

constexpr char kDetail[] = "execution_detail", kSummary[] = "execution_summary";

}  // namespace

bool IsAiHubProfile(const Tree& tree) {
  const Tree* detail = MemberOf(tree, kDetail);
  return detail != nullptr && detail->is_array();
}

absl::StatusOr<Profile> ReadAiHubLayers(const Tree& tree, absl::string_view name) {
  CycleTimes times;
  const Tree* summary = MemberOf(tree, kSummary);
  const std::optional<double> whole =
      summary == nullptr ? std::nullopt : NumberOf(*summary, "estimated_inference_time");
  if (whole.has_value() && *whole >= 0) times.AddWhole(*whole);
  for (const Tree& layer : *MemberOf(tree, kDetail)) {
    const std::string layer_name = TextOf(layer, "name");
    const std::optional<double> time = NumberOf(layer, "execution_time"), cycles = NumberOf(layer, "execution_cycles");
    if (layer_name.empty()) continue;
    if (time.value_or(0) > 0) {
      times.AddMicroseconds(layer_name, *time);
    } else if (cycles.value_or(-1) >= 0) {
      times.AddCycles(layer_name, *cycles);
    }
  }
  return times.Times("aihub", name, "download the results of a job that succeeded");
}

}  // namespace hwest

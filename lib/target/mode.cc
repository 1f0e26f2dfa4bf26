// Power modes, and look-ups of rows by name with helpful errors.
#include "target/mode.h"

#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "hwest/target.h"

namespace hwest {
namespace {

absl::Status NoSuchRow(const Target& target, absl::string_view what, absl::string_view name,
                       const std::vector<std::string>& known) {
  const std::vector<std::string> nearest = NearestNames(name, known, 3);
  const std::string remedy = known.empty() ? absl::StrCat("leave it out, ", target.name, " has none")
                                           : absl::StrCat("it has ", absl::StrJoin(known, ", "));
  return MakeError(Code::kTargetUnknown, absl::StrCat("target ", target.name, " has no ", what, " '", name, "'"),
                   nearest.empty() ? remedy : absl::StrCat("did you mean ", nearest.front(), "? ", remedy));
}

// Cores that a mode turns off draw nothing, and a rail draws less in proportion to a lower clock: its voltage falls,
// too, but no source states how much.
double StaticShare(const Setting& setting, const Unit& unit) {
  double share = 1;
  if (setting.cores.has_value()) share = std::min(1.0, static_cast<double>(*setting.cores) / unit.cores);
  const double before_hz = unit.clock_hz.value_or(0), after_hz = setting.clock_hz.value_or(before_hz);
  return before_hz > 0 ? share * after_hz / before_hz : share;
}

void Scale(double share, Fact* fact) {
  if (!fact->known() || share == 1) return;
  for (std::optional<double>* figure : {&fact->stated, &fact->min, &fact->max}) {
    if (figure->has_value()) **figure *= share;
  }
  if (fact->fit.has_value()) fact->fit->value *= share;
}

const Mode* ModeInAnyCase(const Target& target, absl::string_view name) {
  const auto found = std::find_if(target.modes.begin(), target.modes.end(),
                                  [&](const Mode& mode) { return absl::EqualsIgnoreCase(mode.name, name); });
  return found == target.modes.end() ? nullptr : &*found;
}

void ApplyToUnit(const Setting& setting, Unit* unit) {
  Scale(StaticShare(setting, *unit), &unit->static_w);
  if (setting.cores.has_value()) unit->cores = *setting.cores;
  if (setting.clock_hz.known()) unit->clock_hz = setting.clock_hz;
  if (setting.launch_s.known()) unit->launch_s = setting.launch_s;
  if (setting.invoke_s.known()) unit->invoke_s = setting.invoke_s;
  if (setting.off) unit->placeable = false;
}

void ApplySetting(const Setting& setting, Target* target) {
  for (Unit& unit : target->units) {
    if (unit.name == setting.of) ApplyToUnit(setting, &unit);
  }
  for (Memory& memory : target->memories) {
    if (memory.name == setting.of && setting.bytes_per_s.known()) memory.bytes_per_s = setting.bytes_per_s;
  }
}

}  // namespace

absl::Status SetMode(absl::string_view mode, Target* target) {
  if (mode.empty() && !target->default_mode.has_value()) return absl::OkStatus();
  const Mode* row = mode.empty() ? &target->modes[*target->default_mode] : ModeOf(*target, mode);
  if (row == nullptr) row = ModeInAnyCase(*target, mode);
  if (row == nullptr) {
    std::vector<std::string> names;
    for (const Mode& known : target->modes) names.push_back(known.name);
    return NoSuchRow(*target, "mode", mode, names);
  }
  target->mode = row->name;
  for (const Setting& setting : row->settings) ApplySetting(setting, target);
  return absl::OkStatus();
}

absl::StatusOr<Target> ApplyMode(const Target& target, absl::string_view mode) {
  Target applied = target;
  HWEST_RETURN_IF_ERROR(SetMode(mode, &applied));
  return applied;
}

absl::StatusOr<UnitId> FindUnit(const Target& target, absl::string_view name) {
  const UnitId id = UnitIdOf(target, name);
  if (id.valid()) return id;
  std::vector<std::string> names;
  for (const Unit& unit : target.units) names.push_back(unit.name);
  return NoSuchRow(target, "unit", name, names);
}

}  // namespace hwest

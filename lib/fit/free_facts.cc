#include "fit/free_facts.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "base/portable_math.h"
#include "cost/precision.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr double kWhereStated = 0;  // prior of what is free only on units whose file states it

// Spreads of ln: 0.3 is about a third either way, 0.7 a factor of two, 1 a factor of nearly three.
constexpr FreeRow kShared[] = {
    // Kernel libraries differ less in how they feed the multipliers than in anything else.
    {"compute_efficiency", 0.7, 0.4, 0.03, 1},
    // Products of two activations have no layout prepared ahead, or run where the multipliers are not.
    {"activation_efficiency", 1, 0.7, 5e-4, 1},
    {"depthwise_efficiency", 0.5, 0.7, 0.02, 1},
    {"pointwise_efficiency", 0.5, 0.7, 0.02, 1},
    // Tables, polynomials or scalar code: the rates in the files are estimates themselves.
    {"transcendental_efficiency", 0.5, 1, 0.01, 1},
    // Layout changes run at anything between a vector copy and a gather.
    {"move_efficiency", 0.25, 1.5, 5e-4, 1},
    // Runs of neighbours go through at up to the rate of a vector copy.
    {"copy_efficiency", kWhereStated, 1, 0.005, 1},
    // Wide windows run anywhere between vector passes and scalar code.
    {"window_efficiency", kWhereStated, 1.5, 1e-5, 1},
    // Reductions across lanes, images that fill a few lanes, constants that are no scale of the whole: as the file
    // says.
    {"search_efficiency", kWhereStated, 1.5, 1e-5, 1},
    {"pool_efficiency", kWhereStated, 1, 1e-5, 1},
    {"statistic_efficiency", kWhereStated, 1, 1e-5, 1},
    {"image_efficiency", kWhereStated, 1.5, 1e-5, 1},
    {"channel_efficiency", kWhereStated, 1.5, 1e-5, 1},
    {"dram_efficiency", 0.7, 0.3, 0.1, 1},
    // What starting a group costs is in no data sheet.
    {"launch_scale", 1, 0.7, 0.02, 10},
};

// CPUs: a product of two activations is packed like any other; what further cores add is in no data sheet.
constexpr FreeRow kCores[] = {
    {"compute_efficiency", 0.7, 0.4, 0.03, 1},
    {"depthwise_efficiency", 0.5, 0.7, 0.02, 1},
    {"pointwise_efficiency", 0.4, 0.7, 0.02, 1},
    {"transcendental_efficiency", 0.5, 1, 0.01, 4},
    {"move_efficiency", 0.1, 1, 0.005, 1},
    // Runs of neighbours are copied as fast as the nearest caches let them.
    {"copy_efficiency", 0.3, 1, 0.01, 1},
    {"dram_efficiency", 0.6, 0.4, 0.05, 1},
    {"launch_scale", 1, 0.7, 0.02, 10},
    {"parallel_efficiency", 0.95, 0.05, 0.5, 1},
    // Scalar loops or vectors, of whatever a runtime converts with.
    {"convert_efficiency", kWhereStated, 1, 0.001, 1},
};

// Spatial dataflow: memory and launches do not show, the layout on the chip does.
constexpr FreeRow kPipelined[] = {
    {"compute_efficiency", 0.6, 0.4, 0.03, 1},
    {"activation_efficiency", 0.05, 0.7, 0.005, 1},
    {"depthwise_efficiency", 0.1, 0.7, 0.01, 1},
    {"pointwise_efficiency", 0.5, 0.7, 0.01, 1},
    {"fill_share", 0.75, 0.4, 0.2, 1},
    {"frame_s", 1.5e-4, 0.7, 1e-6, 1e-3},
    {"parting_layers", kWhereStated, 0.4, 0.5, 16},
    {"statistic_efficiency", kWhereStated, 0.7, 1e-5, 1},
    {"stream_bytes", kWhereStated, 0.2, 1, 100},
};

// Two numbers of each device; one without a field is a parameter.
struct DeviceRow {
  absl::string_view name;
  Fact Unit::* fact;
  Fact Setting::* setting;
  double fallback;  // prior where the file states none
  double spread;
  double factor;  // bounds: this much below and above the prior
};
// What threads take to wake hangs on the cores, the kernel and its governor; few networks do not tell it from the rest.
constexpr absl::string_view kLaunch = "launch_s";
// Clocks under load differ from the sheet by governors and voltages; invocations by drivers, several times over.
constexpr DeviceRow kDevice[] = {
    {"clock_scale", nullptr, nullptr, 1, 0.25, 2.5},
    {"invoke_s", &Unit::invoke_s, &Setting::invoke_s, 0, 0.5, 8},
    {kLaunch, &Unit::launch_s, &Setting::launch_s, 0, 0.5, 8},
};
// Kernels of one format meet other instructions, caches and core mixes on each device of a family.
constexpr absl::string_view kFormatScale = "format_scale";
constexpr double kFormatSpread = 0.15;
constexpr double kMostFormatScale = 2;
constexpr double kTighter = 0.5;  // of a spread whose prior was fitted before

const Param* FindParam(const Unit& unit, absl::string_view name) {
  const auto at = std::find_if(unit.params.begin(), unit.params.end(), [&](const Param& p) { return p.name == name; });
  return at == unit.params.end() ? nullptr : &*at;
}

// Stated value of "name.precision", else of "name".
std::optional<double> StatedParam(const Unit& unit, absl::string_view name, const std::string& precision) {
  for (const std::string& full : {absl::StrCat(name, ".", precision), std::string(name)}) {
    const Param* param = FindParam(unit, full);
    if (param != nullptr && param->fact.stated.has_value()) return param->fact.stated;
  }
  return std::nullopt;
}

// Spread that a stated figure's own range tells: 95 % of what is credible lies within. None where it has none but that
// of the parameter, which bounds fits.
std::optional<double> StatedSpread(const Unit& unit, absl::string_view name, const std::string& precision) {
  for (const std::string& full : {absl::StrCat(name, ".", precision), std::string(name)}) {
    const Param* param = FindParam(unit, full);
    if (param == nullptr || !param->fact.stated.has_value()) continue;
    const bool is_own = param->fact.min != param->min || param->fact.max != param->max;
    if (!is_own || param->fact.min.value_or(0) <= 0 || !param->fact.max.has_value()) return std::nullopt;
    return portable::Log(*param->fact.max / *param->fact.min) / 4;
  }
  return std::nullopt;
}

std::optional<double> FittedParam(const Unit& unit, absl::string_view name, const std::string& precision) {
  const Param* param = FindParam(unit, absl::StrCat(name, ".", precision));
  if (param == nullptr || !param->fact.fit.has_value()) return std::nullopt;
  return param->fact.fit->value;
}

bool RunsAt(const Unit& unit, const std::string& precision) {
  const std::vector<std::string> known = PrecisionsOf(unit);
  return unit.placeable && std::find(known.begin(), known.end(), precision) != known.end();
}

struct LnMean {
  double sum = 0;
  int count = 0;
  void Add(std::optional<double> value) {
    if (!value.has_value() || *value <= 0) return;
    sum += portable::Log(*value);
    ++count;
  }
  std::optional<double> value() const { return count == 0 ? std::nullopt : std::optional(portable::Exp(sum / count)); }
};

FreeFact SharedFact(const FreeRow& row, const std::vector<const Unit*>& units, const std::string& precision,
                    PriorFrom from) {
  LnMean stated, fitted;
  double spread = row.spread;
  for (const Unit* unit : units) {
    spread = std::min(spread, StatedSpread(*unit, row.name, precision).value_or(row.spread));
    stated.Add(StatedParam(*unit, row.name, precision));
    fitted.Add(FittedParam(*unit, row.name, precision));
  }
  double prior = stated.value().value_or(row.fallback);
  if (from == PriorFrom::kInForce && fitted.value().has_value()) {
    prior = *fitted.value();
    spread *= kTighter;
  }
  prior = std::clamp(prior, row.min, row.max);
  return {.kind = units.front()->kind,
          .name = absl::StrCat(row.name, ".", precision),
          .precision = precision,
          .prior = prior,
          .spread = spread,
          .min = row.min,
          .max = row.max,
          .start = std::clamp(fitted.value().value_or(prior), row.min, row.max)};
}

bool IsSetByMode(const Target& target, const Unit& unit, Fact Setting::* field) {
  if (field == nullptr) return false;
  for (const Mode& mode : target.modes) {
    for (const Setting& setting : mode.settings) {
      if (setting.of == unit.name && (setting.*field).known()) return true;
    }
  }
  return false;
}

// What the unit holds of the row; null when it is a parameter that the unit does not have.
const Fact* HeldFact(const Unit& unit, const DeviceRow& row) {
  if (row.fact != nullptr) return &(unit.*row.fact);
  const Param* param = FindParam(unit, row.name);
  return param != nullptr ? &param->fact : nullptr;
}

Fact& MakeParam(const FreeFact& free, Unit* unit) {
  for (Param& param : unit->params) {
    if (param.name == free.name) return param.fact;
  }
  return unit->params.emplace_back(Param{.name = free.name, .fact = {}, .min = free.min, .max = free.max}).fact;
}

}  // namespace

absl::Span<const FreeRow> FreeRows(UnitKind kind) {
  const KindTraits& traits = KindTraitsOf(kind);
  if (traits.is_cpu) return kCores;
  return traits.streams ? absl::MakeConstSpan(kPipelined) : absl::MakeConstSpan(kShared);
}

std::vector<FreeFact> SharedFacts(const Targets& family, UnitKind kind, const std::string& precision, PriorFrom from) {
  std::vector<const Unit*> units;
  for (const auto& target : family) {
    for (const Unit& unit : target->units) {
      if (unit.kind == kind && RunsAt(unit, precision)) units.push_back(&unit);
    }
  }
  std::vector<FreeFact> facts;
  if (units.empty()) return facts;
  for (const FreeRow& row : FreeRows(kind)) {
    const auto states = [&](const Unit* unit) { return StatedParam(*unit, row.name, precision).has_value(); };
    if (row.fallback == kWhereStated && std::none_of(units.begin(), units.end(), states)) continue;
    facts.push_back(SharedFact(row, units, precision, from));
    facts.back().family = family.front()->family;
  }
  return facts;
}

std::vector<FreeFact> DeviceFacts(const Target& target, const Unit& unit, bool with_launch, PriorFrom from) {
  std::vector<FreeFact> facts;
  for (const DeviceRow& row : kDevice) {
    if (row.name == kLaunch && !with_launch) continue;
    const Fact* held = HeldFact(unit, row);
    const Fact fact = held != nullptr ? *held : Fact();
    const bool as_fitted = from == PriorFrom::kInForce && fact.fit.has_value();
    const double prior = as_fitted ? fact.fit->value : fact.stated.value_or(row.fallback);
    const Param* param = row.fact == nullptr ? FindParam(unit, row.name) : nullptr;  // whose file states the bounds
    if (prior <= 0 || IsSetByMode(target, unit, row.setting)) continue;
    facts.push_back({.family = target.family,
                     .kind = unit.kind,
                     .target = target.name,
                     .unit = unit.name,
                     .name = std::string(row.name),
                     .prior = prior,
                     .spread = row.spread * (as_fitted ? kTighter : 1),
                     .min = param != nullptr ? param->min : prior / row.factor,
                     .max = param != nullptr ? param->max : prior * row.factor});
    facts.back().start = std::clamp(fact.value_or(prior), facts.back().min, facts.back().max);
  }
  return facts;
}

FreeFact FormatFact(const Target& target, const Unit& unit, const std::string& precision, PriorFrom from) {
  const std::optional<double> fitted = FittedParam(unit, kFormatScale, precision);
  const bool as_fitted = from == PriorFrom::kInForce && fitted.has_value();
  return {.family = target.family,
          .kind = unit.kind,
          .target = target.name,
          .unit = unit.name,
          .name = absl::StrCat(kFormatScale, ".", precision),
          .precision = precision,
          .prior = as_fitted ? *fitted : 1,
          .spread = kFormatSpread * (as_fitted ? kTighter : 1),
          .min = 1 / kMostFormatScale,
          .max = kMostFormatScale,
          .start = fitted.value_or(1)};
}

bool IsParam(const FreeFact& free) {
  return std::none_of(std::begin(kDevice), std::end(kDevice),
                      [&](const DeviceRow& row) { return row.fact != nullptr && row.name == free.name; });
}

Fact* FactOf(const FreeFact& free, const Target& target, Unit* unit) {
  if (free.family != target.family || free.kind != unit->kind) return nullptr;
  const bool is_own = !free.target.empty();
  if (is_own ? free.target != target.name || free.unit != unit->name : !RunsAt(*unit, free.precision)) return nullptr;
  for (const DeviceRow& row : kDevice) {
    if (row.fact != nullptr && row.name == free.name) return &(unit->*row.fact);
  }
  return &MakeParam(free, unit);
}

}  // namespace hwest

// Every figure of a target as one flat list, and the one-line summary of a target.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hwest/target.h"
#include "target/kinds.h"
#include "target/names.h"
#include "target/plausible.h"

namespace hwest {
namespace {

// Unit of measure by the suffix of the field, longest first.
struct Suffix {
  absl::string_view suffix;
  absl::string_view unit;
};
// clang-format off
constexpr Suffix kSuffixes[] = {
    {"energy_j_per_byte", "J/B"}, {"bytes_per_s", "B/s"}, {"per_cycle", "1/cycle"}, {"_bytes", "B"},
    {"_hz", "Hz"},                {"pixels_per_s", "pixel/s"}, {"_s", "s"},         {"_j", "J"},
    {"_w", "W"},
};
// clang-format on

class FactList {
 public:
  explicit FactList(const Target& target) : target_(target) {}

  // `parent` is the path in front of the field.
  void Add(const std::string& parent, FactPlace place, const Fact& fact) {
    if (!fact.known()) return;
    std::string path = absl::StrCat(parent, place.field);
    const absl::string_view measure = MeasureOf(path);
    const bool is_fit_alone = fact.source.empty() && fact.fit.has_value();
    rows_.push_back({.path = std::move(path),
                     .place = std::move(place),
                     .value = *fact.value(),
                     .unit = std::string(measure),
                     .source = is_fit_alone ? fact.fit->data : TitleOf(fact.source),
                     .trust = is_fit_alone ? Trust::kDerived : fact.trust,
                     .note = is_fit_alone ? "fitted, no source states it" : fact.note,
                     .stated = fact.stated,
                     .fit = fact.fit,
                     .min = fact.min,
                     .max = fact.max});
  }
  std::vector<TargetFact> Take() && { return std::move(rows_); }

 private:
  std::string TitleOf(const std::string& key) const {
    for (const FactSource& source : target_.sources) {
      if (source.key == key) return source.title;
    }
    return key;
  }

  const Target& target_;
  std::vector<TargetFact> rows_;
};

void AddMemory(const Memory& memory, FactList* list) {
  const std::string at = absl::StrCat("memory/", memory.name, "/");
  const auto add = [&](const char* field, const Fact& fact) {
    list->Add(at, {.part = FactPlace::Part::kMemory, .name = memory.name, .field = field}, fact);
  };
  add("capacity_bytes", memory.capacity_bytes);
  add("usable_bytes", memory.usable_bytes);
  add("bytes_per_s", memory.bytes_per_s);
  add("latency_s", memory.latency_s);
  add("energy_j_per_byte", memory.energy_j_per_byte);
  add("static_w", memory.static_w);
}

void AddRate(const Unit& unit, const Rate& rate, FactList* list) {
  const std::string weight = rate.weight == rate.act ? "" : absl::StrCat(NumName(rate.weight), "/");
  const std::string at =
      absl::StrCat("unit/", unit.name, "/rate/", WorkKindName(rate.work), "/", NumName(rate.act), "/", weight);
  const auto add = [&](const char* field, const Fact& fact) {
    list->Add(at, {.part = FactPlace::Part::kRate, .name = unit.name, .field = field, .act = rate.act}, fact);
  };
  add("per_cycle", rate.per_cycle);
  add("sparse_per_cycle", rate.sparse_per_cycle);
  add("energy_j", rate.energy_j);
}

void AddUnit(const Unit& unit, FactList* list) {
  const std::string at = absl::StrCat("unit/", unit.name, "/");
  const auto add = [&](const char* field, const Fact& fact) {
    list->Add(at, {.part = FactPlace::Part::kUnit, .name = unit.name, .field = field}, fact);
  };
  add("clock_hz", unit.clock_hz);
  for (const Rate& rate : unit.rates) AddRate(unit, rate, list);
  add("vector_bytes", unit.vector_bytes);
  add("launch_s", unit.launch_s);
  add("invoke_s", unit.invoke_s);
  add("switch_s", unit.switch_s);
  add("static_w", unit.static_w);
  for (const Param& param : unit.params) {
    list->Add(absl::StrCat(at, "param/"),
              {.part = FactPlace::Part::kParam, .name = unit.name, .field = std::string(param.name)}, param.fact);
  }
}

void AddLink(const Link& link, FactList* list) {
  const std::string name = absl::StrCat(link.from, ":", link.to);
  const std::string at = absl::StrCat("link/", name, "/");
  const auto add = [&](const char* field, const Fact& fact) {
    list->Add(at, {.part = FactPlace::Part::kLink, .name = name, .field = field}, fact);
  };
  add("bytes_per_s", link.bytes_per_s);
  add("latency_s", link.latency_s);
  add("energy_j_per_byte", link.energy_j_per_byte);
}

void AddRuntime(const LanguageRuntime& runtime, FactList* list) {
  for (const Param& row : runtime.constants) {
    list->Add(absl::StrCat("runtime/", runtime.toolchain, "/constant/"),
              {.part = FactPlace::Part::kRuntime, .name = runtime.toolchain, .field = row.name}, row.fact);
  }
}

void AddMode(const Mode& mode, FactList* list) {
  const std::string at = absl::StrCat("mode/", mode.name, "/");
  const auto add = [&](const std::string& parent, const char* field, const Fact& fact) {
    list->Add(parent, {.part = FactPlace::Part::kMode, .name = mode.name, .field = field}, fact);
  };
  add(at, "cap_w", mode.cap_w);
  for (const Setting& setting : mode.settings) {
    const std::string of = absl::StrCat(at, "set/", setting.of, "/");
    add(of, "clock_hz", setting.clock_hz);
    add(of, "bytes_per_s", setting.bytes_per_s);
    add(of, "launch_s", setting.launch_s);
    add(of, "invoke_s", setting.invoke_s);
  }
}

std::vector<std::string> ToolchainNames(const Target& target) {
  std::vector<std::string> names;
  for (const Unit& unit : target.units) {
    if (unit.toolchain.empty()) continue;
    if (std::find(names.begin(), names.end(), unit.toolchain) == names.end()) names.push_back(unit.toolchain);
  }
  return names;
}

// Whether each precision that the unit multiplies in has its own parameter instead of the plain one.
bool IsCoveredByPrecision(const Unit& unit, absl::string_view param) {
  return std::all_of(unit.rates.begin(), unit.rates.end(), [&](const Rate& rate) {
    if (rate.work != WorkKind::kContraction) return true;
    return ParamOf(unit, absl::StrCat(param, ".", NumPairName(rate.act, rate.weight))).has_value();
  });
}

// Whether an estimate uses the figure.
bool IsRead(const TargetFact& fact, const Target& target) {
  using Part = FactPlace::Part;
  if (fact.place.part == Part::kMemory && IsListedOnly("Memory", fact.place.field)) return false;
  if (fact.place.part == Part::kMemory && fact.place.field == "static_w") return !target.idle_w.known();
  if (fact.place.part == Part::kDecoder) return false;  // `fit` reads it, no estimate
  if (fact.place.part != Part::kUnit && fact.place.part != Part::kRate && fact.place.part != Part::kParam) return true;
  const Unit* unit = UnitOf(target, fact.place.name);
  if (unit == nullptr || !unit->placeable) return false;
  return fact.place.part != Part::kParam || absl::StrContains(fact.place.field, '.') ||
         !IsCoveredByPrecision(*unit, fact.place.field);
}

bool IsOfUnit(const FactPlace& place) {
  using Part = FactPlace::Part;
  return place.part == Part::kUnit || place.part == Part::kRate || place.part == Part::kParam;
}

}  // namespace

absl::string_view MeasureOf(absl::string_view path) {
  for (const Suffix& row : kSuffixes) {
    if (absl::EndsWith(path, row.suffix)) return row.unit;
  }
  return "";
}

std::vector<TargetFact> FactsOf(const Target& target) {
  FactList list(target);
  for (const Memory& memory : target.memories) AddMemory(memory, &list);
  for (const Unit& unit : target.units) AddUnit(unit, &list);
  for (const Link& link : target.links) AddLink(link, &list);
  for (const Mode& mode : target.modes) AddMode(mode, &list);
  for (const LanguageRuntime& runtime : target.runtimes) AddRuntime(runtime, &list);
  for (const VideoDecoder& decoder : target.decoders) {
    list.Add(absl::StrCat("decoder/", decoder.codec, "/"),
             {.part = FactPlace::Part::kDecoder, .name = decoder.codec, .field = "pixels_per_s"}, decoder.pixels_per_s);
  }
  list.Add("", {.field = "idle_w"}, target.idle_w);
  list.Add("", {.field = "slot_bytes_per_s"}, target.slot_bytes_per_s);
  std::vector<TargetFact> facts = std::move(list).Take();
  for (TargetFact& fact : facts) fact.is_read = IsRead(fact, target);
  return facts;
}

TargetSummary SummaryOf(const Target& target) {
  TargetSummary row{.name = target.name,
                    .aliases = target.aliases,
                    .base = target.base,
                    .family = target.family,
                    .summary = target.summary,
                    .toolchains = ToolchainNames(target)};
  bool of_cpu = true;
  const Unit* main = nullptr;
  for (const Unit& unit : target.units) {
    row.units.push_back(unit.name);
    if (!unit.placeable || !of_cpu) continue;
    if (IsCpu(unit) && row.precision != Num::kUnset) continue;
    row.precision = unit.precision;
    of_cpu = IsCpu(unit);
    main = &unit;
  }
  for (const Mode& mode : target.modes) row.modes.push_back(mode.name);
  if (target.default_mode.has_value()) row.default_mode = target.modes[*target.default_mode].name;
  for (const TargetFact& fact : FactsOf(target)) {
    if (!fact.is_read) continue;
    ++row.facts;
    const bool of_main = main != nullptr && fact.place.name == main->name && IsOfUnit(fact.place);
    if (of_main && fact.fit.has_value()) ++(fact.fit->shared_by.empty() ? row.own_fits : row.shared_fits);
    row.fitted += fact.fit.has_value() ? 1 : 0;
    row.estimated += !fact.fit.has_value() && fact.trust == Trust::kEstimated ? 1 : 0;
  }
  return row;
}

}  // namespace hwest

#include "fit/match.h"

#include <algorithm>
#include <iterator>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "cost/precision.h"
#include "fit/prediction.h"
#include "target/kinds.h"

namespace hwest {
namespace {

// A CPU computes what was stored narrower in fp32 when it has no narrower type; no runtime for CPUs multiplies 16-bit
// integers. GPU runtimes let the convolutions of an fp32 network run in TF32, and delegates run float networks in fp16.
// Where a few layers are wider or narrower than the others, the others decide.
constexpr PrecisionRow kPrecisions[] = {
    {"float", "fp32", "fp16 fp32", "fp16 bf16 fp32"},
    {"fp32", "fp32", "tf32 fp32", "fp32"},
    {"fp16/fp32 storage (ncnn default)", "fp16 fp32", "fp16 fp32", "fp16"},
    {"w8a8", "int8", "int8", "int8"},
    {"w8a8_mixed_int16", "int8", "int8", "int8"},
    {"int8/fp16 mix", "int8", "int8", "int8"},
    {"int8(mixed a8/w8,w4)", "int8", "int8", "int8"},
    {"int8 tflite", "int8", "int8", "int8"},
    {"w8a16", "w8a16 fp32", "w8a16", "w8a16"},
    {"w8a16_mixed_int16", "w8a16 fp32", "w8a16", "w8a16"},
    {"w4a16_g128", "w4a16", "w4a16", "w4a16"},
    {"w4", "w4a16", "w4a16", "w4a16"},
    {"tflite (unstated)", "auto", "auto", "auto"},
};

absl::Status Skip(absl::string_view why) { return absl::NotFoundError(why); }

// How far a row of measured_as agrees, in the order the columns are compared.
enum class Agreement : uint8_t { kNone, kDevice, kUnit, kRuntime, kAll };

bool SameOrAny(const std::string& pattern, const std::string& text) { return pattern.empty() || pattern == text; }

Agreement Compare(const MeasuredAs& as, const Measurement& row) {
  if (as.device != row.device) return Agreement::kNone;
  if (!SameOrAny(as.unit, row.unit)) return Agreement::kDevice;
  if (!absl::StartsWith(row.runtime, as.runtime)) return Agreement::kUnit;
  return as.mode == row.mode ? Agreement::kAll : Agreement::kRuntime;
}

constexpr absl::string_view kSkipped[] = {"no target for the device", "unit of the device not modelled",
                                          "runtime not modelled", "power mode not modelled"};
static_assert(std::size(kSkipped) + 1 == kNumEnumerators<Agreement>);

struct Found {
  Agreement agreement = Agreement::kNone;
  const MeasuredAs* as = nullptr;  // of the best row when `agreement` is kAll
  std::shared_ptr<const Target> target;
};

bool IsMoreSpecific(const MeasuredAs& as, const MeasuredAs& than) {
  if (as.runtime.size() != than.runtime.size()) return as.runtime.size() > than.runtime.size();
  return !as.unit.empty() && than.unit.empty();
}

Found FindRow(const Measurement& row, const Targets& targets) {
  Found found;
  for (const auto& target : targets) {
    for (const MeasuredAs& as : target->measured_as) {
      const Agreement agreement = Compare(as, row);
      found.agreement = std::max(found.agreement, agreement);
      if (agreement != Agreement::kAll || (found.as != nullptr && !IsMoreSpecific(as, *found.as))) continue;
      found.as = &as;
      found.target = target;
    }
  }
  return found;
}

bool IsCpu(const Target& target, const std::string& unit) {
  const Unit* found = UnitOf(target, unit);
  return found != nullptr && IsCpu(*found);
}

// Rates of engines that work side by side add up; a latency is that of all of them together.
std::vector<std::vector<std::string>> EnginesOf(const Target& target, const std::vector<std::string>& units,
                                                const Measurement& row) {
  std::vector<std::string> accelerators;
  for (const std::string& unit : units) {
    if (!IsCpu(target, unit)) accelerators.push_back(unit);
  }
  const MetricInfo* metric = FindMetric(row.metric);
  const bool adds = metric != nullptr && metric->quantity == Quantity::kThroughput;
  if (!adds || accelerators.size() < 2) return {units};
  std::vector<std::vector<std::string>> engines;
  for (std::string& unit : accelerators) engines.push_back({std::move(unit)});
  return engines;
}

// Runtimes that compute in half precision on cores that can, by default and whatever the file holds.
constexpr absl::string_view kHalfRuntimes[] = {"ncnn", "OpenVINO ARM"};
constexpr absl::string_view kHalfOfFloat = "fp16/fp32 storage (ncnn default)";

// Whether the lanes multiply halves, and do not widen them. ncnn's layers store halves on such cores alone (its flag
// asimdhp), and are in FP32 throughout on others: Cortex-A53, A72, A73.
bool MultipliesHalves(const Unit& unit) {
  const auto rate = [&unit](Num num) {
    const Rate* found = RateFor(unit, WorkKind::kContraction, {num, num});
    return found != nullptr ? found->per_cycle.value_or(0) : 0;
  };
  return rate(Num::kFp16) > rate(Num::kFp32);
}

absl::string_view PublishedPrecision(const Measurement& row, const Unit& unit) {
  const bool is_half = std::any_of(std::begin(kHalfRuntimes), std::end(kHalfRuntimes),
                                   [&](absl::string_view name) { return absl::StartsWith(row.runtime, name); });
  const bool may_be_half = row.precision == "fp32" || row.precision == kHalfOfFloat;
  if (!is_half || !may_be_half || !IsCpu(unit)) return row.precision;
  return MultipliesHalves(unit) ? kHalfOfFloat : "fp32";
}

// ncnn's benchmark chooses cores by that word: all, the small ones, the large ones. Targets with two clusters stand for
// the large one.
bool IsOnSmallCores(const Measurement& row) {
  return absl::StartsWith(row.runtime, "ncnn") && absl::StrContains(row.note, "powersave=1");
}

// QNN's library for CPUs, which takes three times as long as ONNX Runtime for one network on one chip (EyeGaze on
// SA8775P).
bool IsOfQnnOnCpu(const Measurement& row) { return row.unit == "CPU" && absl::StartsWith(row.runtime, "qnn"); }

// Runtimes of language models take a decoder whole, so a plan of its graph is not theirs. Tables of their rows, which
// name formats, a prompt and a context, are told apart by their columns.
bool IsOfLanguageRuntime(const Measurement& row) {
  static const auto& prefixes = *[] {
    auto* found = new std::vector<std::string>;
    for (const std::string& name : ListToolchains()) {
      const absl::StatusOr<Toolchain> toolchain = LoadToolchain(name);
      if (!toolchain.ok() || !toolchain->language.has_value()) continue;
      absl::c_copy(toolchain->language->measured_as, std::back_inserter(*found));
    }
    return found;
  }();
  return absl::c_any_of(prefixes,
                        [&](const std::string& prefix) { return absl::StartsWithIgnoreCase(row.runtime, prefix); });
}

// No runtime for CPUs computes in 16-bit integers: the layers that such a file widens run in floating point, and the
// row does not name them.
bool IsPartlyFloatOnCpu(const Measurement& row, const Unit& unit) {
  return IsCpu(unit) && row.precision == "w8a8_mixed_int16";
}

// Toolchains whose rows fit the figures of another one.
const std::vector<Toolchain>& ToolchainsBeside() {
  static const auto& beside = *[] {
    auto* found = new std::vector<Toolchain>;
    for (const std::string& name : ListToolchains()) {
      absl::StatusOr<Toolchain> toolchain = LoadToolchain(name);
      if (toolchain.ok() && !toolchain->shares_fits_with.empty()) found->push_back(*std::move(toolchain));
    }
    return found;
  }();
  return beside;
}

// That of the row's runtime, where it stands beside the unit's own; empty = the unit's own.
std::string ToolchainBeside(const Target& target, const std::vector<std::vector<std::string>>& engines,
                            const Measurement& row) {
  if (engines.size() != 1) return "";
  const Unit* unit = UnitOf(target, engines[0][0]);
  for (const Toolchain& toolchain : ToolchainsBeside()) {
    if (unit == nullptr || !absl::c_linear_search(toolchain.shares_fits_with, unit->toolchain)) continue;
    for (const std::string& prefix : toolchain.measured_as) {
      if (absl::StartsWith(row.runtime, prefix)) return toolchain.name;
    }
  }
  return "";
}

// Whether rows of the query's toolchain fit the figures of the units that it compiled for.
bool FitsBeside(const Target& target, const Query& query) {
  const absl::StatusOr<Toolchain> toolchain = LoadToolchain(query.toolchain);
  if (!toolchain.ok() || query.engines.size() != 1) return false;
  return absl::c_all_of(query.engines[0], [&](const std::string& name) {
    const Unit* unit = UnitOf(target, name);
    return unit != nullptr && absl::c_linear_search(toolchain->shares_fits_with, unit->toolchain);
  });
}

absl::StatusOr<Query> QueryOf(const Measurement& row, const std::shared_ptr<const Target>& target,
                              const std::vector<std::string>& units, const std::string& mode) {
  if (FindMetric(row.metric) == nullptr) return Skip(absl::StrCat("metric ", row.metric, " is not predicted"));
  if (IsOnSmallCores(row)) return Skip("measured on the small cores, which targets do not stand for");
  if (IsOfQnnOnCpu(row)) return Skip("QNN's library for CPUs is another than targets stand for");
  if (IsOfLanguageRuntime(row)) {
    return Skip(absl::StrCat(RuntimeWithoutVersion(row.runtime),
                             " runs language models whole: docs/llm.md has the table that its rows go into"));
  }
  Query query{.target = target, .mode = mode, .precision = "", .engines = EnginesOf(*target, units, row)};
  for (const auto& engine : query.engines) {
    const Unit* unit = UnitOf(*target, engine.front());
    if (unit == nullptr) return Skip(absl::StrCat(target->name, " has no unit ", engine.front()));
    HWEST_ASSIGN_OR_RETURN(std::string precision, PrecisionFor(PublishedPrecision(row, *unit), *target, *unit));
    if (query.precision.empty()) query.precision = std::move(precision);
    if (IsPartlyFloatOnCpu(row, *unit)) query.shares_fits = false;
  }
  query.toolchain = ToolchainBeside(*target, query.engines, row);
  return query;
}

absl::string_view TriesOf(const PrecisionRow& row, DeviceClass device) {
  switch (device) {
    case DeviceClass::kCpu: return row.cpu;
    case DeviceClass::kGpu: return row.gpu;
    case DeviceClass::kNpu: return row.npu;
  }
  return row.npu;
}

bool Means(absl::string_view text, DeviceClass device) {
  switch (device) {
    case DeviceClass::kCpu: return text == "CPU";
    case DeviceClass::kGpu: return absl::StrContains(text, "GPU");
    case DeviceClass::kNpu: return text == "NPU" || absl::StrContains(text, "DLA") || absl::StrContains(text, "+");
  }
  return false;
}

// Units that the text of a row means, accelerators before the CPU.
std::vector<std::string> UnitsMeant(const Target& target, const std::string& text) {
  std::vector<std::string> units;
  for (const Unit& unit : target.units) {
    if (!unit.placeable) continue;
    if (Means(text, KindTraitsOf(unit).device) || unit.name == text) units.push_back(unit.name);
  }
  return units;
}

// N of "N threads", 0 of any other text.
int64_t ThreadsOf(absl::string_view mode) {
  int64_t threads = 0;
  return absl::ConsumeSuffix(&mode, " threads") && absl::SimpleAtoi(mode, &threads) ? threads : 0;
}

// The target's mode of that name, else the one that a device of its own was measured in under it; empty = its default,
// which stands for any power mode, but not for fewer threads than it has cores.
absl::StatusOr<std::string> ModeMeant(const Target& target, const std::string& unit_name, const Measurement& row) {
  const int64_t threads = ThreadsOf(row.mode);
  const std::string mode = threads == 1 ? "1 thread" : row.mode;
  if (mode.empty() || ModeOf(target, mode) != nullptr) return mode;
  for (const MeasuredAs& as : target.measured_as) {
    if (as.mode == row.mode && SameOrAny(as.unit, row.unit)) return as.in_mode;
  }
  const Unit* unit = UnitOf(target, unit_name);
  if (threads > 0 && unit != nullptr && IsCpu(*unit) && threads < unit->cores) {
    return Skip(absl::StrCat(target.name, " has no mode of ", row.mode));
  }
  return "";
}

}  // namespace

absl::StatusOr<Targets> LoadBuiltInTargets() {
  Targets targets;
  for (const TargetSummary& row : ListTargets()) {
    HWEST_ASSIGN_OR_RETURN(Target target, LoadTarget(row.name));
    targets.push_back(std::make_shared<const Target>(std::move(target)));
  }
  return targets;
}

absl::Span<const PrecisionRow> AllPublishedPrecisions() { return kPrecisions; }

absl::StatusOr<std::string> PrecisionFor(absl::string_view published, const Target& target, const Unit& unit) {
  const auto row = std::find_if(std::begin(kPrecisions), std::end(kPrecisions),
                                [&](const PrecisionRow& candidate) { return candidate.published == published; });
  absl::string_view tries = published;
  if (row != std::end(kPrecisions)) {
    tries = TriesOf(*row, KindTraitsOf(unit).device);
  }
  const std::vector<std::string> known = PrecisionsOf(unit);
  for (const absl::string_view name : absl::StrSplit(tries, ' ')) {
    if (name == "auto" || std::find(known.begin(), known.end(), name) != known.end()) return std::string(name);
  }
  return Skip(absl::StrCat("precision ", published, " not modelled on ", unit.name, " of ", target.name));
}

absl::string_view RuntimeWithoutVersion(absl::string_view runtime) {
  const size_t space = runtime.rfind(' ');
  if (space == absl::string_view::npos || space + 1 == runtime.size()) return runtime;
  const absl::string_view last = runtime.substr(space + 1);
  const bool is_version = absl::ascii_isdigit(static_cast<unsigned char>(last[0])) &&
                          last.find_first_not_of("0123456789.") == absl::string_view::npos;
  return is_version ? runtime.substr(0, space) : runtime;
}

absl::StatusOr<Query> MatchRow(const Measurement& row, const Targets& targets) {
  const Found found = FindRow(row, targets);
  if (found.as == nullptr) return Skip(kSkipped[static_cast<size_t>(found.agreement)]);
  const std::vector<std::string>& named = found.as->on_units;
  const std::vector<std::string> units = named.empty() ? UnitsMeant(*found.target, row.unit) : named;
  if (units.empty()) return Skip(absl::StrCat(found.target->name, " has no ", row.unit));
  HWEST_ASSIGN_OR_RETURN(Query query, QueryOf(row, found.target, units, found.as->in_mode));
  if (found.as->toolchain.empty()) return query;
  query.toolchain = found.as->toolchain;
  query.shares_fits = FitsBeside(*found.target, query);
  return query;
}

absl::StatusOr<Query> MatchRowOn(const Measurement& row, const std::shared_ptr<const Target>& target) {
  if (FindRow(row, {target}).as != nullptr) return MatchRow(row, {target});
  const std::vector<std::string> units = UnitsMeant(*target, row.unit);
  if (units.empty()) return Skip(absl::StrCat(target->name, " has no ", row.unit));
  HWEST_ASSIGN_OR_RETURN(const std::string mode, ModeMeant(*target, units.front(), row));
  return QueryOf(row, target, units, mode);
}

}  // namespace hwest

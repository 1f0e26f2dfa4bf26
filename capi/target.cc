// Targets: loading, listing, checking, and their figures.
#include "hwest/target.h"

#include <memory>
#include <string>
#include <utility>

#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "target/kinds.h"
#include "wording.h"

namespace hwest::capi {
namespace {

static_assert(static_cast<int>(Trust::kUnset) == HWEST_TRUST_UNKNOWN &&
              static_cast<int>(Trust::kEstimated) == HWEST_TRUST_ESTIMATED);

const char* PrecisionText(Num num, Texts* texts) {
  return num == Num::kUnset ? nullptr : texts->Keep(NumName(num));
}

hwest_target_info InfoRowOf(const TargetSummary& summary, Texts* texts) {
  return {
      .struct_size = sizeof(hwest_target_info),
      .reserved = 0,
      .name = texts->Keep(summary.name),
      .aliases = texts->KeepList(summary.aliases),
      .base = texts->KeepNonEmpty(summary.base),
      .family = texts->KeepNonEmpty(summary.family),
      .summary = texts->Keep(summary.summary),
      .units = texts->KeepList(summary.units),
      .modes = texts->KeepList(summary.modes),
      .default_mode = texts->KeepNonEmpty(summary.default_mode),
      .precision = PrecisionText(summary.precision, texts),
      .toolchains = texts->KeepList(summary.toolchains),
      .facts = static_cast<int64_t>(summary.facts),
      .estimated = static_cast<int64_t>(summary.estimated),
      .fitted = static_cast<int64_t>(summary.fitted),
  };
}

std::optional<double> PeakMacsPerS(const Unit& unit) {
  const Rate* rate = RateOf(unit, WorkKind::kContraction, unit.precision, unit.precision);
  return rate == nullptr ? std::nullopt : PeakPerS(unit, *rate);
}

uint32_t FlagsOf(const Target& target, const Unit& unit) {
  const Toolchain* toolchain = ToolchainOf(target, unit);
  return BitIf(IsCpu(unit), HWEST_UNIT_IS_CPU) | BitIf(unit.placeable, HWEST_UNIT_IS_PLACEABLE) |
         BitIf(toolchain != nullptr && toolchain->prefix_only, HWEST_UNIT_IS_PREFIX_ONLY);
}

void FillUnits(const Target& stated, Table<hwest_target_unit>* table) {
  const absl::StatusOr<Target> in_mode = ApplyMode(stated, "");
  const Target& target = in_mode.ok() ? *in_mode : stated;
  Texts& texts = table->texts;
  for (const Unit& unit : target.units) {
    const Memory* memory = SharedMemoryOf(target, unit);
    table->rows.push_back({
        .struct_size = sizeof(hwest_target_unit),
        .kind = static_cast<int32_t>(unit.kind),
        .name = texts.Keep(unit.name),
        .toolchain = texts.KeepNonEmpty(unit.toolchain),
        .precision = PrecisionText(unit.precision, &texts),
        .memory = memory == nullptr ? nullptr : texts.Keep(memory->name),
        .flags = FlagsOf(target, unit),
        .instances = unit.instances,
        .cores = unit.cores,
        .reserved = 0,
        .clock_hz = OrUnknown(unit.clock_hz.value()),
        .macs_per_s = OrUnknown(PeakMacsPerS(unit)),
        .bytes_per_s = OrUnknown(memory == nullptr ? std::nullopt : memory->bytes_per_s.value()),
        .launch_s = OrUnknown(unit.launch_s.value()),
        .invoke_s = OrUnknown(unit.invoke_s.value()),
        .static_w = OrUnknown(unit.static_w.value()),
    });
  }
}

void FillModes(const Target& target, Table<hwest_target_mode>* table) {
  for (size_t i = 0; i < target.modes.size(); ++i) {
    const bool is_default = target.default_mode.has_value() && *target.default_mode == i;
    table->rows.push_back({.struct_size = sizeof(hwest_target_mode),
                           .is_default = is_default ? 1 : 0,
                           .name = table->texts.Keep(target.modes[i].name),
                           .cap_w = OrUnknown(target.modes[i].cap_w.value())});
  }
}

void FillFacts(const Target& target, Table<hwest_fact>* table) {
  Texts& texts = table->texts;
  const double unknown = OrUnknown(std::optional<double>());
  const Fit none{.value = unknown, .spread = unknown, .count = -1, .data = "", .shared_by = ""};
  for (const TargetFact& fact : FactsOf(target)) {
    const Fit& fit = fact.fit.has_value() ? *fact.fit : none;
    table->rows.push_back({
        .struct_size = sizeof(hwest_fact),
        .trust = static_cast<int32_t>(fact.trust),
        .path = texts.Keep(fact.path),
        .unit = texts.KeepNonEmpty(fact.unit),
        .source = texts.Keep(fact.source),
        .note = texts.KeepNonEmpty(fact.note),
        .value = fact.value,
        .stated = OrUnknown(fact.stated),
        .fitted = fit.value,
        .fitted_spread = fit.spread,
        .fitted_count = fit.count,
        .fitted_data = texts.KeepNonEmpty(fit.data),
        .fitted_shared_by = texts.KeepNonEmpty(fit.shared_by),
    });
  }
}

void FillProblems(const LintReport& report, Table<hwest_problem>* table) {
  Texts& texts = table->texts;
  for (const LintProblem& problem : report.problems) {
    table->rows.push_back({.struct_size = sizeof(hwest_problem),
                           .line = problem.line,
                           .path = texts.KeepNonEmpty(problem.path),
                           .message = texts.Keep(problem.message),
                           .remedy = texts.Keep(InWordsOfC(problem.remedy)),
                           .severity = static_cast<int32_t>(problem.severity),
                           .reserved = 0});
  }
}

absl::Status Load(absl::StatusOr<Target> loaded, hwest_target** target) {
  if (!loaded.ok()) return loaded.status();
  *target = new hwest_target{std::make_shared<const TargetState>(*std::move(loaded))};
  return absl::OkStatus();
}

absl::string_view TextOf(const void* data, size_t size) { return {static_cast<const char*>(data), size}; }

}  // namespace

TargetState::TargetState(Target loaded)
    : target(std::make_shared<const Target>(std::move(loaded))),
      info([this](auto* table) { table->rows.push_back(InfoRowOf(SummaryOf(*target), &table->texts)); }),
      units([this](auto* table) { FillUnits(*target, table); }),
      modes([this](auto* table) { FillModes(*target, table); }),
      facts([this](auto* table) { FillFacts(*target, table); }) {}

}  // namespace hwest::capi

hwest_target_list::hwest_target_list()
    : targets(hwest::ListTargets()), rows([this](auto* table) {
        for (const hwest::TargetSummary& target : targets) {
          table->rows.push_back(hwest::capi::InfoRowOf(target, &table->texts));
        }
      }) {}

hwest_lint::hwest_lint(hwest::LintReport found)
    : report(std::move(found)), problems([this](auto* table) { hwest::capi::FillProblems(report, table); }) {}

using hwest::capi::CopyOut;
using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_target_load(const char* name, hwest_target** target) {
  return Guard([&]() -> absl::Status {
    if (name == nullptr) return NullArgument("name");
    if (target == nullptr) return NullArgument("target");
    return hwest::capi::Load(hwest::LoadTarget(name), target);
  });
}

hwest_status hwest_target_load_memory(const void* data, size_t size, const char* name, hwest_target** target) {
  return Guard([&]() -> absl::Status {
    if (data == nullptr && size > 0) return NullArgument("data");
    if (target == nullptr) return NullArgument("target");
    return hwest::capi::Load(
        hwest::ParseTarget(hwest::capi::TextOf(data, size), name == nullptr ? "target" : name), target);
  });
}

void hwest_target_free(hwest_target* target) { delete target; }

hwest_status hwest_target_describe(const hwest_target* target, hwest_target_info* info) {
  return Guard([&]() -> absl::Status {
    if (target == nullptr) return NullArgument("target");
    if (info == nullptr) return NullArgument("info");
    return CopyOut("info", target->state->info.get().rows[0], info->struct_size, info);
  });
}

hwest_status hwest_target_list_create(hwest_target_list** list) {
  return Guard([&]() -> absl::Status {
    if (list == nullptr) return NullArgument("list");
    *list = new hwest_target_list();
    return absl::OkStatus();
  });
}

void hwest_target_list_free(hwest_target_list* list) { delete list; }

hwest_status hwest_lint_create(const void* data, size_t size, const char* name, hwest_lint** lint) {
  return Guard([&]() -> absl::Status {
    if (data == nullptr && size > 0) return NullArgument("data");
    if (lint == nullptr) return NullArgument("lint");
    *lint = new hwest_lint(hwest::LintTarget(hwest::capi::TextOf(data, size), name == nullptr ? "target" : name));
    return absl::OkStatus();
  });
}

void hwest_lint_free(hwest_lint* lint) { delete lint; }

HWEST_TABLE(hwest_target_unit, hwest_target, hwest_target_unit, state->units)
HWEST_TABLE(hwest_target_mode, hwest_target, hwest_target_mode, state->modes)
HWEST_TABLE(hwest_target_fact, hwest_target, hwest_fact, state->facts)
HWEST_TABLE(hwest_target_list, hwest_target_list, hwest_target_info, rows)
HWEST_TABLE(hwest_lint_problem, hwest_lint, hwest_problem, problems)

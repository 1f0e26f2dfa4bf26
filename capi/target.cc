// Targets: loading, listing, checking, and their figures.
#include "hwest/target.h"

#include <memory>
#include <string>
#include <utility>

#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "wording.h"

namespace hwest::capi {
namespace {

void FillUnits(const Target& stated, Table<hwest_target_unit>* table) {
  const absl::StatusOr<Target> in_mode = ApplyMode(stated, "");
  const Target& target = in_mode.ok() ? *in_mode : stated;
  FillTable(target.units, table, target);
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
      info([this](auto* table) { FillTable(std::vector<TargetSummary>{SummaryOf(*target)}, table); }),
      units([this](auto* table) { FillUnits(*target, table); }),
      modes([this](auto* table) { FillTable(target->modes, table, *target); }),
      facts([this](auto* table) { FillTable(FactsOf(*target), table); }) {}

}  // namespace hwest::capi

hwest_target_list::hwest_target_list()
    : targets(hwest::ListTargets()), rows([this](auto* table) { hwest::capi::FillTable(targets, table); }) {}

hwest_lint::hwest_lint(hwest::LintReport found)
    : report(std::move(found)), problems([this](auto* table) { hwest::capi::FillTable(report.problems, table); }) {}

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

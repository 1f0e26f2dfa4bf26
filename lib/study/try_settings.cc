// Settings of the request in place of its own.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "cost/precision.h"
#include "hwest/diagnostic.h"
#include "study/candidates.h"
#include "study/ideas.h"

namespace hwest {
namespace {

constexpr int64_t kBatchFactors[] = {2, 4, 8};

// Whether a layer runs on another unit with the flags of `row`. What a plan gains by other groups alone, no list of
// denied layers brings about.
bool MovesLayers(Trials& trials, const WhatIfRow& row) {
  const absl::StatusOr<AnalysisRequest> request = trials.With(row.flags);
  if (!request.ok()) return false;
  const absl::StatusOr<const Analysis*> changed = trials.Planned(*request);
  if (!changed.ok()) return false;
  const Plan& after = *(*changed)->plan;
  return absl::c_any_of(trials.plan().groups, [&](const PlannedGroup& group) {
    return absl::c_any_of(group.group.nodes, [&](NodeId node) {
      const GroupId id = after.group_of[node];
      return id.valid() && after.groups[id.index()].unit != group.unit;
    });
  });
}

}  // namespace

void TryModes(Trials& trials) {
  for (const Mode& mode : trials.base().target->modes) {
    if (mode.name == trials.base().mode) continue;
    trials.TrySetting("mode", {.kind = WhatIfKind::kMode,
                               .change = absl::StrCat("mode ", mode.name, " instead of ", trials.base().mode),
                               .work = "set it",
                               .flags = {"--mode", mode.name}});
  }
}

void TryPrecisions(Trials& trials) {
  const auto set = [&](const std::string& value, const std::string& change) {
    trials.TrySetting("precision", {.kind = WhatIfKind::kPrecision, .change = change, .flags = {"--precision", value}});
  };
  for (const std::string& precision : RequestPrecisions()) {
    if (trials.base().precision != precision)
      set(precision, absl::StrCat(precision, " instead of ", trials.base().precision));
  }
  std::vector<UnitId> busy;
  for (uint32_t u = 0; u < trials.plan().units.size(); ++u) {
    // A CPU computes in what the file hands it.
    const bool is_used =
        trials.plan().units[UnitId(u)].busy_s > 0 && IsAccelerator(trials.base().target->units[UnitId(u)]);
    if (is_used) busy.emplace_back(u);
  }
  if (busy.size() < 2 || trials.base().request.precision != "auto") return;
  for (const UnitId unit : busy) {
    const std::string& name = trials.base().target->units[unit].name;
    for (const std::string& precision : PrecisionsOf(trials.base().target->units[unit])) {
      set(absl::StrCat(name, "=", precision), absl::StrCat(precision, " on ", name, " alone"));
    }
  }
}

void TrySparsity(Trials& trials) {
  if (trials.base().request.sparsity != Sparsity::kNone) return;
  trials.TrySetting("sparsity", {.kind = WhatIfKind::kSparsity,
                                 .scope = ChangeScope::kNetwork,
                                 .risk = AccuracyRisk::kTraining,
                                 .change = "2:4 sparse weights (another network)",
                                 .work = "prune the weights and train them again",
                                 .flags = {"--sparsity", "2:4"}});
}

void TryToolchains(Trials& trials) {
  for (uint32_t u = 0; u < trials.base().target->units.size(); ++u) {
    const Unit& unit = trials.base().target->units[UnitId(u)];
    const bool is_used = trials.plan().units[UnitId(u)].busy_s > 0;
    if (!is_used || !trials.base().request.toolchains.empty()) continue;
    const auto try_it = [&](const std::string& name, const std::string& change, const std::string& work) {
      trials.TrySetting(absl::StrCat("toolchain ", unit.name),
                        {.kind = WhatIfKind::kToolchain,
                         .change = change,
                         .work = work,
                         .flags = {"--toolchain", absl::StrCat(unit.name, "=", name)}});
    };
    for (const std::string& name : OtherVersionsOf(unit)) {
      try_it(name, absl::StrCat(name, " instead of ", unit.toolchain, ", where the device has it"), "compile with it");
    }
    for (const std::string& name : FewerLaunchesOf(unit)) {
      try_it(name, absl::StrCat(name, ": one call launches all kernels"),
             "capture the launches of one run and replay them");
    }
  }
}

void TryPlacements(Trials& trials) {
  std::vector<std::string> all;
  for (const Unit& unit : trials.base().target->units) {
    if (IsAccelerator(unit)) all.push_back(unit.name);
  }
  const auto unit_of = [&](const std::string& name) {
    uint32_t u = 0;
    while (trials.base().target->units[UnitId(u)].name != name) ++u;
    return UnitId(u);
  };
  const auto is_used = [&](const std::string& name) { return trials.plan().units[unit_of(name)].busy_s > 0; };
  // Two DLAs take what one takes.
  const auto is_like_earlier = [&](const std::string& name) {
    const Unit& unit = trials.base().target->units[unit_of(name)];
    return std::any_of(all.begin(), std::find(all.begin(), all.end(), name), [&](const std::string& other) {
      const Unit& earlier = trials.base().target->units[unit_of(other)];
      return earlier.kind == unit.kind && earlier.toolchain == unit.toolchain &&
             earlier.clock_hz.value() == unit.clock_hz.value();
    });
  };
  const auto try_only = [&](const std::vector<std::string>& only, const std::string& change) {
    trials.TrySetting("units", {.kind = WhatIfKind::kPlacement,
                                .change = change,
                                .work = "allow the compiler no others",
                                .flags = {"--only", absl::StrJoin(only, ",")}});
  };
  if (all.size() > 1 && trials.base().request.only.empty()) {
    for (const std::string& name : all) {
      if (!is_like_earlier(name)) try_only({name}, absl::StrCat(name, " alone, beside the CPU"));
      std::vector<std::string> others = all;
      others.erase(std::find(others.begin(), others.end(), name));
      if (others.size() > 1 && is_used(name)) try_only(others, absl::StrCat("without ", name));
    }
  }
  const WhatIfRow best = {.kind = WhatIfKind::kPlacement,
                          .change = "each layer on the unit where the whole takes least",
                          .work = "deny the compiler layers by name",
                          .flags = {"--placement", "best"}};
  if (trials.plan().compiled_for.valid() && trials.base().request.placement == PlacementBy::kToolchain &&
      MovesLayers(trials, best)) {
    trials.TrySetting("placement", best);
  }
}

void TryBatches(Trials& trials) {
  for (const int64_t factor : kBatchFactors) {
    if (trials.base().batch > INT32_MAX) return;
    AnalysisRequest request = trials.request();
    request.bind.batch = trials.base().batch * factor;
    trials.TryModel({.kind = WhatIfKind::kBatch,
                     .scope = ChangeScope::kBatch,
                     .change = absl::StrCat("batch ", *request.bind.batch, " instead of ", trials.base().batch),
                     .work = "collect that many inputs",
                     .flags = {"--batch", absl::StrCat(*request.bind.batch)}},
                    trials.graph(), request);
  }
}

void NoteSlowerIntegers(Trials& trials) {
  const auto latency_at = [&](absl::string_view precision) -> std::optional<double> {
    if (trials.base().precision == precision) return trials.plan().latency_s;
    for (const Trials::Setting& setting : trials.settings()) {
      if (setting.part.of == "precision" && setting.row.flags[1] == precision) return setting.part.latency_s;
    }
    return std::nullopt;
  };
  const std::optional<double> integer_s = latency_at("int8");
  absl::string_view fastest;
  std::optional<double> floating_s;
  for (const absl::string_view precision : {"fp16", "bf16", "fp32"}) {
    const std::optional<double> at_s = latency_at(precision);
    if (!at_s.has_value() || (floating_s.has_value() && *at_s >= *floating_s)) continue;
    floating_s = at_s;
    fastest = precision;
  }
  if (!integer_s.has_value() || !floating_s.has_value()) return;
  if (*integer_s - *floating_s < kLeastSaving * trials.plan().latency_s) return;
  trials.Note({.code = Code::kAssumed,
               .message = absl::StrCat("int8 takes ", FormatSeconds(*integer_s), " here, longer than the ",
                                       FormatSeconds(*floating_s), " of ", fastest),
               .remedy = absl::StrCat("stay at ", fastest, ", or quantise only layers that gain")});
}

}  // namespace hwest

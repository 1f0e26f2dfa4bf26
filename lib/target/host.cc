#include "hwest/host.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

UnitId FirstCpu(const Target& target) {
  for (uint32_t u = 0; u < target.units.size(); ++u) {
    if (IsCpu(target.units[UnitId(u)])) return UnitId(u);
  }
  return UnitId();
}

bool IsUsed(const Target& target, UnitId except, uint32_t memory) {
  for (uint32_t u = 0; u < target.units.size(); ++u) {
    const auto& used = target.units[UnitId(u)].memories;
    if (UnitId(u) != except && std::find(used.begin(), used.end(), memory) != used.end()) return true;
  }
  return false;
}

// Visits every figure of a unit or memory, to change its source.
template <class Change>
void EachFact(Unit* unit, Change change) {
  for (Fact* fact :
       {&unit->clock_hz, &unit->vector_bytes, &unit->launch_s, &unit->invoke_s, &unit->switch_s, &unit->static_w}) {
    change(&fact->source);
  }
  for (Rate& rate : unit->rates) {
    for (Fact* fact : {&rate.per_cycle, &rate.sparse_per_cycle, &rate.energy_j}) change(&fact->source);
  }
  for (Tile& tile : unit->tiles) change(&tile.source);
  for (Param& param : unit->params) change(&param.fact.source);
}

template <class Change>
void EachFact(Memory* memory, Change change) {
  for (Fact* fact : {&memory->capacity_bytes, &memory->usable_bytes, &memory->bytes_per_s, &memory->latency_s,
                     &memory->energy_j_per_byte, &memory->static_w}) {
    change(&fact->source);
  }
}

// Removes the memories that only `cpu` uses, and the settings of modes for them and for the CPU. The CPU itself stays.
void DropHost(UnitId cpu, Target* target) {
  std::vector<uint32_t> place;
  std::vector<Memory> kept;
  std::vector<std::string> dropped = {target->units[cpu].name};
  for (uint32_t m = 0; m < target->memories.size(); ++m) {
    const auto& own = target->units[cpu].memories;
    const bool drop = std::find(own.begin(), own.end(), m) != own.end() && !IsUsed(*target, cpu, m);
    place.push_back(drop ? kNone : static_cast<uint32_t>(kept.size()));
    if (drop) {
      dropped.push_back(target->memories[m].name);
    } else {
      kept.push_back(std::move(target->memories[m]));
    }
  }
  target->memories = std::move(kept);
  target->units[cpu].memories.clear();
  for (Unit& unit : target->units) {
    for (uint32_t& memory : unit.memories) memory = place[memory];
  }
  for (Mode& mode : target->modes) {
    const auto is_gone = [&](const Setting& setting) {
      return std::find(dropped.begin(), dropped.end(), setting.of) != dropped.end();
    };
    mode.settings.erase(std::remove_if(mode.settings.begin(), mode.settings.end(), is_gone), mode.settings.end());
  }
}

bool HasRate(const Unit& unit, Num precision) {
  return std::any_of(unit.rates.begin(), unit.rates.end(),
                     [&](const Rate& rate) { return rate.work == WorkKind::kContraction && rate.act == precision; });
}

// Replaces `cpu` by `from`, a CPU of `host`, keeping the old name because links and commands refer to it.
void AddHost(const Target& host, const Unit& from, UnitId cpu, Target* target) {
  const auto cite = [&](std::string* source) {
    if (!source->empty()) *source = absl::StrCat(host.name, ": ", *source);
  };
  for (FactSource source : host.sources) {
    cite(&source.key);
    target->sources.push_back(std::move(source));
  }
  Unit unit = from;
  EachFact(&unit, cite);
  std::map<std::string, std::string> names;
  for (uint32_t& index : unit.memories) {
    Memory memory = host.memories[index];
    EachFact(&memory, cite);
    const std::string name = memory.name;
    while (MemoryOf(*target, memory.name) != nullptr) memory.name.insert(0, "host_");
    names[name] = memory.name;
    index = static_cast<uint32_t>(target->memories.size());
    target->memories.push_back(std::move(memory));
  }
  for (Rate& rate : unit.rates) {
    for (std::string& covered : rate.energy_covers) covered = names.count(covered) > 0 ? names[covered] : covered;
  }
  const Unit& old = target->units[cpu];
  unit.name = old.name;
  // The module's toolchain decides the precision of work that it leaves to the host.
  if (HasRate(unit, old.precision)) unit.precision = old.precision;
  target->units[cpu] = std::move(unit);
}

// A link's rate without headers over the rate of its lanes: 3.3 of 3.94 GB/s.
constexpr double kAfterHeaders = 3.3 / 3.94;

void Lower(double most, const Fact& slot, Fact* fact) {
  if (!fact->known() || fact->value_or(0) <= most) return;
  *fact = slot;
  fact->stated = most;
}

// Whether the memory is an accelerator's window on the host's memory: it has no size of its own.
bool IsWindow(const Target& target, uint32_t memory, UnitId cpu) {
  return !target.memories[memory].capacity_bytes.known() && IsUsed(target, cpu, memory);
}

// Limits a module to the rate of the board's slot in every mode, and makes its mode for such a slot the default.
void NarrowToSlot(Fact slot, UnitId cpu, Target* target) {
  const double most = slot.value_or(0);
  const std::string& name = target->units[cpu].name;
  for (Link& link : target->links) {
    if (link.from == name || link.to == name) Lower(most * kAfterHeaders, slot, &link.bytes_per_s);
  }
  for (uint32_t m = 0; m < target->memories.size(); ++m) {
    if (!IsWindow(*target, m, cpu)) continue;
    Memory& window = target->memories[m];
    const bool is_wider = window.bytes_per_s.value_or(0) > most;
    Lower(most, slot, &window.bytes_per_s);
    for (size_t mode = 0; mode < target->modes.size(); ++mode) {
      for (Setting& setting : target->modes[mode].settings) {
        if (setting.of != window.name) continue;
        if (is_wider && setting.bytes_per_s.value_or(most * 2) <= most) target->default_mode = mode;
        Lower(most, slot, &setting.bytes_per_s);
      }
    }
  }
}

}  // namespace

bool IsDiscreteHost(const Target& target, UnitId unit) {
  if (!IsCpu(target.units[unit])) return false;
  const Memory* own = SharedMemoryOf(target, target.units[unit]);
  bool has_module = false;
  for (const Unit& other : target.units) {
    if (!other.placeable || IsCpu(other)) continue;
    if (SharedMemoryOf(target, other) == own) return false;
    has_module = true;
  }
  return has_module;
}

bool IsDiscrete(const Target& target) {
  const UnitId cpu = FirstCpu(target);
  return cpu.valid() && IsDiscreteHost(target, cpu);
}

std::optional<std::string> PowerOfText(const Target& target, bool host_computes) {
  if (target.power_of.empty()) return std::nullopt;
  const std::string own = absl::StrCat("the ", target.power_of, target.power_of == "chip" ? " with its memory" : "");
  if (!IsDiscrete(target)) return own;
  if (target.power_of == "board") return std::string("the host's board with the module");
  if (!host_computes) return absl::StrCat(own, " without its host");
  return absl::StrCat(own, " and, while it computes, its host");
}

absl::StatusOr<Target> UseHost(const Target& module, const Target& host) {
  const UnitId cpu = FirstCpu(module);
  if (!IsDiscrete(module)) {
    const bool is_cpu = std::all_of(module.units.begin(), module.units.end(), IsCpu);
    const absl::string_view why = !cpu.valid() ? "its file states no CPU that another could stand in for"
                                  : is_cpu     ? "it is a CPU itself"
                                               : "it is a SoC, its CPU is part of it";
    return MakeError(Code::kUsage, absl::StrCat("no host can be chosen for ", module.name, ": ", why),
                     "leave --host out, or name a module behind PCIe or USB with --target", {"--host", "--target"});
  }
  HWEST_ASSIGN_OR_RETURN(const Target running, ApplyMode(host, ""));
  const UnitId from = FirstCpu(running);
  if (!from.valid()) {
    return MakeError(Code::kTargetInvalid, absl::StrCat(host.name, " cannot be a host: it has no CPU unit"),
                     "name a target with one, e.g. x86-avx2 or raspberry-pi-5");
  }
  Target changed = module;
  DropHost(cpu, &changed);
  AddHost(running, running.units[from], cpu, &changed);
  const Toolchain* toolchain = ToolchainOf(running, running.units[from]);
  if (toolchain != nullptr && ToolchainOf(changed, changed.units[cpu]) == nullptr) {
    changed.toolchains.push_back(*toolchain);
  }
  if (host.slot_bytes_per_s.known()) {
    Fact slot = host.slot_bytes_per_s;
    slot.source = absl::StrCat(host.name, ": ", slot.source);
    NarrowToSlot(std::move(slot), cpu, &changed);
  }
  changed.host = host.name;
  return changed;
}

}  // namespace hwest

#include "plan/memory_needs.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "cost/cost.h"
#include "hwest/host.h"
#include "plan/liveness.h"

namespace hwest {
namespace {

// Where what a unit works on lies.
struct Homes {
  const Memory* weights = nullptr;
  const Memory* activations = nullptr;
};

const Memory* ReadOnlyMemoryOf(const Target& target) {
  const auto found = absl::c_find_if(target.memories, [](const Memory& memory) { return memory.read_only; });
  return found != target.memories.end() ? &*found : nullptr;
}

Homes HomesOf(const Target& target, const Unit& unit) {
  const Memory* const shared = BehindWindow(target, SharedMemoryOf(target, unit));
  const Memory* const read_only = ReadOnlyMemoryOf(target);
  const bool can_be_written = shared == nullptr || !shared->read_only;
  return {read_only != nullptr ? read_only : shared, can_be_written ? shared : OnChipMemoryOf(target, unit)};
}

// What no unit runs counts for the first one that can work.
UnitId UnitFor(const Target& target, UnitId unit) {
  for (uint32_t u = 0; !unit.valid() && u < target.units.size(); ++u) {
    if (target.units[UnitId(u)].placeable) unit = UnitId(u);
  }
  return unit.valid() ? unit : UnitId(0u);
}

class Adder {
 public:
  Adder(const ModelView& model, const Target& target, const Plan& plan) : model_(model), target_(target), plan_(plan) {
    for (const Unit& unit : target.units) homes_.push_back(HomesOf(target, unit));
    needs_.resize(target.memories.size());
    used_.resize(target.memories.size(), false);
  }

  std::vector<MemoryNeed> Run(const WeightCopies& weights) {
    AddWeights(weights);
    AddActivations();
    AddRest();
    std::vector<MemoryNeed> rows;
    const bool is_part = LacksSizes();
    for (size_t m = 0; m < needs_.size(); ++m) {
      if (!used_[m]) continue;
      needs_[m].memory = target_.memories[m].name;
      needs_[m].is_part = is_part;
      JudgeNeed(target_, &needs_[m]);
      rows.push_back(std::move(needs_[m]));
    }
    if (lacks_memory_) {
      rows.push_back({.memory = "unknown",
                      .size_bytes = std::nullopt,
                      .is_part = true,
                      .why = "the target names no memory for what a unit works on"});
    }
    return rows;
  }

 private:
  // The groups between which a value is in one memory.
  struct Stay {
    size_t first = LiveRange::kNever, last = 0;
    bool is_made = false;  // by a group with that memory
  };

  const Homes& HomesAt(UnitId unit) const { return homes_[UnitFor(target_, unit)]; }
  // `memory` is one of the target, or null: it states none.
  void Add(const Memory* memory, int64_t MemoryNeed::* part, int64_t bytes) {
    if (memory == nullptr) {
      lacks_memory_ = lacks_memory_ || bytes > 0;
      return;
    }
    const auto m = static_cast<size_t>(memory - target_.memories.data());
    used_[m] = true;
    needs_[m].*part += bytes;
  }
  bool LacksSizes() const {
    return absl::c_any_of(plan_.groups,
                          [](const PlannedGroup& row) { return !row.unit.valid() || !row.work.bytes_known; }) ||
           absl::c_any_of(plan_.lifetimes, [](const Lifetime& life) { return !life.bytes.has_value(); });
  }
  bool IsCache(ValueId value) const {
    return model_.index != nullptr && (model_.index->flags[value] & ModelIndex::kCache) != 0;
  }
  void AddWeights(const WeightCopies& weights);
  void AddActivations();
  void AddPeak(const Memory* memory, absl::Span<const Lifetime> stays);
  void AddRest();
  bool IsHome(const Memory* memory) const;
  std::vector<Lifetime> StaysIn(const Memory* memory) const;

  const ModelView& model_;
  const Target& target_;
  const Plan& plan_;
  IdMap<UnitId, Homes> homes_;
  std::vector<MemoryNeed> needs_;  // by memory of the target
  std::vector<bool> used_;
  bool lacks_memory_ = false;  // something has no memory to lie in
};

void Adder::AddWeights(const WeightCopies& weights) {
  for (const auto& [unit, bytes] : weights.BytesByUnit()) {
    if (bytes > 0) Add(HomesAt(unit).weights, &MemoryNeed::weight_bytes, bytes);
  }
}

bool Adder::IsHome(const Memory* memory) const {
  return absl::c_any_of(homes_, [&](const Homes& homes) { return homes.activations == memory; });
}

// Values that groups with this memory touch, from when they come there to the last of their readers there. Where they
// are made, they wait for readers elsewhere and for the end. What the plan keeps in a scratchpad all its life is there
// alone.
std::vector<Lifetime> Adder::StaysIn(const Memory* memory) const {
  IdMap<ValueId, Stay> stays(model_.graph.values().size());
  for (size_t g = 0; g < plan_.groups.size(); ++g) {
    const PlannedGroup& row = plan_.groups[g];
    if (HomesAt(row.unit).activations != memory) continue;
    for (const Accesses* accesses : {&row.reads, &row.writes}) {
      for (const Access& access : *accesses) {
        Stay& stay = stays[access.value];
        stay = {std::min(stay.first, g), g, stay.is_made || accesses == &row.writes};
      }
    }
  }
  std::vector<Lifetime> rows;
  for (Lifetime life : plan_.lifetimes) {
    const Stay& stay = stays[life.value];
    if (stay.first == LiveRange::kNever || !IsHome(&target_.memories[life.memory])) continue;
    const Value& value = model_.graph.value(life.value);
    const bool is_input = value.is_input && value.graph == GraphId(0u);
    if (!is_input) life.first = GroupId(stay.first);
    if (!is_input && !stay.is_made) life.last = GroupId(stay.last);
    rows.push_back(life);
  }
  return rows;
}

void Adder::AddPeak(const Memory* memory, absl::Span<const Lifetime> stays) {
  const std::vector<int64_t> live = LiveBytesOf(stays, plan_.groups.size());
  const auto at = static_cast<size_t>(absl::c_max_element(live) - live.begin());
  for (const Lifetime& stay : stays) {
    if (stay.first.index() > at || stay.last.index() < at) continue;
    Add(memory, IsCache(stay.value) ? &MemoryNeed::cache_bytes : &MemoryNeed::activation_bytes, stay.bytes.value_or(0));
  }
}

void Adder::AddActivations() {
  std::vector<const Memory*> seen;
  for (const PlannedGroup& row : plan_.groups) {
    const Memory* const memory = HomesAt(row.unit).activations;
    if (absl::c_linear_search(seen, memory)) continue;
    seen.push_back(memory);
    AddPeak(memory, StaysIn(memory));
  }
  for (uint32_t m = 0; m < target_.memories.size(); ++m) {
    if (IsHome(&target_.memories[m])) continue;
    std::vector<Lifetime> stays;
    absl::c_copy_if(plan_.lifetimes, std::back_inserter(stays), [&](const Lifetime& life) { return life.memory == m; });
    AddPeak(&target_.memories[m], stays);
  }
}

// Where the largest sizes of what data decide leave a group out, the plan has no lifetimes at these sizes.
void Adder::AddRest() {
  int64_t rest = plan_.peak_memory_bytes - plan_.deployed_bytes;
  for (const MemoryNeed& need : needs_) rest -= need.cache_bytes + need.activation_bytes;
  if (rest > 0) Add(HomesAt(UnitId()).activations, &MemoryNeed::activation_bytes, rest);
}

std::string PartsText(const MemoryNeed& need) {
  constexpr std::pair<const char*, int64_t MemoryNeed::*> kParts[] = {{"weights", &MemoryNeed::weight_bytes},
                                                                      {"cache", &MemoryNeed::cache_bytes},
                                                                      {"activations", &MemoryNeed::activation_bytes},
                                                                      {"system", &MemoryNeed::system_bytes}};
  std::vector<std::string> parts;
  for (const auto& [name, bytes] : kParts) {
    if (need.*bytes > 0) parts.push_back(absl::StrCat(name, " ", FormatBytes(static_cast<double>(need.*bytes))));
  }
  return absl::StrJoin(parts, ", ");
}

std::string MissingText(const MemoryNeed& need) {
  const auto size = static_cast<double>(need.size_bytes.value_or(0));
  const auto needed = static_cast<double>(need.needed_bytes());
  return absl::StrCat(need.memory, " has to hold ", need.is_part ? "at least " : "", FormatBytes(needed), " (",
                      PartsText(need), "), ", FormatBytes(needed - size), " more than its ", FormatBytes(size));
}

}  // namespace

const Memory* BehindWindow(const Target& target, const Memory* memory) {
  if (memory == nullptr || memory->capacity_bytes.known()) return memory;
  for (uint32_t u = 0; u < target.units.size(); ++u) {
    if (IsDiscreteHost(target, UnitId(u))) return SharedMemoryOf(target, target.units[UnitId(u)]);
  }
  return memory;
}

std::vector<MemoryNeed> MemoryNeedsOf(const ModelView& model, const Target& target, const Plan& plan,
                                      const WeightCopies& weights) {
  return Adder(model, target, plan).Run(weights);
}

void AddNeeds(absl::Span<const MemoryNeed> more, std::vector<MemoryNeed>* sum) {
  for (const MemoryNeed& need : more) {
    const auto same = absl::c_find_if(*sum, [&](const MemoryNeed& row) { return row.memory == need.memory; });
    if (same == sum->end()) {
      sum->push_back(need);
      continue;
    }
    same->weight_bytes += need.weight_bytes;
    same->cache_bytes += need.cache_bytes;
    same->activation_bytes += need.activation_bytes;
    same->is_part = same->is_part || need.is_part;
  }
}

void JudgeNeed(const Target& target, MemoryNeed* need) {
  const Memory* const memory = MemoryOf(target, need->memory);
  need->fits.reset();
  need->why.clear();
  if (memory == nullptr || !memory->capacity_bytes.known()) {
    need->why = absl::StrCat("the target does not state the size of ", need->memory);
    return;
  }
  const Fact& capacity = memory->capacity_bytes;
  const double size = capacity.value_or(0);
  const double least = std::min(size, capacity.min.value_or(size)), most = std::max(size, capacity.max.value_or(size));
  need->size_bytes = static_cast<int64_t>(size);
  need->system_bytes = static_cast<int64_t>(size - memory->usable_bytes.value_or(size));
  const auto needed = static_cast<double>(need->needed_bytes());
  if (needed > most) {
    need->fits = false;
  } else if (needed > least) {
    need->why = absl::StrCat("the size of ", need->memory, " is an estimate, from ", FormatBytes(least), " to ",
                             FormatBytes(most), ", and ", FormatBytes(needed), " are needed");
  } else if (need->is_part) {
    need->why = absl::StrCat("not all sizes are known of what lies in ", need->memory);
  } else {
    need->fits = true;
  }
}

std::optional<bool> FitsIn(absl::Span<const MemoryNeed> needs) {
  if (absl::c_any_of(needs, [](const MemoryNeed& row) { return row.fits == false; })) return false;
  const bool is_known = absl::c_all_of(needs, [](const MemoryNeed& row) { return row.fits.has_value(); });
  return is_known && !needs.empty() ? std::optional<bool>(true) : std::nullopt;
}

std::string MissingMemoryText(absl::Span<const MemoryNeed> needs) {
  std::vector<std::string> texts;
  for (const MemoryNeed& need : needs) {
    if (need.fits == false) texts.push_back(MissingText(need));
  }
  return absl::StrJoin(texts, "; ");
}

std::string UnknownFitText(absl::Span<const MemoryNeed> needs) {
  if (FitsIn(needs).has_value()) return "";
  const auto unknown = absl::c_find_if(needs, [](const MemoryNeed& row) { return !row.fits.has_value(); });
  return unknown != needs.end() ? unknown->why : "no memory is known to hold it";
}

}  // namespace hwest

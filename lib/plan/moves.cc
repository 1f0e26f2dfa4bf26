#include "plan/moves.h"

#include "target/kinds.h"

namespace hwest {
namespace {

UnitId HostOf(const Target& target) {
  for (uint32_t u = 0; u < target.units.size(); ++u) {
    if (IsCpu(target.units[UnitId(u)])) return UnitId(u);
  }
  return UnitId();
}

MoveCost OverLink(const Link& link, bool carries_bytes) {
  MoveCost cost{.fixed_s = link.latency_s.value_or(0)};
  if (!carries_bytes) return cost;
  const double bytes_per_s = link.bytes_per_s.value_or(0);
  if (bytes_per_s > 0) cost.s_per_byte = 1 / bytes_per_s;
  if (bytes_per_s <= 0 && link.copies) cost.possible = false;
  cost.j_per_byte = link.energy_j_per_byte.value_or(0);
  return cost;
}

}  // namespace

MoveCost MoveBetween(const Target& target, UnitId from, UnitId to, bool changes_layout) {
  const Unit& source = target.units[from];
  const Unit& destination = target.units[to];
  const Link* link = LinkOf(target, source.name, destination.name);
  if (link != nullptr) return OverLink(*link, link->copies || changes_layout);
  return MoveCost{.possible = SharedMemoryOf(target, source) == SharedMemoryOf(target, destination)};
}

MoveCost MoveFromHost(const Target& target, UnitId to) {
  const UnitId host = HostOf(target);
  if (!host.valid() || host == to) return {};
  const Link* link = LinkOf(target, target.units[host].name, target.units[to].name);
  return link != nullptr && link->copies ? OverLink(*link, true) : MoveCost{};
}

bool HasOwnMemory(const Target& target, UnitId unit) {
  const UnitId host = HostOf(target);
  return host.valid() && SharedMemoryOf(target, target.units[host]) != SharedMemoryOf(target, target.units[unit]);
}

}  // namespace hwest

#include "partition/host.h"

namespace hwest {

bool IsDiscreteHost(const Target& target, UnitId unit) {
  if (target.units[unit].kind != UnitKind::kSimdCpu) return false;
  const Memory* own = SharedMemoryOf(target, target.units[unit]);
  bool has_module = false;
  for (const Unit& other : target.units) {
    if (!other.placeable || other.kind == UnitKind::kSimdCpu) continue;
    if (SharedMemoryOf(target, other) == own) return false;
    has_module = true;
  }
  return has_module;
}

bool IsHeldBack(const Target& target, const AnalysisRequest& request, UnitId unit) {
  return request.host_competes == HostCompetes::kNo && IsDiscreteHost(target, unit);
}

}  // namespace hwest

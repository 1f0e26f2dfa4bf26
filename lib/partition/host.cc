#include "partition/host.h"

#include "hwest/host.h"

namespace hwest {

bool IsHeldBack(const Target& target, const AnalysisRequest& request, UnitId unit) {
  return request.host_competes == HostCompetes::kNo && IsDiscreteHost(target, unit);
}

}  // namespace hwest

// The bound: a response time that no job of a task exceeds, found without simulating.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "workload/stack.h"

namespace hwest {

struct UnitDemand {
  uint32_t resource = 0;
  double share = 0;  // of its servers' time that the rates ask for, alone; back to back = 0
};

struct ResponseBounds {
  std::vector<std::optional<double>> response_s;  // by task; none = no finite one
  std::vector<UnitDemand> demand;                 // of every resource
};

enum class Ends : uint8_t { kHigh, kPoint };  // upper ends of the intervals, or the estimates themselves

// What the rates ask of every resource.
std::vector<UnitDemand> DemandOfUnits(const Stack& stack);

// BoundResponses is a sufficient response-time analysis by the busy window of each task: what it takes itself beside
// the traffic that the others can make, and what it may wait for on each resource under its policy. Tasks that follow
// others inherit what varies in their end as jitter. A simulation of the stack never shows a longer response.
ResponseBounds BoundResponses(const Stack& stack, Ends ends);

}  // namespace hwest

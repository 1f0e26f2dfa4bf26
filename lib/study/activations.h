// Activations of a graph, written as one operator or spelled out, and the edits that put Relu in their place.
#pragma once

#include <string>
#include <vector>

#include "hwest/analysis.h"
#include "hwest/study.h"

namespace hwest {

struct ActivationFamily {
  std::string name;  // "SiLU", "GELU", ...
  int64_t places = 0;
  std::vector<ModelEdit> edits;
};

// FindActivations lists the families that the main graph holds, by name. Where one is spelled out by several nodes, the
// last becomes Relu and the others Identity, so every node and value keeps its name.
std::vector<ActivationFamily> FindActivations(const Analysis& analysis);

}  // namespace hwest

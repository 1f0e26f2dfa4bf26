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
  // Rewrite rules that do the same, "PATTERN -> Relu(..)", one for each form in which the graph has it.
  std::vector<std::string> rules;
};

// FindActivations lists the families that the main graph holds, by name. Where one is spelled out by several nodes, the
// last becomes Relu and the others Identity, so every node and value keeps its name.
std::vector<ActivationFamily> FindActivations(const Analysis& analysis);

}  // namespace hwest

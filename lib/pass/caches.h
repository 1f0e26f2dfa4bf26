// Caches: tensors that a model hands from one run to the next, such as the keys and values of a language model.
#pragma once

#include <vector>

#include "hwest/facts.h"
#include "hwest/graph.h"

namespace hwest {

// An input of the main graph and the output that continues it.
struct Cache {
  ValueId input;
  ValueId output;
};

// FindCaches returns the floating point inputs that an output of the same type carries on: moved, cut, joined with new
// elements or updated in place, or passed through one operator as its second or a later output (attention, recurrent
// cells). Their shapes differ in one dim at most. In order of the inputs, each input and output once.
std::vector<Cache> FindCaches(const Graph& graph, const Facts& facts);

}  // namespace hwest

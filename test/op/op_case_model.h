// Case models: what RunOp runs as a file, for the fuzzer to start from.
#pragma once

#include <string>
#include <vector>

#include "ir/raw.h"

namespace hwest {

// An input whose contents are expressions: a file makes them as the sizes of another input.
struct ShapeOf {
  std::string name;
  RawType sizes;
};

// The bytes of a model with the inputs, weights and nodes of `model`; its outputs are those of the last node.
std::string CaseModelBytes(const RawModel& model, const std::vector<ShapeOf>& shapes);

}  // namespace hwest

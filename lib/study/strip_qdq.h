// A model file read again without its QuantizeLinear and DequantizeLinear.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "analysis/load.h"

namespace hwest {

// LoadWithoutQdq reads the file and takes out each pair of QuantizeLinear and DequantizeLinear, and each
// DequantizeLinear of a constant, whose place a floating point constant without contents takes. What is left of either
// stays. Errors: as LoadModel.
absl::StatusOr<std::shared_ptr<const Graph>> LoadWithoutQdq(const ModelSource& source);

}  // namespace hwest

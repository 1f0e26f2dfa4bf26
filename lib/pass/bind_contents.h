// Contents of inputs: whether they go with the declared type, and what they say about it.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "hwest/dim.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/type.h"

namespace hwest {

// CheckTensor says whether a tensor, or one element of a sequence or optional, of type `type` can hold `contents`.
// Errors: kBindConflict, naming `input` and both sides.
absl::Status CheckTensor(absl::string_view input, const Type& type, const Constant& contents, const DimPool& dims);

// `declared` as the type of a sequence that holds exactly these tensors: a size on which they differ is unknown.
Type TypeOfSequence(Type declared, const std::vector<Constant>& tensors);
Elements ElementsOf(const std::vector<Constant>& tensors);

}  // namespace hwest

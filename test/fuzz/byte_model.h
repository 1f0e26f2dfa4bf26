// Models of a few nodes made from choices, for a fuzzer that shall not spend its time on framing bytes.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace hwest::test {

// ModelOfBytes returns the bytes of a model file: inputs of any type, rank and size, initialisers of known and unknown
// contents, and nodes of any operator that has a rule, with attributes and bodies that do or do not go with it.
std::string ModelOfBytes(absl::string_view choices);

}  // namespace hwest::test

// How it is known what a unit runs.
#pragma once

#include <cstdint>

#include "absl/strings/string_view.h"

namespace hwest {

enum class EvidenceKind : uint8_t {
  kCompiler,  // seen in the compiler
  kList,      // read in a list of the vendor's, or in one made after it
  kInferred,  // neither: recalled, derived or assumed
  kRequest,   // the request says so
};
absl::string_view EvidenceKindName(EvidenceKind evidence);  // "compiler", ...

}  // namespace hwest

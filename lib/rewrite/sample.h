// Samples: small models that a rule of the user's applies to, for trying it out.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "rewrite/user_rules.h"

namespace hwest {

// Numbers that the constants of a sample hold.
enum class SampleNumbers : uint8_t { kPositive, kSigned };

// SampleOf returns the bytes of an ONNX model in which `rule` has a place: of its `sample` and `of`, else of its
// pattern with types that were searched for. Errors: kUsage when none was found, with what to write.
absl::StatusOr<std::string> SampleOf(const UserRule& rule, SampleNumbers numbers);

}  // namespace hwest

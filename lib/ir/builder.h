// Builds the immutable Graph from a RawModel: resolves names, inlines local functions and bodies, sorts, finds scopes.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "hwest/graph.h"
#include "ir/raw.h"

namespace hwest {

// Caps against hostile files. All are reported as Code::kModelRefused naming the offender.
struct BuildLimits {
  int64_t max_nodes = 10'000'000;             // after inlining
  int max_call_depth = 100;                   // local functions
  int max_body_depth = 64;                    // nested bodies
  int max_rank = 64;                          // of types that are followed; others are unranked
  int64_t max_items = 100'000'000;            // after inlining: calls, edges, values and elements of attributes
  int64_t max_name_bytes = int64_t{1} << 29;  // of names made by inlining
};

// What the builder has to know of an operator.
struct BuildRole {
  bool is_native = false;    // a local function of that name is not inlined
  bool is_random = false;    // its outputs are no constants
  uint32_t type_inputs = 0;  // bit i: input i lends its element type and nothing else
};

struct BuildOptions {
  BuildLimits limits;
  // The table of operators lies above this folder. Null = nothing is known of any.
  BuildRole (*role_of)(absl::string_view domain, absl::string_view op) = nullptr;
};

// Legal oddities are accepted with a diagnostic: unsorted nodes, missing or duplicate opset imports, shadowed names,
// value_info of values that do not exist, negative dims. Errors: kModelRefused for a cycle (named), recursion of
// functions, an exceeded cap, two producers of one value.
absl::StatusOr<Graph> BuildGraph(RawModel model, const BuildOptions& options);

}  // namespace hwest

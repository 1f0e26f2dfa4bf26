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
  int64_t max_nodes = 10'000'000;  // after inlining
  int max_call_depth = 100;        // local functions
  int max_body_depth = 64;         // nested bodies
  int max_rank = 1024;
  int64_t max_items = 100'000'000;  // after inlining: calls, edges, values and elements of attributes
  int64_t max_name_bytes = int64_t{1} << 29;  // of names made by inlining
};

struct BuildOptions {
  BuildLimits limits;
  // True when (domain, op) has a rule of its own: a local function of that name is then not inlined. May be null.
  bool (*has_rule)(absl::string_view domain, absl::string_view op) = nullptr;
};

// Legal oddities are accepted with a diagnostic: unsorted nodes, missing or duplicate opset imports, shadowed names,
// value_info of values that do not exist, negative dims. Errors: kModelRefused for a cycle (named), recursion of
// functions, an exceeded cap, two producers of one value.
absl::StatusOr<Graph> BuildGraph(RawModel model, const BuildOptions& options);

}  // namespace hwest

// Profiles that runtimes write, read as the time of each kernel in one inference.
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/profile.h"
#include "profile/json_tree.h"

namespace hwest {

// ParseProfile reads the text of a profile of any of these forms; `name` stands for it in errors. Errors: kUsage for a
// text that is none of them or not complete, and for one without a kernel.
absl::StatusOr<Profile> ParseProfile(absl::string_view text, absl::string_view name);

// trtexec --exportProfile: the median time of each layer, in older releases its average.
bool IsTrtexecProfile(const Tree& tree);
absl::StatusOr<Profile> ReadTrtexecLayers(const Tree& tree, absl::string_view name);

// ONNX Runtime, SessionOptions.enable_profiling: of each node the median of the runs, the first left out where there
// are more. What a body of control flow takes counts for its nodes alone.
bool IsOnnxRuntimeProfile(const Tree& tree);
const Tree& OnnxRuntimeEvents(const Tree& tree);  // of such a tree: an array
absl::StatusOr<Profile> ReadOnnxRuntimeNodes(const Tree& tree, absl::string_view name);

}  // namespace hwest

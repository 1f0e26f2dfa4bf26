// The page of HTML reports as the build bundled it from lib/report/viewer.
#pragma once

#include "absl/strings/string_view.h"

namespace hwest {

// The hashes are those of a content security policy: "sha256-...".
struct ViewerFiles {
  absl::string_view script, script_hash;
  absl::string_view style, style_hash;
  bool empty() const { return script.empty(); }
};

// Empty where the build had no Node.js to bundle them with.
ViewerFiles Viewer();

}  // namespace hwest

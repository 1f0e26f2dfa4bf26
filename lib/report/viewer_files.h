// The page of HTML reports, bundled by the build from lib/report/viewer.
#pragma once

#include "absl/strings/string_view.h"

namespace hwest {

// Hashes are written as in a content security policy: "sha256-...".
struct ViewerFiles {
  absl::string_view script, script_hash;
  absl::string_view style, style_hash;
  absl::string_view still_script, still_script_hash;  // of pages that are there without it, see still_page.h
  absl::string_view still_style, still_style_hash;
  bool empty() const { return script.empty(); }
};

// Empty if the build had no Node.js to bundle them.
ViewerFiles Viewer();

}  // namespace hwest

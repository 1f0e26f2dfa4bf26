// Require: the checks of fuzz entries. A broken promise aborts the process, which a fuzzer detects.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hwest/diagnostic.h"

namespace hwest::test {

inline void Require(bool kept, absl::string_view promise) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %.*s\n", static_cast<int>(promise.size()), promise.data());
  std::abort();
}

// An error of the library carries a code, and never that of a bug.
inline void RequireKnownError(const absl::Status& status) {
  if (status.ok()) return;
  Require(DiagnosticOf(status).code != Code::kInternal,
          absl::StrCat("no internal error: ", std::string(status.message())));
}

}  // namespace hwest::test

// Messages of the library name flags of the command line. Through the C ABI they name what a C program sets instead.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hwest::capi {

// What stands for a flag or a command in C.
struct Wording {
  absl::string_view words;  // e.g. "--dim" or "`onnx-hwest targets`"
  std::string c;            // e.g. "options.dims"; "" = there is nothing like it, the flag stays
  bool is_list = false;     // values that follow become its elements
};
absl::Span<const Wording> Wordings();

// "bind it: --dim batch=1 --dim seq=128" -> "bind it: options.dims = {\"batch=1\", \"seq=128\"}".
std::string InWordsOfC(absl::string_view text);

}  // namespace hwest::capi

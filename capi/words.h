// How messages spell options: as flags, in C or in Python.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/diagnostic.h"

namespace hwest::capi {

enum class ValueForm : uint8_t {
  kPlain,   // a number, a text or a placeholder
  kSwitch,  // none: it is on
  kList,    // each is an element
  kDict,    // "NAME=TEXT", a list of texts in C
  kShapes,  // "NAME=AxB", a list of texts in C
};

// What C and Python write for an option or command of the command line.
struct OptionWords {
  absl::string_view flag;    // see NamedOption
  absl::string_view c;       // "options.dims"
  absl::string_view python;  // "dims"
  ValueForm form;
};
absl::Span<const OptionWords> AllOptionWords();  // option_words.cc

// Chooses the words that Worded() uses in this process: HWEST_WORDS_*.
void SetWords(int32_t words) noexcept;

// `text`, which names `options` in this order, in the chosen words: "bind it: --dim batch=1 --dim seq=128" becomes
// "bind it: options.dims = {\"batch=1\", \"seq=128\"}" or "bind it: dims={\"batch\": 1, \"seq\": 128}".
std::string Worded(absl::string_view text, const std::vector<NamedOption>& options);

}  // namespace hwest::capi

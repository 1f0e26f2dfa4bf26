// Parts of an analysis request as text, the way the command line and the C ABI take them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/analysis.h"

namespace hwest {

// "NAME=N" with N >= 0; the last '=' separates. None when the text has another form.
std::optional<std::pair<std::string, int64_t>> ParseSize(absl::string_view text);
// "1x3x224x224" (the name is then "") or "INPUT=1x128".
std::optional<std::pair<std::string, std::vector<int64_t>>> ParseShape(absl::string_view text);
// "WHAT@UNIT"; the last '@' separates.
std::optional<Pin> ParsePin(absl::string_view text);

// kUsage: the option `name` cannot be `value`; `options` are those that the remedy names.
absl::Status BadValue(absl::string_view name, absl::string_view value, absl::string_view remedy,
                      std::vector<NamedOption> options = {});
absl::StatusOr<int64_t> ParseNumber(absl::string_view name, absl::string_view text, int64_t least);
// The index of `text` among `words`, which spaces separate.
absl::StatusOr<size_t> ParseWord(absl::string_view name, absl::string_view text, absl::string_view words);

}  // namespace hwest

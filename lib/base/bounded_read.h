// Reading files that may be larger than memory, or without end.
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>

namespace hwest {

// Of reports and records of evidence, which are this program's own.
inline constexpr size_t kMaxSavedBytes = size_t{256} << 20;

// The rest of `file`; nothing when that is more than `most` bytes.
std::optional<std::string> ReadAtMost(std::istream& file, size_t most);

}  // namespace hwest

#include "base/bounded_read.h"

namespace hwest {

std::optional<std::string> ReadAtMost(std::istream& file, size_t most) {
  constexpr size_t kPartBytes = 1 << 20;
  std::string text;
  std::string part(kPartBytes, '\0');
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0) {
    text.append(part, 0, static_cast<size_t>(file.gcount()));
    if (text.size() > most) return std::nullopt;
  }
  return text;
}

}  // namespace hwest

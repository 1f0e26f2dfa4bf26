#include "support/keep_model.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>

#include "absl/strings/str_cat.h"

namespace hwest::test {

bool KeepsModels() { return std::getenv("HWEST_KEEP_MODELS") != nullptr; }

void KeepModel(absl::string_view bytes) {
  if (!KeepsModels()) return;
  uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  std::ofstream out(absl::StrCat(std::getenv("HWEST_KEEP_MODELS"), "/", absl::Hex(hash, absl::kZeroPad16)),
                    std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace hwest::test

// Bytes as C++ source, for programs of the build.
#pragma once

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>

#include "absl/strings/string_view.h"

namespace hwest {

// Literal returns string literals that together are `bytes`, on lines of their own.
inline std::string Literal(absl::string_view bytes) {
  constexpr size_t kLineBytes = 100;  // compilers bound how long one literal may be, not how many follow each other
  std::string text = "\n    \"";
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i % kLineBytes == 0 && i > 0) text += "\"\n    \"";
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const bool is_plain = byte >= ' ' && byte < 127 && byte != '"' && byte != '\\' && byte != '?';
    char octal[5];
    std::snprintf(octal, sizeof octal, "\\%03o", byte);
    is_plain ? text += static_cast<char>(byte) : text += octal;
  }
  return text + "\"";
}

inline bool WriteSource(const char* path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return !file.fail();
}

}  // namespace hwest

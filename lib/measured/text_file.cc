#include "measured/text_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/text.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

constexpr uintmax_t kMaxFileBytes = uintmax_t{256} << 20;

}  // namespace

absl::StatusOr<std::string> ReadMeasuredText(const std::string& path, absl::string_view flag) {
  std::error_code error;
  const bool regular = std::filesystem::is_regular_file(path, error);
  std::ifstream file(path, std::ios::binary);
  if (!regular || !file) {
    return MakeError(Code::kUsage, absl::StrCat("measurements '", EscapeControl(path), "' cannot be read"),
                     absl::StrCat("name a file of measured figures with ", flag), {NamedOption(flag)});
  }
  if (std::filesystem::file_size(path, error) > kMaxFileBytes) {
    return MakeError(Code::kUsage, absl::StrCat("measurements '", EscapeControl(path), "' are above 256 MiB"),
                     "split the file");
  }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace hwest

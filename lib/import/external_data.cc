#include "import/external_data.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/text.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

namespace fs = std::filesystem;

absl::Status Refuse(absl::string_view location, absl::string_view why) {
  return MakeError(Code::kExternalData, absl::StrCat("external data '", EscapeControl(location), "' ", why),
                   "keep the data file beside the model, or below its folder");
}

// Both without links.
bool IsBelow(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

bool IsMemoryAddress(absl::string_view location) {
  return absl::StartsWith(location, "*/_ORT_") && absl::EndsWith(location, "_MEM_ADDR_/*");
}

absl::Status CheckLocation(absl::string_view location) {
  if (location.empty()) return Refuse(location, "has no name");
  if (IsMemoryAddress(location)) return Refuse(location, "is an address in another process");
  if (absl::StrContains(location, '\0')) return Refuse(location, "holds a NUL byte");
  if (location[0] == '/' || location[0] == '\\') return Refuse(location, "is an absolute path");
  if (location.size() > 1 && location[1] == ':' && absl::ascii_isalpha(static_cast<unsigned char>(location[0]))) {
    return Refuse(location, "names a drive");
  }
  for (const absl::string_view part : absl::StrSplit(location, absl::ByAnyChar("/\\"))) {
    if (part == "..") return Refuse(location, "leaves the model's folder");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::string>> ExternalPath(const std::string& model_path, absl::string_view location) {
  if (const absl::Status status = CheckLocation(location); !status.ok()) return status;
  const fs::path model(model_path);
  const fs::path folder = model.has_parent_path() ? model.parent_path() : fs::path(".");
  const fs::path named = folder / std::string(location);
  std::error_code error;
  if (!fs::is_regular_file(named, error)) return std::nullopt;
  const fs::path file = fs::canonical(named, error);
  if (error) return std::nullopt;
  const fs::path beside = fs::canonical(folder, error);
  if (!error && IsBelow(file, beside)) return named.string();
  const fs::path linked = fs::canonical(model, error);
  if (!error && IsBelow(file, linked.parent_path())) return named.string();
  return Refuse(location, "is a link that leaves the model's folder");
}

}  // namespace hwest

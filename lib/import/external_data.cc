#include "import/external_data.h"

#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "import/source.h"

namespace hwest {
namespace {

namespace fs = std::filesystem;

absl::Status Refuse(absl::string_view location, absl::string_view why) {
  return MakeError(Code::kExternalData, absl::StrCat("external data '", EscapeControl(location), "' ", why),
                   "keep the data file beside the model, or below its folder");
}

bool IsUnder(const fs::path& path, const fs::path& folder) {
  auto part = path.begin();
  for (const fs::path& expected : folder) {
    if (part == path.end() || *part != expected) return false;
    ++part;
  }
  return part != path.end();
}

fs::path FolderOf(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

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

absl::StatusOr<std::string> ResolveExternal(const std::string& model_path, absl::string_view location) {
  HWEST_RETURN_IF_ERROR(CheckLocation(location));
  std::error_code error;
  const fs::path model(model_path);
  const fs::path beside = fs::canonical(FolderOf(model), error);
  if (error) return Refuse(location, "cannot be looked up: the model's folder is gone");
  const fs::path real_folder = FolderOf(fs::canonical(model, error));
  if (error) return Refuse(location, "cannot be looked up: the model is gone");
  const fs::path data = fs::canonical(beside / std::string(location), error);
  if (error) return Refuse(location, absl::StrCat("cannot be opened: ", error.message()));
  if (!IsUnder(data, beside) && !IsUnder(data, real_folder)) return Refuse(location, "leaves the model's folder");
  if (!fs::is_regular_file(data, error)) return Refuse(location, "is no regular file");
  return data.string();
}

absl::StatusOr<std::string> ReadExternal(const std::string& model_path, absl::string_view location, int64_t offset,
                                         int64_t length, int64_t max_bytes) {
  HWEST_ASSIGN_OR_RETURN(const std::string path, ResolveExternal(model_path, location));
  HWEST_ASSIGN_OR_RETURN(Source source, Source::OpenFile(path));
  if (offset < 0 || length < 0 || offset > source.size() || length > source.size() - offset) {
    return Refuse(location, absl::StrCat("has ", source.size(), " bytes; ", length, " at ", offset, " are asked for"));
  }
  if (length > max_bytes) return Refuse(location, absl::StrCat("is not read beyond ", max_bytes, " bytes"));
  std::string bytes(static_cast<size_t>(length), '\0');
  HWEST_RETURN_IF_ERROR(source.Read(offset, length, bytes.data()));
  return bytes;
}

}  // namespace hwest

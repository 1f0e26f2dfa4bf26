#include "import/external_data.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/text.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

absl::Status Refuse(absl::string_view location, absl::string_view why) {
  return MakeError(Code::kExternalData, absl::StrCat("external data '", EscapeControl(location), "' ", why),
                   "keep the data file beside the model, or below its folder");
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

}  // namespace hwest

#include "import/external_data.h"

#include <string>

#include "absl/strings/match.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"

namespace hwest {
namespace {

std::string ErrorOf(const absl::Status& status) {
  if (status.ok()) return "";
  CHECK(DiagnosticOf(status).code == Code::kExternalData);
  return DiagnosticOf(status).message;
}

TEST_CASE("Locations are relative and stay inside") {
  struct Case {
    std::string location;
    std::string error;  // "" = accepted
  };
  const Case cases[] = {
      {"weights.bin", ""},
      {"sub/weights.bin", ""},
      {"./weights.bin", ""},
      {"a..b/w%20 1.bin", ""},
      {"", "has no name"},
      {"/etc/passwd", "is an absolute path"},
      {"\\\\server\\share\\w", "is an absolute path"},
      {"C:\\w.bin", "names a drive"},
      {"..", "leaves the model's folder"},
      {"../w.bin", "leaves the model's folder"},
      {"a/../../w.bin", "leaves the model's folder"},
      {"a\\..\\..\\w.bin", "leaves the model's folder"},
      {std::string("w\0.bin", 6), "holds a NUL byte"},
      {"*/_ORT_MEM_ADDR_/*", "address in another process"},
      {"*/_ORT_NATIVE_ENDIAN_MEM_ADDR_/*", "address in another process"},
  };
  for (const Case& test : cases) {
    INFO(test.location);
    const std::string error = ErrorOf(CheckLocation(test.location));
    CHECK(error.empty() == test.error.empty());
    CHECK(absl::StrContains(error, test.error));
  }
}

}  // namespace
}  // namespace hwest

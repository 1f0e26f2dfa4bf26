#include "import/external_data.h"

#include <filesystem>
#include <string>

#include "absl/strings/match.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"
#include "temp_folder.h"

namespace hwest {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;

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

TEST_CASE("Links may not lead out of the model's folder") {
  const TempFolder folder;
  const std::string model = folder.Write("model/m.onnx", "m");
  folder.Write("model/w.bin", "0123456789");
  folder.Write("secret/key", "s");
  fs::create_symlink(folder / "secret/key", folder / "model/link");
  fs::create_directory_symlink(folder / "secret", folder / "model/sub");
  fs::create_symlink("w.bin", folder / "model/inner");
  fs::create_directory(folder / "model/dir");

  CHECK(*ResolveExternal(model, "w.bin") == (folder / "model/w.bin").string());
  CHECK(*ResolveExternal(model, "inner") == (folder / "model/w.bin").string());
  CHECK(absl::StrContains(ErrorOf(ResolveExternal(model, "link").status()), "leaves the model's folder"));
  CHECK(absl::StrContains(ErrorOf(ResolveExternal(model, "sub/key").status()), "leaves the model's folder"));
  CHECK(absl::StrContains(ErrorOf(ResolveExternal(model, "dir").status()), "no regular file"));
  CHECK(absl::StrContains(ErrorOf(ResolveExternal(model, "none").status()), "No such file"));
}

TEST_CASE("A model cache that links model and data into another folder works") {
  const TempFolder folder;
  folder.Write("blobs/aa", "m");
  folder.Write("blobs/bb", "data");
  fs::create_directories(folder / "snapshots/1");
  fs::create_symlink("../../blobs/aa", folder / "snapshots/1/m.onnx");
  fs::create_symlink("../../blobs/bb", folder / "snapshots/1/m.onnx_data");
  CHECK(*ResolveExternal((folder / "snapshots/1/m.onnx").string(), "m.onnx_data") == (folder / "blobs/bb").string());
}

TEST_CASE("ReadExternal checks the range against the file and the cap") {
  const TempFolder folder;
  const std::string model = folder.Write("m.onnx", "m");
  folder.Write("w.bin", "0123456789");
  CHECK(*ReadExternal(model, "w.bin", 3, 4, 100) == "3456");
  CHECK(ReadExternal(model, "w.bin", 10, 0, 100)->empty());
  CHECK_FALSE(ReadExternal(model, "w.bin", 8, 3, 100).ok());
  CHECK_FALSE(ReadExternal(model, "w.bin", -1, 3, 100).ok());
  CHECK_FALSE(ReadExternal(model, "w.bin", INT64_MAX, INT64_MAX, INT64_MAX).ok());
  CHECK_FALSE(ReadExternal(model, "w.bin", 0, 10, 9).ok());
}

}  // namespace
}  // namespace hwest

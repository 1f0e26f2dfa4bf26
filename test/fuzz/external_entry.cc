#include <filesystem>
#include <string>

#include "absl/strings/match.h"
#include "fuzz/byte_reader.h"
#include "fuzz/entries.h"
#include "fuzz/require.h"
#include "import/external_data.h"
#include "import/temp_folder.h"

namespace hwest::test {
namespace {

namespace fs = std::filesystem;

// A model beside a data file, with links that lead out of its folder.
class ModelFolder {
 public:
  ModelFolder() : model_(folder_.Write("in/m.onnx", "m")) {
    folder_.Write("in/w", "0123456789");
    folder_.Write("in/d/w", "0123456789");
    folder_.Write("out/s", "secret");
    fs::create_symlink(folder_ / "out/s", folder_ / "in/l");
    fs::create_directory_symlink(folder_ / "out", folder_ / "in/o");
    fs::create_symlink("w", folder_ / "in/i");
  }
  const std::string& model() const { return model_; }
  std::string inside() const { return (folder_ / "in").string() + "/"; }

 private:
  TempFolder folder_;
  std::string model_;
};

}  // namespace

void RunExternal(absl::string_view bytes) {
  static const ModelFolder folder;
  const size_t end = bytes.find('\0');
  const absl::string_view location = bytes.substr(0, end);
  ByteReader range(end == bytes.npos ? absl::string_view() : bytes.substr(end + 1));
  const absl::StatusOr<std::string> path = ResolveExternal(folder.model(), location);
  if (path.ok()) Require(absl::StartsWith(*path, folder.inside()), "external data lies in the model's folder");
  const auto offset = static_cast<int64_t>(range.Bits(8));
  const auto length = static_cast<int64_t>(range.Bits(8));
  constexpr int64_t kMaxBytes = 64;
  const absl::StatusOr<std::string> read = ReadExternal(folder.model(), location, offset, length, kMaxBytes);
  RequireKnownError(read.status());
  if (read.ok()) Require(static_cast<int64_t>(read->size()) == length, "as many bytes as were asked for");
}

}  // namespace hwest::test

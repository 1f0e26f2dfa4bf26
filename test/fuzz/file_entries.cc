// Entries for contents of inputs, from files and as literals, and for names of external data files.
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "analysis/literal.h"
#include "fuzz/entries.h"
#include "fuzz/require.h"
#include "import/external_data.h"
#include "import/value_file.h"
#include "op/known.h"

namespace hwest::test {
namespace {

namespace fs = std::filesystem;

// A folder with a model, weights, and links to a file and a folder outside; removed at the end of the process.
class ModelFolder {
 public:
  ModelFolder() {
    std::string pattern = (fs::temp_directory_path() / "hwest-fuzz-XXXXXX").string();
    Require(mkdtemp(pattern.data()) != nullptr, "there is a temporary folder");
    top_ = pattern;
    fs::create_directories(folder() / "data");
    for (const fs::path& file : {folder() / "m", folder() / "w.bin", folder() / "data/w.bin", top_ / "secret"}) {
      std::ofstream(file) << "bytes";
    }
    fs::create_symlink("../secret", folder() / "link");
    fs::create_directory_symlink("..", folder() / "up");
    fs::create_symlink("data/w.bin", folder() / "inside");
  }
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;
  ~ModelFolder() {
    std::error_code none;
    fs::remove_all(top_, none);
  }
  fs::path folder() const { return top_ / "model"; }

 private:
  fs::path top_;
};

}  // namespace

void RunValue(absl::string_view bytes) {
  for (const ValueKind kind : {ValueKind::kTensor, ValueKind::kSequence, ValueKind::kOptional}) {
    RequireKnownError(ReadValueMemory(bytes, "value", kind).status());
  }
}

void RunLiteral(absl::string_view bytes) {
  for (int elem = 0; elem <= static_cast<int>(ElemType::kInt2); ++elem) {
    const absl::StatusOr<Constant> constant = ParseLiteral(bytes, static_cast<ElemType>(elem));
    RequireKnownError(constant.status());
    if (!constant.ok()) continue;
    if (constant->elem == ElemType::kString) {
      Require(constant->Elements() == static_cast<int64_t>(constant->strings.size()), "dims count the strings");
    } else if (const Known known = DecodeConstant(*constant); known != nullptr) {
      Require(constant->Elements() == static_cast<int64_t>(known->size()), "dims count the elements");
    }
  }
}

void RunExternal(absl::string_view bytes) {
  static const ModelFolder model;
  const auto path = ExternalPath((model.folder() / "m").string(), bytes);
  RequireKnownError(path.status());
  if (!path.ok() || !path->has_value()) return;
  const std::string inside = fs::canonical(model.folder()).string() + "/";
  Require(fs::canonical(**path).string().compare(0, inside.size(), inside) == 0, "data lie in the model's folder");
}

}  // namespace hwest::test

// Entries for what is read from files by name: saved reports and records, contents of inputs, and external data.
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "diff/side.h"
#include "evidence/evidence.h"
#include "fuzz/entries.h"
#include "fuzz/require.h"
#include "hwest/target.h"
#include "import/external_data.h"
#include "import/value_file.h"
#include "report/read_json.h"
#include "workload/candidates.h"

namespace hwest::test {
namespace {

namespace fs = std::filesystem;

// A file without a place, and the name by which it is opened.
class MemoryFile {
 public:
  explicit MemoryFile(absl::string_view bytes) : fd_(memfd_create("saved", MFD_CLOEXEC)) {
    while (!bytes.empty()) {
      const ssize_t written = write(fd_, bytes.data(), bytes.size());
      Require(written > 0, "memory holds the file");
      bytes.remove_prefix(static_cast<size_t>(written));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(fd_); }
  std::string path() const { return absl::StrCat("/proc/self/fd/", fd_); }

 private:
  int fd_;
};

const Chip& TheChip() {
  static const Chip& chip = *new Chip([] {
    absl::StatusOr<Target> target = LoadTarget("tda4vm");
    RequireKnownError(target.status());
    absl::StatusOr<Chip> made = MakeChip(Workload(), std::make_shared<const Target>(*std::move(target)), "");
    RequireKnownError(made.status());
    return *std::move(made);
  }());
  return chip;
}

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

void RunSaved(absl::string_view bytes) {
  const MemoryFile file(bytes);
  RequireKnownError(ReadSide(file.path()).status());
  RequireKnownError(SavedCandidate(bytes, WorkloadTask(), TheChip()).status());
  const absl::StatusOr<Cell> evidence = ReadEvidence(file.path());
  RequireKnownError(evidence.status());
  if (!evidence.ok()) return;
  CommandOf(*evidence);
  HasWeights(*evidence);
  Require(CompareEvidence(*evidence, *evidence).empty(), "a record is equal to itself");
}

void RunValue(absl::string_view bytes) {
  for (const ValueKind kind : {ValueKind::kTensor, ValueKind::kSequence, ValueKind::kOptional}) {
    RequireKnownError(ReadValueMemory(bytes, "value", kind).status());
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

// The entry for saved reports and records of evidence, which are read from files by name.
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "diff/side.h"
#include "evidence/evidence.h"
#include "fuzz/entries.h"
#include "fuzz/require.h"
#include "hwest/target.h"
#include "report/read_json.h"
#include "workload/candidates.h"

namespace hwest::test {
namespace {

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

}  // namespace hwest::test

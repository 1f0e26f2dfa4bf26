// The entry for saved reports and records of evidence, which are read from files by name.
#include <memory>
#include <string>
#include <utility>

#include "diff/side.h"
#include "evidence/evidence.h"
#include "fuzz/entries.h"
#include "fuzz/memory_file.h"
#include "fuzz/require.h"
#include "hwest/target.h"
#include "report/read_json.h"
#include "workload/candidates.h"

namespace hwest::test {
namespace {

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
  Require(CompareEvidence(*evidence, *evidence).empty(), "a record is equal to itself");
}

}  // namespace hwest::test

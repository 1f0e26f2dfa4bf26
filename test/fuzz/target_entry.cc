#include "fuzz/entries.h"
#include "fuzz/require.h"
#include "hwest/target.h"

namespace hwest::test {

void RunTarget(absl::string_view bytes) {
  const absl::StatusOr<Target> target = ParseTarget(bytes, "target");
  RequireKnownError(target.status());
  if (!target.ok()) return;
  RequireKnownError(ApplyMode(*target, "").status());
  for (const Mode& mode : target->modes) Require(ApplyMode(*target, mode.name).ok(), "a listed mode applies");
}

}  // namespace hwest::test

// Laws that hold for a model on every target, whatever its figures:
//
//   faster  no unit with a higher clock or more cores, and no memory with more bandwidth or room, makes it slower
//   traffic  nor does any of these move more through the shared memories, where the plan places alike
//   batch   a batch of eight is no faster than one image, and no slower per image
//   fused   fusing makes the model no slower
//   narrower  where rates grow from one precision to a narrower one, the model gets no slower, but for what the file
//           states to be slower there (StatedSlowdown)
//   bounds  no estimate is below what the peak rate of its unit and the peak bandwidth of its memory need
//   whole   intervals contain their figure, the time between results is no longer than a pass, energy is above zero
//   placement  the best plan takes no longer than that of the toolchain, which says so where it takes clearly less; and
//           what the toolchain supports is left to no other unit
//   power   what the target draws on average, its host aside, is within the cap of its mode, alone and in a batch
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/analysis.h"
#include "hwest/target.h"

namespace hwest::test {

struct Violation {
  std::string law;   // as above
  std::string what;  // the change that was made, or the figure that is wrong
  double bound = 0;  // what `found` may not pass
  double found = 0;
};

// Which changes of the target are tried: each unit and memory alone, or all of them at once.
enum class Changes { kEach, kTogether };

// CheckSanity analyses `graph` bound by `bind` on `target`, whose mode is applied, and on changed copies of it. Plans
// are made for latency, so slower and faster mean that, for a batch also the time between results. A batch
// that the model cannot take is left out. Errors: those of the first analysis.
absl::StatusOr<std::vector<Violation>> CheckSanity(const std::shared_ptr<const Graph>& graph, const BindRequest& bind,
                                                   const Target& target, Changes changes);

// "faster: clock of gpu x1.3: 1.25e-3, at most 1.2e-3"
std::string TextOf(const Violation& violation);

// The built-in target with the mode applied, as a target of that one mode.
absl::StatusOr<Target> TargetInMode(const std::string& name, const std::string& mode);

}  // namespace hwest::test

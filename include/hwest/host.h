// The host of a discrete module: the CPU, with its memory, that feeds an accelerator behind PCIe or USB and runs what it
// cannot.
//
//   HWEST_ASSIGN_OR_RETURN(const Target kit, UseHost(*LoadTarget("hailo-8"), *LoadTarget("raspberry-pi-5")));
//   request.loaded = std::make_shared<const Target>(kit);
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/target.h"

namespace hwest {

// A CPU is a discrete host when the target has placeable accelerators and all of them have memories of their own: they
// are modules behind a link. The CPU of a SoC shares its memory with the engines beside it.
bool IsDiscreteHost(const Target& target, UnitId unit);

// IsDiscrete says whether the target is a module beside its host.
bool IsDiscrete(const Target& target);

// UseHost returns a discrete module with the first CPU unit of `host`, and the memories that unit uses, in place of its
// own: as in the default mode of `host`, under the name of the CPU unit that it replaces. Links become no wider than the
// slot that `host` states; else links, modes of the module and idle_w stay. Target::host names the host. Errors: kUsage
// when `module` is not discrete, kTargetInvalid when `host` has no CPU unit.
absl::StatusOr<Target> UseHost(const Target& module, const Target& host);

// What a power of the target covers, in words: "the module", "the card without its host". None where the target does
// not say.
std::optional<std::string> PowerOfText(const Target& target, bool host_computes);

// LoadWithHost is LoadTarget of `module` beside `host`, each a built-in name, an alias or a path. Errors: of LoadTarget
// and UseHost.
absl::StatusOr<Target> LoadWithHost(absl::string_view module, absl::string_view host);

}  // namespace hwest

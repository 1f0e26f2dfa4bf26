// The host of a discrete module: the CPU and its memory that feed an accelerator over PCIe or USB and run what the
// module cannot.
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

// UseHost replaces the CPU unit of a discrete module, and the memories it uses, by the first CPU unit of `host` in its
// default mode, under the old name. Links are limited to the slot that `host` states; links, modes of the module and
// idle_w otherwise stay. Target::host names the host. Errors: kUsage if `module` is not discrete, kTargetInvalid if
// `host` has no CPU unit.
absl::StatusOr<Target> UseHost(const Target& module, const Target& host);

// What the target's power figures cover, in words: "the module", "the card without its host". None if the target does
// not say.
std::optional<std::string> PowerOfText(const Target& target, bool host_computes);

// LoadWithHost is LoadTarget of `module` beside `host`, each a built-in name, an alias or a path. Errors: of LoadTarget
// and UseHost.
absl::StatusOr<Target> LoadWithHost(absl::string_view module, absl::string_view host);

}  // namespace hwest

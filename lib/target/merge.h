// Inheritance between target files.
#pragma once

#include <string>

#include "target/proto.h"

namespace hwest {

// Merge lays `ours` over `base`, by the keys of the rows and field by field; ours wins. A Fact with a value replaces
// the whole Fact. The rows named in ours.remove() ("unit/dla1") go first, with the links and settings that refer to
// them, and so do the fits of a unit ("fit/cpu"). Aliases, measured_as, base and remove are not inherited. Returns
// false and names the entry in `*missing` when base has no such row.
[[nodiscard]] bool Merge(const proto::Target& base, const proto::Target& ours, proto::Target* out,
                         std::string* missing);

// The same of toolchains: an operator that ours states loses its row of base; patterns and sources go by their keys.
void Merge(const proto::Toolchain& base, const proto::Toolchain& ours, proto::Toolchain* out);

// ExpandLikes lays each unit with `like` over a copy of the unit it names, in file order. Returns false and names the
// unit in `*missing` when there is no such unit before it.
[[nodiscard]] bool ExpandLikes(proto::Target* target, std::string* missing);

}  // namespace hwest

// Inheritance between target files.
#pragma once

#include <string>

#include "target/proto.h"

namespace hwest {

// Merge lays `ours` over `base`, matching rows by key, then field by field; ours wins. A Fact with a value replaces the
// whole Fact. It first removes the rows named in ours.remove() ("unit/dla1"), with the links and settings that refer to
// them, and the fits of a unit ("fit/cpu"). Aliases, measured_as, base and remove are not inherited. Returns false and
// names the entry in `*missing` when base has no such row.
[[nodiscard]] bool Merge(const proto::Target& base, const proto::Target& ours, proto::Target* out,
                         std::string* missing);

// The same for toolchains: an operator that ours states loses its row in base; patterns and sources merge by key.
void Merge(const proto::Toolchain& base, const proto::Toolchain& ours, proto::Toolchain* out);

// ExpandLikes lays each unit with `like` over a copy of the unit that it names, in file order. Returns false and names
// the unit in `*missing` when no earlier unit has that name.
[[nodiscard]] bool ExpandLikes(proto::Target* target, std::string* missing);

}  // namespace hwest

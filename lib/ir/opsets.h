// Which version of an operator set applies to a node.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "base/interner.h"
#include "hwest/diagnostic.h"
#include "hwest/graph.h"

namespace hwest {

using OpsetMap = absl::flat_hash_map<StrId, int64_t>;

// "" for the default domain however it is spelled.
absl::string_view CanonicalDomain(absl::string_view domain);

// Imports of a model or function as a map; of several imports of one domain the highest counts.
OpsetMap MakeOpsetMap(const std::vector<OpsetImport>& imports, StringTable& strings);

// Adds what a model may leave out: com.microsoft is 1; the default domain is 1 before IR 3, later the operator set
// released with that IR version, with a diagnostic.
void AddMissingOpsets(OpsetMap& opsets, int64_t ir_version, StringTable& strings, std::vector<Diagnostic>& diagnostics);

}  // namespace hwest

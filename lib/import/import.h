// Imports a model from a path, standard input or memory.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "import/read_options.h"
#include "ir/raw.h"

namespace hwest {

// ReadModelFile reads the model at `path`; "-" is standard input. Errors: kModelMissing (with similar names in that
// folder as remedy), kModelFormat, kModelCorrupt, kModelRefused.
absl::StatusOr<RawModel> ReadModelFile(const std::string& path, const ReadOptions& options = {});

// ReadModelMemory reads a model from `bytes`, which need not outlive the call; `name` is used in messages.
absl::StatusOr<RawModel> ReadModelMemory(absl::string_view bytes, const std::string& name,
                                         const ReadOptions& options = {});

}  // namespace hwest

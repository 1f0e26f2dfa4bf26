// The bytes of an edited model: what the edits did not touch is copied by range, in the order of the file.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "rewrite/edited_model.h"
#include "rewrite/payload.h"

namespace hwest {

struct WriteTotals {
  int64_t bytes = 0;
  int64_t copied_bytes = 0;  // of them, ranges of the file as they are
};

// Errors: those of `sink` and of reading; kModelCorrupt when the file became another meanwhile.
absl::StatusOr<WriteTotals> WriteModel(const EditedModel& model, ByteSink sink);

}  // namespace hwest

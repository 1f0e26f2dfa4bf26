// Passes members of hwest_options as texts to the setters of lib/analysis.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "analysis/request_options.h"
#include "hwest.h"

namespace hwest::capi {

// Give sets the option called `name`; a default leaves it alone. Errors: those of hwest::Give; kUsage for a number that
// is no constant of hwest.h.
absl::Status Give(absl::string_view name, const char* text, RequestDraft* draft);
absl::Status Give(absl::string_view name, const char* const* list, RequestDraft* draft);
absl::Status Give(absl::string_view name, int32_t number, RequestDraft* draft);
absl::Status Give(absl::string_view name, int64_t number, RequestDraft* draft);
absl::Status Give(absl::string_view name, double figure, RequestDraft* draft);

// GiveOptions gives every member that is an option.
absl::Status GiveOptions(const hwest_options& options, RequestDraft* draft);

}  // namespace hwest::capi

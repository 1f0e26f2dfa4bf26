// Members of hwest_options as texts for the setters of lib/analysis.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "analysis/request_options.h"
#include "hwest.h"

namespace hwest::capi {

// Give hands a member to the option of that name; what is default stays so. Errors: as of hwest::Give; kUsage for a
// number that is no constant of hwest.h.
absl::Status Give(absl::string_view name, const char* text, RequestDraft* draft);
absl::Status Give(absl::string_view name, const char* const* list, RequestDraft* draft);
absl::Status Give(absl::string_view name, int32_t number, RequestDraft* draft);
absl::Status Give(absl::string_view name, int64_t number, RequestDraft* draft);
absl::Status Give(absl::string_view name, double figure, RequestDraft* draft);

// GiveOptions hands over every member that is an option.
absl::Status GiveOptions(const hwest_options& options, RequestDraft* draft);

}  // namespace hwest::capi

// The library as a whole: versions, the last error, cancellation, buffers, and the program inside.
#include <cstdint>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "words.h"

using hwest::capi::Guard;
using hwest::capi::NullArgument;

const char* hwest_version(void) { return HWEST_VERSION; }

uint32_t hwest_version_number(void) {
  return 1000000u * HWEST_VERSION_MAJOR + 1000u * HWEST_VERSION_MINOR + HWEST_VERSION_PATCH;
}

uint32_t hwest_abi_version(void) { return 65536u * HWEST_ABI_MAJOR + HWEST_ABI_MINOR; }

const char* hwest_last_error_message(void) { return hwest::capi::LastErrorMessage(); }

const char* hwest_last_error_code(void) { return hwest::capi::LastErrorCode(); }

void hwest_set_words(int32_t words) { hwest::capi::SetWords(words); }

hwest_status hwest_cancel_create(hwest_cancel** cancel) {
  return Guard([&]() -> absl::Status {
    if (cancel == nullptr) return NullArgument("cancel");
    *cancel = new hwest_cancel{std::make_shared<std::atomic<bool>>(false)};
    return absl::OkStatus();
  });
}

void hwest_cancel_request(hwest_cancel* cancel) {
  if (cancel != nullptr) cancel->requested->store(true);
}

int32_t hwest_cancel_requested(const hwest_cancel* cancel) {
  return cancel != nullptr && cancel->requested->load() ? 1 : 0;
}

void hwest_cancel_free(hwest_cancel* cancel) { delete cancel; }

const char* hwest_buffer_data(const hwest_buffer* buffer) { return buffer == nullptr ? "" : buffer->bytes.c_str(); }

size_t hwest_buffer_size(const hwest_buffer* buffer) { return buffer == nullptr ? 0 : buffer->bytes.size(); }

void hwest_buffer_free(hwest_buffer* buffer) { delete buffer; }

int32_t hwest_main(int32_t argc, const char* const* argv) {
  constexpr int32_t kUsageExit = 2, kInternalExit = 1;
  int32_t exit_code = argv == nullptr ? kUsageExit : kInternalExit;
  Guard([&]() -> absl::Status {
    if (argv == nullptr) return NullArgument("argv");
    std::vector<std::string> args;
    for (int32_t i = 1; i < argc; ++i) args.emplace_back(argv[i]);
    exit_code = hwest::RunProgram(args);
    return absl::OkStatus();
  });
  return exit_code;
}

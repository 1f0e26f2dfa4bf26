// Where C++ ends: statuses and exceptions become a hwest_status and this thread's last error; structs cross by size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest.h"

namespace hwest::capi {

// Runs `body` and remembers how it ended. No exception escapes, only a number.
hwest_status Guard(absl::FunctionRef<absl::Status()> body) noexcept;

const char* LastErrorMessage() noexcept;
const char* LastErrorCode() noexcept;

// kUsage errors about arguments.
absl::Status NullArgument(absl::string_view name);
absl::Status BadStructSize(absl::string_view name);
absl::Status UnknownOption(absl::string_view name);
absl::Status NotZero(absl::string_view name, absl::string_view member, uint32_t value);
absl::Status BadOption(absl::string_view name, int64_t value, absl::string_view remedy);

// The caller's option struct as ours; members that it lacks are zero. Errors: kUsage when struct_size is too small, or
// when a reserved member or a field that we do not know is set.
template <class T>
absl::StatusOr<T> CopyIn(absl::string_view name, const T* theirs) {
  T ours{};
  ours.struct_size = sizeof ours;
  if (theirs == nullptr) return ours;
  const size_t size = theirs->struct_size;
  if (size < sizeof theirs->struct_size) return BadStructSize(name);
  const auto* bytes = reinterpret_cast<const char*>(theirs);
  std::memcpy(&ours, bytes, std::min(size, sizeof ours));
  for (size_t i = sizeof ours; i < size; ++i) {
    if (bytes[i] != 0) return UnknownOption(name);
  }
  if constexpr (requires { ours.reserved; }) {
    if (ours.reserved != 0) return NotZero(name, "reserved", ours.reserved);
  }
  if constexpr (requires { ours.reserved1; }) {
    if (ours.reserved1 != 0) return NotZero(name, "reserved1", ours.reserved1);
  }
  if constexpr (requires { ours.reserved2; }) {
    if (ours.reserved2 != 0) return NotZero(name, "reserved2", ours.reserved2);
  }
  return ours;
}

// Fills the caller's struct of `size` bytes. Errors: kUsage when it cannot hold a struct_size.
template <class T>
absl::Status CopyOut(absl::string_view name, T ours, size_t size, T* theirs) {
  if (size < sizeof ours.struct_size) return BadStructSize(name);
  ours.struct_size = static_cast<uint32_t>(std::min(size, sizeof ours));
  std::memcpy(theirs, &ours, ours.struct_size);
  return absl::OkStatus();
}

}  // namespace hwest::capi

// Source: where the bytes of a model come from. Random access with 64-bit offsets; nothing is mapped.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hwest {

// Source is an open regular file or a span of memory. It owns its file descriptor, not its memory.
class Source {
 public:
  // OpenFile opens a regular file. Errors: kModelMissing, also for directories, pipes and devices.
  static absl::StatusOr<Source> OpenFile(const std::string& path);
  // FromMemory reads `bytes`, which must outlive the source; `name` is used in messages.
  static Source FromMemory(absl::string_view bytes, std::string name);
  // FromDescriptor reads all of `fd`: in place when it is a regular file at its start, otherwise copied to a temporary
  // file without a name. `fd` stays the caller's. Errors: kModelMissing when it cannot be read, kModelRefused beyond
  // `max_bytes`. `check` may refuse the first bytes of what is copied, so that an endless stream is not spooled in
  // vain.
  using HeadCheck = absl::Status (*)(absl::string_view head, absl::string_view name);
  static absl::StatusOr<Source> FromDescriptor(int fd, std::string name, int64_t max_bytes, HeadCheck check = nullptr);
  // StandardInput is FromDescriptor of that, read once: what was copied is read again the next time, as a rewrite does.
  static absl::StatusOr<Source> StandardInput(int64_t max_bytes, HeadCheck check);

  Source(Source&& other) noexcept;
  Source& operator=(Source&& other) noexcept;
  ~Source();

  const std::string& name() const { return name_; }
  int64_t size() const { return size_; }
  // All bytes when the source is memory; a null view otherwise.
  absl::string_view memory() const { return memory_; }
  // Read copies [offset, offset + length) to `out`. The range must lie in the source. Errors: kModelMissing when the
  // system refuses, kModelCorrupt when the file became shorter since it was opened.
  absl::Status Read(int64_t offset, int64_t length, char* out);
  // Bytes Read has copied so far.
  int64_t bytes_read() const { return bytes_read_; }

 private:
  Source(int fd, std::string name, int64_t size) : fd_(fd), name_(std::move(name)), size_(size) {}

  int fd_ = -1;
  absl::string_view memory_;
  std::string name_;
  int64_t size_ = 0;
  int64_t bytes_read_ = 0;
};

}  // namespace hwest

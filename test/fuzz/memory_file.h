// MemoryFile: bytes as a file outside any file system.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "fuzz/require.h"

namespace hwest::test {

class MemoryFile {
 public:
  explicit MemoryFile(absl::string_view bytes) : fd_(memfd_create("bytes", MFD_CLOEXEC)) {
    while (!bytes.empty()) {
      const ssize_t written = write(fd_, bytes.data(), bytes.size());
      Require(written > 0, "memory holds the file");
      bytes.remove_prefix(static_cast<size_t>(written));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(fd_); }
  // The name by which it is opened.
  std::string path() const { return absl::StrCat("/proc/self/fd/", fd_); }

 private:
  int fd_;
};

}  // namespace hwest::test

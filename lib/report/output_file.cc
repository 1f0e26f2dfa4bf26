// Writes a report to a file, completely or not at all.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/report.h"

namespace hwest {
namespace {

absl::Status Unwritable(const std::string& path, int error) {
  return MakeError(Code::kOutputUnwritable,
                   absl::StrCat("cannot write ", EscapeControl(path), " (", std::strerror(error), ")"),
                   "choose a file in a folder that exists and that you may write to; nothing was replaced");
}

absl::Status WriteAll(int fd, absl::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Unwritable(path, errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

// Devices and pipes (/dev/null, /dev/stdout) cannot be replaced by a rename.
absl::Status WriteSpecial(const std::string& path, absl::FunctionRef<absl::Status(Sink)> write) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return Unwritable(path, errno);
  const absl::Status status = write([&](absl::string_view bytes) { return WriteAll(fd, bytes, path); });
  const bool closed = ::close(fd) == 0;
  return !status.ok() || closed ? status : Unwritable(path, errno);
}

// The file that `path` reaches through symbolic links, or `path` itself when there is none yet.
std::string Resolved(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  const std::string resolved = real == nullptr ? path : real;
  std::free(real);
  return resolved;
}

// Temporary is a file beside the final one; it is removed unless it replaces the final one.
class Temporary {
 public:
  explicit Temporary(const std::string& path) : path_(path), name_(absl::StrCat(path, ".", ::getpid(), ".tmp")) {}
  ~Temporary() {
    if (fd_ >= 0) ::close(fd_);
    if (created_) ::unlink(name_.c_str());
  }
  absl::Status Write(absl::string_view bytes) {
    if (fd_ < 0) {
      fd_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (fd_ < 0) return Unwritable(path_, errno);
      created_ = true;
    }
    return WriteAll(fd_, bytes, path_);
  }
  absl::Status Replace(const struct stat* old) {
    if (old != nullptr) (void)!::fchmod(fd_, old->st_mode & 07777);
    const int closed = ::close(std::exchange(fd_, -1));
    if (closed != 0 || std::rename(name_.c_str(), path_.c_str()) != 0) return Unwritable(path_, errno);
    created_ = false;
    return absl::OkStatus();
  }

 private:
  const std::string path_;
  const std::string name_;
  int fd_ = -1;
  bool created_ = false;
};

}  // namespace

absl::Status WriteFile(const std::string& path, absl::FunctionRef<absl::Status(Sink)> write) {
  if (path.empty()) return Unwritable(path, ENOENT);
  const std::string file = Resolved(path);
  struct stat old;
  const bool exists = ::stat(file.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return Unwritable(path, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return WriteSpecial(path, write);
  if (exists && ::access(file.c_str(), W_OK) != 0) return Unwritable(path, errno);
  Temporary temporary(file);
  HWEST_RETURN_IF_ERROR(write([&](absl::string_view bytes) { return temporary.Write(bytes); }));
  HWEST_RETURN_IF_ERROR(temporary.Write(""));
  return temporary.Replace(exists ? &old : nullptr);
}

}  // namespace hwest

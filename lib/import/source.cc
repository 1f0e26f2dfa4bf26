#include "import/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"
#include "import/container.h"

namespace hwest {
namespace {

constexpr size_t kCopyBytes = 1 << 20;
constexpr size_t kFirstBytes = 128;  // tell all containers but tar archives

absl::Status SystemError(absl::string_view what, absl::string_view name, absl::string_view remedy) {
  return MakeError(Code::kModelMissing, absl::StrCat(what, " '", name, "': ", std::strerror(errno)), remedy);
}

absl::string_view FileKind(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

// Whether `fd`, of which `info` is known, can be read in place and again.
bool IsFileAtStart(int fd, const struct stat& info) { return S_ISREG(info.st_mode) && lseek(fd, 0, SEEK_CUR) == 0; }

// A file without a name: its space is freed when the descriptor closes, however the process ends.
int OpenUnnamedFile() {
  const int fd = open(P_tmpdir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  char path[] = P_tmpdir "/onnx-hwest-XXXXXX";
  const int named = mkostemp(path, O_CLOEXEC);
  if (named >= 0) unlink(path);
  return named;
}

absl::Status WriteAll(int fd, const char* data, size_t length) {
  while (length > 0) {
    const ssize_t done = write(fd, data, length);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return SystemError("cannot write to a temporary file in", P_tmpdir, "free some space there");
    data += done;
    length -= static_cast<size_t>(done);
  }
  return absl::OkStatus();
}

// Reads until `buffer` is full or the input ends; the number of bytes read.
absl::StatusOr<size_t> ReadFull(int from, const std::string& name, absl::Span<char> buffer) {
  size_t total = 0;
  while (total < buffer.size()) {
    const ssize_t got = read(from, buffer.data() + total, buffer.size() - total);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError("cannot read", name, "check the program that writes to it");
    if (got == 0) break;
    total += static_cast<size_t>(got);
  }
  return total;
}

// Reads as much as tells a container, and checks it; a stream is judged by its first bytes before more are waited for.
absl::StatusOr<size_t> ReadHead(int from, const std::string& name, absl::Span<char> head, Source::HeadCheck check) {
  size_t got = 0;
  for (const size_t wanted : {kFirstBytes, head.size()}) {
    HWEST_ASSIGN_OR_RETURN(const size_t more, ReadFull(from, name, head.subspan(got, wanted - got)));
    got += more;
    if (check != nullptr) HWEST_RETURN_IF_ERROR(check({head.data(), got}, name));
    if (got < wanted) break;
  }
  return got;
}

absl::StatusOr<int64_t> CopyAll(int from, int to, const std::string& name, int64_t max_bytes, Source::HeadCheck check) {
  std::vector<char> buffer(kCopyBytes);
  size_t wanted = kContainerHeadBytes;  // the first time
  int64_t total = 0;
  while (true) {
    const absl::Span<char> room = absl::MakeSpan(buffer).subspan(0, wanted);
    HWEST_ASSIGN_OR_RETURN(const size_t got,
                           total == 0 ? ReadHead(from, name, room, check) : ReadFull(from, name, room));
    total += static_cast<int64_t>(got);
    if (total > max_bytes) {
      return MakeError(Code::kModelRefused, absl::StrCat(name, " holds more than ", max_bytes, " bytes"),
                       "save the model to a file and name the file");
    }
    HWEST_RETURN_IF_ERROR(WriteAll(to, buffer.data(), got));
    if (got < wanted) return total;
    wanted = kCopyBytes;
  }
}

}  // namespace

absl::StatusOr<Source> Source::OpenFile(const std::string& path) {
  // Opening a pipe for reading would wait for a writer; O_NONBLOCK has no effect on regular files.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return SystemError("cannot open", path, "check the path");
  Source source(fd, path, 0);
  struct stat info;
  if (fstat(fd, &info) != 0) return SystemError("cannot read", path, "check the path");
  if (!S_ISREG(info.st_mode)) {
    return MakeError(
        Code::kModelMissing, absl::StrCat("cannot read '", path, "': it is ", FileKind(info.st_mode)),
        S_ISFIFO(info.st_mode) ? "give '-' as the model and redirect the pipe to standard input" : "name a model file");
  }
  source.size_ = info.st_size;
  return source;
}

Source Source::FromMemory(absl::string_view bytes, std::string name) {
  Source source(-1, std::move(name), static_cast<int64_t>(bytes.size()));
  source.memory_ = bytes.data() == nullptr ? absl::string_view("", 0) : bytes;
  return source;
}

absl::StatusOr<Source> Source::FromDescriptor(int fd, std::string name, int64_t max_bytes, HeadCheck check) {
  struct stat info;
  if (fstat(fd, &info) != 0) return SystemError("cannot read", name, "name a model file");
  if (IsFileAtStart(fd, info)) {
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return SystemError("cannot read", name, "name a model file");
    return Source(copy, std::move(name), info.st_size);
  }
  const int spool = OpenUnnamedFile();
  if (spool < 0) return SystemError("cannot create a temporary file in", P_tmpdir, "save the model to a file");
  Source source(spool, std::move(name), 0);
  HWEST_ASSIGN_OR_RETURN(source.size_, CopyAll(fd, spool, source.name_, max_bytes, check));
  return source;
}

absl::StatusOr<Source> Source::StandardInput(int64_t max_bytes, HeadCheck check) {
  constexpr char kName[] = "standard input";
  struct Copy {
    std::mutex mutex;
    int fd = -1;  // -1 = none was made
    struct stat of = {};
    int64_t size = 0;
  };
  static auto* const copy = new Copy;
  const std::lock_guard lock(copy->mutex);
  struct stat info;
  if (fstat(STDIN_FILENO, &info) != 0 || IsFileAtStart(STDIN_FILENO, info)) {
    return FromDescriptor(STDIN_FILENO, kName, max_bytes, check);
  }
  if (copy->fd < 0 || info.st_dev != copy->of.st_dev || info.st_ino != copy->of.st_ino) {
    HWEST_ASSIGN_OR_RETURN(Source source, FromDescriptor(STDIN_FILENO, kName, max_bytes, check));
    if (copy->fd >= 0) close(copy->fd);
    copy->fd = std::exchange(source.fd_, -1);
    copy->of = info;
    copy->size = source.size_;
  }
  const int fd = fcntl(copy->fd, F_DUPFD_CLOEXEC, 0);
  if (fd < 0) return SystemError("cannot read", kName, "name a model file");
  return Source(fd, kName, copy->size);
}

Source::Source(Source&& other) noexcept { *this = std::move(other); }

Source& Source::operator=(Source&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(memory_, other.memory_);
  std::swap(name_, other.name_);
  std::swap(size_, other.size_);
  std::swap(bytes_read_, other.bytes_read_);
  return *this;
}

Source::~Source() {
  if (fd_ >= 0) close(fd_);
}

absl::Status Source::Read(int64_t offset, int64_t length, char* out) {
  bytes_read_ += length;
  if (memory_.data() != nullptr) {
    std::memcpy(out, memory_.data() + offset, static_cast<size_t>(length));
    return absl::OkStatus();
  }
  while (length > 0) {
    const ssize_t got = pread(fd_, out, static_cast<size_t>(length), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError("cannot read", name_, "check the disk or network the file is on");
    if (got == 0) {
      return MakeError(Code::kModelCorrupt, absl::StrCat(name_, ": the file became shorter while it was read"),
                       "wait until it is written and try again");
    }
    out += got;
    offset += got;
    length -= got;
  }
  return absl::OkStatus();
}

}  // namespace hwest

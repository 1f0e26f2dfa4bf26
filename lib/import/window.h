// Window: the part of a Source that is in memory. It skips, without reading, what is not needed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "hwest/diagnostic.h"
#include "import/source.h"

namespace hwest {

// Window reads ahead by amounts that double from kMinBytes to kMaxBytes while reading stays sequential, and start at
// kMinBytes again after a skipped payload: a stretch of m bytes between two payloads costs at most 2 m + kMinBytes.
// It also carries the first error of the reader that uses it: after an error every At() fails.
class Window {
 public:
  static constexpr int64_t kMinBytes = 64;
  static constexpr int64_t kMaxBytes = 64 * 1024;

  explicit Window(Source& source);

  int64_t size() const { return source_.size(); }
  bool ok() const { return status_.ok(); }
  const absl::Status& status() const { return status_; }

  // At returns the bytes [pos, pos + length), or null after an error. The range must lie in the source and length be at
  // most kMaxBytes. The pointer is valid until the next call.
  const char* At(int64_t pos, int64_t length) {
    if (pos >= begin_ && length <= begin_ + held_ - pos) return data_ + (pos - begin_);
    return Fill(pos, length) ? data_ + (pos - begin_) : nullptr;
  }
  // Held is At of one byte that is in memory already, else null.
  const char* Held(int64_t pos) const {
    return pos >= begin_ && pos - begin_ < held_ ? data_ + (pos - begin_) : nullptr;
  }
  // Copy appends any range of the source to `out`; ranges beyond kMaxBytes go past the window. False after an error.
  bool Copy(int64_t pos, int64_t length, std::string* out);
  // SkipPayload says that what follows is not read on from here: the next read starts small.
  void SkipPayload() { next_bytes_ = kMinBytes; }

  // Fail records an error, unless one is recorded already. Corrupt does so with the place in the file.
  void Fail(absl::Status status);
  void Fail(Code code, absl::string_view what, absl::string_view remedy);
  void Corrupt(absl::string_view what_and_where);

 private:
  bool Fill(int64_t pos, int64_t length);

  Source& source_;
  std::vector<char> buffer_;
  const char* data_ = nullptr;  // bytes [begin_, begin_ + held_)
  int64_t begin_ = 0;
  int64_t held_ = 0;
  int64_t next_bytes_ = kMinBytes;
  absl::Status status_;
};

}  // namespace hwest

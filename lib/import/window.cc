#include "import/window.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace hwest {

Window::Window(Source& source) : source_(source) {
  if (source.memory().data() == nullptr) return;
  data_ = source.memory().data();
  held_ = source.size();
}

bool Window::Fill(int64_t pos, int64_t length) {
  if (!ok()) return false;
  const int64_t end = begin_ + held_;
  const bool sequential = pos >= begin_ && pos <= end + kMaxBytes;
  if (!sequential) next_bytes_ = kMinBytes;
  const int64_t kept = pos >= begin_ && pos < end ? end - pos : 0;
  const int64_t wanted = std::max(length - kept, next_bytes_);
  const int64_t read = std::min(wanted, size() - pos - kept);
  next_bytes_ = std::min(next_bytes_ * 2, kMaxBytes);

  std::vector<char>& buffer = buffer_;
  if (kept > 0) std::memmove(buffer.data(), buffer.data() + (pos - begin_), static_cast<size_t>(kept));
  if (buffer.size() < static_cast<size_t>(kept + read)) buffer.resize(static_cast<size_t>(kept + read));
  begin_ = pos;
  held_ = kept;
  data_ = buffer.data();
  Fail(source_.Read(pos + kept, read, buffer.data() + kept));
  if (!ok()) return false;
  held_ += read;
  return true;
}

bool Window::Copy(int64_t pos, int64_t length, std::string* out) {
  if (length <= kMaxBytes) {
    const char* const bytes = At(pos, length);
    if (bytes != nullptr) out->append(bytes, static_cast<size_t>(length));
    return bytes != nullptr;
  }
  if (!ok()) return false;
  const size_t old_size = out->size();
  out->resize(old_size + static_cast<size_t>(length));
  Fail(source_.Read(pos, length, &(*out)[old_size]));
  return ok();
}

void Window::Fail(absl::Status status) { status_.Update(std::move(status)); }

void Window::Fail(Code code, absl::string_view what, absl::string_view remedy) {
  Fail(MakeError(code, absl::StrCat(source_.name(), ": ", what), remedy));
}

void Window::Corrupt(absl::string_view what_and_where) {
  Fail(Code::kModelCorrupt, what_and_where, "export or download the file again");
}

}  // namespace hwest

#include "import/source_line.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace hwest {
namespace {

constexpr size_t kMaxPart = 256;  // of a file, a function and a line of code each

struct StackFrame {
  absl::string_view file, line, function, code;
};

// `  File "model.py", line 12, in forward`
bool ReadFrame(absl::string_view text, StackFrame* frame) {
  text = absl::StripAsciiWhitespace(text);
  if (!absl::ConsumePrefix(&text, "File \"")) return false;
  const size_t quote = text.find("\", line ");
  if (quote == absl::string_view::npos) return false;
  frame->file = text.substr(0, quote);
  text.remove_prefix(quote + 8);
  const size_t end = std::min(text.find(','), text.size());
  frame->line = text.substr(0, end);
  uint64_t number;
  if (!absl::SimpleAtoi(frame->line, &number)) return false;
  text.remove_prefix(end);
  frame->function = absl::ConsumePrefix(&text, ", in ") ? text : absl::string_view();
  return true;
}

// Of the framework itself, wherever it is installed; torchvision and the like are not.
bool IsTorch(absl::string_view file) {
  return absl::StartsWith(file, "torch/") || absl::StrContains(file, "/torch/") || absl::StrContains(file, "\\torch\\");
}

// The beginning of a text that is too long to be looked at, not cut inside a character.
absl::string_view Head(absl::string_view text) {
  if (text.size() <= kMaxPart) return text;
  size_t end = kMaxPart;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

std::string TextOf(const StackFrame& frame) {
  return absl::StrCat(Head(frame.file), ":", Head(frame.line), frame.function.empty() ? "" : " in ",
                      Head(frame.function), frame.code.empty() ? "" : ": ", Head(frame.code));
}

}  // namespace

std::string SourceLineOf(absl::string_view stack_trace) {
  StackFrame last, own;  // innermost of all, and of those outside the framework
  StackFrame frame;      // that is being read; no file = none is
  const auto keep = [&] {
    if (frame.file.empty()) return;
    last = frame;
    if (!IsTorch(frame.file)) own = frame;
  };
  for (const absl::string_view line : absl::StrSplit(stack_trace, '\n')) {
    StackFrame next;
    if (ReadFrame(line, &next)) {
      keep();
      frame = next;
    } else if (frame.code.empty()) {
      frame.code = absl::StripAsciiWhitespace(line);
    }
  }
  keep();
  if (!own.file.empty()) return TextOf(own);
  return last.file.empty() ? "" : TextOf(last);
}

}  // namespace hwest

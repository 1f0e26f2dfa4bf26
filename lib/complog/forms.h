// One reader for each format. It returns a log without kernels, ends or other nodes where the text is not of its
// format.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "complog/compiler_log.h"

namespace hwest {

CompilerLog ReadRknnLog(absl::string_view text);
CompilerLog ReadQnnLog(absl::string_view text);
CompilerLog ReadOrtLog(absl::string_view text);
CompilerLog ReadTensorRtLog(absl::string_view text);
CompilerLog ReadTidlLog(absl::string_view text);
CompilerLog ReadHailoLog(absl::string_view text);
CompilerLog ReadOpenVinoLog(absl::string_view text);

// The lines of a text, without codes for colours.
std::vector<std::string> LinesOf(absl::string_view text);
// What stands in `line` behind `mark`; false when `mark` is not in it.
bool After(absl::string_view line, absl::string_view mark, absl::string_view* rest);
// The texts between single quotes: "['a', 'b']".
std::vector<std::string> QuotedIn(absl::string_view text);
// Whether a text is digits alone, as an int64.
bool IsNumber(absl::string_view text, int64_t* number);

}  // namespace hwest

// Lines and cells of the text that profilers print.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace hwest {

// Without line ends and what terminals and loggers add in front: colour codes, "D RKNN: [00:00:00.000] ".
std::vector<std::string> PlainLines(absl::string_view text);

// Words between blanks and tabs.
std::vector<absl::string_view> WordsIn(absl::string_view line);

// Cells between commas; one in quotes may have commas in it, and quotes that are doubled.
std::vector<std::string> CsvCells(absl::string_view line);

// The place of `name` among the cells; none when it is not there.
std::optional<size_t> CellNamed(const std::vector<absl::string_view>& cells, absl::string_view name);
std::optional<size_t> CellNamed(const std::vector<std::string>& cells, absl::string_view name);

// A time that is finite and not negative; none for other text.
std::optional<double> TimeIn(absl::string_view text);

}  // namespace hwest

// Comma separated tables as RFC 4180 writes them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hwest {

struct CsvRecord {
  size_t line = 0;  // of its first character, 1-based
  std::vector<std::string> fields;
};

struct CsvTable {
  std::string name;  // of the file, for errors
  std::vector<std::string> header;
  std::vector<CsvRecord> records;  // each with as many fields as the header
};

// ParseCsv reads quoted fields with doubled quotes, commas and line breaks in them; lines end with LF or CRLF. A
// byte order mark and empty lines are passed over. Errors: kUsage with FILE:LINE for a quote that is never closed or
// that text follows, a column named twice, and a record whose number of fields is not that of the header.
absl::StatusOr<CsvTable> ParseCsv(absl::string_view text, absl::string_view name);

// Errors of a table's content: kUsage, "NAME:LINE: WHAT".
absl::Status CsvError(absl::string_view name, size_t line, absl::string_view what, absl::string_view remedy);

}  // namespace hwest

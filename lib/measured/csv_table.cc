#include "measured/csv_table.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

// Reads one record after the other.
class CsvReader {
 public:
  CsvReader(absl::string_view text, absl::string_view name) : text_(text), name_(name) {}

  bool AtEnd() const { return at_ >= text_.size(); }
  // Moves past empty lines.
  void SkipBlank() {
    while (!AtEnd() && TakeLineEnd()) {
    }
  }
  absl::StatusOr<CsvRecord> Next() {
    CsvRecord record{.line = line_, .fields = {}};
    for (;;) {
      record.fields.emplace_back();
      HWEST_RETURN_IF_ERROR(ReadField(&record.fields.back()));
      if (AtEnd() || TakeLineEnd()) return record;
      ++at_;  // the comma
    }
  }

 private:
  bool TakeLineEnd() {
    const size_t length = absl::StartsWith(text_.substr(at_), "\r\n") ? 2 : text_[at_] == '\n' ? 1 : 0;
    at_ += length;
    line_ += length > 0 ? 1 : 0;
    return length > 0;
  }

  bool AtFieldEnd() const {
    return AtEnd() || text_[at_] == ',' || text_[at_] == '\n' || absl::StartsWith(text_.substr(at_), "\r\n");
  }

  absl::Status ReadField(std::string* field) {
    if (!AtEnd() && text_[at_] == '"') return ReadQuoted(field);
    const size_t begin = at_;
    while (!AtFieldEnd()) ++at_;
    *field = std::string(text_.substr(begin, at_ - begin));
    return absl::OkStatus();
  }

  absl::Status ReadQuoted(std::string* field) {
    const size_t opened = line_;
    for (++at_; !AtEnd(); ++at_) {
      if (text_[at_] == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
        ++at_;
      }
      line_ += text_[at_] == '\n' ? 1 : 0;
      field->push_back(text_[at_]);
    }
    if (AtEnd()) return CsvError(name_, opened, "a quote is never closed", "end the field with a quote");
    ++at_;
    if (AtFieldEnd()) return absl::OkStatus();
    return CsvError(name_, line_, "text follows a quoted field", "double the quotes inside a field");
  }

  absl::string_view text_;
  absl::string_view name_;
  size_t at_ = 0;
  size_t line_ = 1;
};

absl::Status CheckHeader(const CsvTable& table, size_t line) {
  for (size_t i = 0; i < table.header.size(); ++i) {
    const auto end = table.header.begin() + static_cast<ptrdiff_t>(i);
    if (std::find(table.header.begin(), end, table.header[i]) == end) continue;
    return CsvError(table.name, line, absl::StrCat("two columns are called '", table.header[i], "'"), "rename one");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CsvError(absl::string_view name, size_t line, absl::string_view what, absl::string_view remedy) {
  return MakeError(Code::kUsage, absl::StrCat(EscapeControl(name), ":", line, ": ", EscapeControl(what)), remedy);
}

absl::StatusOr<CsvTable> ParseCsv(absl::string_view text, absl::string_view name) {
  absl::ConsumePrefix(&text, "\xef\xbb\xbf");
  CsvTable table{.name = std::string(name), .header = {}, .records = {}};
  CsvReader reader(text, name);
  reader.SkipBlank();
  if (reader.AtEnd()) return CsvError(name, 1, "the file is empty", "its first line names the columns");
  HWEST_ASSIGN_OR_RETURN(CsvRecord header, reader.Next());
  table.header = std::move(header.fields);
  HWEST_RETURN_IF_ERROR(CheckHeader(table, header.line));
  for (reader.SkipBlank(); !reader.AtEnd(); reader.SkipBlank()) {
    HWEST_ASSIGN_OR_RETURN(CsvRecord record, reader.Next());
    if (record.fields.size() != table.header.size()) {
      return CsvError(name, record.line,
                      absl::StrCat(record.fields.size(), " fields, the header has ", table.header.size()),
                      "quote fields that hold a comma");
    }
    table.records.push_back(std::move(record));
  }
  return table;
}

}  // namespace hwest

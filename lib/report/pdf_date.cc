#include "report/pdf_date.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace hwest {
namespace {

constexpr absl::string_view kKey = "/CreationDate (D:";
constexpr absl::string_view kDay = "19700101000000Z";
constexpr absl::string_view kTable = "\nxref\n";
constexpr absl::string_view kStart = "\nstartxref\n";
constexpr size_t kOffsetDigits = 10;  // of one entry
constexpr size_t kEntryBytes = 20;

// Digits of `text` from `at` on.
absl::string_view NumberAt(const std::string& text, size_t at) {
  const size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
  return absl::string_view(text).substr(at, end - at);
}

// Entries of the table at `at` that point behind `edited` point `moved` bytes further.
void MoveEntries(std::string* pdf, size_t at, size_t edited, int64_t moved) {
  const absl::string_view first = NumberAt(*pdf, at);
  uint32_t entries = 0;
  if (first.empty() || !absl::SimpleAtoi(NumberAt(*pdf, at + first.size() + 1), &entries)) return;
  size_t entry = pdf->find('\n', at) + 1;
  for (uint32_t i = 0; i < entries && entry + kEntryBytes <= pdf->size(); ++i, entry += kEntryBytes) {
    int64_t offset = 0;
    if (!absl::SimpleAtoi(absl::string_view(*pdf).substr(entry, kOffsetDigits), &offset)) return;
    if (offset <= static_cast<int64_t>(edited)) continue;
    pdf->replace(entry, kOffsetDigits, absl::StrFormat("%010d", offset + moved));
  }
}

}  // namespace

void RemoveDate(std::string* pdf) {
  const size_t key = pdf->rfind(kKey.data(), std::string::npos, kKey.size());
  if (key == std::string::npos) return;
  const size_t begin = key + kKey.size();
  const size_t end = pdf->find(')', begin);
  if (end == std::string::npos) return;
  const int64_t moved = static_cast<int64_t>(kDay.size()) - static_cast<int64_t>(end - begin);
  pdf->replace(begin, end - begin, kDay.data(), kDay.size());
  const size_t table = pdf->rfind(kTable.data(), std::string::npos, kTable.size());
  const size_t start = pdf->rfind(kStart.data(), std::string::npos, kStart.size());
  if (moved == 0 || table == std::string::npos || start == std::string::npos || table < begin) return;
  MoveEntries(pdf, table + kTable.size(), begin, moved);
  const absl::string_view number = NumberAt(*pdf, start + kStart.size());
  int64_t offset = 0;
  if (!absl::SimpleAtoi(number, &offset)) return;
  pdf->replace(start + kStart.size(), number.size(), absl::StrFormat("%d", offset + moved));
}

}  // namespace hwest

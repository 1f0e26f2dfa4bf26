#include "words.h"

#include <algorithm>
#include <atomic>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "hwest.h"

namespace hwest::capi {
namespace {

std::atomic<int32_t> words_in_use{HWEST_WORDS_C};

std::string Quoted(absl::string_view text) { return absl::StrCat("\"", text, "\""); }

// Numbers and placeholders need no quotes.
std::string Plain(const std::string& value) {
  return std::any_of(value.begin(), value.end(), absl::ascii_islower) ? Quoted(value) : value;
}

bool IsNumber(absl::string_view text) {
  absl::ConsumePrefix(&text, "-");
  return !text.empty() && std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

// "NAME=TEXT" as an entry of a Python dict.
std::string Entry(absl::string_view text) {
  const size_t equals = std::min(text.find('='), text.size());
  const absl::string_view value = absl::ClippedSubstr(text, equals + 1);
  const bool is_list = absl::StartsWith(value, "[") && absl::EndsWith(value, "]");
  return absl::StrCat(Quoted(text.substr(0, equals)), ": ",
                      IsNumber(value) || is_list || value == "N" ? std::string(value) : Quoted(value));
}

// "NAME=1x2" or "1x2", likewise.
std::string ShapeEntry(absl::string_view text) {
  const size_t equals = text.rfind('=');
  const absl::string_view name = equals == text.npos ? "" : text.substr(0, equals);
  const absl::string_view sizes = equals == text.npos ? text : text.substr(equals + 1);
  return absl::StrCat(Quoted(name), ": (", absl::StrReplaceAll(sizes, {{"x", ", "}}),
                      absl::StrContains(sizes, "x") ? "" : ",", ")");
}

std::string Element(absl::string_view text) { return absl::StrCat("'", text, "'"); }

std::string Joined(const std::vector<std::string>& values, std::string (*form)(absl::string_view)) {
  return absl::StrJoin(values, ", ", [form](std::string* out, const std::string& value) { *out += form(value); });
}

std::string InC(const OptionWords& words, const std::vector<std::string>& values) {
  if (words.form == ValueForm::kSwitch) return absl::StrCat(words.c, " = 1");
  if (values.empty()) return std::string(words.c);
  if (words.form == ValueForm::kPlain) return absl::StrCat(words.c, " = ", Plain(values[0]));
  return absl::StrCat(words.c, " = {", Joined(values, Quoted), "}");
}

std::string InPython(const OptionWords& words, const std::vector<std::string>& values) {
  if (words.form == ValueForm::kSwitch) return absl::StrCat(words.python, "=True");
  if (values.empty()) return std::string(words.python);
  switch (words.form) {
    case ValueForm::kDict: return absl::StrCat(words.python, "={", Joined(values, Entry), "}");
    case ValueForm::kShapes: return absl::StrCat(words.python, "={", Joined(values, ShapeEntry), "}");
    case ValueForm::kList: return absl::StrCat(words.python, "=[", Joined(values, Element), "]");
    default: return absl::StrCat(words.python, "=", Plain(values[0]));
  }
}

// An option without a row is a member that a message of this folder names, or exists only on the command line.
std::string InWords(const NamedOption& option, int32_t face) {
  const auto rows = AllOptionWords();
  const auto is_it = [&](const OptionWords& row) { return row.flag == option.flag; };
  const auto row = std::find_if(rows.begin(), rows.end(), is_it);
  if (row != rows.end()) return face == HWEST_WORDS_PYTHON ? InPython(*row, option.values) : InC(*row, option.values);
  const std::string text = option.text();
  return std::string(face == HWEST_WORDS_PYTHON ? absl::StripPrefix(text, "options.") : absl::string_view(text));
}

// The position in `text`, from `at` on, of `words` as whole words.
size_t Find(absl::string_view text, absl::string_view words, size_t at) {
  const auto goes_on = [&](size_t end) {
    return end < text.size() && (absl::ascii_isalnum(text[end]) || text[end] == '-');
  };
  at = text.find(words, at);
  while (at != text.npos && goes_on(at + words.size())) at = text.find(words, at + 1);
  return at;
}

}  // namespace

void SetWords(int32_t words) noexcept {
  if (words == HWEST_WORDS_C || words == HWEST_WORDS_PYTHON) words_in_use.store(words);
}

std::string Worded(absl::string_view text, const std::vector<NamedOption>& options) {
  const int32_t face = words_in_use.load();
  std::string worded;
  size_t from = 0;
  for (const NamedOption& option : options) {
    const std::string words = option.text();
    const size_t at = Find(text, words, from);
    if (at == text.npos) continue;
    absl::StrAppend(&worded, text.substr(from, at - from), InWords(option, face));
    from = at + words.size();
  }
  return absl::StrCat(worded, text.substr(from));
}

}  // namespace hwest::capi

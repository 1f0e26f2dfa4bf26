#include "wording.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "analysis/request_options.h"

namespace hwest::capi {
namespace {

// The flags of an analysis, and the others that messages name; a test reads those from the sources of lib/.
std::vector<Wording> MakeWordings() {
  std::vector<Wording> rows = {
      {"--measurements", "options.measurements"},
      {"--models", "options.models"},
      {"--leave-out", "options.leave_out"},
      {"--level", "options.level"},
      {"--top", "options.top"},
      {"--format", "options.format"},
      {"`onnx-hwest targets lint FILE`", "hwest_lint_create()"},
      {"`onnx-hwest targets`", "hwest_target_list_create()"},
      {"--allow-approximate", "rewrite.allow_approximate = 1"},
      {"--annotate", "rewrite.annotate"},
      {"--opset", "rewrite.opset"},
      {"--rewrite", "hwest_rewrite()"},
      {"--start", "options.start"},
      {"--end", "options.end"},
      {"--around", "options.around"},
      {"--context needs", "options.context needs"},  // of `graph`; the other one is of language models
      {"--context", "hwest_generation_create()"},
      {"--op", "options.ops"},
      {"--unit: the target", "options.units: the target"},  // of `graph`; elsewhere it is a column of measurements
      {"--unit asks", "options.units asks"},
      {"--bound", "options.bounds"},
      {"--module", "options.module"},
      {"--columns", "options.columns"},
      {"--color-by", "options.color_by"},
      {"`graph MODEL --columns id,module`", "hwest_analysis_module_get()"},
      // Of the program alone.
      {"--strict", ""},
      {"--model", ""},
      {"--device", ""},
      {"--unit", ""},
      {"--runtime", ""},
      {"--json", ""},
      {"--output", ""},
      {"--resume", ""},
      {"--budget", ""},
      {"--fail-on", ""},
      {"--evidence", ""},
      {"--what-if", ""},
      {"--max-latency", ""},
      {"--streams", ""},
      {"--undecided", ""},
  };
  for (const RequestOption& option : AllRequestOptions()) {
    if (option.flag == nullptr) continue;
    rows.push_back({option.flag, absl::StrCat("options.", option.name), option.form == OptionForm::kList});
  }
  return rows;
}

// The text, word by word.
class Rewriter {
 public:
  explicit Rewriter(absl::string_view text) : text_(text) {}

  std::string Run() {
    while (at_ < text_.size()) {
      const Wording* wording = IsBoundary() ? Match() : nullptr;
      if (wording == nullptr) {
        out_ += text_[at_++];
      } else {
        at_ += wording->words.size();
        Write(*wording);
      }
    }
    return std::move(out_);
  }

 private:
  bool IsBoundary() const {
    return at_ == 0 || !(absl::ascii_isalnum(text_[at_ - 1]) || text_[at_ - 1] == '-' || text_[at_ - 1] == '/');
  }

  // The wording that begins here; a flag ends where its name does.
  const Wording* Match() const {
    const absl::string_view rest = text_.substr(at_);
    for (const Wording& row : Wordings()) {
      if (row.c.empty() || !absl::StartsWith(rest, row.words)) continue;
      const absl::string_view after = rest.substr(row.words.size());
      if (row.words[0] == '`' || after.empty() || !(absl::ascii_isalnum(after[0]) || after[0] == '-')) return &row;
    }
    return nullptr;
  }

  void Write(const Wording& wording) {
    absl::StrAppend(&out_, wording.c);
    std::vector<std::string> values;
    while (std::optional<absl::string_view> value = TakeValue()) {
      values.push_back(absl::StrCat("\"", *value, "\""));
      if (!wording.is_list || !TakeSame(wording)) break;
    }
    if (values.empty()) return;
    const std::string all = absl::StrJoin(values, ", ");
    absl::StrAppend(&out_, " = ", wording.is_list ? absl::StrCat("{", all, "}") : ValueOf(all));
  }

  // A number stands alone, a placeholder too.
  static std::string ValueOf(absl::string_view quoted) {
    const absl::string_view value = quoted.substr(1, quoted.size() - 2);
    const bool is_text = std::any_of(value.begin(), value.end(), [](char c) { return absl::ascii_islower(c); });
    return std::string(is_text ? quoted : value);
  }

  // The next word, when it is a value: a number, NAME, NAME=TEXT or WHAT@UNIT; quotes of the shell are left out.
  std::optional<absl::string_view> TakeValue() {
    const absl::string_view rest = text_.substr(at_);
    if (rest.size() < 2 || rest[0] != ' ') return std::nullopt;
    const bool quoted = rest[1] == '\'';
    size_t end = quoted ? rest.find('\'', 2) : rest.find_first_of(" ,;`)", 1);
    if (quoted && end == absl::string_view::npos) return std::nullopt;
    end = std::min(end, rest.size());
    while (!quoted && rest[end - 1] == '.') --end;  // of the sentence
    absl::string_view word = rest.substr(quoted ? 2 : 1, end - (quoted ? 2 : 1));
    if (!quoted && !IsValue(word)) return std::nullopt;
    at_ += quoted ? end + 1 : end;
    return word;
  }

  static bool IsValue(absl::string_view word) {
    if (word.empty() || word[0] == '-') return false;
    const bool upper = std::all_of(word.begin(), word.end(), [](char c) { return absl::ascii_isupper(c) || c == '_'; });
    return (upper && word.size() > 1) || absl::ascii_isdigit(word[0]) || absl::StrContains(word, '=') ||
           absl::StrContains(word, '@');
  }

  // " --dim" once more.
  bool TakeSame(const Wording& wording) {
    absl::string_view rest = text_.substr(at_);
    const bool same = absl::ConsumePrefix(&rest, " ") && absl::ConsumePrefix(&rest, wording.words);
    if (!same || !absl::StartsWith(rest, " ")) return false;
    at_ += 1 + wording.words.size();
    return true;
  }

  const absl::string_view text_;
  size_t at_ = 0;
  std::string out_;
};

}  // namespace

absl::Span<const Wording> Wordings() {
  static const auto* const rows = new std::vector<Wording>(MakeWordings());
  return *rows;
}

std::string InWordsOfC(absl::string_view text) { return Rewriter(text).Run(); }

}  // namespace hwest::capi

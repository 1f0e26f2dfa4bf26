#include "workload/json_text.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

constexpr int kMaxNesting = 16;

// Copies the JSON as it stands, with what the text form writes differently: keys without quotes, enumerations as words,
// the members of "dim" as messages, and no escaped slashes.
class Translator {
 public:
  Translator(absl::string_view json, absl::string_view origin) : json_(json), origin_(origin) {}

  absl::StatusOr<std::string> Run() {
    Blanks();
    HWEST_RETURN_IF_ERROR(Expect('{'));
    HWEST_RETURN_IF_ERROR(Members(0));
    Blanks();
    if (at_ < json_.size()) return Error("text behind the last brace");
    return std::move(text_);
  }

 private:
  absl::Status Error(absl::string_view what) const {
    const auto line =
        1 + std::count(json_.begin(), json_.begin() + static_cast<ptrdiff_t>(std::min(at_, json_.size())), '\n');
    return MakeError(Code::kUsage, absl::StrCat(EscapeControl(origin_), ":", line, ": ", what),
                     "write JSON with the keys of `onnx-hwest describe workload`");
  }

  char Peek() const { return at_ < json_.size() ? json_[at_] : '\0'; }

  // Lines stay where they are.
  void Blanks() {
    while (at_ < json_.size() && absl::ascii_isspace(static_cast<unsigned char>(json_[at_]))) text_ += json_[at_++];
  }

  absl::Status Expect(char c) {
    if (Peek() != c) return Error(absl::StrCat("no '", std::string(1, c), "' where one belongs"));
    ++at_;
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> Quoted() {
    HWEST_RETURN_IF_ERROR(Expect('"'));
    std::string body;
    while (Peek() != '"') {
      if (at_ >= json_.size() || json_[at_] == '\n') return Error("a text without its closing quote");
      if (json_[at_] == '\\' && at_ + 1 < json_.size()) {
        if (json_[at_ + 1] != '/') body += json_[at_];
        ++at_;
      }
      body += json_[at_++];
    }
    ++at_;
    return body;
  }

  absl::StatusOr<std::string> Key() {
    HWEST_ASSIGN_OR_RETURN(const std::string key, Quoted());
    const bool is_word = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
      return absl::ascii_isalnum(c) || c == '_';
    });
    if (!is_word) return Error(absl::StrCat("unknown key \"", EscapeControl(key), "\""));
    Blanks();
    HWEST_RETURN_IF_ERROR(Expect(':'));
    return key;
  }

  // Up to and with the closing brace.
  absl::Status Members(int depth) {
    if (depth > kMaxNesting) return Error("objects nested too deep");
    Blanks();
    while (Peek() != '}') {
      HWEST_ASSIGN_OR_RETURN(const std::string key, Key());
      if (key == "dim" && IsObject()) {
        HWEST_RETURN_IF_ERROR(Sizes());
      } else {
        absl::StrAppend(&text_, key, ":");
        HWEST_RETURN_IF_ERROR(Value(key, depth));
      }
      Blanks();
      if (Peek() == '}') break;
      HWEST_RETURN_IF_ERROR(Expect(','));
      text_ += ' ';
      Blanks();
      if (Peek() == '}') return Error("a comma before '}'");
    }
    ++at_;
    return absl::OkStatus();
  }

  bool IsObject() {
    Blanks();
    return Peek() == '{';
  }

  // {"seq": 128}, which the text form has as messages.
  absl::Status Sizes() {
    HWEST_RETURN_IF_ERROR(Expect('{'));
    Blanks();
    while (Peek() != '}') {
      HWEST_ASSIGN_OR_RETURN(const std::string name, Quoted());
      Blanks();
      HWEST_RETURN_IF_ERROR(Expect(':'));
      absl::StrAppend(&text_, "dim { name: \"", name, "\" value: ");
      HWEST_RETURN_IF_ERROR(Value("value", 1));
      text_ += " } ";
      Blanks();
      if (Peek() == '}') break;
      HWEST_RETURN_IF_ERROR(Expect(','));
      Blanks();
    }
    ++at_;
    return absl::OkStatus();
  }

  absl::Status Value(absl::string_view key, int depth) {
    Blanks();
    if (Peek() == '{') {
      ++at_;
      text_ += '{';
      HWEST_RETURN_IF_ERROR(Members(depth + 1));
      text_ += '}';
      return absl::OkStatus();
    }
    if (Peek() == '[') return List(key, depth);
    if (Peek() == '"') {
      HWEST_ASSIGN_OR_RETURN(const std::string body, Quoted());
      const bool is_word = key == "kind" || key == "yield";
      absl::StrAppend(&text_, is_word ? "" : "\"", body, is_word ? "" : "\"");
      return absl::OkStatus();
    }
    const size_t begin = at_;
    while (at_ < json_.size() && (absl::ascii_isalnum(static_cast<unsigned char>(json_[at_])) || json_[at_] == '.' ||
                                  json_[at_] == '-' || json_[at_] == '+')) {
      ++at_;
    }
    if (at_ == begin) return Error("no value where one belongs");
    absl::StrAppend(&text_, json_.substr(begin, at_ - begin));
    return absl::OkStatus();
  }

  absl::Status List(absl::string_view key, int depth) {
    if (depth > kMaxNesting) return Error("lists nested too deep");
    HWEST_RETURN_IF_ERROR(Expect('['));
    text_ += '[';
    Blanks();
    while (Peek() != ']') {
      HWEST_RETURN_IF_ERROR(Value(key, depth + 1));
      Blanks();
      if (Peek() == ']') break;
      HWEST_RETURN_IF_ERROR(Expect(','));
      text_ += ',';
      Blanks();
    }
    ++at_;
    text_ += ']';
    return absl::OkStatus();
  }

  const absl::string_view json_, origin_;
  size_t at_ = 0;
  std::string text_;
};

}  // namespace

bool LooksLikeJson(absl::string_view text) { return absl::StripLeadingAsciiWhitespace(text).substr(0, 1) == "{"; }

absl::StatusOr<std::string> TextFromJson(absl::string_view json, absl::string_view origin) {
  return Translator(json, origin).Run();
}

}  // namespace hwest

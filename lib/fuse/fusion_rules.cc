#include "fuse/fusion_rules.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "target/names.h"

namespace hwest {
namespace {

constexpr size_t kMaxRules = 1000;
constexpr absl::string_view kRemedy = "write NAME = EXPRESSION, see `onnx-hwest describe fusions`";

bool IsName(absl::string_view text) {
  return !text.empty() && !absl::ascii_isdigit(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '_';
  });
}

int OpenParentheses(absl::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '(')) -
         static_cast<int>(std::count(text.begin(), text.end(), ')'));
}

class RulesParser {
 public:
  RulesParser(absl::string_view text, absl::string_view name, FusionRules* rules)
      : lines_(absl::StrSplit(text, '\n')), name_(name), rules_(*rules) {
    const auto vocabulary = PatternVocabulary();
    rules_.vocabulary.assign(vocabulary.begin(), vocabulary.end());
  }

  absl::Status Parse() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      const absl::string_view line = Content(line_);
      if (absl::StripAsciiWhitespace(line).empty()) continue;
      HWEST_RETURN_IF_ERROR(absl::ascii_isspace(line[0]) ? ParseStatement(line) : ParseRule(line));
    }
    return absl::OkStatus();
  }

 private:
  absl::string_view Content(size_t line) const {
    return absl::StripTrailingAsciiWhitespace(lines_[line].substr(0, lines_[line].find('#')));
  }

  absl::Status Error(size_t line, size_t column, absl::string_view what, absl::string_view remedy = kRemedy) const {
    return MakeError(Code::kUsage, absl::StrCat(name_, ":", line + 1, ":", column + 1, ": ", what), remedy);
  }

  absl::string_view Keep(absl::string_view text) { return rules_.texts.emplace_back(text); }

  absl::Status ParseRule(absl::string_view line) {
    const size_t equals = line.find('=');
    if (equals == absl::string_view::npos) return Error(line_, line.size(), "expected '='");
    const absl::string_view head = absl::StripAsciiWhitespace(line.substr(0, equals));
    const bool is_fragment = absl::ConsumePrefix(&line, "@");
    const absl::string_view name = is_fragment ? head.substr(1) : head;
    if (!IsName(name)) {
      return Error(line_, 0, absl::StrCat("'", EscapeControl(head), "' is no name"),
                   "use lower-case letters, digits and underscores");
    }
    const size_t first_line = line_;
    std::string text = TakeText(equals + 1);
    return is_fragment ? AddFragment(name, text, first_line) : AddRow(name, text, first_line, equals + 1);
  }

  // The rest of the line and, while a parenthesis is open, the lines after it.
  std::string TakeText(size_t begin) {
    std::string text(Content(line_).substr(begin));
    while (OpenParentheses(text) > 0 && line_ + 1 < lines_.size()) absl::StrAppend(&text, "\n", Content(++line_));
    return text;
  }

  absl::Status AddFragment(absl::string_view name, absl::string_view text, size_t line) {
    for (const Fragment& fragment : rules_.vocabulary) {
      if (fragment.name == name)
        return Error(line, 0, absl::StrCat("there is a fragment '", name, "' already"), "rename it");
    }
    rules_.vocabulary.push_back({Keep(name), Keep(absl::StripAsciiWhitespace(text))});
    return absl::OkStatus();
  }

  absl::Status AddRow(absl::string_view name, absl::string_view text, size_t line, size_t column) {
    absl::StatusOr<Pattern> pattern = ParsePattern(text, rules_.vocabulary);
    if (!pattern.ok()) return Located(pattern.status(), text, line, column);
    const auto is_same = [&](const PatternRow& row) { return row.name == name; };
    HWEST_RETURN_IF_ERROR(CheckOperators(*pattern, line, column));
    const auto table = AllPatterns();
    if (std::any_of(table.begin(), table.end(), is_same) ||
        std::any_of(rules_.rows.begin(), rules_.rows.end(), is_same)) {
      return Error(line, 0, absl::StrCat("there is a pattern '", name, "' already"), "rename it");
    }
    if (rules_.rows.size() == kMaxRules) return Error(line, 0, "more than 1000 patterns", "split the file");
    PatternRow row;
    row.name = row.family = Keep(name);
    row.expression = Keep(absl::StrJoin(absl::StrSplit(text, absl::ByAnyChar(" \n\t"), absl::SkipEmpty()), " "));
    row.words = "a pattern of the user's";
    row.source = Keep(name_);
    rules_.rows.push_back(row);
    rules_.patterns.push_back(*std::move(pattern));
    rules_.toolchains.emplace_back();
    return absl::OkStatus();
  }

  // Operators of the domains that have rules have to have one; others are the user's own.
  absl::Status CheckOperators(const Pattern& pattern, size_t line, size_t column) const {
    for (const Expr& expr : pattern.exprs) {
      for (const auto* ops : {&expr.ops, &expr.through}) {
        for (const OpName& name : *ops) {
          const NameProblem problem = CheckOperator(name.domain, name.op);
          if (!problem.message.empty()) return Error(line, column, problem.message, problem.remedy);
        }
      }
    }
    return absl::OkStatus();
  }

  // The error of ParsePattern with its column turned into a place in the file.
  absl::Status Located(const absl::Status& status, absl::string_view text, size_t line, size_t column) const {
    const std::vector<std::string> parts = absl::StrSplit(status.message(), absl::MaxSplits(": ", 1));
    size_t offset = 0;
    if (parts.size() == 2 && absl::SimpleAtoi(absl::StripPrefix(parts[0], "column "), &offset)) --offset;
    const absl::string_view before = text.substr(0, offset);
    const size_t newline = before.rfind('\n');
    line += static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
    column = newline == absl::string_view::npos ? column + offset : offset - newline - 1;
    return Error(line, column, parts.back(), "see `onnx-hwest describe fusions` for how expressions are written");
  }

  absl::Status NoStatement(absl::string_view line, size_t column) const {
    return Error(line_, column, absl::StrCat("found '", EscapeControl(absl::StripAsciiWhitespace(line)), "'"),
                 "write family NAME, toolchains NAME, .. or picks NAME, ..");
  }

  absl::Status ParseStatement(absl::string_view line) {
    const size_t begin = line.size() - absl::StripLeadingAsciiWhitespace(line).size();
    std::vector<std::string> words = absl::StrSplit(line, absl::ByAnyChar(" ,\t"), absl::SkipEmpty());
    if (words.empty()) return NoStatement(line, begin);
    const std::string keyword = words[0];
    words.erase(words.begin());
    if (rules_.rows.empty()) return Error(line_, begin, "a statement before the first pattern");
    if (words.empty())
      return Error(line_, line.size(), absl::StrCat("expected a name after '", EscapeControl(keyword), "'"));
    PatternRow& row = rules_.rows.back();
    if (keyword == "toolchains") {
      for (const std::string& word : words) {
        const NameProblem problem = CheckToolchainName(word);
        if (!problem.message.empty()) return Error(line_, begin, problem.message, problem.remedy);
      }
      rules_.toolchains.back() = std::move(words);
    } else if (keyword == "picks") {
      for (const std::string& word : words) {
        const NameProblem problem = CheckFusion(word);
        if (!problem.message.empty()) return Error(line_, begin, problem.message, problem.remedy);
      }
      row.picks = Keep(absl::StrJoin(words, " "));
    } else if (keyword == "family" && words.size() == 1 && IsName(words[0])) {
      row.family = Keep(words[0]);
    } else {
      return NoStatement(line, begin);
    }
    return absl::OkStatus();
  }

  std::vector<absl::string_view> lines_;
  absl::string_view name_;
  FusionRules& rules_;
  size_t line_ = 0;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const FusionRules>> FusionRules::Parse(absl::string_view text, absl::string_view name) {
  auto rules = std::make_shared<FusionRules>();
  HWEST_RETURN_IF_ERROR(RulesParser(text, name, rules.get()).Parse());
  return std::shared_ptr<const FusionRules>(std::move(rules));
}

}  // namespace hwest

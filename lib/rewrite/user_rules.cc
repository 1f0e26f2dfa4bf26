#include "rewrite/user_rules.h"

#include <algorithm>
#include <set>
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
#include "rewrite/figures.h"
#include "target/names.h"

namespace hwest {
namespace {

constexpr size_t kMostUserRules = 1000;
constexpr int64_t kMostSampleElements = 1 << 20;
constexpr absl::string_view kRuleForm = "write NAME = PATTERN -> REPLACEMENT, see `onnx-hwest describe rules`";
constexpr absl::string_view kRuleStatements =
    "write when CHECK, exactness exact|rounding|approximate, words TEXT, because TEXT, sample EXPRESSION or of NAME "
    "TYPE";
constexpr absl::string_view kArrow = "->";

bool IsRuleName(absl::string_view text) {
  return !text.empty() && !absl::ascii_isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '_'; });
}

bool GoesOn(absl::string_view text) {
  const auto open = std::count(text.begin(), text.end(), '('), closed = std::count(text.begin(), text.end(), ')');
  const absl::string_view end = absl::StripTrailingAsciiWhitespace(text);
  return open > closed || absl::EndsWith(end, kArrow) || absl::EndsWith(end, ";") || absl::EndsWith(end, ",");
}

template <class Rows>
std::vector<std::string> NamesForUsers(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) {
    if constexpr (std::is_pointer_v<std::decay_t<decltype(row)>>) {
      if (row->takes != kOwnRulesOnly) names.emplace_back(row->name);
    } else {
      if (row.takes != kOwnRulesOnly) names.emplace_back(row.name);
    }
  }
  return names;
}

// What is wrong with the names in a rule; no `what` = nothing.
struct NameFault {
  std::string name;  // as it stands in the text
  std::string what;
  std::string remedy;
  std::string behind = "";  // the figure or check that it is handed to
};

// Where the name stands as a word in the text, from `from` on; `from` when it does not.
size_t PlaceOf(absl::string_view text, absl::string_view name, size_t from) {
  const auto is_part = [&](size_t at) {
    return at < text.size() && (absl::ascii_isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (size_t at = text.find(name, from); at != absl::string_view::npos; at = text.find(name, at + 1)) {
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + name.size())) return at;
  }
  return from;
}

size_t PlaceOf(absl::string_view text, const NameFault& fault) {
  return PlaceOf(text, fault.name, fault.behind.empty() ? 0 : PlaceOf(text, fault.behind, 0));
}

// Holds a rule to what exists, and to what can be carried out at any place.
class NameCheck {
 public:
  explicit NameCheck(const UserRule& rule) : rule_(rule), pattern_(rule.pattern) {}

  NameFault Checks() {
    for (const Call& call : rule_.parsed.checks) {
      const CheckRow* row = FindCheck(call.name);
      if (row == nullptr || row->takes == kOwnRulesOnly) return Unknown("check", call.name, NamesForUsers(AllChecks()));
      if (NameFault fault = Operands(call, row->takes); !fault.what.empty()) return fault;
    }
    return {};
  }

  NameFault Made(const Replacement& made) {
    for (const auto& statement : made.statements) {
      names_.insert(statement.names.begin(), statement.names.end());
      const MadeExpr& expr = made.exprs[statement.expr];
      if (statement.names.size() > 1 && (expr.kind != MadeExpr::Kind::kOp || expr.is_optional)) {
        return {statement.names[1], "only an operator has several outputs", "name one value"};
      }
    }
    for (const MadeExpr& expr : made.exprs) {
      if (NameFault fault = Expression(expr); !fault.what.empty()) return fault;
    }
    return {};
  }

 private:
  static NameFault Unknown(absl::string_view what, const std::string& name, const std::vector<std::string>& known) {
    const std::vector<std::string> nearest = NearestNames(name, known, 2);
    return {name, absl::StrCat("there is no ", what, " '", EscapeControl(name), "'"),
            nearest.empty() ? "`onnx-hwest describe rules` lists them"
                            : absl::StrCat("did you mean ", absl::StrJoin(nearest, " or "), "?")};
  }

  bool IsSlot(const std::string& name) const {
    return std::find(pattern_.slots.begin(), pattern_.slots.end(), name) != pattern_.slots.end();
  }
  // A value that the match ends in, under any name: a replacement that reads it would read itself.
  bool IsResult(const std::string& name) const {
    if (name == "root") return true;
    const int32_t slot = pattern_.exprs[pattern_.root].slot;
    return slot >= 0 && pattern_.slots[static_cast<size_t>(slot)] == name;
  }
  static bool IsOperand(const std::string& name) {
    int64_t index = 0;
    return absl::StartsWith(name, "root.") && absl::SimpleAtoi(name.substr(5), &index) && index >= 0;
  }
  bool IsMatched(const std::string& name) const { return name == "root" || IsOperand(name) || IsSlot(name); }
  bool IsMadeByNode(const std::string& name) const {
    if (name == "root" || IsOperand(name)) return true;
    return std::any_of(pattern_.exprs.begin(), pattern_.exprs.end(), [&](const Expr& expr) {
      const bool is_node = expr.kind == ExprKind::kOp || expr.kind == ExprKind::kEither;
      return is_node && expr.slot >= 0 && pattern_.slots[static_cast<size_t>(expr.slot)] == name;
    });
  }

  NameFault Operands(const Call& call, absl::string_view takes) const {
    size_t least = 0, most = 0;
    bool may_end = false;
    std::string kinds;
    for (const char kind : takes) {
      may_end |= kind == '?';
      if (kind == '?') continue;
      kinds.push_back(kind);
      ++most;
      least += may_end ? 0 : 1;
    }
    if (call.args.size() < least || call.args.size() > most) {
      return {call.name, absl::StrCat("'", call.name, "' takes ", OperandsText(takes)),
              "see `onnx-hwest describe rules`"};
    }
    for (size_t i = 0; i < call.args.size(); ++i) {
      const std::string& arg = call.args[i];
      double number = 0;
      const bool is_number = absl::SimpleAtod(arg, &number);
      const bool is_value = kinds[i] == 'v' || kinds[i] == 'o' || kinds[i] == 'n';
      if (is_value && !IsMatched(arg)) return UnknownValue(arg, call.name);
      if (kinds[i] == 'n' && !IsMadeByNode(arg)) {
        return {arg, absl::StrCat("'", arg, "' is made by no node of the pattern"),
                absl::StrCat("name a node there, as in ", arg, ":Op(..)"), call.name};
      }
      if (kinds[i] == '#' && !is_number)
        return {arg, absl::StrCat("'", arg, "' is no number"), "write a number", call.name};
    }
    return {};
  }

  NameFault UnknownValue(const std::string& name, const std::string& behind = "") const {
    std::vector<std::string> known = pattern_.slots;
    known.insert(known.end(), names_.begin(), names_.end());
    NameFault fault = Unknown("value", name, known);
    fault.behind = behind;
    if (!absl::StartsWith(fault.remedy, "did")) fault.remedy = "the pattern names the values that it may use";
    return fault;
  }

  NameFault Figure(const Call& call) const {
    const FigureRow* row = FindFigure(call.name);
    if (row == nullptr || row->takes == kOwnRulesOnly)
      return Unknown("figure", call.name, NamesForUsers(RewriteFigures()));
    return Operands(call, row->takes);
  }

  NameFault Expression(const MadeExpr& expr) const {
    if (expr.kind == MadeExpr::Kind::kName) {
      if (IsResult(expr.name)) {
        return {expr.name, absl::StrCat("'", expr.name, "' is the value that is replaced"),
                "name its operands and use these"};
      }
      if (!IsMatched(expr.name) && !names_.contains(expr.name)) return UnknownValue(expr.name);
    }
    if (expr.kind == MadeExpr::Kind::kCall) return Figure(expr.call);
    if (expr.kind != MadeExpr::Kind::kOp) return {};
    const bool is_root = expr.name == "Root" && expr.domain.empty();
    if (!is_root) {
      const NameProblem problem = CheckOperator(expr.domain, expr.name);
      if (!problem.message.empty()) return {expr.name, problem.message, problem.remedy};
      if (!HasRule(expr.domain, expr.name)) {
        return {expr.name, absl::StrCat("nothing is known of the operator '", expr.name, "'"),
                "a replacement writes operators of `onnx-hwest describe ops`"};
      }
    }
    if (expr.is_optional && expr.inputs.empty()) {
      return {expr.name, absl::StrCat("'", expr.name, "?' has no operand to stand for it"), "leave out the ?"};
    }
    for (const MadeAttribute& attribute : expr.attributes) {
      if (attribute.kind == MadeAttribute::Kind::kCopied) {
        if (!IsMatched(attribute.name)) return UnknownValue(attribute.name);
        continue;
      }
      if (!is_root) {
        const NameProblem problem = CheckAttribute(expr.domain, {expr.name}, attribute.name);
        if (!problem.message.empty()) return {attribute.name, problem.message, problem.remedy};
      }
      if (attribute.kind != MadeAttribute::Kind::kCall) continue;
      if (NameFault fault = Figure(attribute.call); !fault.what.empty()) return fault;
    }
    return {};
  }

  const UserRule& rule_;
  const Pattern& pattern_;
  std::set<std::string> names_;
};

// The text without blanks, to tell whether two patterns are the same.
std::string Squeezed(absl::string_view text) {
  std::string squeezed;
  for (const char c : text) {
    if (!absl::ascii_isspace(static_cast<unsigned char>(c))) squeezed.push_back(c);
  }
  return squeezed;
}

class UserRulesParser {
 public:
  UserRulesParser(absl::string_view text, absl::string_view name, UserRules* rules)
      : lines_(absl::StrSplit(text, '\n')), name_(name), rules_(*rules) {
    const auto vocabulary = RewriteVocabulary();
    rules_.vocabulary.assign(vocabulary.begin(), vocabulary.end());
  }

  absl::Status Parse() {
    for (line_ = 0; line_ < lines_.size(); ++line_) {
      const absl::string_view line = Content(line_);
      if (absl::StripAsciiWhitespace(line).empty()) continue;
      const bool is_statement = absl::ascii_isspace(static_cast<unsigned char>(line[0])) != 0;
      if (!is_statement) HWEST_RETURN_IF_ERROR(EndRule());
      HWEST_RETURN_IF_ERROR(is_statement ? ParseStatement(line) : ParseHead(line));
    }
    return EndRule();
  }

 private:
  absl::string_view Content(size_t line) const {
    return absl::StripTrailingAsciiWhitespace(lines_[line].substr(0, lines_[line].find('#')));
  }

  absl::Status Error(size_t line, size_t column, absl::string_view what, absl::string_view remedy = kRuleForm) const {
    return MakeError(Code::kUsage, absl::StrCat(name_, ":", line + 1, ":", column + 1, ": ", what), remedy);
  }

  absl::string_view Keep(absl::string_view text) { return rules_.texts.emplace_back(text); }

  absl::Status ParseHead(absl::string_view line) {
    const size_t equals = line.find('=');
    if (equals == absl::string_view::npos) return Error(line_, line.size(), "expected '='");
    absl::string_view head = absl::StripAsciiWhitespace(line.substr(0, equals));
    const bool is_fragment = absl::ConsumePrefix(&head, "@");
    if (!IsRuleName(head)) {
      return Error(line_, 0, absl::StrCat("'", EscapeControl(head), "' is no name"),
                   "use lower-case letters, digits and underscores");
    }
    const size_t first = line_;
    std::string text(line.substr(equals + 1));
    while (GoesOn(text) && line_ + 1 < lines_.size()) absl::StrAppend(&text, "\n", Content(++line_));
    return is_fragment ? AddRuleFragment(head, text, first) : AddRule(head, text, first, equals + 1);
  }

  absl::Status AddRuleFragment(absl::string_view name, absl::string_view text, size_t line) {
    for (const Fragment& fragment : rules_.vocabulary) {
      if (fragment.name == name)
        return Error(line, 0, absl::StrCat("there is a fragment '", name, "' already"), "rename it");
    }
    rules_.vocabulary.push_back({Keep(name), Keep(absl::StripAsciiWhitespace(text))});
    return absl::OkStatus();
  }

  absl::Status AddRule(absl::string_view name, absl::string_view text, size_t line, size_t column) {
    place_ = {line, column, std::string(text)};
    const size_t arrow = text.find(kArrow);
    if (arrow == absl::string_view::npos) return ErrorAt(text.size(), "expected '->' and a replacement");
    if (FindRewriteRule(name) != nullptr || std::any_of(rules_.rules.begin(), rules_.rules.end(),
                                                        [&](const UserRule& each) { return each.rule.name == name; })) {
      return Error(line, 0, absl::StrCat("there is a rule '", name, "' already"), "rename it");
    }
    if (rules_.rules.size() == kMostUserRules) return Error(line, 0, "more than 1000 rules", "split the file");
    absl::StatusOr<Pattern> pattern = ParsePattern(text.substr(0, arrow), rules_.vocabulary);
    if (!pattern.ok()) return Located(pattern.status(), 0);
    UserRule& made = rules_.rules.emplace_back();
    made.line = line + 1;
    made.pattern = *std::move(pattern);
    made.rule.name = Keep(name);
    made.rule.match = Keep(text.substr(0, arrow));
    made.rule.make = Keep(text.substr(arrow + kArrow.size()));
    made.rule.exactness = Exactness::kRounding;
    made.rule.use = RuleUse::kCanonical;
    made.rule.words = Keep(absl::StrCat("as ", name_, ":", line + 1, " says"));
    made.rule.reason = Keep("a rule of the user's");
    made.rule.pattern = &made.pattern;
    is_open_ = true;
    HWEST_RETURN_IF_ERROR(CheckPattern(made));
    std::set<std::string> keys;
    for (const OpName& op : RootOps(made.pattern, {})) keys.emplace(op.op);
    made.rule.key = Keep(absl::StrJoin(keys, " "));
    absl::StatusOr<Replacement> replacement = ParseReplacement(made.rule.make);
    if (!replacement.ok()) return Located(replacement.status(), arrow + kArrow.size());
    made.parsed.replacement = *std::move(replacement);
    const NameFault fault = NameCheck(made).Made(made.parsed.replacement);
    if (fault.what.empty()) return absl::OkStatus();
    return ErrorAt(arrow + kArrow.size() + PlaceOf(made.rule.make, fault), fault.what, fault.remedy);
  }

  absl::Status CheckPattern(const UserRule& made) const {
    for (const Expr& expr : made.pattern.exprs) {
      for (const auto* ops : {&expr.ops, &expr.through}) {
        for (const OpName& op : *ops) {
          const NameProblem problem = CheckOperator(op.domain, op.op);
          if (!problem.message.empty())
            return ErrorAt(PlaceOf(made.rule.match, op.op, 0), problem.message, problem.remedy);
        }
      }
    }
    return absl::OkStatus();
  }

  // A place in the text of the rule that is read.
  absl::Status ErrorAt(size_t offset, absl::string_view what, absl::string_view remedy = kRuleForm) const {
    const absl::string_view before = absl::string_view(place_.text).substr(0, offset);
    const size_t newline = before.rfind('\n');
    const auto lines = static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
    return Error(place_.line + lines,
                 newline == absl::string_view::npos ? place_.column + offset : offset - newline - 1, what, remedy);
  }

  // An error "column N: what" of a part of the text that begins at `begin`.
  absl::Status Located(const absl::Status& status, size_t begin) const {
    const std::vector<std::string> parts = absl::StrSplit(status.message(), absl::MaxSplits(": ", 1));
    size_t offset = 0;
    if (parts.size() == 2 && absl::SimpleAtoi(absl::StripPrefix(parts[0], "column "), &offset)) --offset;
    return ErrorAt(begin + offset, parts.back(), "see `onnx-hwest describe rules` for how rules are written");
  }

  absl::Status ParseStatement(absl::string_view line) {
    const size_t begin = line.size() - absl::StripLeadingAsciiWhitespace(line).size();
    const absl::string_view body = line.substr(begin);
    const size_t space = body.find_first_of(" \t");
    const absl::string_view keyword = body.substr(0, space);
    const absl::string_view text =
        space == absl::string_view::npos ? "" : absl::StripLeadingAsciiWhitespace(body.substr(space));
    if (!is_open_) return Error(line_, begin, "a statement before the first rule");
    if (text.empty())
      return Error(line_, line.size(), absl::StrCat("expected more after '", EscapeControl(keyword), "'"));
    UserRule& rule = rules_.rules.back();
    const size_t at = begin + static_cast<size_t>(text.data() - body.data());
    if (keyword == "when") return ParseChecks(text, at, &rule);
    if (keyword == "of") return ParseTypes(text, at, &rule);
    if (keyword == "words") {
      rule.rule.words = Keep(text);
    } else if (keyword == "because") {
      rule.rule.reason = Keep(text);
    } else if (keyword == "sample") {
      const absl::StatusOr<Replacement> parsed = ParseReplacement(text);
      if (!parsed.ok()) return Error(line_, at, parsed.status().message(), "write it as a replacement");
      rule.sample = std::string(text);
    } else if (keyword == "exactness") {
      for (const Exactness exactness : {Exactness::kExact, Exactness::kRounding, Exactness::kApproximate}) {
        if (text != ExactnessName(exactness)) continue;
        rule.rule.exactness = exactness;
        return absl::OkStatus();
      }
      return Error(line_, at, absl::StrCat("'", EscapeControl(text), "' is no exactness"),
                   "write exact, rounding or approximate");
    } else {
      return Error(line_, begin, absl::StrCat("found '", EscapeControl(keyword), "'"), kRuleStatements);
    }
    return absl::OkStatus();
  }

  absl::Status ParseChecks(absl::string_view text, size_t column, UserRule* rule) {
    absl::StatusOr<std::vector<Call>> calls = ParseCalls(text);
    if (!calls.ok())
      return Error(line_, column, calls.status().message(), "write checks as in `when floats rank(x, 4)`");
    UserRule asked;
    asked.pattern = rule->pattern;
    asked.parsed.checks = *calls;
    const NameFault fault = NameCheck(asked).Checks();
    if (!fault.what.empty()) {
      return Error(line_, column + PlaceOf(text, fault), fault.what, fault.remedy);
    }
    rule->parsed.checks.insert(rule->parsed.checks.end(), calls->begin(), calls->end());
    return absl::OkStatus();
  }

  // x float[1,8], w const float[8,8]
  absl::Status ParseTypes(absl::string_view text, size_t column, UserRule* rule) {
    const auto wrong = [&](absl::string_view part) {
      return Error(line_, column, absl::StrCat("'", EscapeControl(part), "' is no name and type"),
                   "write of x float[1,8,4,4], w const float[8]; sizes up to 1048576 elements");
    };
    while (!text.empty()) {
      const size_t end = text.find(']');
      if (end == absl::string_view::npos) return wrong(text);
      const absl::string_view part = absl::StripAsciiWhitespace(text.substr(0, end));
      text = absl::StripLeadingAsciiWhitespace(text.substr(end + 1));
      absl::ConsumePrefix(&text, ",");
      const std::vector<std::string> sides = absl::StrSplit(part, absl::MaxSplits('[', 1));
      std::vector<std::string> words = absl::StrSplit(sides[0], absl::ByAnyChar(" \t,"), absl::SkipEmpty());
      if (sides.size() != 2 || words.size() < 2 || words.size() > 3) return wrong(part);
      SampleType type{.name = words[0]};
      type.is_constant = words.size() == 3;
      if (type.is_constant && words[1] != "const") return wrong(part);
      type.elem = ElemType::kUndefined;
      for (const ElemType elem : {ElemType::kFloat, ElemType::kFloat16, ElemType::kDouble, ElemType::kInt64,
                                  ElemType::kInt32, ElemType::kInt8, ElemType::kUint8, ElemType::kBool}) {
        if (words.back() == ElemTypeName(elem)) type.elem = elem;
      }
      if (type.elem == ElemType::kUndefined) return wrong(part);
      int64_t elements = 1;
      for (const absl::string_view size : absl::StrSplit(sides[1], absl::ByAnyChar(", "), absl::SkipEmpty())) {
        int64_t number = 0;
        if (!absl::SimpleAtoi(size, &number) || number < 1 || number > kMostSampleElements) return wrong(part);
        type.dims.push_back(number);
        elements *= number;
        if (elements > kMostSampleElements) return wrong(part);
      }
      rule->types.push_back(std::move(type));
    }
    return absl::OkStatus();
  }

  // Once its statements are read: whether an earlier rule of the same pattern leaves it anything.
  absl::Status EndRule() {
    if (!is_open_) return absl::OkStatus();
    is_open_ = false;
    UserRule& rule = rules_.rules.back();
    rule.rule.parsed = &rule.parsed;
    const std::string own = Squeezed(rule.rule.match);
    for (const UserRule& other : rules_.rules) {
      if (&other == &rule) break;
      if (!other.parsed.checks.empty() || Squeezed(other.rule.match) != own) continue;
      return Error(rule.line - 1, 0,
                   absl::StrCat("the rule '", rule.rule.name, "' is never reached: '", other.rule.name, "' in line ",
                                other.line, " takes every place of that pattern"),
                   "let `when` tell them apart, or leave one out");
    }
    return absl::OkStatus();
  }

  struct Text {
    size_t line = 0, column = 0;
    std::string text;
  };

  std::vector<absl::string_view> lines_;
  absl::string_view name_;
  UserRules& rules_;
  size_t line_ = 0;
  bool is_open_ = false;  // a rule whose statements are read
  Text place_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const UserRules>> UserRules::Parse(absl::string_view text, absl::string_view name) {
  auto rules = std::make_shared<UserRules>();
  HWEST_RETURN_IF_ERROR(UserRulesParser(text, name, rules.get()).Parse());
  return std::shared_ptr<const UserRules>(std::move(rules));
}

absl::StatusOr<RulesInForce> RulesInForce::Of(absl::string_view text) {
  RulesInForce rules;
  if (!text.empty()) {
    HWEST_ASSIGN_OR_RETURN(rules.own, UserRules::Parse(text, "rewrite-rules"));
    for (const UserRule& rule : rules.own->rules) rules.all.push_back(&rule.rule);
  }
  const auto table = AllRewriteRules();
  rules.all.insert(rules.all.end(), table.begin(), table.end());
  return rules;
}

const RewriteRule* RulesInForce::Find(absl::string_view name) const {
  const auto found = std::find_if(all.begin(), all.end(), [&](const RewriteRule* rule) { return rule->name == name; });
  return found == all.end() ? nullptr : *found;
}

std::string OperandsText(absl::string_view takes) {
  std::vector<std::string> words;
  bool may_end = false;
  for (const char kind : takes) {
    if (kind == '?') {
      may_end = true;
      continue;
    }
    std::string word = kind == 'v'   ? "value"
                       : kind == 'n' ? "node"
                       : kind == 'o' ? "value or none"
                       : kind == 'a' ? "attribute"
                       : kind == 't' ? "text"
                                     : "number";
    words.push_back(may_end ? absl::StrCat("[", word, "]") : std::move(word));
  }
  return words.empty() ? "nothing" : absl::StrCat("(", absl::StrJoin(words, ", "), ")");
}

}  // namespace hwest

// Reads the rules of custom operators.
#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "ir/elem_type.h"
#include "op/op_rules.h"

namespace hwest {
namespace {

using Kind = RuleTerm::Kind;

constexpr int kMaxDepth = 64;
constexpr size_t kMaxTerms = 10'000;

struct FunctionRow {
  absl::string_view name;
  Kind kind;
};
constexpr FunctionRow kFunctions[] = {
    {"min", Kind::kMin}, {"max", Kind::kMax}, {"ceildiv", Kind::kCeilDiv}, {"broadcast", Kind::kBroadcast}};

constexpr absl::string_view kOpKinds[] = {"add", "mul", "compare", "transcendental", "integer"};  // as OpKind
static_assert(std::size(kOpKinds) == kNumOpKinds);

struct ClassRow {
  absl::string_view name;
  OpClass op_class;
};
constexpr ClassRow kClasses[] = {
    {"compute", OpClass::kCompute}, {"layout", OpClass::kLayout}, {"view", OpClass::kView}};

enum class Outputs : bool { kNo, kYes };

// Reads one line; every failure is an error with its place.
class LineParser {
 public:
  LineParser(absl::string_view file, size_t line, absl::string_view text) : file_(file), line_(line), text_(text) {}

  absl::StatusOr<std::pair<std::string, std::string>> Head(CustomRule* rule);  // domain and operator
  absl::Status Statement(CustomRule* rule);

 private:
  absl::Status Names(absl::string_view close, std::vector<std::string>* names);
  absl::Status ShapeStatement(CustomRule* rule);
  absl::Status DtypeStatement(CustomRule* rule);
  absl::Status RankStatement(CustomRule* rule);
  absl::Status MatMulStatement(CustomRule* rule);
  absl::Status OpsStatement(CustomRule* rule);
  absl::Status ClassStatement(CustomRule* rule);
  absl::StatusOr<int> Result(const CustomRule& rule);
  absl::StatusOr<int> Expression(CustomRule* rule, Outputs outputs);
  absl::StatusOr<int> Sum(int depth);
  absl::StatusOr<int> Product(int depth);
  absl::StatusOr<int> Atom(int depth);
  absl::StatusOr<int> Call(absl::string_view name, int depth);
  absl::StatusOr<int> AttributeCall();
  absl::StatusOr<int> Operand(absl::string_view name, size_t at);
  absl::StatusOr<int64_t> Number();
  int Add(RuleTerm term);

  void SkipSpace();
  bool Take(absl::string_view text);
  absl::Status Need(absl::string_view text);
  absl::Status End();
  absl::string_view Word();
  absl::Status Expected(absl::string_view what);
  absl::Status Fault(size_t at, absl::string_view what) const;
  static std::optional<int> IndexOf(const std::vector<std::string>& names, absl::string_view name);

  const absl::string_view file_;
  const size_t line_;
  const absl::string_view text_;
  size_t pos_ = 0;
  CustomRule* rule_ = nullptr;  // of the expression being read
  Outputs outputs_ = Outputs::kNo;
};

absl::Status LineParser::Fault(size_t at, absl::string_view what) const {
  return MakeError(Code::kUsage, absl::StrCat(EscapeControl(file_), ":", line_, ":", at + 1, ": ", what),
                   "`onnx-hwest describe op-rules` shows the form");
}

absl::Status LineParser::Expected(absl::string_view what) {
  SkipSpace();
  const size_t at = pos_;
  absl::string_view found = Word();
  if (found.empty()) found = text_.substr(at, 1);
  pos_ = at;
  return Fault(
      at, absl::StrCat("found ", found.empty() ? "the end of the line" : absl::StrCat("'", EscapeControl(found), "'"),
                       ", expected ", what));
}

void LineParser::SkipSpace() {
  while (pos_ < text_.size() && absl::ascii_isspace(static_cast<unsigned char>(text_[pos_]))) ++pos_;
}

bool LineParser::Take(absl::string_view text) {
  SkipSpace();
  if (text_.substr(pos_, text.size()) != text) return false;
  pos_ += text.size();
  return true;
}

absl::Status LineParser::Need(absl::string_view text) {
  return Take(text) ? absl::OkStatus() : Expected(absl::StrCat("'", text, "'"));
}

absl::Status LineParser::End() {
  SkipSpace();
  return pos_ == text_.size() ? absl::OkStatus() : Expected("the end of the line");
}

// A name: letters, digits, '_'.
absl::string_view LineParser::Word() {
  SkipSpace();
  const size_t begin = pos_;
  while (pos_ < text_.size() && (absl::ascii_isalnum(static_cast<unsigned char>(text_[pos_])) || text_[pos_] == '_')) {
    ++pos_;
  }
  return text_.substr(begin, pos_ - begin);
}

std::optional<int> LineParser::IndexOf(const std::vector<std::string>& names, absl::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional<int>(static_cast<int>(found - names.begin()));
}

absl::StatusOr<int64_t> LineParser::Number() {
  const bool negative = Take("-");
  const size_t at = pos_;
  const absl::string_view word = Word();
  int64_t value;
  if (absl::SimpleAtoi(word, &value)) return negative ? -value : value;
  pos_ = at;
  return Expected("a whole number");
}

absl::Status LineParser::Names(absl::string_view close, std::vector<std::string>* names) {
  if (!close.empty() && Take(close)) return absl::OkStatus();
  do {
    SkipSpace();
    const size_t at = pos_;
    const absl::string_view name = Word();
    if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name[0]))) {
      pos_ = at;
      return Expected("a name");
    }
    if (IndexOf(rule_->inputs, name).has_value() || IndexOf(rule_->outputs, name).has_value()) {
      return Fault(at, absl::StrCat("'", name, "' is named twice"));
    }
    names->emplace_back(name);
  } while (Take(","));
  return close.empty() ? End() : Need(close);
}

absl::StatusOr<std::pair<std::string, std::string>> LineParser::Head(CustomRule* rule) {
  rule_ = rule;
  const size_t colons = text_.find("::");
  const size_t open = text_.find('(');
  if (colons == text_.npos || open == text_.npos || open < colons) return Expected("DOMAIN::OP(INPUTS) -> OUTPUTS");
  std::string domain(absl::StripAsciiWhitespace(text_.substr(0, colons)));
  if (domain == "ai.onnx") domain.clear();
  std::string op(absl::StripAsciiWhitespace(text_.substr(colons + 2, open - colons - 2)));
  pos_ = colons + 2;
  if (op.empty() || op.find_first_of(" \t") != op.npos) return Expected("the name of an operator");
  if (HasRule(domain, op)) {
    return Fault(0, absl::StrCat(domain.empty() ? "ai.onnx" : domain, "::", op,
                                 " has a rule of its own, which no file replaces"));
  }
  pos_ = open + 1;
  HWEST_RETURN_IF_ERROR(Names(")", &rule->inputs));
  HWEST_RETURN_IF_ERROR(Need("->"));
  HWEST_RETURN_IF_ERROR(Names("", &rule->outputs));
  rule->results.resize(rule->outputs.size());
  return std::make_pair(std::move(domain), std::move(op));
}

absl::Status LineParser::Statement(CustomRule* rule) {
  rule_ = rule;
  const size_t at = pos_;
  const absl::string_view word = Word();
  if (word == "shape") return ShapeStatement(rule);
  if (word == "dtype") return DtypeStatement(rule);
  if (word == "rank") return RankStatement(rule);
  if (word == "matmul") return MatMulStatement(rule);
  if (word == "ops") return OpsStatement(rule);
  if (word == "class") return ClassStatement(rule);
  if (word == "macs") {
    HWEST_RETURN_IF_ERROR(Need("="));
    HWEST_ASSIGN_OR_RETURN(rule->macs, Expression(rule, Outputs::kYes));
    return End();
  }
  pos_ = at;
  return Expected(
      "shape, dtype, rank, macs, matmul, ops or class, or DOMAIN::OP(INPUTS) -> OUTPUTS at the line's start");
}

// An output, and the equals sign behind it.
absl::StatusOr<int> LineParser::Result(const CustomRule& rule) {
  SkipSpace();
  const size_t at = pos_;
  const auto output = IndexOf(rule.outputs, Word());
  if (!output.has_value()) {
    pos_ = at;
    return Expected("the name of an output");
  }
  HWEST_RETURN_IF_ERROR(Need("="));
  return *output;
}

absl::Status LineParser::ShapeStatement(CustomRule* rule) {
  HWEST_ASSIGN_OR_RETURN(const int output, Result(*rule));
  OutputRule& result = rule->results[static_cast<size_t>(output)];
  result.shape.reset();
  result.like.reset();
  if (!Take("[")) {
    SkipSpace();
    const size_t at = pos_;
    result.like = IndexOf(rule->inputs, Word());
    if (result.like.has_value()) return End();
    pos_ = at;
    return Expected("'[' or the name of an input");
  }
  result.shape.emplace();
  if (Take("]")) return End();
  do {
    HWEST_ASSIGN_OR_RETURN(const int size, Expression(rule, Outputs::kNo));
    result.shape->push_back(size);
  } while (Take(","));
  if (!Take("]")) return Expected("',' or ']'");
  return End();
}

absl::Status LineParser::DtypeStatement(CustomRule* rule) {
  HWEST_ASSIGN_OR_RETURN(const int output, Result(*rule));
  OutputRule& result = rule->results[static_cast<size_t>(output)];
  SkipSpace();
  const size_t at = pos_;
  const absl::string_view word = Word();
  result.elem_of = IndexOf(rule->inputs, word);
  result.elem = result.elem_of.has_value() ? std::nullopt : FindElemType(word);
  if (result.elem_of.has_value() || result.elem.has_value()) return End();
  pos_ = at;
  return Expected("the name of an input or an element type such as float16");
}

absl::Status LineParser::RankStatement(CustomRule* rule) {
  SkipSpace();
  const size_t at = pos_;
  const auto input = IndexOf(rule->inputs, Word());
  if (!input.has_value()) {
    pos_ = at;
    return Expected("the name of an input");
  }
  HWEST_RETURN_IF_ERROR(Need("="));
  HWEST_ASSIGN_OR_RETURN(const int64_t rank, Number());
  rule->ranks.emplace_back(*input, rank);
  return End();
}

absl::Status LineParser::MatMulStatement(CustomRule* rule) {
  HWEST_RETURN_IF_ERROR(Need("="));
  rule->matmul.emplace();
  for (size_t i = 0; i < rule->matmul->size(); ++i) {
    HWEST_RETURN_IF_ERROR(Need(i == 0 ? "[" : ","));
    HWEST_ASSIGN_OR_RETURN((*rule->matmul)[i], Expression(rule, Outputs::kYes));
  }
  HWEST_RETURN_IF_ERROR(Need("]"));
  return End();
}

absl::Status LineParser::OpsStatement(CustomRule* rule) {
  SkipSpace();
  const size_t at = pos_;
  const auto kind = std::find(std::begin(kOpKinds), std::end(kOpKinds), Word());
  if (kind == std::end(kOpKinds)) {
    pos_ = at;
    return Expected("add, mul, compare, transcendental or integer");
  }
  HWEST_RETURN_IF_ERROR(Need("="));
  HWEST_ASSIGN_OR_RETURN(rule->ops[static_cast<size_t>(kind - std::begin(kOpKinds))], Expression(rule, Outputs::kYes));
  return End();
}

absl::Status LineParser::ClassStatement(CustomRule* rule) {
  HWEST_RETURN_IF_ERROR(Need("="));
  SkipSpace();
  const size_t at = pos_;
  const absl::string_view word = Word();
  for (const ClassRow& row : kClasses) {
    if (row.name != word) continue;
    rule->op_class = row.op_class;
    return End();
  }
  pos_ = at;
  return Expected("compute, layout or view");
}

int LineParser::Add(RuleTerm term) {
  rule_->terms.push_back(std::move(term));
  return static_cast<int>(rule_->terms.size()) - 1;
}

absl::StatusOr<int> LineParser::Expression(CustomRule* rule, Outputs outputs) {
  rule_ = rule;
  outputs_ = outputs;
  return Sum(0);
}

absl::StatusOr<int> LineParser::Sum(int depth) {
  HWEST_ASSIGN_OR_RETURN(int left, Product(depth));
  for (;;) {
    const bool plus = Take("+");
    if (!plus && !Take("-")) return left;
    HWEST_ASSIGN_OR_RETURN(const int right, Product(depth));
    left = Add({.kind = plus ? Kind::kAdd : Kind::kSub, .a = left, .b = right});
  }
}

absl::StatusOr<int> LineParser::Product(int depth) {
  HWEST_ASSIGN_OR_RETURN(int left, Atom(depth));
  for (;;) {
    Kind kind;
    if (Take("*")) {
      kind = Kind::kMul;
    } else if (Take("//")) {
      kind = Kind::kFloorDiv;
    } else if (Take("%")) {
      kind = Kind::kMod;
    } else {
      return left;
    }
    HWEST_ASSIGN_OR_RETURN(const int right, Atom(depth));
    left = Add({.kind = kind, .a = left, .b = right});
  }
}

absl::StatusOr<int> LineParser::Atom(int depth) {
  SkipSpace();
  const size_t at = pos_;
  if (depth >= kMaxDepth || rule_->terms.size() >= kMaxTerms)
    return Fault(at, "the expression is too long or too deep");
  if (Take("(")) {
    HWEST_ASSIGN_OR_RETURN(const int inner, Sum(depth + 1));
    HWEST_RETURN_IF_ERROR(Need(")"));
    return inner;
  }
  if (Take("@")) {
    const std::string name(Word());
    if (name.empty()) return Expected("the name of an attribute");
    RuleTerm term{.kind = Kind::kAttribute, .number = -1, .attribute = name};
    if (Take(".")) {
      HWEST_ASSIGN_OR_RETURN(term.number, Number());
    }
    return Add(std::move(term));
  }
  const absl::string_view word = Word();
  if (!word.empty() && absl::ascii_isdigit(static_cast<unsigned char>(word[0]))) {
    pos_ = at;
    HWEST_ASSIGN_OR_RETURN(const int64_t number, Number());
    return Add({.kind = Kind::kNumber, .number = number});
  }
  if (word.empty()) return Expected("a size");
  if (Take("(")) return Call(word, depth);
  return Operand(word, at);
}

// x.0, x.-1 or x[0].
absl::StatusOr<int> LineParser::Operand(absl::string_view name, size_t at) {
  RuleTerm term;
  if (const auto input = IndexOf(rule_->inputs, name)) {
    term.operand = *input;
  } else if (const auto output = IndexOf(rule_->outputs, name); output.has_value() && outputs_ == Outputs::kYes) {
    term.operand = ~*output;
  } else {
    return Fault(at, absl::StrCat("found '", name, "', expected the name of an input",
                                  outputs_ == Outputs::kYes ? " or output" : ""));
  }
  if (Take(".")) {
    term.kind = Kind::kAxis;
    HWEST_ASSIGN_OR_RETURN(term.number, Number());
    return Add(std::move(term));
  }
  if (!Take("[")) return Expected("'.' and an axis, or '[' and an index");
  term.kind = Kind::kContents;
  HWEST_ASSIGN_OR_RETURN(term.number, Number());
  HWEST_RETURN_IF_ERROR(Need("]"));
  if (term.number < 0) return Fault(at, "an index is 0 or more");
  return Add(std::move(term));
}

// attr(name) or attr(name, default).
absl::StatusOr<int> LineParser::AttributeCall() {
  RuleTerm term{.kind = Kind::kAttribute, .number = -1, .attribute = std::string(Word())};
  if (term.attribute.empty()) return Expected("the name of an attribute");
  if (Take(",")) {
    HWEST_ASSIGN_OR_RETURN(term.fallback, Number());
  }
  HWEST_RETURN_IF_ERROR(Need(")"));
  return Add(std::move(term));
}

absl::StatusOr<int> LineParser::Call(absl::string_view name, int depth) {
  const size_t at = pos_ - 1 - name.size();
  if (name == "attr") return AttributeCall();
  if (name == "numel" || name == "rank") {
    SkipSpace();
    const size_t operand_at = pos_;
    const absl::string_view operand = Word();
    const auto input = IndexOf(rule_->inputs, operand), output = IndexOf(rule_->outputs, operand);
    if (!input.has_value() && (!output.has_value() || outputs_ == Outputs::kNo)) {
      pos_ = operand_at;
      return Expected(outputs_ == Outputs::kYes ? "the name of an input or output" : "the name of an input");
    }
    HWEST_RETURN_IF_ERROR(Need(")"));
    return Add(
        {.kind = name == "rank" ? Kind::kRank : Kind::kElements, .operand = input.has_value() ? *input : ~*output});
  }
  for (const FunctionRow& row : kFunctions) {
    if (row.name != name) continue;
    HWEST_ASSIGN_OR_RETURN(const int a, Sum(depth + 1));
    HWEST_RETURN_IF_ERROR(Need(","));
    HWEST_ASSIGN_OR_RETURN(const int b, Sum(depth + 1));
    HWEST_RETURN_IF_ERROR(Need(")"));
    return Add({.kind = row.kind, .a = a, .b = b});
  }
  return Fault(at, absl::StrCat("found '", name, "(', expected numel, rank, attr, min, max, ceildiv or broadcast"));
}

}  // namespace

absl::StatusOr<OpRules> OpRules::Parse(absl::string_view text, absl::string_view name) {
  OpRules rules;
  CustomRule* current = nullptr;
  size_t number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripTrailingAsciiWhitespace(line.substr(0, line.find('#')));
    if (absl::StripLeadingAsciiWhitespace(line).empty()) continue;
    LineParser parser(name, number, line);
    const bool is_head = !absl::ascii_isspace(static_cast<unsigned char>(line[0]));
    if (!is_head && current != nullptr) {
      HWEST_RETURN_IF_ERROR(parser.Statement(current));
      continue;
    }
    CustomRule rule;
    HWEST_ASSIGN_OR_RETURN(auto key, parser.Head(&rule));
    const auto [entry, fresh] = rules.rules_.emplace(std::move(key), std::move(rule));
    if (!fresh) {
      return MakeError(Code::kUsage,
                       absl::StrCat(EscapeControl(name), ":", number, ":1: found a second rule for ",
                                    entry->first.first, "::", entry->first.second),
                       "keep one of them");
    }
    current = &entry->second;
  }
  return rules;
}

std::vector<std::pair<std::string, std::string>> OpRules::Names() const {
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& [name, rule] : rules_) names.push_back(name);
  return names;
}

const CustomRule* OpRules::Find(absl::string_view domain, absl::string_view op) const {
  const auto rule = rules_.find({std::string(domain == "ai.onnx" ? "" : domain), std::string(op)});
  return rule == rules_.end() ? nullptr : &rule->second;
}

}  // namespace hwest

#include "rewrite/replacement.h"

#include <cmath>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace hwest {
namespace {

constexpr int kMostDepth = 64;
constexpr size_t kMostParts = 4096;                   // expressions of one replacement
constexpr double kMostWhole = 9223372036854774784.0;  // below 2 to the 63
constexpr double kMostFloat = std::numeric_limits<float>::max();

class Parser {
 public:
  explicit Parser(absl::string_view text) : text_(text) {}

  absl::StatusOr<Replacement> Run() {
    while (true) {
      std::vector<std::string> names;
      const size_t begin = at_;
      while (IsNameNext()) names.push_back(Name());
      if (names.empty() || !Takes('=')) {
        at_ = begin;
        break;
      }
      HWEST_ASSIGN_OR_RETURN(const uint16_t expr, Expression());
      made_.statements.push_back({std::move(names), expr});
      if (!Takes(';')) return Wrong("';' after a statement");
    }
    do {
      HWEST_ASSIGN_OR_RETURN(const uint16_t expr, Expression());
      made_.outputs.push_back(expr);
    } while (Takes(','));
    if (!AtEnd()) return Wrong("the end");
    return std::move(made_);
  }

  absl::StatusOr<std::vector<Call>> Calls() {
    std::vector<Call> calls;
    while (!AtEnd()) {
      if (!IsNameNext()) return Wrong("a name");
      HWEST_ASSIGN_OR_RETURN(Call call, CallOf(Name()));
      calls.push_back(std::move(call));
    }
    return calls;
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size() && absl::ascii_isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool AtEnd() {
    SkipBlanks();
    return at_ == text_.size();
  }
  char Next() {
    SkipBlanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Takes(char c) {
    if (Next() != c) return false;
    ++at_;
    return true;
  }
  bool IsNameNext() {
    const char c = Next();
    return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_';
  }
  std::string Name() {
    const size_t begin = at_;
    while (at_ < text_.size() &&
           (absl::ascii_isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' || text_[at_] == '.')) {
      ++at_;
    }
    // The domain of an operator may hold dots; a value's name does not.
    return std::string(text_.substr(begin, at_ - begin));
  }
  absl::Status Wrong(absl::string_view wanted) const {
    return absl::InvalidArgumentError(absl::StrCat("column ", at_ + 1, ": expected ", wanted));
  }

  absl::StatusOr<double> Number(bool* is_integer) {
    SkipBlanks();
    const size_t begin = at_;
    while (at_ < text_.size() && (absl::ascii_isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.' ||
                                  text_[at_] == '-' || (text_[at_] == 'e' && at_ > begin))) {
      ++at_;
    }
    const absl::string_view digits = text_.substr(begin, at_ - begin);
    double number = 0;
    if (!absl::SimpleAtod(digits, &number)) return Wrong("a number");
    *is_integer = digits.find_first_of(".e") == absl::string_view::npos;
    return number;
  }

  // As above, within what the attribute or constant holds that it becomes.
  absl::StatusOr<double> FittingNumber(bool* is_integer) {
    HWEST_ASSIGN_OR_RETURN(const double number, Number(is_integer));
    if (!(std::fabs(number) <= (*is_integer ? kMostWhole : kMostFloat))) return Wrong("a number that fits");
    return number;
  }

  absl::StatusOr<Call> CallOf(std::string name) {
    if (name.empty()) return Wrong("a name");
    Call call{.name = std::move(name), .args = {}};
    if (!Takes('(')) return call;
    while (!Takes(')')) {
      if (IsNameNext()) {
        call.args.push_back(Name());
      } else {
        bool is_integer = false;
        const size_t begin = at_;
        HWEST_RETURN_IF_ERROR(Number(&is_integer).status());
        call.args.emplace_back(text_.substr(begin, at_ - begin));
      }
      if (!Takes(',') && Next() != ')') return Wrong("',' or ')'");
    }
    return call;
  }

  absl::StatusOr<MadeAttribute> AttributeOf() {
    MadeAttribute made;
    if (Takes('*')) {
      made.kind = MadeAttribute::Kind::kCopied;
      if (!IsNameNext()) return Wrong("the name of a value");
      made.name = Name();
      return made;
    }
    if (!IsNameNext()) return Wrong("the name of an attribute");
    made.name = Name();
    if (!Takes('=')) return Wrong("'='");
    if (Takes('$')) {
      made.kind = MadeAttribute::Kind::kCall;
      HWEST_ASSIGN_OR_RETURN(made.call, CallOf(Name()));
      return made;
    }
    if (Takes('"')) {
      made.kind = MadeAttribute::Kind::kText;
      const size_t end = text_.find('"', at_);
      if (end == absl::string_view::npos) return Wrong("'\"'");
      made.text = std::string(text_.substr(at_, end - at_));
      at_ = end + 1;
      return made;
    }
    bool is_integer = false;
    if (Takes('[')) {
      made.kind = MadeAttribute::Kind::kInts;
      while (!Takes(']')) {
        HWEST_ASSIGN_OR_RETURN(const double number, FittingNumber(&is_integer));
        if (!is_integer) return Wrong("whole numbers");
        made.ints.push_back(static_cast<int64_t>(number));
        if (!Takes(',') && Next() != ']') return Wrong("',' or ']'");
      }
      return made;
    }
    HWEST_ASSIGN_OR_RETURN(made.number, FittingNumber(&is_integer));
    made.kind = is_integer ? MadeAttribute::Kind::kInt : MadeAttribute::Kind::kFloat;
    return made;
  }

  absl::StatusOr<uint16_t> Expression() {
    if (depth_ == kMostDepth || made_.exprs.size() >= kMostParts) return Wrong("fewer parts");
    ++depth_;
    absl::StatusOr<uint16_t> index = ExpressionInside();
    --depth_;
    return index;
  }

  absl::StatusOr<uint16_t> ExpressionInside() {
    MadeExpr made;
    if (Takes('$')) {
      made.kind = MadeExpr::Kind::kCall;
      HWEST_ASSIGN_OR_RETURN(made.call, CallOf(Name()));
    } else if (!IsNameNext()) {
      bool is_integer = false;
      made.kind = MadeExpr::Kind::kNumber;
      HWEST_ASSIGN_OR_RETURN(made.number, FittingNumber(&is_integer));
    } else {
      made.name = Name();
      if (Next() == ':' && text_.substr(at_, 2) == "::") {
        at_ += 2;
        made.domain = std::exchange(made.name, Name());
      }
      if (Takes('?')) made.is_optional = true;
      if (made.name == "_") made.kind = MadeExpr::Kind::kAbsent;
      if (Takes('(')) HWEST_RETURN_IF_ERROR(Operands(&made));
    }
    made_.exprs.push_back(std::move(made));
    return static_cast<uint16_t>(made_.exprs.size() - 1);
  }

  absl::Status Operands(MadeExpr* made) {
    made->kind = MadeExpr::Kind::kOp;
    bool in_attributes = false;
    while (!Takes(')')) {
      if (Takes(';')) in_attributes = true;
      if (in_attributes) {
        HWEST_ASSIGN_OR_RETURN(MadeAttribute attribute, AttributeOf());
        made->attributes.push_back(std::move(attribute));
      } else {
        HWEST_ASSIGN_OR_RETURN(const uint16_t input, Expression());
        made->inputs.push_back(input);
      }
      if (!Takes(',') && Next() != ')' && Next() != ';') return Wrong("',', ';' or ')'");
    }
    return absl::OkStatus();
  }

  absl::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  Replacement made_;
};

}  // namespace

absl::StatusOr<Replacement> ParseReplacement(absl::string_view text) { return Parser(text).Run(); }

absl::StatusOr<std::vector<Call>> ParseCalls(absl::string_view text) { return Parser(text).Calls(); }

}  // namespace hwest

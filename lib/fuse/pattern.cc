#include "fuse/pattern.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace hwest {
namespace {

constexpr int kMaxDepth = 64;
constexpr size_t kMaxText = 1 << 16;
constexpr size_t kMaxExprs = 4096;
constexpr int kMaxOutput = 1023;

bool IsNameChar(char c) { return absl::ascii_isalnum(c) || c == '_'; }

size_t NameEnd(absl::string_view text, size_t pos) {
  while (pos < text.size() && IsNameChar(text[pos])) ++pos;
  return pos;
}

// Position after the parenthesis that closes the one at `open`; npos when there is none.
size_t CloseOf(absl::string_view text, size_t open) {
  int depth = 0;
  for (size_t pos = open; pos < text.size(); ++pos) {
    if (text[pos] == '(') ++depth;
    if (text[pos] == ')' && --depth == 0) return pos + 1;
  }
  return absl::string_view::npos;
}

absl::Status At(size_t pos, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("column ", pos + 1, ": ", what));
}

// Text with all fragments replaced by theirs and, when asked for, for each character where it came from in the text
// that was given. Only errors need the places, so an expression is written out without them first.
struct Expansion {
  explicit Expansion(bool with) : with_places(with) {}

  void Append(absl::string_view more, size_t place) {
    text.append(more.data(), more.size());
    if (with_places) from.resize(text.size(), place);
  }
  // Characters that stand in the text that was given from `begin` on.
  void AppendGiven(absl::string_view more, size_t begin) {
    text.append(more.data(), more.size());
    if (with_places) {
      while (from.size() < text.size()) from.push_back(begin++);
    }
  }
  void AppendExpansion(const Expansion& more, size_t begin) {
    text.append(more.text);
    if (with_places) {
      for (const size_t place : more.from) from.push_back(begin + place);
    }
  }

  bool with_places;
  std::string text;
  std::vector<size_t> from;
};

absl::StatusOr<Expansion> Expand(absl::string_view text, absl::Span<const Fragment> vocabulary, int depth,
                                 bool with_places);

// Writes out the fragment's own text with `arg` in place of each %; all of it comes from `origin`, but for `arg`.
absl::Status AppendFragment(const Fragment& fragment, const Expansion& arg, size_t arg_begin, size_t origin,
                            absl::Span<const Fragment> vocabulary, int depth, Expansion* out) {
  HWEST_ASSIGN_OR_RETURN(const Expansion body, Expand(fragment.text, vocabulary, depth + 1, false));
  for (absl::string_view rest = body.text; !rest.empty() && out->text.size() <= kMaxText;) {
    const size_t end = std::min(rest.find('%'), rest.size());
    out->Append(rest.substr(0, end), origin);
    if (end < rest.size()) out->AppendExpansion(arg, arg_begin);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (out->text.size() > kMaxText) return At(origin, "the written-out expression is too long");
  return absl::OkStatus();
}

// Replaces fragments by their text.
absl::StatusOr<Expansion> Expand(absl::string_view text, absl::Span<const Fragment> vocabulary, int depth,
                                 bool with_places) {
  if (depth > kMaxDepth) return At(0, "fragments are nested too deeply");
  Expansion out(with_places);
  for (size_t pos = 0; pos < text.size();) {
    const size_t at = std::min(text.find('@', pos), text.size());
    out.AppendGiven(text.substr(pos, at - pos), pos);
    pos = at;
    if (pos == text.size()) break;
    const size_t end = NameEnd(text, pos + 1);
    const absl::string_view name = text.substr(pos + 1, end - pos - 1);
    const auto row = std::find_if(vocabulary.begin(), vocabulary.end(),
                                  [&](const Fragment& fragment) { return fragment.name == name; });
    if (row == vocabulary.end()) return At(pos, absl::StrCat("no fragment is called '", name, "'"));
    Expansion arg(with_places);
    size_t next = end;
    if (absl::StrContains(row->text, "%")) {
      next = end < text.size() && text[end] == '(' ? CloseOf(text, end) : absl::string_view::npos;
      if (next == absl::string_view::npos) return At(end, absl::StrCat("fragment '", name, "' needs an argument"));
      HWEST_ASSIGN_OR_RETURN(arg, Expand(text.substr(end + 1, next - end - 2), vocabulary, depth + 1, with_places));
    }
    HWEST_RETURN_IF_ERROR(AppendFragment(*row, arg, end + 1, pos, vocabulary, depth, &out));
    pos = next;
  }
  return out;
}

class Parser {
 public:
  explicit Parser(Expansion expansion)
      : kept_(std::make_shared<const std::string>(std::move(expansion.text))),
        text_(*kept_),
        from_(std::move(expansion.from)),
        has_domains_(absl::StrContains(text_, "::")) {
    pattern_.exprs.reserve(32);
    rows_.reserve(32);
  }

  absl::StatusOr<Pattern> Parse() {
    HWEST_ASSIGN_OR_RETURN(pattern_.root, ParseExpr(0));
    Skip();
    if (pos_ != text_.size()) return Error("unexpected text after the expression");
    KeepNames();
    if (!HasRoot(pattern_.root)) return At(0, "the root must be an operator");
    return std::move(pattern_);
  }

 private:
  // Operators of an expression, which stand side by side in names_.
  struct Names {
    size_t begin = 0;
    size_t count = 0;
  };
  struct NamesOfExpr {
    Names ops, through;
  };

  void KeepNames() {
    const auto names = std::make_shared<const std::vector<OpName>>(std::move(names_));
    for (size_t i = 0; i < rows_.size(); ++i) {
      const absl::Span<const OpName> all = *names;
      pattern_.exprs[i].ops = all.subspan(rows_[i].ops.begin, rows_[i].ops.count);
      pattern_.exprs[i].through = all.subspan(rows_[i].through.begin, rows_[i].through.count);
    }
    pattern_.names = names;
    pattern_.text = kept_;
  }

  bool HasRoot(uint16_t index) const {
    const Expr& expr = pattern_.exprs[index];
    const auto has = [&](uint16_t arg) { return HasRoot(arg); };
    if (expr.kind == ExprKind::kEither) return std::any_of(expr.args.begin(), expr.args.end(), has);
    return expr.kind == ExprKind::kOp && (expr.pick.empty() || (expr.optional && HasRoot(expr.args[0])));
  }

  absl::Status Error(absl::string_view what) const { return ErrorAt(pos_, what); }
  absl::Status ErrorAt(size_t pos, absl::string_view what) const {
    return At(pos < from_.size() ? from_[pos] : from_.empty() ? 0 : from_.back() + 1, what);
  }

  void Skip() {
    while (pos_ < text_.size() && absl::ascii_isspace(text_[pos_])) ++pos_;
  }
  bool Take(char c) {
    Skip();
    if (pos_ >= text_.size() || text_[pos_] != c) return false;
    ++pos_;
    return true;
  }
  absl::Status Expect(char c) {
    return Take(c) ? absl::OkStatus() : Error(absl::StrCat("expected '", std::string(1, c), "'"));
  }
  char Peek() {
    Skip();
    return pos_ < text_.size() ? text_[pos_] : '\0';
  }
  absl::string_view TakeName() {
    Skip();
    const size_t begin = pos_;
    pos_ = NameEnd(text_, pos_);
    return text_.substr(begin, pos_ - begin);
  }

  uint16_t Add(Expr expr, const NamesOfExpr& names) {
    pattern_.exprs.push_back(std::move(expr));
    rows_.push_back(names);
    return static_cast<uint16_t>(pattern_.exprs.size() - 1);
  }

  int32_t SlotOf(absl::string_view name) {
    const auto it = std::find(pattern_.slots.begin(), pattern_.slots.end(), name);
    if (it != pattern_.slots.end()) return static_cast<int32_t>(it - pattern_.slots.begin());
    pattern_.slots.emplace_back(name);
    return static_cast<int32_t>(pattern_.slots.size() - 1);
  }

  // True at a parenthesis that holds operator names only: "(Relu|Clip)".
  bool AtOpList() {
    if (Peek() != '(') return false;
    bool at_start = true;
    for (size_t pos = pos_ + 1; pos < text_.size(); ++pos) {
      const char c = text_[pos];
      if (c == ')') return !at_start;
      if (absl::ascii_isspace(c)) continue;
      if (at_start && !absl::ascii_isupper(c) && !AtDomain(pos)) return false;
      if (c != '|' && c != ':' && c != '.' && !IsNameChar(c)) return false;
      at_start = c == '|';
    }
    return false;
  }

  // True when an operator of a named domain starts at `pos`: "com.microsoft::BiasGelu".
  bool AtDomain(size_t pos) const {
    if (!has_domains_) return false;
    while (pos < text_.size() && (IsNameChar(text_[pos]) || text_[pos] == '.')) ++pos;
    return absl::StartsWith(text_.substr(pos), "::");
  }

  absl::Status ParseOp() {
    Skip();
    OpName name;
    if (AtDomain(pos_)) {
      const size_t end = text_.find("::", pos_);
      name.domain = text_.substr(pos_, end - pos_);
      pos_ = end + 2;
    }
    const size_t begin = pos_;
    name.op = TakeName();
    if (name.op.empty() || !absl::ascii_isupper(name.op[0])) {
      pos_ = begin;
      return Error("expected an operator");
    }
    names_.push_back(name);
    return absl::OkStatus();
  }

  absl::Status ParseOps(Names* ops) {
    if (ops->count == 0) ops->begin = names_.size();
    if (AtOpList()) {
      ++pos_;
      do {
        HWEST_RETURN_IF_ERROR(ParseOp());
      } while (Take('|'));
      HWEST_RETURN_IF_ERROR(Expect(')'));
    } else {
      HWEST_RETURN_IF_ERROR(ParseOp());
    }
    ops->count = names_.size() - ops->begin;
    return absl::OkStatus();
  }

  absl::Status ParseGuards(bool on_node, absl::InlinedVector<const Guard*, 2>* guards) {
    if (!Take('[')) return absl::OkStatus();
    do {
      Skip();
      const size_t begin = pos_;
      const absl::string_view name = TakeName();
      const Guard* guard = FindGuard(name);
      if (guard == nullptr || (on_node ? guard->node == nullptr : guard->value == nullptr)) {
        return ErrorAt(begin, absl::StrCat("no guard of ", on_node ? "nodes" : "values", " is called '", name, "'"));
      }
      guards->push_back(guard);
    } while (Take(','));
    return Expect(']');
  }

  absl::Status ParseOptional(Expr* expr) {
    if (!Take('?')) return absl::OkStatus();
    expr->optional = true;
    if (!Take('{')) return absl::OkStatus();
    expr->pick = TakeName();
    if (expr->pick.empty()) return Error("expected the name of a fusion");
    return Expect('}');
  }

  absl::Status ParseOutput(Expr* expr) {
    if (!Take('.')) return absl::OkStatus();
    int output = 0;
    if (!absl::SimpleAtoi(TakeName(), &output) || output < 0 || output > kMaxOutput) {
      return Error("expected the number of an output");
    }
    expr->output = static_cast<uint16_t>(output);
    return absl::OkStatus();
  }

  absl::Status ParseNode(int depth, Expr* expr, Names* ops) {
    expr->kind = ExprKind::kOp;
    HWEST_RETURN_IF_ERROR(ParseOps(ops));
    HWEST_RETURN_IF_ERROR(ParseOutput(expr));
    HWEST_RETURN_IF_ERROR(ParseGuards(true, &expr->guards));
    HWEST_RETURN_IF_ERROR(ParseOptional(expr));
    HWEST_RETURN_IF_ERROR(Expect('('));
    do {
      HWEST_ASSIGN_OR_RETURN(const uint16_t arg, ParseExpr(depth + 1));
      expr->args.push_back(arg);
    } while (Take(','));
    return Expect(')');
  }

  absl::Status ParseEither(int depth, Expr* expr) {
    expr->kind = ExprKind::kEither;
    ++pos_;
    do {
      HWEST_ASSIGN_OR_RETURN(const uint16_t arg, ParseExpr(depth + 1));
      expr->args.push_back(arg);
    } while (Take('|'));
    return Expect(')');
  }

  absl::Status ParseLeaf(Expr* expr) {
    Skip();
    const size_t begin = pos_;
    const absl::string_view name = TakeName();
    if (name.empty()) return Error("expected an expression");
    expr->kind = ExprKind::kLeaf;
    if (name != "_") {
      const int32_t slot = SlotOf(name);
      if (expr->slot >= 0 && expr->slot != slot) return ErrorAt(begin, "a value has two names");
      expr->slot = slot;
    }
    HWEST_RETURN_IF_ERROR(ParseGuards(false, &expr->guards));
    return ParseOptional(expr);
  }

  absl::Status ParseNumber(Expr* expr) {
    const size_t begin = pos_;
    while (pos_ < text_.size() &&
           (absl::ascii_isalnum(text_[pos_]) || text_[pos_] == '.' ||
            ((text_[pos_] == '-' || text_[pos_] == '+') && (pos_ == begin || text_[pos_ - 1] == 'e')))) {
      ++pos_;
    }
    expr->kind = ExprKind::kNumber;
    const bool ok = absl::SimpleAtod(text_.substr(begin, pos_ - begin), &expr->number);
    return ok ? absl::OkStatus() : ErrorAt(begin, "not a number");
  }

  // Reads "name:" or "name*:" when it is there.
  void ParseLet(Expr* expr) {
    const size_t begin = pos_;
    if (!absl::ascii_islower(Peek()) || AtDomain(pos_)) return;
    const absl::string_view name = TakeName();
    const bool is_output = Take('*');
    if (!Take(':')) {
      pos_ = begin;
      return;
    }
    expr->slot = SlotOf(name);
    expr->is_output = is_output;
  }

  absl::StatusOr<uint16_t> ParseExpr(int depth) {
    if (depth > kMaxDepth) return Error("nested too deeply");
    if (pattern_.exprs.size() >= kMaxExprs) return Error("too many parts");
    Expr expr;
    NamesOfExpr names;
    ParseLet(&expr);
    while (Take('~')) HWEST_RETURN_IF_ERROR(ParseOps(&names.through));
    const char c = Peek();
    if (absl::ascii_isdigit(c) || c == '-' || c == '.') {
      HWEST_RETURN_IF_ERROR(ParseNumber(&expr));
    } else if (AtOpList() || absl::ascii_isupper(c) || (absl::ascii_isalpha(c) && AtDomain(pos_))) {
      HWEST_RETURN_IF_ERROR(ParseNode(depth, &expr, &names.ops));
    } else if (c == '(') {
      HWEST_RETURN_IF_ERROR(ParseEither(depth, &expr));
    } else {
      HWEST_RETURN_IF_ERROR(ParseLeaf(&expr));
    }
    return Add(std::move(expr), names);
  }

  const std::shared_ptr<const std::string> kept_;
  const absl::string_view text_;
  const std::vector<size_t> from_;
  const bool has_domains_;
  size_t pos_ = 0;
  Pattern pattern_;
  std::vector<OpName> names_;
  std::vector<NamesOfExpr> rows_;  // as Pattern::exprs
};

void CollectRootOps(const Pattern& pattern, uint16_t index, absl::Span<const std::string> picks,
                    std::vector<OpName>* ops) {
  const Expr& expr = pattern.exprs[index];
  if (expr.kind == ExprKind::kEither) {
    for (const uint16_t arg : expr.args) CollectRootOps(pattern, arg, picks, ops);
  }
  if (expr.kind != ExprKind::kOp) return;
  const bool enabled = expr.pick.empty() || std::find(picks.begin(), picks.end(), expr.pick) != picks.end();
  if (enabled) ops->insert(ops->end(), expr.ops.begin(), expr.ops.end());
  if (expr.optional) CollectRootOps(pattern, expr.args[0], picks, ops);
}

}  // namespace

absl::StatusOr<Pattern> ParsePattern(absl::string_view text, absl::Span<const Fragment> vocabulary) {
  HWEST_ASSIGN_OR_RETURN(Expansion expansion, Expand(text, vocabulary, 0, false));
  absl::StatusOr<Pattern> pattern = Parser(std::move(expansion)).Parse();
  if (pattern.ok()) return pattern;
  HWEST_ASSIGN_OR_RETURN(Expansion placed, Expand(text, vocabulary, 0, true));
  return Parser(std::move(placed)).Parse();
}

std::vector<OpName> RootOps(const Pattern& pattern, absl::Span<const std::string> picks) {
  std::vector<OpName> ops;
  CollectRootOps(pattern, pattern.root, picks, &ops);
  return ops;
}

}  // namespace hwest

#include "fuse/pack_pattern.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "fuse/guards.h"

namespace hwest {
namespace {

class Writer {
 public:
  void Number(size_t number) {  // those of patterns have 16 bits
    bytes_.push_back(static_cast<char>(number & 255));
    bytes_.push_back(static_cast<char>(number >> 8 & 255));
  }
  void Real(double number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void Text(absl::string_view text) {
    Number(text.size());
    bytes_.append(text.data(), text.size());
  }
  void Names(absl::Span<const OpName> names, const std::vector<OpName>& all) {
    Number(names.empty() ? 0 : static_cast<size_t>(names.data() - all.data()));
    Number(names.size());
  }
  std::string Take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(absl::string_view bytes) : at_(bytes.data()) {}

  uint16_t Number() {
    const auto low = static_cast<uint8_t>(at_[0]), high = static_cast<uint8_t>(at_[1]);
    at_ += 2;
    return static_cast<uint16_t>(low | high << 8);
  }
  double Real() {
    double number = 0;
    std::memcpy(&number, at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  absl::string_view Text() {
    const size_t size = Number();
    at_ += size;
    return absl::string_view(at_ - size, size);
  }
  absl::Span<const OpName> Names(absl::Span<const OpName> all) {
    const size_t begin = Number();
    return all.subspan(begin, Number());
  }

 private:
  const char* at_;
};

void Write(const Expr& expr, const std::vector<OpName>& names, Writer& out) {
  out.Number(static_cast<size_t>(expr.kind));
  out.Number((expr.optional ? 1u : 0u) | (expr.is_output ? 2u : 0u));
  out.Number(static_cast<size_t>(expr.slot + 1));
  if (expr.kind == ExprKind::kNumber) out.Real(expr.number);
  out.Names(expr.ops, names);
  out.Names(expr.through, names);
  out.Number(expr.args.size());
  for (const uint16_t arg : expr.args) out.Number(arg);
  out.Number(expr.guards.size());
  for (const Guard* guard : expr.guards) out.Number(static_cast<size_t>(guard - AllGuards().data()));
  out.Number(expr.output);
  out.Text(expr.pick);
}

void Read(Reader& in, absl::Span<const OpName> names, Expr* expr) {
  expr->kind = static_cast<ExprKind>(in.Number());
  const uint16_t flags = in.Number();
  expr->optional = (flags & 1) != 0;
  expr->is_output = (flags & 2) != 0;
  expr->slot = static_cast<int32_t>(in.Number()) - 1;
  if (expr->kind == ExprKind::kNumber) expr->number = in.Real();
  expr->ops = in.Names(names);
  expr->through = in.Names(names);
  for (size_t left = in.Number(); left > 0; --left) expr->args.push_back(in.Number());
  for (size_t left = in.Number(); left > 0; --left) expr->guards.push_back(&AllGuards()[in.Number()]);
  expr->output = in.Number();
  expr->pick = in.Text();
}

}  // namespace

std::string Pack(const Pattern& pattern) {
  Writer out;
  out.Number(pattern.root);
  out.Number(pattern.slots.size());
  for (const std::string& slot : pattern.slots) out.Text(slot);
  out.Number(pattern.names->size());
  for (const OpName& name : *pattern.names) {
    out.Text(name.domain);
    out.Text(name.op);
  }
  out.Number(pattern.exprs.size());
  for (const Expr& expr : pattern.exprs) Write(expr, *pattern.names, out);
  return std::move(out).Take();
}

Pattern Unpack(absl::string_view bytes) {
  Reader in(bytes);
  Pattern pattern;
  pattern.root = in.Number();
  pattern.slots.resize(in.Number());
  for (std::string& slot : pattern.slots) slot = std::string(in.Text());
  auto names = std::make_shared<std::vector<OpName>>(in.Number());
  for (OpName& name : *names) {
    name.domain = in.Text();
    name.op = in.Text();
  }
  pattern.exprs.resize(in.Number());
  for (Expr& expr : pattern.exprs) Read(in, *names, &expr);
  pattern.names = std::move(names);
  return pattern;
}

}  // namespace hwest

#include "op/schemas.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace hwest {
namespace {

// clang-format off
constexpr absl::string_view kDomains[] = {
    "", "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training", "com.microsoft", "com.microsoft.nchwc",
    "com.ms.internal.nhwc"};
// clang-format on

constexpr TypeRow kRows[] = {
#include "op/type_rows.inc"
};

// One text, read when it is asked for: nothing in it is relocated at the start of the program.
constexpr char kAttributes[] =
#include "op/attribute_rows.inc"
    ;

constexpr int kTypes = 32;     // bits of a set
constexpr size_t kListed = 6;  // a longer list of types says less than the operator's version

bool IsLetter(char c) { return c >= 'A' && c <= 'Z'; }

// Walks over the operands of one side; the last one that repeats has no end.
class OperandWalk {
 public:
  OperandWalk(const TypeRow& row, Direction direction) : row_(row), at_(row.operands) {
    if (direction == Direction::kInput) return;
    while (*at_ != '>' && *at_ != '\0') ++at_;
    if (*at_ == '>') ++at_;
  }

  OperandTypes Next() {
    if (!IsLetter(*at_)) return {};
    const char letter = *at_, repeat = at_[1];
    if (repeat != '+' && repeat != '*') ++at_;
    return {letter, repeat != '*', row_.types[letter - 'A']};
  }

 private:
  const TypeRow& row_;
  const char* at_;
};

std::string NameOf(const Type& type) {
  return type.is_tensor() ? ElemTypeName(type.elem) : absl::StrCat("a ", ValueKindName(type.kind));
}

// Collects the faults of a node, operand by operand.
class Check {
 public:
  Check(const OpView& op, const TypeRow& row) : op_(op), row_(row) {}

  std::vector<std::string> Run() {
    OperandWalk inputs(row_, Direction::kInput), outputs(row_, Direction::kOutput);
    for (int i = 0; i < op_.num_inputs(); ++i) {
      const OperandTypes operand = inputs.Next();
      if (op_.has_input(i)) Visit(operand, Direction::kInput, i, op_.input(i), op_.in(i));
    }
    for (int i = 0; i < op_.num_outputs(); ++i) {
      const OperandTypes operand = outputs.Next();
      if (op_.output(i).valid()) Visit(operand, Direction::kOutput, i, op_.output(i), op_.out(i));
    }
    return std::move(faults_);
  }

 private:
  std::string Place(Direction direction, int i, ValueId value) const {
    return absl::StrCat(direction == Direction::kInput ? "input " : "output ", i, " (",
                        std::string(op_.graph().name(value)), ")");
  }

  void Visit(const OperandTypes& operand, Direction direction, int i, ValueId value, const Type& type) {
    const std::string fault = operand.letter == 0 ? absl::StrCat(" is one more than ", Version(), " has")
                              : !Takes(operand, type)
                                  ? absl::StrCat(" is ", NameOf(type), ", it has to be ", Wanted(operand.types))
                                  : Unshared(operand, direction, i, value, type);
    if (fault.empty()) return;
    const uint32_t letter = operand.letter == 0 ? 0 : 1u << (operand.letter - 'A');
    if (direction == Direction::kOutput && (told_ & letter) != 0) return;  // it would only repeat what the inputs are
    told_ |= letter;
    faults_.push_back(absl::StrCat(Place(direction, i, value), fault));
  }

  // What is wrong with the type beside that of the first operand of its letter, which binds it.
  std::string Unshared(const OperandTypes& operand, Direction direction, int i, ValueId value, const Type& type) {
    if (!operand.shares || !type.is_tensor() || type.elem == ElemType::kUndefined) return "";
    First& first = first_[static_cast<size_t>(operand.letter - 'A')];
    if (first.elem == ElemType::kUndefined) first = {type.elem, direction, i, value};
    if (first.elem == type.elem) return "";
    return absl::StrCat(" is ", ElemTypeName(type.elem), ", ", Place(first.direction, first.i, first.value), " is ",
                        ElemTypeName(first.elem), ": both have to be of one type");
  }

  std::string Version() const { return absl::StrCat("version ", row_.version, " of ", op_.op()); }

  // "float or float16"; "a type that version 13 of Abs has" when they are many.
  std::string Wanted(uint32_t types) const {
    std::vector<std::string> names;
    for (int bit = 1; bit < kTypes; ++bit) {
      if ((types >> bit & 1) != 0) names.push_back(ElemTypeName(static_cast<ElemType>(bit)));
    }
    if (names.empty()) return "no tensor";
    if (names.size() > kListed) return absl::StrCat("a type that ", Version(), " has");
    const std::string last = names.back();
    names.pop_back();
    return names.empty() ? last : absl::StrCat(absl::StrJoin(names, ", "), " or ", last);
  }

  struct First {
    ElemType elem = ElemType::kUndefined;
    Direction direction = Direction::kInput;
    int i = 0;
    ValueId value;
  };

  const OpView& op_;
  const TypeRow& row_;
  std::array<First, std::size(TypeRow{}.types)> first_;
  uint32_t told_ = 0;  // letters
  std::vector<std::string> faults_;
};

// "domain::Operator attribute attribute"
AttributeRow RowOf(absl::string_view line) {
  AttributeRow row{.names = absl::StrSplit(line, ' ')};
  row.op = row.names.front();
  row.names.erase(row.names.begin());
  const size_t colons = row.op.find("::");
  if (colons != absl::string_view::npos) {
    row.domain = row.op.substr(0, colons);
    row.op.remove_prefix(colons + 2);
  }
  return row;
}

}  // namespace

absl::Span<const TypeRow> AllTypeRows() { return kRows; }

absl::string_view DomainOf(const TypeRow& row) { return kDomains[row.domain]; }

absl::Span<const TypeRow> TypeRowsOf(absl::string_view domain, absl::string_view op) {
  const auto* const known = std::find(std::begin(kDomains), std::end(kDomains), domain);
  const auto key = std::make_tuple(known - std::begin(kDomains), op);
  const auto key_of = [](const TypeRow& row) {
    return std::make_tuple(ptrdiff_t{row.domain}, absl::string_view(row.op));
  };
  const auto* first = std::lower_bound(std::begin(kRows), std::end(kRows), key,
                                       [&](const TypeRow& row, const auto& wanted) { return key_of(row) < wanted; });
  const auto* last = first;
  while (last != std::end(kRows) && key_of(*last) == key) ++last;
  return {first, static_cast<size_t>(last - first)};
}

const TypeRow* TypeRowAt(absl::string_view domain, absl::string_view op, int opset) {
  const TypeRow* last = nullptr;
  for (const TypeRow& row : TypeRowsOf(domain, op)) {
    if (opset == 0 || row.version <= opset) last = &row;
  }
  return last;
}

OperandTypes OperandAt(const TypeRow& row, Direction direction, size_t i) {
  OperandWalk operands(row, direction);
  OperandTypes operand = operands.Next();
  for (size_t k = 0; k < i; ++k) operand = operands.Next();
  return operand;
}

bool Takes(const OperandTypes& operand, const Type& type) {
  if (type.kind == ValueKind::kUnknown || (type.is_tensor() && type.elem == ElemType::kUndefined)) return true;
  const int bit = type.is_tensor() ? static_cast<int>(type.elem) : 0;
  return bit >= 0 && bit < kTypes && (operand.types >> bit & 1) != 0;  // files may name types that do not exist
}

std::vector<std::string> TypeFaults(const OpView& op, const TypeRow& row) { return Check(op, row).Run(); }

absl::Span<const AttributeRow> AllAttributes() {
  static const std::vector<AttributeRow>& rows = *new std::vector<AttributeRow>([] {
    std::vector<AttributeRow> all;
    for (const absl::string_view line : absl::StrSplit(kAttributes, '\n', absl::SkipEmpty())) {
      all.push_back(RowOf(line));
    }
    return all;
  }());
  return rows;
}

const AttributeRow* AttributesOf(absl::string_view domain, absl::string_view op) {
  const absl::Span<const AttributeRow> rows = AllAttributes();
  const auto is_before = [](const AttributeRow& row, const auto& key) { return std::tie(row.domain, row.op) < key; };
  const auto row = std::lower_bound(rows.begin(), rows.end(), std::tie(domain, op), is_before);
  return row != rows.end() && row->domain == domain && row->op == op ? &*row : nullptr;
}

}  // namespace hwest

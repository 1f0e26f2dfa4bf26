#include "op/operands.h"

namespace hwest {
namespace {

constexpr int64_t kMaxLength = 4096;

Operand FromInput(const OpView& op, int i) {
  Operand operand{.present = true};
  const Shape& shape = op.in(i).shape;
  if (op.known(i) != nullptr) {
    if (static_cast<int64_t>(op.known(i)->size()) > kMaxLength) return operand;
    operand.values = *op.known(i);
    operand.length = static_cast<int64_t>(operand.values->size());
  } else if (shape.constant() && shape.rank() <= 1) {
    const int64_t length = shape.rank() == 0 ? 1 : shape.dim(0).value();
    if (length >= 0 && length <= kMaxLength) operand.length = length;
  }
  return operand;
}

Operand FromAttribute(const OpView& op, absl::string_view name) {
  Operand operand{.present = op.has_attr(name)};
  if (!operand.present || static_cast<int64_t>(op.ints(name).size()) > kMaxLength) return operand;
  operand.values.emplace();
  for (const int64_t value : op.ints(name)) operand.values->push_back(Scalar::Int(value));
  operand.length = static_cast<int64_t>(operand.values->size());
  return operand;
}

}  // namespace

std::vector<Scalar> Operand::Padded() const {
  return values.has_value() ? *values : std::vector<Scalar>(static_cast<size_t>(*length));
}

std::optional<std::vector<int64_t>> Operand::Constants() const {
  return values.has_value() ? ConstantInts(*values) : std::nullopt;
}

Operand ReadOperand(const OpView& op, int i, absl::string_view name) {
  return op.has_input(i) ? FromInput(op, i) : FromAttribute(op, name);
}

}  // namespace hwest

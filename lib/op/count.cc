#include "op/count.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace hwest {
namespace {

struct Activation {
  absl::string_view name;
  PerElement per;
};

constexpr Activation kActivations[] = {
    {"", {}},
    {"None", {}},
    {"Identity", {}},
    {"Relu", {.compare = 1}},
    {"Sigmoid", {.add = 1, .mul = 1, .transcendental = 1}},
    {"Tanh", {.transcendental = 1}},
    {"LeakyRelu", {.mul = 1, .compare = 1}},
    {"Clip", {.compare = 2}},
    {"HardSigmoid", {.add = 1, .mul = 1, .compare = 2}},
    {"HardSwish", {.add = 1, .mul = 2, .compare = 2}},
    {"Affine", {.add = 1, .mul = 1}},
    {"ScaledTanh", {.mul = 2, .transcendental = 1}},
    {"ThresholdedRelu", {.compare = 1}},
    {"Softsign", {.add = 1, .mul = 1, .compare = 1}},
    {"Softplus", {.add = 1, .transcendental = 2}},
    {"ParametricSoftplus", {.add = 1, .mul = 2, .transcendental = 1}},
    {"Elu", {.add = 1, .mul = 1, .transcendental = 1}},
    {"Selu", {.add = 1, .mul = 1, .transcendental = 1}},
    {"Celu", {.add = 1, .mul = 1, .transcendental = 1}},
    {"Softmax", {.add = 2, .mul = 1, .compare = 1, .transcendental = 1}},
    {"Silu", {.add = 1, .mul = 2, .transcendental = 1}},
    {"Swish", {.add = 1, .mul = 2, .transcendental = 1}},
    {"Swiglu", {.add = 2, .mul = 3, .transcendental = 1}},
    {"Gelu", {.add = 1, .mul = 3, .transcendental = 1}},
    {"QuickGelu", {.add = 1, .mul = 3, .transcendental = 1}},
};

bool FromDequantize(const OpView& op, int i) {
  if (!op.has_input(i)) return false;
  const NodeId producer = op.graph().value(op.input(i)).producer;
  return producer.valid() && op.graph().op(producer) == "DequantizeLinear";
}

void AddTo(DimPool& dims, Work& work, OpKind kind, Dim elements, int64_t per_element) {
  if (per_element != 0) work.op(kind) = dims.Add(work.op(kind), dims.Mul(elements, per_element));
}

}  // namespace

Dim InElements(const OpView& op, int i) { return op.in(i).shape.Elements(op.dims()); }
Dim OutElements(const OpView& op, int i) { return op.out(i).shape.Elements(op.dims()); }

void AddOps(DimPool& dims, Work& work, Dim elements, const PerElement& per, ElemType elem) {
  if (elem != ElemType::kUndefined && !IsFloat(elem)) {
    const int64_t all = per.add + per.mul + per.compare + per.transcendental + per.integer;
    return AddTo(dims, work, OpKind::kInteger, elements, all);
  }
  AddTo(dims, work, OpKind::kAdd, elements, per.add);
  AddTo(dims, work, OpKind::kMul, elements, per.mul);
  AddTo(dims, work, OpKind::kCompare, elements, per.compare);
  AddTo(dims, work, OpKind::kTranscendental, elements, per.transcendental);
  AddTo(dims, work, OpKind::kInteger, elements, per.integer);
}

absl::StatusOr<PerElement> ActivationOps(absl::string_view name) {
  for (const Activation& activation : kActivations) {
    if (absl::EqualsIgnoreCase(activation.name, name)) return activation.per;
  }
  return absl::InvalidArgumentError(absl::StrCat("unknown fused activation \"", name, "\""));
}

Work ElementWork(const OpView& op, const PerElement& per) {
  Work work;
  AddOps(op.dims(), work, OutElements(op, 0), per, op.in(0).elem);
  return work;
}

Work InputElementWork(const OpView& op, const PerElement& per) {
  Work work;
  AddOps(op.dims(), work, InElements(op, 0), per, op.in(0).elem);
  return work;
}

bool IsIntegerProduct(const OpView& op, int a, int b) {
  if (IsInteger(op.in(a).elem) && IsInteger(op.in(b).elem)) return true;
  return FromDequantize(op, a) && FromDequantize(op, b);
}

void AddContraction(DimPool& dims, Work& work, Contraction c, Dim macs, Operands operands) {
  work.macs = dims.Add(work.macs, macs);
  if (operands == Operands::kInteger) work.int_macs = dims.Add(work.int_macs, macs);
  work.contractions.push_back(std::move(c));
}

Dim CeilLog2(DimPool& dims, Dim k) {
  const std::optional<int64_t> max = dims.BoundsOf(k).max;
  if (k.is_unknown() || !max.has_value()) return Dim::Unknown();
  Dim sum = 1;
  for (int bit = 1; bit < 63 && int64_t{1} << bit < *max; ++bit) {
    sum = dims.Add(sum, dims.Min(dims.FloorDiv(dims.Max(dims.Sub(k, 1), 0), int64_t{1} << bit), 1));
  }
  return sum;
}

void SetRead(Work& work, int i, Dim elements) {
  const size_t index = static_cast<size_t>(i);
  if (work.reads.size() <= index) work.reads.resize(index + 1);
  work.reads[index] = elements;
}

absl::StatusOr<Work> WorkOfTaken(const OpView& op) {
  Work work;
  SetRead(work, 0, OutElements(op, 0));
  return work;
}

}  // namespace hwest

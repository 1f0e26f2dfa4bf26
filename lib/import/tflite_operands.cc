// How operators of TensorFlow Lite get their operands.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "import/tflite_translator.h"

namespace hwest {

StrId TfliteTranslator::Read(size_t input, Order order, TensorForm form) {
  if (!Has(input)) return kEmptyText;
  int64_t number = op_->inputs[input];
  const auto left_out = left_out_.find(number);
  if (left_out != left_out_.end()) number = left_out->second.from;
  const std::vector<int64_t> perm = PermOf(order, tensor(number).rank());
  const StrId value = IsConstantTensor(number) ? constants_.Of(number, perm, {}) : Ordered(number, order);
  return form == TensorForm::kReal && tensor(number).is_quantised() ? Dequantised(value, number, perm) : value;
}

StrId TfliteTranslator::ReadRow(size_t input, TensorForm form) {
  return Read(input, IsSameRow(in(input)) ? InOrder(input) : Order::kStored, form);
}

StrId TfliteTranslator::ReadPermuted(size_t input, const std::vector<int64_t>& perm, const std::vector<int64_t>& dims) {
  if (!Has(input)) return kEmptyText;
  const int64_t number = op_->inputs[input];
  const bool fits = static_cast<int>(perm.size()) == tensor(number).rank();
  if (IsConstantTensor(number) && fits) {
    const StrId value = constants_.Of(number, perm, dims);
    return tensor(number).is_quantised() ? Dequantised(value, number, perm) : value;
  }
  const StrId value = Read(input, Order::kStored);
  if (IsIdentity(perm)) return value;
  const StrId permuted = Fresh("weights");
  EmitTranspose(value, permuted, perm);
  return permuted;
}

bool TfliteTranslator::MayBeRows(size_t input, size_t output) {
  const TfliteTensor &image = in(input), &rows = out(output);
  const int64_t number = op_->outputs[output];
  const std::vector<int64_t> each(image.dims.begin() + (image.dims.empty() ? 0 : 1), image.dims.end());
  if (InOrder(input) != Order::kFirst || rows.rank() != 2 || ElementsOf(each) < 0 || rows.dims[1] != ElementsOf(each)) {
    return false;
  }
  const auto at = static_cast<size_t>(number);
  const bool may = !is_result_[at] && feeds_weights_[at];
  if (may) images_[at] = op_->inputs[input];
  return may;
}

bool TfliteTranslator::ReadRows(size_t data, size_t weights, StrId* rows, StrId* matrix) {
  if (!Has(data) || !Has(weights)) return false;
  const int64_t number = op_->inputs[data], of_weights = op_->inputs[weights];
  const bool is_image = tensor(number).rank() >= 3 && InOrder(data) == Order::kFirst;
  const int64_t image = is_image ? number : images_[static_cast<size_t>(number)];
  if (image < 0 || !IsConstantTensor(of_weights)) return false;
  std::vector<int64_t> view = tensor(image).dims;
  view[0] = tensor(of_weights).dims[0];
  if (ElementsOf(view) < 0 || ElementsOf(view) != ElementsOf(tensor(of_weights).dims)) return false;
  const std::vector<int64_t> perm = PermOf(Order::kFirst, static_cast<int>(view.size()));
  *rows = Read(data, InOrder(data));
  *matrix = constants_.Of(of_weights, view, perm, tensor(of_weights).dims);
  if (tensor(of_weights).is_quantised()) *matrix = Dequantised(*matrix, of_weights, PermOf(Order::kStored, 2));
  return true;
}

StrId TfliteTranslator::ReadBroadcast(size_t input, Order order, int rank) {
  const TfliteTensor& of = in(input);
  const bool is_plain = order == Order::kStored || of.rank() == rank || ElementsOf(of.dims) == 1 || of.rank() > rank;
  if (!Has(input) || is_plain) return Read(input, of.rank() == rank ? order : InOrder(input));
  std::vector<int64_t> dims(static_cast<size_t>(rank - of.rank()), 1);
  dims.insert(dims.end(), of.dims.begin(), of.dims.end());
  if (IsConstant(input) && of.rank() <= 1) {
    // A row of channels stays one row.
    const StrId value = constants_.Of(op_->inputs[input], PermOf(Order::kStored, of.rank()), InOrderOf(order, dims));
    return of.is_quantised() ? Dequantised(value, op_->inputs[input], PermOf(order, rank)) : value;
  }
  const StrId wide = Fresh("broadcast"), value = Read(input, Order::kStored), ordered = Fresh("channels_first");
  std::vector<int64_t> added(static_cast<size_t>(rank - of.rank()));
  for (size_t i = 0; i < added.size(); ++i) added[i] = static_cast<int64_t>(i);
  const StrId axes = Ints("axes", added);
  Emit("Unsqueeze", {value, axes}, {wide});
  EmitReorder(wide, ordered, PermOf(order, rank));
  return ordered;
}

StrId TfliteTranslator::ReadSizes(size_t input) {
  if (const std::optional<std::vector<int64_t>> values = Values(input)) {
    StrId name = Ints("sizes", *values);
    if (in(input).rank() == 0) graph_.initializers.back().dims.clear();
    return name;
  }
  const StrId value = Read(input, Order::kStored);
  if (in(input).elem == ElemType::kInt64) return value;
  const StrId wide = Fresh("sizes");
  EmitCast(value, wide, ElemType::kInt64);
  return wide;
}

StrId TfliteTranslator::Ordered(int64_t number, Order order) {
  const auto at = static_cast<size_t>(number);
  if (order == orders_[at] || tensor(number).rank() < 3 || names_[at] == kEmptyText) return names_[at];
  if (!other_[at].valid()) {
    const absl::string_view what = order == Order::kStored ? "channels_last" : "channels_first";
    other_[at] = NameOf(absl::StrCat(strings_[tensor(number).name], "/", what));
    Reorder(number, names_[at], orders_[at], other_[at]);
  }
  return other_[at];
}

void TfliteTranslator::EmitReorder(StrId from, StrId to, const std::vector<int64_t>& perm) {
  Emit("Reorder", {from}, {to}).domain = Domain("tflite.order");
  Set("perm", perm);
}

// Writes `to`, in the order that `from` does not have. No data moves when only axes of one element do.
void TfliteTranslator::Reorder(int64_t number, StrId from, Order have, StrId to) {
  const TfliteTensor& of = tensor(number);
  const Order want = have == Order::kStored ? Order::kFirst : Order::kStored;
  const bool has_one_unknown = std::count(of.dims.begin(), of.dims.end(), -1) <= 1;
  if (IsSameRow(of) && has_one_unknown) {
    const StrId shape = Ints("shape", InOrderOf(want, of.dims));
    Emit("Reshape", {from, shape}, {to});
    return;
  }
  std::vector<int64_t> perm = PermOf(Order::kFirst, of.rank());
  if (want == Order::kStored) {
    std::vector<int64_t> back(perm.size());
    for (size_t i = 0; i < perm.size(); ++i) back[static_cast<size_t>(perm[i])] = static_cast<int64_t>(i);
    perm = std::move(back);
  }
  EmitReorder(from, to, perm);
}

void TfliteTranslator::EmitQuantization(absl::string_view op, StrId from, StrId to, int64_t number,
                                        const std::vector<int64_t>& perm) {
  std::vector<StrId> inputs = {from};
  for (const StrId name : constants_.QuantizationOf(number)) inputs.push_back(name);
  Emit(op, std::move(inputs), {to});
  const TfliteQuantization& quantization = tensor(number).quantization;
  if (quantization.scales.count > 1) Set("axis", PlaceOf(perm, quantization.axis));
}

StrId TfliteTranslator::Dequantised(StrId value, int64_t number, const std::vector<int64_t>& perm) {
  if (value == kEmptyText) return value;
  const StrId real = NameOf(absl::StrCat(strings_[tensor(number).name], "/real"));
  EmitQuantization("DequantizeLinear", value, real, number, perm);
  return real;
}

}  // namespace hwest

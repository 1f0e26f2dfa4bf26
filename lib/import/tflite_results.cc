// What operators of TensorFlow Lite make, and what stands between that and the tensor of the file.
#include "absl/strings/str_cat.h"
#include "import/tflite_ops.h"
#include "import/tflite_translator.h"

namespace hwest {

StrId TfliteTranslator::Write(size_t output, Order order, TensorForm form, int64_t activation) {
  if (output >= op_->outputs.size() || op_->outputs[output] < 0) return kEmptyText;
  const int64_t number = MadeBy(op_->outputs[output]);
  const auto at = static_cast<size_t>(number);
  const absl::string_view name = strings_[tensor(number).name];
  StrId target = tensor(number).name;
  const auto before = [&](Pending::Kind kind, absl::string_view what) {
    const StrId from = NameOf(absl::StrCat(name, "/", what));
    pending_.push_back({kind, from, target, number, activation, order});
    target = from;
  };
  if (order != orders_[at] && tensor(number).rank() >= 3) {
    before(Pending::kTranspose, order == Order::kStored ? "channels_last" : "channels_first");
  }
  if (form == TensorForm::kReal && tensor(number).is_quantised()) before(Pending::kQuantize, "real");
  if (activation > tflite_activation::kNone && activation <= tflite_activation::kSignBit)
    before(Pending::kActivation, "linear");
  return target;
}

void TfliteTranslator::WriteQuantised(size_t output, Order order, StrId value) {
  const int64_t number = op_->outputs[output];
  const StrId target = Write(output, order, TensorForm::kNumbers);
  EmitQuantization("QuantizeLinear", value, target, number, PermOf(order, tensor(number).rank()));
}

void TfliteTranslator::Flush() {
  while (!pending_.empty()) {
    const Pending next = pending_.back();
    pending_.pop_back();
    switch (next.kind) {
      case Pending::kTranspose: Reorder(next.tensor, next.from, next.order, next.to); break;
      case Pending::kQuantize:
        EmitQuantization("QuantizeLinear", next.from, next.to, next.tensor,
                         PermOf(next.order, tensor(next.tensor).rank()));
        break;
      case Pending::kActivation: EmitActivation(next.from, next.to, next.activation); break;
    }
  }
}

void TfliteTranslator::EmitActivation(StrId from, StrId to, int64_t activation) {
  switch (activation) {
    case tflite_activation::kRelu: Emit("Relu", {from}, {to}); return;
    case tflite_activation::kTanh: Emit("Tanh", {from}, {to}); return;
    case tflite_activation::kSignBit: Emit("Sign", {from}, {to}); return;
    default: break;
  }
  const StrId least = Number(activation == tflite_activation::kReluMinus1To1 ? -1 : 0);
  const StrId most = Number(activation == tflite_activation::kReluMinus1To1 ? 1 : 6);
  Emit("Clip", {from, least, most}, {to});
}

void TfliteTranslator::Alias(size_t output, StrId value) {
  const auto at = static_cast<size_t>(op_->outputs[output]);
  if (is_result_[at]) {
    Emit("Identity", {value}, {tensor(op_->outputs[output]).name});
    return;
  }
  names_[at] = value;
}

}  // namespace hwest

// Bodies of control flow, which are other subgraphs of the file.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "import/tflite_ops.h"
#include "import/tflite_translator.h"

namespace hwest {
namespace {

// Slots of the options of IF and WHILE.
enum { kThen = 0, kElse = 1 };
enum { kCondition = 0, kBody = 1 };

// Operands from the first one on, as stored, and as the numbers that they are.
std::vector<StrId> Operands(TfliteTranslator& to, size_t first) {
  std::vector<StrId> values;
  for (size_t i = first; i < to.num_inputs(); ++i) values.push_back(to.Read(i, Order::kStored, TensorForm::kNumbers));
  return values;
}

std::vector<StrId> Made(TfliteTranslator& to) {
  std::vector<StrId> values;
  for (size_t i = 0; i < to.num_outputs(); ++i) values.push_back(to.Write(i, Order::kStored, TensorForm::kNumbers));
  return values;
}

RawValueInfo ScalarInfo(StrId name, ElemType elem) {
  RawValueInfo info;
  info.name = name;
  info.type.kind = ValueKind::kTensor;
  info.type.elem = static_cast<int32_t>(elem);
  info.type.has_shape = true;
  return info;
}

}  // namespace

// ONNX's bodies see the values around them.
void EmitIf(TfliteTranslator& to) {
  const std::vector<StrId> operands = Operands(to, 1);
  RawGraph branches[2];
  for (const int slot : {kThen, kElse}) {
    const auto made = to.WriteBody(to.Option(slot, 4), operands, false, true, &branches[slot]);
    if (!made.has_value() || made->size() != to.num_outputs()) return to.EmitOpaque();
  }
  const StrId condition = to.Read(0, Order::kStored);
  to.Emit("If", {condition}, Made(to));
  to.Set("then_branch", std::move(branches[kThen]));
  to.Set("else_branch", std::move(branches[kElse]));
}

// The condition is computed in front of the loop and at the end of each run.
void EmitWhile(TfliteTranslator& to) {
  const std::vector<StrId> initial = Operands(to, 0);
  RawGraph body;
  const StrId run = to.Fresh("run"), goes_on = to.Fresh("goes_on");
  body.inputs = {ScalarInfo(run, ElemType::kInt64), ScalarInfo(goes_on, ElemType::kBool)};
  const auto carried = to.WriteBody(to.Option(kBody, 4), initial, true, true, &body);
  if (!carried.has_value() || carried->size() != initial.size() || to.num_outputs() != initial.size()) {
    return to.EmitOpaque();
  }
  const auto again = to.WriteBody(to.Option(kCondition, 4), *carried, false, false, &body);
  if (!again.has_value() || again->size() != 1) return to.EmitOpaque();
  const auto first = to.WriteBody(to.Option(kCondition, 4), initial, false, false, &to.graph());
  if (!first.has_value()) return to.EmitOpaque();
  body.outputs.insert(body.outputs.begin(), ScalarInfo(again->front(), ElemType::kBool));
  std::vector<StrId> operands = {StrId(0u), first->front()};
  operands.insert(operands.end(), initial.begin(), initial.end());
  to.Emit("Loop", std::move(operands), Made(to));
  to.Set("body", std::move(body));
}

void TfliteTranslator::BindInput(int64_t number, StrId given) {
  const auto at = static_cast<size_t>(number);
  if (orders_[at] == Order::kStored || tensor(number).rank() < 3) {
    names_[at] = given;
  } else {
    BeginOperator(strings_[tensor(number).name]);
    Reorder(number, given, Order::kStored, tensor(number).name);
  }
}

// A result of a body is a value that the body makes, and no other result.
std::vector<StrId> TfliteTranslator::Results() {
  std::vector<StrId> results;
  for (const int64_t number : file_.outputs) {
    const bool is_input = std::find(file_.inputs.begin(), file_.inputs.end(), number) != file_.inputs.end();
    BeginOperator(strings_[tensor(number).name]);
    const StrId value = IsConstantTensor(number)
                            ? constants_.Of(number, PermOf(Order::kStored, tensor(number).rank()), {})
                            : Ordered(number, Order::kStored);
    results.push_back(value);
    if (!is_input && !IsConstantTensor(number) && std::count(results.begin(), results.end(), value) == 1) continue;
    results.back() = Fresh("result");
    Emit("Identity", {value}, {results.back()});
  }
  return results;
}

std::optional<std::vector<StrId>> TfliteTranslator::WriteBody(int64_t number, const std::vector<StrId>& inputs,
                                                              bool is_loop, bool is_whole, RawGraph* body) {
  if (number <= 0 || number >= graphs_.num_graphs() || !context_.CheckDepth(depth_ + 1)) return std::nullopt;
  const TfliteFile file = graphs_.Read(number);
  if (!flat_.ok() || file.inputs.size() != inputs.size()) return std::nullopt;
  TfliteTranslator inside(context_, flat_, graphs_, file, all_names_, *body, depth_ + 1);
  inside.Prepare();
  const auto declare = [&](int64_t of, StrId name, std::vector<RawValueInfo>* infos) {
    inside.Declare(of, Order::kStored, infos);
    infos->back().name = name;
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    const int64_t input = file.inputs[i];
    StrId given = inputs[i];
    if (is_loop) {
      given = inside.orders_[static_cast<size_t>(input)] == Order::kStored
                  ? inside.tensor(input).name
                  : NameOf(absl::StrCat(strings_[inside.tensor(input).name], "/channels_last"));
      declare(input, given, &body->inputs);
    }
    inside.BindInput(input, given);
  }
  inside.Translate();
  if (!flat_.ok()) return std::nullopt;
  std::vector<StrId> results = inside.Results();
  for (size_t i = 0; i < results.size() && is_whole; ++i) declare(file.outputs[i], results[i], &body->outputs);
  return results;
}

}  // namespace hwest

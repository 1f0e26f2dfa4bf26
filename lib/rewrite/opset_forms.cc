#include "rewrite/opset_forms.h"

#include <algorithm>
#include <utility>

#include "op/known.h"
#include "op/schemas.h"
#include "rewrite/opset_steps.h"
#include "rewrite/payload.h"

namespace hwest {
int LastVersion(absl::string_view op, int opset) {
  const TypeRow* last = TypeRowAt("", op, opset);
  return last == nullptr ? 0 : last->version;
}

int VersionIn(absl::string_view op, int opset) {
  const TypeRow* last = TypeRowAt("", op, opset);
  return last == nullptr || last->is_gone() ? 0 : last->version;
}

std::vector<int> StepsBetween(absl::string_view op, int older, int newer) {
  std::vector<int> steps;
  for (const TypeRow& row : TypeRowsOf("", op)) {
    if (row.version > older && row.version <= newer) steps.insert(steps.begin(), row.version);
  }
  return steps;
}

bool TakesTypes(const Analysis& analysis, NodeId node, int version) {
  const Graph& graph = *analysis.graph;
  const auto inputs = graph.inputs(node), outputs = graph.outputs(node);
  for (const TypeRow& row : TypeRowsOf("", graph.op(node))) {
    if (row.version != version) continue;
    const auto takes = [&](Direction direction, absl::Span<const ValueId> values) {
      if (values.empty() || !values[0].valid()) return true;
      return Takes(OperandAt(row, direction, 0), analysis.facts.values[values[0]].type);
    };
    return takes(Direction::kInput, inputs) && takes(Direction::kOutput, outputs);
  }
  return false;
}

const RawAttribute* Form::Find(absl::string_view name) const {
  for (const RawAttribute& attribute : raw_.attributes) {
    if (model_.text(attribute.name) == name) return &attribute;
  }
  return nullptr;
}

int64_t Form::Int(absl::string_view name, int64_t fallback) const {
  const RawAttribute* found = Find(name);
  return found != nullptr && found->kind == AttrKind::kInt ? found->i : fallback;
}

std::string Form::Text(absl::string_view name, absl::string_view fallback) const {
  const RawAttribute* found = Find(name);
  return std::string(found != nullptr && found->kind == AttrKind::kString ? model_.text(found->s) : fallback);
}

bool Form::HasOutput(size_t output) const {
  const auto outputs = analysis_.graph->outputs(node_);
  if (output >= outputs.size() || !outputs[output].valid()) return false;
  return !analysis_.graph->uses(outputs[output]).empty() || analysis_.graph->value(outputs[output]).is_output;
}

ValueId Form::ValueOf(size_t input) const {
  const auto inputs = analysis_.graph->inputs(node_);
  return input < inputs.size() ? inputs[input] : ValueId();
}

const Type& Form::TypeOf(size_t input) const {
  static const auto& unknown = *new Type();
  const ValueId value = ValueOf(input);
  return value.valid() ? analysis_.facts.values[value].type : unknown;
}

int Form::RankOf(size_t input) const {
  const Type& type = TypeOf(input);
  return type.is_tensor() && type.shape.ranked() ? type.shape.rank() : -1;
}

std::optional<std::vector<double>> Form::Numbers(size_t input) const {
  if (!HasInput(input)) return std::nullopt;
  const auto made = made_.find(raw_.inputs[input]);
  if (made != made_.end()) return made->second;
  const ValueId value = ValueOf(input);
  const Known known = value.valid() ? analysis_.facts.values[value].known : nullptr;
  return known == nullptr ? std::nullopt : ConstantNumbers(*known);
}

std::optional<std::vector<int64_t>> Form::Ints(size_t input) const {
  if (!HasInput(input)) return std::nullopt;
  const auto made = made_.find(raw_.inputs[input]);
  if (made != made_.end()) return std::vector<int64_t>(made->second.begin(), made->second.end());
  const ValueId value = ValueOf(input);
  const Known known = value.valid() ? analysis_.facts.values[value].known : nullptr;
  return known == nullptr ? std::nullopt : ConstantInts(*known);
}

bool Form::MayHoldZero(size_t input) const {
  const ValueId value = ValueOf(input);
  const Known known = value.valid() ? analysis_.facts.values[value].known : nullptr;
  return known == nullptr || std::any_of(known->begin(), known->end(), [&](const Scalar& scalar) {
           if (!scalar.is_int()) return true;
           const Bounds bounds = analysis_.dims->BoundsOf(scalar.dim());
           return bounds.min.value_or(0) <= 0 && bounds.max.value_or(0) >= 0;
         });
}

std::optional<std::vector<int64_t>> Form::Sizes(size_t input, bool of_output) const {
  const auto outputs = analysis_.graph->outputs(node_);
  const Type& type = of_output ? analysis_.facts.values[outputs[0]].type : TypeOf(input);
  if (!type.is_tensor() || !type.shape.constant()) return std::nullopt;
  std::vector<int64_t> sizes;
  for (const Dim dim : type.shape.dims()) sizes.push_back(dim.value());
  return sizes;
}

void Form::Drop(absl::string_view attribute) {
  const auto first = std::remove_if(raw_.attributes.begin(), raw_.attributes.end(),
                                    [&](const RawAttribute& each) { return model_.text(each.name) == attribute; });
  changed_ |= first != raw_.attributes.end();
  raw_.attributes.erase(first, raw_.attributes.end());
}

void Form::DropInput(size_t input) {
  if (input >= raw_.inputs.size()) return;
  changed_ = true;
  raw_.inputs.resize(input);
  while (!raw_.inputs.empty() && Absent(raw_.inputs.back())) raw_.inputs.pop_back();
}

RawAttribute& Form::Put(absl::string_view name, AttrKind kind) {
  Drop(name);
  changed_ = true;
  RawAttribute attribute;
  attribute.name = model_.Intern(name);
  attribute.kind = kind;
  attribute.s = model_.Intern("");
  raw_.attributes.push_back(std::move(attribute));
  return raw_.attributes.back();
}

void Form::SetInts(absl::string_view attribute, std::vector<int64_t> values) {
  Put(attribute, AttrKind::kInts).ints = std::move(values);
}

void Form::SetInt(absl::string_view attribute, int64_t value) { Put(attribute, AttrKind::kInt).i = value; }

void Form::SetFloat(absl::string_view attribute, float value) { Put(attribute, AttrKind::kFloat).f = value; }

void Form::SetText(absl::string_view attribute, absl::string_view text) {
  Put(attribute, AttrKind::kString).s = model_.Intern(text);
}

void Form::SetTensor(absl::string_view attribute, Constant constant) {
  Put(attribute, AttrKind::kTensor).tensors = {std::move(constant)};
}

void Form::SetConstant(size_t input, ElemType elem, std::vector<double> numbers, std::vector<int64_t> dims) {
  Constant constant;
  constant.name = model_.NewName(model_.text(raw_.outputs[0]));
  constant.storage = Storage::kDecoded;
  constant.elem = elem;
  constant.dims = {dims.begin(), dims.end()};
  for (const double number : numbers) {
    if (HoldsNumbers(elem)) {
      AppendNumber(number, elem, &constant.data);
      continue;
    }
    AppendInt(static_cast<int64_t>(number), ElemBits(elem), &constant.data);
  }
  constant.length = static_cast<int64_t>(constant.data.size());
  while (raw_.inputs.size() <= input) raw_.inputs.push_back(model_.Intern(""));
  raw_.inputs[input] = constant.name;
  changed_ = true;
  made_[constant.name] = std::move(numbers);
  constants_.push_back(std::move(constant));
}

bool HasForm(absl::string_view op, int since) {
  const auto steps = FormSteps();
  return std::any_of(steps.begin(), steps.end(), [&](const FormStep& step) { return IsFor(step, op, since); });
}

std::string StepDown(int since, Form* form) {
  // The texts of operators that steps take out of the form would dangle.
  const std::string op(form->op());
  for (const FormStep& step : FormSteps()) {
    if (!IsFor(step, op, since)) continue;
    std::string refusal = step.take(step, form);
    if (!refusal.empty()) return refusal;
  }
  return "";
}

}  // namespace hwest

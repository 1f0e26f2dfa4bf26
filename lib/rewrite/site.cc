#include "rewrite/site.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "op/known.h"
#include "rewrite/payload.h"

namespace hwest {
namespace {

constexpr int64_t kMostNumberBytes = 4 << 20;  // of a constant that is read for its numbers

std::optional<std::vector<double>> Decoded(const Constant& constant) {
  if (!HoldsNumbers(constant.elem) || constant.storage != Storage::kDecoded) return std::nullopt;
  std::vector<double> numbers;
  const auto width = static_cast<size_t>(ElemBits(constant.elem) / 8);
  for (size_t at = 0; at + width <= constant.data.size(); at += width) {
    numbers.push_back(NumberAt(constant.data.data() + at, constant.elem));
  }
  return numbers;
}

}  // namespace

std::string FloatText(double number) {
  const std::string text = absl::StrFormat("%.9g", number);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

// Replacements may stand for nodes of another domain, whose version says nothing about it.
int Site::opset() const {
  const Node& node = graph().node(root());
  if (graph().str(node.domain).empty()) return node.opset;
  for (const OpsetImport& import : graph().info().opsets) {
    if (graph().str(import.domain).empty()) return static_cast<int>(import.version);
  }
  return 0;
}

ValueId Site::ValueOf(absl::string_view name) const {
  if (name == "root") return graph().outputs(root())[0];
  size_t input = 0;
  if (absl::StartsWith(name, "root.") && absl::SimpleAtoi(name.substr(5), &input)) return InputOf(root(), input);
  const auto& slots = PatternOf(*place_.rule).slots;
  const auto slot = std::find(slots.begin(), slots.end(), name);
  return slot == slots.end() ? ValueId() : place_.values[static_cast<size_t>(slot - slots.begin())];
}

NodeId Site::NodeOf(absl::string_view name) const {
  if (name == "root") return root();
  const ValueId value = ValueOf(name);
  return value.valid() ? graph().value(value).producer : NodeId();
}

int Site::RankOf(ValueId value) const {
  const Shape& shape = TypeOf(value).shape;
  return value.valid() && shape.ranked() ? shape.rank() : -1;
}

std::optional<std::vector<int64_t>> Site::SizesOf(ValueId value) const {
  if (!value.valid() || !TypeOf(value).is_tensor() || !TypeOf(value).shape.constant()) return std::nullopt;
  std::vector<int64_t> sizes;
  for (const Dim dim : TypeOf(value).shape.dims()) sizes.push_back(dim.value());
  return sizes;
}

std::optional<std::vector<int64_t>> Site::IntsOf(NodeId node, absl::string_view attribute, size_t input) const {
  const Attribute* found = graph().FindAttribute(node, attribute);
  if (found != nullptr && found->kind == AttrKind::kInts) return found->ints;
  if (found != nullptr && found->kind == AttrKind::kInt) return std::vector<int64_t>{found->i};
  const ValueId value = InputOf(node, input);
  if (!value.valid()) return std::nullopt;
  const Known& known = facts().values[value].known;
  return known == nullptr ? std::nullopt : ConstantInts(*known);
}

int64_t Site::IntOf(NodeId node, absl::string_view attribute, int64_t fallback) const {
  const Attribute* found = graph().FindAttribute(node, attribute);
  return found != nullptr && found->kind == AttrKind::kInt ? found->i : fallback;
}

double Site::FloatOf(NodeId node, absl::string_view attribute, double fallback) const {
  const Attribute* found = graph().FindAttribute(node, attribute);
  return found != nullptr && found->kind == AttrKind::kFloat ? found->f : fallback;
}

std::string Site::TextOf(NodeId node, absl::string_view attribute, absl::string_view fallback) const {
  const Attribute* found = graph().FindAttribute(node, attribute);
  return std::string(found != nullptr && found->kind == AttrKind::kString ? graph().str(found->s) : fallback);
}

bool Site::HasAttribute(NodeId node, absl::string_view attribute) const {
  return graph().FindAttribute(node, attribute) != nullptr;
}

ValueId Site::InputOf(NodeId node, size_t index) const {
  const auto inputs = graph().inputs(node);
  return index < inputs.size() ? inputs[index] : ValueId();
}

int64_t Site::InitializerOf(ValueId value) const {
  if (!value.valid() || !graph().value(value).is_initializer || graph().value(value).graph != GraphId(0u)) return -1;
  if (model_ == nullptr) return -1;
  const StrId name = model_->raw().strings.Find(graph().name(value));
  return name.valid() ? model_->InitializerOf(name) : -1;
}

// Since IR version 4 an initialiser that is an input, too, is one that callers are meant to replace.
bool Site::IsFixed(ValueId value) const {
  const Value& entry = graph().value(value);
  return model_ == nullptr || !entry.is_input || (entry.is_initializer && InitializerOf(value) >= 0);
}

bool Site::IsProduct(ValueId value) const {
  const NodeId node = graph().value(value).producer;
  if (!node.valid()) return false;
  const std::optional<Work>& work = analysis_.work[node];
  return work.has_value() && !work->contractions.empty();
}

std::optional<std::vector<int64_t>> Site::KnownInts(ValueId value) const {
  if (!value.valid() || facts().values[value].known == nullptr) return std::nullopt;
  return ConstantInts(*facts().values[value].known);
}

std::optional<std::vector<double>> Site::NumbersOf(ValueId value) const {
  if (!value.valid() || !IsFixed(value)) return std::nullopt;
  const Known& known = facts().values[value].known;
  if (known != nullptr) return ConstantNumbers(*known);
  const Value& entry = graph().value(value);
  if (!entry.is_initializer || entry.graph != GraphId(0u)) return std::nullopt;
  const int64_t index = InitializerOf(value);
  if (index < 0) return std::nullopt;
  const Constant& constant = model_->raw().graph.initializers[static_cast<size_t>(index)];
  if (constant.storage == Storage::kDecoded) return Decoded(constant);
  const InitializerOrigin& origin = model_->initializer_origins()[static_cast<size_t>(index)];
  if (constant.Elements() < 0 || constant.Elements() > kMostNumberBytes) return std::nullopt;
  const int64_t bytes = constant.Elements() * (ElemBits(constant.elem) / 8);
  if (!HoldsNumbers(constant.elem) || origin.file < 0 || origin.sparse || bytes > kMostNumberBytes) return std::nullopt;
  const auto payload = FindPayload(model_->file(), static_cast<size_t>(origin.file), constant.elem, bytes);
  if (!payload.has_value()) return std::nullopt;
  auto numbers = ReadNumbers(model_->file(), *payload, constant.elem);
  if (!numbers.ok()) return std::nullopt;
  return *std::move(numbers);
}

}  // namespace hwest

#include "fuzz/byte_model.h"

#include <array>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "fuzz/attribute_names.h"
#include "fuzz/byte_reader.h"
#include "op/rule.h"
#include "support/onnx_writer.h"

namespace hwest::test {
namespace {

constexpr size_t kMaxInputs = 6;
constexpr size_t kMaxNodes = 3;
constexpr size_t kMaxNodeInputs = 12;
constexpr size_t kMaxAttributes = 12;
constexpr size_t kMaxOutputs = 4;
constexpr size_t kMaxRank = 7;
constexpr int kMaxBodyDepth = 2;
constexpr size_t kElemTypes = 28;  // one past the last known one
constexpr size_t kOpsets = 30;

constexpr int64_t kSizes[] = {1, 2, 3, 0, 4, 5, 7, 8, 16, 64, 224, 1024, 65536, int64_t{1} << 31, int64_t{1} << 62, -1};
constexpr int64_t kNumbers[] = {1, 0, 2, -1, 3, 4, 5, 7, 8, -2, -9, 32, 1000, 65537, INT64_MAX, INT64_MIN};
constexpr absl::string_view kSymbols[] = {"N", "M", "seq", "2*N", "N + M", "N // 2", "N - 3", "Max(1, M)", "N % 4"};
constexpr absl::string_view kWords[] = {"",        "SAME_UPPER",    "SAME_LOWER", "VALID",        "NOTSET",
                                        "linear",  "nearest",       "constant",   "reflect",      "edge",
                                        "none",    "add",           "Relu",       "bilinear",     "forward",
                                        "reverse", "bidirectional", "ij,jk->ik",  "...ij->...ji", "CRD"};

class ModelMaker {
 public:
  explicit ModelMaker(absl::string_view choices) : in_(choices) {}

  std::string Run() {
    const auto opset = static_cast<int64_t>(kOpsets - 1 - in_.Pick(kOpsets));
    Message graph;
    AddInputs(&graph, 1 + in_.Pick(kMaxInputs));
    for (size_t nodes = 1 + in_.Pick(kMaxNodes); nodes > 0; --nodes) AddNode(&graph, 0);
    for (const std::string& output : last_outputs_) graph.Sub(12, Message().Bytes(1, output));
    return Model(graph, opset).Sub(8, OpsetImport("com.microsoft", 1)).bytes();
  }

 private:
  template <class T, size_t kCount>
  T OneOf(const T (&table)[kCount]) {
    return table[in_.Pick(kCount)];
  }
  std::string NewName() { return absl::StrCat("v", ++names_); }

  Message Shape() {
    Message shape;
    for (size_t rank = in_.Pick(kMaxRank); rank > 0; --rank) {
      switch (in_.Pick(8)) {
        case 6: shape.Sub(1, Message().Bytes(2, OneOf(kSymbols))); break;
        case 7: shape.Sub(1, Message()); break;
        default: shape.Sub(1, Message().Varint(1, OneOf(kSizes)));
      }
    }
    return shape;
  }

  Message TensorType() {
    Message tensor = Message().Varint(1, static_cast<int64_t>(1 + in_.Pick(kElemTypes)));
    if (!in_.Rarely(8)) tensor.Sub(2, Shape());
    return tensor;
  }

  // A TypeProto, rarely of something else than a tensor.
  Message ValueType() {
    constexpr uint32_t kSequence = 4, kMap = 5, kSparse = 8, kOptional = 9;
    if (!in_.Rarely(6)) return Message().Sub(1, TensorType());
    constexpr uint32_t kKinds[] = {kSequence, kOptional, kMap, kSparse};
    const uint32_t kind = OneOf(kKinds);
    if (kind == kSparse) return Message().Sub(kind, TensorType());
    const Message element = Message().Sub(1, TensorType());
    if (kind == kMap) return Message().Sub(kind, Message().Varint(1, 7).Sub(2, element));
    return Message().Sub(kind, Message().Sub(1, element));
  }

  // Integers, floats or bools that inference reads.
  Message KnownTensor(absl::string_view name) {
    struct Kind {
      int elem, bytes;
    };
    constexpr Kind kKinds[] = {{7, 8}, {6, 4}, {1, 4}, {9, 1}, {11, 8}, {10, 2}, {2, 1}};
    const Kind kind = OneOf(kKinds);
    std::vector<int64_t> values(in_.Pick(9));
    for (int64_t& value : values) value = in_.Rarely(16) ? static_cast<int64_t>(in_.Bits(8)) : OneOf(kNumbers);
    std::vector<int64_t> dims = {static_cast<int64_t>(values.size())};
    if (values.size() == 1 && in_.Pick(2) == 1) dims.clear();
    if (values.size() == 8 && in_.Pick(2) == 1) dims = {4, 2};
    return RawTensor(name, kind.elem, dims, LittleEndian(values, kind.bytes));
  }

  Message WeightTensor(absl::string_view name) {
    std::vector<int64_t> dims(in_.Pick(kMaxRank));
    for (int64_t& dim : dims) dim = OneOf(kSizes);
    return ExternalTensor(name, static_cast<int>(1 + in_.Pick(kElemTypes)), dims, "w", "", "");
  }

  void AddInputs(Message* graph, size_t count) {
    for (; count > 0; --count) {
      const std::string name = NewName();
      switch (in_.Pick(4)) {
        case 2: graph->Sub(5, KnownTensor(name)); break;
        case 3: graph->Sub(5, WeightTensor(name)); break;
        default: graph->Sub(11, Message().Bytes(1, name).Sub(2, ValueType()));
      }
      values_.push_back(name);
      if (in_.Rarely(4)) AddShapeOf(graph, name);
    }
  }

  // The sizes of `name`: contents that are expressions.
  void AddShapeOf(Message* graph, const std::string& name) {
    values_.push_back(NewName());
    graph->Sub(1, Node("Shape", {name}, {values_.back()}));
  }

  void AddNode(Message* graph, int depth) {
    const absl::Span<const OpRule> rules = AllRules();
    const OpRule& rule = rules[in_.Pick(rules.size())];
    std::vector<std::string> inputs(in_.Pick(kMaxNodeInputs));
    for (size_t i = 0; i < inputs.size(); ++i) {
      const size_t choice = in_.Pick(values_.size() + 2);
      if (choice < values_.size()) inputs[i] = values_[choice];
      if (choice > values_.size()) inputs[i] = values_[i % values_.size()];
    }
    Message node;
    for (size_t count = in_.Pick(kMaxAttributes); count > 0; --count) node.Sub(5, Attribute(depth));
    last_outputs_.clear();
    for (size_t count = 1 + in_.Pick(kMaxOutputs); count > 0; --count) last_outputs_.push_back(NewName());
    node.Strings(1, inputs).Strings(2, last_outputs_).Bytes(4, rule.op).Bytes(7, rule.domain);
    graph->Sub(1, node);
    values_.insert(values_.end(), last_outputs_.begin(), last_outputs_.end());
  }

  Message Attribute(int depth) {
    const AttributeName& row = kAttributeNames[in_.Pick(std::size(kAttributeNames))];
    const AttrKind kind = in_.Rarely(32) ? static_cast<AttrKind>(in_.Pick(15)) : row.kind;
    Message attribute = Message().Bytes(1, row.name).Varint(20, static_cast<int64_t>(kind));
    AddValue(&attribute, kind, depth);
    return attribute;
  }

  void AddValue(Message* attribute, AttrKind kind, int depth) {
    switch (kind) {
      case AttrKind::kFloat: attribute->Float(2, static_cast<float>(OneOf(kNumbers))); break;
      case AttrKind::kInt: attribute->Varint(3, OneOf(kNumbers)); break;
      case AttrKind::kString:
        attribute->Bytes(4, in_.Rarely(8) ? in_.Text(in_.Pick(24)) : std::string(OneOf(kWords)));
        break;
      case AttrKind::kTensor: attribute->Sub(5, KnownTensor("")); break;
      case AttrKind::kGraph:
        if (depth < kMaxBodyDepth) attribute->Sub(6, Body(depth + 1));
        break;
      case AttrKind::kFloats:
        for (size_t count = in_.Pick(7); count > 0; --count) attribute->Float(7, static_cast<float>(OneOf(kNumbers)));
        break;
      case AttrKind::kInts:
        for (size_t count = in_.Pick(9); count > 0; --count) attribute->Varint(8, OneOf(kNumbers));
        break;
      case AttrKind::kStrings:
        for (size_t count = in_.Pick(5); count > 0; --count) attribute->Bytes(9, OneOf(kWords));
        break;
      default: break;
    }
  }

  // Reads values of outer graphs too; names of its own do not leave it.
  Message Body(int depth) {
    const std::vector<std::string> outer_values = values_;
    Message body;
    std::vector<std::string> made;
    for (size_t count = in_.Pick(5); count > 0; --count) {
      values_.push_back(NewName());
      body.Sub(11, Message().Bytes(1, values_.back()).Sub(2, in_.Pick(2) == 0 ? Message() : ValueType()));
      made.push_back(values_.back());
    }
    for (size_t nodes = in_.Pick(3); nodes > 0; --nodes) {
      AddNode(&body, depth);
      made.insert(made.end(), last_outputs_.begin(), last_outputs_.end());
    }
    for (size_t count = made.empty() ? 0 : in_.Pick(5); count > 0; --count) {
      body.Sub(12, Message().Bytes(1, made[in_.Pick(made.size())]));
    }
    values_ = outer_values;
    return body;
  }

  ByteReader in_;
  std::vector<std::string> values_;
  std::vector<std::string> last_outputs_;
  int names_ = 0;
};

}  // namespace

std::string ModelOfBytes(absl::string_view choices) { return ModelMaker(choices).Run(); }

}  // namespace hwest::test

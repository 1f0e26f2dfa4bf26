#include "op/op_case_model.h"

#include <algorithm>
#include <vector>

#include "support/onnx_writer.h"

namespace hwest {
namespace {

using test::Message;

class CaseWriter {
 public:
  explicit CaseWriter(const RawModel& model) : model_(model) {}

  std::string Run(const std::vector<ShapeOf>& shapes) {
    Message graph;
    for (const ShapeOf& shape : shapes) AddShape(shape, &graph);
    for (const RawNode& node : model_.graph.nodes) graph.Sub(1, NodeOf(node));
    graph.Bytes(2, "g");
    for (const Constant& constant : model_.graph.initializers) graph.Sub(5, TensorOf(constant));
    for (const RawValueInfo& input : model_.graph.inputs) {
      const auto is_made = [&](const ShapeOf& shape) { return shape.name == Text(input.name); };
      if (std::none_of(shapes.begin(), shapes.end(), is_made)) graph.Sub(11, InfoOf(input));
    }
    for (const StrId output : model_.graph.nodes.back().outputs) graph.Sub(12, Message().Bytes(1, Text(output)));
    for (const RawValueInfo& info : model_.graph.value_info) graph.Sub(13, InfoOf(info));
    Message file = test::Model(graph, model_.opsets[0].version);
    for (size_t i = 1; i < model_.opsets.size(); ++i) {
      file.Sub(8, test::OpsetImport(Text(model_.opsets[i].domain), model_.opsets[i].version));
    }
    return file.bytes();
  }

 private:
  std::string Text(StrId id) const { return id.valid() ? std::string(model_.strings[id]) : ""; }
  std::vector<std::string> Texts(absl::Span<const StrId> ids) const {
    std::vector<std::string> texts;
    for (const StrId id : ids) texts.push_back(Text(id));
    return texts;
  }

  Message TypeOf(const RawType& type) const {
    if (type.kind == ValueKind::kMap) return Message().Sub(5, Message().Varint(1, 7).Sub(2, TypeOf(type.element[0])));
    Message tensor = Message().Varint(1, type.elem), shape;
    for (const RawDim& dim : type.dims) {
      if (dim.has_value)
        shape.Sub(1, Message().Varint(1, dim.value));
      else
        shape.Sub(1, Absent(dim.param) ? Message() : Message().Bytes(2, Text(dim.param)));
    }
    if (type.has_shape) tensor.Sub(2, shape);
    return Message().Sub(1, tensor);
  }
  Message InfoOf(const RawValueInfo& info) const {
    return Message().Bytes(1, Text(info.name)).Sub(2, TypeOf(info.type));
  }

  Message TensorOf(const Constant& constant) const {
    const int elem = static_cast<int>(constant.elem);
    if (!constant.strings.empty()) {
      return Message()
          .Varints(1, constant.dims)
          .Varint(2, elem)
          .Strings(6, constant.strings)
          .Bytes(8, Text(constant.name));
    }
    if (constant.storage != Storage::kDecoded) {
      return test::ExternalTensor(Text(constant.name), elem, constant.dims, "w", "", "");
    }
    return test::RawTensor(Text(constant.name), elem, constant.dims, constant.data);
  }

  Message AttributeOf(const RawAttribute& attribute) const {
    Message out = Message().Bytes(1, Text(attribute.name)).Varint(20, static_cast<int64_t>(attribute.kind));
    switch (attribute.kind) {
      case AttrKind::kFloat: return out.Float(2, attribute.f);
      case AttrKind::kInt: return out.Varint(3, attribute.i);
      case AttrKind::kString: return out.Bytes(4, Text(attribute.s));
      case AttrKind::kTensor: return out.Sub(5, TensorOf(attribute.tensors[0]));
      case AttrKind::kFloats: return out.Floats(7, attribute.floats);
      case AttrKind::kInts: return out.Varints(8, attribute.ints);
      case AttrKind::kStrings: return out.Strings(9, Texts(attribute.strings));
      default: return out;
    }
  }

  Message NodeOf(const RawNode& node) const {
    Message out = test::Node(Text(node.op), Texts(node.inputs), Texts(node.outputs));
    for (const RawAttribute& attribute : node.attributes) out.Sub(5, AttributeOf(attribute));
    return Absent(node.domain) ? out : out.Bytes(7, Text(node.domain));
  }

  void AddShape(const ShapeOf& shape, Message* graph) const {
    const std::string from = shape.name + "_of";
    graph->Sub(1, test::Node("Shape", {from}, {shape.name}));
    graph->Sub(11, Message().Bytes(1, from).Sub(2, TypeOf(shape.sizes)));
  }

  const RawModel& model_;
};

}  // namespace

std::string CaseModelBytes(const RawModel& model, const std::vector<ShapeOf>& shapes) {
  return CaseWriter(model).Run(shapes);
}

}  // namespace hwest

// Getters of columns about the neighbourhood of a node.
#include <charconv>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "report/getters.h"

namespace hwest::getters {
namespace {

// The double that prints as the float does.
double Shortest(float number) {
  char text[32];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text - 1, number);
  *end.ptr = '\0';
  return std::strtod(text, nullptr);
}

Cell TensorCell(const Constant& tensor) {
  Cell dims = Cell::OfList();
  for (const int64_t dim : tensor.dims) dims.push_back(dim);
  return Cell{{"dtype", ElemTypeName(tensor.elem)}, {"shape", std::move(dims)}};
}

template <class Elements, class Make>
Cell ListOf(const Elements& elements, Make make) {
  Cell list = Cell::OfList();
  for (const auto& element : elements) list.push_back(make(element));
  return list;
}

Cell AttributeCell(const Graph& graph, const Attribute& attribute) {
  const auto tensor = [&](ConstantId id) { return TensorCell(graph.constant(id)); };
  const auto body = [&](GraphId id) {
    const Body& of = graph.body(id);
    return Cell{{"graph", static_cast<int64_t>(id.index())}, {"nodes", of.nodes.size()}};
  };
  switch (attribute.kind) {
    case AttrKind::kInt: return attribute.i;
    case AttrKind::kFloat: return Shortest(attribute.f);
    case AttrKind::kString: return std::string(graph.str(attribute.s));
    case AttrKind::kInts: return ListOf(attribute.ints, [](int64_t number) { return Cell(number); });
    case AttrKind::kFloats: return ListOf(attribute.floats, [](float number) { return Cell(Shortest(number)); });
    case AttrKind::kStrings:
      return ListOf(attribute.strings, [&](StrId text) { return Cell(std::string(graph.str(text))); });
    case AttrKind::kTensor:
    case AttrKind::kSparseTensor: return attribute.tensors.empty() ? Cell() : tensor(attribute.tensors.front());
    case AttrKind::kTensors:
    case AttrKind::kSparseTensors: return ListOf(attribute.tensors, tensor);
    case AttrKind::kGraph: return attribute.graphs.empty() ? Cell() : body(attribute.graphs.front());
    case AttrKind::kGraphs: return ListOf(attribute.graphs, body);
    default: return nullptr;  // types are not kept
  }
}

}  // namespace

std::vector<std::string> OutputTypesOf(const NodeRow& node, const View& view) {
  std::vector<std::string> types;
  for (const ValueId output : view.graph->outputs(node.id)) {
    types.push_back(output.valid() ? TypeText(view.values[output.index()]) : "");
  }
  return types;
}

Cell AttributesOf(const NodeRow& node, const View& view) {
  Cell attributes = Cell::OfObject();
  for (const Attribute& attribute : view.graph->attributes(node.id)) {
    attributes.Set(std::string(view.graph->str(attribute.name)), AttributeCell(*view.graph, attribute));
  }
  return attributes;
}

}  // namespace hwest::getters

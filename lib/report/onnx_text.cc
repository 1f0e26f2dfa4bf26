// The nodes of `graph` in ONNX's text form, which onnx.parser reads. Weights are declared without contents except for a
// few numbers; comments give each node's place in the plan.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "op/known.h"
#include "report/graph_selection.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr int64_t kMostElements = 16;  // of a tensor whose contents are shown

std::string Quoted(absl::string_view text) {
  return absl::StrCat("\"", EscapeControl(absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}})), "\"");
}

// An identifier as it is, any other name in quotes.
std::string NameText(absl::string_view name) {
  const auto is_letter = [](char c) { return absl::ascii_isalnum(c) || c == '_'; };
  const bool is_identifier =
      !name.empty() && !absl::ascii_isdigit(name[0]) && std::all_of(name.begin(), name.end(), is_letter);
  return is_identifier ? std::string(name) : Quoted(name);
}

std::string RealText(double real) {
  char text[32];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, static_cast<float>(real));
  std::string shortest(text, end.ptr);
  const bool is_whole = shortest.find_first_of(".en") == std::string::npos;  // of "1.5", "1e-05", "inf", "nan"
  return is_whole ? absl::StrCat(shortest, ".0") : shortest;
}

std::string DimText(const Count& dim) {
  if (const auto* number = std::get_if<int64_t>(&dim)) return absl::StrCat(*number);
  const auto* formula = std::get_if<std::string>(&dim);
  return formula != nullptr ? NameText(*formula) : "?";
}

// "float[1,N,?]", "float" of a scalar, "float[]" where the rank is unknown; "" for a type that the form cannot say.
std::string TypeOf(const ValueRow& value) {
  if (!value.dtype.has_value()) return "";
  std::string tensor = *value.dtype;
  if (!value.shape.has_value()) {
    tensor += "[]";
  } else if (!value.shape->empty()) {
    const auto add_dim = [](std::string* out, const Count& dim) { absl::StrAppend(out, DimText(dim)); };
    absl::StrAppend(&tensor, "[", absl::StrJoin(*value.shape, ",", add_dim), "]");
  }
  switch (value.kind) {
    case ValueKind::kTensor: return tensor;
    case ValueKind::kSequence: return absl::StrCat("seq(", tensor, ")");
    case ValueKind::kOptional: return absl::StrCat("optional(", tensor, ")");
    default: return "";
  }
}

std::string Typed(const ValueRow& value) {
  const std::string type = TypeOf(value);
  return absl::StrCat(type, type.empty() ? "" : " ", NameText(value.name));
}

// "{1, -1}", or "" for contents that are unknown, long, or of a type that the form writes as bits.
std::string ContentsText(const Constant& constant) {
  const bool is_integer = constant.elem == ElemType::kInt64 || constant.elem == ElemType::kInt32;
  const bool is_real = constant.elem == ElemType::kFloat;
  if ((!is_integer && !is_real) || constant.Elements() > kMostElements) return "";
  const Known known = DecodeConstant(constant);
  if (known == nullptr) return "";
  std::vector<std::string> elements;
  for (const Scalar& scalar : *known) {
    if (!scalar.is_constant() || (is_integer && !scalar.is_int())) return "";
    elements.push_back(is_integer ? absl::StrCat(scalar.dim().value()) : RealText(scalar.number()));
  }
  return absl::StrCat("{", absl::StrJoin(elements, ", "), "}");
}

template <class Items, class Text>
std::string ListText(const Items& items, Text text) {
  std::vector<std::string> parts;
  for (const auto& item : items) parts.push_back(text(item));
  return absl::StrCat("[", absl::StrJoin(parts, ", "), "]");
}

class OnnxText {
 public:
  OnnxText(const View& view, const std::vector<NodeId>& nodes)
      : view_(view), graph_(*view.graph), is_shown_(graph_.nodes().size(), false) {
    for (const NodeId node : nodes) is_shown_[node.index()] = true;
    for (const NodeId node : nodes) {
      if (!IsInShownBody(node)) outermost_.push_back(node);
    }
    for (const NodeId node : outermost_) Walk(node);
    is_whole_ = nodes.size() == graph_.nodes().size();
  }

  absl::Status Write(Sink sink) const;

 private:
  bool IsInShownBody(NodeId node) const;
  void Walk(NodeId node);  // notes what the node and its bodies make and read
  void Read(ValueId value);
  std::string Signature() const;
  std::string WeightText(ValueId value) const;
  std::string WeightsText(const std::vector<ValueId>& weights, absl::string_view indent) const;
  std::string TensorText(ConstantId id) const;
  std::string BodyText(GraphId id, const std::string& indent) const;
  std::string AttributeText(const Attribute& attribute, const std::string& indent) const;
  std::string AttributesText(NodeId node, const std::string& indent) const;
  std::string NodeText(NodeId node, const std::string& indent) const;
  std::string CommentOn(NodeId node) const;
  ValueRow RowOf(ValueId value) const { return view_.values[value.index()]; }
  std::string NamesOf(absl::Span<const ValueId> values) const;

  const View& view_;
  const Graph& graph_;
  std::vector<bool> is_shown_;
  std::vector<NodeId> outermost_;                                                 // in no body of another one
  std::vector<bool> is_made_ = std::vector<bool>(graph_.values().size(), false);  // by what is shown
  std::vector<bool> is_read_ = std::vector<bool>(graph_.values().size(), false);
  std::vector<ValueId> reads_;    // from outside, in the order of first use; weights left out
  std::vector<ValueId> weights_;  // of the whole, as above
  std::map<GraphId, std::vector<ValueId>> body_weights_;
  bool is_whole_ = false;
};

bool OnnxText::IsInShownBody(NodeId node) const {
  NodeId owner = graph_.body(graph_.node(node).graph).owner;
  while (owner.valid() && !is_shown_[owner.index()]) owner = graph_.body(graph_.node(owner).graph).owner;
  return owner.valid();
}

void OnnxText::Read(ValueId id) {
  if (!id.valid() || is_made_[id.index()] || is_read_[id.index()]) return;
  is_read_[id.index()] = true;
  const Value& value = graph_.value(id);
  if (!value.constant.valid()) {
    reads_.push_back(id);
    return;
  }
  const NodeId owner = graph_.body(value.graph).owner;
  const bool is_of_body = owner.valid() && (is_shown_[owner.index()] || IsInShownBody(owner));
  (is_of_body ? body_weights_[value.graph] : weights_).push_back(id);
}

void OnnxText::Walk(NodeId node) {
  for (const Attribute& attribute : graph_.attributes(node)) {
    for (const GraphId id : attribute.graphs) {
      const Body& body = graph_.body(id);
      for (const ValueId input : body.inputs) is_made_[input.index()] = true;
      for (const NodeId inner : body.nodes) Walk(inner);
      for (const ValueId output : body.outputs) Read(output);
    }
  }
  for (const ValueId input : graph_.inputs(node)) Read(input);
  for (const ValueId output : graph_.outputs(node)) {
    if (output.valid()) is_made_[output.index()] = true;
  }
}

// A part of a graph takes as inputs what it reads and gives as outputs what others read from it.
std::string OnnxText::Signature() const {
  const Body& main = graph_.main();
  std::vector<ValueId> inputs = is_whole_ ? main.inputs : reads_, outputs;
  if (is_whole_) outputs = main.outputs;
  for (size_t i = 0; i < outermost_.size() && !is_whole_; ++i) {
    for (const ValueId output : graph_.outputs(outermost_[i])) {
      if (!output.valid()) continue;
      const auto is_outside = [&](const Use& use) { return !is_shown_[use.node.index()] && !IsInShownBody(use.node); };
      const auto uses = graph_.uses(output);
      if (graph_.value(output).is_output || uses.empty() || std::any_of(uses.begin(), uses.end(), is_outside)) {
        outputs.push_back(output);
      }
    }
  }
  const auto list = [&](const std::vector<ValueId>& values) {
    std::vector<std::string> parts;
    for (const ValueId value : values) {
      if (value.valid()) parts.push_back(Typed(RowOf(value)));
    }
    return absl::StrJoin(parts, ", ");
  };
  return absl::StrCat(NameText(graph_.info().name.empty() ? "graph" : graph_.info().name), " (", list(inputs), ") => (",
                      list(outputs), ")");
}

// A type alone, or a type and contents.
std::string OnnxText::WeightText(ValueId value) const {
  const std::string contents = ContentsText(graph_.constant(graph_.value(value).constant));
  return absl::StrCat(Typed(RowOf(value)), contents.empty() ? "" : absl::StrCat(" = ", contents));
}

std::string OnnxText::WeightsText(const std::vector<ValueId>& weights, absl::string_view indent) const {
  std::vector<std::string> parts;
  for (const ValueId weight : weights) parts.push_back(WeightText(weight));
  if (parts.empty()) return "";
  return absl::StrCat(" <\n", indent, "  ", absl::StrJoin(parts, absl::StrCat(",\n", indent, "  ")), "\n", indent, ">");
}

// "" when its contents cannot be written.
std::string OnnxText::TensorText(ConstantId id) const {
  const Constant& constant = graph_.constant(id);
  const std::string contents = ContentsText(constant);
  if (contents.empty()) return "";
  const std::string dims = constant.dims.empty() ? "" : absl::StrCat("[", absl::StrJoin(constant.dims, ","), "]");
  return absl::StrCat(ElemTypeName(constant.elem), dims, " ", contents);
}

std::string OnnxText::BodyText(GraphId id, const std::string& indent) const {
  const Body& body = graph_.body(id);
  std::vector<std::string> inputs, outputs;
  for (const ValueId input : body.inputs) inputs.push_back(Typed(RowOf(input)));
  for (const ValueId output : body.outputs) outputs.push_back(Typed(RowOf(output)));
  const auto weights = body_weights_.find(id);
  const absl::string_view name = graph_.str(body.name);
  std::string text = absl::StrCat(NameText(name.empty() ? "body" : name), " (", absl::StrJoin(inputs, ", "), ") => (",
                                  absl::StrJoin(outputs, ", "), ")",
                                  weights == body_weights_.end() ? "" : WeightsText(weights->second, indent), " {\n");
  for (const NodeId node : body.nodes) absl::StrAppend(&text, NodeText(node, indent + "  "));
  return absl::StrCat(text, indent, "}");
}

// The value, with its type where the text does not show it. "" for one that cannot be written.
std::string OnnxText::AttributeText(const Attribute& attribute, const std::string& indent) const {
  const auto number = [](auto item) { return absl::StrCat(item); };
  const auto text = [&](StrId item) { return Quoted(graph_.str(item)); };
  switch (attribute.kind) {
    case AttrKind::kInt: return absl::StrCat(" = ", attribute.i);
    case AttrKind::kFloat:
      return absl::StrCat(std::isfinite(attribute.f) ? " = " : ": float = ", RealText(attribute.f));
    case AttrKind::kString: return absl::StrCat(" = ", text(attribute.s));
    case AttrKind::kInts:
      return absl::StrCat(attribute.ints.empty() ? ": ints = " : " = ", ListText(attribute.ints, number));
    case AttrKind::kFloats: {
      const bool shows = !attribute.floats.empty() && std::isfinite(attribute.floats.front());
      return absl::StrCat(shows ? " = " : ": floats = ", ListText(attribute.floats, RealText));
    }
    case AttrKind::kStrings:
      return absl::StrCat(attribute.strings.empty() ? ": strings = " : " = ", ListText(attribute.strings, text));
    case AttrKind::kTensor: {
      const std::string tensor = attribute.tensors.empty() ? "" : TensorText(attribute.tensors.front());
      return tensor.empty() ? "" : absl::StrCat(" = ", tensor);
    }
    case AttrKind::kGraph:
      return attribute.graphs.empty() ? "" : absl::StrCat(" = ", BodyText(attribute.graphs.front(), indent));
    default: return "";
  }
}

std::string OnnxText::AttributesText(NodeId node, const std::string& indent) const {
  std::vector<std::string> parts;
  for (const Attribute& attribute : graph_.attributes(node)) {
    const std::string value = AttributeText(attribute, indent);
    if (!value.empty()) parts.push_back(absl::StrCat(NameText(graph_.str(attribute.name)), value));
  }
  return parts.empty() ? "" : absl::StrCat(" <", absl::StrJoin(parts, ", "), ">");
}

// The types of a node's outputs, what is left out, and its place in the plan.
std::string OnnxText::CommentOn(NodeId id) const {
  std::vector<std::string> types, parts;
  for (const ValueId output : graph_.outputs(id)) {
    const std::string type = output.valid() ? TypeOf(RowOf(output)) : "";
    types.push_back(type.empty() ? "?" : type);
  }
  parts.push_back(absl::StrJoin(types, ", "));
  for (const Attribute& attribute : graph_.attributes(id)) {
    const bool is_left_out = attribute.graphs.empty() && AttributeText(attribute, "").empty();
    if (is_left_out) parts.push_back(absl::StrCat(graph_.str(attribute.name), " left out"));
  }
  const NodeRow node = view_.nodes[id.index()];
  if (node.group.valid()) {
    const GroupRow group = view_.groups[node.group.index()];
    std::string place = absl::StrCat("g", node.group.index());
    if (node.unit.valid()) absl::StrAppend(&place, " on ", view_.units[node.unit.index()].name);
    if (group.root == id && group.estimate.has_value()) {
      absl::StrAppend(&place, ", ", FormatSeconds(group.estimate->time_s), ", ", BoundName(group.estimate->bound));
    }
    parts.push_back(std::move(place));
  }
  return absl::StrJoin(parts, "; ");
}

// An absent value is empty between commas; absent ones at the end are dropped.
std::string OnnxText::NamesOf(absl::Span<const ValueId> values) const {
  while (!values.empty() && !values.back().valid()) values.remove_suffix(1);
  std::vector<std::string> names;
  for (const ValueId value : values) names.push_back(value.valid() ? NameText(graph_.name(value)) : "");
  return absl::StrJoin(names, ", ");
}

std::string OnnxText::NodeText(NodeId id, const std::string& indent) const {
  const absl::string_view name = graph_.name(id), domain = graph_.domain(id);
  const std::string op = EscapeControl(absl::StrCat(domain, domain.empty() ? "" : ".", graph_.op(id)));
  return absl::StrCat(indent, name.empty() ? "" : absl::StrCat("[", NameText(name), "] "), NamesOf(graph_.outputs(id)),
                      " = ", op, AttributesText(id, indent), " (", NamesOf(graph_.inputs(id)), ")  # ",
                      EscapeControl(CommentOn(id)), "\n");
}

absl::Status OnnxText::Write(Sink sink) const {
  const ModelInfo& info = graph_.info();
  std::vector<std::string> opsets;
  for (const OpsetImport& opset : info.opsets) {
    opsets.push_back(absl::StrCat(Quoted(graph_.str(opset.domain)), " : ", opset.version));
  }
  const std::string head =
      absl::StrCat("<\n  ir_version: ", info.ir_version, ",\n  opset_import: [", absl::StrJoin(opsets, ", "), "]\n>\n");
  HWEST_RETURN_IF_ERROR(sink(absl::StrCat(head, Signature(), WeightsText(weights_, ""), "\n{\n")));
  for (const NodeId node : outermost_) HWEST_RETURN_IF_ERROR(sink(NodeText(node, "  ")));
  return sink("}\n");
}

}  // namespace

absl::Status WriteOnnxText(const Document& document, const ReportOptions& options, Sink sink) {
  const View& view = *document.view;
  const std::string condition = SelectionText(options.graph);
  if (!condition.empty()) {
    const std::string part = absl::StrCat(document.nodes.size(), " of ", view.nodes.size(), " nodes (", condition, ")");
    HWEST_RETURN_IF_ERROR(sink(absl::StrCat("# ", EscapeControl(part), "\n")));
  }
  return OnnxText(view, document.nodes).Write(sink);
}

}  // namespace hwest

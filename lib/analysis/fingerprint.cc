#include "analysis/fingerprint.h"

#include <bit>

#include "base/sha256.h"

namespace hwest {
namespace {

// Every list is preceded by its length, so that no two graphs give the same bytes.
class Fingerprint {
 public:
  explicit Fingerprint(const Graph& graph) : graph_(graph) {}

  std::string Run() {
    hash_.AddText("onnx-hwest graph 1");
    hash_.Add(static_cast<int64_t>(graph_.info().opsets.size()));
    for (const OpsetImport& import : graph_.info().opsets) {
      Text(import.domain);
      hash_.Add(import.version);
    }
    Count(graph_.values().size());
    for (size_t i = 0; i < graph_.values().size(); ++i) AddValue(ValueId(i));
    Count(graph_.constants().size());
    for (const Constant& constant : graph_.constants()) AddConstant(constant);
    Count(graph_.bodies().size());
    for (const Body& body : graph_.bodies()) AddBody(body);
    Count(graph_.scopes().size());
    for (const Scope& scope : graph_.scopes()) AddScope(scope);
    Count(graph_.nodes().size());
    for (size_t i = 0; i < graph_.nodes().size(); ++i) AddNode(NodeId(i));
    return hash_.Hex();
  }

 private:
  void Count(size_t count) { hash_.Add(static_cast<int64_t>(count)); }
  void Text(StrId id) { hash_.AddText(id.valid() ? graph_.str(id) : absl::string_view()); }
  template <class IdT>
  void Index(IdT id) {
    hash_.Add(id.valid() ? static_cast<int64_t>(id.index()) : int64_t{-1});
  }
  template <class Ids>
  void Indices(const Ids& ids) {
    Count(ids.size());
    for (const auto id : ids) Index(id);
  }
  void Real(float number) { hash_.Add(static_cast<int64_t>(std::bit_cast<uint32_t>(number))); }

  void AddType(const Type& type) {
    for (const auto part : {static_cast<int64_t>(type.kind), static_cast<int64_t>(type.inner),
                            static_cast<int64_t>(type.elem), static_cast<int64_t>(type.presence)}) {
      hash_.Add(part);
    }
    hash_.AddText(ToString(type.shape, graph_.dims()));
  }

  void AddValue(ValueId id) {
    const Value& value = graph_.value(id);
    Text(value.name);
    Index(value.producer);
    Index(value.constant);
    Index(value.graph);
    const Type* declared = graph_.declared(id);
    hash_.Add(int64_t{value.is_initializer} | value.is_input << 1 | value.is_output << 2 | value.is_argument << 3 |
              (declared != nullptr) << 4);
    if (declared != nullptr) AddType(*declared);
  }

  void AddConstant(const Constant& constant) {
    Text(constant.name);
    hash_.Add(static_cast<int64_t>(constant.elem));
    Count(constant.dims.size());
    for (const int64_t dim : constant.dims) hash_.Add(dim);
    const bool is_read = constant.storage == Storage::kDecoded;
    hash_.Add(int64_t{constant.sparse} | is_read << 1 | (constant.storage == Storage::kMissing) << 2);
    if (!is_read) return;
    hash_.AddText(constant.data);
    Count(constant.strings.size());
    for (const std::string& text : constant.strings) hash_.AddText(text);
  }

  void AddBody(const Body& body) {
    Text(body.name);
    Index(body.owner);
    Text(body.attribute);
    Indices(body.inputs);
    Indices(body.outputs);
  }

  void AddScope(const Scope& scope) {
    Text(scope.path);
    Text(scope.class_name);
    Index(scope.parent);
  }

  void AddAttribute(const Attribute& attribute) {
    Text(attribute.name);
    hash_.Add(static_cast<int64_t>(attribute.kind));
    hash_.Add(attribute.i);
    Real(attribute.f);
    Text(attribute.s);
    Count(attribute.ints.size());
    for (const int64_t number : attribute.ints) hash_.Add(number);
    Count(attribute.floats.size());
    for (const float number : attribute.floats) Real(number);
    Count(attribute.strings.size());
    for (const StrId text : attribute.strings) Text(text);
    Indices(attribute.tensors);
    Indices(attribute.graphs);
  }

  void AddNode(NodeId id) {
    const Node& node = graph_.node(id);
    Text(node.domain);
    Text(node.op);
    Text(node.name);
    hash_.Add(node.opset);
    Index(node.graph);
    Index(node.scope);
    Indices(graph_.inputs(id));
    Indices(graph_.outputs(id));
    Count(graph_.attributes(id).size());
    for (const Attribute& attribute : graph_.attributes(id)) AddAttribute(attribute);
  }

  const Graph& graph_;
  Sha256 hash_;
};

}  // namespace

std::string FingerprintOf(const Graph& graph) { return Fingerprint(graph).Run(); }

}  // namespace hwest

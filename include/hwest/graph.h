// The immutable graph: what a model file says, after names were resolved, local functions inlined and nodes sorted.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/diagnostic.h"
#include "hwest/dim.h"
#include "hwest/id.h"
#include "hwest/type.h"

namespace hwest {

class StringTable;

// Numbers are those of ONNX's AttributeProto.AttributeType.
enum class AttrKind : uint8_t {
  kUndefined = 0,
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kTensor = 4,
  kGraph = 5,
  kFloats = 6,
  kInts = 7,
  kStrings = 8,
  kTensors = 9,
  kGraphs = 10,
  kSparseTensor = 11,
  kSparseTensors = 12,
  kType = 13,
  kTypes = 14,
};

// Attribute of a node. Only the member that `kind` names is meaningful.
struct Attribute {
  StrId name;
  AttrKind kind = AttrKind::kUndefined;
  int64_t i = 0;
  float f = 0;
  StrId s;
  std::vector<int64_t> ints;
  std::vector<float> floats;
  std::vector<StrId> strings;
  std::vector<ConstantId> tensors;  // kTensor: exactly one
  std::vector<GraphId> graphs;      // kGraph: exactly one
  bool by_reference = false;        // handed in by the call of the enclosing local function
};

// Where the bytes of a constant are. Bytes are in memory only when small (see Constant::data).
enum class Storage : uint8_t {
  kEmpty,     // no elements
  kDecoded,   // `data` holds all elements
  kInline,    // in the model file at [offset, offset + length)
  kExternal,  // in `location`, relative to the model
  kMissing,   // declared, but no value field was there
};

// Constant is an initialiser or a tensor attribute. `data` is little endian in ONNX's raw layout.
struct Constant {
  StrId name;
  ElemType elem = ElemType::kUndefined;
  std::vector<int64_t> dims;
  Storage storage = Storage::kEmpty;
  std::string data;
  std::vector<std::string> strings;  // decoded string tensors
  int64_t offset = 0;
  int64_t length = 0;  // bytes as stored
  StrId location;
  bool sparse = false;

  // Elements; -1 when a dim is negative or the product leaves int64.
  int64_t Elements() const;
};

// Value is one edge of the graph. Names are the file's own; values of inlined functions are prefixed by the call path.
struct Value {
  StrId name;
  NodeId producer;        // none for inputs, initialisers and body inputs
  ConstantId constant;    // initialiser or output of a Constant node
  GraphId graph;          // graph the value is defined in
  int32_t declared = -1;  // index for Graph::declared(), -1 when the file declares no type
  bool is_initializer = false;
  bool is_input = false;     // input of its graph (an overridable initialiser is both)
  bool is_output = false;    // output of its graph
  bool is_argument = false;  // Constant whose tensor the call of a local function handed in
};

struct Node {
  StrId domain;  // "" for the default domain
  StrId op;
  StrId name;         // as in the file, prefixed by the call path in inlined functions; may be empty
  int32_t opset = 0;  // version of the domain's operator set that applies to this node; 0 = no import
  GraphId graph;
  ScopeId scope;
  StrId source_line;  // "FILE:LINE in FUNCTION: CODE" of the program that was exported; none or "" when unknown
  uint32_t first_input = 0, num_inputs = 0;
  uint32_t first_output = 0, num_outputs = 0;
  uint32_t first_attribute = 0, num_attributes = 0;
};

// Origin of a node in PyTorch's terms: a module op lies in a scope that contains no other scope; function and method
// ops lie above; unknown = the file says nothing.
enum class Origin : uint8_t { kModule, kFunction, kUnknown };

struct Scope {
  StrId path;        // dotted or slashed path from the root, "" for the root module
  StrId class_name;  // of the module, "" when unknown
  ScopeId parent;
  bool has_children = false;
};

// One use of a value: as input `input` of `node`. Outputs of a graph are not uses; see Value::is_output.
struct Use {
  NodeId node;
  uint32_t input = 0;
};

// Body is the main graph (index 0) or a graph attribute.
struct Body {
  StrId name;
  GraphId parent;               // none for the main graph
  NodeId owner;                 // control node, none for the main graph
  StrId attribute;              // e.g. "then_branch"
  std::vector<ValueId> inputs;  // without initialisers
  std::vector<ValueId> outputs;
  std::vector<NodeId> nodes;  // topological; ascending ids; nodes of nested bodies not included
};

struct OpsetImport {
  StrId domain;
  int64_t version = 0;
};

struct ModelInfo {
  std::string name;      // of the main graph
  std::string producer;  // "name version"
  int64_t ir_version = 0;
  std::vector<OpsetImport> opsets;
  int64_t file_bytes = 0;
  int64_t metadata_bytes = 0;  // file size minus payloads not decoded at import
};

// Graph is built once (lib/ir/builder.h) and never changes; it may be read from any number of threads. Node ids are
// a topological order over all bodies: nodes of a body come before the control node that owns it.
class Graph {
 public:
  Graph();
  ~Graph();
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;

  const ModelInfo& info() const { return info_; }
  absl::string_view str(StrId id) const;
  StrId FindStr(absl::string_view text) const;  // none when the text occurs nowhere

  const IdMap<NodeId, Node>& nodes() const { return nodes_; }
  const IdMap<ValueId, Value>& values() const { return values_; }
  const IdMap<ConstantId, Constant>& constants() const { return constants_; }
  const IdMap<GraphId, Body>& bodies() const { return bodies_; }
  const IdMap<ScopeId, Scope>& scopes() const { return scopes_; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  const Value& value(ValueId id) const { return values_[id]; }
  const Constant& constant(ConstantId id) const { return constants_[id]; }
  const Body& body(GraphId id) const { return bodies_[id]; }
  const Body& main() const { return bodies_[GraphId(0u)]; }
  const Scope& scope(ScopeId id) const { return scopes_[id]; }

  // Inputs by position; an id that is not valid() is an absent optional input.
  absl::Span<const ValueId> inputs(NodeId id) const {
    return absl::MakeConstSpan(edges_).subspan(nodes_[id].first_input, nodes_[id].num_inputs);
  }
  absl::Span<const ValueId> outputs(NodeId id) const {
    return absl::MakeConstSpan(edges_).subspan(nodes_[id].first_output, nodes_[id].num_outputs);
  }
  absl::Span<const Attribute> attributes(NodeId id) const;
  const Attribute* FindAttribute(NodeId id, absl::string_view name) const;
  absl::Span<const Use> uses(ValueId id) const;

  absl::string_view domain(NodeId id) const { return str(node(id).domain); }
  absl::string_view op(NodeId id) const { return str(node(id).op); }
  absl::string_view name(NodeId id) const { return str(node(id).name); }
  absl::string_view name(ValueId id) const { return str(value(id).name); }
  // Name for people: the node's own, else that of its first output, else "Op #id".
  std::string Label(NodeId id) const;
  Origin OriginOf(NodeId id) const;

  // True for initialisers, Constant outputs, and what nodes compute from such alone (random numbers excluded).
  bool IsConstant(ValueId id) const { return is_constant_[id.index()]; }

  // Type declared by the file, null when none.
  const Type* declared(ValueId id) const;
  const DimPool& dims() const { return dims_; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  friend class GraphBuilder;
  friend class GraphEdit;
  static constexpr uint32_t kAddedStrings = uint32_t{1} << 31;  // ids from here on are of strings of an edit

  ModelInfo info_;
  std::shared_ptr<const StringTable> strings_;
  std::vector<std::string> added_strings_;
  IdMap<NodeId, Node> nodes_;
  IdMap<ValueId, Value> values_;
  IdMap<ConstantId, Constant> constants_;
  IdMap<GraphId, Body> bodies_;
  IdMap<ScopeId, Scope> scopes_;
  std::vector<ValueId> edges_;  // inputs and outputs of all nodes
  std::vector<Attribute> attributes_;
  std::vector<Type> declared_;
  std::vector<uint32_t> use_begin_;  // by value, one past the end included
  std::vector<Use> uses_;
  std::vector<bool> is_constant_;  // by value
  DimPool dims_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace hwest

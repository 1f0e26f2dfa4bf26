// OpRule: how one operator infers types, follows values and counts work. One row per (domain, op); all are pure.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/work.h"
#include "ir/builder.h"
#include "op/traits.h"

namespace hwest {

// OpView is a read-only view of one node with the facts of its inputs and outputs.
class OpView {
 public:
  OpView(const Graph& graph, NodeId node, const Facts& facts, DimPool& dims)
      : graph_(graph), node_(node), facts_(facts), dims_(dims) {}

  const Graph& graph() const { return graph_; }
  NodeId node() const { return node_; }
  DimPool& dims() const { return dims_; }
  absl::string_view op() const { return graph_.op(node_); }
  absl::string_view domain() const { return graph_.domain(node_); }
  // Operator set version that applies, e.g. 17. 0 when the domain is not imported.
  int opset() const { return graph_.node(node_).opset; }

  int num_inputs() const { return static_cast<int>(graph_.inputs(node_).size()); }
  int num_outputs() const { return static_cast<int>(graph_.outputs(node_).size()); }
  bool has_input(int i) const;   // false for absent optional inputs and past the end
  bool has_output(int i) const;  // once inference is done: false, too, for those past the first that nobody needs
  ValueId input(int i) const { return graph_.inputs(node_)[static_cast<size_t>(i)]; }
  ValueId output(int i) const { return graph_.outputs(node_)[static_cast<size_t>(i)]; }
  // Facts; an absent input has an unknown type and nothing known.
  const Type& in(int i) const;
  const Type& out(int i) const;
  const Known& known(int i) const;
  const Known& out_known(int i) const;
  // Input i is an initialiser, a Constant, or computed from constants only (by the graph's structure).
  bool is_constant(int i) const;
  // What OpRule::computes says of this node.
  bool computes() const;

  // Attributes; the default is returned when absent or of another kind.
  int64_t attr(absl::string_view name, int64_t fallback) const;
  float attr(absl::string_view name, float fallback) const;
  absl::string_view attr(absl::string_view name, absl::string_view fallback) const;
  absl::Span<const int64_t> ints(absl::string_view name) const;  // empty when absent
  absl::Span<const float> floats(absl::string_view name) const;
  absl::Span<const StrId> strings(absl::string_view name) const;
  const Constant* tensor(absl::string_view name) const;  // null when absent
  bool has_attr(absl::string_view name) const { return graph_.FindAttribute(node_, name) != nullptr; }

  // Input i as a list of integer dims, e.g. a Reshape's target; nullopt when nothing (or not all) is known.
  std::optional<std::vector<Dim>> known_dims(int i) const;
  // As above, all constant.
  std::optional<std::vector<int64_t>> known_ints(int i) const;
  std::optional<std::vector<double>> known_floats(int i) const;
  // Elements of input i, a tensor of strings; null when they are not known.
  const std::vector<std::string>* known_strings(int i) const;
  // Fact of any value, e.g. an output of a body.
  const ValueFact& fact(ValueId value) const { return facts_.values[value]; }
  // Shows input 0 and output 0 under other types, so that the rule of an operator can be used for a variant of it in
  // another layout. Null = as the facts say. The types have to outlive the view.
  void SeeAs(const Type* input, const Type* output) {
    seen_input_ = input;
    seen_output_ = output;
  }
  // Elements of a sequence, null when not known one by one.
  const Elements& elements(int i) const { return elements_of(has_input(i) ? input(i) : ValueId()); }
  const Elements& elements_of(ValueId value) const;
  // The node that computes input i; none for graph inputs, initialisers and absent inputs.
  std::optional<OpView> producer(int i) const;
  // The size of that prefix that this node asked FreshSize for; unknown when it asked for none.
  Dim fresh_size(absl::string_view prefix) const;
  OpView at(NodeId node) const { return OpView(graph_, node, facts_, dims_); }  // another node of the graph

 protected:
  const Graph& graph_;
  NodeId node_;
  const Facts& facts_;
  DimPool& dims_;
  const Type* seen_input_ = nullptr;
  const Type* seen_output_ = nullptr;
};

struct FollowMemory;  // defined by the operator that needs one

// InferContext adds the results. A rule sets what it knows and leaves the rest unset (= unknown).
class InferContext : public OpView {
 public:
  InferContext(const Graph& graph, NodeId node, Facts& facts, DimPool& dims)
      : OpView(graph, node, facts, dims), mutable_facts_(facts) {}

  void set_out(int i, Type type);  // ignored for absent outputs
  void set_out(int i, ElemType elem, Shape shape) { set_out(i, Type::Tensor(elem, std::move(shape))); }
  // Contents of output i; ignored unless the length equals the (constant) element count and is within the cap.
  void set_known(int i, std::vector<Scalar> values);
  void set_known(int i, Known values);
  // States that two dims have to agree; a proven contradiction is an InvalidArgument error, an undecided pair is
  // recorded as a constraint. Returns the better known of the two.
  absl::StatusOr<Dim> Unify(Dim a, Dim b);
  // Numpy broadcast of shapes; records constraints. Unranked in = unranked out.
  absl::StatusOr<Shape> Broadcast(const Shape& a, const Shape& b);
  // Elements of output i, a sequence of constant length; ignored for other lengths and past kMaxFollowedElements.
  void set_elements(int i, Elements elements);
  // A fresh data-dependent size named after this node, between min and max_expr. When a node is looked at again, as in
  // the body of a loop, its requests get the sizes they got before, with the bounds of the newest request.
  // `typical` is what it is taken at where a figure is needed (see op/typical_size.h); unknown = at max_expr.
  Dim FreshSize(absl::string_view prefix, int64_t min, Dim max_expr, Dim typical = Dim::Unknown());
  // As above; name, text, cause and data_dependent of `info` are set here.
  Dim FreshSize(absl::string_view prefix, Symbol info);
  // For operators that own bodies: everything, inputs of the bodies included.
  Facts& facts() { return mutable_facts_; }
  // What the operator's FollowFn keeps from look to look, for itself and for InferFn. Empty before round 0.
  std::shared_ptr<FollowMemory>& memory() { return memory_; }

 private:
  Facts& mutable_facts_;
  std::vector<Dim> handed_out_;  // by FreshSize
  std::shared_ptr<FollowMemory> memory_;
};

// How much a look at the bodies may cost: once the budget for repeated looks is spent, what changes from one iteration
// to the next is given up at once.
enum class Effort : uint8_t { kFull, kCoarse, kLeast };

using InferFn = absl::Status (*)(InferContext&);
using KnownFn = void (*)(InferContext&);
using WorkFn = absl::StatusOr<Work> (*)(const OpView&);
// Sets facts of the inputs of the bodies a node owns, and its trips. Called before the bodies are looked at (round 0)
// and after each look. Returns whether they have to be looked at (again); with Effort::kLeast that is true in round 0
// only.
using FollowFn = bool (*)(InferContext&, int round, Effort effort);

// Whether a node whose operator mostly changes nothing computes all the same.
using ComputesFn = bool (*)(const Graph& graph, NodeId node, const Facts& facts);

// What the node is when its class is not decided by its uses and inputs (see pass/classify).
enum class OpClass : uint8_t { kCompute, kLayout, kView, kConstant, kControl };

// OpRule is one row of the table. `versions` are all since_versions of the operator, ascending, space separated.
struct OpRule {
  absl::string_view domain = "";  // "" = ONNX
  absl::string_view op;
  absl::string_view versions = "";
  InferFn infer = nullptr;
  KnownFn known = nullptr;  // null = contents are not followed
  WorkFn work = nullptr;    // null = no arithmetic, default bytes
  OpClass op_class = OpClass::kCompute;
  ComputesFn computes = nullptr;  // of views: true for nodes that are kernels; null = none is
  Traits traits = 0;
  absl::string_view activation = "";  // family of activations that it computes, e.g. "GELU"
  // Read for its values only to decide shapes (Reshape's target, Slice's starts ...): such inputs are no traffic and
  // make their producers shape arithmetic.
  InputMask shape_inputs = 0;
  InputMask type_inputs = 0;  // of which only the element type counts
  InputMask moved = 0;        // whose elements output 0 holds, moved but not changed
  InputMask scales = 0;       // scales and zero points
  InputMask weights = 0;      // whose integers are weights when a file holds them
  // Whose floating point numbers are weights wherever the file keeps them. Those of other inputs are so as initialisers
  // only: Constant nodes hold masks, grids and factors as well.
  InputMask parameters = 0;
  InputMask buffers = 0;           // statistics, not trained
  absl::string_view learned = "";  // attributes with numbers that were trained, space separated
  absl::Span<const PackedInputs> packed = {};
  SizeOperand sizes = {};     // that a batch written into the file can stand in
  FollowFn follow = nullptr;  // null = the inputs of bodies, if any, are as declared
};

// FindRule returns the row of (domain, op), null when there is none. Constant time; the table is put together on first
// use.
const OpRule* FindRule(absl::string_view domain, absl::string_view op);
// All rows, sorted by (domain, op).
absl::Span<const OpRule> AllRules();
bool HasRule(absl::string_view domain, absl::string_view op);
// Number of rows of the domain "".
int64_t NumStandardOps();
// The row of a node's operator, null when there is none.
const OpRule* RuleOf(const Graph& graph, NodeId node);
// Whether the node's operator has one of `traits`; false without a row.
bool HasTrait(const Graph& graph, NodeId node, Traits traits);
// How input `input` packs its values; null when each element is one.
const PackedInputs* PackedAt(const OpRule& rule, size_t input);
// Bits of one value, as the node's attribute states.
int64_t PackedBits(const Graph& graph, NodeId node, const PackedInputs& packed);
// The traits of every node; quicker than one by one.
IdMap<NodeId, Traits> TraitsOfNodes(const Graph& graph);
// What building a graph needs of the table.
BuildRole BuildRoleOf(absl::string_view domain, absl::string_view op);
// SinceVersion returns the highest entry of rule.versions that is <= opset (the lowest entry when opset is below it,
// 0 when the list is empty).
int SinceVersion(const OpRule& rule, int opset);
// Highest version of the rule's list over the domain "" (newest operator set this build knows).
int NewestOpset();

}  // namespace hwest

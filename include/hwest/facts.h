// The results of inference: type and known contents of every value, and the class of every node.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "hwest/dim.h"
#include "hwest/id.h"
#include "hwest/type.h"

namespace hwest {

// Scalar is one element of a known tensor: an integer expression (also bool as 0/1, and floats that are exactly an
// integer expression), a float, or unknown.
class Scalar {
 public:
  Scalar() = default;  // unknown
  static Scalar Int(Dim dim) {
    Scalar s;
    s.kind_ = dim.is_unknown() ? Kind::kUnknown : Kind::kInt;
    s.dim_ = dim;
    return s;
  }
  static Scalar Float(double value) {
    Scalar s;
    s.kind_ = Kind::kFloat;
    s.float_ = value;
    return s;
  }
  bool is_unknown() const { return kind_ == Kind::kUnknown; }
  bool is_int() const { return kind_ == Kind::kInt; }      // dim() is valid
  bool is_float() const { return kind_ == Kind::kFloat; }  // number() is valid
  bool is_constant() const { return is_float() || (is_int() && dim_.is_constant()); }
  Dim dim() const { return is_float() ? Dim() : dim_; }
  // Requires is_constant(): the value as a double.
  double number() const { return is_float() ? float_ : static_cast<double>(dim_.value()); }
  bool operator==(const Scalar& other) const {
    return kind_ == other.kind_ && (is_float() ? float_ == other.float_ : dim_ == other.dim_);
  }

 private:
  enum class Kind : uint8_t { kUnknown, kInt, kFloat };
  Kind kind_ = Kind::kUnknown;
  union {
    Dim dim_ = Dim();  // of unknown and integers
    double float_;
  };
};

// Known is the contents of a small tensor, row-major, shared when copied. Null = nothing is known. Its length always
// equals the number of elements of the value's (constant) shape.
using Known = std::shared_ptr<const std::vector<Scalar>>;

// The contents of a small tensor of strings, row-major.
using KnownStrings = std::shared_ptr<const std::vector<std::string>>;

// Values with more elements than this are never followed.
inline constexpr int64_t kMaxKnownElements = 65536;
// Elements of longer sequences are described together only.
inline constexpr size_t kMaxFollowedElements = 1024;

// What is known of one element of a sequence.
struct Element {
  Type type;
  Known known;
};
// Elements of a sequence whose length is a known constant. Null = only what Type says of all of them together.
using Elements = std::shared_ptr<const std::vector<Element>>;

// ValueFact is everything inference knows of one value.
struct ValueFact {
  Type type;
  Known known;
  NodeId blocked_by;  // node where knowledge of the type or shape was lost; none when complete
};

// Constraint: inference needed `a` and `b` to agree at `node` and could not prove it.
struct Constraint {
  Dim a;
  Dim b;
  NodeId node;
};

struct RunTimeNames;  // defined where they are made, in op/run_time.h

struct Facts {
  IdMap<ValueId, ValueFact> values;
  std::vector<Constraint> constraints;
  absl::flat_hash_map<ValueId, Elements> elements;  // of sequences
  // Runs of a body per run of the node that owns it: the trip count of a loop, 1 and 0 for the branches of an If whose
  // condition is known. Other bodies have no entry.
  absl::flat_hash_map<GraphId, Dim> trips;
  // The data-dependent sizes a node made, in the order it requested them; another pass over a body reuses them.
  absl::flat_hash_map<NodeId, std::vector<Dim>> fresh;
  // Nodes whose rule refused their inputs. They have no counts, because counting relies on the checks of inference.
  absl::flat_hash_set<NodeId> refused;
  absl::flat_hash_map<ValueId, KnownStrings> strings;  // of inputs whose contents the caller gave
  std::shared_ptr<RunTimeNames> run_time;  // symbols of integers known only at run time; null = there are none
  // Values that no output of the model needs, by value id; empty = not looked at, every value is needed.
  std::vector<bool> unneeded;
  bool IsNeeded(ValueId value) const { return unneeded.empty() || !unneeded[value.index()]; }
};

// NodeClass decides what a node is at run time. compute, layout and opaque are kernels; view, shape, constant and dead
// cost nothing; control costs its overhead beside its bodies.
enum class NodeClass : uint8_t {
  kCompute,   // arithmetic, or data-dependent selection
  kLayout,    // moves data: Transpose, Concat, Slice, Pad, Gather, Expand, ...
  kView,      // same bytes under another type: Reshape, Squeeze, Identity, inference Dropout, ...
  kShape,     // all outputs end in shape arithmetic
  kConstant,  // Constant, or computed from constants and bound sizes alone: folded before run time
  kControl,   // If, Loop, Scan, SequenceMap
  kOpaque,    // no rule
  kDead,      // no output of the model needs it
};
inline constexpr size_t kNodeClasses = static_cast<size_t>(NodeClass::kDead) + 1;
absl::string_view NodeClassName(NodeClass node_class);

// True for classes that are gone before run time.
constexpr bool IsFolded(NodeClass node_class) {
  return node_class == NodeClass::kShape || node_class == NodeClass::kConstant || node_class == NodeClass::kDead;
}

}  // namespace hwest

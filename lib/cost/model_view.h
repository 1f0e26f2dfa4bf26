// The tables of earlier stages in one bundle, with the look-ups that cost, partition and plan share.
#pragma once

#include <cstdint>
#include <optional>

#include "hwest/dim.h"
#include "hwest/estimate.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/work.h"

namespace hwest {

struct OpRule;
struct Reading;

// ModelIndex is what the model alone decides of each node and value and every group asks of them again and again. It is
// found once per binding.
struct ModelIndex {
  // The facts of one value, a bit each.
  enum Flag : uint8_t {
    kConstant = 1,     // as IsConstant
    kShape = 2,        // as IsShapeValue
    kDequantized = 4,  // as IsDequantized
    kCache = 8,        // a run hands it to the next one, or it is a view of what is handed (see FindCaches)
  };
  static constexpr int64_t kNotKnown = INT64_MIN;

  IdMap<NodeId, const OpRule*> rules;  // null = no row
  IdMap<NodeId, NodeId> alike;         // as FindAlike
  IdMap<ValueId, ValueId> roots;       // as RootOf
  IdMap<ValueId, uint8_t> flags;       // of Flag
  IdMap<ValueId, int64_t> elements;    // as ElementsOf; kNotKnown = none
};

// ModelView borrows; every table has one row per node (or value) of `graph`. Work is that of one execution of a node,
// whatever body it lies in.
struct ModelView {
  const Graph& graph;
  const Facts& facts;
  const IdMap<NodeId, NodeClass>& classes;
  const WorkMap& work;
  DimPool& dims;
  const ModelIndex* index = nullptr;  // null = looked up at each question, and no value is a cache
  bool has_elements = true;           // the elements of `index` are those of `dims`
  const Reading* reading = nullptr;   // null = `graph` is read as it is written
  const Graph* written = nullptr;     // the graph in the file; null = `graph`
};

// MakeIndex answers for the whole graph in a few sweeps: a chain of views is as long as the graph at worst.
ModelIndex MakeIndex(const ModelView& model);
// Counts the elements of `index` again, for other sizes.
void CountElements(const ModelView& model, ModelIndex* index);

// The row of a node's operator, null when there is none; whether it has one of `traits`.
const OpRule* RuleOf(const ModelView& model, NodeId node);
bool HasTrait(const ModelView& model, NodeId node, uint32_t traits);

// RootOf follows views back to the value whose bytes `value` shares; itself when no view made it.
ValueId RootOf(const ModelView& model, ValueId value);

// True for initialisers, constants and whatever was folded from them.
bool IsConstant(const ModelView& model, ValueId value);
// True for values that exist only to compute shapes: they are no traffic.
bool IsShapeValue(const ModelView& model, ValueId value);
// True when input `index` of `node` is read as data: present, neither a shape operand nor shape arithmetic.
bool ReadsData(const ModelView& model, NodeId node, size_t index);

// Nodes of class compute, layout, control or opaque; the others take no time.
bool IsKernel(NodeClass node_class);

// Elements of a tensor, or of all tensors of a sequence; none when unknown.
std::optional<int64_t> ElementsOf(const ModelView& model, ValueId value);
// True when the value comes straight from DequantizeLinear, views looked through.
bool IsDequantized(const ModelView& model, ValueId value);
// Bits of one element when the value is deployed: floating point values take the width that the precision stores
// activations or weights in, all others their own. Between the integer kernels of a quantised graph, what is
// dequantised stays an integer and other floating point values are kept in precision.floating. A cache has the type
// that the file declares whatever computes on it: one run hands it to the next. 0 when the type has no size.
int DeployedBits(const ModelView& model, ValueId value, Precision precision);
// Bytes of the whole value as deployed; none when unknown.
std::optional<int64_t> DeployedBytes(const ModelView& model, ValueId value, Precision precision);
// Bytes of `elements` packed elements; none on overflow or when bits is 0.
std::optional<int64_t> PackedBytes(int64_t elements, int bits);

}  // namespace hwest

// The tables of earlier stages as one bundle, and the few questions cost, partition and plan all ask of them.
#pragma once

#include <cstdint>
#include <optional>

#include "hwest/dim.h"
#include "hwest/estimate.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/work.h"

namespace hwest {

// ModelView borrows; every table has one row per node (or value) of `graph`. Work is that of one execution of a node,
// whatever body it lies in.
struct ModelView {
  const Graph& graph;
  const Facts& facts;
  const IdMap<NodeId, NodeClass>& classes;
  const WorkMap& work;
  DimPool& dims;
  const IdMap<ValueId, ValueId>* roots = nullptr;  // of FindRoots; null = views are followed at each question
  const IdMap<ValueId, uint8_t>* caches = nullptr;  // of MarkCaches; null = none
};

// RootOf of every value in one sweep: a chain of views is as long as the graph at worst.
IdMap<ValueId, ValueId> FindRoots(const Graph& graph, const IdMap<NodeId, NodeClass>& classes);

// MarkCaches marks what a run hands to the next one (see FindCaches), the roots of its views included.
IdMap<ValueId, uint8_t> MarkCaches(const Graph& graph, const Facts& facts, const IdMap<ValueId, ValueId>& roots);

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
// Bits of one element when the value is deployed: floating point values take the precision's width (activation or
// weight), all others their own. Between the integer kernels of a quantised graph, what is dequantised stays an integer
// and other floating point values are kept in precision.floating. A cache has the type that the file declares whatever
// computes on it: one run hands it to the next. 0 when the type has no size.
int DeployedBits(const ModelView& model, ValueId value, Precision precision);
// Bytes of the whole value as deployed; none when unknown.
std::optional<int64_t> DeployedBytes(const ModelView& model, ValueId value, Precision precision);
// Bytes of `elements` packed elements; none on overflow or when bits is 0.
std::optional<int64_t> PackedBytes(int64_t elements, int bits);

}  // namespace hwest

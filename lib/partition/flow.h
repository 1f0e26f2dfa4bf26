// Flow: the values that cross atoms, looking through views.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/atoms.h"

namespace hwest {

struct FlowValue {
  ValueId value;                     // the value that owns the bytes
  uint32_t producer = Atoms::kNone;  // atom; kNone for inputs of the model
  bool is_output = false;            // of the main graph
};

struct Flow {
  using List = absl::InlinedVector<uint32_t, 2>;
  std::vector<FlowValue> values;  // ascending by value
  std::vector<List> reads;        // by atom: values that another atom or the caller made
  std::vector<List> writes;       // by atom: values that another atom or the caller reads
};

// Constants and shape arithmetic do not flow, nor do inputs of control flow bodies: the node that owns the body passes
// them on.
Flow MakeFlow(const ModelView& model, const Atoms& atoms);

// Roots of the activations that `node` reads, without duplicates, in input order.
absl::InlinedVector<ValueId, 4> DataReads(const ModelView& model, NodeId node);

}  // namespace hwest

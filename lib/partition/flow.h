// Flow: the values that cross atoms, looked at through views.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/atoms.h"

namespace hwest {

struct FlowValue {
  ValueId value;                     // root of its bytes
  uint32_t producer = Atoms::kNone;  // atom; kNone for inputs of the model
  bool is_output = false;            // of the main graph
};

struct Flow {
  using List = absl::InlinedVector<uint32_t, 2>;
  std::vector<FlowValue> values;  // ascending by value
  std::vector<List> reads;        // by atom: values that another atom or the caller made
  std::vector<List> writes;       // by atom: values that another atom or the caller reads
};

// Constants and shape arithmetic do not flow, nor do the inputs of control flow bodies: they are handed over by the
// node that owns the body.
Flow MakeFlow(const ModelView& model, const Atoms& atoms);

// Roots of the activations that `node` reads, no duplicates, in input order.
absl::InlinedVector<ValueId, 4> DataReads(const ModelView& model, NodeId node);

}  // namespace hwest

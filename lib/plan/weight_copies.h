// Weight copies: the bytes of the file's weight tensors as deployed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "cost/model_view.h"
#include "cost/weight_layout.h"
#include "hwest/analysis.h"

namespace hwest {

// WeightCopies counts tables in attributes as the file holds them, and a tensor of the file once for every memory and
// width that kernels compute with, however many nodes read it and whether directly, reshaped, transposed or dequantised
// before run time. An operator that only picks rows (Gather and its like) reads whatever copy is there; without one,
// the tensor as stored or narrower.
class WeightCopies {
 public:
  explicit WeightCopies(const ModelView& model) : model_(model), tensors_(model.graph.values().size()) {}

  // `memory` tells memories apart, `unit` is for Repeated(), `layout` is that of the unit that runs `group`.
  void Add(const Group& group, Precision precision, UnitId unit, const Memory* memory, const WeightBlocks& layout);
  // Bytes of all copies; sizes that are unknown are left out.
  int64_t Bytes() const;
  // The same by the unit that reads a copy first; the unit may be none.
  std::vector<std::pair<UnitId, int64_t>> BytesByUnit() const;
  // No more than Bytes() will be whatever is added.
  int64_t LeastBytes() const { return least_bytes_; }
  // Those of tensors that are no weights.
  OtherConstants Others() const;
  // What stands in memory more than once, in words for a note, with the units that need it; none when nothing does.
  std::optional<std::string> Repeated(const Target& target) const;

 private:
  struct Copy {
    const Memory* memory;
    int bits;
    int64_t bytes;
    UnitId unit;     // first reader
    bool is_picked;  // from, and nothing else
  };
  using Copies = absl::InlinedVector<Copy, 1>;

  void AddRead(ValueId value, bool picks, int bits, double padded, UnitId unit, const Memory* memory);

  const ModelView& model_;
  IdMap<ValueId, Copies> tensors_;  // by StoredTensor
  int64_t least_bytes_ = 0;         // of copies that another reader does not replace, and of tables
  std::vector<std::pair<UnitId, int64_t>> table_bytes_;  // of attributes
};

// StoredTensor follows a constant back through what only rearranges or dequantises it, to the tensor of the file.
ValueId StoredTensor(const ModelView& model, ValueId value);

// WeightCopiesOf counts those of a plan.
WeightCopies WeightCopiesOf(const ModelView& model, const Target& target, const Plan& plan);

}  // namespace hwest

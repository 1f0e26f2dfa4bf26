// Symbols for integers known only at run time. Results computed from them may still be known, such as the length of
// x[s:s + 4].
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "hwest/facts.h"
#include "op/rule.h"
#include "op/traits.h"

namespace hwest {

// RunTimeNames is what a model's inference has named so far.
struct RunTimeNames {
  using Cut = std::tuple<Dim, Dim, Dim>;  // start and end of a range of an axis, and the size of the axis

  absl::flat_hash_map<std::pair<ValueId, size_t>, Dim> elements;
  absl::flat_hash_set<SymbolId> symbols;
  absl::flat_hash_map<Cut, Dim> lengths;     // of ranges cut at such numbers: equal ranges are equally long
  absl::flat_hash_set<NodeId> taken_within;  // whose ranges are taken to lie within their axis, see TakeWithin
  int64_t looks = 0;                         // at nodes whose contents were followed once more
};

// NamedContents shows, as long as it lives, the contents of some inputs of a node with a symbol in place of each
// integer that nothing is known of. Contents of the nodes that compute them are followed from there, as far as they
// are small.
class NamedContents {
 public:
  NamedContents(InferContext& ctx, InputMask inputs);
  ~NamedContents();
  NamedContents(const NamedContents&) = delete;
  NamedContents& operator=(const NamedContents&) = delete;

  // Whether a size depends on such a symbol. No fact may hold one that does.
  bool IsIn(Dim dim) const;
  // Whether it does, or depends on another size that only the data decide, such as which run of a loop it is.
  bool IsDecidedAtRunTime(Dim dim) const;
  // States that the node's range is taken to lie within its axis, which contents might contradict.
  void TakeWithin();

 private:
  void Show(ValueId value);
  void Follow(ValueId value);
  void NameUnknown(ValueId value);
  Dim NameOf(ValueId value, size_t element);
  void Save(ValueId value);

  InferContext& ctx_;
  RunTimeNames& names_;
  int depth_ = 0;  // of the operator that is followed
  absl::flat_hash_set<ValueId> shown_;
  std::vector<std::pair<ValueId, Known>> saved_;
};

// FillFromRunTime completes the contents of `inputs` by elements that are the same whatever run time brings, such as
// the difference of s + 4 and s.
void FillFromRunTime(InferContext& ctx, InputMask inputs);

// Whether the file states a constant size for this axis of an output; that says more than a symbol.
bool StatesSize(const OpView& op, int output, int axis);

}  // namespace hwest

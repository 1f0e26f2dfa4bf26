// Building blocks for counting work.
#pragma once

#include <initializer_list>

#include "op/rule.h"

namespace hwest {

// Elements of input or output `i`; unknown when the shape is not fully known.
Dim InElements(const OpView& op, int i);
Dim OutElements(const OpView& op, int i);

// Operations per element, e.g. {.add = 2, .mul = 1}.
struct PerElement {
  int64_t add = 0, mul = 0, compare = 0, transcendental = 0, integer = 0;
};

// AddOps adds `per` times `elements`. Operations on elements that are known to be no floating point numbers count as
// integer work, whatever their kind.
void AddOps(DimPool& dims, Work& work, Dim elements, const PerElement& per, ElemType elem = ElemType::kFloat);

// Operations of an activation named by a fused operator's attribute ("Relu", "Tanh", "silu", ...), in any case; nothing
// for "", "none" and "identity". Errors: an unknown name.
absl::StatusOr<PerElement> ActivationOps(absl::string_view name);

// ElementWork is a Work of `per` operations per element of output 0, in the element type of input 0.
Work ElementWork(const OpView& op, const PerElement& per);
// As above per element of input 0.
Work InputElementWork(const OpView& op, const PerElement& per);

// IsIntegerProduct tells whether both operands of a contraction are integer tensors, or both come straight from
// DequantizeLinear. Read from the graph alone.
bool IsIntegerProduct(const OpView& op, int a, int b);

enum class Operands { kFloat, kInteger };

// AddContraction appends `c` and adds `macs` to the totals.
void AddContraction(DimPool& dims, Work& work, Contraction c, Dim macs, Operands operands);

// ceil(log2(max(k, 2))), which counts the powers of two below k. For a symbolic k this is a sum with one term for each
// power below its upper bound; unknown when that bound is.
Dim CeilLog2(DimPool& dims, Dim k);

// SetRead states that only `elements` of input `i` are read.
void SetRead(Work& work, int i, Dim elements);
// WorkOfTaken is the work of operators that only pick elements of input 0: they read as many of them as they write.
absl::StatusOr<Work> WorkOfTaken(const OpView& op);

}  // namespace hwest

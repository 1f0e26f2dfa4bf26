// Element types, shapes and types of values.
#pragma once

#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/dim.h"

namespace hwest {

// ElemType carries ONNX's TensorProto.DataType numbers. Numbers outside the list are kept as they are: size unknown.
enum class ElemType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,
  kUint2 = 25,
  kInt2 = 26,
};

// "float", "float16", "int8", ...; "undefined" for 0 and "unknown(N)" style text for numbers outside the list.
std::string ElemTypeName(ElemType type);
// Bits of one element; 0 for strings, undefined and unknown types.
int ElemBits(ElemType type);
bool IsFloat(ElemType type);    // every floating point type, float8 and float4 included
bool IsInteger(ElemType type);  // signed and unsigned integers of any width, bool not included

// Shape is unranked or a list of dims. Rank 0 (a scalar) is ranked.
class Shape {
 public:
  using Dims = absl::InlinedVector<Dim, 4>;

  Shape() = default;  // unranked
  explicit Shape(Dims dims) : ranked_(true), dims_(std::move(dims)) {}
  static Shape Scalar() { return Shape(Dims{}); }
  static Shape UnknownDims(int rank) { return Shape(Dims(static_cast<size_t>(rank), Dim::Unknown())); }

  bool ranked() const { return ranked_; }
  // The rest requires ranked().
  int rank() const { return static_cast<int>(dims_.size()); }
  Dim dim(int axis) const { return dims_[static_cast<size_t>(axis)]; }
  void set_dim(int axis, Dim dim) { dims_[static_cast<size_t>(axis)] = dim; }
  void push_back(Dim dim) { dims_.push_back(dim); }
  absl::Span<const Dim> dims() const { return dims_; }
  // True when ranked and every dim is known (constant or symbolic).
  bool known() const;
  // True when ranked and every dim is a constant.
  bool constant() const;
  // Number of elements: 0 when any dim is the constant 0, else unknown when unranked or any dim is unknown.
  Dim Elements(DimPool& pool) const;
  bool operator==(const Shape&) const = default;

 private:
  bool ranked_ = false;
  Dims dims_;
};

// "[1, batch, ?]"; "?" when unranked.
std::string ToString(const Shape& shape, const DimPool& pool);

enum class ValueKind : uint8_t { kUnknown, kTensor, kSequence, kOptional, kMap, kSparse };

// Whether an optional holds something.
enum class Presence : uint8_t { kUnknown, kPresent, kAbsent };

// Type of a value. For sequences and optionals `elem` and `shape` describe the element (joined over all elements); of a
// map `elem` is the type of its values and `shape` has one dim, its entries.
struct Type {
  ValueKind kind = ValueKind::kUnknown;
  ValueKind inner = ValueKind::kTensor;  // what a sequence or optional holds
  ElemType elem = ElemType::kUndefined;
  Shape shape;
  Dim length;                              // of a sequence, or of the sequence an optional holds; unknown otherwise
  Presence presence = Presence::kUnknown;  // of what an optional holds

  static Type Tensor(ElemType elem, Shape shape) {
    return Type{ValueKind::kTensor, ValueKind::kTensor, elem, std::move(shape), Dim(), Presence::kUnknown};
  }
  bool is_tensor() const { return kind == ValueKind::kTensor; }
  bool operator==(const Type&) const = default;
};

absl::string_view ValueKindName(ValueKind kind);

// Bytes of `elements` elements packed as ONNX packs them (sub-byte types share bytes); unknown for types without size.
Dim BytesOf(DimPool& pool, ElemType elem, Dim elements);

// Bits that one element takes in memory: tensors as packed, a string as an object of 32 bytes with short contents
// inside, a map entry as a node of 64 bytes with its key. 0 for types without size.
int HeldBits(const Type& type);
// Bytes of `elements` of them.
Dim HeldBytes(DimPool& pool, const Type& type, Dim elements);

}  // namespace hwest

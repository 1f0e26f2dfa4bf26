#include "hwest/type.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hwest {
namespace {

enum class Class : uint8_t { kOther, kFloat, kInteger };

struct ElemRow {
  ElemType type;
  absl::string_view name;
  int bits;
  Class cls;
};

// One row per number of TensorProto.DataType, in order.
constexpr ElemRow kElems[] = {
    {ElemType::kUndefined, "undefined", 0, Class::kOther},
    {ElemType::kFloat, "float", 32, Class::kFloat},
    {ElemType::kUint8, "uint8", 8, Class::kInteger},
    {ElemType::kInt8, "int8", 8, Class::kInteger},
    {ElemType::kUint16, "uint16", 16, Class::kInteger},
    {ElemType::kInt16, "int16", 16, Class::kInteger},
    {ElemType::kInt32, "int32", 32, Class::kInteger},
    {ElemType::kInt64, "int64", 64, Class::kInteger},
    {ElemType::kString, "string", 0, Class::kOther},
    {ElemType::kBool, "bool", 8, Class::kOther},
    {ElemType::kFloat16, "float16", 16, Class::kFloat},
    {ElemType::kDouble, "double", 64, Class::kFloat},
    {ElemType::kUint32, "uint32", 32, Class::kInteger},
    {ElemType::kUint64, "uint64", 64, Class::kInteger},
    {ElemType::kComplex64, "complex64", 64, Class::kOther},
    {ElemType::kComplex128, "complex128", 128, Class::kOther},
    {ElemType::kBfloat16, "bfloat16", 16, Class::kFloat},
    {ElemType::kFloat8E4M3FN, "float8e4m3fn", 8, Class::kFloat},
    {ElemType::kFloat8E4M3FNUZ, "float8e4m3fnuz", 8, Class::kFloat},
    {ElemType::kFloat8E5M2, "float8e5m2", 8, Class::kFloat},
    {ElemType::kFloat8E5M2FNUZ, "float8e5m2fnuz", 8, Class::kFloat},
    {ElemType::kUint4, "uint4", 4, Class::kInteger},
    {ElemType::kInt4, "int4", 4, Class::kInteger},
    {ElemType::kFloat4E2M1, "float4e2m1", 4, Class::kFloat},
    {ElemType::kFloat8E8M0, "float8e8m0", 8, Class::kFloat},
    {ElemType::kUint2, "uint2", 2, Class::kInteger},
    {ElemType::kInt2, "int2", 2, Class::kInteger},
};

const ElemRow* FindElem(ElemType type) {
  const auto index = static_cast<size_t>(type);
  return index < std::size(kElems) ? &kElems[index] : nullptr;
}

Class ClassOf(ElemType type) {
  const ElemRow* row = FindElem(type);
  return row == nullptr ? Class::kOther : row->cls;
}

}  // namespace

std::string ElemTypeName(ElemType type) {
  const ElemRow* row = FindElem(type);
  return row != nullptr ? std::string(row->name) : absl::StrCat("unknown(", static_cast<int32_t>(type), ")");
}

int ElemBits(ElemType type) {
  const ElemRow* row = FindElem(type);
  return row == nullptr ? 0 : row->bits;
}

bool IsFloat(ElemType type) { return ClassOf(type) == Class::kFloat; }
bool IsInteger(ElemType type) { return ClassOf(type) == Class::kInteger; }

bool Shape::known() const {
  return ranked_ && std::none_of(dims_.begin(), dims_.end(), [](Dim dim) { return dim.is_unknown(); });
}

bool Shape::constant() const {
  return ranked_ && std::all_of(dims_.begin(), dims_.end(), [](Dim dim) { return dim.is_constant(); });
}

Dim Shape::Elements(DimPool& pool) const {
  if (!ranked_) return Dim::Unknown();
  const bool empty = std::any_of(dims_.begin(), dims_.end(), [](Dim dim) { return dim.IsConstant(0); });
  return empty ? Dim(0) : pool.Product(dims_);
}

std::string ToString(const Shape& shape, const DimPool& pool) {
  if (!shape.ranked()) return "?";
  const auto append = [&pool](std::string* out, Dim dim) { absl::StrAppend(out, pool.ToString(dim)); };
  return absl::StrCat("[", absl::StrJoin(shape.dims(), ", ", append), "]");
}

absl::string_view ValueKindName(ValueKind kind) {
  switch (kind) {
    case ValueKind::kUnknown: return "unknown";
    case ValueKind::kTensor: return "tensor";
    case ValueKind::kSequence: return "sequence";
    case ValueKind::kOptional: return "optional";
    case ValueKind::kMap: return "map";
    case ValueKind::kSparse: return "sparse";
  }
  return "unknown";
}

Dim BytesOf(DimPool& pool, ElemType elem, Dim elements) {
  const int bits = ElemBits(elem);
  if (bits == 0) return Dim::Unknown();
  if (bits % 8 == 0) return pool.Mul(elements, bits / 8);
  return pool.CeilDiv(elements, 8 / bits);
}

int HeldBits(const Type& type) {
  constexpr int kStringBits = 32 * 8, kMapEntryBits = 64 * 8;
  if (type.kind == ValueKind::kMap || (type.kind != ValueKind::kTensor && type.inner == ValueKind::kMap)) {
    return kMapEntryBits;
  }
  return type.elem == ElemType::kString ? kStringBits : ElemBits(type.elem);
}

Dim HeldBytes(DimPool& pool, const Type& type, Dim elements) {
  const int bits = HeldBits(type);
  return bits == ElemBits(type.elem) ? BytesOf(pool, type.elem, elements) : pool.Mul(elements, bits / 8);
}

}  // namespace hwest

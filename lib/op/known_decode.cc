// Reads the elements of constants: every numeric type of ONNX, in its raw little endian layout.
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "op/known.h"

namespace hwest {
namespace {

// A floating point format below 32 bits. `finite` formats have no infinity; `nan` is their only NaN pattern (0 = all
// patterns with the highest exponent and a fraction, as in IEEE 754, when not finite, else none).
struct MiniFloat {
  ElemType elem;
  int exponent_bits;
  int fraction_bits;
  int bias;
  bool finite;
  uint32_t nan;  // sign bit left out for the FN formats
};

constexpr MiniFloat kMiniFloats[] = {
    {ElemType::kFloat16, 5, 10, 15, false, 0},      {ElemType::kBfloat16, 8, 7, 127, false, 0},
    {ElemType::kFloat8E4M3FN, 4, 3, 7, true, 0x7F}, {ElemType::kFloat8E4M3FNUZ, 4, 3, 8, true, 0x80},
    {ElemType::kFloat8E5M2, 5, 2, 15, false, 0},    {ElemType::kFloat8E5M2FNUZ, 5, 2, 16, true, 0x80},
    {ElemType::kFloat4E2M1, 2, 1, 1, true, 0},
};

bool IsNan(const MiniFloat& format, uint32_t bits) {
  const uint32_t magnitude = bits & ((1u << (format.exponent_bits + format.fraction_bits)) - 1);
  if (format.finite) return format.nan != 0 && (format.nan == 0x80 ? bits == 0x80 : magnitude == format.nan);
  const uint32_t highest = ((1u << format.exponent_bits) - 1) << format.fraction_bits;
  return magnitude > highest;
}

double DecodeMiniFloat(const MiniFloat& format, uint32_t bits) {
  if (IsNan(format, bits)) return std::numeric_limits<double>::quiet_NaN();
  const int fraction_size = 1 << format.fraction_bits;
  const int exponent = static_cast<int>(bits >> format.fraction_bits) & ((1 << format.exponent_bits) - 1);
  const int fraction = static_cast<int>(bits) & (fraction_size - 1);
  const bool negative = (bits >> (format.exponent_bits + format.fraction_bits)) & 1u;
  double value = 0;
  if (!format.finite && exponent == (1 << format.exponent_bits) - 1) {
    value = std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    value = std::ldexp(fraction, 1 - format.bias - format.fraction_bits);
  } else {
    value = std::ldexp(fraction_size + fraction, exponent - format.bias - format.fraction_bits);
  }
  return negative ? -value : value;
}

// Bits of element `index`, low bits first in shared bytes, little endian across bytes.
uint64_t BitsAt(const std::string& data, int64_t index, int bits) {
  if (bits < 8) {
    const int64_t first = index * bits;
    const auto byte = static_cast<uint8_t>(data[static_cast<size_t>(first / 8)]);
    return (static_cast<uint32_t>(byte) >> (first % 8)) & ((1u << bits) - 1);
  }
  const size_t bytes = static_cast<size_t>(bits / 8);
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) {
    value |= static_cast<uint64_t>(static_cast<uint8_t>(data[static_cast<size_t>(index) * bytes + i])) << (8 * i);
  }
  return value;
}

int64_t SignExtend(uint64_t value, int bits) {
  const int shift = 64 - bits;
  return static_cast<int64_t>(value << shift) >> shift;
}

bool IsSigned(ElemType elem) {
  switch (elem) {
    case ElemType::kInt2:
    case ElemType::kInt4:
    case ElemType::kInt8:
    case ElemType::kInt16:
    case ElemType::kInt32:
    case ElemType::kInt64: return true;
    default: return false;
  }
}

Scalar DecodeInteger(ElemType elem, uint64_t bits) {
  if (IsSigned(elem)) return Scalar::Int(SignExtend(bits, ElemBits(elem)));
  if (bits > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return Scalar();
  return Scalar::Int(static_cast<int64_t>(bits));
}

Scalar DecodeFloat(ElemType elem, uint64_t bits) {
  if (elem == ElemType::kFloat) {
    const auto narrow = static_cast<uint32_t>(bits);
    float value;
    std::memcpy(&value, &narrow, sizeof(value));
    return FromDouble(value);
  }
  if (elem == ElemType::kDouble) {
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    return FromDouble(value);
  }
  if (elem == ElemType::kFloat8E8M0) {
    return bits == 0xFF ? Scalar::Float(std::numeric_limits<double>::quiet_NaN())
                        : FromDouble(std::ldexp(1.0, static_cast<int>(bits) - 127));
  }
  for (const MiniFloat& format : kMiniFloats) {
    if (format.elem == elem) return FromDouble(DecodeMiniFloat(format, static_cast<uint32_t>(bits)));
  }
  return Scalar();
}

Scalar DecodeElement(ElemType elem, uint64_t bits) {
  if (elem == ElemType::kBool) return FromBool(bits != 0);
  return IsFloat(elem) ? DecodeFloat(elem, bits) : DecodeInteger(elem, bits);
}

}  // namespace

Known DecodeConstant(const Constant& constant) {
  const int64_t count = constant.Elements();
  const bool has_numbers = constant.elem == ElemType::kBool || IsFloat(constant.elem) || IsInteger(constant.elem);
  if (count < 0 || count > kMaxKnownElements || !has_numbers || constant.sparse) return nullptr;
  if (count == 0) return std::make_shared<const std::vector<Scalar>>();
  const int bits = ElemBits(constant.elem);
  if (constant.storage != Storage::kDecoded || bits <= 0 || bits > 64) return nullptr;
  if (static_cast<int64_t>(constant.data.size()) < (count * bits + 7) / 8) return nullptr;
  std::vector<Scalar> values;
  values.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(DecodeElement(constant.elem, BitsAt(constant.data, i, bits)));
  }
  return std::make_shared<const std::vector<Scalar>>(std::move(values));
}

}  // namespace hwest

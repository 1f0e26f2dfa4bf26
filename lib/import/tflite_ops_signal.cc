// Spectra, and quantisation that a float file only plays. A complex tensor has an axis of 2 behind its own ones, as
// ONNX's DFT wants it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "import/tflite_ops.h"
#include "import/tflite_translator.h"

namespace hwest {
namespace {

enum { kLeast = 0, kMost = 1, kBits = 2, kIsNarrow = 3 };  // slots of the options of FAKE_QUANT

}  // namespace

// Along the last axis as of a real signal, then along the one before it unless that is one row.
void EmitRfft2d(TfliteTranslator& to) {
  const auto lengths = to.Values(1);
  const TfliteTensor &x = to.in(0), &out = to.out(0);
  const bool fits = lengths.has_value() && lengths->size() == 2 && x.rank() >= 2 && out.is_complex &&
                    std::min((*lengths)[0], (*lengths)[1]) > 0;
  if (!fits) return to.EmitOpaque();
  const int64_t wide = x.rank() - 1;
  const bool is_row = (*lengths)[0] == 1 && x.dims[static_cast<size_t>(wide - 1)] == 1;
  const StrId real = to.Fresh("real"), last = to.Ints("axes", {-1});
  to.Emit("Unsqueeze", {to.Read(0, Order::kStored), last}, {real});
  const StrId result = to.Write(0, Order::kStored), rows = is_row ? result : to.Fresh("rows");
  const auto transform = [&](StrId from, StrId into, int64_t axis, int64_t length) {
    const StrId points = to.Scalar("length", ElemType::kInt64, length), at = to.Scalar("axis", ElemType::kInt64, axis);
    to.Emit("DFT", {from, points, at}, {into});
  };
  transform(real, rows, wide, (*lengths)[1]);
  to.Set("onesided", int64_t{1});
  if (!is_row) transform(rows, result, wide - 1, (*lengths)[0]);
}

void EmitComplexAbs(TfliteTranslator& to) {
  if (!to.in(0).is_complex) return to.EmitOpaque();
  const StrId parts = to.Read(0, Order::kStored), last = to.Ints("axes", {-1});
  to.Emit("ReduceL2", {parts, last}, {to.Write(0, Order::kStored)});
  to.Set("keepdims", int64_t{0});
}

// REAL and IMAG.
void EmitComplexPart(TfliteTranslator& to) {
  if (!to.in(0).is_complex) return to.EmitOpaque();
  constexpr absl::string_view kReal = "REAL";
  const StrId parts = to.Read(0, Order::kStored);
  const StrId which = to.Scalar("part", ElemType::kInt64, RowOf(to).name == kReal ? 0 : 1);
  to.Emit("Gather", {parts, which}, {to.Write(0, Order::kStored)});
  to.Set("axis", int64_t{-1});
}

// Numbers of 2 to 16 bits that span the range, of which one is zero.
void EmitFakeQuant(TfliteTranslator& to) {
  const double least = to.RealOption(kLeast), most = to.RealOption(kMost);
  const int64_t bits = to.Option(kBits, 4);
  if (!(least < most) || bits < 2 || bits > 16) return to.EmitOpaque();
  const int64_t first = to.Flag(kIsNarrow) ? 1 : 0, last = (int64_t{1} << bits) - 1;
  const double scale = (most - least) / static_cast<double>(last - first);
  const double zero = static_cast<double>(first) - least / scale;
  const ElemType elem = bits <= 8 ? ElemType::kUint8 : ElemType::kUint16;
  const Order order = to.OutOrder(0);
  const StrId data = to.Read(0, order), step = to.Number(static_cast<float>(scale)), numbers = to.Fresh("numbers");
  const StrId point = to.Scalar("zero_point", elem, std::clamp<int64_t>(std::llround(zero), first, last));
  to.Emit("QuantizeLinear", {data, step, point}, {numbers});
  to.Emit("DequantizeLinear", {numbers, step, point}, {to.Write(0, order)});
}

}  // namespace hwest

#include "import/tflite_constants.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/checked_math.h"

namespace hwest {
namespace {

// Elements of `width` bytes with dims `dims`, put in the order `perm`.
std::string Permuted(const std::string& data, const std::vector<int64_t>& dims, const std::vector<int64_t>& perm,
                     size_t width) {
  const size_t rank = dims.size();
  std::vector<size_t> stride(rank), at(rank);
  size_t step = 1;
  for (size_t i = rank; i-- > 0;) {
    stride[i] = step;
    step *= static_cast<size_t>(dims[i]);
  }
  std::string out;
  out.reserve(data.size());
  while (out.size() < data.size()) {
    size_t from = 0;
    for (size_t i = 0; i < rank; ++i) from += at[i] * stride[static_cast<size_t>(perm[i])];
    out.append(data, from * width, width);
    for (size_t i = rank; i-- > 0;) {
      if (++at[i] < static_cast<size_t>(dims[static_cast<size_t>(perm[i])])) break;
      at[i] = 0;
    }
  }
  return out;
}

}  // namespace

StrId TfliteConstants::Of(int64_t number, const std::vector<int64_t>& perm, const std::vector<int64_t>& dims) {
  return Of(number, tensor(number).dims, perm, dims);
}

StrId TfliteConstants::Of(int64_t number, const std::vector<int64_t>& view, const std::vector<int64_t>& perm,
                          const std::vector<int64_t>& dims) {
  const std::string order =
      IsIdentity(perm) ? "" : absl::StrCat(absl::StrJoin(view, ","), ":", absl::StrJoin(perm, ","));
  const std::string key = absl::StrCat(number, ":", order, ":", absl::StrJoin(dims, ","));
  auto [entry, fresh] = forms_.try_emplace(key, kEmptyText);
  if (!fresh || !context_.Enter()) return entry->second;
  const TfliteTensor& from = tensor(number);
  const bool is_first = !is_written_[static_cast<size_t>(number)];
  is_written_[static_cast<size_t>(number)] = true;  // the next form of it has a name of its own
  Constant constant{.name = is_first ? from.name : nodes_.NameOf(strings_[from.name]), .elem = from.elem};
  for (const int64_t axis : perm) constant.dims.push_back(view[static_cast<size_t>(axis)]);
  Fill(from, view, perm, &constant);
  if (!dims.empty()) constant.dims = dims;
  entry->second = constant.name;
  graph_.initializers.push_back(std::move(constant));
  return entry->second;
}

// Small contents are read, in the order of the constant; of others the place is known.
void TfliteConstants::Fill(const TfliteTensor& from, const std::vector<int64_t>& view, const std::vector<int64_t>& perm,
                           Constant* constant) {
  const ReadOptions& options = context_.options();
  const int64_t elements = ElementsOf(from.dims);
  const int bits = ElemBits(from.elem);
  const std::optional<int64_t> all_bits = CheckedMul(std::max<int64_t>(elements, 0), bits);
  const int64_t needed = all_bits.has_value() ? *all_bits / 8 + (*all_bits % 8 != 0) : -1;
  constant->offset = from.data.begin;
  constant->length = from.data.length();
  constant->sparse = from.is_sparse;
  if (elements == 0) {
    constant->storage = Storage::kEmpty;
    return;
  }
  constant->storage = Storage::kInline;
  context_.Skipped(constant->length);
  if (from.is_sparse || from.elem == ElemType::kString) return;
  if (elements < 0 || needed != constant->length) {
    constant->storage = Storage::kMissing;
    context_.Warn(Code::kTensorData,
                  absl::StrCat("tensor ", ElemTypeName(from.elem), "[", absl::StrJoin(from.dims, ","), "] needs ",
                               needed, " bytes but holds ", constant->length),
                  "its contents are taken as unknown; convert the model again", constant->name);
    return;
  }
  if (!IsDecoded(options, from.elem, needed) || bits < 8) return;
  context_.Skipped(-constant->length);
  std::string data;
  const FlatVector place{from.data.begin, from.data.length()};
  if (!flat_.Copy(place, &data)) return;
  const bool is_moved = !IsIdentity(perm);
  constant->data = is_moved ? Permuted(data, view, perm, static_cast<size_t>(bits / 8)) : std::move(data);
  constant->storage = Storage::kDecoded;
}

std::vector<StrId> TfliteConstants::QuantizationOf(int64_t number) {
  std::vector<StrId>& names = quantization_[static_cast<size_t>(number)];
  if (!names.empty()) return names;
  const TfliteTensor& of = tensor(number);
  const FlatVector& scales = of.quantization.scales;
  std::vector<int64_t> dims;
  if (scales.count > 1) dims.push_back(scales.count);
  const absl::string_view stem = strings_[of.name];
  Constant scale{.name = nodes_.NameOf(absl::StrCat(stem, "/scale")), .elem = ElemType::kFloat, .dims = dims};
  scale.offset = scales.begin;
  scale.length = scales.count * 4;
  scale.storage = Storage::kInline;
  if (scale.length <= context_.options().decode_any_bytes) {
    if (flat_.Copy({scale.offset, scale.length}, &scale.data)) scale.storage = Storage::kDecoded;
  }
  names.push_back(scale.name);
  graph_.initializers.push_back(std::move(scale));
  if (of.elem == ElemType::kInt32 || !flat_.Charge(kBytesOfAxis * scales.count)) return names;
  const FlatVector& points = of.quantization.zero_points;
  std::vector<int64_t> values(static_cast<size_t>(std::max<int64_t>(scales.count, 1)), 0);
  if (points.count == scales.count) values = flat_.Ints(points, 8);
  Constant point{.name = nodes_.NameOf(absl::StrCat(stem, "/zero_point")), .elem = of.elem, .dims = dims};
  const int bits = ElemBits(of.elem);
  point.storage = bits >= 8 ? Storage::kDecoded : Storage::kInline;
  if (bits >= 8) point.data = TfliteNodes::BytesOf(values, bits / 8);
  point.length = static_cast<int64_t>(point.data.size());
  names.push_back(point.name);
  graph_.initializers.push_back(std::move(point));
  return names;
}

}  // namespace hwest

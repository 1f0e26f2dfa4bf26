#include "rewrite/encode.h"

#include <bit>

#include "import/wire.h"

namespace hwest {
namespace {

void AppendFloatField(uint32_t number, float value, std::string* out) {
  AppendTag(Fixed32Tag(number), out);
  const auto bits = std::bit_cast<uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) out->push_back(static_cast<char>(bits >> shift));
}

std::string EncodeTensor(const Constant& constant, const StringTable& strings) {
  if (constant.elem != ElemType::kString) {
    std::string bytes = EncodeTensorHead(constant, strings, static_cast<int64_t>(constant.data.size()));
    return bytes + constant.data;
  }
  std::string bytes;
  for (const int64_t dim : constant.dims) AppendIntField(1, dim, &bytes);
  AppendIntField(2, static_cast<int64_t>(constant.elem), &bytes);
  for (const std::string& text : constant.strings) AppendBytesField(6, text, &bytes);
  return bytes;
}

std::string EncodeAttribute(const RawAttribute& attribute, const StringTable& strings) {
  std::string bytes;
  AppendBytesField(1, strings[attribute.name], &bytes);
  switch (attribute.kind) {
    case AttrKind::kFloat: AppendFloatField(2, attribute.f, &bytes); break;
    case AttrKind::kInt: AppendIntField(3, attribute.i, &bytes); break;
    case AttrKind::kString: AppendBytesField(4, strings[attribute.s], &bytes); break;
    case AttrKind::kTensor: AppendBytesField(5, EncodeTensor(attribute.tensors[0], strings), &bytes); break;
    case AttrKind::kFloats:
      for (const float value : attribute.floats) AppendFloatField(7, value, &bytes);
      break;
    case AttrKind::kInts:
      for (const int64_t value : attribute.ints) AppendIntField(8, value, &bytes);
      break;
    case AttrKind::kStrings:
      for (const StrId text : attribute.strings) AppendBytesField(9, strings[text], &bytes);
      break;
    default: break;
  }
  AppendIntField(20, static_cast<int64_t>(attribute.kind), &bytes);
  return bytes;
}

std::string EncodeDim(const RawDim& dim, const StringTable& strings) {
  std::string bytes;
  if (dim.has_value) AppendIntField(1, dim.value, &bytes);
  if (!dim.has_value && !Absent(dim.param)) AppendBytesField(2, strings[dim.param], &bytes);
  return bytes;
}

}  // namespace

void AppendVarint(uint64_t value, std::string* out) {
  while (value >= 0x80) {
    out->push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out->push_back(static_cast<char>(value));
}

void AppendTag(uint32_t tag, std::string* out) { AppendVarint(tag, out); }

void AppendIntField(uint32_t number, int64_t value, std::string* out) {
  AppendTag(VarintTag(number), out);
  AppendVarint(static_cast<uint64_t>(value), out);
}

void AppendHeader(uint32_t number, int64_t length, std::string* out) {
  AppendTag(BytesTag(number), out);
  AppendVarint(static_cast<uint64_t>(length), out);
}

void AppendBytesField(uint32_t number, absl::string_view bytes, std::string* out) {
  AppendHeader(number, static_cast<int64_t>(bytes.size()), out);
  out->append(bytes.data(), bytes.size());
}

std::string EncodeNode(const RawNode& node, const StringTable& strings) {
  std::string bytes;
  const auto text = [&](StrId id) { return id.valid() ? strings[id] : absl::string_view(); };
  for (const StrId input : node.inputs) AppendBytesField(1, text(input), &bytes);
  for (const StrId output : node.outputs) AppendBytesField(2, text(output), &bytes);
  if (!text(node.name).empty()) AppendBytesField(3, text(node.name), &bytes);
  AppendBytesField(4, text(node.op), &bytes);
  for (const RawAttribute& attribute : node.attributes) {
    AppendBytesField(5, EncodeAttribute(attribute, strings), &bytes);
  }
  if (!text(node.domain).empty()) AppendBytesField(7, text(node.domain), &bytes);
  if (!text(node.overload).empty()) AppendBytesField(8, text(node.overload), &bytes);
  return bytes;
}

std::string EncodeTensorHead(const Constant& constant, const StringTable& strings, int64_t bytes) {
  std::string head;
  for (const int64_t dim : constant.dims) AppendIntField(1, dim, &head);
  AppendIntField(2, static_cast<int64_t>(constant.elem), &head);
  if (!Absent(constant.name)) AppendBytesField(8, strings[constant.name], &head);
  AppendHeader(9, bytes, &head);
  return head;
}

std::string EncodeType(const RawType& type, const StringTable& strings) {
  std::string tensor;
  AppendIntField(1, type.elem, &tensor);
  if (type.has_shape) {
    std::string shape;
    for (const RawDim& dim : type.dims) AppendBytesField(1, EncodeDim(dim, strings), &shape);
    AppendBytesField(2, shape, &tensor);
  }
  std::string bytes;
  AppendBytesField(1, tensor, &bytes);
  return bytes;
}

std::string EncodeEntry(absl::string_view key, absl::string_view value) {
  std::string bytes;
  AppendBytesField(1, key, &bytes);
  AppendBytesField(2, value, &bytes);
  return bytes;
}

}  // namespace hwest

#include "support/onnx_writer.h"

#include <cstring>

namespace hwest::test {
namespace {

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

std::string LittleEndianBits(uint64_t bits, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(bits >> (8 * i)));
  return text;
}

}  // namespace

std::string VarintBytes(uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7) text.push_back(static_cast<char>(value | 0x80));
  text.push_back(static_cast<char>(value));
  return text;
}

std::string LittleEndian(absl::Span<const int64_t> values, int bytes) {
  std::string text;
  for (const int64_t value : values) text += LittleEndianBits(static_cast<uint64_t>(value), bytes);
  return text;
}

Message& Message::Varint(uint32_t number, int64_t value) {
  return Raw(VarintBytes(number << 3)).Raw(VarintBytes(static_cast<uint64_t>(value)));
}

Message& Message::Fixed32(uint32_t number, uint32_t bits) {
  return Raw(VarintBytes(number << 3 | 5)).Raw(LittleEndianBits(bits, 4));
}

Message& Message::Fixed64(uint32_t number, uint64_t bits) {
  return Raw(VarintBytes(number << 3 | 1)).Raw(LittleEndianBits(bits, 8));
}

Message& Message::Float(uint32_t number, float value) { return Fixed32(number, BitsOf(value)); }

Message& Message::Bytes(uint32_t number, absl::string_view bytes) {
  return Raw(VarintBytes(number << 3 | 2)).Raw(VarintBytes(bytes.size())).Raw(bytes);
}

Message& Message::PackedVarints(uint32_t number, absl::Span<const int64_t> values) {
  std::string packed;
  for (const int64_t value : values) packed += VarintBytes(static_cast<uint64_t>(value));
  return Bytes(number, packed);
}

Message& Message::PackedFloats(uint32_t number, absl::Span<const float> values) {
  std::string packed;
  for (const float value : values) packed += LittleEndianBits(BitsOf(value), 4);
  return Bytes(number, packed);
}

Message& Message::Varints(uint32_t number, absl::Span<const int64_t> values) {
  for (const int64_t value : values) Varint(number, value);
  return *this;
}

Message& Message::Floats(uint32_t number, absl::Span<const float> values) {
  for (const float value : values) Float(number, value);
  return *this;
}

Message& Message::Strings(uint32_t number, absl::Span<const std::string> values) {
  for (const std::string& value : values) Bytes(number, value);
  return *this;
}

Message& Message::Raw(absl::string_view bytes) {
  bytes_.append(bytes.data(), bytes.size());
  return *this;
}

Message StringEntry(absl::string_view key, absl::string_view value) { return Message().Bytes(1, key).Bytes(2, value); }

Message OpsetImport(absl::string_view domain, int64_t version) { return Message().Bytes(1, domain).Varint(2, version); }

Message RawTensor(absl::string_view name, int elem, absl::Span<const int64_t> dims, absl::string_view raw) {
  return Message().Varints(1, dims).Varint(2, elem).Bytes(8, name).Bytes(9, raw);
}

Message ExternalTensor(absl::string_view name, int elem, absl::Span<const int64_t> dims, absl::string_view location,
                       absl::string_view offset, absl::string_view length) {
  Message tensor = Message().Varints(1, dims).Varint(2, elem).Bytes(8, name);
  if (!location.empty()) tensor.Sub(13, StringEntry("location", location));
  if (!offset.empty()) tensor.Sub(13, StringEntry("offset", offset));
  if (!length.empty()) tensor.Sub(13, StringEntry("length", length));
  return tensor.Varint(14, 1);
}

Message TensorValue(absl::string_view name, int elem, absl::Span<const int64_t> dims) {
  Message shape;
  for (const int64_t dim : dims) shape.Sub(1, Message().Varint(1, dim));
  const Message tensor = Message().Varint(1, elem).Sub(2, shape);
  return Message().Bytes(1, name).Sub(2, Message().Sub(1, tensor));
}

Message Node(absl::string_view op, absl::Span<const std::string> inputs, absl::Span<const std::string> outputs) {
  return Message().Strings(1, inputs).Strings(2, outputs).Bytes(4, op);
}

Message IntAttribute(absl::string_view name, int64_t value) {
  return Message().Bytes(1, name).Varint(3, value).Varint(20, 2);
}

Message IntsAttribute(absl::string_view name, absl::Span<const int64_t> values) {
  return Message().Bytes(1, name).Varints(8, values).Varint(20, 7);
}

Message TensorAttribute(absl::string_view name, const Message& tensor) {
  return Message().Bytes(1, name).Sub(5, tensor).Varint(20, 4);
}

Message GraphAttribute(absl::string_view name, const Message& graph) {
  return Message().Bytes(1, name).Sub(6, graph).Varint(20, 5);
}

Message Model(const Message& graph, int64_t opset) {
  return Message().Varint(1, 8).Sub(7, graph).Sub(8, OpsetImport("", opset));
}

}  // namespace hwest::test

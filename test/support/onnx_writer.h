// Writes protobuf messages field by field, for fixtures: odd wire forms, and ONNX fields newer than libonnx.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hwest::test {

// ModelFromText returns the bytes of the model that `text` describes in ONNX's text syntax, for example
//   <ir_version: 8, opset_import: ["" : 17]> agraph (float[N, 4] x) => (float[N, 4] y) { y = Relu(x) }
// A value declared behind the outputs, `<float[64, 3, 3, 3] w>`, that nothing makes is a weight in a file of its own.
// A syntax error fails the running test. What libonnx 1.12 cannot express (element types above 16, node metadata) is
// written with the messages below.
std::string ModelFromText(absl::string_view text);

// Message appends fields in call order; numbers are those of onnx.proto.
class Message {
 public:
  Message& Varint(uint32_t number, int64_t value);
  Message& Fixed32(uint32_t number, uint32_t bits);
  Message& Fixed64(uint32_t number, uint64_t bits);
  Message& Float(uint32_t number, float value);
  Message& Bytes(uint32_t number, absl::string_view bytes);
  Message& Sub(uint32_t number, const Message& message) { return Bytes(number, message.bytes()); }
  // One length-delimited field that holds all values.
  Message& PackedVarints(uint32_t number, absl::Span<const int64_t> values);
  Message& PackedFloats(uint32_t number, absl::Span<const float> values);
  // One field per value.
  Message& Varints(uint32_t number, absl::Span<const int64_t> values);
  Message& Floats(uint32_t number, absl::Span<const float> values);
  Message& Strings(uint32_t number, absl::Span<const std::string> values);
  // Bytes as they are, for malformed input.
  Message& Raw(absl::string_view bytes);

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

std::string VarintBytes(uint64_t value);
// The values' low `bytes` bytes, little endian.
std::string LittleEndian(absl::Span<const int64_t> values, int bytes);

// Messages of onnx.proto with the fields most fixtures need; chain more onto the result.
Message StringEntry(absl::string_view key, absl::string_view value);  // StringStringEntryProto
Message OpsetImport(absl::string_view domain, int64_t version);
Message RawTensor(absl::string_view name, int elem, absl::Span<const int64_t> dims, absl::string_view raw);
Message ExternalTensor(absl::string_view name, int elem, absl::Span<const int64_t> dims, absl::string_view location,
                       absl::string_view offset, absl::string_view length);
Message TensorValue(absl::string_view name, int elem, absl::Span<const int64_t> dims);  // ValueInfoProto
Message Node(absl::string_view op, absl::Span<const std::string> inputs, absl::Span<const std::string> outputs);
Message IntAttribute(absl::string_view name, int64_t value);
Message IntsAttribute(absl::string_view name, absl::Span<const int64_t> values);
Message TensorAttribute(absl::string_view name, const Message& tensor);
Message GraphAttribute(absl::string_view name, const Message& graph);
// ModelProto of IR 8 with one import of the default domain. The graph comes before the import, as in real files.
Message Model(const Message& graph, int64_t opset = 17);

}  // namespace hwest::test

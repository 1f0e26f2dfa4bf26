// The messages of ONNX in protobuf's wire format, as far as edited models need new ones.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "base/interner.h"
#include "hwest/graph.h"
#include "ir/raw.h"

namespace hwest {

void AppendVarint(uint64_t value, std::string* out);
void AppendTag(uint32_t tag, std::string* out);
void AppendIntField(uint32_t number, int64_t value, std::string* out);
void AppendBytesField(uint32_t number, absl::string_view bytes, std::string* out);
// Tag and length of a field whose contents follow.
void AppendHeader(uint32_t number, int64_t length, std::string* out);

// NodeProto without metadata. Attributes hold decoded tensors only, and no graphs.
std::string EncodeNode(const RawNode& node, const StringTable& strings);
// TensorProto up to where its raw bytes begin, of which there are `bytes`.
std::string EncodeTensorHead(const Constant& constant, const StringTable& strings, int64_t bytes);
// The TypeProto of a tensor.
std::string EncodeType(const RawType& type, const StringTable& strings);
// StringStringEntryProto.
std::string EncodeEntry(absl::string_view key, absl::string_view value);

}  // namespace hwest

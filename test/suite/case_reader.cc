#include "suite/case_reader.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "onnx/onnx-data_pb.h"
#include "onnx/onnx_pb.h"

namespace hwest {
namespace {

namespace fs = std::filesystem;

std::string ReadBytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Appends the low `bytes` bytes of each number, as raw_data holds them.
template <class Numbers>
void AppendRaw(const Numbers& numbers, size_t bytes, std::string& raw) {
  for (const auto number : numbers) {
    char buffer[sizeof(number)];
    std::memcpy(buffer, &number, sizeof(number));
    raw.append(buffer, std::min(bytes, sizeof(number)));
  }
}

std::string RawOf(const onnx::TensorProto& tensor, ElemType elem) {
  if (tensor.has_raw_data()) return tensor.raw_data();
  const size_t bytes = static_cast<size_t>(std::max(1, ElemBits(elem) / 8));
  std::string raw;
  AppendRaw(tensor.float_data(), sizeof(float), raw);
  AppendRaw(tensor.double_data(), sizeof(double), raw);
  AppendRaw(tensor.int32_data(), bytes, raw);
  AppendRaw(tensor.int64_data(), bytes, raw);
  AppendRaw(tensor.uint64_data(), bytes, raw);
  return raw;
}

Constant ToConstant(const onnx::TensorProto& tensor) {
  Constant constant;
  constant.elem = static_cast<ElemType>(tensor.data_type());
  constant.dims.assign(tensor.dims().begin(), tensor.dims().end());
  constant.data = RawOf(tensor, constant.elem);
  constant.strings.assign(tensor.string_data().begin(), tensor.string_data().end());
  constant.length = static_cast<int64_t>(constant.data.size());
  constant.storage = constant.Elements() == 0 ? Storage::kEmpty : Storage::kDecoded;
  return constant;
}

void AddSequence(const onnx::SequenceProto& sequence, CaseValue& value) {
  for (const onnx::TensorProto& tensor : sequence.tensor_values()) value.tensors.push_back(ToConstant(tensor));
  value.length += sequence.tensor_values_size() + sequence.sparse_tensor_values_size() +
                  sequence.sequence_values_size() + sequence.map_values_size() + sequence.optional_values_size();
}

// Elements of the declared shape; -1 when it is not static.
int64_t DeclaredElements(const onnx::TensorShapeProto& shape) {
  Constant declared;
  for (const auto& dim : shape.dim()) declared.dims.push_back(dim.has_dim_value() ? dim.dim_value() : -1);
  return declared.Elements();
}

// Cases around bfloat16, which numpy lacks, hold flat lists, and the bits of bfloat16 as uint16: the declared type
// tells what they are.
void TakeDeclared(const onnx::TypeProto::Tensor& declared, onnx::TensorProto& tensor) {
  if (tensor.data_type() == onnx::TensorProto::UINT16 && declared.elem_type() == onnx::TensorProto::BFLOAT16) {
    tensor.set_data_type(declared.elem_type());
  }
  const bool flat = tensor.dims_size() == 1 && declared.shape().dim_size() > 1;
  if (!flat || DeclaredElements(declared.shape()) != tensor.dims(0)) return;
  tensor.clear_dims();
  for (const auto& dim : declared.shape().dim()) tensor.add_dims(dim.dim_value());
}

CaseValue ReadTensorValue(const onnx::TypeProto& type, const std::string& bytes) {
  CaseValue value;
  onnx::TensorProto tensor;
  if (!tensor.ParseFromString(bytes)) return value;
  TakeDeclared(type.tensor_type(), tensor);
  value.kind = ValueKind::kTensor;
  value.tensors.push_back(ToConstant(tensor));
  return value;
}

CaseValue ReadSequenceValue(const onnx::TypeProto& type, const std::string& bytes) {
  CaseValue value;
  onnx::SequenceProto sequence;
  if (!sequence.ParseFromString(bytes)) return value;
  value.kind = ValueKind::kSequence;
  value.inner = type.sequence_type().elem_type().has_map_type() ? ValueKind::kMap : ValueKind::kTensor;
  AddSequence(sequence, value);
  return value;
}

CaseValue ReadOptionalValue(const onnx::TypeProto& type, const std::string& bytes) {
  CaseValue value;
  onnx::OptionalProto optional;
  if (!optional.ParseFromString(bytes)) return value;
  value.kind = ValueKind::kOptional;
  value.inner = type.optional_type().elem_type().has_sequence_type() ? ValueKind::kSequence : ValueKind::kTensor;
  if (optional.has_tensor_value()) value.tensors.push_back(ToConstant(optional.tensor_value()));
  if (optional.has_sequence_value()) AddSequence(optional.sequence_value(), value);
  value.length = optional.has_tensor_value() || optional.has_sequence_value() ? 1 : 0;
  return value;
}

CaseValue ReadValue(const onnx::ValueInfoProto& declared, const fs::path& path) {
  const std::string bytes = ReadBytes(path);
  const onnx::TypeProto& type = declared.type();
  CaseValue value;
  switch (type.value_case()) {
    case onnx::TypeProto::kSequenceType: value = ReadSequenceValue(type, bytes); break;
    case onnx::TypeProto::kOptionalType: value = ReadOptionalValue(type, bytes); break;
    case onnx::TypeProto::kMapType: value.kind = ValueKind::kMap; break;
    default: value = ReadTensorValue(type, bytes); break;
  }
  value.name = declared.name();
  return value;
}

std::vector<CaseValue> ReadValues(const fs::path& set, const char* prefix,
                                  const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& declared) {
  std::vector<CaseValue> values;
  for (int i = 0; i < declared.size(); ++i) {
    const fs::path path = set / (prefix + std::to_string(i) + ".pb");
    if (fs::exists(path)) values.push_back(ReadValue(declared.Get(i), path));
  }
  return values;
}

// Removes every shape, and leaves kinds and element types.
void ClearShapes(onnx::TypeProto& type) {
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType: type.mutable_tensor_type()->clear_shape(); break;
    case onnx::TypeProto::kSequenceType: ClearShapes(*type.mutable_sequence_type()->mutable_elem_type()); break;
    case onnx::TypeProto::kOptionalType: ClearShapes(*type.mutable_optional_type()->mutable_elem_type()); break;
    default: break;
  }
}

void Strip(onnx::GraphProto& graph) {
  graph.clear_value_info();
  for (onnx::ValueInfoProto& output : *graph.mutable_output()) ClearShapes(*output.mutable_type());
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) Strip(*attribute.mutable_g());
    }
  }
}

}  // namespace

std::vector<std::string> CaseFolders(const std::string& root) {
  std::vector<std::string> folders;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root, error)) {
    if (entry.path().filename() == "model.onnx") folders.push_back(entry.path().parent_path().string());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string ReadModelStripped(const std::string& path) {
  onnx::ModelProto model;
  if (!model.ParseFromString(ReadBytes(path))) return {};
  Strip(*model.mutable_graph());
  return model.SerializeAsString();
}

Case ReadCase(const std::string& folder) {
  Case read;
  const fs::path path(folder);
  read.bytes = ReadBytes(path / "model.onnx");
  onnx::ModelProto model;
  if (!model.ParseFromString(read.bytes)) return read;
  read.name = path.filename().string();
  read.inputs = ReadValues(path / "test_data_set_0", "input_", model.graph().input());
  read.outputs = ReadValues(path / "test_data_set_0", "output_", model.graph().output());
  Strip(*model.mutable_graph());
  read.stripped = model.SerializeAsString();
  return read;
}

}  // namespace hwest

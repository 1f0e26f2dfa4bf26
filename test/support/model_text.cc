#include <onnx/defs/parser.h>

#include <set>

#include "support/catch.h"
#include "support/keep_model.h"
#include "support/onnx_writer.h"

namespace hwest::test {
namespace {

std::set<std::string> NamesMade(const onnx::GraphProto& graph) {
  std::set<std::string> names;
  for (const auto& input : graph.input()) names.insert(input.name());
  for (const auto& tensor : graph.initializer()) names.insert(tensor.name());
  for (const auto& node : graph.node()) names.insert(node.output().begin(), node.output().end());
  return names;
}

void AddWeight(const onnx::ValueInfoProto& info, onnx::GraphProto& graph) {
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(info.name());
  tensor.set_data_type(info.type().tensor_type().elem_type());
  for (const auto& dim : info.type().tensor_type().shape().dim()) tensor.add_dims(dim.dim_value());
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  auto& location = *tensor.add_external_data();
  location.set_key("location");
  location.set_value("weights");
}

void AddWeights(onnx::GraphProto& graph) {
  const std::set<std::string> made = NamesMade(graph);
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> declared;
  declared.Swap(graph.mutable_value_info());
  for (const auto& info : declared) {
    if (made.count(info.name()) == 0) AddWeight(info, graph);
    if (made.count(info.name()) != 0) *graph.add_value_info() = info;
  }
}

}  // namespace

std::string ModelFromText(absl::string_view text) {
  const std::string copy(text);
  onnx::OnnxParser parser(copy.c_str());
  onnx::ModelProto model;
  const auto status = parser.Parse(model);
  if (!status.IsOK()) FAIL(status.ErrorMessage());
  AddWeights(*model.mutable_graph());
  const std::string bytes = model.SerializeAsString();
  KeepModel(bytes);
  return bytes;
}

}  // namespace hwest::test

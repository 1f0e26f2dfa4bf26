#include "import/tflite_reader.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hwest/diagnostic.h"
#include "import/flat_writer.h"
#include "import/import.h"
#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

using test::FlatWriter;

std::string File(absl::string_view name) {
  return absl::StrCat(HWEST_SOURCE_DIR, "/test/models/tflite/", name, ".tflite");
}

std::string BytesOf(absl::string_view name) {
  std::ifstream file(File(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

RawModel Read(absl::string_view name) {
  absl::StatusOr<RawModel> model = ReadModelFile(File(name));
  REQUIRE(model.ok());
  return *std::move(model);
}

std::string Operators(const RawModel& model) {
  std::vector<std::string> ops;
  for (const RawNode& node : model.graph.nodes) ops.push_back(std::string(model.strings[node.op]));
  return absl::StrJoin(ops, " ");
}

std::string ShapeOf(const RawValueInfo& info) {
  std::vector<std::string> dims;
  for (const RawDim& dim : info.type.dims) dims.push_back(dim.has_value ? absl::StrCat(dim.value) : "?");
  return absl::StrJoin(dims, "x");
}

int64_t Count(const RawModel& model, absl::string_view op) {
  return std::count_if(model.graph.nodes.begin(), model.graph.nodes.end(),
                       [&](const RawNode& node) { return model.strings[node.op] == op; });
}

const Constant& ConstantOf(const RawModel& model, const RawNode& node, size_t input) {
  const auto found = std::find_if(model.graph.initializers.begin(), model.graph.initializers.end(),
                                  [&](const Constant& constant) { return constant.name == node.inputs[input]; });
  REQUIRE(found != model.graph.initializers.end());
  return *found;
}

const RawNode& FirstOf(const RawModel& model, absl::string_view op) {
  const auto found = std::find_if(model.graph.nodes.begin(), model.graph.nodes.end(),
                                  [&](const RawNode& node) { return model.strings[node.op] == op; });
  REQUIRE(found != model.graph.nodes.end());
  return *found;
}

TEST_CASE("A network in TensorFlow Lite becomes operators with channels first, without transposes") {
  const RawModel model = Read("net");
  CHECK(Operators(model) == "Conv Relu Conv Clip ReduceMean Conv Sigmoid Mul Add Concat MaxPool Reshape Gemm Softmax");
  CHECK(ShapeOf(model.graph.inputs[0]) == "1x3x16x16");
  CHECK(ShapeOf(model.graph.outputs[0]) == "1x5");
  CHECK(ConstantOf(model, model.graph.nodes[0], 1).dims == std::vector<int64_t>{4, 3, 3, 3});
  CHECK(ConstantOf(model, model.graph.nodes[2], 1).dims == std::vector<int64_t>{4, 1, 3, 3});
  CHECK(absl::StartsWith(model.producer_name, "TensorFlow Lite"));
  REQUIRE(model.diagnostics.size() == 1);
  CHECK(model.diagnostics[0].code == Code::kAssumed);
}

TEST_CASE("Rows of an image for weights alone keep its order, and the weights follow") {
  const RawModel model = Read("net");
  const RawNode& gemm = FirstOf(model, "Gemm");
  const Constant& weights = ConstantOf(model, gemm, 1);
  CHECK(weights.dims == std::vector<int64_t>{5, 128});
  CHECK(weights.storage == Storage::kInline);  // 2,560 bytes: their place is known, they are not read
  CHECK(weights.length == 2560);
}

TEST_CASE("A batch that is open stays so") {
  const RawModel model = Read("net_batch");
  CHECK(ShapeOf(model.graph.inputs[0]) == "?x3x16x16");
  CHECK(ShapeOf(model.graph.outputs[0]) == "?x5");
  CHECK(Count(model, "Transpose") == 0);
}

TEST_CASE("A quantised network keeps its types, and calculates between Q and DQ") {
  const RawModel model = Read("net_int8");
  CHECK(model.graph.inputs[0].type.elem == static_cast<int32_t>(ElemType::kInt8));
  CHECK(model.graph.outputs[0].type.elem == static_cast<int32_t>(ElemType::kInt8));
  CHECK(Count(model, "Transpose") == 0);
  CHECK(Count(model, "Conv") == 3);
  const RawNode& concat = FirstOf(model, "Concat");  // of numbers quantised alike, as a view is
  for (const RawValueInfo& info : model.graph.value_info) {
    if (info.name == concat.outputs[0]) CHECK(info.type.elem == static_cast<int32_t>(ElemType::kInt8));
  }
  // Weights have a scale for each channel, along the first axis of ONNX's layout.
  for (const RawNode& node : model.graph.nodes) {
    if (model.strings[node.op] != "DequantizeLinear" || node.attributes.empty()) continue;
    CHECK(model.strings[node.attributes[0].name] == "axis");
    CHECK(node.attributes[0].i == 0);
    CHECK(ConstantOf(model, node, 1).dims == std::vector<int64_t>{ConstantOf(model, node, 0).dims[0]});
  }
}

TEST_CASE("Padding of a quantised image stays with the convolution that takes it in") {
  const RawModel model = Read("pad_int8");
  CHECK(Operators(model) == "DequantizeLinear DequantizeLinear DequantizeLinear Conv QuantizeLinear");
  for (const RawAttribute& attribute : FirstOf(model, "Conv").attributes) {
    if (model.strings[attribute.name] == "pads") CHECK(attribute.ints == std::vector<int64_t>{0, 0, 1, 1});
  }
}

TEST_CASE("Where an operator needs the order of the file stands a view") {
  const RawModel model = Read("heads");
  CHECK(Count(model, "Transpose") == 0);
  CHECK(Count(model, "Reorder") == 1);  // in front of the boxes; a transpose of the file to channels first is none
  CHECK(Count(model, "ConvTranspose") == 1);
  CHECK(Count(model, "Resize") == 1);
}

TEST_CASE("Small contents are read in the order of the constant") {
  FlatWriter flat;
  const size_t root = flat.Table({0, 1, 2, 4});
  flat.Root(root);
  flat.Set(root, 0, 3);
  const size_t codes = flat.Tables(1), graphs = flat.Tables(1), buffers = flat.Tables(2);
  flat.Link(root, 1, codes);
  flat.Link(root, 2, graphs);
  flat.Link(root, 4, buffers);
  const size_t code = flat.Table({0, 3});
  flat.LinkIn(codes, 0, code);
  flat.Set(code, 0, 3, 1);
  flat.Set(code, 3, 3);
  const size_t graph = flat.Table({0, 1, 2, 3});
  flat.LinkIn(graphs, 0, graph);
  const size_t tensors = flat.Tables(3), inputs = flat.Ints({0}), outputs = flat.Ints({2}), ops = flat.Tables(1);
  flat.Link(graph, 0, tensors);
  flat.Link(graph, 1, inputs);
  flat.Link(graph, 2, outputs);
  flat.Link(graph, 3, ops);
  const std::vector<std::vector<int64_t>> shapes = {{1, 4, 4, 2}, {1, 2, 1, 2}, {1, 4, 4, 1}};
  for (size_t i = 0; i < shapes.size(); ++i) {
    const size_t tensor = flat.Table({0, 1, 2, 3});
    flat.LinkIn(tensors, i, tensor);
    flat.Set(tensor, 2, i == 1 ? 1 : 0);
    const size_t shape = flat.Ints(shapes[i]);
    flat.Link(tensor, 0, shape);
    const size_t name = flat.Text(absl::StrCat("t", i));
    flat.Link(tensor, 3, name);
  }
  const size_t op = flat.Table({1, 2, 4});
  flat.LinkIn(ops, 0, op);
  const size_t op_inputs = flat.Ints({0, 1});
  flat.Link(op, 1, op_inputs);
  const size_t op_outputs = flat.Ints({2});
  flat.Link(op, 2, op_outputs);
  const size_t options = flat.Table({1, 2});
  flat.Link(op, 4, options);
  flat.Set(options, 1, 1);
  flat.Set(options, 2, 1);
  const size_t none = flat.Table({});
  flat.LinkIn(buffers, 0, none);
  const size_t behind = flat.Table({1, 2});  // contents behind the tables, as in files of more than 2 GB
  flat.LinkIn(buffers, 1, behind);
  flat.Set(behind, 1, flat.bytes().size(), 8);
  flat.Set(behind, 2, 16, 8);
  const std::string bytes = flat.bytes() + "00001111aaaabbbb";

  const absl::StatusOr<RawModel> model = ReadModelMemory(bytes, "m");
  REQUIRE(model.ok());
  CHECK(Operators(*model) == "Conv");
  const Constant& weights = ConstantOf(*model, model->graph.nodes[0], 1);
  CHECK(weights.dims == std::vector<int64_t>{1, 2, 2, 1});
  CHECK(weights.data == "0000aaaa1111bbbb");
  CHECK(ShapeOf(model->graph.outputs[0]) == "1x1x4x4");

  const absl::StatusOr<RawModel> cut = ReadModelMemory(bytes.substr(0, bytes.size() - 1), "m");
  REQUIRE_FALSE(cut.ok());
  CHECK(DiagnosticOf(cut.status()).code == Code::kModelCorrupt);
}

// A graph with one operator of `code`, which may have a name of its own, from tensor 0 to tensor 1.
std::string OneOperator(int code, absl::string_view custom) {
  FlatWriter flat;
  const size_t root = flat.Table({1, 2, 4});
  flat.Root(root);
  const size_t codes = flat.Tables(1), graphs = flat.Tables(1), buffers = flat.Tables(1);
  flat.Link(root, 1, codes);
  flat.Link(root, 2, graphs);
  flat.Link(root, 4, buffers);
  const size_t entry = flat.Table({0, 1, 3});
  flat.LinkIn(codes, 0, entry);
  flat.Set(entry, 0, static_cast<uint64_t>(std::min(code, 127)), 1);
  flat.Set(entry, 3, static_cast<uint64_t>(code));
  const size_t name = flat.Text(custom);
  flat.Link(entry, 1, name);
  const size_t none = flat.Table({});
  flat.LinkIn(buffers, 0, none);
  const size_t graph = flat.Table({0, 1, 2, 3});
  flat.LinkIn(graphs, 0, graph);
  const size_t tensors = flat.Tables(2), inputs = flat.Ints({0}), outputs = flat.Ints({1}), ops = flat.Tables(1);
  flat.Link(graph, 0, tensors);
  flat.Link(graph, 1, inputs);
  flat.Link(graph, 2, outputs);
  flat.Link(graph, 3, ops);
  const size_t tensor = flat.Table({0});
  flat.LinkIn(tensors, 0, tensor);
  flat.LinkIn(tensors, 1, tensor);
  const size_t shape = flat.Ints({1, 4});
  flat.Link(tensor, 0, shape);
  const size_t op = flat.Table({1, 2});
  flat.LinkIn(ops, 0, op);
  const size_t from = flat.Ints({0}), to = flat.Ints({1});
  flat.Link(op, 1, from);
  flat.Link(op, 2, to);
  return flat.bytes();
}

TEST_CASE("Operators are told by both of their codes; those without a like in ONNX stay what they are") {
  struct Case {
    int code;
    std::string custom, domain, op;
  };
  const Case cases[] = {
      {101, "", "", "Abs"},         {150, "", "", "Gelu"},
      {158, "", "", "Sign"},        {32, "TFLite_Detection_PostProcess", "tflite", "TFLite_Detection_PostProcess"},
      {119, "", "tflite", "WHILE"}, {9999, "", "tflite", "BUILTIN_9999"}};
  for (const Case& test : cases) {
    INFO(test.op);
    const absl::StatusOr<RawModel> model = ReadModelMemory(OneOperator(test.code, test.custom), "m");
    REQUIRE(model.ok());
    REQUIRE(model->graph.nodes.size() == 1);
    CHECK(model->strings[model->graph.nodes[0].op] == test.op);
    CHECK(model->strings[model->graph.nodes[0].domain] == test.domain);
    CHECK(model->strings[model->graph.inputs[0].name] == "tensor_0");
  }
}

bool IsClear(const absl::Status& status) {
  const Code code = DiagnosticOf(status).code;
  return code == Code::kModelCorrupt || code == Code::kModelFormat || code == Code::kModelRefused;
}

TEST_CASE("A TensorFlow Lite file cut anywhere is read or refused in one clear error") {
  for (const absl::string_view name : {"net_int8", "heads", "loop"}) {
    const std::string bytes = BytesOf(name);
    for (size_t length = 0; length < bytes.size(); length += 1 + length % 7) {
      const absl::StatusOr<RawModel> model = ReadModelMemory(bytes.substr(0, length), "m");
      if (!model.ok()) CHECK(IsClear(model.status()));
    }
  }
}

TEST_CASE("A TensorFlow Lite file with any byte changed never crashes the reader") {
  for (const std::string& whole : {OneOperator(101, "x"), BytesOf("moves"), BytesOf("loop"), BytesOf("state")}) {
    const size_t step = whole.size() > 2000 ? 3 : 1;
    for (size_t i = 0; i < whole.size(); i += step) {
      for (const int flip : {0x01, 0x7f, 0xff}) {
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ flip);
        const absl::StatusOr<RawModel> model = ReadModelMemory(changed, "m");
        if (!model.ok()) CHECK(IsClear(model.status()));
      }
    }
  }
}

TEST_CASE("Parts that are shared without end are refused") {
  FlatWriter flat;
  const size_t root = flat.Table({2});
  flat.Root(root);
  const size_t graphs = flat.Tables(1);
  flat.Link(root, 2, graphs);
  const size_t graph = flat.Table({0});
  flat.LinkIn(graphs, 0, graph);
  const size_t count = 100'000, tensors = flat.Tables(count);
  flat.Link(graph, 0, tensors);
  const size_t tensor = flat.Table({0});
  for (size_t i = 0; i < count; ++i) flat.LinkIn(tensors, i, tensor);
  const size_t shape = flat.Ints(std::vector<int64_t>(1000, 1));
  flat.Link(tensor, 0, shape);
  const absl::StatusOr<RawModel> model = ReadModelMemory(flat.bytes(), "m");
  REQUIRE_FALSE(model.ok());
  CHECK(IsClear(model.status()));
}

TEST_CASE("Operators that are shared without end make no more than the file bears") {
  // 50,000 operators that are one, on tensors of 1,000 axes.
  FlatWriter flat;
  const size_t root = flat.Table({1, 2, 4});
  flat.Root(root);
  const size_t codes = flat.Tables(1), graphs = flat.Tables(1), buffers = flat.Tables(1);
  flat.Link(root, 1, codes);
  flat.Link(root, 2, graphs);
  flat.Link(root, 4, buffers);
  const size_t code = flat.Table({0});
  flat.LinkIn(codes, 0, code);
  flat.Set(code, 0, 22, 1);  // RESHAPE
  const size_t none = flat.Table({});
  flat.LinkIn(buffers, 0, none);
  const size_t graph = flat.Table({0, 3});
  flat.LinkIn(graphs, 0, graph);
  const size_t count = 50'000, tensors = flat.Tables(2), ops = flat.Tables(count);
  flat.Link(graph, 0, tensors);
  flat.Link(graph, 3, ops);
  const size_t tensor = flat.Table({0});
  flat.LinkIn(tensors, 0, tensor);
  flat.LinkIn(tensors, 1, tensor);
  const size_t shape = flat.Ints(std::vector<int64_t>(1000, 1));
  flat.Link(tensor, 0, shape);
  const size_t op = flat.Table({1, 2});
  for (size_t i = 0; i < count; ++i) flat.LinkIn(ops, i, op);
  const size_t from = flat.Ints({0}), to = flat.Ints({1});
  flat.Link(op, 1, from);
  flat.Link(op, 2, to);
  const absl::StatusOr<RawModel> model = ReadModelMemory(flat.bytes(), "m");
  REQUIRE_FALSE(model.ok());
  CHECK(DiagnosticOf(model.status()).code == Code::kModelRefused);
}

TEST_CASE("Weights of a TensorFlow Lite file are not read") {
  absl::StatusOr<Source> source = Source::OpenFile(File("net"));
  REQUIRE(source.ok());
  const absl::StatusOr<RawModel> model = ReadTflite(*source);
  REQUIRE(model.ok());
  CHECK(model->metadata_bytes < model->file_bytes);
}

}  // namespace
}  // namespace hwest

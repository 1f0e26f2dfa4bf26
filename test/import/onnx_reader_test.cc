#include "import/onnx_reader.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "import/import.h"
#include "support/catch.h"
#include "support/onnx_writer.h"
#include "temp_folder.h"

namespace hwest {
namespace {

using test::Message;
using test::Node;

RawModel Read(const Message& message) {
  absl::StatusOr<RawModel> model = ReadModelMemory(message.bytes(), "m");
  REQUIRE(model.ok());
  return *std::move(model);
}

TEST_CASE("A model in text form is read field by field") {
  const RawModel model = *ReadModelMemory(test::ModelFromText(R"(
      <ir_version: 8, producer_name: "maker", producer_version: "1.2", opset_import: ["" : 17, "local" : 1]>
      agraph (float[N, 3, 4] x, int64 k) => (float[N, 3, 4] y) <float[2] w = {1, 2}> {
        t = Conv <strides = [2, 2], auto_pad = "SAME"> (x, , w)
        y = local.f <alpha = 0.5> (t)
      }
      <domain: "local", opset_import: ["" : 16]>
      f <alpha> (a) => (b) { b = LeakyRelu <alpha : float = @alpha> (a) })"),
                                          "m");
  CHECK(model.ir_version == 8);
  CHECK(model.producer_name == "maker");
  CHECK(model.producer_version == "1.2");
  REQUIRE(model.opsets.size() == 2);
  CHECK(model.strings[model.opsets[0].domain] == "");
  CHECK(model.opsets[0].version == 17);
  CHECK(model.strings[model.opsets[1].domain] == "local");

  const RawGraph& graph = model.graph;
  CHECK(model.strings[graph.name] == "agraph");
  REQUIRE(graph.inputs.size() == 2);
  const RawType& x = graph.inputs[0].type;
  CHECK(x.kind == ValueKind::kTensor);
  CHECK(x.elem == 1);
  REQUIRE(x.dims.size() == 3);
  CHECK(model.strings[x.dims[0].param] == "N");
  CHECK_FALSE(x.dims[0].has_value);
  CHECK(x.dims[2].has_value);
  CHECK(x.dims[2].value == 4);
  CHECK(graph.initializers.at(0).dims == std::vector<int64_t>{2});
  REQUIRE(graph.nodes.size() == 2);
  CHECK(graph.nodes[0].inputs.size() == 3);
  CHECK(graph.nodes[0].attributes.at(0).ints == std::vector<int64_t>{2, 2});
  CHECK(model.strings[graph.nodes[0].attributes.at(1).s] == "SAME");
  CHECK(graph.nodes[1].attributes.at(0).f == 0.5f);

  REQUIRE(model.functions.size() == 1);
  const RawFunction& function = model.functions[0];
  CHECK(model.strings[function.domain] == "local");
  CHECK(model.strings[function.name] == "f");
  CHECK(model.strings[function.required_attributes.at(0)] == "alpha");
  CHECK(function.opsets.at(0).version == 16);
  CHECK(model.strings[function.nodes.at(0).attributes.at(0).ref] == "alpha");
}

TEST_CASE("Function fields newer than libonnx are read") {
  const Message function = Message()
                               .Bytes(1, "f")
                               .Bytes(10, "local")
                               .Bytes(13, "v2")
                               .Sub(11, test::IntAttribute("axis", 3))
                               .Sub(12, test::TensorValue("t", 22, {4}))
                               .Sub(14, test::StringEntry("k", "v"));
  const RawModel model = Read(test::Model(Message()).Sub(25, function).Sub(26, Message().Bytes(1, "devices")));
  REQUIRE(model.functions.size() == 1);
  CHECK(model.strings[model.functions[0].overload] == "v2");
  CHECK(model.functions[0].default_attributes.at(0).i == 3);
  CHECK(model.functions[0].value_info.at(0).type.elem == 22);
}

TEST_CASE("Types: alternatives replace each other, the same one merges") {
  const Message shape = Message().Sub(1, Message().Varint(1, 2));
  const Message tensor = Message().Varint(1, 1).Sub(2, shape);
  const Message sequence = Message().Sub(1, Message().Sub(1, tensor));
  struct Case {
    std::string name;
    Message type;
    ValueKind kind;
    int32_t elem;
    bool has_shape;
    size_t rank, elements;
  };
  const Case cases[] = {
      {"none", Message(), ValueKind::kUnknown, 0, false, 0, 0},
      {"tensor", Message().Sub(1, tensor), ValueKind::kTensor, 1, true, 1, 0},
      {"scalar", Message().Sub(1, Message().Varint(1, 7).Sub(2, Message())), ValueKind::kTensor, 7, true, 0, 0},
      {"unranked", Message().Sub(1, Message().Varint(1, 7)), ValueKind::kTensor, 7, false, 0, 0},
      {"merged", Message().Sub(1, tensor).Sub(1, tensor), ValueKind::kTensor, 1, true, 2, 0},
      {"replaced", Message().Sub(1, tensor).Sub(4, sequence), ValueKind::kSequence, 0, false, 0, 1},
      {"optional", Message().Sub(9, sequence), ValueKind::kOptional, 0, false, 0, 1},
      {"map", Message().Sub(5, Message().Varint(1, 7).Sub(2, Message().Sub(1, tensor))), ValueKind::kMap, 7, false, 0,
       1},
      {"sparse", Message().Sub(8, tensor), ValueKind::kSparse, 1, true, 1, 0},
      {"opaque", Message().Sub(7, Message().Bytes(2, "o")), ValueKind::kUnknown, 0, false, 0, 0},
      {"sequence of nothing", Message().Sub(4, Message()), ValueKind::kSequence, 0, false, 0, 1},
  };
  for (const Case& test : cases) {
    INFO(test.name);
    const RawModel model = Read(test::Model(Message().Sub(11, Message().Bytes(1, "x").Sub(2, test.type))));
    const RawType& type = model.graph.inputs.at(0).type;
    CHECK(type.kind == test.kind);
    CHECK(type.elem == test.elem);
    CHECK(type.has_shape == test.has_shape);
    CHECK(type.dims.size() == test.rank);
    CHECK(type.element.size() == test.elements);
  }
}

TEST_CASE("Dims: the last of value and name counts, 0 and negative values stay") {
  const Message dims = Message()
                           .Sub(1, Message().Varint(1, 0))
                           .Sub(1, Message().Varint(1, -1))
                           .Sub(1, Message().Varint(1, 5).Bytes(2, "N"))
                           .Sub(1, Message().Bytes(2, "N").Varint(1, 5))
                           .Sub(1, Message());
  const Message type = Message().Sub(1, Message().Varint(1, 1).Sub(2, dims));
  const RawModel model = Read(test::Model(Message().Sub(11, Message().Bytes(1, "x").Sub(2, type))));
  const std::vector<RawDim>& read = model.graph.inputs.at(0).type.dims;
  REQUIRE(read.size() == 5);
  CHECK((read[0].has_value && read[0].value == 0));
  CHECK((read[1].has_value && read[1].value == -1));
  CHECK((!read[2].has_value && model.strings[read[2].param] == "N"));
  CHECK((read[3].has_value && read[3].value == 5 && !read[3].param.valid()));
  CHECK_FALSE(read[4].has_value);
}

TEST_CASE("Deep types and wide shapes are refused") {
  Message type = Message().Sub(1, Message());
  for (int i = 0; i < 100; ++i) type = Message().Sub(4, Message().Sub(1, type));
  Message shape;
  for (int i = 0; i < 1025; ++i) shape.Sub(1, Message());
  const Message wide = Message().Sub(1, Message().Sub(2, shape));
  for (const Message& refused : {type, wide}) {
    const Message graph = Message().Sub(11, Message().Bytes(1, "x").Sub(2, refused));
    const absl::StatusOr<RawModel> model = ReadModelMemory(test::Model(graph).bytes(), "m");
    REQUIRE_FALSE(model.ok());
    CHECK(DiagnosticOf(model.status()).code == Code::kModelRefused);
  }
}

TEST_CASE("Unknown fields, known numbers of another wire type, and a graph in two parts are accepted") {
  const Message first = Message().Bytes(2, "one").Sub(1, Node("A", {}, {"a"})).Bytes(999, "?").Varint(1, 4);
  const Message second = Message().Bytes(2, "two").Sub(1, Node("B", {"a"}, {"b"}));
  const RawModel model =
      Read(Message().Sub(7, first).Fixed64(77, 1).Sub(20, Message().Bytes(1, "training")).Sub(7, second).Bytes(1, "?"));
  CHECK(model.graph.nodes.size() == 2);
  CHECK(model.strings[model.graph.name] == "two");
  CHECK(model.ir_version == 0);
  CHECK(model.opsets.empty());
}

TEST_CASE("The exporter's range constraints are kept") {
  const Message graph =
      Message().Sub(16, test::StringEntry("pkg.torch.export.ExportedProgram.range_constraints", "{s0: VR[2, 64]}"));
  CHECK(Read(test::Model(graph)).graph.range_constraints == "{s0: VR[2, 64]}");
}

// A small model with something of everything that nests.
std::string SmallModel() {
  const Message body = Message().Sub(1, Node("Relu", {"x"}, {"y"})).Sub(12, test::TensorValue("y", 1, {2}));
  const Message node =
      Node("If", {"c"}, {"y"})
          .Sub(5, test::GraphAttribute("then_branch", body))
          .Sub(5, test::IntsAttribute("axes", {1, -1}))
          .Sub(5, test::TensorAttribute("t", Message().Varint(1, 3).Varint(2, 7).PackedVarints(7, {1, 2, 300})))
          .Sub(9, test::StringEntry("namespace", "a/b"));
  const Message graph = Message()
                            .Sub(1, node)
                            .Sub(5, test::RawTensor("w", 1, {2}, "12345678"))
                            .Sub(5, test::ExternalTensor("e", 1, {2}, "w.bin", "0", "8"))
                            .Sub(11, test::TensorValue("x", 1, {2}));
  return test::Model(graph).Sub(25, Message().Bytes(1, "f").Sub(7, Node("Abs", {"a"}, {"b"}))).bytes();
}

TEST_CASE("A model cut at any byte is read or refused in one clear error") {
  const std::string bytes = SmallModel();
  REQUIRE(ReadModelMemory(bytes, "m").ok());
  int whole = 0;
  for (size_t length = 1; length < bytes.size(); ++length) {
    const absl::StatusOr<RawModel> model = ReadModelMemory(bytes.substr(0, length), "m");
    if (model.ok()) {
      ++whole;
      continue;
    }
    const Code code = DiagnosticOf(model.status()).code;
    CHECK((code == Code::kModelCorrupt || code == Code::kModelFormat));
  }
  CHECK(whole == 2);  // cut behind the graph, and behind the operator sets that follow it
}

TEST_CASE("A model with any byte changed never crashes the reader") {
  const std::string bytes = SmallModel();
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {0x01, 0x04, 0x7f, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      const absl::StatusOr<RawModel> model = ReadModelMemory(changed, "m");
      if (!model.ok()) CHECK(DiagnosticOf(model.status()).code != Code::kInternal);
    }
  }
}

TEST_CASE("A truncated model names the byte") {
  const std::string bytes = test::Message().Varint(1, 8).Raw("\x3a\x63 123456789").bytes();
  const Diagnostic error = DiagnosticOf(ReadModelMemory(bytes, "model.onnx").status());
  CHECK(error.code == Code::kModelCorrupt);
  CHECK(error.message == "model.onnx: truncated at byte 4: a field of 99 bytes starts there but only 10 remain");
  CHECK(error.remedy == "export or download the file again");
}

TEST_CASE("Weights are not read") {
  const test::TempFolder folder;
  Message graph;
  const std::string weights(100'000, 'w');
  for (int i = 0; i < 20; ++i) {
    graph.Sub(1, Node("MatMul", {"x", absl::StrCat("w", i)}, {"y"}).Bytes(3, absl::StrCat("/layer.", i, "/MatMul")));
  }
  const Message constant = test::RawTensor("", 1, {25'000}, weights);
  graph.Sub(1, Node("Constant", {}, {"c"}).Sub(5, test::TensorAttribute("value", constant)));
  for (int i = 0; i < 20; ++i) {
    graph.Sub(5, test::RawTensor(absl::StrCat("encoder.layer.", i, ".attention.weight"), 1, {25'000}, weights));
  }
  const std::string bytes = test::Model(graph).bytes();
  absl::StatusOr<Source> source = Source::OpenFile(folder.Write("m.onnx", bytes));
  REQUIRE(source.ok());
  const absl::StatusOr<RawModel> model = ReadOnnx(*source);
  REQUIRE(model.ok());
  CHECK(model->metadata_bytes == static_cast<int64_t>(bytes.size() - 21 * weights.size()));
  CHECK(source->bytes_read() <= 3 * model->metadata_bytes);
}

TEST_CASE("Offsets beyond 2 and 4 GiB are read from a file with a hole") {
  const test::TempFolder folder;
  constexpr int64_t kWeights = int64_t{5} << 30;
  const std::string header = Message().Varint(1, kWeights).Varint(2, 2).Bytes(8, "w").bytes();
  const std::string raw_tag = absl::StrCat("\x4a", test::VarintBytes(kWeights));
  const std::string node = Message().Sub(1, Node("Relu", {"x"}, {"last"})).bytes();
  const auto tensor_bytes = static_cast<uint64_t>(kWeights) + header.size() + raw_tag.size();
  const std::string tensor_tag = absl::StrCat("\x2a", test::VarintBytes(tensor_bytes));
  const std::string front = tensor_tag + header + raw_tag;
  const std::string graph_tag =
      absl::StrCat("\x08\x08\x3a", test::VarintBytes(front.size() + static_cast<uint64_t>(kWeights) + node.size()));
  const std::string path = folder.Write("m.onnx", graph_tag + front);
  std::filesystem::resize_file(path, graph_tag.size() + front.size() + static_cast<uint64_t>(kWeights));
  std::ofstream(path, std::ios::binary | std::ios::app) << node;

  absl::StatusOr<Source> source = Source::OpenFile(path);
  REQUIRE(source.ok());
  const absl::StatusOr<RawModel> model = ReadOnnx(*source);
  REQUIRE(model.ok());
  CHECK(model->graph.initializers.at(0).length == kWeights);
  CHECK(model->graph.initializers.at(0).storage == Storage::kInline);
  CHECK(model->strings[model->graph.nodes.at(0).outputs.at(0)] == "last");
  CHECK(source->bytes_read() < 1000);
}

}  // namespace
}  // namespace hwest

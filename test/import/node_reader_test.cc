#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "import/import.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest {
namespace {

using test::Message;
using test::Node;

RawModel ReadGraphOf(const Message& graph) {
  absl::StatusOr<RawModel> model = ReadModelMemory(test::Model(graph).bytes(), "m");
  REQUIRE(model.ok());
  return *std::move(model);
}

// The model whose only node has the attribute of the given fields, named "a".
RawModel ReadWithAttribute(const Message& fields) {
  const Message attribute = Message().Bytes(1, "a").Raw(fields.bytes());
  RawModel model = ReadGraphOf(Message().Sub(1, Node("Op", {"x"}, {"y"}).Sub(5, attribute)));
  REQUIRE(model.graph.nodes.at(0).attributes.size() == 1);
  return model;
}

TEST_CASE("An attribute's kind is its declared type, else the member that is there") {
  const Message graph = Message().Bytes(2, "body");
  const Message tensor = test::RawTensor("", 9, {1}, "\x01");
  const Message sparse = Message().Sub(1, tensor).Sub(2, test::RawTensor("", 7, {1}, std::string(8, '\0')));
  struct Case {
    std::string name;
    Message fields;
    AttrKind kind;
  };
  const Case cases[] = {
      {"float", Message().Float(2, 1).Varint(20, 1), AttrKind::kFloat},
      {"int", Message().Varint(3, 1).Varint(20, 2), AttrKind::kInt},
      {"string", Message().Bytes(4, "s").Varint(20, 3), AttrKind::kString},
      {"tensor", Message().Sub(5, tensor).Varint(20, 4), AttrKind::kTensor},
      {"graph", Message().Sub(6, graph).Varint(20, 5), AttrKind::kGraph},
      {"floats", Message().Floats(7, {1}).Varint(20, 6), AttrKind::kFloats},
      {"ints", Message().Varints(8, {1}).Varint(20, 7), AttrKind::kInts},
      {"strings", Message().Bytes(9, "s").Varint(20, 8), AttrKind::kStrings},
      {"tensors", Message().Sub(10, tensor).Varint(20, 9), AttrKind::kTensors},
      {"graphs", Message().Sub(11, graph).Varint(20, 10), AttrKind::kGraphs},
      {"sparse", Message().Sub(22, sparse).Varint(20, 11), AttrKind::kSparseTensor},
      {"sparses", Message().Sub(23, sparse).Varint(20, 12), AttrKind::kSparseTensors},
      {"type", Message().Sub(14, Message()).Varint(20, 13), AttrKind::kType},
      {"types", Message().Sub(15, Message()).Varint(20, 14), AttrKind::kTypes},
      {"type absent: float", Message().Float(2, 1), AttrKind::kFloat},
      {"type absent: int", Message().Varint(3, 1), AttrKind::kInt},
      {"type absent: string", Message().Bytes(4, "s"), AttrKind::kString},
      {"type absent: tensor", Message().Sub(5, tensor), AttrKind::kTensor},
      {"type absent: graph", Message().Sub(6, graph), AttrKind::kGraph},
      {"type 0: ints", Message().Varints(8, {1}).Varint(20, 0), AttrKind::kInts},
      {"type unknown: floats", Message().Floats(7, {1}).Varint(20, 99), AttrKind::kFloats},
      {"int dropped as default", Message().Varint(20, 2), AttrKind::kInt},
      {"string dropped as default", Message().Varint(20, 3), AttrKind::kString},
      {"ints empty", Message().Varint(20, 7), AttrKind::kInts},
      {"tensor without tensor", Message().Varint(20, 4), AttrKind::kUndefined},
      {"graph without graph", Message().Varint(20, 5), AttrKind::kUndefined},
      {"reference to a tensor", Message().Varint(20, 4).Bytes(21, "w"), AttrKind::kTensor},
      {"nothing", Message(), AttrKind::kUndefined},
  };
  for (const Case& test : cases) {
    INFO(test.name);
    const RawModel model = ReadWithAttribute(test.fields);
    const RawAttribute& attribute = model.graph.nodes[0].attributes[0];
    CHECK(attribute.kind == test.kind);
    CHECK(model.strings[attribute.name] == "a");
    if (test.kind == AttrKind::kString) CHECK(attribute.s.valid());
    const bool one_tensor = test.kind == AttrKind::kTensor || test.kind == AttrKind::kSparseTensor;
    if (one_tensor && !attribute.ref.valid()) CHECK(attribute.tensors.size() == 1);
    if (test.kind == AttrKind::kGraph) CHECK(attribute.graphs.size() == 1);
  }
}

TEST_CASE("Attribute values, packed and not, dropped and repeated") {
  const RawModel ints = ReadWithAttribute(Message().Varint(8, 1).PackedVarints(8, {-2, 3}).Varint(20, 7));
  CHECK(ints.graph.nodes[0].attributes[0].ints == std::vector<int64_t>{1, -2, 3});
  const RawModel floats = ReadWithAttribute(Message().PackedFloats(7, {1, 2}).Float(7, 3).Varint(20, 6));
  CHECK(floats.graph.nodes[0].attributes[0].floats == std::vector<float>{1, 2, 3});
  const RawModel last = ReadWithAttribute(Message().Varint(3, 5).Varint(3, 6).Varint(20, 2));
  CHECK(last.graph.nodes[0].attributes[0].i == 6);
  const RawModel dropped = ReadWithAttribute(Message().Varint(20, 2));
  CHECK(dropped.graph.nodes[0].attributes[0].i == 0);
  const RawModel reference = ReadWithAttribute(Message().Varint(20, 2).Bytes(21, "outer"));
  CHECK(reference.strings[reference.graph.nodes[0].attributes[0].ref] == "outer");
}

TEST_CASE("A tensor or graph given in two parts is one") {
  const Message first = Message().Varint(2, 7).Varint(1, 2);
  const Message second = Message().Varints(7, {5, 6});
  const RawModel tensor = ReadWithAttribute(Message().Sub(5, first).Sub(5, second).Varint(20, 4));
  const RawAttribute& attribute = tensor.graph.nodes[0].attributes[0];
  REQUIRE(attribute.tensors.size() == 1);
  CHECK(attribute.tensors[0].data == test::LittleEndian({5, 6}, 8));

  const Message a = Message().Sub(1, Node("A", {}, {"a"}));
  const Message b = Message().Sub(1, Node("B", {}, {"b"}));
  const RawModel graph = ReadWithAttribute(Message().Sub(6, a).Sub(6, b).Varint(20, 5));
  REQUIRE(graph.graph.nodes[0].attributes[0].graphs.size() == 1);
  CHECK(graph.graph.nodes[0].attributes[0].graphs[0].nodes.size() == 2);
}

TEST_CASE("A string attribute the size of a payload is skipped and noted") {
  const RawModel model = ReadWithAttribute(Message().Bytes(4, std::string(70'000, 'x')).Varint(20, 3));
  CHECK(model.strings[model.graph.nodes[0].attributes[0].s] == "");
  CHECK(model.diagnostics.size() == 1);
  CHECK(model.file_bytes - model.metadata_bytes == 70'000);
}

TEST_CASE("A node's fields, absent inputs included") {
  const Message node = Node("Op", {"x", "", "z"}, {"y", ""}).Bytes(3, "n").Bytes(7, "my.domain").Bytes(8, "v2");
  const RawModel model = ReadGraphOf(Message().Sub(1, node).Sub(1, Message()));
  const RawNode& read = model.graph.nodes.at(0);
  CHECK(model.strings[read.op] == "Op");
  CHECK(model.strings[read.name] == "n");
  CHECK(model.strings[read.domain] == "my.domain");
  CHECK(model.strings[read.overload] == "v2");
  REQUIRE(read.inputs.size() == 3);
  CHECK(model.strings[read.inputs[1]] == "");
  CHECK(read.outputs.size() == 2);
  CHECK(model.strings[model.graph.nodes.at(1).op] == "");
}

TEST_CASE("Node metadata keeps the keys that tell where a node comes from") {
  const auto with = [](std::vector<std::pair<std::string, std::string>> entries) {
    Message node = Node("Op", {}, {"y"});
    for (const auto& [key, value] : entries) node.Sub(9, test::StringEntry(key, value));
    return ReadGraphOf(Message().Sub(1, node));
  };
  const RawModel torch =
      with({{"namespace", ": M/l: Linear"},
            {"pkg.torch.onnx.class_hierarchy", "['M']"},
            {"pkg.torch.onnx.stack_trace", "File \"net.py\", line 7, in forward\n    a long comment"},
            {"pkg.torch.onnx.fx_node", "%l : secret"},
            {"pkg.onnxscript.name_scopes", "['late']"},
            {"pkg.torch.onnx.name_scopes", "['', 'l']"}});
  const RawMetadata& metadata = torch.graph.nodes[0].metadata;
  CHECK(torch.strings[metadata.namespace_text] == ": M/l: Linear");
  CHECK(torch.strings[metadata.class_hierarchy] == "['M']");
  CHECK(torch.strings[metadata.name_scopes] == "['', 'l']");
  CHECK_FALSE(metadata.plain_scopes);
  CHECK(torch.strings[metadata.source_line] == "net.py:7 in forward: a long comment");
  CHECK_FALSE(torch.strings.Find("%l : secret").valid());

  const RawModel script = with({{"pkg.onnxscript.name_scopes", "['l']"}});
  CHECK(script.strings[script.graph.nodes[0].metadata.name_scopes] == "['l']");
  CHECK(script.graph.nodes[0].metadata.plain_scopes);
  CHECK_FALSE(script.graph.nodes[0].metadata.namespace_text.valid());

  const Message value_first = Message().Bytes(2, "v").Bytes(1, "namespace");
  const RawModel reversed = ReadGraphOf(Message().Sub(1, Node("Op", {}, {"y"}).Sub(9, value_first)));
  CHECK(reversed.strings[reversed.graph.nodes[0].metadata.namespace_text] == "v");
}

Message Nested(int bodies) {
  Message graph = Message().Sub(1, Node("Relu", {"x"}, {"y"}));
  for (int i = 0; i < bodies; ++i) {
    graph = Message().Sub(1, Node("If", {"c"}, {"y"}).Sub(5, test::GraphAttribute("then_branch", graph)));
  }
  return graph;
}

TEST_CASE("Bodies nest up to the cap") {
  CHECK(ReadModelMemory(test::Model(Nested(63)).bytes(), "m").ok());
  for (const int bodies : {64, 2000}) {
    const absl::StatusOr<RawModel> model = ReadModelMemory(test::Model(Nested(bodies)).bytes(), "m");
    REQUIRE_FALSE(model.ok());
    CHECK(DiagnosticOf(model.status()).code == Code::kModelRefused);
    CHECK(absl::StrContains(DiagnosticOf(model.status()).message, "nested more than 64 deep"));
  }
}

TEST_CASE("Nodes are capped") {
  Message graph;
  for (int i = 0; i < 11; ++i) graph.Sub(1, Message());
  const std::string bytes = test::Model(graph).bytes();
  CHECK(ReadModelMemory(bytes, "m", ReadOptions{.max_objects = 11}).ok());
  const absl::StatusOr<RawModel> refused = ReadModelMemory(bytes, "m", ReadOptions{.max_objects = 10});
  REQUIRE_FALSE(refused.ok());
  CHECK(DiagnosticOf(refused.status()).code == Code::kModelRefused);
}

}  // namespace
}  // namespace hwest

// The editor keeps untouched parts byte for byte, and both forms of an edited model are equivalent.
#include <algorithm>

#include "absl/strings/match.h"
#include "rewrite/model_file.h"
#include "rewrite/rewrite_support.h"

namespace hwest {
namespace {

using test::BytesOf;
using test::Message;
using test::ModelFromText;
using test::NodesOf;
using test::Opened;
using test::RewrittenBytes;

const char kText[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[2, 6] x) => (float[2, 6] y) "
    "<float[2] unused = {1, 2}, float[6] w = {1, 2, 3, 4, 5, 6}, float h = {0.5}> "
    "{ a = Relu(x)  b = Identity(a)  c = Mul(b, w)  d = Mul(c, h)  y = Neg(d) }";

TEST_CASE("a model without edits is written as it is") {
  const std::string bytes = ModelFromText(kText);
  CHECK(BytesOf(Opened(bytes)) == bytes);
}

TEST_CASE("fields that nobody knows stay, in the model, the graph, nodes and initialisers") {
  const Message tensor = test::RawTensor("w", 1, {1}, std::string(4, 'x')).Bytes(77, "of the tensor");
  Message node = test::Node("Relu", {"x"}, {"y"});
  node.Bytes(3, "keep me").Bytes(6, "doc").Bytes(88, "of the node");
  Message graph;
  graph.Sub(1, node)
      .Bytes(2, "g")
      .Sub(5, tensor)
      .Sub(11, test::TensorValue("x", 1, {2}))
      .Sub(12, test::TensorValue("y", 1, {2}));
  graph.Bytes(99, "of the graph");
  const std::string bytes =
      Message().Varint(1, 8).Sub(7, graph).Sub(8, test::OpsetImport("", 17)).Bytes(66, "of the model").bytes();
  CHECK(BytesOf(Opened(bytes)) == bytes);
}

TEST_CASE("a rewritten file keeps the bytes of every part that no rule touched") {
  const std::string bytes = ModelFromText(kText);
  const Rewritten rewritten = RewrittenBytes(bytes, {}, {.rules = {"identity_removed"}});
  const std::string after = BytesOf(*rewritten.model);
  CHECK(NodesOf(*rewritten.model) == "Relu(x) a; Mul(a, w) c; Mul(c, h) d; Neg(d) y");
  const auto before_file = ModelFile::FromMemory(bytes, "before"), after_file = ModelFile::FromMemory(after, "after");
  const auto part = [](const std::string& from, const ModelFile& file, GraphField field, size_t index) {
    const Span span = file.At(field, index).whole;
    return from.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.length()));
  };
  for (size_t i = 0; i < 3; ++i) {
    CHECK(part(bytes, *before_file, GraphField::kInitializer, i) ==
          part(after, *after_file, GraphField::kInitializer, i));
  }
  CHECK(part(bytes, *before_file, GraphField::kNode, 0) == part(after, *after_file, GraphField::kNode, 0));
  CHECK(part(bytes, *before_file, GraphField::kNode, 4) == part(after, *after_file, GraphField::kNode, 3));
}

TEST_CASE("the file that is written and the graph that was analysed are one") {
  const std::string bytes = ModelFromText(kText);
  const Rewritten rewritten = RewrittenBytes(bytes, {}, {.rules = {"identity_removed", "neg_to_mul", "sub_to_add"}});
  const std::string after = BytesOf(*rewritten.model);
  const EditedModel read = Opened(after);
  CHECK(NodesOf(read) == NodesOf(*rewritten.model));
  CHECK(read.raw().graph.initializers.size() == rewritten.model->raw().graph.initializers.size());
  CHECK(BytesOf(read) == after);
}

TEST_CASE("what a reader of the file leaves unread is unknown of the graph that was analysed, too") {
  // 256 floats are read, 257 are not; integers are.
  const std::string bytes = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[2, 256] x, float[2, 257] z) => "
      "(float[2, 256] p, float[2, 257] q, float[2, 257] r) "
      "<float one = {1}, int64[1] few = {256}, int64[1] many = {257}, int64 seven = {7}> "
      "{ a = Expand(one, few)  p = Mul(x, a)  b = Expand(one, many)  q = Mul(z, b)  "
      "i = Expand(seven, many)  r = Gather<axis = 1>(x, i) }");
  const Rewritten rewritten = RewrittenBytes(bytes, {}, {.scope = RewriteScope::kFold});
  REQUIRE(NodesOf(*rewritten.model) == "Mul(x, a) p; Mul(z, b) q; Gather(x, i) r");
  const auto graph = LoadModelFromMemory(BytesOf(*rewritten.model), "model.onnx");
  REQUIRE(graph.ok());
  const auto read = Analyze(*graph, {});
  REQUIRE(read.ok());
  const auto known = [](const Analysis& analysis) {
    std::string names;
    for (uint32_t v = 0; v < analysis.graph->values().size(); ++v) {
      if (analysis.facts.values[ValueId(v)].known != nullptr) absl::StrAppend(&names, analysis.graph->name(ValueId(v)));
    }
    return names;
  };
  CHECK(known(*rewritten.after) == known(*read));
  CHECK(absl::StrContains(known(*read), "a"));
  CHECK(absl::StrContains(known(*read), "i"));
  CHECK_FALSE(absl::StrContains(known(*read), "b"));
}

TEST_CASE("before IR version 4 new constants are nodes, and inputs stay inputs") {
  const std::string bytes = ModelFromText(
      "<ir_version: 3, opset_import: [\"\" : 9]> agraph (float[2, 6] x, float[6] w) => (float[2, 6] y) "
      "<float[6] w = {1, 2, 3, 4, 5, 6}> { a = Neg(x)  y = Mul(a, w) }");
  const Rewritten rewritten = RewrittenBytes(bytes, {}, {.rules = {"neg_to_mul"}});
  const EditedModel read = Opened(BytesOf(*rewritten.model));
  CHECK(test::OperatorsOf(read) == "Constant Mul Mul");
  CHECK(read.raw().graph.initializers.size() == 1);
  CHECK(read.raw().graph.inputs.size() == 2);
}

TEST_CASE("annotating adds metadata to nodes and changes nothing else") {
  const std::string bytes = ModelFromText(kText);
  AnalysisRequest request;
  request.target = "x86-avx2";
  const Rewritten rewritten = RewrittenBytes(bytes, request, {.scope = RewriteScope::kAnnotate});
  const std::string after = BytesOf(*rewritten.model);
  CHECK(after.find("hwest.unit") != std::string::npos);
  CHECK(after.find("hwest.time_s") != std::string::npos);
  CHECK(NodesOf(Opened(after)) == NodesOf(Opened(bytes)));
  CHECK(rewritten.rules.empty());
}

TEST_CASE("a node in whose place others stand leaves them its documentation and metadata") {
  Message node = test::Node("Neg", {"x"}, {"y"});
  node.Bytes(3, "the name").Bytes(6, "the documentation").Sub(9, test::StringEntry("namespace", "encoder.layer"));
  Message graph;
  graph.Sub(1, node).Bytes(2, "g").Sub(11, test::TensorValue("x", 1, {2})).Sub(12, test::TensorValue("y", 1, {2}));
  const std::string bytes = test::Model(graph).bytes();
  const Rewritten rewritten = RewrittenBytes(bytes, {}, {.rules = {"neg_to_mul"}});
  const std::string after = BytesOf(*rewritten.model);
  CHECK(after.find("the name") != std::string::npos);
  CHECK(after.find("the documentation") != std::string::npos);
  CHECK(after.find("encoder.layer") != std::string::npos);
}

TEST_CASE("sizes that a rule relied on are written into the types of inputs and outputs") {
  const std::string bytes = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[N, 6] x) => (float[N, 3, 2] y) "
      "<int64[3] s = {-1, 3, 2}> { a = Identity(x)  y = Reshape(a, s) }");
  AnalysisRequest request;
  request.bind.dims = {{"N", 5}};
  const Rewritten bound = RewrittenBytes(bytes, request, {.rules = {"identity_removed"}});
  CHECK(bound.model->raw().graph.inputs[0].type.dims[0].value == 5);
  CHECK(bound.model->raw().graph.outputs[0].type.dims[0].value == 5);
  const EditedModel read = Opened(BytesOf(*bound.model));
  CHECK(read.raw().graph.inputs[0].type.dims[0].value == 5);
  const Rewritten open = RewrittenBytes(bytes, {}, {.rules = {"identity_removed"}});
  CHECK_FALSE(Opened(BytesOf(*open.model)).raw().graph.inputs[0].type.dims[0].has_value);
}

TEST_CASE("another batch is written into the types and the targets of reshapes") {
  const std::string bytes = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 6, 4] x) => (float[1, 24] y) "
      "<int64[2] s = {1, 24}> { a = Relu(x)  y = Reshape(a, s) }");
  AnalysisRequest request;
  request.bind.batch = 8;
  const Rewritten rewritten = RewrittenBytes(bytes, request, {.no_rules = {"reshape_to_flatten"}});
  const std::string after = BytesOf(*rewritten.model);
  const auto graph = LoadModelFromMemory(after, "after.onnx");
  REQUIRE(graph.ok());
  const auto analysis = Analyze(*graph, {});
  REQUIRE(analysis.ok());
  const Type& out = analysis->facts.values[(*graph)->main().outputs[0]].type;
  CHECK(out.shape.dim(0).IsConstant(8));
  CHECK(out.shape.dim(1).IsConstant(24));
}

TEST_CASE("a batch that a function holds is refused, and nothing is half written") {
  const std::string bytes = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17, \"own\" : 1]> agraph (float[1, 6, 4] x) => (float[1, 24] y) "
      "{ a = Relu(x)  y = own.flat(a) } "
      "<domain: \"own\", opset_import: [\"\" : 17]> flat (a) => (y) { s = Constant<value_ints = [1, 24]>()  "
      "y = Reshape(a, s) }");
  AnalysisRequest request;
  request.bind.batch = 8;
  const auto graph = LoadModelFromMemory(bytes, "model.onnx");
  REQUIRE(graph.ok());
  REQUIRE(Analyze(*graph, request).ok());
  const auto rewritten = RewriteModelMemory(
      bytes, "model.onnx", [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(request); }, {}, nullptr);
  REQUIRE_FALSE(rewritten.ok());
  CHECK(DiagnosticOf(rewritten.status()).code == Code::kBindConflict);
  CHECK(absl::StrContains(DiagnosticOf(rewritten.status()).message, "Reshape 'y'"));
}

TEST_CASE("a constant that would have to be repeated for a batch is named with both shapes") {
  const std::string bytes = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 6, 8] x) => (float[2, 1, 6] y, float[1, 6, 8] m) "
      "<int64[4] s = {1, 6, 2, 4}, int64[3] t = {2, 6, 4}, float[2, 1, 4] q = {1, 2, 3, 4, 5, 6, 7, 8}> "
      "{ w = RandomNormal<shape = [8, 8]>()  m = MatMul(x, w)  h = Reshape(m, s)"
      "  p = Transpose<perm = [0, 2, 1, 3]>(h)  k = Reshape(p, t)  r = Transpose<perm = [0, 2, 1]>(k)"
      "  y = MatMul(q, r) }");
  AnalysisRequest request;
  request.bind.batch = 3;
  const auto rewritten = RewriteModelMemory(
      bytes, "model.onnx", [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(request); }, {}, nullptr);
  REQUIRE_FALSE(rewritten.ok());
  CHECK(absl::StrContains(DiagnosticOf(rewritten.status()).message,
                          "MatMul 'y' reads 'q', which is [2, 1, 4] from constants of the file and would have to be "
                          "[6, 1, 4]"));
}

TEST_CASE("another sequence length is written into the types and the targets of reshapes") {
  const std::string bytes = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 6, 8] x) => (float[1, 6, 2, 4] y) "
      "<int64[4] s = {1, 6, 2, 4}> { a = Relu(x)  y = Reshape(a, s) }");
  AnalysisRequest request;
  request.bind.resized = {{"x.1", 12}};
  request.bind.resized_as = "length 12";
  const Rewritten rewritten = RewrittenBytes(bytes, request, {.scope = RewriteScope::kFold});
  const auto graph = LoadModelFromMemory(BytesOf(*rewritten.model), "after.onnx");
  REQUIRE(graph.ok());
  const auto analysis = Analyze(*graph, {});
  REQUIRE(analysis.ok());
  CHECK(ToString((*graph)->declared((*graph)->main().inputs[0])->shape, (*graph)->dims()) == "[1, 12, 8]");
  CHECK(ToString(analysis->facts.values[(*graph)->main().outputs[0]].type.shape, *analysis->dims) == "[1, 12, 2, 4]");
  CHECK(analysis->facts.refused.empty());
}

TEST_CASE("positions that a file has one entry for keep it from being written at another length") {
  const std::string bytes = ModelFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 6, 2] x) => (float[1, 6, 2] y) "
      "<float[1, 6, 2] table = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}> { y = Add(x, table) }");
  AnalysisRequest request;
  request.bind.resized = {{"x.1", 12}};
  request.bind.resized_as = "length 12";
  const auto rewritten = RewriteModelMemory(
      bytes, "model.onnx", [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(request); }, {}, nullptr);
  REQUIRE_FALSE(rewritten.ok());
  CHECK(absl::StrContains(DiagnosticOf(rewritten.status()).message,
                          "length 12 cannot be written: Add 'y' reads 'table'"));
}

// The shape of the output at batch 8, of the file as it is written.
std::string ShapeAtEight(const std::string& model) {
  const std::string bytes = ModelFromText(model);
  AnalysisRequest request;
  request.bind.batch = 8;
  const Rewritten rewritten = RewrittenBytes(bytes, request, {.scope = RewriteScope::kFold});
  const auto graph = LoadModelFromMemory(BytesOf(*rewritten.model), "after.onnx");
  REQUIRE(graph.ok());
  const auto analysis = Analyze(*graph, {});
  REQUIRE(analysis.ok());
  std::string text;
  for (const Dim dim : analysis->facts.values[(*graph)->main().outputs[0]].type.shape.dims()) {
    absl::StrAppend(&text, text.empty() ? "" : " ", dim.value());
  }
  return text;
}

TEST_CASE("another batch is written into the ends of slices and constants of one image") {
  // The first slice takes every image, the second takes pixels.
  CHECK(ShapeAtEight("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 6, 4] x) => (float[1, 3, 4] y) "
                     "<int64[2] s = {0, 0}, int64[2] e = {1, 3}> { a = Relu(x)  y = Slice(a, s, e) }") == "8 3 4");
  CHECK(ShapeAtEight("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 6, 4] x) => (float[1, 7, 4] y) "
                     "<float[1, 1, 4] token = {1, 2, 3, 4}> { a = Relu(x)  y = Concat<axis = 1>(token, a) }") ==
        "8 7 4");
}

}  // namespace
}  // namespace hwest

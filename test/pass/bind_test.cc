#include "pass/bind.h"

#include <string>

#include "hwest/diagnostic.h"
#include "pass/pass_fixture.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

constexpr char kTwoInputs[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> agraph (int64[batch, seq] ids, float[other, 3, 8, 8] image) =>"
    " (int64[batch, seq] y, float[other, 3, 8, 8] z) { y = Identity(ids)  z = Relu(image) }";

Constant Ints(std::vector<int64_t> dims, const std::vector<int64_t>& values) {
  Constant constant;
  constant.elem = ElemType::kInt64;
  constant.dims = std::move(dims);
  constant.storage = values.empty() ? Storage::kEmpty : Storage::kDecoded;
  for (const int64_t value : values) {
    for (int i = 0; i < 8; ++i) constant.data.push_back(static_cast<char>(static_cast<uint64_t>(value) >> (8 * i)));
  }
  return constant;
}

struct BindCase {
  std::string name;
  BindRequest request;
  std::string want;  // shapes of the inputs, or the start of the error
};

TEST_CASE("bindings") {
  // clang-format off
  const BindCase c = GENERATE(values<BindCase>({
      {"nothing", {}, "[batch, seq] [other, 3, 8, 8]"},
      {"by symbol", {.dims = {{"seq", 128}}}, "[batch, 128] [other, 3, 8, 8]"},
      {"by input and axis", {.dims = {{"image.0", 2}, {"ids.1", 7}}}, "[batch, 7] [2, 3, 8, 8]"},
      {"shape of one input", {.shapes = {{"ids", {4, 5}}}}, "[4, 5] [other, 3, 8, 8]"},
      {"shape by rank", {.shapes = {{"", {1, 128}}}}, "[1, 128] [other, 3, 8, 8]"},
      {"static dims may be replaced", {.shapes = {{"image", {1, 3, 16, 16}}}}, "[batch, seq] [1, 3, 16, 16]"},
      {"batch", {.batch = 4}, "[4, seq] [4, 3, 8, 8]"},
      {"unknown name", {.dims = {{"sequence", 1}}}, "error: 'sequence' is neither"},
      {"contradiction", {.dims = {{"seq", 1}}, .shapes = {{"ids", {1, 2}}}}, "error: 'seq' is bound to both 1 and 2"},
      {"negative", {.dims = {{"seq", -1}}}, "error: a dim cannot be -1"},
      {"no such rank", {.shapes = {{"", {1, 2, 3}}}}, "error: no input has rank 3"},
      {"wrong rank", {.shapes = {{"ids", {1, 2, 3}}}}, "error: input 'ids' has rank 2"},
      {"contents give the shape", {.values = {{"ids", Ints({1, 2}, {7, 8})}}}, "[1, 2] [other, 3, 8, 8]"},
      {"contents after a size", {.dims = {{"seq", 2}}, .values = {{"ids", Ints({1, 2}, {7, 8})}}},
       "[1, 2] [other, 3, 8, 8]"},
      {"contents are no batch", {.batch = 4, .values = {{"ids", Ints({1, 2}, {7, 8})}}}, "[1, 2] [4, 3, 8, 8]"},
      {"contents of no input", {.values = {{"id", Ints({1}, {7})}}}, "error: the model has no input 'id'"},
      {"contents twice", {.values = {{"ids", Ints({1, 1}, {7})}, {"ids", Ints({1, 1}, {7})}}},
       "error: input 'ids' is given contents twice"},
      {"contents of another type", {.values = {{"image", Ints({1, 3, 8, 8}, {})}}},
       "error: the contents given for input 'image' are int64, the input is float"},
      {"contents of another rank", {.values = {{"ids", Ints({2}, {7, 8})}}},
       "error: the contents given for input 'ids' are [2], the input is [batch, seq]"},
      {"contents of another size", {.dims = {{"seq", 3}}, .values = {{"ids", Ints({1, 2}, {7, 8})}}},
       "error: the contents given for input 'ids' are [1, 2], the input is [batch, 3]"},
      {"no such axis", {.dims = {{"ids.2", 3}}}, "error: input 'ids' has no axis 2"},
  }));
  // clang-format on
  INFO(c.name);
  const Graph graph = test::GraphFromText(kTwoInputs);
  DimPool dims(&graph.dims());
  const auto bound = Bind(graph, c.request, dims);
  std::string found;
  if (bound.ok()) {
    found = ToString(bound->inputs[0].shape, dims) + " " + ToString(bound->inputs[1].shape, dims);
  } else {
    CHECK(DiagnosticOf(bound.status()).code == Code::kBindConflict);
    found = ("error: " + DiagnosticOf(bound.status()).message).substr(0, c.want.size());
  }
  CHECK(found == c.want);
}

TEST_CASE("an input size that an expression makes negative is a conflict") {
  using test::Message;
  const Message shape = Message().Sub(1, Message().Bytes(2, "N")).Sub(1, Message().Bytes(2, "N - 3"));
  const Message input = Message().Bytes(1, "x").Sub(2, Message().Sub(1, Message().Varint(1, 1).Sub(2, shape)));
  const absl::StatusOr<Graph> graph = test::BuildBytes(test::Model(Message().Sub(11, input)).bytes());
  REQUIRE(graph.ok());
  DimPool dims(&graph->dims());
  const auto bound = Bind(*graph, {.dims = {{"N", 2}}}, dims);
  REQUIRE_FALSE(bound.ok());
  CHECK(DiagnosticOf(bound.status()).message == "'x.1' would be N - 3 = -1");
  CHECK(Bind(*graph, {.dims = {{"N", 3}}}, dims).ok());
}

TEST_CASE("the error of free dims names every symbol and flag") {
  const Graph graph = test::GraphFromText(kTwoInputs);
  DimPool dims(&graph.dims());
  const auto bound = Bind(graph, {.dims = {{"seq", 3}}}, dims);
  REQUIRE(bound.ok());
  CHECK(FreeSymbols(*bound, dims).size() == 2);
  const Diagnostic error = DiagnosticOf(FreeDimsError(graph, *bound, dims, {}));
  CHECK(error.code == Code::kFreeDims);
  CHECK(error.remedy == "--dim batch=1 --dim other=1");
}

// A single token or pixel says nothing about a model.
TEST_CASE("the sizes that the error of free dims proposes are usual ones") {
  struct Case {
    const char* inputs;
    const char* flags;
  };
  const auto c = GENERATE(values<Case>({
      {"int64[batch, seq] x", "--dim batch=1 --dim seq=128"},
      {"float[n, 3, h, w] x", "--dim n=1 --dim h=224 --dim w=224"},
      {"float[n, h, w, 3] x", "--dim n=1 --dim h=224 --dim w=224"},
      {"float[time, batch, 40] x", "--dim time=128 --dim batch=1"},
      {"float[n, frames, 80] x", "--dim n=1 --dim frames=128"},
      {"float[n, 10] x", "--dim n=1"},
  }));
  const Graph graph = test::GraphFromText(std::string("<ir_version: 8, opset_import: [\"\" : 17]> agraph (") +
                                          c.inputs + ") => (y) { y = Identity(x) }");
  DimPool dims(&graph.dims());
  const auto bound = Bind(graph, {}, dims);
  REQUIRE(bound.ok());
  CHECK(DiagnosticOf(FreeDimsError(graph, *bound, dims, {})).remedy == c.flags);
}

TEST_CASE("an input dim without a name is called INPUT.AXIS") {
  const Graph graph = test::GraphFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[?, 4] x) => (float[?, 4] y) { y = Relu(x) }");
  DimPool dims(&graph.dims());
  const auto free = Bind(graph, {}, dims);
  REQUIRE(free.ok());
  CHECK(FreeSymbols(*free, dims).size() == 1);
  CHECK(DiagnosticOf(FreeDimsError(graph, *free, dims, {})).remedy == "--dim x.0=1");
  DimPool again(&graph.dims());
  const auto bound = Bind(graph, {.dims = {{"x.0", 6}}}, again);
  REQUIRE(bound.ok());
  CHECK(bound->inputs[0].shape.dim(0).IsConstant(6));
}

TEST_CASE("placeholders are bound one by one, names together") {
  using test::Message;
  const auto bound_shape = [](const std::string& text, const BindRequest& request) {
    const Message dim = Message().Bytes(2, text);
    const Message shape = Message().Sub(1, dim).Sub(1, Message().Varint(1, 3)).Sub(1, dim);
    const Message input = Message().Bytes(1, "x").Sub(2, Message().Sub(1, Message().Varint(1, 1).Sub(2, shape)));
    const absl::StatusOr<Graph> graph = test::BuildBytes(test::Model(Message().Sub(11, input)).bytes());
    REQUIRE(graph.ok());
    DimPool dims(&graph->dims());
    const auto bound = Bind(*graph, request, dims);
    return bound.ok() ? ToString(bound->inputs[0].shape, dims) : DiagnosticOf(bound.status()).message;
  };
  for (const char* text : {"?", "*", "-1", "None", "unknown", ""}) {
    CAPTURE(text);
    CHECK(bound_shape(text, {.shapes = {{"", {48, 3, 192}}}}) == "[48, 3, 192]");
    CHECK(bound_shape(text, {.dims = {{"x.2", 48}}}) == "[x_0, 3, 48]");
    CHECK(bound_shape(text, {.batch = 4}) == "[4, 3, x_2]");
  }
  for (const char* text : {"N", "unk__123", "batch size", "input.1_dim_0"}) {
    CAPTURE(text);
    CHECK(bound_shape(text, {.dims = {{"x.2", 48}}}) == "[48, 3, 48]");
    CHECK(bound_shape(text, {.shapes = {{"", {48, 3, 192}}}}).find("is bound to both 48 and 192") != std::string::npos);
  }
}

TEST_CASE("an input that holds nothing is noted, and takes a size") {
  const std::string text =
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[0, 4] x) => (float[0, 4] y) { y = Relu(x) }";
  const auto note = [](const test::PassRun& run) { return run.diagnostics.empty() ? "" : run.diagnostics[0].message; };
  CHECK(note(test::RunPasses(text)) ==
        "input 'x' [0, 4] holds nothing; where its 0 stands for an open size, set it: --dim x.0=1");
  test::PassRun sized = test::RunPasses(text, {.dims = {{"x.0", 3}}});
  CHECK(sized.shape("y") == "[3, 4]");
  CHECK(note(sized).empty());
}

TEST_CASE("contents of an input are followed through shape arithmetic, and the input stays an input") {
  const std::string text =
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[6, 4] x, int64[k] target, sizes) =>"
      " (float[a, b] y, float[c, d] z) { y = Reshape(x, target)  z = Expand(y, sizes) }";
  auto open = test::RunPasses(text);
  CHECK(open.shape("y") != "[3, 8]");
  auto bound = test::RunPasses(text, {.values = {{"target", Ints({2}, {3, -1})}, {"sizes", Ints({3}, {2, 1, 1})}}});
  CHECK(bound.shape("y") == "[3, 8]");
  CHECK(bound.shape("z") == "[2, 3, 8]");
  CHECK_FALSE(bound.graph.IsConstant(test::ValueOf(bound.graph, "target")));
  CHECK(bound.facts.values[test::ValueOf(bound.graph, "sizes")].type.elem == ElemType::kInt64);
}

TEST_CASE("contents of strings go with the input") {
  const Graph graph = test::GraphFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (string[n] x) => (string[n] y) { y = Identity(x) }");
  Constant words;
  words.elem = ElemType::kString;
  words.dims = {2};
  words.storage = Storage::kDecoded;
  words.strings = {"a", "b"};
  DimPool dims(&graph.dims());
  const auto bound = Bind(graph, {.values = {{"x", words}}}, dims);
  REQUIRE(bound.ok());
  REQUIRE(bound->strings[0] != nullptr);
  CHECK(*bound->strings[0] == words.strings);
  CHECK(bound->inputs[0].shape.dim(0).IsConstant(2));
}

// n = SequenceLength(s) of a sequence of int64[dim], int64[k] unless stated.
Graph SequenceModel(const test::Message& dim = test::Message().Bytes(2, "k")) {
  using test::Message;
  const Message shape = Message().Sub(1, dim);
  const Message tensor = Message().Sub(1, Message().Varint(1, 7).Sub(2, shape));
  const Message input = Message().Bytes(1, "s").Sub(2, Message().Sub(4, Message().Sub(1, tensor)));
  const Message graph = Message()
                            .Sub(1, test::Node("SequenceLength", {"s"}, {"n"}))
                            .Sub(11, input)
                            .Sub(12, test::TensorValue("n", 7, {}));
  absl::StatusOr<Graph> built = test::BuildBytes(test::Model(graph).bytes());
  REQUIRE(built.ok());
  return *std::move(built);
}

struct SequenceCase {
  std::string name;
  std::vector<Constant> tensors;
  std::string want;  // element type, element shape and length of the input, or the start of the error
};

TEST_CASE("contents of a sequence") {
  const SequenceCase c = GENERATE(values<SequenceCase>({
      {"equal sizes", {Ints({2}, {1, 2}), Ints({2}, {3, 4})}, "int64 [2] x 2"},
      {"other sizes", {Ints({2}, {1, 2}), Ints({3}, {3, 4, 5})}, "int64 [?] x 2"},
      {"none", {}, "int64 [k] x 0"},
      {"another rank", {Ints({2, 1}, {1, 2})}, "error: the contents given for input 's' are [2, 1], the input is [k]"},
  }));
  INFO(c.name);
  const Graph graph = SequenceModel();
  DimPool dims(&graph.dims());
  const auto bound = Bind(graph, {.sequences = {{"s", c.tensors}}}, dims);
  std::string found;
  if (bound.ok()) {
    const Type& type = bound->inputs[0];
    found = ElemTypeName(type.elem) + " " + ToString(type.shape, dims) + " x " + dims.ToString(type.length);
    REQUIRE(bound->elements[0] != nullptr);
    CHECK(bound->elements[0]->size() == c.tensors.size());
  } else {
    found = "error: " + DiagnosticOf(bound.status()).message;
  }
  CHECK(found == c.want);
}

TEST_CASE("an unknown size of the elements of a sequence is no symbol: each may have another") {
  const Graph graph = SequenceModel(test::Message());
  DimPool dims(&graph.dims());
  const auto bound = Bind(graph, {}, dims);
  REQUIRE(bound.ok());
  CHECK(bound->inputs[0].shape.dim(0).is_unknown());
}

TEST_CASE("a tensor is no sequence") {
  const Graph graph = SequenceModel();
  DimPool dims(&graph.dims());
  const auto bound = Bind(graph, {.values = {{"s", Ints({1}, {1})}}}, dims);
  CHECK(DiagnosticOf(bound.status()).message ==
        "the contents given for input 's' are a tensor, the input is a sequence");
}

}  // namespace
}  // namespace hwest

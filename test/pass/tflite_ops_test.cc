// Operators of TensorFlow Lite that converters write seldom: what inference finds is what the file states.
#include <string>
#include <vector>

#include "absl/base/casts.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "import/import.h"
#include "import/lite_file.h"
#include "pass/pass_fixture.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

struct LiteCase {
  std::string name;
  std::vector<LiteTensor> tensors;
  std::vector<LiteOp> ops;
  std::string want;  // the operators of ONNX
  int64_t macs = 0;
};

// The operands of a cell without peepholes in front of its states, for `directions`; -1 where one is left out.
LiteOp LstmOp(int code, int directions, std::vector<std::pair<int, int64_t>> options) {
  LiteOp op{code, {0}, {}, std::move(options)};
  for (int direction = 0; direction < directions; ++direction) {
    for (int i = 0; i < 17; ++i) {  // 4 + 4 weights, 3 peepholes, 4 biases, a projection and its bias
      const bool is_there = i < 8 || (i >= 11 && i < 15);
      op.inputs.push_back(!is_there ? -1 : i < 4 ? 1 : i < 8 ? 2 : 3);
    }
  }
  return op;
}

LiteOp With(LiteOp op, std::vector<int64_t> outputs) {
  op.outputs = std::move(outputs);
  return op;
}

int64_t BitsOf(float value) { return absl::bit_cast<int32_t>(value); }

std::vector<LiteCase> LiteCases() {
  const std::vector<std::pair<int, int64_t>> valid = {{0, 1}, {1, 1}, {2, 1}};
  const LiteTensor lstm_input = Real({1, 7, 5}), to_data = Weights({3, 5}), to_state = Weights({3, 3}),
                   bias = Weights({3});
  return {
      {"dilated",
       {Real({1, 9, 9, 2}),
        Ints({2, 2}),
        {{2, 2}, kLiteInt, true, {2, 3, 2, 3}},
        Real({4, 7, 7, 2}),
        Weights({4, 3, 3, 2}),
        Real({4, 5, 5, 4}),
        {{2, 2}, kLiteInt, true, {0, 1, 0, 1}},
        Real({1, 9, 9, 4})},
       {{38, {0, 1, 2}, {3}, {}}, {3, {3, 4}, {5}, valid}, {37, {5, 1, 6}, {7}, {}}},
       "Conv",
       9 * 9 * 4 * 9 * 2},
      {"dilated twice",
       {Real({1, 10, 10, 2}),
        Ints({2, 2}),
        {{2, 2}, kLiteInt, true, {0, 0, 0, 0}},
        Real({4, 5, 5, 2}),
        Weights({4, 3, 3, 2}),
        Real({4, 1, 1, 4}),
        {{2, 2}, kLiteInt, true, {0, 0, 0, 0}},
        Real({1, 2, 2, 4})},
       {{38, {0, 1, 2}, {3}, {}}, {3, {3, 4}, {5}, {{0, 1}, {1, 1}, {2, 1}, {4, 2}, {5, 2}}}, {37, {5, 1, 6}, {7}, {}}},
       "Conv",
       2 * 2 * 4 * 9 * 2},
      {"dilated by channels",
       {Real({1, 8, 8, 2}),
        Ints({2, 2}),
        {{2, 2}, kLiteInt, true, {2, 2, 2, 2}},
        Real({4, 6, 6, 2}),
        Weights({1, 3, 3, 2}),
        Real({4, 4, 4, 2}),
        {{2, 2}, kLiteInt, true, {0, 0, 0, 0}},
        Real({1, 8, 8, 2})},
       {{38, {0, 1, 2}, {3}, {}}, {4, {3, 4}, {5}, {{0, 1}, {1, 1}, {2, 1}, {3, 1}}}, {37, {5, 1, 6}, {7}, {}}},
       "Conv",
       8 * 8 * 2 * 9},
      {"blocks around another operator",
       {Real({2, 6, 4, 3}),
        Ints({2, 2}),
        {{2, 2}, kLiteInt, true, {1, 1, 0, 0}},
        Real({8, 4, 2, 3}),
        Real({8, 4, 2, 3}),
        {{2, 2}, kLiteInt, true, {1, 1, 0, 1}},
        Real({2, 6, 3, 3})},
       {{38, {0, 1, 2}, {3}, {}}, {101, {3}, {4}, {}}, {37, {4, 1, 5}, {6}, {}}},
       "Pad Reshape Transpose Reshape Abs Reshape Transpose Reshape Slice"},
      {"blocks in one axis",
       {Real({1, 6, 3}), Ints({3}), {{1, 2}, kLiteInt, true, {0, 0}}, Real({3, 2, 3})},
       {{38, {0, 1, 2}, {3}, {}}},
       "Reshape Transpose Reshape"},
      {"l2 pool",
       {Real({1, 8, 8, 3}), Real({1, 4, 4, 3})},
       {{12, {0}, {1}, {{0, 1}, {1, 2}, {2, 2}, {3, 2}, {4, 2}}}},
       "LpPool"},
      {"transposed in three axes",
       {Ints({1, 8, 8, 8, 2}), Weights({2, 2, 2, 2, 3}), Real({1, 4, 4, 4, 3}), Real({1, 8, 8, 8, 2})},
       {{141, {0, 1, 2}, {3}, {{0, 1}, {1, 2}, {2, 2}, {3, 2}}}},
       "ConvTranspose",
       4 * 4 * 4 * 8 * 3 * 2},
      {"lstm",
       {lstm_input, to_data, to_state, bias, Real({1, 7, 3})},
       {With(LstmOp(44, 1, {}), {4})},
       "Concat Concat Concat Pad LSTM Squeeze",
       7 * 4 * 3 * (5 + 3)},
      {"lstm of both directions, joined",
       {Real({7, 1, 5}), to_data, to_state, bias, Real({7, 1, 6})},
       {With(LstmOp(52, 2, {{3, 1}}), {4})},
       "Concat Concat Concat Concat Concat Concat Concat Concat Concat Pad LSTM Transpose Reshape",
       2 * 7 * 4 * 3 * (5 + 3)},
      {"lstm of both directions",
       {lstm_input, to_data, to_state, bias, Real({1, 7, 3}), Real({1, 7, 3})},
       {With(LstmOp(52, 2, {{4, 0}}), {4, 5})},
       "Concat Concat Concat Concat Concat Concat Concat Concat Concat Pad LSTM Split Squeeze Squeeze",
       2 * 7 * 4 * 3 * (5 + 3)},
      {"rnn",
       {lstm_input, to_data, to_state, bias, Real({1, 7, 3})},
       {{35, {0, 1, 2, 3}, {4}, {{1, 1}}}},
       "Pad RNN Squeeze",
       7 * 3 * (5 + 3)},
      {"rnn of both directions",
       {lstm_input, to_data, to_state, bias, Real({1, 7, 6})},
       {{46, {0, 1, 2, 3, -1, 1, 2, 3, -1}, {4}, {{1, 4}, {2, 1}}}},
       "Concat Concat Concat Pad RNN Reshape",
       2 * 7 * 3 * (5 + 3)},
      {"svdf",
       {Real({2, 5}), Weights({6, 5}), Weights({6, 4}), Weights({3}), Real({2, 3})},
       {{27, {0, 1, 2, 3}, {4}, {{0, 2}, {1, 1}}}},
       "Gemm Unsqueeze ConstantOfShape Concat Conv Reshape ReduceSum Add Relu",
       2 * 6 * (5 + 4)},
      {"densify",
       {Weights({2, 3}), Real({2, 3}), Real({2, 3}), Real({2, 3})},
       {{124, {0}, {1}, {}}, {0, {1, 2}, {3}, {}}},
       "Add"},
      {"zeros", {Real({2, 3}), Real({2, 3})}, {{93, {0}, {1}, {}}}, "Shape ConstantOfShape"},
      {"rank", {Real({1, 2, 3, 4}), {{}, kLiteInt}}, {{110, {0}, {1}, {}}}, "Shape Size Cast"},
      {"reversed",
       {Real({4, 6, 2}), {{4}, kLiteInt}, Real({4, 6, 2})},
       {{112, {0, 1}, {2}, {{0, 1}, {1, 0}}}},
       "Cast ReverseSequence"},
      {"cache",
       {Real({1, 16, 2, 8}), Real({1, 1, 2, 8}), {{4}, kLiteInt}, Real({1, 16, 2, 8})},
       {{151, {0, 1, 2}, {3}, {}}},
       "Cast Gather Expand TensorScatter"},
      {"segments",
       {Real({6, 4}), {{6}, kLiteInt}, {{}, kLiteInt}, Real({3, 4})},
       {{155, {0, 1, 2}, {3}, {}}},
       "ConstantOfShape Cast Unsqueeze ScatterND"},
      {"random", {Ints({2, 3}), Real({2, 3})}, {{148, {0}, {1}, {}}}, "RandomUniform"},
      {"spectrum of rows",
       {Real({4, 1, 256}), Ints({1, 256}), Complex({4, 1, 129}), Ints({4, 129}), Complex({4, 129}), Real({4, 129})},
       {{131, {0, 1}, {2}, {}}, {22, {2, 3}, {4}, {}}, {135, {4}, {5}, {}}},
       "Unsqueeze DFT Reshape ReduceL2"},
      {"spectrum of an image",
       {Real({2, 30, 20}), Ints({32, 16}), Complex({2, 32, 9}), Real({2, 32, 9})},
       {{131, {0, 1}, {2}, {}}, {133, {2}, {3}, {}}},
       "Unsqueeze DFT DFT Gather"},
      {"quantised in play",
       {Real({2, 3}), Real({2, 3})},
       {{80, {0}, {1}, {{0, BitsOf(-1)}, {1, BitsOf(3)}, {2, 8}}}},
       "QuantizeLinear DequantizeLinear"},
      {"stablehlo", {Real({2, 3}), Real({2, 3}), Real({2, 3})}, {{165, {0, 1}, {2}, {}}}, "Mul"},
      {"dense behind a convolution in time",
       {Real({1, 8, 4}), Ints({1}), Real({1, 1, 8, 4}), Weights({6, 1, 3, 4}), Real({1, 1, 6, 6}), Ints({1, 6, 6}),
        Real({1, 6, 6}), Weights({5, 6}), Real({1, 6, 5}), Real({1, 6, 5})},
       {{70, {0, 1}, {2}, {}},
        {3, {2, 3}, {4}, valid},
        {22, {4, 5}, {6}, {}},
        {9, {6, 7}, {8}, {{2, 1}}},
        {101, {8}, {9}, {}}},
       "Unsqueeze Conv Reshape Conv Abs",
       6 * 6 * 3 * 4 + 6 * 5 * 6},
  };
}

TEST_CASE("variables of a TensorFlow Lite file are inputs that it reads and outputs that it assigns") {
  // A window of four samples: the last three stay, one comes.
  const std::vector<LiteTensor> tensors = {Real({1, 1}), {{}, kLiteResource}, Real({1, 4}), Ints({0, 1}),
                                           Ints({1, 3}), Real({1, 3}),        Real({1, 4}), Real({1, 4}),
                                           Real({1, 4}), {{}, kLiteResource}};
  const std::vector<LiteOp> ops = {{142, {}, {1}, {}},         {143, {1}, {2}, {}}, {65, {2, 3, 4}, {5}, {}},
                                   {2, {5, 0}, {6}, {{0, 1}}}, {142, {}, {9}, {}},  {144, {9, 6}, {}, {}},
                                   {143, {9}, {7}, {}},        {101, {7}, {8}, {}}};
  absl::StatusOr<RawModel> raw = ReadModelMemory(LiteFile(tensors, ops), "m");
  REQUIRE(raw.ok());
  const auto names = [&](const std::vector<RawValueInfo>& infos) {
    std::vector<std::string> all;
    for (const RawValueInfo& info : infos) all.push_back(std::string(raw->strings[info.name]));
    return absl::StrJoin(all, " ");
  };
  std::vector<std::string> ops_found;
  for (const RawNode& node : raw->graph.nodes) ops_found.push_back(std::string(raw->strings[node.op]));
  CHECK(absl::StrJoin(ops_found, " ") == "Slice Concat Abs");
  CHECK(names(raw->graph.inputs) == "t0 t2");
  CHECK(names(raw->graph.outputs) == "t8 t6");
  CHECK(raw->strings[raw->graph.nodes[2].inputs[0]] == "t6");
}

// A counter from 0 on, and the value that each run makes of itself.
std::vector<LiteGraph> Loop(std::vector<LiteTensor> body, std::vector<LiteOp> ops, std::vector<int64_t> results) {
  const LiteTensor count = {{}, kLiteInt}, value = body[1];
  return {{{{{}, kLiteInt, true, {0}}, value, count, value}, {{119, {0, 1}, {2, 3}, {{0, 1}, {1, 2}}}}, {1}, {3}},
          {{count, value, {{}, kLiteInt, true, {12}}, {{}, kLiteBool}}, {{58, {0, 2}, {3}, {}}}, {0, 1}, {3}},
          {std::move(body), std::move(ops), {0, 1}, std::move(results)}};
}

TEST_CASE("loops and branches of TensorFlow Lite have their bodies, and loops that count their trips") {
  const LiteTensor count = {{}, kLiteInt}, one = {{}, kLiteInt, true, {1}};
  const auto infer = [](const std::vector<LiteGraph>& graphs) {
    absl::StatusOr<RawModel> raw = ReadModelMemory(LiteFile(graphs), "m");
    REQUIRE(raw.ok());
    auto run = RunPasses(*BuildGraph(*std::move(raw), {.role_of = &BuildRoleOf}));
    for (const Diagnostic& diagnostic : run.diagnostics) {
      INFO(diagnostic.message);
      CHECK(diagnostic.code == Code::kAssumed);
    }
    return run;
  };
  auto product = infer(Loop({count, Real({1, 8}), one, Weights({8, 8}), count, Real({1, 8})},
                            {{0, {0, 2}, {4}, {}}, {9, {1, 3}, {5}, {}}}, {4, 5}));
  CHECK(product.shape("t3") == "[1, 8]");
  CHECK(product.totals.macs.value() == 12 * 8 * 8);

  // An image in the order of its convolution inside, in that of the file outside.
  auto image = infer(Loop({count, Real({1, 6, 6, 4}), one, Weights({4, 3, 3, 4}), count, Real({1, 6, 6, 4})},
                          {{0, {0, 2}, {4}, {}}, {3, {1, 3}, {5}, {{1, 1}, {2, 1}}}}, {4, 5}));
  CHECK(image.shape("t3") == "[1, 6, 6, 4]");
  CHECK(image.totals.macs.value() == 12 * 36 * 9 * 4 * 4);

  // One row of a list is written: what is in front of it, it, and what is behind.
  const std::vector<LiteTensor> list = {count,           Real({12, 3}),  one,
                                        Weights({1, 3}), count,          {{1}, kLiteInt},
                                        {{2}, kLiteInt}, Real({-1, -1}), {{1}, kLiteInt},
                                        {{2}, kLiteInt}, Real({-1, -1}), Real({12, 3}),
                                        Ints({1}),       Ints({-1}),     Ints({0}),
                                        Ints({0, 0}),    Ints({-1, -1})};
  auto written = infer(Loop(list,
                            {{0, {0, 2}, {4}, {}},
                             {22, {0, 12}, {5}, {}},
                             {2, {5, 13}, {6}, {{0, 0}}},
                             {65, {1, 15, 6}, {7}, {}},
                             {22, {4, 12}, {8}, {}},
                             {2, {8, 14}, {9}, {{0, 0}}},
                             {65, {1, 9, 16}, {10}, {}},
                             {2, {7, 3, 10}, {11}, {{0, 0}}}},
                            {4, 11}));
  CHECK(written.shape("t3") == "[12, 3]");

  // Both branches take the value from outside; the second gives it back.
  auto branch =
      infer({{{{{}, kLiteBool}, Real({1, 8}), Real({1, 8})}, {{118, {0, 1}, {2}, {{0, 1}, {1, 2}}}}, {0, 1}, {2}},
             {{Real({1, 8}), Weights({8, 8}), Real({1, 8})}, {{9, {0, 1}, {2}, {}}}, {0}, {2}},
             {{Real({1, 8})}, {}, {0}, {0}}});
  CHECK(branch.shape("t2") == "[1, 8]");
  CHECK(branch.totals.macs.value() == 8 * 8);
}

TEST_CASE("a body that is not there, takes other operands or holds itself is refused or unknown") {
  const LiteTensor count = {{}, kLiteInt}, one = {{}, kLiteInt, true, {1}};
  const std::vector<LiteGraph> good = Loop({count, Real({1, 8}), one, count}, {{0, {0, 2}, {3}, {}}}, {3, 1});
  const auto first_op = [](const std::vector<LiteGraph>& graphs) {
    const absl::StatusOr<RawModel> raw = ReadModelMemory(LiteFile(graphs), "m");
    if (!raw.ok()) return std::string(DiagnosticOf(raw.status()).code == Code::kModelRefused ? "refused" : "error");
    return std::string(raw->strings[raw->graph.nodes.back().op]);
  };
  CHECK(first_op(good) == "Loop");
  for (const int64_t number : {int64_t{0}, int64_t{3}, int64_t{-1}, int64_t{0x7fffffff}}) {
    std::vector<LiteGraph> graphs = good;
    graphs[0].ops[0].options[1].second = number;
    CHECK(first_op(graphs) == "WHILE");
  }
  std::vector<LiteGraph> graphs = good;
  graphs[2].inputs = {0};
  CHECK(first_op(graphs) == "WHILE");
  graphs = good;
  graphs[2].outputs = {3};
  CHECK(first_op(graphs) == "WHILE");
  graphs = good;
  graphs[2].ops[0] = {119, {0, 1}, {3, 1}, {{0, 1}, {1, 2}}};
  CHECK(first_op(graphs) == "refused");
}

TEST_CASE("seldom operators of TensorFlow Lite become those of ONNX, with the shapes that the file states") {
  for (const LiteCase& test : LiteCases()) {
    INFO(test.name);
    absl::StatusOr<RawModel> raw = ReadModelMemory(LiteFile(test.tensors, test.ops), "m");
    REQUIRE(raw.ok());
    std::vector<std::string> ops;
    for (const RawNode& node : raw->graph.nodes) ops.push_back(std::string(raw->strings[node.op]));
    CHECK(absl::StrJoin(ops, " ") == test.want);
    std::vector<RawValueInfo> stated = raw->graph.outputs;
    std::vector<std::string> names;
    for (const RawValueInfo& output : stated) names.push_back(std::string(raw->strings[output.name]));
    raw->graph.value_info.clear();
    for (RawValueInfo& output : raw->graph.outputs) output.type = RawType();
    auto run = RunPasses(*BuildGraph(*std::move(raw), {.role_of = &BuildRoleOf}));
    for (const Diagnostic& diagnostic : run.diagnostics) CHECK(diagnostic.code == Code::kAssumed);
    for (size_t i = 0; i < stated.size(); ++i) {
      std::vector<std::string> dims;
      for (const RawDim& dim : stated[i].type.dims) dims.push_back(absl::StrCat(dim.value));
      CHECK(run.shape(names[i]) == absl::StrCat("[", absl::StrJoin(dims, ", "), "]"));
    }
    if (test.macs > 0) CHECK(run.totals.macs.value() == test.macs);
  }
}

}  // namespace
}  // namespace hwest::test

// Each kind of limit with a value inside and one outside.
#include "pass/limit.h"

#include <tuple>

#include "absl/strings/str_cat.h"
#include "pass/pass_fixture.h"

namespace hwest {
namespace {

LimitContext Context(test::PassRun& run) { return {run.graph, run.facts, run.classes, &run.dims}; }

constexpr char kModel[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2, 3, 1, 9] x, float[2, 3, 1, 9] z, int64[1] i)
    => (float[2, 3, 1, 9] y, float[2, 27] f, float[2, 3, 2, 36] u, float[2, 8, 1, 5] c, float[1, 3, 1, 9] h)
    <float[4] factors = {1, 1, 2, 4}, int64[4] sizes = {8, 3, 1, 3}, float[3, 1, 1] s = {1, 2, 3},
     float low = {0}, float high = {6.5}> {
    w = ConstantOfShape(sizes)
    a = Softmax <axis = 1> (x)
    b = Add(a, z)
    p = Add(b, s)
    y = Clip(p, low, high)
    f = Flatten(y)
    u = Resize(y, , factors)
    c = Conv <strides = [1, 2], pads = [0, 1, 0, 1]> (y, w)
    h = Gather <axis = 0> (y, i)
  })";

constexpr LimitOutcome kHolds = LimitOutcome::kHolds, kViolated = LimitOutcome::kViolated;

struct LimitRow {
  const char* what;
  const char* node;
  Limit limit;
  LimitOutcome want;
  const char* found;
};

void CheckRows(const std::vector<LimitRow>& rows) {
  test::PassRun run = test::RunPasses(kModel);
  for (const LimitRow& row : rows) {
    INFO(row.what);
    const LimitCheck check = CheckLimit(Context(run), test::NodeOf(run.graph, row.node), row.limit);
    CHECK(check.outcome == row.want);
    CHECK(check.found == row.found);
  }
}

TEST_CASE("limits on shapes and types") {
  // clang-format off
  CheckRows({
      {"batch inside", "a", {.kind = LimitKind::kBatch, .max = 2}, kHolds, ""},
      {"batch outside", "a", {.kind = LimitKind::kBatch, .max = 1}, kViolated, "2"},
      {"rank outside", "a", {.kind = LimitKind::kRank, .max = 3}, kViolated, "4"},
      {"rank of an absent input", "a", {.kind = LimitKind::kRank, .input = 5, .max = 3}, kHolds, ""},
      {"elements", "a", {.kind = LimitKind::kNumel, .max = 53}, kViolated, "54"},
      {"elements of the output", "a", {.kind = LimitKind::kNumel, .input = -1, .min = 54}, kHolds, ""},
      {"elements from an axis on", "a", {.kind = LimitKind::kNumel, .index = 2, .max = 8}, kViolated, "9"},
      {"elements before an axis", "a", {.kind = LimitKind::kNumel, .attr = "axis", .max = 1}, kViolated, "2"},
      {"no elements before axis 0", "h", {.kind = LimitKind::kNumel, .attr = "axis", .max = 1}, kHolds, ""},
      {"last dim", "a", {.kind = LimitKind::kDim, .index = -1, .max = 8}, kViolated, "9"},
      {"any dim after the first", "a", {.kind = LimitKind::kDim, .max = 9}, kHolds, ""},
      {"the dim an attribute names", "a", {.kind = LimitKind::kDim, .attr = "axis", .max = 2}, kViolated, "3"},
      {"dims other than 1", "a", {.kind = LimitKind::kNonSingleton, .max = 2}, kViolated, "3"},
      {"a multiple", "a", {.kind = LimitKind::kDim, .index = -1, .multiple_of = 3}, kHolds, ""},
      {"not a multiple", "a", {.kind = LimitKind::kDim, .index = -1, .multiple_of = 4}, kViolated, "9"},
      {"type inside", "a", {.kind = LimitKind::kDtype, .any = {"float16", "float"}}, kHolds, ""},
      {"type outside", "a", {.kind = LimitKind::kDtype, .any = {"float16"}}, kViolated, "float"},
      {"scale inside", "u", {.kind = LimitKind::kScale, .index = -1, .max = 4}, kHolds, ""},
      {"scale outside", "u", {.kind = LimitKind::kScale, .max = 3}, kViolated, "4"},
      {"static shapes", "a", {.kind = LimitKind::kStatic}, kHolds, ""},
      {"stretched", "p", {.kind = LimitKind::kBroadcast, .input = 1, .any = {"xxxx"}}, kViolated, "1xx1"},
      {"not stretched", "p", {.kind = LimitKind::kBroadcast, .input = 0, .any = {"xxxx"}}, kHolds, ""},
      {"stretched along the batch", "p", {.kind = LimitKind::kBroadcast, .input = 1, .index = 0, .max = 0}, kViolated,
       "1"},
      {"not along channels", "p", {.kind = LimitKind::kBroadcast, .input = 1, .index = 1, .max = 0}, kHolds, ""},
  });
  // clang-format on
}

TEST_CASE("a limit behind core: is that of the convolution inside, where there is one") {
  test::PassRun run = test::RunPasses(kModel);
  const Limit limit = {.kind = LimitKind::kNumel, .input = 1, .index = 1, .max = 8, .of_core = true};
  LimitContext context = Context(run);
  CHECK(CheckLimit(context, test::NodeOf(run.graph, "a"), limit).outcome == kHolds);
  context.core = test::NodeOf(run.graph, "c");
  CHECK(CheckLimit(context, test::NodeOf(run.graph, "a"), limit).found == "9");
  CHECK(LimitWords(limit) == "elements of input 1 from dim 1 on of its convolution or product");
}

TEST_CASE("limits on attributes and operands") {
  // clang-format off
  CheckRows({
      {"attribute", "a", {.kind = LimitKind::kAttr, .attr = "axis", .min = 2}, kViolated, "1"},
      {"one element", "c", {.kind = LimitKind::kAttr, .index = 1, .attr = "strides", .max = 1}, kViolated, "2"},
      {"absent attribute", "a", {.kind = LimitKind::kAttr, .attr = "alpha", .max = 0}, kHolds, ""},
      {"default of an absent attribute", "a", {.kind = LimitKind::kAttr, .attr = "alpha", .max = 0, .absent = 1},
       kViolated, "1"},
      {"kernel that only the weights state", "c", {.kind = LimitKind::kAttr, .attr = "kernel_shape", .max = 2},
       kViolated, "3"},
      {"axis from the end", "a", {.kind = LimitKind::kAxis, .attr = "axis", .min = -1, .max = -1}, kViolated, "-3"},
      {"number of inputs", "a", {.kind = LimitKind::kInputs, .max = 1}, kHolds, ""},
      {"number of outputs", "a", {.kind = LimitKind::kOutputs, .min = 2}, kViolated, "1"},
      {"attribute wanted", "a", {.kind = LimitKind::kHas, .attr = "axis", .min = 1}, kHolds, ""},
      {"attribute forbidden", "a", {.kind = LimitKind::kHas, .attr = "axis", .max = 0}, kViolated, "given"},
      {"input wanted", "u", {.kind = LimitKind::kHas, .input = 1, .min = 1}, kViolated, "absent"},
      {"constant input", "a", {.kind = LimitKind::kConst}, kViolated, "computed at run time"},
      {"constant weights", "c", {.kind = LimitKind::kConst, .input = 1}, kHolds, ""},
      {"constant input forbidden", "c", {.kind = LimitKind::kConst, .input = 1, .max = 0}, kViolated, "constant"},
      {"constants", "p", {.kind = LimitKind::kConsts, .min = 1}, kHolds, ""},
      {"no constants", "b", {.kind = LimitKind::kConsts, .min = 1}, kViolated, "0"},
      {"contents inside", "y", {.kind = LimitKind::kValue, .input = 2, .max = 6.5}, kHolds, ""},
      {"contents outside", "y", {.kind = LimitKind::kValue, .input = 2, .max = 6}, kViolated, "6.5"},
      {"one element of the contents", "u", {.kind = LimitKind::kValue, .input = 2, .index = -1, .max = 2}, kViolated,
       "4"},
      {"contents of a run time input", "h", {.kind = LimitKind::kValue, .input = 1, .min = 0}, LimitOutcome::kUnread,
       "contents not known"},
      {"maker", "b", {.kind = LimitKind::kNeighbour, .any = {"Softmax"}}, kHolds, ""},
      {"another maker", "p", {.kind = LimitKind::kNeighbour, .any = {"Softmax"}}, kViolated, "Add"},
      {"reader", "a", {.kind = LimitKind::kNeighbour, .input = -1, .any = {"Conv"}}, kViolated, "Add"},
      {"edge", "a", {.kind = LimitKind::kEdge}, kHolds, ""},
      {"not at the edge", "p", {.kind = LimitKind::kEdge}, kViolated, "inside the model"},
      {"operator", "a", {.kind = LimitKind::kOp, .any = {"Softmax"}}, kHolds, ""},
      {"another operator", "b", {.kind = LimitKind::kOp, .any = {"Softmax"}}, kViolated, "Add"},
      {"operator set", "a", {.kind = LimitKind::kOpset, .max = 16}, kViolated, "17"},
  });
  // clang-format on
}

TEST_CASE("the batch of a recurrent cell is behind its steps, unless its layout says otherwise") {
  test::PassRun run = test::RunPasses(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[50, 2, 4] x, float[1, 12, 4] w, float[1, 12, 4] r)"
      " => (float[50, 1, 2, 4] s, float[50, 2, 1, 4] b) {"
      " s = GRU <hidden_size = 4> (x, w, r)  b = GRU <hidden_size = 4, layout = 1> (x, w, r) }");
  const Limit limit{.kind = LimitKind::kBatch, .max = 2};
  CHECK(CheckLimit(Context(run), test::NodeOf(run.graph, "s"), limit).outcome == kHolds);
  CHECK(CheckLimit(Context(run), test::NodeOf(run.graph, "b"), limit).found == "50");
}

TEST_CASE("parts of a concatenation, and as which input a value is read") {
  test::PassRun run = test::RunPasses(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[1, 2, 4] x, float[1, 4, 4] y) => (float[1, 2, 4] a,"
      " float[1, 6, 4] b, float[1, 2, 4] c) <float[2, 6, 1] w, float[2, 2, 1] v> {"
      " j = Concat <axis = 1> (x, y)  a = Conv(j, w)  k = Concat <axis = 1> (y, x)  b = Relu(k)  d = Conv(k, w)"
      " e = Conv(x, v)  c = Sub(d, e) }");
  struct Row {
    const char* node;
    Limit limit;
    LimitOutcome want;
    const char* found;
  };
  const Limit joined{.kind = LimitKind::kJoined, .max = 1}, slot{.kind = LimitKind::kSlot, .input = -1, .max = 0};
  const std::vector<Row> rows = {{"a", joined, kViolated, "1.5"},
                                 {"d", joined, kHolds, ""},
                                 {"e", joined, kHolds, ""},
                                 {"d", slot, kHolds, ""},
                                 {"e", slot, kViolated, "1"}};
  for (const Row& row : rows) {
    INFO(row.node << ": " << LimitWords(row.limit));
    const LimitCheck check = CheckLimit(Context(run), test::NodeOf(run.graph, row.node), row.limit);
    CHECK(check.outcome == row.want);
    CHECK(check.found == row.found);
  }
}

TEST_CASE("parts of an image whose channels fill no lanes are joined at any price") {
  for (const auto& [channels, last, want] :
       {std::tuple{24, 24, kHolds}, {24, 26, kHolds}, {26, 24, kViolated}, {26, 26, kViolated}}) {
    INFO(channels << " and " << last);
    test::PassRun run =
        test::RunPasses(absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> g (float[1, ", channels,
                                     ", 2, 2] x, float[1, ", last, ", 2, 2] y, float[256, ", channels + last,
                                     ", 1, 1] w) => (float[1, 256, 2, 2] a) {"
                                     " j = Concat <axis = 1> (x, y)  a = Conv(j, w) }"));
    const Limit joined{.kind = LimitKind::kJoined, .max = 1};
    CHECK(CheckLimit(Context(run), test::NodeOf(run.graph, "a"), joined).outcome == want);
  }
}

TEST_CASE("neighbours are those behind what is handed on as it is") {
  test::PassRun run = test::RunPasses(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[1, 2, 4] x) => (float[1, 4, 2] y, float[1, 4, 2] z) {"
      " a = Neg(x)  b = Identity(a)  t = Transpose <perm = [0, 2, 1]> (b)  c = Identity(t)  d = Identity(c)"
      " y = Abs(d)  z = Sub(y, c) }");
  const NodeId node = test::NodeOf(run.graph, "t");
  for (const Limit& limit : {Limit{.kind = LimitKind::kNeighbour, .any = {"Neg"}},
                             Limit{.kind = LimitKind::kNeighbour, .input = -1, .any = {"Abs", "Sub"}},
                             Limit{.kind = LimitKind::kSlot, .input = -1, .max = 1}}) {
    INFO(LimitWords(limit));
    CHECK(CheckLimit(Context(run), node, limit).outcome == kHolds);
  }
  const Limit slot{.kind = LimitKind::kSlot, .input = -1, .max = 0};
  CHECK(CheckLimit(Context(run), node, slot).found == "1");
}

TEST_CASE("origins are those behind views") {
  test::PassRun run = test::RunPasses(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[1, 2, 4] x, int64[2] s) => (float[4, 2] y, float[2, 4] z)"
      " <int64[2] rows = {2, 4}> {"
      " a = Neg(x)  b = Reshape(a, rows)  t = Transpose <perm = [1, 0]> (b)  c = Identity(t)  d = Flatten(c)"
      " y = Abs(d)  e = Reshape(x, rows)  z = Exp(e) }");
  const NodeId node = test::NodeOf(run.graph, "t");
  const Limit maker{.kind = LimitKind::kOrigin, .any = {"Neg"}};
  const Limit reader{.kind = LimitKind::kOrigin, .input = -1, .any = {"Abs"}};
  CHECK(CheckLimit(Context(run), node, maker).outcome == kHolds);
  CHECK(CheckLimit(Context(run), node, reader).outcome == kHolds);
  CHECK(CheckLimit(Context(run), node, {.kind = LimitKind::kNeighbour, .any = {"Neg"}}).found == "Reshape");
  CHECK(CheckLimit(Context(run), test::NodeOf(run.graph, "z"), maker).found == "none");
}

TEST_CASE("outputs that nobody needs do not exist for a limit") {
  test::PassRun run = test::RunPasses(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[1, 2, 4, 4] x) => (float[1, 2, 2, 2] y, float[1, 2, 2, 2] z,"
      " int64[1, 2, 2, 2] j) {"
      " y, i = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)  d = Neg(i)  e = Abs(y)"
      " z, j = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x) }");
  const Limit outputs{.kind = LimitKind::kOutputs, .max = 1};
  const Limit second{.kind = LimitKind::kHas, .input = -2, .max = 0};
  const Limit type{.kind = LimitKind::kDtype, .input = -2, .any = {"int32"}};
  const Limit reader{.kind = LimitKind::kNeighbour, .input = -1, .any = {"none"}};
  for (const Limit& limit : {outputs, second, type, reader}) {
    CHECK(CheckLimit(Context(run), test::NodeOf(run.graph, "y"), limit).outcome == kHolds);
  }
  for (const Limit& limit : {outputs, second, type}) {
    CHECK(CheckLimit(Context(run), test::NodeOf(run.graph, "z"), limit).outcome == kViolated);
  }
}

TEST_CASE("limits that depend on another quantity") {
  const Limit stride_w{.kind = LimitKind::kAttr, .index = 1, .attr = "strides"};
  const Limit pad{.kind = LimitKind::kAttr, .index = 3, .attr = "pads"};
  const Limit width{.kind = LimitKind::kDim, .index = -1};
  const Limit deep{.kind = LimitKind::kDim, .index = 1, .min = 4};
  const Limit shallow{.kind = LimitKind::kDim, .index = 1, .max = 3};
  const Limit no_such{.kind = LimitKind::kAttr, .attr = "group", .max = 1};
  // clang-format off
  CheckRows({
      {"unequal", "c", {.kind = LimitKind::kAttr, .index = 0, .attr = "strides", .relation = Limit::Relation::kEqual,
                        .other = {stride_w}}, kViolated, "1"},
      {"equal", "c", {.kind = LimitKind::kAttr, .index = 1, .attr = "pads", .relation = Limit::Relation::kEqual,
                      .other = {pad}}, kHolds, ""},
      {"at most", "c", {.kind = LimitKind::kAttr, .attr = "pads", .relation = Limit::Relation::kAtMost,
                        .other = {width}}, kHolds, ""},
      {"above", "c", {.kind = LimitKind::kBatch, .relation = Limit::Relation::kAtMost, .other = {pad}}, kViolated, "2"},
      {"a condition that holds", "c", {.kind = LimitKind::kBatch, .max = 1, .when = {shallow}}, kViolated, "2"},
      {"a condition that does not", "c", {.kind = LimitKind::kBatch, .max = 1, .when = {shallow, deep}}, kHolds, ""},
      {"a condition that does not apply", "c", {.kind = LimitKind::kBatch, .max = 1, .when = {no_such}}, kHolds, ""},
  });
  // clang-format on
}

// What `attr:pads` says of a node of one image of 8x8; pads is how it is written there.
std::string FoundPads(const std::string& op, const std::string& attributes) {
  const std::string model =
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[1, 4, 8, 8] x) => (float[] y)"
      " <int64[4] filter = {4, 4, 3, 3}> { w = ConstantOfShape(filter) y = " +
      op + " <kernel_shape = [3, 3], " + attributes + "> (x" + (op == "AveragePool" ? "" : ", w") + ") }";
  test::PassRun run = test::RunPasses(model.c_str());
  std::string found;
  for (const int32_t index : {0, 1, 2, 3}) {
    const Limit limit{.kind = LimitKind::kAttr, .index = index, .attr = "pads", .max = -1};
    found += CheckLimit(Context(run), test::NodeOf(run.graph, "y"), limit).found + " ";
  }
  return found;
}

TEST_CASE("pads are those that auto_pad or output_shape comes to") {
  CHECK(FoundPads("AveragePool", R"(pads = [0, 0, 1, 1])") == "0 0 1 1 ");
  CHECK(FoundPads("AveragePool", R"(auto_pad = "NOTSET", pads = [0, 0, 1, 1])") == "0 0 1 1 ");
  CHECK(FoundPads("AveragePool", R"(auto_pad = "SAME_UPPER")") == "1 1 1 1 ");
  CHECK(FoundPads("AveragePool", R"(auto_pad = "SAME_UPPER", strides = [2, 1])") == "0 1 1 1 ");
  CHECK(FoundPads("Conv", R"(auto_pad = "SAME_LOWER", strides = [2, 1])") == "1 1 0 1 ");
  CHECK(FoundPads("Conv", R"(auto_pad = "SAME_UPPER", dilations = [2, 1])") == "2 1 2 1 ");
  CHECK(FoundPads("Conv", R"(auto_pad = "VALID", strides = [2, 2])") == "0 0 0 0 ");
  CHECK(FoundPads("Conv", R"(auto_pad = "SAME_UPPER", strides = [4, 4])") == "0 0 0 0 ");
  CHECK(FoundPads("ConvTranspose", R"(auto_pad = "SAME_UPPER", strides = [2, 1])") == "0 1 1 1 ");
  CHECK(FoundPads("ConvTranspose", R"(auto_pad = "SAME_LOWER", strides = [2, 2])") == "1 1 0 0 ");
  CHECK(FoundPads("ConvTranspose", R"(output_shape = [16, 17], strides = [2, 2])") == "1 0 0 0 ");
  CHECK(FoundPads("ConvTranspose", R"(output_shape = [16, 16], output_padding = [1, 1], strides = [2, 2])") ==
        "1 1 1 1 ");
  CHECK(FoundPads("ConvTranspose", R"(pads = [1, 1, 0, 0], output_padding = [1, 1], strides = [2, 2])") == "1 1 0 0 ");
}

TEST_CASE("a condition holds where one of what it measures does") {
  const Limit padded{.kind = LimitKind::kAttr, .attr = "pads", .min = 1};
  const Limit wide{.kind = LimitKind::kAttr, .attr = "strides", .min = 3};
  CheckRows({
      {"one pad of four", "c", {.kind = LimitKind::kBatch, .max = 1, .when = {padded}}, kViolated, "2"},
      {"no stride of two", "c", {.kind = LimitKind::kBatch, .max = 1, .when = {wide}}, kHolds, ""},
  });
}

TEST_CASE("between ranks a scale is how many of an axis are one of the other") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 48, 2, 2] x) => (float[1, 48, 2, 2] y) {
      s = Constant <value_ints = [1, 8, 24]> () h = Reshape(x, s)
      t = Constant <value_ints = [1, 48, 2, 2]> () y = Reshape(h, t) })");
  for (const char* name : {"h", "y"}) {
    const NodeId node = test::NodeOf(run.graph, name);
    CHECK(AllHold(Context(run), node, {{.kind = LimitKind::kScale, .index = 1, .min = 6, .max = 6}}));
    CHECK_FALSE(AllHold(Context(run), node, {{.kind = LimitKind::kScale, .index = 1, .multiple_of = 4}}));
    CHECK_FALSE(AllHold(Context(run), node, {{.kind = LimitKind::kScale, .index = -1, .min = 0}}));
  }
}

TEST_CASE("an unknown size satisfies no limit") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[4] x) => (float[n] y) { h = my.Foo(x) y = Relu(h) })");
  const NodeId node = test::NodeOf(run.graph, "y");
  for (const Limit& limit : {Limit{.kind = LimitKind::kNumel, .max = 1000}, Limit{.kind = LimitKind::kScale, .max = 9},
                             Limit{.kind = LimitKind::kRank, .input = 0, .max = 9}}) {
    const LimitCheck check = CheckLimit(Context(run), node, limit);
    CHECK(check.outcome == LimitOutcome::kViolated);
    CHECK(check.found == "unknown");
  }
}

TEST_CASE("without a pool only constant sizes are known") {
  test::PassRun run = test::RunPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[n, 4] x) => (float[n, 4] y) { y = Relu(x) })");
  const LimitContext context{run.graph, run.facts, run.classes};
  const NodeId node = test::NodeOf(run.graph, "y");
  CHECK(AllHold(context, node, {{.kind = LimitKind::kDim, .max = 4}}));
  CHECK_FALSE(AllHold(context, node, {{.kind = LimitKind::kDim, .max = 4}, {.kind = LimitKind::kBatch, .max = 4}}));
  CHECK(AllHold(context, node, {{.kind = LimitKind::kScale, .index = 0, .max = 1}}));
  CHECK_FALSE(AllHold(context, node, {{.kind = LimitKind::kStatic}}));
}

TEST_CASE("precision counts once it is decided") {
  test::PassRun run = test::RunPasses(kModel);
  LimitContext context = Context(run);
  const NodeId node = test::NodeOf(run.graph, "a");
  const Limit limit{.kind = LimitKind::kPrecision, .any = {"fp16", "bf16"}};
  CHECK(CheckLimit(context, node, limit).outcome == kHolds);
  context.precision = Num::kFp16;
  CHECK(CheckLimit(context, node, limit).outcome == kHolds);
  context.precision = Num::kFp32;
  CHECK(CheckLimit(context, node, limit).found == "fp32");
}

TEST_CASE("limits in words") {
  const Limit stride{.kind = LimitKind::kAttr, .attr = "strides", .min = 2};
  const Limit kernel{.kind = LimitKind::kAttr, .attr = "kernel_shape", .max = 7, .when = {stride}};
  CHECK(LimitWords(kernel) == "kernel size, where stride is at least 2");
  CHECK(LimitWords({.kind = LimitKind::kAttr, .index = 0, .attr = "perm"}) == "attribute perm [0]");
  CHECK(LimitWords({.kind = LimitKind::kDim, .input = -1, .index = -2}) == "dim -2 of output 0");
  test::PassRun run = test::RunPasses(kModel);
  const auto allowed = [&](const Limit& limit) {
    return CheckLimit(Context(run), test::NodeOf(run.graph, "c"), limit).allowed;
  };
  CHECK(allowed({.kind = LimitKind::kBatch, .min = 3, .max = 8}) == "3 to 8");
  CHECK(allowed({.kind = LimitKind::kBatch, .min = 3, .max = 3}) == "3");
  CHECK(allowed({.kind = LimitKind::kBatch, .multiple_of = 4}) == "a multiple of 4");
  CHECK(allowed({.kind = LimitKind::kBatch, .relation = Limit::Relation::kEqual, .other = {stride}}) ==
        "equal to stride (1)");
  CHECK(allowed({.kind = LimitKind::kDtype, .any = {"int8", "uint8"}}) == "int8, uint8");
}

}  // namespace
}  // namespace hwest

#include "op/known.h"

#include <cmath>
#include <initializer_list>
#include <string>

#include "op/op_fixture.h"
#include "support/catch.h"

namespace hwest {
namespace {

Constant Bytes(ElemType elem, int64_t count, std::initializer_list<int> bytes) {
  Constant constant;
  constant.elem = elem;
  constant.dims = {count};
  constant.storage = Storage::kDecoded;
  for (const int byte : bytes) constant.data.push_back(static_cast<char>(byte));
  return constant;
}

TEST_CASE("constants decode in every numeric type") {
  struct Row {
    const char* name;
    Constant constant;
    std::vector<double> want;
  };
  const Row rows[] = {
      {"bool", Bytes(ElemType::kBool, 2, {0, 1}), {0, 1}},
      {"int8", Bytes(ElemType::kInt8, 2, {0xFF, 0x7F}), {-1, 127}},
      {"uint8", Bytes(ElemType::kUint8, 1, {0xFF}), {255}},
      {"int16", Bytes(ElemType::kInt16, 1, {0xFE, 0xFF}), {-2}},
      {"uint16", Bytes(ElemType::kUint16, 1, {0xFE, 0xFF}), {65534}},
      {"int32", Bytes(ElemType::kInt32, 1, {1, 0, 0, 0x80}), {-2147483647}},
      {"uint32", Bytes(ElemType::kUint32, 1, {0xFF, 0xFF, 0xFF, 0xFF}), {4294967295}},
      {"int64", Bytes(ElemType::kInt64, 1, {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}), {-1}},
      {"int4, low half first", Bytes(ElemType::kInt4, 3, {0x8F, 0x07}), {-1, -8, 7}},
      {"uint4", Bytes(ElemType::kUint4, 3, {0x8F, 0x07}), {15, 8, 7}},
      {"int2", Bytes(ElemType::kInt2, 4, {0b11'10'01'00}), {0, 1, -2, -1}},
      {"uint2", Bytes(ElemType::kUint2, 4, {0b11'10'01'00}), {0, 1, 2, 3}},
      {"float", Bytes(ElemType::kFloat, 1, {0, 0, 0x20, 0x40}), {2.5}},
      {"double", Bytes(ElemType::kDouble, 1, {0, 0, 0, 0, 0, 0, 0xF8, 0x3F}), {1.5}},
      {"float16",
       Bytes(ElemType::kFloat16, 3, {0x00, 0x3E, 0x01, 0x00, 0x00, 0xFC}),
       {1.5, std::ldexp(1, -24), -INFINITY}},
      {"bfloat16", Bytes(ElemType::kBfloat16, 1, {0xC0, 0xBF}), {-1.5}},
      {"float8e4m3fn", Bytes(ElemType::kFloat8E4M3FN, 2, {0x7E, 0x01}), {448, std::ldexp(1, -9)}},
      {"float8e4m3fnuz", Bytes(ElemType::kFloat8E4M3FNUZ, 1, {0x7F}), {240}},
      {"float8e5m2", Bytes(ElemType::kFloat8E5M2, 2, {0x7B, 0x7C}), {57344, INFINITY}},
      {"float8e5m2fnuz", Bytes(ElemType::kFloat8E5M2FNUZ, 1, {0x7F}), {57344}},
      {"float4e2m1", Bytes(ElemType::kFloat4E2M1, 2, {0xF1}), {0.5, -6}},
      {"float8e8m0", Bytes(ElemType::kFloat8E8M0, 1, {128}), {2}},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const Known known = DecodeConstant(row.constant);
    REQUIRE(known != nullptr);
    REQUIRE(known->size() == row.want.size());
    for (size_t i = 0; i < row.want.size(); ++i) CHECK((*known)[i].number() == row.want[i]);
  }
}

TEST_CASE("what cannot be decoded stays unknown") {
  CHECK(DecodeConstant(Bytes(ElemType::kInt64, 2, {1, 0, 0, 0, 0, 0, 0, 0})) == nullptr);  // too few bytes
  CHECK(DecodeConstant(Bytes(ElemType::kComplex64, 1, {0, 0, 0, 0, 0, 0, 0, 0})) == nullptr);
  CHECK(DecodeConstant(Bytes(static_cast<ElemType>(99), 1, {0})) == nullptr);
  Constant inline_bytes = Bytes(ElemType::kInt8, 1, {1});
  inline_bytes.storage = Storage::kInline;
  CHECK(DecodeConstant(inline_bytes) == nullptr);
  CHECK(DecodeConstant(Bytes(ElemType::kInt8, 0, {}))->empty());
  const Known large = DecodeConstant(Bytes(ElemType::kUint64, 1, {0, 0, 0, 0, 0, 0, 0, 0x80}));
  CHECK((*large)[0].is_unknown());
  for (const Constant& nan : {Bytes(ElemType::kFloat8E4M3FN, 1, {0xFF}), Bytes(ElemType::kFloat8E4M3FNUZ, 1, {0x80}),
                              Bytes(ElemType::kFloat8E8M0, 1, {0xFF}), Bytes(ElemType::kFloat16, 1, {0x01, 0x7C})}) {
    CHECK(std::isnan((*DecodeConstant(nan))[0].number()));
  }
}

TEST_CASE("scalars: canonical floats and ranges of types") {
  CHECK(FromDouble(2.0).is_int());
  CHECK(FromDouble(2.5).is_float());
  CHECK(FromDouble(-0.0).is_float());
  CHECK(FromDouble(1e300).is_float());
  CHECK(FitTo(ElemType::kUint8, Scalar::Int(256)).is_unknown());
  CHECK(FitTo(ElemType::kUint8, Scalar::Int(255)) == Scalar::Int(255));
  CHECK(FitTo(ElemType::kFloat16, FromDouble(1.0 / 3)).number() == 1365.0 / 4096);
  CHECK(FitTo(ElemType::kFloat16, FromDouble(65520)).number() == INFINITY);
  CHECK(FitTo(ElemType::kBfloat16, FromDouble(257)).number() == 256);
}

TEST_CASE("broadcasting of contents") {
  const auto known = std::make_shared<const std::vector<Scalar>>(std::vector<Scalar>{Scalar::Int(1), Scalar::Int(2)});
  const Known wide = BroadcastKnown(known, Shape({2, 1}), Shape({2, 2}));
  REQUIRE(wide != nullptr);
  CHECK((*wide)[1] == Scalar::Int(1));
  CHECK((*wide)[2] == Scalar::Int(2));
  CHECK(BroadcastKnown(known, Shape({2}), Shape({3})) == nullptr);
  CHECK(BroadcastKnown(known, Shape({2}), Shape({kMaxKnownElements, 2})) == nullptr);
  CHECK(BroadcastKnown(known, Shape({2}), Shape({Dim::Unknown()})) == nullptr);
}

// An element is computed once for all that the known operands cannot tell apart: a fold over a large tensor that is not
// known costs what its known operands have.
TEST_CASE("an elementwise fold visits what known operands tell apart") {
  struct Row {
    const char* name;
    std::vector<std::string> inputs;
    int visits;
    const char* known;
  };
  // clang-format off
  const Row rows[] = {
      {"nothing known", {"float[8, 64]", "float[64]"}, 0, "none"},
      {"scalar bounds of an unknown tensor", {"float[8, 64]", "float[] = {6}"}, 1, "none"},
      {"a row beside an unknown tensor", {"float[4, 3]", "float[3] = {1, 2, 3}"}, 3, "none"},
      {"a column over a row", {"int64[2, 1] = {1, 2}", "int64[3] = {10, 20, 30}"}, 6, "{11, 21, 31, 12, 22, 32}"},
      {"a column repeated", {"int64[2, 1] = {1, 2}", "int64[1] = {10}", "int64[2, 2]"}, 2, "none"},
      {"a scalar spread over a row", {"int64[] = {1}", "int64[1] = {2}"}, 1, "{3}"},
      {"runs of equal elements", {"int64[8] = {1, 1, 1, 2, 2, 2, 1, 1}", "int64[] = {5}"}, 3,
       "{6, 6, 6, 7, 7, 7, 6, 6}"},
      {"a run over rows", {"int64[2, 2] = {1, 1, 1, 2}", "int64[2] = {0, 0}"}, 2, "{1, 1, 1, 2}"},
      {"a row of three axes moves back",
       {"int64[2, 1, 2] = {1, 2, 3, 4}", "int64[2, 1] = {10, 20}"},
       8,
       "{11, 12, 21, 22, 13, 14, 23, 24}"},
      {"no elements", {"int64[0] = {}", "int64[1] = {2}"}, 0, "{}"},
  };
  // clang-format on
  for (const Row& row : rows) {
    CAPTURE(row.name);
    OpRun run = RunOp({.op = "Sum", .inputs = row.inputs});
    run.facts.values[run.graph->outputs(run.node)[0]].known = nullptr;
    InferContext context(*run.graph, run.node, run.facts, *run.dims);
    int visits = 0;
    ApplyElementwise(context, [&](absl::Span<const Scalar> args) {
      ++visits;
      Dim sum = 0;
      for (const Scalar& arg : args) {
        if (!arg.is_int()) return Scalar();
        sum = context.dims().Add(sum, arg.dim());
      }
      return Scalar::Int(sum);
    });
    CHECK(visits == row.visits);
    CHECK(run.known(0) == row.known);
  }
}

TEST_CASE("a fold tells 0 from -0") {
  const OpRun run = RunOp({.op = "Div", .inputs = {"float[] = {1}", "float[4] = {0, -0, -0, 0}"}});
  CHECK(run.known(0) == "{inf, -inf, -inf, inf}");
}

// What does not depend on the unknown operand is known all over the output.
TEST_CASE("a fold spreads what one operand decides") {
  const OpRun run = RunOp({.op = "Mul", .inputs = {"int64[2, 2]", "int64[2] = {0, 1}"}});
  CHECK(run.known(0) == "{0, ?, 0, ?}");
}

}  // namespace
}  // namespace hwest

#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("random numbers: shape and type from attributes") {
  for (const char* op : {"RandomNormal", "RandomUniform"}) {
    CheckRows({
        {op, {.op = op, .attrs = {Ints("shape", {2, 3})}}, {"float[2, 3]"}, "0", "transcendental=6"},
        {"half", {.op = op, .attrs = {Ints("shape", {4}), Int("dtype", 10)}}, {"float16[4]"}, "0", "transcendental=4"},
        {"scalar", {.op = op, .attrs = {Ints("shape", {})}}, {"float[]"}, "0", "transcendental=1"},
    });
    CheckRefused({.op = op}, "expects a shape");
    CheckRefused({.op = op, .attrs = {Ints("shape", {2, -1})}}, "found -1");
  }
}

TEST_CASE("random numbers like an input: its type unless dtype says another") {
  for (const char* op : {"RandomNormalLike", "RandomUniformLike", "Bernoulli"}) {
    CheckRows({
        {op, {.op = op, .inputs = {"double[N, 3]"}}, {"double[N, 3]"}, "0", "transcendental=3*N"},
        {"dtype", {.op = op, .inputs = {"float[2]"}, .attrs = {Int("dtype", 9)}}, {"bool[2]"}, "0", "transcendental=2"},
    });
    CheckKnown({{"a constant input gives no constant", {.op = op, .inputs = {"float[2] = {0, 1}"}}, "float[2]"}});
  }
}

TEST_CASE("random numbers like an input: only the shape is read") {
  CHECK(RunOp({.op = "RandomNormalLike", .inputs = {"float[9]"}}).work.value().reads[0] == Dim(0));
  CHECK(RunOp({.op = "Bernoulli", .inputs = {"float[9]"}}).work.value().reads.empty());
}

TEST_CASE("Multinomial: samples of each row") {
  // clang-format off
  CheckRows({
      {"int32, one sample", {.op = "Multinomial", .inputs = {"float[4, 10]"}}, {"int32[4, 1]"}, "0",
       "add=40 compare=16"},
      {"int64", {.op = "Multinomial", .inputs = {"float[B, 1024]"}, .attrs = {Int("sample_size", 5), Int("dtype", 7)}},
       {"int64[B, 5]"}, "0", "add=1024*B compare=50*B"},
      {"symbolic classes", {.op = "Multinomial", .inputs = {"float[2, C]"}}, {"int32[2, 1]"}, "0",
       "add=2*C compare=?"},
  });
  // clang-format on
  CheckRefused({.op = "Multinomial", .inputs = {"float[4]"}}, "rank 2");
  CheckRefused({.op = "Multinomial", .inputs = {"float[4, 4]"}, .attrs = {Int("sample_size", -2)}}, "found -2");
}

}  // namespace
}  // namespace hwest

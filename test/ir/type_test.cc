#include "hwest/type.h"

#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("element types") {
  struct Case {
    ElemType type;
    const char* name;
    int bits;
    bool is_float, is_integer;
  };
  for (const Case& c : {Case{ElemType::kUndefined, "undefined", 0, false, false},
                        {ElemType::kFloat, "float", 32, true, false},
                        {ElemType::kInt64, "int64", 64, false, true},
                        {ElemType::kBool, "bool", 8, false, false},
                        {ElemType::kString, "string", 0, false, false},
                        {ElemType::kBfloat16, "bfloat16", 16, true, false},
                        {ElemType::kComplex128, "complex128", 128, false, false},
                        {ElemType::kFloat8E5M2FNUZ, "float8e5m2fnuz", 8, true, false},
                        {ElemType::kUint4, "uint4", 4, false, true},
                        {ElemType::kInt2, "int2", 2, false, true},
                        {static_cast<ElemType>(99), "unknown(99)", 0, false, false},
                        {static_cast<ElemType>(-1), "unknown(-1)", 0, false, false}}) {
    INFO(c.name);
    CHECK(ElemTypeName(c.type) == c.name);
    CHECK(ElemBits(c.type) == c.bits);
    CHECK(IsFloat(c.type) == c.is_float);
    CHECK(IsInteger(c.type) == c.is_integer);
  }
}

TEST_CASE("shapes") {
  DimPool pool;
  const Dim batch = pool.Symbol("batch");
  CHECK(ToString(Shape(), pool) == "?");
  CHECK(ToString(Shape::Scalar(), pool) == "[]");
  CHECK(ToString(Shape({1, batch, Dim()}), pool) == "[1, batch, ?]");
  CHECK(ToString(Shape({pool.Mul(batch, 2)}), pool) == "[2*batch]");
  CHECK_FALSE(Shape().known());
  CHECK(Shape::Scalar().constant());
  CHECK(Shape({1, batch}).known());
  CHECK_FALSE(Shape({1, batch}).constant());
  CHECK_FALSE(Shape::UnknownDims(2).known());
  CHECK(Shape::UnknownDims(2).rank() == 2);
}

TEST_CASE("elements and bytes") {
  DimPool pool;
  const Dim n = pool.Symbol("n");
  CHECK(Shape().Elements(pool).is_unknown());
  CHECK(Shape::Scalar().Elements(pool) == Dim(1));
  CHECK(Shape({2, n, 3}).Elements(pool) == pool.Mul(n, 6));
  CHECK(Shape({2, Dim()}).Elements(pool).is_unknown());
  CHECK(Shape({Dim(), 0}).Elements(pool) == Dim(0));
  CHECK(Shape({INT64_MAX, INT64_MAX, 0}).Elements(pool) == Dim(0));
  CHECK(Shape({INT64_MAX, 2}).Elements(pool).is_unknown());
  CHECK(BytesOf(pool, ElemType::kFloat, 10) == Dim(40));
  CHECK(BytesOf(pool, ElemType::kInt4, 5) == Dim(3));
  CHECK(BytesOf(pool, ElemType::kUint2, 9) == Dim(3));
  CHECK(BytesOf(pool, ElemType::kComplex128, n) == pool.Mul(n, 16));
  CHECK(BytesOf(pool, ElemType::kString, 4).is_unknown());
  CHECK(BytesOf(pool, ElemType::kFloat, Dim()).is_unknown());
}

TEST_CASE("kinds of values have names") {
  CHECK(ValueKindName(ValueKind::kTensor) == "tensor");
  CHECK(ValueKindName(ValueKind::kSequence) == "sequence");
  CHECK(ValueKindName(ValueKind::kUnknown) == "unknown");
}

}  // namespace
}  // namespace hwest

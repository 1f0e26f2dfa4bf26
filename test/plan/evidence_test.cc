#include "plan/evidence.h"

#include "plan/operator_class.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("a class is covered as a whole word") {
  const Evidence evidence{.precision = "int8", .classes = "conv.l conv.m conv_1x1.s Transpose:4.m"};
  CHECK(Covers(evidence, "conv.l"));
  CHECK(Covers(evidence, "conv.m"));
  CHECK(Covers(evidence, "Transpose:4.m"));
  CHECK_FALSE(Covers(evidence, "conv.s"));
  CHECK_FALSE(Covers(evidence, "conv_1x1.m"));
  CHECK_FALSE(Covers(evidence, "onv.l"));
  CHECK_FALSE(Covers({}, "conv.l"));
}

TEST_CASE("what is not covered is a share of the time") {
  const Evidence evidence{.precision = "int8", .classes = "conv.l"};
  CHECK(UnseenShare(evidence, {{"conv.l", 3}, {"Softmax.s", 1}}) == Approx(0.25));
  CHECK(UnseenShare(evidence, {}) == 0);
}

TEST_CASE("evidence is found by precision") {
  Unit unit;
  unit.evidence = {{.precision = "int8"}, {.precision = "w8a16", .classes = "conv.l"}};
  REQUIRE(EvidenceAt(unit, "w8a16") != nullptr);
  CHECK(EvidenceAt(unit, "w8a16")->classes == "conv.l");
  CHECK(EvidenceAt(unit, "fp16") == nullptr);
}

TEST_CASE("classes in words") {
  CHECK(OperatorClassText("conv_1x1.m") == "1 x 1 convolution");
  CHECK(OperatorClassText("matmul_activations.l") == "product of activations");
  CHECK(OperatorClassText("Transpose:5.s") == "Transpose 5-D");
  CHECK(OperatorClassText("GridSample.l") == "GridSample");
}

}  // namespace
}  // namespace hwest

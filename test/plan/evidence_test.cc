#include "plan/evidence.h"

#include "plan/operator_class.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("a class is found as a whole word, with the share that was seen") {
  const Evidence evidence{.precision = "int8", .classes = "conv.l conv.m=0.4 conv_1x1.s Transpose:4.m=1"};
  CHECK(SeenShare(evidence, "conv.l") == 1);
  CHECK(SeenShare(evidence, "conv.m") == Approx(0.4));
  CHECK(SeenShare(evidence, "Transpose:4.m") == 1);
  CHECK(SeenShare(evidence, "conv.s") == 0);
  CHECK(SeenShare(evidence, "conv_1x1.m") == 0);
  CHECK(SeenShare(evidence, "onv.l") == 0);
  CHECK(SeenShare({}, "conv.l") == 0);
}

TEST_CASE("unseen is what a model spends in a class beyond what was seen there") {
  const Evidence evidence{.precision = "int8", .classes = "conv.l"};
  CHECK(UnseenShare(evidence, {{"conv.l", 3}, {"Softmax.s", 1}}) == Approx(0.25));
  CHECK(UnseenShare(evidence, {}) == 0);
  const Evidence some{.precision = "int8", .classes = "conv.l Softmax.s=0.1"};
  CHECK(UnseenShare(some, {{"conv.l", 3}, {"Softmax.s", 1}}) == Approx(0.15));
  CHECK(UnseenShare(some, {{"conv.l", 19}, {"Softmax.s", 1}}) == 0);
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

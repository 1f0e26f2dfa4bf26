// What operator rows state besides their rules: traits of operators, roles of operands.
#include "op/traits.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "op/rule.h"
#include "support/catch.h"

namespace hwest {
namespace {

template <class Has>
std::string OpsWith(Has has) {
  std::vector<std::string> names;
  for (const OpRule& rule : AllRules()) {
    if (has(rule)) names.push_back(absl::StrCat(rule.domain, rule.domain.empty() ? "" : "::", rule.op));
  }
  return absl::StrJoin(names, " ");
}

std::string OpsWith(Traits trait) {
  return OpsWith([&](const OpRule& rule) { return (rule.traits & trait) != 0; });
}

struct TraitCase {
  Traits trait;
  std::string ops;
};

TEST_CASE("traits by operator") {
  const TraitCase c = GENERATE(values<TraitCase>({
      {trait::kCommutes, "Add And Equal Max Mean Min Mul Or Sum Xor"},
      {trait::kConverts, "Cast CastLike"},
      {trait::kIdentity, "Identity"},
      {trait::kPassesThrough, "Cast CastLike Dropout Identity"},
      {trait::kKeepsElements,
       "DequantizeLinear Flatten Identity Reshape Squeeze Transpose Unsqueeze com.microsoft::DequantizeLinear "
       "tflite.order::Reorder"},
      {trait::kClamps, "Clip"},
      {trait::kRepeats, "Expand"},
      {trait::kJoins, "Concat"},
      {trait::kReadsShape, "Shape Size"},
      {trait::kBranches, "If"},
      {trait::kQuantizes, "QuantizeLinear com.microsoft::QuantizeLinear"},
      {trait::kDequantizes, "DequantizeLinear com.microsoft::DequantizeLinear"},
      {trait::kRandom, "Bernoulli Multinomial RandomNormal RandomNormalLike RandomUniform RandomUniformLike"},
      {trait::kWholeInput, "GroupNormalization InstanceNormalization com.ms.internal.nhwc::InstanceNormalization"},
      {trait::kTakesStatistics,
       "GroupNormalization InstanceNormalization LayerNormalization LogSoftmax LpNormalization "
       "MeanVarianceNormalization RMSNormalization SimplifiedLayerNormalization Softmax com.microsoft::BiasSoftmax "
       "com.microsoft::EmbedLayerNormalization com.microsoft::GatedRMSNorm com.microsoft::GroupNorm "
       "com.microsoft::QEmbedLayerNormalization com.microsoft::QLinearSoftmax "
       "com.microsoft::QOrderedLayerNormalization com.microsoft::SkipGroupNorm "
       "com.microsoft::SkipLayerNormalization com.microsoft::SkipSimplifiedLayerNormalization "
       "com.ms.internal.nhwc::InstanceNormalization"},
      {trait::kFoldsIntoWeights, "BatchNormalization com.ms.internal.nhwc::BatchNormalization"},
      {trait::kWindowOfWeights,
       "Conv ConvTranspose com.microsoft.nchwc::Conv com.ms.internal.nhwc::Conv com.ms.internal.nhwc::ConvTranspose"},
  }));
  CHECK(OpsWith(c.trait) == c.ops);
}

TEST_CASE("element-wise operators compute, and from their operands alone") {
  size_t count = 0;
  for (const OpRule& rule : AllRules()) {
    if ((rule.traits & trait::kElementwise) == 0) continue;
    INFO(std::string(rule.op));
    ++count;
    CHECK(rule.op_class == OpClass::kCompute);
    CHECK(rule.work != nullptr);
    CHECK((rule.shape_inputs & ~rule.type_inputs) == 0);
  }
  CHECK(count == 57);
  CHECK_FALSE(FindRule("", "Softmax")->traits & trait::kElementwise);
  CHECK_FALSE(FindRule("com.microsoft", "Gelu")->traits & trait::kElementwise);
}

TEST_CASE("roles of operands") {
  const auto row = [](absl::string_view op) { return *FindRule(op[0] == 'Q' ? "com.microsoft" : "", op); };
  CHECK(FindRule("", "QLinearConv")->scales == Inputs({1, 2, 4, 5, 6, 7}));
  CHECK(FindRule("", "QLinearConv")->weights == Inputs({3, 8}));
  CHECK(row("QGemm").weights == Inputs({3, 6}));
  CHECK(row("QLinearConcat").weights == EveryThird(2));
  CHECK(row("BatchNormalization").buffers == Inputs({3, 4}));
  CHECK(row("Where").moved == Inputs({1, 2}));
  CHECK(row("Concat").moved == kAllInputs);
  CHECK(row("CastLike").type_inputs == Inputs({1}));
  CHECK(OpsWith([](const OpRule& rule) { return rule.sizes.form != SizeForm::kNone; }) ==
        "Expand Reshape Resize Slice");
  CHECK(OpsWith([](const OpRule& rule) { return rule.activation == "SiLU"; }) == "Swish com.microsoft::QuickGelu");
}

TEST_CASE("scales are no weights, and every weight that is packed is one") {
  for (const OpRule& rule : AllRules()) {
    INFO(std::string(rule.op));
    CHECK((rule.scales & rule.weights) == 0);
    for (const PackedInputs& packed : rule.packed) CHECK((packed.inputs & ~rule.weights) == 0);
  }
}

TEST_CASE("sets of inputs") {
  CHECK(Covers(Inputs({0, 31}), 31));
  CHECK_FALSE(Covers(Inputs({0, 31}), 32));
  CHECK(Covers(kAllInputs, 1000));
  CHECK_FALSE(Covers(0, 0));
  CHECK(EveryThird(2) == Inputs({2, 5, 8, 11, 14, 17, 20, 23, 26, 29}));
}

}  // namespace
}  // namespace hwest

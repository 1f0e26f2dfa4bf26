#include "op/attention/attention_common.h"

#include "support/catch.h"

namespace hwest {
namespace {

AttentionProduct Sizes(Dim query_length, Dim key_length, Dim past) {
  // clang-format off
  return {.batch = 2, .heads = 3, .query_length = query_length, .key_length = key_length, .head_size = 4,
          .value_head_size = 6, .past = past};
  // clang-format on
}

// 2 * 3 * (4 + 6) = 60 multiply-accumulates a score.
TEST_CASE("attention counts scores, a causal mask those up to the query's position") {
  struct Row {
    const char* name;
    AttentionProduct sizes;
    int64_t dense_scores, causal_scores;
  };
  const Row rows[] = {
      {"square", Sizes(3, 3, 0), 9, 1 + 2 + 3},
      {"after a past", Sizes(3, 8, 5), 24, 6 + 7 + 8},
      {"one query after a past", Sizes(1, 8, 7), 8, 8},
      {"more keys than positions", Sizes(2, 5, 0), 10, 1 + 2},
      {"more queries than keys", Sizes(4, 2, 0), 8, 1 + 2 + 2 + 2},
      {"past beyond all keys", Sizes(2, 3, 5), 6, 3 + 3},
      {"no query", Sizes(0, 3, 3), 0, 0},
  };
  DimPool dims;
  for (const Row& row : rows) {
    INFO(row.name);
    CHECK(AttentionMacs(dims, row.sizes) == Dim(60 * row.dense_scores));
    CHECK(CausalAttentionMacs(dims, row.sizes) == Dim(60 * row.causal_scores));
  }
}

TEST_CASE("causal counts stay symbolic") {
  DimPool dims;
  const Dim s = dims.Symbol("S");
  const Dim p = dims.Symbol("P");
  CHECK(dims.ToString(CausalAttentionMacs(dims, Sizes(s, s, 0))) == "30*S**2 + 30*S");
  CHECK(dims.ToString(CausalAttentionMacs(dims, Sizes(s, dims.Add(p, s), p))) == "30*S**2 + 60*S*P + 30*S");
}

TEST_CASE("attention adds to work that is there") {
  DimPool dims;
  Work work;
  AddContraction(dims, work, Contraction{}, 100, Operands::kFloat);
  AddAttention(dims, work, Sizes(3, 3, 0), AttentionMask::kCausal);
  CHECK(work.macs == Dim(100 + 60 * 9));
  CHECK(work.causal_macs == Dim(100 + 60 * 6));
  CHECK(work.int_macs == Dim(0));
  REQUIRE(work.contractions.size() == 3);
  const Contraction& scores = work.contractions[1];
  CHECK((scores.batch == Dim(6) && scores.m == Dim(3) && scores.n == Dim(3) && scores.k == Dim(4)));
  const Contraction& values = work.contractions[2];
  CHECK((values.batch == Dim(6) && values.m == Dim(3) && values.n == Dim(6) && values.k == Dim(3)));
  CHECK(work.op(OpKind::kAdd) == Dim(2 * 54));
  CHECK(work.op(OpKind::kTranscendental) == Dim(54));

  Work dense;
  AddAttention(dims, dense, Sizes(3, 3, 0), AttentionMask::kDense, Operands::kInteger);
  CHECK(dense.int_macs == Dim(540));
  CHECK(dense.causal_macs.is_unknown());
}

}  // namespace
}  // namespace hwest

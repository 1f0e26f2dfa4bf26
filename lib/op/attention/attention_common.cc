#include "op/attention/attention_common.h"

#include <utility>

namespace hwest {
namespace {

Dim MacsOfScores(DimPool& dims, const AttentionProduct& p, Dim scores) {
  return dims.Product({p.batch, p.heads, scores, dims.Add(p.head_size, p.value_head_size)});
}

}  // namespace

Dim AttentionMacs(DimPool& dims, const AttentionProduct& product) {
  return MacsOfScores(dims, product, dims.Mul(product.query_length, product.key_length));
}

Dim CausalAttentionMacs(DimPool& dims, const AttentionProduct& product) {
  const Dim q = product.query_length;
  // The first n queries see past + 1, past + 2, ... keys, the others all of them.
  const Dim n = dims.Max(dims.Min(q, dims.Sub(product.key_length, product.past)), 0);
  const Dim rising = dims.Add(dims.Mul(2, dims.Mul(n, product.past)), dims.Mul(n, dims.Add(n, 1)));
  const Dim full = dims.Mul(2, dims.Mul(dims.Sub(q, n), product.key_length));
  return dims.ExactDiv(MacsOfScores(dims, product, dims.Add(rising, full)), 2);
}

void AddAttention(DimPool& dims, Work& work, const AttentionProduct& product, AttentionMask mask, Operands operands) {
  const Dim batch = dims.Mul(product.batch, product.heads);
  const Dim scores = dims.Product({batch, product.query_length, product.key_length});
  if (mask == AttentionMask::kCausal) work.causal_macs = dims.Add(work.macs, CausalAttentionMacs(dims, product));
  Contraction query_key{.kind = ContractionKind::kActivation,
                        .batch = batch,
                        .m = product.query_length,
                        .n = product.key_length,
                        .k = product.head_size,
                        .kernel_elements = 1};
  Contraction weighted_value = query_key;
  weighted_value.n = product.value_head_size;
  weighted_value.k = product.key_length;
  AddContraction(dims, work, std::move(query_key), dims.Mul(scores, product.head_size), operands);
  AddContraction(dims, work, std::move(weighted_value), dims.Mul(scores, product.value_head_size), operands);
  AddOps(dims, work, scores, {.add = 2, .mul = 1, .compare = 1, .transcendental = 1});
}

}  // namespace hwest

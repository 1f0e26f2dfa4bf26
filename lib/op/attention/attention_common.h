// Scaled dot-product attention, whatever the domain and however its operands are packed.
#pragma once

#include "op/count.h"
#include "op/rule.h"

namespace hwest {

// AttentionProduct are the sizes of softmax(Q K^T) V; every dim may be unknown.
struct AttentionProduct {
  Dim batch;
  Dim heads;  // of the query, also where several of them share a key
  Dim query_length;
  Dim key_length;       // past keys included
  Dim head_size;        // of query and key
  Dim value_head_size;  // of value and output
  Dim past = 0;         // keys before the one that query 0 stands at; counts for causal masks only
};

enum class AttentionMask { kDense, kCausal };

// AttentionMacs is batch * heads * Sq * Skv * (head_size + value_head_size).
Dim AttentionMacs(DimPool& dims, const AttentionProduct& product);

// CausalAttentionMacs counts the keys that query i may see: those up to past + i, at most key_length.
Dim CausalAttentionMacs(DimPool& dims, const AttentionProduct& product);

// AddAttention adds both products, dense, and the softmax with its scale: 5 operations a score. Under a causal mask it
// sets work.causal_macs, all multiply-accumulates that were in `work` before included: add projections first.
void AddAttention(DimPool& dims, Work& work, const AttentionProduct& product, AttentionMask mask,
                  Operands operands = Operands::kFloat);

}  // namespace hwest

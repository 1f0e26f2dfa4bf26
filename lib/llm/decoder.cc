#include "hwest/decoder.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace hwest {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

int64_t SumOf(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_add_overflow(a, b, &result) ? kMost : result;
}

int64_t ProductOf(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_mul_overflow(a, b, &result) ? kMost : result;
}

template <typename Figure>
int64_t OverLayers(const Decoder& decoder, Figure figure) {
  int64_t total = 0;
  for (const DecoderLayers& layer : decoder.layers) total = SumOf(total, ProductOf(layer.count, figure(layer)));
  return total;
}

int64_t TokensIn(const DecoderLayers& layer, int64_t tokens) {
  return layer.window ? std::min(tokens, *layer.window) : tokens;
}

}  // namespace

int64_t StoredParams(const Decoder& decoder) {
  const int64_t tables =
      decoder.tied_embedding ? decoder.head_weights : SumOf(decoder.embedding_weights, decoder.head_weights);
  return SumOf(tables, OverLayers(decoder, [](const DecoderLayers& layer) {
                 return SumOf(SumOf(layer.attention_weights, layer.cross_weights), layer.mlp_weights_stored);
               }));
}

int64_t ActiveParams(const Decoder& decoder) {
  return SumOf(decoder.head_weights, OverLayers(decoder, [](const DecoderLayers& layer) {
                 return SumOf(layer.attention_weights, layer.mlp_weights);
               }));
}

int64_t LayerCount(const Decoder& decoder) {
  return OverLayers(decoder, [](const DecoderLayers&) { return int64_t{1}; });
}

int64_t AttentionLayers(const Decoder& decoder) {
  return OverLayers(decoder, [](const DecoderLayers& layer) { return int64_t{layer.heads > 0 ? 1 : 0}; });
}

int64_t CacheElements(const DecoderLayers& layer, int64_t tokens) {
  if (layer.heads == 0) return 0;
  const int64_t of_heads = ProductOf(layer.kv_heads, SumOf(layer.key_dim, layer.value_dim));
  const int64_t of_token = layer.latent_dim > 0 ? layer.latent_dim : of_heads;
  return SumOf(ProductOf(of_token, TokensIn(layer, tokens)), ProductOf(of_heads, layer.cross_tokens));
}

int64_t CacheElements(const Decoder& decoder, int64_t tokens) {
  return OverLayers(decoder, [tokens](const DecoderLayers& layer) { return CacheElements(layer, tokens); });
}

int64_t StateElements(const Decoder& decoder) {
  return OverLayers(decoder, [](const DecoderLayers& layer) { return layer.state_elements; });
}

int64_t WeightMacs(const Decoder& decoder) { return ActiveParams(decoder); }

int64_t CacheMacs(const Decoder& decoder, int64_t tokens) {
  return OverLayers(decoder, [tokens](const DecoderLayers& layer) {
    const int64_t of_token = ProductOf(layer.heads, SumOf(layer.key_dim, layer.value_dim));
    return SumOf(layer.state_macs, ProductOf(of_token, SumOf(TokensIn(layer, tokens), layer.cross_tokens)));
  });
}

int64_t CacheScores(const Decoder& decoder, int64_t tokens) {
  return OverLayers(decoder, [tokens](const DecoderLayers& layer) {
    return ProductOf(layer.heads, SumOf(TokensIn(layer, tokens), layer.cross_tokens));
  });
}

}  // namespace hwest

// Facts of a language model that every runtime derives its own form from: sizes, not the file's number formats. They
// come from an ONNX graph, a Hugging Face config.json or the header of a GGUF file.
//
//   HWEST_ASSIGN_OR_RETURN(const Decoder decoder, ReadDecoder({"model.onnx"}));
//
// Counts are elements; formats and bytes are the runtime's. Vectors (norms, biases) are apart from matrices.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hwest {

class Graph;

// Equal layers of a decoder, in no order: what they cost does not depend on their place.
struct DecoderLayers {
  int64_t count = 0;

  // Attention over a cache of keys and values; heads == 0: none (linear attention, Mamba, RWKV, short convolution).
  int64_t heads = 0;
  int64_t kv_heads = 0;
  int64_t key_dim = 0;            // of a head
  int64_t value_dim = 0;          // of a head
  std::optional<int64_t> window;  // tokens that the cache of this layer holds at most; none = the whole context
  int64_t latent_dim = 0;         // elements that a token's keys and values are compressed to (MLA); 0 = they are not

  // A second attention, of the same heads, over keys and values that are made once (Whisper, T5); 0 = none.
  int64_t cross_tokens = 0;   // of the encoder
  int64_t cross_weights = 0;  // that make those keys and values; q and o of it are in attention_weights

  // State of fixed size that each token reads and writes.
  int64_t state_elements = 0;
  int64_t state_macs = 0;  // per token

  // Weights of products, in elements.
  int64_t attention_weights = 0;   // q, k, v, o projections, or those of what stands in attention's place
  int64_t mlp_weights = 0;         // that one token uses: of the active experts and shared ones, with the router
  int64_t mlp_weights_stored = 0;  // of all experts, shared ones and the router; equals mlp_weights when dense
  int64_t mlp_width = 0;           // elements between its products, per token: of all active experts
  int64_t experts = 0;             // 0 = dense
  int64_t active_experts = 0;
  int64_t other_weights = 0;  // norms, biases, ...: vectors
  int64_t products = 0;  // launches of products with weights per layer, as usually fused (qkv, o, gate_up, down = 4;
                         // those of all experts together are two)
};

// What runs once before the first token: the encoder of a speech or translation model, the vision part of a VLM.
struct EncoderPart {
  int64_t weights = 0;
  int64_t macs = 0;      // of one run
  int64_t tokens = 0;    // that it hands to the decoder (image tokens enter the prompt)
  int64_t products = 0;  // launches of products
  int64_t layers = 0;    // 0 = not known
};

struct Decoder {
  std::string name;          // of the file, or `_name_or_path` of a configuration
  std::string architecture;  // "llama", "qwen3", "gpt-oss", ... as the source states it; empty = not stated
  int64_t vocab = 0;         // rows of lm_head
  int64_t hidden = 0;
  bool tied_embedding = false;    // one table for embedding and lm_head
  int64_t embedding_weights = 0;  // of the token table, read by the row
  int64_t head_weights = 0;       // of lm_head, read by every token; of the table where tied
  int64_t other_weights = 0;      // outside of layers: the last norm, tables of positions, projections
  int64_t max_context = 0;        // 0 = not stated
  std::vector<DecoderLayers> layers;
  std::optional<EncoderPart> encoder;
  std::optional<EncoderPart> vision;

  // As the source stores them; 0 = not known. Includes scales and zero points.
  int64_t file_weight_bytes = 0;
  int64_t file_embedding_bytes = 0;
  int64_t file_head_bytes = 0;
  std::string file_format;         // of the weights of layers: "int4 g32", "fp16", "Q4_K_M", ...; empty = not stated
  std::string file_cache_format;   // "fp16", "int8", ...; empty = not stated
  std::vector<std::string> notes;  // what was assumed, in words
};

// Matrices of the whole model as stored, or that one token uses: those of a table that is read by the row not counted.
int64_t StoredParams(const Decoder& decoder);
int64_t ActiveParams(const Decoder& decoder);
// Layers of all kinds; those with a cache that grows.
int64_t LayerCount(const Decoder& decoder);
int64_t AttentionLayers(const Decoder& decoder);
// Elements of keys and values that one layer keeps of `tokens`, those of an encoder included, its state not.
int64_t CacheElements(const DecoderLayers& layer, int64_t tokens);
// Of all layers, per sequence; saturates.
int64_t CacheElements(const Decoder& decoder, int64_t tokens);
int64_t StateElements(const Decoder& decoder);
// Products of one token with weights, lm_head included, and with what is in the cache.
int64_t WeightMacs(const Decoder& decoder);
int64_t CacheMacs(const Decoder& decoder, int64_t tokens);
// Scores of that attention: one for each head and token that is seen.
int64_t CacheScores(const Decoder& decoder, int64_t tokens);

// The decoder of one ONNX graph, whichever exporter made it: its structure decides. Errors: kUsage for a graph that is
// not a language model, with what to do.
absl::StatusOr<Decoder> DecoderOfGraph(const std::shared_ptr<const Graph>& graph);
// The same of any graph: none = it is no language model, as a graph of one input cannot be.
std::optional<Decoder> DecoderIfAny(const std::shared_ptr<const Graph>& graph);
// Of the text of a Hugging Face configuration. Errors: kUsage, names the field that is missing.
absl::StatusOr<Decoder> DecoderOfConfig(absl::string_view json, absl::string_view name);
// Of the first bytes of a GGUF file, its header. Errors: kModelCorrupt where it is malformed or cut
// short, kModelRefused beyond a limit.
absl::StatusOr<Decoder> DecoderOfGguf(absl::string_view header, absl::string_view name, int64_t file_bytes);

// The decoder that the files hold together: one ONNX graph, config.json or GGUF file; or several ONNX graphs: parts of
// a split decoder, an encoder and its decoder, a vision part and its decoder. A folder stands for its config.json or
// for the graphs in it. Errors: kModelMissing, kModelCorrupt, kModelRefused, kUsage.
absl::StatusOr<Decoder> ReadDecoder(absl::Span<const std::string> paths);

}  // namespace hwest

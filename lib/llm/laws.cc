#include "llm/laws.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"

namespace hwest {
namespace {

constexpr double kBitsPerByte = 8;
constexpr double kStateBytes = 2;  // an element of a state, of activations, of a vision part
constexpr double kLogitBytes = 4;

double Of(int64_t count) { return static_cast<double>(count); }

// Of all experts of a layer, those that at least one of the rows chooses.
double ExpertsRead(const DecoderLayers& layer, double rows) {
  const double all = Of(layer.experts), active = Of(layer.active_experts);
  return all * -portable::Expm1(rows * portable::Log1p(-active / all));
}

double MlpWeightsRead(const DecoderLayers& layer, double rows) {
  const int64_t resting = layer.experts - layer.active_experts;
  if (layer.experts == 0 || resting <= 0) return Of(layer.mlp_weights_stored);
  const double of_expert = Of(layer.mlp_weights_stored - layer.mlp_weights) / Of(resting);
  const double shared = Of(layer.mlp_weights) - of_expert * Of(layer.active_experts);
  return shared + of_expert * ExpertsRead(layer, rows);
}

int64_t LayersWithState(const Decoder& decoder) {
  int64_t count = 0;
  for (const DecoderLayers& layer : decoder.layers) count += layer.state_elements > 0 ? layer.count : 0;
  return count;
}

// Launches of products in the layers. A mixture counts its experts as two, gate_up and down, of however many are
// chosen.
double Launches(const LlmSetup& setup, double rows) {
  double launches = 0;
  for (const DecoderLayers& layer : setup.decoder.layers) {
    const bool is_apart = setup.language.experts_apart && layer.experts > layer.active_experts;
    launches += Of(layer.count) * (Of(layer.products) + (is_apart ? 2 * (ExpertsRead(layer, rows) - 1) : 0));
  }
  return launches;
}

// Of a row of each product: one of a mixture of experts sees but its share of the rows.
double RowMacs(const Decoder& decoder) {
  double macs = 0;
  for (const DecoderLayers& layer : decoder.layers) {
    const double share = layer.active_experts > 0 ? Of(layer.experts) / Of(layer.active_experts) : 1;
    macs += Of(layer.count) * (Of(layer.attention_weights) + Of(layer.mlp_weights) * share);
  }
  return macs;
}

double LayerMacs(const Decoder& decoder) {
  double macs = 0;
  for (const DecoderLayers& layer : decoder.layers) {
    macs += Of(layer.count) * (Of(layer.attention_weights) + Of(layer.mlp_weights));
  }
  return macs;
}

// Of a chunk of a prompt, or a step of decoding: the longer of reading and computing, and the rest of the shorter.
LlmShare Roofline(LlmPart part, double bytes, double bytes_per_s, double macs, double macs_per_s, double overlap) {
  const double reading = bytes / bytes_per_s, computing = macs / macs_per_s;
  return {.part = part,
          .seconds = std::max(reading, computing) + (1 - overlap) * std::min(reading, computing),
          .bytes = bytes,
          .macs = macs,
          .by_compute = computing > reading};
}

class PartSum {
 public:
  void Add(const LlmShare& share) {
    for (LlmShare& known : parts_) {
      if (known.part != share.part) continue;
      if (share.seconds > known.seconds) {
        known.by_compute = share.by_compute;
        known.by_unpacking = share.by_unpacking;
      }
      known.seconds += share.seconds;
      known.bytes += share.bytes;
      known.macs += share.macs;
      return;
    }
    if (share.seconds > 0 || share.bytes > 0) parts_.push_back(share);
  }
  void Add(LlmPart part, double seconds) { Add({.part = part, .seconds = seconds}); }
  std::vector<LlmShare> Take() && { return std::move(parts_); }

 private:
  std::vector<LlmShare> parts_;
};

double LayerWeightsRead(const Decoder& decoder, double rows) {
  double weights = 0;
  for (const DecoderLayers& layer : decoder.layers) {
    weights += Of(layer.count) * (Of(layer.attention_weights) + MlpWeightsRead(layer, rows));
  }
  return weights;
}

double CacheBytesRead(const LlmSetup& setup, int64_t tokens) {
  return Of(CacheElements(setup.decoder, tokens)) * setup.bits.cache / kBitsPerByte;
}

double StateBytes(const Decoder& decoder) { return Of(StateElements(decoder)) * kStateBytes; }

// Reading the caches, and what attention of `rows` tokens, each of which sees `seen` others, computes beyond that: the
// longer of its products and its softmax.
void AddAttention(const LlmSetup& setup, double bytes, double rows, int64_t seen, PartSum* sum) {
  const LlmConstants& c = setup.constants;
  const double macs = rows * Of(CacheMacs(setup.decoder, seen));
  const double reading = bytes / (setup.bytes_per_s * c.decode_efficiency * c.cache_efficiency);
  double computing = macs / (setup.attention_macs_per_s * c.attention_efficiency);
  if (c.attention_scores_per_cycle.has_value() && setup.cycles_per_s.has_value()) {
    const double scores = rows * Of(CacheScores(setup.decoder, seen));
    computing = std::max(computing, scores / (*c.attention_scores_per_cycle * *setup.cycles_per_s));
  }
  sum->Add({.part = LlmPart::kCache, .seconds = reading, .bytes = bytes});
  if (computing > reading) {
    sum->Add({.part = LlmPart::kAttention, .seconds = computing - reading, .macs = macs, .by_compute = true});
  } else {
    sum->Add({.part = LlmPart::kCache, .macs = macs});
  }
}

double RowsEfficiency(const LlmConstants& c, double rows) { return rows / (rows + c.prompt_half_rows); }

// The same of all products in the layers. Rows of all requests go to an expert together.
double LayersEfficiency(const LlmSetup& setup, double rows, double batch) {
  const double row_macs = LayerMacs(setup.decoder), macs = batch * rows * row_macs;
  if (macs <= 0) return 1;
  return macs / (macs + setup.constants.prompt_half_rows * (RowMacs(setup.decoder) + (batch - 1) * row_macs));
}

// What the memory allows kernels that read the weights anew for every few rows.
double MemoryMacsPerS(const LlmSetup& setup) {
  return setup.constants.prompt_macs_per_byte.value_or(0) * setup.bytes_per_s;
}

// The lower of what arithmetic and memory allow the products of a chunk.
double PromptMacsPerS(const LlmSetup& setup, double rows, double batch) {
  const LlmConstants& c = setup.constants;
  const double peak = setup.peak_macs_per_s * c.prompt_efficiency * LayersEfficiency(setup, rows, batch);
  return c.prompt_macs_per_byte.has_value() ? std::min(peak, MemoryMacsPerS(setup)) : peak;
}

// One run of a part in front of the decoder.
void AddEncoder(const LlmSetup& setup, LlmPart part, const EncoderPart& encoder, double runs, PartSum* sum) {
  const LlmConstants& c = setup.constants;
  sum->Add(Roofline(part, Of(encoder.weights) * kStateBytes, setup.bytes_per_s * c.prompt_weight_efficiency,
                    runs * Of(encoder.macs), setup.attention_macs_per_s * c.image_efficiency, 1));
}

// Keys and values of an encoder's tokens, made once.
double CrossMacs(const Decoder& decoder) {
  double macs = 0;
  for (const DecoderLayers& layer : decoder.layers) {
    macs += Of(layer.count) * Of(layer.cross_weights) * Of(layer.cross_tokens);
  }
  return macs;
}

double CrossWeights(const Decoder& decoder) {
  double weights = 0;
  for (const DecoderLayers& layer : decoder.layers) weights += Of(layer.count) * Of(layer.cross_weights);
  return weights;
}

void AddBefore(const LlmSetup& setup, const LlmPrompt& prompt, PartSum* sum) {
  const Decoder& decoder = setup.decoder;
  const double batch = Of(prompt.batch);
  if (decoder.vision.has_value() && prompt.images > 0) {
    AddEncoder(setup, LlmPart::kImage, *decoder.vision, batch * Of(prompt.images), sum);
  }
  if (decoder.encoder.has_value()) AddEncoder(setup, LlmPart::kEncoder, *decoder.encoder, batch, sum);
  if (CrossMacs(decoder) > 0) {
    const LlmConstants& c = setup.constants;
    sum->Add(Roofline(LlmPart::kEncoder, CrossWeights(decoder) * setup.bits.attention / kBitsPerByte,
                      setup.bytes_per_s * c.prompt_weight_efficiency, batch * CrossMacs(decoder),
                      setup.peak_macs_per_s * c.prompt_efficiency, c.prompt_overlap));
  }
}

// `rows` tokens behind `before` others.
void AddChunk(const LlmSetup& setup, const LlmPrompt& prompt, int64_t before, int64_t rows, PartSum* sum) {
  const LlmConstants& c = setup.constants;
  const double all_rows = Of(rows) * Of(prompt.batch);
  const double macs_per_s = PromptMacsPerS(setup, Of(rows), Of(prompt.batch));
  LlmShare products =
      Roofline(LlmPart::kWeights, LayerBytesRead(setup, all_rows), setup.bytes_per_s * c.prompt_weight_efficiency,
               all_rows * LayerMacs(setup.decoder), macs_per_s, c.prompt_overlap);
  const bool reads_again = c.prompt_macs_per_byte.has_value() && macs_per_s >= MemoryMacsPerS(setup);
  products.by_compute = products.by_compute && !reads_again;
  sum->Add(products);
  const bool whole = setup.language.reads_whole_cache;
  const int64_t seen = whole ? std::max(prompt.reserved, before + rows) : before + (rows + 1) / 2;
  const int64_t read = whole ? seen : before + rows;
  AddAttention(setup, Of(prompt.batch) * (CacheBytesRead(setup, read) + 2 * StateBytes(setup.decoder)), all_rows, seen,
               sum);
  const double layers = Of(LayerCount(setup.decoder));
  const double states = std::max(c.prompt_state_bytes * Of(StateElements(setup.decoder)) * Of(prompt.batch),
                                 c.prompt_state_layer_bytes * Of(LayersWithState(setup.decoder)));
  const double moved = c.prompt_product_bytes * Launches(setup, all_rows) +
                       layers * c.prompt_row_bytes * Of(setup.decoder.hidden) * all_rows;
  sum->Add({.part = LlmPart::kActivations, .seconds = moved / setup.bytes_per_s, .bytes = moved});
  sum->Add({.part = LlmPart::kStates, .seconds = states * Of(rows) / setup.bytes_per_s, .bytes = states * Of(rows)});
  sum->Add(LlmPart::kLayers, c.prompt_layer_s * layers);
  sum->Add(LlmPart::kFixed, c.prompt_chunk_s);
  if (!setup.language.head_of_every_row) return;
  sum->Add(Roofline(LlmPart::kHead, HeadBytes(setup), setup.bytes_per_s * c.prompt_weight_efficiency,
                    all_rows * Of(setup.decoder.head_weights),
                    setup.peak_macs_per_s * c.prompt_efficiency * RowsEfficiency(c, Of(rows)), c.prompt_overlap));
}

int64_t RowsOfChunk(const LlmSetup& setup, int64_t tokens) {
  const std::optional<double> rows = setup.language.prompt_rows.value();
  if (!rows.has_value()) return std::max<int64_t>(tokens, 1);
  const auto most = static_cast<int64_t>(*rows);
  return setup.language.pads_prompt ? most : std::clamp<int64_t>(tokens, 1, most);
}

// Products of a step: weights are read, and unpacked, once; what further rows compute hides behind that as far as
// batch_overlap says.
LlmShare ProductsOfStep(const LlmSetup& setup, LlmPart part, double rows, double weights, double bytes, double macs) {
  const LlmConstants& c = setup.constants;
  double unpacking = 0;
  if (c.decode_weights_per_cycle.has_value() && setup.cycles_per_s.has_value()) {
    const bool is_narrow = Of(setup.decoder.hidden) < c.decode_narrow_columns.value_or(0);
    const double share = is_narrow ? c.decode_narrow_share : 1;
    unpacking = weights / (*c.decode_weights_per_cycle * share * *setup.cycles_per_s);
  }
  const double from_memory = bytes / (setup.bytes_per_s * c.decode_efficiency);
  const double reading = std::max(from_memory, unpacking);
  const double of_row = macs / (setup.peak_macs_per_s * c.batch_efficiency);
  const double hidden = std::max(reading, rows * of_row);
  const double added = std::max(reading, of_row) + (rows - 1) * of_row;
  return {.part = part,
          .seconds = c.batch_overlap * hidden + (1 - c.batch_overlap) * added,
          .bytes = bytes,
          .macs = rows * macs,
          .by_compute = rows * of_row > reading,
          .by_unpacking = rows * of_row <= reading && unpacking > from_memory};
}

LlmShare HeadOfStep(const LlmSetup& setup, double rows) {
  const double weights = Of(setup.decoder.head_weights);
  return ProductsOfStep(setup, LlmPart::kHead, rows, weights, HeadBytes(setup), weights);
}

double TableBytes(const LlmSetup& setup) {
  const Decoder& decoder = setup.decoder;
  if (setup.language.shares_tied && decoder.tied_embedding) return HeadBytes(setup);
  const double table = Of(decoder.embedding_weights) * setup.bits.embedding / kBitsPerByte;
  return HeadBytes(setup) + (setup.language.embedding_in_flash ? 0 : table);
}

double PartBytes(const std::optional<EncoderPart>& part) {
  return part.has_value() ? Of(part->weights) * kStateBytes : 0;
}

// The longest prompt that memory is planned for: where all rows run together, that of the context that the runtime is
// built with.
int64_t PlannedTokens(const LlmSetup& setup, const LlmPrompt& prompt) {
  const std::optional<double> context = setup.language.default_context.value();
  const bool in_chunks = setup.language.prompt_rows.known();
  const int64_t built_for = context.has_value() && !in_chunks ? static_cast<int64_t>(*context) : 1;
  return std::max(prompt.tokens, built_for);
}

// Activations of the rows that are computed together: the stream of layers, their widest inner tensors, logits, scores.
double ActivationBytes(const LlmSetup& setup, const LlmPrompt& prompt) {
  const int64_t tokens = PlannedTokens(setup, prompt);
  const int64_t chunk = std::min(RowsOfChunk(setup, tokens), tokens);
  const double rows = Of(prompt.batch) * Of(setup.language.pads_prompt ? RowsOfChunk(setup, prompt.tokens) : chunk);
  double widest = 0, scores = 0;
  for (const DecoderLayers& layer : setup.decoder.layers) {
    const double of_heads = Of(layer.heads * layer.key_dim + layer.kv_heads * (layer.key_dim + layer.value_dim));
    widest = std::max({widest, of_heads, 2 * Of(layer.mlp_width)});
    scores = std::max(scores, Of(layer.heads) * Of(std::max(prompt.reserved, prompt.tokens)));
  }
  const double of_row =
      (2 * Of(setup.decoder.hidden) + widest + (setup.language.scores_in_memory ? scores : 0)) * kStateBytes;
  const double logits = setup.language.head_of_every_row ? rows : Of(prompt.batch);
  return rows * of_row + logits * Of(setup.decoder.vocab) * kLogitBytes;
}

}  // namespace

double LayerBytesRead(const LlmSetup& setup, double rows) {
  double bits = 0;
  for (const DecoderLayers& layer : setup.decoder.layers) {
    bits += Of(layer.count) *
            (Of(layer.attention_weights) * setup.bits.attention + MlpWeightsRead(layer, rows) * setup.bits.block +
             Of(layer.other_weights) * setup.bits.vector);
  }
  return (bits + Of(setup.decoder.other_weights) * setup.bits.vector) / kBitsPerByte;
}

double LayerBytesStored(const LlmSetup& setup) {
  double bits = 0;
  for (const DecoderLayers& layer : setup.decoder.layers) {
    bits += Of(layer.count) *
            (Of(layer.attention_weights + layer.cross_weights) * setup.bits.attention +
             Of(layer.mlp_weights_stored) * setup.bits.block + Of(layer.other_weights) * setup.bits.vector);
  }
  return (bits + Of(setup.decoder.other_weights) * setup.bits.vector) / kBitsPerByte;
}

double HeadBytes(const LlmSetup& setup) { return Of(setup.decoder.head_weights) * setup.bits.head / kBitsPerByte; }

double WeightBytes(const LlmSetup& setup) { return LayerBytesStored(setup) + TableBytes(setup); }

std::vector<LlmShare> TokenParts(const LlmSetup& setup, const LlmStep& step) {
  const LlmConstants& c = setup.constants;
  const double batch = Of(step.batch), rows = batch * Of(step.rows);
  PartSum sum;
  sum.Add(ProductsOfStep(setup, LlmPart::kWeights, rows, LayerWeightsRead(setup.decoder, rows),
                         LayerBytesRead(setup, rows), LayerMacs(setup.decoder)));
  sum.Add(HeadOfStep(setup, rows));
  const int64_t tokens = setup.language.reads_whole_cache ? std::max(step.reserved, step.depth) : step.depth;
  AddAttention(setup, batch * (CacheBytesRead(setup, tokens) + 2 * StateBytes(setup.decoder)), rows, tokens, &sum);
  sum.Add(LlmPart::kLayers, (c.decode_layer_s + c.batch_layer_s * (batch - 1)) * Of(LayerCount(setup.decoder)) +
                                c.decode_state_layer_s * Of(LayersWithState(setup.decoder)) +
                                c.decode_product_s * Launches(setup, rows));
  sum.Add(LlmPart::kSampling, rows * c.decode_head_s_per_logit * Of(setup.decoder.vocab));
  sum.Add(LlmPart::kFixed, c.decode_fixed_s);
  return std::move(sum).Take();
}

std::vector<LlmShare> PromptParts(const LlmSetup& setup, const LlmPrompt& prompt) {
  const LlmConstants& c = setup.constants;
  PartSum sum;
  AddBefore(setup, prompt, &sum);
  const int64_t rows = RowsOfChunk(setup, prompt.tokens);
  for (int64_t before = 0; before < prompt.tokens; before += rows) {
    const int64_t left = setup.language.pads_prompt ? rows : std::min(rows, prompt.tokens - before);
    AddChunk(setup, prompt, before, left, &sum);
  }
  if (!setup.language.head_of_every_row) sum.Add(HeadOfStep(setup, Of(prompt.batch)));
  sum.Add(LlmPart::kFixed, c.prompt_fixed_s + c.prompt_token_s * Of(prompt.batch) * Of(prompt.tokens));
  if (c.first_tokens > 0) {
    const double step =
        SecondsOf(TokenParts(setup, {.batch = prompt.batch, .depth = prompt.tokens, .reserved = prompt.reserved}));
    sum.Add(LlmPart::kFirstStep, c.first_tokens * step);
  }
  return std::move(sum).Take();
}

double SecondsOf(const std::vector<LlmShare>& parts) {
  double seconds = 0;
  for (const LlmShare& part : parts) seconds += part.seconds;
  return seconds;
}

LlmMemory MemoryFor(const LlmSetup& setup, const LlmPrompt& prompt) {
  LlmMemory memory;
  // Whole bytes, though formats have fractions of bits: the parts add up to the total in every report.
  memory.weights_bytes = std::round(WeightBytes(setup) + (setup.constants.weight_copies - 1) * LayerBytesStored(setup) +
                                    PartBytes(setup.decoder.vision) + PartBytes(setup.decoder.encoder));
  memory.cache_bytes =
      std::round(Of(prompt.batch) * (CacheBytesRead(setup, prompt.reserved) + StateBytes(setup.decoder)));
  memory.work_bytes = std::round(setup.constants.work_bytes + ActivationBytes(setup, prompt));
  return memory;
}

std::optional<LlmJoules> EnergyOf(const LlmSetup& setup, const std::vector<LlmShare>& parts,
                                  std::optional<double> measured_w) {
  const double seconds = SecondsOf(parts);
  if (seconds <= 0) return std::nullopt;
  LlmJoules energy;
  if (measured_w.has_value()) {
    energy.joules = *measured_w * seconds;
  } else {
    if (!setup.j_per_byte.has_value()) return std::nullopt;
    double bytes = 0, macs = 0;
    for (const LlmShare& part : parts) {
      bytes += part.bytes;
      macs += part.macs;
    }
    energy.joules = bytes * *setup.j_per_byte + macs * setup.mac_j + setup.static_w * seconds;
  }
  if (setup.cap_w.has_value()) energy.joules = std::min(energy.joules, *setup.cap_w * seconds);
  energy.watts = energy.joules / seconds;
  return energy;
}

}  // namespace hwest

// A model as a runtime of a target runs it: unit, formats and the constants of the laws, as plain numbers.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/decoder.h"
#include "hwest/llm.h"
#include "hwest/target.h"

namespace hwest {

// The laws' constants in effect; language.cc says what each means.
struct LlmConstants {
  double decode_efficiency, cache_efficiency, decode_fixed_s, decode_layer_s, decode_head_s_per_logit, batch_efficiency;
  double decode_state_layer_s, decode_product_s, batch_layer_s, batch_overlap;
  double prompt_efficiency, prompt_half_rows, prompt_weight_efficiency, prompt_overlap, attention_efficiency;
  double prompt_fixed_s, prompt_chunk_s, prompt_layer_s, prompt_token_s, first_tokens, image_efficiency;
  double prompt_product_bytes, prompt_state_bytes, prompt_state_layer_bytes, prompt_row_bytes;
  double work_bytes, weight_copies;
  double decode_narrow_share;
  std::optional<double> decode_weights_per_cycle, decode_narrow_columns, attention_scores_per_cycle;
  std::optional<double> prompt_macs_per_byte, macs_per_cycle;
  std::optional<double> power_w, prompt_power_w, host_w;
  double decode_spread, prompt_spread, prompt_state_spread, memory_spread;
};

// Bits of an element as stored.
struct LlmBits {
  double block, attention, head, embedding, vector, cache;
};

struct LlmSetup {
  Decoder decoder;  // without windows where the runtime keeps whole caches
  Language language;
  LlmConstants constants;
  LlmBits bits;
  double bytes_per_s = 0;              // of the shared memory
  double peak_macs_per_s = 0;          // of products with weights
  double attention_macs_per_s = 0;     // of attention
  std::optional<double> cycles_per_s;  // of all cores
  double mac_j = 0;
  std::optional<double> j_per_byte;
  double static_w = 0;
  std::optional<double> cap_w;
  bool is_discrete = false;
  std::optional<double> memory_bytes;
  std::string memory;
  std::string weights, cache;  // names of the formats
  std::string unit;
  Trust trust = Trust::kUnset;  // the weakest of the constants that decide
  bool is_fitted = false;       // those are fitted to measurements of this target
};

// A runtime of a target with what its file says.
struct LlmCandidate {
  const LanguageRuntime* runtime = nullptr;
  Toolchain toolchain;
};
// Those of the target, the default first. Errors: those of LoadToolchain.
absl::StatusOr<std::vector<LlmCandidate>> CandidatesOf(const Target& target);

// Whether `name` means the runtime.
bool IsCalled(const LlmCandidate& candidate, absl::string_view name);

// Formats that the runtime has on the target, the usual one first.
std::vector<const WeightFormat*> WeightFormatsOf(const LlmCandidate& candidate, const Target& target);
std::vector<const CacheFormat*> CacheFormatsOf(const LlmCandidate& candidate);
// By name or other name, whatever the case; null = there is none.
const WeightFormat* FindFormat(const std::vector<const WeightFormat*>& formats, absl::string_view name);
const CacheFormat* FindFormat(const std::vector<const CacheFormat*>& formats, absl::string_view name);

// Why the runtime does not take the model, in words; empty = it does. `note` gets what no row of it says.
std::string RefusalOf(const Decoder& decoder, const LlmRequest& request, const Language& language, std::string* note);

// Errors: kTargetInvalid where the target lacks a figure that the laws need.
absl::StatusOr<LlmSetup> SetUp(const Decoder& decoder, const Target& target, const LlmCandidate& candidate,
                               const WeightFormat& weights, const CacheFormat& cache);

}  // namespace hwest

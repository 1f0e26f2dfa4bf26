// Language models: time to the first token, tokens per second, energy and memory of a decoder on a runtime of a target.
//
//   HWEST_ASSIGN_OR_RETURN(const LlmResult result, EstimateLlm(decoder, target, {.prompts = {128, 1024}}));
//   for (const LlmRow& row : result.rows) { ... row.ttft_s.value, row.token_s.value ... }
//
// Every time and energy is that of the runtime's own form of the model: its formats, not the file's. Units of measure
// are the suffix of the field. What is not known is an empty optional.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/decoder.h"
#include "hwest/report.h"
#include "hwest/target.h"

namespace hwest {

struct LlmDraft {
  Decoder decoder;
  double acceptance = 0.7;  // share of proposed tokens that the model takes
  int64_t tokens = 4;       // proposed at once
};

struct LlmRequest {
  std::string runtime;                   // toolchain, or another name of it; empty = the target's default
  std::string weights;                   // a format of the runtime; empty = the usual one on the target
  std::string cache;                     // likewise
  std::vector<int64_t> prompts = {128};  // tokens, those of images not among them
  std::vector<int64_t> contexts;  // tokens in the cache when a token is timed, and for which memory is kept; empty =
                                  // those of the prompt and half its answer, memory as the runtime does
  std::vector<int64_t> batches = {1};
  int64_t new_tokens = 128;
  int64_t image_tokens = 0;  // of all images of the prompt; with a vision part 0 = those of one run of it
  int64_t prompt_rows = 0;   // tokens of a prompt computed together (-ub of llama.cpp); 0 = as the runtime does
  std::optional<LlmDraft> draft;
};

// A figure and the interval that holds four of five measurements.
struct LlmRange {
  double value = 0, low = 0, high = 0;
};

// What a time is spent on. The parts of one time add up to it.
enum class LlmPart : uint8_t {
  kWeights,      // reading those of the layers, or computing with them, whichever is longer
  kHead,         // the same of the last product, which makes the logits
  kCache,        // reading keys, values and states
  kAttention,    // arithmetic of attention beyond reading the cache
  kActivations,  // moving them between the products of a prompt
  kStates,       // moving those that each token of a prompt reads and writes
  kLayers,       // launches: what each layer costs whatever its size
  kFixed,        // what each token, chunk or prompt costs whatever the model
  kSampling,     // of the vocabulary
  kImage,        // vision part
  kEncoder,
  kFirstStep,  // decoding steps within the time to the first token
};
absl::string_view LlmPartName(LlmPart part);  // "weights"

struct LlmShare {
  LlmPart part = LlmPart::kWeights;
  double seconds = 0;
  double bytes = 0;  // from memory
  double macs = 0;
  bool by_compute = false;    // the arithmetic is longer than the reading
  bool by_unpacking = false;  // else: unpacking the weights is, not the memory
};
absl::string_view BoundOf(const LlmShare& share);  // "compute", "unpacking", "memory"

struct LlmMemory {
  double weights_bytes = 0;  // all of them, those of experts that rest, too
  double cache_bytes = 0;    // with states
  double work_bytes = 0;     // activations of a prompt, logits, the runtime itself
  double total_bytes() const { return weights_bytes + cache_bytes + work_bytes; }
};

struct LlmEnergy {
  double j_per_token = 0;  // of what the target's power covers
  double prompt_j = 0;
  double power_w = 0;                      // while decoding
  std::optional<double> host_j_per_token;  // of the host of a module, apart; none = not stated
  std::optional<double> host_prompt_j;
};

// One prompt, context and batch.
struct LlmRow {
  int64_t prompt = 0;    // with the tokens of images
  int64_t context = 0;   // in the cache, at the token timed
  int64_t reserved = 0;  // that memory is kept for
  int64_t batch = 1;
  LlmRange ttft_s;
  LlmRange token_s;               // of one step, which makes a token for each request of the batch
  double tokens_per_s = 0;        // of each request
  double total_tokens_per_s = 0;  // of all of them
  double prompt_tokens_per_s = 0;
  double answer_s = 0;  // of the prompt and all new tokens
  std::optional<LlmEnergy> energy;
  LlmMemory memory;
  std::optional<bool> fits;  // none = the target's memory is not known
  std::vector<LlmShare> token_parts;
  std::vector<LlmShare> prompt_parts;
};
absl::string_view BoundOf(const LlmRow& row);  // of the longest part of a token; "overhead" where that does no work

// What another format of weights or cache gives for the first row.
struct LlmChoice {
  std::string weights, cache;
  bool is_chosen = false;
  double weight_bits = 0;  // a weight of the layers, as stored
  double ttft_s = 0, token_s = 0;
  LlmMemory memory;
  std::optional<bool> fits;
  std::optional<int64_t> largest_context;
};

struct LlmDraftResult {
  double step_s = 0;  // of the draft's proposals and the model's check
  double tokens_per_step = 0;
  double tokens_per_s = 0;
  double speedup = 0;                // against no draft
  std::optional<double> break_even;  // acceptance from which it is faster; none = never
  LlmMemory memory;                  // of the draft
};

struct LlmNote {
  std::string text;
  std::string remedy;  // empty = there is nothing to do
};

struct LlmResult {
  std::string model, target, mode;
  std::string runtime, runtime_title, unit, weights, cache;
  std::optional<uint32_t> cores;           // of the unit, where the runtime chooses them, whatever the mode says
  std::string refusal;                     // why no row is here; empty = it runs
  std::string instead;                     // what can run it
  std::vector<LlmRow> rows;                // by prompt, context, batch
  std::optional<double> memory_bytes;      // that the target has for it
  std::string memory;                      // its name
  std::optional<int64_t> largest_context;  // that fits with the first batch; none = not known, 0 = not even the weights
  std::optional<LlmMemory> at_largest;
  std::vector<LlmRow> by_context;        // the first prompt and batch with 128, 256, ... tokens in the cache
  std::vector<LlmRow> by_batch;          // the first row in batches of 1, 2, 4, ... as far as the runtime takes them
  std::optional<int64_t> compute_batch;  // least batch at which arithmetic takes over
  std::vector<LlmChoice> choices;
  std::optional<LlmDraftResult> draft;
  std::optional<double> power_cap_w;
  Trust trust = Trust::kUnset;  // the weakest of the constants behind the times
  bool is_fitted = false;       // the constants that decide were fitted to measurements of this target
  std::vector<LlmNote> notes;
};

// What can be asked of a target.
struct LlmRuntime {
  std::string name, title, unit;
  bool is_default = false;
  std::vector<std::string> weights, caches;
};
// Those that exist for the target, the default first. Errors: those of LoadToolchain.
absl::StatusOr<std::vector<LlmRuntime>> RuntimesOf(const Target& target);

// Errors: kUsage for a runtime, format or length that does not exist there, naming those that do. A model that the
// runtime refuses is no error: `refusal` says why.
absl::StatusOr<LlmResult> EstimateLlm(const Decoder& decoder, const Target& target, const LlmRequest& request);

// One model on several targets, the one whose answer is there first in front, those that do not run it last.
struct LlmReport {
  Decoder decoder;
  LlmRequest request;
  std::vector<LlmResult> results;
};
enum class FormatRows : bool { kNo, kYes };
// Formats: text, JSON, CSV (the rows), Markdown, HTML (the text, and figures over the context), SVG, PNG and PDF (their
// picture). `what_if` is whether text and HTML list every format. Errors: kUsage for other formats; those of `sink`.
absl::Status WriteLlm(const LlmReport& report, FormatRows what_if, const ReportOptions& options, Sink sink);

}  // namespace hwest

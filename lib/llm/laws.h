// The laws of language models: how long a token and a prompt take, and what is in memory.
//
// A step of decoding reads all weights and the caches of its requests, and steps follow each other without overlap. A
// prompt is computed in chunks of rows, each the longer of arithmetic and reading the weights.
#pragma once

#include <cstdint>
#include <vector>

#include "hwest/llm.h"
#include "llm/setup.h"

namespace hwest {

// Bytes of matrices that a step over `rows` tokens reads in the layers, and those that are stored. Of a mixture, the
// experts that at least one of the rows is expected to choose, as if each chose at random.
double LayerBytesRead(const LlmSetup& setup, double rows);
double LayerBytesStored(const LlmSetup& setup);
double HeadBytes(const LlmSetup& setup);
// All weights once, with lm_head and the table of tokens as far as that is in memory.
double WeightBytes(const LlmSetup& setup);

// Of one step that makes a token for each of `batch` requests, `depth` of whose `reserved` tokens are in the cache.
// `rows` tokens of each are computed: more than one where a draft is checked.
struct LlmStep {
  int64_t batch = 1;
  int64_t depth = 0;
  int64_t reserved = 0;
  int64_t rows = 1;
};
std::vector<LlmShare> TokenParts(const LlmSetup& setup, const LlmStep& step);

// Of the prompts of `batch` requests, computed together, up to the first token of each.
struct LlmPrompt {
  int64_t tokens = 0;
  int64_t images = 0;  // runs of the vision part
  int64_t batch = 1;
  int64_t reserved = 0;
};
std::vector<LlmShare> PromptParts(const LlmSetup& setup, const LlmPrompt& prompt);

double SecondsOf(const std::vector<LlmShare>& parts);

LlmMemory MemoryFor(const LlmSetup& setup, const LlmPrompt& prompt);

// Energy of the parts, and the power that it takes over their time; none where the target does not state it.
struct LlmJoules {
  double joules = 0;
  double watts = 0;
};
std::optional<LlmJoules> EnergyOf(const LlmSetup& setup, const std::vector<LlmShare>& parts,
                                  std::optional<double> measured_w);

}  // namespace hwest

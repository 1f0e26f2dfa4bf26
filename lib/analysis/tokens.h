// Tokens: how many a language model takes in per run.
#pragma once

#include <cstdint>
#include <optional>

#include "hwest/analysis.h"

namespace hwest {

// TokensOf returns the tokens of one run, batch times length: the elements of the integer input that picks rows of the
// largest table (the vocabulary), when the model also keeps a cache from run to run or an output has a dim of the
// table's length (logits). None for other models, encoders of text among them.
std::optional<int64_t> TokensOf(const Analysis& analysis);

// TokensPerSecond is TokensOf over the interval of `plan`. For one token per sequence and run these are new tokens; for
// more, tokens of a prompt that are processed. None for other models.
std::optional<double> TokensPerSecond(const Analysis& analysis, const Plan& plan);

}  // namespace hwest

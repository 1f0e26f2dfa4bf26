// Validation against measurements of language models: rows that name a runtime, formats, a prompt and a context.
//
// Columns: model, device, unit, runtime, weights, prompt_len, batch are needed, and one of ttft_ms, prefill_tok_s and
// decode_tok_s; act, kv, context_len, gen_len, mode, target, graph, family, source, date_version, trust and note help.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "fit/summary.h"

namespace hwest {

struct LanguageRowsOptions {
  std::string models;   // folder of the graphs that rows name, or that has them in a folder "llm"
  std::string configs;  // folder of NAME.json, the configurations of models without a graph; empty = none
  std::string target;   // predicts every row on this one; empty = by the rows' column
};

// Whether the text is a table of such rows.
bool HasLanguageRows(absl::string_view text);

// Every figure becomes a point or is counted in `skipped`. Errors: kUsage for a table that cannot be read.
absl::StatusOr<Validation> ValidateLanguageRows(absl::string_view text, absl::string_view name,
                                                const LanguageRowsOptions& options);

}  // namespace hwest

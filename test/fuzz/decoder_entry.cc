// The entries for language models: a configuration, the header of a GGUF file, a graph.
#include <memory>

#include "analysis/load.h"
#include "fuzz/entries.h"
#include "fuzz/require.h"
#include "hwest/analysis.h"
#include "hwest/decoder.h"

namespace hwest::test {
namespace {

void CheckDecoder(const absl::StatusOr<Decoder>& decoder) {
  RequireKnownError(decoder.status());
  if (!decoder.ok()) return;
  constexpr int64_t kTokens = 4096;
  Require(StoredParams(*decoder) >= 0 && ActiveParams(*decoder) >= 0, "parameters are counts");
  Require(CacheElements(*decoder, kTokens) >= CacheElements(*decoder, 1), "a longer context takes no less");
  Require(CacheMacs(*decoder, kTokens) >= CacheMacs(*decoder, 1), "a longer context is no less work");
  Require(StateElements(*decoder) >= 0 && LayerCount(*decoder) >= AttentionLayers(*decoder), "layers are counts");
}

}  // namespace

void RunDecoder(absl::string_view bytes) {
  CheckDecoder(DecoderOfConfig(bytes, "fuzz"));
  CheckDecoder(DecoderOfGguf(bytes, "fuzz", static_cast<int64_t>(bytes.size())));
}

void RunDecoderGraph(absl::string_view bytes) {
  LoadOptions limits;
  limits.max_nodes = 10'000;
  const auto graph = LoadModelFromMemoryWith(bytes, "fuzz", limits);
  RequireKnownError(graph.status());
  if (graph.ok()) CheckDecoder(DecoderOfGraph(*graph));
}

}  // namespace hwest::test

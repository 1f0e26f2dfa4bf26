#include "fuzz/entries.h"

#include <algorithm>
#include <iterator>

namespace hwest::test {
namespace {

constexpr Entry kEntries[] = {
    {"dims", "lines of dim expressions and range constraints", "dims", RunDims},
    {"metadata", "lines of node metadata and of a node name", "metadata", RunMetadata},
    {"reader", "a model file, read and built", "model", RunReader},
    {"ops", "choices that make a model of a few nodes, inferred unbound and bound", "ops", RunOps},
    {"target", "a target file, its modes applied", "target", RunTarget},
    {"rewrite", "a model file, rewritten, written and read again", "model", RunRewrite},
    {"model", "a model file, analysed without a target and with one", "model", RunModel},
    {"reports", "a model file, through every stage and format", "model", RunReports},
    {"toolchain", "a toolchain file", "toolchain", RunToolchain},
    {"op_rules", "rules of custom operators, applied", "op_rules", RunOpRules},
    {"fusions", "patterns of fusions, applied", "fusions", RunFusions},
    {"rules", "rules of rewriting, applied", "rules", RunRewriteRules},
    {"budget", "a budget, as text and as JSON", "budget", RunBudget},
    {"workload", "a workload, as text or as JSON", "workload", RunWorkload},
    {"measurements", "measurements in any form", "measurements", RunMeasurements},
    {"profile", "a profile of operators, laid beside a plan", "profile", RunProfile},
    {"operators", "measured operators, and the graph of each row", "operators", RunOperators},
    {"log", "a compiler's log, laid over a plan", "log", RunLog},
    {"saved", "a saved report or a record of evidence", "saved", RunSaved},
    {"value", "contents of an input", "value", RunValue},
    {"literal", "contents of an input, written out", "literal", RunLiteral},
    {"external", "where external data lie", "external", RunExternal},
    {"decoder", "a configuration of a language model, or the header of a GGUF file", "decoder", RunDecoder},
    {"decoder_graph", "a model file, read as a language model", "model", RunDecoderGraph},
    {"ranges", "what tensors lie between, as calibration writes it", "ranges", RunRanges},
    {"sensitivity", "losses of layers, and lines of layers with their formats", "sensitivity", RunSensitivity},
};

}  // namespace

absl::Span<const Entry> Entries() { return kEntries; }

const Entry* FindEntry(absl::string_view name) {
  const auto found =
      std::find_if(std::begin(kEntries), std::end(kEntries), [&](const Entry& entry) { return entry.name == name; });
  return found == std::end(kEntries) ? nullptr : found;
}

}  // namespace hwest::test

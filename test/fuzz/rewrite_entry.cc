#include <string>
#include <vector>

#include "fuzz/entries.h"
#include "fuzz/require.h"
#include "hwest/rewrite.h"

namespace hwest::test {
namespace {

// Some of the rules, others for other bytes; both directions of a pair at once are fine, too.
std::vector<std::string> RulesFor(absl::string_view bytes) {
  std::vector<std::string> names;
  size_t turn = bytes.size();
  for (const RewriteRuleInfo& rule : RewriteRuleInfos()) {
    if (turn++ % 3 != 0) names.emplace_back(rule.name);
  }
  return names;
}

// What is written is a model again, with the inputs and outputs it had.
void CheckRewritten(absl::string_view bytes, const Graph& graph, const RewriteOptions& options) {
  const auto request = [](const Graph&) { return absl::StatusOr<AnalysisRequest>(AnalysisRequest()); };
  const absl::StatusOr<Rewritten> rewritten = RewriteModelMemory(bytes, "model", request, options, nullptr);
  if (!rewritten.ok()) return RequireKnownError(rewritten.status());
  std::string written;
  const absl::StatusOr<RewriteTotals> totals = WriteRewritten(*rewritten, [&](absl::string_view part) {
    written.append(part.data(), part.size());
    return absl::OkStatus();
  });
  Require(totals.ok(), "a model that was read is written");
  Require(totals->bytes == static_cast<int64_t>(written.size()), "as many bytes are written as it says");
  const auto again = LoadModelFromMemory(written, "written");
  Require(again.ok(), "what was written is read again");
  Require((*again)->main().inputs.size() == graph.main().inputs.size(), "inputs stay");
  Require((*again)->main().outputs.size() == graph.main().outputs.size(), "outputs stay");
  for (size_t i = 0; i < graph.main().outputs.size(); ++i) {
    Require((*again)->name((*again)->main().outputs[i]) == graph.name(graph.main().outputs[i]),
            "outputs keep their names");
  }
}

}  // namespace

void RunRewrite(absl::string_view bytes) {
  const auto graph = LoadModelFromMemory(bytes, "model");
  if (!graph.ok() || (*graph)->nodes().size() > 2000) return;
  CheckRewritten(bytes, **graph, {});
  CheckRewritten(bytes, **graph, {.rules = RulesFor(bytes), .allow_approximate = true});
  CheckRewritten(bytes, **graph, {.scope = RewriteScope::kAnnotate});
  for (const int opset : {9, 12, 17}) CheckRewritten(bytes, **graph, {.rules = {"dead_removed"}, .opset = opset});
}

}  // namespace hwest::test

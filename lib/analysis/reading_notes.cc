#include "analysis/reading_notes.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cost/model_view.h"
#include "fuse/readings.h"
#include "hwest/reading.h"

namespace hwest {
namespace {

bool IsListed(const Toolchain& toolchain, absl::string_view domain, absl::string_view op) {
  const SupportRow* row = SupportOf(toolchain, domain, op);
  return toolchain.runs_everything || (row != nullptr && row->supported);
}

// Toolchains that do not list the operator, and that are not known to keep it as it is written.
std::vector<std::string> ToolchainsWithout(absl::string_view domain, absl::string_view op, const ReadingRow& reading,
                                           const Target& target) {
  std::vector<std::string> silent;
  for (const Toolchain& toolchain : target.toolchains) {
    const bool is_kept = KeepOf(toolchain, reading.match.name) != nullptr;
    if (!is_kept && !IsListed(toolchain, domain, op)) silent.push_back(toolchain.name);
  }
  return silent;
}

// Exporters guard every attention against NaN since 2025, and what compilers published is older: where a list lacks the
// operator of the guard, that it is left out is assumed.
void NoteNanGuards(Analysis& a) {
  const ReadingRow* guard = FindReading("nan_guard");
  if (a.reading == nullptr) return;
  int64_t guards = 0;
  NodeId first;
  for (const auto& [node, read] : a.reading->nodes) {
    if (read.row != guard || read.into != node) continue;
    first = !first.valid() || node < first ? node : first;
    ++guards;
  }
  if (guards == 0) return;
  const std::vector<std::string> silent = ToolchainsWithout("", guard->match.key, *guard, *a.target);
  if (silent.empty()) return;
  a.diagnostics.push_back(
      {.code = Code::kAssumed,
       .message = absl::StrCat(guards == 1 ? "this guard against NaN after a softmax counts as left out: "
                                           : absl::StrCat(guards, " guards against NaN after a softmax, this one the ",
                                                          "first, count as left out: "),
                               absl::StrJoin(silent, " and "), silent.size() > 1 ? " list" : " lists", " no ",
                               guard->match.key),
       .remedy = "--rewrite leaves them out where no mask can hide a whole row",
       .node = a.graph->Label(first),
       .options = {"--rewrite"}});
}

bool ImportsOtherDomains(const Graph& graph) {
  const auto& opsets = graph.info().opsets;
  return std::any_of(opsets.begin(), opsets.end(),
                     [&](const OpsetImport& import) { return !graph.str(import.domain).empty(); });
}

// Files that ONNX Runtime saves behind its own optimiser are for the machine that saved them; other compilers refuse
// them, and run the network from the file it was made of.
void NoteRuntimeOperators(Analysis& a) {
  const Graph& graph = *a.graph;
  if (!ImportsOtherDomains(graph)) return;
  const ReadingRow* reading = nullptr;
  int64_t taken = 0;
  NodeId first;
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    if (graph.domain(node).empty() || !IsKernel(a.classes[node])) continue;
    const ReadingRow* row = FindTaken({graph, a.facts, a.classes}, node);
    if (row == nullptr) continue;
    if (!first.valid()) reading = row;
    first = first.valid() ? first : node;
    ++taken;
  }
  if (!first.valid()) return;
  const auto silent = ToolchainsWithout(graph.domain(first), graph.op(first), *reading, *a.target);
  if (silent.empty()) return;
  // clang-format off
  a.diagnostics.push_back(
      {.code = Code::kAssumed,
       .message = absl::StrCat(taken == 1 ? "this operator of ONNX Runtime's own counts as the plain one it was made "
                                            "of: "
                                          : absl::StrCat(taken, " operators of ONNX Runtime's own, this one the first, "
                                                                "count as the plain ones they were made of: "),
                               absl::StrJoin(silent, " and "), silent.size() > 1 ? " list" : " lists", " no ",
                               graph.domain(first), "::", graph.op(first),
                               ", and compilers refuse a file that holds it"),
       .remedy = "compile the export it was made of, or what `onnx-hwest rewrite MODEL --target T --output OUT.onnx` "
                 "writes",
       .node = graph.Label(first)});
  // clang-format on
}

}  // namespace

int64_t CountTakenForPlain(const Analysis& analysis) {
  const Graph& graph = *analysis.graph;
  if (!analysis.plan.has_value() || !ImportsOtherDomains(graph)) return 0;
  int64_t taken = 0;
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    const GroupId group = analysis.plan->group_of[node];
    if (graph.domain(node).empty() || !group.valid()) continue;
    const UnitId unit = analysis.plan->groups[group.index()].unit;
    const Toolchain* toolchain = unit.valid() ? ToolchainOf(*analysis.target, analysis.target->units[unit]) : nullptr;
    if (toolchain == nullptr || IsListed(*toolchain, graph.domain(node), graph.op(node))) continue;
    taken += FindTaken({graph, analysis.facts, analysis.classes}, node) != nullptr ? 1 : 0;
  }
  return taken;
}

void NoteAssumedReadings(Analysis& analysis) {
  NoteNanGuards(analysis);
  NoteRuntimeOperators(analysis);
}

}  // namespace hwest

#include "fuzz/model_check.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "fuzz/require.h"
#include "import/import.h"
#include "ir/builder.h"
#include "nlohmann/json.hpp"
#include "op/rule.h"
#include "pass/bind.h"
#include "report/report.h"

namespace hwest::test {
namespace {

constexpr int64_t kMaxCheckedNodes = 2000;
constexpr int kMaxCheckedRank = 64;

std::string Label(const Graph& graph, size_t value) {
  return absl::StrCat("value ", std::string(graph.name(ValueId(value))));
}

// Sizes are not negative, ranks bounded, contents as many as elements.
void CheckFact(const Analysis& analysis, size_t index) {
  const ValueFact& fact = analysis.facts.values[ValueId(index)];
  const std::string label = Label(*analysis.graph, index);
  if (!fact.type.shape.ranked()) return Require(fact.known == nullptr, label + ": contents without a shape");
  Require(fact.type.shape.rank() <= kMaxCheckedRank, label + ": rank");
  int64_t elements = 1;
  for (const Dim dim : fact.type.shape.dims()) {
    if (!dim.is_constant()) {
      elements = -1;
      break;
    }
    Require(dim.value() >= 0, label + ": a size is not negative");
    if (__builtin_mul_overflow(elements, dim.value(), &elements)) elements = -1;
    if (elements < 0) break;
  }
  if (fact.known == nullptr) return;
  Require(static_cast<int64_t>(fact.known->size()) == elements, label + ": contents are as many as elements");
}

void CheckCounts(const NodeCounts& counts, const std::string& label) {
  for (const std::optional<int64_t>& count : {counts.macs, counts.int_macs, counts.flops, counts.params,
                                              counts.in_bytes, counts.weight_bytes, counts.out_bytes}) {
    Require(!count.has_value() || *count >= 0, label + ": counts are not negative");
  }
}

void CheckPlan(const Plan& plan) {
  Require(plan.latency_s >= 0, "latency is not negative");
  Require(plan.latency_low_s <= plan.latency_s && plan.latency_s <= plan.latency_high_s,
          "latency lies in its interval");
  Require(plan.peak_memory_bytes >= 0 && plan.energy_j >= 0, "memory and energy are not negative");
}

Binding BindingOf(const Analysis& unbound, const BindRequest& request) {
  Binding binding;
  for (size_t s = 0; s < unbound.dims->num_symbols(); ++s) {
    for (const auto& [name, value] : request.dims) {
      if (unbound.dims->symbol(SymbolId(s)).name == name) binding[SymbolId(s)] = Dim(value);
    }
  }
  return binding;
}

bool Contradict(Dim a, Dim b) { return a.is_constant() && b.is_constant() && !(a == b); }

// Contents of an integer tensor at the binding against what the bound run knows.
void CheckKnown(DimPool& dims, const Binding& binding, const Known& unbound, const Known& bound,
                const std::string& label) {
  if (unbound == nullptr || bound == nullptr) return;
  Require(unbound->size() == bound->size(), label + ": bound contents have another length");
  for (size_t i = 0; i < bound->size(); ++i) {
    const Scalar &a = (*unbound)[i], &b = (*bound)[i];
    if (!a.is_int() || !b.is_int()) continue;
    Require(!Contradict(dims.Substitute(a.dim(), binding), b.dim()), label + ": bound contents contradict");
  }
}

bool HasControl(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; });
}

}  // namespace

std::shared_ptr<const Graph> LoadChecked(absl::string_view bytes) {
  absl::StatusOr<RawModel> raw = ReadModelMemory(bytes, "model");
  RequireKnownError(raw.status());
  if (!raw.ok()) return nullptr;
  BuildOptions options;
  options.role_of = &BuildRoleOf;
  options.limits.max_nodes = kMaxCheckedNodes;
  absl::StatusOr<Graph> graph = BuildGraph(*std::move(raw), options);
  RequireKnownError(graph.status());
  return graph.ok() ? std::make_shared<const Graph>(*std::move(graph)) : nullptr;
}

std::optional<Analysis> AnalyzeChecked(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request) {
  absl::StatusOr<Analysis> analysis = Analyze(graph, request);
  RequireKnownError(analysis.status());
  if (!analysis.ok()) {
    const bool has_target = !request.target.empty() || request.loaded != nullptr;
    Require(has_target || !request.bind.dims.empty(), "any model can be looked at without a target");
    return std::nullopt;
  }
  for (size_t v = 0; v < graph->values().size(); ++v) CheckFact(*analysis, v);
  for (size_t n = 0; n < graph->nodes().size(); ++n) CheckCounts(analysis->counts[NodeId(n)], graph->Label(NodeId(n)));
  if (analysis->plan.has_value()) CheckPlan(*analysis->plan);
  return *std::move(analysis);
}

BindRequest SmallBind(const Analysis& unbound, int64_t least) {
  BindRequest request;
  for (const ValueId input : unbound.graph->main().inputs) {
    for (const Dim dim : unbound.facts.values[input].type.shape.dims()) {
      for (const SymbolId id : unbound.dims->SymbolsOf(dim)) {
        const int64_t value =
            std::max(least, unbound.dims->symbol(id).min) + static_cast<int64_t>(request.dims.size() % 3);
        request.dims.emplace_back(unbound.dims->symbol(id).name, value);
      }
    }
  }
  std::sort(request.dims.begin(), request.dims.end());
  const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
  request.dims.erase(std::unique(request.dims.begin(), request.dims.end(), same_name), request.dims.end());
  return request;
}

void CheckBindLaw(const Analysis& unbound, const Analysis& bound) {
  const Binding binding = BindingOf(unbound, bound.request.bind);
  DimPool& dims = *unbound.dims;
  for (size_t v = 0; v < unbound.graph->values().size(); ++v) {
    const ValueFact &a = unbound.facts.values[ValueId(v)], &b = bound.facts.values[ValueId(v)];
    if (!a.type.shape.ranked() || !b.type.shape.ranked()) continue;
    const std::string label = Label(*unbound.graph, v);
    Require(a.type.shape.rank() == b.type.shape.rank(), label + ": the bound rank contradicts");
    for (int axis = 0; axis < a.type.shape.rank(); ++axis) {
      const Dim evaluated = dims.Substitute(a.type.shape.dim(axis), binding);
      Require(
          !Contradict(evaluated, b.type.shape.dim(axis)),
          absl::StrCat(label, " axis ", axis, ": ", dims.ToString(a.type.shape.dim(axis)), " = ",
                       dims.ToString(evaluated), " unbound, ", bound.dims->ToString(b.type.shape.dim(axis)), " bound"));
    }
    CheckKnown(dims, binding, a.known, b.known, label);
  }
}

void CheckReports(const Analysis& analysis) {
  for (const Format format : {Format::kText, Format::kJson, Format::kCsv, Format::kMarkdown, Format::kDot}) {
    for (const ReportKind kind : {ReportKind::kAnalysis, ReportKind::kShapes}) {
      if (kind == ReportKind::kAnalysis && !analysis.plan.has_value()) continue;
      ReportOptions options{.format = format, .model_path = "model.onnx"};
      std::string text;
      const absl::Status status = WriteReport(analysis, kind, options, [&text](absl::string_view bytes) {
        text.append(bytes.data(), bytes.size());
        return absl::OkStatus();
      });
      RequireKnownError(status);
      if (!status.ok()) continue;
      Require(!HasControl(text), absl::StrCat("no control bytes in a report: ", std::string(InfoOf(format).name)));
      if (format == Format::kJson) Require(nlohmann::json::accept(text), "a JSON report parses");
    }
  }
}

}  // namespace hwest::test

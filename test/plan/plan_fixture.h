// A model in text form placed on the tiny target of test/cost.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "cost/group_work.h"
#include "cost/tiny_target.h"
#include "pass/pass_fixture.h"
#include "plan/plan.h"

namespace hwest::test {

// Every kernel node as its own group, except those that `joined` names by output.
inline Overlay MakeOverlay(const ModelView& model, const std::vector<std::vector<NodeId>>& joined) {
  Overlay overlay;
  overlay.group_of = IdMap<NodeId, GroupId>(model.graph.nodes().size());
  const auto add = [&](Group group) {
    for (const NodeId node : group.nodes) overlay.group_of[node] = GroupId(overlay.groups.size());
    overlay.groups.push_back(std::move(group));
  };
  for (const std::vector<NodeId>& nodes : joined) {
    Group group{.pattern = "joined", .nodes = {nodes.begin(), nodes.end()}, .root = nodes.back()};
    const auto is_member = [&](NodeId node) { return std::find(nodes.begin(), nodes.end(), node) != nodes.end(); };
    for (const NodeId node : nodes) {
      for (const ValueId input : model.graph.inputs(node)) {
        if (input.valid() && !is_member(model.graph.value(input).producer)) group.inputs.push_back(input);
      }
    }
    group.outputs = {model.graph.outputs(nodes.back())[0]};
    add(std::move(group));
  }
  for (uint32_t n = 0; n < model.graph.nodes().size(); ++n) {
    const NodeId node(n);
    if (IsKernel(model.classes[node]) && !overlay.group_of[node].valid()) add(SingleNode(model, node));
  }
  return overlay;
}

struct PlanRun {
  explicit PlanRun(absl::string_view text) : run(RunPasses(text)), target(TinyTarget()) {}

  ModelView view() { return {run.graph, run.facts, run.classes, run.tables.work, run.dims}; }
  NodeId node(absl::string_view output) { return NodeOf(run.graph, output); }

  // Hands `use` what Place() places.
  absl::Status With(absl::FunctionRef<absl::Status(const PlanInput&)> use) {
    Overlays overlays;
    for (size_t u = 0; u < target.units.size(); ++u)
      overlays.push_back(std::make_shared<Overlay>(MakeOverlay(view(), joined)));
    const auto precisions = ChoosePrecisions(target, request.precision, FilePrecisionOf(view()), request.only);
    if (!precisions.ok()) return precisions.status();
    const auto support = CheckSupport(view(), target, overlays, request);
    if (!support.ok()) return support.status();
    const IdMap<GraphId, int64_t> runs = EvaluateRuns(run.runs, run.dims);
    return use({view(), runs, target, overlays, precisions->units, *support, request});
  }
  absl::StatusOr<Plan> Place() {
    absl::StatusOr<Plan> plan;
    const absl::Status status = With([&](const PlanInput& input) {
      plan = PlaceAndPlan(input);
      return absl::OkStatus();
    });
    return status.ok() ? plan : status;
  }
  // The plan, and beside it what the best one takes.
  Plan WithBest() {
    Plan plan;
    const absl::Status status = With([&](PlanInput input) {
      input.finds_best = true;
      plan = *PlaceAndPlan(input);
      return absl::OkStatus();
    });
    REQUIRE(status.ok());
    return plan;
  }
  Plan MustPlace() {
    absl::StatusOr<Plan> plan = Place();
    INFO(plan.status());
    REQUIRE(plan.ok());
    return *std::move(plan);
  }
  // "npu:a,b cpu:c": segments with the outputs of their groups' roots.
  std::string Segments(const Plan& plan) {
    std::string text;
    for (const Segment& segment : plan.segments) {
      absl::StrAppend(&text, text.empty() ? "" : " ", target.units[segment.unit].name, ":");
      for (size_t g = 0; g < segment.groups.size(); ++g) {
        const NodeId root = plan.groups[segment.groups[g].index()].group.root;
        absl::StrAppend(&text, g == 0 ? "" : ",", run.graph.name(run.graph.outputs(root)[0]));
      }
    }
    return text;
  }

  PassRun run;
  Target target;
  AnalysisRequest request;
  std::vector<std::vector<NodeId>> joined;
};

}  // namespace hwest::test

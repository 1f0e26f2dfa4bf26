// Prices one assignment with the segment model.
#include <algorithm>

#include "cost/cost.h"
#include "partition/plan_walk.h"
#include "plan/draft.h"
#include "plan/pipeline.h"

namespace hwest {
namespace {

class Evaluator {
 public:
  Evaluator(const PlanInput& input, const Problem& problem, const Assignment& units)
      : input_(input),
        problem_(problem),
        units_(units),
        num_units_(problem.usable.units.size()),
        leaves_(input.model.graph.values().size(), 0),
        made_in_(input.model.graph.values().size()) {}

  Draft Run() {
    draft_.units = units_;
    ListSteps();
    MarkLeaving();
    PriceSteps();
    PriceMoves();
    SumUp();
    return std::move(draft_);
  }

 private:
  UnitId IdOf(uint32_t unit) const { return unit < num_units_ ? problem_.usable.units[unit].unit : UnitId(); }
  void ListSteps();
  void OpenSegment(uint32_t atom, uint32_t unit);
  void MarkLeaving();
  void PriceSteps();
  void PriceMoves();
  void SumUp();

  const PlanInput& input_;
  const Problem& problem_;
  const Assignment& units_;
  const size_t num_units_;
  IdMap<ValueId, uint8_t> leaves_;  // 1 = read outside the segment that makes it
  IdMap<ValueId, SegmentId> made_in_;
  std::vector<SegmentId> segment_of_;  // by atom
  std::vector<double> link_j_;         // by segment
  Draft draft_;
};

void Evaluator::OpenSegment(uint32_t atom, uint32_t unit) {
  Segment segment{.unit = IdOf(unit)};
  segment.invoke_s = input_.target.units[segment.unit].invoke_s.value_or(0);
  draft_.segments.push_back(segment);
  draft_.first_atom.push_back(atom);
}

void Evaluator::ListSteps() {
  draft_.steps.reserve(units_.size());
  segment_of_.reserve(units_.size());
  for (uint32_t atom = 0; atom < units_.size(); ++atom) {
    const uint32_t unit = units_[atom];
    const bool is_placed = unit < num_units_;
    if (is_placed && (atom == 0 || problem_.solver.Starts(atom, units_[atom - 1], unit))) OpenSegment(atom, unit);
    segment_of_.push_back(is_placed ? SegmentId(draft_.segments.size() - 1) : SegmentId());
    for (const PricedGroup& priced : problem_.GroupsOf(atom, unit)) {
      draft_.steps.push_back({.group = priced.group,
                              .unit = IdOf(unit),
                              .segment = segment_of_.back(),
                              .estimate = priced.estimate,
                              .residency = priced.residency});
    }
  }
  draft_.first_atom.push_back(static_cast<uint32_t>(units_.size()));
  link_j_.assign(draft_.segments.size(), 0);
}

void Evaluator::MarkLeaving() {
  const Graph& graph = input_.model.graph;
  IdMap<ValueId, SegmentId> counted_in(graph.values().size());
  for (const Step& step : draft_.steps) {
    for (const Access& write : step.group->writes) made_in_[write.value] = step.segment;
  }
  for (const Step& step : draft_.steps) {
    for (const auto& [value, bytes] : step.group->reads) {
      if (made_in_[value] == step.segment) continue;
      leaves_[value] = 1;
      if (!step.segment.valid() || counted_in[value] == step.segment) continue;
      counted_in[value] = step.segment;
      draft_.segments[step.segment.index()].in_bytes += bytes.value_or(0);
    }
  }
  for (const ValueId output : graph.main().outputs) {
    if (output.valid()) leaves_[RootOf(input_.model, output)] = 1;
  }
  for (const Step& step : draft_.steps) {
    if (!step.segment.valid()) continue;
    for (const auto& [value, bytes] : step.group->writes) {
      if (leaves_[value] != 0) draft_.segments[step.segment.index()].out_bytes += bytes.value_or(0);
    }
  }
}

// The estimates at hand assume the best residency; only groups at the edge of a segment differ.
void Evaluator::PriceSteps() {
  size_t next = 0;
  for (uint32_t atom = 0; atom < units_.size(); ++atom) {
    const uint32_t unit = units_[atom];
    for (size_t g = 0; g < problem_.GroupsOf(atom, unit).size(); ++g) {
      Step& step = draft_.steps[next++];
      if (!step.estimate->has_value()) continue;
      const OnChip& on_chip = problem_.on_chip[unit];
      const RunGroup& group = *step.group;
      StayingBytes staying = StayingBytesOf(group, on_chip);
      bool spills = false;
      for (const Access& read : group.reads) {
        const int64_t bytes = StayingRead(group, on_chip, read);
        if (bytes == 0 || made_in_[read.value] == step.segment) continue;
        staying.reads -= bytes;
        spills = true;
      }
      for (const Access& write : group.writes) {
        const int64_t bytes = StayingWrite(group, on_chip, write);
        if (bytes == 0 || leaves_[write.value] == 0) continue;
        staying.writes -= bytes;
        spills = true;
      }
      if (!spills) continue;
      step.residency = ResidencyOf(group, on_chip, staying);
      step.estimate = problem_.runs->EstimateOf(input_.target, step.unit, group, step.residency);
    }
  }
}

// What a move costs falls to the segment that reads the value, or hands it to the caller.
void Evaluator::PriceMoves() {
  const PlacementProblem& seconds = problem_.seconds();
  WalkPlan(seconds, units_, [&](const PlanEvent& event) {
    const bool moves = event.kind == PlanEvent::Kind::kMoveIn || event.kind == PlanEvent::Kind::kMoveOut;
    const SegmentId id = segment_of_[event.atom];
    if (!moves || !id.valid()) return true;
    draft_.segments[id.index()].transfer_s += seconds.Move(event.value, event.from, event.to);
    const size_t edges = size_t{seconds.num_units} + 1;
    link_j_[id.index()] +=
        seconds.bytes[event.value * edges + event.from] * problem_.link_j_per_byte[event.from * edges + event.to];
    return true;
  });
}

void Evaluator::SumUp() {
  for (const Step& step : draft_.steps) {
    if (!step.segment.valid() || !step.estimate->has_value()) continue;
    Segment& segment = draft_.segments[step.segment.index()];
    segment.time_s += (*step.estimate)->time_s * static_cast<double>(step.group->runs);
    segment.energy_j += (*step.estimate)->energy.total() * static_cast<double>(step.group->runs);
  }
  PricePipelines(input_, &draft_);
  for (size_t s = 0; s < draft_.segments.size(); ++s) {
    Segment& segment = draft_.segments[s];
    const double watts = StaticWatts(input_.target, input_.target.units[segment.unit]);
    // Beside a pipeline the transfers of one inference hide behind the work of another.
    const double waiting_s = segment.contexts > 0 ? 0 : segment.transfer_s + segment.invoke_s;
    segment.energy_j += link_j_[s] + watts * waiting_s;
    segment.start_s = draft_.latency_s;
    draft_.latency_s += segment.transfer_s + segment.invoke_s + segment.time_s;
    draft_.energy_j += segment.energy_j;
  }
}

}  // namespace

Draft Evaluate(const PlanInput& input, const Problem& problem, const Assignment& units) {
  return Evaluator(input, problem, units).Run();
}

}  // namespace hwest

#include "plan/overlap.h"

#include <algorithm>
#include <deque>

#include "partition/order.h"
#include "partition/plan_walk.h"

namespace hwest {
namespace {

// A stretch of an atom that goes on at one speed: moving its inputs and starting its segment, or one group.
struct Phase {
  double seconds = 0;
  double bytes = 0;  // that cross the shared memory meanwhile
};

// Blocks are the atoms, then every node that is no kernel: those take no time but hand dependencies on. (Blocks that
// joined an atom are left without nodes, dependencies and time.)
class Simulator {
 public:
  Simulator(const PlanInput& input, const Problem& problem, const Draft& draft)
      : input_(input), problem_(problem), draft_(draft), num_units_(problem.num_units()) {}

  double Run() {
    ListPhases();
    FindMemories();
    FindDependencies();
    for (uint32_t block = 0; block < waits_.size(); ++block) {
      if (waits_[block] == 0) ready_.push_back(block);
    }
    do {
      StartReady();
    } while (Advance());
    return now_;
  }

 private:
  static constexpr uint32_t kIdle = Atoms::kNone;
  struct Lane {
    uint32_t memory = 0;         // index of its shared memory
    std::deque<uint32_t> atoms;  // still to run, in the order of the plan
    uint32_t running = kIdle;
    size_t phase = 0;
    double left_s = 0;  // of the phase, at full speed
  };

  const Unit& UnitOfLane(size_t unit) const { return input_.target.units[problem_.usable.units[unit].unit]; }
  void ListPhases();
  void AddMoves(std::vector<Phase>& setup, std::vector<double>& after) const;
  void FindMemories();
  void FindDependencies();
  void Finish(uint32_t block);
  void StartReady();
  void SkipEmpty(Lane& lane);
  double SpeedOf(const Lane& lane) const;
  bool Advance();

  const PlanInput& input_;
  const Problem& problem_;
  const Draft& draft_;
  const size_t num_units_;
  std::vector<std::vector<Phase>> phases_;    // by atom
  std::vector<Lane> lanes_;                   // by unit
  std::vector<double> capacity_;              // by shared memory: most bytes per second that any group draws
  std::vector<uint32_t> waits_;               // by block: blocks it still needs
  std::vector<std::vector<uint32_t>> after_;  // by block: blocks that need it
  std::vector<uint32_t> ready_;
  std::vector<bool> is_ready_;  // by atom
  double now_ = 0;
};

// By atom, seconds to start its segment and move what it reads, and those to hand outputs to the caller.
void Simulator::AddMoves(std::vector<Phase>& setup, std::vector<double>& after) const {
  const PlacementProblem& seconds = problem_.seconds();
  WalkPlan(seconds, draft_.units, [&](const PlanEvent& event) {
    if (event.unit >= num_units_) return true;
    if (event.kind == PlanEvent::Kind::kEnter) setup[event.atom].seconds += seconds.invoke[event.unit];
    const bool is_in = event.kind == PlanEvent::Kind::kMoveIn;
    if (!is_in && event.kind != PlanEvent::Kind::kMoveOut) return true;
    (is_in ? setup[event.atom].seconds : after[event.atom]) += seconds.Move(event.value, event.from, event.to);
    return true;
  });
}

void Simulator::ListPhases() {
  std::vector<Phase> setup(draft_.units.size());
  std::vector<double> after(draft_.units.size(), 0);
  AddMoves(setup, after);
  lanes_.resize(num_units_);
  size_t next = 0;
  for (uint32_t atom = 0; atom < draft_.units.size(); ++atom) {
    const uint32_t unit = draft_.units[atom];
    std::vector<Phase>& phases = phases_.emplace_back();
    phases.push_back(setup[atom]);
    for (size_t g = 0; g < problem_.GroupsOf(atom, unit).size(); ++g) {
      const Step& step = draft_.steps[next++];
      if (unit >= num_units_ || !step.estimate->has_value()) continue;
      const auto runs = static_cast<double>(step.group->runs);
      const Estimate& estimate = **step.estimate;
      phases.push_back({estimate.time_s * step.time_share * runs, static_cast<double>(estimate.dram_bytes) * runs});
    }
    phases.push_back({after[atom], 0});
    if (unit < num_units_) lanes_[unit].atoms.push_back(atom);
  }
}

void Simulator::FindMemories() {
  std::vector<const Memory*> memories;
  for (size_t unit = 0; unit < num_units_; ++unit) {
    const Memory* memory = SharedMemoryOf(input_.target, UnitOfLane(unit));
    const auto at = std::find(memories.begin(), memories.end(), memory);
    lanes_[unit].memory = static_cast<uint32_t>(at - memories.begin());
    if (at == memories.end()) memories.push_back(memory);
  }
  capacity_.assign(memories.size(), 0);
  for (size_t unit = 0; unit < num_units_; ++unit) {
    double& capacity = capacity_[lanes_[unit].memory];
    for (const uint32_t atom : lanes_[unit].atoms) {
      for (const Phase& phase : phases_[atom]) {
        if (phase.seconds > 0) capacity = std::max(capacity, phase.bytes / phase.seconds);
      }
    }
  }
}

void Simulator::FindDependencies() {
  const Graph& graph = input_.model.graph;
  auto num_blocks = static_cast<uint32_t>(phases_.size());
  IdMap<NodeId, uint32_t> block_of(graph.nodes().size(), 0);
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    const uint32_t atom = problem_.frame->atoms.atom_of[NodeId(n)];
    block_of[NodeId(n)] = atom != Atoms::kNone ? atom : num_blocks++;
  }
  // A view between two nodes of one atom belongs to it.
  const std::vector<uint32_t> component = Components(MakeBlockGraph(graph, block_of, num_blocks));
  std::vector<uint32_t> first(component.size(), Atoms::kNone);
  for (uint32_t block = 0; block < num_blocks; ++block) {
    uint32_t& least = first[component[block]];
    least = std::min(least, block);
  }
  for (uint32_t& block : block_of) block = first[component[block]];
  const BlockGraph blocks = MakeBlockGraph(graph, block_of, num_blocks);
  waits_.assign(num_blocks, 0);
  after_.resize(num_blocks);
  for (uint32_t block = 0; block < num_blocks; ++block) {
    waits_[block] = static_cast<uint32_t>(blocks.before[block].size());
    for (const uint32_t before : blocks.before[block]) after_[before].push_back(block);
  }
  is_ready_.assign(phases_.size(), false);
}

void Simulator::Finish(uint32_t block) {
  for (const uint32_t next : after_[block]) {
    if (--waits_[next] == 0) ready_.push_back(next);
  }
}

// Moves on to the next phase that takes time; the lane is idle when none is left.
void Simulator::SkipEmpty(Lane& lane) {
  const std::vector<Phase>& phases = phases_[lane.running];
  while (lane.phase < phases.size() && phases[lane.phase].seconds <= 0) ++lane.phase;
  if (lane.phase < phases.size()) {
    lane.left_s = phases[lane.phase].seconds;
    return;
  }
  Finish(lane.running);
  lane.running = kIdle;
}

void Simulator::StartReady() {
  bool started = true;
  while (started || !ready_.empty()) {
    started = false;
    while (!ready_.empty()) {
      const uint32_t block = ready_.back();
      ready_.pop_back();
      const bool runs = block < phases_.size() && draft_.units[block] < num_units_;
      if (runs) is_ready_[block] = true;
      if (!runs) Finish(block);
    }
    for (Lane& lane : lanes_) {
      if (lane.running != kIdle || lane.atoms.empty() || !is_ready_[lane.atoms.front()]) continue;
      lane.running = lane.atoms.front();
      lane.atoms.pop_front();
      lane.phase = 0;
      SkipEmpty(lane);
      started = true;
    }
  }
}

double Simulator::SpeedOf(const Lane& lane) const {
  double wanted = 0;
  for (const Lane& other : lanes_) {
    if (other.running == kIdle || other.memory != lane.memory) continue;
    const Phase& phase = phases_[other.running][other.phase];
    wanted += phase.bytes / phase.seconds;
  }
  const bool draws = phases_[lane.running][lane.phase].bytes > 0;
  return draws && wanted > capacity_[lane.memory] ? capacity_[lane.memory] / wanted : 1;
}

// Lets time pass until a phase ends; false when nothing runs any more.
bool Simulator::Advance() {
  std::vector<double> speeds(lanes_.size(), 0);
  double step_s = kInfeasible;
  for (size_t unit = 0; unit < lanes_.size(); ++unit) {
    if (lanes_[unit].running == kIdle) continue;
    speeds[unit] = SpeedOf(lanes_[unit]);
    step_s = std::min(step_s, lanes_[unit].left_s / speeds[unit]);
  }
  if (step_s == kInfeasible) return false;
  now_ += step_s;
  for (size_t unit = 0; unit < lanes_.size(); ++unit) {
    Lane& lane = lanes_[unit];
    if (lane.running == kIdle) continue;
    const bool ends = lane.left_s / speeds[unit] <= step_s;
    lane.left_s -= step_s * speeds[unit];
    if (!ends) continue;
    ++lane.phase;
    SkipEmpty(lane);
  }
  return true;
}

}  // namespace

double OverlappedSeconds(const PlanInput& input, const Problem& problem, const Draft& draft) {
  return Simulator(input, problem, draft).Run();
}

}  // namespace hwest

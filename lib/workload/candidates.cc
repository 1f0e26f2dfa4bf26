#include "workload/candidates.h"

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/cost.h"
#include "cost/machine.h"
#include "hwest/host.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr int64_t kNamedUnknown = 3;
constexpr double kLeastLeft = 0.01;  // of the memory, that loads have to leave

// Bytes per second that the unit gets of its shared memory.
double RateOf(const Target& target, const Unit& unit, Precision precision) {
  const absl::StatusOr<Machine> machine = MakeMachine(target, unit, precision);
  return machine.ok() ? machine->shared_bytes_per_s * machine->dram_efficiency : 0;
}

// Jobs that run side by side on a unit: of cores that a mode joins for one inference each takes one without it.
uint32_t ServersOf(const Target& target, const Unit& unit) {
  if (KindTraitsOf(unit).device != DeviceClass::kNpu) return 1;
  uint32_t most = unit.cores;
  for (const Mode& mode : target.modes) {
    for (const Setting& setting : mode.settings) {
      if (setting.of == unit.name) most = std::max(most, setting.cores.value_or(0));
    }
  }
  return std::max<uint32_t>(1, most / std::max<uint32_t>(1, unit.cores));
}

uint32_t PoolOf(const Target& target, const Unit& unit, std::vector<const Memory*>* memories) {
  const Memory* memory = SharedMemoryOf(target, unit);
  const auto at = std::find(memories->begin(), memories->end(), memory);
  const auto index = static_cast<uint32_t>(at - memories->begin());
  if (at == memories->end()) memories->push_back(memory);
  return index;
}

absl::StatusOr<UnitId> UnitAt(const Target& target, const std::string& name, int line, absl::string_view origin) {
  const absl::StatusOr<UnitId> unit = FindUnit(target, name);
  if (unit.ok()) return *unit;
  const Diagnostic error = DiagnosticOf(unit.status());
  return MakeError(Code::kUsage, absl::StrCat(EscapeControl(origin), ":", line, ": ", error.message), error.remedy,
                   error.options);
}

// As its toolchain says; where that is not known who came first, to the end of its segment.
Sharing SharingOf(const Target& target, const Unit& unit) {
  const Toolchain* toolchain = ToolchainOf(target, unit);
  return toolchain != nullptr ? toolchain->sharing.value_or(Sharing{}) : Sharing{};
}

// As the file says; else as the unit does, with the slices that the file states.
Preemption PreemptionOf(const WorkloadPolicy& policy, const Sharing& usual) {
  if (policy.kind == PolicyKind::kFifo) return Preemption::kNever;
  const Preemption own = policy.slice_s.has_value() ? Preemption::kSlices : usual.preemption;
  const Preemption preemption = policy.yield.value_or(own);
  const bool by_priority = policy.kind == PolicyKind::kPriority && preemption == Preemption::kSlices;
  return by_priority ? Preemption::kBetweenPieces : preemption;
}

bool PrioritiesDiffer(const Workload& workload) {
  return std::any_of(workload.tasks.begin(), workload.tasks.end(),
                     [&](const WorkloadTask& task) { return task.priority != workload.tasks[0].priority; });
}

// A file whose tasks differ in priority asks for it: runtimes of accelerators take priorities of models, streams or
// queues. When the running one gives way stays as it is, after a group where it would be by time.
void TakePriorities(const Workload& workload, Chip* chip) {
  if (!PrioritiesDiffer(workload)) return;
  for (uint32_t u = 0; u < chip->target->units.size(); ++u) {
    Resource& resource = chip->resources[u];
    if (IsCpu(chip->target->units[UnitId(u)])) continue;
    resource.policy = PolicyKind::kPriority;
    if (resource.preemption == Preemption::kSlices) resource.preemption = Preemption::kBetweenPieces;
  }
}

absl::Status ApplyPolicies(const Workload& workload, Chip* chip) {
  TakePriorities(workload, chip);
  for (const WorkloadPolicy& policy : workload.policies) {
    HWEST_ASSIGN_OR_RETURN(const UnitId unit, UnitAt(*chip->target, policy.unit, policy.line, workload.origin));
    Resource& resource = chip->resources[unit.index()];
    const Sharing usual = SharingOf(*chip->target, chip->target->units[unit]);
    resource.policy = policy.kind;
    resource.preemption = PreemptionOf(policy, usual);
    resource.slice_s = policy.slice_s.value_or(usual.slice_s);
    if (resource.preemption == Preemption::kSlices && resource.slice_s <= 0) {
      return MakeError(Code::kUsage,
                       absl::StrCat(EscapeControl(workload.origin), ":", policy.line, ": how long a slice of ",
                                    EscapeControl(policy.unit), " is, is not known"),
                       "state `slice`, e.g. \"2 ms\"");
    }
  }
  return absl::OkStatus();
}

absl::Status ApplyLoads(const Workload& workload, Chip* chip) {
  for (const WorkloadLoad& load : workload.loads) {
    uint32_t pool = 0;
    if (!load.unit.empty()) {
      HWEST_ASSIGN_OR_RETURN(const UnitId unit, UnitAt(*chip->target, load.unit, load.line, workload.origin));
      pool = chip->resources[unit.index()].pool;
    }
    const double limit = chip->all_bytes_per_s[pool];
    if (load.unit.empty()) chip->loads_bytes_per_s[pool] += load.bytes_per_s;
    const double taken = chip->loads_bytes_per_s[pool] + (load.unit.empty() ? 0 : load.bytes_per_s);
    if (limit > 0 && taken > limit * (1 - kLeastLeft)) {
      return MakeError(Code::kUsage,
                       absl::StrCat(EscapeControl(workload.origin), ":", load.line, ": loads take ", FormatBytes(taken),
                                    "/s of the ", FormatBytes(limit), "/s that the memory delivers"),
                       "state less");
    }
  }
  for (size_t pool = 0; pool < chip->pools.size(); ++pool) {
    chip->pools[pool].bytes_per_s = std::max(0.0, chip->all_bytes_per_s[pool] - chip->loads_bytes_per_s[pool]);
  }
  return absl::OkStatus();
}

// A plan as stages.
class Converter {
 public:
  Converter(const Analysis& analysis, const Chip& chip)
      : analysis_(analysis), plan_(*analysis.plan), target_(*analysis.target), chip_(chip) {}

  TaskPlan Run() {
    out_.precision = analysis_.precision;
    out_.latency_s = plan_.latency_s;
    out_.load.kept_bytes.assign(chip_.resources.size(), 0);
    out_.load.high = plan_.latency_s > 0 ? std::max(1.0, plan_.latency_high_s / plan_.latency_s) : 1;
    out_.load.peak_bytes = static_cast<double>(plan_.peak_memory_bytes);
    out_.needs = analysis_.memory_needs;
    out_.knows_needs = true;
    busy_.assign(target_.units.size(), 0);
    for (const Segment& segment : plan_.segments) AddSegment(segment);
    for (const PlannedGroup& group : plan_.groups) AddUnknown(group);
    AddShares();
    if (plan_.energy_j > 0 && out_.load.unknown_groups == 0) out_.load.energy_j = energy_j_;
    return std::move(out_);
  }

 private:
  void AddTransfer(const Segment& segment);
  void AddSegment(const Segment& segment);
  Piece PieceOf(const PlannedGroup& row) const;
  Piece PipelineOf(const Segment& segment) const;
  void AddUnknown(const PlannedGroup& row);
  void AddShares();

  const Analysis& analysis_;
  const Plan& plan_;
  const Target& target_;
  const Chip& chip_;
  std::vector<double> busy_;
  double energy_j_ = 0;
  TaskPlan out_;
};

void Converter::AddTransfer(const Segment& segment) {
  if (segment.transfer_s <= 0) return;
  const uint32_t link = chip_.LinkTo(segment.unit);
  const double most = chip_.all_bytes_per_s[chip_.resources[link].pool];
  // A copy reads and writes each byte.
  Piece piece{.memory_s = segment.transfer_s, .bytes = 2.0 * static_cast<double>(segment.in_bytes)};
  if (most > 0) piece.dram_s = std::min(piece.memory_s, piece.bytes / most);
  if (most > 0) piece.bytes = piece.dram_s * most;
  out_.load.stages.push_back({link, {piece}});
}

Piece Converter::PieceOf(const PlannedGroup& row) const {
  const Estimate& e = *row.estimate;
  const double longer = std::max(e.compute_s, e.memory_s), shorter = std::min(e.compute_s, e.memory_s);
  Piece piece{.compute_s = e.compute_s,
              .memory_s = e.memory_s,
              .bytes = static_cast<double>(e.dram_bytes - row.residency.cached_bytes),
              .held_bytes = static_cast<double>(row.residency.in_bytes)};
  if (shorter > 0) piece.serial = std::clamp((e.time_s - e.overhead_s - longer) / shorter, 0.0, 1.0);
  piece.other_s = std::max(0.0, e.time_s - longer - piece.serial * shorter);
  const double rate = RateOf(target_, target_.units[row.unit], row.work.precision);
  if (rate > 0) piece.dram_s = std::min(piece.memory_s, piece.bytes / rate);
  return piece;
}

// The groups of a pipeline run at the same time.
Piece Converter::PipelineOf(const Segment& segment) const {
  Piece piece{.compute_s = segment.time_s, .bytes = static_cast<double>(segment.reloaded_bytes)};
  for (const GroupId id : segment.groups) {
    const PlannedGroup& row = plan_.groups[id.index()];
    if (row.estimate.has_value()) piece.bytes += static_cast<double>(row.estimate->dram_bytes);
  }
  const Memory* memory = SharedMemoryOf(target_, target_.units[segment.unit]);
  const double rate = memory == nullptr ? 0 : memory->bytes_per_s.value_or(0);
  if (rate > 0) piece.memory_s = piece.dram_s = std::min(segment.time_s, piece.bytes / rate);
  return piece;
}

void Converter::AddSegment(const Segment& segment) {
  AddTransfer(segment);
  Stage stage{.resource = segment.unit.index()};
  if (segment.invoke_s > 0) stage.pieces.push_back({.other_s = segment.invoke_s});
  const bool pipelined = segment.contexts > 0;
  if (pipelined) stage.pieces.push_back(PipelineOf(segment));
  for (const GroupId id : segment.groups) {
    const PlannedGroup& row = plan_.groups[id.index()];
    const bool stays = pipelined && segment.contexts == 1;
    out_.load.kept_bytes[segment.unit.index()] +=
        static_cast<double>(stays ? row.work.weight_bytes : row.residency.weight_bytes + row.residency.cached_bytes);
    if (!pipelined && row.estimate.has_value()) stage.pieces.push_back(PieceOf(row));
  }
  busy_[segment.unit.index()] += segment.invoke_s + segment.time_s;
  const double static_w = StaticWatts(target_, target_.units[segment.unit]);
  const double waited_s = segment.time_s + (pipelined ? 0 : segment.transfer_s + segment.invoke_s);
  energy_j_ += std::max(0.0, segment.energy_j - static_w * waited_s);
  out_.load.stages.push_back(std::move(stage));
}

void Converter::AddUnknown(const PlannedGroup& row) {
  if (row.estimate.has_value()) return;
  if (++out_.load.unknown_groups > kNamedUnknown) return;
  const Graph& graph = *analysis_.graph;
  const NodeId node = row.group.root.valid() ? row.group.root : row.group.nodes.back();
  out_.unknown.push_back(absl::StrCat(graph.op(node), " ", graph.Label(node)));
}

void Converter::AddShares() {
  double all = 0;
  for (const double busy : busy_) all += busy;
  for (uint32_t u = 0; u < busy_.size(); ++u) {
    if (busy_[u] > 0) out_.shares.push_back({target_.units[UnitId(u)].name, busy_[u] / all});
  }
}

AnalysisRequest RequestOf(const WorkloadTask& task, const Chip& chip, std::vector<std::string> only) {
  AnalysisRequest request;
  request.finds_best = false;
  request.loaded = chip.raw;
  request.target = chip.raw->name;
  request.mode = chip.mode;
  request.precision = task.precision;
  request.only = std::move(only);
  request.pin = task.pin;
  request.bind.dims = task.dims;
  if (task.batch != 1) request.bind.batch = task.batch;
  return request;
}

// What the plan is, so that equal ones are taken once.
std::string SignatureOf(const Plan& plan) {
  std::string text;
  for (const PlannedGroup& group : plan.groups)
    absl::StrAppend(&text, group.unit.valid() ? group.unit.index() : 999, ",");
  return text;
}

bool IsSideBySide(const Plan& plan) {
  std::set<uint32_t> with_segments;
  for (const Segment& segment : plan.segments) with_segments.insert(segment.unit.index());
  for (uint32_t u = 0; u < plan.units.size(); ++u) {
    if (plan.units[UnitId(u)].groups > 0 && with_segments.count(u) == 0) return true;
  }
  return false;
}

// The sets of units that are tried.
std::vector<std::vector<std::string>> UnitSets(const WorkloadTask& task, const Chip& chip) {
  const auto allowed = [&](const std::string& name) {
    return task.only.empty() || std::find(task.only.begin(), task.only.end(), name) != task.only.end();
  };
  std::vector<std::vector<std::string>> sets = {task.only};
  std::vector<std::string> cpus;
  for (const Unit& unit : chip.target->units) {
    if (!unit.placeable || !allowed(unit.name)) continue;
    // A module's host runs what the module cannot, as in an analysis, and is no engine beside it.
    if (IsDiscreteHost(*chip.target, UnitIdOf(*chip.target, unit.name))) continue;
    if (IsCpu(unit)) {
      cpus.push_back(unit.name);
    } else {
      sets.push_back({unit.name});
    }
  }
  for (const std::string& cpu : cpus) sets.push_back({cpu});
  return sets;
}

}  // namespace

absl::StatusOr<Chip> MakeChip(const Workload& workload, std::shared_ptr<const Target> raw, const std::string& mode) {
  Chip chip{.raw = raw, .mode = mode};
  HWEST_ASSIGN_OR_RETURN(Target applied, ApplyMode(*raw, mode));
  chip.target = std::make_shared<const Target>(std::move(applied));
  const Target& target = *chip.target;
  std::vector<const Memory*> memories;
  for (const Unit& unit : target.units) {
    const Sharing usual = SharingOf(target, unit);
    Resource resource{.name = unit.name,
                      .pool = PoolOf(target, unit, &memories),
                      .servers = ServersOf(target, unit),
                      .policy = usual.policy,
                      .preemption = usual.preemption,
                      .slice_s = usual.slice_s};
    resource.forgets = OnChipMemoryOf(target, unit) != nullptr || IsStreaming(unit);
    resource.switch_s = unit.switch_s.value_or(0);
    resource.bytes_per_s = RateOf(target, unit, {.act = unit.precision, .weight = unit.precision});
    const Memory* shared = SharedMemoryOf(target, unit);
    if (IsStreaming(unit) && shared != nullptr)
      resource.bytes_per_s = shared->bytes_per_s.value_or(resource.bytes_per_s);
    chip.resources.push_back(resource);
  }
  chip.all_bytes_per_s.assign(memories.size(), 0);
  chip.loads_bytes_per_s.assign(memories.size(), 0);
  chip.pools.resize(memories.size());
  for (const Resource& unit : std::vector<Resource>(chip.resources)) {
    double& most = chip.all_bytes_per_s[unit.pool];
    most = std::max(most, unit.bytes_per_s);
    chip.resources.push_back({.name = absl::StrCat("to ", unit.name), .is_link = true, .pool = unit.pool});
  }
  HWEST_RETURN_IF_ERROR(ApplyPolicies(workload, &chip));
  HWEST_RETURN_IF_ERROR(ApplyLoads(workload, &chip));
  return chip;
}

absl::Status AtTask(const absl::Status& status, const WorkloadTask& task, absl::string_view origin) {
  const Diagnostic error = DiagnosticOf(status);
  std::string remedy = error.code == Code::kFreeDims ? "write in the task" : error.remedy;
  for (const NamedOption& option : error.options) {
    if (error.code != Code::kFreeDims || option.flag != "--dim") continue;
    for (const std::string& value : option.values) {
      const size_t equals = value.rfind('=');
      absl::StrAppend(&remedy, " dim { name: \"", value.substr(0, equals), "\" value: ", value.substr(equals + 1),
                      " }");
    }
  }
  return MakeError(
      error.code,
      absl::StrCat(EscapeControl(origin), ":", task.line, ": task \"", EscapeControl(task.name), "\": ", error.message),
      remedy, error.options);
}

bool WorkloadTask::is_report() const { return absl::EndsWith(model, ".json") && !tokens.has_value(); }

absl::StatusOr<TaskModel> TaskModel::Load(const WorkloadTask& task, absl::string_view origin) {
  TaskModel model;
  if (task.stated.has_value()) return model;
  if (task.tokens.has_value()) {
    absl::StatusOr<Decoder> decoder = ReadDecoder({task.path});
    if (!decoder.ok()) return AtTask(decoder.status(), task, origin);
    model.decoder_ = *std::move(decoder);
    return model;
  }
  if (task.is_report()) {
    absl::StatusOr<std::string> report = ReadSavedReport(task.path);
    if (!report.ok()) return AtTask(report.status(), task, origin);
    model.report_ = *std::move(report);
    return model;
  }
  absl::StatusOr<std::shared_ptr<const Graph>> graph = LoadModel(task.path);
  if (!graph.ok()) return AtTask(graph.status(), task, origin);
  model.decoder_ = DecoderIfAny(*graph);
  model.analyzer_ = std::make_shared<const Analyzer>(*std::move(graph));
  return model;
}

bool TaskModel::RunsAsTokens(const WorkloadTask& task, const Chip& chip) const {
  const bool asks_for_kernels =
      !task.dims.empty() || !task.only.empty() || !task.pin.empty() || task.precision != "auto";
  if (!decoder_.has_value() || task.tokens.has_value() || asks_for_kernels) return false;
  WorkloadTask asked = task;
  asked.tokens = TaskTokens{};
  return LanguagePlan(*decoder_, asked, chip).ok();
}

absl::StatusOr<std::vector<TaskPlan>> TaskModel::CandidatesOf(const WorkloadTask& task, const Chip& chip,
                                                              absl::string_view origin,
                                                              const std::function<bool()>& stop) const {
  for (const std::string& name : task.only)
    HWEST_RETURN_IF_ERROR(UnitAt(*chip.target, name, task.line, origin).status());
  std::vector<TaskPlan> candidates;
  if (task.stated.has_value()) {
    const UnitId unit = UnitIdOf(*chip.target, task.only[0]);
    candidates.push_back(StatedCandidate(*task.stated, unit.index(), chip));
    return candidates;
  }
  if (task.tokens.has_value()) {
    absl::StatusOr<TaskPlan> plan = LanguagePlan(*decoder_, task, chip);
    if (!plan.ok()) return AtTask(plan.status(), task, origin);
    candidates.push_back(*std::move(plan));
    return candidates;
  }
  if (analyzer_ == nullptr) {
    absl::StatusOr<TaskPlan> saved = SavedCandidate(report_, task, chip);
    if (!saved.ok()) return AtTask(saved.status(), task, origin);
    candidates.push_back(*std::move(saved));
    return candidates;
  }
  std::set<std::string> seen;
  absl::Status first_error;
  for (const std::vector<std::string>& only : UnitSets(task, chip)) {
    AnalysisRequest request = RequestOf(task, chip, only);
    if (stop != nullptr) request.watch = [&](absl::string_view, size_t, size_t) { return !stop(); };
    const absl::StatusOr<Analysis> analysis = analyzer_->Analyze(request);
    if (!analysis.ok()) {
      first_error.Update(analysis.status());
      const Code code = DiagnosticOf(analysis.status()).code;
      if (code == Code::kFreeDims || code == Code::kInterrupted) break;
      continue;
    }
    if (!seen.insert(SignatureOf(*analysis->plan)).second) continue;
    TaskPlan candidate = Converter(*analysis, chip).Run();
    candidate.units = absl::StrJoin(only, ",");
    candidate.side_by_side = IsSideBySide(*analysis->plan);
    candidates.push_back(std::move(candidate));
  }
  if (candidates.empty()) return AtTask(first_error, task, origin);
  // A plan that leaves more of the model without a time is no choice.
  int64_t least = INT64_MAX;
  for (const TaskPlan& candidate : candidates) least = std::min(least, candidate.load.unknown_groups);
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(),
                                  [&](const TaskPlan& c) { return c.load.unknown_groups > least; }),
                   candidates.end());
  return candidates;
}

TaskPlan StatedCandidate(const StatedTime& stated, uint32_t resource, const Chip& chip) {
  TaskPlan candidate{.units = chip.resources[resource].name, .precision = "", .latency_s = stated.time_s};
  candidate.shares.push_back({chip.resources[resource].name, 1});
  candidate.load.kept_bytes.assign(chip.resources.size(), 0);
  const double most = chip.all_bytes_per_s[chip.resources[resource].pool];
  double share = stated.memory_share.value_or(0);
  if (stated.bytes_per_s.has_value() && most > 0) share = std::min(1.0, *stated.bytes_per_s / most);
  // It moves its bytes in the part of its time that waits for memory, all of which the memory delivers at most.
  const double bound = std::max(stated.memory_bound.value_or(share), 0.0);
  const double seconds = stated.time_s / static_cast<double>(stated.groups);
  Piece piece{.compute_s = seconds * (1 - bound), .memory_s = seconds * bound, .dram_s = seconds * bound, .serial = 1};
  piece.bytes = std::min(share * most * seconds, piece.dram_s * most);
  candidate.load.stages.push_back({resource, std::vector<Piece>(static_cast<size_t>(stated.groups), piece)});
  return candidate;
}

}  // namespace hwest

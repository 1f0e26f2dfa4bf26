#include "workload/stack.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/enumerators.h"

namespace hwest {

double Piece::Seconds(double stretch) const {
  const double memory = std::max(memory_s, dram_s * stretch);
  return std::max(compute_s, memory) + serial * std::min(compute_s, memory) + other_s;
}

double Piece::mean_bytes_per_s() const {
  const double seconds = alone_s();
  return seconds > 0 && dram_s > 0 ? bytes / seconds : 0;
}

double Piece::burst_bytes_per_s() const { return dram_s > 0 ? bytes / dram_s : 0; }

Piece ReloadOf(const Resource& resource, double bytes, double switch_s) {
  const double seconds = resource.bytes_per_s > 0 ? bytes / resource.bytes_per_s : 0;
  return {.memory_s = seconds, .dram_s = seconds, .other_s = switch_s, .bytes = seconds > 0 ? bytes : 0};
}

double TaskLoad::alone_s() const {
  double seconds = 0;
  for (const Stage& stage : stages) {
    for (const Piece& piece : stage.pieces) seconds += piece.alone_s();
  }
  return seconds;
}

bool StackTask::Uses(uint32_t resource) const {
  return std::any_of(load.stages.begin(), load.stages.end(),
                     [&](const Stage& stage) { return stage.resource == resource; });
}

double Stack::ProbabilityOf(uint32_t task) const {
  double probability = tasks[task].release.probability;
  while (tasks[task].release.after != kNoTask) {
    task = tasks[task].release.after;
    probability *= tasks[task].release.probability;
  }
  return probability;
}

bool Stack::IsIncomplete() const {
  for (uint32_t t = 0; t < tasks.size(); ++t) {
    if (tasks[t].load.unknown_groups > 0 && ProbabilityOf(t) > 0) return true;
  }
  return false;
}

std::optional<double> Stack::PeriodOf(uint32_t task) const {
  double ratio = 1;
  while (tasks[task].release.after != kNoTask) {
    ratio *= tasks[task].release.ratio;
    task = tasks[task].release.after;
  }
  if (!tasks[task].release.period.has_value()) return std::nullopt;
  return tasks[task].release.period->value() / ratio;
}

bool Stack::Drifts() const {
  const auto is_source = [](const StackTask& task) {
    return task.release.period.has_value() && !task.release.offset_s.has_value() && !task.is_load;
  };
  return std::count_if(tasks.begin(), tasks.end(), is_source) > 1;
}

size_t Stack::MostWaiting(uint32_t task) const {
  constexpr size_t kWithoutPeriod = 2;
  constexpr double kMost = 1e6;
  const std::optional<double> period = PeriodOf(task);
  if (!period.has_value()) return kWithoutPeriod;
  const double deadline_s = tasks[task].release.deadline_s.value_or(*period);
  return 1 + static_cast<size_t>(std::min(kMost, std::ceil(deadline_s / *period)));
}

void FitToPools(Stack* stack) {
  for (Resource& resource : stack->resources) {
    const double most = stack->pools[resource.pool].bytes_per_s;
    if (most > 0) resource.bytes_per_s = std::min(resource.bytes_per_s, most);
  }
  for (StackTask& task : stack->tasks) {
    for (Stage& stage : task.load.stages) {
      const double most = stack->pools[stack->resources[stage.resource].pool].bytes_per_s;
      for (Piece& piece : stage.pieces) {
        if (most <= 0 || piece.burst_bytes_per_s() <= most) continue;
        piece.dram_s = piece.bytes / most;
        piece.memory_s = std::max(piece.memory_s, piece.dram_s);
      }
    }
  }
}

absl::string_view PolicyKindName(PolicyKind kind) {
  constexpr absl::string_view kNames[] = {"FIFO", "PRIORITY", "ROUND_ROBIN"};
  static_assert(std::size(kNames) == kNumEnumerators<PolicyKind>);
  return kNames[static_cast<size_t>(kind)];
}

absl::string_view TaskVerdictName(TaskVerdict verdict) {
  constexpr absl::string_view kNames[] = {"holds", "simulated", "missed"};
  static_assert(std::size(kNames) == kNumEnumerators<TaskVerdict>);
  return kNames[static_cast<size_t>(verdict)];
}

absl::string_view FixKindName(FixKind kind) {
  constexpr absl::string_view kNames[] = {"rate", "precision", "units", "mode", "batch"};
  static_assert(std::size(kNames) == kNumEnumerators<FixKind>);
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace hwest

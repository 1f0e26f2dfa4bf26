// Makes tasks from language models, as a runtime of the target runs them.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/cost.h"
#include "hwest/llm.h"
#include "workload/candidates.h"

namespace hwest {
namespace {

// A share of a layer's part, or all of what no layer has.
Piece PieceOf(const LlmShare& share, double part, double bytes_per_s) {
  const double seconds = share.seconds * part;
  if (share.bytes <= 0 && share.macs <= 0) return {.other_s = seconds};
  Piece piece{.bytes = share.bytes * part};
  if (share.by_compute || share.by_unpacking) {
    piece.compute_s = seconds;
    if (bytes_per_s > 0) piece.memory_s = piece.dram_s = std::min(seconds, piece.bytes / bytes_per_s);
  } else {
    piece.memory_s = piece.dram_s = seconds;
  }
  return piece;
}

bool IsOfLayers(LlmPart part) {
  return part == LlmPart::kWeights || part == LlmPart::kCache || part == LlmPart::kAttention ||
         part == LlmPart::kActivations || part == LlmPart::kStates || part == LlmPart::kLayers;
}

// Layer by layer, then what is beside them.
std::vector<Piece> PiecesOf(const std::vector<LlmShare>& parts, int64_t layers, double bytes_per_s) {
  std::vector<Piece> pieces;
  for (int64_t layer = 0; layer < layers; ++layer) {
    for (const LlmShare& share : parts) {
      if (IsOfLayers(share.part)) pieces.push_back(PieceOf(share, 1 / static_cast<double>(layers), bytes_per_s));
    }
  }
  for (const LlmShare& share : parts) {
    if (!IsOfLayers(share.part)) pieces.push_back(PieceOf(share, 1, bytes_per_s));
  }
  return pieces;
}

std::string NoteOf(const LlmResult& result, const LlmRow& row, bool is_prompt) {
  const std::string job = is_prompt ? absl::StrCat("reads a prompt of ", row.prompt, " tokens")
                                    : absl::StrCat("makes a token with ", row.context, " in the cache");
  const std::string cores = result.cores.value_or(1) > 1 ? absl::StrCat(", all ", *result.cores, " cores of ") : " on ";
  return absl::StrCat("each job ", job, ", by ", result.runtime_title, cores, result.unit, ", weights ", result.weights,
                      ", cache ", result.cache);
}

LlmRequest RequestOf(const WorkloadTask& task) {
  const TaskTokens& tokens = *task.tokens;
  LlmRequest request{.runtime = tokens.runtime, .weights = tokens.weights, .cache = tokens.cache};
  request.batches = {task.batch};
  if (tokens.prompt.has_value()) request.prompts = {*tokens.prompt};
  if (tokens.context.has_value()) {
    request.contexts = {*tokens.context};
    if (!tokens.prompt.has_value()) request.prompts = {std::min(request.prompts.front(), *tokens.context)};
  }
  return request;
}

}  // namespace

absl::StatusOr<TaskPlan> LanguagePlan(const Decoder& decoder, const WorkloadTask& task, const Chip& chip) {
  const Target& target = *chip.target;
  HWEST_ASSIGN_OR_RETURN(const LlmResult result, EstimateLlm(decoder, target, RequestOf(task)));
  if (result.rows.empty()) {
    const std::string limit = result.notes.empty() ? "" : result.notes.front().text;
    return MakeError(Code::kUsage, result.refusal.empty() ? limit : result.refusal,
                     "`onnx-hwest describe runtimes` lists those of each target");
  }
  const LlmRow& row = result.rows.front();
  const bool is_prompt = task.tokens->prompt.has_value();
  const std::vector<LlmShare>& parts = is_prompt ? row.prompt_parts : row.token_parts;
  const LlmRange& range = is_prompt ? row.ttft_s : row.token_s;
  const UnitId unit = UnitIdOf(target, result.unit);
  TaskPlan plan{.units = result.unit,
                .precision = result.weights,
                .shares = {{result.unit, 1}},
                .latency_s = range.value,
                .knows_needs = true,
                .note = NoteOf(result, row, is_prompt)};
  plan.takes_all_cores = result.cores.value_or(1) > target.units[unit].cores;
  TaskLoad& load = plan.load;
  load.kept_bytes.assign(chip.resources.size(), 0);
  load.high = range.high / range.value;
  load.peak_bytes = row.memory.total_bytes();
  const double most = chip.all_bytes_per_s[chip.resources[unit.index()].pool];
  load.stages.push_back({unit.index(), PiecesOf(parts, LayerCount(decoder), most)});
  if (row.energy.has_value()) {
    const double joules = is_prompt ? row.energy->prompt_j : row.energy->j_per_token * static_cast<double>(row.batch);
    load.energy_j = std::max(0.0, joules - StaticWatts(target, target.units[unit]) * range.value);
  }
  plan.needs.push_back({.memory = result.memory,
                        .weight_bytes = static_cast<int64_t>(row.memory.weights_bytes),
                        .cache_bytes = static_cast<int64_t>(row.memory.cache_bytes),
                        .activation_bytes = static_cast<int64_t>(row.memory.work_bytes)});
  return plan;
}

}  // namespace hwest

#include "app/llm.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"

namespace hwest::app {
namespace {

// Those that run and fit, then those that do not fit, then the others; each by the time of the first answer.
std::tuple<int, double> RankOf(const LlmResult& result) {
  if (result.rows.empty()) return {2, 0};
  const LlmRow& first = result.rows.front();
  return {first.fits.value_or(true) ? 0 : 1, first.answer_s};
}

absl::Status CheckRuntime(const LlmFiles& files, const std::vector<LlmResult>& results) {
  const std::string& runtime = files.request.runtime;
  if (runtime.empty()) return absl::OkStatus();
  for (const LlmResult& result : results) {
    if (!result.runtime.empty()) return absl::OkStatus();
  }
  const absl::StatusOr<Toolchain> known = LoadToolchain(runtime);
  if (known.ok() && known->language.has_value()) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat("'", EscapeControl(runtime), "' is no runtime of language models here"),
                   "`onnx-hwest describe runtimes` lists those of each target", {"`onnx-hwest describe runtimes`"});
}

// Whether a runtime has weights, or a cache, of that name or alias.
bool IsFormat(absl::string_view name) {
  const auto is_called = [&](const auto& format) {
    return format.name == name || absl::c_linear_search(format.aliases, name);
  };
  return absl::c_any_of(ListToolchains(), [&](const std::string& toolchain) {
    const absl::StatusOr<Toolchain> known = LoadToolchain(toolchain);
    return known.ok() && known->language.has_value() &&
           (absl::c_any_of(known->language->weights, is_called) || absl::c_any_of(known->language->caches, is_called));
  });
}

absl::Status CheckFormats(const LlmFiles& files, const std::vector<LlmResult>& results) {
  if (absl::c_any_of(results, [](const LlmResult& result) { return !result.runtime.empty(); })) return absl::OkStatus();
  for (const auto& [flag, name] :
       {std::pair("--weights", files.request.weights), std::pair("--kv", files.request.cache)}) {
    if (name.empty() || IsFormat(name)) continue;
    return MakeError(Code::kUsage, absl::StrCat("'", EscapeControl(name), "' is no format of a language runtime here"),
                     absl::StrCat("`onnx-hwest describe runtimes` lists those of ", flag),
                     {"`onnx-hwest describe runtimes`", flag});
  }
  return absl::OkStatus();
}

// "all" is every target that has a runtime of language models.
absl::StatusOr<std::vector<std::string>> NamesOf(const std::vector<std::string>& asked) {
  std::vector<std::string> names;
  for (const std::string& name : asked) {
    if (name != "all") {
      names.push_back(name);
      continue;
    }
    for (const TargetSummary& row : ListTargets()) {
      HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Target> target, SharedTarget(row.name, ""));
      if (!target->runtimes.empty()) names.push_back(row.name);
    }
  }
  return names;
}

// The widest weights of the same runtime that fit; empty = none.
std::string WeightsThatFit(const LlmResult& result) {
  const LlmChoice* widest = nullptr;
  for (const LlmChoice& choice : result.choices) {
    const bool is_taken = choice.cache == result.cache && choice.fits.value_or(false);
    if (is_taken && (widest == nullptr || choice.weight_bits > widest->weight_bits)) widest = &choice;
  }
  return widest == nullptr ? "" : absl::StrCat("--weights ", widest->weights);
}

// Other weights, or another runtime of the target, may hold what the usual ones do not.
void NoteOthersThatFit(const LlmReport& report, const Target& target, LlmResult* result) {
  if (result->rows.empty() || result->rows.front().fits.value_or(true)) return;
  std::vector<std::string> fitting;
  if (const std::string weights = WeightsThatFit(*result); !weights.empty()) fitting.push_back(weights);
  const bool is_chosen = !report.request.runtime.empty() || !report.request.weights.empty();
  const absl::StatusOr<std::vector<LlmRuntime>> runtimes = RuntimesOf(target);
  if (!runtimes.ok()) return;
  for (const LlmRuntime& runtime : *runtimes) {
    if (is_chosen || runtime.name == result->runtime) continue;
    LlmRequest asked = report.request;
    asked.runtime = runtime.name;
    const absl::StatusOr<LlmResult> other = EstimateLlm(report.decoder, target, asked);
    if (!other.ok() || other->rows.empty() || !other->rows.front().fits.value_or(false)) continue;
    fitting.push_back(absl::StrCat("--runtime ", runtime.name, ", weights ", other->weights));
  }
  if (!fitting.empty()) result->notes.push_back({absl::StrCat("it fits with ", absl::StrJoin(fitting, "; ")), ""});
}

// Up to the most that the model takes, as far as the runtime goes.
void AddContexts(const LlmReport& report, const Target& target, LlmResult* result) {
  constexpr int64_t kFirst = 128, kMost = 131072, kUsual = 32768;
  if (result->rows.empty()) return;
  LlmRequest asked = report.request;
  asked.runtime = result->runtime;
  asked.weights = result->weights;
  asked.cache = result->cache;
  asked.prompts = {report.request.prompts.front()};
  asked.batches = {report.request.batches.front()};
  asked.draft.reset();
  const int64_t stated = report.decoder.max_context;
  const int64_t most = std::min(kMost, stated > 0 ? stated : kUsual);
  for (int64_t context = kFirst; context <= most; context *= 2) {
    if (context < asked.prompts.front()) continue;
    asked.contexts = {context};
    const absl::StatusOr<LlmResult> at = EstimateLlm(report.decoder, target, asked);
    if (!at.ok() || at->rows.empty()) return;
    result->by_context.push_back(at->rows.front());
  }
}

}  // namespace

absl::StatusOr<LlmReport> Llm(const LlmFiles& files) {
  if (files.models.empty()) {
    return MakeError(Code::kUsage, "no model was named", "write onnx-hwest llm MODEL, or --config FILE", {"--config"});
  }
  if (files.targets.empty()) {
    return MakeError(Code::kUsage, "no target was named", "add --target NAME", {{"--target", {"NAME"}}});
  }
  LlmReport report{.request = files.request};
  HWEST_ASSIGN_OR_RETURN(report.decoder, ReadDecoder(files.models));
  if (!files.draft.empty()) {
    HWEST_ASSIGN_OR_RETURN(Decoder draft, ReadDecoder({files.draft}));
    report.request.draft = LlmDraft{std::move(draft), files.acceptance, files.draft_tokens};
  }
  HWEST_ASSIGN_OR_RETURN(const std::vector<std::string> names, NamesOf(files.targets));
  for (const std::string& name : names) {
    HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Target> target, SharedTarget(name, files.mode));
    HWEST_ASSIGN_OR_RETURN(LlmResult result, EstimateLlm(report.decoder, *target, report.request));
    NoteOthersThatFit(report, *target, &result);
    AddContexts(report, *target, &result);
    report.results.push_back(std::move(result));
  }
  HWEST_RETURN_IF_ERROR(CheckRuntime(files, report.results));
  HWEST_RETURN_IF_ERROR(CheckFormats(files, report.results));
  std::stable_sort(report.results.begin(), report.results.end(),
                   [](const LlmResult& a, const LlmResult& b) { return RankOf(a) < RankOf(b); });
  return report;
}

absl::Status CheckRuns(const LlmReport& report) {
  for (const LlmResult& result : report.results) {
    const bool runs = !result.rows.empty();
    if (runs && result.rows.front().fits.value_or(false)) continue;
    return MakeError(Code::kIncomplete,
                     runs ? absl::StrCat(report.decoder.name, " does not fit on ", result.target) : result.refusal,
                     "choose another --target, --weights or --context", {"--target", "--weights", "--context"});
  }
  return absl::OkStatus();
}

}  // namespace hwest::app

// One model on one target: chooses runtime and formats, and asks the laws for every prompt, context and batch.
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "hwest/llm.h"
#include "llm/laws.h"
#include "llm/setup.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr int64_t kMostTokens = int64_t{1} << 24;  // of a prompt, a context, an answer
constexpr int64_t kMostBatch = 65536;
constexpr int64_t kBatchesTried = 4096;  // for where arithmetic takes over
constexpr int64_t kBatchesListed = 64;
constexpr double kFourOfFive = 1.2815515655446004;  // standard deviations on either side that hold 80 %
constexpr int kBisections = 40;

// Of a prompt: how a device moves states is known less well than the rest.
double PromptSpread(const LlmConstants& c, const std::vector<LlmShare>& parts) {
  double all = 0, states = 0;
  for (const LlmShare& part : parts) {
    all += part.seconds;
    if (part.part == LlmPart::kStates) states += part.seconds;
  }
  return all > 0 ? c.prompt_spread + (c.prompt_state_spread - c.prompt_spread) * states / all : c.prompt_spread;
}

LlmRange RangeOf(double value, double spread) {
  const double factor = portable::Exp(kFourOfFive * spread);
  return {value, value / factor, value * factor};
}

absl::Status CheckCount(absl::string_view what, int64_t count, int64_t least, int64_t most, const char* flag) {
  if (count >= least && count <= most) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat(what, " of ", count, " is not possible"),
                   absl::StrCat("give ", flag, " from ", least, " to ", most), {flag});
}

absl::Status CheckRequest(const LlmRequest& request) {
  for (const int64_t prompt : request.prompts) {
    HWEST_RETURN_IF_ERROR(CheckCount("a prompt", prompt, 1, kMostTokens, "--prompt"));
  }
  for (const int64_t context : request.contexts) {
    HWEST_RETURN_IF_ERROR(CheckCount("a context", context, 1, kMostTokens, "--context"));
  }
  for (const int64_t batch : request.batches) {
    HWEST_RETURN_IF_ERROR(CheckCount("a batch", batch, 1, kMostBatch, "--batch"));
  }
  HWEST_RETURN_IF_ERROR(CheckCount("an answer", request.new_tokens, 1, kMostTokens, "--new"));
  HWEST_RETURN_IF_ERROR(CheckCount("images", request.image_tokens, 0, kMostTokens, "--image"));
  if (request.prompt_rows < 0) return MakeError(Code::kUsage, "rows of a prompt are not negative", "give 0 or more");
  if (!request.draft.has_value()) return absl::OkStatus();
  HWEST_RETURN_IF_ERROR(CheckCount("a proposal", request.draft->tokens, 1, 1024, "--draft-tokens"));
  const double acceptance = request.draft->acceptance;
  if (acceptance >= 0 && acceptance <= 1) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat("an acceptance of ", acceptance, " is not possible"),
                   "give --acceptance from 0 to 1", {"--acceptance"});
}

template <class Format>
std::string NamesOf(const std::vector<const Format*>& formats) {
  return absl::StrJoin(formats, ", ", [](std::string* text, const Format* format) { text->append(format->name); });
}

std::string NameWithUnit(const LlmCandidate& candidate) {
  return absl::StrCat(candidate.toolchain.own_name, " on ", candidate.runtime->unit);
}

std::optional<int64_t> CountOf(const Fact& fact) {
  return fact.known() ? std::optional<int64_t>(static_cast<int64_t>(*fact.value())) : std::nullopt;
}

std::vector<std::optional<int64_t>> ContextsOf(const LlmRequest& request) {
  if (request.contexts.empty()) return {std::nullopt};
  return {request.contexts.begin(), request.contexts.end()};
}

int64_t ImageTokensOf(const Decoder& decoder, const LlmRequest& request) {
  if (request.image_tokens > 0) return request.image_tokens;
  return decoder.vision.has_value() ? decoder.vision->tokens : 0;
}

// One combination of what is asked for; the prompt has the tokens of images.
struct LlmPoint {
  int64_t prompt = 0;
  std::optional<int64_t> context;
  int64_t batch = 1;
};

// The limit of the runtime that it breaks, in words.
std::optional<std::string> LimitBroken(const Language& language, const LlmRequest& request, const LlmPoint& point) {
  const int64_t tokens = point.context.value_or(point.prompt + request.new_tokens);
  const auto above = [](const Fact& most, int64_t count) {
    const std::optional<int64_t> limit = CountOf(most);
    return limit.has_value() && count > *limit;
  };
  if (point.context.has_value() && *point.context < point.prompt) {
    return absl::StrCat("a context of ", *point.context, " does not hold a prompt of ", point.prompt);
  }
  if (above(language.max_prompt, point.prompt)) {
    return absl::StrCat(language.title, " takes prompts up to ", *CountOf(language.max_prompt), " tokens, not ",
                        point.prompt);
  }
  if (above(language.max_context, tokens)) {
    return absl::StrCat(language.title, " takes contexts up to ", *CountOf(language.max_context), " tokens, not ",
                        tokens);
  }
  if (above(language.max_batch, point.batch)) {
    return absl::StrCat(language.title, " decodes up to ", *CountOf(language.max_batch), " requests together, not ",
                        point.batch);
  }
  return std::nullopt;
}

// The limit that no combination keeps; empty = one does.
std::string LimitOfAll(const Decoder& decoder, const LlmRequest& request, const Language& language) {
  std::string first;
  for (const int64_t prompt : request.prompts) {
    for (const std::optional<int64_t>& context : ContextsOf(request)) {
      for (const int64_t batch : request.batches) {
        const LlmPoint point{prompt + ImageTokensOf(decoder, request), context, batch};
        const std::optional<std::string> limit = LimitBroken(language, request, point);
        if (!limit.has_value()) return "";
        if (first.empty()) first = *limit;
      }
    }
  }
  return first;
}

// What is asked of one runtime, or why it does not do that.
struct Choice {
  const WeightFormat* weights = nullptr;
  const CacheFormat* cache = nullptr;
  std::string refusal, note;
};

// What somebody quantised the file to counts where the runtime has it and nothing else was asked for. 16 bits are how
// models are published, and say nothing of how they run.
const WeightFormat* FormatOfFile(const Decoder& decoder, const std::vector<const WeightFormat*>& weights) {
  constexpr double kPublishedBits = 16;
  const WeightFormat* format = decoder.file_format.empty() ? nullptr : FindFormat(weights, decoder.file_format);
  return format != nullptr && format->block_bits.value_or(0) < kPublishedBits ? format : nullptr;
}

Choice Choose(const Decoder& decoder, const Target& target, const LlmRequest& request, const LlmCandidate& candidate) {
  const std::vector<const WeightFormat*> weights = WeightFormatsOf(candidate, target);
  const std::vector<const CacheFormat*> caches = CacheFormatsOf(candidate);
  Choice choice;
  const std::string& title = candidate.toolchain.language->title;
  choice.refusal = RefusalOf(decoder, request, *candidate.toolchain.language, &choice.note);
  if (choice.refusal.empty()) choice.refusal = LimitOfAll(decoder, request, *candidate.toolchain.language);
  if (!choice.refusal.empty()) return choice;
  if (!request.weights.empty()) {
    choice.weights = FindFormat(weights, request.weights);
  } else {
    choice.weights = FormatOfFile(decoder, weights);
    if (choice.weights == nullptr && !weights.empty()) choice.weights = weights.front();
  }
  choice.cache =
      request.cache.empty() ? (caches.empty() ? nullptr : caches.front()) : FindFormat(caches, request.cache);
  if (choice.weights == nullptr) {
    choice.refusal = absl::StrCat(title, " has no weights '", EscapeControl(request.weights), "' on ", target.name,
                                  ": ", NamesOf(weights));
  } else if (choice.cache == nullptr) {
    choice.refusal = absl::StrCat(title, " has no cache '", EscapeControl(request.cache), "': ", NamesOf(caches));
  }
  return choice;
}

class Estimator {
 public:
  Estimator(const LlmSetup& setup, const LlmRequest& request, LlmResult* result)
      : setup_(setup), request_(request), result_(*result) {}

  void Run() {
    for (const int64_t prompt : request_.prompts) {
      for (const std::optional<int64_t>& context : ContextsOf(request_)) {
        for (const int64_t batch : request_.batches) AddRow(prompt + ImageTokens(), context, batch);
      }
    }
    if (result_.rows.empty()) return;
    FindLargest();
    FindComputeBatch();
    AddBatches();
    if (request_.draft.has_value()) AddDraft();
  }

  LlmRow RowOf(int64_t prompt, const std::optional<int64_t>& context, int64_t batch) const;
  std::optional<int64_t> LargestContext(const LlmRow& row) const;

 private:
  int64_t ImageTokens() const { return ImageTokensOf(setup_.decoder, request_); }
  int64_t Images() const {
    const int64_t of_one = setup_.decoder.vision.has_value() ? setup_.decoder.vision->tokens : 0;
    return of_one > 0 ? (ImageTokens() + of_one - 1) / of_one : int64_t{ImageTokens() > 0 ? 1 : 0};
  }
  LlmPrompt PromptOf(const LlmRow& row) const {
    return {.tokens = row.prompt, .images = Images(), .batch = row.batch, .reserved = row.reserved};
  }

  void AddRow(int64_t prompt, const std::optional<int64_t>& context, int64_t batch);
  void SetEnergy(LlmRow* row) const;
  void FindLargest();
  void FindComputeBatch();
  void AddBatches();
  void AddDraft();

  const LlmSetup& setup_;
  const LlmRequest& request_;
  LlmResult& result_;
};

void Estimator::SetEnergy(LlmRow* row) const {
  const LlmConstants& c = setup_.constants;
  const std::optional<LlmJoules> token = EnergyOf(setup_, row->token_parts, c.power_w);
  const std::optional<LlmJoules> prompt = EnergyOf(setup_, row->prompt_parts, c.prompt_power_w);
  if (!token.has_value() || !prompt.has_value()) return;
  const double batch = static_cast<double>(row->batch);
  LlmEnergy energy{.j_per_token = token->joules / batch, .prompt_j = prompt->joules, .power_w = token->watts};
  if (setup_.is_discrete && c.host_w.has_value()) {
    energy.host_j_per_token = *c.host_w * row->token_s.value / batch;
    energy.host_prompt_j = *c.host_w * row->ttft_s.value;
  }
  row->energy = energy;
}

LlmRow Estimator::RowOf(int64_t prompt, const std::optional<int64_t>& context, int64_t batch) const {
  LlmRow row{.prompt = prompt, .batch = batch};
  const int64_t whole = prompt + request_.new_tokens;
  row.context = context.value_or(prompt + request_.new_tokens / 2);
  row.reserved = context.has_value() ? *context : std::max(whole, CountOf(setup_.language.default_context).value_or(0));
  row.token_parts = TokenParts(setup_, {.batch = batch, .depth = row.context, .reserved = row.reserved});
  row.prompt_parts = PromptParts(setup_, PromptOf(row));
  row.token_s = RangeOf(SecondsOf(row.token_parts), setup_.constants.decode_spread);
  row.ttft_s = RangeOf(SecondsOf(row.prompt_parts), PromptSpread(setup_.constants, row.prompt_parts));
  row.tokens_per_s = 1 / row.token_s.value;
  row.total_tokens_per_s = static_cast<double>(batch) * row.tokens_per_s;
  row.prompt_tokens_per_s = static_cast<double>(batch * prompt) / row.ttft_s.value;
  row.answer_s = row.ttft_s.value + static_cast<double>(request_.new_tokens - 1) * row.token_s.value;
  row.memory = MemoryFor(setup_, PromptOf(row));
  if (setup_.memory_bytes.has_value()) row.fits = row.memory.total_bytes() <= *setup_.memory_bytes;
  SetEnergy(&row);
  return row;
}

void Estimator::AddRow(int64_t prompt, const std::optional<int64_t>& context, int64_t batch) {
  if (std::optional<std::string> limit = LimitBroken(setup_.language, request_, {prompt, context, batch});
      limit.has_value()) {
    result_.notes.push_back({*std::move(limit), "the row is left out"});
    return;
  }
  result_.rows.push_back(RowOf(prompt, context, batch));
}

// The largest context whose memory the target has. It grows with the context, so it can be bisected.
std::optional<int64_t> Estimator::LargestContext(const LlmRow& row) const {
  if (!setup_.memory_bytes.has_value()) return std::nullopt;
  const auto fits = [&](int64_t context) {
    LlmPrompt prompt = PromptOf(row);
    prompt.tokens = std::min(prompt.tokens, context);
    prompt.reserved = context;
    return MemoryFor(setup_, prompt).total_bytes() <= *setup_.memory_bytes;
  };
  int64_t most = kMostTokens;
  if (const auto limit = CountOf(setup_.language.max_context); limit.has_value()) most = std::min(most, *limit);
  if (setup_.decoder.max_context > 0) most = std::min(most, setup_.decoder.max_context);
  if (fits(most)) return most;
  int64_t least = 0;
  for (int i = 0; i < kBisections && most - least > 1; ++i) {
    const int64_t middle = least + (most - least) / 2;
    (fits(middle) ? least : most) = middle;
  }
  return least;
}

void Estimator::FindLargest() {
  const LlmRow& first = result_.rows.front();
  result_.largest_context = LargestContext(first);
  if (result_.largest_context.value_or(0) == 0) return;
  LlmPrompt prompt = PromptOf(first);
  prompt.tokens = std::min(prompt.tokens, *result_.largest_context);
  prompt.reserved = *result_.largest_context;
  result_.at_largest = MemoryFor(setup_, prompt);
}

void Estimator::FindComputeBatch() {
  const LlmRow& first = result_.rows.front();
  const auto takes_over = [&](int64_t batch) {
    for (const LlmShare& share : TokenParts(setup_, {batch, first.context, first.reserved})) {
      if (share.part == LlmPart::kWeights) return share.by_compute;
    }
    return false;
  };
  const int64_t most = std::min(kBatchesTried, CountOf(setup_.language.max_batch).value_or(kBatchesTried));
  if (!takes_over(most)) return;
  int64_t below = 0, above = most;
  while (above - below > 1) {
    const int64_t middle = below + (above - below) / 2;
    (takes_over(middle) ? above : below) = middle;
  }
  result_.compute_batch = above;
}

void Estimator::AddBatches() {
  const LlmRow first = result_.rows.front();
  const auto context = request_.contexts.empty() ? std::nullopt : std::optional<int64_t>(first.context);
  const int64_t most = std::min(kBatchesListed, CountOf(setup_.language.max_batch).value_or(kBatchesListed));
  for (int64_t batch = 1; batch <= most; batch *= 2) result_.by_batch.push_back(RowOf(first.prompt, context, batch));
}

// Tokens that a step with `proposed` ones yields when each is taken with probability `acceptance`, up to the first one
// that is not, and one of the model's own.
double TokensPerStep(double acceptance, int64_t proposed) {
  double tokens = 1, share = 1;
  for (int64_t i = 0; i < proposed; ++i) {
    share *= acceptance;
    tokens += share;
  }
  return tokens;
}

void Estimator::AddDraft() {
  const LlmDraft& draft = *request_.draft;
  const LlmRow& row = result_.rows.front();
  LlmSetup small = setup_;
  small.decoder = draft.decoder;
  const LlmStep one{.batch = row.batch, .depth = row.context, .reserved = row.reserved};
  LlmStep check = one;
  check.rows = draft.tokens + 1;
  LlmDraftResult out;
  out.step_s =
      static_cast<double>(draft.tokens) * SecondsOf(TokenParts(small, one)) + SecondsOf(TokenParts(setup_, check));
  out.tokens_per_step = TokensPerStep(draft.acceptance, draft.tokens);
  out.tokens_per_s = out.tokens_per_step / out.step_s;
  out.speedup = out.tokens_per_s * row.token_s.value;
  out.memory = MemoryFor(small, PromptOf(row));
  const double needed = out.step_s / row.token_s.value;
  if (needed <= TokensPerStep(1, draft.tokens)) {
    double low = 0, high = 1;
    for (int i = 0; i < kBisections; ++i) {
      const double middle = (low + high) / 2;
      (TokensPerStep(middle, draft.tokens) < needed ? low : high) = middle;
    }
    out.break_even = high;
  }
  result_.draft = out;
}

absl::StatusOr<LlmSetup> SetUpAsked(const Decoder& decoder, const Target& target, const LlmRequest& request,
                                    const LlmCandidate& candidate, const WeightFormat& weights,
                                    const CacheFormat& cache) {
  HWEST_ASSIGN_OR_RETURN(LlmSetup setup, SetUp(decoder, target, candidate, weights, cache));
  if (request.prompt_rows > 0) {
    setup.language.prompt_rows.stated = static_cast<double>(request.prompt_rows);
    setup.language.prompt_rows.fit.reset();
  }
  return setup;
}

absl::Status AddChoices(const Decoder& decoder, const Target& target, const LlmRequest& request,
                        const LlmCandidate& candidate, LlmResult* result) {
  if (result->rows.empty()) return absl::OkStatus();
  const LlmRow first = result->rows.front();
  for (const WeightFormat* weights : WeightFormatsOf(candidate, target)) {
    for (const CacheFormat* cache : CacheFormatsOf(candidate)) {
      HWEST_ASSIGN_OR_RETURN(const LlmSetup setup, SetUpAsked(decoder, target, request, candidate, *weights, *cache));
      const Estimator estimate(setup, request, result);
      const auto context = request.contexts.empty() ? std::nullopt : std::optional<int64_t>(first.context);
      const LlmRow row = estimate.RowOf(first.prompt, context, first.batch);
      result->choices.push_back({.weights = weights->name,
                                 .cache = cache->name,
                                 .is_chosen = weights->name == result->weights && cache->name == result->cache,
                                 .weight_bits = setup.bits.block,
                                 .ttft_s = row.ttft_s.value,
                                 .token_s = row.token_s.value,
                                 .memory = row.memory,
                                 .fits = row.fits,
                                 .largest_context = estimate.LargestContext(row)});
    }
  }
  return absl::OkStatus();
}

std::string NamesOf(const std::vector<LlmCandidate>& candidates) {
  return absl::StrJoin(candidates, ", ",
                       [](std::string* text, const LlmCandidate& row) { text->append(NameWithUnit(row)); });
}

void Refuse(std::string why, std::string instead, LlmResult* result) {
  result->refusal = std::move(why);
  result->instead = std::move(instead);
}

// Accelerators of the target that no runtime uses, where the CPU runs the model: its figures are not theirs.
void NoteIdleAccelerators(const Target& target, const LlmCandidate& picked, const std::vector<LlmCandidate>& candidates,
                          LlmResult* result) {
  const Unit* picked_unit = UnitOf(target, picked.runtime->unit);
  if (picked_unit == nullptr || !IsCpu(*picked_unit)) return;
  std::vector<std::string> idle;
  for (const Unit& unit : target.units) {
    const bool has_runtime =
        absl::c_any_of(candidates, [&](const LlmCandidate& candidate) { return candidate.runtime->unit == unit.name; });
    if (unit.placeable && !IsCpu(unit) && !has_runtime) idle.push_back(unit.name);
  }
  if (idle.empty()) return;
  result->notes.push_back({absl::StrCat("no runtime of language models is stated for ", absl::StrJoin(idle, ", "),
                                        " of ", target.name, ": these are figures of its CPU"),
                           ""});
}

// The runtime asked for, else the first that takes the model; null = none, and the result says why.
const LlmCandidate* PickRuntime(const Decoder& decoder, const Target& target, const LlmRequest& request,
                                const std::vector<LlmCandidate>& candidates, Choice* choice, LlmResult* result) {
  if (candidates.empty()) {
    Refuse(absl::StrCat("no runtime of language models is stated for ", target.name),
           "`onnx-hwest describe runtimes` lists the targets that have one", result);
    return nullptr;
  }
  std::vector<std::string> others, reasons;
  const LlmCandidate* picked = nullptr;
  bool is_known = request.runtime.empty();
  for (const LlmCandidate& candidate : candidates) {
    const bool is_asked = request.runtime.empty() || IsCalled(candidate, request.runtime);
    is_known = is_known || is_asked;
    Choice own = Choose(decoder, target, request, candidate);
    if (own.refusal.empty() && !is_asked) others.push_back(NameWithUnit(candidate));
    if (!own.refusal.empty() && is_asked) reasons.push_back(own.refusal);
    if (!own.refusal.empty() || !is_asked || picked != nullptr) continue;
    picked = &candidate;
    *choice = std::move(own);
  }
  if (picked == nullptr) {
    const std::string why = is_known ? absl::StrJoin(reasons, "; ")
                                     : absl::StrCat("no runtime '", EscapeControl(request.runtime), "' is stated for ",
                                                    target.name, ": ", NamesOf(candidates));
    Refuse(why, absl::StrJoin(others, ", "), result);
    return nullptr;
  }
  for (const std::string& reason : reasons) {
    result->notes.push_back({absl::StrCat(reason, ", so that ", NameWithUnit(*picked), " runs it"), ""});
  }
  if (!choice->note.empty()) result->notes.push_back({choice->note, ""});
  NoteIdleAccelerators(target, *picked, candidates, result);
  const Unit* unit = UnitOf(target, picked->runtime->unit);
  const std::optional<uint32_t> cores = picked->runtime->cores;
  if (unit != nullptr && cores.has_value() && unit->cores != *cores) {
    result->notes.push_back({absl::StrCat(picked->toolchain.language->title, " runs on ", *cores, " cores of ",
                                          unit->name, " whatever the mode says of them"),
                             ""});
  }
  return picked;
}

}  // namespace

absl::string_view LlmPartName(LlmPart part) {
  switch (part) {
    case LlmPart::kWeights: return "weights";
    case LlmPart::kHead: return "lm_head";
    case LlmPart::kCache: return "cache";
    case LlmPart::kAttention: return "attention";
    case LlmPart::kActivations: return "activations";
    case LlmPart::kStates: return "states";
    case LlmPart::kLayers: return "launches";
    case LlmPart::kFixed: return "fixed";
    case LlmPart::kSampling: return "sampling";
    case LlmPart::kImage: return "vision";
    case LlmPart::kEncoder: return "encoder";
    case LlmPart::kFirstStep: return "first_step";
  }
  return "";
}

absl::string_view BoundOf(const LlmShare& share) {
  return share.by_compute ? "compute" : share.by_unpacking ? "unpacking" : "memory";
}

absl::string_view BoundOf(const LlmRow& row) {
  const auto longest = std::max_element(row.token_parts.begin(), row.token_parts.end(),
                                        [](const LlmShare& a, const LlmShare& b) { return a.seconds < b.seconds; });
  const bool works = longest != row.token_parts.end() && (longest->bytes > 0 || longest->macs > 0);
  return works ? BoundOf(*longest) : "overhead";
}

absl::StatusOr<std::vector<LlmRuntime>> RuntimesOf(const Target& target) {
  HWEST_ASSIGN_OR_RETURN(const std::vector<LlmCandidate> candidates, CandidatesOf(target));
  std::vector<LlmRuntime> runtimes;
  for (const LlmCandidate& candidate : candidates) {
    LlmRuntime row{.name = candidate.toolchain.own_name,
                   .title = candidate.toolchain.language->title,
                   .unit = candidate.runtime->unit,
                   .is_default = &candidate == &candidates.front()};
    for (const WeightFormat* format : WeightFormatsOf(candidate, target)) row.weights.push_back(format->name);
    for (const CacheFormat* format : CacheFormatsOf(candidate)) row.caches.push_back(format->name);
    runtimes.push_back(std::move(row));
  }
  return runtimes;
}

absl::StatusOr<LlmResult> EstimateLlm(const Decoder& decoder, const Target& target, const LlmRequest& request) {
  HWEST_RETURN_IF_ERROR(CheckRequest(request));
  LlmResult result{.model = decoder.name, .target = target.name, .mode = target.mode};
  HWEST_ASSIGN_OR_RETURN(const std::vector<LlmCandidate> candidates, CandidatesOf(target));
  Choice choice;
  const LlmCandidate* picked = PickRuntime(decoder, target, request, candidates, &choice, &result);
  if (picked == nullptr) return result;
  HWEST_ASSIGN_OR_RETURN(const LlmSetup setup,
                         SetUpAsked(decoder, target, request, *picked, *choice.weights, *choice.cache));
  result.runtime = picked->toolchain.own_name;
  result.runtime_title = setup.language.title;
  result.unit = setup.unit;
  result.cores = picked->runtime->cores;
  result.weights = setup.weights;
  result.cache = setup.cache;
  result.memory_bytes = setup.memory_bytes;
  result.memory = setup.memory;
  result.power_cap_w = setup.cap_w;
  result.trust = setup.trust;
  result.is_fitted = setup.is_fitted;
  Estimator(setup, request, &result).Run();
  HWEST_RETURN_IF_ERROR(AddChoices(decoder, target, request, *picked, &result));
  return result;
}

}  // namespace hwest

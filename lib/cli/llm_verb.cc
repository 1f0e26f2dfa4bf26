// llm: a language model on the runtimes of targets.
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "app/llm.h"
#include "base/status_macros.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"

namespace hwest {

absl::Status RunLlmVerb(const LlmVerbOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kLlm, options.report.format));
  app::LlmFiles files = options.files;
  files.models.insert(files.models.begin(), options.words.begin(), options.words.end());
  HWEST_ASSIGN_OR_RETURN(const LlmReport report, app::Llm(files));
  HWEST_RETURN_IF_ERROR(
      Deliver(options, streams, [&](Sink sink) { return WriteLlm(report, options.what_if, options.report, sink); }));
  return options.strict == Strict::kYes ? AfterReport(app::CheckRuns(report)) : absl::OkStatus();
}

namespace {

constexpr auto kFiles = &LlmVerbOptions::files;
constexpr auto kAsked = &app::LlmFiles::request;

// The first list in place of the default, later ones behind it.
template <auto... member>
absl::Status AddCounts(const Flag& flag, const std::string& value, Options* options) {
  auto& counts = MemberOf<member...>(*options);
  counts.clear();
  for (const std::string& text : SplitNames(value)) {
    HWEST_ASSIGN_OR_RETURN(const int64_t count, ParseNumber(flag.name, text, 1));
    counts.push_back(count);
  }
  return absl::OkStatus();
}

absl::Status SetAcceptance(const Flag& flag, const std::string& value, Options* options) {
  double share;
  if (!absl::SimpleAtod(value, &share) || !(share >= 0 && share <= 1)) {
    return BadValue(flag.name, value, "give a share from 0 to 1, e.g. 0.7");
  }
  dynamic_cast<LlmVerbOptions&>(*options).files.acceptance = share;
  return absl::OkStatus();
}

absl::Status AddConfig(const Flag& flag, const std::string& value, Options* options) {
  if (value.empty()) return RefuseValue(flag, value);
  dynamic_cast<LlmVerbOptions&>(*options).files.models.push_back(value);
  return absl::OkStatus();
}

// clang-format off: a paragraph a flag
constexpr Flag kLlmFlags[] = {
    {.name = "--target", .value = "NAME,..", .help = "one, several or all; see `onnx-hwest describe runtimes`",
     .group = "Target", .set = AddNames<kFiles, &app::LlmFiles::targets>, .example = "rk3588,jetson-agx-orin-64gb",
     .path = PathIn::kTarget, .repeats = true},
    {.name = "--mode", .value = "MODE", .help = "power mode", .group = "Target",
     .set = SetText<kFiles, &app::LlmFiles::mode>, .default_text = "as the target says", .example = "30W"},
    {.name = "--runtime", .value = "NAME", .help = "that runs it, of those the target has", .group = "Target",
     .set = SetText<kFiles, kAsked, &LlmRequest::runtime>, .default_text = "the target's first that takes the model",
     .example = "rkllm"},
    {.name = "--weights", .value = "FORMAT", .help = "format of the weights, by the runtime's name", .group = "Target",
     .set = SetText<kFiles, kAsked, &LlmRequest::weights>, .default_text = "as the file, else the usual one",
     .example = "w4a16"},
    {.name = "--kv", .value = "FORMAT", .help = "format of keys and values in the cache", .group = "Target",
     .set = SetText<kFiles, kAsked, &LlmRequest::cache>, .default_text = "the runtime's usual one", .example = "fp16"},
    {.name = "--config", .value = "FILE", .help = "a model without weights: the config.json of a Hugging Face model",
     .group = "Model", .set = AddConfig, .example = "config.json", .path = PathIn::kFile, .repeats = true},
    {.name = "--prompt", .value = "N,..", .help = "tokens of the prompt", .group = "Study",
     .set = AddCounts<kFiles, kAsked, &LlmRequest::prompts>, .default_text = "128", .example = "128,1024"},
    {.name = "--context", .value = "N,..",
     .help = "tokens in the cache when a token is timed, and for which memory is kept", .group = "Study",
     .set = AddCounts<kFiles, kAsked, &LlmRequest::contexts>,
     .default_text = "the prompt and half its answer; memory for all of it", .example = "4096"},
    {.name = "--batch", .value = "N,..", .help = "requests that are answered together", .group = "Study",
     .set = AddCounts<kFiles, kAsked, &LlmRequest::batches>, .default_text = "1", .example = "1,4"},
    {.name = "--new", .value = "N", .help = "tokens of the answer", .group = "Study",
     .set = SetNumber<1, kFiles, kAsked, &LlmRequest::new_tokens>, .default_text = "128", .example = "128"},
    {.name = "--image", .value = "N", .help = "tokens of the prompt that a vision part makes, besides --prompt",
     .group = "Study", .set = SetNumber<0, kFiles, kAsked, &LlmRequest::image_tokens>,
     .default_text = "one run of the vision part", .example = "256"},
    {.name = "--draft", .value = "MODEL", .help = "smaller model that proposes tokens", .group = "Study",
     .set = SetText<kFiles, &app::LlmFiles::draft>, .example = "draft.onnx", .path = PathIn::kFile},
    {.name = "--draft-tokens", .value = "N", .help = "tokens it proposes at once", .group = "Study",
     .set = SetNumber<1, kFiles, &app::LlmFiles::draft_tokens>, .default_text = "4", .example = "4", .is_rare = true},
    {.name = "--acceptance", .value = "SHARE", .help = "of proposed tokens that the model takes", .group = "Study",
     .set = SetAcceptance, .default_text = "0.7", .example = "0.7"},
    {.name = "--what-if", .help = "the same in every format of weights and cache that the runtime has",
     .group = "Report", .set = Switch<FormatRows::kYes, &LlmVerbOptions::what_if>},
    {.name = "--strict", .help = "exit with 7 where a target does not run the model, or it does not fit",
     .group = "Report", .set = Switch<Strict::kYes, &Options::strict>},
};
// clang-format on

}  // namespace

absl::Span<const Flag> LlmFlags() { return kLlmFlags; }

}  // namespace hwest

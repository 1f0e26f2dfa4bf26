#include "sweep/language.h"

#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "hwest/analysis.h"
#include "hwest/llm.h"

namespace hwest {
namespace {

// What `llm` prints without a flag beside these.
absl::StatusOr<LlmResult> RunOn(const std::shared_ptr<const Target>& target, const Decoder& decoder,
                                const SweepPoint& point) {
  LlmRequest asked;
  if (point.batch.has_value()) asked.batches = {*point.batch};
  HWEST_ASSIGN_OR_RETURN(LlmResult result, EstimateLlm(decoder, *target, asked));
  if (!result.rows.empty()) return result;
  // The same words for every such target, so that reports can count them.
  if (target->runtimes.empty()) return MakeError(Code::kUsage, "the target has no runtime of language models", "");
  return MakeError(Code::kUsage, result.refusal,
                   result.instead.empty() ? std::string() : absl::StrCat("what can: ", result.instead));
}

LanguageFigures FiguresOfRun(const LlmResult& result) {
  const LlmRow& row = result.rows.front();
  LanguageFigures figures{.runtime = result.runtime,
                          .weights = result.weights,
                          .kv = result.cache,
                          .prompt = row.prompt,
                          .context = row.context,
                          .ttft_s = row.ttft_s.value,
                          .ttft_low_s = row.ttft_s.low,
                          .ttft_high_s = row.ttft_s.high,
                          .tokens_per_s = row.tokens_per_s,
                          .tokens_per_s_low = 1 / row.token_s.high,
                          .tokens_per_s_high = 1 / row.token_s.low,
                          .memory_bytes = std::llround(row.memory.total_bytes()),
                          .fits = row.fits,
                          .max_context = result.largest_context};
  if (row.energy.has_value()) figures.energy_per_token_j = row.energy->j_per_token;
  return figures;
}

std::string WhereMore(const SweepRow& row) {
  return absl::StrCat("`onnx-hwest llm ", row.model, " --target ", row.target,
                      "` has other prompts, contexts and formats");
}

// What the point asks of kernels, which a runtime chooses itself.
std::string KernelsAlone(const SweepPoint& point) {
  std::vector<std::string> asked;
  if (point.precision != "auto") asked.emplace_back("precision");
  if (!point.dims.empty()) asked.emplace_back("dims");
  if (point.size.has_value()) asked.emplace_back("size");
  if (point.rewritten) asked.emplace_back("rewritten");
  if (asked.empty()) return "";
  return absl::StrCat(absl::StrJoin(asked, ", "), asked.size() == 1 ? " is" : " are",
                      " of kernels alone: the runtime has formats and steps of its own; ");
}

// Of what needs more memory than there is.
void AddFit(const LlmResult& result, SweepRow* row) {
  if (row->language.fits.value_or(true) || !row->code.empty()) return;
  row->code = std::string(InfoOf(Code::kDoesNotFit).id);
  row->message = absl::StrCat(result.runtime, " with ", result.weights, " needs ", *row->language.memory_bytes,
                              " bytes, the target has ", std::llround(result.memory_bytes.value_or(0)), " for it");
}

void Append(const std::string& words, SweepRow* row) {
  absl::StrAppend(&row->message, row->message.empty() ? "" : "; ", words);
}

}  // namespace

SweepSource SourceOf(std::shared_ptr<const Graph> graph) {
  SweepSource source;
  source.decoder = DecoderIfAny(graph);
  source.graph = std::move(graph);
  return source;
}

absl::StatusOr<SweepSource> ReadSource(const std::string& path) {
  absl::StatusOr<std::shared_ptr<const Graph>> graph = LoadModel(path);
  if (graph.ok()) return SourceOf(*std::move(graph));
  const Code code = DiagnosticOf(graph.status()).code;
  if (code != Code::kModelFormat && code != Code::kModelMissing) return graph.status();
  absl::StatusOr<Decoder> decoder = ReadDecoder({path});
  if (!decoder.ok()) return graph.status();
  return SweepSource{.graph = nullptr, .decoder = *std::move(decoder)};
}

void AddRuntime(const Decoder& decoder, const std::shared_ptr<const Target>& loaded, const SweepPoint& point,
                SweepRow* row) {
  if (!row->ok && row->error.code != Code::kFreeDims) return;
  const absl::StatusOr<std::shared_ptr<const Target>> target = SharedTarget(loaded, point.target, point.mode);
  if (!target.ok()) return;  // the row has its error
  const absl::StatusOr<LlmResult> result = RunOn(*target, decoder, point);
  if (!result.ok()) {
    const std::string& why = DiagnosticOf(result.status()).message;
    if (row->ok) return Append(absl::StrCat("kernel by kernel: ", why), row);
    absl::StrAppend(&row->error.message, "; ", why);
    row->message = absl::StrCat(row->error.message, ": ", row->error.remedy);
    return;
  }
  if (!row->ok) {  // what the runtime says needs no sizes
    row->ok = true;
    row->code.clear();
    row->error = {};
    row->message = absl::StrCat("kernel by kernel: ", row->message);
    row->target = result->target;
    row->mode = row->mode.has_value() || result->mode.empty() ? row->mode : result->mode;
    row->batch = result->rows.front().batch;
  }
  row->language = FiguresOfRun(*result);
  AddFit(*result, row);
  if (!IsOfRuntimeAlone(*row)) Append("kernel by kernel beside the runtime's figures", row);
  Append(absl::StrCat(KernelsAlone(point), WhereMore(*row)), row);
}

absl::StatusOr<SweepRow> RuntimeRow(const std::string& model, const Decoder& decoder,
                                    const std::shared_ptr<const Target>& loaded, const SweepPoint& point) {
  HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Target> target, SharedTarget(loaded, point.target, point.mode));
  HWEST_ASSIGN_OR_RETURN(const LlmResult result, RunOn(target, decoder, point));
  SweepRow row = PlainRow(model, point);
  row.ok = true;
  row.target = result.target;
  if (!result.mode.empty()) row.mode = result.mode;
  row.batch = result.rows.front().batch;
  row.language = FiguresOfRun(result);
  AddFit(result, &row);
  Append(absl::StrCat(KernelsAlone(point), WhereMore(row)), &row);
  return row;
}

bool HasRuntime(const SweepRow& row) { return row.ok && row.language.runtime.has_value(); }
bool IsOfRuntimeAlone(const SweepRow& row) { return HasRuntime(row) && !row.nodes.has_value(); }

}  // namespace hwest

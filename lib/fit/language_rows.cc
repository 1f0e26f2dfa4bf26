#include "fit/language_rows.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "hwest/decoder.h"
#include "hwest/diagnostic.h"
#include "hwest/llm.h"
#include "llm/laws.h"
#include "llm/setup.h"
#include "measured/csv_table.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr absl::string_view kTokens = "decode_tokens_per_s", kFirst = "ttft_ms", kMemory = "memory_mb";
constexpr double kMebibyte = 1 << 20;  // what tools call a megabyte of resident memory
constexpr double kFourOfFive = 1.2815515655446004;
constexpr absl::string_view kNeeded[] = {"model", "device", "unit", "runtime", "weights", "prompt_len", "decode_tok_s"};
// Of an answer whose length the row does not state.
constexpr int64_t kUsualAnswer = 64, kUsualContext = 256;
constexpr double kMsPerS = 1e3;
// Text prompts of a batch have unequal lengths and are padded to the longest: over their mean, which alone is stated,
// as rows of int4 on four devices and of two releases agree, within a tenth.
constexpr double kLongestOfBatch = 1.65;
// Rows of a prompt that were computed together where it is not the runtime's usual number: in tables of this source.
constexpr absl::string_view kLongRowsSource = "llama.cpp:benches/dgx-spark.md";  // its column n_ubatch
constexpr int64_t kLongRows = 2048;

absl::Status SkipRow(absl::string_view why) { return absl::NotFoundError(why); }

class RowReader {
 public:
  RowReader(const CsvTable& table, const CsvRecord& record) : table_(table), record_(record) {}

  std::string Text(absl::string_view column) const {
    for (size_t i = 0; i < table_.header.size(); ++i) {
      if (table_.header[i] == column) return record_.fields[i];
    }
    return "";
  }
  std::optional<double> Figure(absl::string_view column) const {
    double value;
    const bool is_read = absl::SimpleAtod(Text(column), &value) && value >= 0 && value < 1e12;
    return is_read ? std::optional<double>(value) : std::nullopt;
  }
  std::optional<int64_t> Count(absl::string_view column) const {
    const std::optional<double> figure = Figure(column);
    return figure.has_value() ? std::optional<int64_t>(static_cast<int64_t>(*figure)) : std::nullopt;
  }
  bool Says(absl::string_view word) const { return absl::StrContains(Text("note"), word); }

 private:
  const CsvTable& table_;
  const CsvRecord& record_;
};

// A row's mode is called as the target's, or begins with its name or the other way round: "MAXN jetson_clocks" is
// MAXN_SUPER where there is no MAXN. A board that names none was measured in its usual one.
std::string ModeNamed(absl::string_view text, const Target& target) {
  const std::vector<absl::string_view> words = absl::StrSplit(text, ' ', absl::SkipEmpty());
  if (words.empty()) return "";
  const absl::string_view first = words.front();
  for (const Mode& mode : target.modes) {
    if (mode.name == first) return mode.name;
  }
  for (const Mode& mode : target.modes) {
    if (absl::StartsWith(mode.name, first)) return mode.name;
  }
  return "";
}

class Predictor {
 public:
  explicit Predictor(const LanguageRowsOptions& options) : options_(options) {}

  // Points of the row's figures, or why there is none.
  absl::Status Add(const RowReader& row, size_t number, Validation* validation,
                   std::map<std::string, size_t>* skipped) {
    HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Target> target, TargetOf(row));
    HWEST_ASSIGN_OR_RETURN(const Decoder* decoder, DecoderOf(row));
    HWEST_ASSIGN_OR_RETURN(const LlmRequest asked, RequestOf(row, *target));
    for (const absl::string_view metric : {kTokens, kFirst, kMemory}) {
      const absl::StatusOr<Point> point = PointOf(row, metric, *decoder, target, asked);
      if (!point.ok()) {
        ++(*skipped)[std::string(point.status().message())];
        continue;
      }
      if (point->measured.value <= 0) continue;  // the row does not state it
      validation->points.push_back(*point);
      validation->points.back().measured.row = number;
    }
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<std::shared_ptr<const Target>> TargetOf(const RowReader& row) {
    const std::string name = options_.target.empty() ? row.Text("target") : options_.target;
    if (name.empty()) return SkipRow("the row names no target");
    absl::StatusOr<std::shared_ptr<const Target>> target = SharedTarget(name, "");
    if (!target.ok()) return SkipRow(absl::StrCat("target ", name, " is not known"));
    const std::string mode = ModeNamed(row.Text("mode"), **target);
    return mode.empty() ? target : SharedTarget(name, mode);
  }

  absl::StatusOr<const Decoder*> DecoderOf(const RowReader& row) {
    const std::string path = PathOf(row);
    if (path.empty()) return SkipRow("no graph of the model, and no configuration of it in --configs");
    const auto known = decoders_.find(path);
    if (known != decoders_.end()) return known->second.get();
    absl::StatusOr<Decoder> decoder = ReadDecoder({path});
    if (!decoder.ok()) return SkipRow(absl::StrCat(path, ": ", decoder.status().message()));
    return decoders_.emplace(path, std::make_unique<Decoder>(*std::move(decoder))).first->second.get();
  }

  std::string PathOf(const RowReader& row) const {
    const std::string graph = row.Text("graph");
    const std::string model = row.Text("model");
    const std::string called = model.substr(model.rfind('/') == std::string::npos ? 0 : model.rfind('/') + 1);
    std::vector<std::string> paths;
    if (!graph.empty()) {
      paths = {absl::StrCat(options_.models, "/", graph, ".onnx"),
               absl::StrCat(options_.models, "/llm/", graph, ".onnx")};
    }
    if (!options_.configs.empty()) paths.push_back(absl::StrCat(options_.configs, "/", called, ".json"));
    std::error_code error;
    for (const std::string& path : paths) {
      if (std::filesystem::is_regular_file(path, error)) return path;
    }
    return "";
  }

  // Runtime and formats of the row; of runtimes that the row may mean the one named at most length.
  static absl::StatusOr<LlmRequest> RequestOf(const RowReader& row, const Target& target) {
    HWEST_ASSIGN_OR_RETURN(const std::vector<LlmCandidate> candidates, CandidatesOf(target));
    const std::string runtime = row.Text("runtime");
    const bool on_cpu = row.Text("unit") == "CPU";
    const LlmCandidate* best = nullptr;
    size_t longest = 0;
    for (const LlmCandidate& candidate : candidates) {
      const Unit* unit = UnitOf(target, candidate.runtime->unit);
      if (unit == nullptr || IsCpu(*unit) != on_cpu) continue;
      for (const std::string& prefix : candidate.toolchain.language->measured_as) {
        if (!absl::StartsWith(runtime, prefix) || prefix.size() <= longest) continue;
        longest = prefix.size();
        best = &candidate;
      }
    }
    if (best == nullptr) return SkipRow(absl::StrCat(target.name, " has no runtime that '", runtime, "' means"));
    LlmRequest request;
    request.runtime = best->runtime->toolchain;
    HWEST_ASSIGN_OR_RETURN(request.weights, WeightsOf(row, target, *best));
    std::string cache = row.Text("kv");
    cache = cache.substr(0, cache.find('?'));
    if (FindFormat(CacheFormatsOf(*best), cache) != nullptr) request.cache = cache;
    return request;
  }

  // "int4" over activations in fp16 is "w4" where the runtime has a format of that name, as it is in Genie.
  static absl::StatusOr<std::string> WeightsOf(const RowReader& row, const Target& target,
                                               const LlmCandidate& candidate) {
    const std::vector<const WeightFormat*> formats = WeightFormatsOf(candidate, target);
    const std::string text = row.Text("weights");
    if (text == "int4" && row.Text("act") == "fp16") {
      for (const WeightFormat* format : formats) {
        if (format->name == "w4") return format->name;
      }
    }
    std::vector<const WeightFormat*> of_release;
    for (const WeightFormat* format : formats) {
      const bool is_meant = std::any_of(
          format->measured_as.begin(), format->measured_as.end(),
          [runtime = row.Text("runtime")](const std::string& start) { return absl::StartsWith(runtime, start); });
      if (is_meant) of_release.push_back(format);
    }
    const WeightFormat* format = FindFormat(of_release, text);
    if (format == nullptr) format = FindFormat(formats, text);
    if (format == nullptr) {
      return SkipRow(absl::StrCat(candidate.runtime->toolchain, " has no weights '", text, "' on ", target.name));
    }
    return format->name;
  }

  // The measured figure, 0 where the row does not state it.
  static absl::StatusOr<double> Measured(const RowReader& row, absl::string_view metric) {
    if (row.Says("accept=") || row.Says("MTP;") || row.Says("EAGLE") || row.Says("DFlash;") || row.Says("Spec;")) {
      return SkipRow("measured with a draft model whose acceptance is part of the figure");
    }
    if (metric == kMemory && row.Says("VLM; ")) return SkipRow("memory of a model with its vision part");
    if (metric == kMemory) return row.Figure("memory_mb").value_or(0);
    if (row.Says("end to end")) return SkipRow("a figure of prompts and answers together");
    if (metric == kTokens) return row.Figure("decode_tok_s").value_or(0);
    if (row.Says("max of TTFT")) return SkipRow("a time to the first token that is derived, not measured");
    const std::optional<double> ttft = row.Figure("ttft_ms"), rate = row.Figure("prefill_tok_s");
    const std::optional<int64_t> prompt = row.Count("prompt_len"), context = row.Count("context_len");
    if (!prompt.has_value() || *prompt == 0) return 0;
    const bool is_behind = absl::StrContains(row.Text("runtime"), "llama") && context.value_or(0) > *prompt &&
                           !row.Figure("gen_len").has_value();
    if (is_behind) return SkipRow("a prompt behind others in the cache");
    if (ttft.value_or(0) > 0) return *ttft;
    return rate.value_or(0) > 0 ? kMsPerS * static_cast<double>(*prompt) / *rate : 0;
  }

  // Some tables count less than what has to be there, e.g. neither cache nor the table of tokens.
  static absl::StatusOr<Prediction> MemoryOf(const LlmRow& found, double measured, const Decoder& decoder,
                                             const Target& target, const LlmRequest& request) {
    HWEST_ASSIGN_OR_RETURN(const std::vector<LlmCandidate> candidates, CandidatesOf(target));
    const auto candidate = std::find_if(candidates.begin(), candidates.end(), [&](const LlmCandidate& row) {
      return row.runtime->toolchain == request.runtime;
    });
    const std::vector<const CacheFormat*> caches = CacheFormatsOf(*candidate);
    const CacheFormat* const cache = request.cache.empty() ? caches.front() : FindFormat(caches, request.cache);
    HWEST_ASSIGN_OR_RETURN(
        const LlmSetup setup,
        SetUp(decoder, target, *candidate, *FindFormat(WeightFormatsOf(*candidate, target), request.weights), *cache));
    // What is certainly there; the cache where it is made once, for all that may come.
    const double least = WeightBytes(setup) + (setup.language.default_context.known() ? found.memory.cache_bytes : 0);
    if (measured * kMebibyte < least) {
      return SkipRow("a memory figure that leaves out a part of the weights, the table of tokens or the cache");
    }
    const double value = found.memory.total_bytes() / kMebibyte;
    const double factor = portable::Exp(kFourOfFive * setup.constants.memory_spread);
    return Prediction{.value = value, .low = value / factor, .high = value * factor};
  }

  static absl::StatusOr<Point> PointOf(const RowReader& row, absl::string_view metric, const Decoder& decoder,
                                       const std::shared_ptr<const Target>& target, LlmRequest request) {
    HWEST_ASSIGN_OR_RETURN(const double measured, Measured(row, metric));
    Point point;
    point.measured.value = measured;
    if (measured <= 0) return point;
    const int64_t batch = std::max<int64_t>(row.Count("batch").value_or(1), 1);
    const int64_t stated = row.Count("prompt_len").value_or(0);
    const bool is_padded = metric == kFirst && row.Says("whole batch") && absl::StartsWith(row.Text("note"), "LLM; ");
    const double mean = static_cast<double>(stated) / static_cast<double>(row.Says("whole batch") ? batch : 1);
    const auto prompt = std::max<int64_t>(std::llround(mean * (is_padded ? kLongestOfBatch : 1)), 1);
    const std::optional<int64_t> context = row.Count("context_len"), answer = row.Count("gen_len");
    request.prompts = {prompt};
    if (absl::StrContains(row.Text("source"), kLongRowsSource)) request.prompt_rows = kLongRows;
    request.batches = {batch};
    request.new_tokens = std::max<int64_t>(answer.value_or(kUsualAnswer), 1);
    if (stated == 0) {
      request.contexts = {std::max<int64_t>(context.value_or(kUsualContext), kUsualAnswer)};
    }
    HWEST_ASSIGN_OR_RETURN(const LlmResult result, EstimateLlm(decoder, *target, request));
    if (result.rows.empty()) return SkipRow(result.refusal);
    const LlmRow& found = result.rows.front();
    if (metric == kMemory) {
      HWEST_ASSIGN_OR_RETURN(point.prediction, MemoryOf(found, measured, decoder, *target, request));
    }
    const double requests = static_cast<double>(batch);
    if (metric == kTokens) {
      point.prediction = {.value = found.total_tokens_per_s,
                          .low = requests / found.token_s.high,
                          .high = requests / found.token_s.low};
    } else if (metric == kFirst) {
      point.prediction = {.value = kMsPerS * found.ttft_s.value,
                          .low = kMsPerS * found.ttft_s.low,
                          .high = kMsPerS * found.ttft_s.high};
    }
    Measurement& m = point.measured;
    m.model = row.Text("model");
    m.family = row.Text("family");
    m.batch = row.Text("batch");
    m.device = row.Text("device");
    m.unit = row.Text("unit");
    m.runtime = request.runtime;
    m.precision = request.weights;
    m.mode = row.Text("mode");
    m.metric = std::string(metric);
    m.source = row.Text("source");
    m.source_version = row.Text("date_version");
    m.trust = row.Text("trust");
    m.note = row.Text("note");
    point.query = {.target = target, .mode = target->mode, .precision = "auto", .engines = {{result.unit}}};
    return point;
  }

  const LanguageRowsOptions& options_;
  std::map<std::string, std::unique_ptr<Decoder>> decoders_;
};

}  // namespace

bool HasLanguageRows(absl::string_view text) {
  const absl::string_view header = text.substr(0, text.find('\n'));
  return std::all_of(std::begin(kNeeded), std::end(kNeeded),
                     [header](absl::string_view column) { return absl::StrContains(header, column); });
}

absl::StatusOr<Validation> ValidateLanguageRows(absl::string_view text, absl::string_view name,
                                                const LanguageRowsOptions& options) {
  HWEST_ASSIGN_OR_RETURN(const CsvTable table, ParseCsv(text, name));
  Validation validation;
  std::map<std::string, size_t> skipped;
  Predictor predictor(options);
  for (size_t i = 0; i < table.records.size(); ++i) {
    const absl::Status added = predictor.Add({table, table.records[i]}, i + 1, &validation, &skipped);
    if (!added.ok()) ++skipped[std::string(added.message())];
  }
  validation.rows = RowsOf(validation.points);
  validation.pools = PoolsOf(validation.points);
  validation.trust = TrustRowsOf(validation.points);
  for (const auto& [reason, count] : skipped) validation.skipped.push_back({reason, count});
  std::stable_sort(validation.skipped.begin(), validation.skipped.end(),
                   [](const SkippedRows& a, const SkippedRows& b) { return a.count > b.count; });
  return validation;
}

}  // namespace hwest

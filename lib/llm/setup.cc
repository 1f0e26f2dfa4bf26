#include "llm/setup.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "cost/cost.h"
#include "hwest/diagnostic.h"
#include "hwest/host.h"
#include "target/language.h"

namespace hwest {
namespace {

constexpr double kVectorBits = 16;

template <class Format>
const Format* FindFormatIn(const std::vector<const Format*>& formats, absl::string_view name) {
  const auto is_called = [name](absl::string_view text) { return absl::EqualsIgnoreCase(text, name); };
  for (const Format* format : formats) {
    if (is_called(format->name)) return format;
  }
  for (const Format* format : formats) {
    if (std::any_of(format->aliases.begin(), format->aliases.end(), is_called)) return format;
  }
  return nullptr;
}

// Looks the constants up and keeps where the deciding ones come from.
class ConstantReader {
 public:
  ConstantReader(const LlmCandidate& candidate, absl::string_view format)
      : language_(*candidate.toolchain.language), runtime_(*candidate.runtime), format_(format) {}

  std::optional<double> Stated(absl::string_view name) {
    const Param* param = LanguageConstantOf(language_, runtime_, name, format_);
    const ParamRow& row = *FindLanguageConstant(name);
    if (row.decides) Weigh(param);
    return param == nullptr ? std::nullopt : param->fact.value();
  }
  double Value(absl::string_view name) {
    const std::optional<double> stated = Stated(name);
    if (stated.has_value()) return *stated;
    const ParamRow& row = *FindLanguageConstant(name);
    return row.absent_as.empty() ? row.absent : Value(row.absent_as);
  }
  Trust trust() const { return trust_; }
  // Whether measurements of this target gave the width of both intervals, and with it the constants.
  bool IsFitted() const {
    constexpr absl::string_view kWidths[] = {"decode_spread", "prompt_spread"};
    return std::all_of(std::begin(kWidths), std::end(kWidths), [&](absl::string_view name) {
      const Param* param = LanguageConstantOf(language_, runtime_, name, format_);
      return IsOwn(param) && param->fact.fit.has_value();
    });
  }

 private:
  bool IsOwn(const Param* param) const {
    return param != nullptr && std::any_of(runtime_.constants.begin(), runtime_.constants.end(),
                                           [param](const Param& row) { return &row == param; });
  }
  void Weigh(const Param* param) {
    const Trust trust = param == nullptr              ? Trust::kEstimated
                        : param->fact.fit.has_value() ? Trust::kMeasured
                                                      : param->fact.trust;
    trust_ = std::max(trust_, trust);
  }

  const Language& language_;
  const LanguageRuntime& runtime_;
  const absl::string_view format_;
  Trust trust_ = Trust::kUnset;
};

LlmConstants ReadConstants(ConstantReader& read) {
  LlmConstants c{};
  c.decode_efficiency = read.Value("decode_efficiency");
  c.cache_efficiency = read.Value("cache_efficiency");
  c.decode_fixed_s = read.Value("decode_fixed_s");
  c.decode_layer_s = read.Value("decode_layer_s");
  c.decode_head_s_per_logit = read.Value("decode_head_s_per_logit");
  c.decode_state_layer_s = read.Value("decode_state_layer_s");
  c.decode_product_s = read.Value("decode_product_s");
  c.batch_layer_s = read.Value("batch_layer_s");
  c.decode_weights_per_cycle = read.Stated("decode_weights_per_cycle");
  c.decode_narrow_columns = read.Stated("decode_narrow_columns");
  c.decode_narrow_share = read.Value("decode_narrow_share");
  c.batch_overlap = read.Value("batch_overlap");
  c.batch_efficiency = read.Value("batch_efficiency");
  c.macs_per_cycle = read.Stated("macs_per_cycle");
  c.prompt_efficiency = read.Value("prompt_efficiency");
  c.prompt_half_rows = read.Value("prompt_half_rows");
  c.prompt_weight_efficiency = read.Value("prompt_weight_efficiency");
  c.prompt_overlap = read.Value("prompt_overlap");
  c.attention_efficiency = read.Value("attention_efficiency");
  c.attention_scores_per_cycle = read.Stated("attention_scores_per_cycle");
  c.prompt_fixed_s = read.Value("prompt_fixed_s");
  c.prompt_chunk_s = read.Value("prompt_chunk_s");
  c.prompt_layer_s = read.Value("prompt_layer_s");
  c.prompt_macs_per_byte = read.Stated("prompt_macs_per_byte");
  c.prompt_product_bytes = read.Value("prompt_product_bytes");
  c.prompt_state_bytes = read.Value("prompt_state_bytes");
  c.prompt_state_layer_bytes = read.Value("prompt_state_layer_bytes");
  c.prompt_row_bytes = read.Value("prompt_row_bytes");
  c.prompt_token_s = read.Value("prompt_token_s");
  c.first_tokens = read.Value("first_tokens");
  c.image_efficiency = read.Value("image_efficiency");
  c.work_bytes = read.Value("work_bytes");
  c.weight_copies = read.Value("weight_copies");
  c.power_w = read.Stated("power_w");
  c.prompt_power_w = read.Stated("prompt_power_w");
  if (!c.prompt_power_w.has_value()) c.prompt_power_w = c.power_w;
  c.host_w = read.Stated("host_w");
  c.decode_spread = read.Value("decode_spread");
  c.prompt_spread = read.Value("prompt_spread");
  c.prompt_state_spread = read.Value("prompt_state_spread");
  c.memory_spread = read.Value("memory_spread");
  return c;
}

LlmBits BitsOf(const WeightFormat& weights, const CacheFormat& cache) {
  LlmBits bits{};
  bits.block = weights.block_bits.value_or(0);
  bits.attention = weights.attention_bits.value_or(bits.block);
  bits.head = weights.head_bits.value_or(bits.block);
  bits.embedding = weights.embedding_bits.value_or(bits.head);
  bits.vector = weights.vector_bits.value_or(kVectorBits);
  bits.cache = cache.bits.value_or(0);
  return bits;
}

const Rate* ExactRate(const Unit& unit, Num act, Num weight) {
  return RateOf(unit, WorkKind::kContraction, act, weight);
}

// The rate of products of these formats: as stated, else of the activations' format, else of the narrowest wider one
// that a runtime can unpack to.
const Rate* RateFor(const Unit& unit, Num act, Num weight) {
  if (const Rate* rate = ExactRate(unit, act, weight); rate != nullptr) return rate;
  if (const Rate* rate = ExactRate(unit, act, act); rate != nullptr) return rate;
  const Rate* best = nullptr;
  for (const Rate& rate : unit.rates) {
    if (rate.work != WorkKind::kContraction || NumBits(rate.act) < NumBits(act)) continue;
    if (best == nullptr || NumBits(rate.act) < NumBits(best->act)) best = &rate;
  }
  return best;
}

Unit UnitFor(const Target& target, const LanguageRuntime& runtime) {
  Unit unit = *UnitOf(target, runtime.unit);
  if (runtime.cores.has_value()) unit.cores = *runtime.cores;
  return unit;
}

std::optional<double> CyclesPerS(const Unit& unit) {
  const std::optional<double> clock = unit.clock_hz.value();
  return clock.has_value() ? std::optional<double>(*clock * unit.cores) : std::nullopt;
}

absl::Status Missing(const Target& target, absl::string_view what) {
  return MakeError(Code::kTargetInvalid, absl::StrCat(target.name, " states no ", what),
                   "add it to the target's file: the times of a language model rest on it");
}

}  // namespace

absl::StatusOr<std::vector<LlmCandidate>> CandidatesOf(const Target& target) {
  std::vector<LlmCandidate> candidates;
  for (const LanguageRuntime& runtime : target.runtimes) {
    HWEST_ASSIGN_OR_RETURN(Toolchain toolchain, LoadToolchain(runtime.toolchain));
    if (!toolchain.language.has_value()) {
      return MakeError(Code::kTargetInvalid,
                       absl::StrCat("toolchain '", runtime.toolchain, "' is no runtime of language models"),
                       "give its file a `language`, or take the `runtime` from the target");
    }
    LlmCandidate candidate{&runtime, std::move(toolchain)};
    candidates.insert(runtime.is_default ? candidates.begin() : candidates.end(), std::move(candidate));
  }
  return candidates;
}

bool IsCalled(const LlmCandidate& candidate, absl::string_view name) {
  if (candidate.runtime->toolchain == name || candidate.toolchain.own_name == name) return true;
  const std::vector<std::string>& aliases = candidate.toolchain.language->aliases;
  return std::any_of(aliases.begin(), aliases.end(),
                     [name](const std::string& alias) { return absl::EqualsIgnoreCase(alias, name); });
}

std::vector<const WeightFormat*> WeightFormatsOf(const LlmCandidate& candidate, const Target& target) {
  const Unit* unit = UnitOf(target, candidate.runtime->unit);
  std::vector<const WeightFormat*> all, formats;
  for (const WeightFormat& format : candidate.toolchain.language->weights) {
    const bool runs = !format.needs_rate || (unit != nullptr && ExactRate(*unit, format.act, format.weight) != nullptr);
    if (runs) all.push_back(&format);
  }
  if (candidate.runtime->weights.empty()) return all;
  for (const std::string& name : candidate.runtime->weights) {
    if (const WeightFormat* format = FindFormatIn(all, name); format != nullptr) formats.push_back(format);
  }
  return formats;
}

std::vector<const CacheFormat*> CacheFormatsOf(const LlmCandidate& candidate) {
  std::vector<const CacheFormat*> formats;
  for (const CacheFormat& format : candidate.toolchain.language->caches) {
    const bool is_usual = format.name == candidate.runtime->cache;
    formats.insert(is_usual ? formats.begin() : formats.end(), &format);
  }
  return formats;
}

const WeightFormat* FindFormat(const std::vector<const WeightFormat*>& formats, absl::string_view name) {
  return FindFormatIn(formats, name);
}

const CacheFormat* FindFormat(const std::vector<const CacheFormat*>& formats, absl::string_view name) {
  return FindFormatIn(formats, name);
}

std::string RefusalOf(const Decoder& decoder, const LlmRequest& request, const Language& language, std::string* note) {
  const auto any_layer = [&decoder](auto has) {
    return std::any_of(decoder.layers.begin(), decoder.layers.end(), has);
  };
  const bool has_vision = decoder.vision.has_value() || request.image_tokens > 0;
  const std::pair<ModelForm, bool> forms[] = {
      {ModelForm::kExperts, any_layer([](const DecoderLayers& layer) { return layer.experts > 0; })},
      {ModelForm::kRecurrent, any_layer([](const DecoderLayers& layer) { return layer.state_elements > 0; })},
      {ModelForm::kEncoderDecoder, any_layer([](const DecoderLayers& layer) { return layer.cross_tokens > 0; })},
      {ModelForm::kVision, has_vision},
      {ModelForm::kDraft, request.draft.has_value()},
  };
  constexpr absl::string_view kWords[] = {"",
                                          "a mixture of experts",
                                          "recurrent layers",
                                          "an encoder beside the decoder",
                                          "a vision part",
                                          "a draft model"};
  static_assert(std::size(kWords) == kNumEnumerators<ModelForm>);
  for (const auto& [form, is_so] : forms) {
    if (!is_so) continue;
    const absl::string_view words = kWords[static_cast<size_t>(form)];
    const auto row = std::find_if(language.takes.begin(), language.takes.end(),
                                  [form = form](const TakesForm& takes) { return takes.form == form; });
    if (row == language.takes.end()) {
      *note = absl::StrCat("whether ", language.title, " takes ", words, " is not stated");
    } else if (row->no) {
      return absl::StrCat(language.title, " does not take ", words, row->note.empty() ? "" : ": ", row->note);
    }
  }
  return "";
}

absl::StatusOr<LlmSetup> SetUp(const Decoder& decoder, const Target& target, const LlmCandidate& candidate,
                               const WeightFormat& weights, const CacheFormat& cache) {
  const Unit unit = UnitFor(target, *candidate.runtime);
  const Memory* memory = SharedMemoryOf(target, unit);
  if (memory == nullptr || !memory->bytes_per_s.known()) return Missing(target, "bandwidth of its shared memory");
  const Rate* rate = RateFor(unit, weights.act, weights.weight);
  const Num attention_act = cache.act == Num::kUnset ? weights.act : cache.act;
  const Rate* attention = RateFor(unit, attention_act, attention_act);
  if (rate == nullptr || !PeakPerS(unit, *rate).has_value()) {
    return Missing(target, absl::StrCat("rate of ", NumPairName(weights.act, weights.weight), " on ", unit.name));
  }
  ConstantReader read(candidate, weights.name);
  LlmSetup setup{
      .decoder = decoder,
      .language = *candidate.toolchain.language,
      .constants = ReadConstants(read),
      .bits = BitsOf(weights, cache),
      .bytes_per_s = *memory->bytes_per_s.value(),
      .peak_macs_per_s = *PeakPerS(unit, *rate),
      .cycles_per_s = CyclesPerS(unit),
      .mac_j = rate->energy_j.value_or(0),
      .j_per_byte = memory->energy_j_per_byte.value(),
      .static_w = StaticWatts(target, unit),
      .is_discrete = IsDiscrete(target),
      .memory_bytes = memory->usable_bytes.known() ? memory->usable_bytes.value() : memory->capacity_bytes.value(),
      .memory = memory->name,
      .weights = weights.name,
      .cache = cache.name,
      .unit = unit.name,
      .trust = read.trust(),
      .is_fitted = read.IsFitted()};
  if (setup.constants.macs_per_cycle.has_value() && setup.cycles_per_s.has_value()) {
    setup.peak_macs_per_s = std::min(setup.peak_macs_per_s, *setup.constants.macs_per_cycle * *setup.cycles_per_s);
  }
  const std::optional<double> attention_peak = attention == nullptr ? std::nullopt : PeakPerS(unit, *attention);
  setup.attention_macs_per_s = attention_peak.value_or(setup.peak_macs_per_s);
  if (const Mode* mode = ModeOf(target, target.mode); mode != nullptr) setup.cap_w = mode->cap_w.value();
  if (!setup.language.keeps_windows) {
    for (DecoderLayers& layer : setup.decoder.layers) layer.window.reset();
  }
  return setup;
}

}  // namespace hwest

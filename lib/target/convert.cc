#include "target/convert.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/ascii.h"
#include "target/limit.h"

namespace hwest {
namespace {

template <class Strings>
std::vector<std::string> Texts(const Strings& from) {
  return std::vector<std::string>(from.begin(), from.end());
}

Num ToNum(proto::Num num) { return static_cast<Num>(num); }

Fact ToFact(const proto::Fact& from) {
  Fact fact;
  if (from.has_value()) fact.stated = from.value();
  fact.source = from.source();
  fact.trust = static_cast<Trust>(from.trust());
  fact.note = from.note();
  if (from.has_fit()) {
    const proto::Fit& fit = from.fit();
    fact.fit = Fit{fit.value(), fit.spread(), fit.count(), fit.data(), fit.shared_by()};
  }
  if (from.has_min()) fact.min = from.min();
  if (from.has_max()) fact.max = from.max();
  return fact;
}

FactSource ToSource(const proto::Source& from) { return {from.key(), from.title(), from.url(), from.date()}; }

Memory ToMemory(const proto::Memory& from) {
  return {.name = from.name(),
          .scratchpad = from.scratchpad(),
          .read_only = from.read_only(),
          .capacity_bytes = ToFact(from.capacity_bytes()),
          .usable_bytes = ToFact(from.usable_bytes()),
          .bytes_per_s = ToFact(from.bytes_per_s()),
          .latency_s = ToFact(from.latency_s()),
          .energy_j_per_byte = ToFact(from.energy_j_per_byte()),
          .static_w = ToFact(from.static_w())};
}

Rate ToRate(const proto::Rate& from) {
  return {.work = static_cast<WorkKind>(from.work()),
          .act = ToNum(from.act()),
          .weight = ToNum(from.weight() == proto::NUM_UNSET ? from.act() : from.weight()),
          .acc = ToNum(from.acc()),
          .per_cycle = ToFact(from.per_cycle()),
          .sparse_per_cycle = ToFact(from.sparse_per_cycle()),
          .energy_j = ToFact(from.energy_j()),
          .energy_covers = Texts(from.energy_covers())};
}

Tile ToTile(const proto::Tile& from) {
  return {.m = from.m(),
          .n = from.n(),
          .k = from.k(),
          .m_height = from.m_height(),
          .num = ToNum(from.num()),
          .source = from.source()};
}

Param ToParam(const proto::Param& from) {
  Param param{from.name(), ToFact(from.fact()), from.min(), from.max()};
  if (!param.fact.min.has_value()) param.fact.min = from.min();
  if (!param.fact.max.has_value()) param.fact.max = from.max();
  return param;
}

Evidence ToEvidence(const proto::Evidence& from) {
  return {from.precision(), from.classes(), from.count(), from.families(), from.data(), from.shared_by()};
}

std::vector<uint32_t> MemoryIndices(const proto::Unit& unit, const proto::Target& target) {
  std::vector<uint32_t> indices;
  for (const std::string& name : unit.memory()) {
    for (int i = 0; i < target.memory_size(); ++i) {
      if (target.memory(i).name() == name) indices.push_back(static_cast<uint32_t>(i));
    }
  }
  return indices;
}

Unit ToUnit(const proto::Unit& from, const proto::Target& target) {
  Unit unit{.name = from.name(),
            .kind = static_cast<UnitKind>(from.kind()),
            .instances = from.has_instances() ? from.instances() : 1,
            .cores = from.has_cores() ? from.cores() : 1,
            .placeable = !from.has_placeable() || from.placeable(),
            .toolchain = from.toolchain(),
            .clock_hz = ToFact(from.clock_hz()),
            .vector_bytes = ToFact(from.vector_bytes()),
            .memories = MemoryIndices(from, target),
            .launch_s = ToFact(from.launch_s()),
            .invoke_s = ToFact(from.invoke_s()),
            .switch_s = ToFact(from.switch_s()),
            .static_w = ToFact(from.static_w()),
            .precision = ToNum(from.precision())};
  for (const proto::Rate& rate : from.rate()) unit.rates.push_back(ToRate(rate));
  for (const proto::Tile& tile : from.tile()) unit.tiles.push_back(ToTile(tile));
  for (const proto::Param& param : from.param()) unit.params.push_back(ToParam(param));
  for (const proto::Evidence& row : from.evidence()) unit.evidence.push_back(ToEvidence(row));
  return unit;
}

Link ToLink(const proto::Link& from) {
  return {.from = from.from(),
          .to = from.to(),
          .bytes_per_s = ToFact(from.bytes_per_s()),
          .latency_s = ToFact(from.latency_s()),
          .energy_j_per_byte = ToFact(from.energy_j_per_byte()),
          .copies = from.copies()};
}

Setting ToSetting(const proto::Setting& from) {
  Setting setting{.of = from.of(),
                  .clock_hz = ToFact(from.clock_hz()),
                  .bytes_per_s = ToFact(from.bytes_per_s()),
                  .launch_s = ToFact(from.launch_s()),
                  .invoke_s = ToFact(from.invoke_s()),
                  .off = from.off()};
  if (from.has_cores()) setting.cores = from.cores();
  return setting;
}

Mode ToMode(const proto::Mode& from) {
  Mode mode{
      .name = from.name(), .is_default = from.is_default(), .cap_w = ToFact(from.cap_w()), .source = from.source()};
  for (const proto::Setting& setting : from.set()) mode.settings.push_back(ToSetting(setting));
  return mode;
}

MeasuredAs ToMeasuredAs(const proto::MeasuredAs& from) {
  return {.device = from.device(),
          .unit = from.unit(),
          .runtime = from.runtime(),
          .mode = from.mode(),
          .on_units = Texts(from.on_unit()),
          .in_mode = from.in_mode(),
          .toolchain = from.toolchain()};
}

std::vector<Limit> ToLimits(const google::protobuf::RepeatedPtrField<proto::Limit>& from) {
  std::vector<Limit> limits;
  for (const proto::Limit& row : from) {
    Limit limit;
    if (ReadLimit(row, &limit).empty()) limits.push_back(std::move(limit));
  }
  return limits;
}

SupportRow ToSupport(const proto::Support& from) {
  return {.ops = Texts(from.op()),
          .domain = from.domain(),
          .supported = !from.no(),
          .limits = ToLimits(from.limit()),
          .note = from.note(),
          .source = from.source(),
          .trust = static_cast<Trust>(from.trust()),
          .only_in = Texts(from.only_in()),
          .fallback = static_cast<UnitKind>(from.fallback()),
          .also_in = Texts(from.also_in())};
}

// Both enums of the file start with an extra member, "unset".
Sharing ToSharing(const proto::Sharing& from) {
  return {.policy = static_cast<PolicyKind>(from.order() - 1),
          .preemption = static_cast<Preemption>(from.yield() - 1),
          .slice_s = from.slice_s(),
          .source = from.source(),
          .trust = static_cast<Trust>(from.trust())};
}

Partition ToPartition(const proto::Partition& from) {
  return {.on_request = from.on_request(),
          .means = from.means(),
          .source = from.source(),
          .trust = static_cast<Trust>(from.trust()),
          .width_first = from.width_first(),
          .last = Texts(from.last())};
}

Widening ToWidening(const proto::Widen& from) {
  return {.groups = Texts(from.group()),
          .from = static_cast<Num>(from.from()),
          .to = static_cast<Num>(from.to()),
          .source = from.source(),
          .trust = static_cast<Trust>(from.trust())};
}

SlowKernel ToSlowKernel(const proto::Slow& from) {
  return {.ops = Texts(from.op()),
          .limits = ToLimits(from.limit()),
          .cycles = ToFact(from.cycles()),
          .only_in = Texts(from.only_in()),
          .one_core = from.one_core(),
          .after = Texts(from.after()),
          .channel_block = std::max(from.channel_block(), 1u)};
}

HostCopy ToHostCopy(const proto::HostCopy& from) {
  std::vector<std::vector<Limit>> unless;
  for (const proto::Exception& row : from.unless()) unless.push_back(ToLimits(row.limit()));
  return {.ops = Texts(from.op()),
          .limits = ToLimits(from.limit()),
          .unless = std::move(unless),
          .before = from.before(),
          .after = from.after(),
          .given = from.given(),
          .no = from.no(),
          .source = from.source(),
          .trust = static_cast<Trust>(from.trust())};
}

WeightFormat ToWeightFormat(const proto::WeightFormat& from) {
  return {.name = from.name(),
          .aliases = Texts(from.alias()),
          .block_bits = ToFact(from.block_bits()),
          .attention_bits = ToFact(from.attention_bits()),
          .head_bits = ToFact(from.head_bits()),
          .embedding_bits = ToFact(from.embedding_bits()),
          .vector_bits = ToFact(from.vector_bits()),
          .act = ToNum(from.act()),
          .weight = ToNum(from.weight() == proto::NUM_UNSET ? from.act() : from.weight()),
          .needs_rate = from.needs_rate(),
          .measured_as = Texts(from.measured_as())};
}

CacheFormat ToCacheFormat(const proto::CacheFormat& from) {
  return {.name = from.name(), .aliases = Texts(from.alias()), .bits = ToFact(from.bits()), .act = ToNum(from.act())};
}

TakesForm ToTakesForm(const proto::TakesForm& from) {
  return {.form = static_cast<ModelForm>(from.form()),
          .no = from.no(),
          .note = from.note(),
          .source = from.source(),
          .trust = static_cast<Trust>(from.trust())};
}

Language ToLanguage(const proto::Language& from) {
  Language language{.title = from.title(),
                    .aliases = Texts(from.alias()),
                    .measured_as = Texts(from.measured_as()),
                    .default_context = ToFact(from.default_context()),
                    .max_context = ToFact(from.max_context()),
                    .max_prompt = ToFact(from.max_prompt()),
                    .max_batch = ToFact(from.max_batch()),
                    .prompt_rows = ToFact(from.prompt_rows()),
                    .pads_prompt = from.pads_prompt(),
                    .reads_whole_cache = from.reads_whole_cache(),
                    .scores_in_memory = from.scores_in_memory(),
                    .head_of_every_row = from.head_of_every_row(),
                    .experts_apart = from.experts_apart(),
                    .shares_tied = from.shares_tied(),
                    .embedding_in_flash = from.embedding_in_flash(),
                    .keeps_windows = from.keeps_windows(),
                    .source = from.source(),
                    .trust = static_cast<Trust>(from.trust()),
                    .note = from.note()};
  for (const proto::WeightFormat& row : from.weights()) language.weights.push_back(ToWeightFormat(row));
  for (const proto::CacheFormat& row : from.cache()) language.caches.push_back(ToCacheFormat(row));
  for (const proto::TakesForm& row : from.takes()) language.takes.push_back(ToTakesForm(row));
  for (const proto::Param& row : from.constant()) language.constants.push_back(ToParam(row));
  return language;
}

LanguageRuntime ToRuntime(const proto::Runtime& from) {
  LanguageRuntime runtime{.toolchain = from.toolchain(),
                          .unit = from.unit(),
                          .is_default = from.is_default(),
                          .weights = Texts(from.weights()),
                          .cache = from.cache()};
  if (from.has_cores()) runtime.cores = from.cores();
  for (const proto::Param& row : from.constant()) runtime.constants.push_back(ToParam(row));
  return runtime;
}

std::vector<Toolchain::OpIndex> IndexOps(const std::vector<SupportRow>& rows) {
  std::vector<Toolchain::OpIndex> index;
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& op : rows[i].ops) index.push_back({rows[i].domain, op, static_cast<uint32_t>(i)});
  }
  std::sort(index.begin(), index.end(), [](const Toolchain::OpIndex& a, const Toolchain::OpIndex& b) {
    return std::tie(a.domain, a.op) < std::tie(b.domain, b.op);
  });
  return index;
}

std::string ToPowerOf(proto::PowerOf from) {
  return from == proto::POWER_OF_UNSET ? "" : absl::AsciiStrToLower(proto::PowerOf_Name(from));
}

}  // namespace

Target ConvertTarget(const proto::Target& from) {
  Target target{.name = from.name(),
                .aliases = Texts(from.alias()),
                .summary = from.summary(),
                .family = from.family(),
                .base = from.base(),
                .host = from.host(),
                .idle_w = ToFact(from.idle_w()),
                .power_of = ToPowerOf(from.power_of()),
                .slot_bytes_per_s = ToFact(from.slot_bytes_per_s())};
  for (const proto::Source& source : from.sources()) target.sources.push_back(ToSource(source));
  for (const proto::Memory& memory : from.memory()) target.memories.push_back(ToMemory(memory));
  for (const proto::Unit& unit : from.unit()) target.units.push_back(ToUnit(unit, from));
  for (const proto::Link& link : from.link()) target.links.push_back(ToLink(link));
  for (const proto::Mode& mode : from.mode()) {
    if (mode.is_default()) target.default_mode = target.modes.size();
    target.modes.push_back(ToMode(mode));
  }
  for (const proto::MeasuredAs& row : from.measured_as()) target.measured_as.push_back(ToMeasuredAs(row));
  for (const proto::Runtime& row : from.runtime()) target.runtimes.push_back(ToRuntime(row));
  for (const proto::VideoDecoder& row : from.decoder())
    target.decoders.push_back({row.codec(), ToFact(row.pixels_per_s())});
  return target;
}

Toolchain ConvertToolchain(const proto::Toolchain& from) {
  Toolchain toolchain{.name = from.name(),
                      .own_name = from.name(),
                      .version = from.version(),
                      .shares_fits_with = Texts(from.shares_fits_with()),
                      .launch_share = ToFact(from.launch_share()),
                      .measured_as = Texts(from.measured_as()),
                      .prefix_only = from.prefix_only(),
                      .absorbs_qdq = from.absorbs_qdq(),
                      .static_only = from.static_only(),
                      .runs_everything = from.runs_everything(),
                      .thread_per_core = from.thread_per_core()};
  for (const proto::Source& source : from.sources()) toolchain.sources.push_back(ToSource(source));
  for (const proto::Support& row : from.support()) toolchain.support.push_back(ToSupport(row));
  toolchain.by_op = IndexOps(toolchain.support);
  for (const proto::Pick& pick : from.fuses()) {
    toolchain.fuses.push_back(
        {pick.pattern(), ToLimits(pick.limit()), pick.source(), static_cast<Trust>(pick.trust())});
  }
  for (const proto::Keep& keep : from.keeps()) toolchain.keeps.push_back({keep.reading(), keep.source()});
  for (const proto::Widen& widen : from.widens()) toolchain.widens.push_back(ToWidening(widen));
  for (const proto::Slow& row : from.slow()) toolchain.slow.push_back(ToSlowKernel(row));
  for (const proto::HostCopy& row : from.host_copies()) toolchain.host_copies.push_back(ToHostCopy(row));
  for (const int num : from.precision()) toolchain.precisions.push_back(static_cast<Num>(num));
  for (const int num : from.winograd()) toolchain.winograd.push_back(static_cast<Num>(num));
  if (from.has_sharing()) toolchain.sharing = ToSharing(from.sharing());
  if (from.has_partition()) toolchain.partition = ToPartition(from.partition());
  if (from.has_max_segments()) toolchain.max_segments = from.max_segments();
  if (from.has_min_nodes()) toolchain.min_nodes = from.min_nodes();
  if (from.has_language()) toolchain.language = ToLanguage(from.language());
  return toolchain;
}

}  // namespace hwest

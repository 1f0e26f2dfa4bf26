// Names of enums, and look-up of rows by name.
#include <algorithm>
#include <iterator>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "base/enumerators.h"
#include "hwest/target.h"

namespace hwest {
namespace {

constexpr absl::string_view kNumNames[] = {"unset", "fp32", "tf32", "fp16",  "bf16", "fp8",
                                           "int16", "int8", "int4", "int32", "fp4"};
static_assert(std::size(kNumNames) == kNumEnumerators<Num>);
constexpr int kNumBits[] = {0, 32, 32, 16, 16, 8, 16, 8, 4, 32, 4};
static_assert(std::size(kNumBits) == kNumEnumerators<Num>);
constexpr absl::string_view kWorkNames[] = {"unset", "contraction", "depthwise", "pointwise", "transcendental", "move"};
static_assert(std::size(kWorkNames) == kNumEnumerators<WorkKind>);
constexpr absl::string_view kTrustNames[] = {"unset",    "published", "measured", "secondary",
                                             "recalled", "derived",   "estimated"};
static_assert(std::size(kTrustNames) == kNumEnumerators<Trust>);

template <class Enum, size_t N>
absl::string_view NameIn(const absl::string_view (&names)[N], Enum value) {
  const auto index = static_cast<size_t>(value);
  return index < N ? names[index] : names[0];
}

template <class Rows>
auto FindNamed(const Rows& rows, absl::string_view name) -> decltype(&*rows.begin()) {
  for (const auto& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace

absl::string_view NumName(Num num) { return NameIn(kNumNames, num); }
absl::string_view WorkKindName(WorkKind kind) { return NameIn(kWorkNames, kind); }
absl::string_view TrustName(Trust trust) { return NameIn(kTrustNames, trust); }
std::string NumPairName(Num act, Num weight) {
  return act == weight ? std::string(NumName(act)) : absl::StrCat("w", NumBits(weight), "a", NumBits(act));
}
int NumBits(Num num) {
  const auto index = static_cast<size_t>(num);
  return index < std::size(kNumBits) ? kNumBits[index] : 0;
}

const Memory* MemoryOf(const Target& target, absl::string_view name) { return FindNamed(target.memories, name); }
const Unit* UnitOf(const Target& target, absl::string_view name) { return FindNamed(target.units, name); }
const Mode* ModeOf(const Target& target, absl::string_view name) { return FindNamed(target.modes, name); }
const VideoDecoder* VideoDecoderOf(const Target& target, absl::string_view codec) {
  const auto at = std::find_if(target.decoders.begin(), target.decoders.end(),
                               [&](const VideoDecoder& decoder) { return decoder.codec == codec; });
  return at == target.decoders.end() ? nullptr : &*at;
}
const std::vector<std::string>& Codecs() {
  static const auto* const kCodecs = new std::vector<std::string>{"h264", "h265", "av1", "vp9", "jpeg"};
  return *kCodecs;
}
const Toolchain* ToolchainOf(const Target& target, const Unit& unit) {
  return FindNamed(target.toolchains, unit.toolchain);
}

const Memory* SharedMemoryOf(const Target& target, const Unit& unit) {
  return unit.memories.empty() ? nullptr : &target.memories[unit.memories.back()];
}

UnitId UnitIdOf(const Target& target, absl::string_view name) {
  uint32_t index = 0;
  for (const Unit& unit : target.units) {
    if (unit.name == name) return UnitId(index);
    ++index;
  }
  return UnitId();
}

const Link* LinkOf(const Target& target, absl::string_view from, absl::string_view to) {
  const Link* reversed = nullptr;
  for (const Link& link : target.links) {
    if (link.from == from && link.to == to) return &link;
    if (link.from == to && link.to == from) reversed = &link;
  }
  return reversed;
}

const Rate* RateOf(const Unit& unit, WorkKind work, Num act, Num weight) {
  for (const Rate& rate : unit.rates) {
    if (rate.work == work && rate.act == act && rate.weight == weight) return &rate;
  }
  return nullptr;
}

std::optional<double> ParamOf(const Unit& unit, absl::string_view name) {
  const Param* param = FindNamed(unit.params, name);
  return param == nullptr ? std::nullopt : param->fact.value();
}

std::optional<double> PeakPerS(const Unit& unit, const Rate& rate) {
  if (!rate.per_cycle.known() || !unit.clock_hz.known()) return std::nullopt;
  return *rate.per_cycle.value() * unit.cores * unit.instances * *unit.clock_hz.value();
}

const SupportRow* SupportOf(const Toolchain& toolchain, absl::string_view domain, absl::string_view op) {
  const absl::string_view canonical = domain == "ai.onnx" ? absl::string_view() : domain;
  const auto key = std::make_tuple(canonical, op);
  const auto before = [](const Toolchain::OpIndex& row, const auto& wanted) {
    return std::tuple<absl::string_view, absl::string_view>(row.domain, row.op) < wanted;
  };
  const auto at = std::lower_bound(toolchain.by_op.begin(), toolchain.by_op.end(), key, before);
  if (at == toolchain.by_op.end() || at->domain != canonical || at->op != op) return nullptr;
  return &toolchain.support[at->row];
}

const SupportRow* SupportOfAll(const Toolchain& toolchain) { return SupportOf(toolchain, "", "*"); }

const Pick* PickOf(const Toolchain& toolchain, absl::string_view pattern) {
  for (const Pick& pick : toolchain.fuses) {
    if (pick.pattern == pattern) return &pick;
  }
  return nullptr;
}

const Keep* KeepOf(const Toolchain& toolchain, absl::string_view reading) {
  for (const Keep& keep : toolchain.keeps) {
    if (keep.reading == reading) return &keep;
  }
  return nullptr;
}

}  // namespace hwest

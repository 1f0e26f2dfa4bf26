#include "target/check.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "target/kinds.h"
#include "target/language.h"
#include "target/limit.h"
#include "target/names.h"
#include "target/walk.h"

namespace hwest {
namespace {

using google::protobuf::Message;
using Names = std::set<std::string>;

// The range of a field in which the arithmetic makes sense; plausible.cc has the credible range.
struct Range {
  absl::string_view field;
  double min;
  double max;
};
constexpr Range kRanges[] = {
    {.field = "clock_hz", .min = 1e3, .max = 1e11},
    {.field = "bytes_per_s", .min = 1, .max = 1e18},
    {.field = "capacity_bytes", .min = 1, .max = 1e14},
    {.field = "usable_bytes", .min = 1, .max = 1e14},
    {.field = "latency_s", .min = 0, .max = 1},
    {.field = "launch_s", .min = 0, .max = 1},
    {.field = "launch_share", .min = 1e-3, .max = 1},
    {.field = "invoke_s", .min = 0, .max = 10},
    {.field = "switch_s", .min = 0, .max = 10},
    {.field = "per_cycle", .min = 1e-6, .max = 1e12},
    {.field = "sparse_per_cycle", .min = 1e-6, .max = 1e12},
    {.field = "vector_bytes", .min = 1, .max = 65536},
    {.field = "energy_j", .min = 1e-21, .max = 1e3},
    {.field = "energy_j_per_byte", .min = 1e-21, .max = 1e3},
    {.field = "static_w", .min = 0, .max = 1e5},
    {.field = "idle_w", .min = 0, .max = 1e5},
    {.field = "slot_bytes_per_s", .min = 1, .max = 1e13},
    {.field = "pixels_per_s", .min = 0, .max = 1e13},
    {.field = "cap_w", .min = 1e-3, .max = 1e5},
    {.field = "slice_s", .min = 1e-6, .max = 10},
    {.field = "block_bits", .min = 0.5, .max = 64},
    {.field = "attention_bits", .min = 0.5, .max = 64},
    {.field = "head_bits", .min = 0.5, .max = 64},
    {.field = "embedding_bits", .min = 0.5, .max = 64},
    {.field = "vector_bits", .min = 0.5, .max = 64},
    {.field = "bits", .min = 0.5, .max = 64},
    {.field = "default_context", .min = 1, .max = 1e9},
    {.field = "max_context", .min = 1, .max = 1e9},
    {.field = "max_prompt", .min = 1, .max = 1e9},
    {.field = "max_batch", .min = 1, .max = 1e6},
    {.field = "prompt_rows", .min = 1, .max = 1e9},
};

const Range* RangeOf(absl::string_view field) {
  for (const Range& range : kRanges) {
    if (range.field == field) return &range;
  }
  return nullptr;
}

class Report {
 public:
  void Add(absl::string_view path, absl::string_view message, absl::string_view remedy) {
    rows_.push_back({.path = std::string(path), .message = std::string(message), .remedy = std::string(remedy)});
  }
  std::vector<LintProblem> Take() && { return std::move(rows_); }

 private:
  std::vector<LintProblem> rows_;
};

template <class Rows>
Names NamesOf(const Rows& rows) {
  Names names;
  for (const auto& row : rows) names.insert(RowKey(row));
  return names;
}

// The place of a problem; the text is made only when needed.
using Place = absl::FunctionRef<std::string()>;

void CheckSource(Place place, const std::string& source, const Names& sources, Report* report) {
  if (source.empty()) {
    report->Add(place(), "has no source", "set `source` to a key of `sources`");
  } else if (sources.count(source) == 0) {
    report->Add(place(), absl::StrCat("source '", source, "' is not in `sources`"),
                "add it there, with title and date");
  }
}

void CheckValue(Place place, absl::string_view field, double value, Report* report) {
  const Range* range = RangeOf(field);
  if (range == nullptr ? std::isfinite(value) : value >= range->min && value <= range->max) return;
  const std::string allowed = range == nullptr ? "a finite number" : absl::StrCat(range->min, " to ", range->max);
  report->Add(place(), absl::StrCat(value, " is out of range"),
              absl::StrCat("give ", allowed, " in the unit of the field"));
}

// The range in which an estimated figure may lie.
void CheckRange(const WalkStep& step, const proto::Fact& fact, Report* report) {
  if (fact.has_min() != fact.has_max() || (fact.has_min() && !(fact.min() < fact.max()))) {
    report->Add(PathOf(step), "has half a range", "set min < max, or neither");
  } else if (fact.has_min() && fact.has_value() && (fact.value() < fact.min() || fact.value() > fact.max())) {
    report->Add(PathOf(step), absl::StrCat(fact.value(), " is outside [", fact.min(), ", ", fact.max(), "]"),
                "move it inside, or widen the range");
  }
}

void CheckFact(const WalkStep& step, const proto::Fact& fact, const Names& sources, Report* report) {
  const auto here = [&] { return PathOf(step); };
  if (fact.has_value()) {
    CheckSource(here, fact.source(), sources, report);
    if (fact.trust() == proto::TRUST_UNSET || !proto::Trust_IsValid(fact.trust())) {
      report->Add(here(), "has no trust", "set `trust`, e.g. PUBLISHED or ESTIMATED");
    }
    CheckValue(here, step.field->name(), fact.value(), report);
  }
  CheckRange(step, fact, report);
  if (!fact.has_fit()) return;
  const auto in_fit = [&] { return absl::StrCat(PathOf(step), "/fit"); };
  CheckValue(in_fit, step.field->name(), fact.fit().value(), report);
  if (fact.fit().data().empty() || fact.fit().count() < 1 || !(fact.fit().spread() >= 0)) {
    report->Add(in_fit(), "lacks data, count or spread", "name the measurements of the fit");
  }
}

NameProblem CheckParamNameAt(const WalkStep& step, const std::string& name) {
  if (step.parent->type->name() != "Unit") return CheckLanguageConstant(name);
  const auto& unit = static_cast<const proto::Unit&>(*step.parent->message);
  const auto kind = proto::Kind_IsValid(unit.kind()) ? static_cast<UnitKind>(unit.kind()) : UnitKind::kUnset;
  return CheckParamName(name, kind);
}

void CheckParam(const WalkStep& step, const proto::Param& param, Report* report) {
  if (param.name().empty()) report->Add(PathOf(step), "has no name", "name the parameter");
  const NameProblem name = CheckParamNameAt(step, param.name());
  if (!param.name().empty() && !name.message.empty()) report->Add(PathOf(step), name.message, name.remedy);
  if (!(param.min() < param.max())) report->Add(PathOf(step), "has no range", "set min < max");
  const bool fitted = param.fact().has_fit();
  if (!fitted && !param.fact().has_value()) return;
  const double value = fitted ? param.fact().fit().value() : param.fact().value();
  if (value < param.min() || value > param.max()) {
    report->Add(PathOf(step), absl::StrCat(value, " is outside [", param.min(), ", ", param.max(), "]"),
                "move it inside");
  }
}

// A class is an operator and a size, with the share of the time that was seen where that is less than all:
// "conv.m=0.62".
bool IsOperatorClass(absl::string_view text) {
  const size_t equals = text.find('=');
  double share = 1;
  if (equals != absl::string_view::npos && !absl::SimpleAtod(text.substr(equals + 1), &share)) return false;
  if (!(share > 0 && share <= 1)) return false;
  text = text.substr(0, equals);
  return text.size() > 2 && text[text.size() - 2] == '.' && absl::StrContains("sml", text.substr(text.size() - 1));
}

void CheckEvidence(const WalkStep& step, const proto::Evidence& row, Report* report) {
  const auto add = [&](absl::string_view what, absl::string_view remedy) { report->Add(PathOf(step), what, remedy); };
  if (!IsPrecisionName(row.precision())) add("names no precision", "write fp16, int8, w8a16, ...");
  if (row.data().empty() || row.count() < 1 || row.families() < 1) {
    add("lacks data, count or families", "name the measurements that it was found from");
  }
  for (const absl::string_view text : absl::StrSplit(row.classes(), ' ', absl::SkipEmpty())) {
    if (IsOperatorClass(text)) continue;
    add(absl::StrCat("class '", text, "' has no size or share"), "write OPERATOR.s, .m or .l, or OPERATOR.s=0.2");
  }
}

void CheckSourceRow(const proto::Source& source, Report* report) {
  const std::string path = absl::StrCat("sources/", source.key());
  if (source.key().empty() || source.title().empty()) report->Add(path, "lacks key or title", "set both");
  if (source.url().empty() && source.date().empty()) {
    report->Add(path, "has neither url nor date", "say where or when it was read");
  }
}

void CheckFacts(const Message& root, const Names& sources, Report* report) {
  Walk(root, nullptr, [&](const WalkStep& step) {
    const std::string& type = step.type->name();
    if (type == "Fact") {
      CheckFact(step, static_cast<const proto::Fact&>(*step.message), sources, report);
    } else if (type == "Param") {
      CheckParam(step, static_cast<const proto::Param&>(*step.message), report);
    } else if (type == "Evidence") {
      CheckEvidence(step, static_cast<const proto::Evidence&>(*step.message), report);
    }
  });
}

void CheckReference(const std::string& path, absl::string_view what, const std::string& name, const Names& names,
                    Report* report) {
  if (names.count(name) == 0) {
    report->Add(path, absl::StrCat("names ", what, " '", name, "', which is not in this file"),
                "define it or remove this");
  }
}

void CheckRates(const std::string& path, const proto::Unit& unit, const Names& memories, Report* report) {
  bool contracts = false;
  bool usual = false;
  for (const proto::Rate& rate : unit.rate()) {
    const std::string at = absl::StrCat(path, "/rate/", RowKey(rate));
    contracts = contracts || rate.work() == proto::CONTRACTION;
    usual = usual || (rate.work() == proto::CONTRACTION && rate.act() == unit.precision());
    if (rate.work() == proto::WORK_UNSET || rate.act() == proto::NUM_UNSET) {
      report->Add(at, "lacks work or act", "set both");
    }
    for (const std::string& name : rate.energy_covers()) CheckReference(at, "memory", name, memories, report);
  }
  if (!contracts) {
    report->Add(path, "has no CONTRACTION rate", "state one, or set placeable: false");
  } else if (!usual && unit.precision() != proto::NUM_UNSET) {
    report->Add(path, absl::StrCat("precision ", proto::Num_Name(unit.precision()), " has no CONTRACTION rate"),
                "state one for it, or change `precision`");
  }
}

void CheckUnit(const proto::Unit& unit, const Names& memories, const Names& sources, Report* report) {
  const std::string path = absl::StrCat("unit/", unit.name());
  if (unit.name().empty()) report->Add(path, "has no name", "name the unit");
  if (unit.kind() == proto::KIND_UNSET) report->Add(path, "has no kind", "set `kind`, e.g. SYSTOLIC");
  for (const std::string& name : unit.memory()) CheckReference(path, "memory", name, memories, report);
  for (const proto::Tile& tile : unit.tile()) {
    CheckSource([&] { return absl::StrCat(path, "/tile/", RowKey(tile)); }, tile.source(), sources, report);
  }
  if (unit.has_cores() && unit.cores() == 0) report->Add(path, "has 0 cores", "set placeable: false instead");
  if (unit.has_instances() && unit.instances() == 0) report->Add(path, "has 0 instances", "remove the unit instead");
  if (unit.has_placeable() && !unit.placeable()) return;
  if (unit.toolchain().empty()) report->Add(path, "has no toolchain", "name one, or set placeable: false");
  if (!unit.clock_hz().has_value()) report->Add(path, "has no clock_hz", "state it, or set placeable: false");
  if (unit.memory().empty()) report->Add(path, "has no memory", "list its memories, nearest first");
  if (unit.precision() == proto::NUM_UNSET) report->Add(path, "has no precision", "say what `auto` means here");
  CheckRates(path, unit, memories, report);
}

void CheckMode(const proto::Mode& mode, const Names& units, const Names& memories, const Names& sources,
               Report* report) {
  const std::string path = absl::StrCat("mode/", mode.name());
  if (mode.name().empty()) report->Add(path, "has no name", "name the mode");
  CheckSource([&] { return path; }, mode.source(), sources, report);
  Names both = units;
  both.insert(memories.begin(), memories.end());
  for (const proto::Setting& setting : mode.set()) {
    const std::string at = absl::StrCat(path, "/set/", setting.of());
    CheckReference(at, "unit or memory", setting.of(), both, report);
    if (setting.has_cores() && setting.cores() == 0) report->Add(at, "has 0 cores", "set off: true instead");
  }
}

void CheckModes(const proto::Target& target, const Names& units, const Names& memories, const Names& sources,
                Report* report) {
  int defaults = 0;
  for (const proto::Mode& mode : target.mode()) {
    CheckMode(mode, units, memories, sources, report);
    defaults += mode.is_default() ? 1 : 0;
  }
  if (!target.mode().empty() && defaults != 1) {
    report->Add("mode", absl::StrCat(defaults, " modes are the default"), "set is_default: true on exactly one");
  }
}

void CheckMeasuredAs(const proto::Target& target, const Names& units, const Names& modes, Report* report) {
  for (int i = 0; i < target.measured_as_size(); ++i) {
    const proto::MeasuredAs& row = target.measured_as(i);
    const std::string path = absl::StrCat("measured_as/", i);
    if (row.device().empty()) report->Add(path, "has no device", "copy the device text of the measurements");
    for (const std::string& name : row.on_unit()) CheckReference(path, "unit", name, units, report);
    if (!row.in_mode().empty()) CheckReference(path, "mode", row.in_mode(), modes, report);
  }
}

void CheckRuntimes(const proto::Target& target, const Names& units, Report* report) {
  int defaults = 0;
  for (const proto::Runtime& runtime : target.runtime()) {
    const std::string path = absl::StrCat("runtime/", runtime.toolchain());
    if (runtime.toolchain().empty()) report->Add(path, "has no toolchain", "name one with a `language`");
    CheckReference(path, "unit", runtime.unit(), units, report);
    defaults += runtime.is_default() ? 1 : 0;
  }
  if (defaults > 1) report->Add("runtime", "several are the default", "set is_default: true on one");
}

void CheckDecoders(const proto::Target& target, Report* report) {
  const std::vector<std::string>& codecs = Codecs();
  for (const proto::VideoDecoder& decoder : target.decoder()) {
    if (std::find(codecs.begin(), codecs.end(), decoder.codec()) != codecs.end()) continue;
    report->Add(absl::StrCat("decoder/", decoder.codec()), "is of no known codec",
                absl::StrCat("write one of ", absl::StrJoin(codecs, ", ")));
  }
}

void CheckUnits(const proto::Target& target, const Names& memories, const Names& sources, Report* report) {
  if (target.unit().empty()) report->Add("unit", "is empty", "list at least one unit");
  const auto places =
      static_cast<size_t>(std::count_if(target.unit().begin(), target.unit().end(), [](const proto::Unit& unit) {
        return !unit.has_placeable() || unit.placeable();
      }));
  if (places > kMostPlaceableUnits) {
    report->Add("unit", absl::StrCat("has ", places, " that take work, at most ", kMostPlaceableUnits, " can"),
                "set placeable: false on some, or state equal ones as one unit with more cores or instances");
  }
  for (const proto::Unit& unit : target.unit()) CheckUnit(unit, memories, sources, report);
}

void CheckMemories(const proto::Target& target, Report* report) {
  for (const proto::Memory& memory : target.memory()) {
    const std::string path = absl::StrCat("memory/", memory.name());
    if (memory.name().empty()) report->Add(path, "has no name", "name the memory");
    if (memory.usable_bytes().value() > memory.capacity_bytes().value() && memory.capacity_bytes().has_value()) {
      report->Add(path, "usable_bytes is above capacity_bytes", "lower it");
    }
  }
}

void CheckSupport(const proto::Support& row, const Names& sources, std::set<std::pair<std::string, std::string>>* seen,
                  Report* report) {
  const std::string path = SupportPath(row);
  if (row.op().empty()) report->Add(path, "has no op", "list at least one op");
  CheckSource([&] { return path; }, row.source(), sources, report);
  if (row.trust() == proto::TRUST_UNSET) report->Add(path, "has no trust", "set `trust`");
  for (const std::string& op : row.op()) {
    if (!seen->insert({row.domain(), op}).second) {
      report->Add(path, absl::StrCat("op '", op, "' is stated twice"), "keep one row");
    }
  }
  if (row.no() && !row.limit().empty()) report->Add(path, "says no with limits", "drop `no` or the limits");
}

void CheckSharing(const proto::Sharing& sharing, const Names& sources, Report* report) {
  const std::string path = "sharing";
  CheckSource([&] { return path; }, sharing.source(), sources, report);
  if (sharing.trust() == proto::TRUST_UNSET) report->Add(path, "has no trust", "set `trust`");
  if (sharing.order() == proto::ORDER_UNSET) report->Add(path, "has no order", "set `order`");
  if (sharing.yield() == proto::YIELD_UNSET) report->Add(path, "has no yield", "set `yield`");
  if (sharing.has_slice_s() != (sharing.yield() == proto::BY_SLICE)) {
    report->Add(path, "has a slice without BY_SLICE, or none with it", "set both, or drop `slice_s`");
  }
  if (sharing.has_slice_s()) CheckValue([&] { return path; }, "slice_s", sharing.slice_s(), report);
}

void CheckPartition(const proto::Partition& partition, const Names& sources, Report* report) {
  const std::string path = "partition";
  CheckSource([&] { return path; }, partition.source(), sources, report);
  if (partition.trust() == proto::TRUST_UNSET) report->Add(path, "has no trust", "set `trust`");
  if (partition.takes() == proto::TAKES_UNSET) report->Add(path, "does not say what it takes", "set `takes`");
}

void CheckWiden(const proto::Widen& widen, const Names& sources, Report* report) {
  const std::string path = absl::StrCat("widens/", RowKey(widen));
  CheckSource([&] { return path; }, widen.source(), sources, report);
  if (widen.trust() == proto::TRUST_UNSET) report->Add(path, "has no trust", "set `trust`");
  if (widen.group().empty()) report->Add(path, "names no group", "name operators or patterns");
  if (NumBits(static_cast<Num>(widen.to())) <= NumBits(static_cast<Num>(widen.from()))) {
    report->Add(path, "is not wider", "set `from` and `to`");
  }
}

template <class Formats>
void CheckFormats(absl::string_view what, const Formats& formats, Report* report) {
  std::set<std::string> seen;
  for (const auto& format : formats) {
    const std::string path = absl::StrCat("language/", what, "/", format.name());
    if (format.name().empty()) report->Add(path, "has no name", "name the format");
    bool is_told_apart = false;  // from others with the same alias
    if constexpr (requires { format.measured_as(); }) is_told_apart = !format.measured_as().empty();
    std::vector<std::string> names(format.alias().begin(), format.alias().end());
    names.push_back(format.name());
    for (const std::string& name : names) {
      if (seen.insert(name).second || is_told_apart) continue;
      report->Add(path, absl::StrCat("'", name, "' stands twice"), "keep one of them");
    }
  }
  if (formats.empty()) report->Add("language", absl::StrCat("has no ", what), "list the formats, the usual one first");
}

void CheckLanguage(const proto::Language& language, const Names& sources, Report* report) {
  const std::string path = "language";
  CheckSource([&] { return path; }, language.source(), sources, report);
  if (language.trust() == proto::TRUST_UNSET) report->Add(path, "has no trust", "set `trust`");
  if (language.title().empty()) report->Add(path, "has no title", "write its name for people");
  CheckFormats("weights", language.weights(), report);
  CheckFormats("cache", language.cache(), report);
  for (const proto::WeightFormat& row : language.weights()) {
    const std::string at = absl::StrCat("language/weights/", row.name());
    if (!row.block_bits().has_value())
      report->Add(at, "has no block_bits", "state the bits of a weight with its scales");
    if (row.act() == proto::NUM_UNSET) report->Add(at, "has no act", "say what the products of a prompt compute in");
  }
  for (const proto::CacheFormat& row : language.cache()) {
    if (row.bits().has_value()) continue;
    report->Add(absl::StrCat("language/cache/", row.name()), "has no bits", "state the bits of an element");
  }
  for (const proto::TakesForm& row : language.takes()) {
    const std::string at = absl::StrCat("language/takes/", RowKey(row));
    if (row.form() == proto::FORM_UNSET) report->Add(at, "has no form", "set `form`");
    if (row.trust() == proto::TRUST_UNSET) report->Add(at, "has no trust", "set `trust`");
    CheckSource([&] { return at; }, row.source(), sources, report);
  }
}

void CheckLimits(const std::string& path, const google::protobuf::RepeatedPtrField<proto::Limit>& limits,
                 Report* report) {
  for (const proto::Limit& row : limits) {
    Limit limit;
    const std::string wrong = ReadLimit(row, &limit);
    if (!wrong.empty()) report->Add(path, wrong, "`onnx-hwest describe target-format` lists the forms of a limit");
  }
}

void CheckSlow(const proto::Slow& row, Report* report) {
  const std::string path = SlowPath(row);
  if (row.op().empty()) report->Add(path, "names no operator", "name one");
  if (!row.cycles().has_value()) report->Add(path, "does not say how slow", "state `cycles`");
  CheckLimits(path, row.limit(), report);
}

void CheckHostCopy(const proto::HostCopy& row, const Names& sources, Report* report) {
  const std::string path = HostCopyPath(row);
  CheckSource([&] { return path; }, row.source(), sources, report);
  if (row.trust() == proto::TRUST_UNSET) report->Add(path, "has no trust", "set `trust`");
  if (row.op().empty()) report->Add(path, "names no operator", "name one");
  if (!row.before() && !row.after() && !row.given()) {
    report->Add(path, "does not say what is copied", "set `before`, `after` or `given`");
  }
  CheckLimits(path, row.limit(), report);
  for (const proto::Exception& exception : row.unless()) {
    if (exception.limit().empty()) report->Add(path, "has an exception of everything", "name a limit of `unless`");
    CheckLimits(path, exception.limit(), report);
  }
}

}  // namespace

std::string HostCopyPath(const proto::HostCopy& row) {
  return absl::StrCat("host_copies/", row.op().empty() ? "" : row.op(0));
}

std::string SlowPath(const proto::Slow& row) { return absl::StrCat("slow/", row.op().empty() ? "" : row.op(0)); }

std::string SupportPath(const proto::Support& row) {
  return absl::StrCat("support/", row.op().empty() ? "" : row.op(0));
}

std::vector<LintProblem> CheckKeys(const Message& root) {
  Report report;
  std::set<std::pair<const Message*, std::string>> seen;
  Walk(root, nullptr, [&](const WalkStep& step) {
    if (step.index < 0 || step.type->name() == "Support" || step.type->name() == "Limit") return;
    const std::string key = RowKey(*step.message);
    if (key.empty()) return;
    if (!seen.insert({step.parent->message, absl::StrCat(step.field->name(), "/", key)}).second) {
      report.Add(PathOf(step), "stands twice", "keep one of them");
    }
  });
  return std::move(report).Take();
}

std::vector<LintProblem> CheckTarget(const proto::Target& target) {
  Report report;
  const Names sources = NamesOf(target.sources());
  const Names memories = NamesOf(target.memory());
  const Names units = NamesOf(target.unit());
  if (target.name().empty()) report.Add("name", "is empty", "name the target");
  for (const proto::Source& source : target.sources()) CheckSourceRow(source, &report);
  CheckFacts(target, sources, &report);
  CheckMemories(target, &report);
  CheckUnits(target, memories, sources, &report);
  for (const proto::Link& link : target.link()) {
    CheckReference(absl::StrCat("link/", RowKey(link)), "unit", link.from(), units, &report);
    CheckReference(absl::StrCat("link/", RowKey(link)), "unit", link.to(), units, &report);
  }
  CheckModes(target, units, memories, sources, &report);
  CheckMeasuredAs(target, units, NamesOf(target.mode()), &report);
  CheckRuntimes(target, units, &report);
  CheckDecoders(target, &report);
  return std::move(report).Take();
}

std::vector<LintProblem> CheckToolchain(const proto::Toolchain& toolchain) {
  Report report;
  const Names sources = NamesOf(toolchain.sources());
  if (toolchain.name().empty()) report.Add("name", "is empty", "name the toolchain");
  for (const proto::Source& source : toolchain.sources()) CheckSourceRow(source, &report);
  CheckFacts(toolchain, sources, &report);
  std::set<std::pair<std::string, std::string>> seen;
  for (const proto::Support& row : toolchain.support()) {
    CheckSupport(row, sources, &seen, &report);
    CheckLimits(SupportPath(row), row.limit(), &report);
  }
  for (const proto::Pick& pick : toolchain.fuses()) {
    const std::string path = absl::StrCat("fuses/", pick.pattern());
    if (pick.pattern().empty()) report.Add(path, "has no pattern", "name one");
    CheckSource([&] { return path; }, pick.source(), sources, &report);
    CheckLimits(path, pick.limit(), &report);
  }
  for (const proto::Keep& keep : toolchain.keeps()) {
    const std::string path = absl::StrCat("keeps/", keep.reading());
    if (keep.reading().empty()) report.Add(path, "has no reading", "name one");
    CheckSource([&] { return path; }, keep.source(), sources, &report);
  }
  for (const proto::Widen& widen : toolchain.widens()) CheckWiden(widen, sources, &report);
  for (const proto::Slow& row : toolchain.slow()) CheckSlow(row, &report);
  for (const proto::HostCopy& row : toolchain.host_copies()) CheckHostCopy(row, sources, &report);
  if (toolchain.has_sharing()) CheckSharing(toolchain.sharing(), sources, &report);
  if (toolchain.has_partition()) CheckPartition(toolchain.partition(), sources, &report);
  if (toolchain.has_language()) CheckLanguage(toolchain.language(), sources, &report);
  std::vector<LintProblem> problems = std::move(report).Take();
  const std::vector<LintProblem> names = CheckNames(toolchain);
  problems.insert(problems.end(), names.begin(), names.end());
  return problems;
}

}  // namespace hwest

#include "report/getters.h"

#include <iterator>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/enumerators.h"
#include "hwest/reading.h"
#include "report/text_table.h"

namespace hwest::getters {
namespace {

constexpr size_t kMostContents = 1024;  // elements of a known tensor that are written out

std::string TextOf(const KnownElement& element) {
  if (const auto* number = std::get_if<int64_t>(&element)) return absl::StrCat(*number);
  if (const auto* text = std::get_if<std::string>(&element)) return *text;
  if (const auto* real = std::get_if<double>(&element)) return absl::StrCat(*real);
  return "?";
}

Cell ElementCell(const KnownElement& element) {
  if (const auto* integer = std::get_if<int64_t>(&element)) return *integer;
  if (const auto* text = std::get_if<std::string>(&element)) return *text;
  if (const auto* number = std::get_if<double>(&element)) return *number;
  return nullptr;
}

}  // namespace

std::optional<double> RatioOf(double figure, double by) {
  return by > 0 ? std::optional<double>(figure / by) : std::nullopt;
}

std::optional<std::string> UnitNameOf(const View& view, UnitId unit) {
  return unit.valid() ? std::optional<std::string>(view.units[unit.index()].name) : std::nullopt;
}

std::optional<std::string> ReadingOf(const View& view, NodeId node) {
  std::string text = ReadingText(*view.graph, view.reading, node);
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

std::string MatchWord(MeasuredMatch match) {
  constexpr const char* kWords[] = {"groups", "part", "no kernel", "none"};
  static_assert(std::size(kWords) == kNumEnumerators<MeasuredMatch>);
  return kWords[static_cast<size_t>(match)];
}

std::optional<MeasuredSet> SetOf(const View& view, const MeasuredEntry& entry) {
  if (entry.match != MeasuredMatch::kGroups) return std::nullopt;
  return view.measured->sets[*view.measured->set_of[entry.groups.front()]];
}

int64_t SumOf(const std::vector<BoundRow>& rows, int64_t BoundRow::* figure) {
  int64_t sum = 0;
  for (const BoundRow& row : rows) sum += row.*figure;
  return sum;
}

std::optional<double> EndOf(const GroupRow& group) {
  if (!group.start_s.has_value() || !group.estimate.has_value()) return std::nullopt;
  return *group.start_s + group.estimate->time_s;
}

std::optional<double> EnergyOf(const std::optional<EnergyParts>& parts) {
  return parts.has_value() ? std::optional<double>(parts->total()) : std::nullopt;
}

std::vector<std::string> AssumptionsOf(const GroupRow& group) {
  return group.estimate.has_value() ? group.estimate->assumptions : std::vector<std::string>();
}

std::optional<Tiling> TilingOf(const GroupRow& group) {
  return group.estimate.has_value() ? group.estimate->tiling : std::nullopt;
}

std::optional<std::string> LoopOrderOf(const GroupRow& group) {
  const std::optional<Tiling> tiling = TilingOf(group);
  return tiling.has_value() ? std::optional<std::string>(LoopOrderName(tiling->order)) : std::nullopt;
}

std::string TileText(const Tiling& tiling) {
  const std::string order = absl::StrReplaceAll(LoopOrderName(tiling.order), {{"_", " "}});
  return absl::StrCat(tiling.m, " x ", tiling.n, " x ", tiling.k, ", ", order);
}

Cell TrafficCell(const GroupRow& group, const View& view) {
  Cell list = Cell::OfList();
  if (!group.estimate.has_value()) return list;
  for (const MemoryTraffic& row : group.estimate->traffic) {
    list.push_back(Cell{{"memory", Cell(view.memories[row.memory])},
                        {"read_bytes", Cell(row.read_bytes)},
                        {"written_bytes", Cell(row.written_bytes)}});
  }
  return list;
}

std::optional<double> IfWhole(const SegmentRow& segment, double figure) {
  return segment.incomplete ? std::nullopt : std::optional<double>(figure);
}

std::optional<double> IfPrompt(const GenerationRow& row, double figure) {
  return row.first_token_s.has_value() ? std::optional<double>(figure) : std::nullopt;
}

Count FlopsAsOf(const SummaryView& summary) { return summary.flops_as.has_value() ? summary.flops_as->total : Count(); }

std::string UnseenText(const std::vector<UnseenWork>& unseen) {
  NamedShares shares;
  for (const UnseenWork& row : unseen) shares.emplace_back(row.what, row.share);
  return SharesText(shares);
}

std::string SharesText(const NamedShares& shares) {
  return absl::StrJoin(
      shares, ",", [](std::string* out, const auto& share) { absl::StrAppend(out, share.first, "=", share.second); });
}

std::optional<std::string> ContentsOf(const ValueRow& value) {
  if (!value.value.has_value() || value.value->size() > kMostContents) return std::nullopt;
  return absl::StrCat(
      "[", absl::StrJoin(*value.value, ", ", [](std::string* to, const KnownElement& e) { *to += TextOf(e); }), "]");
}

std::string HowText(const WhatIfRow& row) {
  std::vector<std::string> words;
  if (row.writes) words.emplace_back("rewrite");
  for (const std::vector<std::string>* flags : {&row.flags, &row.rewrite}) {
    for (const std::string& word : *flags) words.push_back(ShellQuoted(word));
  }
  if (!words.empty()) return absl::StrJoin(words, " ");
  if (!row.outputs.empty()) return "cut the file";
  if (!row.precision_of.empty()) return "--precision-of of these";
  if (!row.width.empty()) {
    for (const std::string& word : row.width) words.push_back(ShellQuoted(word));
    return absl::StrCat("width ", absl::StrJoin(words, " "));
  }
  if (row.edits.empty()) return "another target file";
  return absl::StrCat("edit ", row.edits.size(), row.edits.size() == 1 ? " node" : " nodes");
}

std::vector<std::string> EditTexts(const WhatIfRow& row) {
  std::vector<std::string> texts;
  for (const ModelEdit& edit : row.edits) {
    texts.push_back(absl::StrCat(edit.output, " = ", edit.op, "(", edit.input, ")"));
  }
  return texts;
}

Cell CountCell(const Count& count) {
  if (const auto* number = std::get_if<int64_t>(&count)) return *number;
  if (const auto* text = std::get_if<std::string>(&count)) return *text;
  return nullptr;
}

Cell ShapeCell(const ShapeText& shape) {
  if (!shape.has_value()) return nullptr;
  Cell dims = Cell::OfList();
  for (const Count& dim : *shape) dims.push_back(CountCell(dim));
  return dims;
}

Cell WordCell(Bound bound) { return BoundName(bound); }
Cell WordCell(Grade grade) { return GradeName(grade); }
Cell WordCell(NodeClass node_class) { return NodeClassName(node_class); }
Cell WordCell(Origin origin) { return OriginName(origin); }
Cell WordCell(Severity severity) {
  constexpr absl::string_view kNames[] = {"error", "warning", "note"};
  static_assert(std::size(kNames) == kNumEnumerators<Severity>);
  return kNames[static_cast<size_t>(severity)];
}
Cell WordCell(Trust trust) { return TrustName(trust); }
Cell WordCell(UnitKind kind) { return UnitKindName(kind); }
Cell WordCell(Verdict verdict) { return VerdictName(verdict); }
Cell WordCell(EvidenceKind evidence) { return EvidenceKindName(evidence); }
Cell WordCell(CureKind kind) { return CureKindName(kind); }
Cell WordCell(WhatIfKind kind) { return WhatIfKindName(kind); }
Cell WordCell(ChangeScope scope) { return ChangeScopeName(scope); }
Cell WordCell(AccuracyRisk risk) { return AccuracyRiskName(risk); }

std::string KindText(ValueKind kind) {
  return std::string(ValueKindName(kind == ValueKind::kUnknown ? ValueKind::kTensor : kind));
}

Cell ElementsOf(const ValueRow& value) {
  if (!value.value.has_value()) return nullptr;
  Cell list = Cell::OfList();
  for (const KnownElement& element : *value.value) list.push_back(ElementCell(element));
  return list;
}

Cell EditsOf(const WhatIfRow& row) {
  Cell edits = Cell::OfList();
  for (const ModelEdit& edit : row.edits) {
    edits.push_back(Cell{{"output", edit.output}, {"op", edit.op}, {"input", edit.input}});
  }
  return edits;
}

Cell BatchOf(const Point& point) {
  return point.measured.images.has_value() ? Cell(*point.measured.images) : Cell(NonEmpty(point.measured.batch));
}

std::string MatchText(const Point& point) { return point.measured.closeness == Closeness::kExact ? "exact" : "near"; }

Cell FitOf(const TargetFact& fact) {
  if (!fact.fit.has_value()) return nullptr;
  return Cell{
      {"value", fact.fit->value}, {"spread", fact.fit->spread}, {"count", fact.fit->count}, {"data", fact.fit->data}};
}

std::optional<std::string> MemoryNameOf(const Target& target, const Unit& unit) {
  const Memory* memory = SharedMemoryOf(target, unit);
  return memory == nullptr ? std::nullopt : std::optional<std::string>(memory->name);
}

std::optional<double> SharedBytesPerS(const Target& target, const Unit& unit) {
  const Memory* memory = SharedMemoryOf(target, unit);
  return memory == nullptr ? std::nullopt : memory->bytes_per_s.value();
}

std::optional<double> PeakMacsPerS(const Unit& unit) {
  const Rate* rate = RateOf(unit, WorkKind::kContraction, unit.precision, unit.precision);
  return rate == nullptr ? std::nullopt : PeakPerS(unit, *rate);
}

bool IsPrefixOnly(const Target& target, const Unit& unit) {
  const Toolchain* toolchain = ToolchainOf(target, unit);
  return toolchain != nullptr && toolchain->prefix_only;
}

bool IsDefault(const Target& target, const Mode& mode) {
  return target.default_mode.has_value() && &target.modes[*target.default_mode] == &mode;
}

std::optional<std::string> SharedByOf(const TargetFact& fact) {
  return fact.fit.has_value() ? NonEmpty(fact.fit->shared_by) : std::nullopt;
}

std::vector<std::string> ShareTexts(const TaskRow& row) {
  std::vector<std::string> texts;
  for (const UnitTimeShare& share : row.units) texts.push_back(absl::StrFormat("%s=%.4g", share.unit, share.share));
  return texts;
}

std::vector<std::string> ByTaskTexts(const std::vector<ByTask>& rows) {
  std::vector<std::string> texts;
  for (const ByTask& row : rows) texts.push_back(absl::StrFormat("%s=%.4g", row.task, row.value));
  return texts;
}

int64_t MissedTasks(const WorkloadReport& report) {
  int64_t missed = 0;
  for (const TaskRow& task : report.tasks) missed += task.verdict == TaskVerdict::kMissed;
  return missed;
}

std::optional<std::string> VerdictOf(const CapacityRow& row) {
  if (!row.verdict.has_value()) return std::nullopt;
  return std::string(TaskVerdictName(*row.verdict));
}

std::optional<std::string> LimitOf(const CapacityRow& row) {
  if (row.first_limit == CapacityLimit::kNone) return std::nullopt;
  return std::string(CapacityLimitName(row.first_limit));
}

std::string SpanTaskName(const WorkloadReport& report, const WorkloadSpan& span) {
  return span.task < report.names.size() ? report.names[span.task] : "";
}

Cell SharesOf(const TaskRow& row) {
  Cell list = Cell::OfList();
  for (const UnitTimeShare& share : row.units) list.push_back(Cell{{"unit", share.unit}, {"share", share.share}});
  return list;
}

Cell ByTaskCell(const std::vector<ByTask>& rows) {
  Cell object = Cell::OfObject();
  for (const ByTask& row : rows) object.Set(row.task, row.value);
  return object;
}

}  // namespace hwest::getters

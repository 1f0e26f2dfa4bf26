// Functions that the tables' getters call: see tables/README.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "complog/compare.h"
#include "fit/calibrate.h"
#include "fit/summary.h"
#include "hwest/capacity.h"
#include "hwest/generation.h"
#include "hwest/profile.h"
#include "hwest/study.h"
#include "hwest/support.h"
#include "hwest/target.h"
#include "hwest/workload.h"
#include "report/cell.h"
#include "report/view.h"
#include "report/view_parts.h"
#include "target/kinds.h"

namespace hwest::getters {

// A member of something optional.
template <class From, class Base, class T>
std::optional<T> Of(const std::optional<From>& from, T Base::* figure) {
  return from.has_value() ? std::optional<T>(*from.*figure) : std::nullopt;
}
template <class From, class Base, class T>
std::optional<T> Of(const std::optional<From>& from, std::optional<T> Base::* figure) {
  return from.has_value() ? *from.*figure : std::nullopt;
}
template <class From, class T>
std::vector<T> ListOf(const std::optional<From>& from, std::vector<T> From::* list) {
  return from.has_value() ? *from.*list : std::vector<T>();
}

// None unless `by` is positive.
std::optional<double> RatioOf(double figure, double by);

inline std::optional<int64_t> KnownCount(int64_t count) { return count; }
inline std::optional<int64_t> KnownCount(const std::optional<int64_t>& count) { return count; }
inline std::optional<int64_t> KnownCount(const Count& count) {
  const auto* number = std::get_if<int64_t>(&count);
  return number != nullptr ? std::optional<int64_t>(*number) : std::nullopt;
}
// A count over the sum of others; none where the sum is 0 or a count is unknown or a formula.
template <class Part, class... Whole>
std::optional<double> RatioOfSum(const Part& count, const Whole&... of) {
  if (!KnownCount(count).has_value() || !(KnownCount(of).has_value() && ...)) return std::nullopt;
  return RatioOf(static_cast<double>(*KnownCount(count)), static_cast<double>((*KnownCount(of) + ...)));
}

std::optional<std::string> UnitNameOf(const View& view, UnitId unit);
std::optional<std::string> ReadingOf(const View& view, NodeId node);

std::vector<std::string> OutputTypesOf(const NodeRow& node, const View& view);
Cell AttributesOf(const NodeRow& node, const View& view);

std::string MatchWord(MeasuredMatch match);
std::optional<MeasuredSet> SetOf(const View& view, const MeasuredEntry& entry);  // none = no measured group

int64_t SumOf(const std::vector<BoundRow>& rows, int64_t BoundRow::* figure);
std::optional<double> EndOf(const GroupRow& group);
std::optional<double> EnergyOf(const std::optional<EnergyParts>& parts);
std::vector<std::string> AssumptionsOf(const GroupRow& group);
std::optional<Tiling> TilingOf(const GroupRow& group);
std::optional<std::string> LoopOrderOf(const GroupRow& group);
std::string TileText(const Tiling& tiling);  // "128 x 64 x 512, weight stationary"
Cell TrafficCell(const GroupRow& group, const View& view);

// A figure of a segment; none when one of its groups has no time.
std::optional<double> IfWhole(const SegmentRow& segment, double figure);
// A figure of the first token; none when the file fixes how many tokens a run takes.
std::optional<double> IfPrompt(const GenerationRow& row, double figure);

inline constexpr char kConvention[] =
    "1 MAC = 1 multiply-accumulate of a contraction, padding included; flops = 2*macs + other float operations";
Count FlopsAsOf(const SummaryView& summary);
std::string UnseenText(const std::vector<UnseenWork>& unseen);  // "Transpose 5-D=0.15,GridSample=0.1"
std::string SharesText(const NamedShares& shares);              // "int8=0.85,fp16=0.15"
std::optional<std::string> ContentsOf(const ValueRow& value);   // none also when it is long
std::string HowText(const WhatIfRow& row);                      // "--mode 30W", "edit 2 nodes"
// Title of the source, as the toolchain of the unit has it; none where no source is named.
std::optional<std::string> DocumentOf(UnitId unit, const Support& support, const View& view);
std::string LabelOf(NodeId node, const View& view);
// Why the accelerator does not run a node, and how that is known; none where it could.
std::optional<std::string> RefusalIn(NodeId node, const View& view);
std::optional<EvidenceKind> EvidenceIn(NodeId node, const View& view);
std::optional<double> EdgesShare(const LogComparison& log);
// What a shell takes to make the change; none without one.
std::optional<std::string> CommandOf(const RefusalRow& row, const View& view);
std::optional<std::string> CommandOf(const WhatIfRow& row, const View& view);
std::optional<std::string> CureCommandOf(const SupportRowView& row, const View& view);
std::vector<std::string> EditTexts(const WhatIfRow& row);  // "OUTPUT = OP(INPUT)"

std::vector<std::string> ShareTexts(const TaskRow& row);                // "gpu=0.85"
std::vector<std::string> ByTaskTexts(const std::vector<ByTask>& rows);  // "detect=0.42"
int64_t MissedTasks(const WorkloadReport& report);
std::optional<std::string> VerdictOf(const CapacityRow& row);  // none = no streams
std::optional<std::string> LimitOf(const CapacityRow& row);    // none = nothing
std::string SpanTaskName(const WorkloadReport& report, const WorkloadSpan& span);

std::optional<std::string> MemoryNameOf(const Target& target, const Unit& unit);
std::optional<double> SharedBytesPerS(const Target& target, const Unit& unit);
std::optional<double> PeakMacsPerS(const Unit& unit);
bool IsPrefixOnly(const Target& target, const Unit& unit);
bool IsDefault(const Target& target, const Mode& mode);
std::optional<std::string> SharedByOf(const TargetFact& fact);

// Cells of values that are not plain numbers or texts.
Cell CountCell(const Count& count);
Cell ShapeCell(const ShapeText& shape);
Cell NullWithoutMembers(Cell object);  // null where all members are
Cell SharesCell(const NamedShares& shares);
Cell UnseenCell(const std::vector<UnseenWork>& unseen);
Cell ConventionCell(const std::optional<ConventionView>& view);
template <class Id>
Cell IdCell(Id id) {
  return id.valid() ? Cell(id.index()) : Cell();
}
template <class Ids>
Cell IdsCell(const Ids& ids) {
  Cell list = Cell::OfList();
  for (const auto id : ids) list.push_back(IdCell(id));
  return list;
}
Cell WordCell(EvidenceKind evidence);
Cell WordCell(Bound bound);
Cell WordCell(CureKind kind);
Cell WordCell(Grade grade);
Cell WordCell(NodeClass node_class);
Cell WordCell(Origin origin);
Cell WordCell(Severity severity);
Cell WordCell(Trust trust);
Cell WordCell(UnitKind kind);
Cell WordCell(Verdict verdict);
Cell WordCell(WhatIfKind kind);
Cell WordCell(ChangeScope scope);
Cell WordCell(AccuracyRisk risk);
template <class Word>
Cell WordCell(const std::optional<Word>& word) {
  return word.has_value() ? WordCell(*word) : Cell();
}
std::string KindText(ValueKind kind);  // "tensor" also when it is unknown
Cell ElementsOf(const ValueRow& value);
Cell EditsOf(const WhatIfRow& row);
Cell SharesOf(const TaskRow& row);
Cell ByTaskCell(const std::vector<ByTask>& rows);
Cell BatchOf(const Point& point);
std::string MatchText(const Point& point);  // "exact" or "near"
Cell FitOf(const TargetFact& fact);

}  // namespace hwest::getters

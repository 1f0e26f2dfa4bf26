// The steps of MakeView; each fills its own part of the view.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/analysis.h"
#include "report/view.h"

namespace hwest {

void FillModel(const Analysis& analysis, View* view);
void FillNodes(const Analysis& analysis, View* view);
void FillGraph(const Analysis& analysis, View* view);  // rows of `graph`

// What a profile measured for a group.
struct MeasuredFigures {
  std::optional<double> time_s, ratio;  // see GroupRow
};
MeasuredFigures MeasuredOf(const Analysis& analysis, GroupId group);
// The node that stands for a group.
NodeId RootOf(const PlannedGroup& planned);

// Times of groups and segments by bound; they add up to the latency. The analysis must have a plan.
std::vector<BoundRow> BoundsOf(const Analysis& analysis);

// What a group reads and writes; 0 where none of its nodes is counted.
int64_t MovedBytes(const Analysis& analysis, const PlannedGroup& planned);
// Sums the groups whose time is known.
double GroupSeconds(const Plan& plan, absl::Span<const GroupId> groups);

// Counts of a node as numbers or formulas in `pool`, a child of the analysis's pool; unknown ones stay unknown.
struct NodeDims {
  Dim macs, flops, bytes;
};
NodeDims DimsOf(const Analysis& analysis, NodeId node, DimPool* pool);

void FillValues(const Analysis& analysis, View* view);
void FillSymbols(const Analysis& analysis, View* view);
void FillConvention(const Analysis& analysis, View* view);
void FillPlan(const Analysis& analysis, View* view);  // units, groups, segments, bounds
void FillSupport(const Analysis& analysis, View* view);
void FillMisses(const Analysis& analysis, NodeId node, View* view);  // under the toolchain of the node's unit

// Sets a value's place in the graph: its producer, and whether it is an input, an output or a constant.
void SetPlace(const Value& value, ValueRow* row);
std::optional<std::string> DtypeOf(const Type& type);
std::string DomainText(absl::string_view domain);  // "ai.onnx" for the default one
Count CountOf(const DimPool& pool, Dim dim);
ShapeText ShapeTextOf(const DimPool& pool, const Shape& shape);
std::optional<std::string> NonEmpty(absl::string_view text);  // none for ""
// Energy is part of an estimate only when the target states any; 0 J over some time means unknown.
std::optional<double> KnownEnergy(double energy_j, double time_s);

}  // namespace hwest

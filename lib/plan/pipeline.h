// Segments on spatial dataflow units inside a plan: their groups overlap, so the segment has times of its own.
#pragma once

#include <string>
#include <vector>

#include "cost/dataflow.h"
#include "plan/draft.h"

namespace hwest {

// True for units whose groups stream into each other.
bool IsPipelined(const Target& target, UnitId unit);

// PipelineOf returns the stages of one segment of a finished plan, with their estimates; they borrow from `plan`.
std::vector<PipelineStage> PipelineOf(const ModelView& model, const Plan& plan, SegmentId segment);

// InContext returns the estimate of a group, made for a full chip, where it takes `time_share` of that time.
Estimate InContext(Estimate estimate, double time_share);

// PricePipelines gives each segment of `draft` on such a unit its contexts, time_s and interval_s, and adds to energy_j
// what the contexts reload and what the chip draws while it waits. Elsewhere interval_s stays as it is.
void PricePipelines(const PlanInput& input, Draft* draft);

// ContextsText says how many contexts a pipelined segment takes and what they reload, and near an edge of what fits
// what it takes on the other side, to go behind its reason; empty for one context that surely stays on the chip, and
// for other segments.
std::string ContextsText(const Segment& segment);

// The segment with its least and most times where more or less fits on its unit than is estimated.
Segment FastestPacking(Segment segment);
Segment SlowestPacking(Segment segment);

// CopiedAheadSeconds is the time of the copies of a model's inputs that go on while the inference before is computed:
// those of the first segment, where it runs on a unit with memory and copy engines of its own.
double CopiedAheadSeconds(const std::vector<Segment>& segments, const Target& target);

// IntervalSeconds is the time between results when inferences follow each other: with a pipelined unit in the plan its
// work, the transfers and the other units' work go on side by side, else it is the latency without what is copied
// ahead.
double IntervalSeconds(const std::vector<Segment>& segments, const Target& target, double latency_s);

}  // namespace hwest

// Spatial dataflow: the layers of a segment lie on the chip side by side and stream rows into each other, so a segment
// is no sum of its groups. What does not fit at once is cut into contexts that are loaded one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hwest/estimate.h"
#include "hwest/group.h"
#include "hwest/target.h"

namespace hwest {

struct ModelView;  // cost/model_view.h

// PipelineStage is one group of a pipeline.
struct PipelineStage {
  struct Read {
    ValueId value;
    int64_t bytes = 0;
  };

  const GroupWork* work = nullptr;     // of one execution
  double seconds = 0;                  // of all executions, with every resource of a full chip
  bool needs_whole_input = false;      // see NeedsWholeInput
  bool takes_statistics = false;       // see TakesStatistics
  absl::InlinedVector<Read, 2> reads;  // activations, in input order
  absl::InlinedVector<ValueId, 2> writes;
};

// NeedsWholeInput is true for groups whose first result needs the last row of what they read: statistics and pooling
// over the image.
bool NeedsWholeInput(const ModelView& model, const Group& group, const GroupWork& work);

// TakesStatistics is true for groups that scale what they read by sums or extremes of it: normalisations, softmax.
bool TakesStatistics(const ModelView& model, const Group& group, const GroupWork& work);

// A run of stages that are on the chip together.
struct Context {
  size_t first = 0, last = 0;  // stages [first, last)
  int64_t weight_bytes = 0;    // as stored
  int64_t boundary_bytes = 0;  // written by earlier contexts and read by this one, both ways counted
  double time_share = 1;       // of the time that its stages take on a full chip
  double interval_s = 0;       // all images of the batch
  double fill_s = 0;           // until its last stage has its first row
  double reload_s = 0;         // switch and weights; 0 when the context stays on the chip
};

struct PipelineEstimate {
  std::vector<Context> contexts;
  double latency_s = 0;        // of one batch
  double interval_s = 0;       // between batches that follow each other
  int64_t reloaded_bytes = 0;  // over the shared memory, per batch
  Packing looser, tighter;     // see below
};

// A chip that holds nothing but one context keeps its weights; one that is shared with other segments reloads them.
enum class Tenancy : uint8_t { kAlone, kShared };

// EstimatePipeline lays `stages`, in execution order, out on a unit of kind DATAFLOW.
//
//   context    what fits: weight_share of the weights, two rows of windows and half of what waits at joins within the
//              unit's scratchpad, and layers within context_layers: one for a contraction, statistics_layers,
//              element_layers and product_layers with head_layers for the others. Where the rest does not fit, a
//              context takes context_bytes and context_fill of both at most and ends at the place with the fewest bytes
//              across, of those that leave it at least context_share full.
//   interval   for each image the least in which layers share what the context may use of the chip (all of it, or
//              context_use), + frame_s. A layer takes its least, and in proportion to its work where that is more:
//              of layer controllers, with parting_layers more where it is parted, and of blocks of multipliers,
//              beside which its weights lie. No layer hands on more than stream_bytes per cycle; both limits add in
//              a norm.
//   time_share interval over the sum of the stages, whose figures are those of all the chip for each
//   fill       fill_share * rows between first and last stage, in images, * interval of one image
//   reload     switch_s + weights over the shared memory
//   looser, tighter: the same where packing_margin less or more fits than is estimated, if that takes another number of
//              contexts: nobody but the compiler knows on which side of the edge a network lies
//   one context:  latency = fill + interval, next batch an interval later
//   several:      latency = interval between batches = sum of reload + fill + the longer of interval and boundary
//                 tensors, which stream beside it
//
// Monotone like EstimateGroup. Requires batch >= 1. Errors: FailedPrecondition when the unit lacks the bandwidth of its
// shared memory.
absl::StatusOr<PipelineEstimate> EstimatePipeline(const Target& target, const Unit& unit,
                                                  absl::Span<const PipelineStage> stages, int64_t batch,
                                                  Tenancy tenancy);

}  // namespace hwest

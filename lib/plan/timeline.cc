#include "plan/timeline.h"

namespace hwest {

void SetTimeline(Plan* plan) {
  double now = 0, begin = 0;  // of what comes next, and of the pipeline at hand
  bool is_pipeline = false;
  SegmentId current;
  plan->transfer_s = 0;
  for (PlannedGroup& row : plan->groups) {
    if (row.segment.valid() && row.segment != current) {
      Segment& segment = plan->segments[row.segment.index()];
      segment.start_s = now;
      now += segment.transfer_s + segment.invoke_s;
      begin = now;
      is_pipeline = segment.contexts > 0;
      if (is_pipeline) now += segment.time_s;
      plan->transfer_s += segment.transfer_s;
      current = row.segment;
    }
    const bool overlaps = is_pipeline && row.segment.valid();
    row.start_s = overlaps ? begin : now;
    if (!overlaps && row.estimate.has_value() && row.segment.valid()) now += row.estimate->time_s;
  }
  plan->latency_s = now;
}

}  // namespace hwest

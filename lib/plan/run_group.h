// RunGroup: one group as a unit runs it, with everything placement and plan ask of it again and again.
#pragma once

#include <memory>
#include <vector>

#include "cost/model_view.h"
#include "cost/precision.h"
#include "hwest/estimate.h"
#include "hwest/group.h"
#include "partition/atoms.h"

namespace hwest {

struct RunGroup {
  Group group;
  GroupWork work;                 // of one execution
  int64_t runs = 1;               // executions per inference
  std::vector<ValueId> reads;     // roots of the activations it reads from outside
  std::vector<ValueId> writes;    // roots of what it writes for others
};

// RunGroups makes each RunGroup once, however many placements ask for it. Returned pointers live as long as it does.
class RunGroups {
 public:
  RunGroups(const ModelView& model, const IdMap<GraphId, int64_t>& runs, const IdMap<UnitId, Overlay>& overlays,
            const IdMap<UnitId, std::optional<UnitPrecision>>& precisions);

  // The group `ref` names in the overlay of `unit`. Requires a precision of that unit.
  const RunGroup* Get(UnitId unit, const GroupRef& ref);
  // `node` where no unit runs it: counted as typed in the file.
  const RunGroup* GetUnplaced(NodeId node);

 private:
  std::unique_ptr<RunGroup> Make(Group group, const UnitPrecision& precision) const;

  const ModelView& model_;
  const IdMap<GraphId, int64_t>& runs_;
  const IdMap<UnitId, Overlay>& overlays_;
  const IdMap<UnitId, std::optional<UnitPrecision>>& precisions_;
  std::vector<std::vector<std::unique_ptr<RunGroup>>> by_group_;  // by unit, then overlay group
  std::vector<std::vector<std::unique_ptr<RunGroup>>> by_node_;   // by unit (one more for unplaced), then node
};

}  // namespace hwest

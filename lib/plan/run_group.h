// RunGroup: one group as a unit runs it, with what placement and plan look up repeatedly.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/container/node_hash_set.h"
#include "base/bounded_cache.h"
#include "cost/cost.h"
#include "cost/machine.h"
#include "cost/model_view.h"
#include "cost/precision.h"
#include "hwest/estimate.h"
#include "hwest/group.h"
#include "hwest/target.h"
#include "partition/atoms.h"

namespace hwest {

// Groups of a large model repeat each other, so works and estimates are kept once and referred to.
struct RunGroup {
  const Group& group;
  const GroupWork& work;              // of one execution
  int64_t runs = 1;                   // executions per inference
  Accesses reads;                     // activations it reads from outside
  Accesses writes;                    // what it writes for others
  GroupId overlay_group;              // of the unit's overlay; none = a node alone
  Accesses partly;                    // of `reads` those that it does not read whole, with the bytes that it does
  int64_t apart_bytes = kNotCounted;  // what its kernels would move as groups of their own

  static constexpr int64_t kNotCounted = -1;
  bool FusesKernels() const { return work.num_nodes > work.num_kernels; }
};

// What the kernels of `group` move as groups of their own, at the precision of `work`.
int64_t ApartBytes(const ModelView& model, const Group& group, const GroupWork& work);

// RunGroupOf finds what `group` reads and writes; `work` is that of one execution, and both outlive the result.
RunGroup RunGroupOf(const ModelView& model, const Group& group, const GroupWork& work, int64_t runs);

// GroupTable is every group of an overlay as units of one precision run it. It depends on no target.
struct GroupTable {
  std::shared_ptr<const Overlay> overlay;
  std::deque<RunGroup> groups;  // by group of the overlay
  absl::node_hash_set<GroupWork> works;
};
struct GroupKey {
  std::shared_ptr<const Overlay> overlay;
  Precision main, floating;
  std::vector<Widening> widens;
  std::shared_ptr<const LayerPrecisions> layers;

  bool operator==(const GroupKey&) const = default;
};
using GroupCache = BoundedCache<GroupKey, GroupTable>;

// RunGroups makes each RunGroup once, however many placements ask for it. What it hands out lives as long as it does;
// the overlays have to live as long.
class RunGroups {
 public:
  RunGroups(const ModelView& model, const IdMap<GraphId, int64_t>& runs, const Overlays& overlays,
            const IdMap<UnitId, std::optional<UnitPrecision>>& precisions, GroupCache* known = nullptr);

  // The group `ref` names in the overlay of `unit`. Requires a precision of that unit.
  const RunGroup* Get(UnitId unit, const GroupRef& ref);
  // `node` where no unit runs it: counted as typed in the file.
  const RunGroup* GetUnplaced(NodeId node);
  // What `group` costs on `unit` of `target`, always the same one; none when that is not known.
  const std::optional<Estimate>* EstimateOf(const Target& target, UnitId unit, const RunGroup& group,
                                            const Residency& residency);

  const std::optional<Estimate>* NotKnown() const { return &not_known_; }

 private:
  // What a work costs where it stays on the chip so and launches so.
  struct KnownEstimate {
    Residency residency;
    int beside = 1;
    const std::optional<Estimate>* estimate = nullptr;
  };
  // A work on a unit: what no residency changes, and what it costs at each that was asked for.
  struct UnitWork {
    const Machine* machine = nullptr;  // null = no estimate
    ComputeUse compute;
    absl::InlinedVector<KnownEstimate, 2> estimates;
  };
  UnitWork MakeUnitWork(const Target& target, UnitId unit, const GroupWork& work);

  bool IsAlike(UnitId a, UnitId b) const;
  // What follows from layers with a precision of their own, on one unit.
  struct LayerTable {
    IdMap<GroupId, Precision> precisions;  // of the unit's overlay
    IdMap<ValueId, absl::InlinedVector<Conversion, 1>> conversions;
  };
  const LayerTable& LayersOf(UnitId unit);
  LayerTable MakeLayers(UnitId unit) const;
  void FindConversions(UnitId unit, const std::vector<bool>& is_touched, LayerTable* table) const;
  // What the group runs in on a unit of that precision, leaving out its layers.
  Precision PrecisionFor(const Group& group, const UnitPrecision& precision) const;
  Precision PrecisionOf(const Group& group, UnitId unit);
  RunGroup* Make(const Group& group, UnitId unit);
  const IdMap<GroupId, int>& BesideOf(UnitId unit);
  RunGroup MakeRow(const Group& group, UnitId unit, absl::node_hash_set<GroupWork>& works);
  RunGroup RowOf(const Group& group, GroupWork made, absl::node_hash_set<GroupWork>& works) const;
  // The rows of the unit's overlay: those of the cache, if there is one, else empty ones.
  std::vector<const RunGroup*> RowsOf(UnitId unit);

  struct MachineRow {
    UnitId unit;
    Precision precision;
    absl::StatusOr<Machine> machine;
  };
  const absl::StatusOr<Machine>& MachineOf(const Target& target, UnitId unit, Precision precision);
  // What bringing `conversion` about costs as a kernel of its own, where `stays` of the value is on the chip.
  std::optional<Estimate> EstimateOf(const Target& target, UnitId unit, const Conversion& conversion, double stays);

  const ModelView& model_;
  const IdMap<GraphId, int64_t>& runs_;
  const Overlays& overlays_;
  const IdMap<UnitId, std::optional<UnitPrecision>>& precisions_;
  GroupCache* const known_;                                // null = nothing is shared with other analyses
  std::vector<std::shared_ptr<const GroupTable>> tables_;  // of known_, that by_group_ points into
  IdMap<UnitId, UnitId> like_;                             // the first unit with the same overlay and precision
  std::vector<std::vector<const RunGroup*>> by_group_;     // by unit, then overlay group
  std::vector<IdMap<GroupId, int>> beside_;                // by unit, see KernelsBeside; empty = not asked for
  std::vector<std::vector<const RunGroup*>> by_node_;      // by unit (one more for unplaced), then node
  std::vector<std::optional<LayerTable>> layers_;          // by unit; none = not asked for
  std::deque<RunGroup> made_;
  std::deque<Group> singles_;
  const std::optional<Estimate> not_known_;
  std::deque<MachineRow> machines_;
  absl::node_hash_set<GroupWork> works_;
  absl::flat_hash_map<std::pair<UnitId, const GroupWork*>, UnitWork> unit_works_;
  std::deque<std::optional<Estimate>> estimates_;
};

}  // namespace hwest

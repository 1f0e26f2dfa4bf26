#include "plan/run_group.h"

#include <algorithm>

#include "base/first_seen.h"
#include "cost/group_work.h"
#include "partition/flow.h"
#include "plan/levels.h"

namespace hwest {
namespace {

bool IsMember(const Group& group, NodeId node) {
  return node.valid() && std::binary_search(group.nodes.begin(), group.nodes.end(), node);
}

}  // namespace

RunGroups::RunGroups(const ModelView& model, const IdMap<GraphId, int64_t>& runs, const Overlays& overlays,
                     const IdMap<UnitId, std::optional<UnitPrecision>>& precisions, GroupCache* known)
    : model_(model), runs_(runs), overlays_(overlays), precisions_(precisions), known_(known) {
  by_group_.resize(overlays.size());
  by_node_.resize(overlays.size() + 1);
  beside_.resize(overlays.size());
  for (uint32_t u = 0; u < overlays.size(); ++u) {
    uint32_t like = 0;
    while (!IsAlike(UnitId(like), UnitId(u))) ++like;
    like_.push_back(UnitId(like));
  }
}

bool RunGroups::IsAlike(UnitId a, UnitId b) const {
  if (a == b) return true;
  if (overlays_[a] != overlays_[b] || !precisions_[a].has_value() || !precisions_[b].has_value()) return false;
  return precisions_[a]->RunsAlike(*precisions_[b]);
}

const RunGroup* RunGroups::Get(UnitId unit, const GroupRef& ref) {
  unit = like_[unit];
  const bool is_single = !ref.overlay_group.valid();
  std::vector<const RunGroup*>& rows = is_single ? by_node_[unit.index()] : by_group_[unit.index()];
  if (rows.empty() && !is_single) rows = RowsOf(unit);
  if (rows.empty()) rows.resize(model_.graph.nodes().size());
  const RunGroup*& row = rows[is_single ? ref.node.index() : ref.overlay_group.index()];
  if (row == nullptr) {
    if (is_single) return row = MakeSingle(ref.node, *precisions_[unit]);
    RunGroup* made = Make(overlays_[unit]->groups[ref.overlay_group], *precisions_[unit]);
    made->overlay_group = ref.overlay_group;
    row = made;
  }
  return row;
}

const IdMap<GroupId, int>& RunGroups::BesideOf(UnitId unit) {
  IdMap<GroupId, int>& beside = beside_[unit.index()];
  if (beside.empty()) beside = KernelsBeside(model_, *overlays_[unit]);
  return beside;
}

const RunGroup* RunGroups::GetUnplaced(NodeId node) {
  std::vector<const RunGroup*>& rows = by_node_.back();
  if (rows.empty()) rows.resize(model_.graph.nodes().size());
  if (rows[node.index()] == nullptr) {
    const Num num = FilePrecisionOf(model_).floating;
    rows[node.index()] = MakeSingle(node, {.main = {num, num}, .floating = {num, num}, .note = ""});
  }
  return rows[node.index()];
}

RunGroups::UnitWork RunGroups::MakeUnitWork(const Target& target, UnitId unit, const GroupWork& work) {
  const absl::StatusOr<Machine>& machine = MachineOf(target, unit, work.precision);
  if (!machine.ok()) return {};
  const absl::StatusOr<ComputeUse> compute = ComputeOn(*machine, work);
  return compute.ok() ? UnitWork{.machine = &*machine, .compute = *compute, .estimates = {}} : UnitWork();
}

const std::optional<Estimate>* RunGroups::EstimateOf(const Target& target, UnitId unit, const RunGroup& group,
                                                     const Residency& residency) {
  const GroupWork& work = group.work;
  const auto [entry, fresh] = unit_works_.try_emplace(std::pair(unit, &work));
  UnitWork& row = entry->second;
  if (fresh) row = MakeUnitWork(target, unit, work);
  if (row.machine == nullptr) return &not_known_;
  const bool shares_launch = row.machine->launch_overlap > 0 && group.overlay_group.valid();
  const int beside = shares_launch ? BesideOf(unit)[group.overlay_group] : 1;
  for (const KnownEstimate& known : row.estimates) {
    if (known.residency == residency && known.beside == beside) return known.estimate;
  }
  absl::StatusOr<Estimate> estimate = EstimateWith(*row.machine, work, row.compute, residency, beside);
  estimates_.push_back(estimate.ok() ? std::optional<Estimate>(*std::move(estimate)) : std::nullopt);
  row.estimates.push_back({residency, beside, &estimates_.back()});
  return &estimates_.back();
}

const absl::StatusOr<Machine>& RunGroups::MachineOf(const Target& target, UnitId unit, Precision precision) {
  for (const MachineRow& row : machines_) {
    if (row.unit == unit && row.precision == precision) return row.machine;
  }
  return machines_.emplace_back(MachineRow{unit, precision, MakeMachine(target, target.units[unit], precision)})
      .machine;
}

const RunGroup* RunGroups::MakeSingle(NodeId node, const UnitPrecision& precision) {
  return Make(singles_.emplace_back(SingleNode(model_, node)), precision);
}

Precision RunGroups::PrecisionFor(const Group& group, const UnitPrecision& precision) const {
  if (const Num full = FullWidthOf(model_, group); full != Num::kUnset) return {full, full};
  const bool is_main = precision.main == precision.floating || HasIntegerOperands(model_, group);
  return Widened(model_, group, is_main ? precision.main : precision.floating, precision.widens);
}

std::vector<const RunGroup*> RunGroups::RowsOf(UnitId unit) {
  std::vector<const RunGroup*> rows(overlays_[unit]->groups.size());
  if (known_ == nullptr) return rows;
  const UnitPrecision& precision = *precisions_[unit];
  const GroupKey key{overlays_[unit], precision.main, precision.floating, precision.widens};
  std::shared_ptr<const GroupTable> table = known_->Find([&](const GroupKey& other) { return other == key; });
  if (table == nullptr) {
    auto made = std::make_shared<GroupTable>();
    made->overlay = overlays_[unit];
    for (const Group& group : made->overlay->groups) {
      RunGroup& row = made->groups.emplace_back(MakeRow(group, precision, made->works));
      row.overlay_group = GroupId(static_cast<uint32_t>(made->groups.size() - 1));
      if (row.FusesKernels()) row.apart_bytes = ApartBytes(model_, group, row.work);
    }
    table = std::move(made);
    known_->Keep(key, table, rows.size());
  }
  for (size_t g = 0; g < rows.size(); ++g) rows[g] = &table->groups[g];
  tables_.push_back(std::move(table));
  return rows;
}

RunGroup RunGroups::MakeRow(const Group& group, const UnitPrecision& precision,
                            absl::node_hash_set<GroupWork>& works) const {
  const GroupWork& work = *works.insert(MakeGroupWork(model_, group, PrecisionFor(group, precision))).first;
  const GraphId body = model_.graph.node(group.root).graph;
  return RunGroupOf(model_, group, work, body.index() < runs_.size() ? runs_[body] : 1);
}

RunGroup* RunGroups::Make(const Group& group, const UnitPrecision& precision) {
  return &made_.emplace_back(MakeRow(group, precision, works_));
}

int64_t ApartBytes(const ModelView& model, const Group& group, const GroupWork& work) {
  int64_t bytes = 0;
  for (const NodeId node : group.nodes) {
    if (IsKernel(model.classes[node])) bytes += BytesAlone(model, node, work.precision);
  }
  return bytes;
}

RunGroup RunGroupOf(const ModelView& model, const Group& group, const GroupWork& work, int64_t runs) {
  FirstSeen<ValueId> reads, writes;
  for (const NodeId node : group.nodes) {
    if (IsFolded(model.classes[node])) continue;
    for (const ValueId root : DataReads(model, node)) {
      if (!IsMember(group, model.graph.value(root).producer)) reads.Insert(root);
    }
  }
  for (const ValueId output : group.outputs) {
    const ValueId root = RootOf(model, output);
    const NodeId producer = model.graph.value(root).producer;
    if (IsMember(group, producer) && IsKernel(model.classes[producer])) writes.Insert(root);
  }
  RunGroup made{group, work, runs};
  for (const ValueId value : reads.ids()) made.reads.push_back({value, DeployedBytes(model, value, work.precision)});
  for (const ValueId value : writes.ids()) made.writes.push_back({value, DeployedBytes(model, value, work.precision)});
  return made;
}

}  // namespace hwest

#include "plan/run_group.h"

#include <algorithm>

#include "base/first_seen.h"
#include "cost/group_work.h"
#include "cost/slow_kernels.h"
#include "ir/elem_type.h"
#include "partition/flow.h"
#include "pass/work.h"
#include "plan/levels.h"

namespace hwest {
namespace {

void AddConversion(const Estimate& conversion, Estimate* estimate) {
  estimate->conversion_s += conversion.time_s;
  estimate->time_s += conversion.time_s;
  estimate->low_s += conversion.low_s;
  estimate->high_s += conversion.high_s;
  estimate->energy.compute_j += conversion.energy.compute_j;
  estimate->energy.onchip_j += conversion.energy.onchip_j;
  estimate->energy.dram_j += conversion.energy.dram_j;
  estimate->energy.static_j += conversion.energy.static_j;
  estimate->dram_bytes += conversion.dram_bytes;
  estimate->onchip_bytes += conversion.onchip_bytes;
  for (const MemoryTraffic& more : conversion.traffic) {
    const auto same = std::find_if(estimate->traffic.begin(), estimate->traffic.end(),
                                   [&](const MemoryTraffic& row) { return row.memory == more.memory; });
    if (same == estimate->traffic.end()) continue;
    same->read_bytes += more.read_bytes;
    same->written_bytes += more.written_bytes;
  }
}

// What activations of the group are written in.
Num StoredIn(const Precision& precision) { return precision.stored == Num::kUnset ? precision.act : precision.stored; }

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
  layers_.resize(overlays.size());
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
    if (is_single) return row = Make(singles_.emplace_back(SingleNode(model_, ref.node)), unit);
    RunGroup* made = Make(overlays_[unit]->groups[ref.overlay_group], unit);
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
    const Group& single = singles_.emplace_back(SingleNode(model_, node));
    const UnitPrecision precision{.main = {num, num}, .floating = {num, num}, .note = ""};
    GroupWork work = MakeGroupWork(model_, single, PrecisionFor(single, precision));
    rows[node.index()] = &made_.emplace_back(RowOf(single, std::move(work), works_));
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
  const double stays =
      work.out_bytes > 0 ? static_cast<double>(residency.out_bytes) / static_cast<double>(work.out_bytes) : 0;
  for (const Conversion& conversion : work.conversions) {
    if (!estimate.ok()) break;
    const std::optional<Estimate> more = EstimateOf(target, unit, conversion, stays);
    if (!more.has_value()) estimate = absl::FailedPreconditionError("no time of a conversion");
    if (more.has_value()) AddConversion(*more, &*estimate);
  }
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

Precision RunGroups::PrecisionFor(const Group& group, const UnitPrecision& precision) const {
  if (const Num full = FullWidthOf(model_, group); full != Num::kUnset) return {full, full};
  const bool is_main = precision.main == precision.floating || HasIntegerOperands(model_, group);
  return Widened(model_, group, is_main ? precision.main : precision.floating, precision.widens);
}

std::vector<const RunGroup*> RunGroups::RowsOf(UnitId unit) {
  std::vector<const RunGroup*> rows(overlays_[unit]->groups.size());
  if (known_ == nullptr) return rows;
  const UnitPrecision& precision = *precisions_[unit];
  const GroupKey key{overlays_[unit], precision.main, precision.floating, precision.widens, precision.layers};
  std::shared_ptr<const GroupTable> table = known_->Find([&](const GroupKey& other) { return other == key; });
  if (table == nullptr) {
    auto made = std::make_shared<GroupTable>();
    made->overlay = overlays_[unit];
    for (const Group& group : made->overlay->groups) {
      RunGroup& row = made->groups.emplace_back(MakeRow(group, unit, made->works));
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

RunGroup RunGroups::MakeRow(const Group& group, UnitId unit, absl::node_hash_set<GroupWork>& works) {
  GroupWork work = MakeGroupWork(model_, group, PrecisionOf(group, unit));
  if (precisions_[unit]->slow != nullptr) AddSlowKernels(model_, group, *precisions_[unit]->slow, &work);
  work.launch_share = precisions_[unit]->launch_share;
  if (precisions_[unit]->layers != nullptr) {
    const LayerTable& layers = LayersOf(unit);
    for (const ValueId output : group.outputs) {
      for (const Conversion& conversion : layers.conversions[RootOf(model_, output)]) {
        work.conversions.push_back(conversion);
      }
    }
  }
  return RowOf(group, std::move(work), works);
}

RunGroup RunGroups::RowOf(const Group& group, GroupWork made, absl::node_hash_set<GroupWork>& works) const {
  const GroupWork& work = *works.insert(std::move(made)).first;
  const GraphId body = model_.graph.node(group.root).graph;
  return RunGroupOf(model_, group, work, body.index() < runs_.size() ? runs_[body] : 1);
}

RunGroup* RunGroups::Make(const Group& group, UnitId unit) { return &made_.emplace_back(MakeRow(group, unit, works_)); }

// A node by itself runs as the group does that it is a member of, unless it is named.
Precision RunGroups::PrecisionOf(const Group& group, UnitId unit) {
  const UnitPrecision& precision = *precisions_[unit];
  if (precision.layers == nullptr) return PrecisionFor(group, precision);
  const GroupId id = overlays_[unit]->group_of[group.root];
  if (id.valid() && group.nodes.size() == overlays_[unit]->groups[id].nodes.size()) {
    return LayersOf(unit).precisions[id];
  }
  if (FullWidthOf(model_, group) != Num::kUnset) return PrecisionFor(group, precision);
  const Precision& named = precision.layers->named[group.root];
  if (named.act != Num::kUnset) return Widened(model_, group, named, precision.widens);
  return id.valid() ? LayersOf(unit).precisions[id] : PrecisionFor(group, precision);
}

const RunGroups::LayerTable& RunGroups::LayersOf(UnitId unit) {
  std::optional<LayerTable>& table = layers_[unit.index()];
  if (!table.has_value()) table = MakeLayers(unit);
  return *table;
}

// A group runs in the format of its contraction; without one, in the widest that its members are named with, else in
// the widest that it reads, where something named comes to it.
RunGroups::LayerTable RunGroups::MakeLayers(UnitId unit) const {
  const UnitPrecision& precision = *precisions_[unit];
  const Overlay& overlay = *overlays_[unit];
  LayerTable table{IdMap<GroupId, Precision>(overlay.groups.size()), {}};
  table.conversions.resize(model_.graph.values().size());
  std::vector<bool> is_touched(overlay.groups.size(), false);
  std::vector<Precision> plain(overlay.groups.size());  // as asked, where the toolchain widens nothing; unset = 32 bits
  for (uint32_t g = 0; g < overlay.groups.size(); ++g) {
    const Group& group = overlay.groups[GroupId(g)];
    Precision& own = table.precisions[GroupId(g)] = PrecisionFor(group, precision);
    if (FullWidthOf(model_, group) != Num::kUnset) continue;
    plain[g] = own;
    if (own.stored != Num::kUnset) plain[g] = {own.stored, own.stored};
    Precision named, contraction, read;
    bool contracts = false;
    for (const NodeId node : group.nodes) {
      const bool is_contraction = model_.work[node].has_value() && !model_.work[node]->contractions.empty();
      contracts = contracts || is_contraction;
      const Precision& of_node = precision.layers->named[node];
      if (of_node.act == Num::kUnset) continue;
      Precision& widest = is_contraction ? contraction : named;
      widest = widest.act == Num::kUnset ? of_node : WiderOf(widest, of_node);
    }
    for (const ValueId input : group.inputs) {
      if (contracts || IsConstant(model_, input) || IsShapeValue(model_, input)) continue;
      const NodeId producer = model_.graph.value(RootOf(model_, input)).producer;
      const GroupId from = producer.valid() ? overlay.group_of[producer] : GroupId();
      if (!from.valid()) continue;
      const Precision& of_input = plain[from.index()];
      if (is_touched[from.index()]) is_touched[g] = true;
      if (of_input.act == Num::kUnset) continue;
      read = read.act == Num::kUnset ? of_input : WiderOf(read, of_input);
    }
    const Precision& chosen = contracts ? contraction : named.act != Num::kUnset ? named : is_touched[g] ? read : named;
    is_touched[g] = chosen.act != Num::kUnset;
    if (!is_touched[g]) continue;
    plain[g] = {chosen.act, chosen.weight};
    own = Widened(model_, group, plain[g], precision.widens);
  }
  FindConversions(unit, is_touched, &table);
  return table;
}

// Floating point values of the graph that the group behind reads in another format; what is quantised in the file keeps
// its type.
void RunGroups::FindConversions(UnitId unit, const std::vector<bool>& is_touched, LayerTable* table) const {
  const Overlay& overlay = *overlays_[unit];
  for (uint32_t g = 0; g < overlay.groups.size(); ++g) {
    const Group& group = overlay.groups[GroupId(g)];
    if (FullWidthOf(model_, group) != Num::kUnset) continue;
    for (const ValueId input : group.inputs) {
      const ValueId value = RootOf(model_, input);
      const NodeId producer = model_.graph.value(value).producer;
      const GroupId from = producer.valid() ? overlay.group_of[producer] : GroupId();
      if (!from.valid() || from == GroupId(g) || !(is_touched[g] || is_touched[from.index()])) continue;
      if (IsConstant(model_, value) || IsShapeValue(model_, value) || IsDequantized(model_, input)) continue;
      if (!IsFloat(model_.facts.values[value].type.elem)) continue;
      if (FullWidthOf(model_, overlay.groups[from]) != Num::kUnset) continue;
      const Num written = StoredIn(table->precisions[from]), read = StoredIn(table->precisions[GroupId(g)]);
      if (written == read) continue;
      auto& conversions = table->conversions[value];
      const Conversion conversion{ElementsOf(model_, value).value_or(0), written, read};
      if (std::find(conversions.begin(), conversions.end(), conversion) == conversions.end()) {
        conversions.push_back(conversion);
      }
    }
  }
}

std::optional<Estimate> RunGroups::EstimateOf(const Target& target, UnitId unit, const Conversion& conversion,
                                              double stays) {
  Residency residency;
  const GroupWork work = ConversionWork(conversion, stays, &residency);
  const absl::StatusOr<Machine>& machine = MachineOf(target, unit, work.precision);
  if (!machine.ok()) return std::nullopt;
  absl::StatusOr<Estimate> estimate = hwest::EstimateOn(*machine, work, residency);
  return estimate.ok() ? std::optional(*std::move(estimate)) : std::nullopt;
}

int64_t ApartBytes(const ModelView& model, const Group& group, const GroupWork& work) {
  int64_t bytes = 0;
  for (const NodeId node : group.nodes) {
    if (IsKernel(model.classes[node])) bytes += BytesAlone(model, node, work.precision);
  }
  return bytes;
}

// Values that no member reads whole.
void AddPartly(const ModelView& model, const Group& group, RunGroup* made) {
  absl::InlinedVector<std::pair<ValueId, int64_t>, 2> elements;  // the most that a member reads of a root
  bool is_partly = false;
  for (const NodeId node : group.nodes) {
    const std::optional<Work>& work = model.work[node];
    is_partly = is_partly || (work.has_value() && !work->reads.empty());
  }
  if (!is_partly) return;
  for (const NodeId node : group.nodes) {
    const std::optional<Work>& work = model.work[node];
    const absl::Span<const ValueId> inputs = model.graph.inputs(node);
    for (size_t i = 0; i < inputs.size() && !IsFolded(model.classes[node]); ++i) {
      if (!ReadsData(model, node, i)) continue;
      const bool is_stated = work.has_value() && i < work->reads.size() && work->reads[i].has_value();
      const std::optional<int64_t> count =
          is_stated ? Evaluate(*work->reads[i], model.dims) : ElementsOf(model, inputs[i]);
      const ValueId root = RootOf(model, inputs[i]);
      const auto at =
          std::find_if(elements.begin(), elements.end(), [&](const auto& row) { return row.first == root; });
      if (at == elements.end()) {
        elements.emplace_back(root, count.value_or(INT64_MAX));
      } else {
        at->second = std::max(at->second, count.value_or(INT64_MAX));
      }
    }
  }
  for (const auto& [root, count] : elements) {
    const auto read = std::find_if(made->reads.begin(), made->reads.end(),
                                   [root = root](const Access& row) { return row.value == root; });
    const std::optional<int64_t> whole = ElementsOf(model, root);
    if (read == made->reads.end() || !whole.has_value() || count >= *whole) continue;
    made->partly.push_back({root, PackedBytes(count, DeployedBits(model, root, made->work.precision))});
  }
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
  AddPartly(model, group, &made);
  return made;
}

}  // namespace hwest

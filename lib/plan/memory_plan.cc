#include "plan/memory_plan.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "cost/cost.h"
#include "cost/group_work.h"
#include "op/rule.h"
#include "plan/arena.h"
#include "plan/liveness.h"
#include "plan/memory_needs.h"

namespace hwest {
namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr size_t kMostCompared = 4096;  // pairs of rows that one sharing looks at

// A value while it has bytes of its own. Rows whose places depend on each other are one body.
struct Row {
  ValueId value;
  int64_t bytes = 0;
  size_t first = 0, last = 0;
  bool is_known = false;
  bool is_output = false;
  bool is_gone = false;  // another has its place all the time
  uint32_t memory = 0;
  uint32_t body = 0;          // its first row
  uint32_t next = kNone;      // of the body
  int64_t at = 0;             // from the body's origin, which may lie inside it
  uint32_t taken_by = kNone;  // the row of which it is a part from some step on
};

struct MemoryGroup {
  const RunGroup* run;
  bool writes_strided;  // kernels of its unit write into a part of something larger
};

// Finds the rows of an order of groups, and lets them share places where that never takes more bytes.
class PlaceSharing {
 public:
  PlaceSharing(const ModelView& model, const std::vector<MemoryGroup>& order, const IdMap<ValueId, uint32_t>& memory_of)
      : model_(model), order_(order), row_of_(model.graph.values().size(), kNone) {
    std::vector<const RunGroup*> groups;
    for (const MemoryGroup& group : order) groups.push_back(group.run);
    const IdMap<ValueId, LiveRange> ranges = FindLiveRanges(model, groups);
    for (uint32_t v = 0; v < ranges.size(); ++v) {
      const LiveRange& range = ranges[ValueId(v)];
      if (!range.valid()) continue;
      const auto index = static_cast<uint32_t>(rows_.size());
      row_of_[ValueId(v)] = index;
      rows_.push_back({.value = ValueId(v),
                       .bytes = range.bytes.value_or(0),
                       .first = range.first,
                       .last = range.last,
                       .is_known = range.bytes.has_value(),
                       .is_output = range.is_output,
                       .memory = memory_of[ValueId(v)],
                       .body = index});
    }
  }

  // Concatenations first: what else shares a place may not keep their parts apart.
  std::vector<Row> Run() {
    for (size_t g = 0; g < order_.size(); ++g) {
      if (IsRunOnce(g) && IsInPlace(order_[g].run->group)) ShareJoin(g);
    }
    for (size_t g = 0; g < order_.size(); ++g) {
      if (IsRunOnce(g) && !IsInPlace(order_[g].run->group)) ShareOther(g);
    }
    return std::move(rows_);
  }

 private:
  struct Part {
    uint32_t row;
    int64_t at;  // in the whole
  };
  using Parts = absl::InlinedVector<Part, 8>;

  // Of the main graph: a body may run many times.
  bool IsRunOnce(size_t g) const { return model_.graph.node(order_[g].run->group.root).graph == GraphId(0u); }
  void ShareOther(size_t g);
  bool IsElementwise(const Group& group) const;
  NodeId OnlyCopier(const Group& group) const;
  int64_t RunsBefore(ValueId value, int64_t axis) const;
  bool IsShared(const Row& row) const { return row.is_known && row.bytes > 0 && !row.is_gone; }
  uint32_t WholeOf(uint32_t row) const {
    while (rows_[row].taken_by != kNone) row = rows_[row].taken_by;
    return row;
  }
  void ShareElementwise(size_t g);
  void ShareJoin(size_t g);
  void TakeParts(const Parts& parts, uint32_t whole, size_t g);
  bool IsCovered(const Parts& parts, uint32_t inner, int64_t at) const;
  void TakePart(uint32_t part, int64_t at, uint32_t whole, size_t g);
  void ShareWhole(const Parts& parts, uint32_t whole);
  int64_t MostAlive(size_t first, size_t last) const;
  void ShareSplit(size_t g, NodeId node);
  void SharePad(size_t g, NodeId node);
  bool Join(uint32_t a, uint32_t b, int64_t distance);
  size_t SizeOf(uint32_t row) const;

  const ModelView& model_;
  const std::vector<MemoryGroup>& order_;
  IdMap<ValueId, uint32_t> row_of_;
  std::vector<Row> rows_;
};

void PlaceSharing::ShareOther(size_t g) {
  const RunGroup& run = *order_[g].run;
  if (run.writes.size() == 1 && IsElementwise(run.group)) return ShareElementwise(g);
  const NodeId node = OnlyCopier(run.group);
  if (!node.valid()) return;
  if (run.writes.size() > 1) ShareSplit(g, node);
  if (run.writes.size() == 1 && order_[g].writes_strided) SharePad(g, node);
}

bool PlaceSharing::IsElementwise(const Group& group) const {
  return std::all_of(group.nodes.begin(), group.nodes.end(), [&](NodeId node) {
    return !IsKernel(model_.classes[node]) ||
           (model_.classes[node] == NodeClass::kCompute && HasTrait(model_, node, trait::kElementwise));
  });
}

// The node of a group that copies runs and does nothing else; none where it does more.
NodeId PlaceSharing::OnlyCopier(const Group& group) const {
  NodeId only;
  for (const NodeId node : group.nodes) {
    if (!IsKernel(model_.classes[node])) continue;
    if (only.valid() || model_.classes[node] != NodeClass::kLayout || !HasTrait(model_, node, trait::kCopiesRuns)) {
      return NodeId();
    }
    only = node;
  }
  return only;
}

// How many stretches a part along `axis` falls into; 0 = not known.
int64_t PlaceSharing::RunsBefore(ValueId value, int64_t axis) const {
  const Shape& shape = model_.facts.values[value].type.shape;
  if (!shape.ranked() || axis < -shape.rank() || axis >= shape.rank()) return 0;
  if (axis < 0) axis += shape.rank();
  int64_t runs = 1;
  for (int i = 0; i < axis; ++i) {
    if (!shape.dim(i).is_constant() || shape.dim(i).value() <= 0 || shape.dim(i).value() > INT32_MAX) return 0;
    runs = std::min<int64_t>(INT32_MAX, runs * shape.dim(i).value());
  }
  return runs;
}

size_t PlaceSharing::SizeOf(uint32_t row) const {
  size_t size = 0;
  for (uint32_t r = rows_[row].body; r != kNone; r = rows_[r].next) ++size;
  return size;
}

// Makes one body of two, so that b begins `distance` after a; false where rows would overlap that are alive at once.
bool PlaceSharing::Join(uint32_t a, uint32_t b, int64_t distance) {
  const int64_t shift = rows_[a].at + distance - rows_[b].at;
  if (rows_[a].body == rows_[b].body) return shift == 0;
  if (SizeOf(a) * SizeOf(b) > kMostCompared) return false;
  uint32_t end = rows_[a].body;
  for (uint32_t r = rows_[a].body; r != kNone; r = rows_[r].next) {
    end = r;
    for (uint32_t s = rows_[b].body; s != kNone; s = rows_[s].next) {
      const Row &x = rows_[r], &y = rows_[s];
      const bool at_once = !x.is_gone && !y.is_gone && x.first <= y.last && y.first <= x.last;
      if (at_once && x.at < y.at + shift + y.bytes && y.at + shift < x.at + x.bytes) return false;
    }
  }
  rows_[end].next = rows_[b].body;
  for (uint32_t s = rows_[end].next; s != kNone; s = rows_[s].next) {
    rows_[s].body = rows_[a].body;
    rows_[s].at += shift;
  }
  return true;
}

// Element for element, a result may replace an operand of its size that nothing reads afterwards.
void PlaceSharing::ShareElementwise(size_t g) {
  const uint32_t result = row_of_[order_[g].run->writes[0].value];
  if (!IsShared(rows_[result])) return;
  for (const Access& read : order_[g].run->reads) {
    const uint32_t operand = row_of_[read.value];
    if (operand == kNone) continue;
    Row& row = rows_[operand];
    if (!IsShared(row) || row.is_output || row.last != g || row.first == g || row.bytes != rows_[result].bytes ||
        row.memory != rows_[result].memory || row.taken_by != kNone) {
      continue;
    }
    row.last = g - 1;
    if (Join(operand, result, 0)) return;
    row.last = g;
  }
}

void PlaceSharing::ShareJoin(size_t g) {
  const RunGroup& group = *order_[g].run;
  if (group.writes.size() != 1) return;
  const uint32_t whole = row_of_[group.writes[0].value];
  Parts parts;
  int64_t bytes = 0;
  for (const Access& read : group.reads) {
    const uint32_t part = row_of_[read.value];
    if (part == kNone || !rows_[part].is_known || rows_[part].memory != rows_[whole].memory) return;
    parts.push_back({part, bytes});
    bytes += rows_[part].bytes;
  }
  if (!IsShared(rows_[whole]) || bytes != rows_[whole].bytes) return;
  const auto join = std::find_if(group.group.nodes.begin(), group.group.nodes.end(),
                                 [&](NodeId node) { return HasTrait(model_, node, trait::kJoins); });
  if (join == group.group.nodes.end()) return;
  const Attribute* axis = model_.graph.FindAttribute(*join, "axis");
  const bool has_axis = axis != nullptr && axis->kind == AttrKind::kInt;
  const int64_t runs = has_axis ? RunsBefore(model_.graph.outputs(*join)[0], axis->i) : 0;
  if (runs == 1) {
    TakeParts(parts, whole, g);
  } else {
    ShareWhole(parts, whole);
  }
}

void PlaceSharing::TakeParts(const Parts& parts, uint32_t whole, size_t g) {
  for (const Part& part : parts) {
    const uint32_t inner = WholeOf(part.row);
    if (inner == whole) continue;
    if (inner == part.row) {
      TakePart(part.row, part.at, whole, g);
    } else if (const int64_t at = part.at - (rows_[part.row].at - rows_[inner].at); IsCovered(parts, inner, at)) {
      TakePart(inner, at, whole, g);
    }
  }
}

// Whether what `inner` was joined from are these parts, where they lie.
bool PlaceSharing::IsCovered(const Parts& parts, uint32_t inner, int64_t at) const {
  int64_t bytes = 0;
  for (const Part& part : parts) {
    if (WholeOf(part.row) != inner) continue;
    if (part.at - (rows_[part.row].at - rows_[inner].at) != at) return false;
    bytes += rows_[part.row].bytes;
  }
  return at >= 0 && bytes == rows_[inner].bytes;
}

void PlaceSharing::TakePart(uint32_t part, int64_t at, uint32_t whole, size_t g) {
  Row &inner = rows_[part], &outer = rows_[whole];
  if (!IsShared(inner) || inner.first >= g) return;
  const size_t inner_last = inner.last, outer_last = outer.last;
  outer.last = std::max(outer.last, inner.last);
  inner.last = std::min(inner.last, g - 1);
  if (Join(whole, part, at)) {
    inner.taken_by = whole;
    return;
  }
  inner.last = inner_last;
  outer.last = outer_last;
}

// Parts that do not lie together need the whole from the first of them on. That is left where it takes more at the
// peak.
void PlaceSharing::ShareWhole(const Parts& parts, uint32_t whole) {
  Row& outer = rows_[whole];
  const Row before = outer;
  if (outer.next != kNone || outer.body != whole) return;
  for (const Part& part : parts) {
    const Row& row = rows_[part.row];
    if (!IsShared(row) || row.is_output || row.taken_by != kNone || row.body != part.row || row.next != kNone) return;
    outer.first = std::min(outer.first, row.first);
    outer.last = std::max(outer.last, row.last);
  }
  const size_t first = outer.first, last = outer.last;
  outer = before;
  const int64_t most = MostAlive(first, last);
  outer.first = first;
  outer.last = last;
  for (const Part& part : parts) rows_[part.row].is_gone = true;
  if (MostAlive(first, last) <= most) {
    for (const Part& part : parts) rows_[part.row].taken_by = whole;
    return;
  }
  for (const Part& part : parts) rows_[part.row].is_gone = false;
  outer = before;
}

int64_t PlaceSharing::MostAlive(size_t first, size_t last) const {
  std::vector<int64_t> change(last - first + 2, 0);
  for (const Row& row : rows_) {
    if (row.is_gone || row.last < first || row.first > last) continue;
    change[std::max(row.first, first) - first] += row.bytes;
    change[std::min(row.last, last) - first + 1] -= row.bytes;
  }
  int64_t now = 0, most = 0;
  for (const int64_t bytes : change) most = std::max(most, now += bytes);
  return most;
}

// Parts that lie one behind the other in what nothing reads afterwards.
void PlaceSharing::ShareSplit(size_t g, NodeId node) {
  const RunGroup& group = *order_[g].run;
  if (group.reads.size() != 1 || row_of_[group.reads[0].value] == kNone) return;
  const uint32_t whole = row_of_[group.reads[0].value];
  const ValueId input = model_.graph.inputs(node)[0], output = model_.graph.outputs(node)[0];
  if (!input.valid() || !output.valid()) return;
  const Shape &from = model_.facts.values[input].type.shape, &to = model_.facts.values[output].type.shape;
  if (!from.ranked() || !to.ranked() || from.rank() != to.rank()) return;
  int axis = 0;
  while (axis + 1 < from.rank() && from.dim(axis) == to.dim(axis)) ++axis;
  int64_t bytes = 0;
  for (const Access& write : group.writes) {
    const Row& row = rows_[row_of_[write.value]];
    if (!IsShared(row) || row.memory != rows_[whole].memory) return;
    bytes += row.bytes;
  }
  if (!IsShared(rows_[whole]) || rows_[whole].last != g || rows_[whole].is_output || bytes != rows_[whole].bytes ||
      RunsBefore(input, axis) != 1) {
    return;
  }
  int64_t at = 0;
  for (const Access& write : group.writes) {
    const uint32_t part = row_of_[write.value];
    Row& row = rows_[part];
    row.first = g + 1;
    row.is_gone = row.last == g;
    if (!Join(whole, part, at)) {
      row.first = g;
      row.is_gone = false;
    }
    at += row.bytes;
  }
}

// Its input is written inside the frame.
void PlaceSharing::SharePad(size_t g, NodeId node) {
  const RunGroup& group = *order_[g].run;
  if (group.reads.size() != 1 || row_of_[group.reads[0].value] == kNone) return;
  const uint32_t inner = row_of_[group.reads[0].value], outer = row_of_[group.writes[0].value];
  const Row& row = rows_[inner];
  const bool is_made = model_.graph.value(row.value).producer.valid();
  const bool grows = HasTrait(model_, node, trait::kCopiesRuns) && rows_[outer].bytes > row.bytes;
  if (!is_made || !grows || row.last != g || row.memory != rows_[outer].memory || !IsShared(rows_[outer])) return;
  ShareWhole({{inner, 0}}, outer);
}

uint32_t IndexOf(const Target& target, const Memory* memory) {
  return memory == nullptr ? 0 : static_cast<uint32_t>(memory - target.memories.data());
}

// A group that no unit runs has its values where the first unit has them. Nothing is written to a memory that is only
// read.
uint32_t SharedIndex(const Target& target, UnitId unit) {
  const Unit& row = target.units[unit.valid() ? unit : UnitId(0u)];
  const Memory* shared = SharedMemoryOf(target, row);
  if (shared != nullptr && shared->read_only && OnChipMemoryOf(target, row) != nullptr) {
    shared = OnChipMemoryOf(target, row);
  }
  return IndexOf(target, BehindWindow(target, shared));
}

// Where values lie that stay on the chip, and where the others do.
class HomeFinder {
 public:
  HomeFinder(const PlanInput& input, const Problem& problem, const Draft& draft)
      : input_(input), problem_(problem), draft_(draft) {}

  // The memory of every value that a step reads or writes.
  IdMap<ValueId, uint32_t> Run() {
    FindLeaving();
    IdMap<ValueId, uint32_t> homes(leaves_.size(), kNone);
    for (const Step& step : draft_.steps) {
      for (const Access& write : step.group->writes) homes[write.value] = HomeOf(write.value, step);
      for (const Access& read : step.group->reads) {
        if (homes[read.value] == kNone) homes[read.value] = SharedOf(step.unit);
      }
    }
    return homes;
  }

 private:
  uint32_t SharedOf(UnitId unit) const { return SharedIndex(input_.target, unit); }
  uint32_t HomeOf(ValueId value, const Step& step) const;
  void FindLeaving();
  const OnChip* OnChipOf(UnitId unit) const;

  const PlanInput& input_;
  const Problem& problem_;
  const Draft& draft_;
  IdMap<ValueId, uint8_t> leaves_;  // 1 = read outside the segment that makes it
};

void HomeFinder::FindLeaving() {
  const size_t count = input_.model.graph.values().size();
  leaves_ = IdMap<ValueId, uint8_t>(count, 0);
  IdMap<ValueId, SegmentId> made_in(count);
  for (const Step& step : draft_.steps) {
    for (const Access& read : step.group->reads) leaves_[read.value] |= made_in[read.value] != step.segment ? 1 : 0;
    for (const Access& write : step.group->writes) made_in[write.value] = step.segment;
  }
}

const OnChip* HomeFinder::OnChipOf(UnitId unit) const {
  for (size_t u = 0; u < problem_.num_units() && u < problem_.on_chip.size(); ++u) {
    if (problem_.usable.units[u].unit == unit) return &problem_.on_chip[u];
  }
  return nullptr;
}

uint32_t HomeFinder::HomeOf(ValueId value, const Step& step) const {
  const OnChip* on_chip = step.unit.valid() ? OnChipOf(step.unit) : nullptr;
  const Memory* memory = on_chip != nullptr ? OnChipMemoryOf(input_.target, input_.target.units[step.unit]) : nullptr;
  const bool stays = memory != nullptr && memory->scratchpad && on_chip->stays[value].is_whole && leaves_[value] == 0;
  return stays ? IndexOf(input_.target, memory) : SharedOf(step.unit);
}

int64_t AlignmentIn(const Target& target, uint32_t memory) {
  int64_t alignment = kTensorAlignment;
  for (const Unit& unit : target.units) {
    if (unit.memories.empty() || std::find(unit.memories.begin(), unit.memories.end(), memory) == unit.memories.end()) {
      continue;
    }
    const std::optional<double> stated = ParamOf(unit, "tensor_alignment_bytes");
    if (stated.has_value()) alignment = static_cast<int64_t>(*stated);
  }
  return alignment;
}

// Gives the bodies in `memory` their addresses. Of those that end beyond `room`, the rows go to `spill`.
void Place(std::vector<Row>& rows, uint32_t memory, int64_t alignment, int64_t room, uint32_t spill) {
  std::vector<ArenaPiece> pieces;
  std::vector<uint32_t> buffer_of(rows.size(), kNone), bodies;
  for (uint32_t r = 0; r < rows.size(); ++r) {
    const Row& row = rows[r];
    if (row.memory != memory || row.is_gone) continue;
    uint32_t& buffer = buffer_of[row.body];
    if (buffer == kNone) {
      buffer = static_cast<uint32_t>(bodies.size());
      bodies.push_back(row.body);
    }
    pieces.push_back({.bytes = row.bytes, .first = row.first, .last = row.last, .buffer = buffer, .at = row.at});
  }
  std::vector<int64_t> origin(bodies.size(), INT64_MAX), end(bodies.size(), 0);
  for (const ArenaPiece& piece : pieces) origin[piece.buffer] = std::min(origin[piece.buffer], piece.at);
  for (ArenaPiece& piece : pieces) piece.at -= origin[piece.buffer];
  const Arena arena = PackArena(pieces, bodies.size(), alignment);
  for (const ArenaPiece& piece : pieces) {
    end[piece.buffer] = std::max(end[piece.buffer], arena.offsets[piece.buffer] + piece.at + piece.bytes);
  }
  for (Row& row : rows) {
    if (row.memory != memory || row.is_gone) continue;
    const uint32_t buffer = buffer_of[row.body];
    if (end[buffer] > room) {
      row.memory = spill;
    } else {
      row.at += arena.offsets[buffer] - origin[buffer];
    }
  }
}

// Scratchpads first: what finds no address there lies in the shared memory.
void PlaceAll(const Target& target, std::vector<Row>& rows) {
  for (const bool on_chip : {true, false}) {
    for (uint32_t m = 0; m < target.memories.size(); ++m) {
      if (target.memories[m].scratchpad != on_chip) continue;
      int64_t room = INT64_MAX;
      uint32_t spill = m;
      for (size_t u = 0; u < target.units.size() && on_chip; ++u) {
        const Unit& unit = target.units[UnitId(u)];
        if (OnChipMemoryOf(target, unit) != &target.memories[m] || SharedIndex(target, UnitId(u)) == m) continue;
        room = OnChipBytes(target, unit);
        spill = SharedIndex(target, UnitId(u));
      }
      Place(rows, m, AlignmentIn(target, m), room, spill);
    }
  }
}

// Kernels that write the parts of a concatenation where they end up write with strides.
IdMap<UnitId, uint8_t> StridedWriters(const Target& target) {
  IdMap<UnitId, uint8_t> strided(target.units.size(), 0);
  for (size_t u = 0; u < strided.size(); ++u) {
    const Toolchain* toolchain = ToolchainOf(target, target.units[UnitId(u)]);
    strided[UnitId(u)] = toolchain != nullptr && PickOf(*toolchain, "concat_in_place") != nullptr ? 1 : 0;
  }
  return strided;
}

std::vector<Lifetime> LifetimesOf(const ModelView& model, const Target& target, const std::vector<MemoryGroup>& order,
                                  const IdMap<ValueId, uint32_t>& memory_of) {
  std::vector<Row> rows = PlaceSharing(model, order, memory_of).Run();
  PlaceAll(target, rows);
  std::vector<Lifetime> lifetimes;
  for (const Row& row : rows) {
    if (row.is_gone) continue;
    lifetimes.push_back({.value = row.value,
                         .bytes = row.is_known ? std::optional<int64_t>(row.bytes) : std::nullopt,
                         .first = GroupId(row.first),
                         .last = GroupId(row.last),
                         .memory = row.memory,
                         .offset = row.at,
                         .place = rows[row.body].value});
  }
  return lifetimes;
}

}  // namespace

std::vector<Lifetime> PlanMemory(const PlanInput& input, const Problem& problem, const Draft& draft) {
  const IdMap<UnitId, uint8_t> strided = StridedWriters(input.target);
  std::vector<MemoryGroup> order;
  for (const Step& step : draft.steps) order.push_back({step.group, step.unit.valid() && strided[step.unit] != 0});
  return LifetimesOf(input.model, input.target, order, HomeFinder(input, problem, draft).Run());
}

std::vector<Lifetime> PlanMemoryInOrder(const ModelView& model, const Target& target, const Plan& plan,
                                        absl::Span<const GroupId> order) {
  const IdMap<UnitId, uint8_t> strided = StridedWriters(target);
  IdMap<ValueId, uint32_t> homes(model.graph.values().size(), kNone);
  for (const Lifetime& row : plan.lifetimes) homes[row.value] = row.memory;
  std::deque<RunGroup> runs;
  std::vector<MemoryGroup> groups;
  for (const GroupId id : order) {
    const PlannedGroup& row = plan.groups[id.index()];
    RunGroup& run = runs.emplace_back(RunGroup{row.group, row.work});
    run.reads = row.reads;
    run.writes = row.writes;
    groups.push_back({&run, row.unit.valid() && strided[row.unit] != 0});
    for (const Accesses* accesses : {&row.reads, &row.writes}) {
      for (const Access& access : *accesses) {
        if (homes[access.value] == kNone) homes[access.value] = SharedIndex(target, row.unit);
      }
    }
  }
  return LifetimesOf(model, target, groups, homes);
}

void PlaceAnew(const Target& target, uint32_t memory, std::vector<Lifetime>* lifetimes) {
  std::vector<Lifetime*> rows;
  std::vector<ArenaPiece> pieces;
  std::vector<int64_t> origin;
  std::map<size_t, uint32_t> buffers;  // by place
  for (Lifetime& row : *lifetimes) {
    if (row.memory != memory) continue;
    const auto [found, is_new] = buffers.try_emplace(row.place.index(), static_cast<uint32_t>(origin.size()));
    if (is_new) origin.push_back(row.offset);
    int64_t& start = origin[found->second];
    start = std::min(start, row.offset);
    rows.push_back(&row);
    pieces.push_back({.bytes = row.bytes.value_or(0),
                      .first = row.first.index(),
                      .last = row.last.index(),
                      .buffer = found->second,
                      .at = row.offset});
  }
  for (ArenaPiece& piece : pieces) piece.at -= origin[piece.buffer];
  const Arena arena = PackArena(pieces, origin.size(), AlignmentIn(target, memory));
  for (size_t i = 0; i < rows.size(); ++i) rows[i]->offset = arena.offsets[pieces[i].buffer] + pieces[i].at;
}

std::vector<ArenaUse> ArenasOf(absl::Span<const Lifetime> lifetimes, size_t num_groups) {
  std::map<uint32_t, std::vector<Lifetime>> by_memory;
  for (const Lifetime& row : lifetimes) by_memory[row.memory].push_back(row);
  std::vector<ArenaUse> uses;
  for (const auto& [memory, rows] : by_memory) {
    ArenaUse use{.memory = memory, .least_bytes = PeakLiveBytes(rows, num_groups)};
    for (const Lifetime& row : rows) use.bytes = std::max(use.bytes, row.offset + row.bytes.value_or(0));
    uses.push_back(use);
  }
  return uses;
}

int64_t PeakOfActivations(absl::Span<const Lifetime> lifetimes, size_t num_groups) {
  int64_t peak = PeakLiveBytes(lifetimes, num_groups);
  for (const ArenaUse& use : ArenasOf(lifetimes, num_groups)) peak += use.bytes - use.least_bytes;
  return peak;
}

std::vector<std::string> ProblemsOf(absl::Span<const Lifetime> lifetimes) {
  std::vector<Lifetime> rows(lifetimes.begin(), lifetimes.end());
  std::stable_sort(rows.begin(), rows.end(), [](const Lifetime& a, const Lifetime& b) { return a.first < b.first; });
  std::vector<std::string> problems;
  std::vector<Lifetime> alive;
  const auto end = [](const Lifetime& row) { return row.offset + row.bytes.value_or(0); };
  for (const Lifetime& row : rows) {
    if (row.offset < 0 || row.first > row.last) problems.push_back(absl::StrCat("value ", row.value.index()));
    alive.erase(std::remove_if(alive.begin(), alive.end(), [&](const Lifetime& b) { return b.last < row.first; }),
                alive.end());
    for (const Lifetime& other : alive) {
      if (other.memory != row.memory || other.offset >= end(row) || row.offset >= end(other)) continue;
      problems.push_back(absl::StrCat("values ", other.value.index(), " and ", row.value.index(), " overlap at ",
                                      std::max(other.offset, row.offset)));
    }
    alive.push_back(row);
  }
  return problems;
}

}  // namespace hwest

#include "op/rule.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "op/families.h"
#include "op/known.h"

namespace hwest {
namespace {

bool RowLess(const OpRule& a, const OpRule& b) { return std::pair(a.domain, a.op) < std::pair(b.domain, b.op); }

// The rows of all families, as they stand in their tables.
std::vector<const OpRule*> RowsOfFamilies() {
  std::vector<const OpRule*> rows;
  rows.reserve(512);
  for (const auto family : {
           AtenRules(),
           ContribActivationRules(),
           ContribAttentionRules(),
           ContribConvRules(),
           ContribGroupQueryRules(),
           ContribLstmRules(),
           ContribMatMulRules(),
           ContribMoveRules(),
           ContribMultiHeadRules(),
           ContribNormRules(),
           ContribPackedRules(),
           ContribPositionRules(),
           ContribQuantRules(),
           ContribRecurrentRules(),
           ContribRules(),
           ContribTextRules(),
           ContribWeightOnlyRules(),
           ControlRules(),
           ConvRules(),
           ConvVariantRules(),
           DetectionRules(),
           EinsumRules(),
           ImageRules(),
           LossRules(),
           MatMulRules(),
           MlLinearRules(),
           MlRules(),
           MlTreeRules(),
           NchwcRules(),
           NhwcRules(),
           NormRules(),
           OptionalRules(),
           OrtLegacyRules(),
           OrtPluginRules(),
           PointwiseRules(),
           PoolRules(),
           QuantRules(),
           RandomRules(),
           RecurrentRules(),
           ReduceRules(),
           SequenceRules(),
           ShapeRules(),
           SignalRules(),
           StandardAttentionRules(),
           TextRules(),
           TrainingRules(),
       }) {
    for (const OpRule& row : family) rows.push_back(&row);
  }
  return rows;
}

std::vector<OpRule> SortedRows() {
  std::vector<const OpRule*> order = RowsOfFamilies();  // rows are large
  std::sort(order.begin(), order.end(), [](const OpRule* a, const OpRule* b) { return RowLess(*a, *b); });
  std::vector<OpRule> rows;
  rows.reserve(order.size());
  for (const OpRule* row : order) rows.push_back(*row);
  return rows;
}

const std::vector<OpRule>& Table() {
  static const std::vector<OpRule> table = SortedRows();
  return table;
}

// RuleIndex finds a row by name. It is asked for every node again and again, so its hash reads no more than both ends
// of the name.
class RuleIndex {
 public:
  RuleIndex() : slots_(kSlots, nullptr) {
    for (const OpRule* rule : RowsOfFamilies()) Slot(rule->domain, rule->op) = rule;
  }

  const OpRule* Find(absl::string_view domain, absl::string_view op) const {
    return const_cast<RuleIndex*>(this)->Slot(domain, op);
  }

 private:
  static constexpr size_t kSlots = 4096;

  static uint64_t Load(const char* bytes) {
    uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  }

  static size_t HashOf(absl::string_view domain, absl::string_view op) {
    constexpr size_t kEnd = 4;
    char all[kEnd] = {};  // of a shorter name
    if (op.size() < kEnd && !op.empty()) std::memcpy(all, op.data(), op.size());
    const uint64_t word = op.size() < kEnd ? Load(all) : Load(op.data()) << 32 | Load(op.data() + op.size() - kEnd);
    return ((word ^ (op.size() + 64 * domain.size())) * 0x9E3779B97F4A7C15u) >> 52;
  }

  // The row's slot, else the empty one where it would stand.
  const OpRule*& Slot(absl::string_view domain, absl::string_view op) {
    static_assert(kSlots == size_t{1} << 12);
    size_t slot = HashOf(domain, op);
    while (slots_[slot] != nullptr && (slots_[slot]->op != op || slots_[slot]->domain != domain)) {
      slot = (slot + 1) % kSlots;
    }
    return slots_[slot];
  }

  std::vector<const OpRule*> slots_;
};

// Highest version of the list not above `limit`; 0 when there is none.
int HighestVersion(const OpRule& rule, int limit) {
  int best = 0;
  for (size_t at = 0; at < rule.versions.size(); ++at) {
    int version = 0;
    for (; at < rule.versions.size() && rule.versions[at] != ' '; ++at)
      version = version * 10 + (rule.versions[at] - '0');
    if (version <= limit) best = std::max(best, version);
  }
  return best;
}

const Type& UnknownType() {
  static const Type type;
  return type;
}

const Known& NothingKnown() {
  static const Known known;
  return known;
}

}  // namespace

bool OpView::has_input(int i) const {
  const auto inputs = graph_.inputs(node_);
  return i >= 0 && static_cast<size_t>(i) < inputs.size() && inputs[static_cast<size_t>(i)].valid();
}

bool OpView::has_output(int i) const {
  const auto outputs = graph_.outputs(node_);
  if (i < 0 || static_cast<size_t>(i) >= outputs.size() || !outputs[static_cast<size_t>(i)].valid()) return false;
  // The first output describes the node, read or not.
  return i == 0 || facts_.IsNeeded(outputs[static_cast<size_t>(i)]);
}

const Type& OpView::in(int i) const {
  if (i == 0 && seen_input_ != nullptr) return *seen_input_;
  return has_input(i) ? facts_.values[input(i)].type : UnknownType();
}

const Type& OpView::out(int i) const {
  if (i == 0 && seen_output_ != nullptr) return *seen_output_;
  return has_output(i) ? facts_.values[output(i)].type : UnknownType();
}

const Known& OpView::known(int i) const { return has_input(i) ? facts_.values[input(i)].known : NothingKnown(); }
const Known& OpView::out_known(int i) const { return has_output(i) ? facts_.values[output(i)].known : NothingKnown(); }

const Elements& OpView::elements_of(ValueId value) const {
  static const Elements none;
  const auto found = facts_.elements.find(value);
  return found == facts_.elements.end() ? none : found->second;
}

const std::vector<std::string>* OpView::known_strings(int i) const {
  if (!has_input(i)) return nullptr;
  if (const auto given = facts_.strings.find(input(i)); given != facts_.strings.end()) return given->second.get();
  const ConstantId id = graph_.value(input(i)).constant;
  if (!id.valid() || graph_.constant(id).elem != ElemType::kString) return nullptr;
  const Constant& constant = graph_.constant(id);
  return constant.Elements() == static_cast<int64_t>(constant.strings.size()) ? &constant.strings : nullptr;
}

bool OpView::is_constant(int i) const { return has_input(i) && graph_.IsConstant(input(i)); }

bool OpView::computes() const {
  const OpRule* rule = RuleOf(graph_, node_);
  return rule != nullptr && rule->computes != nullptr && rule->computes(graph_, node_, facts_);
}

std::optional<OpView> OpView::producer(int i) const {
  if (!has_input(i)) return std::nullopt;
  const NodeId node = graph_.value(input(i)).producer;
  if (!node.valid()) return std::nullopt;
  return OpView(graph_, node, facts_, dims_);
}

int64_t OpView::attr(absl::string_view name, int64_t fallback) const {
  const Attribute* attribute = graph_.FindAttribute(node_, name);
  return attribute != nullptr && attribute->kind == AttrKind::kInt ? attribute->i : fallback;
}

float OpView::attr(absl::string_view name, float fallback) const {
  const Attribute* attribute = graph_.FindAttribute(node_, name);
  return attribute != nullptr && attribute->kind == AttrKind::kFloat ? attribute->f : fallback;
}

absl::string_view OpView::attr(absl::string_view name, absl::string_view fallback) const {
  const Attribute* attribute = graph_.FindAttribute(node_, name);
  if (attribute == nullptr || attribute->kind != AttrKind::kString || !attribute->s.valid()) return fallback;
  return graph_.str(attribute->s);
}

absl::Span<const int64_t> OpView::ints(absl::string_view name) const {
  const Attribute* attribute = graph_.FindAttribute(node_, name);
  if (attribute == nullptr || attribute->kind != AttrKind::kInts) return {};
  return attribute->ints;
}

absl::Span<const float> OpView::floats(absl::string_view name) const {
  const Attribute* attribute = graph_.FindAttribute(node_, name);
  if (attribute == nullptr || attribute->kind != AttrKind::kFloats) return {};
  return attribute->floats;
}

absl::Span<const StrId> OpView::strings(absl::string_view name) const {
  const Attribute* attribute = graph_.FindAttribute(node_, name);
  if (attribute == nullptr || attribute->kind != AttrKind::kStrings) return {};
  return attribute->strings;
}

const Constant* OpView::tensor(absl::string_view name) const {
  const Attribute* attribute = graph_.FindAttribute(node_, name);
  if (attribute == nullptr || attribute->kind != AttrKind::kTensor) return nullptr;
  if (attribute->tensors.size() != 1 || !attribute->tensors[0].valid()) return nullptr;
  return &graph_.constant(attribute->tensors[0]);
}

std::optional<std::vector<Dim>> OpView::known_dims(int i) const {
  const Known& contents = known(i);
  if (contents == nullptr) return std::nullopt;
  std::vector<Dim> dims;
  dims.reserve(contents->size());
  for (const Scalar& scalar : *contents) {
    if (!scalar.is_int()) return std::nullopt;
    dims.push_back(scalar.dim());
  }
  return dims;
}

std::optional<std::vector<int64_t>> OpView::known_ints(int i) const {
  return known(i) == nullptr ? std::nullopt : ConstantInts(*known(i));
}

std::optional<std::vector<double>> OpView::known_floats(int i) const {
  return known(i) == nullptr ? std::nullopt : ConstantNumbers(*known(i));
}

void InferContext::set_out(int i, Type type) {
  if (has_output(i)) mutable_facts_.values[output(i)].type = std::move(type);
}

void InferContext::set_known(int i, std::vector<Scalar> values) {
  const bool informative = std::any_of(values.begin(), values.end(), [](const Scalar& s) { return !s.is_unknown(); });
  // A tensor without elements is fully known although it has nothing to say.
  if (!informative && !values.empty()) return;
  set_known(i, std::make_shared<const std::vector<Scalar>>(std::move(values)));
}

void InferContext::set_known(int i, Known values) {
  if (!has_output(i) || values == nullptr) return;
  ValueFact& fact = mutable_facts_.values[output(i)];
  if (!fact.type.is_tensor() || !fact.type.shape.constant()) return;
  const Dim elements = fact.type.shape.Elements(dims_);
  if (elements.IsConstant(static_cast<int64_t>(values->size())) && elements.value() <= kMaxKnownElements) {
    fact.known = std::move(values);
  }
}

void InferContext::set_elements(int i, Elements elements) {
  if (!has_output(i) || elements == nullptr || elements->size() > kMaxFollowedElements) return;
  const Type& type = mutable_facts_.values[output(i)].type;
  if (!type.length.IsConstant(static_cast<int64_t>(elements->size()))) return;
  mutable_facts_.elements[output(i)] = std::move(elements);
}

absl::StatusOr<Dim> InferContext::Unify(Dim a, Dim b) {
  if (a.is_unknown() || b.is_unknown()) return a.is_unknown() ? b : a;
  switch (dims_.Equal(a, b)) {
    case Tri::kTrue: break;
    case Tri::kFalse:
      return absl::InvalidArgumentError(
          absl::StrCat(op(), ": sizes ", dims_.ToString(a), " and ", dims_.ToString(b), " have to be equal"));
    case Tri::kUndecided: mutable_facts_.constraints.push_back(Constraint{.a = a, .b = b, .node = node_});
  }
  return a.is_constant() ? a : b.is_constant() ? b : a;
}

namespace {

// Broadcasting of two sizes of which at least one is unknown: a constant other than 1 decides.
Dim BroadcastUnknown(Dim a, Dim b) {
  for (const Dim dim : {a, b}) {
    if (dim.is_constant() && dim.value() != 1) return dim;
  }
  return Dim::Unknown();
}

bool CannotBeOne(const DimPool& pool, Dim dim) { return pool.Equal(dim, 1) == Tri::kFalse; }

}  // namespace

absl::StatusOr<Shape> InferContext::Broadcast(const Shape& a, const Shape& b) {
  if (!a.ranked() || !b.ranked()) return Shape();
  const int rank = std::max(a.rank(), b.rank());
  Shape result = Shape::UnknownDims(rank);
  for (int axis = 0; axis < rank; ++axis) {
    const int axis_a = axis - (rank - a.rank());
    const int axis_b = axis - (rank - b.rank());
    const Dim x = axis_a < 0 ? Dim(1) : a.dim(axis_a);
    const Dim y = axis_b < 0 ? Dim(1) : b.dim(axis_b);
    if (x.is_unknown() || y.is_unknown()) {
      result.set_dim(axis, BroadcastUnknown(x, y));
      continue;
    }
    const Tri equal = dims_.Equal(x, y);
    if (equal == Tri::kFalse && CannotBeOne(dims_, x) && CannotBeOne(dims_, y)) {
      return absl::InvalidArgumentError(
          absl::StrCat(op(), ": shapes ", ToString(a, dims_), " and ", ToString(b, dims_), " do not broadcast"));
    }
    if (equal == Tri::kUndecided && !x.IsConstant(1) && !y.IsConstant(1)) {
      mutable_facts_.constraints.push_back(Constraint{.a = x, .b = y, .node = node_});
    }
    result.set_dim(axis, dims_.Broadcast(x, y));
  }
  return result;
}

Dim OpView::fresh_size(absl::string_view prefix) const {
  const auto made = facts_.fresh.find(node_);
  if (made == facts_.fresh.end()) return Dim::Unknown();
  for (const Dim dim : made->second) {
    if (absl::StartsWith(dims_.symbol(dims_.AsSymbol(dim)).name, prefix)) return dim;
  }
  return Dim::Unknown();
}

Dim InferContext::FreshSize(absl::string_view prefix, int64_t min, Dim max_expr, Dim typical) {
  Symbol info;
  info.min = min;
  info.max_expr = max_expr;
  info.typical = typical;
  return FreshSize(prefix, std::move(info));
}

Dim InferContext::FreshSize(absl::string_view prefix, Symbol info) {
  if (!info.max.has_value() && !info.max_expr.is_unknown()) info.max = dims_.BoundsOf(info.max_expr).max;
  info.cause = graph_.Label(node_);
  info.data_dependent = true;
  std::vector<Dim>& made = mutable_facts_.fresh[node_];
  for (const Dim dim : made) {
    Symbol& before = dims_.mutable_symbol(dims_.AsSymbol(dim));
    if (!absl::StartsWith(before.name, prefix)) continue;
    if (std::find(handed_out_.begin(), handed_out_.end(), dim) != handed_out_.end()) continue;
    handed_out_.push_back(dim);
    info.name = before.name;
    info.text = before.text;
    before = std::move(info);
    return dim;
  }
  made.push_back(dims_.Fresh(prefix, std::move(info)));
  handed_out_.push_back(made.back());
  return made.back();
}

absl::Span<const OpRule> AllRules() { return Table(); }

const OpRule* FindRule(absl::string_view domain, absl::string_view op) {
  static const RuleIndex& index = *new RuleIndex;
  return index.Find(domain, op);
}

int64_t NumStandardOps() {
  static const int64_t count = [] {
    const std::vector<const OpRule*> rows = RowsOfFamilies();
    return std::count_if(rows.begin(), rows.end(), [](const OpRule* rule) { return rule->domain.empty(); });
  }();
  return count;
}

bool HasRule(absl::string_view domain, absl::string_view op) { return FindRule(domain, op) != nullptr; }

const OpRule* RuleOf(const Graph& graph, NodeId node) { return FindRule(graph.domain(node), graph.op(node)); }

bool HasTrait(const Graph& graph, NodeId node, Traits traits) {
  const OpRule* rule = RuleOf(graph, node);
  return rule != nullptr && (rule->traits & traits) != 0;
}

const PackedInputs* PackedAt(const OpRule& rule, size_t input) {
  for (const PackedInputs& packed : rule.packed) {
    if (Covers(packed.inputs, input)) return &packed;
  }
  return nullptr;
}

int64_t PackedBits(const Graph& graph, NodeId node, const PackedInputs& packed) {
  constexpr int64_t kUsualBits = 4;
  const Attribute* bits = packed.bits.empty() ? nullptr : graph.FindAttribute(node, packed.bits);
  return bits != nullptr && bits->kind == AttrKind::kInt ? bits->i : kUsualBits;
}

IdMap<NodeId, Traits> TraitsOfNodes(const Graph& graph) {
  absl::flat_hash_map<std::pair<StrId, StrId>, Traits> known;
  IdMap<NodeId, Traits> traits(graph.nodes().size());
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    const Node& node = graph.node(NodeId(n));
    const auto [row, is_new] = known.try_emplace({node.domain, node.op}, 0);
    if (is_new) {
      const OpRule* rule = RuleOf(graph, NodeId(n));
      row->second = rule == nullptr ? 0 : rule->traits;
    }
    traits[NodeId(n)] = row->second;
  }
  return traits;
}

BuildRole BuildRoleOf(absl::string_view domain, absl::string_view op) {
  const OpRule* rule = FindRule(domain, op);
  if (rule == nullptr) return {};
  return {.is_native = true, .is_random = (rule->traits & trait::kRandom) != 0, .type_inputs = rule->type_inputs};
}

int SinceVersion(const OpRule& rule, int opset) {
  const int since = HighestVersion(rule, opset);
  if (since > 0) return since;
  int first = 0;
  for (const absl::string_view text : absl::StrSplit(rule.versions, ' ', absl::SkipEmpty())) {
    if (absl::SimpleAtoi(text, &first)) break;
  }
  return first;
}

int NewestOpset() {
  int newest = 0;
  for (const OpRule* rule : RowsOfFamilies()) {
    if (rule->domain.empty()) newest = std::max(newest, HighestVersion(*rule, INT32_MAX));
  }
  return newest;
}

}  // namespace hwest

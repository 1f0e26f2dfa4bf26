#include "op/run_time.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"

namespace hwest {
namespace {

constexpr int64_t kMostElements = 16;    // of a tensor that is named: positions along the axes, and their like
constexpr size_t kMostShown = 512;       // tensors followed for one node
constexpr int kMostDepth = 48;           // operators between a tensor and that node
constexpr size_t kMostNames = 4096;      // of one model
constexpr int64_t kMostLooks = 200'000;  // of one model

RunTimeNames& NamesOf(Facts& facts) {
  if (facts.run_time == nullptr) facts.run_time = std::make_shared<RunTimeNames>();
  return *facts.run_time;
}

bool IsSmall(const Type& type, DimPool& dims) {
  if (!type.is_tensor() || !type.shape.constant()) return false;
  const Dim elements = type.shape.Elements(dims);
  return elements.is_constant() && elements.value() >= 0 && elements.value() <= kMostElements;
}

bool IsComplete(const Known& known) {
  return known != nullptr && absl::c_none_of(*known, [](const Scalar& scalar) { return scalar.is_unknown(); });
}

bool HasBodies(const Graph& graph, NodeId node) {
  return absl::c_any_of(graph.attributes(node), [](const Attribute& attribute) { return !attribute.graphs.empty(); });
}

// What the operator says of the numbers it makes.
enum class Makes { kAny, kWhole, kPositions };

Makes MakesOf(absl::string_view op) {
  if (op == "ArgMax" || op == "ArgMin") return Makes::kPositions;
  return op == "Floor" || op == "Ceil" || op == "Round" ? Makes::kWhole : Makes::kAny;
}

Makes MakesOf(const Graph& graph, ValueId value) {
  const NodeId producer = graph.value(value).producer;
  return producer.valid() && graph.domain(producer).empty() ? MakesOf(graph.op(producer)) : Makes::kAny;
}

bool IsUnsigned(ElemType elem) {
  return elem == ElemType::kBool || elem == ElemType::kUint8 || elem == ElemType::kUint16 ||
         elem == ElemType::kUint32 || elem == ElemType::kUint64;
}

// The last position of the axis that ArgMax looks along.
Dim LastPosition(const OpView& op) {
  const Shape& shape = op.in(0).shape;
  const int64_t axis = op.attr("axis", int64_t{0});
  if (!shape.ranked() || axis < -shape.rank() || axis >= shape.rank()) return Dim::Unknown();
  return op.dims().Sub(shape.dim(static_cast<int>(axis < 0 ? axis + shape.rank() : axis)), 1);
}

}  // namespace

NamedContents::NamedContents(InferContext& ctx, InputMask inputs) : ctx_(ctx), names_(NamesOf(ctx.facts())) {
  for (int i = 0; i < ctx.num_inputs(); ++i) {
    if (Covers(inputs, static_cast<size_t>(i)) && ctx.has_input(i)) Show(ctx.input(i));
  }
}

NamedContents::~NamedContents() {
  for (size_t i = saved_.size(); i-- > 0;) ctx_.facts().values[saved_[i].first].known = std::move(saved_[i].second);
}

bool NamedContents::IsIn(Dim dim) const {
  if (!dim.is_symbolic() || names_.symbols.empty()) return false;
  return absl::c_any_of(ctx_.dims().SymbolsOf(dim), [&](SymbolId id) { return names_.symbols.contains(id); });
}

bool NamedContents::IsDecidedAtRunTime(Dim dim) const {
  if (!dim.is_symbolic()) return false;
  return absl::c_any_of(ctx_.dims().SymbolsOf(dim), [&](SymbolId id) {
    return names_.symbols.contains(id) || ctx_.dims().symbol(id).data_dependent;
  });
}

void NamedContents::TakeWithin() { names_.taken_within.insert(ctx_.node()); }

void NamedContents::Save(ValueId value) { saved_.emplace_back(value, ctx_.facts().values[value].known); }

void NamedContents::Show(ValueId value) {
  const ValueFact& fact = ctx_.facts().values[value];
  if (IsComplete(fact.known) || !IsSmall(fact.type, ctx_.dims()) || !shown_.insert(value).second) return;
  const bool is_near = depth_ < kMostDepth && shown_.size() <= kMostShown;
  if (is_near && names_.looks < kMostLooks) Follow(value);
  if (!IsComplete(fact.known)) NameUnknown(value);
}

// Contents that the node makes of what its own inputs are shown as.
void NamedContents::Follow(ValueId value) {
  const Graph& graph = ctx_.graph();
  const NodeId producer = graph.value(value).producer;
  const OpRule* rule = producer.valid() ? RuleOf(graph, producer) : nullptr;
  if (rule == nullptr || rule->known == nullptr || HasBodies(graph, producer)) return;
  if (ctx_.facts().refused.contains(producer)) return;
  ++names_.looks;
  ++depth_;
  for (const ValueId input : graph.inputs(producer)) {
    if (input.valid()) Show(input);
  }
  --depth_;
  for (const ValueId output : graph.outputs(producer)) {
    if (output.valid()) Save(output);
  }
  InferContext context(graph, producer, ctx_.facts(), ctx_.dims());
  rule->known(context);
}

void NamedContents::NameUnknown(ValueId value) {
  ValueFact& fact = ctx_.facts().values[value];
  const ElemType elem = fact.type.elem;
  const bool whole = IsInteger(elem) || elem == ElemType::kBool || MakesOf(ctx_.graph(), value) == Makes::kWhole;
  if (!whole) return;
  const size_t count = static_cast<size_t>(fact.type.shape.Elements(ctx_.dims()).value());
  std::vector<Scalar> named = fact.known == nullptr ? std::vector<Scalar>(count) : *fact.known;
  for (size_t i = 0; i < named.size(); ++i) {
    if (named[i].is_unknown()) named[i] = Scalar::Int(NameOf(value, i));
  }
  Save(value);
  fact.known = std::make_shared<const std::vector<Scalar>>(std::move(named));
}

Dim NamedContents::NameOf(ValueId value, size_t element) {
  const auto found = names_.elements.find({value, element});
  if (found != names_.elements.end()) return found->second;
  if (names_.elements.size() >= kMostNames) return Dim::Unknown();
  const NodeId producer = ctx_.graph().value(value).producer;
  const ElemType elem = ctx_.facts().values[value].type.elem;
  Symbol info{.min = IsUnsigned(elem) ? 0 : std::numeric_limits<int64_t>::min()};
  if (MakesOf(ctx_.graph(), value) == Makes::kPositions) {
    info.min = 0;
    info.max_expr = LastPosition(ctx_.at(producer));
  }
  if (elem == ElemType::kBool) info.max = 1;
  if (producer.valid()) info.cause = ctx_.graph().Label(producer);
  const Dim name = ctx_.dims().Fresh("at_run_time", std::move(info));
  names_.symbols.insert(ctx_.dims().AsSymbol(name));
  names_.elements.emplace(std::pair(value, element), name);
  return name;
}

void FillFromRunTime(InferContext& ctx, InputMask inputs) {
  bool is_open = false;
  for (int i = 0; inputs != 0 && i < ctx.num_inputs(); ++i) {
    is_open |= Covers(inputs, static_cast<size_t>(i)) && ctx.producer(i).has_value() &&
               IsSmall(ctx.in(i), ctx.dims()) && !IsComplete(ctx.known(i));
  }
  if (!is_open) return;
  std::vector<std::pair<ValueId, Known>> filled;
  {
    const NamedContents named(ctx, inputs);
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      if (!Covers(inputs, static_cast<size_t>(i)) || ctx.known(i) == nullptr) continue;
      std::vector<Scalar> settled = *ctx.known(i);
      for (Scalar& scalar : settled) {
        if (scalar.is_int() && named.IsIn(scalar.dim())) scalar = Scalar();
      }
      if (absl::c_all_of(settled, [](const Scalar& scalar) { return scalar.is_unknown(); })) continue;
      filled.emplace_back(ctx.input(i), std::make_shared<const std::vector<Scalar>>(std::move(settled)));
    }
  }
  for (auto& [value, known] : filled) ctx.facts().values[value].known = std::move(known);
}

bool StatesSize(const OpView& op, int output, int axis) {
  const Type* declared = op.has_output(output) ? op.graph().declared(op.output(output)) : nullptr;
  return declared != nullptr && declared->shape.ranked() && axis < declared->shape.rank() &&
         declared->shape.dim(axis).is_constant();
}

}  // namespace hwest

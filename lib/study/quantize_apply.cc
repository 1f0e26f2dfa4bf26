#include "study/quantize_apply.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/group_work.h"
#include "cost/model_view.h"
#include "cost/precision.h"
#include "hwest/diagnostic.h"
#include "ir/opsets.h"
#include "op/rule.h"
#include "rewrite/apply.h"
#include "rewrite/payload.h"
#include "study/quantize_plan.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr int64_t kOpsetOfAxis = 13;  // scales per channel
constexpr int64_t kOpsetOfHalf = 19;  // of binary16
constexpr double kFaster = 1e-9;      // of the latency: one spelling of the file against another
constexpr double kWorthRange = 1e-3;  // of the latency: what coarser steps of a joined value have to save
constexpr double kStepOfMadeUp = 1e-6;
constexpr int64_t kMostMadeUp = 65536;  // numbers: a reader of the file leaves more integers than these unread
constexpr double kMostSigned = 127, kMostUnsigned = 255;
constexpr size_t kMostNamed = 3;

// The axis of the weights that counts output channels; from the end where it is below zero.
struct ChannelAxis {
  absl::string_view op;
  int axis;
  absl::string_view turned_by;  // attribute that is not 0 where the weights are transposed
};
constexpr ChannelAxis kChannelAxes[] = {
    {"Conv", 0, ""}, {"ConvTranspose", 1, ""}, {"Gemm", 1, "transB"}, {"MatMul", -1, ""}};

// How the file spells it.
struct Form {
  bool is_unsigned = false;  // activations with a zero point
  bool has_int_bias = false;
  bool joins_alike = false;  // what a Concat takes and makes has one range, so that it moves nothing
};
constexpr Form kSpellings[] = {{},
                               {.has_int_bias = true},
                               {.is_unsigned = true},
                               {true, true},
                               {.joins_alike = true},
                               {.has_int_bias = true, .joins_alike = true},
                               {.is_unsigned = true, .joins_alike = true},
                               {true, true, true}};

std::string FormText(const Form& form) {
  return absl::StrCat(form.is_unsigned ? "uint8 with zero points" : "int8 without zero points",
                      form.has_int_bias ? ", biases in int32" : "",
                      form.joins_alike ? ", one range for what is joined" : "");
}

std::string NamesText(const std::vector<std::string>& names) {
  std::vector<std::string> shown(names.begin(),
                                 names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMostNamed)));
  for (std::string& name : shown) name = EscapeControl(name);
  const size_t more = names.size() - shown.size();
  return absl::StrCat(absl::StrJoin(shown, ", "), more > 0 ? absl::StrCat(" and ", more, " more") : "");
}

// Weights as integers.
struct IntWeights {
  StrId values, scales, zeros;
  std::vector<double> steps;  // by channel; one = of the whole tensor
  std::optional<int64_t> axis;
};

class Applier {
 public:
  // Without ranges the file has made up scales and no weights: it takes the time of the one with them.
  Applier(const Analysis& planned, const EditedModel& file, const TensorRanges* ranges, const Form& form)
      : planned_(planned),
        graph_(*planned.graph),
        view_{graph_, planned.facts, planned.classes, planned.work, *planned.dims},
        model_(file.Clone()),
        ranges_(ranges),
        form_(form) {}

  absl::StatusOr<EditedModel> Run();
  int64_t num_layers() const { return num_layers_; }
  // Whether its form can differ from the one whose ranges of joined values are their own.
  bool has_joined() const { return !joined_.empty(); }
  const std::vector<std::string>& left() const { return left_; }  // layers that have no form with Q/DQ

 private:
  struct Read {
    NodeId node;
    size_t input = 0;
  };
  const RawGraph& raw() const { return model_.raw().graph; }
  size_t PositionOf(NodeId node) const { return static_cast<size_t>(FileNodeOf(planned_, model_, node)); }
  bool Contracts(NodeId node) const {
    return planned_.work[node].has_value() && !planned_.work[node]->contractions.empty();
  }
  bool IsInFile(NodeId node) const { return FileNodeOf(planned_, model_, node) >= 0; }
  bool IsFloatValue(ValueId value) const {
    return value.valid() && HoldsNumbers(planned_.facts.values[value].type.elem) && !IsConstant(view_, value);
  }
  void FindKernels();
  bool HasForm(const PlannedGroup& group) const;
  const ChannelAxis* AxisOf(NodeId node) const;
  void FindReads();
  void FindJoined();
  uint32_t LeaderOf(uint32_t value) const;
  std::optional<TensorRange> RangeOf(ValueId value) const;
  std::optional<TensorRange> RangeOfJoined(ValueId value) const;
  absl::Status QuantizeValue(ValueId value, const std::vector<Read>& reads);
  absl::Status QuantizeWeights(NodeId node);
  absl::StatusOr<const IntWeights*> WeightsOf(NodeId node, ValueId value);
  absl::StatusOr<std::vector<double>> NumbersOf(ValueId value, std::vector<int64_t>* dims, StrId* initializer);
  void QuantizeBias(NodeId node, const IntWeights& weights);
  StrId AddScalar(absl::string_view stem, double number, ElemType elem);
  StrId AddConstant(absl::string_view stem, ElemType elem, std::vector<int64_t> dims, std::string data);
  // The result of a new node before the one at `position`.
  StrId Insert(size_t position, absl::string_view op, absl::string_view stem, std::vector<StrId> inputs,
               std::optional<int64_t> axis);

  const Analysis& planned_;
  const Graph& graph_;
  const ModelView view_;
  EditedModel model_;
  const TensorRanges* ranges_;
  const Form form_;
  int64_t num_layers_ = 0;
  std::vector<std::string> left_;
  std::set<uint32_t> kernels_;                   // groups that run in int8
  std::map<uint32_t, std::vector<Read>> reads_;  // of values that get Q/DQ, by value
  std::map<uint32_t, double> steps_;             // of activations, by value
  // Values of one range: by each of them one that came before it, or itself; and the scale and zero point of the first.
  std::map<uint32_t, uint32_t> joined_;
  std::map<uint32_t, std::pair<StrId, StrId>> scales_;
  std::map<std::pair<uint32_t, int64_t>, IntWeights> weights_;
  std::vector<std::string> missing_;  // tensors without a range
  std::vector<StrId> doubtful_;
};

const ChannelAxis* Applier::AxisOf(NodeId node) const {
  const auto row = absl::c_find_if(
      kChannelAxes, [&](const ChannelAxis& axis) { return graph_.domain(node).empty() && graph_.op(node) == axis.op; });
  return row == std::end(kChannelAxes) ? nullptr : &*row;
}

bool Applier::HasForm(const PlannedGroup& group) const {
  return absl::c_all_of(group.group.nodes,
                        [&](NodeId node) { return !Contracts(node) || (AxisOf(node) != nullptr && IsInFile(node)); });
}

void Applier::FindKernels() {
  const absl::Span<const PlannedGroup> groups = planned_.plan->groups;
  for (uint32_t g = 0; g < groups.size(); ++g) {
    const PlannedGroup& group = groups[g];
    const bool is_int = group.unit.valid() && group.work.precision.act == Num::kInt8;
    if (!is_int || FullWidthOf(view_, group.group) != Num::kUnset) continue;
    const auto count = absl::c_count_if(group.group.nodes, [&](NodeId node) { return Contracts(node); });
    if (!HasForm(group)) {
      for (const NodeId node : group.group.nodes) {
        if (Contracts(node)) left_.push_back(graph_.Label(node));
      }
      continue;
    }
    num_layers_ += count;
    kernels_.insert(g);
  }
}

// What kernels in int8 read from outside, and all reads of what they write.
void Applier::FindReads() {
  const auto group_of = [&](NodeId node) { return planned_.plan->group_of[node]; };
  const auto is_inside = [&](ValueId value, GroupId group) {
    const NodeId producer = graph_.value(value).producer;
    return producer.valid() && group.valid() && group_of(producer) == group;
  };
  for (const uint32_t g : kernels_) {
    const PlannedGroup& group = planned_.plan->groups[g];
    for (const NodeId node : group.group.nodes) {
      if (!IsInFile(node)) continue;
      for (size_t i = 0; i < graph_.inputs(node).size(); ++i) {
        const ValueId value = graph_.inputs(node)[i];
        if (!IsFloatValue(value) || !ReadsData(view_, node, i)) continue;
        // Of what a kernel holds inside, products alone have to read integers.
        const bool stays_float = is_inside(value, GroupId(g)) && !Contracts(node);
        if (stays_float) continue;
        reads_[value.index()].push_back({node, i});
      }
    }
  }
  for (const uint32_t g : kernels_) {
    for (const Access& write : planned_.plan->groups[g].writes) {
      if (!IsFloatValue(write.value)) continue;
      std::vector<Read> all;
      for (const Use& use : graph_.uses(write.value)) {
        const bool is_read = IsInFile(use.node) && ReadsData(view_, use.node, use.input);
        if (is_read && group_of(use.node) != GroupId(g)) all.push_back({use.node, use.input});
      }
      if (!all.empty()) reads_[write.value.index()] = std::move(all);
    }
  }
}

uint32_t Applier::LeaderOf(uint32_t value) const {
  for (auto row = joined_.find(value); row != joined_.end() && row->second != value; row = joined_.find(value)) {
    value = row->second;
  }
  return value;
}

void Applier::FindJoined() {
  for (const uint32_t g : kernels_) {
    for (const NodeId node : planned_.plan->groups[g].group.nodes) {
      const OpRule* rule = RuleOf(graph_, node);
      if (rule == nullptr || (rule->traits & trait::kJoins) == 0) continue;
      std::vector<uint32_t> values = {graph_.outputs(node)[0].index()};
      for (const ValueId input : graph_.inputs(node)) {
        if (input.valid()) values.push_back(input.index());
      }
      if (!absl::c_all_of(values, [&](uint32_t value) { return reads_.contains(value); })) continue;
      for (const uint32_t value : values) joined_.emplace(value, value);
      for (const uint32_t value : values) {
        const uint32_t a = LeaderOf(values[0]), b = LeaderOf(value);
        joined_[std::max(a, b)] = std::min(a, b);
      }
    }
  }
}

std::optional<TensorRange> Applier::RangeOfJoined(ValueId value) const {
  std::optional<TensorRange> all = RangeOf(value);
  const uint32_t leader = LeaderOf(value.index());
  for (const auto& [other, earlier] : joined_) {
    const std::optional<TensorRange> range = LeaderOf(other) == leader ? RangeOf(ValueId(other)) : std::nullopt;
    if (all.has_value() && range.has_value()) {
      all = TensorRange{std::min(all->low, range->low), std::max(all->high, range->high)};
    }
  }
  return all;
}

// What a view shows has the range of what it is a view of, so that nothing is scaled anew between them.
std::optional<TensorRange> Applier::RangeOf(ValueId value) const {
  std::optional<TensorRange> found;
  while (value.valid()) {
    const auto row = ranges_ != nullptr ? ranges_->find(graph_.name(value)) : TensorRanges::const_iterator();
    if (ranges_ != nullptr && row != ranges_->end()) found = row->second;
    const NodeId producer = graph_.value(value).producer;
    const bool is_view = producer.valid() && planned_.classes[producer] == NodeClass::kView;
    const ValueId shown = is_view && !graph_.inputs(producer).empty() ? graph_.inputs(producer)[0] : ValueId();
    // Made up: no two values that are not views of one have the same.
    if (!shown.valid() && ranges_ == nullptr) return TensorRange{-1, 1 + kStepOfMadeUp * value.index()};
    value = shown;
  }
  return found;
}

StrId Applier::AddConstant(absl::string_view stem, ElemType elem, std::vector<int64_t> dims, std::string data) {
  Constant constant{.name = model_.NewName(stem), .elem = elem, .dims = std::move(dims), .storage = Storage::kDecoded};
  constant.length = static_cast<int64_t>(data.size());
  constant.data = std::move(data);
  if (constant.data.empty() && constant.Elements() > 0) {  // made up, and left unread
    constant.storage = Storage::kInline;
    constant.length = constant.Elements() * ElemBits(elem) / 8;
  }
  const StrId name = constant.name;
  model_.AddInitializer(std::move(constant));
  return name;
}

StrId Applier::AddScalar(absl::string_view stem, double number, ElemType elem) {
  std::string data;
  if (HoldsNumbers(elem)) {
    AppendNumber(number, elem, &data);
  } else {
    AppendInt(std::llround(number), ElemBits(elem), &data);
  }
  return AddConstant(stem, elem, {}, std::move(data));
}

StrId Applier::Insert(size_t position, absl::string_view op, absl::string_view stem, std::vector<StrId> inputs,
                      std::optional<int64_t> axis) {
  RawNode node;
  node.domain = node.overload = model_.Intern("");
  node.op = model_.Intern(op);
  const StrId output = model_.NewName(stem);
  node.name = output;
  for (const StrId input : inputs) node.inputs.push_back(input);
  node.outputs.push_back(output);
  if (axis.has_value()) {
    RawAttribute attribute{.name = model_.Intern("axis"), .kind = AttrKind::kInt};
    attribute.i = *axis;
    node.attributes.push_back(std::move(attribute));
  }
  model_.InsertBefore(position, std::move(node), -1);
  return output;
}

absl::Status Applier::QuantizeValue(ValueId value, const std::vector<Read>& reads) {
  const std::string name(graph_.name(value));
  const std::optional<TensorRange> range = RangeOfJoined(value);
  if (!range.has_value()) {
    missing_.push_back(name);
    return absl::OkStatus();
  }
  const double low = std::min(0.0, range->low), high = std::max(0.0, range->high);
  const double wide = form_.is_unsigned ? (high - low) / kMostUnsigned : std::max(high, -low) / kMostSigned;
  const auto step = static_cast<double>(static_cast<float>(wide > 0 ? wide : 1));
  const double zero = form_.is_unsigned ? std::min(kMostUnsigned, std::nearbyint(-low / step)) : 0;
  steps_[value.index()] = step;
  const ElemType elem = planned_.facts.values[value].type.elem;
  const auto [row, is_new] = scales_.try_emplace(LeaderOf(value.index()));
  if (is_new) {
    row->second = {
        AddScalar(absl::StrCat(name, "_scale"), step, elem),
        AddScalar(absl::StrCat(name, "_zero"), zero, form_.is_unsigned ? ElemType::kUint8 : ElemType::kInt8)};
  }
  const auto [scale, zeros] = row->second;
  size_t first = SIZE_MAX;
  for (const Read& read : reads) first = std::min(first, PositionOf(read.node));
  const StrId made = model_.Intern(name);
  const StrId integers = Insert(first, "QuantizeLinear", absl::StrCat(name, "_q"), {made, scale, zeros}, std::nullopt);
  std::map<std::pair<bool, uint32_t>, StrId> results;  // one for each kernel that reads it
  for (const Read& read : reads) {
    const GroupId group = planned_.plan->group_of[read.node];
    StrId& result = results[{group.valid(), group.valid() ? group.index() : read.node.index()}];
    if (!result.valid()) {
      result = Insert(first, "DequantizeLinear", absl::StrCat(name, "_dq"), {integers, scale, zeros}, std::nullopt);
    }
    model_.SetInput(PositionOf(read.node), read.input, result);
  }
  return absl::OkStatus();
}

// The numbers of a constant of the file, seen through Identity and Transpose, with the sizes that its reader sees;
// without ranges as many others, or none where a reader of the file would leave them unread.
absl::StatusOr<std::vector<double>> Applier::NumbersOf(ValueId value, std::vector<int64_t>* dims, StrId* initializer) {
  const auto refuse = [&](absl::string_view why) {
    return MakeError(
        Code::kUsage,
        absl::StrCat("the weights ", EscapeControl(graph_.name(value)), " ", why, ": their scales cannot be known"),
        "put the weights where the file says, or fold constants first: onnx-hwest rewrite --fold");
  };
  std::vector<std::vector<int64_t>> orders;  // from the reader on
  ValueId at = value;
  StrId name = model_.raw().strings.Find(graph_.name(at));
  while (model_.InitializerOf(name) < 0) {
    const NodeId producer = graph_.value(at).producer;
    if (!producer.valid() || graph_.inputs(producer).empty()) return refuse("are no constant of the file");
    const OpRule* rule = RuleOf(graph_, producer);
    const Attribute* order = graph_.FindAttribute(producer, "perm");
    const bool is_identity = rule != nullptr && (rule->traits & trait::kIdentity) != 0;
    if (!is_identity && order == nullptr) return refuse("are computed");
    if (!is_identity) orders.push_back(order->ints);
    at = graph_.inputs(producer)[0];
    if (!at.valid()) return refuse("are no constant of the file");
    name = model_.raw().strings.Find(graph_.name(at));
  }
  *initializer = name;
  const auto index = static_cast<size_t>(model_.InitializerOf(name));
  const Constant& constant = raw().initializers[index];
  if (!HoldsNumbers(constant.elem) || constant.sparse) return refuse("are no dense floating point numbers");
  const int64_t count = constant.Elements(), width = ElemBits(constant.elem) / 8;
  std::vector<double> numbers;
  if (ranges_ == nullptr) {
    const bool is_read = count >= 0 && count <= kMostMadeUp;
    for (int64_t i = 0; is_read && i < count; ++i) numbers.push_back(1 + static_cast<double>(i % 7));
  } else if (constant.storage == Storage::kDecoded) {
    for (size_t b = 0; b + static_cast<size_t>(width) <= constant.data.size(); b += static_cast<size_t>(width)) {
      numbers.push_back(NumberAt(constant.data.data() + b, constant.elem));
    }
  } else {
    const InitializerOrigin& origin = model_.initializer_origins()[index];
    const std::optional<Payload> payload =
        origin.file < 0 ? std::nullopt
                        : FindPayload(model_.file(), static_cast<size_t>(origin.file), constant.elem, count * width);
    if (!payload.has_value()) return refuse("are not in the file");
    HWEST_ASSIGN_OR_RETURN(numbers, ReadNumbers(model_.file(), *payload, constant.elem));
  }
  if (ranges_ != nullptr && static_cast<int64_t>(numbers.size()) != count) return refuse("are not whole in the file");
  *dims = constant.dims;
  for (auto order = orders.rbegin(); order != orders.rend(); ++order) {
    const size_t rank = dims->size();
    if (order->size() != rank) return refuse("are transposed in an unknown way");
    std::vector<int64_t> turned(rank), strides(rank, 1), at_source(rank);
    for (size_t axis = rank; axis-- > 1;) strides[axis - 1] = strides[axis] * (*dims)[axis];
    for (size_t axis = 0; axis < rank; ++axis) turned[axis] = (*dims)[static_cast<size_t>((*order)[axis])];
    std::vector<double> moved;
    moved.reserve(numbers.size());
    std::vector<int64_t> place(rank, 0);
    for (size_t i = 0; i < numbers.size(); ++i) {
      int64_t from = 0;
      for (size_t axis = 0; axis < rank; ++axis) from += place[axis] * strides[static_cast<size_t>((*order)[axis])];
      moved.push_back(numbers[static_cast<size_t>(from)]);
      for (size_t axis = rank; axis > 0; --axis) {
        if (++place[axis - 1] != turned[axis - 1]) break;
        place[axis - 1] = 0;
      }
    }
    numbers = std::move(moved);
    *dims = std::move(turned);
  }
  return numbers;
}

absl::StatusOr<const IntWeights*> Applier::WeightsOf(NodeId node, ValueId value) {
  const ChannelAxis& row = *AxisOf(node);
  const Attribute* turned = row.turned_by.empty() ? nullptr : graph_.FindAttribute(node, row.turned_by);
  const int64_t stated = turned != nullptr && turned->i != 0 ? 1 - row.axis : row.axis;
  const auto [at, is_new] = weights_.try_emplace({value.index(), stated});
  IntWeights& made = at->second;
  if (!is_new) return &made;
  std::vector<int64_t> dims;
  StrId initializer;
  HWEST_ASSIGN_OR_RETURN(const std::vector<double> numbers, NumbersOf(value, &dims, &initializer));
  const auto rank = static_cast<int64_t>(dims.size());
  const int64_t axis = stated < 0 ? stated + rank : stated;
  const bool is_matrix = rank >= 2 && axis >= 0 && axis < rank && (stated >= 0 || rank == 2);
  size_t channels = 1, inner = 1;
  if (is_matrix) {
    made.axis = axis;
    channels = static_cast<size_t>(dims[static_cast<size_t>(axis)]);
    for (auto i = static_cast<size_t>(axis) + 1; i < dims.size(); ++i) inner *= static_cast<size_t>(dims[i]);
  }
  if (ranges_ == nullptr && static_cast<int64_t>(channels) > kMostMadeUp) {
    return MakeError(Code::kUsage, "too many channels to make up scales for", "");
  }
  std::vector<double> most(channels, 0);
  const auto channel_of = [&](size_t element) { return element / inner % channels; };
  for (size_t i = 0; i < numbers.size(); ++i) {
    double& largest = most[channel_of(i)];
    largest = std::max(largest, std::abs(numbers[i]));
  }
  const ElemType elem = planned_.facts.values[value].type.elem;
  std::string scales, integers;
  for (const double largest : most) {
    made.steps.push_back(static_cast<double>(static_cast<float>(largest > 0 ? largest / kMostSigned : 1)));
    AppendNumber(made.steps.back(), elem, &scales);
  }
  integers.reserve(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double steps = std::nearbyint(numbers[i] / made.steps[channel_of(i)]);
    integers.push_back(static_cast<char>(static_cast<int8_t>(std::clamp(steps, -kMostSigned, kMostSigned))));
  }
  const std::string name(graph_.name(value));
  const std::vector<int64_t> of_channels =
      is_matrix ? std::vector<int64_t>{static_cast<int64_t>(channels)} : std::vector<int64_t>{};
  made.values = AddConstant(absl::StrCat(name, "_int8"), ElemType::kInt8, dims, std::move(integers));
  made.scales = AddConstant(absl::StrCat(name, "_scale"), elem, of_channels, std::move(scales));
  made.zeros = AddConstant(absl::StrCat(name, "_zero"), ElemType::kInt8, of_channels, std::string(channels, '\0'));
  doubtful_.push_back(model_.Intern(name));
  doubtful_.push_back(initializer);
  return &made;
}

// A bias in the steps of the products that it is added to.
void Applier::QuantizeBias(NodeId node, const IntWeights& weights) {
  constexpr size_t kBias = 2;
  if (!form_.has_int_bias || graph_.inputs(node).size() <= kBias) return;
  const ValueId value = graph_.inputs(node)[kBias];
  const auto step = steps_.find(graph_.inputs(node)[0].index());
  if (!value.valid() || !IsConstant(view_, value) || step == steps_.end()) return;
  std::vector<int64_t> dims;
  StrId initializer;
  const absl::StatusOr<std::vector<double>> numbers = NumbersOf(value, &dims, &initializer);
  if (!numbers.ok() || dims.size() != 1 || numbers->empty()) return;
  const ElemType elem = planned_.facts.values[value].type.elem;
  std::string integers, scales;
  for (size_t i = 0; i < numbers->size(); ++i) {
    const double unit = step->second * weights.steps[weights.steps.size() == numbers->size() ? i : 0];
    const double bias_step = static_cast<double>(static_cast<float>(unit));
    constexpr double kMost = INT32_MAX;
    AppendInt(std::llround(std::clamp((*numbers)[i] / bias_step, -kMost, kMost)), 32, &integers);
    AppendNumber(bias_step, elem, &scales);
  }
  const std::string name(graph_.name(value));
  const StrId held = AddConstant(absl::StrCat(name, "_int32"), ElemType::kInt32, dims, std::move(integers));
  const StrId steps = AddConstant(absl::StrCat(name, "_scale"), elem, dims, std::move(scales));
  model_.SetInput(PositionOf(node), kBias,
                  Insert(PositionOf(node), "DequantizeLinear", absl::StrCat(name, "_dq"), {held, steps}, 0));
  doubtful_.push_back(model_.Intern(name));
  doubtful_.push_back(initializer);
}

absl::Status Applier::QuantizeWeights(NodeId node) {
  for (size_t i = 0; i < graph_.inputs(node).size() && i < 2; ++i) {
    const ValueId value = graph_.inputs(node)[i];
    if (!value.valid() || !IsConstant(view_, value) || !HoldsNumbers(planned_.facts.values[value].type.elem)) continue;
    HWEST_ASSIGN_OR_RETURN(const IntWeights* weights, WeightsOf(node, value));
    const StrId result = Insert(PositionOf(node), "DequantizeLinear", absl::StrCat(graph_.name(value), "_dq"),
                                {weights->values, weights->scales, weights->zeros}, weights->axis);
    model_.SetInput(PositionOf(node), i, result);
    if (i == 1) QuantizeBias(node, *weights);
  }
  return absl::OkStatus();
}

absl::StatusOr<EditedModel> Applier::Run() {
  FindKernels();
  FindReads();
  if (form_.joins_alike) FindJoined();
  for (const auto& [value, reads] : reads_) HWEST_RETURN_IF_ERROR(QuantizeValue(ValueId(value), reads));
  if (!missing_.empty()) {
    return MakeError(Code::kUsage, absl::StrCat("the ranges lack ", NamesText(missing_)),
                     "calibrate all tensors that operators read and write (op_types_to_calibrate of ONNX Runtime's "
                     "calibrators left out)",
                     {"--ranges"});
  }
  for (const uint32_t g : kernels_) {
    for (const NodeId node : planned_.plan->groups[g].group.nodes) {
      if (Contracts(node)) HWEST_RETURN_IF_ERROR(QuantizeWeights(node));
    }
  }
  model_.Settle(doubtful_);
  return std::move(model_);
}

int64_t OpsetOf(const EditedModel& file) {
  for (const OpsetImport& opset : file.raw().opsets) {
    if (CanonicalDomain(file.text(opset.domain)).empty()) return opset.version;
  }
  return 1;
}

absl::Status CheckPlan(const QuantizePlan& plan, const EditedModel& file) {
  if (plan.is_quantised) {
    return MakeError(Code::kUsage, "the file has Q/DQ already", "give the floating point file that it was made of");
  }
  if (!plan.chosen.has_value()) {
    return MakeError(Code::kUsage, "there is no plan to apply: nothing says which layers may be int8",
                     "add --sensitivity FILE and --budget LOSS, or --formats int8 for all layers",
                     {"--sensitivity", "--budget", "--formats"});
  }
  bool has_int8 = false;
  for (const std::string& format : plan.frontier[*plan.chosen].formats) {
    has_int8 = has_int8 || format == "int8";
    if (format == "int8" || format == "fp32" || format == "tf32" || format == "fp16" || format == "bf16") continue;
    return MakeError(Code::kUsage, absl::StrCat("Q/DQ are not written for a layer at ", format),
                     "choose among --formats fp32,fp16,int8", {"--formats"});
  }
  if (!has_int8)
    return MakeError(Code::kUsage, "no layer of the plan is int8", "allow a larger --budget", {"--budget"});
  const bool is_half = absl::c_any_of(file.raw().graph.initializers, [](const Constant& constant) {
    return constant.elem == ElemType::kFloat16 || constant.elem == ElemType::kBfloat16;
  });
  const int64_t needed = is_half ? kOpsetOfHalf : kOpsetOfAxis;
  if (OpsetOf(file) >= needed) return absl::OkStatus();
  return MakeError(Code::kUsage,
                   absl::StrCat("the file is of operator set ", OpsetOf(file), ", and Q/DQ ",
                                is_half ? "of half precision" : "per channel", " come with ", needed),
                   absl::StrCat("export it with opset ", needed, ", or convert it by onnx.version_converter"));
}

bool IsQdq(const Graph& graph, NodeId node) {
  const OpRule* rule = RuleOf(graph, node);
  return rule != nullptr && (rule->traits & (trait::kQuantizes | trait::kDequantizes)) != 0;
}

// What Q/DQ take that are kernels of their own, as at inputs of the model and at views.
double QdqSeconds(const Analysis& analysis) {
  double seconds = 0;
  for (const PlannedGroup& group : analysis.plan->groups) {
    const bool is_qdq = absl::c_all_of(group.group.nodes, [&](NodeId node) { return IsQdq(*analysis.graph, node); });
    if (is_qdq && group.estimate.has_value()) seconds += group.estimate->time_s;
  }
  return seconds;
}

// The formats of layers know no scales, and take inputs of the model for what the first layer reads.
std::string PromiseText(const QuantizePlan& plan, const Analysis& planned, const Analysis& written) {
  const double found_s = written.plan->latency_s, qdq_s = QdqSeconds(written);
  const bool is_kept =
      plan.applied_s.has_value() && std::abs(found_s - *plan.applied_s) <= kFaster * std::abs(*plan.applied_s);
  return absl::StrCat(
      "the file takes ", FormatSeconds(found_s),
      qdq_s > 0 ? absl::StrCat(", ", FormatSeconds(qdq_s), " of it in Q/DQ that are kernels of their own") : "",
      is_kept                      ? ", as the plan said"
      : plan.applied_s.has_value() ? absl::StrCat("; the plan said ", FormatSeconds(*plan.applied_s))
                                   : "",
      "; the same formats without Q/DQ take ", FormatSeconds(planned.plan->latency_s));
}

// A compiler that quantises by itself takes no Q/DQ.
absl::Status CheckTaken(const Analysis& written) {
  const UnitId main = MainUnitOf(*written.target);
  if (!main.valid()) return absl::OkStatus();
  for (uint32_t n = 0; n < written.graph->nodes().size(); ++n) {
    const NodeId node(n);
    const bool is_work = IsQdq(*written.graph, node) && IsKernel(written.classes[node]);
    if (is_work && written.support[main][node].verdict != Verdict::kNo) return absl::OkStatus();
  }
  return MakeError(Code::kUsage,
                   absl::StrCat("the compiler of ", written.target->units[main].name,
                                " takes no Q/DQ: it quantises by "
                                "itself"),
                   "give it the plan in its own form, see --export", {"--export"});
}

}  // namespace

namespace {

absl::StatusOr<Rewritten> Apply(const QuantizePlan& plan, const EditedModel& file, const TensorRanges* ranges) {
  HWEST_RETURN_IF_ERROR(CheckPlan(plan, file));
  AnalysisRequest as_planned = plan.base->request;
  as_planned.precision_of = PrecisionOfText(plan, plan.frontier[*plan.chosen].formats);
  HWEST_ASSIGN_OR_RETURN(const Analysis planned, Analyze(plan.base->graph, as_planned));
  AnalysisRequest as_written = plan.file->request;
  as_written.precision = "auto";
  as_written.precision_of.clear();
  Rewritten best{.before = plan.file};
  absl::Status refused;
  for (const Form& form : kSpellings) {
    Applier applier(planned, file, ranges, form);
    HWEST_ASSIGN_OR_RETURN(EditedModel made, applier.Run());
    if (form.joins_alike && !applier.has_joined()) continue;
    HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, made.GraphOf());
    HWEST_ASSIGN_OR_RETURN(Analysis after, Analyze(std::move(graph), as_written));
    const absl::Status taken = CheckTaken(after);
    if (!taken.ok()) {
      refused = taken;
      continue;
    }
    const double least = form.joins_alike ? kWorthRange : kFaster;
    const bool is_better = best.after == nullptr || after.plan->latency_s < best.after->plan->latency_s * (1 - least);
    if (!is_better) continue;
    const double saved_s = plan.file->plan->latency_s - after.plan->latency_s;
    best.model = std::make_shared<const EditedModel>(std::move(made));
    best.after = std::make_shared<const Analysis>(std::move(after));
    best.rules = {{.name = "quantize",
                   .exactness = Exactness::kApproximate,
                   .places = applier.num_layers(),
                   .saved_s = saved_s,
                   .words = absl::StrCat("layers in int8: activations ", FormText(form), ", weights per channel"),
                   .reason = "the plan; scales of activations by the ranges, of weights by their largest values"}};
    best.notes.clear();
    if (!applier.left().empty()) {
      best.notes.push_back(
          {.code = Code::kAssumed,
           .message = absl::StrCat("Q/DQ have no form for ", NamesText(applier.left()), ": left in floating point"),
           .remedy = ""});
    }
  }
  if (best.after == nullptr) return refused;
  best.notes.push_back({.code = Code::kAssumed, .message = PromiseText(plan, planned, *best.after), .remedy = ""});
  return best;
}

}  // namespace

absl::StatusOr<Rewritten> ApplyPlan(const QuantizePlan& plan, const EditedModel& file, const TensorRanges& ranges) {
  return Apply(plan, file, &ranges);
}

std::optional<double> LatencyApplied(const QuantizePlan& plan, const EditedModel& file) {
  const absl::StatusOr<Rewritten> applied = Apply(plan, file, nullptr);
  return applied.ok() ? std::optional(applied->after->plan->latency_s) : std::nullopt;
}

}  // namespace hwest

#include "cost/group_work.h"

#include <algorithm>
#include <vector>

#include "absl/algorithm/container.h"
#include "base/checked_math.h"
#include "base/first_seen.h"
#include "cost/layout_work.h"
#include "cost/operands.h"
#include "cost/precision.h"
#include "op/rule.h"
#include "pass/work.h"

namespace hwest {
namespace {

// Families of target/patterns_layout.cc.
constexpr absl::string_view kInPlace = "concat_in_place";
// That of target/patterns_gemm.cc whose products lie side by side.
constexpr absl::string_view kHorizontal = "horizontal";

// One value read from outside: the root of its bytes and the most elements any member reads of it.
struct Read {
  ValueId value;
  int64_t elements = 0;
  bool sparse = false;  // for all readers
};

// Kernels unroll windows up to 8 x 8; wider ones that slide run tap by tap.
constexpr int64_t kUnrolledTaps = 64;
constexpr int64_t kImageChannels = 4;  // more are no picture, and fill lanes
constexpr int64_t kSparseBlock = 4;    // weights along the input channels, two of which are kept

bool TakesSparse(ContractionKind kind, int64_t k, int64_t kernel_elements) {
  if (kind != ContractionKind::kConv && kind != ContractionKind::kConvTranspose && kind != ContractionKind::kMatMul) {
    return false;
  }
  return kernel_elements > 0 && k % (kSparseBlock * kernel_elements) == 0;
}

class Counter {
 public:
  Counter(const ModelView& model, const Group& group, Precision precision) : model_(model), group_(group) {
    work_.precision = precision;
  }

  GroupWork Run() {
    for (const NodeId node : group_.nodes) CountNode(node);
    if (IsWrittenOutNorm()) CountScaled(group_.root);
    if (IsArithmetic()) {
      for (const NodeId node : group_.nodes) {
        CountConstants(node);
        CountNarrow(node);
      }
    }
    if (IsInPlace(group_)) return MovedNothing();
    if (group_.pattern == kHorizontal) JoinProducts();
    CountReads();
    CountWrites();
    CountInner();
    work_.num_kernels = work_.num_nodes > 0 ? 1 : 0;
    return std::move(work_);
  }

  int64_t MovedBytes() {
    for (const NodeId node : group_.nodes) CollectReads(node);
    CountReads();
    CountWrites();
    return work_.in_bytes + work_.weight_bytes + work_.out_bytes;
  }

 private:
  void CountNode(NodeId node);
  void CountWindow(NodeId node, const Work& work);
  void CountSearch(NodeId node, const Work& work);
  void CountPooling(NodeId node, const Work& work);
  void CountScaled(NodeId node);
  void CountConstants(NodeId node);
  void CountNarrow(NodeId node);
  // Element by element throughout; other kernels take a factor of their operand into their own.
  bool IsWrittenOutNorm() const;
  bool IsArithmetic() const;
  // Products of two activations, before or behind other arithmetic: scores of attention, whose second axis is no
  // channels.
  bool IsOfScores(NodeId node) const;
  bool IsForScores(NodeId node, int hops = 4) const;
  // Elements of the largest constant that `node` reads as data; 0 = none.
  int64_t ConstantElements(NodeId node) const;
  // Its producers wrote the parts where they are.
  GroupWork MovedNothing() {
    work_.moved_elements = 0;
    work_.copied_elements = 0;
    work_.moved_rows.clear();
    work_.num_kernels = 0;
    return std::move(work_);
  }
  // Columns of products of the same rows are columns of one product.
  void JoinProducts();
  bool IsFoldedNorm(NodeId node) const;
  // Q/DQ of an integer kernel: the scale with which it writes its results, as every integer kernel does.
  bool IsRescale(NodeId node) const;
  void CountFoldedNorm(NodeId node, const Work& work);
  void CountArithmetic(NodeId node, const Work& work, bool sparse);
  // Rows of the image that `node` writes, which has `positions`; 0 = it writes none.
  int64_t HeightOf(NodeId node, int64_t positions) const;
  // The same where a signal of one axis is an image of one row.
  int64_t RowsOf(NodeId node, int64_t positions) const;
  void CountContraction(NodeId node, size_t index, bool integer, bool sparse);
  void CollectReads(NodeId node);
  void CollectRead(NodeId node, size_t input);
  void CountReads();
  void CountWrites();
  void CountInner();
  void AddBytes(int64_t& total, ValueId value, std::optional<int64_t> elements, bool sparse = false);
  // Adds `dim` to `total`; a count that cannot be evaluated is noted instead.
  void AddCount(int64_t& total, Dim dim);
  bool IsMember(NodeId node) const { return std::binary_search(group_.nodes.begin(), group_.nodes.end(), node); }
  bool IsInner(ValueId value) const {
    const NodeId producer = model_.graph.value(value).producer;
    return producer.valid() && IsMember(producer);
  }

  const ModelView& model_;
  const Group& group_;
  GroupWork work_;
  FirstSeen<ValueId> roots_;    // of what is read
  std::vector<Read> reads_;     // by position in roots_
  FirstSeen<ValueId> written_;  // roots of the group's outputs
};

void Counter::AddCount(int64_t& total, Dim dim) {
  const std::optional<int64_t> count = Evaluate(dim, model_.dims);
  const std::optional<int64_t> sum = count.has_value() ? CheckedAdd(total, *count) : std::nullopt;
  if (sum.has_value()) {
    total = *sum;
  } else {
    work_.counts_known = false;
  }
}

void Counter::AddBytes(int64_t& total, ValueId value, std::optional<int64_t> elements, bool sparse) {
  const int dense_bits = DeployedBits(model_, value, work_.precision);
  const int bits = sparse ? SparseBits(dense_bits) : dense_bits;
  const std::optional<int64_t> bytes = elements.has_value() ? PackedBytes(*elements, bits) : std::nullopt;
  const std::optional<int64_t> sum = bytes.has_value() ? CheckedAdd(total, *bytes) : std::nullopt;
  if (sum.has_value()) {
    total = *sum;
  } else {
    work_.bytes_known = false;
  }
}

void Counter::CountNode(NodeId node) {
  const NodeClass node_class = model_.classes[node];
  if (IsFolded(node_class)) return;
  if (IsFoldedNorm(node)) {
    ++work_.num_nodes;
    return CountFoldedNorm(node, *model_.work[node]);
  }
  if (node_class != NodeClass::kControl) CollectReads(node);
  if (!IsKernel(node_class)) return;
  ++work_.num_nodes;
  if (node_class == NodeClass::kControl) return;
  const std::optional<Work>& work = model_.work[node];
  if (node_class == NodeClass::kOpaque) work_.has_opaque = true;
  if (!work.has_value()) {
    work_.counts_known = false;
    return;
  }
  CountArithmetic(node, *work, SparseWeightOf(model_, node, work_.precision).has_value());
  CountWindow(node, *work);
  CountSearch(node, *work);
  CountPooling(node, *work);
  if (HasTrait(model_, node, trait::kTakesStatistics)) CountScaled(node);
  AddCount(work_.visits, work->visits);
  AddCount(work_.weight_bytes, work->table_bytes);
  if (node_class == NodeClass::kLayout) CountMoves(model_, group_, node, work_);
  // What data point at comes one element at a time.
  if (HasTrait(model_, node, trait::kSamples)) AddCount(work_.moved_elements, work->op(OpKind::kMul));
}

// Wide windows. In floating point, averages that count the padding are convolutions with equal weights. Of integers,
// windows that lie beside each other are sums of blocks: each element is read once.
void Counter::CountWindow(NodeId node, const Work& work) {
  if (Evaluate(work.window_taps, model_.dims).value_or(0) <= kUnrolledTaps) return;
  if (IsFloating(work_.precision.act)) {
    const Attribute* counts_pads = model_.graph.FindAttribute(node, "count_include_pad");
    if (counts_pads == nullptr || counts_pads->i == 0) AddCount(work_.wide_window_ops, work.window_ops);
    return;
  }
  const int64_t reads = Evaluate(work.window_ops, model_.dims).value_or(0);
  const bool overlaps = reads > ElementsOf(model_, model_.graph.inputs(node)[0]).value_or(0);
  if (overlaps) AddCount(work_.wide_window_ops, work.window_ops);
}

// Comparisons of all elements of an axis with each other: less comes out than goes in, and no window slides.
void Counter::CountSearch(NodeId node, const Work& work) {
  const Dim compares = work.op(OpKind::kCompare);
  const bool slides = model_.graph.FindAttribute(node, "kernel_shape") != nullptr;
  if (compares.IsConstant(0) || slides || HasTrait(model_, node, trait::kElementwise)) return;
  const int64_t in = ElementsOf(model_, model_.graph.inputs(node)[0]).value_or(0);
  const int64_t out = ElementsOf(model_, model_.graph.outputs(node)[0]).value_or(in);
  if (out < in) AddCount(work_.search_ops, compares);
}

void Counter::CountPooling(NodeId node, const Work& work) {
  if (!work.contractions.empty() || model_.graph.FindAttribute(node, "kernel_shape") == nullptr) return;
  AddCount(work_.pooled_elements, Dim(ElementsOf(model_, model_.graph.inputs(node)[0]).value_or(0)));
  for (const Dim ops : work.ops) AddCount(work_.pooled_ops, ops);
}

// Normalisations and softmax go over an axis twice, and the lanes of a vector have to meet for its sum.
void Counter::CountScaled(NodeId node) {
  const std::optional<int64_t> elements = ElementsOf(model_, model_.graph.outputs(node)[0]);
  if (elements.has_value()) work_.scaled_elements += *elements;
}

// One kernel, as the operator that the file could hold in its place.
bool Counter::IsWrittenOutNorm() const {
  constexpr absl::string_view kNorms[] = {"layer_norm", "rms_norm",      "skip_layer_norm",
                                          "group_norm", "instance_norm", "l2_norm"};
  return work_.scaled_elements == 0 && absl::c_linear_search(kNorms, group_.pattern);
}

bool Counter::IsArithmetic() const {
  return absl::c_all_of(group_.nodes, [&](NodeId node) {
    return !IsKernel(model_.classes[node]) || HasTrait(model_, node, trait::kElementwise | trait::kFoldsIntoWeights);
  });
}

bool Counter::IsOfScores(NodeId node) const {
  constexpr int kMaxHops = 8;
  for (int hop = 0; hop < kMaxHops && node.valid(); ++hop) {
    const std::optional<Work>& work = model_.work[node];
    if (work.has_value() && !work->contractions.empty()) {
      return work->contractions[0].kind == ContractionKind::kActivation;
    }
    if (hop > 0 && !HasTrait(model_, node, trait::kElementwise)) return false;
    const absl::Span<const ValueId> inputs = model_.graph.inputs(node);
    const auto data =
        absl::c_find_if(inputs, [&](ValueId input) { return input.valid() && !IsConstant(model_, input); });
    if (data == inputs.end()) return false;
    node = model_.graph.value(RootOf(model_, *data)).producer;
  }
  return false;
}

// Whether products of activations read what `node` makes, through views and transposes: a table with an axis of heads.
bool Counter::IsForScores(NodeId node, int hops) const {
  if (hops == 0) return false;
  for (const ValueId output : model_.graph.outputs(node)) {
    if (!output.valid()) continue;
    for (const Use& use : model_.graph.uses(output)) {
      const std::optional<Work>& work = model_.work[use.node];
      if (work.has_value() && !work->contractions.empty()) {
        if (work->contractions[0].kind == ContractionKind::kActivation) return true;
        continue;
      }
      const NodeClass node_class = model_.classes[use.node];
      const bool passes_on = node_class == NodeClass::kView || node_class == NodeClass::kLayout;
      if (passes_on && IsForScores(use.node, hops - 1)) return true;
    }
  }
  return false;
}

int64_t Counter::ConstantElements(NodeId node) const {
  int64_t most = 0;
  for (size_t i = 0; i < model_.graph.inputs(node).size(); ++i) {
    const ValueId value = model_.graph.inputs(node)[i];
    if (ReadsData(model_, node, i) && IsConstant(model_, value)) {
      most = std::max(most, ElementsOf(model_, value).value_or(0));
    }
  }
  return most;
}

// Arithmetic with constants that no contraction takes in. Numbers of 8 bits take one number for all channels into their
// scale; what compares is an activation, which units have kernels for.
void Counter::CountConstants(NodeId node) {
  const std::optional<Work>& work = model_.work[node];
  if (!HasTrait(model_, node, trait::kElementwise | trait::kFoldsIntoWeights) || !work.has_value()) return;
  const Shape& shape = model_.facts.values[model_.graph.outputs(node)[0]].type.shape;
  if (!shape.ranked() || shape.rank() < 4 || !work->op(OpKind::kCompare).IsConstant(0)) return;
  const int64_t constants = ConstantElements(node);
  const int64_t channels = Evaluate(shape.dim(1), model_.dims).value_or(0);
  if (constants == 0 || channels <= 0) return;
  const int64_t elements = ElementsOf(model_, model_.graph.outputs(node)[0]).value_or(0);
  const bool of_channels = constants > 1 && constants == channels;
  if (channels > kImageChannels) {
    work_.channel_elements += of_channels ? elements : 0;
  } else if ((of_channels || NumBits(work_.precision.act) > 8) && !IsOfScores(node) && !IsForScores(node)) {
    // Lanes of half precision take the channels of a position beside each other, in blocks that they do not fill.
    work_.image_elements += IsFloating(work_.precision.act) ? elements / channels : elements;
  }
}

// Boxes and points: the few numbers of each lie in a vector of their own, as the channels of an image do.
void Counter::CountNarrow(NodeId node) {
  if (!HasTrait(model_, node, trait::kElementwise) || NumBits(work_.precision.act) <= 8) return;
  const Shape& shape = model_.facts.values[model_.graph.outputs(node)[0]].type.shape;
  if (!shape.ranked() || shape.rank() < 2 || shape.rank() > 3) return;
  const int64_t elements = ElementsOf(model_, model_.graph.outputs(node)[0]).value_or(0);
  const int64_t row = Evaluate(shape.dim(shape.rank() - 1), model_.dims).value_or(0);
  if (row <= 0 || row > kImageChannels) return;
  work_.image_elements += IsFloating(work_.precision.act) ? elements / row : elements;
}

// A normalization right behind a contraction of the same group: its scale goes into the weights before run time.
bool Counter::IsFoldedNorm(NodeId node) const {
  if (!HasTrait(model_, node, trait::kFoldsIntoWeights) || !model_.work[node].has_value()) return false;
  const NodeId before = model_.graph.value(RootOf(model_, model_.graph.inputs(node)[0])).producer;
  return before.valid() && IsMember(before) && model_.work[before].has_value() &&
         !model_.work[before]->contractions.empty();
}

// What is left of it is the bias of a contraction that had none.
void Counter::CountFoldedNorm(NodeId node, const Work& work) {
  AddCount(work_.flops, FlopsOf(work, model_.dims));
  const NodeId before = model_.graph.value(RootOf(model_, model_.graph.inputs(node)[0])).producer;
  const absl::Span<const ValueId> operands = model_.graph.inputs(before);
  if (operands.size() > 2 && operands[2].valid()) return;
  constexpr size_t kBias = 2;
  CollectRead(node, kBias);
  AddCount(work_.ops[static_cast<size_t>(OpKind::kAdd)], ElementsOf(model_, model_.graph.outputs(node)[0]).value_or(0));
}

bool Counter::IsRescale(NodeId node) const {
  constexpr Traits kQdq = trait::kQuantizes | trait::kDequantizes;
  return HasTrait(model_, node, kQdq) && !IsFloating(work_.precision.act) &&
         absl::c_any_of(group_.nodes, [&](NodeId member) {
           return IsKernel(model_.classes[member]) && !HasTrait(model_, member, kQdq);
         });
}

void Counter::CountArithmetic(NodeId node, const Work& work, bool sparse) {
  AddCount(work_.macs, work.macs);
  AddCount(work_.int_macs, work.int_macs);
  AddCount(work_.flops, FlopsOf(work, model_.dims));
  if (IsRescale(node)) return;
  for (size_t kind = 0; kind < work.ops.size(); ++kind) AddCount(work_.ops[kind], work.ops[kind]);
  const bool integer = work.int_macs == work.macs;
  for (size_t i = 0; i < work.contractions.size(); ++i) CountContraction(node, i, integer, sparse);
}

int64_t Counter::HeightOf(NodeId node, int64_t positions) const {
  const ValueId image = model_.graph.outputs(node)[0];
  if (!image.valid()) return 0;
  const Shape& shape = model_.facts.values[image].type.shape;
  if (!shape.ranked() || shape.rank() != 4) return 0;
  const int64_t height = Evaluate(shape.dim(2), model_.dims).value_or(0);
  const int64_t width = Evaluate(shape.dim(3), model_.dims).value_or(0);
  return height > 0 && width > 0 && positions / height == width && positions % height == 0 ? height : 0;
}

int64_t Counter::RowsOf(NodeId node, int64_t positions) const {
  constexpr int kSignalRank = 3;
  const ValueId out = model_.graph.outputs(node)[0];
  const bool is_signal = out.valid() && model_.facts.values[out].type.shape.ranked() &&
                         model_.facts.values[out].type.shape.rank() == kSignalRank;
  return is_signal ? 1 : HeightOf(node, positions);
}

void Counter::CountContraction(NodeId node, size_t index, bool integer, bool sparse) {
  const Contraction& contraction = model_.work[node]->contractions[index];
  ContractionSize size{.kind = contraction.kind, .batch = 0, .kernel_elements = 0, .integer = integer};
  AddCount(size.batch, contraction.batch);
  AddCount(size.m, contraction.m);
  AddCount(size.n, contraction.n);
  AddCount(size.k, contraction.k);
  AddCount(size.kernel_elements, contraction.kernel_elements);
  if (size.kind == ContractionKind::kConv) {
    const Attribute* strides = model_.graph.FindAttribute(node, "strides");
    size.height = HeightOf(node, size.m);
    if (strides != nullptr && !strides->ints.empty()) size.stride = strides->ints[0];
  }
  if (size.kind == ContractionKind::kDepthwise) size.height = RowsOf(node, size.m);
  size.sparse = sparse && TakesSparse(size.kind, size.k, size.kernel_elements);
  if (size.batch <= 0 || size.m <= 0 || size.n <= 0 || size.k <= 0) return;
  size.operands = OperandsOf(model_, group_, node, index, size, work_.precision);
  work_.contractions.push_back(size);
}

void Counter::JoinProducts() {
  std::vector<ContractionSize> joined;
  for (const ContractionSize& size : work_.contractions) {
    const auto same = absl::c_find_if(joined, [&](ContractionSize other) {
      other.n = size.n;
      other.operands.right = size.operands.right;
      return other == size;
    });
    if (same == joined.end()) {
      joined.push_back(size);
    } else {
      same->n += size.n;
      same->operands.right += size.operands.right;
    }
  }
  work_.contractions = std::move(joined);
}

void Counter::CollectReads(NodeId node) {
  for (size_t i = 0; i < model_.graph.inputs(node).size(); ++i) CollectRead(node, i);
}

void Counter::CollectRead(NodeId node, size_t input) {
  const ValueId value = model_.graph.inputs(node)[input];
  if (!ReadsData(model_, node, input) || IsInner(value)) return;
  const std::optional<Work>& work = model_.work[node];
  const bool partly = work.has_value() && input < work->reads.size() && work->reads[input].has_value();
  const std::optional<int64_t> elements =
      partly ? Evaluate(*work->reads[input], model_.dims) : ElementsOf(model_, value);
  if (!elements.has_value()) work_.bytes_known = false;
  const bool sparse = SparseWeightOf(model_, node, work_.precision) == input;
  const ValueId root = RootOf(model_, value);
  const auto [at, fresh] = roots_.Insert(root);
  if (fresh) {
    reads_.push_back({value, elements.value_or(0), sparse});
  } else {
    reads_[at].elements = std::max(reads_[at].elements, elements.value_or(0));
    reads_[at].sparse = reads_[at].sparse && sparse;
  }
}

void Counter::CountReads() {
  for (const Read& read : reads_) {
    AddBytes(IsConstant(model_, read.value) ? work_.weight_bytes : work_.in_bytes, read.value, read.elements,
             read.sparse);
  }
}

void Counter::CountWrites() {
  for (const ValueId output : group_.outputs) {
    const ValueId root = RootOf(model_, output);
    const NodeId producer = model_.graph.value(root).producer;
    // A view of something that was read is no write.
    if (!producer.valid() || !IsMember(producer) || !IsKernel(model_.classes[producer])) continue;
    if (model_.classes[producer] == NodeClass::kControl) continue;
    if (!written_.Insert(root).second) continue;
    AddBytes(work_.out_bytes, root, ElementsOf(model_, root));
  }
}

void Counter::CountInner() {
  if (group_.nodes.size() < 2) return;
  for (const NodeId node : group_.nodes) {
    if (!IsKernel(model_.classes[node])) continue;
    for (const ValueId output : model_.graph.outputs(node)) {
      if (!output.valid() || !model_.facts.IsNeeded(output)) continue;
      if (written_.Contains(output)) continue;
      const std::optional<int64_t> bytes = DeployedBytes(model_, output, work_.precision);
      work_.inner_bytes += 2 * bytes.value_or(0);
    }
  }
}

void AddOutputs(const ModelView& model, NodeId node, Group::Values* outputs) {
  const Graph& graph = model.graph;
  for (const ValueId output : graph.outputs(node)) {
    if (!output.valid() || !model.facts.IsNeeded(output)) continue;
    if (graph.value(output).is_output || !graph.uses(output).empty()) outputs->push_back(output);
  }
}

// An integer kernel reads and writes it as an integer.
bool IsQuantised(const ModelView& model, ValueId value) {
  const ElemType elem = model.facts.values[value].type.elem;
  return (IsInteger(elem) && ElemBits(elem) <= 16) || IsDequantized(model, value);
}

}  // namespace

std::optional<size_t> SparseWeightOf(const ModelView& model, NodeId node, Precision precision) {
  const std::optional<Work>& work = model.work[node];
  if (!precision.sparse || !work.has_value()) return std::nullopt;
  const bool takes = std::any_of(work->contractions.begin(), work->contractions.end(), [&](const Contraction& size) {
    return TakesSparse(size.kind, Evaluate(size.k, model.dims).value_or(1),
                       Evaluate(size.kernel_elements, model.dims).value_or(0));
  });
  std::optional<size_t> largest;
  int64_t most = 0;
  for (size_t i = 0; takes && i < model.graph.inputs(node).size(); ++i) {
    const ValueId value = model.graph.inputs(node)[i];
    if (!ReadsData(model, node, i) || !IsConstant(model, value)) continue;
    const int64_t elements = ElementsOf(model, value).value_or(0);
    if (elements <= most || DeployedBits(model, value, precision) != NumBits(precision.weight)) continue;
    largest = i;
    most = elements;
  }
  return largest;
}

bool IsInPlace(const Group& group) { return group.pattern == kInPlace; }

GroupWork MakeGroupWork(const ModelView& model, const Group& group, Precision precision) {
  return Counter(model, group, precision).Run();
}

int64_t BytesAlone(const ModelView& model, NodeId node, Precision precision) {
  if (!IsKernel(model.classes[node]) || model.classes[node] == NodeClass::kControl) return 0;
  Group alone{.nodes = {node}, .root = node};
  AddOutputs(model, node, &alone.outputs);
  return Counter(model, alone, precision).MovedBytes();
}

Group SingleNode(const ModelView& model, NodeId node) {
  Group group{.pattern = model.graph.op(node), .nodes = {node}, .root = node};
  for (const ValueId input : model.graph.inputs(node)) {
    if (input.valid()) group.inputs.push_back(input);
  }
  AddOutputs(model, node, &group.outputs);
  std::sort(group.inputs.begin(), group.inputs.end());
  group.inputs.erase(std::unique(group.inputs.begin(), group.inputs.end()), group.inputs.end());
  return group;
}

bool HasIntegerOperands(const ModelView& model, const Group& group) {
  bool contracts = false;
  for (const NodeId node : group.nodes) {
    const std::optional<Work>& work = model.work[node];
    if (!work.has_value() || work->contractions.empty()) continue;
    if (work->int_macs != work->macs) return false;
    contracts = true;
  }
  bool reads = false;
  for (const ValueId input : group.inputs) {
    if (IsConstant(model, input) || IsShapeValue(model, input)) continue;
    const bool is_float = IsFloat(model.facts.values[input].type.elem);
    if ((is_float || !contracts) && !IsQuantised(model, input)) return false;
    reads = true;
  }
  if (contracts || !reads) return contracts;
  // A DequantizeLinear by itself outputs floating point.
  if (group.nodes.size() == 1 && HasTrait(model, group.nodes[0], trait::kDequantizes)) return false;
  return std::none_of(group.outputs.begin(), group.outputs.end(), [&](ValueId output) {
    return IsFloat(model.facts.values[output].type.elem) && !IsDequantized(model, output);
  });
}

Num FullWidthOf(const ModelView& model, const Group& group) {
  bool has_kernel = false, selects = true;
  for (const NodeId node : group.nodes) {
    if (!IsKernel(model.classes[node])) continue;
    const std::optional<Work>& work = model.work[node];
    if (work.has_value() && !work->contractions.empty()) return Num::kUnset;
    selects = selects && work.has_value() && work->full_width;
    has_kernel = true;
  }
  if (!has_kernel) return Num::kUnset;
  bool is_integer = true;
  const auto look_at = [&](ValueId value) {
    const ElemType elem = model.facts.values[value].type.elem;
    is_integer = is_integer && (elem == ElemType::kBool || (IsInteger(elem) && ElemBits(elem) > 16));
  };
  for (const ValueId input : group.inputs) {
    if (!IsConstant(model, input) && !IsShapeValue(model, input)) look_at(input);
  }
  for (const ValueId output : group.outputs) look_at(output);
  if (is_integer) return Num::kInt32;
  return selects ? Num::kFp32 : Num::kUnset;
}

GroupWork ConversionWork(const Conversion& conversion, double stays, Residency* residency) {
  GroupWork work;
  work.ops[static_cast<size_t>(OpKind::kAdd)] = conversion.elements;
  work.ops[static_cast<size_t>(OpKind::kMul)] = conversion.elements;
  work.flops = 2 * conversion.elements;
  work.in_bytes = PackedBytes(conversion.elements, NumBits(conversion.from)).value_or(0);
  work.out_bytes = PackedBytes(conversion.elements, NumBits(conversion.to)).value_or(0);
  work.num_nodes = 1;
  work.precision = WiderOf({conversion.from, conversion.from}, {conversion.to, conversion.to});
  residency->in_bytes = static_cast<int64_t>(stays * static_cast<double>(work.in_bytes));
  residency->out_bytes = static_cast<int64_t>(stays * static_cast<double>(work.out_bytes));
  return work;
}

GroupWork Scale(const GroupWork& work, int64_t runs) {
  GroupWork scaled = work;
  const auto multiply = [&](int64_t& count) {
    const std::optional<int64_t> product = CheckedMul(count, runs);
    if (product.has_value()) {
      count = *product;
    } else {
      scaled.counts_known = false;
    }
  };
  for (int64_t* count :
       {&scaled.macs, &scaled.int_macs, &scaled.flops, &scaled.in_bytes, &scaled.weight_bytes, &scaled.out_bytes,
        &scaled.inner_bytes, &scaled.moved_elements, &scaled.copied_elements, &scaled.wide_window_ops,
        &scaled.pooled_elements, &scaled.pooled_ops, &scaled.search_ops, &scaled.scaled_elements, &scaled.visits,
        &scaled.image_elements, &scaled.channel_elements, &scaled.slow_cycles}) {
    multiply(*count);
  }
  for (MovedRows& rows : scaled.moved_rows) multiply(rows.elements);
  for (int64_t& ops : scaled.ops) multiply(ops);
  for (Conversion& conversion : scaled.conversions) multiply(conversion.elements);
  return scaled;
}

}  // namespace hwest

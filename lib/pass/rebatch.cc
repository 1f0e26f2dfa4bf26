#include "pass/rebatch.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/checked_math.h"
#include "base/status_macros.h"
#include "op/rule.h"
#include "pass/classify.h"
#include "pass/infer.h"
#include "pass/resized.h"
#include "pass/runs.h"
#include "pass/work.h"

namespace hwest {
namespace {

// Product of sizes[first..]; none past int64.
std::optional<int64_t> ProductFrom(const std::vector<int64_t>& sizes, size_t first) {
  std::optional<int64_t> product = 1;
  for (size_t i = first; i < sizes.size() && product.has_value(); ++i) product = CheckedMul(*product, sizes[i]);
  return product;
}

// What is written, with the sizes of the result at the exported batch, which other sizes asked for have changed.
Known AtExportedBatch(const Known& written, const std::vector<int64_t>& target) {
  std::vector<Scalar> values = *written;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].dim().value() > 0) values[i] = Scalar::Int(target[i]);
  }
  return std::make_shared<const std::vector<Scalar>>(std::move(values));
}

Known Replaced(const Known& known, size_t index, int64_t value) {
  std::vector<Scalar> values = *known;
  values[index] = Scalar::Int(value);
  return std::make_shared<const std::vector<Scalar>>(std::move(values));
}

}  // namespace

std::optional<int64_t> Rebatch::Scaled(int64_t size) const {
  if (from_ == 0 || size % from_ != 0) return std::nullopt;
  return CheckedMul(size / from_, to_);
}

std::optional<std::vector<int64_t>> Rebatch::OldShape(ValueId value) const {
  return ConstantSizes(before_.values[value].type);
}

bool Rebatch::Carries(ValueId value, int axis, const Facts& now) const {
  const auto before = ConstantSizes(before_.values[value].type);
  const auto after = ConstantSizes(now.values[value].type);
  if (!before.has_value() || !after.has_value() || before->size() != after->size()) return false;
  if (axis < 0 || axis >= static_cast<int>(before->size())) return false;
  const int64_t old_size = (*before)[static_cast<size_t>(axis)];
  const int64_t new_size = (*after)[static_cast<size_t>(axis)];
  return old_size != new_size && Scaled(old_size) == new_size;
}

// The only axis of `value` that carries the batch; none when there are none or several.
std::optional<size_t> Rebatch::OnlyBatchedAxis(ValueId value, const Facts& now) const {
  std::optional<size_t> only;
  for (int axis = 0; axis < before_.values[value].type.shape.rank(); ++axis) {
    if (!Carries(value, axis, now)) continue;
    if (only.has_value()) return std::nullopt;
    only = static_cast<size_t>(axis);
  }
  return only;
}

// Where a Reshape puts the batch. The data's axis that carries it spans from `all` elements down to `step`, so it goes
// to an axis of the target that begins, ends or passes there. Where several do, in this order: an axis that is the
// batch alone, one whose outer factor it is (batch * heads), one whose inner factor it is (positions * batch); the last
// axis, the features, comes last.
std::optional<size_t> Rebatch::BatchedAxis(ValueId data, const Facts& now, const std::vector<int64_t>& target) const {
  const auto before = OldShape(data);
  if (!before.has_value()) return std::nullopt;
  const auto axis = OnlyBatchedAxis(data, now);
  const auto all = axis.has_value() ? ProductFrom(*before, *axis) : std::nullopt;
  if (!all.has_value() || *all == 0 || !ProductFrom(target, 0).has_value()) return std::nullopt;
  const int64_t step = *ProductFrom(*before, *axis + 1);
  std::optional<size_t> alone, outer, inner, inside;
  for (size_t j = target.size(); j-- > 0;) {
    const int64_t from_here = *ProductFrom(target, j), after = *ProductFrom(target, j + 1);
    const bool last = j + 1 == target.size();
    if (from_here <= *all && after >= step && target[j] == from_) alone = j;
    if (from_here == *all && (!last || target.size() == 1)) outer = j;
    if (after == *all && !inner.has_value()) inner = j;
    if (after < *all && *all <= from_here) inside = j;
  }
  for (const auto& choice : {alone, outer, inner, inside}) {
    if (choice.has_value()) return choice;
  }
  return std::nullopt;
}

std::optional<Follower::Followed> Rebatch::FollowTarget(NodeId node, size_t input, const Facts& now) const {
  const ValueId operand = graph_.inputs(node)[input];
  const auto written = ConstantIntegers(now.values[operand].known);
  const auto target = OldShape(graph_.outputs(node)[0]);
  if (!written.has_value() || !target.has_value() || written->size() != target->size()) return std::nullopt;
  // Computed from the shape of something that carries the batch: followed already.
  if (written != ConstantIntegers(before_.values[operand].known)) return std::nullopt;
  const auto axis = BatchedAxis(graph_.inputs(node)[0], now, *target);
  if (!axis.has_value() || (*written)[*axis] <= 0) return std::nullopt;
  const auto size = Scaled((*target)[*axis]);
  if (!size.has_value()) return std::nullopt;
  return Followed{input, Replaced(AtExportedBatch(now.values[operand].known, *target), *axis, *size)};
}

// Operands with one size per axis of the result, aligned at the last one.
std::optional<Follower::Followed> Rebatch::FollowSizes(NodeId node, size_t input, const Facts& now) const {
  const ValueId data = graph_.inputs(node)[0];
  const ValueId operand = graph_.inputs(node)[input];
  const auto written = ConstantIntegers(now.values[operand].known);
  const auto before = OldShape(data), target = OldShape(graph_.outputs(node)[0]);
  if (!written.has_value() || !before.has_value() || before->size() > written->size()) return std::nullopt;
  const bool is_stated = target.has_value() && target->size() == written->size();
  const Known stated = is_stated ? AtExportedBatch(now.values[operand].known, *target) : now.values[operand].known;
  const size_t offset = written->size() - before->size();
  for (size_t axis = 0; axis < before->size(); ++axis) {
    if (!Carries(data, static_cast<int>(axis), now) || (*written)[offset + axis] != (*before)[axis]) continue;
    const auto size = Scaled((*before)[axis]);
    if (size.has_value()) return Followed{input, Replaced(stated, offset + axis, *size)};
  }
  return std::nullopt;
}

// A slice that ended at the end of an axis that carries the batch still does.
std::optional<Follower::Followed> Rebatch::FollowEnds(NodeId node, size_t input, const Facts& now) const {
  const absl::Span<const ValueId> inputs = graph_.inputs(node);
  const auto before = OldShape(inputs[0]);
  const Known& written = now.values[inputs[input]].known;
  const auto ends = ConstantIntegers(written);
  if (!before.has_value() || !ends.has_value()) return std::nullopt;
  std::vector<int64_t> axes(ends->size());
  std::iota(axes.begin(), axes.end(), 0);
  if (inputs.size() > input + 1 && inputs[input + 1].valid()) {
    const auto given = ConstantIntegers(now.values[inputs[input + 1]].known);
    if (!given.has_value() || given->size() != ends->size()) return std::nullopt;
    axes = *given;
  }
  const auto rank = static_cast<int64_t>(before->size());
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (axis < 0 || axis >= rank || !Carries(inputs[0], static_cast<int>(axis), now)) continue;
    const int64_t size = (*before)[static_cast<size_t>(axis)];
    const auto scaled = Scaled(size);
    if ((*ends)[i] == size && scaled.has_value()) return Followed{input, Replaced(written, i, *scaled)};
  }
  return std::nullopt;
}

std::optional<Follower::Followed> Rebatch::Follow(NodeId node, const Facts& now) const {
  const absl::Span<const ValueId> inputs = graph_.inputs(node);
  const absl::Span<const ValueId> outputs = graph_.outputs(node);
  const OpRule* rule = RuleOf(graph_, node);
  if (rule == nullptr || outputs.empty() || !outputs[0].valid()) return std::nullopt;
  const size_t input = rule->sizes.input;
  if (inputs.empty() || !inputs[0].valid() || input >= inputs.size() || !inputs[input].valid()) return std::nullopt;
  switch (rule->sizes.form) {
    case SizeForm::kNone: return std::nullopt;
    case SizeForm::kTarget: return FollowTarget(node, input, now);
    case SizeForm::kAligned: return FollowSizes(node, input, now);
    case SizeForm::kEnds: return FollowEnds(node, input, now);
  }
  return std::nullopt;
}

// Another operand was as large and carries the batch there.
bool Rebatch::HasBatchedPeer(NodeId node, ValueId value, int axis_from_end, const Facts& now) const {
  const std::vector<int64_t> sizes = *OldShape(value);
  const int64_t size = sizes[sizes.size() - static_cast<size_t>(axis_from_end)];
  for (const ValueId other : graph_.inputs(node)) {
    if (!other.valid() || other == value) continue;
    const auto before = OldShape(other);
    const int aligned = before.has_value() ? static_cast<int>(before->size()) - axis_from_end : -1;
    if (aligned < 0 || (*before)[static_cast<size_t>(aligned)] != size) continue;
    if (Carries(other, aligned, now)) return true;
  }
  return false;
}

// The contents repeat along the axis as copies for a batch do; those of one image are its only copy. What a node
// computes is taken to repeat; an initialiser whose contents are not known is not.
bool Rebatch::RepeatsAlong(ValueId value, size_t axis) const {
  const std::vector<int64_t> sizes = *OldShape(value);
  if (sizes[axis] == 1 || from_ == 1) return true;
  const Known& known = before_.values[value].known;
  if (known == nullptr) return graph_.value(value).producer.valid();
  const auto step = static_cast<size_t>(ProductFrom(sizes, axis + 1).value_or(0));
  const auto block = step * static_cast<size_t>(sizes[axis]);
  for (size_t i = 0; i < known->size(); ++i) {
    if (i % block >= step && !((*known)[i] == (*known)[i - step])) return false;
  }
  return true;
}

// Without the batch on any axis: the file's own sizes, where others were asked for beside the batch (see InferResized).
bool Rebatch::OnlyOtherSizes(ValueId value, const Facts& now) const {
  for (int axis = 0; axis < now.values[value].type.shape.rank(); ++axis) {
    if (Carries(value, axis, now)) return false;
  }
  return true;
}

bool Rebatch::Widen(NodeId node, Facts* now) const {
  bool widened = false;
  for (const ValueId value : graph_.inputs(node)) {
    if (!value.valid()) continue;
    ValueFact& fact = now->values[value];
    auto sizes = ConstantSizes(fact.type);
    const auto old_sizes = OldShape(value);
    if (!sizes.has_value() || sizes->size() < 2 || !old_sizes.has_value()) continue;
    if (sizes != old_sizes && sizes->size() == old_sizes->size() && OnlyOtherSizes(value, *now)) {
      fact.type.shape = before_.values[value].type.shape;
      fact.known = nullptr;
      sizes = old_sizes;
      widened = true;
    }
    if (sizes != old_sizes) continue;
    for (size_t axis = 0; axis < sizes->size(); ++axis) {
      const auto scaled = Scaled((*sizes)[axis]);
      if (!scaled.has_value() || !HasBatchedPeer(node, value, static_cast<int>(sizes->size() - axis), *now)) continue;
      if (!RepeatsAlong(value, axis)) continue;
      fact.type.shape.set_dim(static_cast<int>(axis), *scaled);
      fact.known = nullptr;
      widened = true;
      break;
    }
  }
  return widened;
}

namespace {

using Images = std::pair<int64_t, int64_t>;

// Nothing contradicts, yet a result is not larger: constant indices took the exported batch out of the data.
void ReportLostBatch(const Graph& graph, const Facts& before, const Facts& now, Images images,
                     std::vector<Diagnostic>& diagnostics) {
  for (const ValueId output : graph.main().outputs) {
    const auto sizes = ConstantSizes(now.values[output].type);
    if (!sizes.has_value() || sizes->empty() || sizes != ConstantSizes(before.values[output].type)) continue;
    diagnostics.push_back({.code = Code::kAssumed,
                           .message = absl::StrCat("output '", graph.name(output), "' is as large at batch ",
                                                   images.second, " as at ", images.first,
                                                   ": some node takes the exported batch by constant indices"),
                           .remedy = "export the model with a dynamic batch",
                           .value = std::string(graph.name(output))});
  }
}

// The first node that refuses its operands now and did not before; empty when there is none.
std::string WhyRefused(const std::vector<Diagnostic>& before, absl::Span<const Diagnostic> now, int64_t batch) {
  absl::flat_hash_set<std::string> failed;
  for (const Diagnostic& row : before) {
    if (row.code == Code::kInferFailed) failed.insert(row.node);
  }
  for (const Diagnostic& row : now) {
    if (row.code != Code::kInferFailed || failed.contains(row.node)) continue;
    return absl::StrCat("node '", row.node, "' cannot work at batch ", batch, ": ", row.message);
  }
  return "";
}

Dim MacsOf(const Graph& graph, const Facts& facts, const DimPool& dims, const OpRules* rules) {
  DimPool own(&dims);
  const IdMap<NodeId, NodeClass> classes = Classify(graph, facts, dims, rules);
  const WorkTables tables = CountWork(graph, facts, classes, own, rules);
  return SumTotals(graph, tables, classes, CountRuns(graph, facts, tables.work, own), own).macs;
}

// What inference found at one size of the batch.
struct Side {
  const Facts& facts;
  const DimPool& dims;
  const std::vector<Diagnostic>& diagnostics;
};

// Holds a run with `images.second` on the batch axes against one with `images.first`.
class Comparison {
 public:
  Comparison(const Graph& graph, const BatchAxes& axes, Images images, const OpRules* rules)
      : graph_(graph), axes_(axes), images_(images), rules_(rules) {}

  // Why the second is not a run of more, or fewer, of the same images; empty when it is.
  std::string WhyNot(const Side& before, const Side& after) const;

 private:
  bool MayBeChannels(const Dim& macs) const;

  const Graph& graph_;
  const BatchAxes& axes_;
  const Images images_;
  const OpRules* rules_;
};

// An input [3, H, W] is three images or three channels of one; only weights that contract it tell which.
bool Comparison::MayBeChannels(const Dim& macs) const {
  const auto is_image = [&](const auto& axis) {
    return graph_.declared(graph_.main().inputs[axis.first])->shape.rank() == 3;
  };
  return images_.first > 1 && macs.IsConstant(0) && std::any_of(axes_.axes.begin(), axes_.axes.end(), is_image);
}

std::string Comparison::WhyNot(const Side& before, const Side& after) const {
  const std::string refused = WhyRefused(before.diagnostics, after.diagnostics, images_.second);
  if (!refused.empty()) return refused;
  if (!SomeOutputHolds(graph_, axes_, after.facts, images_.second)) {
    return absl::StrCat("no output follows it to ", images_.second);
  }
  const Dim old_macs = MacsOf(graph_, before.facts, before.dims, rules_);
  const Dim new_macs = MacsOf(graph_, after.facts, after.dims, rules_);
  if (MayBeChannels(old_macs)) return "nothing tells it from the channels of one image";
  const double ratio = static_cast<double>(images_.second) / static_cast<double>(std::max<int64_t>(1, images_.first));
  if (ratio >= 1 ? GrowsWithBatch(old_macs, new_macs, ratio) : GrowsWithBatch(new_macs, old_macs, 1 / ratio)) return "";
  return absl::StrCat("the work does not follow it: ", before.dims.ToString(old_macs), " MACs at ", images_.first, ", ",
                      after.dims.ToString(new_macs), " at ", images_.second);
}

// Whether fixed vectors as long as the batch hold it, too, in the order to try.
std::vector<bool> VectorsHoldIt(const BoundInputs& bound) {
  return bound.batch.vectors.empty() ? std::vector<bool>{true} : std::vector<bool>{true, false};
}

absl::Status CannotBatch(const Graph& graph, const BoundInputs& exported, const DimPool& dims, Images images,
                         absl::string_view why) {
  if (images.first == 1) {
    return MakeError(Code::kBindConflict, why,
                     "the file is made for batch 1; export it with a dynamic batch, or leave out --batch");
  }
  const std::string input = InputText(graph, exported.batch.axes[0].first, exported.inputs, dims);
  return MakeError(Code::kBindConflict, absl::StrCat("the ", images.first, " of ", input, " is no batch: ", why),
                   absl::StrCat(BatchRemedy(graph, exported.inputs, dims), ", or leave out --batch"));
}

// Inference of a static export at another batch.
class Rebatcher {
 public:
  Rebatcher(const Graph& graph, const BindRequest& request, BoundInputs& bound, DimPool& dims, const OpRules* rules)
      : graph_(graph), request_(request), bound_(bound), dims_(dims), rules_(rules), images_(*bound.rebatch) {}

  absl::StatusOr<Facts> Run(std::vector<Diagnostic>& diagnostics);

 private:
  absl::Status Start(const BindRequest& request);
  absl::StatusOr<std::string> Try(const Side& before, const BoundInputs& exported, bool vectors_hold_it);

  const Graph& graph_;
  const BindRequest& request_;
  BoundInputs& bound_;
  DimPool& dims_;
  const OpRules* rules_;
  const Images images_;
  Facts facts_;
  std::vector<Diagnostic> diagnostics_;
};

// Nothing of an earlier attempt stays.
absl::Status Rebatcher::Start(const BindRequest& request) {
  dims_ = DimPool(&graph_.dims());
  diagnostics_.clear();
  HWEST_ASSIGN_OR_RETURN(bound_, Bind(graph_, request, dims_));
  return absl::OkStatus();
}

// Why it cannot be; empty when facts_ hold.
absl::StatusOr<std::string> Rebatcher::Try(const Side& before, const BoundInputs& exported, bool vectors_hold_it) {
  HWEST_RETURN_IF_ERROR(Start(request_));
  for (const size_t input : bound_.batch.vectors) {
    if (!vectors_hold_it) bound_.inputs[input] = exported.inputs[input];
  }
  const Rebatch rebatch(graph_, before.facts, images_.first, images_.second);
  facts_ = Infer(graph_, bound_, dims_, diagnostics_, {.follower = &rebatch, .rules = rules_});
  return Comparison(graph_, bound_.batch, images_, rules_).WhyNot(before, {facts_, dims_, diagnostics_});
}

absl::StatusOr<Facts> Rebatcher::Run(std::vector<Diagnostic>& diagnostics) {
  BindRequest as_exported = request_;
  as_exported.batch.reset();
  DimPool dims(&graph_.dims());
  std::vector<Diagnostic> found;
  HWEST_ASSIGN_OR_RETURN(const BoundInputs exported, Bind(graph_, as_exported, dims));
  HWEST_ASSIGN_OR_RETURN(const Facts before, InferResized(graph_, as_exported, exported, dims, found, rules_));
  std::string why;
  for (const bool vectors_hold_it : VectorsHoldIt(exported)) {
    HWEST_ASSIGN_OR_RETURN(why, Try({before, dims, found}, exported, vectors_hold_it));
    if (why.empty()) break;
  }
  if (why.empty()) {
    ReportLostBatch(graph_, before, facts_, images_, diagnostics_);
    for (const Diagnostic& row : found) {  // of other sizes, see InferResized
      if (row.code == Code::kAssumed && !request_.resized.empty()) diagnostics_.push_back(row);
    }
  } else if (images_.second == 1) {  // what a file without a batch takes
    HWEST_RETURN_IF_ERROR(Start(as_exported));
    HWEST_ASSIGN_OR_RETURN(facts_, InferResized(graph_, as_exported, bound_, dims_, diagnostics_, rules_));
  } else {
    return CannotBatch(graph_, exported, dims, images_, why);
  }
  diagnostics.insert(diagnostics.end(), diagnostics_.begin(), diagnostics_.end());
  return std::move(facts_);
}

// The inputs with another size on the batch axes.
BoundInputs AtBatch(const BoundInputs& bound, int64_t batch, bool vectors_hold_it) {
  BoundInputs other = bound;
  other.overrides_static = true;
  for (const auto& [input, axis] : bound.batch.axes) other.inputs[input].shape.set_dim(axis, batch);
  for (const size_t input : bound.batch.beside) other.inputs[input].shape.set_dim(0, batch);
  for (const size_t input : bound.batch.vectors) {
    if (vectors_hold_it) other.inputs[input].shape.set_dim(0, batch);
  }
  return other;
}

// Why the common size of the batch axes is no batch: tells by inference at twice that size; empty when it is one.
std::string WhyNoBatch(const Graph& graph, const BoundInputs& bound, const Facts& facts, const DimPool& dims,
                       const std::vector<Diagnostic>& diagnostics, const OpRules* rules) {
  const int64_t size = *CommonSize(bound.batch, bound.inputs);
  const std::optional<int64_t> twice = CheckedMul(size, 2);
  if (!twice.has_value()) return "";
  const Comparison comparison(graph, bound.batch, {size, *twice}, rules);
  const Rebatch rebatch(graph, facts, size, *twice);
  std::string why;
  for (const bool vectors_hold_it : VectorsHoldIt(bound)) {
    DimPool own(&dims);
    std::vector<Diagnostic> found;
    const BoundInputs more = AtBatch(bound, *twice, vectors_hold_it);
    const Facts at_twice = Infer(graph, more, own, found, {.follower = &rebatch, .rules = rules});
    why = comparison.WhyNot({facts, dims, diagnostics}, {at_twice, own, found});
    if (why.empty()) break;
  }
  return why;
}

}  // namespace

absl::StatusOr<Facts> InferBound(const Graph& graph, const BindRequest& request, BoundInputs& bound, DimPool& dims,
                                 std::vector<Diagnostic>& diagnostics, const OpRules* rules) {
  if (!bound.rebatch.has_value()) return InferResized(graph, request, bound, dims, diagnostics, rules);
  return Rebatcher(graph, request, bound, dims, rules).Run(diagnostics);
}

BatchDecision DecideBatch(const Graph& graph, const BindRequest& request, const BoundInputs& bound, const Facts& facts,
                          const DimPool& dims, const std::vector<Diagnostic>& diagnostics, const OpRules* rules) {
  const BatchAxes& axes = bound.batch;
  if (!axes.found()) return {.missing = axes.missing};
  const std::optional<int64_t> size = CommonSize(axes, bound.inputs);
  if (!size.has_value()) return {.missing = "its inputs have no leading dim in common"};
  const size_t input = axes.axes[0].first;
  const std::string what = absl::StrCat("the ", *size, " of ", InputText(graph, input, bound.inputs, dims));
  if (!SomeOutputHolds(graph, axes, facts, *size)) return {.missing = absl::StrCat("no output leads with ", what)};
  const bool is_plain = *size <= 1 && (axes.fixed || !request.batch.has_value());
  if (is_plain || axes.named.valid() || bound.rebatch.has_value()) return {.images = *size};
  const std::string why = WhyNoBatch(graph, bound, facts, dims, diagnostics, rules);
  if (why.empty()) return {.images = *size};
  return {.missing = absl::StrCat(what, " is no batch: ", why)};
}

}  // namespace hwest

#include "pass/infer_bound.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/checked_math.h"
#include "base/status_macros.h"
#include "pass/classify.h"
#include "pass/infer.h"
#include "pass/rebatch.h"
#include "pass/resized.h"
#include "pass/runs.h"
#include "pass/work.h"

namespace hwest {
namespace {

using Images = std::pair<int64_t, int64_t>;

// Nothing contradicts, yet a result is not larger: constant indices took the exported batch out of the data.
void ReportLostBatch(const Graph& graph, const Facts& before, const Facts& now, Images images,
                     std::vector<Diagnostic>& diagnostics) {
  for (const ValueId output : graph.main().outputs) {
    const auto sizes = ConstantSizes(now.values[output].type);
    if (!sizes.has_value() || sizes->empty() || sizes != ConstantSizes(before.values[output].type)) continue;
    diagnostics.push_back(
        {.code = Code::kAssumed,
         .message = absl::StrCat("output '", graph.name(output), "' is as large at batch ", images.second, " as at ",
                                 images.first, ": some node takes the exported batch by constant indices"),
         .remedy = "export the model with a dynamic batch",
         .value = std::string(graph.name(output))});
  }
}

// The first node that refuses its operands now and did not before; empty when there is none.
std::string WhyRefused(const std::vector<Diagnostic>& before, absl::Span<const Diagnostic> now,
                       absl::string_view sizes) {
  absl::flat_hash_set<std::string> failed;
  for (const Diagnostic& row : before) {
    if (row.code == Code::kInferFailed) failed.insert(row.node);
  }
  for (const Diagnostic& row : now) {
    if (row.code != Code::kInferFailed || failed.contains(row.node)) continue;
    return absl::StrCat("node '", row.node, "' cannot work at ", sizes, ": ", row.message);
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
struct InferenceRun {
  const Facts& facts;
  const DimPool& dims;
  const std::vector<Diagnostic>& diagnostics;
};

// Holds a run with `images.second` on the batch axes against one with `images.first`.
class Comparison {
 public:
  // `resized_as`: what messages call other sizes that both runs are at.
  Comparison(const Graph& graph, const BatchAxes& axes, Images images, absl::string_view resized_as,
             const OpRules* rules)
      : graph_(graph),
        axes_(axes),
        images_(images),
        rules_(rules),
        sizes_(absl::StrCat("batch ", images.second, resized_as.empty() ? "" : " and ", resized_as)) {}

  // Why the second is not a run of more, or fewer, of the same images; empty when it is.
  std::string WhyNot(const InferenceRun& before, const InferenceRun& after) const;

 private:
  bool MayBeChannels(const Dim& macs) const;

  const Graph& graph_;
  const BatchAxes& axes_;
  const Images images_;
  const OpRules* rules_;
  const std::string sizes_;
};

// An input [3, H, W] is three images or three channels of one; only weights that contract it tell which.
bool Comparison::MayBeChannels(const Dim& macs) const {
  const auto is_image = [&](const auto& axis) {
    return graph_.declared(graph_.main().inputs[axis.first])->shape.rank() == 3;
  };
  return images_.first > 1 && macs.IsConstant(0) && std::any_of(axes_.axes.begin(), axes_.axes.end(), is_image);
}

std::string Comparison::WhyNot(const InferenceRun& before, const InferenceRun& after) const {
  const std::string refused = WhyRefused(before.diagnostics, after.diagnostics, sizes_);
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
                     "the file is made for batch 1; export it with a dynamic batch, or leave out --batch", {"--batch"});
  }
  const std::string input = InputText(graph, exported.batch.axes[0].first, exported.inputs, dims);
  return MakeError(Code::kBindConflict, absl::StrCat("the ", images.first, " of ", input, " is no batch: ", why),
                   absl::StrCat(BatchRemedy(graph, exported.inputs, dims), ", or leave out --batch"), {"--batch"});
}

// Inference of a static export at another batch.
class Rebatcher {
 public:
  Rebatcher(const Graph& graph, const BindRequest& request, BoundInputs& bound, DimPool& dims, const OpRules* rules)
      : graph_(graph), request_(request), bound_(bound), dims_(dims), rules_(rules), images_(*bound.rebatch) {}

  absl::StatusOr<Facts> Run(std::vector<Diagnostic>& diagnostics);

 private:
  absl::Status Start(const BindRequest& request);
  absl::StatusOr<std::string> Try(const InferenceRun& before, const BoundInputs& exported, bool vectors_hold_it);

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
absl::StatusOr<std::string> Rebatcher::Try(const InferenceRun& before, const BoundInputs& exported,
                                           bool vectors_hold_it) {
  HWEST_RETURN_IF_ERROR(Start(request_));
  for (const size_t input : bound_.batch.vectors) {
    if (!vectors_hold_it) bound_.inputs[input] = exported.inputs[input];
  }
  const Rebatch rebatch(graph_, before.facts, exported.changes, images_.first, images_.second);
  facts_ = Infer(graph_, bound_, dims_, diagnostics_, {.follower = &rebatch, .rules = rules_});
  return Comparison(graph_, bound_.batch, images_, request_.resized_as, rules_)
      .WhyNot(before, {facts_, dims_, diagnostics_});
}

absl::StatusOr<Facts> Rebatcher::Run(std::vector<Diagnostic>& diagnostics) {
  BindRequest as_exported = request_;
  as_exported.batch.reset();
  DimPool dims(&graph_.dims());
  std::vector<Diagnostic> found;
  HWEST_ASSIGN_OR_RETURN(BoundInputs exported, Bind(graph_, as_exported, dims));
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
std::string WhyNoBatch(const Graph& graph, const BindRequest& request, const BoundInputs& bound, const Facts& facts,
                       const DimPool& dims, const std::vector<Diagnostic>& diagnostics, const OpRules* rules) {
  const int64_t size = *CommonSize(bound.batch, bound.inputs);
  const std::optional<int64_t> twice = CheckedMul(size, 2);
  if (!twice.has_value()) return "";
  const Comparison comparison(graph, bound.batch, {size, *twice}, request.resized_as, rules);
  const Rebatch rebatch(graph, facts, bound.changes, size, *twice);
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
  const std::string why = WhyNoBatch(graph, request, bound, facts, dims, diagnostics, rules);
  if (why.empty()) return {.images = *size};
  return {.missing = absl::StrCat(what, " is no batch: ", why)};
}

}  // namespace hwest

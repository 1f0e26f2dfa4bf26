// ai.onnx.ml: linear models and support vector machines. All weights are attributes.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"
#include "op/ml/ml_common.h"
#include "op/tables.h"

namespace hwest {
namespace {

int64_t Count(absl::Span<const float> values) { return static_cast<int64_t>(values.size()); }

Dim TableBytes(const OpView& op) { return TableBytes(op.graph(), op.node()); }

// [rows, features] times [features, columns], and one sum for each intercept.
Work Product(const OpView& op, const Samples& samples, Dim columns) {
  DimPool& dims = op.dims();
  const Dim results = dims.Mul(samples.rows, columns);
  Contraction c{.kind = ContractionKind::kMatMul, .batch = 1, .m = samples.rows, .n = columns, .k = samples.features};
  Work work;
  AddContraction(dims, work, std::move(c), dims.Mul(results, samples.features), Operands::kFloat);
  if (!op.floats("intercepts").empty()) AddOps(dims, work, results, {.add = 1});
  AddPostTransform(op, work, results);
  work.table_bytes = TableBytes(op);
  return work;
}

// One row of weights and one intercept for each class; two classes may share one row.
absl::Status InferLinearClassifier(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Samples samples, ReadSamples(ctx));
  const Labels labels = ReadLabels(ctx, "classlabels_ints", "classlabels_strings");
  const int64_t scores = labels.count > 0 ? labels.count : Count(ctx.floats("intercepts"));
  if (scores == 0) return absl::InvalidArgumentError("LinearClassifier expects class labels or intercepts");
  SetClasses(ctx, samples.rows, labels.elem, scores);
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkLinearClassifier(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Samples samples, ReadSamples(op));
  const Dim coefficients = Count(op.floats("coefficients"));
  const Dim rows = op.floats("intercepts").empty() ? op.dims().FloorDiv(coefficients, samples.features)
                                                   : Dim(Count(op.floats("intercepts")));
  return Product(op, samples, rows);
}

absl::StatusOr<int64_t> NumLinearTargets(const OpView& op) {
  const int64_t targets = op.attr("targets", int64_t{1});
  if (targets >= 0) return targets;
  return absl::InvalidArgumentError(absl::StrCat("LinearRegressor expects targets, found ", targets));
}

absl::Status InferLinearRegressor(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Samples samples, ReadSamples(ctx));
  HWEST_ASSIGN_OR_RETURN(const int64_t targets, NumLinearTargets(ctx));
  ctx.set_out(0, ElemType::kFloat, Shape({samples.rows, targets}));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkLinearRegressor(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Samples samples, ReadSamples(op));
  HWEST_ASSIGN_OR_RETURN(const int64_t targets, NumLinearTargets(op));
  return Product(op, samples, targets);
}

// Support vectors of all classes together; 0 for a linear model. Errors: a count below 0 or past int64.
absl::StatusOr<Dim> SupportVectors(const OpView& op) {
  if (op.op() == "SVMRegressor") return std::max<int64_t>(op.attr("n_supports", int64_t{0}), 0);
  Dim sum = 0;
  for (const int64_t count : op.ints("vectors_per_class")) {
    if (count < 0) return absl::InvalidArgumentError(absl::StrCat(op.op(), " expects counts, found ", count));
    sum = op.dims().Add(sum, count);
  }
  return sum;
}

struct Kernel {
  absl::string_view name;
  PerElement per;
};

// Operations past the dot product with a support vector: gamma, coef0, and the function itself.
constexpr Kernel kKernels[] = {
    {"LINEAR", {}},
    {"POLY", {.add = 1, .mul = 1, .transcendental = 1}},
    {"RBF", {.add = 1, .mul = 1, .transcendental = 1}},
    {"SIGMOID", {.add = 1, .mul = 1, .transcendental = 1}},
};

// A kernel of every sample and support vector.
Work KernelWork(const OpView& op, const Samples& samples, Dim vectors) {
  DimPool& dims = op.dims();
  const Dim pairs = dims.Mul(samples.rows, vectors);
  Contraction c{.kind = ContractionKind::kMatMul, .batch = 1, .m = samples.rows, .n = vectors, .k = samples.features};
  Work work;
  work.table_bytes = TableBytes(op);
  AddContraction(dims, work, std::move(c), dims.Mul(pairs, samples.features), Operands::kFloat);
  for (const Kernel& kernel : kKernels) {
    if (kernel.name == op.attr("kernel_type", absl::string_view("LINEAR"))) AddOps(dims, work, pairs, kernel.per);
  }
  return work;
}

// Classes of a machine with support vectors, else the labels of a linear model, at least one.
int64_t SvmClasses(const OpView& op, const Labels& labels) {
  const int64_t classes = static_cast<int64_t>(op.ints("vectors_per_class").size());
  return classes > 0 ? classes : std::max<int64_t>(labels.count, 1);
}

// Z has a probability for each class, or raw scores: one for each pair of classes, two for two classes.
absl::Status InferSvmClassifier(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Samples samples, ReadSamples(ctx));
  HWEST_ASSIGN_OR_RETURN(const Dim vectors, SupportVectors(ctx));
  const Labels labels = ReadLabels(ctx, "classlabels_ints", "classlabels_strings");
  const Dim classes = SvmClasses(ctx, labels);
  Dim scores = classes;
  if (!vectors.IsConstant(0) && ctx.floats("prob_a").empty()) {
    DimPool& dims = ctx.dims();
    scores = classes.value() > 2 ? dims.FloorDiv(dims.Mul(classes, dims.Sub(classes, 1)), 2) : Dim(2);
  }
  SetClasses(ctx, samples.rows, labels.elem, scores);
  return absl::OkStatus();
}

// Each kernel value is weighted once for every class.
absl::StatusOr<Work> WorkSvmClassifier(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Samples samples, ReadSamples(op));
  HWEST_ASSIGN_OR_RETURN(const Dim vectors, SupportVectors(op));
  const Dim classes = SvmClasses(op, ReadLabels(op, "classlabels_ints", "classlabels_strings"));
  if (vectors.IsConstant(0)) return KernelWork(op, samples, classes);
  Work work = KernelWork(op, samples, vectors);
  AddOps(op.dims(), work, op.dims().Product({samples.rows, vectors, classes}), {.mul = 1});
  return work;
}

absl::Status InferSvmRegressor(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Samples samples, ReadSamples(ctx));
  ctx.set_out(0, ElemType::kFloat, Shape({samples.rows, 1}));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkSvmRegressor(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Samples samples, ReadSamples(op));
  HWEST_ASSIGN_OR_RETURN(const Dim vectors, SupportVectors(op));
  return KernelWork(op, samples, vectors.IsConstant(0) ? Dim(1) : vectors);
}

constexpr OpRule Row(absl::string_view op, InferFn infer, WorkFn work, absl::string_view learned) {
  // clang-format off
  return {.domain = kMlDomain, .op = op, .versions = "1", .infer = infer, .known = nullptr, .work = work,
          .op_class = OpClass::kCompute, .traits = trait::kHoldsTables, .learned = learned};
  // clang-format on
}

constexpr absl::string_view kLinear = "coefficients intercepts";
constexpr absl::string_view kMachine = "coefficients support_vectors rho prob_a prob_b";

constexpr OpRule kMlLinearRules[] = {
    Row("LinearClassifier", InferLinearClassifier, WorkLinearClassifier, kLinear),
    Row("LinearRegressor", InferLinearRegressor, WorkLinearRegressor, kLinear),
    Row("SVMClassifier", InferSvmClassifier, WorkSvmClassifier, kMachine),
    Row("SVMRegressor", InferSvmRegressor, WorkSvmRegressor, kMachine),
};

}  // namespace

absl::Span<const OpRule> MlLinearRules() { return kMlLinearRules; }

}  // namespace hwest

// ai.onnx.ml: encoding, scaling and picking of features, maps.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"
#include "op/ml/ml_common.h"
#include "op/pointwise/pointwise.h"
#include "op/tables.h"
#include "op/typical_size.h"

namespace hwest {
namespace {

// Same shape, element type `elem`.
absl::Status InferMapped(InferContext& ctx, ElemType elem) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  ctx.set_out(0, elem, ctx.in(0).shape);
  return absl::OkStatus();
}

// A look-up for every element, and what has to be read of the table for it.
absl::StatusOr<Work> WorkLookUp(const OpView& op) {
  Work work;
  work.visits = InElements(op, 0);
  work.table_bytes = TableBytes(op.graph(), op.node());
  return work;
}

absl::Status InferToFloat(InferContext& ctx) { return InferMapped(ctx, ElemType::kFloat); }

absl::StatusOr<Work> WorkBinarizer(const OpView& op) { return InputElementWork(op, {.compare = 1}); }
absl::StatusOr<Work> WorkImputer(const OpView& op) { return InputElementWork(op, {.compare = 1}); }

absl::StatusOr<Work> WorkScaler(const OpView& op) {
  Work work;
  work.table_bytes = TableBytes(op.graph(), op.node());
  AddOps(op.dims(), work, OutElements(op, 0), {.add = 1, .mul = 1});
  return work;
}

// The norm of a row takes two operations an element (MAX, L1 and L2 alike), dividing by it one.
absl::StatusOr<Work> WorkNormalizer(const OpView& op) {
  Work work;
  AddOps(op.dims(), work, InElements(op, 0), {.add = 1, .mul = 2});
  return work;
}

// Strings to numbers and back.
ElemType OtherLabel(ElemType elem) {
  if (elem == ElemType::kUndefined) return ElemType::kUndefined;
  return elem == ElemType::kString ? ElemType::kInt64 : ElemType::kString;
}

absl::Status InferCategoryMapper(InferContext& ctx) { return InferMapped(ctx, OtherLabel(ctx.in(0).elem)); }

struct ValuesAttr {
  absl::string_view name;
  ElemType elem;
};

constexpr ValuesAttr kValuesAttrs[] = {
    {"values_strings", ElemType::kString}, {"values_int64s", ElemType::kInt64}, {"values_floats", ElemType::kFloat}};

// Version 1 only knows strings and numbers of classes; later ones name the values, since version 4 as a tensor too.
absl::Status InferLabelEncoder(InferContext& ctx) {
  if (ctx.opset() < 2) return InferMapped(ctx, OtherLabel(ctx.in(0).elem));
  for (const ValuesAttr& row : kValuesAttrs) {
    if (ctx.has_attr(row.name)) return InferMapped(ctx, row.elem);
  }
  const Constant* values = ctx.tensor("values_tensor");
  return InferMapped(ctx, values == nullptr ? ElemType::kUndefined : values->elem);
}

// One more axis, one element a category.
absl::Status InferOneHotEncoder(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  const Labels categories = ReadLabels(ctx, "cats_int64s", "cats_strings");
  if (categories.count == 0) return absl::InvalidArgumentError("OneHotEncoder expects categories");
  Shape y = ctx.in(0).shape;
  if (y.ranked()) y.push_back(categories.count);
  ctx.set_out(0, ElemType::kFloat, std::move(y));
  return absl::OkStatus();
}

// X [..., F], indices Y -> [..., elements of Y]; a single axis gains a leading 1.
absl::Status InferArrayFeatureExtractor(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0));
  Shape z = ctx.in(0).shape;
  if (z.ranked()) {
    if (z.rank() == 1) z = Shape({1, z.dim(0)});
    z.set_dim(z.rank() - 1, InElements(ctx, 1));
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(z));
  return absl::OkStatus();
}

// Columns that all inputs bring along.
Dim SumOfColumns(const OpView& op) {
  Dim sum = 0;
  for (int i = 0; i < op.num_inputs(); ++i) {
    const Shape& x = op.in(i).shape;
    sum = op.dims().Add(sum, x.ranked() && x.rank() > 0 ? x.dim(x.rank() - 1) : Dim::Unknown());
  }
  return sum;
}

// Inputs [N, C] or [C] side by side; inputdimensions names the columns taken of each.
absl::Status InferFeatureVectorizer(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, std::max(ctx.num_inputs(), 1)));
  Dim rows;
  for (int i = 0; i < ctx.num_inputs(); ++i) {
    HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 1, 2));
    const Shape& x = ctx.in(i).shape;
    if (!x.ranked()) continue;
    HWEST_ASSIGN_OR_RETURN(rows, ctx.Unify(rows, x.rank() == 1 ? Dim(1) : x.dim(0)));
  }
  Dim columns = SumOfColumns(ctx);
  if (!ctx.ints("inputdimensions").empty()) {
    columns = 0;
    for (const int64_t size : ctx.ints("inputdimensions")) {
      if (size < 0) return absl::InvalidArgumentError(absl::StrCat("FeatureVectorizer expects sizes, found ", size));
      columns = ctx.dims().Add(columns, size);
    }
  }
  ctx.set_out(0, ElemType::kFloat, Shape({rows, columns}));
  return absl::OkStatus();
}

// The element type of a map's values, undefined when the input's type is not known. Errors: input 0 is no map.
absl::StatusOr<ElemType> MapValues(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  const Type& x = op.in(0);
  if (x.kind != ValueKind::kMap && x.kind != ValueKind::kUnknown) {
    return absl::InvalidArgumentError(
        absl::StrCat(op.op(), " expects a map as input 0, found a ", ValueKindName(x.kind)));
  }
  return x.elem;
}

// How many a map has; only its producer can tell.
Dim EntriesOf(InferContext& ctx) {
  const Dim known = ctx.in(0).shape.Elements(ctx.dims());
  return known.is_unknown() ? ctx.FreshSize("keys", 0, Dim::Unknown(), kTypicalKeys) : known;
}

// A map has no more entries than they put to use.
absl::StatusOr<Work> WorkOfMap(const OpView& op) {
  Work work;
  SetRead(work, 0, OutElements(op, 0));
  work.visits = OutElements(op, 0);
  return work;
}

struct CastTo {
  absl::string_view name;
  ElemType elem;
};

constexpr CastTo kCastTo[] = {
    {"TO_FLOAT", ElemType::kFloat}, {"TO_INT64", ElemType::kInt64}, {"TO_STRING", ElemType::kString}};

// A map to [1, C]: as many columns as it has keys, or max_map of them when sparse.
absl::Status InferCastMap(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(MapValues(ctx).status());
  const absl::string_view cast = ctx.attr("cast_to", absl::string_view("TO_FLOAT"));
  const bool sparse = ctx.attr("map_form", absl::string_view("DENSE")) == "SPARSE";
  const int64_t most = ctx.attr("max_map", int64_t{1});
  if (sparse && most < 0) return absl::InvalidArgumentError(absl::StrCat("CastMap has a max_map of ", most));
  for (const CastTo& row : kCastTo) {
    if (row.name != cast) continue;
    const Dim columns = sparse ? Dim(most) : EntriesOf(ctx);
    ctx.set_out(0, row.elem, Shape({1, columns}));
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("CastMap knows no cast_to \"", cast, "\""));
}

// A map to [1, size of the vocabulary].
absl::Status InferDictVectorizer(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const ElemType values, MapValues(ctx));
  const Labels vocabulary = ReadLabels(ctx, "int64_vocabulary", "string_vocabulary");
  if (vocabulary.count == 0) return absl::InvalidArgumentError("DictVectorizer expects a vocabulary");
  ctx.set_out(0, values, Shape({1, vocabulary.count}));
  return absl::OkStatus();
}

// X [N, C] or [C] -> a sequence of N maps from label to number.
absl::Status InferZipMap(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Samples samples, ReadSamples(ctx));
  const Labels labels = ReadLabels(ctx, "classlabels_int64s", "classlabels_strings");
  if (labels.count > 0) HWEST_RETURN_IF_ERROR(ctx.Unify(samples.features, labels.count).status());
  Type maps;
  maps.kind = ValueKind::kSequence;
  maps.inner = ValueKind::kMap;
  maps.elem = ElemType::kFloat;
  maps.shape = Shape({labels.count > 0 ? Dim(labels.count) : samples.features});
  maps.length = samples.rows;
  ctx.set_out(0, std::move(maps));
  return absl::OkStatus();
}

constexpr OpRule Row(absl::string_view op, InferFn infer, WorkFn work, OpClass op_class,
                     absl::string_view versions = "1") {
  // clang-format off
  return {.domain = kMlDomain, .op = op, .versions = versions, .infer = infer, .known = nullptr, .work = work,
          .op_class = op_class};
  // clang-format on
}

constexpr OpRule TableRow(absl::string_view op, InferFn infer, WorkFn work, absl::string_view versions = "1",
                          absl::string_view learned = "") {
  // clang-format off
  return {.domain = kMlDomain, .op = op, .versions = versions, .infer = infer, .known = nullptr, .work = work,
          .op_class = OpClass::kCompute, .traits = trait::kHoldsTables, .learned = learned};
  // clang-format on
}

constexpr OpRule kMlRules[] = {
    Row("ArrayFeatureExtractor", InferArrayFeatureExtractor, WorkOfTaken, OpClass::kLayout),
    Row("Binarizer", InferSameAsInput, WorkBinarizer, OpClass::kCompute),
    Row("CastMap", InferCastMap, WorkOfMap, OpClass::kLayout),
    TableRow("CategoryMapper", InferCategoryMapper, WorkLookUp),
    TableRow("DictVectorizer", InferDictVectorizer, WorkOfMap),
    Row("FeatureVectorizer", InferFeatureVectorizer, nullptr, OpClass::kLayout),
    TableRow("Imputer", InferSameAsInput, WorkImputer, "1", "imputed_value_floats"),
    TableRow("LabelEncoder", InferLabelEncoder, WorkLookUp, "1 2 4"),
    Row("Normalizer", InferToFloat, WorkNormalizer, OpClass::kCompute),
    TableRow("OneHotEncoder", InferOneHotEncoder, WorkLookUp),
    TableRow("Scaler", InferToFloat, WorkScaler, "1", "offset scale"),
    Row("ZipMap", InferZipMap, nullptr, OpClass::kLayout),
};

}  // namespace

absl::Span<const OpRule> MlRules() { return kMlRules; }

}  // namespace hwest

// Operators that select or place by indices.
#include <utility>

#include "import/tflite_ops.h"
#include "import/tflite_translator.h"

namespace hwest {

void EmitGather(TfliteTranslator& to) {
  const int rank = to.in(0).rank();
  const int64_t axis = AxisFromStart(to.Option(0, 4), rank);
  if (axis < 0 || to.Option(1, 4) != 0) return to.EmitOpaque();
  const StrId data = to.Read(0, Order::kStored, TensorForm::kNumbers), indices = to.Read(1, Order::kStored);
  to.Emit("Gather", {data, indices}, {to.Write(0, Order::kStored, TensorForm::kNumbers)});
  to.Set("axis", axis);
}

void EmitEmbeddingLookup(TfliteTranslator& to) {
  const TensorForm form = to.in(1).elem == to.out(0).elem ? TensorForm::kNumbers : TensorForm::kReal;
  const StrId table = to.Read(1, Order::kStored, form), ids = to.Read(0, Order::kStored);
  to.Emit("Gather", {table, ids}, {to.Write(0, Order::kStored, form)});
}

void EmitGatherNd(TfliteTranslator& to) {
  const StrId data = to.Read(0, Order::kStored, TensorForm::kNumbers), indices = to.ReadSizes(1);
  to.Emit("GatherND", {data, indices}, {to.Write(0, Order::kStored, TensorForm::kNumbers)});
}

void EmitScatterNd(TfliteTranslator& to) {
  if (to.out(0).elem != ElemType::kFloat) return to.EmitOpaque();
  const StrId shape = to.ReadSizes(2), zeros = to.Fresh("zeros");
  to.Emit("ConstantOfShape", {shape}, {zeros});
  const StrId indices = to.ReadSizes(0), updates = to.Read(1, Order::kStored);
  to.Emit("ScatterND", {zeros, indices, updates}, {to.Write(0, Order::kStored)});
  to.Set("reduction", "add");
}

// Inputs: positions, depth, the value at them, the value elsewhere.
void EmitOneHot(TfliteTranslator& to) {
  const StrId axes = to.Ints("axes", {0});
  std::vector<StrId> values;
  for (const size_t input : {size_t{3}, size_t{2}}) {
    const StrId value = to.Read(input, Order::kStored), wide = to.Fresh("value");
    to.Emit("Unsqueeze", {value, axes}, {wide});
    values.push_back(wide);
  }
  const StrId both = to.Fresh("values");
  to.Emit("Concat", std::move(values), {both});
  to.Set("axis", int64_t{0});
  const StrId indices = to.Read(0, Order::kStored), depth = to.Read(1, Order::kStored);
  to.Emit("OneHot", {indices, depth, both}, {to.Write(0, Order::kStored)});
  to.Set("axis", to.Option(0, 4));
}

// One row for each place; ONNX has one column.
void EmitWhere(TfliteTranslator& to) {
  const StrId condition = to.Read(0, Order::kStored), columns = to.Fresh("columns");
  to.Emit("NonZero", {condition}, {columns});
  to.EmitTranspose(columns, to.Write(0, Order::kStored), {1, 0});
}

void EmitTopK(TfliteTranslator& to) {
  const auto count = to.Values(1);
  const StrId data = to.Read(0, Order::kStored);
  const StrId k = count.has_value() ? to.Ints("k", *count) : to.ReadSizes(1);
  const StrId values = to.Write(0, Order::kStored), indices = to.Write(1, Order::kStored, TensorForm::kNumbers);
  const StrId wide = to.Fresh("indices");
  to.Emit("TopK", {data, k}, {values, wide});
  if (to.num_outputs() > 1) to.EmitCast(wide, indices, to.out(1).elem);
}

// Each number once, in the order of their appearance, and where each element is among them.
void EmitUnique(TfliteTranslator& to) {
  const StrId data = to.Read(0, Order::kStored, TensorForm::kNumbers);
  const StrId values = to.Write(0, Order::kStored, TensorForm::kNumbers), wide = to.Fresh("places"), none(0u);
  to.Emit("Unique", {data}, {values, none, wide});
  to.Set("sorted", int64_t{0});
  to.EmitCast(wide, to.Write(1, Order::kStored, TensorForm::kNumbers), to.out(1).elem);
}

void EmitReverseSequence(TfliteTranslator& to) {
  const int64_t time = to.Option(0, 4), batch = to.Option(1, 4);
  if (time < 0 || batch < 0 || time + batch != 1) return to.EmitOpaque();  // ONNX has these two axes alone
  const StrId data = to.Read(0, Order::kStored, TensorForm::kNumbers), lengths = to.ReadSizes(1);
  to.Emit("ReverseSequence", {data, lengths}, {to.Write(0, Order::kStored, TensorForm::kNumbers)});
  to.Set("time_axis", time);
  to.Set("batch_axis", batch);
}

// Boxes [N, 4] and scores [N]; version 5 gives the scores of what it selects, too.
void EmitNonMaxSuppression(TfliteTranslator& to) {
  const bool has_scores = to.num_outputs() == 3;
  const StrId image = to.Ints("axes", {0}), image_and_class = to.Ints("axes", {0, 1}), third = to.Ints("column", {2});
  const StrId boxes = to.Read(0, Order::kStored), scores = to.Read(1, Order::kStored);
  const StrId all_boxes = to.Fresh("boxes"), all_scores = to.Fresh("scores");
  to.Emit("Unsqueeze", {boxes, image}, {all_boxes});
  to.Emit("Unsqueeze", {scores, image_and_class}, {all_scores});
  const StrId most = to.ReadSizes(2), overlap = to.Read(3, Order::kStored), least = to.Read(4, Order::kStored);
  const StrId triples = to.Fresh("triples"), column = to.Fresh("column"), rows = to.Fresh("rows");
  to.Emit("NonMaxSuppression", {all_boxes, all_scores, most, overlap, least}, {triples});
  to.Emit("Gather", {triples, third}, {column});
  to.Set("axis", int64_t{1});
  const StrId last = to.Ints("axes", {1});
  to.Emit("Squeeze", {column, last}, {rows});
  to.EmitCast(rows, to.Write(0, Order::kStored, TensorForm::kNumbers), to.out(0).elem);
  if (has_scores) to.Emit("Gather", {scores, rows}, {to.Write(1, Order::kStored)});
  const size_t count = has_scores ? 2 : 1;
  if (to.num_outputs() <= count) return;
  const StrId sizes = to.Fresh("sizes"), found = to.Fresh("found");
  to.Emit("Shape", {rows}, {sizes});
  to.Emit("Squeeze", {sizes, image}, {found});
  to.EmitCast(found, to.Write(count, Order::kStored, TensorForm::kNumbers), to.out(count).elem);
}

// A cache of which a part along one axis, not that of the batch, is new.
void EmitUpdateSlice(TfliteTranslator& to) {
  const TfliteTensor &whole = to.in(0), &part = to.in(1);
  const int rank = whole.rank();
  std::vector<int64_t> moved;
  for (size_t i = 0; i < whole.dims.size() && part.rank() == rank; ++i) {
    if (whole.dims[i] != part.dims[i] || whole.dims[i] < 0) moved.push_back(static_cast<int64_t>(i));
  }
  if (moved.size() != 1 || moved[0] == 0 || part.dims[0] < 0) return to.EmitOpaque();
  const Order order = to.OutOrder(0);
  const StrId cache = to.Read(0, order, TensorForm::kNumbers), update = to.Read(1, order, TensorForm::kNumbers);
  const StrId starts = to.ReadSizes(2), axis = to.Ints("axis", moved), batch = to.Ints("batch", {part.dims[0]});
  const StrId start = to.Fresh("start"), of_each = to.Fresh("start_of_each");
  to.Emit("Gather", {starts, axis}, {start});
  to.Emit("Expand", {start, batch}, {of_each});
  to.Emit("TensorScatter", {cache, update, of_each}, {to.Write(0, order, TensorForm::kNumbers)});
  to.Set("axis", AxisIn(order, rank, moved[0]));
}

// Rows of the data, put together by the segment that each belongs to.
void EmitSegments(TfliteTranslator& to) {
  const TfliteTensor& out = to.out(0);
  if (out.elem != ElemType::kFloat || to.in(1).rank() != 1 || ElementsOf(out.dims) < 0) return to.EmitOpaque();
  const StrId shape = to.Ints("shape", out.dims), zeros = to.Fresh("zeros"), last = to.Ints("axes", {1});
  to.Emit("ConstantOfShape", {shape}, {zeros});
  const StrId ids = to.ReadSizes(1), rows = to.Fresh("rows"), data = to.Read(0, Order::kStored);
  to.Emit("Unsqueeze", {ids, last}, {rows});
  to.Emit("ScatterND", {zeros, rows, data}, {to.Write(0, Order::kStored)});
  to.Set("reduction", RowOf(to).onnx);
}

}  // namespace hwest

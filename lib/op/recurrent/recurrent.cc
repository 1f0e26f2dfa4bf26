// Recurrent layers: LSTM, GRU, RNN.
#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/batch_axis.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"

namespace hwest {
namespace {

// D directions over S steps of B sequences with I inputs and H hidden units.
struct RecurrentSizes {
  Dim steps, batch, inputs, hidden;
  int64_t directions = 1;
  bool batch_first = false;
};

// X [S, B, I], or [B, S, I] with layout 1; W [D, gates * H, I]; R [D, gates * H, H].
absl::StatusOr<RecurrentSizes> ReadSizes(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 3));
  for (const int i : {0, 1, 2}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 3, 3));
  const Shape& x = op.in(0).shape;
  RecurrentSizes sizes;
  sizes.batch_first = op.attr("layout", int64_t{0}) == 1;
  sizes.directions = op.attr("direction", "forward") == "bidirectional" ? 2 : 1;
  sizes.steps = DimOr(x, sizes.batch_first ? 1 : 0);
  sizes.batch = DimOr(x, sizes.batch_first ? 0 : 1);
  sizes.inputs = DimOr(x, 2).is_unknown() ? DimOr(op.in(1).shape, 2) : DimOr(x, 2);
  sizes.hidden = DimOr(op.in(2).shape, 2);
  const int64_t declared = op.attr("hidden_size", int64_t{0});
  if (declared > 0 && !sizes.hidden.is_constant()) sizes.hidden = declared;
  if (declared > 0 && sizes.hidden.value() != declared) {
    return absl::InvalidArgumentError(
        absl::StrCat("hidden_size is ", declared, ", R has ", sizes.hidden.value(), " columns"));
  }
  return sizes;
}

// Outputs Y [S, D, B, H], Y_h and (LSTM) Y_c [D, B, H]; batch first with layout 1.
absl::Status InferRecurrent(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const RecurrentSizes s, ReadSizes(ctx));
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(ctx.in(0).shape, 2), DimOr(ctx.in(1).shape, 2)).status());
  for (const int i : {1, 2}) {
    HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(ctx.in(i).shape, 0), s.directions).status());
  }
  const ElemType elem = ctx.in(0).elem;
  const Dim d = s.directions;
  ctx.set_out(
      0, elem,
      Shape(s.batch_first ? Shape::Dims{s.batch, s.steps, d, s.hidden} : Shape::Dims{s.steps, d, s.batch, s.hidden}));
  for (const int i : {1, 2}) {
    ctx.set_out(i, elem, Shape(s.batch_first ? Shape::Dims{s.batch, d, s.hidden} : Shape::Dims{d, s.batch, s.hidden}));
  }
  return absl::OkStatus();
}

// Every step multiplies gates * H rows with the I inputs and the H hidden units: D*S*B * gates*H * (I+H).
absl::StatusOr<Work> RecurrentWork(const OpView& op, int64_t gates, const PerElement& per_unit) {
  HWEST_ASSIGN_OR_RETURN(const RecurrentSizes s, ReadSizes(op));
  DimPool& dims = op.dims();
  const Dim rows = dims.Mul(s.hidden, gates);
  const Dim depth = dims.Add(s.inputs, s.hidden);
  const Dim serial = dims.Mul(s.steps, s.directions);
  Contraction contraction{
      .kind = ContractionKind::kRecurrent, .batch = serial, .m = s.batch, .n = rows, .k = depth, .kernel_elements = 1};
  Work work;
  AddContraction(dims, work, std::move(contraction), dims.Product({serial, s.batch, rows, depth}), Operands::kFloat);
  AddOps(dims, work, dims.Product({serial, s.batch, s.hidden}), per_unit);
  return work;
}

absl::StatusOr<Work> WorkLstm(const OpView& op) {
  return RecurrentWork(op, 4, {.add = 9, .mul = 3, .transcendental = 5});
}

absl::StatusOr<Work> WorkGru(const OpView& op) {
  return RecurrentWork(op, 3, {.add = 7, .mul = 3, .transcendental = 3});
}

absl::StatusOr<Work> WorkRnn(const OpView& op) { return RecurrentWork(op, 1, {.add = 2, .transcendental = 1}); }

// clang-format off
constexpr OpRule kRecurrentRules[] = {
    {.op = "GRU", .versions = "1 3 7 14 22", .infer = InferRecurrent, .work = WorkGru, .parameters = Inputs({1, 2, 3})},
    {.op = "LSTM", .versions = "1 7 14 22", .infer = InferRecurrent, .work = WorkLstm,
     .parameters = Inputs({1, 2, 3, 7})},
    {.op = "RNN", .versions = "1 7 14 22", .infer = InferRecurrent, .work = WorkRnn, .parameters = Inputs({1, 2, 3})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> RecurrentRules() { return kRecurrentRules; }

int BatchAxisOf(const Graph& graph, NodeId node) {
  const bool is_recurrent =
      std::any_of(std::begin(kRecurrentRules), std::end(kRecurrentRules),
                  [&](const OpRule& rule) { return graph.op(node) == rule.op && graph.domain(node) == rule.domain; });
  if (!is_recurrent) return 0;
  const Attribute* layout = graph.FindAttribute(node, "layout");
  return layout != nullptr && layout->i == 1 ? 0 : 1;
}

}  // namespace hwest

#include "op/check.h"

#include <numeric>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace hwest {

absl::Status RequireInputs(const OpView& op, int count) {
  for (int i = 0; i < count; ++i) {
    if (op.has_input(i)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(op.op(), " expects ", count, " inputs, input ", i, " of ", op.num_inputs(), " is absent"));
  }
  return absl::OkStatus();
}

absl::Status RequireRank(const OpView& op, int i, int min_rank, int max_rank) {
  if (!op.has_input(i)) return absl::OkStatus();
  const Type& type = op.in(i);
  if (type.kind != ValueKind::kTensor && type.kind != ValueKind::kUnknown) {
    return absl::InvalidArgumentError(
        absl::StrCat(op.op(), " expects a tensor as input ", i, ", found a ", ValueKindName(type.kind)));
  }
  if (!type.shape.ranked()) return absl::OkStatus();
  const int rank = type.shape.rank();
  if (rank >= min_rank && rank <= max_rank) return absl::OkStatus();
  const std::string wanted = min_rank == max_rank   ? absl::StrCat("rank ", min_rank)
                             : max_rank == kAnyRank ? absl::StrCat("rank ", min_rank, " or more")
                                                    : absl::StrCat("rank ", min_rank, " to ", max_rank);
  return absl::InvalidArgumentError(
      absl::StrCat(op.op(), " expects ", wanted, " for input ", i, ", found ", ToString(type.shape, op.dims())));
}

absl::Status RequireSize(const OpView& op, Dim size) {
  if (op.dims().LessEqual(size, -1) != Tri::kTrue) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(op.op(), " expects sizes of 0 or more, found ", op.dims().ToString(size)));
}

absl::StatusOr<int> NormalizeAxis(int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) {
    return absl::InvalidArgumentError(absl::StrCat("axis ", axis, " is outside a rank of ", rank));
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

absl::StatusOr<std::vector<int>> ListedAxes(const OpView& op, int rank) {
  std::vector<int> axes(static_cast<size_t>(rank));
  std::iota(axes.begin(), axes.end(), 0);
  if (!op.has_attr("axes")) return axes;
  axes.clear();
  for (const int64_t named : op.ints("axes")) {
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(named, rank));
    axes.push_back(axis);
  }
  return axes;
}

}  // namespace hwest

#include "op/coordinates.h"

#include <algorithm>
#include <utility>

namespace hwest {

void ForEachCoordinate(const std::vector<int64_t>& dims, absl::FunctionRef<void(absl::Span<const int64_t>)> fn) {
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return;
  std::vector<int64_t> at(dims.size(), 0);
  while (true) {
    fn(at);
    size_t axis = dims.size();
    while (axis > 0 && ++at[axis - 1] == dims[axis - 1]) at[--axis] = 0;
    if (axis == 0) return;
  }
}

void TakeByCoordinates(InferContext& ctx, int in, int out,
                       absl::FunctionRef<int64_t(absl::Span<const int64_t>)> index) {
  const Known known = ctx.known(in);
  const auto dims = SmallDims(ctx.out(out).shape);
  if (known == nullptr || !dims.has_value()) return;
  std::vector<Scalar> values;
  ForEachCoordinate(*dims, [&](absl::Span<const int64_t> at) {
    const int64_t source = index(at);
    const bool inside = source >= 0 && source < static_cast<int64_t>(known->size());
    values.push_back(inside ? (*known)[static_cast<size_t>(source)] : Scalar());
  });
  ctx.set_known(out, std::move(values));
}

}  // namespace hwest

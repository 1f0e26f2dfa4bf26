// Other sizes of a static export: the length of its sequences or the size of its images is written into the operands of
// Reshape, Expand, Resize and Slice nodes, and into constants of one entry for each position. Inference at other sizes
// follows them.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/analysis.h"
#include "hwest/diagnostic.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "pass/bind.h"
#include "pass/follower.h"

namespace hwest {

class OpRules;

// Resized compares the shapes of values with those at the exported sizes: an axis carries another one where it
// differs.
class Resized final : public Follower {
 public:
  using Sizes = std::pair<int64_t, int64_t>;  // exported, asked for

  // `before` are the facts at the exported sizes; what was followed to is kept in `changes`. All must outlive this.
  Resized(const Graph& graph, const Facts& before, std::vector<Sizes> sizes, SizeChanges* changes)
      : graph_(graph), before_(before), sizes_(std::move(sizes)), changes_(changes) {}

  void Prepare(NodeId node, Facts* now) const override;
  std::optional<Followed> Follow(NodeId node, const Facts& now) const override;
  // Of element-wise nodes: operands that do not change with the sizes, on axes where others of the same size do.
  bool Widen(NodeId node, Facts* now) const override;

 private:
  struct Change {
    std::vector<int64_t> before, now;
  };
  std::optional<Change> ChangeOf(ValueId value, const Facts& now) const;
  std::optional<Followed> Find(NodeId node, const Facts& now) const;
  bool Split(int64_t before, int64_t now, absl::Span<int64_t> target) const;
  std::optional<std::vector<int64_t>> Regrouped(const Change& data, std::vector<int64_t> target) const;

  const Graph& graph_;
  const Facts& before_;
  const std::vector<Sizes> sizes_;
  SizeChanges* const changes_;
};

// InferResized is Infer for inputs bound by `request`, which asks for other sizes than a static export has; it fills
// `bound.changes`. Errors: kBindConflict, naming the first node that works at the exported sizes only.
absl::StatusOr<Facts> InferResized(const Graph& graph, const BindRequest& request, BoundInputs& bound, DimPool& dims,
                                   std::vector<Diagnostic>& diagnostics, const OpRules* rules);

}  // namespace hwest

// ai.onnx.ml: ensembles of decision trees. The trees are attributes: parallel lists with one entry a node.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"
#include "op/ml/ml_common.h"
#include "op/tables.h"

namespace hwest {
namespace {

constexpr int64_t kLeaf = -1;

// Children of every node by index, kLeaf where a decision ends. A leaf that is a node of its own has none.
struct Forest {
  std::vector<std::array<int64_t, 2>> children;
  std::vector<int64_t> roots;
};

using NodeKey = std::pair<int64_t, int64_t>;  // tree, node

// Trees of TreeEnsembleClassifier and TreeEnsembleRegressor: children by tree and node id, leaves by mode. None when
// the lists contradict each other.
std::optional<Forest> ReadKeyedForest(const OpView& op) {
  const auto trees = op.ints("nodes_treeids"), nodes = op.ints("nodes_nodeids");
  const std::array<absl::Span<const int64_t>, 2> next = {op.ints("nodes_truenodeids"), op.ints("nodes_falsenodeids")};
  const auto modes = op.strings("nodes_modes");
  const size_t count = nodes.size();
  if (trees.size() != count || modes.size() != count || next[0].size() != count || next[1].size() != count) {
    return std::nullopt;
  }
  absl::flat_hash_map<NodeKey, int64_t> index;
  index.reserve(count);
  for (size_t i = 0; i < count; ++i) index.try_emplace({trees[i], nodes[i]}, static_cast<int64_t>(i));
  Forest forest;
  forest.children.assign(count, {kLeaf, kLeaf});
  std::vector<bool> is_child(count, false);
  for (size_t i = 0; i < count; ++i) {
    if (op.graph().str(modes[i]) == "LEAF") continue;
    for (size_t side = 0; side < 2; ++side) {
      const auto child = index.find({trees[i], next[side][i]});
      if (child == index.end()) return std::nullopt;
      forest.children[i][side] = child->second;
      is_child[static_cast<size_t>(child->second)] = true;
    }
  }
  for (size_t i = 0; i < count; ++i) {
    if (!is_child[i]) forest.roots.push_back(static_cast<int64_t>(i));
  }
  return forest;
}

// Trees of TreeEnsemble: children by index, leaves flagged.
std::optional<Forest> ReadIndexedForest(const OpView& op) {
  const std::array<absl::Span<const int64_t>, 2> next = {op.ints("nodes_truenodeids"), op.ints("nodes_falsenodeids")};
  const std::array<absl::Span<const int64_t>, 2> leaf = {op.ints("nodes_trueleafs"), op.ints("nodes_falseleafs")};
  const size_t count = next[0].size();
  if (next[1].size() != count || leaf[0].size() != count || leaf[1].size() != count) return std::nullopt;
  const auto inside = [count](int64_t i) { return i >= 0 && static_cast<size_t>(i) < count; };
  Forest forest;
  forest.children.assign(count, {kLeaf, kLeaf});
  for (size_t i = 0; i < count; ++i) {
    for (size_t side = 0; side < 2; ++side) {
      if (leaf[side][i] != 0) continue;
      if (!inside(next[side][i])) return std::nullopt;
      forest.children[i][side] = next[side][i];
    }
  }
  for (const int64_t root : op.ints("tree_roots")) {
    if (!inside(root)) return std::nullopt;
    forest.roots.push_back(root);
  }
  return forest;
}

struct Visit {
  int64_t node;
  int64_t depth;  // decisions above it
};

// Whether leaves are entries of the lists too.
enum class Nodes { kWithLeaves, kDecisionsOnly };

// Decisions on the longest way through each tree, summed over the trees. None when a node is met twice or never: then
// the lists describe no trees.
std::optional<int64_t> LongestWays(const Forest& forest, Nodes nodes) {
  int64_t sum = 0;
  size_t met = 0;
  std::vector<Visit> open;
  for (const int64_t root : forest.roots) {
    int64_t longest = 0;
    open.push_back({root, 0});
    while (!open.empty()) {
      const Visit visit = open.back();
      open.pop_back();
      if (++met > forest.children.size()) return std::nullopt;
      const auto& children = forest.children[static_cast<size_t>(visit.node)];
      const bool decides = nodes == Nodes::kDecisionsOnly || children[0] != kLeaf;
      longest = std::max(longest, visit.depth + (decides ? 1 : 0));
      for (const int64_t child : children) {
        if (child != kLeaf) open.push_back({child, visit.depth + 1});
      }
    }
    sum += longest;
  }
  return met == forest.children.size() ? std::optional<int64_t>(sum) : std::nullopt;
}

// One compare for each decision on the longest way of each tree, at most.
absl::StatusOr<Work> TreeWork(const OpView& op, std::optional<int64_t> decisions) {
  HWEST_ASSIGN_OR_RETURN(const Samples samples, ReadSamples(op));
  Work work;
  const Dim compares = decisions.has_value() ? op.dims().Mul(samples.rows, *decisions) : Dim::Unknown();
  AddOps(op.dims(), work, compares, {.compare = 1});
  // A decision reads its row of the table, no more than all of them are read.
  const int64_t table = TableBytes(op.graph(), op.node());
  const int64_t row = table / std::max<int64_t>(1, static_cast<int64_t>(op.ints("nodes_featureids").size())) + 1;
  work.table_bytes = op.dims().Min(op.dims().Mul(compares, row), table);
  return work;
}

absl::StatusOr<Work> WorkKeyedTrees(const OpView& op) {
  const std::optional<Forest> forest = ReadKeyedForest(op);
  return TreeWork(op, forest.has_value() ? LongestWays(*forest, Nodes::kWithLeaves) : std::nullopt);
}

absl::StatusOr<Work> WorkIndexedTrees(const OpView& op) {
  const std::optional<Forest> forest = ReadIndexedForest(op);
  return TreeWork(op, forest.has_value() ? LongestWays(*forest, Nodes::kDecisionsOnly) : std::nullopt);
}

absl::StatusOr<int64_t> NumTreeTargets(const OpView& op) {
  const int64_t targets = op.attr("n_targets", int64_t{1});
  if (targets >= 1) return targets;
  return absl::InvalidArgumentError(absl::StrCat(op.op(), " expects targets, found ", targets));
}

// X [N, F] -> [N, targets] in the type of X.
absl::Status InferTreeEnsemble(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Samples samples, ReadSamples(ctx));
  HWEST_ASSIGN_OR_RETURN(const int64_t targets, NumTreeTargets(ctx));
  ctx.set_out(0, ctx.in(0).elem, Shape({samples.rows, targets}));
  return absl::OkStatus();
}

absl::Status InferTreeRegressor(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Samples samples, ReadSamples(ctx));
  HWEST_ASSIGN_OR_RETURN(const int64_t targets, NumTreeTargets(ctx));
  ctx.set_out(0, ElemType::kFloat, Shape({samples.rows, targets}));
  return absl::OkStatus();
}

absl::Status InferTreeClassifier(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Samples samples, ReadSamples(ctx));
  const Labels labels = ReadLabels(ctx, "classlabels_int64s", "classlabels_strings");
  if (labels.count == 0) return absl::InvalidArgumentError("TreeEnsembleClassifier expects class labels");
  SetClasses(ctx, samples.rows, labels.elem, labels.count);
  return absl::OkStatus();
}

constexpr OpRule Row(absl::string_view op, absl::string_view versions, InferFn infer, WorkFn work,
                     absl::string_view learned) {
  // clang-format off
  return {.domain = kMlDomain, .op = op, .versions = versions, .infer = infer, .known = nullptr, .work = work,
          .op_class = OpClass::kCompute, .traits = trait::kHoldsTables, .learned = learned};
  // clang-format on
}

constexpr OpRule kMlTreeRules[] = {
    Row("TreeEnsemble", "5", InferTreeEnsemble, WorkIndexedTrees, "nodes_splits leaf_weights membership_values"),
    Row("TreeEnsembleClassifier", "1 3 5", InferTreeClassifier, WorkKeyedTrees,
        "nodes_values nodes_values_as_tensor class_weights class_weights_as_tensor base_values base_values_as_tensor"),
    Row("TreeEnsembleRegressor", "1 3 5", InferTreeRegressor, WorkKeyedTrees,
        "nodes_values nodes_values_as_tensor target_weights target_weights_as_tensor base_values "
        "base_values_as_tensor"),
};

}  // namespace

absl::Span<const OpRule> MlTreeRules() { return kMlTreeRules; }

}  // namespace hwest

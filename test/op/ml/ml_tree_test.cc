#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

// Two trees: tree 0 decides at most twice (0 -> 1, 2; 1 -> 3, 4), tree 1 at most once.
std::vector<TestAttr> TwoTrees() {
  return {Ints("nodes_treeids", {0, 0, 0, 0, 0, 1, 1, 1}), Ints("nodes_nodeids", {0, 1, 2, 3, 4, 0, 1, 2}),
          Ints("nodes_truenodeids", {1, 3, 0, 0, 0, 1, 0, 0}), Ints("nodes_falsenodeids", {2, 4, 0, 0, 0, 2, 0, 0}),
          Strings("nodes_modes", {"BRANCH_LEQ", "BRANCH_LT", "LEAF", "LEAF", "LEAF", "BRANCH_EQ", "LEAF", "LEAF"})};
}

std::vector<TestAttr> Plus(std::vector<TestAttr> attrs, TestAttr attr) {
  attrs.push_back(std::move(attr));
  return attrs;
}

OpCase Trees(const std::string& op, std::vector<TestAttr> attrs, const std::string& x = "float[N, 4]") {
  return {.op = op, .inputs = {x}, .attrs = std::move(attrs), .domain_version = 3};
}

// The same trees with leaves apart: nodes 0, 1 of the first tree, 2 of the second.
OpCase IndexedTrees(std::vector<int64_t> true_nodes, std::vector<int64_t> roots = {0, 2}) {
  return {.op = "ai.onnx.ml::TreeEnsemble",
          .inputs = {"double[N, 4]"},
          .attrs = {Int("n_targets", 2), Ints("tree_roots", std::move(roots)),
                    Ints("nodes_truenodeids", std::move(true_nodes)), Ints("nodes_falsenodeids", {0, 2, 4}),
                    Ints("nodes_trueleafs", {0, 1, 1}), Ints("nodes_falseleafs", {1, 1, 1})},
          .domain_version = 5};
}

TEST_CASE("tree ensembles: shapes from attributes, compares on the longest ways") {
  const std::string classifier = "ai.onnx.ml::TreeEnsembleClassifier", regressor = "ai.onnx.ml::TreeEnsembleRegressor";
  // clang-format off
  CheckRows({
      {"regressor", Trees(regressor, Plus(TwoTrees(), Int("n_targets", 2))), {"float[N, 2]"}, "0", "compare=3*N"},
      {"classifier", Trees(classifier, Plus(TwoTrees(), Ints("classlabels_int64s", {0, 1, 2})), "int64[5, 4]"),
       {"int64[5]", "float[5, 3]"}, "0", "compare=15"},
      {"classifier of names, one sample",
       Trees(classifier, Plus(TwoTrees(), Strings("classlabels_strings", {"a", "b"})), "float[4]"),
       {"string[1]", "float[1, 2]"}, "0", "compare=3"},
      {"leaves apart", IndexedTrees({1, 1, 3}), {"double[N, 2]"}, "0", "compare=3*N"},
      {"no trees", Trees(regressor, {}), {"float[N, 1]"}},
  });
  // clang-format on
  CheckRefused(Trees("ai.onnx.ml::TreeEnsembleClassifier", TwoTrees()), "class labels");
  CheckRefused(Trees("ai.onnx.ml::TreeEnsembleRegressor", {Int("n_targets", 0)}), "targets");
}

TEST_CASE("tree ensembles: lists that are no trees leave the work unknown") {
  const auto ops = [](const OpCase& op) { return RunOp(op).ops(); };
  CHECK(ops(IndexedTrees({0, 1, 3})) == "compare=?");          // a node under itself
  CHECK(ops(IndexedTrees({1, 1, 3}, {0, 9})) == "compare=?");  // a root that is not there
  CHECK(ops(IndexedTrees({9, 1, 3})) == "compare=?");
  CHECK(ops(IndexedTrees({1, 1})) == "compare=?");
  std::vector<TestAttr> dangling = TwoTrees();
  dangling[2].ints[0] = 77;
  CHECK(ops(Trees("ai.onnx.ml::TreeEnsembleRegressor", dangling)) == "compare=?");
  std::vector<TestAttr> cycle = TwoTrees();
  cycle[2].ints[1] = 0;
  CHECK(ops(Trees("ai.onnx.ml::TreeEnsembleRegressor", cycle)) == "compare=?");
}

}  // namespace
}  // namespace hwest

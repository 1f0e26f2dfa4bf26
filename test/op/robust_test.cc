#include <algorithm>
#include <random>

#include "absl/strings/str_cat.h"
#include "op/op_fixture.h"
#include "support/catch.h"
#include "support/effort.h"

namespace hwest {
namespace {

// A scalar or a short list of small integers.
std::string RandomContents(std::mt19937& random) {
  const int length = static_cast<int>(random() % 6) - 1;
  std::string text = length < 0 ? "int64[] = {" : absl::StrCat("int64[", length, "] = {");
  for (int i = 0; i < std::abs(length); ++i)
    absl::StrAppend(&text, i > 0 ? ", " : "", static_cast<int>(random() % 7) - 2);
  return text + "}";
}

std::string RandomInput(std::mt19937& random) {
  const auto pick = [&random](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  const char* const elems[] = {"float", "int64", "uint8", "bool"};
  const std::string elem = elems[pick(4)];
  switch (pick(7)) {
    case 0: return "";
    case 1: return elem + "?";
    case 3: return "map " + elem;
    case 2: return RandomContents(random);
    default: break;
  }
  const char* const dims[] = {"0", "1", "2", "3", "4", "7", "N", "?"};
  std::string text = elem + "[";
  for (int axis = pick(6); axis > 0; --axis) text += std::string(dims[pick(8)]) + (axis > 1 ? ", " : "");
  return text + "]";
}

// Attributes that many operators read, with values in and out of range.
std::vector<TestAttr> RandomAttrs(std::mt19937& random) {
  std::vector<TestAttr> attrs;
  const int64_t values[] = {-9, -1, 0, 1, 2, 3, INT64_MAX, INT64_MIN};
  for (const char* name : {"axis",
                           "group",
                           "num_heads",
                           "kv_num_heads",
                           "K",
                           "N",
                           "k",
                           "channels",
                           "bits",
                           "to",
                           "sampling_ratio",
                           "hidden_size",
                           "keepdims",
                           "ceil_mode",
                           "gather_axis",
                           "blocksize",
                           "start",
                           "end",
                           "num_outputs",
                           "batch_dims",
                           "allowzero",
                           "upper",
                           "fmod",
                           "dtype",
                           "onesided",
                           "inverse",
                           "sample_size",
                           "maxsplit",
                           "targets",
                           "n_targets",
                           "max_map",
                           "max_gram_length",
                           "max_skip_count",
                           "n_supports"}) {
    if (random() % 3 == 0) attrs.push_back(Int(name, values[random() % 8]));
  }
  for (const char* name : {"kernel_shape",
                           "pads",
                           "strides",
                           "dilations",
                           "axes",
                           "perm",
                           "output_shape",
                           "starts",
                           "ends",
                           "shape",
                           "split",
                           "ngram_indexes",
                           "inputdimensions",
                           "classlabels_ints",
                           "nodes_treeids",
                           "nodes_nodeids",
                           "nodes_truenodeids",
                           "nodes_falsenodeids",
                           "tree_roots",
                           "nodes_trueleafs",
                           "nodes_falseleafs",
                           "vectors_per_class"}) {
    if (random() % 4 != 0) continue;
    std::vector<int64_t> list(random() % 6);
    for (int64_t& value : list) value = values[random() % 8];
    attrs.push_back(Ints(name, std::move(list)));
  }
  const char* const equations[] = {"",           "ij,jk", "...i,...", "a->aa", "ii->i",
                                   "i...j->...", "..",    "->",       ",,",    "a,b,c->cab"};
  if (random() % 3 == 0) attrs.push_back(Str("equation", equations[random() % 10]));
  const char* const words[] = {"", "add", "linear", "SAME_UPPER", "VALID", "cubic", "delta", "bidirectional"};
  for (const char* name : {"auto_pad", "mode", "reduction", "update_rule", "direction", "activation"}) {
    if (random() % 6 == 0) attrs.push_back(Str(name, words[random() % 8]));
  }
  return attrs;
}

bool HasNegativeSize(const Shape& shape) {
  const auto negative = [](Dim dim) { return dim.is_constant() && dim.value() < 0; };
  return shape.ranked() && std::any_of(shape.dims().begin(), shape.dims().end(), negative);
}

TEST_CASE("every rule survives inputs of any rank, type and number, and gives no negative size") {
  std::mt19937 random(1);
  const uint64_t rounds = test::Cases(200);
  for (const OpRule& rule : AllRules()) {
    for (uint64_t round = 0; round < rounds; ++round) {
      OpCase op{.op = rule.domain.empty() ? std::string(rule.op) : absl::StrCat(rule.domain, "::", rule.op)};
      op.opset = 1 + static_cast<int>(random() % 28);
      op.domain_version = 1 + static_cast<int>(random() % 5);
      for (size_t i = random() % 10; i > 0; --i) op.inputs.push_back(RandomInput(random));
      op.attrs = RandomAttrs(random);
      op.outputs = static_cast<int>(random() % 4);
      INFO(op.op << " round " << round);
      const OpRun run = RunOp(op);
      CHECK((run.inferred.ok() || absl::IsInvalidArgument(run.inferred)));
      for (int i = 0; i < op.outputs; ++i) CHECK_FALSE(HasNegativeSize(run.view().out(i).shape));
    }
  }
}

TEST_CASE("the compares of a sort are counted for the largest sizes") {
  CHECK(RunOp({.op = "Unique", .inputs = {"float[8]"}}).ops() == "compare=24");
  // 2^62 + 1 elements, 63 compares each: more than fits, so not known; what counts is that an answer comes.
  CHECK(RunOp({.op = "Unique", .inputs = {"float[4611686018427387905]"}}).ops() == "compare=?");
}

}  // namespace
}  // namespace hwest

// OpRules: shape and cost of custom operators, as a user writes them in a file. One rule is a line with the operator's
// name and operands, followed by statements, one per line:
//
//   # deformable attention
//   my.domain::DeformAttn(value, shapes, loc, w) -> out
//     rank value = 4
//     shape out = [value.0, loc.1, value.2 * value.3]
//     dtype out = value
//     macs = 2 * numel(loc) * value.3                  or, to be costed as a matrix product: matmul = [batch, m, n, k]
//     ops add = numel(out)
//     class = compute
//
// Expressions are integers, + - * // % ( ), min max ceildiv broadcast, and: x.0 or x.-1 (size of an axis), x[0]
// (element of contents that are known), numel(x), rank(x), @name or @name.0 (attribute), attr(name, default).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/type.h"
#include "hwest/work.h"
#include "op/rule.h"

namespace hwest {

// One node of an expression; `a` and `b` are indices into CustomRule::terms, smaller than the node's own.
struct RuleTerm {
  enum class Kind : uint8_t {
    kNumber,
    kAxis,
    kContents,
    kAttribute,
    kElements,
    kRank,
    kAdd,
    kSub,
    kMul,
    kFloorDiv,
    kMod,
    kMin,
    kMax,
    kCeilDiv,
    kBroadcast,
  };
  Kind kind = Kind::kNumber;
  int64_t number = 0;  // the number, axis, index of an element; of an attribute, index in a list, -1 = no list
  int operand = 0;     // kAxis, kContents, kElements, kRank: input i, or output ~i
  std::string attribute;
  std::optional<int64_t> fallback;  // of an attribute that is absent
  int a = 0, b = 0;
};

// What a rule says of one output. Without `shape` and `like` the shape is unknown.
struct OutputRule {
  std::optional<std::vector<int>> shape;  // roots among the terms, one per axis
  std::optional<int> like;                // has the shape of this input
  std::optional<ElemType> elem;
  std::optional<int> elem_of;  // has the element type of this input; default input 0
};

struct CustomRule {
  std::vector<std::string> inputs, outputs;
  std::vector<OutputRule> results;             // by output
  std::vector<std::pair<int, int64_t>> ranks;  // of inputs
  std::vector<RuleTerm> terms;
  std::optional<int> macs;
  std::optional<std::array<int, 4>> matmul;  // batch, m, n, k; their product is the macs
  std::array<std::optional<int>, kNumOpKinds> ops;
  OpClass op_class = OpClass::kCompute;
};

class OpRules {
 public:
  // Parse reads the text of a file that messages call `name`. Errors: kUsage with "NAME:LINE:COLUMN: found X, expected
  // Y", also for an operator that has a native rule, or two rules.
  static absl::StatusOr<OpRules> Parse(absl::string_view text, absl::string_view name);

  // Null when there is no rule. "ai.onnx" is the default domain.
  const CustomRule* Find(absl::string_view domain, absl::string_view op) const;
  bool empty() const { return rules_.empty(); }
  // Domain ("" = ai.onnx) and operator of every rule, sorted.
  std::vector<std::pair<std::string, std::string>> Names() const;

 private:
  std::map<std::pair<std::string, std::string>, CustomRule> rules_;
};

// The rule for a node; null without rules.
const CustomRule* FindCustomRule(const OpRules* rules, const Graph& graph, NodeId node);

// As the functions of an OpRule. A size that an expression needs and that is not known leaves the result unknown.
absl::Status InferCustom(const CustomRule& rule, InferContext& ctx);
Work CustomWork(const CustomRule& rule, const OpView& op);

}  // namespace hwest

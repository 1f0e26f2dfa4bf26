// Site: one match of a rule, and what its figures and checks may ask about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "fuse/matcher.h"
#include "hwest/analysis.h"
#include "rewrite/edited_model.h"
#include "rewrite/rules.h"

namespace hwest {

// Place is a match with its names bound.
struct Place {
  const RewriteRule* rule = nullptr;
  Match match;
  std::vector<ValueId> values;  // by slot of the rule's pattern; none where an optional part was missing
  int64_t of_model = 0;         // what the rule asked of the model as a whole
};

// A number as replacements write a float attribute or a constant.
std::string FloatText(double number);

class Site {
 public:
  // `model` may be null: then what only its file can tell is not known.
  Site(const Analysis& analysis, const EditedModel* model, const Place& place)
      : analysis_(analysis), model_(model), place_(place) {}

  const Graph& graph() const { return *analysis_.graph; }
  const Facts& facts() const { return analysis_.facts; }
  const DimPool& dims() const { return *analysis_.dims; }
  bool has_model() const { return model_ != nullptr; }
  const EditedModel& model() const { return *model_; }
  const Place& place() const { return place_; }
  NodeId root() const { return place_.match.root; }
  // Version of the default domain's operators that replacements are written in.
  int opset() const;
  GuardContext guards() const { return {graph(), facts(), analysis_.classes, NumberMatch::kOfType}; }

  // The value of that name; "root" is the first output of the match. None when the match left it out.
  ValueId ValueOf(absl::string_view name) const;
  // The node that makes it; none for inputs and constants.
  NodeId NodeOf(absl::string_view name) const;
  const Type& TypeOf(ValueId value) const { return facts().values[value].type; }
  ElemType elem() const { return TypeOf(graph().outputs(root())[0]).elem; }

  // Rank; -1 when not known.
  int RankOf(ValueId value) const;
  // Every size of the shape; none when not all are constants.
  std::optional<std::vector<int64_t>> SizesOf(ValueId value) const;
  // Attribute, or input `input` where the operator's version has it there; none when neither is known.
  std::optional<std::vector<int64_t>> IntsOf(NodeId node, absl::string_view attribute, size_t input) const;
  int64_t IntOf(NodeId node, absl::string_view attribute, int64_t fallback) const;
  double FloatOf(NodeId node, absl::string_view attribute, double fallback) const;
  std::string TextOf(NodeId node, absl::string_view attribute, absl::string_view fallback) const;
  bool HasAttribute(NodeId node, absl::string_view attribute) const;
  ValueId InputOf(NodeId node, size_t index) const;
  // Contents of a constant as numbers; none when they are not known.
  std::optional<std::vector<double>> NumbersOf(ValueId value) const;
  // Contents of a constant of integers; none when they are not known.
  std::optional<std::vector<int64_t>> KnownInts(ValueId value) const;
  // Position of the initialiser that the value is; -1 when it is none, or callers of the model may replace it.
  int64_t InitializerOf(ValueId value) const;
  bool IsFixed(ValueId value) const;
  // Whether a node that multiplies matrices, a convolution included, makes the value.
  bool IsProduct(ValueId value) const;
  bool IsConstant(ValueId value) const { return IsConst(guards(), value) && IsFixed(value); }

 private:
  const Analysis& analysis_;
  const EditedModel* model_;
  const Place& place_;
};

}  // namespace hwest

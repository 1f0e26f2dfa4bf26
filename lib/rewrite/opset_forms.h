// Forms: how an operator is written in an older operator set.
//
// Most versions of an operator only take more types. Others moved an attribute to an input, or added one whose default
// is what the operator did before: these go back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/analysis.h"
#include "rewrite/edited_model.h"

namespace hwest {

// The oldest operator set that the table of versions is complete for.
inline constexpr int kOldestOpset = 9;

// The version of an operator of the default domain that operator set `opset` has; 0 = it has none.
int VersionIn(absl::string_view op, int opset);
// The last version up to that operator set, taken out again or not; 0 = there was none yet.
int LastVersion(absl::string_view op, int opset);
// Versions of the operator after `older`, up to `newer`, latest first.
std::vector<int> StepsBetween(absl::string_view op, int older, int newer);
// Whether that version takes the types of the node's first input and output.
bool TakesTypes(const Analysis& analysis, NodeId node, int version);

// Form is a node of the file's main graph on its way to an older operator set.
class Form {
 public:
  Form(const Analysis& analysis, NodeId node, const RawNode& raw, EditedModel* model)
      : analysis_(analysis), node_(node), raw_(raw), model_(*model) {}

  const RawNode& raw() const { return raw_; }
  bool changed() const { return changed_; }
  const std::vector<Constant>& constants() const { return constants_; }  // new ones that it reads
  const Analysis& analysis() const { return analysis_; }
  NodeId node() const { return node_; }
  absl::string_view op() const { return model_.text(raw_.op); }

  const RawAttribute* Find(absl::string_view name) const;
  int64_t Int(absl::string_view name, int64_t fallback) const;
  std::string Text(absl::string_view name, absl::string_view fallback) const;
  bool HasInput(size_t input) const { return input < raw_.inputs.size() && !Absent(raw_.inputs[input]); }
  bool HasOutput(size_t output) const;  // that somebody reads
  const Type& TypeOf(size_t input) const;
  int RankOf(size_t input) const;  // -1 = unknown
  // The elements of an input that is constant.
  std::optional<std::vector<int64_t>> Ints(size_t input) const;
  std::optional<std::vector<double>> Numbers(size_t input) const;
  bool MayHoldZero(size_t input) const;
  // Sizes of an input or, with `of_output`, of the first output.
  std::optional<std::vector<int64_t>> Sizes(size_t input, bool of_output = false) const;

  void Drop(absl::string_view attribute);
  void DropInput(size_t input);  // and later ones
  void SetInts(absl::string_view attribute, std::vector<int64_t> values);
  void SetInt(absl::string_view attribute, int64_t value);
  void SetFloat(absl::string_view attribute, float value);
  void SetText(absl::string_view attribute, absl::string_view text);
  void SetTensor(absl::string_view attribute, Constant constant);
  // In place of an input: a new constant of these numbers.
  void SetConstant(size_t input, ElemType elem, std::vector<double> numbers, std::vector<int64_t> dims);

 private:
  ValueId ValueOf(size_t input) const;
  RawAttribute& Put(absl::string_view name, AttrKind kind);

  const Analysis& analysis_;
  NodeId node_;
  RawNode raw_;
  EditedModel& model_;
  bool changed_ = false;
  std::vector<Constant> constants_;
  absl::flat_hash_map<StrId, std::vector<double>> made_;  // the numbers of these
};

// Takes the form from version `since` of its operator to the one before. "" = done, else why that cannot be.
std::string StepDown(int since, Form* form);
// Whether the step does anything beside forbidding types.
bool HasForm(absl::string_view op, int since);

}  // namespace hwest

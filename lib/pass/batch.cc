#include "pass/batch.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace hwest {
namespace {

constexpr double kShareThatGrows = 0.9;  // the rest prepares weights or masks once
constexpr double kMostPerImage = 1.001;  // images compared with each other, as in contrastive models; attention is more
constexpr int kLeastCacheRank = 3;       // positions and features of one layer, or of all

bool IsBatchName(absl::string_view name) {
  return name == "N" || absl::StartsWith(absl::AsciiStrToLower(name), "batch");
}

const Shape* RankedTensor(const Type& type) { return type.is_tensor() && type.shape.ranked() ? &type.shape : nullptr; }

// Whether `after` may be `before` one step later: equal but for one fixed axis that is longer, or for free ones.
bool MayContinue(const Shape& before, const Shape& after) {
  if (before.rank() != after.rank() || before.rank() < kLeastCacheRank) return false;
  bool longer = false, differs = false;
  for (int axis = 0; axis < before.rank(); ++axis) {
    const Dim old_size = before.dim(axis), new_size = after.dim(axis);
    if (old_size == new_size) continue;
    differs = true;
    if (!old_size.is_constant()) continue;
    if (longer || !new_size.is_constant() || new_size.value() < old_size.value()) return false;
    longer = true;
  }
  return differs;
}

class BatchFinder {
 public:
  BatchFinder(const Graph& graph, const std::vector<Type>& inputs, const DimPool& dims)
      : graph_(graph), inputs_(inputs), dims_(dims) {}

  BatchAxes Run(const std::vector<bool>& given);

 private:
  bool IsContinued(const Shape& input) const;
  void Sort(const std::vector<bool>& given);
  bool TakeNamed();
  void TakeLeading();
  std::string WhyNotCommon() const;
  void TakeBeside();
  const Shape& shape(size_t input) const { return inputs_[input].shape; }
  Dim lead(size_t input) const { return shape(input).dim(0); }
  std::string text(size_t input) const { return InputText(graph_, input, inputs_, dims_); }

  const Graph& graph_;
  const std::vector<Type>& inputs_;
  const DimPool& dims_;
  std::vector<size_t> deciding_;  // inputs of rank 2 or more that have a say
  std::vector<size_t> others_;    // without a say
  BatchAxes found_;
};

bool BatchFinder::IsContinued(const Shape& input) const {
  const std::vector<ValueId>& outputs = graph_.main().outputs;
  return std::any_of(outputs.begin(), outputs.end(), [&](ValueId output) {
    const Type* declared = graph_.declared(output);
    const Shape* shape = declared != nullptr ? RankedTensor(*declared) : nullptr;
    return shape != nullptr && MayContinue(input, *shape);
  });
}

// An image may be smaller than the image made of it, so where nothing else is left the outputs continue nothing.
void BatchFinder::Sort(const std::vector<bool>& given) {
  std::vector<size_t> continued;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Shape* shape = RankedTensor(inputs_[i]);
    if (shape == nullptr || shape->rank() == 0 || given[i] || graph_.value(graph_.main().inputs[i]).is_initializer)
      continue;
    (shape->rank() < 2 ? others_ : IsContinued(*shape) ? continued : deciding_).push_back(i);
  }
  std::vector<size_t>& with_continued = deciding_.empty() ? deciding_ : others_;
  with_continued.insert(with_continued.end(), continued.begin(), continued.end());
}

// The dim called batch or N, once in each deciding input.
bool BatchFinder::TakeNamed() {
  for (const Dim candidate : shape(deciding_[0]).dims()) {
    const SymbolId symbol = dims_.AsSymbol(candidate);
    if (!symbol.valid()) continue;
    if (!IsBatchName(dims_.symbol(symbol).name) && !IsBatchName(dims_.symbol(symbol).text)) continue;
    found_.axes.clear();
    for (const size_t input : deciding_) {
      const auto all = shape(input).dims();
      if (std::count(all.begin(), all.end(), candidate) != 1) break;
      found_.axes.emplace_back(input, static_cast<int>(std::find(all.begin(), all.end(), candidate) - all.begin()));
    }
    found_.named = symbol;
    if (found_.axes.size() == deciding_.size()) return true;
  }
  found_ = {};
  return false;
}

// Exporters give one batch several symbols, so symbols can be equal; a fixed size is equal to itself only.
std::string BatchFinder::WhyNotCommon() const {
  const size_t first = deciding_[0];
  for (const size_t input : deciding_) {
    const auto all = shape(input).dims();
    if (!lead(input).is_constant() && std::count(all.begin(), all.end(), lead(input)) > 1) {
      return absl::StrCat("the leading dim of ", text(input), " is another of its dims, too");
    }
    const bool fixed = lead(first).is_constant() || lead(input).is_constant();
    if (fixed && !(lead(first) == lead(input))) {
      return absl::StrCat(text(first), " and ", text(input), " have no leading dim in common");
    }
  }
  return "";
}

void BatchFinder::TakeLeading() {
  found_.missing = WhyNotCommon();
  if (!found_.missing.empty()) return;
  for (const size_t input : deciding_) found_.axes.emplace_back(input, 0);
}

void BatchFinder::TakeBeside() {
  const auto [first, axis] = found_.axes[0];
  const Dim batch = shape(first).dim(axis);
  found_.fixed = batch.is_constant();
  for (const size_t input : others_) {
    const bool is_vector = shape(input).rank() == 1;
    if (lead(input) == batch && found_.fixed && is_vector) {
      found_.vectors.push_back(input);
    } else if (lead(input) == batch || (!lead(input).is_constant() && !found_.fixed && !found_.named.valid())) {
      found_.beside.push_back(input);
    }
  }
}

BatchAxes BatchFinder::Run(const std::vector<bool>& given) {
  Sort(given);
  if (deciding_.empty()) {
    found_.missing = "no input has a rank of 2 or more";
    return std::move(found_);
  }
  if (!TakeNamed()) TakeLeading();
  if (found_.found()) TakeBeside();
  return std::move(found_);
}

}  // namespace

BatchAxes FindBatchAxes(const Graph& graph, const std::vector<Type>& inputs, const std::vector<bool>& given,
                        const DimPool& dims) {
  return BatchFinder(graph, inputs, dims).Run(given);
}

std::optional<int64_t> CommonSize(const BatchAxes& axes, const std::vector<Type>& inputs) {
  std::optional<int64_t> common;
  for (const auto& [input, axis] : axes.axes) {
    const Dim size = inputs[input].shape.dim(axis);
    if (!size.is_constant() || (common.has_value() && *common != size.value())) return std::nullopt;
    common = size.value();
  }
  return common;
}

bool SomeOutputHolds(const Graph& graph, const BatchAxes& axes, const Facts& facts, int64_t size) {
  const std::vector<ValueId>& outputs = graph.main().outputs;
  return std::any_of(outputs.begin(), outputs.end(), [&](ValueId output) {
    const Type* declared = graph.declared(output);
    const Shape* named = declared != nullptr && axes.named.valid() ? RankedTensor(*declared) : nullptr;
    const auto is_named = [&](Dim dim) { return graph.dims().AsSymbol(dim) == axes.named; };
    if (named != nullptr && std::any_of(named->dims().begin(), named->dims().end(), is_named)) return true;
    const Shape* shape = RankedTensor(facts.values[output].type);
    return shape != nullptr && shape->rank() > 0 && shape->dim(0).IsConstant(size);
  });
}

bool GrowsWithBatch(Dim few, Dim many, double ratio) {
  if (!few.is_constant() || !many.is_constant()) return true;
  const double expected = ratio * static_cast<double>(few.value()), found = static_cast<double>(many.value());
  return kShareThatGrows * expected <= found && found <= kMostPerImage * expected;
}

std::string InputText(const Graph& graph, size_t input, const std::vector<Type>& inputs, const DimPool& dims) {
  return absl::StrCat("input '", graph.name(graph.main().inputs[input]), "' ", ToString(inputs[input].shape, dims));
}

std::string BatchRemedy(const Graph& graph, const std::vector<Type>& inputs, const DimPool& dims) {
  constexpr absl::string_view kExport = "export it with a batch as the leading dim of its inputs and outputs";
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Shape* shape = RankedTensor(inputs[i]);
    if (shape == nullptr || shape->rank() == 0) continue;
    return absl::StrCat(kExport, ", e.g. '", graph.name(graph.main().inputs[i]), "' as [N, ",
                        ToString(*shape, dims).substr(1));
  }
  return std::string(kExport);
}

}  // namespace hwest

#include "analysis/tokens.h"

#include <algorithm>

#include "op/rule.h"
#include "pass/caches.h"
#include "pass/classify.h"

namespace hwest {
namespace {

constexpr size_t kMaxSteps = 32;  // values looked at behind one input

// Of operators between an input of ids and the table: ids stay ids.
constexpr Traits kKeepIds = trait::kKeepsElements | trait::kConverts | trait::kClamps;

class Finder {
 public:
  explicit Finder(const Analysis& analysis) : analysis_(analysis), graph_(*analysis.graph) {}

  std::optional<int64_t> Run() const {
    int64_t vocabulary = 0;
    std::optional<int64_t> tokens;
    for (const ValueId input : graph_.main().inputs) {
      const int64_t rows = IsIds(input) ? RowsPicked(input) : 0;
      if (rows <= vocabulary) continue;
      vocabulary = rows;
      tokens = SizeOf(input);
    }
    const bool is_token_model =
        tokens.has_value() && (HasLogits(vocabulary) || !FindCaches(graph_, analysis_.facts).empty());
    return is_token_model ? tokens : std::nullopt;
  }

 private:
  const Type& TypeOf(ValueId value) const { return analysis_.facts.values[value].type; }
  bool IsIds(ValueId input) const {
    const Type& type = TypeOf(input);
    return !graph_.value(input).is_initializer && type.is_tensor() && IsInteger(type.elem) &&
           ElemBits(type.elem) >= 32 && type.shape.ranked() && type.shape.rank() >= 1;
  }
  std::optional<int64_t> SizeOf(ValueId value) const {
    const Dim elements = TypeOf(value).shape.Elements(*analysis_.dims);
    return elements.is_constant() ? std::optional<int64_t>(elements.value()) : std::nullopt;
  }
  int64_t RowsPicked(ValueId input) const;
  int64_t TableRows(const Use& use) const;
  bool HasLogits(int64_t vocabulary) const;

  const Analysis& analysis_;
  const Graph& graph_;
};

// Rows of the constant table that `use` picks from; 0 when it does not.
int64_t Finder::TableRows(const Use& use) const {
  const std::optional<Work>& work = analysis_.work[use.node];
  if (!work.has_value()) return 0;
  const absl::Span<const ValueId> inputs = graph_.inputs(use.node);
  int64_t rows = 0;
  for (size_t i = 0; i < inputs.size() && i < work->reads.size(); ++i) {
    if (i == use.input || !work->reads[i].has_value() || !inputs[i].valid()) continue;
    const Type& table = TypeOf(inputs[i]);
    if (!IsConstantValue(graph_, analysis_.classes, inputs[i]) || !table.shape.ranked() || table.shape.rank() != 2)
      continue;
    if (table.shape.dim(0).is_constant()) rows = std::max(rows, table.shape.dim(0).value());
  }
  return rows;
}

int64_t Finder::RowsPicked(ValueId input) const {
  std::vector<ValueId> open = {input};
  int64_t rows = 0;
  for (size_t i = 0; i < open.size() && i < kMaxSteps; ++i) {
    for (const Use& use : graph_.uses(open[i])) {
      rows = std::max(rows, TableRows(use));
      if (use.input == 0 && HasTrait(graph_, use.node, kKeepIds)) open.push_back(graph_.outputs(use.node)[0]);
    }
  }
  return rows;
}

bool Finder::HasLogits(int64_t vocabulary) const {
  for (const ValueId output : graph_.main().outputs) {
    const Type* type = output.valid() ? &TypeOf(output) : nullptr;
    if (type == nullptr || !type->is_tensor() || !IsFloat(type->elem) || !type->shape.ranked()) continue;
    for (const Dim dim : type->shape.dims()) {
      if (dim.is_constant() && dim.value() == vocabulary) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<int64_t> TokensOf(const Analysis& analysis) { return Finder(analysis).Run(); }

std::optional<double> TokensPerSecond(const Analysis& analysis, const Plan& plan) {
  const std::optional<int64_t> tokens = plan.interval_s > 0 ? TokensOf(analysis) : std::nullopt;
  return tokens.has_value() ? std::optional<double>(static_cast<double>(*tokens) / plan.interval_s) : std::nullopt;
}

}  // namespace hwest

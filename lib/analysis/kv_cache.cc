// The key/value cache of a graph and the sizes of one step.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"
#include "hwest/dim.h"
#include "hwest/generation.h"

namespace hwest {
namespace {

constexpr absl::string_view kRemedy =
    "export the model with its past keys and values as inputs of free length; without them each token costs a run over "
    "all of them, which --dim shows";

// One axis along which an output continues an input.
struct Growth {
  Dim past, step;
  std::vector<std::pair<SymbolId, int64_t>> stated;  // symbols of the input whose size the output states
};

const Shape* TensorShape(const Analysis& analysis, ValueId value) {
  const Type& type = analysis.facts.values[value].type;
  return type.kind == ValueKind::kTensor && type.shape.ranked() ? &type.shape : nullptr;
}

// How `output` continues `input`; none when it does not.
std::optional<Growth> GrowthOf(DimPool& dims, const Shape& input, const Shape& output) {
  if (input.rank() != output.rank()) return std::nullopt;
  std::optional<Growth> growth;
  std::vector<std::pair<SymbolId, int64_t>> stated;
  for (int axis = 0; axis < input.rank(); ++axis) {
    const Dim before = input.dim(axis), after = output.dim(axis);
    if (before == after) continue;
    const SymbolId symbol = dims.AsSymbol(before);
    if (!symbol.valid()) return std::nullopt;
    if (after.is_constant()) {
      stated.emplace_back(symbol, after.value());
      continue;
    }
    const Dim step = dims.Sub(after, before);
    const bool is_size = dims.AsSymbol(step).valid() || (step.is_constant() && step.value() > 0);
    if (growth.has_value() || !is_size || step == before) return std::nullopt;
    growth = Growth{.past = before, .step = step, .stated = {}};
  }
  if (growth.has_value()) growth->stated = std::move(stated);
  return growth;
}

class Finder {
 public:
  explicit Finder(const Analysis& analysis) : analysis_(analysis), graph_(*analysis.graph), dims_(*analysis.dims) {}

  absl::StatusOr<KeyValueCache> Run() {
    HWEST_RETURN_IF_ERROR(FindPairs());
    if (cache_.inputs.empty()) {
      return MakeError(Code::kUsage, "the graph keeps no key/value cache: no output continues an input along one axis",
                       kRemedy, {"--dim"});
    }
    NameLengths();
    if (step_.valid()) cache_.step = dims_.symbol(step_).name;
    SortOthers();
    return std::move(cache_);
  }

 private:
  absl::Status FindPairs();
  absl::Status Take(ValueId input, const Growth& growth);
  int64_t WindowOf(ValueId input) const;
  void NameLengths();
  void SortOthers();
  void Place(SymbolId symbol, int axis);

  const Analysis& analysis_;
  const Graph& graph_;
  DimPool& dims_;
  KeyValueCache cache_;
  SymbolId step_;
  std::vector<std::pair<SymbolId, int64_t>> pasts_;  // with the most tokens that the cache holds, 0 = all
  std::vector<SymbolId> known_;
};

absl::Status Finder::FindPairs() {
  std::vector<uint8_t> taken(graph_.main().outputs.size(), 0);
  for (const ValueId input : graph_.main().inputs) {
    if (graph_.value(input).is_initializer) continue;
    const Shape* before = TensorShape(analysis_, input);
    if (before == nullptr) continue;
    for (size_t o = 0; o < taken.size(); ++o) {
      const ValueId output = graph_.main().outputs[o];
      const Shape* after = taken[o] == 0 && output.valid() ? TensorShape(analysis_, output) : nullptr;
      const std::optional<Growth> growth = after != nullptr ? GrowthOf(dims_, *before, *after) : std::nullopt;
      if (!growth.has_value()) continue;
      taken[o] = 1;
      HWEST_RETURN_IF_ERROR(Take(input, *growth));
      break;
    }
  }
  return absl::OkStatus();
}

absl::Status Finder::Take(ValueId input, const Growth& growth) {
  const SymbolId past = dims_.AsSymbol(growth.past), step = dims_.AsSymbol(growth.step);
  const bool is_first = cache_.inputs.empty();
  if (!is_first && step != step_) {
    return MakeError(Code::kUsage,
                     absl::StrCat("the caches of the graph grow by steps of their own, as that of ",
                                  graph_.str(graph_.value(input).name)),
                     "bind the tokens of a step with --dim", {"--dim"});
  }
  if (is_first) {
    step_ = step;
    known_ = {step};
    if (growth.step.is_constant()) cache_.fixed_step = growth.step.value();
  }
  const auto same = [past](const std::pair<SymbolId, int64_t>& length) { return length.first == past; };
  if (std::none_of(pasts_.begin(), pasts_.end(), same)) {
    pasts_.emplace_back(past, WindowOf(input));
    known_.push_back(past);
  }
  for (const auto& [symbol, size] : growth.stated) {
    if (std::find(known_.begin(), known_.end(), symbol) != known_.end()) continue;
    known_.push_back(symbol);
    cache_.sizes.emplace_back(dims_.symbol(symbol).name, size);
  }
  cache_.inputs.push_back(input);
  return absl::OkStatus();
}

// The window that who reads the cache states; 0 = none.
int64_t Finder::WindowOf(ValueId input) const {
  for (const Use& use : graph_.uses(input)) {
    const Attribute* window = graph_.FindAttribute(use.node, "local_window_size");
    if (window != nullptr && window->kind == AttrKind::kInt && window->i > 0) return window->i;
  }
  return 0;
}

// The first cache without a window names the context.
void Finder::NameLengths() {
  auto longest = std::find_if(pasts_.begin(), pasts_.end(), [](const auto& length) { return length.second == 0; });
  if (longest == pasts_.end()) longest = pasts_.begin();
  cache_.past = dims_.symbol(longest->first).name;
  for (auto other = pasts_.begin(); other != pasts_.end(); ++other) {
    if (other != longest) cache_.pasts.emplace_back(dims_.symbol(other->first).name, other->second);
  }
}

// What is left free leads an input, and is the batch, or is the length of a mask or of positions.
void Finder::SortOthers() {
  for (const ValueId input : graph_.main().inputs) {
    const Shape* shape = graph_.value(input).is_initializer ? nullptr : TensorShape(analysis_, input);
    for (int axis = 0; shape != nullptr && axis < shape->rank(); ++axis) {
      const SymbolId symbol = dims_.AsSymbol(shape->dim(axis));
      if (symbol.valid() && !dims_.symbol(symbol).data_dependent) Place(symbol, axis);
    }
  }
}

void Finder::Place(SymbolId symbol, int axis) {
  if (std::find(known_.begin(), known_.end(), symbol) != known_.end()) return;
  known_.push_back(symbol);
  const std::string& name = dims_.symbol(symbol).name;
  if (axis == 0) {
    cache_.sizes.emplace_back(name, 1);
  } else {
    cache_.totals.push_back(name);
  }
}

}  // namespace

absl::StatusOr<KeyValueCache> FindCache(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request) {
  AnalysisRequest shapes;
  shapes.bind = request.bind;
  shapes.op_rules = request.op_rules;
  HWEST_ASSIGN_OR_RETURN(const Analysis analysis, Analyze(graph, shapes));
  return Finder(analysis).Run();
}

AnalysisRequest StepOf(const KeyValueCache& cache, const AnalysisRequest& request, int64_t tokens, int64_t past) {
  AnalysisRequest step = request;
  step.bind.dims.emplace_back(cache.past, past);
  for (const auto& [name, window] : cache.pasts) {
    step.bind.dims.emplace_back(name, window > 0 ? std::min(past, window) : past);
  }
  if (!cache.step.empty()) step.bind.dims.emplace_back(cache.step, tokens);
  for (const std::string& total : cache.totals) step.bind.dims.emplace_back(total, past + tokens);
  for (const auto& [name, size] : cache.sizes) step.bind.dims.emplace_back(name, size);
  return step;
}

}  // namespace hwest

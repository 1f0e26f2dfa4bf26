#include <utility>

#include "absl/strings/str_cat.h"
#include "fuzz/entries.h"
#include "fuzz/model_check.h"
#include "fuzz/require.h"
#include "hwest/analysis.h"

namespace hwest::test {
namespace {

// A GPU with its engines, a systolic unit and vector units, each with a CPU beside it.
constexpr const char* kTargets[] = {"jetson-orin", "tda4vm", "sa8295p"};

constexpr int64_t kMostAskedSize = 1 << 20;

// A target that is read once.
const std::shared_ptr<const Target>& OneTarget() {
  static const auto& target = *new std::shared_ptr<const Target>([] {
    absl::StatusOr<Target> loaded = LoadTarget("tda4vm");
    RequireKnownError(loaded.status());
    return std::make_shared<const Target>(*std::move(loaded));
  }());
  return target;
}

// The constant axes from the third on, twice as long: images and sequences of other sizes.
void AskSizes(const Analysis& unbound, BindRequest* bind) {
  for (const ValueId input : unbound.graph->main().inputs) {
    const Shape& shape = unbound.facts.values[input].type.shape;
    if (!shape.ranked()) continue;
    for (int axis = 2; axis < shape.rank(); ++axis) {
      const Dim size = shape.dim(axis);
      if (!size.is_constant() || size.value() > kMostAskedSize) continue;
      bind->resized.emplace_back(absl::StrCat(unbound.graph->name(input), ".", axis), 2 * size.value());
    }
  }
}

// Whole shapes, where they are not known in the file.
void AskShapes(const Analysis& unbound, BindRequest* bind) {
  for (const ValueId input : unbound.graph->main().inputs) {
    const Shape& shape = unbound.facts.values[input].type.shape;
    const int rank = shape.ranked() ? shape.rank() : 2;
    bind->shapes.emplace_back(std::string(unbound.graph->name(input)),
                              std::vector<int64_t>(static_cast<size_t>(rank), 4));
  }
}

// One number as the contents of every input, and sizes that depend on data.
void AskContents(const Analysis& unbound, BindRequest* bind) {
  Constant constant{.elem = ElemType::kInt64, .dims = {1}, .storage = Storage::kDecoded};
  constant.data = std::string("\2\0\0\0\0\0\0\0", 8);
  constant.length = 8;
  for (const ValueId input : unbound.graph->main().inputs) {
    bind->values.emplace_back(std::string(unbound.graph->name(input)), constant);
  }
  bind->expect.emplace_back("*", 5);
}

// What a user may ask of the file beside its plan, picked by its length.
AnalysisRequest RequestFor(absl::string_view bytes, const Analysis& unbound) {
  AnalysisRequest request;
  request.bind = SmallBind(unbound, 1);
  request.loaded = OneTarget();
  const size_t pick = bytes.size() % 8;
  if (pick == 1) request.bind.batch = 3;
  if (pick == 2) AskSizes(unbound, &request.bind);
  if (pick == 3) AskShapes(unbound, &request.bind);
  if (pick == 4) AskContents(unbound, &request.bind);
  const absl::Span<const ConventionInfo> conventions = AllConventions();
  if (pick >= 3) request.flops_as = conventions[pick % conventions.size()].convention;
  return request;
}

}  // namespace

void RunModel(absl::string_view bytes) {
  const std::shared_ptr<const Graph> graph = LoadChecked(bytes);
  if (graph == nullptr) return;
  const std::optional<Analysis> unbound = AnalyzeChecked(graph, {});
  AnalyzeChecked(graph, RequestFor(bytes, *unbound));
}

void RunReports(absl::string_view bytes) {
  const std::shared_ptr<const Graph> graph = LoadChecked(bytes);
  if (graph == nullptr) return;
  const std::optional<Analysis> unbound = AnalyzeChecked(graph, {});
  CheckReports(*unbound);
  AnalysisRequest request;
  request.bind = SmallBind(*unbound, 1);
  request.target = kTargets[bytes.size() % std::size(kTargets)];
  const std::optional<Analysis> planned = AnalyzeChecked(graph, request);
  if (planned.has_value()) CheckReports(*planned);
}

}  // namespace hwest::test

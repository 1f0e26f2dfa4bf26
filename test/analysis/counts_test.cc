// The cost of an analysis, in counts that other load on the machine does not affect: a change that rereads patterns or
// targets, or computes what no figure needs, exceeds a limit here.
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include "hwest/analysis.h"
#include "support/catch.h"
#include "support/source_dir.h"

namespace {

thread_local int64_t allocations = 0;

void* Allocate(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return Allocate(bytes); }
void* operator new[](std::size_t bytes) { return Allocate(bytes); }
// The forms that return null as well: std::stable_sort takes its buffer from one and frees it with the delete below.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes > 0 ? bytes : 1);
}
void* operator new[](std::size_t bytes, const std::nothrow_t& tag) noexcept { return operator new(bytes, tag); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace hwest {
namespace {

struct Counted {
  absl::StatusOr<Analysis> analysis;
  int64_t allocations = 0;
};

template <class Ask>
Counted Count(Ask ask) {
  const int64_t before = allocations;
  Counted counted{ask(), 0};
  counted.allocations = allocations - before;
  REQUIRE(counted.analysis.ok());
  return counted;
}

// Limits are about half above what it takes.
TEST_CASE("what an analysis allocates") {
  struct Case {
    const char* model;
    int64_t fresh;  // most allocations of a second analysis
    int64_t kept;   // the same with an Analyzer
  };
  const Case c = GENERATE(values<Case>({
      {"/test/models/mobilenet_v2.ts.onnx", 8'000, 3'700},
      {"/examples/models/resnet18.onnx", 4'000, 2'100},
  }));
  const auto graph = *LoadModel(std::string(HWEST_SOURCE_DIR) + c.model);
  const AnalysisRequest request{.target = "jetson-orin"};
  const Counted first = Count([&] { return Analyze(graph, request); });
  const Counted fresh = Count([&] { return Analyze(graph, request); });
  const Analyzer analyzer(graph);
  const Counted filling = Count([&] { return analyzer.Analyze(request); });
  const Counted kept = Count([&] { return analyzer.Analyze(request); });
  CAPTURE(c.model, first.allocations, filling.allocations);
  CHECK(fresh.allocations < c.fresh);
  CHECK(kept.allocations < c.kept);
  CHECK(kept.allocations < fresh.allocations);
}

TEST_CASE("a target is read once, and so is what a toolchain fuses") {
  const auto graph = *LoadModel(std::string(HWEST_SOURCE_DIR) + "/test/models/mobilenet_v2.ts.onnx");
  const Analyzer analyzer(graph);
  const auto one = analyzer.Analyze({.target = "jetson-orin"}), two = analyzer.Analyze({.target = "jetson-orin"});
  REQUIRE(two.ok());
  CHECK(one->target == two->target);
  CHECK(one->shared == two->shared);
  for (size_t u = 0; u < one->overlays.size(); ++u) CHECK(one->overlays[UnitId(u)] == two->overlays[UnitId(u)]);
}

// The points of a sweep: the second card takes over what follows from the model, the toolchains and the precision.
TEST_CASE("a target with the toolchains of another one costs a part of an analysis") {
  const auto graph = *LoadModel(std::string(HWEST_SOURCE_DIR) + "/examples/models/resnet18.onnx");
  const AnalysisRequest one{.target = "a100"}, other{.target = "l4"};
  Count([&] { return Analyze(graph, other); });
  const Counted fresh = Count([&] { return Analyze(graph, other); });
  const Analyzer analyzer(graph);
  Count([&] { return analyzer.Analyze(one); });
  const Counted kept = Count([&] { return analyzer.Analyze(other); });
  CAPTURE(fresh.allocations, kept.allocations);
  CHECK(kept.allocations < 1'450);
  CHECK(kept.allocations * 4 < fresh.allocations * 3);
}

// Both have about the same number of operators and blocks; an analysis looks at those, and not at what a tensor holds.
TEST_CASE("MobileNetV2 costs an analysis no more by node than ResNet") {
  const auto by_node = [](const char* model) {
    const auto graph = *LoadModel(std::string(HWEST_SOURCE_DIR) + model);
    Count([&] { return Analyze(graph, {.target = "jetson-orin"}); });
    const Counted counted = Count([&] { return Analyze(graph, {.target = "jetson-orin"}); });
    return static_cast<double>(counted.allocations) / static_cast<double>(graph->nodes().size());
  };
  const double ratio = by_node("/test/models/mobilenet_v2.ts.onnx") / by_node("/examples/models/resnet18.onnx");
  CHECK(ratio < 1.5);
}

}  // namespace
}  // namespace hwest

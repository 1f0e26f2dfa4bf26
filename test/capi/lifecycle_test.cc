// Handles can be released in any order, and the remaining ones keep working. LeakSanitizer finds leaks.
#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "capi_fixture.h"

namespace hwest::test {
namespace {

// One of every kind of handle over one model and target, with a use of each that touches what it may share.
class Handles {
 public:
  Handles() {
    model_ = LoadFile(kResnet).release();
    target_ = LoadTargetNamed("jetson-orin").release();
    cancel_ = Made<hwest_cancel>([](auto** out) { return hwest_cancel_create(out); });
    hwest_options options = TargetOptions(nullptr);
    options.loaded = target_;
    options.cancel = cancel_;
    analysis_ = AnalyzeWith(model_, &options).release();
    explanation_ = Explain(analysis_, "#20").release();
    report_ = Made<hwest_buffer>([&](auto** out) { return hwest_report_buffer(analysis_, nullptr, out); });
  }
  ~Handles() {
    for (int i = 0; i < kCount; ++i) Free(i);
  }

  static constexpr int kCount = 6;

  void Free(int i) {
    switch (i) {
      case 0: return Release(model_, hwest_model_free);
      case 1: return Release(target_, hwest_target_free);
      case 2: return Release(cancel_, hwest_cancel_free);
      case 3: return Release(analysis_, hwest_analysis_free);
      case 4: return Release(explanation_, hwest_explanation_free);
      default: return Release(report_, hwest_buffer_free);
    }
  }

  // Uses every handle that is still there.
  void Use() const {
    if (model_ != nullptr) CHECK(hwest_model_input_count(model_) == 1);
    if (target_ != nullptr) CHECK(hwest_target_unit_count(target_) > 1);
    if (cancel_ != nullptr) CHECK(hwest_cancel_requested(cancel_) == 0);
    if (analysis_ != nullptr) {
      hwest_group group = {};
      group.struct_size = sizeof group;
      CHECK(hwest_analysis_group_get(analysis_, 0, &group) == HWEST_OK);
      CHECK(std::string(group.unit).size() > 1);
      CHECK(hwest_analysis_node_count(analysis_) > 10);
    }
    if (explanation_ != nullptr) {
      hwest_move move = {};
      move.struct_size = sizeof move;
      CHECK(hwest_explanation_move_get(explanation_, 0, &move) == HWEST_OK);
      hwest_fusion fusion = {};
      fusion.struct_size = sizeof fusion;
      CHECK(hwest_explanation_fusion(explanation_, &fusion) == HWEST_OK);
    }
    if (report_ != nullptr) CHECK(hwest_buffer_data(report_)[hwest_buffer_size(report_)] == '\0');
  }

 private:
  template <class Handle>
  static void Release(Handle*& handle, void (*free)(Handle*)) {
    free(handle);
    handle = nullptr;
  }

  hwest_model* model_ = nullptr;
  hwest_target* target_ = nullptr;
  hwest_cancel* cancel_ = nullptr;
  hwest_analysis* analysis_ = nullptr;
  hwest_explanation* explanation_ = nullptr;
  hwest_buffer* report_ = nullptr;
};

TEST_CASE("any order of release") {
  std::vector<int> order(Handles::kCount);
  std::iota(order.begin(), order.end(), 0);
  int orders = 0;
  do {
    if (++orders % 12 != 1) continue;  // each handle is still the first and the last one somewhere
    Handles handles;
    for (const int i : order) {
      handles.Free(i);
      handles.Use();
    }
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(orders == 720);
}

TEST_CASE("a call that fails makes nothing that has to be released") {
  const std::string bytes = BytesOf(kResnet);
  const ModelHandle model = LoadFile(kResnet);
  const AnalysisHandle analysis = AnalyzeFile(kResnet, "jetson-orin");
  hwest_options nowhere = TargetOptions("nowhere");
  hwest_options too_wide = TargetOptions("jetson-orin");
  too_wide.precision = "fp12";
  hwest_report_options wrong = {};
  wrong.struct_size = sizeof wrong;
  wrong.kind = HWEST_REPORT_EXPLAIN;
  wrong.format = HWEST_FORMAT_PNG;
  for (int i = 0; i < 3; ++i) {
    hwest_model* no_model = nullptr;
    hwest_target* no_target = nullptr;
    hwest_analysis* no_analysis = nullptr;
    hwest_buffer* no_buffer = nullptr;
    hwest_explanation* no_explanation = nullptr;
    CHECK(hwest_model_load_memory(bytes.data(), bytes.size() / 2, nullptr, &no_model) != HWEST_OK);
    CHECK(hwest_target_load_memory("name:", 5, nullptr, &no_target) != HWEST_OK);
    CHECK(hwest_analyze(model.get(), &nowhere, &no_analysis) != HWEST_OK);
    CHECK(hwest_analyze(model.get(), &too_wide, &no_analysis) != HWEST_OK);
    CHECK(hwest_report_buffer(analysis.get(), &wrong, &no_buffer) != HWEST_OK);
    CHECK(hwest_explain(analysis.get(), "nobody", &no_explanation) != HWEST_OK);
  }
}

}  // namespace
}  // namespace hwest::test

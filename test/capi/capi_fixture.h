// Handles for tests of the C ABI.
#pragma once

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "hwest.h"
#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest::test {

using ModelHandle = std::unique_ptr<hwest_model, decltype(&hwest_model_free)>;
using AnalysisHandle = std::unique_ptr<hwest_analysis, decltype(&hwest_analysis_free)>;
using TargetHandle = std::unique_ptr<hwest_target, decltype(&hwest_target_free)>;
using TargetListHandle = std::unique_ptr<hwest_target_list, decltype(&hwest_target_list_free)>;
using LintHandle = std::unique_ptr<hwest_lint, decltype(&hwest_lint_free)>;
using WhatIfHandle = std::unique_ptr<hwest_what_if, decltype(&hwest_what_if_free)>;
using GenerationHandle = std::unique_ptr<hwest_generation, decltype(&hwest_generation_free)>;
using ExplanationHandle = std::unique_ptr<hwest_explanation, decltype(&hwest_explanation_free)>;
using CancelHandle = std::unique_ptr<hwest_cancel, decltype(&hwest_cancel_free)>;

inline const char kResnet[] = HWEST_SOURCE_DIR "/examples/models/resnet18.onnx";
inline const char kBert[] = HWEST_SOURCE_DIR "/test/models/bert-base_128.ts.onnx";
// Scores of `seq` new tokens against `past` ones: two heads of four elements, keys kept from run to run. By hand.
inline const char kDecoder[] = HWEST_SOURCE_DIR "/test/capi/decoder.onnx";

// The handle that `make` hands out; an error fails the running test.
template <class Handle, class Make>
Handle* Made(Make make) {
  Handle* handle = nullptr;
  const hwest_status status = make(&handle);
  INFO(hwest_last_error_message());
  REQUIRE(status == HWEST_OK);
  return handle;
}

inline TargetHandle LoadTargetNamed(const char* name) {
  return {Made<hwest_target>([&](auto** out) { return hwest_target_load(name, out); }), hwest_target_free};
}

inline TargetListHandle ListOfTargets() {
  return {Made<hwest_target_list>([](auto** out) { return hwest_target_list_create(out); }), hwest_target_list_free};
}

inline LintHandle LintOf(const std::string& text) {
  return {Made<hwest_lint>([&](auto** out) { return hwest_lint_create(text.data(), text.size(), nullptr, out); }),
          hwest_lint_free};
}

inline WhatIfHandle WhatIfOf(const hwest_analysis* analysis) {
  return {Made<hwest_what_if>([&](auto** out) { return hwest_what_if_create(analysis, nullptr, nullptr, out); }),
          hwest_what_if_free};
}

inline ExplanationHandle Explain(const hwest_analysis* analysis, const char* node) {
  return {Made<hwest_explanation>([&](auto** out) { return hwest_explain(analysis, node, out); }),
          hwest_explanation_free};
}

inline ModelHandle LoadFile(const char* path) {
  hwest_model* model = nullptr;
  const hwest_status status = hwest_model_load(path, &model);
  INFO(hwest_last_error_message());
  REQUIRE(status == HWEST_OK);
  return {model, hwest_model_free};
}

inline hwest_options TargetOptions(const char* target) {
  hwest_options options = {};
  options.struct_size = sizeof options;
  options.target = target;
  return options;
}

inline AnalysisHandle AnalyzeWith(const hwest_model* model, const hwest_options* options) {
  hwest_analysis* analysis = nullptr;
  const hwest_status status = hwest_analyze(model, options, &analysis);
  INFO(hwest_last_error_message());
  REQUIRE(status == HWEST_OK);
  return {analysis, hwest_analysis_free};
}

inline GenerationHandle GenerationOf(const hwest_model* model, const hwest_options& options,
                                     const std::vector<int64_t>& contexts) {
  return {Made<hwest_generation>([&](auto** out) {
            return hwest_generation_create(model, &options, contexts.data(), contexts.size(), out);
          }),
          hwest_generation_free};
}

inline AnalysisHandle AnalyzeFile(const char* path, const char* target) {
  const hwest_options options = TargetOptions(target);
  return AnalyzeWith(LoadFile(path).get(), &options);
}

inline hwest_totals TotalsOf(const hwest_analysis* analysis) {
  hwest_totals totals = {};
  totals.struct_size = sizeof totals;
  REQUIRE(hwest_analysis_totals(analysis, &totals) == HWEST_OK);
  return totals;
}

inline std::string BytesOf(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace hwest::test

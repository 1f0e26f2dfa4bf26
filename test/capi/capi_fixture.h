// Handles for tests of the C ABI.
#pragma once

#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "hwest.h"
#include "support/catch.h"

namespace hwest::test {

using ModelHandle = std::unique_ptr<hwest_model, decltype(&hwest_model_free)>;
using AnalysisHandle = std::unique_ptr<hwest_analysis, decltype(&hwest_analysis_free)>;

inline const char kResnet[] = HWEST_SOURCE_DIR "/examples/models/resnet18.onnx";
inline const char kBert[] = HWEST_SOURCE_DIR "/test/models/bert-base_128.ts.onnx";

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

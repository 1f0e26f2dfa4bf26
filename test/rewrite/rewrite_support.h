// Helpers shared by the tests of rewriting.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hwest/rewrite.h"
#include "rewrite/edited_model.h"
#include "rewrite/write.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest::test {

inline std::string BytesOf(const EditedModel& model) {
  std::string bytes;
  const auto totals = WriteModel(model, [&](absl::string_view part) {
    bytes.append(part.data(), part.size());
    return absl::OkStatus();
  });
  INFO(totals.status());
  REQUIRE(totals.ok());
  REQUIRE(totals->bytes == static_cast<int64_t>(bytes.size()));
  return bytes;
}

inline EditedModel Opened(const std::string& bytes) {
  auto model = EditedModel::FromMemory(bytes, "model.onnx");
  INFO(model.status());
  REQUIRE(model.ok());
  return *std::move(model);
}

inline Rewritten RewrittenBytes(const std::string& bytes, const AnalysisRequest& request,
                                const RewriteOptions& options = {}) {
  auto rewritten = RewriteModelMemory(
      bytes, "model.onnx", [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(request); }, options, nullptr);
  INFO(rewritten.status());
  REQUIRE(rewritten.ok());
  return *std::move(rewritten);
}

// "Op(a, b) -> c" of each node of the main graph, in order.
inline std::string NodesOf(const EditedModel& model) {
  std::string text;
  for (const RawNode& node : model.raw().graph.nodes) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", model.text(node.op), "(");
    for (size_t i = 0; i < node.inputs.size(); ++i)
      absl::StrAppend(&text, i == 0 ? "" : ", ", model.text(node.inputs[i]));
    absl::StrAppend(&text, ")");
    for (const StrId output : node.outputs) absl::StrAppend(&text, " ", model.text(output));
  }
  return text;
}

inline std::string OperatorsOf(const EditedModel& model) {
  std::string text;
  for (const RawNode& node : model.raw().graph.nodes)
    absl::StrAppend(&text, text.empty() ? "" : " ", model.text(node.op));
  return text;
}

}  // namespace hwest::test

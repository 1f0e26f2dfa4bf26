// Rewriting through the C ABI.
#include <string>

#include "capi_fixture.h"
#include "import/temp_folder.h"
#include "support/onnx_writer.h"

namespace hwest::test {
namespace {

int32_t Append(void* payload, const char* data, size_t size) {
  static_cast<std::string*>(payload)->append(data, size);
  return 0;
}
int32_t Refuse(void*, const char*, size_t) { return 1; }

ModelHandle LoadFile(const char* path) {
  return {Made<hwest_model>([&](auto** out) { return hwest_model_load(path, out); }), hwest_model_free};
}

std::string Contents(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

hwest_rewrite_options How() {
  hwest_rewrite_options how = {};
  how.struct_size = sizeof how;
  return how;
}

TEST_CASE("a model is rewritten to a sink, with a report") {
  const ModelHandle model = LoadFile(kBert);
  std::string bytes;
  hwest_buffer* report = nullptr;
  const hwest_status status = hwest_rewrite(model.get(), nullptr, nullptr, Append, &bytes, &report);
  INFO(hwest_last_error_message());
  REQUIRE(status == HWEST_OK);
  const std::string text(hwest_buffer_data(report), hwest_buffer_size(report));
  hwest_buffer_free(report);
  CHECK(text.find("\"kind\": \"rewrite\"") != std::string::npos);
  CHECK(text.find("nothing_removed") != std::string::npos);
  CHECK(text.find("nan_guard_removed") == std::string::npos);  // its mask is an input and may hide every token
  const ModelHandle again = {
      Made<hwest_model>([&](auto** out) { return hwest_model_load_memory(bytes.data(), bytes.size(), "again", out); }),
      hwest_model_free};
  CHECK(hwest_model_input_count(again.get()) == hwest_model_input_count(model.get()));
}

TEST_CASE("a model from memory is rewritten from its bytes") {
  const std::string file = Contents(kBert);
  const ModelHandle model = {
      Made<hwest_model>([&](auto** out) { return hwest_model_load_memory(file.data(), file.size(), "bert", out); }),
      hwest_model_free};
  std::string bytes;
  CHECK(hwest_rewrite(model.get(), nullptr, nullptr, Append, &bytes, nullptr) == HWEST_FAILED_PRECONDITION);
  hwest_rewrite_options how = How();
  how.data = file.data();
  how.size = file.size();
  CHECK(hwest_rewrite(model.get(), nullptr, &how, Append, &bytes, nullptr) == HWEST_OK);
  CHECK_FALSE(bytes.empty());
}

// y = Relu(HardSwish(x)) behind an If of `bodies` nested ones.
std::string NestedModel(int bodies) {
  Message graph = Message().Sub(1, Node("Relu", {"x"}, {"y"})).Sub(12, Message().Bytes(1, "y"));
  for (int i = 0; i < bodies; ++i) {
    const Message branch = GraphAttribute("then_branch", graph), other = GraphAttribute("else_branch", graph);
    graph = Message().Sub(1, Node("If", {"c"}, {"y"}).Sub(5, branch)).Sub(12, Message().Bytes(1, "y"));
  }
  return Model(graph.Sub(1, Node("HardSwish", {"i"}, {"h"}))
                   .Sub(1, Node("Relu", {"h"}, {"z"}))
                   .Sub(11, TensorValue("i", 1, {1, 8}))
                   .Sub(11, TensorValue("x", 1, {1, 8}))
                   .Sub(11, TensorValue("c", 9, {1}))
                   .Sub(12, Message().Bytes(1, "z")))
      .bytes();
}

// Limits given when loading a model also hold for every graph built from it later, whether wider or narrower.
TEST_CASE("rewriting and what-if build with the limits of the model") {
  const test::TempFolder folder;
  const std::string bytes = NestedModel(80), path = folder.Write("nested.onnx", bytes);
  hwest_load_options limits = {};
  limits.struct_size = sizeof limits;
  limits.max_depth = 100;
  const ModelHandle model = {
      Made<hwest_model>([&](auto** out) { return hwest_model_load_with(path.c_str(), &limits, out); }),
      hwest_model_free};
  std::string written;
  CHECK(hwest_rewrite(model.get(), nullptr, nullptr, Append, &written, nullptr) == HWEST_OK);
  hwest_rewrite_options how = How();
  how.data = bytes.data();
  how.size = bytes.size();
  CHECK(hwest_rewrite(model.get(), nullptr, &how, Append, &written, nullptr) == HWEST_OK);

  const hwest_options options = TargetOptions("raspberry-pi-5");
  const WhatIfHandle what_if = WhatIfOf(AnalyzeWith(model.get(), &options).get());
  bool has_activation = false;
  for (uint64_t i = 0; i < hwest_what_if_change_count(what_if.get()); ++i) {
    hwest_change change = {};
    change.struct_size = sizeof change;
    REQUIRE(hwest_what_if_change_get(what_if.get(), i, &change) == HWEST_OK);
    has_activation = has_activation || change.kind == HWEST_CHANGE_ACTIVATION;
  }
  CHECK(has_activation);

  limits.max_depth = 0;
  limits.max_nodes = 3;
  const ModelHandle small = {Made<hwest_model>([&](auto** out) {
                               const std::string few = NestedModel(0);
                               return hwest_model_load_memory_with(few.data(), few.size(), "few", &limits, out);
                             }),
                             hwest_model_free};
  const std::string more = BytesOf(kResnet);
  how.data = more.data();
  how.size = more.size();
  CHECK(hwest_rewrite(small.get(), nullptr, &how, Append, &written, nullptr) == HWEST_FAILED_PRECONDITION);
}

TEST_CASE("wrong requests to rewrite are refused, and the report stays as it was") {
  const ModelHandle model = LoadFile(kBert);
  hwest_buffer* report = nullptr;
  CHECK(hwest_rewrite(nullptr, nullptr, nullptr, nullptr, nullptr, &report) == HWEST_INVALID_ARGUMENT);
  const char* const unknown[] = {"no_such_rule"};
  hwest_rewrite_options how = How();
  how.rules = unknown;
  how.rule_count = 1;
  CHECK(hwest_rewrite(model.get(), nullptr, &how, nullptr, nullptr, &report) == HWEST_INVALID_ARGUMENT);
  how = How();
  how.fold = how.annotate = 1;
  CHECK(hwest_rewrite(model.get(), nullptr, &how, nullptr, nullptr, &report) == HWEST_INVALID_ARGUMENT);
  for (const int32_t opset : {-1, 8, 99}) {
    how = How();
    how.opset = opset;
    CHECK(hwest_rewrite(model.get(), nullptr, &how, nullptr, nullptr, &report) == HWEST_INVALID_ARGUMENT);
  }
  CHECK(hwest_rewrite(model.get(), nullptr, nullptr, Refuse, nullptr, &report) == HWEST_CANCELLED);
  CHECK(report == nullptr);
}

}  // namespace
}  // namespace hwest::test

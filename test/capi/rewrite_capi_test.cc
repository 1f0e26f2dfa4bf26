// Rewriting through the C ABI.
#include <string>

#include "capi_fixture.h"

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

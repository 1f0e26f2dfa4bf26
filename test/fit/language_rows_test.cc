// Rows of language models: what they ask of the runtimes, and why a row is passed over.
#include "fit/language_rows.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "support/catch.h"

namespace hwest {
namespace {

constexpr char kHeader[] =
    "model,device,unit,runtime,weights,act,kv,prompt_len,context_len,batch,gen_len,ttft_ms,prefill_tok_s,"
    "decode_tok_s,mode,trust,note,graph,target\n";
constexpr char kConfig[] = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048,
  "intermediate_size": 8192, "num_attention_heads": 32, "num_hidden_layers": 16, "num_key_value_heads": 8,
  "head_dim": 64, "vocab_size": 128256, "tie_word_embeddings": true, "max_position_embeddings": 131072})";

std::string FolderOfConfigs() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "hwest_language_rows";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "Toy.json") << kConfig;
  return folder.string();
}

Validation ValidationOfText(const std::string& text) {
  const std::string folder = FolderOfConfigs();
  const auto found = ValidateLanguageRows(text, "rows.csv", {.models = folder, .configs = folder});
  REQUIRE(found.ok());
  return *found;
}

Validation ValidationOf(const std::string& row) { return ValidationOfText(std::string(kHeader) + row); }

std::string SkipOf(const std::string& row) {
  const Validation found = ValidationOf(row);
  return found.skipped.empty() ? "" : found.skipped.front().reason;
}

TEST_CASE("a row of a language model is two points, on the runtime that it means") {
  const Validation found = ValidationOf("x/Toy,RK3588,NPU,RKLLM 1.3.0,int8,int8,fp16?,128,,1,64,200,,20,,A,,,rk3588\n");
  REQUIRE(found.points.size() == 2);
  CHECK(found.skipped.empty());
  CHECK(found.points[0].measured.metric == "decode_tokens_per_s");
  CHECK(found.points[0].measured.value == 20);
  CHECK(found.points[1].measured.metric == "ttft_ms");
  for (const Point& point : found.points) {
    CHECK(point.measured.runtime == "rkllm");
    CHECK(point.measured.precision == "w8a8");
    CHECK(point.prediction.low < point.prediction.value);
    CHECK(point.prediction.value < point.prediction.high);
  }
}

TEST_CASE("memory is a point where a row states all of it") {
  const auto of_memory = [](const std::string& megabytes) {
    return ValidationOfText(
        "model,device,unit,runtime,weights,prompt_len,gen_len,decode_tok_s,memory_mb,target\n"
        "x/Toy,RK3588,NPU,RKLLM 1.3.0,int8,128,64,20," +
        megabytes + ",rk3588\n");
  };
  const Validation found = of_memory("1450");
  REQUIRE(found.points.size() == 2);
  const Point& point = found.points[1];
  CHECK(point.measured.metric == "memory_mb");
  CHECK(point.measured.value == 1450);
  // Weights of 1.24 billion elements, a table of its own, cache of 192 tokens and the runtime, in MiB.
  CHECK(point.prediction.value == Approx(1480).epsilon(0.03));
  CHECK(point.prediction.low < point.prediction.value);
  CHECK(of_memory("").points.size() == 1);
  const Validation part = of_memory("900");
  CHECK(part.points.size() == 1);
  REQUIRE(part.skipped.size() == 1);
  CHECK(absl::StrContains(part.skipped[0].reason, "leaves out a part of the weights"));
}

TEST_CASE("a board that names no mode was measured in its usual one") {
  const auto speed = [](const std::string& mode) {
    const Validation found =
        ValidationOf("x/Toy,Jetson Orin Nano 8GB,GPU,TensorRT-Edge-LLM 0.9.0,int4,,,128,,1,64,,,20," + mode +
                     ",A,,,jetson-orin-nano-8gb\n");
    REQUIRE(found.points.size() == 1);
    return found.points[0].prediction.value;
  };
  CHECK(speed("") == speed("15W"));
  CHECK(speed("") < speed("25W"));
}

TEST_CASE("releases of a runtime are told apart by the longest name") {
  const auto runtime = [](const std::string& release) {
    const Validation found = ValidationOf("x/Toy,Jetson AGX Thor,GPU,TensorRT-Edge-LLM " + release +
                                          ",nvfp4,,,128,,8,64,,,20,,A,,,jetson-agx-thor\n");
    REQUIRE(found.points.size() == 1);
    return found.points[0];
  };
  CHECK(runtime("0.10.0").measured.runtime == "tensorrt-edge-llm");
  CHECK(runtime("0.8.0").measured.runtime == "tensorrt-edge-llm-0.8");
  CHECK(runtime("0.8.0").prediction.value < runtime("0.10.0").prediction.value);
}

TEST_CASE("weights of one name are those of the row's release") {
  const auto format = [](const std::string& release) {
    const Validation found = ValidationOf("x/Toy,Jetson AGX Orin 64GB,GPU,TensorRT-Edge-LLM " + release +
                                          ",int4 awq g128,,,2048,,1,64,300,,,,A,,,jetson-agx-orin-64gb\n");
    REQUIRE(found.points.size() == 1);
    return found.points[0];
  };
  CHECK(format("0.10.0").measured.precision == "int4_awq");
  CHECK(format("0.9.0").measured.precision == "int4_awq_v1");
  CHECK(format("0.8.0").measured.precision == "int4_awq_v1");
  CHECK(format("0.10.0").prediction.value < format("0.9.0").prediction.value);
}

TEST_CASE("text prompts of a batch are as long as the longest") {
  const auto first = [](const std::string& prompt, const std::string& note) {
    const Validation found = ValidationOf("x/Toy,Jetson AGX Thor,GPU,TensorRT-Edge-LLM 0.10.0,nvfp4,,," + prompt +
                                          ",,8,64,300,,,,A," + note + ",,jetson-agx-thor\n");
    REQUIRE(found.points.size() == 1);
    return found.points[0].prediction.value;
  };
  CHECK(first("800", "VLM; prompt tokens are of the whole batch") == first("100", ""));
  CHECK(first("800", "LLM; prompt tokens are of the whole batch") == first("165", ""));
}

TEST_CASE("more memory bandwidth or fewer bits never decode slower") {
  const auto speed = [](const std::string& weights) {
    const Validation found =
        ValidationOf("x/Toy,RK3576,NPU,RKLLM 1.3.0," + weights + ",,,128,,1,64,,,20,,A,,,rk3576\n");
    REQUIRE(found.points.size() == 1);
    return found.points[0].prediction.value;
  };
  CHECK(speed("int4") > speed("int4 g128"));
  CHECK(speed("int4 g128") > speed("int8"));
}

TEST_CASE("rows that are passed over say why") {
  struct Case {
    const char* row;
    const char* reason;
  };
  const Case cases[] = {
      {"x/Toy,Phone,NPU,RKLLM 1.3.0,int8,,,128,,1,64,,,20,,A,,,\n", "the row names no target"},
      {"x/Toy,Phone,NPU,RKLLM 1.3.0,int8,,,128,,1,64,,,20,,A,,,no-such\n", "target no-such is not known"},
      {"x/Other,RK3588,NPU,RKLLM 1.3.0,int8,,,128,,1,64,,,20,,A,,,rk3588\n", "no graph of the model"},
      {"x/Toy,RK3588,NPU,Genie,int8,,,128,,1,64,,,20,,A,,,rk3588\n", "has no runtime that 'Genie' means"},
      {"x/Toy,RK3588,NPU,RKLLM 1.3.0,q9,,,128,,1,64,,,20,,A,,,rk3588\n", "has no weights 'q9'"},
      {"x/Toy,RK3588,NPU,RKLLM 1.3.0,int8,,,128,,1,64,200,,,,A,max of TTFT range,,rk3588\n", "derived, not measured"},
      {"x/Toy,RK3588,NPU,RKLLM 1.3.0,int8,,,128,,1,64,,,20,,A,EAGLE3; accept=4,,rk3588\n", "draft model"},
  };
  for (const Case& c : cases) {
    INFO(c.row);
    CHECK(absl::StrContains(SkipOf(c.row), c.reason));
  }
}

TEST_CASE("only tables with the columns of language models are such") {
  CHECK(HasLanguageRows(kHeader));
  CHECK_FALSE(HasLanguageRows("model,family,bind,batch,device,unit,runtime,precision,mode,metric,value\n"));
  CHECK_FALSE(HasLanguageRows(""));
}

}  // namespace
}  // namespace hwest

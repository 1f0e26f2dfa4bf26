#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hwest/decoder.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest {
namespace {

using Catch::Matchers::Contains;

// A folder of files that goes with the test.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / absl::StrCat("hwest_decoder_", ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string Add(const std::string& name, const std::string& bytes) const {
    const std::string path = (path_ / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string OnnxBytes(const std::string& inputs, const std::string& outputs, const std::string& weights,
                      const std::string& body) {
  return test::ModelFromText(absl::StrCat(R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]> agraph ()",
                                          inputs, ") => (", outputs, ") <", weights, "> { ", body, " }"));
}

// One layer; # is its number.
std::string LayerText(const std::string& number) {
  return absl::StrReplaceAll(
      "q# = MatMul(h#, wq#) k# = MatMul(h#, wk#) v# = MatMul(h#, wv#) "
      "a#, ok#, ov# = com.microsoft.GroupQueryAttention<num_heads = 4, kv_num_heads = 2>(q#, k#, v#, pk#, pv#) "
      "o# = MatMul(a#, wo#) r# = Add(h#, o#) u# = MatMul(r#, wu#) g# = Relu(u#) d# = MatMul(g#, wd#) e# = Add(r#, d#) ",
      {{"#", number}});
}
std::string LayerWeights(const std::string& number) {
  return absl::StrReplaceAll(
      "float[16, 16] wq#, float[16, 8] wk#, float[16, 8] wv#, float[16, 16] wo#, float[16, 32] wu#, float[32, 16] wd#",
      {{"#", number}});
}
std::string Caches(const std::string& number, const char* length, const char* key, const char* value) {
  return absl::StrCat("float[1, 2, ", length, ", 4] ", key, number, ", float[1, 2, ", length, ", 4] ", value, number);
}
constexpr int64_t kLayer = 16 * (16 + 8 + 8) + 16 * 16 + 2 * 16 * 32;

TEST_CASE("parts of a split decoder are one decoder") {
  const Folder folder;
  std::vector<std::string> parts = {folder.Add("0.onnx", OnnxBytes("int64[1, seq] ids", "float[1, seq, 16] h",
                                                                   "float[50, 16] table", "h = Gather(table, ids)"))};
  for (const char* number : {"1", "2"}) {
    parts.push_back(
        folder.Add(absl::StrCat(number, ".onnx"),
                   OnnxBytes(absl::StrCat("float[1, seq, 16] h", number, ", ", Caches(number, "past", "pk", "pv")),
                             absl::StrCat("float[1, seq, 16] e", number, ", ", Caches(number, "total", "ok", "ov")),
                             LayerWeights(number), LayerText(number))));
  }
  const absl::StatusOr<Decoder> headless = ReadDecoder(parts);
  REQUIRE_FALSE(headless.ok());
  CHECK_THAT(DiagnosticOf(headless.status()).message, Contains("makes no logits"));
  parts.push_back(folder.Add("3.onnx", OnnxBytes("float[1, seq, 16] h", "float[1, seq, 50] logits",
                                                 "float[16, 50] head", "logits = MatMul(h, head)")));
  for (const std::vector<std::string>& paths : {parts, std::vector<std::string>{folder.path()}}) {
    const absl::StatusOr<Decoder> decoder = ReadDecoder(paths);
    INFO(decoder.status());
    REQUIRE(decoder.ok());
    REQUIRE(decoder->layers.size() == 1);
    CHECK(decoder->layers[0].count == 2);
    CHECK(decoder->layers[0].attention_weights + decoder->layers[0].mlp_weights == kLayer);
    CHECK(decoder->vocab == 50);
    CHECK(decoder->embedding_weights == 800);
    CHECK(StoredParams(*decoder) == 2 * 800 + 2 * kLayer);
    CHECK_FALSE(decoder->vision.has_value());
  }
}

TEST_CASE("a decoder and what runs before it") {
  const Folder folder;
  const std::string decoder_path = folder.Add(
      "decoder.onnx", OnnxBytes(absl::StrCat("int64[1, seq] ids, ", Caches("0", "past", "pk", "pv")),
                                absl::StrCat("float[1, seq, 50] logits, ", Caches("0", "total", "ok", "ov")),
                                absl::StrCat("float[50, 16] table, float[16, 50] head, ", LayerWeights("0")),
                                absl::StrCat("h0 = Gather(table, ids) ", LayerText("0"), "logits = MatMul(e0, head)")));
  const std::string vision_path =
      folder.Add("vision.onnx", OnnxBytes("float[9, 12] x", "float[9, 16] y", "float[12, 16] w, float[16, 16] v",
                                          "a = MatMul(x, w) b = Relu(a) y = MatMul(b, v)"));
  const absl::StatusOr<Decoder> decoder = ReadDecoder({vision_path, decoder_path});
  INFO(decoder.status());
  REQUIRE(decoder.ok());
  CHECK(decoder->name == "decoder");
  REQUIRE(decoder->vision.has_value());
  CHECK(decoder->vision->weights == 12 * 16 + 16 * 16);
  CHECK(decoder->vision->macs == 9 * (12 * 16 + 16 * 16));
  CHECK(decoder->vision->tokens == 9);
  REQUIRE(decoder->notes.size() == 1);
}

TEST_CASE("of branches with and without a cache the one with it counts") {
  const Folder folder;
  const std::string with_past = LayerText("0");
  const std::string without = absl::StrReplaceAll(
      with_past,
      {{"k0 = ", "pk9 = "},
       {"a0, ok0, ov0 = com.microsoft.GroupQueryAttention<num_heads = 4, kv_num_heads = 2>(q0, k0, v0, pk0, pv0)",
        "a0, ok0, ov0 = com.microsoft.GroupQueryAttention<num_heads = 4, kv_num_heads = 2>(q0, pk9, v0)"}});
  const std::string branch_outputs = "float[1, seq, 50] l0, float[1, 2, total, 4] ok0, float[1, 2, total, 4] ov0";
  const std::string path = folder.Add(
      "merged.onnx",
      OnnxBytes(
          absl::StrCat("int64[1, seq] ids, bool use_cache, ", Caches("0", "past", "pk", "pv")),
          "float[1, seq, 50] logits, float[1, 2, total, 4] ok, float[1, 2, total, 4] ov",
          absl::StrCat("float[50, 16] table, float[16, 50] head, ", LayerWeights("0")),
          absl::StrCat("h0 = Gather(table, ids) logits, ok, ov = If(use_cache) <then_branch = with () => (",
                       branch_outputs, ") { ", with_past, "l0 = MatMul(e0, head) }, else_branch = without () => (",
                       branch_outputs, ") { ", without, "l0 = MatMul(e0, head) }>")));
  const absl::StatusOr<Decoder> decoder = ReadDecoder({path});
  INFO(decoder.status());
  REQUIRE(decoder.ok());
  REQUIRE(decoder->layers.size() == 1);
  CHECK(decoder->layers[0].kv_heads == 2);
  CHECK(StoredParams(*decoder) == 2 * 800 + kLayer);
}

TEST_CASE("a folder stands for its configuration, and a name for its file") {
  const Folder folder;
  const std::string path =
      folder.Add("config.json", R"({"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4,
    "intermediate_size": 32, "vocab_size": 50, "model_type": "llama"})");
  for (const std::string& name : {folder.path(), path}) {
    const absl::StatusOr<Decoder> decoder = ReadDecoder({name});
    REQUIRE(decoder.ok());
    CHECK(LayerCount(*decoder) == 2);
    CHECK_THAT(decoder->name, Contains("hwest_decoder_"));
  }
  CHECK(DiagnosticOf(ReadDecoder({folder.path() + "/none.onnx"}).status()).code == Code::kModelMissing);
  CHECK(DiagnosticOf(ReadDecoder({}).status()).code == Code::kUsage);
  const std::string cut = folder.Add("cut.gguf", "GGUF");
  CHECK(DiagnosticOf(ReadDecoder({cut}).status()).code == Code::kModelCorrupt);
}

}  // namespace
}  // namespace hwest

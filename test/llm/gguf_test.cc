#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hwest/decoder.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"

namespace hwest {
namespace {

using Catch::Matchers::Contains;

template <typename Number>
std::string Raw(Number number) {
  std::string bytes(sizeof(Number), '\0');
  std::memcpy(bytes.data(), &number, sizeof(Number));
  return bytes;
}
std::string Text(const std::string& text) { return Raw<uint64_t>(text.size()) + text; }
std::string KeyNumber(const std::string& key, uint32_t number) { return Text(key) + Raw<uint32_t>(4) + Raw(number); }
std::string KeyText(const std::string& key, const std::string& text) {
  return Text(key) + Raw<uint32_t>(8) + Text(text);
}
std::string KeyList(const std::string& key, const std::vector<uint32_t>& numbers) {
  std::string bytes = Text(key) + Raw<uint32_t>(9) + Raw<uint32_t>(4) + Raw<uint64_t>(numbers.size());
  for (const uint32_t number : numbers) bytes += Raw(number);
  return bytes;
}
std::string Tensor(const std::string& name, const std::vector<uint64_t>& dims, uint32_t type) {
  std::string bytes = Text(name) + Raw<uint32_t>(static_cast<uint32_t>(dims.size()));
  for (const uint64_t dim : dims) bytes += Raw(dim);
  return bytes + Raw(type) + Raw<uint64_t>(0);
}

struct GgufText {
  std::vector<std::string> keys, tensors;
  std::string Bytes(uint32_t version = 3) const {
    std::string bytes = "GGUF" + Raw(version) + Raw<int64_t>(static_cast<int64_t>(tensors.size())) +
                        Raw<int64_t>(static_cast<int64_t>(keys.size()));
    for (const std::string& part : keys) bytes += part;
    for (const std::string& part : tensors) bytes += part;
    return bytes;
  }
};

constexpr uint32_t kF32 = 0, kQ8 = 8, kQ4K = 12;

GgufText Toy(const std::string& arch = "llama") {
  GgufText toy;
  toy.keys = {KeyText("general.architecture", arch),        KeyText("general.name", "Toy"),
              KeyNumber("general.file_type", 15),           KeyNumber(arch + ".block_count", 2),
              KeyNumber(arch + ".embedding_length", 256),   KeyNumber(arch + ".context_length", 512),
              KeyNumber(arch + ".attention.head_count", 8), KeyNumber(arch + ".attention.head_count_kv", 2)};
  toy.tensors = {Tensor("token_embd.weight", {256, 100}, kQ8), Tensor("output_norm.weight", {256}, kF32)};
  for (const char* block : {"blk.0.", "blk.1."}) {
    const auto add = [&](const std::string& name, std::vector<uint64_t> dims, uint32_t type) {
      toy.tensors.push_back(Tensor(block + name, dims, type));
    };
    add("attn_norm.weight", {256}, kF32);
    add("attn_q.weight", {256, 256}, kQ4K);
    add("attn_k.weight", {256, 64}, kQ4K);
    add("attn_v.weight", {256, 64}, kQ4K);
    add("attn_output.weight", {256, 256}, kQ4K);
    add("ffn_norm.weight", {256}, kF32);
    add("ffn_gate.weight", {256, 512}, kQ4K);
    add("ffn_up.weight", {256, 512}, kQ4K);
    add("ffn_down.weight", {512, 256}, kQ4K);
  }
  return toy;
}

Decoder ReadGguf(const std::string& bytes) {
  const absl::StatusOr<Decoder> decoder = DecoderOfGguf(bytes, "file", 1'000'000);
  INFO(decoder.status());
  REQUIRE(decoder.ok());
  return *decoder;
}

TEST_CASE("a GGUF header: sizes from tensors, bytes from their types") {
  for (const uint32_t version : {2u, 3u}) {
    const Decoder decoder = ReadGguf(Toy().Bytes(version));
    CHECK(decoder.name == "Toy");
    CHECK(decoder.architecture == "llama");
    CHECK(decoder.file_format == "Q4_K_M");
    CHECK(decoder.vocab == 100);
    CHECK(decoder.hidden == 256);
    CHECK(decoder.max_context == 512);
    CHECK(decoder.tied_embedding);
    CHECK(decoder.other_weights == 256);
    REQUIRE(decoder.layers.size() == 1);
    const DecoderLayers& layer = decoder.layers[0];
    CHECK(layer.count == 2);
    CHECK(layer.heads == 8);
    CHECK(layer.kv_heads == 2);
    CHECK(layer.key_dim == 32);
    CHECK(layer.attention_weights == 2 * 256 * 256 + 2 * 256 * 64);
    CHECK(layer.mlp_weights == 3 * 256 * 512);
    CHECK(layer.mlp_width == 512);
    CHECK(layer.other_weights == 512);
    CHECK(layer.products == 4);
    const int64_t matrices = 2 * (layer.attention_weights + layer.mlp_weights);
    CHECK(decoder.file_weight_bytes == matrices / 256 * 144 + 25600 / 32 * 34 + 5 * 256 * 4);
    CHECK(decoder.file_embedding_bytes == 25600 / 32 * 34);
    CHECK(StoredParams(decoder) == 25600 + matrices);
  }
}

TEST_CASE("experts, a head of its own, lists by block and windows in a GGUF header") {
  GgufText toy = Toy("gpt-oss");
  toy.keys.insert(toy.keys.end(), {KeyNumber("gpt-oss.expert_count", 8), KeyNumber("gpt-oss.expert_used_count", 2),
                                   KeyNumber("gpt-oss.attention.sliding_window", 128)});
  toy.keys[7] = KeyList("gpt-oss.attention.head_count_kv", {2, 4});
  toy.tensors.push_back(Tensor("output.weight", {256, 100}, kQ8));
  for (const char* block : {"blk.0.", "blk.1."}) {
    toy.tensors.push_back(Tensor(absl::StrCat(block, "ffn_gate_inp.weight"), {256, 8}, kF32));
    for (const char* name : {"ffn_gate_exps.weight", "ffn_up_exps.weight", "ffn_down_exps.weight"}) {
      toy.tensors.push_back(Tensor(absl::StrCat(block, name), {256, 256, 8}, 39));
    }
  }
  const Decoder decoder = ReadGguf(toy.Bytes());
  CHECK_FALSE(decoder.tied_embedding);
  REQUIRE(decoder.layers.size() == 2);
  CHECK(decoder.layers[0].window == 128);
  CHECK_FALSE(decoder.layers[1].window.has_value());
  CHECK(decoder.layers[0].kv_heads == 2);
  CHECK(decoder.layers[1].kv_heads == 4);
  CHECK(decoder.layers[0].experts == 8);
  CHECK(decoder.layers[0].active_experts == 2);
  CHECK(decoder.layers[0].mlp_weights == 3 * 256 * 512 + 8 * 256 + 2 * 3 * 256 * 256);
  CHECK(decoder.layers[0].mlp_weights_stored == 3 * 256 * 512 + 8 * 256 + 8 * 3 * 256 * 256);
}

TEST_CASE("a tensor of a type that is not known: bytes are those of the file, and it says so") {
  GgufText toy = Toy();
  toy.tensors.push_back(Tensor("blk.0.extra.weight", {256, 2}, 999));
  const Decoder decoder = ReadGguf(toy.Bytes());
  CHECK(decoder.file_weight_bytes == 1'000'000);
  REQUIRE(decoder.notes.size() == 1);
}

TEST_CASE("every way to spoil a GGUF header is an error") {
  GgufText no_arch = Toy(), no_blocks = Toy(), many_blocks = Toy(), no_table = Toy();
  no_arch.keys.erase(no_arch.keys.begin());
  no_blocks.keys.erase(no_blocks.keys.begin() + 3);
  many_blocks.keys[3] = KeyNumber("llama.block_count", 4'000'000'000u);
  no_table.tensors.erase(no_table.tensors.begin());
  GgufText bad_value = Toy(), bad_list = Toy(), long_list = Toy(), deep = Toy(), ranks = Toy(), empty_axis = Toy(),
           huge = Toy();
  bad_value.keys[1] = Text("general.name") + Raw<uint32_t>(77) + Raw<uint32_t>(0);
  bad_list.keys[1] = Text("x") + Raw<uint32_t>(9) + Raw<uint32_t>(88) + Raw<uint64_t>(1) + Raw<uint64_t>(1);
  long_list.keys[1] = Text("x") + Raw<uint32_t>(9) + Raw<uint32_t>(4) + Raw<uint64_t>(UINT64_MAX);
  deep.keys[1] = Text("x") + Raw<uint32_t>(9);
  for (int i = 0; i < 20; ++i) deep.keys[1] += Raw<uint32_t>(9) + Raw<uint64_t>(1);
  ranks.tensors[0] = Text("token_embd.weight") + Raw<uint32_t>(4'000'000'000u);
  empty_axis.tensors[0] = Tensor("token_embd.weight", {0, 5}, kF32);
  huge.tensors[0] = Tensor("token_embd.weight", {uint64_t{1} << 62, uint64_t{1} << 62}, kF32);
  const std::string count_tensors = "GGUF" + Raw<uint32_t>(3) + Raw<int64_t>(INT64_MAX) + Raw<int64_t>(0);
  const std::string count_keys = "GGUF" + Raw<uint32_t>(3) + Raw<int64_t>(0) + Raw<int64_t>(-1);
  const std::string long_key =
      "GGUF" + Raw<uint32_t>(3) + Raw<int64_t>(0) + Raw<int64_t>(1) + Raw<uint64_t>(UINT64_MAX - 3);
  struct Case {
    std::string what, bytes;
    Code code;
    std::string message;
  };
  for (const Case& c : {
           Case{"empty", "", Code::kModelCorrupt, "does not begin with GGUF"},
           Case{"another format", "ONNXONNXONNX", Code::kModelCorrupt, "does not begin with GGUF"},
           Case{"version 1", Toy().Bytes(1), Code::kModelRefused, "version 1"},
           Case{"big endian", Toy().Bytes(0x03000000), Code::kModelRefused, "big-endian"},
           Case{"count of tensors", count_tensors, Code::kModelCorrupt, "it claims"},
           Case{"count of keys", count_keys, Code::kModelCorrupt, "it claims"},
           Case{"length of a key", long_key, Code::kModelCorrupt, "cut short"},
           Case{"type of a value", bad_value.Bytes(), Code::kModelCorrupt, "unknown type 77"},
           Case{"type in a list", bad_list.Bytes(), Code::kModelCorrupt, "unknown type 88"},
           Case{"length of a list", long_list.Bytes(), Code::kModelCorrupt, "cut short"},
           Case{"lists in lists", deep.Bytes(), Code::kModelCorrupt, "nested"},
           Case{"rank", ranks.Bytes(), Code::kModelCorrupt, "axes"},
           Case{"axis", empty_axis.Bytes(), Code::kModelCorrupt, "no size"},
           Case{"elements", huge.Bytes(), Code::kModelCorrupt, "than can be counted"},
           Case{"no architecture", no_arch.Bytes(), Code::kUsage, "general.architecture"},
           Case{"no blocks", no_blocks.Bytes(), Code::kUsage, "llama.block_count"},
           Case{"too many blocks", many_blocks.Bytes(), Code::kModelRefused, "blocks are more"},
           Case{"no table", no_table.Bytes(), Code::kUsage, "token_embd.weight"},
       }) {
    INFO(c.what);
    const absl::StatusOr<Decoder> decoder = DecoderOfGguf(c.bytes, "file", 1'000'000);
    REQUIRE_FALSE(decoder.ok());
    CHECK(DiagnosticOf(decoder.status()).code == c.code);
    CHECK_THAT(DiagnosticOf(decoder.status()).message, Contains(c.message));
    CHECK_FALSE(DiagnosticOf(decoder.status()).remedy.empty());
  }
  const std::string whole = Toy().Bytes();
  for (size_t length = 0; length < whole.size(); length += 3) {
    INFO(length);
    const absl::StatusOr<Decoder> decoder = DecoderOfGguf(absl::string_view(whole).substr(0, length), "file", 1);
    REQUIRE_FALSE(decoder.ok());
    CHECK(DiagnosticOf(decoder.status()).code == Code::kModelCorrupt);
  }
}

}  // namespace
}  // namespace hwest

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hwest/decoder.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

using Catch::Matchers::Contains;

// A decoder in text: hidden 16, four heads of four over two of keys, MLP of 32, vocabulary of 50.
struct DecoderText {
  std::string inputs = "int64[batch, seq] ids", outputs = "float[batch, seq, 50] logits";
  std::string weights = "float[50, 16] table, float[16, 50] head, float[16] last", body = "h0 = Gather(table, ids) ";
  std::string opsets = R"("" : 23, "com.microsoft" : 1)";
  int layers = 0;

  // `core` makes a# [batch, seq, 16] of n#, `cache` declares inputs and outputs; # is the number of the layer.
  DecoderText& Layer(const std::string& caches_in, const std::string& caches_out, const std::string& core,
                     const std::string& core_weights) {
    const std::string at = std::to_string(layers++), next = std::to_string(layers);
    const auto numbered = [&at](const std::string& text) { return absl::StrReplaceAll(text, {{"#", at}}); };
    if (!caches_in.empty()) absl::StrAppend(&inputs, ", ", numbered(caches_in));
    if (!caches_out.empty()) absl::StrAppend(&outputs, ", ", numbered(caches_out));
    absl::StrAppend(&weights, ", ", numbered(core_weights),
                    numbered(", float[16] na#, float[16] nm#, float[16, 16] wo#"));
    absl::StrAppend(&body, numbered("n# = LayerNormalization(h#, na#) "), numbered(core),
                    numbered("o# = MatMul(a#, wo#) r# = Add(h#, o#) m# = LayerNormalization(r#, nm#) "));
    mlp_from = at;
    Mlp(numbered("g# = MatMul(m#, wg#) s# = Sigmoid(g#) u# = MatMul(m#, wu#) p# = Mul(s#, u#) d# = MatMul(p#, wd#) "),
        numbered("float[16, 32] wg#, float[16, 32] wu#, float[32, 16] wd#"));
    absl::StrAppend(&body, "h", next, " = Add(r", at, ", d", at, ") ");
    return *this;
  }
  void Mlp(const std::string& text, const std::string& mlp_weights) {
    absl::StrAppend(&body, text);
    absl::StrAppend(&weights, ", ", mlp_weights);
  }
  std::string mlp_from;

  std::shared_ptr<const Graph> Build() const {
    const std::string end = std::to_string(layers);
    return std::make_shared<const Graph>(test::GraphFromText(
        absl::StrCat("<ir_version: 8, opset_import: [", opsets, "]> agraph (", inputs, ") => (", outputs, ") <",
                     weights, "> { ", body, "e = LayerNormalization(h", end, ", last) logits = MatMul(e, head) }")));
  }
};

const char* const kQkv = "float[16, 16] wq#, float[16, 8] wk#, float[16, 8] wv#";
const char* const kMakeQkv = "q# = MatMul(n#, wq#) k# = MatMul(n#, wk#) v# = MatMul(n#, wv#) ";
const char* const kPast = "float[batch, 2, past, 4] pk#, float[batch, 2, past, 4] pv#";
const char* const kPresent = "float[batch, 2, total, 4] ok#, float[batch, 2, total, 4] ov#";

std::string GroupQuery(const std::string& more = "") {
  return absl::StrCat(kMakeQkv, "a#, ok#, ov# = com.microsoft.GroupQueryAttention<num_heads = 4, kv_num_heads = 2",
                      more, ">(q#, k#, v#, pk#, pv#) ");
}

// Keys and values in their own operators, repeated for the heads that share them.
std::string InOperators() {
  return absl::StrCat(
      kMakeQkv,
      "sq# = Constant<value_ints = [0, 0, 4, 4]>() sk# = Constant<value_ints = [0, 0, 2, 4]>() "
      "q4# = Reshape(q#, sq#) qt# = Transpose<perm = [0, 2, 1, 3]>(q4#) "
      "k4# = Reshape(k#, sk#) kt# = Transpose<perm = [0, 2, 1, 3]>(k4#) ok# = Concat<axis = 2>(pk#, kt#) "
      "v4# = Reshape(v#, sk#) vt# = Transpose<perm = [0, 2, 1, 3]>(v4#) ov# = Concat<axis = 2>(pv#, vt#) "
      "two# = Constant<value_ints = [2]>() ku# = Unsqueeze(ok#, two#) kx# = Concat<axis = 2>(ku#, ku#) "
      "vu# = Unsqueeze(ov#, two#) vx# = Concat<axis = 2>(vu#, vu#) sr# = Constant<value_ints = [0, 4, -1, 4]>() "
      "kr# = Reshape(kx#, sr#) vr# = Reshape(vx#, sr#) kk# = Transpose<perm = [0, 1, 3, 2]>(kr#) "
      "sc# = MatMul(qt#, kk#) sf# = Softmax(sc#) c# = MatMul(sf#, vr#) ct# = Transpose<perm = [0, 2, 1, 3]>(c#) "
      "sa# = Constant<value_ints = [0, 0, 16]>() a# = Reshape(ct#, sa#) ");
}

Decoder Read(const std::shared_ptr<const Graph>& graph) {
  const absl::StatusOr<Decoder> decoder = DecoderOfGraph(graph);
  INFO(decoder.status());
  REQUIRE(decoder.ok());
  return *decoder;
}

void CheckToyLayer(const DecoderLayers& layer, int64_t count) {
  CHECK(layer.count == count);
  CHECK(layer.heads == 4);
  CHECK(layer.kv_heads == 2);
  CHECK(layer.key_dim == 4);
  CHECK(layer.value_dim == 4);
  CHECK(layer.attention_weights == 16 * (16 + 8 + 8) + 16 * 16);
  CHECK(layer.mlp_weights == 3 * 16 * 32);
  CHECK(layer.mlp_weights_stored == layer.mlp_weights);
  CHECK(layer.mlp_width == 32);
  CHECK(layer.other_weights == 2 * 16);
  CHECK(layer.products == 4);
}

TEST_CASE("one decoder, however its exporter wrote it") {
  struct Case {
    std::string what, caches_in, caches_out, core;
  };
  const std::vector<Case> cases = {
      {"grouped queries", kPast, kPresent, GroupQuery()},
      {"the standard operator", kPast, kPresent,
       absl::StrCat(kMakeQkv, "a#, ok#, ov# = Attention<q_num_heads = 4, kv_num_heads = 2>(q#, k#, v#, , pk#, pv#) ")},
      {"operators one by one", kPast, kPresent, InOperators()},
      {"only what is new leaves", kPast, "float[batch, 2, seq, 4] kt#, float[batch, 2, seq, 4] vt#", InOperators()},
      {"an open size of heads", "float[batch, 2, past, dim] pk#, float[batch, 2, past, dim] pv#", kPresent,
       GroupQuery()},
  };
  for (const Case& c : cases) {
    INFO(c.what);
    DecoderText text;
    for (int i = 0; i < 3; ++i) text.Layer(c.caches_in, c.caches_out, c.core, kQkv);
    const Decoder decoder = Read(text.Build());
    REQUIRE(decoder.layers.size() == 1);
    CheckToyLayer(decoder.layers[0], 3);
    CHECK_FALSE(decoder.layers[0].window.has_value());
    CHECK(decoder.vocab == 50);
    CHECK(decoder.hidden == 16);
    CHECK_FALSE(decoder.tied_embedding);
    CHECK(decoder.embedding_weights == 50 * 16);
    CHECK(decoder.head_weights == 50 * 16);
    CHECK(decoder.other_weights == 16);
    CHECK(decoder.file_format == "fp32");
    CHECK(decoder.file_cache_format == "fp32");
    CHECK(StoredParams(decoder) == 2 * 800 + 3 * 2304);
    CHECK(ActiveParams(decoder) == 800 + 3 * 2304);
    CHECK(CacheElements(decoder, 100) == 3 * 2 * 2 * 4 * 100);
    CHECK(CacheMacs(decoder, 100) == 3 * 4 * 8 * 100);
    CHECK(decoder.file_weight_bytes == 4 * (2 * 800 + 16 + 3 * (2304 + 32)));
    CHECK(decoder.file_embedding_bytes == 4 * 800);
    CHECK(decoder.file_head_bytes == 4 * 800);
  }
}

TEST_CASE("one table for embedding and logits is told by where its bytes are") {
  DecoderText text;
  text.Layer(kPast, kPresent, GroupQuery(), kQkv);
  text.weights = absl::StrReplaceAll(text.weights, {{"float[50, 16] table, ", ""}});
  text.body = absl::StrCat("table = Transpose<perm = [1, 0]>(head) ", text.body);
  const Decoder decoder = Read(text.Build());
  CHECK(decoder.tied_embedding);
  CHECK(StoredParams(decoder) == 800 + 2304);
}

TEST_CASE("caches of several lengths: the short ones hold a window") {
  DecoderText stated;  // as an attribute
  for (const char* more : {"", ", local_window_size = 8"}) stated.Layer(kPast, kPresent, GroupQuery(more), kQkv);
  DecoderText fixed;  // as a length
  fixed.Layer("float[batch, 2, 99, 4] pk#, float[batch, 2, 99, 4] pv#", "float[batch, 2, 100, 4] ok#", InOperators(),
              kQkv);
  fixed.Layer("float[batch, 2, 7, 4] pk#, float[batch, 2, 7, 4] pv#", "float[batch, 2, 8, 4] ok#", InOperators(), kQkv);
  fixed.inputs = absl::StrReplaceAll(fixed.inputs, {{"seq", "1"}});
  fixed.outputs = absl::StrReplaceAll(fixed.outputs, {{"seq", "1"}});
  struct Case {
    const DecoderText& text;
    int64_t window;
  };
  for (const Case& c : {Case{stated, 8}, Case{fixed, 7}}) {
    const Decoder decoder = Read(c.text.Build());
    REQUIRE(decoder.layers.size() == 2);
    CHECK_FALSE(decoder.layers[0].window.has_value());
    CHECK(decoder.layers[1].window == c.window);
    CHECK(CacheElements(decoder, 50) == 16 * (50 + c.window));
  }
}

TEST_CASE("weights in blocks of four bits: elements as the operator sees them, bytes with their scales") {
  DecoderText text;
  text.Layer(kPast, kPresent, GroupQuery(), kQkv);
  const auto product = [](const char* k, const char* n, const char* of) {
    return absl::StrCat("com.microsoft.MatMulNBits<K = ", k, ", N = ", n, ", bits = 4, block_size = 16>(", of, ")");
  };
  text.body = absl::StrReplaceAll(text.body, {{"MatMul(m0, wg0)", product("16", "32", "m0, wg0, sg0")},
                                              {"MatMul(m0, wu0)", product("16", "32", "m0, wu0, su0")},
                                              {"MatMul(p0, wd0)", product("32", "16", "p0, wd0, sd0")}});
  text.weights = absl::StrReplaceAll(
      text.weights, {{"float[16, 32] wg0, float[16, 32] wu0, float[32, 16] wd0",
                      "uint8[32, 1, 8] wg0, uint8[32, 1, 8] wu0, uint8[16, 2, 8] wd0, float[32] sg0, float[32] su0, "
                      "float[32] sd0"}});
  const Decoder decoder = Read(text.Build());
  REQUIRE(decoder.layers.size() == 1);
  CheckToyLayer(decoder.layers[0], 1);
  CHECK(decoder.file_format == "int4");  // of gate and up a row is one block
  CHECK(decoder.file_weight_bytes == 4 * (2 * 800 + 16 + 768 + 32) + 1536 / 2 + 4 * 1536 / 16);
}

TEST_CASE("experts: a token uses some, the file holds all") {
  DecoderText text;
  text.Layer(kPast, kPresent, GroupQuery(), kQkv);
  text.body = absl::StrReplaceAll(
      text.body, {{"g0 = MatMul(m0, wg0) s0 = Sigmoid(g0) u0 = MatMul(m0, wu0) p0 = Mul(s0, u0) d0 = MatMul(p0, wd0) ",
                   "g0 = MatMul(m0, wg0) rs = Constant<value_ints = [-1, 8]>() rt = Reshape(g0, rs) "
                   "d0 = com.microsoft.MoE<k = 2, activation_type = \"silu\">(m0, rt, we, , wf) "}});
  text.weights = absl::StrReplaceAll(text.weights, {{"float[16, 32] wg0, float[16, 32] wu0, float[32, 16] wd0",
                                                     "float[16, 8] wg0, float[8, 16, 24] we, float[8, 24, 16] wf"}});
  const Decoder decoder = Read(text.Build());
  REQUIRE(decoder.layers.size() == 1);
  const DecoderLayers& layer = decoder.layers[0];
  CHECK(layer.experts == 8);
  CHECK(layer.active_experts == 2);
  CHECK(layer.mlp_weights == 16 * 8 + 2 * 2 * 16 * 24);
  CHECK(layer.mlp_weights_stored == 16 * 8 + 8 * 2 * 16 * 24);
  CHECK(layer.mlp_width == 2 * 24);
  CHECK(layer.products == 5);
}

TEST_CASE("states of fixed size: a gated convolution over the last tokens") {
  DecoderText text;
  text.Layer(kPast, kPresent, GroupQuery(), kQkv);
  text.Layer("float[batch, 16, 2] st#", "float[batch, 16, 2] so#",
             "x# = MatMul(n#, wi#) y# = Transpose<perm = [0, 2, 1]>(x#) j# = Concat<axis = 2>(st#, y#) "
             "c# = Conv<group = 16, kernel_shape = [3]>(j#, wc#) a# = Transpose<perm = [0, 2, 1]>(c#) "
             "from# = Constant<value_ints = [-2]>() to# = Constant<value_ints = [9223372036854775807]>() "
             "ax# = Constant<value_ints = [2]>() so# = Slice(j#, from#, to#, ax#) ",
             "float[16, 16] wi#, float[16, 1, 3] wc#");
  const Decoder decoder = Read(text.Build());
  REQUIRE(decoder.layers.size() == 2);
  CheckToyLayer(decoder.layers[0], 1);
  const DecoderLayers& layer = decoder.layers[1];
  CHECK(layer.heads == 0);
  CHECK(layer.state_elements == 32);
  CHECK(layer.state_macs == 16 * 3);
  CHECK(layer.attention_weights == 16 * 16 * 2);
  CHECK(layer.mlp_weights == 3 * 16 * 32);
  CHECK(StateElements(decoder) == 32);
  CHECK(AttentionLayers(decoder) == 1);
}

TEST_CASE("attention to an encoder is part of its layer") {
  DecoderText text;
  const std::string cross = "q# = MatMul(n#, wq#) a# = com.microsoft.MultiHeadAttention<num_heads = 4>(q#, ek#, ev#) ";
  for (int i = 0; i < 2; ++i) {
    text.Layer(kPast, kPresent, GroupQuery(), kQkv);
    text.Layer("float[batch, 4, 30, 4] ek#, float[batch, 4, 30, 4] ev#", "", cross, "float[16, 16] wq#");
  }
  const Decoder decoder = Read(text.Build());
  REQUIRE(decoder.layers.size() == 1);
  CHECK(decoder.layers[0].count == 2);
  CHECK(decoder.layers[0].cross_tokens == 30);
  CHECK(decoder.layers[0].attention_weights == 768 + 2 * 256);
  CHECK(decoder.layers[0].mlp_weights == 2 * 3 * 16 * 32);
}

TEST_CASE("what is no decoder is refused with a way out") {
  struct Case {
    std::string what, core, message;
  };
  const std::string no_cache = absl::StrReplaceAll(InOperators(), {{"Concat<axis = 2>(pk#, kt#)", "Identity(kt#)"},
                                                                   {"Concat<axis = 2>(pv#, vt#)", "Identity(vt#)"}});
  for (const Case& c : {Case{"attention without a cache", no_cache, "none of its inputs is a cache"},
                        Case{"no attention", "a# = MatMul(n#, wq#) ", "it has no attention and no state"}}) {
    INFO(c.what);
    DecoderText text;
    text.Layer("", "", c.core, kQkv);
    const absl::StatusOr<Decoder> decoder = DecoderOfGraph(text.Build());
    REQUIRE_FALSE(decoder.ok());
    CHECK(DiagnosticOf(decoder.status()).code == Code::kUsage);
    CHECK_THAT(DiagnosticOf(decoder.status()).message, Contains(c.message));
    CHECK_THAT(DiagnosticOf(decoder.status()).remedy, Contains("past_key_values"));
  }
}

}  // namespace
}  // namespace hwest

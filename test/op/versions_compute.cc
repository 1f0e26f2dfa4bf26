// Products, convolutions, attention, pools, normalisation, recurrent and quantised operators at each of their versions.
#include "op/versions.h"

namespace hwest {
namespace {

void AddProducts(std::vector<VersionRow>& rows) {
  // clang-format off
  const std::vector<VersionRow> products = {
      {"1 6", {.op = "Gemm", .inputs = {"float[2, 4]", "float[4, 3]", "float[3]"}, .attrs = {Int("broadcast", 1)}},
       {"float[2, 3]"}},
      {"7 9", {.op = "Gemm", .inputs = {"float[2, 4]", "float[3, 4]", "float[3]"}, .attrs = {Int("transB", 1)}},
       {"float[2, 3]"}},
      {"9", {.op = "Gemm", .inputs = {"int32[2, 4]", "int32[4, 3]", "int32[3]"}}, {"int32[2, 3]"}},
      {"11 13", {.op = "Gemm", .inputs = {"float[2, 4]", "float[4, 3]"}}, {"float[2, 3]"}},
      {"*", {.op = "MatMul", .inputs = {"float[5, 2, 4]", "float[4, 3]"}}, {"float[5, 2, 3]"}},
      {"*", {.op = "MatMulInteger", .inputs = {"uint8[2, 4]", "int8[4, 3]", "uint8[]"}}, {"int32[2, 3]"}},
      {"*", {.op = "Det", .inputs = {"float[5, 3, 3]"}}, {"float[5]"}},
      {"*", {.op = "Einsum", .inputs = {"float[5, 2, 4]", "float[4, 3]"}, .attrs = {Str("equation", "bij, jk -> bik")}},
       {"float[5, 2, 3]"}},
  };
  // clang-format on
  rows.insert(rows.end(), products.begin(), products.end());
}

void AddConvolutions(std::vector<VersionRow>& rows) {
  // clang-format off
  const std::vector<VersionRow> convolutions = {
      {"*", {.op = "CausalConvWithState", .inputs = {"float16[2, 6, 5]", "float16[6, 1, 4]"}},
       {"float16[2, 6, 5]", "float16[2, 6, 3]"}},
      {"*", {.op = "Conv", .inputs = {"float[1, 3, 8, 8]", "float[4, 3, 3, 3]", "float[4]"},
             .attrs = {Ints("pads", {1, 1, 1, 1})}},
       {"float[1, 4, 8, 8]"}},
      {"*", {.op = "ConvInteger", .inputs = {"uint8[1, 3, 8, 8]", "uint8[4, 3, 3, 3]", "uint8[]"}},
       {"int32[1, 4, 6, 6]"}},
      {"*", {.op = "ConvTranspose", .inputs = {"float[1, 3, 4, 4]", "float[3, 2, 2, 2]"},
             .attrs = {Ints("strides", {2, 2})}},
       {"float[1, 2, 8, 8]"}},
      {"*", {.op = "DeformConv", .inputs = {"float[1, 3, 8, 8]", "float[4, 3, 3, 3]", "float[1, 18, 6, 6]"}},
       {"float[1, 4, 6, 6]"}},
  };
  // clang-format on
  rows.insert(rows.end(), convolutions.begin(), convolutions.end());
}

void AddAttention(std::vector<VersionRow>& rows) {
  const std::vector<TestAttr> heads = {Int("q_num_heads", 4), Int("kv_num_heads", 2)};
  const std::vector<std::string> packed = {"float16[2, 5, 32]", "float16[2, 5, 16]", "float16[2, 5, 24]"};
  const std::vector<std::string> apart = {"float[2, 4, 5, 8]", "float[2, 4, 7, 8]", "float[2, 4, 7, 6]"};
  std::vector<std::string> cached = apart;
  cached.insert(cached.end(), {"bool[5, 7]", "", "", "int64[2]"});
  // clang-format off
  const std::vector<VersionRow> attention = {
      {"*", {.op = "Attention", .inputs = packed, .attrs = heads},
       {"float16[2, 5, 48]", "float16[2, 2, 5, 8]", "float16[2, 2, 5, 12]", "float16[2, 4, 5, 5]"}},
      {"*", {.op = "Attention", .inputs = apart, .attrs = {Int("is_causal", 1)}}, {"float[2, 4, 5, 6]"}},
      {"24 25", {.op = "Attention", .inputs = cached}, {"float[2, 4, 5, 6]"}},
      {"25", {.op = "Attention", .inputs = apart, .attrs = {Int("left_window_size", 2)}}, {"float[2, 4, 5, 6]"}},
      {"*", {.op = "LinearAttention", .inputs = packed, .attrs = heads}, {"float16[2, 5, 48]", "float16[2, 2, 8, 12]"}},
      {"*", {.op = "RotaryEmbedding", .inputs = {"float[2, 5, 32]", "float[9, 4]", "float[9, 4]", "int64[2, 5]"},
             .attrs = {Int("num_heads", 4)}},
       {"float[2, 5, 32]"}},
  };
  // clang-format on
  rows.insert(rows.end(), attention.begin(), attention.end());
}

void AddPools(std::vector<VersionRow>& rows) {
  const TestAttr kernel = Ints("kernel_shape", {3}), stride = Ints("strides", {2}), ceil = Int("ceil_mode", 1);
  const TestAttr dilated = Ints("dilations", {2});
  // clang-format off
  const std::vector<VersionRow> pools = {
      {"1", {.op = "AveragePool", .inputs = {"float[1, 2, 9]"}, .attrs = {kernel}}, {"float[1, 2, 7]"}},
      {"7", {.op = "AveragePool", .inputs = {"float[1, 2, 9]"}, .attrs = {kernel, Int("count_include_pad", 1)}},
       {"float[1, 2, 7]"}},
      {"10 11", {.op = "AveragePool", .inputs = {"float[1, 2, 8]"}, .attrs = {kernel, stride, ceil}},
       {"float[1, 2, 4]"}},
      {"19 22", {.op = "AveragePool", .inputs = {"float[1, 2, 8]"}, .attrs = {kernel, stride, ceil, dilated}},
       {"float[1, 2, 3]"}},
      {"*", {.op = "GlobalAveragePool", .inputs = {"float[1, 2, 8, 9]"}}, {"float[1, 2, 1, 1]"}},
      {"1", {.op = "GlobalLpPool", .inputs = {"float[1, 2, 8, 9]"}, .attrs = {Float("p", 2)}}, {"float[1, 2, 1, 1]"}},
      {"2 22", {.op = "GlobalLpPool", .inputs = {"float[1, 2, 8, 9]"}, .attrs = {Int("p", 1)}}, {"float[1, 2, 1, 1]"}},
      {"*", {.op = "GlobalMaxPool", .inputs = {"float[1, 2, 8, 9]"}}, {"float[1, 2, 1, 1]"}},
      {"1", {.op = "LpPool", .inputs = {"float[1, 2, 9]"}, .attrs = {kernel, Float("p", 2)}}, {"float[1, 2, 7]"}},
      {"2 11", {.op = "LpPool", .inputs = {"float[1, 2, 9]"}, .attrs = {kernel, Int("p", 1)}}, {"float[1, 2, 7]"}},
      {"18 22", {.op = "LpPool", .inputs = {"float[1, 2, 8]"}, .attrs = {kernel, stride, ceil, dilated}},
       {"float[1, 2, 3]"}},
      {"1", {.op = "MaxPool", .inputs = {"float[1, 2, 9]"}, .attrs = {kernel}}, {"float[1, 2, 7]"}},
      {"8", {.op = "MaxPool", .inputs = {"float[1, 2, 9]"}, .attrs = {kernel, Int("storage_order", 1)}},
       {"float[1, 2, 7]", "int64[1, 2, 7]"}},
      {"10 11 12 22", {.op = "MaxPool", .inputs = {"float[1, 2, 8]"}, .attrs = {kernel, stride, ceil, dilated}},
       {"float[1, 2, 3]", "int64[1, 2, 3]"}},
      {"12 22", {.op = "MaxPool", .inputs = {"uint8[1, 2, 9]"}, .attrs = {kernel}}, {"uint8[1, 2, 7]"}},
      {"*", {.op = "MaxRoiPool", .inputs = {"float[1, 2, 9, 9]", "float[5, 5]"},
             .attrs = {Ints("pooled_shape", {3, 4})}},
       {"float[5, 2, 3, 4]"}},
      {"*", {.op = "MaxUnpool", .inputs = {"float[1, 2, 4]", "int64[1, 2, 4]"}, .attrs = {kernel, stride}},
       {"float[1, 2, 9]"}},
      {"*", {.op = "MaxUnpool", .inputs = {"float[1, 2, 4]", "int64[1, 2, 4]", "int64[3] = {1, 2, 10}"},
             .attrs = {kernel, stride}},
       {"float[1, 2, 10]"}},
  };
  // clang-format on
  rows.insert(rows.end(), pools.begin(), pools.end());
}

void AddNormalisations(std::vector<VersionRow>& rows) {
  const std::vector<std::string> batch = {"float[2, 3, 4]", "float[3]", "float[3]", "float[3]", "float[3]"};
  const std::vector<std::string> elements = {"float[2, 3, 4]", "float[3, 4]", "float[3, 4]", "float[3, 4]",
                                             "float[3, 4]"};
  const std::vector<std::string> mixed = {"float16[2, 3]", "float16[3]", "float16[3]", "float[3]", "float[3]"};
  const std::vector<std::string> five = {"float[2, 3, 4]", "float[3]", "float[3]", "float[3]", "float[3]"};
  const TestAttr not_spatial = Int("spatial", 0), inference = Int("is_test", 1), training = Int("training_mode", 1);
  // clang-format off
  const std::vector<VersionRow> norms = {
      {"1 6", {.op = "BatchNormalization", .inputs = elements, .attrs = {not_spatial, inference}}, {"float[2, 3, 4]"}},
      {"1 6 7 9", {.op = "BatchNormalization", .inputs = batch}, five},
      {"7", {.op = "BatchNormalization", .inputs = elements, .attrs = {not_spatial}}, {"float[2, 3, 4]"}},
      {"14 15", {.op = "BatchNormalization", .inputs = batch, .attrs = {training}},
       {"float[2, 3, 4]", "float[3]", "float[3]"}},
      {"15", {.op = "BatchNormalization", .inputs = mixed, .attrs = {training}},
       {"float16[2, 3]", "float[3]", "float[3]"}},
      {"18", {.op = "GroupNormalization", .inputs = {"float[2, 6, 4]", "float[3]", "float[3]"},
              .attrs = {Int("num_groups", 3)}},
       {"float[2, 6, 4]"}},
      {"21", {.op = "GroupNormalization", .inputs = {"float[2, 6, 4]", "float[6]", "float[6]"},
              .attrs = {Int("num_groups", 3), Int("stash_type", 10)}},
       {"float[2, 6, 4]"}},
      {"*", {.op = "InstanceNormalization", .inputs = {"float[1, 2, 3]", "float[2]", "float[2]"}}, {"float[1, 2, 3]"}},
      {"*", {.op = "LRN", .inputs = {"float[1, 5, 2]"}, .attrs = {Int("size", 3)}}, {"float[1, 5, 2]"}},
      {"*", {.op = "LayerNormalization", .inputs = {"float[2, 4]", "float[4]", "float[4]"}},
       {"float[2, 4]", "float[2, 1]", "float[2, 1]"}},
      {"*", {.op = "LpNormalization", .inputs = {"float[2, 4]"}, .attrs = {Int("axis", 0)}}, {"float[2, 4]"}},
      {"*", {.op = "MeanVarianceNormalization", .inputs = {"float[1, 2, 3, 4]"}}, {"float[1, 2, 3, 4]"}},
      {"*", {.op = "RMSNormalization", .inputs = {"float16[2, 4]", "float16[4]"}}, {"float16[2, 4]"}},
      {"*", {.op = "SimplifiedLayerNormalization", .inputs = {"float[2, 4]", "float[4]"}},
       {"float[2, 4]", "float[2, 1]"}},
  };
  // clang-format on
  rows.insert(rows.end(), norms.begin(), norms.end());
  for (const char* op : {"Hardmax", "LogSoftmax", "Softmax"}) {
    rows.push_back({"1 11", {.op = op, .inputs = {"float[4]"}}, {"float[4]"}});  // axis 1 of a vector: no columns
    rows.push_back({"11 13", {.op = op, .inputs = {"float[2, 3, 4]"}, .attrs = {Int("axis", -2)}}, {"float[2, 3, 4]"}});
  }
}

void AddRecurrent(std::vector<VersionRow>& rows) {
  struct Layer {
    const char* op;
    std::vector<std::string> inputs;
    const char* first;  // versions with attribute output_sequence
    const char* middle;
    size_t outputs;
  };
  const Layer layers[] = {
      {"GRU", {"float[5, 2, 4]", "float[1, 9, 4]", "float[1, 9, 3]"}, "1 3", "7", 2},
      {"LSTM", {"float[5, 2, 4]", "float[1, 12, 4]", "float[1, 12, 3]"}, "1", "7", 3},
      {"RNN", {"float[5, 2, 4]", "float[1, 3, 4]", "float[1, 3, 3]"}, "1", "7", 2},
  };
  const TestAttr hidden = Int("hidden_size", 3);
  for (const Layer& layer : layers) {
    std::vector<std::string> types = {"float[5, 1, 2, 3]", "float[1, 2, 3]", "float[1, 2, 3]"};
    types.resize(layer.outputs);
    std::vector<std::string> batch_first = {"float[5, 2, 1, 3]", "float[5, 1, 3]", "float[5, 1, 3]"};
    batch_first.resize(layer.outputs);
    rows.push_back(
        {layer.first, {.op = layer.op, .inputs = layer.inputs, .attrs = {hidden, Int("output_sequence", 1)}}, types});
    rows.push_back({layer.middle, {.op = layer.op, .inputs = layer.inputs, .attrs = {hidden}}, types});
    rows.push_back(
        {"14 22", {.op = layer.op, .inputs = layer.inputs, .attrs = {hidden, Int("layout", 1)}}, batch_first});
  }
}

void AddQuantised(std::vector<VersionRow>& rows) {
  // clang-format off
  const std::vector<VersionRow> quantised = {
      {"10", {.op = "DequantizeLinear", .inputs = {"uint8[2, 4]", "float[]", "uint8[]"}}, {"float[2, 4]"}},
      {"13", {.op = "DequantizeLinear", .inputs = {"int8[2, 4]", "float[2]"}, .attrs = {Int("axis", 0)}},
       {"float[2, 4]"}},
      {"19", {.op = "DequantizeLinear", .inputs = {"float8e4m3fn[2, 4]", "float16[]"}}, {"float16[2, 4]"}},
      {"21", {.op = "DequantizeLinear", .inputs = {"int4[2, 4]", "float16[2, 2]"}, .attrs = {Int("block_size", 2)}},
       {"float16[2, 4]"}},
      {"23 24 25", {.op = "DequantizeLinear", .inputs = {"float4e2m1[2, 4]", "float[]"},
                    .attrs = {Int("output_dtype", 10)}},
       {"float16[2, 4]"}},
      {"24", {.op = "DequantizeLinear", .inputs = {"float8e4m3fn[2, 4]", "float8e8m0[2, 2]"},
              .attrs = {Int("block_size", 2), Int("output_dtype", 1)}},
       {"float[2, 4]"}},
      {"25", {.op = "DequantizeLinear", .inputs = {"uint2[2, 4]", "float[]"}}, {"float[2, 4]"}},
      {"*", {.op = "DynamicQuantizeLinear", .inputs = {"float[2, 4]"}}, {"uint8[2, 4]", "float[]", "uint8[]"}},
      {"*", {.op = "QLinearConv",
             .inputs = {"uint8[1, 3, 4, 4]", "float[]", "uint8[]", "int8[2, 3, 1, 1]", "float[]", "int8[]", "float[]",
                        "uint8[]"}},
       {"uint8[1, 2, 4, 4]"}},
      {"*", {.op = "QLinearMatMul",
             .inputs = {"uint8[2, 4]", "float[]", "uint8[]", "int8[4, 3]", "float[]", "int8[]", "float[]", "int8[]"}},
       {"int8[2, 3]"}},
      {"21", {.op = "QLinearMatMul",
              .inputs = {"float8e4m3fn[2, 4]", "float16[]", "float8e4m3fn[]", "float8e4m3fn[4, 3]", "float16[]",
                         "float8e4m3fn[]", "float16[]", "float8e4m3fn[]"}},
       {"float8e4m3fn[2, 3]"}},
      {"10", {.op = "QuantizeLinear", .inputs = {"float[2, 4]", "float[]", "int8[]"}}, {"int8[2, 4]"}},
      {"13", {.op = "QuantizeLinear", .inputs = {"float[2, 4]", "float[2]"}, .attrs = {Int("axis", 0)}},
       {"uint8[2, 4]"}},
      {"19", {.op = "QuantizeLinear", .inputs = {"float16[2, 4]", "float16[]", "float8e5m2[]"},
              .attrs = {Int("saturate", 0)}},
       {"float8e5m2[2, 4]"}},
      {"21", {.op = "QuantizeLinear", .inputs = {"float[2, 4]", "float[2, 2]"},
              .attrs = {Int("block_size", 2), Int("output_dtype", 21)}},
       {"uint4[2, 4]"}},
      {"23 24 25", {.op = "QuantizeLinear", .inputs = {"float[2, 4]", "float[]"},
                    .attrs = {Int("output_dtype", 23), Int("precision", 1)}},
       {"float4e2m1[2, 4]"}},
      {"25", {.op = "QuantizeLinear", .inputs = {"float[2, 4]", "float[]", "int2[]"}}, {"int2[2, 4]"}},
  };
  // clang-format on
  rows.insert(rows.end(), quantised.begin(), quantised.end());
}

}  // namespace

std::vector<VersionRow> ComputeVersions() {
  std::vector<VersionRow> rows;
  AddProducts(rows);
  AddConvolutions(rows);
  AddAttention(rows);
  AddPools(rows);
  AddNormalisations(rows);
  AddRecurrent(rows);
  AddQuantised(rows);
  return rows;
}

}  // namespace hwest

#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

OpCase Ml(const std::string& op, std::vector<std::string> inputs, std::vector<TestAttr> attrs = {}, int version = 1) {
  return {.op = op, .inputs = std::move(inputs), .attrs = std::move(attrs), .domain_version = version};
}

TEST_CASE("ai.onnx.ml: element by element") {
  // clang-format off
  CheckRows({
      {"binarizer", Ml("ai.onnx.ml::Binarizer", {"double[N, 4]"}), {"double[N, 4]"}, "0", "compare=4*N"},
      {"imputer", Ml("ai.onnx.ml::Imputer", {"int64[2, 4]"}, {Ints("imputed_value_int64s", {1})}), {"int64[2, 4]"},
       "0", "integer=8"},
      {"scaler", Ml("ai.onnx.ml::Scaler", {"int64[2, 4]"}, {Floats("scale", {2})}), {"float[2, 4]"}, "0",
       "add=8 mul=8"},
      {"normalizer", Ml("ai.onnx.ml::Normalizer", {"double[2, 4]"}, {Str("norm", "L2")}), {"float[2, 4]"}, "0",
       "add=8 mul=16"},
      {"strings to numbers", Ml("ai.onnx.ml::CategoryMapper", {"string[3]"}), {"int64[3]"}},
      {"numbers to strings", Ml("ai.onnx.ml::CategoryMapper", {"int64[N]"}), {"string[N]"}},
      {"label encoder 1", Ml("ai.onnx.ml::LabelEncoder", {"string[3]"}, {Strings("classes_strings", {"a"})}),
       {"int64[3]"}},
      {"label encoder 2", Ml("ai.onnx.ml::LabelEncoder", {"string[3]"},
                             {Strings("keys_strings", {"a"}), Floats("values_floats", {1})}, 2),
       {"float[3]"}},
      {"label encoder 2, strings to strings",
       Ml("ai.onnx.ml::LabelEncoder", {"string[3]"}, {Strings("keys_strings", {"a"}), Strings("values_strings", {"b"})},
          2),
       {"string[3]"}},
      {"label encoder 4, tensors",
       Ml("ai.onnx.ml::LabelEncoder", {"int64[N, 2]"},
          {Tensor("keys_tensor", TestConstant("int64[1]", {3})),
           Tensor("values_tensor", TestConstant("int32[1]", {5}))},
          4),
       {"int32[N, 2]"}},
  });
  // clang-format on
}

TEST_CASE("ai.onnx.ml: look-ups are counted one by one") {
  const OpRun encoder = RunOp(Ml("ai.onnx.ml::LabelEncoder", {"int64[N, 2]"},
                                 {Ints("keys_int64s", {3, 4}), Floats("values_floats", {1, 2})}, 2));
  CHECK(encoder.text(encoder.work.value().visits) == "2*N");
  CHECK(encoder.work.value().table_bytes == Dim(2 + 2 * 4));
  CHECK(RunOp(Ml("ai.onnx.ml::OneHotEncoder", {"string[4]"}, {Strings("cats_strings", {"a", "b"})}))
            .work.value()
            .visits == Dim(4));
}

TEST_CASE("ai.onnx.ml: columns") {
  // clang-format off
  CheckRows({
      {"one hot", Ml("ai.onnx.ml::OneHotEncoder", {"int64[N, 2]"}, {Ints("cats_int64s", {1, 5, 9})}),
       {"float[N, 2, 3]"}},
      {"one hot of strings", Ml("ai.onnx.ml::OneHotEncoder", {"string[4]"}, {Strings("cats_strings", {"a", "b"})}),
       {"float[4, 2]"}},
      {"picked columns", Ml("ai.onnx.ml::ArrayFeatureExtractor", {"double[N, 9]", "int64[2]"}), {"double[N, 2]"}},
      {"picked of one row", Ml("ai.onnx.ml::ArrayFeatureExtractor", {"string[9]", "int64[1, 3]"}), {"string[1, 3]"}},
      {"side by side", Ml("ai.onnx.ml::FeatureVectorizer", {"int64[N, 2]", "int64[N, 3]"},
                          {Ints("inputdimensions", {2, 3})}),
       {"float[N, 5]"}},
      {"side by side, widths from the inputs", Ml("ai.onnx.ml::FeatureVectorizer", {"float[4]", "float[1, 3]"}),
       {"float[1, 7]"}},
  });
  // clang-format on
  CHECK(RunOp(Ml("ai.onnx.ml::ArrayFeatureExtractor", {"float[4, 9]", "int64[2]"})).work.value().reads[0] == Dim(8));
  CheckRefused(Ml("ai.onnx.ml::OneHotEncoder", {"int64[2]"}), "categories");
  CheckRefused(Ml("ai.onnx.ml::FeatureVectorizer", {"float[2, 2]", "float[3, 2]"}), "2 and 3");
}

TEST_CASE("ai.onnx.ml: maps") {
  // clang-format off
  CheckRows({
      {"sparse map", Ml("ai.onnx.ml::CastMap", {"map float"},
                        {Str("cast_to", "TO_INT64"), Str("map_form", "SPARSE"), Int("max_map", 7)}),
       {"int64[1, 7]"}},
      {"vocabulary", Ml("ai.onnx.ml::DictVectorizer", {"map double"}, {Strings("string_vocabulary", {"a", "b"})}),
       {"double[1, 2]"}},
      {"zip", Ml("ai.onnx.ml::ZipMap", {"float[N, 3]"}, {Ints("classlabels_int64s", {0, 1, 2})}),
       {"sequence of float[3]"}},
  });
  // clang-format on
  const OpRun dense = RunOp(Ml("ai.onnx.ml::CastMap", {"map string"}));
  CHECK(dense.view().out(0).elem == ElemType::kFloat);
  CHECK(dense.dims->symbol(dense.dims->AsSymbol(dense.view().out(0).shape.dim(1))).data_dependent);
  const OpRun zip = RunOp(Ml("ai.onnx.ml::ZipMap", {"float[N, 3]"}, {Strings("classlabels_strings", {"a", "b", "c"})}));
  CHECK(zip.view().out(0).inner == ValueKind::kMap);
  CHECK(zip.text(zip.view().out(0).length) == "N");
  CHECK(dense.dims->symbol(dense.dims->AsSymbol(dense.view().out(0).shape.dim(1))).typical == Dim(16));
  // A map has no more entries than its vocabulary.
  const OpRun vocabulary =
      RunOp(Ml("ai.onnx.ml::DictVectorizer", {"map double"}, {Strings("string_vocabulary", {"a", "b"})}));
  CHECK(vocabulary.work.value().reads[0] == Dim(2));
  CHECK(vocabulary.work.value().visits == Dim(2));
  CheckRefused(Ml("ai.onnx.ml::ZipMap", {"float[N, 3]"}, {Ints("classlabels_int64s", {0, 1})}), "3 and 2");
  CheckRefused(Ml("ai.onnx.ml::CastMap", {"float[3]"}), "a map");
  CheckRefused(Ml("ai.onnx.ml::DictVectorizer", {"map float"}), "vocabulary");
}

TEST_CASE("ai.onnx.ml: linear models") {
  const std::vector<TestAttr> three = {Ints("classlabels_ints", {0, 1, 2}), Floats("intercepts", {0, 0, 0}),
                                       Floats("coefficients", std::vector<float>(12, 1))};
  // clang-format off
  CheckRows({
      {"classifier", Ml("ai.onnx.ml::LinearClassifier", {"float[N, 4]"}, three), {"int64[N]", "float[N, 3]"}, "12*N",
       "add=3*N", "matmul 1xNx3x4"},
      {"one row of weights for two names",
       Ml("ai.onnx.ml::LinearClassifier", {"float[5, 4]"},
          {Strings("classlabels_strings", {"a", "b"}), Floats("coefficients", {1, 2, 3, 4}),
           Str("post_transform", "LOGISTIC")}),
       {"string[5]", "float[5, 2]"}, "20", "add=5 mul=5 transcendental=5", "matmul 1x5x1x4"},
      {"regressor of one sample", Ml("ai.onnx.ml::LinearRegressor", {"double[4]"}, {Int("targets", 2)}),
       {"float[1, 2]"}, "8", "", "matmul 1x1x2x4"},
  });
  // clang-format on
  CheckRefused(Ml("ai.onnx.ml::LinearClassifier", {"float[2, 4]"}), "labels");
  CheckRefused(Ml("ai.onnx.ml::LinearRegressor", {"float[2, 4]"}, {Int("targets", -1)}), "found -1");
}

TEST_CASE("ai.onnx.ml: support vector machines") {
  // clang-format off
  CheckRows({
      {"raw scores of pairs",
       Ml("ai.onnx.ml::SVMClassifier", {"float[N, 4]"},
          {Ints("classlabels_ints", {0, 1, 2, 3}), Ints("vectors_per_class", {2, 3, 1, 4}), Str("kernel_type", "RBF")}),
       {"int64[N]", "float[N, 6]"}, "40*N", "add=10*N mul=50*N transcendental=10*N", "matmul 1xNx10x4"},
      {"probabilities",
       Ml("ai.onnx.ml::SVMClassifier", {"float[2, 4]"},
          {Strings("classlabels_strings", {"a", "b", "c"}), Ints("vectors_per_class", {1, 1, 1}),
           Floats("prob_a", {1, 1, 1})}),
       {"string[2]", "float[2, 3]"}, "24", "mul=18", "matmul 1x2x3x4"},
      {"two classes, raw", Ml("ai.onnx.ml::SVMClassifier", {"float[2, 4]"},
                              {Ints("classlabels_ints", {0, 1}), Ints("vectors_per_class", {1, 1})}),
       {"int64[2]", "float[2, 2]"}, "16", "mul=8", "matmul 1x2x2x4"},
      {"linear", Ml("ai.onnx.ml::SVMClassifier", {"float[2, 4]"}, {Ints("classlabels_ints", {0, 1, 2})}),
       {"int64[2]", "float[2, 3]"}, "24", "", "matmul 1x2x3x4"},
      {"regressor", Ml("ai.onnx.ml::SVMRegressor", {"float[N, 4]"}, {Int("n_supports", 7), Str("kernel_type", "POLY")}),
       {"float[N, 1]"}, "28*N", "add=7*N mul=7*N transcendental=7*N", "matmul 1xNx7x4"},
      {"linear regressor", Ml("ai.onnx.ml::SVMRegressor", {"float[N, 4]"}), {"float[N, 1]"}, "4*N", "",
       "matmul 1xNx1x4"},
  });
  // clang-format on
  CheckRefused(Ml("ai.onnx.ml::SVMClassifier", {"float[2, 4]"}, {Ints("vectors_per_class", {-1})}), "found -1");
}

}  // namespace
}  // namespace hwest

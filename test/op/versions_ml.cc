// ai.onnx.ml and the training operators at each of their versions.
#include "op/versions.h"

namespace hwest {
namespace {

// Row(op, versions, inputs, attributes, types) in the domain of machine learning.
VersionRow Row(const std::string& versions, const std::string& op, std::vector<std::string> inputs,
               std::vector<TestAttr> attrs, std::vector<std::string> types) {
  return {
      versions, {.op = "ai.onnx.ml::" + op, .inputs = std::move(inputs), .attrs = std::move(attrs)}, std::move(types)};
}

void AddTraining(std::vector<VersionRow>& rows) {
  const std::string domain = "ai.onnx.preview.training::";
  rows.push_back({"*",
                  {.op = domain + "Adagrad", .inputs = {"float[]", "int64[]", "float[3]", "float[3]", "float[3]"}},
                  {"float[3]", "float[3]"}});
  rows.push_back(
      {"*",
       {.op = domain + "Adam", .inputs = {"float[]", "int64[]", "float[3]", "float[3]", "float[3]", "float[3]"}},
       {"float[3]", "float[3]", "float[3]"}});
  rows.push_back(
      {"*",
       {.op = domain + "Gradient", .inputs = {"float[3]"}, .attrs = {Strings("xs", {"in0"}), Str("y", "loss")}},
       {"float[3]"}});
  // clang-format off
  rows.push_back(
      {"*", {.op = domain + "Momentum", .inputs = {"float[]", "int64[]", "float[3]", "float[3]", "float[3]"}},
       {"float[3]", "float[3]"}});
  // clang-format on
}

}  // namespace

std::vector<VersionRow> MlVersions() {
  const TestAttr labels = Ints("classlabels_int64s", {0, 1, 2});
  std::vector<VersionRow> rows = {
      Row("*", "ArrayFeatureExtractor", {"float[2, 9]", "int64[3]"}, {}, {"float[2, 3]"}),
      Row("*", "Binarizer", {"float[2]"}, {Float("threshold", 1)}, {"float[2]"}),
      Row("*", "CastMap", {"map float"}, {Str("map_form", "SPARSE"), Int("max_map", 4)}, {"float[1, 4]"}),
      Row("*", "CategoryMapper", {"string[2]"}, {}, {"int64[2]"}),
      Row("*", "DictVectorizer", {"map int64"}, {Ints("int64_vocabulary", {1, 2})}, {"int64[1, 2]"}),
      Row("*", "FeatureVectorizer", {"float[2, 3]", "float[2, 1]"}, {}, {"float[2, 4]"}),
      Row("*", "Imputer", {"float[2]"}, {}, {"float[2]"}),
      Row("1", "LabelEncoder", {"int64[2]"}, {Strings("classes_strings", {"a"})}, {"string[2]"}),
      Row("2", "LabelEncoder", {"int64[2]"}, {Ints("keys_int64s", {1}), Ints("values_int64s", {2})}, {"int64[2]"}),
      Row("4", "LabelEncoder", {"int64[2]"}, {Tensor("values_tensor", TestConstant("double[1]", {2}))}, {"double[2]"}),
      Row("*", "LinearClassifier", {"float[2, 3]"}, {Ints("classlabels_ints", {0, 1})}, {"int64[2]", "float[2, 2]"}),
      Row("*", "LinearRegressor", {"float[2, 3]"}, {}, {"float[2, 1]"}),
      Row("*", "Normalizer", {"float[2, 3]"}, {}, {"float[2, 3]"}),
      Row("*", "OneHotEncoder", {"int64[2]"}, {Ints("cats_int64s", {4, 5})}, {"float[2, 2]"}),
      Row("*", "SVMClassifier", {"float[2, 3]"}, {Ints("classlabels_ints", {0, 1})}, {"int64[2]", "float[2, 2]"}),
      Row("*", "SVMRegressor", {"float[2, 3]"}, {}, {"float[2, 1]"}),
      Row("*", "Scaler", {"int64[2, 3]"}, {}, {"float[2, 3]"}),
      Row("*", "TreeEnsemble", {"double[2, 3]"}, {Int("n_targets", 4)}, {"double[2, 4]"}),
      Row("1", "TreeEnsembleClassifier", {"float[2, 3]"}, {labels, Floats("class_weights", {1})},
          {"int64[2]", "float[2, 3]"}),
      Row("3 5", "TreeEnsembleClassifier", {"double[2, 3]"},
          {labels, Tensor("class_weights_as_tensor", TestConstant("double[1]", {1}))}, {"int64[2]", "float[2, 3]"}),
      Row("1", "TreeEnsembleRegressor", {"float[2, 3]"}, {Floats("target_weights", {1})}, {"float[2, 1]"}),
      Row("3 5", "TreeEnsembleRegressor", {"double[2, 3]"},
          {Int("n_targets", 2), Tensor("target_weights_as_tensor", TestConstant("double[1]", {1}))}, {"float[2, 2]"}),
      Row("*", "ZipMap", {"float[2, 3]"}, {labels}, {"sequence of float[3]"}),
  };
  AddTraining(rows);
  return rows;
}

}  // namespace hwest

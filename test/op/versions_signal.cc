// Signal, random, image, loss and text operators at each of their versions.
#include "op/versions.h"

namespace hwest {

std::vector<VersionRow> SignalVersions() {
  // clang-format off
  return {
      {"*", {.op = "AffineGrid", .inputs = {"float[2, 2, 3]", "int64[4] = {2, 3, 5, 6}"}}, {"float[2, 5, 6, 2]"}},
      {"*", {.op = "Bernoulli", .inputs = {"float[2]"}, .attrs = {Int("dtype", 9)}}, {"bool[2]"}},
      {"*", {.op = "BlackmanWindow", .inputs = {"int64[] = {9}"}}, {"float[9]"}},
      {"17", {.op = "DFT", .inputs = {"float[2, 16, 5, 1]"}, .attrs = {Int("axis", 1), Int("onesided", 1)}},
       {"float[2, 9, 5, 2]"}},
      {"20", {.op = "DFT", .inputs = {"float[2, 16, 5, 1]", "", "int64[] = {1}"}, .attrs = {Int("onesided", 1)}},
       {"float[2, 9, 5, 2]"}},
      {"16", {.op = "GridSample", .inputs = {"float[1, 3, 8, 8]", "float[1, 5, 6, 2]"},
              .attrs = {Str("mode", "bilinear")}},
       {"float[1, 3, 5, 6]"}},
      {"20 22", {.op = "GridSample", .inputs = {"float[1, 3, 8, 8, 8]", "float[1, 4, 5, 6, 3]"},
                 .attrs = {Str("mode", "linear")}},
       {"float[1, 3, 4, 5, 6]"}},
      {"*", {.op = "HammingWindow", .inputs = {"int64[] = {9}"}}, {"float[9]"}},
      {"*", {.op = "HannWindow", .inputs = {"int64[] = {9}"}}, {"float[9]"}},
      {"*", {.op = "ImageDecoder", .inputs = {"uint8[9]"}, .attrs = {Str("pixel_format", "BGR")}},
       {"uint8[height, width, 3]"}},
      {"*", {.op = "MelWeightMatrix",
             .inputs = {"int64[] = {8}", "int64[] = {16}", "int64[] = {8000}", "float[] = {0}", "float[] = {4000}"}},
       {"float[9, 8]"}},
      {"*", {.op = "Multinomial", .inputs = {"float[2, 3]"}, .attrs = {Int("dtype", 7)}}, {"int64[2, 1]"}},
      {"*", {.op = "NegativeLogLikelihoodLoss", .inputs = {"float[2, 3]", "int64[2]"}}, {"float[]"}},
      {"*", {.op = "RandomNormal", .attrs = {Ints("shape", {2})}}, {"float[2]"}},
      {"*", {.op = "RandomNormalLike", .inputs = {"double[2]"}}, {"double[2]"}},
      {"*", {.op = "RandomUniform", .attrs = {Ints("shape", {2}), Int("dtype", 11)}}, {"double[2]"}},
      {"*", {.op = "RandomUniformLike", .inputs = {"float[2]"}}, {"float[2]"}},
      {"*", {.op = "RegexFullMatch", .inputs = {"string[2]"}, .attrs = {Str("pattern", "a")}}, {"bool[2]"}},
      {"*", {.op = "STFT", .inputs = {"float[1, 128, 1]", "int64[] = {8}", "float[16]"}}, {"float[1, 15, 9, 2]"}},
      {"*", {.op = "SoftmaxCrossEntropyLoss", .inputs = {"float[2, 3]", "int64[2]"}}, {"float[]", "float[2, 3]"}},
      {"*", {.op = "StringConcat", .inputs = {"string[2]", "string[]"}}, {"string[2]"}},
      {"*", {.op = "StringNormalizer", .inputs = {"string[2]"}}, {"string[2]"}},
      {"*", {.op = "StringSplit", .inputs = {"string[2]"}}, {"string[2, substrings]", "int64[2]"}},
      {"*", {.op = "TfIdfVectorizer", .inputs = {"int64[2, 3]"}, .attrs = {Ints("ngram_indexes", {0, 4})}},
       {"float[2, 5]"}},
  };
  // clang-format on
}

}  // namespace hwest

#include "op/op_rows.h"
#include "support/catch.h"

namespace hwest {
namespace {

TEST_CASE("NegativeLogLikelihoodLoss: reductions") {
  const std::vector<std::string> inputs = {"float[3, 5, 6, 6]", "int64[3, 6, 6]"};
  // clang-format off
  CheckRows({
      {"mean is the default", {.op = "NegativeLogLikelihoodLoss", .inputs = inputs}, {"float[]"}, "0",
       "add=108 mul=108"},
      {"sum", {.op = "NegativeLogLikelihoodLoss", .inputs = inputs, .attrs = {Str("reduction", "sum")}}, {"float[]"},
       "0", "add=108 mul=108"},
      {"none keeps the samples, weights and ignore_index change nothing",
       {.op = "NegativeLogLikelihoodLoss", .inputs = {"double[N, C]", "int32[N]", "double[C]"},
        .attrs = {Str("reduction", "none"), Int("ignore_index", 1)}},
       {"double[N]"}, "0", "add=N mul=N"},
      {"unranked scores", {.op = "NegativeLogLikelihoodLoss", .inputs = {"float?", "int64[3, 6]"},
                           .attrs = {Str("reduction", "none")}},
       {"float[3, 6]"}, "0", "add=18 mul=18"},
  });
  // clang-format on
  CHECK(RunOp({.op = "NegativeLogLikelihoodLoss", .inputs = inputs}).work.value().reads[0] == Dim(108));
  CheckRefused({.op = "NegativeLogLikelihoodLoss", .inputs = {"float[3, 5]", "int64[3, 5]"}}, "rank 1");
  CheckRefused({.op = "NegativeLogLikelihoodLoss", .inputs = {"float[3, 5]", "int64[4]"}}, "3 and 4");
  CheckRefused({.op = "NegativeLogLikelihoodLoss", .inputs = {"float[3, 5]", "int64[3]", "float[4]"}}, "5 and 4");
  CheckRefused({.op = "NegativeLogLikelihoodLoss", .inputs = inputs, .attrs = {Str("reduction", "max")}}, "max");
}

TEST_CASE("SoftmaxCrossEntropyLoss: loss and log-probabilities") {
  // clang-format off
  CheckRows({
      {"one output", {.op = "SoftmaxCrossEntropyLoss", .inputs = {"float[3, 5]", "int64[3]"}}, {"float[]"}, "0",
       "add=48 mul=3 compare=15 transcendental=15"},
      {"both outputs", {.op = "SoftmaxCrossEntropyLoss", .inputs = {"float[N, 5, 7]", "int64[N, 7]", "float[5]"},
                        .attrs = {Str("reduction", "none"), Int("ignore_index", -1)}},
       {"float[N, 7]", "float[N, 5, 7]"}, "0", "add=112*N mul=7*N compare=35*N transcendental=35*N"},
  });
  // clang-format on
  CheckRefused({.op = "SoftmaxCrossEntropyLoss", .inputs = {"float[3]", "int64[3]"}}, "rank 2 or more");
}

}  // namespace
}  // namespace hwest

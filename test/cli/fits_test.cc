// What every verb says of a model that the memories of its target do not hold.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "support/catch.h"
#include "support/onnx_writer.h"
#include "support/run_cli.h"

namespace hwest::test {
namespace {

using Catch::Matchers::Contains;
using Json = nlohmann::json;

// A folder with models of one product, whose weights are named for their size in GB at 32 bits.
class Products {
 public:
  Products() {
    REQUIRE(::mkdtemp(folder_) != nullptr);
    for (const int gigabytes : {8, 10, 40, 210}) {
      const int64_t columns = int64_t{gigabytes} * 2'500;
      const std::string text =
          absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[1, 100000] x) => (float[1, ", columns,
                       "] y) <float[100000, ", columns, "] w> { y = MatMul(x, w) }");
      std::ofstream(Path(gigabytes), std::ios::binary) << ModelFromText(text);
    }
  }
  ~Products() { std::filesystem::remove_all(folder_); }
  std::string Path(int gigabytes) const { return absl::StrCat(folder_, "/", gigabytes, "GB.onnx"); }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(absl::StrCat(folder_, "/", name)) << text;
    return absl::StrCat(folder_, "/", name);
  }

 private:
  char folder_[32] = "hwest_fits_XXXXXX";
};

constexpr char kOrin[] = "jetson-agx-orin-64gb";

TEST_CASE("analyze says on top that a model does not fit") {
  const Products models;
  const std::string large = models.Path(210);
  const Outcome text = RunCommand({large, "--target", kOrin});
  CHECK(text.code == 0);
  CHECK(absl::StartsWith(text.out, "DOES NOT FIT: "));
  CHECK_THAT(text.out,
             Contains("Latency      would be ") && Contains("Throughput   would be ") && Contains("jetson-agx-thor"));
  CHECK_THAT(RunCommand({large, "--target", kOrin, "--format", "markdown"}).out, Contains("**Does not fit:**"));
  const Json json = Json::parse(RunCommand({large, "--target", kOrin, "--json"}).out);
  CHECK(json["diagnostics"][0]["code"] == "does_not_fit");
  CHECK(json["summary"]["fits"] == false);
  CHECK(json["memory_needs"][0]["memory"] == "dram");
  CHECK(json["memory_needs"][0]["fits"] == false);
  CHECK_FALSE(json["summary"]["latency_s"].is_null());
}

struct StrictCase {
  const char* name;
  int gigabytes;
  std::vector<std::string> words;
  int code;
};

TEST_CASE("exit codes of what does not fit") {
  const Products models;
  const auto c = GENERATE(values<StrictCase>({
      {"analyze", 210, {"--target", kOrin}, 0},
      {"analyze --strict", 210, {"--target", kOrin, "--strict"}, 7},
      {"graph --strict", 210, {"graph", "--target", kOrin, "--strict"}, 7},
      {"sweep", 210, {"sweep", "--target", kOrin}, 0},
      {"sweep --strict", 210, {"sweep", "--target", kOrin, "--strict"}, 7},
      {"check", 210, {"check", "--target", kOrin, "--max-latency", "100s"}, 0},
      {"check --fits", 210, {"check", "--target", kOrin, "--fits"}, 8},
      {"check --fits of what fits", 10, {"check", "--target", kOrin, "--fits"}, 0},
      {"check --fits of an unknown size", 40, {"check", "--target", "x86-avx2", "--precision", "fp32", "--fits"}, 7},
  }));
  INFO(c.name);
  std::vector<std::string> words = c.words;
  words.push_back(models.Path(c.gigabytes));
  const Outcome outcome = RunCommand(words);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.code == c.code);
}

TEST_CASE("a sweep has a status for it, and no such point is best") {
  const Products models;
  const Json rows =
      Json::parse(RunCommand({"sweep", models.Path(10), "--target", "jetson-orin-nano-4gb,jetson-agx-orin-32gb",
                              "--precision", "fp16", "--json"})
                      .out)["rows"];
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["status"] == "ok");
  CHECK(rows[0]["code"] == "does_not_fit");
  CHECK(rows[0]["fits"] == false);
  CHECK(rows[0]["pareto"].is_null());
  CHECK_FALSE(rows[0]["latency_s"].is_null());
  CHECK(rows[1]["code"].is_null());
  CHECK(rows[1]["fits"] == true);
  CHECK(rows[1]["pareto"] == true);
  const std::string text = RunCommand({"sweep", models.Path(10), "--target",
                                       "jetson-orin-nano-4gb,jetson-agx-orin-32gb", "--precision", "fp16"})
                               .out;
  CHECK_THAT(text, Contains("1 does not fit into memory") && Contains("no fit"));
}

TEST_CASE("a budget limits it, and tells where it is not asked for") {
  const Products models;
  const auto check = [&](const std::string& limits) {
    const std::string budget = models.Write(
        "hwest.budget", absl::StrCat("check { model: \"210GB.onnx\" target: \"", kOrin, "\" ", limits, " }"));
    return RunCommand({"check", "--budget", budget, "--json"});
  };
  const Json asked = Json::parse(check("fits: true").out)["checks"][0];
  CHECK(asked["fits"] == false);
  CHECK(asked["verdict"] == "over");
  CHECK(asked["lines"][0]["figure"] == "missing_memory");
  CHECK(asked["lines"][0]["limit"] == 0);
  CHECK(asked["lines"][0]["value"] > 30e9);
  CHECK(Json::parse(check("latency { max: \"100 s\" }").out)["checks"][0]["fits"] == false);
  CHECK(check("fits: false").code == 2);
}

TEST_CASE("models that fit alone may not fit together") {
  const Products models;
  const auto run = [&](const std::string& tasks, const std::vector<std::string>& flags) {
    std::vector<std::string> words = {
        "workload", models.Write("w.textproto", absl::StrCat("target: \"jetson-orin-nano-8gb\" ", tasks))};
    words.insert(words.end(), flags.begin(), flags.end());
    return RunCommand(words);
  };
  const std::string one = "task { name: \"a\" model: \"10GB.onnx\" rate: \"0.01 FPS\" precision: \"fp16\" } ";
  const std::string two = one + "task { name: \"b\" model: \"8GB.onnx\" rate: \"0.01 FPS\" precision: \"fp16\" }";
  CHECK(Json::parse(run(one, {"--json"}).out)["memory"]["fits"] == true);
  CHECK(run(one, {"--strict"}).code == 0);
  const Json both = Json::parse(run(two, {"--json"}).out);
  CHECK(both["memory"]["fits"] == false);
  CHECK(both["diagnostics"][0]["code"] == "does_not_fit");
  CHECK(both["memory_needs"][0]["weight_bytes"] == 9'000'000'000);
  CHECK(absl::StartsWith(run(two, {}).out, "DOES NOT FIT: "));
  CHECK(run(two, {"--strict"}).code == 7);
}

TEST_CASE("a comparison names the side that does not fit") {
  const Products models;
  const std::string text = RunCommand({"diff", models.Path(10), "--target", "jetson-orin-nano-8gb", "--precision",
                                       "fp32", "--against-precision", "fp16"})
                               .out;
  CHECK_THAT(text, Contains("fp32, does not fit into memory") && !Contains("fp16, does not"));
}

}  // namespace
}  // namespace hwest::test

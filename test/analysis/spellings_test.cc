// Compares the spellings of each block in test/models/spellings.txt with each other.
#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "hwest/analysis.h"
#include "support/catch.h"
#include "support/onnx_writer.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

constexpr const char* kTargets[] = {"hailo-8", "jetson-orin", "rk3588", "sa8295p", "x86-avx512"};
constexpr double kMostRatio = 1.1;

struct Spelling {
  int opset = 0;
  std::string nodes;
};

struct Block {
  std::string name, inputs, weights, before, after;
  std::vector<std::string> excepted;  // targets
  std::vector<Spelling> spellings;
};

// Takes "WORD rest" apart; false for another word.
bool Take(absl::string_view line, absl::string_view word, std::string* rest) {
  if (!absl::ConsumePrefix(&line, absl::StrCat(std::string(word), " "))) return false;
  *rest = std::string(line);
  return true;
}

std::vector<Block> Blocks() {
  std::ifstream file(std::string(HWEST_SOURCE_DIR) + "/test/models/spellings.txt");
  std::vector<Block> blocks;
  std::string line, rest;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (Take(line, "block", &rest)) {
      blocks.push_back(
          {.name = rest, .inputs = {}, .weights = {}, .before = {}, .after = {}, .excepted = {}, .spellings = {}});
      continue;
    }
    INFO(line);
    REQUIRE_FALSE(blocks.empty());
    Block& block = blocks.back();
    if (Take(line, "in", &block.inputs) || Take(line, "with", &block.weights) || Take(line, "before", &block.before) ||
        Take(line, "after", &block.after)) {
      continue;
    }
    const size_t space = line.find(' ');
    if (Take(line, "except", &rest)) {
      block.excepted.push_back(rest.substr(0, rest.find(' ')));
      continue;
    }
    Spelling spelling{.opset = 0, .nodes = line.substr(space + 1)};
    REQUIRE(absl::SimpleAtoi(line.substr(0, space), &spelling.opset));
    block.spellings.push_back(spelling);
  }
  return blocks;
}

std::shared_ptr<const Graph> Load(const Block& block, const Spelling& spelling) {
  const std::string text = absl::StrCat("<ir_version: 8, opset_import: [\"\" : ", spelling.opset, "]> spelled (",
                                        block.inputs, ") => (float[?] y) <", block.weights, "> {", block.before, " ",
                                        spelling.nodes, " ", block.after, "}");
  auto graph = LoadModelFromMemory(test::ModelFromText(text), "spelled.onnx");
  INFO(spelling.nodes << ": " << graph.status());
  REQUIRE(graph.ok());
  return *graph;
}

double LatencyOf(const std::shared_ptr<const Graph>& graph, const std::string& target) {
  AnalysisRequest request;
  request.target = target;
  const auto analysis = Analyze(graph, request);
  INFO(analysis.status());
  REQUIRE(analysis.ok());
  CHECK(analysis->coverage.costed == analysis->coverage.nodes);
  return analysis->plan->latency_s;
}

TEST_CASE("spellings of a block take as long as each other") {
  const std::vector<Block> blocks = Blocks();
  CHECK(blocks.size() > 20);
  for (const Block& block : blocks) {
    std::vector<std::shared_ptr<const Graph>> graphs;
    for (const Spelling& spelling : block.spellings) graphs.push_back(Load(block, spelling));
    REQUIRE(graphs.size() > 1);
    for (const std::string target : kTargets) {
      std::vector<double> latencies;
      std::string times;
      for (size_t i = 0; i < graphs.size(); ++i) {
        latencies.push_back(LatencyOf(graphs[i], target));
        absl::StrAppend(&times, "\n  ", latencies[i] * 1e6, " us: ", block.spellings[i].nodes);
      }
      INFO(block.name << " on " << target << times);
      const auto [least, most] = std::minmax_element(latencies.begin(), latencies.end());
      const bool is_excepted = std::find(block.excepted.begin(), block.excepted.end(), target) != block.excepted.end();
      CHECK((*most > *least * kMostRatio) == is_excepted);
    }
  }
}

}  // namespace
}  // namespace hwest

// Splits of the peak operator: a network that is written as split takes what `memory` promised.
#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "app/memory.h"
#include "cost/model_view.h"
#include "hwest/reading.h"
#include "plan/memory_plan.h"
#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest {
namespace {

MemoryReport ReportOf(const std::string& text, const std::string& target, const std::string& precision) {
  const std::string whole = absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> parts ", text);
  const auto graph = LoadModelFromMemory(test::ModelFromText(whole), "parts.onnx");
  INFO(text << ": " << graph.status());
  REQUIRE(graph.ok());
  app::MemoryRequest request;
  request.draft.target = target;
  request.draft.precision = precision;
  const absl::StatusOr<MemoryReport> report = app::Memory(Analyzer(*graph), request);
  INFO(report.status());
  REQUIRE(report.ok());
  return *report;
}

const MemoryCure* CureNamed(const MemoryReport& report, const std::string& words) {
  for (const MemoryCure& cure : report.cures) {
    if (absl::StrContains(cure.what, words)) return &cure;
  }
  return nullptr;
}

// Which part makes a value: "r1" and what is named likewise, then "s1" and "d1", at last what has no number.
int OrderOf(const std::string& name) {
  const bool is_numbered = name.size() == 2 && name[1] >= '0' && name[1] <= '9';
  return is_numbered ? 2 * (name[1] - '0') + (name[0] == 'a' || name[0] == 'r' ? 0 : 1) : 100;
}

// The peak where one part runs after the other.
int64_t PeakPartByPart(const MemoryReport& report) {
  const Analysis& analysis = *report.analysis;
  const ModelView model{GraphAsRead(analysis), analysis.facts, analysis.classes, analysis.work, *analysis.dims};
  const Plan& plan = *analysis.plan;
  std::vector<GroupId> order;
  for (size_t g = 0; g < plan.groups.size(); ++g) order.emplace_back(g);
  const auto key = [&](GroupId group) {
    return OrderOf(std::string(model.graph.name(plan.groups[group.index()].writes[0].value)));
  };
  std::stable_sort(order.begin(), order.end(), [&](GroupId a, GroupId b) { return key(a) < key(b); });
  return PeakOfActivations(PlanMemoryInOrder(model, *analysis.target, plan, order), order.size());
}

struct Sizes {
  int64_t in, hidden, out, side;
};
using Writer = std::string (*)(const Sizes& sizes, int64_t parts);

std::string Of(int64_t a, int64_t b, int64_t c, int64_t d) { return absl::StrCat("[", a, ",", b, ",", c, ",", d, "]"); }

// Expand and depthwise: each part of the hidden channels makes a part of the result.
std::string Depthwise(const Sizes& s, int64_t parts) {
  const int64_t own = s.hidden / parts;
  std::string weights, nodes, joined;
  for (int64_t p = 0; p < parts; ++p) {
    const char* comma = p > 0 ? ", " : "";
    absl::StrAppend(&weights, comma, "float", Of(own, s.in, 1, 1), " w", p, ", float", Of(own, 1, 3, 3), " v", p);
    absl::StrAppend(&nodes, " a", p, " = Conv(x, w", p, ") d", p, " = Conv<pads = [1,1,1,1], group = ", own, ">(a", p,
                    ", v", p, ")");
    absl::StrAppend(&joined, comma, "d", p);
  }
  const std::string end = parts > 1 ? absl::StrCat(" d = Concat<axis = 1>(", joined, ")") : " d = Identity(d0)";
  return absl::StrCat("(float", Of(1, s.in, s.side, s.side), " x) => (float", Of(1, s.out, s.side, s.side),
                      " y) <float", Of(s.out, s.hidden, 1, 1), " u, ", weights, "> {", nodes, end,
                      " y = Conv<pads = [0,0,0,0]>(d, u) }");
}

// Two contractions: the parts of the hidden channels add up.
std::string Summed(const Sizes& s, int64_t parts) {
  const int64_t own = s.hidden / parts;
  std::string weights, nodes;
  for (int64_t p = 0; p < parts; ++p) {
    absl::StrAppend(&weights, p > 0 ? ", " : "", "float", Of(own, s.in, 1, 1), " w", p, ", float", Of(s.out, own, 3, 3),
                    " v", p);
    const std::string sum = p == 0 ? "s0" : absl::StrCat("t", p);
    absl::StrAppend(&nodes, " a", p, " = Conv(x, w", p, ") r", p, " = Relu(a", p, ") ", sum,
                    " = Conv<pads = [1,1,1,1]>(r", p, ", v", p, ")");
    if (p > 0) absl::StrAppend(&nodes, " s", p, " = Add(", sum, ", s", p - 1, ")");
  }
  return absl::StrCat("(float", Of(1, s.in, s.side, s.side), " x) => (float", Of(1, s.out, s.side, s.side), " y) <",
                      weights, "> {", nodes, " y = Relu(s", parts - 1, ") }");
}

TEST_CASE("a split of the peak by channels takes what it promises") {
  const Sizes sizes[] = {{16, 96, 24, 32}, {8, 128, 16, 56}, {24, 64, 8, 28}};
  int compared = 0;
  for (const Sizes& s : sizes) {
    for (const int64_t parts : {2, 4, 8}) {
      INFO(s.in << " " << s.hidden << " " << s.out << " in " << parts);
      for (const auto& [make, target, precision] :
           {std::tuple(Writer(Depthwise), "tda4vm", "int8"), std::tuple(Writer(Summed), "raspberry-pi-5", "fp32")}) {
        INFO(target);
        const MemoryReport whole = ReportOf(make(s, 1), target, precision);
        const MemoryCure* cure = CureNamed(whole, absl::StrCat(" in ", parts, " parts of channels"));
        const MemoryReport split = ReportOf(make(s, parts), target, precision);
        if (cure == nullptr) continue;  // as little as the parts before
        CHECK(PeakPartByPart(split) == cure->peak_bytes);
        CHECK(!cure->cost.empty());
        ++compared;
      }
    }
  }
  CHECK(compared > 12);
}

TEST_CASE("a split says what it costs") {
  const MemoryReport image = ReportOf(Summed({8, 128, 16, 56}, 1), "jetson-orin", "fp16");
  const MemoryCure* channels = CureNamed(image, "2 parts of channels");
  REQUIRE(channels != nullptr);
  CHECK(channels->cost == "50.18 kB read 2 times, 301.1 kB more for the sums of two parts in 32 bits");
  // Two layers of a transformer: rows are tokens, and no row needs another.
  const MemoryReport tokens = ReportOf(
      "(float[1,512,256] x) => (float[1,512,256] y) <float[256,1024] u, float[1024,256] d> {"
      " a = MatMul(x, u) r = Relu(a) m = MatMul(r, d) y = Relu(m) }",
      "jetson-orin", "fp32");
  const MemoryCure* strips = CureNamed(tokens, "4 strips of rows");
  REQUIRE(strips != nullptr);
  CHECK(strips->peak_bytes == 4 * (2 * 512 * 256 + 512 * 1024 / 4));
  CHECK(strips->cost == "2.097 MB of weights read 4 times");
  CHECK(CureNamed(tokens, "2 parts of channels") != nullptr);
}

}  // namespace
}  // namespace hwest

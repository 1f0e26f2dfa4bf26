#include "profile/match.h"

#include <memory>
#include <string>
#include <vector>

#include "hwest/profile.h"
#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest::test {
namespace {

const Analysis& Resnet() {
  static const auto& analysis = *new Analysis([] {
    AnalysisRequest request;
    request.target = "jetson-orin";
    return *Analyze(*LoadModel(HWEST_SOURCE_DIR "/examples/models/resnet18.onnx"), request);
  }());
  return analysis;
}

GroupId GroupOf(const std::string& name) {
  for (uint32_t n = 0; n < Resnet().graph->nodes().size(); ++n) {
    if (Resnet().graph->name(NodeId(n)) == name) return Resnet().plan->group_of[NodeId(n)];
  }
  FAIL("no node " << name);
  return GroupId();
}

MeasuredTimes Match(std::vector<ProfileEntry> entries) {
  const Profile profile{.program = "test", .runs = 3, .entries = std::move(entries)};
  return MatchProfile(profile, *Resnet().graph, *Resnet().plan, Resnet().counts);
}

const char* const kFirst = "/layer1/layer1.0/conv1/Conv";
const char* const kSecond = "/layer1/layer1.0/conv2/Conv";

TEST_CASE("an entry that names a whole group is its time, several are their sum") {
  const MeasuredTimes times = Match({{.name = "/conv1/Conv + /relu/Relu", .time_s = 3e-6},
                                     {.name = "/fc/Gemm", .time_s = 1e-6},
                                     {.name = "/fc/Gemm copy", .time_s = 2e-6}});
  REQUIRE(times.sets.size() == 2);
  CHECK(times.sets[0].groups == std::vector<GroupId>{GroupOf("/conv1/Conv")});
  CHECK(times.sets[0].time_s == Approx(3e-6));
  CHECK(times.sets[0].predicted_s == Resnet().plan->groups[GroupOf("/conv1/Conv").index()].estimate->time_s);
  CHECK(times.sets[1].time_s == Approx(3e-6));
  CHECK(times.set_of[GroupOf("/fc/Gemm")] == 1u);
  CHECK_FALSE(times.set_of[GroupOf(kFirst)].has_value());
}

TEST_CASE("what a runtime fused and the plan keeps apart is measured together") {
  REQUIRE(GroupOf(kFirst) != GroupOf(kSecond));
  const MeasuredTimes times = Match({{.name = std::string(kFirst) + " + " + kSecond, .time_s = 5e-6}});
  REQUIRE(times.sets.size() == 1);
  CHECK(times.sets[0].groups.size() == 2);
  CHECK(times.sets[0].time_s == Approx(5e-6));
  CHECK(times.set_of[GroupOf(kFirst)] == times.set_of[GroupOf(kSecond)]);
  CHECK(times.entries[0].match == MeasuredMatch::kGroups);
}

TEST_CASE("a group counts as measured by its main node alone, or by a kernel that ran its operator") {
  struct Case {
    ProfileEntry entry;
    MeasuredMatch match;
  };
  const auto c = GENERATE(values<Case>({
      {{.name = "/relu/Relu", .time_s = 1e-6}, MeasuredMatch::kPart},
      {{.name = "/relu/Relu", .op = "Relu", .time_s = 1e-6}, MeasuredMatch::kPart},
      {{.name = "/relu/Relu_output_0_nchwc", .op = "Conv", .time_s = 1e-6}, MeasuredMatch::kGroups},
      {{.name = "/layer1/layer1.0/conv2/Conv_output_0_nchwc", .op = "Conv", .time_s = 1e-6}, MeasuredMatch::kGroups},
      {{.name = "fused /conv1/Conv", .op = "FusedConv", .time_s = 1e-6}, MeasuredMatch::kGroups},
      {{.name = "/Flatten", .op = "Flatten", .time_s = 1e-6}, MeasuredMatch::kNoKernel},
      {{.name = "ReorderOutput", .op = "ReorderOutput", .time_s = 1e-6}, MeasuredMatch::kUnknown},
  }));
  INFO(c.entry.name);
  const MeasuredTimes times = Match({c.entry});
  CHECK(times.entries[0].match == c.match);
  CHECK(times.sets.size() == (c.match == MeasuredMatch::kGroups ? 1u : 0u));
}

TEST_CASE("a kernel of a quantised model is named by its result, unless it quantises alone") {
  AnalysisRequest request;
  request.target = "ethos-u55-256";
  const Analysis net = *Analyze(*LoadModel(HWEST_SOURCE_DIR "/test/models/tflite/net_int8.tflite"), request);
  const char* const kResult = "model_1/dense_1/MatMul;model_1/dense_1/BiasAdd";
  for (const auto& [op, match] : {std::pair<std::string, MeasuredMatch>{"FullyConnected", MeasuredMatch::kGroups},
                                  {"Quantize", MeasuredMatch::kPart},
                                  {"", MeasuredMatch::kPart}}) {
    INFO(op);
    const Profile profile{.program = "test", .entries = {{.name = kResult, .op = op, .time_s = 1e-6}}};
    CHECK(MatchProfile(profile, *net.graph, *net.plan, net.counts).entries[0].match == match);
  }
}

TEST_CASE("a range covers what no other entry names") {
  const MeasuredTimes times =
      Match({{.name = "{ForeignNode[/conv1/Conv.../fc/Gemm]}", .time_s = 9e-6}, {.name = kFirst, .time_s = 1e-6}});
  const GroupId first = GroupOf(kFirst);
  REQUIRE(times.set_of[first].has_value());
  for (uint32_t g = 0; g < Resnet().plan->groups.size(); ++g) CHECK(times.set_of[GroupId(g)].has_value());
}

TEST_CASE("every second of a profile is in one of the totals, and the note names what is left") {
  const std::vector<ProfileEntry> entries = {
      {.name = "/conv1/Conv + /relu/Relu", .time_s = 4e-6},
      {.name = "/Flatten", .time_s = 2e-6},
      {.name = "Reformatting CopyNode for Input Tensor 0 to /fc/Gemm", .time_s = 1e-6},
      {.name = "/layer1/layer1.0/relu/Relu", .time_s = 3e-6}};
  const MeasuredTimes times = Match(entries);
  const MeasuredTotals totals = TotalsOf(times);
  CHECK(totals.time_s == Approx(10e-6));
  CHECK(totals.matched_s == Approx(4e-6));
  CHECK(totals.no_kernel_s == Approx(2e-6));
  CHECK(totals.unmatched_s == Approx(4e-6));
  CHECK(totals.unmatched == 2);
  CHECK(totals.groups == 1);
  CHECK(totals.predicted_s == times.sets[0].predicted_s);
  const auto note = UnmatchedNote(times);
  REQUIRE(note.has_value());
  CHECK(note->message.find("2 of 4 entries") != std::string::npos);
  CHECK(note->message.find("/layer1/layer1.0/relu/Relu") < note->message.find("Reformatting"));
  CHECK(note->message.find("groups are not measured") != std::string::npos);
}

TEST_CASE("an analysis with a profile has its times and leaves the plan as it is") {
  AnalysisRequest request = Resnet().request;
  const Profile profile{.program = "test", .entries = {{.name = "/fc/Gemm", .time_s = 1e-6}}};
  request.measured_profile = std::make_shared<const Profile>(profile);
  const auto analysis = Analyze(Resnet().graph, request);
  REQUIRE(analysis.ok());
  REQUIRE(analysis->measured != nullptr);
  CHECK(analysis->measured->sets.size() == 1);
  CHECK(analysis->plan->latency_s == Resnet().plan->latency_s);
  CHECK(analysis->diagnostics.size() == Resnet().diagnostics.size() + 1);
  CHECK(Resnet().measured == nullptr);
}

}  // namespace
}  // namespace hwest::test

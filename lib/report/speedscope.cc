// The latency as stacks of modules.
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "report/document.h"
#include "report/picture_boxes.h"

namespace hwest {
namespace {

// A stack of frames with its seconds.
struct Sample {
  std::vector<size_t> stack;
  double time_s = 0;
};

class StackProfile {
 public:
  size_t Frame(const std::string& name) {
    const auto [at, is_new] = numbers_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return at->second;
  }
  void Add(std::vector<size_t> stack, double time_s) {
    if (time_s > 0) samples_.push_back({std::move(stack), time_s});
  }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  std::map<std::string, size_t> numbers_;
  std::vector<std::string> names_;
  std::vector<Sample> samples_;
};

// Like the module table, counts a group at its node with the most MACs.
NodeId HomeOf(const View& view, const GroupRow& group) {
  NodeId home = group.root;
  int64_t most = -1;
  for (const NodeId node : group.nodes) {
    const Count macs = view.nodes[node.index()].macs;
    const auto* number = std::get_if<int64_t>(&macs);
    if (number == nullptr || *number <= most) continue;
    most = *number;
    home = node;
  }
  return most > 0 ? home : group.root;
}

std::vector<size_t> StackOf(const View& view, const GroupRow& group, StackProfile* profile) {
  std::vector<size_t> stack = {profile->Frame("model")};
  for (const ScopeId scope : ModulesOf(*view.graph, HomeOf(view, group))) {
    stack.push_back(profile->Frame(std::string(view.graph->str(view.graph->scope(scope).path))));
  }
  stack.push_back(profile->Frame(absl::StrCat("g", group.id.index(), " ", group.pattern, " ", group.label)));
  return stack;
}

}  // namespace

absl::Status WriteSpeedscope(const Document& document, const ReportOptions&, Sink sink) {
  const View& view = *document.view;
  StackProfile profile;
  const size_t model = profile.Frame("model");
  for (const SegmentRow& segment : view.segments) {
    profile.Add({model, profile.Frame("transfer")}, segment.transfer_s);
    profile.Add({model, profile.Frame("invoke")}, segment.invoke_s);
    const double scale = ShareOfPipeline(view, segment);  // each stands for its share of the whole
    for (const GroupId id : segment.groups) {
      const GroupRow group = view.groups[id.index()];
      if (group.estimate) profile.Add(StackOf(view, group, &profile), group.estimate->time_s * scale);
    }
  }
  Cell frames = Cell::OfList(), samples = Cell::OfList(), weights = Cell::OfList();
  for (const std::string& name : profile.names()) frames.push_back(Cell{{"name", name}});
  double end_us = 0;
  for (const Sample& sample : profile.samples()) {
    Cell stack = Cell::OfList();
    for (const size_t frame : sample.stack) stack.push_back(frame);
    samples.push_back(std::move(stack));
    weights.push_back(sample.time_s * 1e6);
    end_us += sample.time_s * 1e6;
  }
  const std::string name = absl::StrCat(view.request.model, " on ", view.request.target.value_or(""));
  Cell profiles = Cell::OfList();
  profiles.push_back(Cell{{"type", "sampled"},
                          {"name", name},
                          {"unit", "microseconds"},
                          {"startValue", 0.0},
                          {"endValue", end_us},
                          {"samples", std::move(samples)},
                          {"weights", std::move(weights)}});
  Cell shared = Cell::OfObject();
  shared.Set("frames", std::move(frames));
  return sink(absl::StrCat(DumpJson(Cell{{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                                         {"shared", std::move(shared)},
                                         {"profiles", std::move(profiles)},
                                         {"name", name},
                                         {"activeProfileIndex", 0},
                                         {"exporter", "onnx-hwest " HWEST_VERSION}}),
                           "\n"));
}

}  // namespace hwest

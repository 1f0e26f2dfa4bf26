// Profiles of ONNX Runtime: an array of trace events, microseconds.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "profile/read_profile.h"

namespace hwest {
namespace {

constexpr double kSecondsPerMicrosecond = 1e-6;

struct Span {
  double start_us = 0, end_us = 0;
};

// One run of a node. The name is that of the trace's JSON.
struct NodeEvent {
  std::string name, op;
  double thread = 0;
  Span span;
  double own_us = 0;  // without the nodes of its bodies
};

bool IsEvent(const Tree& event) { return !TextOf(event, "cat").empty() && NumberOf(event, "dur").has_value(); }

std::optional<Span> SpanOf(const Tree& event) {
  const std::optional<double> start_us = NumberOf(event, "ts"), length_us = NumberOf(event, "dur");
  if (!start_us.has_value() || !length_us.has_value() || *length_us < 0) return std::nullopt;
  return Span{*start_us, *start_us + *length_us};
}

// Older releases also time the fences around a kernel, which are no work of its own.
std::optional<NodeEvent> NodeEventOf(const Tree& event) {
  constexpr absl::string_view kKernel = "_kernel_time";
  const std::string whole = TextOf(event, "name");
  absl::string_view name = whole;
  const std::optional<Span> span = SpanOf(event);
  if (TextOf(event, "cat") != "Node" || !absl::ConsumeSuffix(&name, kKernel) || !span.has_value()) return std::nullopt;
  const Tree* arguments = MemberOf(event, "args");
  return NodeEvent{.name = std::string(name),
                   .op = arguments != nullptr ? TextOf(*arguments, "op_name") : "",
                   .thread = NumberOf(event, "tid").value_or(0),
                   .span = *span,
                   .own_us = span->end_us - span->start_us};
}

// A control node's event lasts as long as those of its bodies, on the same thread.
void TakeOutBodies(std::vector<NodeEvent>* events) {
  std::stable_sort(events->begin(), events->end(), [](const NodeEvent& a, const NodeEvent& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    return a.span.start_us != b.span.start_us ? a.span.start_us < b.span.start_us : a.span.end_us > b.span.end_us;
  });
  std::vector<NodeEvent*> open;
  for (NodeEvent& event : *events) {
    const auto is_over = [&](const NodeEvent& other) {
      return other.thread != event.thread || other.span.end_us <= event.span.start_us;
    };
    while (!open.empty() && is_over(*open.back())) open.pop_back();
    if (!open.empty()) open.back()->own_us = std::max(0.0, open.back()->own_us - event.own_us);
    open.push_back(&event);
  }
}

// Runs that count: the first one also allocates, and tunes where the provider does.
std::vector<Span> RunsIn(const Tree& events) {
  std::vector<Span> runs;
  for (const Tree& event : events) {
    const std::optional<Span> span = TextOf(event, "name") == "model_run" ? SpanOf(event) : std::nullopt;
    if (span.has_value()) runs.push_back(*span);
  }
  std::sort(runs.begin(), runs.end(), [](const Span& a, const Span& b) { return a.start_us < b.start_us; });
  if (runs.size() > 1) runs.erase(runs.begin());
  return runs;
}

// Times of a node by run; 0 in runs that did not come to it.
struct NodeTimes {
  std::string op;
  size_t place = 0;  // in the order of the file
  std::vector<double> by_run_us;
};

}  // namespace

const Tree& OnnxRuntimeEvents(const Tree& tree) {
  const Tree* events = MemberOf(tree, "traceEvents");  // as other tools save them
  return events != nullptr ? *events : tree;
}

bool IsOnnxRuntimeProfile(const Tree& tree) {
  const Tree& events = OnnxRuntimeEvents(tree);
  return events.is_array() && std::any_of(events.begin(), events.end(), IsEvent);
}

absl::StatusOr<Profile> ReadOnnxRuntimeNodes(const Tree& tree, absl::string_view name) {
  const Tree& trace = OnnxRuntimeEvents(tree);
  const std::vector<Span> runs = RunsIn(trace);
  if (runs.empty()) return ImportError(name, "holds no run of the model", "profile session.run, then end_profiling");
  std::vector<NodeEvent> events;
  std::map<std::string, NodeTimes> nodes;
  for (const Tree& each : trace) {
    std::optional<NodeEvent> event = NodeEventOf(each);
    if (!event.has_value()) continue;
    nodes.try_emplace(event->name, NodeTimes{event->op, nodes.size(), std::vector<double>(runs.size(), 0)});
    events.push_back(*std::move(event));
  }
  TakeOutBodies(&events);
  for (const NodeEvent& event : events) {
    const auto after = std::upper_bound(runs.begin(), runs.end(), event.span.start_us,
                                        [](double start_us, const Span& run) { return start_us < run.start_us; });
    if (after == runs.begin() || event.span.start_us > std::prev(after)->end_us) continue;  // of the run left out
    nodes[event.name].by_run_us[static_cast<size_t>(std::prev(after) - runs.begin())] += event.own_us;
  }
  Profile profile{.program = "ONNX Runtime", .runs = static_cast<int64_t>(runs.size())};
  profile.entries.resize(nodes.size());
  for (auto& [node, times] : nodes) {
    profile.entries[times.place] = {node, times.op, *MedianOf(std::move(times.by_run_us)) * kSecondsPerMicrosecond};
  }
  return profile;
}

}  // namespace hwest

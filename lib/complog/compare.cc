#include "complog/compare.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/model_view.h"
#include "hwest/diagnostic.h"
#include "profile/kernel_names.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr size_t kMostOfName = 1024;  // longer ones are no names of nodes
constexpr int kAbsorbRounds = 4;

LogUnit UnitOf(const Unit& unit) {
  if (IsCpu(unit)) return LogUnit::kCpu;
  return KindTraitsOf(unit.kind).device == DeviceClass::kGpu ? LogUnit::kGpu : LogUnit::kNpu;
}

bool IsOnAccelerator(const LogKernel& kernel) { return kernel.unit == LogUnit::kNpu || kernel.unit == LogUnit::kGpu; }

// Nodes by the names of a log.
class NodeFinder {
 public:
  NodeFinder(const CompilerLog& log, const Graph& graph) : names_(graph), graph_(graph), log_(log) {
    for (const auto& [now, was] : log.replaced) origins_[now].push_back(was);
  }

  std::vector<NodeId> NodesOf(const LogKernel& kernel) const {
    std::set<NodeId> nodes;
    for (const int64_t position : kernel.positions) {
      const std::vector<NodeId>& main = graph_.main().nodes;  // as in the file, which is sorted
      if (position < static_cast<int64_t>(main.size())) nodes.insert(main[static_cast<size_t>(position)]);
    }
    if (kernel.nodes.empty()) AddNamed(kernel.name, &nodes);
    for (const std::string& name : kernel.nodes) AddNamed(name, &nodes);
    return {nodes.begin(), nodes.end()};
  }

  std::optional<std::pair<NodeId, NodeId>> RangeOf(const LogKernel& kernel) const {
    return names_.RangeOf(kernel.name);
  }

 private:
  // The name, the nodes that it stands for, and those that these stand for.
  void AddNamed(absl::string_view name, std::set<NodeId>* nodes) const {
    absl::flat_hash_set<absl::string_view> seen;
    std::vector<absl::string_view> open = {name};
    while (!open.empty()) {
      const absl::string_view each = open.back();
      open.pop_back();
      if (!seen.insert(each).second || AddExact(each, nodes, &open)) continue;
      // RKNN adds what it fused to a layer's name: "/conv/Conv_ConvAdd".
      for (size_t size = std::min(each.size(), kMostOfName); log_.format == LogFormat::kRknn && size > 1; --size) {
        const bool is_mark = absl::StrContains("_-#", each.substr(size - 1, 1));
        if (is_mark && AddExact(each.substr(0, size - 1), nodes, &open)) break;
      }
    }
  }

  bool AddExact(absl::string_view name, std::set<NodeId>* nodes, std::vector<absl::string_view>* open) const {
    const std::vector<NodeId> found = names_.NodesOf(name);
    nodes->insert(found.begin(), found.end());
    const auto origin = origins_.find(name);
    if (origin != origins_.end()) open->insert(open->end(), origin->second.begin(), origin->second.end());
    return !found.empty() || origin != origins_.end();
  }

  const KernelNames names_;
  const Graph& graph_;
  const CompilerLog& log_;
  absl::flat_hash_map<absl::string_view, std::vector<absl::string_view>> origins_;
};

class Comparer {
 public:
  Comparer(const CompilerLog& log, const Analysis& analysis)
      : log_(log),
        analysis_(analysis),
        graph_(*analysis.graph),
        kernels_(log.kernels),
        kernel_of_(graph_.nodes().size(), kNone) {}

  absl::StatusOr<LogComparison> Run(absl::string_view name) {
    Assign();
    const bool names_nodes = !log_.kernels.empty() || !log_.ends.empty();
    if (names_nodes && matched_ == 0 && ends_.empty()) return OfAnother(name);
    if (log_.format == LogFormat::kRknn) Absorb();
    Divide();
    FillNodes();
    if (log_.has_kernels) CountKernels();
    CountSegments();
    return std::move(result_);
  }

 private:
  static constexpr int64_t kNone = -1;

  void Assign();
  void Put(NodeId node, size_t kernel);
  void Absorb();
  void Divide();
  void FillNodes();
  void CountKernels();
  void CountSegments();
  bool JoinsKernel(NodeId node, const LogKernel& kernel) const;
  size_t AddKernel(LogUnit unit, const std::string& unit_name);

  UnitId PlannedUnit(NodeId node) const {
    const GroupId group = analysis_.plan->group_of[node];
    return group.valid() ? analysis_.plan->groups[group.index()].unit : UnitId();
  }

  absl::Status OfAnother(absl::string_view name) const {
    const std::string first = log_.kernels.empty() ? "" : absl::StrCat(", e.g. '", log_.kernels.front().name, "'");
    return MakeError(
        Code::kUsage,
        absl::StrCat(EscapeControl(name), ": no node of the model is named in the log", EscapeControl(first)),
        "give the log of a build of this file, with its names of nodes");
  }

  const CompilerLog& log_;
  const Analysis& analysis_;
  const Graph& graph_;
  std::vector<LogKernel> kernels_;  // of the log, then those made of its rules for other nodes
  IdMap<NodeId, int64_t> kernel_of_;
  absl::flat_hash_map<NodeId, std::string> made_of_;  // by node of the file: a node that took its place
  std::set<NodeId> ends_;
  int64_t matched_ = 0;
  LogComparison result_;
};

// A node may be several kernels, or be told of several times. Of RKNN's it is on the NPU if one is; else the last
// counts.
void Comparer::Put(NodeId node, size_t kernel) {
  int64_t& at = kernel_of_[node];
  const bool is_split = log_.format == LogFormat::kRknn && at != kNone;
  if (is_split && (IsOnAccelerator(kernels_[static_cast<size_t>(at)]) || !IsOnAccelerator(kernels_[kernel]))) return;
  at = static_cast<int64_t>(kernel);
}

void Comparer::Assign() {
  const NodeFinder finder(log_, graph_);
  std::vector<size_t> ranges;
  for (size_t k = 0; k < log_.kernels.size(); ++k) {
    const std::vector<NodeId> nodes = finder.NodesOf(kernels_[k]);
    for (const NodeId node : nodes) Put(node, k);
    matched_ += nodes.empty() ? 0 : 1;
    if (!nodes.empty()) continue;
    if (finder.RangeOf(kernels_[k]).has_value())
      ranges.push_back(k);
    else
      ++result_.unmatched;
  }
  for (const size_t k : ranges) {  // hold what nothing else names
    const auto [first, last] = *finder.RangeOf(kernels_[k]);
    for (uint32_t n = first.index(); n <= last.index(); ++n) {
      if (kernel_of_[NodeId(n)] == kNone) Put(NodeId(n), k);
    }
    ++matched_;
  }
  for (const auto& [now, was] : log_.replaced) {
    const LogKernel named{.name = was};
    for (const NodeId node : finder.NodesOf(named)) made_of_[node] = now;
  }
  for (const std::string& end : log_.ends) {
    const LogKernel named{.name = end};
    const std::vector<NodeId> nodes = finder.NodesOf(named);
    ends_.insert(nodes.begin(), nodes.end());
  }
}

// "ConvRelu" holds a Relu, and "ConvExSwish" what became "/act/Mul_2exswish".
bool Comparer::JoinsKernel(NodeId node, const LogKernel& kernel) const {
  const std::string type = absl::AsciiStrToLower(kernel.type);
  const std::string op = absl::AsciiStrToLower(graph_.op(node));
  if (type.size() > op.size() && absl::StrContains(type, op)) return true;
  const auto made = made_of_.find(node);
  if (made == made_of_.end()) return false;
  const size_t mark = made->second.rfind("_2");
  if (mark == std::string::npos) return false;
  const std::string now = absl::AsciiStrToLower(made->second.substr(mark + 2));
  return !now.empty() && type.size() > now.size() && absl::StrContains(type, now);
}

// Nodes without a layer of their own run in the layer before them whose type says so.
void Comparer::Absorb() {
  for (int round = 0; round < kAbsorbRounds; ++round) {
    for (uint32_t n = 0; n < kernel_of_.size(); ++n) {
      if (kernel_of_[NodeId(n)] != kNone) continue;
      for (const ValueId input : graph_.inputs(NodeId(n))) {
        const NodeId producer = input.valid() ? graph_.value(input).producer : NodeId();
        const int64_t kernel = producer.valid() ? kernel_of_[producer] : kNone;
        if (kernel == kNone || !JoinsKernel(NodeId(n), kernels_[static_cast<size_t>(kernel)])) continue;
        kernel_of_[NodeId(n)] = kernel;
      }
    }
  }
}

size_t Comparer::AddKernel(LogUnit unit, const std::string& unit_name) {
  kernels_.push_back({.unit = unit, .unit_name = unit_name});
  return kernels_.size() - 1;
}

// What a log says of nodes that it does not name.
void Comparer::Divide() {
  if (log_.others.has_value()) {
    const size_t others = AddKernel(log_.others->first, log_.others->second);
    for (int64_t& kernel : kernel_of_) kernel = kernel == kNone ? static_cast<int64_t>(others) : kernel;
  }
  if (ends_.empty()) return;
  std::vector<bool> is_behind(kernel_of_.size(), false);
  const size_t device = AddKernel(LogUnit::kNpu, "device"), host = AddKernel(LogUnit::kCpu, "host");
  for (uint32_t n = 0; n < kernel_of_.size(); ++n) {
    for (const ValueId input : graph_.inputs(NodeId(n))) {
      const NodeId producer = input.valid() ? graph_.value(input).producer : NodeId();
      if (producer.valid() && (ends_.count(producer) > 0 || is_behind[producer.index()])) is_behind[n] = true;
    }
    if (kernel_of_[NodeId(n)] == kNone) kernel_of_[NodeId(n)] = static_cast<int64_t>(is_behind[n] ? host : device);
  }
}

void Comparer::FillNodes() {
  result_.program = log_.program;
  result_.format = log_.format;
  for (uint32_t n = 0; n < kernel_of_.size(); ++n) {
    const NodeId node(n);
    const UnitId unit = PlannedUnit(node);
    if (!unit.valid() || !IsKernel(analysis_.classes[node])) continue;
    const int64_t at = kernel_of_[node];
    if (at == kNone || kernels_[static_cast<size_t>(at)].unit == LogUnit::kUnknown) {
      ++result_.unnamed;
      continue;
    }
    const LogKernel& kernel = kernels_[static_cast<size_t>(at)];
    const bool agrees = UnitOf(analysis_.target->units[unit]) == kernel.unit;
    result_.agree += agrees ? 1 : 0;
    result_.nodes.push_back({.node = node,
                             .kernel = kernel.name,
                             .type = kernel.type,
                             .log_unit = kernel.unit_name,
                             .reason = kernel.reason,
                             .unit = unit,
                             .agrees = agrees});
  }
}

void Comparer::CountKernels() {
  std::set<int64_t> kernels;
  std::set<GroupId> groups;
  int64_t edges = 0, agree = 0;
  for (uint32_t n = 0; n < kernel_of_.size(); ++n) {
    const GroupId group = analysis_.plan->group_of[NodeId(n)];
    const int64_t kernel = kernel_of_[NodeId(n)];
    if (kernel == kNone || !group.valid()) continue;
    kernels.insert(kernel);
    groups.insert(group);
    for (const ValueId input : graph_.inputs(NodeId(n))) {
      const NodeId producer = input.valid() ? graph_.value(input).producer : NodeId();
      const bool is_edge =
          producer.valid() && kernel_of_[producer] != kNone && analysis_.plan->group_of[producer].valid();
      if (!is_edge) continue;
      ++edges;
      agree += (kernel_of_[producer] == kernel) == (analysis_.plan->group_of[producer] == group) ? 1 : 0;
    }
  }
  result_.log_kernels = static_cast<int64_t>(kernels.size());
  result_.plan_groups = static_cast<int64_t>(groups.size());
  result_.edges = edges;
  result_.edges_agree = agree;
}

void Comparer::CountSegments() {
  if (!log_.segments.has_value()) return;
  result_.log_segments = log_.segments;
  const auto& segments = analysis_.plan->segments;
  result_.plan_segments = std::count_if(segments.begin(), segments.end(), [&](const Segment& segment) {
    return segment.unit.valid() && !IsCpu(analysis_.target->units[segment.unit]);
  });
}

}  // namespace

absl::StatusOr<LogComparison> CompareLog(const CompilerLog& log, absl::string_view name, const Analysis& analysis) {
  if (!analysis.plan.has_value()) {
    return MakeError(Code::kUsage, "a compiler's log is laid over a plan", "name a target with --target",
                     {{"--target", {"NAME"}}});
  }
  return Comparer(log, analysis).Run(name);
}

}  // namespace hwest

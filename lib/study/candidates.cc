#include "study/candidates.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "hwest/facts.h"
#include "op/rule.h"
#include "partition/support.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr double kMostCutOff = 0.01;  // share of the MACs in what a cut leaves to the host
constexpr size_t kMostCutValues = 16;
constexpr int kOldestOpsetTried = 11;

// "qnn-2.51" and "qnn" are versions of one toolchain, "rknn-rk3566" is for another chip than "rknn".
absl::string_view StemOf(absl::string_view toolchain) {
  const size_t dash = toolchain.rfind('-');
  if (dash == absl::string_view::npos) return toolchain;
  const absl::string_view tail = toolchain.substr(dash + 1);
  const bool is_version = !tail.empty() && std::all_of(tail.begin(), tail.end(), [](char c) {
    return absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '.';
  });
  return is_version ? toolchain.substr(0, dash) : toolchain;
}

// The nodes that need a value of one of `nodes`, these included; against the flow: that one of them needs a value of.
std::vector<bool> Reached(const Graph& graph, const std::vector<NodeId>& nodes, bool downstream) {
  std::vector<bool> reached(graph.nodes().size(), false);
  for (const NodeId node : nodes) reached[node.index()] = true;
  const auto spread = [&](NodeId node) {
    for (const ValueId input : graph.inputs(node)) {
      const NodeId producer = input.valid() ? graph.value(input).producer : NodeId();
      if (!producer.valid()) continue;
      if (downstream && reached[producer.index()]) reached[node.index()] = true;
      if (!downstream && reached[node.index()]) reached[producer.index()] = true;
    }
  };
  const auto size = static_cast<uint32_t>(reached.size());  // ids are a topological order
  for (uint32_t i = 0; i < size; ++i) spread(NodeId(downstream ? i : size - 1 - i));
  return reached;
}

// Values of the main graph that go from the nodes in `off` to others, or the other way.
std::vector<ValueId> CutValues(const Graph& graph, const std::vector<bool>& off, bool downstream) {
  std::vector<ValueId> values;
  for (uint32_t v = 0; v < graph.values().size(); ++v) {
    const Value& value = graph.value(ValueId(v));
    if (!value.producer.valid() || graph.IsConstant(ValueId(v)) || value.graph != GraphId(0u)) continue;
    if (off[value.producer.index()] == downstream) continue;
    const auto uses = graph.uses(ValueId(v));
    const bool crosses =
        std::any_of(uses.begin(), uses.end(), [&](const Use& use) { return off[use.node.index()] == downstream; });
    if (crosses && !(downstream && value.is_output)) values.push_back(ValueId(v));
  }
  return values;
}

absl::string_view TextIn(const RawModel& raw, StrId id) { return id.valid() ? raw.strings[id] : absl::string_view(); }

// Whether an input of the model is for nodes that are cut off alone.
bool IsOnlyRead(const Graph& graph, const std::vector<bool>& off, absl::string_view input) {
  for (const ValueId value : graph.main().inputs) {
    if (graph.name(value) != input) continue;
    const auto uses = graph.uses(value);
    return std::all_of(uses.begin(), uses.end(), [&](const Use& use) { return off[use.node.index()]; });
  }
  return false;
}

RawType TypeOf(const Analysis& base, ValueId value) {
  const Type& type = base.facts.values[value].type;
  RawType raw{.kind = ValueKind::kTensor, .elem = static_cast<int32_t>(type.elem), .has_shape = type.shape.ranked()};
  for (const Dim dim : type.shape.ranked() ? type.shape.dims() : absl::Span<const Dim>()) {
    raw.dims.push_back({.has_value = dim.is_constant(), .value = dim.is_constant() ? dim.value() : 0});
  }
  return raw;
}

std::vector<std::string> NamesIn(const RawModel& raw, const std::vector<RawValueInfo>& infos) {
  std::vector<std::string> names;
  for (const RawValueInfo& info : infos) names.emplace_back(TextIn(raw, info.name));
  return names;
}

}  // namespace

bool IsAccelerator(const Unit& unit) { return !IsCpu(unit) && unit.placeable; }

std::vector<std::string> OtherVersionsOf(const Unit& unit) {
  std::vector<std::string> names;
  for (const std::string& name : ListToolchains()) {
    if (name != unit.toolchain && StemOf(name) == StemOf(unit.toolchain)) names.push_back(name);
  }
  return names;
}

std::vector<std::string> FewerLaunchesOf(const Unit& unit) {
  std::vector<std::string> names;
  for (const std::string& name : ListToolchains()) {
    const absl::StatusOr<Toolchain> toolchain = LoadToolchain(name);
    const bool is_it = toolchain.ok() && toolchain->launch_share.known() &&
                       absl::c_linear_search(toolchain->shares_fits_with, unit.toolchain);
    if (is_it) names.push_back(name);
  }
  return names;
}

std::vector<int> OlderOpsets(const Graph& graph, const std::vector<const RefusalRow*>& rows, int* now) {
  std::set<int, std::greater<>> older;
  for (const RefusalRow* row : rows) {
    const Node& node = graph.node(row->nodes.front());
    const OpRule* rule = RuleOf(graph, row->nodes.front());
    if (rule == nullptr || !rule->domain.empty()) continue;
    *now = std::max(*now, node.opset);
    int first;
    const std::vector<absl::string_view> versions = absl::StrSplit(rule->versions, ' ', absl::SkipEmpty());
    for (const absl::string_view version : versions) {
      if (absl::SimpleAtoi(version, &first) && first <= node.opset) older.insert(first - 1);
    }
    if (row->support.limit == "opset") {
      for (int opset = node.opset - 1; opset >= kOldestOpsetTried; --opset) older.insert(opset);
    }
  }
  std::vector<int> opsets;
  for (const int opset : older) {
    if (opset >= kOldestOpsetTried && opset < *now) opsets.push_back(opset);
  }
  return opsets;
}

std::optional<double> MacsShare(const Analysis& analysis, const std::vector<bool>& nodes) {
  int64_t all = 0, part = 0;
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    const int64_t macs = IsKernel(analysis.classes[NodeId(n)]) ? analysis.counts[NodeId(n)].macs.value_or(0) : 0;
    all += macs;
    part += nodes[n] ? macs : 0;
  }
  return all > 0 ? std::optional<double>(static_cast<double>(part) / static_cast<double>(all)) : std::nullopt;
}

std::optional<ModelCut> CutAt(const Analysis& base, const std::vector<NodeId>& nodes, bool downstream) {
  ModelCut cut{.downstream = downstream, .off = Reached(*base.graph, nodes, downstream)};
  const std::optional<double> share = MacsShare(base, cut.off);
  cut.values = CutValues(*base.graph, cut.off, downstream);
  if (!share.has_value() || *share > kMostCutOff || cut.values.empty() || cut.values.size() > kMostCutValues) {
    return std::nullopt;
  }
  return cut;
}

ModelCut OtherSideOf(const Graph& graph, const ModelCut& cut) {
  ModelCut other{.downstream = !cut.downstream, .off = cut.off};
  other.off.flip();
  other.values = CutValues(graph, other.off, other.downstream);
  return other;
}

std::string CutText(const Graph& graph, const ModelCut& cut) {
  std::vector<std::string> names;
  for (const ValueId value : cut.values) names.emplace_back(graph.name(value));
  return absl::StrCat(cut.downstream ? "end the model at " : "begin the model at ", absl::StrJoin(names, ", "),
                      " and run what is ", cut.downstream ? "behind" : "before", " it on the host");
}

void CutOff(const Analysis& base, const ModelCut& cut, RawModel* raw) {
  const Graph& graph = *base.graph;
  absl::flat_hash_set<absl::string_view> made_off;
  for (uint32_t n = 0; n < cut.off.size(); ++n) {
    for (const ValueId output : graph.outputs(NodeId(n))) {
      // A constant may be read on either side.
      if (cut.off[n] && output.valid() && !graph.IsConstant(output)) made_off.insert(graph.name(output));
    }
  }
  const auto is_off = [&](StrId name) { return made_off.contains(TextIn(*raw, name)); };
  std::vector<RawNode> kept;
  for (RawNode& node : raw->graph.nodes) {
    if (!std::any_of(node.outputs.begin(), node.outputs.end(), is_off)) kept.push_back(std::move(node));
  }
  raw->graph.nodes = std::move(kept);
  std::vector<RawValueInfo>& ends = cut.downstream ? raw->graph.outputs : raw->graph.inputs;
  const auto is_gone = [&](const RawValueInfo& info) {
    return cut.downstream ? is_off(info.name) : IsOnlyRead(graph, cut.off, TextIn(*raw, info.name));
  };
  ends.erase(std::remove_if(ends.begin(), ends.end(), is_gone), ends.end());
  for (const ValueId value : cut.values) ends.push_back({raw->strings.Intern(graph.name(value)), TypeOf(base, value)});
}

std::vector<std::string> InputNames(const RawModel& raw) { return NamesIn(raw, raw.graph.inputs); }
std::vector<std::string> OutputNames(const RawModel& raw) { return NamesIn(raw, raw.graph.outputs); }

}  // namespace hwest

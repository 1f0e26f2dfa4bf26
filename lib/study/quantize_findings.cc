#include "study/quantize_findings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "base/enumerators.h"
#include "base/text.h"
#include "cost/figures_class.h"
#include "cost/group_work.h"
#include "cost/model_view.h"
#include "cost/precision.h"
#include "hwest/reading.h"
#include "ir/elem_type.h"
#include "op/rule.h"
#include "partition/support.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr double kNoGain = 0.03;       // of the time of a layer: less is no gain
constexpr double kWorthSaying = 2e-3;  // of the latency: what costs less is left out
constexpr double kSameTime = 1e-6;     // of the latency
constexpr size_t kMostNames = 5;

bool IsIntegerNum(Num num) { return num != Num::kUnset && !IsFloating(num); }

std::string Share(double share) { return absl::StrFormat("%.*f %%", share < 0.1 ? 1 : 0, share * 100); }

std::string Names(const std::vector<std::string>& names) {
  std::string text = absl::StrJoin(absl::MakeSpan(names).subspan(0, kMostNames), ", ");
  if (names.size() > kMostNames) absl::StrAppend(&text, " and ", names.size() - kMostNames, " more");
  return text;
}

std::string Many(size_t count, absl::string_view one, absl::string_view more) {
  return absl::StrCat(count, " ", count == 1 ? one : more);
}

class Diagnosis {
 public:
  Diagnosis(const Analysis& narrow, QuantizePlan* plan)
      : n_(narrow), b_(*plan->base), plan_(*plan), latency_s_(narrow.plan->latency_s), word_(plan->formats.back()) {
    const Graph& graph = *narrow.graph;
    for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
      for (const ValueId output : graph.outputs(NodeId(n))) {
        if (output.valid()) makers_[graph.name(output)] = NodeId(n);
      }
    }
    if (plan->is_quantised) word_ = "the file's Q/DQ";
  }

  void Run() {
    AddConversions();
    AddHandovers();
    AddFallbacks();
    AddNoGain();
    AddLostFusions();
    AddRefused();
    AddIslands();
    AddHarmful();
    std::vector<QuantFinding>& found = plan_.findings;
    std::erase_if(found, [&](const QuantFinding& row) { return row.time_s > 0 && row.share < kWorthSaying; });
    std::stable_sort(found.begin(), found.end(),
                     [](const QuantFinding& a, const QuantFinding& b) { return a.time_s > b.time_s; });
    AddVerdict();
  }

 private:
  void Add(QuantFinding finding) {
    finding.share = latency_s_ > 0 ? finding.time_s / latency_s_ : 0;
    plan_.findings.push_back(std::move(finding));
  }
  std::string Cost(double seconds) const {
    return absl::StrCat(FormatSeconds(seconds), ", ", Share(latency_s_ > 0 ? seconds / latency_s_ : 0), " of the time");
  }

  // The group in the narrow form that has the layer's first contraction; null where it has none.
  const PlannedGroup* InNarrow(const PlanLayer& layer) const { return GroupOfMaker(layer.nodes[0]); }
  const PlannedGroup* GroupOfMaker(NodeId node_of_base) const {
    const absl::Span<const ValueId> outputs = b_.graph->outputs(node_of_base);
    const auto maker =
        outputs.empty() || !outputs[0].valid() ? makers_.end() : makers_.find(b_.graph->name(outputs[0]));
    if (maker == makers_.end()) return nullptr;
    const GroupId group = n_.plan->group_of[maker->second];
    return group.valid() ? &n_.plan->groups[group.index()] : nullptr;
  }
  const PlannedGroup& InBase(const PlanLayer& layer) const {
    return b_.plan->groups[b_.plan->group_of[layer.nodes[0]].index()];
  }
  static double TimeOf(const PlannedGroup& group) { return group.estimate.has_value() ? group.estimate->time_s : 0; }

  bool IsQdq(NodeId node) const {
    const OpRule* rule = RuleOf(*n_.graph, node);
    return rule != nullptr && (rule->traits & (trait::kQuantizes | trait::kDequantizes)) != 0;
  }
  bool IsQdqAlone(const PlannedGroup& group) const {
    return group.work.num_kernels > 0 &&
           absl::c_all_of(group.group.nodes, [&](NodeId node) { return IsQdq(node) || !IsKernel(n_.classes[node]); });
  }

  void AddVerdict();
  void AddConversions();
  void AddHandovers();
  void AddFallbacks();
  void AddNoGain();
  void AddLostFusions();
  void AddRefused();
  void AddIslands();
  void AddHarmful();

  const Analysis& n_;
  const Analysis& b_;
  QuantizePlan& plan_;
  const double latency_s_;
  std::string word_;
  absl::flat_hash_map<absl::string_view, NodeId> makers_;
};

void Diagnosis::AddVerdict() {
  const double base_s = b_.plan->latency_s, more_s = latency_s_ - base_s;
  const std::string wide = absl::AsciiStrToUpper(plan_.formats[0]);
  const std::string narrow =
      plan_.is_quantised ? "The file with its Q/DQ" : absl::StrCat("Every layer at ", absl::AsciiStrToUpper(word_));
  QuantFinding finding{.kind = QuantFindingKind::kVerdict};
  if (plan_.formats.size() < 2 && !plan_.is_quantised) {
    finding.text = absl::StrCat("The target runs layers at ", plan_.formats[0], " alone: there is nothing to choose.");
  } else if (std::abs(more_s) <= kSameTime * base_s) {
    finding.text = absl::StrCat(narrow, " takes as long as ", wide, ", ", FormatSeconds(base_s), ".");
  } else if (more_s > 0) {
    finding.text = absl::StrCat(narrow, " takes ", FormatSeconds(latency_s_), ", ", wide, " ", FormatSeconds(base_s),
                                ": it is slower by ", FormatSeconds(more_s), " (", Share(more_s / base_s), ").");
    finding.time_s = more_s;
  } else {
    finding.text = absl::StrCat(narrow, " takes ", FormatSeconds(latency_s_), ", ", wide, " ", FormatSeconds(base_s),
                                ": it is faster by ", FormatSeconds(-more_s), " (", Share(-more_s / base_s), ").");
  }
  finding.share = latency_s_ > 0 ? finding.time_s / latency_s_ : 0;
  plan_.findings.insert(plan_.findings.begin(), std::move(finding));
}

void Diagnosis::AddConversions() {
  QuantFinding finding{.kind = QuantFindingKind::kConversion};
  for (const PlannedGroup& group : n_.plan->groups) {
    if (!group.estimate.has_value()) continue;
    const bool is_alone = IsQdqAlone(group);
    finding.time_s += is_alone ? group.estimate->time_s : group.estimate->conversion_s;
    if (is_alone || group.estimate->conversion_s > 0) finding.nodes.push_back(n_.graph->Label(group.group.root));
  }
  if (finding.time_s <= 0) return;
  finding.text = plan_.is_quantised
                     ? absl::StrCat(Many(finding.nodes.size(), "kernel does", "kernels do"),
                                    " nothing but quantise or dequantise: ", Cost(finding.time_s), ".")
                     : absl::StrCat("Conversions behind ", Many(finding.nodes.size(), "kernel", "kernels"), ": ",
                                    Cost(finding.time_s), ".");
  finding.fix = plan_.is_quantised ? "quantise what lies between two quantised layers, or take the pair out"
                                   : "give neighbours one format";
  Add(std::move(finding));
}

// What going from unit to unit takes more than at the base.
void Diagnosis::AddHandovers() {
  const auto seconds_of = [](const Analysis& analysis) {
    double seconds = 0;
    for (const Segment& segment : analysis.plan->segments) seconds += segment.transfer_s + segment.invoke_s;
    return seconds;
  };
  QuantFinding finding{.kind = QuantFindingKind::kFallback, .time_s = seconds_of(n_) - seconds_of(b_)};
  const size_t now = n_.plan->segments.size(), before = b_.plan->segments.size();
  if (finding.time_s <= 0 || now <= before) return;
  finding.text =
      absl::StrCat("The model runs in ", Many(now, "part", "parts"), " on changing units, at ", plan_.formats[0],
                   " in ", before, ": starting them and handing values over takes ", Cost(finding.time_s), ".");
  finding.fix = "end the refusals below; `onnx-hwest support` lists them by reason";
  Add(std::move(finding));
}

// Layers off the accelerator, or that compute in floating point where the form is narrower, by reason.
void Diagnosis::AddFallbacks() {
  struct Reason {
    std::vector<std::string> nodes;
    double time_s = 0;
    std::string fix;
  };
  std::map<std::string, Reason> reasons;
  const UnitId main = MainUnitOf(*n_.target);
  for (const PlanLayer& layer : plan_.layers) {
    const PlannedGroup* group = InNarrow(layer);
    if (group == nullptr) continue;
    const NodeId node = makers_.find(b_.graph->name(b_.graph->outputs(layer.nodes[0])[0]))->second;
    const bool is_off = group->unit.valid() && group->unit != InBase(layer).unit;
    const bool is_float = group->unit.valid() && !IsIntegerNum(group->work.precision.act) && plan_.is_quantised;
    if (!is_off && !is_float) continue;
    std::string why, fix;
    const Support& support = n_.support[main][node];
    if (is_off && support.verdict == Verdict::kNo) {
      const Toolchain* toolchain = ToolchainOf(*n_.target, n_.target->units[main]);
      why = absl::StrCat(
          "run on ", n_.target->units[group->unit].name, ", as ", n_.target->units[main].name,
          " refuses them in this form: ", SupportText(support, EvidenceOf(*n_.graph, node, toolchain, support)));
      fix = "`onnx-hwest support` lists what ends the refusal; or leave these layers at the wide format";
    } else if (is_off) {
      why = absl::StrCat("run on ", n_.target->units[group->unit].name);
      fix = "pin them with --pin NODE@UNIT, or leave them at the wide format";
    } else if (n_.work[node]->int_macs.IsConstant(0)) {
      why = "run in floating point: the file does not quantise both operands";
      fix = "put Q/DQ at both operands, or take out those around them";
    } else if (!HasIntegerOperands({GraphAsRead(n_), n_.facts, n_.classes, n_.work, *n_.dims}, group->group)) {
      why = "run in floating point: a residual or another operand of their kernel is not quantised";
      fix = "quantise that operand, too, with a pair right before the layer";
    } else {
      why = absl::StrCat("run at ", PrecisionName(group->work.precision), ": ", n_.target->units[group->unit].name,
                         " has no kernels for the integers of the file");
      fix = "leave these layers at the wide format";
    }
    Reason& reason = reasons[why];
    reason.nodes.push_back(n_.graph->Label(node));
    reason.time_s += TimeOf(*group);
    reason.fix = fix;
  }
  for (auto& [why, reason] : reasons) {
    QuantFinding finding{.kind = QuantFindingKind::kFallback};
    finding.text = absl::StrCat(Many(reason.nodes.size(), "layer", "layers"), " ", why, ": ", Cost(reason.time_s), " (",
                                Names(reason.nodes), ").");
    finding.fix = reason.fix;
    finding.time_s = reason.time_s;
    finding.nodes = std::move(reason.nodes);
    Add(std::move(finding));
  }
}

// Layers that run narrow and take as long as at the base.
void Diagnosis::AddNoGain() {
  QuantFinding finding{.kind = QuantFindingKind::kNoGain};
  std::map<absl::string_view, std::pair<size_t, double>> bounds;
  for (const PlanLayer& layer : plan_.layers) {
    const PlannedGroup* group = InNarrow(layer);
    if (group == nullptr || !group->estimate.has_value() || !IsIntegerNum(group->work.precision.act)) continue;
    if (!IsFloating(InBase(layer).work.precision.act)) continue;
    const double wide_s = TimeOf(InBase(layer)), narrow_s = group->estimate->time_s - group->estimate->conversion_s;
    if (narrow_s < (1 - kNoGain) * wide_s) continue;
    auto& [count, time_s] = bounds[BoundName(group->estimate->bound)];
    ++count;
    time_s += narrow_s;
    finding.time_s += narrow_s;
    finding.nodes.push_back(layer.name());
  }
  if (finding.nodes.empty()) return;
  std::vector<std::string> parts;
  for (const auto& [bound, row] : bounds) {
    parts.push_back(absl::StrCat(row.first, " bound by ", bound == "overhead" ? "launches" : bound));
  }
  finding.text = absl::StrCat(Many(finding.nodes.size(), "layer gains", "layers gain"),
                              " nothing from the narrower format: ", absl::StrJoin(parts, ", "), "; ",
                              Cost(finding.time_s), " (", Names(finding.nodes), ").");
  finding.fix = "leave them at the wide format: their accuracy is paid for nothing";
  Add(std::move(finding));
}

// Kernels of the base whose nodes are several kernels in the narrow form.
void Diagnosis::AddLostFusions() {
  QuantFinding finding{.kind = QuantFindingKind::kFusion};
  size_t more = 0;
  std::map<std::string, size_t> patterns;
  for (const PlannedGroup& group : b_.plan->groups) {
    if (group.work.num_kernels <= 0 || group.work.num_nodes < 2 || !group.estimate.has_value()) continue;
    std::set<const PlannedGroup*> parts;
    for (const NodeId node : group.group.nodes) {
      const bool is_kernel = IsKernel(b_.classes[node]);
      const PlannedGroup* part = is_kernel ? GroupOfMaker(node) : nullptr;
      if (part != nullptr && part->work.num_kernels > 0) parts.insert(part);
    }
    if (parts.size() < 2) continue;
    double time_s = 0;
    for (const PlannedGroup* part : parts) time_s += TimeOf(*part);
    finding.time_s += std::max(0.0, time_s - TimeOf(group));
    more += parts.size() - 1;
    ++patterns[std::string(group.group.pattern)];
    finding.nodes.push_back(b_.graph->Label(group.group.root));
  }
  if (finding.nodes.empty() || finding.time_s <= 0) return;
  std::vector<std::string> names;
  for (const auto& [pattern, count] : patterns) names.push_back(absl::StrCat(count, " x ", pattern));
  finding.text =
      absl::StrCat(Many(finding.nodes.size(), "kernel", "kernels"), " of the ", plan_.formats[0], " form come apart (",
                   Names(names), "), ", more, " launches more: ", Cost(finding.time_s), ".");
  if (plan_.is_quantised) {
    finding.fix = "take out the Q/DQ inside these groups: one pair before and one behind each is enough";
  }
  Add(std::move(finding));
}

// Q/DQ that the accelerator's compiler refuses: types, zero points and axes that it does not take; by limit.
void Diagnosis::AddRefused() {
  const UnitId main = MainUnitOf(*n_.target);
  if (!main.valid() || !plan_.is_quantised || n_.support.size() <= main.index()) return;
  const Toolchain* toolchain = ToolchainOf(*n_.target, n_.target->units[main]);
  std::map<std::pair<std::string, std::string>, std::pair<std::string, QuantFinding>> rows;
  for (uint32_t n = 0; n < n_.graph->nodes().size(); ++n) {
    const NodeId node(n);
    if (!IsQdq(node) || !IsKernel(n_.classes[node])) continue;
    const Support& support = n_.support[main][node];
    if (support.verdict != Verdict::kNo) continue;
    auto& [why, row] = rows[{support.limit, support.allowed}];
    const bool is_type = absl::StrContains(support.limit, "dtype");
    const bool is_zero_point = absl::StrContains(support.limit, ":2") && support.allowed == "0";
    const bool is_axis = absl::StrContains(support.limit, "axis");
    row.kind = is_type || is_zero_point ? QuantFindingKind::kUnsigned
               : is_axis                ? QuantFindingKind::kAxis
                                        : QuantFindingKind::kFallback;
    if (why.empty()) why = SupportText(support, EvidenceOf(*n_.graph, node, toolchain, support));
    row.fix = is_type         ? "quantise to int8 again (activation_type=QInt8), or try `onnx-hwest rewrite --rule "
                                "quantized_to_signed`"
              : is_zero_point ? "quantise again with zero points of 0: ActivationSymmetric and WeightSymmetric of ONNX "
                                "Runtime's quantiser"
              : is_axis       ? "quantise these weights along another axis, or per tensor"
                              : "`onnx-hwest support` lists what ends the refusal";
    row.nodes.push_back(n_.graph->Label(node));
    const GroupId group = n_.plan->group_of[node];
    if (group.valid()) row.time_s += TimeOf(n_.plan->groups[group.index()]);
  }
  for (auto& [limit, entry] : rows) {
    auto& [why, row] = entry;
    row.text = absl::StrCat(n_.target->units[main].name, " refuses ", row.nodes.size(), " Q/DQ, the first for ", why,
                            " (", Names(row.nodes), "); ", Cost(row.time_s), ".");
    Add(std::move(row));
  }
}

// Kernels in floating point that read from DequantizeLinear and write to QuantizeLinear alone.
void Diagnosis::AddIslands() {
  if (!plan_.is_quantised) return;
  const Graph& graph = *n_.graph;
  QuantFinding finding{.kind = QuantFindingKind::kFloatIsland};
  std::map<std::string, size_t> ops;
  for (const PlannedGroup& group : n_.plan->groups) {
    if (group.work.num_kernels <= 0 || IsQdqAlone(group) || !IsFloating(group.work.precision.act)) continue;
    const bool contracts = !group.work.contractions.empty();
    bool reads = false, writes = false, is_between = !contracts;
    for (const Access& read : group.reads) {
      const NodeId producer = graph.value(read.value).producer;
      reads = reads || producer.valid();
      is_between = is_between && producer.valid() && IsQdq(producer);
    }
    for (const Access& write : group.writes) {
      for (const Use& use : graph.uses(write.value)) {
        writes = true;
        is_between = is_between && IsQdq(use.node);
      }
      is_between = is_between && !graph.value(write.value).is_output;
    }
    if (!is_between || !reads || !writes) continue;
    finding.nodes.push_back(graph.Label(group.group.root));
    finding.time_s += TimeOf(group);
    const auto node = absl::c_find_if(group.group.nodes,
                                      [&](NodeId member) { return IsKernel(n_.classes[member]) && !IsQdq(member); });
    ++ops[std::string(graph.op(*node))];
  }
  if (finding.nodes.empty()) return;
  std::vector<std::string> names, types;
  for (const auto& [op, count] : ops) {
    names.push_back(absl::StrCat(count, " x ", op));
    types.push_back(op);
  }
  finding.text = absl::StrCat(Many(finding.nodes.size(), "kernel runs", "kernels run"),
                              " in floating point between integer ones (", Names(names), "): ", Cost(finding.time_s),
                              ", and the Q/DQ on both sides.");
  finding.fix = absl::StrCat("quantise them as well: add ", absl::StrJoin(types, ", "),
                             " to op_types_to_quantize of ONNX Runtime's quantiser");
  Add(std::move(finding));
}

// Layers that the fastest plan runs wider than the file.
void Diagnosis::AddHarmful() {
  if (!plan_.is_quantised || !plan_.chosen.has_value()) return;
  const FrontierPoint& point = plan_.frontier[*plan_.chosen];
  QuantFinding finding{.kind = QuantFindingKind::kHarmfulPair};
  size_t in_file = 0;
  for (size_t i = 0; i < plan_.layers.size(); ++i) {
    const bool is_quantised = plan_.layers[i].in_file != plan_.formats[0];
    in_file += is_quantised ? 1 : 0;
    if (is_quantised && point.formats[i] == plan_.formats[0]) finding.nodes.push_back(plan_.layers[i].name());
  }
  finding.time_s = latency_s_ - point.latency_s;
  if (finding.time_s <= 0) return;
  const std::string rest = absl::StrCat("with pairs around layers alone and none within a kernel, the model takes ",
                                        FormatSeconds(point.latency_s), ": it saves ", Cost(finding.time_s), ".");
  finding.text = finding.nodes.empty()
                     ? absl::StrCat("No quantised layer is slower than at ", plan_.formats[0], "; ", rest)
                     : absl::StrCat(finding.nodes.size(), " of ", in_file, " quantised layers are faster at ",
                                    plan_.formats[0], " (", Names(finding.nodes), "); ", rest);
  finding.fix = finding.nodes.empty() ? "quantise again, with the changes below"
                                      : "`--export ort` lists the layers to leave out: quantise again with them in "
                                        "nodes_to_exclude";
  Add(std::move(finding));
}

}  // namespace

absl::string_view QuantFindingName(QuantFindingKind kind) {
  constexpr absl::string_view kNames[] = {"verdict",      "conversion",   "fallback", "no_gain", "fusion",
                                          "float_island", "harmful_pair", "axis",     "unsigned"};
  static_assert(std::size(kNames) == kNumEnumerators<QuantFindingKind>);
  return kNames[static_cast<size_t>(kind)];
}

void FillFindings(const Analysis& narrow, QuantizePlan* plan) {
  Diagnosis(plan->is_quantised ? *plan->file : narrow, plan).Run();
}

}  // namespace hwest

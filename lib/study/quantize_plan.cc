#include "study/quantize_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "analysis/rerun.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/cost.h"
#include "cost/figures_class.h"
#include "cost/group_work.h"
#include "cost/machine.h"
#include "cost/model_view.h"
#include "cost/precision.h"
#include "hwest/diagnostic.h"
#include "hwest/reading.h"
#include "op/rule.h"
#include "study/format_search.h"
#include "study/quantize_findings.h"
#include "study/strip_qdq.h"

namespace hwest {
namespace {

constexpr absl::string_view kUsualFormats[] = {"fp16", "w8a16", "int8"};
constexpr size_t kMostFormats = 8;     // bits that the search has for them
constexpr size_t kMostStates = 20000;  // partial choices that the search keeps after one step
constexpr size_t kMostAnalysed = 24;   // of the frontier, each analysed
constexpr int kMostRounds = 3;         // of sums that are corrected at the plan they led to
constexpr double kMostTried = 12;      // log2 of the assignments that are all analysed
constexpr size_t kMostImproved = 24;   // layers of a plan that is compared with its neighbours by analyses
constexpr double kSameSum = 1e-9;      // of the latency: sum and analysis agree

using Formats = std::vector<uint8_t>;  // by layer

ModelView ViewOf(const Analysis& analysis) {
  return {GraphAsRead(analysis), analysis.facts, analysis.classes, analysis.work, *analysis.dims};
}

bool HasQdq(const Graph& graph) {
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    const OpRule* rule = RuleOf(graph, NodeId(n));
    if (rule != nullptr && (rule->traits & trait::kDequantizes) != 0) return true;
  }
  return false;
}

bool Contracts(const Analysis& analysis, NodeId node) {
  return analysis.work[node].has_value() && !analysis.work[node]->contractions.empty();
}

// Names that one node alone has, as --precision-of looks them up.
class UniqueNames {
 public:
  explicit UniqueNames(const Graph& graph) : graph_(graph) {
    for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
      const NodeId node(n);
      std::vector<absl::string_view> names = {graph.name(node), graph.op(node)};
      for (const ValueId output : graph.outputs(node)) {
        if (output.valid()) names.push_back(graph.name(output));
      }
      std::sort(names.begin(), names.end());
      names.erase(std::unique(names.begin(), names.end()), names.end());
      for (const absl::string_view name : names) ++count_[name];
    }
  }

  std::string Of(NodeId node) const {
    std::vector<absl::string_view> names = {graph_.name(node)};
    for (const ValueId output : graph_.outputs(node)) {
      if (output.valid()) names.push_back(graph_.name(output));
    }
    for (const absl::string_view name : names) {
      const auto count = count_.find(name);
      if (!name.empty() && name[0] != '#' && count != count_.end() && count->second == 1) return std::string(name);
    }
    return absl::StrCat("#", node.index());
  }

 private:
  const Graph& graph_;
  absl::flat_hash_map<absl::string_view, int> count_;
};

// What one analysis says of a group.
struct GroupFigures {
  double time_s = 0;  // without conversions
  double stays = 0;   // share of what it writes that stays on the chip
};

struct RunFigures {
  double latency_s = 0;
  std::optional<double> energy_j;
  int64_t peak_bytes = 0;
  double conversion_s = 0;
  absl::flat_hash_map<uint32_t, GroupFigures> groups;  // by root; only of runs that are asked for them
};

enum class WithGroups : uint8_t { kNo, kYes };

RunFigures FiguresOf(const Analysis& analysis, WithGroups with) {
  const Plan& plan = *analysis.plan;
  RunFigures run{.latency_s = plan.latency_s, .peak_bytes = plan.peak_memory_bytes};
  if (plan.energy_j > 0 || plan.latency_s <= 0) run.energy_j = plan.energy_j;
  for (const PlannedGroup& group : plan.groups) {
    if (!group.estimate.has_value()) continue;
    run.conversion_s += group.estimate->conversion_s;
    if (with == WithGroups::kNo) continue;
    GroupFigures& row = run.groups[group.group.root.index()];
    row.time_s = group.estimate->time_s - group.estimate->conversion_s;
    if (group.work.out_bytes > 0) {
      row.stays = static_cast<double>(group.residency.out_bytes) / static_cast<double>(group.work.out_bytes);
    }
  }
  return run;
}

// Assignments that differ in one layer or two.
std::vector<Formats> NeighboursOf(const Formats& formats, uint8_t num_formats) {
  std::vector<Formats> others;
  for (size_t i = 0; i < formats.size(); ++i) {
    for (uint8_t f = 0; f < num_formats; ++f) {
      if (f == formats[i]) continue;
      Formats one = formats;
      one[i] = f;
      others.push_back(one);
      for (size_t j = i + 1; j < one.size(); ++j) {
        Formats two = one;
        for (two[j] = 0; two[j] < num_formats; ++two[j]) {
          if (two[j] != formats[j]) others.push_back(two);
        }
      }
    }
  }
  return others;
}

class Planner {
 public:
  Planner(const std::shared_ptr<const Graph>& graph, const ModelSource& source, const QuantizePlanRequest& request)
      : graph_(graph), source_(source), request_(request) {}

  absl::StatusOr<QuantizePlan> Run();

 private:
  absl::Status ChooseFormats();
  absl::Status TakeBase();
  std::vector<std::vector<NodeId>> LayersOf(const PlannedGroup& group) const;
  void ListLayers();
  std::optional<size_t> LayerOf(NodeId node) const;
  void FindFormatsInFile();
  absl::Status TakeSensitivity();
  absl::Status TryUniform();
  absl::Status TryLayers();
  void MakeProblem();
  void AddValues();
  std::vector<double> ConversionsOf(const PlannedGroup& group, int64_t elements);
  const absl::StatusOr<Machine>& MachineOf(UnitId unit, Precision precision);
  absl::Status FindPlans();
  absl::Status Analyse(const std::vector<FormatChoice>& choices, std::vector<FrontierPoint>* points, bool* differs);
  absl::Status Improve(const FormatChoice& choice, std::vector<FrontierPoint>* points);
  void ChoosePoint();

  std::string TextOf(const Formats& formats) const;
  absl::StatusOr<const Analysis*> Try(const Formats& formats);
  FormatProblem ProblemForSearch() const;
  bool IsWithin(double loss) const { return loss <= *request_.budget * (1 + 1e-12); }
  bool IsStopped() const { return request_.stop != nullptr && request_.stop(); }
  void Say(absl::string_view what) const {
    if (request_.progress != nullptr) request_.progress(std::string(what));
  }
  uint8_t IndexOf(absl::string_view format) const {
    return static_cast<uint8_t>(absl::c_find(plan_.formats, format) - plan_.formats.begin());
  }

  const std::shared_ptr<const Graph>& graph_;
  const ModelSource& source_;
  const QuantizePlanRequest& request_;
  QuantizePlan plan_;
  std::shared_ptr<const Graph> plain_;  // without Q/DQ
  AnalysisRequest at_base_;
  std::optional<Rerun> rerun_;
  absl::flat_hash_map<NodeId, size_t> layer_of_;                // of contractions
  absl::flat_hash_map<NodeId, std::vector<size_t>> layers_at_;  // by root of the group of the base's plan
  std::vector<RunFigures> uniform_;                             // by format
  std::vector<std::vector<RunFigures>> flips_;                  // by layer and format
  std::vector<std::pair<std::pair<UnitId, Precision>, absl::StatusOr<Machine>>> machines_;
  FormatProblem problem_;
  double constant_s_ = 0;
  std::optional<FormatChoice> plan_choice_;  // that the last search ended with
  std::shared_ptr<const Analysis> narrow_;
};

absl::Status Planner::ChooseFormats() {
  const Target& target = *plan_.file->target;
  const UnitId main = MainUnitOf(target);
  if (!main.valid()) return MakeError(Code::kUsage, "no unit of the target runs work", "choose another target");
  const std::vector<std::string> runs = PrecisionsOf(target.units[main]);
  std::vector<std::string> formats = request_.formats;
  for (std::string& format : formats) format = absl::AsciiStrToLower(format);
  if (formats.empty()) {
    for (const absl::string_view format : kUsualFormats) {
      const std::optional<Precision> precision = PrecisionOn(target.units[main], format);
      // Weights alone in 8 bits are for models that wait for them; networks are quantised with their activations.
      const bool is_weight_only =
          precision.has_value() && IsFloating(precision->act) && precision->weight != precision->act;
      if (precision.has_value() && !is_weight_only) formats.emplace_back(format);
    }
    const bool has_float = absl::c_linear_search(formats, "fp16");
    for (const absl::string_view wide : {"fp32", "bf16"}) {
      if (!has_float && absl::c_linear_search(runs, wide)) {
        formats.emplace_back(wide);
        break;
      }
    }
  }
  for (const std::string& format : formats) {
    if (absl::c_linear_search(runs, format)) continue;
    return MakeError(Code::kUsage,
                     absl::StrCat(target.units[main].name, " of ", target.name, " does not run '", format, "'"),
                     absl::StrCat("choose among ", absl::StrJoin(runs, ", ")), {"--formats"});
  }
  const auto wider = [&](const std::string& a, const std::string& b) {
    const Precision x = *PrecisionOn(target.units[main], a), y = *PrecisionOn(target.units[main], b);
    const auto rank = [](const Precision& p) {
      return std::tuple(NumBits(p.act), IsFloating(p.act), NumBits(p.weight));
    };
    return rank(x) > rank(y);
  };
  std::stable_sort(formats.begin(), formats.end(), wider);
  formats.erase(std::unique(formats.begin(), formats.end()), formats.end());
  if (formats.empty() || formats.size() > kMostFormats) {
    return MakeError(Code::kUsage, absl::StrCat(formats.size(), " formats are not 1 to ", kMostFormats),
                     absl::StrCat("choose among ", absl::StrJoin(runs, ", ")), {"--formats"});
  }
  plan_.formats = std::move(formats);
  return absl::OkStatus();
}

absl::Status Planner::TakeBase() {
  plain_ = graph_;
  plan_.is_quantised = HasQdq(*graph_);
  const bool can_read = !source_.path.empty() && source_.path != "-";
  if (plan_.is_quantised && can_read) {
    HWEST_ASSIGN_OR_RETURN(plain_, LoadWithoutQdq(source_));
  }
  at_base_ = request_.analysis;
  at_base_.precision = plan_.formats[0];
  at_base_.precision_of.clear();
  at_base_.finds_best = false;
  if (request_.stop != nullptr) {
    at_base_.watch = [stop = request_.stop](absl::string_view, size_t, size_t) { return !stop(); };
  }
  HWEST_ASSIGN_OR_RETURN(Analysis base, hwest::Analyze(plain_, at_base_));
  plan_.base = std::make_shared<const Analysis>(std::move(base));
  HWEST_ASSIGN_OR_RETURN(rerun_, Rerun::Start(plain_, at_base_));
  return absl::OkStatus();
}

// Products with weights of one kernel are layers of their own: apart, they may have formats of their own.
std::vector<std::vector<NodeId>> Planner::LayersOf(const PlannedGroup& group) const {
  const Analysis& base = *plan_.base;
  const ModelView model = ViewOf(base);
  std::vector<std::vector<NodeId>> layers;
  std::optional<size_t> of_activations;
  for (const NodeId node : group.group.nodes) {
    if (!Contracts(base, node)) continue;
    const bool has_weights =
        absl::c_any_of(plain_->inputs(node), [&](ValueId input) { return input.valid() && IsConstant(model, input); });
    if (has_weights || !of_activations.has_value()) layers.emplace_back();
    if (!has_weights && !of_activations.has_value()) of_activations = layers.size() - 1;
    layers[has_weights ? layers.size() - 1 : *of_activations].push_back(node);
  }
  return layers;
}

void Planner::ListLayers() {
  const Analysis& base = *plan_.base;
  const UniqueNames names(*plain_);
  for (const PlannedGroup& group : base.plan->groups) {
    if (!group.unit.valid()) continue;
    std::vector<std::vector<NodeId>> layers = LayersOf(group);
    std::vector<double> macs;
    for (const std::vector<NodeId>& nodes : layers) {
      double& own = macs.emplace_back();
      for (const NodeId node : nodes) {
        own += static_cast<double>(Evaluate(base.work[node]->macs, *base.dims).value_or(0));
      }
    }
    const double all = absl::c_accumulate(macs, 0.0);
    for (size_t i = 0; i < layers.size(); ++i) {
      PlanLayer layer;
      const double share = layers.size() == 1 || all <= 0 ? 1 : macs[i] / all;
      for (const NodeId node : layers[i]) layer.names.push_back(names.Of(node));
      if (!group.group.outputs.empty()) layer.output = std::string(plain_->name(group.group.outputs[0]));
      layer.macs = static_cast<int64_t>(std::round(static_cast<double>(group.work.macs) * share));
      if (group.estimate.has_value()) layer.time_s = group.estimate->time_s * share;
      layer.in_file = plan_.formats[0];
      layer.nodes = std::move(layers[i]);
      for (const NodeId node : layer.nodes) layer_of_[node] = plan_.layers.size();
      layers_at_[group.group.root].push_back(plan_.layers.size());
      plan_.layers.push_back(std::move(layer));
    }
  }
}

// A layer is quantised in the file where the node that makes the same value multiplies integers there.
void Planner::FindFormatsInFile() {
  if (!plan_.is_quantised) return;
  const Analysis& file = *plan_.file;
  absl::flat_hash_map<absl::string_view, NodeId> makers;
  for (uint32_t n = 0; n < graph_->nodes().size(); ++n) {
    for (const ValueId output : graph_->outputs(NodeId(n))) {
      if (output.valid()) makers[graph_->name(output)] = NodeId(n);
    }
  }
  for (PlanLayer& layer : plan_.layers) {
    const absl::Span<const ValueId> outputs = plain_->outputs(layer.nodes[0]);
    const auto maker = outputs.empty() ? makers.end() : makers.find(plain_->name(outputs[0]));
    if (maker == makers.end() || !Contracts(file, maker->second)) continue;
    const Work& work = *file.work[maker->second];
    if (work.int_macs.IsConstant(0)) continue;
    const std::string runs = PrecisionName(file.precisions[maker->second]);
    layer.in_file = absl::c_linear_search(plan_.formats, runs) ? runs : plan_.formats.back();
  }
}

// Its own, or the first of the kernel that it runs in.
std::optional<size_t> Planner::LayerOf(NodeId node) const {
  if (const auto own = layer_of_.find(node); own != layer_of_.end()) return own->second;
  const GroupId group = plan_.base->plan->group_of[node];
  if (!group.valid()) return std::nullopt;
  const auto at = layers_at_.find(plan_.base->plan->groups[group.index()].group.root);
  return at != layers_at_.end() ? std::optional(at->second[0]) : std::nullopt;
}

absl::Status Planner::TakeSensitivity() {
  if (!request_.sensitivity.has_value()) return absl::OkStatus();
  plan_.has_sensitivity = true;
  absl::flat_hash_map<std::string, size_t> layers;  // by every name of its nodes and their results
  absl::flat_hash_map<std::string, bool> known;     // names of the model
  std::vector<std::string> names;
  for (uint32_t n = 0; n < plain_->nodes().size(); ++n) {
    const NodeId node(n);
    const std::optional<size_t> layer = LayerOf(node);
    const auto add = [&](absl::string_view name) {
      if (name.empty()) return;
      known[name] = true;
      names.emplace_back(name);
      if (layer.has_value()) layers[name] = *layer;
    };
    add(plain_->name(node));
    for (const ValueId output : plain_->outputs(node)) {
      if (output.valid()) add(plain_->name(output));
    }
  }
  for (const std::vector<ValueId>* values : {&plain_->main().inputs}) {
    for (const ValueId value : *values) known[plain_->name(value)] = true;
  }
  std::vector<std::string> unknown;
  for (const SensitivityRow& row : *request_.sensitivity) {
    if (!known.contains(row.node)) {
      unknown.push_back(row.node);
      continue;
    }
    const auto layer = layers.find(row.node);
    const uint8_t format = IndexOf(row.format);
    if (layer == layers.end() || format == plan_.formats.size()) continue;
    std::optional<double>& loss = plan_.layers[layer->second].choices[format].loss;
    loss = loss.value_or(0) + row.loss;
  }
  if (!unknown.empty()) {
    const std::vector<std::string> near = NearestNames(unknown[0], names, 3);
    return MakeError(Code::kUsage,
                     absl::StrCat("the sensitivity names '", EscapeControl(unknown[0]), "', which the model lacks",
                                  unknown.size() > 1 ? absl::StrCat(", and ", unknown.size() - 1, " more") : ""),
                     near.empty() ? "give names of nodes or of tensors that they write"
                                  : absl::StrCat("did you mean ", absl::StrJoin(near, ", "), "?"));
  }
  for (PlanLayer& layer : plan_.layers) {
    for (size_t f = 1; f < layer.choices.size(); ++f) plan_.missing += layer.choices[f].loss.has_value() ? 0 : 1;
    layer.choices[0].loss = layer.choices[0].loss.value_or(0);
  }
  return absl::OkStatus();
}

std::string Planner::TextOf(const Formats& formats) const {
  std::string text;
  for (size_t i = 0; i < formats.size(); ++i) {
    if (formats[i] == 0) continue;
    for (const NodeId node : plan_.layers[i].nodes) {
      absl::StrAppend(&text, "#", node.index(), ",", plan_.formats[formats[i]], "\n");
    }
  }
  return text;
}

absl::StatusOr<const Analysis*> Planner::Try(const Formats& formats) {
  AnalysisRequest request = at_base_;
  request.precision_of = TextOf(formats);
  return rerun_->Plan(request);
}

absl::Status Planner::TryUniform() {
  const auto num_formats = static_cast<uint8_t>(plan_.formats.size());
  for (uint8_t f = 0; f < num_formats; ++f) {
    Say(absl::StrCat("every layer at ", plan_.formats[f]));
    AnalysisRequest request = at_base_;
    request.precision_of = TextOf(Formats(plan_.layers.size(), f));
    HWEST_ASSIGN_OR_RETURN(Analysis analysis, hwest::Analyze(plain_, request));
    uniform_.push_back(FiguresOf(analysis, WithGroups::kYes));
    plan_.uniform.emplace_back(plan_.formats[f], analysis.plan->latency_s);
    if (f + 1U == plan_.formats.size()) narrow_ = std::make_shared<const Analysis>(std::move(analysis));
  }
  if (plan_.is_quantised) plan_.uniform.emplace_back("file", plan_.file->plan->latency_s);
  return absl::OkStatus();
}

absl::Status Planner::TryLayers() {
  const RunFigures base = FiguresOf(*plan_.base, WithGroups::kNo);
  for (size_t i = 0; i < plan_.layers.size(); ++i) {
    PlanLayer& layer = plan_.layers[i];
    std::vector<RunFigures>& runs = flips_.emplace_back();
    const auto num_formats = static_cast<uint8_t>(plan_.formats.size());
    for (uint8_t f = 0; f < num_formats; ++f) {
      Formats formats(plan_.layers.size(), 0);
      formats[i] = f;
      LayerChoice choice{.format = plan_.formats[f], .runs = plan_.formats[f]};
      runs.push_back(base);
      if (f > 0) {
        HWEST_ASSIGN_OR_RETURN(const Analysis* analysis, Try(formats));
        runs.back() = FiguresOf(*analysis, WithGroups::kNo);
        choice.runs = PrecisionName(analysis->precisions[layer.nodes[0]]);
      } else {
        choice.runs = PrecisionName(plan_.base->precisions[layer.nodes[0]]);
      }
      choice.gain_s = base.latency_s - runs.back().latency_s;
      if (base.energy_j.has_value() && runs.back().energy_j.has_value()) {
        choice.gain_j = *base.energy_j - *runs.back().energy_j;
      }
      choice.gain_bytes = base.peak_bytes - runs.back().peak_bytes;
      choice.conversions_s = runs.back().conversion_s;
      layer.choices.push_back(std::move(choice));
    }
    if (i % 16 == 0) Say(absl::StrCat("layer ", i + 1, " of ", plan_.layers.size(), " in each format"));
    if (IsStopped()) return MakeError(Code::kInterrupted, "the study was cancelled", "");
  }
  return absl::OkStatus();
}

const absl::StatusOr<Machine>& Planner::MachineOf(UnitId unit, Precision precision) {
  for (const auto& [key, machine] : machines_) {
    if (key.first == unit && key.second == precision) return machine;
  }
  const Target& target = *plan_.base->target;
  machines_.emplace_back(std::pair(unit, precision), MakeMachine(target, target.units[unit], precision));
  return machines_.back().second;
}

// By format of the writer and of the reader: as RunGroups prices it.
std::vector<double> Planner::ConversionsOf(const PlannedGroup& group, int64_t elements) {
  const size_t count = plan_.formats.size();
  std::vector<double> seconds(count * count, 0);
  if (!group.unit.valid()) return seconds;
  const Unit& unit = plan_.base->target->units[group.unit];
  const auto num_of = [&](size_t format) {
    const std::optional<Precision> precision = PrecisionOn(unit, plan_.formats[format]);
    return precision.has_value() ? precision->act : group.work.precision.act;
  };
  for (size_t from = 0; from < count; ++from) {
    const auto row = uniform_[from].groups.find(group.group.root.index());
    const double stays = row == uniform_[from].groups.end() ? 0 : row->second.stays;
    for (size_t to = 0; to < count; ++to) {
      const Conversion conversion{elements, num_of(from), num_of(to)};
      if (conversion.from == conversion.to) continue;
      Residency residency;
      const GroupWork work = ConversionWork(conversion, stays, &residency);
      const absl::StatusOr<Machine>& machine = MachineOf(group.unit, work.precision);
      if (!machine.ok()) continue;
      const absl::StatusOr<Estimate> estimate = EstimateOn(*machine, work, residency);
      if (estimate.ok()) seconds[from * count + to] = estimate->time_s;
    }
  }
  return seconds;
}

// Steps and values of the base's plan. Values that never change their format have no row.
void Planner::MakeProblem() {
  const Analysis& base = *plan_.base;
  const ModelView model = ViewOf(base);
  const size_t count = plan_.formats.size();
  problem_.num_formats = static_cast<uint8_t>(count);
  problem_.num_layers = plan_.layers.size();
  absl::flat_hash_map<uint32_t, uint32_t> values;
  for (const PlannedGroup& group : base.plan->groups) {
    FormatProblem::Step step;
    const uint32_t root = group.group.root.index();
    const auto layers = layers_at_.find(group.group.root);
    step.counts = FullWidthOf(model, group.group) == Num::kUnset && group.unit.valid();
    if (layers != layers_at_.end()) step.layer = static_cast<uint32_t>(layers->second[0]);
    step.cost.assign(count, 0);
    for (size_t f = 1; f < count && !step.layer.has_value() && step.counts; ++f) {
      const auto now = uniform_[f].groups.find(root), before = uniform_[0].groups.find(root);
      if (now == uniform_[f].groups.end() || before == uniform_[0].groups.end()) continue;
      step.cost[f] = now->second.time_s - before->second.time_s;
    }
    for (const Access& read : group.reads) {
      const auto value = values.find(read.value.index());
      if (value != values.end()) step.reads.push_back(value->second);
    }
    for (const Access& write : group.writes) {
      const bool is_float = IsFloat(base.facts.values[write.value].type.elem);
      if (!step.counts || !is_float || IsConstant(model, write.value)) continue;
      values[write.value.index()] = static_cast<uint32_t>(problem_.values.size());
      step.writes.push_back(static_cast<uint32_t>(problem_.values.size()));
      problem_.values.push_back({ConversionsOf(group, ElementsOf(model, write.value).value_or(0))});
    }
    problem_.steps.push_back(std::move(step));
  }
  for (const auto& [root, layers] : std::map(layers_at_.begin(), layers_at_.end())) {
    for (const size_t layer : absl::MakeConstSpan(layers).subspan(1)) {
      problem_.steps.push_back(
          {.layer = static_cast<uint32_t>(layer), .reads = {}, .writes = {}, .cost = {}, .loss = {}});
      problem_.steps.back().cost.assign(count, 0);
    }
  }
  // What one layer alone changes is what its analysis says.
  const Formats none(plan_.layers.size(), 0);
  constant_s_ = base.plan->latency_s - CostOf(problem_, none);
  for (FormatProblem::Step& step : problem_.steps) {
    if (!step.layer.has_value()) continue;
    for (uint8_t f = 1; f < problem_.num_formats; ++f) {
      Formats formats = none;
      formats[*step.layer] = f;
      step.cost[f] = 0;
      step.cost[f] = flips_[*step.layer][f].latency_s - constant_s_ - CostOf(problem_, formats);
    }
  }
}

// Which formats a layer may have, and at which loss.
FormatProblem Planner::ProblemForSearch() const {
  FormatProblem problem = problem_;
  for (FormatProblem::Step& step : problem.steps) {
    if (!step.layer.has_value()) continue;
    const PlanLayer& layer = plan_.layers[*step.layer];
    const uint8_t in_file = IndexOf(layer.in_file);
    for (uint8_t f = 0; f < problem.num_formats; ++f) {
      const bool is_free = !plan_.is_quantised || f <= in_file;
      const std::optional<double> unstated = is_free ? std::optional(0.0) : std::nullopt;
      step.loss.push_back(plan_.has_sensitivity ? layer.choices[f].loss : unstated);
    }
  }
  return problem;
}

// Analyses each choice, and corrects the terms of layers where the sum of the last one differs.
absl::Status Planner::Analyse(const std::vector<FormatChoice>& choices, std::vector<FrontierPoint>* points,
                              bool* differs) {
  for (const FormatChoice& choice : choices) {
    HWEST_ASSIGN_OR_RETURN(const Analysis* analysis, Try(choice.formats));
    const RunFigures run = FiguresOf(*analysis, WithGroups::kNo);
    FrontierPoint point{.loss = choice.loss,
                        .summed_s = constant_s_ + choice.cost,
                        .latency_s = run.latency_s,
                        .energy_j = run.energy_j,
                        .peak_memory_bytes = run.peak_bytes};
    for (const uint8_t format : choice.formats) point.formats.push_back(plan_.formats[format]);
    points->push_back(std::move(point));
    if (IsStopped()) return MakeError(Code::kInterrupted, "the study was cancelled", "");
  }
  const FormatChoice* last = choices.empty() ? nullptr : &choices.back();
  if (last == nullptr) return absl::OkStatus();
  HWEST_ASSIGN_OR_RETURN(const Analysis* analysis, Try(last->formats));
  const double error = analysis->plan->latency_s - constant_s_ - last->cost;
  *differs = std::abs(error) > kSameSum * analysis->plan->latency_s;
  if (!*differs) return absl::OkStatus();
  const RunFigures at = FiguresOf(*analysis, WithGroups::kYes);
  for (size_t i = 0; i < plan_.base->plan->groups.size(); ++i) {
    FormatProblem::Step& step = problem_.steps[i];
    if (!step.layer.has_value() || last->formats[*step.layer] == 0) continue;
    const uint8_t f = last->formats[*step.layer];
    const uint32_t root = plan_.base->plan->groups[i].group.root.index();
    const auto now = std::as_const(at.groups).find(root), before = std::as_const(uniform_[0].groups).find(root);
    if (now == at.groups.end() || before == uniform_[0].groups.end()) continue;
    step.cost[f] = now->second.time_s - before->second.time_s;
  }
  return absl::OkStatus();
}

// Kernels that fuse or stay on the chip only together are in no sum. Few layers are tried in every assignment; of more,
// the plan is taken on as long as one that differs in a layer or two is faster within its loss.
absl::Status Planner::Improve(const FormatChoice& choice, std::vector<FrontierPoint>* points) {
  if (plan_.layers.size() > kMostImproved) return absl::OkStatus();
  const FormatProblem problem = ProblemForSearch();
  std::vector<const FormatProblem::Step*> steps(plan_.layers.size());
  for (const FormatProblem::Step& step : problem.steps) {
    if (step.layer.has_value()) steps[*step.layer] = &step;
  }
  const auto loss_of = [&](const Formats& formats) -> std::optional<double> {
    double loss = 0;
    for (size_t i = 0; i < formats.size(); ++i) {
      const std::optional<double>& own = steps[i]->loss[formats[i]];
      if (!own.has_value()) return std::nullopt;
      loss += *own;
    }
    return loss;
  };
  const double most = request_.budget.value_or(choice.loss);
  HWEST_ASSIGN_OR_RETURN(const Analysis* start, Try(choice.formats));
  FormatChoice best = choice;
  double best_s = start->plan->latency_s;
  const auto take = [&](const Formats& formats) -> absl::StatusOr<bool> {
    const std::optional<double> loss = loss_of(formats);
    if (!loss.has_value() || *loss > most * (1 + 1e-12)) return false;
    HWEST_ASSIGN_OR_RETURN(const Analysis* analysis, Try(formats));
    if (analysis->plan->latency_s >= best_s * (1 - kSameSum)) return false;
    best_s = analysis->plan->latency_s;
    best = {.loss = *loss, .cost = CostOf(problem, formats), .formats = formats};
    return true;
  };
  const double bits_of_layer = std::bit_width(static_cast<unsigned>(problem.num_formats - 1));
  const bool is_small = static_cast<double>(plan_.layers.size()) * bits_of_layer <= kMostTried;
  Formats formats(plan_.layers.size(), 0);
  for (bool is_done = !is_small; !is_done;) {
    HWEST_RETURN_IF_ERROR(take(formats).status());
    size_t at = 0;
    while (at < formats.size() && ++formats[at] == problem.num_formats) formats[at++] = 0;
    is_done = at == formats.size();
    if (IsStopped()) return MakeError(Code::kInterrupted, "the study was cancelled", "");
  }
  for (bool is_better = !is_small; is_better;) {
    is_better = false;
    for (const Formats& other : NeighboursOf(best.formats, problem.num_formats)) {
      HWEST_ASSIGN_OR_RETURN(is_better, take(other));
      if (IsStopped()) return MakeError(Code::kInterrupted, "the study was cancelled", "");
      if (is_better) break;
    }
  }
  bool differs = false;
  return best.formats == choice.formats ? absl::OkStatus() : Analyse({best}, points, &differs);
}

absl::Status Planner::FindPlans() {
  Say("the fastest formats within a loss");
  std::vector<FrontierPoint> points;
  bool differs = true;
  for (int round = 0; round < kMostRounds && differs; ++round) {
    const FormatFrontier found = FindFrontier(ProblemForSearch(), std::nullopt, kMostStates);
    plan_.is_exact = found.is_exact;
    std::vector<FormatChoice> choices;
    const size_t all = found.choices.size(), most = std::min(all, kMostAnalysed);
    for (size_t i = 0; i < most; ++i) choices.push_back(found.choices[most < 2 ? 0 : i * (all - 1) / (most - 1)]);
    for (size_t i = all; i-- > 0;) {  // the plan comes last
      if (request_.budget.has_value() && !IsWithin(found.choices[i].loss)) continue;
      choices.push_back(found.choices[i]);
      break;
    }
    HWEST_RETURN_IF_ERROR(Analyse(choices, &points, &differs));
    if (!choices.empty()) plan_choice_ = choices.back();
  }
  if (plan_choice_.has_value()) HWEST_RETURN_IF_ERROR(Improve(*plan_choice_, &points));
  std::stable_sort(points.begin(), points.end(), [](const FrontierPoint& a, const FrontierPoint& b) {
    return a.loss != b.loss ? a.loss < b.loss : a.latency_s < b.latency_s;
  });
  for (FrontierPoint& point : points) {
    const bool is_better = plan_.frontier.empty() || point.latency_s < plan_.frontier.back().latency_s;
    if (is_better) plan_.frontier.push_back(std::move(point));
  }
  return absl::OkStatus();
}

void Planner::ChoosePoint() {
  plan_.budget = request_.budget;
  const bool has_choice = plan_.formats.size() > 1;
  if (has_choice && !plan_.has_sensitivity && !plan_.is_quantised) return;
  for (size_t p = 0; p < plan_.frontier.size(); ++p) {
    if (plan_.has_sensitivity && !plan_.budget.has_value()) break;
    if (!plan_.budget.has_value() || IsWithin(plan_.frontier[p].loss)) plan_.chosen = p;
  }
}

absl::StatusOr<QuantizePlan> Planner::Run() {
  if (request_.budget.has_value() && !request_.sensitivity.has_value()) {
    return MakeError(Code::kUsage, "a budget of loss says nothing without the loss of each layer",
                     "add --sensitivity FILE, with the columns node, format and loss", {"--budget", "--sensitivity"});
  }
  AnalysisRequest request = request_.analysis;
  request.precision_of.clear();
  HWEST_ASSIGN_OR_RETURN(Analysis file, hwest::Analyze(graph_, request));
  if (!file.plan.has_value())
    return MakeError(Code::kUsage, "formats are chosen for a target", "name one with --target");
  plan_.file = std::make_shared<const Analysis>(std::move(file));
  HWEST_RETURN_IF_ERROR(ChooseFormats());
  HWEST_RETURN_IF_ERROR(TakeBase());
  ListLayers();
  FindFormatsInFile();
  HWEST_RETURN_IF_ERROR(TryUniform());
  HWEST_RETURN_IF_ERROR(TryLayers());
  HWEST_RETURN_IF_ERROR(TakeSensitivity());
  MakeProblem();
  HWEST_RETURN_IF_ERROR(FindPlans());
  ChoosePoint();
  FillFindings(*narrow_, &plan_);
  return std::move(plan_);
}

}  // namespace

absl::StatusOr<QuantizePlan> PlanQuantization(const std::shared_ptr<const Graph>& graph, const ModelSource& source,
                                              const QuantizePlanRequest& request) {
  return Planner(graph, source, request).Run();
}

std::vector<std::string> UniqueNamesOf(const Graph& graph, const std::vector<NodeId>& nodes) {
  const UniqueNames names(graph);
  std::vector<std::string> found;
  found.reserve(nodes.size());
  for (const NodeId node : nodes) found.push_back(names.Of(node));
  return found;
}

std::string PrecisionOfText(const QuantizePlan& plan, const std::vector<std::string>& formats) {
  std::string text = "node,format\n";
  for (size_t i = 0; i < plan.layers.size() && i < formats.size(); ++i) {
    if (formats[i] == plan.formats[0]) continue;
    for (const std::string& name : plan.layers[i].names) absl::StrAppend(&text, name, ",", formats[i], "\n");
  }
  return text;
}

}  // namespace hwest

#include "app/predictor.h"

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "analysis/stages.h"
#include "base/status_macros.h"
#include "cost/cost.h"
#include "cost/machine.h"
#include "cost/model_view.h"
#include "fit/operator_graph.h"
#include "fuse/fuse.h"
#include "hwest/analysis.h"
#include "hwest/diagnostic.h"
#include "hwest/reading.h"
#include "op/rule.h"
#include "partition/support.h"
#include "pass/runs.h"
#include "pass/size_questions.h"
#include "pass/work.h"
#include "plan/policy.h"
#include "plan/residency.h"
#include "plan/run_group.h"
#include "target/kinds.h"

namespace hwest::app {

// Named, because Predictor::State has members of these types.
namespace layer_times {

constexpr size_t kConvColumns = 11, kProductColumns = 4;
constexpr size_t kBatch = 0, kInChannels = 1, kHeight = 2, kWidth = 3, kOutChannels = 4, kPadding = 8;
constexpr size_t kMostRemembered = 500'000;  // rows
constexpr size_t kMostTemplates = 4'000;     // of one thread
constexpr size_t kMostDecisions = 8;         // of one template
constexpr size_t kRowsOfThread = 256;        // fewer are not worth one
constexpr unsigned kMostThreads = 16;
constexpr int64_t kMostSize = int64_t{1} << 31;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// A row with its form and the number of its activation.
struct LayerKey {
  LayerForm form = LayerForm::kConv;
  int activation = 0;
  std::array<int64_t, kConvColumns> sizes = {};

  bool operator==(const LayerKey&) const = default;
  template <class H>
  friend H AbslHashValue(H state, const LayerKey& key) {
    return H::combine(std::move(state), key.form, key.activation, key.sizes);
  }
};

absl::StatusOr<std::shared_ptr<const Graph>> GraphFor(const LayerKey& key, absl::string_view activation) {
  const auto& s = key.sizes;
  if (key.form == LayerForm::kProduct) return ProductGraph({s[0], s[1], s[2], s[3]}, activation);
  return ConvGraph({s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10]}, activation);
}

bool IsLayer(const LayerKey& key) {
  const size_t columns = LayerColumns(key.form);
  for (size_t i = 0; i < columns; ++i) {
    const bool may_be_zero = key.form == LayerForm::kConv && i == kPadding;
    if (key.sizes[i] < (may_be_zero ? 0 : 1) || key.sizes[i] > kMostSize) return false;
  }
  if (key.form != LayerForm::kConv) return true;
  const int64_t groups = key.sizes[10];
  return key.sizes[kInChannels] % groups == 0 && key.sizes[kOutChannels] % groups == 0;
}

// What layers of one template differ in: sizes that no attribute states. A batch is part of it, because the analysis of
// a model finds it.
LayerKey TemplateOf(LayerKey key) {
  if (key.form == LayerForm::kProduct) {
    key.sizes = {key.sizes[kBatch]};
    return key;
  }
  for (const size_t size : {kInChannels, kHeight, kWidth, kOutChannels}) key.sizes[size] = 0;
  return key;
}

double SecondsOf(const Plan& plan) {
  double seconds = 0;
  for (const PlannedGroup& group : plan.groups) {
    if (!group.unit.valid() || !group.estimate.has_value()) return kUnknown;
    seconds += group.estimate->time_s;
  }
  return plan.groups.empty() ? kUnknown : seconds;
}

// The analysis of one layer, kept until the plan: another layer with the same attributes changes the sizes and plans.
class Template {
 public:
  static absl::StatusOr<std::unique_ptr<Template>> Make(const LayerKey& key, absl::string_view activation,
                                                        const RequestDraft& draft) {
    std::unique_ptr<Template> made(new Template());
    HWEST_ASSIGN_OR_RETURN(made->graph_, GraphFor(key, activation));
    HWEST_ASSIGN_OR_RETURN(made->request_, RequestFor(draft, *made->graph_));
    made->request_.finds_best = false;
    HWEST_ASSIGN_OR_RETURN(made->workspace_, RunStages(made->graph_, made->request_, nullptr, RunUntil::kPlan));
    Analysis& a = made->workspace_.analysis;
    made->notes_ = a.diagnostics.size();
    made->overlays_ = a.overlays;
    made->index_ = std::make_shared<ModelIndex>(*made->workspace_.index);
    // Which nodes are alike may follow from the sizes.
    for (uint32_t n = 0; n < made->graph_->nodes().size(); ++n) made->index_->alike[NodeId(n)] = NodeId(n);
    made->workspace_.index = made->index_;
    HWEST_RETURN_IF_ERROR(MakePlan(made->workspace_));
    HWEST_RETURN_IF_ERROR(made->FindFirstUnit());
    return made;
  }

  double Seconds(const LayerKey& key, absl::string_view activation) {
    // What compilers read differently is another graph, whose tables are made from this one.
    if (workspace_.analysis.reading != nullptr) return WholeSeconds(key, activation);
    if (!Resize(key)) return kUnknown;
    if (const std::optional<double> seconds = SecondsOnFirstUnit()) return *seconds;
    return PlacesAll() && MakePlan(workspace_).ok() ? SecondsOf(*workspace_.analysis.plan) : kUnknown;
  }

 private:
  Template() = default;

  // The unit that runs a layer whenever it supports it, because the toolchain of the target's accelerator takes all
  // that it supports, or because there is no other; none where plans are compared.
  absl::Status FindFirstUnit() {
    const Analysis& a = workspace_.analysis;
    const AnalysisRequest& request = a.request;
    if (!request.pin.empty() || !request.assume.empty() || !request.deny.empty()) return absl::OkStatus();
    if (request.max_segments.has_value() || request.power_cap_w.has_value()) return absl::OkStatus();
    UnitId first = a.plan->compiled_for;
    if (!first.valid()) {
      for (uint32_t u = 0; u < a.target->units.size(); ++u) {
        if (!a.target->units[UnitId(u)].placeable) continue;
        if (first.valid()) return absl::OkStatus();
        first = UnitId(u);
      }
    }
    if (!first.valid() || !workspace_.precisions[first].has_value()) return absl::OkStatus();
    const UnitPrecision& precision = *workspace_.precisions[first];
    const Unit& unit = a.target->units[first];
    const Toolchain* toolchain = ToolchainOf(*a.target, unit);
    const bool needs_more = toolchain != nullptr && toolchain->min_nodes.value_or(0) > 1;
    // Layers that stream share a context. Where plans are compared, fused kernels may be taken apart again.
    if (IsStreaming(unit) || needs_more || precision.layers != nullptr) return absl::OkStatus();
    if (graph_->nodes().size() > 1) {
      if (IsPlacedByCost(request) && KindTraitsOf(unit).fusing_may_lose) return absl::OkStatus();
      const Toolchain* fusing = request.fusions == "none" ? nullptr : toolchain;
      FuseOptions options = FuseOptionsOf(workspace_, fusing, precision.main.act, nullptr);
      options.asked = &asked_;
      HWEST_ASSIGN_OR_RETURN(fusion_, Fusion::Make(*graph_, a.facts, a.classes, options));
    }
    first_ = first;
    runs_ = EvaluateRuns(workspace_.runs, *workspace_.analysis.dims);
    return absl::OkStatus();
  }

  // How the first unit runs layers of some sizes.
  struct Decision {
    SizeQuestions asked;
    std::shared_ptr<const Overlay> overlay;
    bool is_whole = false;  // the unit takes all of it
  };

  const Decision& DecisionNow() {
    for (size_t i = 0; i < decisions_.size(); ++i) {
      if (decisions_[i].asked.HaveSameAnswers()) {
        std::swap(decisions_[0], decisions_[i]);
        return decisions_[0];
      }
    }
    if (decisions_.size() >= kMostDecisions) decisions_.pop_back();
    const Analysis& a = workspace_.analysis;
    asked_ = SizeQuestions();
    Decision made;
    made.overlay = fusion_.has_value() ? std::make_shared<const Overlay>(fusion_->Run()) : overlays_[first_];
    const Num precision = workspace_.precisions[first_]->main.act;
    const auto supported = CheckUnit(ViewOf(workspace_), *a.target, a.target->units[first_], made.overlay.get(),
                                     precision, nullptr, &asked_);
    made.is_whole = true;
    for (uint32_t n = 0; n < graph_->nodes().size(); ++n) {
      const Support& support = supported[NodeId(n)];
      const bool runs = support.verdict != Verdict::kNo && !support.only_in_group;
      made.is_whole = made.is_whole && runs && made.overlay->group_of[NodeId(n)].valid();
    }
    made.asked = std::move(asked_);
    decisions_.push_back(std::move(made));
    std::swap(decisions_.front(), decisions_.back());
    return decisions_.front();
  }

  // What the plan says of a layer that the first unit runs alone; none where it takes a plan to say.
  std::optional<double> SecondsOnFirstUnit() {
    if (!first_.valid()) return std::nullopt;
    const Decision& decision = DecisionNow();
    if (!decision.is_whole) return std::nullopt;
    Analysis& a = workspace_.analysis;
    a.overlays[first_] = decision.overlay;
    const ModelView model = ViewOf(workspace_);
    RunGroups groups(model, runs_, a.overlays, workspace_.precisions);
    std::vector<const RunGroup*> order;
    for (uint32_t g = 0; g < decision.overlay->groups.size(); ++g) {
      order.push_back(groups.Get(first_, {.overlay_group = GroupId(g), .node = NodeId()}));
    }
    const OnChip on_chip = FindOnChip(model, *a.target, a.target->units[first_], order);
    double seconds = 0;
    for (const RunGroup* group : order) {
      const Machine* machine = MachineFor(group->work.precision);
      if (machine == nullptr) return kUnknown;
      const bool is_alone = order.size() == 1;
      // Kernels beside each other share launches.
      if (!is_alone && (machine->launch_overlap > 0 || !group->work.conversions.empty())) return std::nullopt;
      const StayingBytes staying = is_alone ? StayingBytes() : StayingInside(*group, on_chip);
      const absl::StatusOr<Estimate> estimate =
          EstimateOn(*machine, group->work, ResidencyOf(*group, on_chip, staying));
      if (!estimate.ok()) return kUnknown;
      seconds += estimate->time_s;
    }
    return seconds;
  }

  // Inputs and outputs of a model never stay on the chip.
  StayingBytes StayingInside(const RunGroup& group, const OnChip& on_chip) const {
    StayingBytes staying = StayingBytesOf(group, on_chip);
    for (const Access& read : group.reads) {
      if (!graph_->value(read.value).producer.valid()) staying.reads -= StayingRead(group, on_chip, read);
    }
    for (const Access& write : group.writes) {
      if (graph_->value(write.value).is_output) staying.writes -= StayingWrite(group, on_chip, write);
    }
    return staying;
  }

  const Machine* MachineFor(Precision precision) {
    for (const auto& [of, machine] : machines_) {
      if (of == precision) return machine.get();
    }
    const Target& target = *workspace_.analysis.target;
    absl::StatusOr<Machine> made = MakeMachine(target, target.units[first_], precision);
    machines_.emplace_back(precision, made.ok() ? std::make_unique<const Machine>(*std::move(made)) : nullptr);
    return machines_.back().second.get();
  }

  double WholeSeconds(const LayerKey& key, absl::string_view activation) const {
    const absl::StatusOr<std::shared_ptr<const Graph>> graph = GraphFor(key, activation);
    if (!graph.ok()) return kUnknown;
    const absl::StatusOr<Analysis> analysis = hwest::Analyze(*graph, request_);
    return analysis.ok() && analysis->plan.has_value() ? SecondsOf(*analysis->plan) : kUnknown;
  }

  // The tables of the stages before the plan, for other sizes. False = there is no such layer.
  bool Resize(const LayerKey& key) {
    Analysis& a = workspace_.analysis;
    const auto& s = key.sizes;
    const NodeId layer(0u);
    const ValueId data = graph_->inputs(layer)[0], weights = graph_->inputs(layer)[1];
    const auto resize = [&](ValueId value, Shape::Dims dims) {
      a.facts.values[value].type.shape = Shape(std::move(dims));
    };
    if (key.form == LayerForm::kConv) {
      resize(data, {s[kBatch], s[kInChannels], s[kHeight], s[kWidth]});
      resize(weights, {s[kOutChannels], s[kInChannels] / s[10], s[5], s[6]});
    } else {
      resize(data, {s[0], s[1], s[2]});
      resize(weights, {s[2], s[3]});
    }
    for (uint32_t n = 0; n < graph_->nodes().size(); ++n) {
      const OpRule* rule = index_->rules[NodeId(n)];
      InferContext context(*graph_, NodeId(n), a.facts, *a.dims);
      if (rule == nullptr || rule->infer == nullptr || !rule->infer(context).ok()) return false;
      const Shape& out = a.facts.values[graph_->outputs(NodeId(n))[0]].type.shape;
      if (!out.constant()) return false;
      for (const Dim dim : out.dims()) {
        if (dim.value() < 1) return false;
      }
    }
    WorkTables tables = CountWork(*graph_, a.facts, a.classes, *a.dims, &workspace_.rules);
    a.work = std::move(tables.work);
    a.traffic = std::move(tables.traffic);
    CountElements(ViewOf(workspace_), index_.get());
    return true;
  }

  // Fills the tables of all units.
  bool PlacesAll() {
    Analysis& a = workspace_.analysis;
    a.diagnostics.resize(notes_);
    if (graph_->nodes().size() > 1) {
      const Fusing fusing = a.request.fusions == "none" ? Fusing::kNo : Fusing::kYes;
      absl::StatusOr<Overlays> overlays = MakeOverlays(workspace_, fusing);
      if (!overlays.ok()) return false;
      overlays_ = *std::move(overlays);
    }
    a.overlays = overlays_;
    absl::StatusOr<SupportTable> support = CheckSupportOf(workspace_, a.overlays);
    if (!support.ok()) return false;
    a.support = *std::move(support);
    return true;
  }

  std::shared_ptr<const Graph> graph_;
  AnalysisRequest request_;
  Workspace workspace_;
  std::shared_ptr<ModelIndex> index_;  // that of the workspace
  Overlays overlays_;
  std::optional<Fusion> fusion_;  // on the first unit; asks by `asked_`
  SizeQuestions asked_;           // of the decision that is made
  std::vector<Decision> decisions_;
  size_t notes_ = 0;
  UnitId first_;  // see FindFirstUnit
  IdMap<GraphId, int64_t> runs_;
  std::vector<std::pair<Precision, std::unique_ptr<const Machine>>> machines_;
};

using Templates = absl::flat_hash_map<LayerKey, std::unique_ptr<Template>>;

}  // namespace layer_times

using layer_times::kConvColumns;
using layer_times::kMostRemembered;
using layer_times::kMostTemplates;
using layer_times::kMostThreads;
using layer_times::kProductColumns;
using layer_times::kRowsOfThread;
using layer_times::kUnknown;
using layer_times::LayerKey;
using layer_times::Template;
using layer_times::Templates;

size_t LayerColumns(LayerForm form) { return form == LayerForm::kConv ? kConvColumns : kProductColumns; }

struct Predictor::State {
  std::mutex mutex;
  RequestDraft draft;
  std::vector<std::string> activations;  // by number
  absl::flat_hash_map<LayerKey, double> known;
  std::vector<Templates> templates;  // by thread

  int NumberOf(absl::string_view activation) {
    const auto at = std::find(activations.begin(), activations.end(), activation);
    if (at != activations.end()) return static_cast<int>(at - activations.begin());
    activations.emplace_back(activation);
    return static_cast<int>(activations.size()) - 1;
  }

  // Times of `keys`, in a thread of its own.
  void Fill(Templates& of, absl::Span<const LayerKey> keys, absl::Span<double> seconds) const {
    for (size_t i = 0; i < keys.size(); ++i) {
      seconds[i] = kUnknown;
      if (!IsLayer(keys[i])) continue;
      const std::string& activation = activations[static_cast<size_t>(keys[i].activation)];
      if (of.size() > kMostTemplates) of.clear();
      std::unique_ptr<Template>& one = of[TemplateOf(keys[i])];
      if (one == nullptr) {
        absl::StatusOr<std::unique_ptr<Template>> made = Template::Make(keys[i], activation, draft);
        if (!made.ok()) continue;  // no graph of these sizes
        one = *std::move(made);
      }
      seconds[i] = one->Seconds(keys[i], activation);
    }
  }

  void FillAll(absl::Span<const LayerKey> keys, absl::Span<double> seconds) {
    const size_t most = std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads);
    const size_t count = std::clamp<size_t>(keys.size() / kRowsOfThread, 1, most);
    if (templates.size() < count) templates.resize(count);
    const size_t part = (keys.size() + count - 1) / count;
    std::vector<std::thread> threads;
    for (size_t t = 0; t < count; ++t) {
      const size_t begin = std::min(t * part, keys.size()), size = std::min(part, keys.size() - begin);
      const auto run = [this, t, rows = keys.subspan(begin, size), out = seconds.subspan(begin, size)] {
        Fill(templates[t], rows, out);
      };
      if (t + 1 < count) {
        threads.emplace_back(run);
      } else {
        run();
      }
    }
    for (std::thread& thread : threads) thread.join();
  }
};

Predictor::Predictor() : state_(std::make_unique<State>()) {}
Predictor::~Predictor() = default;

absl::StatusOr<std::unique_ptr<Predictor>> Predictor::Make(RequestDraft draft) {
  if (draft.target.empty() && draft.loaded == nullptr) {
    return MakeError(Code::kUsage, "no target was named", "name one", {"--target"});
  }
  std::unique_ptr<Predictor> made(new Predictor());
  made->state_->draft = std::move(draft);
  // What is wrong with the target or the request is wrong with every layer.
  const LayerKey any{.sizes = {1, 16, 8, 8, 16, 1, 1, 1, 0, 1, 1}};
  const absl::StatusOr<std::unique_ptr<Template>> tried = Template::Make(any, "", made->state_->draft);
  if (!tried.ok()) return tried.status();
  return made;
}

absl::Status Predictor::Run(LayerForm form, absl::string_view activation, absl::Span<const int64_t> sizes,
                            absl::Span<double> seconds) {
  const size_t columns = LayerColumns(form);
  if (sizes.size() != columns * seconds.size()) {
    return MakeError(Code::kUsage, absl::StrCat("sizes of a layer are ", columns, " numbers"), "give whole rows");
  }
  const absl::StatusOr<std::shared_ptr<const Graph>> any = ProductGraph({}, activation);
  if (!any.ok()) return MakeError(Code::kUsage, any.status().message(), "name one of these, or none");

  State& state = *state_;
  const std::lock_guard<std::mutex> lock(state.mutex);
  const int number = state.NumberOf(activation);
  if (state.known.size() > kMostRemembered) state.known.clear();
  // Equal rows are one; each is looked up by its place among those that are not known yet.
  std::vector<LayerKey> open;
  absl::flat_hash_map<LayerKey, size_t> places;
  std::vector<std::pair<size_t, size_t>> waiting;  // row, place
  for (size_t i = 0; i < seconds.size(); ++i) {
    LayerKey key{.form = form, .activation = number};
    std::copy_n(sizes.begin() + static_cast<std::ptrdiff_t>(i * columns), columns, key.sizes.begin());
    if (const auto known = state.known.find(key); known != state.known.end()) {
      seconds[i] = known->second;
      continue;
    }
    const auto [place, is_new] = places.try_emplace(key, open.size());
    if (is_new) open.push_back(key);
    waiting.emplace_back(i, place->second);
  }
  std::vector<double> found(open.size(), kUnknown);
  state.FillAll(open, absl::MakeSpan(found));
  for (const auto& [row, place] : waiting) seconds[row] = found[place];
  for (size_t i = 0; i < open.size(); ++i) state.known.emplace(open[i], found[i]);
  return absl::OkStatus();
}

}  // namespace hwest::app

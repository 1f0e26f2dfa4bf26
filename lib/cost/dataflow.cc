#include "cost/dataflow.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/portable_math.h"
#include "cost/cost.h"
#include "cost/figures_class.h"
#include "cost/machine.h"
#include "cost/model_view.h"
#include "op/rule.h"

namespace hwest {
namespace {

// A window layer holds the rows of its window twice: one set is read while the next row arrives.
constexpr double kRowSets = 2;
// Values that wait at a join arrive while others leave, so that on average half of them is there.
constexpr double kWaitingShare = 0.5;
// Between the sum of both and the longer alone: how rows that stand still on the way add to what layers take.
constexpr double kStillPower = 2.5;
// What is this much smaller than what it is taken from is a reduction of it.
constexpr int64_t kReduction = 16;

double DataflowSeconds(const Machine& machine, const ContractionSize& size, double rate) {
  if (size.kind == ContractionKind::kDepthwise) return VectorSeconds(machine, size);
  return static_cast<double>(size.macs()) / (rate * machine.engines * machine.clock_hz * machine.compute_efficiency);
}

// Rows that a stage has to see before its first result, as a share of the image.
double OwnDelay(const PipelineStage& stage, int64_t batch) {
  if (stage.needs_whole_input) return 1;
  double delay = 0;
  for (const ContractionSize& size : stage.work->contractions) {
    if (size.kernel_elements <= 0 || size.kind == ContractionKind::kMatMul) continue;
    if (size.kind == ContractionKind::kActivation || size.m <= batch) continue;
    const double rows = std::sqrt(static_cast<double>(size.m));
    delay = std::max(delay, std::sqrt(static_cast<double>(size.kernel_elements)) / 2 / rows);
  }
  return std::min(delay, 1.0);
}

bool MultipliesActivations(const GroupWork& work) {
  return std::any_of(work.contractions.begin(), work.contractions.end(),
                     [](const ContractionSize& size) { return size.kind == ContractionKind::kActivation; });
}

bool IsDense(const GroupWork& work) {
  return std::any_of(work.contractions.begin(), work.contractions.end(), [](const ContractionSize& size) {
    return size.kind != ContractionKind::kActivation && size.kind != ContractionKind::kDepthwise;
  });
}

// One resource that the layers of a context share: what each takes at least, and in seconds of the whole resource for
// one image. A layer that takes more than the least is parted, for `parting` more.
struct Share {
  double least = 0;
  double seconds = 0;
};

double TakenAt(absl::Span<const Share> shares, double whole, double parting, double period_s) {
  double taken = 0;
  for (const Share& share : shares) {
    const double wanted = whole * share.seconds / period_s;
    taken += wanted <= share.least ? share.least : wanted + parting * (1 - share.least / wanted);
  }
  return taken;
}

// Seconds between two images: the least in which the shares take no more than `usable` of `whole`. Where not even what
// the layers take at least fits, they take that.
double PeriodOf(absl::Span<const Share> shares, double whole, double usable, double parting) {
  double least = 0, seconds = 0, slowest = 0;
  for (const Share& share : shares) {
    least += share.least;
    seconds += share.seconds;
    if (share.seconds > 0) slowest = std::max(slowest, share.seconds / std::max(share.least, 1e-3));
  }
  if (seconds <= 0) return 0;
  usable = std::max(usable, least);
  double fast = whole * seconds / usable, slow = std::max(fast, whole * slowest);
  // False position in the rate, the end that stays at half weight.
  double over = TakenAt(shares, whole, parting, fast) - usable, under = TakenAt(shares, whole, parting, slow) - usable;
  constexpr int kSteps = 60;
  for (int i = 0; i < kSteps && over > 0 && under < 0 && slow > fast * (1 + 1e-12); ++i) {
    const double rate = (over / slow - under / fast) / (over - under);
    const double period = std::clamp(1 / rate, fast, slow);
    const double at = TakenAt(shares, whole, parting, period) - usable;
    if (at > 0) {
      fast = period;
      over = at;
      under /= 2;
    } else {
      slow = period;
      under = at;
      over /= 2;
    }
  }
  return over > 0 ? slow : fast;
}

// What one stage takes of the chip, and when its rows come.
struct Demand {
  double bytes = 0;
  double layers = 0;
  double blocks = 0;
  double arrival = 0;  // of its inputs, in images since the first input of the segment
  double start = 0;
  double end = 0;
};

// Class of the figures that hold for a pipeline: those of its first contraction.
std::string ClassOf(const Unit& unit, absl::Span<const PipelineStage> stages) {
  for (const PipelineStage& stage : stages) {
    if (!stage.work->contractions.empty()) return FiguresClass(unit, stage.work->precision);
  }
  return stages.empty() ? "" : FiguresClass(unit, stages.front().work->precision);
}

class Layout {
 public:
  Layout(const Target& target, const Unit& unit, absl::Span<const PipelineStage> stages, int64_t batch)
      : unit_(unit),
        stages_(stages),
        batch_(batch),
        class_name_(ClassOf(unit, stages)),
        weight_share_(Param("weight_share")),
        context_share_(Param("context_share")),
        context_use_(Param("context_use")),
        context_fill_(Param("context_fill")),
        context_bytes_(Param("context_bytes")),
        layers_(Param("context_layers")),
        blocks_(Param("blocks")),
        layer_blocks_(Param("layer_blocks")),
        parting_(Param("parting_layers")) {
    const double stream = Param("stream_bytes") * unit.clock_hz.value_or(0) * Param("clock_scale");
    stream_bytes_per_s_ = stream > 0 ? stream : std::numeric_limits<double>::infinity();
    const Memory* on_chip = OnChipMemoryOf(target, unit);
    if (on_chip != nullptr) bytes_ = on_chip->usable_bytes.value_or(on_chip->capacity_bytes.value_or(bytes_));
    for (const PipelineStage& stage : stages) demands_.push_back(DemandOf(stage));
  }

  // `room`: of what fits on the chip at once by the estimate.
  std::vector<Context> Run(double room) const {
    std::vector<Context> contexts;
    if (FullnessOf(SumOf(0, stages_.size()), 1, 1) <= room) {
      contexts.push_back({.first = 0, .last = stages_.size()});
      Fill(contexts.back(), 1);
      return contexts;
    }
    const std::vector<double> crossing = Crossing();
    for (size_t first = 0; first < stages_.size(); first = contexts.back().last) {
      contexts.push_back({.first = first, .last = EndOf(first, room, crossing)});
      Fill(contexts.back(), context_use_);
    }
    return contexts;
  }

 private:
  double Param(absl::string_view name) const { return ParamAt(unit_, name, class_name_); }
  Demand DemandOf(const PipelineStage& stage);
  double LayersOf(const PipelineStage& stage) const;
  Demand SumOf(size_t first, size_t last) const;
  // `bytes`, `layers`: shares that may be taken.
  double FullnessOf(const Demand& demand, double bytes, double layers) const {
    return std::max(demand.bytes / (bytes * bytes_), demand.layers / (layers * layers_));
  }
  double PeriodSeconds(const Context& context, double use) const;
  std::vector<double> Crossing() const;
  size_t EndOf(size_t first, double room, absl::Span<const double> crossing) const;
  void Fill(Context& context, double use) const;

  const Unit& unit_;
  const absl::Span<const PipelineStage> stages_;
  const int64_t batch_;
  const std::string class_name_;
  const double weight_share_;
  const double context_share_;
  const double context_use_;
  const double context_fill_;
  const double context_bytes_;
  const double layers_;
  const double blocks_;
  const double layer_blocks_;
  const double parting_;
  double stream_bytes_per_s_ = 0;
  double bytes_ = std::numeric_limits<double>::infinity();
  std::vector<Demand> demands_;
  absl::flat_hash_map<ValueId, double> ready_;  // when its rows come, in images
};

double Layout::LayersOf(const PipelineStage& stage) const {
  const GroupWork& work = *stage.work;
  if (work.contractions.empty()) {
    if (work.num_kernels == 0) return 0;
    return Param(stage.takes_statistics ? "statistics_layers" : "element_layers");
  }
  int64_t products = 0;
  for (const ContractionSize& size : work.contractions) {
    if (size.kind == ContractionKind::kActivation) products += size.batch;
  }
  if (products == 0) return 1;
  return Param("product_layers") + Param("head_layers") * static_cast<double>(products) / static_cast<double>(batch_);
}

Demand Layout::SumOf(size_t first, size_t last) const {
  Demand sum;
  for (size_t i = first; i < last; ++i) {
    sum.bytes += demands_[i].bytes;
    sum.layers += demands_[i].layers;
  }
  return sum;
}

// Of a product of activations the first operand streams and the others have to be there; other joins wait for the
// last.
Demand Layout::DemandOf(const PipelineStage& stage) {
  const bool multiplies = MultipliesActivations(*stage.work);
  const auto images = static_cast<double>(batch_);
  Demand demand;
  const auto arrival_of = [&](const PipelineStage::Read& read) {
    const auto ready = ready_.find(read.value);
    return ready != ready_.end() ? ready->second : 0;
  };
  for (size_t i = 0; i < stage.reads.size(); ++i) {
    const bool waits = multiplies && (i > 0 || stage.reads.size() == 1);
    const double arrival = arrival_of(stage.reads[i]);
    demand.arrival = std::max(demand.arrival, arrival);
    demand.start = std::max(demand.start, arrival + (waits ? 1 : 0));
  }
  const double own = OwnDelay(stage, batch_);
  demand.bytes = weight_share_ * static_cast<double>(stage.work->weight_bytes) +
                 kRowSets * own * static_cast<double>(stage.work->in_bytes) / images;
  for (const PipelineStage::Read& read : stage.reads) {
    const double early = std::min(demand.start - arrival_of(read), 1.0);
    demand.bytes += kWaitingShare * early * static_cast<double>(read.bytes) / images;
  }
  demand.layers = LayersOf(stage);
  demand.blocks = demand.layers;
  if (std::isfinite(bytes_) && std::isfinite(blocks_)) {
    const double weights = weight_share_ * static_cast<double>(stage.work->weight_bytes);
    demand.blocks = std::max(demand.blocks, weights / bytes_ * blocks_);
  }
  demand.end = demand.start + own;
  for (const ValueId value : stage.writes) ready_[value] = demand.end;
  return demand;
}

// Bytes that are made before stage i and read by it or after it, for each i.
std::vector<double> Layout::Crossing() const {
  struct Life {
    size_t made = 0, last = 0;
    double bytes = 0;
  };
  absl::flat_hash_map<ValueId, Life> lives;
  for (size_t i = 0; i < stages_.size(); ++i) {
    for (const PipelineStage::Read& read : stages_[i].reads) {
      const auto life = lives.find(read.value);
      if (life == lives.end()) continue;
      life->second.last = i;
      life->second.bytes = static_cast<double>(read.bytes);
    }
    for (const ValueId value : stages_[i].writes) lives.try_emplace(value, Life{.made = i, .last = i});
  }
  // Whole numbers: their sums are the same in every order.
  std::vector<double> crossing(stages_.size() + 1);
  for (const auto& [value, life] : lives) {
    crossing[life.made + 1] += life.bytes;
    crossing[life.last + 1] -= life.bytes;
  }
  std::partial_sum(crossing.begin(), crossing.end(), crossing.begin());
  return crossing;
}

// End of the context that begins at `first`: that of the network when the rest fits, or else where the fewest bytes
// cross, the later of equals, among the places that leave it at least context_share full.
size_t Layout::EndOf(size_t first, double room, absl::Span<const double> crossing) const {
  Demand sum;
  size_t best = 0;
  for (size_t i = first; i < stages_.size(); ++i) {
    sum.bytes += demands_[i].bytes;
    sum.layers += demands_[i].layers;
    const double fullness = FullnessOf(sum, context_bytes_, context_fill_) / room;
    if (fullness > 1 && i > first) return best > 0 ? best : i;
    if (fullness >= context_share_ && (best == 0 || crossing[i + 1] <= crossing[best])) best = i + 1;
  }
  return stages_.size();
}

// Of one image, by what the context may use of the chip, and by the layer that hands most on.
double Layout::PeriodSeconds(const Context& context, double use) const {
  const auto images = static_cast<double>(batch_);
  std::vector<Share> controllers, blocks;
  double widest = 0, seconds = 0;
  for (size_t i = context.first; i < context.last; ++i) {
    const PipelineStage& stage = stages_[i];
    const double own = stage.seconds / images;
    const bool is_dense = IsDense(*stage.work);
    // A controller drives several blocks of a dense layer and one of others.
    const double share = is_dense ? blocks_ / (layers_ * layer_blocks_) : 1;
    controllers.push_back({demands_[i].layers, std::isfinite(blocks_) ? own * share : own});
    blocks.push_back({demands_[i].blocks, is_dense ? own : own * layers_ / blocks_});
    if (stage.work->num_kernels > 0) widest = std::max(widest, static_cast<double>(stage.work->out_bytes) / images);
    seconds += own;
  }
  double period = seconds;
  if (std::isfinite(layers_)) period = PeriodOf(controllers, layers_, use * layers_, parting_);
  if (std::isfinite(layers_) && std::isfinite(blocks_)) {
    period = std::max(period, PeriodOf(blocks, blocks_, use * blocks_, 0));
  }
  const double still = widest / stream_bytes_per_s_;
  if (still <= 0) return period;
  return portable::Pow(portable::Pow(period, kStillPower) + portable::Pow(still, kStillPower), 1 / kStillPower);
}

void Layout::Fill(Context& context, double use) const {
  double last = 0, weights = 0, seconds = 0;
  absl::flat_hash_set<ValueId> made_before;
  for (size_t i = 0; i < context.first; ++i) made_before.insert(stages_[i].writes.begin(), stages_[i].writes.end());
  for (size_t i = context.first; i < context.last; ++i) {
    seconds += stages_[i].seconds;
    last = std::max(last, demands_[i].end);
    weights += weight_share_ * static_cast<double>(stages_[i].work->weight_bytes);
    for (const PipelineStage::Read& read : stages_[i].reads) {
      if (made_before.erase(read.value) > 0) context.boundary_bytes += 2 * read.bytes;
    }
  }
  context.weight_bytes = static_cast<int64_t>(weights);
  const auto images = static_cast<double>(batch_);
  const double work_s = images * PeriodSeconds(context, use);
  context.time_share = seconds > 0 ? work_s / seconds : 1;
  context.interval_s = work_s + images * Param("frame_s");
  const double rows = std::max(0.0, last - demands_[context.first].arrival);
  context.fill_s = Param("fill_share") * rows * context.interval_s / images;
}

struct Loading {
  double bytes_per_s = 0;
  double switch_s = 0;
  Tenancy tenancy = Tenancy::kAlone;
};

PipelineEstimate Priced(std::vector<Context> contexts, const Loading& loading) {
  PipelineEstimate estimate{.contexts = std::move(contexts)};
  const bool stays = estimate.contexts.size() < 2 && loading.tenancy == Tenancy::kAlone;
  for (Context& context : estimate.contexts) {
    const double work_s =
        std::max(context.interval_s, static_cast<double>(context.boundary_bytes) / loading.bytes_per_s);
    if (!stays) {
      context.reload_s = loading.switch_s + static_cast<double>(context.weight_bytes) / loading.bytes_per_s;
      estimate.reloaded_bytes += context.weight_bytes + context.boundary_bytes;
    }
    estimate.latency_s += context.reload_s + context.fill_s + work_s;
    estimate.interval_s += stays ? work_s : context.reload_s + context.fill_s + work_s;
  }
  return estimate;
}

Packing PackingOf(const PipelineEstimate& estimate, const PipelineEstimate& other) {
  if (other.contexts.size() == estimate.contexts.size()) return {};
  return {
      .contexts = static_cast<int>(other.contexts.size()), .time_s = other.latency_s, .interval_s = other.interval_s};
}

}  // namespace

extern const KindRow kDataflowRow = {.kind = UnitKind::kDataflow, .seconds = DataflowSeconds};

bool NeedsWholeInput(const ModelView& model, const Group& group, const GroupWork& work) {
  const auto waits = [&](NodeId node) { return HasTrait(model, node, trait::kWholeInput); };
  if (std::any_of(group.nodes.begin(), group.nodes.end(), waits)) return true;
  return work.contractions.empty() && work.in_bytes / kReduction >= work.out_bytes;
}

bool TakesStatistics(const ModelView& model, const Group& group, const GroupWork& work) {
  if (!work.contractions.empty()) return false;
  const auto takes = [&](NodeId node) { return HasTrait(model, node, trait::kTakesStatistics); };
  if (std::any_of(group.nodes.begin(), group.nodes.end(), takes)) return true;
  // Written as several nodes: something inside is small beside what leaves the group.
  int64_t least = std::numeric_limits<int64_t>::max(), most = 0;
  for (const ValueId output : group.outputs) most = std::max(most, ElementsOf(model, output).value_or(0));
  for (const NodeId node : group.nodes) {
    if (!IsKernel(model.classes[node])) continue;
    const std::optional<int64_t> elements = ElementsOf(model, model.graph.outputs(node)[0]);
    if (elements.has_value()) least = std::min(least, *elements);
  }
  return least <= most / kReduction;
}

absl::StatusOr<PipelineEstimate> EstimatePipeline(const Target& target, const Unit& unit,
                                                  absl::Span<const PipelineStage> stages, int64_t batch,
                                                  Tenancy tenancy) {
  const std::string class_name = ClassOf(unit, stages);
  const double bytes_per_s = SharedBytesPerS(target, unit, class_name) * ParamAt(unit, "dram_efficiency", class_name);
  if (bytes_per_s <= 0) {
    return absl::FailedPreconditionError(absl::StrCat("unit ", unit.name, " states no memory bandwidth"));
  }
  const Loading loading{.bytes_per_s = bytes_per_s, .switch_s = unit.switch_s.value_or(0), .tenancy = tenancy};
  const Layout layout(target, unit, stages, batch);
  PipelineEstimate estimate = Priced(layout.Run(1), loading);
  const double margin = ParamAt(unit, "packing_margin", class_name);
  if (margin > 0) {
    estimate.looser = PackingOf(estimate, Priced(layout.Run(1 - margin), loading));
    estimate.tighter = PackingOf(estimate, Priced(layout.Run(1 + margin), loading));
  }
  return estimate;
}

}  // namespace hwest

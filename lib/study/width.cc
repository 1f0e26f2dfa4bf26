#include "study/width.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/cost.h"
#include "cost/machine.h"
#include "hwest/diagnostic.h"
#include "pass/work.h"
#include "study/what_if.h"
#include "study/width_probe.h"

namespace hwest {
namespace {

constexpr int64_t kMostPoints = 512;  // of a staircase
constexpr int kMostWidthsTried = 4;   // for the end of a step, where groups take no other sizes
constexpr double kStepOverSlope = 2;  // a step rises by so many times the mean rise of a channel
constexpr double kLeastStep = 2e-3;   // of the time now
constexpr double kFillsFor = 0.5;     // share of the proportional time that a filled step may cost
constexpr double kFree = 1e-3;        // of the latency
constexpr double kWorthIt = 1e-3;

// A kernel of a set, and what of it follows the width.
struct Kernel {
  const Machine* machine = nullptr;
  GroupWork work;
  Residency residency;
  size_t contraction = 0;
  bool is_depthwise = false;
  double n_slope = 0;               // channels made per channel of the row, over those made now
  std::vector<double> read_slopes;  // the same of each size that is read
};

int64_t Scaled(int64_t count, double factor) {
  return static_cast<int64_t>(std::llround(static_cast<double>(count) * factor));
}

double SecondsAt(const Kernel& kernel, double more) {
  const double made = 1 + kernel.n_slope * more;
  double read = 1;
  for (const double slope : kernel.read_slopes) read *= 1 + slope * more;
  GroupWork work = kernel.work;
  ContractionSize& size = work.contractions[kernel.contraction];
  if (kernel.is_depthwise) {
    size.batch = Scaled(size.batch, made);
    read = 1;
  } else {
    size.n = std::max<int64_t>(1, Scaled(size.n, made));
    size.k = std::max<int64_t>(1, Scaled(size.k, read));
  }
  const auto operand = [](int64_t& bytes, double factor) { bytes = bytes > 0 ? Scaled(bytes, factor) : bytes; };
  operand(size.operands.left, kernel.is_depthwise ? made : read);
  operand(size.operands.halo, kernel.is_depthwise ? made : read);
  operand(size.operands.right, made * read);
  work.macs = Scaled(work.macs, made * read);
  work.int_macs = Scaled(work.int_macs, made * read);
  work.flops = Scaled(work.flops, made * read);
  work.weight_bytes = Scaled(work.weight_bytes, made * read);
  work.out_bytes = Scaled(work.out_bytes, made);
  work.in_bytes = Scaled(work.in_bytes, kernel.is_depthwise ? made : read);
  for (int64_t& ops : work.ops) ops = Scaled(ops, made);
  Residency residency = kernel.residency;
  residency.in_bytes = std::min(Scaled(residency.in_bytes, kernel.is_depthwise ? made : read), work.in_bytes);
  residency.out_bytes = std::min(Scaled(residency.out_bytes, made), work.out_bytes);
  residency.weight_bytes = std::min(Scaled(residency.weight_bytes, made * read), work.weight_bytes);
  residency.cached_bytes = std::min(Scaled(residency.cached_bytes, made * read), work.weight_bytes);
  const absl::StatusOr<Estimate> estimate = EstimateOn(*kernel.machine, work, residency);
  return estimate.ok() ? estimate->time_s : 0;
}

int64_t NumRefused(const Analysis& analysis) { return static_cast<int64_t>(analysis.facts.refused.size()); }

// The kernels of a set at widths `unit` apart, see WidthPoint.
struct KernelSet {
  std::vector<Kernel> kernels;
  int64_t width = 0;  // now
  int64_t unit = 1;

  double SecondsOf(int64_t at) const {
    double seconds = 0;
    for (const Kernel& kernel : kernels) seconds += SecondsAt(kernel, static_cast<double>(at - width));
    return seconds;
  }
};

std::vector<WidthPoint> PointsOf(const KernelSet& set) {
  std::vector<WidthPoint> points;
  const int64_t most = 2 * set.width;
  const int64_t step = std::max<int64_t>(1, (most / set.unit + kMostPoints - 1) / kMostPoints) * set.unit;
  const int64_t first = set.width % step == 0 ? step : set.width % step;
  for (int64_t width = first; width <= most; width += step) {
    points.push_back({.width = width, .time_s = set.SecondsOf(width)});
  }
  return points;
}

// The last width before the largest rise between two points.
int64_t LastBeforeRise(const KernelSet& set, const WidthPoint& from, const WidthPoint& to) {
  int64_t last = from.width;
  double largest = 0, before = from.time_s;
  for (int64_t width = from.width + set.unit; width <= to.width; width += set.unit) {
    const double now = width == to.width ? to.time_s : set.SecondsOf(width);
    if (now - before > largest) {
      largest = now - before;
      last = width - set.unit;
    }
    before = now;
  }
  return last;
}

// The last widths of steps, ascending.
std::vector<int64_t> StepEnds(const KernelSet& set, const std::vector<WidthPoint>& points) {
  std::vector<int64_t> ends;
  if (points.size() < 2) return ends;
  const double channels = static_cast<double>(points.back().width - points.front().width);
  const double slope = (points.back().time_s - points.front().time_s) / channels;
  const double least = kLeastStep * set.SecondsOf(set.width);
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    const double wide = static_cast<double>(points[i + 1].width - points[i].width);
    const double rise = points[i + 1].time_s - points[i].time_s;
    if (rise > kStepOverSlope * slope * wide && rise > least) {
      ends.push_back(LastBeforeRise(set, points[i], points[i + 1]));
    }
  }
  return ends;
}

class Widths {
 public:
  Widths(const Analysis& base, const std::function<absl::StatusOr<RawModel>()>& read, const LoadOptions& limits,
         const WidthOptions& options, const StudyProgress& progress, const std::function<bool()>& stop,
         WidthProbe probe)
      : base_(base),
        graph_(*base.graph),
        read_(read),
        limits_(limits),
        options_(options),
        progress_(progress),
        stop_(stop),
        probe_(std::move(probe)) {}

  absl::StatusOr<WidthReport> Run();

 private:
  using Layer = WidthProbe::Layer;

  void FindLongest();
  bool IsAsked(NodeId node) const;
  absl::Status CheckLayers() const;
  WidthRow RowOf(const Layer& layer) const;
  void Fill(const Layer& layer, WidthRow* row);
  void FillSteps(const Layer& layer, WidthRow* row);
  std::vector<Kernel> KernelsOf(const WidthProbe::Sizes& sizes, double channels);
  const Machine* MachineOf(UnitId unit, Precision precision);
  std::optional<WidthChange> ChangeTo(const Layer& layer, int64_t width, std::string* why);
  bool IsStopped() const { return stop_ != nullptr && stop_(); }

  const Analysis& base_;
  const Graph& graph_;
  const std::function<absl::StatusOr<RawModel>()>& read_;
  const LoadOptions& limits_;
  const WidthOptions& options_;
  const StudyProgress& progress_;
  const std::function<bool()>& stop_;
  WidthProbe probe_;
  std::map<std::pair<uint32_t, std::string>, std::unique_ptr<const Machine>> machines_;
  std::map<WidthProbe::Sizes, std::pair<std::optional<WidthChange>, std::string>> known_;
  std::map<WidthProbe::Class, int64_t> sets_;
  std::set<NodeId> longest_;
  struct SetSteps {
    KernelSet set;
    std::vector<int64_t> ends;
  };
  std::map<WidthProbe::Class, SetSteps> steps_;  // seen from the first layer of each
};

// The layers of those kernels that take longest.
void Widths::FindLongest() {
  std::vector<std::pair<double, NodeId>> layers;
  for (const Layer& layer : probe_.layers()) layers.emplace_back(RowOf(layer).time_s.value_or(0), layer.node);
  std::stable_sort(layers.begin(), layers.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (size_t i = 0; i < std::min(options_.most, layers.size()); ++i) longest_.insert(layers[i].second);
}

bool Widths::IsAsked(NodeId node) const {
  if (options_.most > 0 && !longest_.contains(node)) return false;
  const std::vector<std::string>& layers = options_.layers;
  return layers.empty() || std::find(layers.begin(), layers.end(), graph_.Label(node)) != layers.end();
}

absl::Status Widths::CheckLayers() const {
  for (const std::string& name : options_.layers) {
    const bool is_there = std::any_of(probe_.layers().begin(), probe_.layers().end(),
                                      [&](const Layer& layer) { return graph_.Label(layer.node) == name; });
    if (!is_there) {
      return MakeError(Code::kUsage, absl::StrCat("no convolution or product with constant weights is called ", name),
                       "leave the layer out to see the names of all");
    }
  }
  return absl::OkStatus();
}

WidthRow Widths::RowOf(const Layer& layer) const {
  WidthRow row{.layer = graph_.Label(layer.node),
               .op = std::string(graph_.op(layer.node)),
               .node = layer.node,
               .width = layer.width,
               .fixed = layer.fixed};
  const GroupId id = base_.plan->group_of[layer.node];
  if (!id.valid()) return row;
  const PlannedGroup& group = base_.plan->groups[id.index()];
  if (group.unit.valid()) row.unit = base_.target->units[group.unit].name;
  if (group.estimate.has_value()) row.time_s = group.estimate->time_s;
  if (row.time_s.has_value() && base_.plan->latency_s > 0) row.share = *row.time_s / base_.plan->latency_s;
  return row;
}

const Machine* Widths::MachineOf(UnitId unit, Precision precision) {
  const std::string name = absl::StrCat(PrecisionName(precision), precision.sparse ? " sparse" : "", " ",
                                        static_cast<int>(precision.stored));
  auto& machine = machines_[{unit.index(), name}];
  if (machine == nullptr) {
    absl::StatusOr<Machine> made = MakeMachine(*base_.target, base_.target->units[unit], precision);
    if (!made.ok()) return nullptr;
    machine = std::make_unique<const Machine>(*std::move(made));
  }
  return machine.get();
}

std::vector<Kernel> Widths::KernelsOf(const WidthProbe::Sizes& sizes, double channels) {
  std::vector<Kernel> kernels;
  const auto slope = [&](WidthProbe::Class size) {
    const auto changed = sizes.find(size);
    if (changed == sizes.end()) return 0.0;
    const auto now = static_cast<double>(probe_.SizeNow(size));
    return (static_cast<double>(changed->second) - now) / now / channels;
  };
  for (const Layer& layer : probe_.layers()) {
    Kernel kernel{.is_depthwise = layer.is_depthwise, .n_slope = layer.made < 0 ? 0 : slope(layer.made)};
    for (const WidthProbe::Class size : layer.read) {
      if (const double rise = slope(size); rise != 0) kernel.read_slopes.push_back(rise);
    }
    if (kernel.n_slope == 0 && kernel.read_slopes.empty()) continue;
    const GroupId id = base_.plan->group_of[layer.node];
    if (!id.valid()) continue;
    const PlannedGroup& group = base_.plan->groups[id.index()];
    if (!group.unit.valid() || !group.estimate.has_value()) continue;
    kernel.machine = MachineOf(group.unit, group.work.precision);
    kernel.work = group.work;
    kernel.residency = group.residency;
    const Contraction& own = base_.work[layer.node]->contractions[0];
    const auto is_own = [&](const ContractionSize& size) {
      return size.kind == own.kind && size.n == Evaluate(own.n, *base_.dims) && size.k == Evaluate(own.k, *base_.dims);
    };
    const auto at = std::find_if(kernel.work.contractions.begin(), kernel.work.contractions.end(), is_own);
    if (kernel.machine == nullptr || at == kernel.work.contractions.end()) continue;
    kernel.contraction = static_cast<size_t>(at - kernel.work.contractions.begin());
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::optional<WidthChange> Widths::ChangeTo(const Layer& layer, int64_t width, std::string* why) {
  if (width < 1 || width % layer.per_size != 0 || IsStopped()) return std::nullopt;
  const absl::StatusOr<WidthProbe::Sizes> sizes = probe_.Change(layer.made, width / layer.per_size);
  if (!sizes.ok()) {
    *why = DiagnosticOf(sizes.status()).message;
    return std::nullopt;
  }
  auto [at, is_new] = known_.try_emplace(*sizes);
  if (!is_new) {
    if (at->second.first.has_value()) at->second.first->width = width;
    *why = at->second.second;
    return at->second.first;
  }
  if (progress_ != nullptr) progress_(absl::StrCat("width ", width, " of ", graph_.Label(layer.node)));
  WidthChange change{.width = width, .edits = probe_.EditsOf(*sizes)};
  const absl::Status made = [&]() -> absl::Status {
    HWEST_ASSIGN_OR_RETURN(RawModel raw, read_());
    HWEST_ASSIGN_OR_RETURN(raw, WidthModel(std::move(raw), change.edits));
    HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Graph> graph, BuildModel(std::move(raw), limits_));
    HWEST_ASSIGN_OR_RETURN(const Analysis changed, Analyze(graph, RequestUntil(base_, stop_)));
    if (NumRefused(changed) > NumRefused(base_) || changed.coverage.typed < base_.coverage.typed) {
      const auto& refused = changed.facts.refused;
      const NodeId node = refused.empty() ? NodeId() : *std::min_element(refused.begin(), refused.end());
      return MakeError(Code::kUsage,
                       node.valid() ? absl::StrCat(graph_.Label(node), " does not take this size")
                                    : "the changed model is not valid",
                       "");
    }
    change.latency_s = changed.plan->latency_s;
    change.saving_s = base_.plan->latency_s - changed.plan->latency_s;
    if (changed.plan->energy_j > 0) change.energy_j = changed.plan->energy_j;
    change.macs = Evaluate(changed.totals.macs, *changed.dims).value_or(0);
    change.params = changed.params.params;
    return absl::OkStatus();
  }();
  if (!made.ok()) {
    at->second.second = *why = DiagnosticOf(made).message;
    return std::nullopt;
  }
  at->second.first = change;
  return change;
}

void Widths::FillSteps(const Layer& layer, WidthRow* row) {
  const SetSteps& steps = steps_.at(layer.made);
  if (row->width != steps.set.width) return;  // of a depthwise layer that makes several channels of one
  const auto above = std::lower_bound(steps.ends.begin(), steps.ends.end(), row->width);
  if (above != steps.ends.end()) {
    const double now_s = steps.set.SecondsOf(row->width);
    const double proportional = static_cast<double>(*above - row->width) / static_cast<double>(row->width);
    if (steps.set.SecondsOf(*above) - now_s <= kFillsFor * proportional * now_s) {
      row->filled = *above;
      row->waste = 1 - static_cast<double>(row->width) / static_cast<double>(*above);
    }
  }
  std::string why;
  if (row->filled.has_value() && *row->filled > row->width) row->larger = ChangeTo(layer, *row->filled, &why);
  auto below = above;  // half the channels is another layer, no step
  for (int tried = 0; below != steps.ends.begin() && tried < kMostWidthsTried && !row->smaller.has_value(); ++tried) {
    if (2 * *--below < row->width) break;
    row->smaller = ChangeTo(layer, *below, &why);
  }
}

void Widths::Fill(const Layer& layer, WidthRow* row) {
  if (layer.made < 0) return;
  // A change that every layer takes: sizes of groups take multiples only.
  std::string why;
  absl::StatusOr<WidthProbe::Sizes> sizes = probe_.Change(layer.made, probe_.SizeNow(layer.made) + 1);
  int64_t grain = 1;
  for (int64_t tried = 2; !sizes.ok() && tried <= 64 && tried <= probe_.SizeNow(layer.made); tried *= 2) {
    if (why.empty()) why = DiagnosticOf(sizes.status()).message;
    sizes = probe_.Change(layer.made, probe_.SizeNow(layer.made) + tried);
    grain = tried;
  }
  if (!sizes.ok()) {
    row->fixed = why.empty() ? DiagnosticOf(sizes.status()).message : why;
    return;
  }
  const auto channels = static_cast<double>(grain * layer.per_size);
  for (const Layer& other : probe_.layers()) {
    const bool is_tied = other.made >= 0 && sizes->contains(other.made);
    const bool reads = std::any_of(other.read.begin(), other.read.end(),
                                   [&](WidthProbe::Class size) { return sizes->contains(size); });
    if (is_tied && other.node != layer.node) row->tied.push_back(graph_.Label(other.node));
    if (reads && !other.is_depthwise) row->readers.push_back(graph_.Label(other.node));
  }
  const auto [set, is_new] = sets_.try_emplace(layer.made, static_cast<int64_t>(sets_.size()));
  row->set = set->second;
  if (is_new) {
    SetSteps& steps = steps_[layer.made];
    steps.set = {.kernels = KernelsOf(*sizes, channels), .width = row->width, .unit = grain * layer.per_size};
    row->staircase = PointsOf(steps.set);
    steps.ends = StepEnds(steps.set, row->staircase);
  }
  FillSteps(layer, row);
  if (options_.width.has_value()) {
    row->asked = ChangeTo(layer, *options_.width, &why);
    if (!row->asked.has_value() && row->fixed.empty()) {
      row->fixed = why.empty() ? absl::StrCat("its channels come in groups of ", layer.per_size) : why;
    }
  }
}

absl::StatusOr<WidthReport> Widths::Run() {
  HWEST_RETURN_IF_ERROR(CheckLayers());
  FindLongest();
  WidthReport report{.rows = {}, .latency_s = base_.plan->latency_s};
  for (const Layer& layer : probe_.layers()) {
    if (IsStopped()) return MakeError(Code::kInterrupted, "the study was cancelled", "");
    if (!IsAsked(layer.node)) continue;
    WidthRow row = RowOf(layer);
    Fill(layer, &row);
    if (row.share.has_value() && row.waste.has_value()) report.waste_share += *row.share * *row.waste;
    report.rows.push_back(std::move(row));
  }
  if (IsStopped()) return MakeError(Code::kInterrupted, "the study was cancelled", "");
  return report;
}

void Reshape(const std::vector<int64_t>& dims, Constant* constant) {
  const int64_t before = constant->Elements();
  constant->dims = dims;
  const int64_t after = constant->Elements();
  if (before <= 0 || after <= 0) return;
  if (constant->storage == Storage::kDecoded) {
    const std::string was = constant->data;
    constant->data.clear();
    const auto bytes = static_cast<size_t>((after * ElemBits(constant->elem) + 7) / 8);
    while (!was.empty() && constant->data.size() < bytes) constant->data += was;
    constant->data.resize(bytes);
  }
  const double bytes = static_cast<double>(constant->length) / static_cast<double>(before);
  constant->length = static_cast<int64_t>(std::llround(bytes * static_cast<double>(after)));
}

// An initialiser, or the tensor of a node that has nothing else; null = there is none.
const Constant* TensorNamed(const RawModel& raw, absl::string_view name) {
  for (const Constant& constant : raw.graph.initializers) {
    if (constant.name.valid() && raw.strings[constant.name] == name) return &constant;
  }
  for (const RawNode& node : raw.graph.nodes) {
    if (node.outputs.size() != 1 || raw.strings[node.outputs[0]] != name) continue;
    for (const RawAttribute& attribute : node.attributes) {
      if (attribute.tensors.size() == 1) return &attribute.tensors[0];
    }
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<RawModel> WidthModel(RawModel raw, const std::vector<WidthEdit>& edits) {
  absl::flat_hash_map<std::string, const WidthEdit*> constants, nodes;
  absl::flat_hash_map<std::string, std::vector<const WidthEdit*>> readers;
  for (const WidthEdit& edit : edits) {
    if (!edit.reader.empty()) {
      readers[edit.reader].push_back(&edit);
    } else {
      (edit.attribute.empty() ? constants : nodes)[edit.name] = &edit;
    }
  }
  size_t made = 0;
  const auto text = [&](StrId id) { return id.valid() ? std::string(raw.strings[id]) : std::string(); };
  const auto edit_constant = [&](StrId name, Constant* constant) {
    const auto edit = constants.find(text(name));
    if (edit == constants.end()) return;
    Reshape(edit->second->dims, constant);
    ++made;
  };
  std::vector<Constant> copies;
  const auto copy_for = [&](RawNode* node) {
    const auto reads = readers.find(node->outputs.empty() ? "" : text(node->outputs[0]));
    if (reads == readers.end()) return;
    for (const WidthEdit* edit : reads->second) {
      const Constant* shared = TensorNamed(raw, edit->name);
      if (shared == nullptr || edit->operand >= node->inputs.size()) continue;
      Constant& copy = copies.emplace_back(*shared);
      Reshape(edit->dims, &copy);
      copy.name = raw.strings.Intern(absl::StrCat(edit->name, "@", edit->reader, ".", edit->operand));
      node->inputs[edit->operand] = copy.name;
      ++made;
    }
  };
  for (Constant& constant : raw.graph.initializers) edit_constant(constant.name, &constant);
  for (RawValueInfo& input : raw.graph.inputs) {  // initialisers that are inputs, too
    const auto edit = constants.find(text(input.name));
    if (edit == constants.end()) continue;
    for (size_t i = 0; i < input.type.dims.size() && i < edit->second->dims.size(); ++i) {
      input.type.dims[i] = {.has_value = true, .value = edit->second->dims[i], .param = {}};
    }
  }
  for (RawNode& node : raw.graph.nodes) {
    if (node.outputs.empty()) continue;
    copy_for(&node);
    if (const auto edit = nodes.find(text(node.outputs[0])); edit != nodes.end()) {
      for (RawAttribute& attribute : node.attributes) {
        if (text(attribute.name) != edit->second->attribute) continue;
        attribute.i = edit->second->dims[0];
        ++made;
      }
    }
    for (RawAttribute& attribute : node.attributes) {
      if (node.outputs.size() == 1 && node.inputs.empty() && attribute.tensors.size() == 1) {
        edit_constant(node.outputs[0], &attribute.tensors[0]);
      }
    }
  }
  for (Constant& copy : copies) raw.graph.initializers.push_back(std::move(copy));
  if (made < edits.size()) return MakeError(Code::kUsage, "the model lacks a constant that the edits name", "");
  return raw;
}

absl::StatusOr<WidthReport> WidthsOf(const Analysis& base, const std::function<absl::StatusOr<RawModel>()>& read,
                                     const LoadOptions& limits, const WidthOptions& options,
                                     const StudyProgress& progress, const std::function<bool()>& stop) {
  if (!base.plan.has_value()) {
    return MakeError(Code::kUsage, "widths need a target", "name one with --target");
  }
  HWEST_ASSIGN_OR_RETURN(WidthProbe probe, WidthProbe::Make(base, read, limits));
  return Widths(base, read, limits, options, progress, stop, std::move(probe)).Run();
}

std::vector<WidthGain> BestWidths(const WidthReport& report) {
  std::vector<WidthGain> gains;
  std::map<int64_t, const WidthRow*> seen;
  for (const WidthRow& row : report.rows) {
    if (row.set < 0 || !seen.emplace(row.set, &row).second || report.latency_s <= 0) continue;
    const auto gain = [&](const WidthChange& change, bool is_free) {
      std::vector<std::string> layers = {row.layer};
      layers.insert(layers.end(), row.tied.begin(), row.tied.end());
      return WidthGain{.layers = std::move(layers),
                       .from = row.width,
                       .to = change.width,
                       .latency_s = change.latency_s,
                       .saving_s = change.saving_s,
                       .is_free = is_free,
                       .edits = change.edits};
    };
    if (row.smaller.has_value() && row.smaller->saving_s > kWorthIt * report.latency_s) {
      // More than the share of the channels that go, of the time of the kernels that they are in.
      double set_s = row.staircase.empty() ? 0 : [&] {
        for (const WidthPoint& point : row.staircase) {
          if (point.width == row.width) return point.time_s;
        }
        return 0.0;
      }();
      const double share = 1 - static_cast<double>(row.smaller->width) / static_cast<double>(row.width);
      if (row.smaller->saving_s > set_s * share) gains.push_back(gain(*row.smaller, false));
    }
    if (row.larger.has_value() && row.larger->saving_s > -kFree * report.latency_s) {
      gains.push_back(gain(*row.larger, true));
    }
  }
  std::stable_sort(gains.begin(), gains.end(), [](const WidthGain& a, const WidthGain& b) {
    return a.is_free != b.is_free ? b.is_free : a.saving_s > b.saving_s;
  });
  return gains;
}

}  // namespace hwest

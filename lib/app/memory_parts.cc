#include "app/memory_parts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "cost/model_view.h"
#include "hwest/reading.h"
#include "op/rule.h"
#include "plan/liveness.h"

namespace hwest::app {
namespace {

constexpr int kParts[] = {2, 4, 8};
constexpr int kSumBits = 32;

// A tensor at the peak that one group makes and the next one alone reads.
struct Pair {
  const Lifetime& tensor;
  const PlannedGroup &maker, &reader;
};

class Splitter {
 public:
  Splitter(const MemoryReport& report, std::vector<MemoryCure>* cures)
      : analysis_(*report.analysis),
        plan_(*analysis_.plan),
        model_{GraphAsRead(analysis_), analysis_.facts, analysis_.classes, analysis_.work, *analysis_.dims},
        alive_(LiveBytesOf(plan_.lifetimes, plan_.groups.size())),
        cures_(*cures) {
    for (const Lifetime& row : report.at_peak) AddPair(row);
  }

  // Of each way the largest tensor that it can cut.
  void Run() {
    for (const Pair& pair : pairs_) {
      if (AddStrips(pair)) break;
    }
    for (const Pair& pair : pairs_) {
      if (AddChannels(pair)) break;
    }
  }

 private:
  // How a group takes the channels of what it reads: each by itself, or all of them in each sum.
  enum class Channels : uint8_t { kApart, kSummed };

  void AddPair(const Lifetime& row);
  bool AddStrips(const Pair& pair);
  bool AddChannels(const Pair& pair);
  // Whether parts of its result need no more than parts of what it reads, whichever way it is cut.
  bool GoesOn(const PlannedGroup& group) const;
  std::optional<int64_t> HaloOf(const PlannedGroup& group) const;
  std::optional<Channels> ChannelsOf(const PlannedGroup& group, const Shape& read) const;
  int64_t SizeOf(ValueId value, int axis_from_last) const;
  // The peak where `kept` bytes take the place of the tensor. What the maker reads is there up to the last part; what
  // the reader makes is there `last` times with that one, and `earlier` times before.
  int64_t PeakWith(const Pair& pair, int64_t kept, double last, double earlier) const;
  // Adds the cure; false = it brings no more than the one before.
  bool Add(const Pair& pair, absl::string_view in, int64_t peak, const std::vector<std::string>& costs);

  std::string Name(const PlannedGroup& group) const { return std::string(model_.graph.Label(group.group.root)); }

  const Analysis& analysis_;
  const Plan& plan_;
  const ModelView model_;
  const std::vector<int64_t> alive_;
  std::vector<Pair> pairs_;
  std::vector<MemoryCure>& cures_;
};

std::string BytesText(int64_t bytes) { return FormatBytes(static_cast<double>(bytes)); }

void Splitter::AddPair(const Lifetime& row) {
  const NodeId producer = model_.graph.value(row.value).producer;
  const GroupId maker = producer.valid() ? plan_.group_of[producer] : GroupId();
  if (!maker.valid() || row.first != maker || row.last.index() != maker.index() + 1) return;
  // What lies with others has to be whole for them.
  const auto shared = std::count_if(plan_.lifetimes.begin(), plan_.lifetimes.end(),
                                    [&](const Lifetime& other) { return other.place == row.place; });
  const Pair pair{row, plan_.groups[maker.index()], plan_.groups[row.last.index()]};
  if (shared > 1 || pair.maker.unit != pair.reader.unit) return;
  if (GoesOn(pair.maker) && GoesOn(pair.reader)) pairs_.push_back(pair);
}

bool Splitter::GoesOn(const PlannedGroup& group) const {
  for (const NodeId node : group.group.nodes) {
    if (!IsKernel(model_.classes[node])) continue;
    const bool waits = HasTrait(model_, node, trait::kWholeInput | trait::kTakesStatistics);
    if (waits || model_.classes[node] != NodeClass::kCompute) return false;
  }
  return group.work.contractions.size() <= 1;
}

int64_t Splitter::SizeOf(ValueId value, int axis_from_last) const {
  const Shape& shape = model_.facts.values[value].type.shape;
  const int axis = shape.ranked() ? shape.rank() - axis_from_last : -1;
  return axis >= 0 && shape.dim(axis).is_constant() ? shape.dim(axis).value() : 0;
}

// Rows that it needs to make one more row of its result; none = it needs them all.
std::optional<int64_t> Splitter::HaloOf(const PlannedGroup& group) const {
  if (group.work.contractions.empty()) return 0;
  const ContractionSize& size = group.work.contractions[0];
  if (size.kind == ContractionKind::kMatMul) return 0;
  if (size.kind != ContractionKind::kConv && size.kind != ContractionKind::kDepthwise) return std::nullopt;
  const auto taps = static_cast<double>(std::max<int64_t>(1, size.kernel_elements));
  return static_cast<int64_t>(std::ceil(std::sqrt(taps))) - 1;
}

std::optional<Splitter::Channels> Splitter::ChannelsOf(const PlannedGroup& group, const Shape& read) const {
  if (group.work.contractions.empty()) return Channels::kApart;
  const ContractionSize& size = group.work.contractions[0];
  if (size.kind == ContractionKind::kDepthwise) return Channels::kApart;
  if (size.kind == ContractionKind::kMatMul) return Channels::kSummed;
  const bool has_groups = !read.ranked() || !read.dim(0).is_constant() || size.batch != read.dim(0).value();
  if (size.kind != ContractionKind::kConv || has_groups) return std::nullopt;
  return Channels::kSummed;
}

int64_t Splitter::PeakWith(const Pair& pair, int64_t kept, double last, double earlier) const {
  const GroupId first_group = pair.tensor.first, last_group = pair.tensor.last;
  int64_t read = 0, both = kept, made = 0;
  for (const Lifetime& other : plan_.lifetimes) {
    if (other.first > last_group || first_group > other.last || other.value == pair.tensor.value) continue;
    (other.last < last_group ? read : first_group < other.first ? made : both) += other.bytes.value_or(0);
  }
  const auto times = [&](double share) { return static_cast<int64_t>(std::ceil(share * static_cast<double>(made))); };
  int64_t peak = both + std::max(times(last), read + times(earlier));
  for (size_t g = 0; g < alive_.size(); ++g) {
    if (g != first_group.index() && g != last_group.index()) peak = std::max(peak, alive_[g]);
  }
  return peak;
}

bool Splitter::Add(const Pair& pair, absl::string_view in, int64_t peak, const std::vector<std::string>& costs) {
  if (!cures_.empty() && cures_.back().peak_bytes == peak) return false;
  cures_.push_back({.what = absl::StrCat(Name(pair.maker), " and ", Name(pair.reader), " in ", in),
                    .peak_bytes = peak,
                    .cost = costs.empty() ? "no work is done twice" : absl::StrJoin(costs, ", ")});
  return true;
}

bool Splitter::AddStrips(const Pair& pair) {
  const std::optional<int64_t> halo = HaloOf(pair.reader);
  if (!halo.has_value() || !HaloOf(pair.maker).has_value()) return false;
  const int64_t rows = SizeOf(pair.tensor.value, 2);
  const bool is_image = *halo > 0 || pair.maker.work.contractions.empty() ||
                        pair.maker.work.contractions[0].kind != ContractionKind::kMatMul;
  if (rows < 2 * kParts[0]) return false;
  if (is_image && model_.facts.values[pair.tensor.value].type.shape.rank() != 4) return false;
  for (const int strips : kParts) {
    if (rows < int64_t{2} * strips) break;
    const int64_t strip = (rows + strips - 1) / strips + *halo;
    std::vector<std::string> costs;
    const double again = static_cast<double>(*halo * (strips - 1)) / static_cast<double>(rows);
    if (const auto macs = static_cast<int64_t>(again * static_cast<double>(pair.maker.work.macs)); macs > 0) {
      costs.push_back(absl::StrCat(FormatCount(static_cast<double>(macs)), "MACs again for ", *halo,
                                   *halo == 1 ? " row" : " rows", " of halo a strip"));
    }
    const int64_t weights = pair.maker.work.weight_bytes + pair.reader.work.weight_bytes;
    if (weights > 0) costs.push_back(absl::StrCat(BytesText(weights), " of weights read ", strips, " times"));
    if (!Add(pair, absl::StrCat(strips, " strips of rows"), PeakWith(pair, *pair.tensor.bytes / rows * strip, 1, 1),
             costs)) {
      break;
    }
  }
  return true;
}

bool Splitter::AddChannels(const Pair& pair) {
  const Shape& shape = model_.facts.values[pair.tensor.value].type.shape;
  const auto is_product = [](const PlannedGroup& group) {
    return !group.work.contractions.empty() && group.work.contractions[0].kind == ContractionKind::kMatMul;
  };
  const bool of_rows = is_product(pair.maker) || is_product(pair.reader);
  if (!shape.ranked() || (!of_rows && shape.rank() != 4)) return false;
  const int64_t channels = SizeOf(pair.tensor.value, of_rows ? 1 : 3);
  const std::optional<Channels> made = ChannelsOf(pair.maker, shape), read = ChannelsOf(pair.reader, shape);
  if (!made.has_value() || !read.has_value() || channels < 2 * kParts[0]) return false;
  // The sums so far wait beside those of the next part.
  const int bits = std::min(kSumBits, NumBits(pair.reader.work.precision.act));
  const double sums = *read == Channels::kSummed ? 2.0 * kSumBits / bits : 1;
  int64_t made_bytes = 0;
  for (const Access& write : pair.reader.writes) made_bytes += write.bytes.value_or(0);
  const auto more = static_cast<int64_t>((sums - 1) * static_cast<double>(made_bytes));
  for (const int parts : kParts) {
    if (channels < int64_t{2} * parts) break;
    std::vector<std::string> costs;
    if (*made == Channels::kSummed && pair.maker.work.in_bytes > 0) {
      costs.push_back(absl::StrCat(BytesText(pair.maker.work.in_bytes), " read ", parts, " times"));
    }
    if (more > 0) {
      costs.push_back(absl::StrCat(BytesText(more), " more for the sums of two parts",
                                   bits < kSumBits ? absl::StrCat(" in ", kSumBits, " bits") : ""));
    }
    const int64_t kept = *pair.tensor.bytes / channels * ((channels + parts - 1) / parts);
    const double earlier = *read == Channels::kApart ? 1 - 1.0 / parts : parts > 2 ? sums : sums / 2;
    if (!Add(pair, absl::StrCat(parts, " parts of channels"), PeakWith(pair, kept, sums, earlier), costs)) break;
  }
  return true;
}

}  // namespace

void AddParts(const MemoryReport& report, std::vector<MemoryCure>* cures) { Splitter(report, cures).Run(); }

}  // namespace hwest::app

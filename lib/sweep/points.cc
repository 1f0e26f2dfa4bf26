#include "sweep/points.h"

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "analysis/request_text.h"
#include "base/checked_math.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/target.h"

namespace hwest {
namespace {

constexpr absl::string_view kAll = "all";
constexpr size_t kMostSizes = 1'000'000;
constexpr char kSizesForm[] = "write sizes such as 1,4,8, or a range: 128:2048:x2 or 64:256:+64";

absl::StatusOr<int64_t> ParseSize(absl::string_view flag, absl::string_view whole, absl::string_view text) {
  int64_t size;
  if (!absl::SimpleAtoi(text, &size) || size < 0) return BadValue(flag, whole, kSizesForm);
  return size;
}

// FIRST:LAST:xK or FIRST:LAST:+K.
absl::Status AddRange(absl::string_view flag, absl::string_view whole, absl::string_view text,
                      std::vector<int64_t>* sizes) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  if (parts.size() != 3 || parts[2].size() < 2) return BadValue(flag, whole, kSizesForm);
  HWEST_ASSIGN_OR_RETURN(int64_t size, ParseSize(flag, whole, parts[0]));
  HWEST_ASSIGN_OR_RETURN(const int64_t last, ParseSize(flag, whole, parts[1]));
  HWEST_ASSIGN_OR_RETURN(const int64_t step, ParseSize(flag, whole, parts[2].substr(1)));
  const char by = parts[2][0];
  const bool grows = by == 'x' ? step > 1 && size > 0 : by == '+' && step > 0;
  if (!grows || size > last) return BadValue(flag, whole, kSizesForm);
  while (size <= last) {
    if (sizes->size() == kMostSizes) return BadValue(flag, whole, "take larger steps: that is over a million sizes");
    sizes->push_back(size);
    const std::optional<int64_t> next = by == 'x' ? CheckedMul(size, step) : CheckedAdd(size, step);
    if (!next.has_value()) break;
    size = *next;
  }
  return absl::OkStatus();
}

template <class T>
absl::Status CheckDistinct(absl::string_view what, const std::vector<T>& values) {
  std::set<T> seen;
  for (const T& value : values) {
    if (seen.insert(value).second) continue;
    return MakeError(Code::kUsage, absl::StrCat(what, " ", EscapeControl(absl::StrCat(value)), " was named twice"),
                     "name each once, so that every row is of another point");
  }
  return absl::OkStatus();
}

// The name that reports give a target; what is no name of a target stays as it is, and its points fail.
std::string NameOfTarget(const std::string& text, const std::vector<TargetSummary>& targets) {
  for (const TargetSummary& target : targets) {
    if (target.name == text || std::find(target.aliases.begin(), target.aliases.end(), text) != target.aliases.end()) {
      return target.name;
    }
  }
  return text;
}

std::vector<std::string> ModesOf(const std::string& target) {
  const absl::StatusOr<Target> loaded = LoadTarget(target);
  std::vector<std::string> modes;
  if (loaded.ok()) modes = SummaryOf(*loaded).modes;
  if (modes.empty()) modes.emplace_back();
  return modes;
}

std::vector<std::string> NamedTargets(const std::vector<std::string>& named) {
  const std::vector<TargetSummary> built_in = ListTargets();
  std::vector<std::string> targets;
  for (const std::string& name : named) {
    if (name != kAll) {
      targets.push_back(NameOfTarget(name, built_in));
      continue;
    }
    for (const TargetSummary& target : built_in) targets.push_back(target.name);
  }
  return targets;
}

std::vector<std::optional<int64_t>> OneAtLeast(const std::vector<int64_t>& values) {
  if (values.empty()) return {std::nullopt};
  return {values.begin(), values.end()};
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> ParseSizes(absl::string_view flag, absl::string_view text) {
  std::vector<int64_t> sizes;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    if (absl::StrContains(part, ':')) {
      HWEST_RETURN_IF_ERROR(AddRange(flag, text, part, &sizes));
    } else {
      HWEST_ASSIGN_OR_RETURN(const int64_t size, ParseSize(flag, text, part));
      sizes.push_back(size);
    }
  }
  return sizes;
}

absl::Status AddDimAxis(absl::string_view flag, absl::string_view text, SweepAxes* axes) {
  const size_t equals = text.rfind('=');
  if (equals == absl::string_view::npos || equals == 0) {
    return BadValue(flag, text, "write NAME=1,2 or NAME=128:2048:x2");
  }
  HWEST_ASSIGN_OR_RETURN(std::vector<int64_t> sizes, ParseSizes(flag, text.substr(equals + 1)));
  HWEST_RETURN_IF_ERROR(CheckDistinct(absl::StrCat(flag, " ", text.substr(0, equals), ": the size"), sizes));
  axes->dims.emplace_back(std::string(text.substr(0, equals)), std::move(sizes));
  return absl::OkStatus();
}

absl::Status AddNames(absl::string_view flag, absl::string_view text, std::vector<std::string>* names) {
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    if (part.empty()) return BadValue(flag, text, "name at least one, and separate several by single commas");
    names->emplace_back(part);
  }
  return absl::OkStatus();
}

absl::StatusOr<Shard> ParseShard(absl::string_view flag, absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, '/');
  Shard shard;
  int64_t index = 0, count = 0;
  const bool is_number = parts.size() == 2 && absl::SimpleAtoi(parts[0], &index) && absl::SimpleAtoi(parts[1], &count);
  if (!is_number || index < 1 || index > count) return BadValue(flag, text, "write I/N with I from 1 to N, e.g. 3/16");
  shard.index = static_cast<size_t>(index);
  shard.count = static_cast<size_t>(count);
  return shard;
}

absl::StatusOr<SweepPlan> SweepPlan::Make(SweepAxes axes) {
  SweepPlan plan;
  if (axes.models.empty()) return MakeError(Code::kUsage, "no model was named", "name one or more files");
  if (axes.targets.empty()) {
    return MakeError(Code::kUsage, "no target was named", "add --target NAME,.. or --target all");
  }
  axes.targets = NamedTargets(axes.targets);
  HWEST_RETURN_IF_ERROR(CheckDistinct("the model", axes.models));
  HWEST_RETURN_IF_ERROR(CheckDistinct("the target", axes.targets));
  HWEST_RETURN_IF_ERROR(CheckDistinct("the mode", axes.modes));
  HWEST_RETURN_IF_ERROR(CheckDistinct("the precision", axes.precisions));
  HWEST_RETURN_IF_ERROR(CheckDistinct("the batch", axes.batches));
  HWEST_RETURN_IF_ERROR(CheckDistinct("the size", axes.sizes));
  std::vector<std::string> names;
  for (const auto& [name, sizes] : axes.dims) names.push_back(name);
  HWEST_RETURN_IF_ERROR(CheckDistinct("the dim", names));
  const bool all_modes = std::find(axes.modes.begin(), axes.modes.end(), kAll) != axes.modes.end();
  if (axes.modes.empty()) axes.modes.emplace_back();
  if (axes.precisions.empty()) axes.precisions.emplace_back("auto");
  for (const std::string& target : axes.targets) {
    for (const std::string& mode : all_modes ? ModesOf(target) : axes.modes) plan.places_.emplace_back(target, mode);
  }
  plan.batches_ = OneAtLeast(axes.batches);
  plan.sizes_ = OneAtLeast(axes.sizes);
  std::optional<int64_t> count = 1;
  const auto times = [&](size_t factor) {
    if (count.has_value()) count = CheckedMul(*count, static_cast<int64_t>(factor));
  };
  for (const size_t factor : {plan.places_.size(), axes.precisions.size(), plan.batches_.size(), plan.sizes_.size()}) {
    times(factor);
  }
  for (const auto& [name, sizes] : axes.dims) times(sizes.size());
  if (count.has_value()) plan.per_model_ = static_cast<size_t>(*count);
  times(axes.models.size());
  if (!count.has_value()) return MakeError(Code::kUsage, "the sweep has more points than can be counted", "list less");
  plan.axes_ = std::move(axes);
  return plan;
}

SweepPoint SweepPlan::point(size_t index) const {
  // The last axis turns fastest.
  const auto take = [&index](size_t count) {
    const size_t at = index % count;
    index /= count;
    return at;
  };
  SweepPoint point;
  point.rewritten = axes_.rewritten;
  point.size = sizes_[take(sizes_.size())];
  for (size_t i = axes_.dims.size(); i-- > 0;) {
    const auto& [name, sizes] = axes_.dims[i];
    point.dims.emplace_back(name, sizes[take(sizes.size())]);
  }
  std::reverse(point.dims.begin(), point.dims.end());
  point.batch = batches_[take(batches_.size())];
  point.precision = axes_.precisions[take(axes_.precisions.size())];
  std::tie(point.target, point.mode) = places_[take(places_.size())];
  point.model = index;
  return point;
}

std::pair<size_t, size_t> SweepPlan::RangeOf(const Shard& shard) const {
  // Without the product of both, which may be larger than any number.
  const size_t each = size() / shard.count, more = size() % shard.count;
  const auto begin = [&](size_t i) { return i * each + std::min(i, more); };
  return {begin(shard.index - 1), begin(shard.index)};
}

}  // namespace hwest

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

// The name that reports give a target; a text that names no target stays, and its points fail.
std::string NameOfTarget(const std::string& text, const std::vector<TargetSummary>& targets) {
  for (const TargetSummary& target : targets) {
    if (target.name == text || std::find(target.aliases.begin(), target.aliases.end(), text) != target.aliases.end()) {
      return target.name;
    }
  }
  return text;
}

std::vector<std::string> ModesOf(const std::string& target, const Target* loaded) {
  const absl::StatusOr<Target> read = loaded == nullptr ? LoadTarget(target) : absl::StatusOr<Target>(*loaded);
  std::vector<std::string> modes;
  if (read.ok()) modes = SummaryOf(*read).modes;
  if (modes.empty()) modes.emplace_back();
  return modes;
}

// Full names in place of aliases and "all".
void NameTargets(SweepAxes* axes) {
  const std::vector<TargetSummary> built_in = ListTargets();
  std::vector<std::string> targets;
  std::vector<std::shared_ptr<const Target>> loaded;
  for (size_t i = 0; i < axes->targets.size(); ++i) {
    const std::string& name = axes->targets[i];
    const auto given = i < axes->loaded.size() ? axes->loaded[i] : nullptr;
    if (given == nullptr && name == kAll) {
      for (const TargetSummary& target : built_in) targets.push_back(target.name);
    } else {
      targets.push_back(given == nullptr ? NameOfTarget(name, built_in) : given->name);
    }
    loaded.resize(targets.size());
    if (given != nullptr) loaded.back() = given;
  }
  axes->targets = std::move(targets);
  axes->loaded = std::move(loaded);
}

absl::Status CheckPrecisions(const std::vector<std::string>& precisions) {
  for (const std::string& precision : precisions) {
    RequestDraft unused;
    HWEST_RETURN_IF_ERROR(Give(RequestOptionNamed("precision"), precision, &unused));
  }
  return absl::OkStatus();
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

absl::Status AddSettingAxis(absl::string_view flag, absl::string_view text, SweepAxes* axes) {
  const size_t equals = text.find('=');
  if (equals == absl::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    return BadValue(flag, text, "write PATH=VALUES, e.g. npu.clock=1GHz,2GHz");
  }
  axes->settings.emplace_back(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
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
    return MakeError(Code::kUsage, "no target was named", "add --target NAME,.. or --target all",
                     {{"--target", {"NAME"}}, "--target"});
  }
  NameTargets(&axes);
  HWEST_RETURN_IF_ERROR(CheckDistinct("the model", axes.models));
  HWEST_RETURN_IF_ERROR(CheckDistinct("the target", axes.targets));
  HWEST_RETURN_IF_ERROR(CheckDistinct("the mode", axes.modes));
  HWEST_RETURN_IF_ERROR(CheckDistinct("the precision", axes.precisions));
  HWEST_RETURN_IF_ERROR(CheckPrecisions(axes.precisions));
  HWEST_RETURN_IF_ERROR(CheckDistinct("the batch", axes.batches));
  HWEST_RETURN_IF_ERROR(CheckDistinct("the size", axes.sizes));
  std::vector<std::string> names;
  for (const auto& [name, sizes] : axes.dims) names.push_back(name);
  HWEST_RETURN_IF_ERROR(CheckDistinct("the dim", names));
  const bool all_modes = std::find(axes.modes.begin(), axes.modes.end(), kAll) != axes.modes.end();
  if (axes.modes.empty()) axes.modes.emplace_back();
  if (axes.precisions.empty()) axes.precisions.emplace_back("auto");
  for (size_t i = 0; i < axes.targets.size(); ++i) {
    const std::string& target = axes.targets[i];
    for (const std::string& mode : all_modes ? ModesOf(target, axes.loaded[i].get()) : axes.modes) {
      plan.places_.push_back({target, mode, axes.loaded[i]});
    }
  }
  plan.batches_ = OneAtLeast(axes.batches);
  plan.sizes_ = OneAtLeast(axes.sizes);
  plan.axes_ = std::move(axes);
  HWEST_RETURN_IF_ERROR(plan.AddSettings());
  HWEST_RETURN_IF_ERROR(plan.Number());
  return plan;
}

// Reads the values for each target: what their units are, and which are whole numbers, follows from its figures.
absl::Status SweepPlan::AddSettings() {
  if (axes_.settings.empty()) return absl::OkStatus();
  std::vector<std::string> paths;
  for (const auto& [path, values] : axes_.settings) paths.push_back(path);
  HWEST_RETURN_IF_ERROR(CheckDistinct("--set: the figure", paths));
  for (Place& place : places_) {
    if (place.loaded == nullptr) {
      HWEST_ASSIGN_OR_RETURN(Target target, LoadTarget(place.target));
      place.loaded = std::make_shared<const Target>(std::move(target));
      place.target = place.loaded->name;
    }
    for (const auto& [path, text] : axes_.settings) {
      HWEST_ASSIGN_OR_RETURN(Settable figure, FindSettable(*place.loaded, path));
      HWEST_ASSIGN_OR_RETURN(std::vector<double> values, ParseValues("--set", text, figure));
      place.settings.emplace_back(std::move(figure), std::move(values));
    }
  }
  return absl::OkStatus();
}

void SweepPlan::LeaveOut(std::vector<LeftOut> of_model) {
  left_out_ = std::move(of_model);
  (void)Number();  // their number only falls
}

const LeftOut& SweepPlan::left_out(size_t model) const {
  static const auto* const none = new LeftOut();
  return model < left_out_.size() ? left_out_[model] : *none;
}

bool SweepPlan::Fits(size_t model, absl::string_view option, absl::string_view name) const {
  const LeftOut& left_out = this->left_out(model);
  return std::none_of(left_out.begin(), left_out.end(),
                      [&](const LeftOutOption& what) { return what.option == option && what.name == name; });
}

std::optional<size_t> SweepPlan::CountOf(size_t model) const {
  std::optional<int64_t> count = 1;
  const auto times = [&](size_t factor) {
    if (count.has_value()) count = CheckedMul(*count, static_cast<int64_t>(factor));
  };
  for (const size_t factor : {places_.size(), axes_.precisions.size(), batches_.size()}) times(factor);
  for (const auto& [figure, values] : places_.front().settings) times(values.size());
  if (Fits(model, "image_size", "")) times(sizes_.size());
  for (const auto& [name, sizes] : axes_.dims) {
    if (Fits(model, "dims", name)) times(sizes.size());
  }
  return count.has_value() ? std::optional<size_t>(static_cast<size_t>(*count)) : std::nullopt;
}

absl::Status SweepPlan::Number() {
  first_ = {0};
  for (size_t model = 0; model < axes_.models.size(); ++model) {
    const std::optional<size_t> count = CountOf(model);
    const std::optional<int64_t> next =
        count.has_value() ? CheckedAdd(static_cast<int64_t>(first_.back()), static_cast<int64_t>(*count))
                          : std::nullopt;
    if (!next.has_value()) return MakeError(Code::kUsage, "the sweep has more points than can be counted", "list less");
    first_.push_back(static_cast<size_t>(*next));
  }
  return absl::OkStatus();
}

size_t SweepPlan::ModelOf(size_t index) const {
  return static_cast<size_t>(std::upper_bound(first_.begin(), first_.end(), index) - first_.begin()) - 1;
}

SweepPoint SweepPlan::point(size_t index) const {
  // The last axis varies fastest.
  const auto take = [&index](size_t count) {
    const size_t at = index % count;
    index /= count;
    return at;
  };
  SweepPoint point;
  point.model = ModelOf(index);
  index -= first_[point.model];
  point.rewritten = axes_.rewritten;
  if (Fits(point.model, "image_size", "")) point.size = sizes_[take(sizes_.size())];
  for (size_t i = axes_.dims.size(); i-- > 0;) {
    const auto& [name, sizes] = axes_.dims[i];
    if (Fits(point.model, "dims", name)) point.dims.emplace_back(name, sizes[take(sizes.size())]);
  }
  std::reverse(point.dims.begin(), point.dims.end());
  point.batch = batches_[take(batches_.size())];
  point.precision = axes_.precisions[take(axes_.precisions.size())];
  std::vector<size_t> at;
  const auto& settings = places_.front().settings;
  for (size_t i = settings.size(); i-- > 0;) at.push_back(take(settings[i].second.size()));
  const Place& place = places_[take(places_.size())];
  for (const auto& [figure, values] : place.settings) {
    point.set.emplace_back(figure, values[at.back()]);
    at.pop_back();
  }
  point.target = place.target;
  point.mode = place.mode;
  point.loaded = place.loaded;
  return point;
}

std::pair<size_t, size_t> SweepPlan::RangeOf(const Shard& shard) const {
  // Avoids the product of both, which may overflow.
  const size_t each = size() / shard.count, more = size() % shard.count;
  const auto begin = [&](size_t i) { return i * each + std::min(i, more); };
  return {begin(shard.index - 1), begin(shard.index)};
}

}  // namespace hwest

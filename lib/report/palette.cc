#include "report/palette.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "base/text.h"

namespace hwest {
namespace {

// Darker is more, also in grey.
constexpr std::array<Tint, 5> kSteps = {{{"#fff7e0", "#9a8a5c"},
                                         {"#fee0a8", "#a87d1e"},
                                         {"#fdbe6f", "#a85f00"},
                                         {"#f98e52", "#9c3d00"},
                                         {"#e8603c", "#7a1f00"}}};
// From blue (low) through green to red (high).
constexpr std::array<Tint, 5> kSides = {{{"#7fb6e6", "#174f80"},
                                         {"#cfe3f5", "#1f6fb2"},
                                         {"#dff0d8", "#2e7d32"},
                                         {"#fbd3b4", "#a85f00"},
                                         {"#e8603c", "#7a1f00"}}};
constexpr Tint kUnknown;
constexpr Tint kNoKernel = {"#ffffff", "#999999", true};

struct Scale {
  const char* title;
  const std::array<Tint, 5>& tints;
  std::array<const char*, 5> words;
  std::array<double, 4> steps;
};
constexpr Scale kShareOfTime = {"share of the latency",
                                kSteps,
                                {"below 1 %", "1 to 2 %", "2 to 5 %", "5 to 10 %", "10 % and more"},
                                {0.01, 0.02, 0.05, 0.10}};
constexpr Scale kShareOfEnergy = {"share of the energy",
                                  kSteps,
                                  {"below 1 %", "1 to 2 %", "2 to 5 %", "5 to 10 %", "10 % and more"},
                                  {0.01, 0.02, 0.05, 0.10}};
constexpr Scale kIntensity = {
    "FLOP per byte moved", kSteps, {"below 1", "1 to 10", "10 to 50", "50 to 200", "200 and more"}, {1, 10, 50, 200}};

constexpr Scale kMeasured = {"measured over predicted time",
                             kSides,
                             {"below 0.5", "0.5 to 0.8", "0.8 to 1.25", "1.25 to 2", "2 and more"},
                             {0.5, 0.8, 1.25, 2}};

const Scale* ScaleOf(ColorBy by) {
  return by == ColorBy::kTime        ? &kShareOfTime
         : by == ColorBy::kEnergy    ? &kShareOfEnergy
         : by == ColorBy::kIntensity ? &kIntensity
         : by == ColorBy::kMeasured  ? &kMeasured
                                     : nullptr;
}

}  // namespace

Tint TintOfUnit(UnitId unit) { return unit.valid() ? TintAt(unit.index()) : kUnknown; }

Tint TintOfBound(Bound bound) { return TintAt(static_cast<size_t>(bound)); }

absl::Status Colors::Check(const View& view, ColorBy by) {
  if (by == ColorBy::kMeasured && view.measured == nullptr) {
    return MakeError(Code::kUsage, "--color-by measured asks for measured times", "add --measured-profile FILE",
                     {"--color-by", {"--measured-profile", {"FILE"}}});
  }
  const bool of_plan = by != ColorBy::kUnit && by != ColorBy::kIntensity;
  if (!of_plan || view.summary.latency_s.has_value() || !view.groups.empty()) return absl::OkStatus();
  return MakeError(Code::kUsage, "--color-by asks for what only a target decides",
                   "add --target NAME, or colour by intensity", {"--color-by", {"--target", {"NAME"}}});
}

Colors::Colors(const View& view, ColorBy by) : view_(view), by_(by) {
  if (const Scale* scale = ScaleOf(by); scale != nullptr) {
    all_.title = scale->title;
    steps_.assign(scale->steps.begin(), scale->steps.end());
    for (size_t i = 0; i < scale->tints.size(); ++i) all_.entries.push_back({scale->words[i], scale->tints[i]});
    if (by == ColorBy::kMeasured) all_.entries.push_back({"not measured", kUnknown});
  } else if (by == ColorBy::kUnit) {
    all_.title = "unit";
    for (uint32_t u = 0; u < view.units.size(); ++u) {
      all_.entries.push_back({EscapeControl(view.units[u].name), TintOfUnit(UnitId(u))});
    }
  } else if (by == ColorBy::kBound) {
    all_.title = "bound by";
    for (const BoundRow& row : view.bounds) {
      all_.entries.push_back({std::string(BoundName(row.bound)), TintOfBound(row.bound)});
    }
  } else {
    all_.title = "precision";  // entries come as they occur
  }
  used_.resize(all_.entries.size(), false);
}

size_t Colors::Step(const std::optional<double>& figure, double of) const {
  if (!figure.has_value() || !(of > 0)) return SIZE_MAX;
  return static_cast<size_t>(std::upper_bound(steps_.begin(), steps_.end(), *figure / of) - steps_.begin());
}

size_t Colors::EntryOf(const BoxFigures& box) {
  switch (by_) {
    case ColorBy::kUnit: return box.unit.valid() ? box.unit.index() : SIZE_MAX;
    case ColorBy::kBound: return box.bound.has_value() ? static_cast<size_t>(*box.bound) : SIZE_MAX;
    case ColorBy::kTime: return Step(box.time_s, view_.summary.latency_s.value_or(0));
    case ColorBy::kEnergy: return Step(box.energy_j, view_.summary.energy_j.value_or(0));
    case ColorBy::kIntensity:
      if (!box.flops.has_value() || box.bytes.value_or(0) <= 0) return SIZE_MAX;
      return Step(static_cast<double>(*box.flops), static_cast<double>(*box.bytes));
    case ColorBy::kMeasured: return box.measured_of_s > 0 ? Step(box.measured_s, box.measured_of_s) : kSides.size();
    case ColorBy::kPrecision: break;
  }
  if (box.precision.empty()) return SIZE_MAX;
  for (size_t i = 0; i < all_.entries.size(); ++i) {
    if (all_.entries[i].text == box.precision) return i;
  }
  all_.entries.push_back({box.precision, TintAt(all_.entries.size())});
  used_.push_back(false);
  return all_.entries.size() - 1;
}

Tint Colors::Of(const BoxFigures& box) {
  if (!box.has_kernel && !view_.groups.empty()) {
    used_no_kernel_ = true;
    return kNoKernel;
  }
  const size_t entry = EntryOf(box);
  if (entry >= all_.entries.size()) return kUnknown;
  used_[entry] = true;
  return all_.entries[entry].paint;
}

Palette Colors::Legend() const {
  Palette legend{.title = all_.title};
  for (size_t i = 0; i < all_.entries.size(); ++i) {
    if (used_[i]) legend.entries.push_back(all_.entries[i]);
  }
  if (used_no_kernel_) legend.entries.push_back({kNoKernelWords, kNoKernel});
  return legend;
}

}  // namespace hwest

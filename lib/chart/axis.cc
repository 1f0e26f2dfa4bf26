#include "chart/axis.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/portable_math.h"

namespace hwest {
namespace {

constexpr double kTickSize = 9.5, kTitleSize = 10;
constexpr double kFarApart = 50;  // ratio of largest to least from which an axis is logarithmic
constexpr double kRoom = 1.05;    // above the largest value
constexpr int kFewDecades = 3;

double Decade(int exponent) { return portable::Pow(10.0, exponent); }

// The length of the number at the start of `figure`, and the number.
size_t NumberOf(absl::string_view figure, double* number) {
  const size_t end = std::min(figure.find_first_not_of("0123456789."), figure.size());
  return absl::SimpleAtod(figure.substr(0, end), number) ? end : 0;
}

}  // namespace

std::string ShortFigure(const std::string& figure) {
  double number = 0;
  const size_t end = NumberOf(figure, &number);
  return end == 0 ? figure : absl::StrCat(absl::StrFormat("%.6g", number), figure.substr(end));
}

Axis Axis::Linear(double end, Stretch on, int most) {
  Axis axis;
  axis.on_ = on;
  if (!(end > 0) || !std::isfinite(end)) return axis;
  axis.high_ = end;
  double step = Decade(static_cast<int>(std::floor(portable::Log10(end / most))));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (end / (step * factor) > most) continue;
    step *= factor;
    break;
  }
  for (int i = 0; i * step <= end * (1 + 1e-9); ++i) axis.ticks_.push_back(i * step);
  return axis;
}

Axis Axis::Log(double least, double most, Stretch on) {
  Axis axis;
  axis.on_ = on;
  axis.is_log_ = true;
  const int first = static_cast<int>(std::floor(portable::Log10(least)));
  const int last = std::max(first + 1, static_cast<int>(std::ceil(portable::Log10(most))));
  std::vector<double> round;
  for (int decade = first; decade < last; ++decade) {
    for (const double factor : {1.0, 2.0, 5.0}) round.push_back(factor * Decade(decade));
  }
  round.push_back(Decade(last));
  size_t begin = 0, end = round.size();  // of the range that covers all values, at least two
  while (end - begin > 2 && round[end - 2] >= most) --end;
  while (end - begin > 2 && round[begin + 1] <= least) ++begin;
  axis.low_ = round[begin];
  axis.high_ = round[end - 1];
  for (size_t i = begin; i < end; ++i) {
    const bool is_end = i == begin || i == end - 1, is_decade = i % 3 == 0;
    if (is_end || is_decade || last - first <= kFewDecades) axis.ticks_.push_back(round[i]);
  }
  return axis;
}

Axis Axis::Of(const std::vector<double>& values, Stretch on) {
  double least = HUGE_VAL, most = 0;
  for (const double value : values) {
    if (value > 0) least = std::min(least, value);
    most = std::max(most, value);
  }
  return most > 0 && least < most / kFarApart ? Log(least, most, on) : Linear(most * kRoom, on, 5);
}

Axis Axis::Steps(size_t count, Stretch on) {
  Axis axis;
  axis.on_ = on;
  axis.low_ = -0.5;
  axis.high_ = static_cast<double>(std::max<size_t>(count, 1)) - 0.5;
  for (size_t i = 0; i < count; ++i) axis.ticks_.push_back(static_cast<double>(i));
  return axis;
}

double Axis::At(double value) const {
  const double share = is_log_ ? portable::Log10(std::max(value, low_) / low_) / portable::Log10(high_ / low_)
                               : (value - low_) / (high_ - low_);
  return on_.from + (on_.to - on_.from) * std::min(share, 1.0);
}

std::vector<std::string> TickTexts(const Axis& axis, FigureText words) {
  std::vector<std::string> texts;
  double number = 0;
  const std::string last = axis.ticks().empty() ? "" : words(axis.ticks().back());
  const size_t end = NumberOf(last, &number);
  const bool is_from_zero = !axis.is_log() && axis.low() == 0, has_one_unit = is_from_zero && end > 0 && number > 0;
  for (const double tick : axis.ticks()) {
    texts.push_back(is_from_zero && tick == 0 ? "0"
                    : has_one_unit
                        ? absl::StrCat(absl::StrFormat("%.4g", tick / axis.ticks().back() * number), last.substr(end))
                        : ShortFigure(words(tick)));
  }
  return texts;
}

void DrawAxisBelow(const Plot& plot, const Axis& axis, FigureText words, absl::string_view title, Drawing* drawing) {
  constexpr double kGap = 6;
  const std::vector<std::string> texts = TickTexts(axis, words);
  double clear = -HUGE_VAL;  // end of earlier texts
  for (size_t i = 0; i < texts.size(); ++i) {
    const double at = axis.At(axis.ticks()[i]), half = TextWidth(texts[i], {.size = kTickSize}) / 2;
    drawing->Line(at, plot.top, at, plot.bottom(), kGrid);
    if (at - half < clear) continue;
    drawing->Text(at, plot.bottom() + 15, texts[i], {.size = kTickSize, .anchor = Anchor::kMiddle});
    clear = at + half + kGap;
  }
  drawing->Text(plot.left + plot.width / 2, plot.bottom() + 32, title, {.size = kTitleSize, .anchor = Anchor::kMiddle});
}

void DrawAxisAtLeft(const Plot& plot, const Axis& axis, FigureText words, absl::string_view title, Drawing* drawing) {
  const std::vector<std::string> texts = TickTexts(axis, words);
  double clear = HUGE_VAL;
  for (size_t i = 0; i < texts.size(); ++i) {
    const double at = axis.At(axis.ticks()[i]);
    drawing->Line(plot.left, at, plot.right(), at, kGrid);
    if (at > clear) continue;
    drawing->Text(plot.left - 6, at + 3.5, texts[i], {.size = kTickSize, .anchor = Anchor::kEnd});
    clear = at - kTickSize * 1.3;
  }
  drawing->Text(plot.left, plot.top - 8, title, {.size = kTitleSize});
}

}  // namespace hwest

#include "report/chart.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/enumerators.h"
#include "base/text.h"
#include "report/text_parts.h"

namespace hwest {
namespace {

constexpr absl::string_view kNames[] = {"timeline", "memory", "roofline", "modules", "bounds"};
static_assert(std::size(kNames) == kNumEnumerators<Chart>);
constexpr void (*kDraw[])(const View&, Drawing*) = {DrawTimeline, DrawMemory, DrawRoofline, DrawModules, DrawBounds};
static_assert(std::size(kDraw) == kNumEnumerators<Chart>);

}  // namespace

absl::string_view ChartName(Chart chart) { return kNames[static_cast<size_t>(chart)]; }

double BeginChart(const View& view, absl::string_view what, double width, Drawing* drawing) {
  constexpr double kMargin = 16;
  const RequestView& request = view.request;
  drawing->width = width;
  drawing->title = EscapeControl(absl::StrCat(what, " of ", request.model, " on ", request.target.value_or("")));
  std::vector<std::string> latency = {absl::StrCat("latency ", LatencyText(view))}, facts;
  if (const std::string missing = MissingText(view); !missing.empty()) latency.push_back(missing);
  if (request.mode) facts.push_back(absl::StrCat("mode ", *request.mode));
  if (request.precision) facts.push_back(PrecisionText(view));
  if (request.batch) facts.push_back(absl::StrCat("batch ", *request.batch));
  drawing->Text(kMargin, 24, drawing->title, Anchor::kStart, 14, true);
  drawing->Text(kMargin, 42, EscapeControl(absl::StrJoin(latency, ", ")), Anchor::kStart, 11);
  if (facts.empty()) return 60;
  drawing->Text(kMargin, 58, EscapeControl(absl::StrJoin(facts, ", ")), Anchor::kStart, 11);
  return 76;
}

std::vector<double> TicksOf(double end, int most) {
  std::vector<double> ticks;
  if (!(end > 0) || !std::isfinite(end)) return ticks;
  double step = std::pow(10.0, std::floor(std::log10(end / most)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (end / (step * factor) > most) continue;
    step *= factor;
    break;
  }
  for (int i = 0; i * step <= end * (1 + 1e-9); ++i) ticks.push_back(i * step);
  return ticks;
}

std::string Short(std::string figure) {
  const size_t point = figure.find('.'), blank = std::min(figure.find(' '), figure.size());
  if (point >= blank) return figure;
  size_t end = blank;
  while (end > point && (figure[end - 1] == '0' || figure[end - 1] == '.')) --end;
  return figure.erase(end, blank - end);
}

absl::StatusOr<Drawing> DrawChart(const View& view, Chart chart) {
  if (!view.summary.latency_s.has_value() || view.groups.empty()) {
    return MakeError(Code::kUsage, absl::StrCat("the chart ", ChartName(chart), " needs times"),
                     "add --target NAME; a model of which no time is known has none");
  }
  if (chart == Chart::kModules && view.modules.empty()) {
    return MakeError(Code::kUsage, "the file names no modules to draw",
                     "use --chart timeline, memory, roofline or bounds");
  }
  Drawing drawing;
  kDraw[static_cast<size_t>(chart)](view, &drawing);
  return drawing;
}

}  // namespace hwest

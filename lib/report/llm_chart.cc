#include "report/llm_chart.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "chart/axis.h"

namespace hwest {
namespace {

constexpr double kLlmWidth = 900, kPlotHeight = 240, kBetween = 70;

std::string TokensText(double tokens) { return absl::StrFormat("%.0f", tokens); }
std::string TokenRateText(double per_s) { return absl::StrFormat("%.3g", per_s); }
std::string GigabytesText(double bytes) { return absl::StrFormat("%.3g GB", bytes / 1e9); }

class ContextChart {
 public:
  explicit ContextChart(const LlmReport& report)
      : report_(report),
        drawing_(kLlmWidth, absl::StrCat(report.decoder.name, " by context"),
                 {"hollow: does not fit; dashed: the largest context that fits"}) {}

  Drawing Draw() && {
    DrawPlot("tokens per second", TokenRateText, [](const LlmRow& row) { return row.tokens_per_s; });
    DrawPlot("memory", GigabytesText, [](const LlmRow& row) { return row.memory.total_bytes(); });
    std::vector<LegendEntry> entries;
    for (size_t i = 0; i < report_.results.size(); ++i) {
      const LlmResult& result = report_.results[i];
      if (result.by_context.empty()) continue;
      entries.push_back({absl::StrCat(result.target, ": ", result.runtime, ", ", result.weights), TintAt(i)});
    }
    drawing_.Legend(entries, Drawing::kMargin, kLlmWidth - Drawing::kMargin);
    return std::move(drawing_);
  }

 private:
  template <typename Figure>
  void DrawPlot(absl::string_view title, FigureText words, Figure figure) {
    std::vector<double> contexts, figures;
    for (const LlmResult& result : report_.results) {
      for (const LlmRow& row : result.by_context) {
        contexts.push_back(static_cast<double>(row.context));
        figures.push_back(figure(row));
      }
    }
    if (contexts.empty()) return;
    const Plot plot = {.left = Drawing::kMargin + 80,
                       .top = drawing_.y + 20,
                       .width = kLlmWidth - 2 * Drawing::kMargin - 100,
                       .height = kPlotHeight};
    const Axis x = Axis::Of(contexts, plot.Across()), y = Axis::Of(figures, plot.Up());
    DrawAxisAtLeft(plot, y, words, title, &drawing_);
    DrawAxisBelow(plot, x, TokensText, "tokens in the cache", &drawing_);
    for (size_t i = 0; i < report_.results.size(); ++i) DrawResult(report_.results[i], TintAt(i), plot, x, y, figure);
    drawing_.y = plot.bottom() + kBetween;
  }

  template <typename Figure>
  void DrawResult(const LlmResult& result, const Tint& tint, const Plot& plot, const Axis& x, const Axis& y,
                  Figure figure) {
    for (size_t i = 0; i < result.by_context.size(); ++i) {
      const LlmRow& row = result.by_context[i];
      const double at_x = x.At(static_cast<double>(row.context)), at_y = y.At(figure(row));
      if (i > 0) {
        const LlmRow& before = result.by_context[i - 1];
        drawing_.Line(x.At(static_cast<double>(before.context)), y.At(figure(before)), at_x, at_y, tint.line);
      }
      drawing_.Dot(at_x, at_y, 6, row.fits.value_or(true) ? tint.line : kPaper, tint.line,
                   absl::StrCat(result.target, ", ", row.context, " tokens: ", TokenRateText(row.tokens_per_s),
                                " tokens/s, ", GigabytesText(row.memory.total_bytes())));
    }
    const double largest = static_cast<double>(result.largest_context.value_or(0));
    const bool is_inside = !result.by_context.empty() && largest >= x.low() && largest <= x.high() && largest > 0;
    if (is_inside) {
      drawing_.Line(x.At(largest), plot.bottom(), x.At(largest), plot.top, tint.line, {.is_dashed = true});
    }
  }

  const LlmReport& report_;
  Drawing drawing_;
};

}  // namespace

Drawing DrawLlm(const LlmReport& report) { return ContextChart(report).Draw(); }

}  // namespace hwest

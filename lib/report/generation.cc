// What --context adds to reports: time to first token and tokens per second by the length of the context.
#include "absl/strings/str_cat.h"
#include "base/text.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/view_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

std::string Joules(std::optional<double> joules) { return joules.has_value() ? FormatJoules(*joules) : "unknown"; }

}  // namespace

std::string GenerationText(const View& view, const ReportOptions& options) {
  if (view.generation == nullptr) return "";
  TextTable table({{.title = "context", .align = Align::kRight},
                   {.title = "first token", .align = Align::kRight},
                   {.title = "80 % interval"},
                   {.title = "energy", .align = Align::kRight},
                   {.title = "tokens/s", .align = Align::kRight},
                   {.title = "80 % interval"},
                   {.title = "J/token", .align = Align::kRight},
                   {.title = "cache", .align = Align::kRight},
                   {.title = "peak memory", .align = Align::kRight},
                   {.title = "fits"}});
  for (const GenerationRow& row : *view.generation) {
    const bool prompts = row.first_token_s.has_value();
    const auto rate = [](double seconds) { return seconds > 0 ? RateText(1 / seconds) : std::string("-"); };
    table.Add({absl::StrCat(row.context), prompts ? FormatSeconds(*row.first_token_s) : "-",
               prompts
                   ? absl::StrCat(FormatSeconds(row.first_token_low_s), " to ", FormatSeconds(row.first_token_high_s))
                   : "-",
               prompts ? Joules(row.first_token_j) : "-", rate(row.token_s),
               absl::StrCat(rate(row.token_high_s), " to ", rate(row.token_low_s)), Joules(row.token_j),
               FormatBytes(row.cache_bytes), FormatBytes(row.peak_memory_bytes),
               row.fits.has_value() ? (*row.fits ? "yes" : "no") : "unknown"});
  }
  const std::string runtime = view.generation->empty() ? "" : view.generation->front().runtime;
  const std::string legend =
      runtime.empty()
          ? "first token: the prompt in one run; tokens/s: one token a run, with the context in the cache, which "
            "has the type that the file declares; tokens are placed as at the longest context, which the rest "
            "of this report is about"
          : absl::StrCat("as ", runtime,
                         " runs the model, in its own formats: `onnx-hwest llm` says what a token's "
                         "time goes into; the rest of this report is about the file's own operators, one token "
                         "at the longest context");
  return absl::StrCat(Paint("By length of the context", Style::kBold, options.color), "\n", table.Print(options),
                      Wrapped(legend, "  ", "  ", options));
}

}  // namespace hwest

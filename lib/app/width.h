// What other widths of a model's layers bring.
#pragma once

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/request_options.h"
#include "app/model.h"
#include "hwest/analysis.h"
#include "hwest/report.h"
#include "hwest/watch.h"
#include "study/width.h"

namespace hwest::app {

struct WidthResult {
  std::shared_ptr<const Analysis> analysis;  // of the model as it is
  WidthReport report;
};

// Errors: those of Analyze and WidthsOf; kUsage without a target, and for a model that cannot be read again.
absl::StatusOr<WidthResult> Width(const LoadedModel& model, const RequestDraft& draft, const WidthOptions& options,
                                  const Watch& watch);

// Formats: text, JSON, CSV and Markdown (the layers); SVG, PNG and PDF: the staircases of those that take most time;
// HTML: both. Errors: kUsage for other formats; those of `sink`.
absl::Status WriteWidth(const WidthResult& result, const ReportOptions& options, Sink sink);

}  // namespace hwest::app

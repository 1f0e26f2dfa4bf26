// A sweep as a document: text and Markdown for people, JSON, JSON lines and CSV for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "report/report.h"
#include "sweep/points.h"
#include "sweep/row.h"

namespace hwest {

// A sweep as it was asked for.
struct SweepRequest {
  SweepAxes axes;
  std::optional<Shard> shard;
};

// Formats: text, markdown, json, jsonl, csv, html, svg, png, pdf. In text, markdown and html options.top shows the N fastest rows. Errors: kUsage
// for other formats; those of `sink`.
absl::Status WriteSweep(const std::vector<SweepRow>& rows, const SweepRequest& request, const ReportOptions& options,
                        Sink sink);

}  // namespace hwest

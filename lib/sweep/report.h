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

// A sweep as requested.
struct SweepRequest {
  SweepAxes axes;
  std::optional<Shard> shard;
  std::vector<Diagnostic> notes = {};
};

// CheckSweepReport finds before a sweep what WriteSweep would refuse after it. Errors: those of WriteSweep except
// `sink`'s.
absl::Status CheckSweepReport(const ReportOptions& options);

// Formats: text, markdown, json, jsonl, csv, html, svg, png, pdf. options.top limits text, markdown and html to the
// fastest rows; options.graph.columns names the columns of these and of csv. Errors: kUsage for other formats and for a
// name that is no column; those of `sink`.
absl::Status WriteSweep(const std::vector<SweepRow>& rows, const SweepRequest& request, const ReportOptions& options,
                        Sink sink);

}  // namespace hwest

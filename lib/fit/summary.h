// The tables of a validation: points, and rows that sum them up.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "fit/match.h"
#include "fit/prediction.h"
#include "hwest/validation.h"
#include "measured/measurements.h"

namespace hwest {

// One measurement and what was predicted for it.
struct Point {
  Measurement measured;
  Query query;
  Prediction prediction;
  std::string fold;  // what the targets were fitted without; empty = nothing was fitted
};

// Points whose prediction rests on measurements to about the same share of its time; `low` and `high` are none for
// those of targets without evidence.
struct EvidenceBin {
  std::optional<double> low, high;
  Summary summary;
};

// Points of one trust, as their file rates them; empty = not rated.
struct TrustRow {
  std::string trust;
  Summary summary;
};

struct DeviceRows {
  std::string device;
  size_t count = 0;
};

struct Validation {
  std::vector<ValidationRow> rows;    // points of exact matches only, sorted by their texts
  std::vector<Pool> pools;            // the same points
  std::vector<EvidenceBin> evidence;  // the same points by their evidence_share, most first; empty ones are left out
  std::vector<TrustRow> trust;        // the same points
  std::vector<Point> points;          // by row of the file
  std::vector<SkippedRows> skipped;   // most first
  std::vector<DeviceRows> unknown_devices;  // of rows that no target is measured as, most first
};

Summary Summarize(absl::Span<const Point* const> points);
// Of exact matches among the points.
std::vector<ValidationRow> RowsOf(const std::vector<Point>& points);
std::vector<Pool> PoolsOf(const std::vector<Point>& points);
std::vector<TrustRow> TrustRowsOf(const std::vector<Point>& points);
std::vector<EvidenceBin> EvidenceBinsOf(const std::vector<Point>& points);

}  // namespace hwest

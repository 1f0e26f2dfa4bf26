// The tables of a validation: points, and rows that sum them up.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "fit/match.h"
#include "fit/prediction.h"
#include "measured/measurements.h"

namespace hwest {

// One measurement and what was predicted for it.
struct Point {
  Measurement measured;
  Query query;
  Prediction prediction;
  std::string fold;  // what the targets were fitted without; empty = nothing was fitted
};

// Measures over points. Shares and errors, not per cent; none = not defined for these points.
struct Summary {
  size_t n = 0;
  size_t families = 0;
  std::optional<double> median;      // of the error, see metrics.h
  std::optional<double> p90;
  std::optional<double> bias;
  std::optional<double> coverage80;  // share of the measured values inside the predicted interval
  std::optional<double> noise;       // median error between two versions of one source for the same thing
  std::optional<double> roofline_median;
  std::optional<double> flops_median;
};

// What was measured in one way on one device.
struct ValidationRow {
  std::string target, device, unit, runtime, mode, precision, metric;
  size_t fitted = 0;  // numbers fitted to measurements that a time at this precision is computed from
  Summary summary;
  std::optional<double> spearman;  // points of one (model, precision, mode, batch) merged to their geometric mean
};

// Rows of one kind of machine together: accelerators by target family, runtime with the most weight (its versions are
// one), precision and metric; CPUs all in one per metric.
struct Pool {
  std::string family, unit, runtime, precision, metric;  // family, runtime and precision are empty for CPUs
  size_t devices = 0;
  size_t fitted = 0;  // numbers fitted to measurements behind these points
  Summary summary;
  std::optional<double> least_spearman;  // of the devices with ten models or more
};

// Points whose prediction rests on measurements to about the same share of its time; `low` and `high` are none for those
// of targets without evidence.
struct EvidenceBin {
  std::optional<double> low, high;
  Summary summary;
};

// Points of one trust, as their file rates them; empty = not rated.
struct TrustRow {
  std::string trust;
  Summary summary;
};

struct SkippedRows {
  std::string reason;
  size_t count = 0;
};

struct DeviceRows {
  std::string device;
  size_t count = 0;
};

struct Validation {
  std::vector<ValidationRow> rows;  // points of exact matches only, sorted by their texts
  std::vector<Pool> pools;          // the same points
  std::vector<EvidenceBin> evidence;  // the same points by their evidence_share, most first; empty ones are left out
  std::vector<TrustRow> trust;        // the same points
  std::vector<Point> points;        // by row of the file
  std::vector<SkippedRows> skipped;  // most first
  std::vector<DeviceRows> unknown_devices;  // of rows that no target is measured as, most first
};

Summary Summarize(absl::Span<const Point* const> points);
// Of exact matches among the points.
std::vector<ValidationRow> RowsOf(const std::vector<Point>& points);
std::vector<Pool> PoolsOf(const std::vector<Point>& points);
std::vector<TrustRow> TrustRowsOf(const std::vector<Point>& points);
std::vector<EvidenceBin> EvidenceBinsOf(const std::vector<Point>& points);

}  // namespace hwest

// Width: how the time of a model follows the output channels of its convolutions and products with constant weights,
// and which other widths pay off.
//
//   HWEST_ASSIGN_OR_RETURN(const WidthReport report, WidthsOf(analysis, read_model, limits, {}, nullptr, nullptr));
//   for (const WidthGain& gain : BestWidths(report)) ...
//
// A layer rarely changes alone: what it makes is read by other layers, whose input channels follow, and residual sums
// and depthwise convolutions make other layers change with it. A row stands for all layers that change together (a
// set); its figures come from a whole analysis of the model with every weight of the set reshaped.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/load.h"
#include "hwest/analysis.h"
#include "hwest/study.h"
#include "ir/raw.h"

namespace hwest {

// A constant of the file, or the attribute of a node, in the changed model.
struct WidthEdit {
  std::string name;           // of the constant, or of the first output of the node
  std::string attribute;      // "" = a constant
  std::vector<int64_t> dims;  // of the constant; of an attribute its one number
  // Of a vector that several nodes share, as exporters share equal biases: first output of the node that gets a copy of
  // its own, and which operand of it that is. "" = the constant itself has other sizes.
  std::string reader = "";
  size_t operand = 0;
};

// The model with another width: what a whole analysis of it says.
struct WidthChange {
  int64_t width = 0;  // output channels of the row's layer
  double latency_s = 0;
  double saving_s = 0;  // latency now less that; negative = it costs so much more
  std::optional<double> energy_j;
  int64_t macs = 0;
  int64_t params = 0;
  std::vector<WidthEdit> edits;
};

// Time of the kernels of a set, each alone, at another width.
struct WidthPoint {
  int64_t width = 0;
  double time_s = 0;
};

struct WidthRow {
  std::string layer;                 // the node, as reports call it
  std::string op;                    // its operator
  NodeId node;                       // of the graph
  int64_t set = -1;                  // rows of one number change together; -1 = the layer cannot change
  std::string unit;                  // that runs it; "" = none
  int64_t width = 0;                 // output channels now
  std::optional<double> time_s;      // of its kernel
  std::optional<double> share;       // of the latency
  std::vector<std::string> tied;     // other layers whose output channels change with it
  std::vector<std::string> readers;  // layers whose input channels follow
  std::string fixed;                 // why it cannot change; "" = it can
  // The width that its kernels take no longer for than now: the end of the step that it stands on.
  std::optional<int64_t> filled;
  std::optional<double> waste;         // 1 - width / filled
  std::optional<WidthChange> smaller;  // the end of the step below
  std::optional<WidthChange> larger;   // `filled`, where that is more than now
  std::optional<WidthChange> asked;    // WidthOptions::width
  std::vector<WidthPoint> staircase;   // empty for rows after the first of a set
};

struct WidthReport {
  std::vector<WidthRow> rows;  // in the order of the graph
  double latency_s = 0;        // now
  double waste_share = 0;      // of the latency: time of each row's kernel times its waste
};

struct WidthOptions {
  std::vector<std::string> layers;  // only these nodes; empty = all
  std::optional<int64_t> width;     // fill `asked`
  size_t most = 0;                  // only as many, those whose kernels take longest; 0 = all
};

// WidthsOf fills a row for each convolution and product with constant weights of the main graph. `base` is an analysis
// with a plan; `read` reads the file of its model once more. Errors: kUsage without a plan, for a layer that does not
// exist; kInterrupted after `stop` returned true. `progress` and `stop` may be null.
absl::StatusOr<WidthReport> WidthsOf(const Analysis& base, const std::function<absl::StatusOr<RawModel>()>& read,
                                     const LoadOptions& limits, const WidthOptions& options,
                                     const StudyProgress& progress, const std::function<bool()>& stop);

// A change worth listing: it saves time for no more than a step of channels, or adds channels for no time.
struct WidthGain {
  std::vector<std::string> layers;  // of the set
  int64_t from = 0, to = 0;         // of the first of them
  double latency_s = 0;
  double saving_s = 0;
  bool is_free = false;  // more channels at (nearly) no time
  std::vector<WidthEdit> edits;
};

// BestWidths lists one change per set that saves more time than its share of the channels, the largest saving first,
// then widenings that cost less than a thousandth of the latency.
std::vector<WidthGain> BestWidths(const WidthReport& report);

// WidthModel returns the model with the edits made. Contents of reshaped constants are gone.
absl::StatusOr<RawModel> WidthModel(RawModel raw, const std::vector<WidthEdit>& edits);

}  // namespace hwest

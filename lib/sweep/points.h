// Points of a sweep: every combination of the user's lists, in the order of the lists, numbered but never stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "analysis/request_options.h"
#include "hwest/sweep.h"
#include "hwest/target.h"
#include "target/settable.h"

namespace hwest {

// Parses "4,8", "128:2048:x2" or "64:256:+64", ends included. Errors: kUsage, naming the flag.
absl::StatusOr<std::vector<int64_t>> ParseSizes(absl::string_view flag, absl::string_view text);
// "PATH=VALUES" of a figure of the target. Errors: as above, for a text without a path.
absl::Status AddSettingAxis(absl::string_view flag, absl::string_view text, SweepAxes* axes);
// "NAME=SIZES"; the last '=' separates. Errors: as above.
absl::Status AddDimAxis(absl::string_view flag, absl::string_view text, SweepAxes* axes);

// Shard I of N, from 1: consecutive points, so that a shard loads few models, and all shards in order are the sweep.
struct Shard {
  size_t index = 1;
  size_t count = 1;
};
absl::StatusOr<Shard> ParseShard(absl::string_view flag, absl::string_view text);

// An option of the request, by name, and what it names in a model; "" = nothing.
struct LeftOutOption {
  const char* option = "";
  std::string name;
};
using LeftOut = std::vector<LeftOutOption>;  // what does not fit a model, see sweep/fit.h

// One point, in the user's words.
struct SweepPoint {
  size_t model = 0;                              // of SweepPlan::models
  std::string target, mode, precision;           // mode "" = the target's default
  std::shared_ptr<const Target> loaded;          // null = load `target`
  std::vector<std::pair<Settable, double>> set;  // figures of `loaded` that the point states anew
  std::optional<int64_t> batch;
  Dims dims;
  std::optional<int64_t> size;
  bool rewritten = false;
};

// SweepPlan numbers the points: models before targets, modes, settings, precisions, batches, dims
// and sizes.
class SweepPlan {
 public:
  // Errors: kUsage for a duplicate in a list, an invalid precision, no model or no target.
  static absl::StatusOr<SweepPlan> Make(SweepAxes axes);
  // Renumbers the points without the dims and sizes that do not fit a model.
  void LeaveOut(std::vector<LeftOut> of_model);

  const std::vector<std::string>& models() const { return axes_.models; }
  const LeftOut& left_out(size_t model) const;
  size_t size() const { return first_.back(); }
  // The first point of a model and the one past its last.
  std::pair<size_t, size_t> PointsOf(size_t model) const { return {first_[model], first_[model + 1]}; }
  size_t ModelOf(size_t index) const;
  SweepPoint point(size_t index) const;
  // The first point of the shard and the one past its last.
  std::pair<size_t, size_t> RangeOf(const Shard& shard) const;

 private:
  struct Place {
    std::string target, mode;
    std::shared_ptr<const Target> loaded;
    std::vector<std::pair<Settable, std::vector<double>>> settings;  // as many values of each in every place
  };
  bool Fits(size_t model, absl::string_view option, absl::string_view name) const;
  std::optional<size_t> CountOf(size_t model) const;  // none = overflow
  absl::Status Number();
  absl::Status AddSettings();

  SweepAxes axes_;  // each with at least one value, except dims
  std::vector<Place> places_;
  std::vector<std::optional<int64_t>> batches_, sizes_;
  std::vector<LeftOut> left_out_;  // by model; empty = everything fits
  std::vector<size_t> first_;      // point of each model, then their number
};

}  // namespace hwest

// Points of a sweep: every combination of what the user listed, in the order of the lists, numbered but never held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "analysis/request_options.h"

namespace hwest {

using Dims = std::vector<std::pair<std::string, int64_t>>;

// What a sweep runs over. An axis without values stands for one value: what an analysis takes by default.
struct SweepAxes {
  std::vector<std::string> models;                  // paths
  std::vector<std::string> targets;                 // "all" = every built-in one
  std::vector<std::string> modes;                   // "all" = every mode of each target
  std::vector<std::string> precisions;
  std::vector<int64_t> batches;
  std::vector<std::pair<std::string, std::vector<int64_t>>> dims;  // sizes by name
  std::vector<int64_t> sizes;                       // height and width of images
  bool rewritten = false;                           // every point is of the model after the rewrites that help it there
};

// "4,8", "128:2048:x2" or "64:256:+64", whose ends are included. Errors: kUsage, naming the flag.
absl::StatusOr<std::vector<int64_t>> ParseSizes(absl::string_view flag, absl::string_view text);
// "NAME=SIZES"; the last '=' separates. Errors: as above.
absl::Status AddDimAxis(absl::string_view flag, absl::string_view text, SweepAxes* axes);
// Adds the elements of "A,B". Errors: kUsage for an empty element.
absl::Status AddNames(absl::string_view flag, absl::string_view text, std::vector<std::string>* names);

// I of N, from 1: neighbouring points, so that a shard loads few models and all shards in order are the whole.
struct Shard {
  size_t index = 1;
  size_t count = 1;
};
absl::StatusOr<Shard> ParseShard(absl::string_view flag, absl::string_view text);

// One point, in the words of the user.
struct SweepPoint {
  size_t model = 0;  // of SweepPlan::models
  std::string target, mode, precision;  // mode "" = the target's default
  std::optional<int64_t> batch;
  Dims dims;
  std::optional<int64_t> size;
  bool rewritten = false;
};

// SweepPlan numbers the points: models before targets, modes, precisions, batches, dims and sizes.
class SweepPlan {
 public:
  // Errors: kUsage when a list names something twice, or when there is no model or no target.
  static absl::StatusOr<SweepPlan> Make(SweepAxes axes);

  const std::vector<std::string>& models() const { return axes_.models; }
  size_t size() const { return axes_.models.size() * per_model_; }
  size_t per_model() const { return per_model_; }
  SweepPoint point(size_t index) const;
  // First point of the shard and the one behind its last.
  std::pair<size_t, size_t> RangeOf(const Shard& shard) const;

 private:
  SweepAxes axes_;  // each with a value at least, but dims
  std::vector<std::pair<std::string, std::string>> places_;  // target and mode
  std::vector<std::optional<int64_t>> batches_, sizes_;
  size_t per_model_ = 0;
};

}  // namespace hwest

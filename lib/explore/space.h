// The space of an exploration: figures of a target, each with the values it may have. A point picks one of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/target.h"
#include "target/settable.h"

namespace hwest {

using Vary = std::vector<std::pair<std::string, std::string>>;  // {"npu.rows", "8:128:x2"}
using GridPoint = std::vector<uint32_t>;                        // of each axis the index of its value

class Space {
 public:
  // Errors: kUsage for paths and values as FindSettable and ParseValues, for none, and for one named twice.
  static absl::StatusOr<Space> Make(const Target& target, const Vary& vary);

  struct Axis {
    Settable figure;
    std::vector<double> values;
  };
  const std::vector<Axis>& axes() const { return axes_; }
  size_t size() const { return size_; }
  GridPoint At(size_t index) const;  // the last axis varies fastest
  size_t IndexOf(const GridPoint& point) const;
  std::vector<double> ValuesOf(const GridPoint& point) const;
  // Restates what the axes set of `target`, which is a copy of the base's figures.
  void Apply(const std::vector<double>& values, Target* target) const;

 private:
  std::vector<Axis> axes_;
  size_t size_ = 1;
};

}  // namespace hwest

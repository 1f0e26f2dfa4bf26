// FusionRules: further patterns, as a user writes them in a file. One pattern is a line with its name and expression
// (see pattern.h), which goes on while a parenthesis is open, followed by statements, one per line:
//
//   # upsampling done by the convolution that reads it
//   resize_conv = (Relu|Clip)(Conv(Resize(x, _?, _?, _?), w, b?))
//     family conv_act              what its groups are called; default the pattern's own name
//     toolchains tensorrt, tidl    who applies it; default every toolchain
//     picks conv_act               fusions that such a toolchain has to have, too
//   @gate = (Sigmoid|HardSigmoid)(%)      a fragment for the expressions below
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "fuse/patterns.h"

namespace hwest {

// Rows and vocabulary point into `texts`, hence no copies.
struct FusionRules {
  FusionRules() = default;
  FusionRules(const FusionRules&) = delete;
  FusionRules& operator=(const FusionRules&) = delete;

  // Parse reads the text of a file that messages call `name`; empty text gives no rows. Errors: kUsage with
  // "NAME:LINE:COLUMN: what is wrong", and what to write instead.
  static absl::StatusOr<std::shared_ptr<const FusionRules>> Parse(absl::string_view text, absl::string_view name);

  std::vector<PatternRow> rows;                      // in the order of the file
  std::deque<Pattern> patterns;                      // of each row
  std::vector<std::vector<std::string>> toolchains;  // by row; empty = every one
  std::vector<Fragment> vocabulary;                  // the table's, then the file's own
  std::deque<std::string> texts;
};

}  // namespace hwest

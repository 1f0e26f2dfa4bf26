// What makes a target or toolchain file valid.
#pragma once

#include <string>
#include <vector>

#include "hwest/target.h"
#include "target/proto.h"

namespace hwest {

// CheckKeys reports rows of one table that share a key. Run it on a file before inheritance, which merges them.
std::vector<LintProblem> CheckKeys(const google::protobuf::Message& root);

// CheckTarget reports figures without a known source or trust, figures out of range, references to nothing, and modes
// without exactly one default. `target` has its base merged in. Lines are not set.
std::vector<LintProblem> CheckTarget(const proto::Target& target);

// CheckToolchain reports support rows without op, source or trust, ops stated twice, limits that cannot be read.
std::vector<LintProblem> CheckToolchain(const proto::Toolchain& toolchain);

}  // namespace hwest

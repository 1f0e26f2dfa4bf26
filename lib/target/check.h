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

// The path of a row in problems: that of its first operator.
std::string SupportPath(const proto::Support& row);

// CheckToolchain reports support rows without op, source or trust, ops stated twice, limits that cannot be read, and
// what CheckNames does.
std::vector<LintProblem> CheckToolchain(const proto::Toolchain& toolchain);
// CheckNames reports operators, attributes and fusions that do not exist, with the nearest that do.
std::vector<LintProblem> CheckNames(const proto::Toolchain& toolchain);

}  // namespace hwest

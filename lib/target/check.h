// Checks whether a target or toolchain file is valid.
#pragma once

#include <string>
#include <vector>

#include "hwest/target.h"
#include "target/proto.h"

namespace hwest {

// CheckKeys reports rows of one table that share a key. Run it on a file before inheritance, which merges them.
std::vector<LintProblem> CheckKeys(const google::protobuf::Message& root);

// CheckTarget reports figures without a known source or trust, figures out of range, dangling references, and modes
// without exactly one default. `target` includes its base. Lines are not set.
std::vector<LintProblem> CheckTarget(const proto::Target& target);

// The path of a row in problems: its first operator's.
std::string SupportPath(const proto::Support& row);
std::string SlowPath(const proto::Slow& row);
std::string HostCopyPath(const proto::HostCopy& row);

// CheckToolchain reports support rows without op, source or trust, duplicate ops, invalid limits, and the problems of
// CheckNames.
std::vector<LintProblem> CheckToolchain(const proto::Toolchain& toolchain);
// CheckNames reports unknown operators, attributes and fusions, with the nearest known ones.
std::vector<LintProblem> CheckNames(const proto::Toolchain& toolchain);

}  // namespace hwest

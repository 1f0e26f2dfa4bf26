// Times of single operators that another runtime measured, matched to the groups of a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hwest/id.h"

namespace hwest {

// A kernel as the runtime's profiler names it.
struct ProfileEntry {
  std::string name;   // TensorRT joins the nodes that it fused: "conv1 + relu1"
  std::string op;     // "" = the file does not say
  double time_s = 0;  // of one inference
};

struct Profile {
  std::string program;          // that wrote the profile, e.g. "trtexec"
  std::optional<int64_t> runs;  // over which times are averaged
  std::vector<ProfileEntry> entries;
};

// What an entry of a profile is about.
enum class MeasuredMatch : uint8_t {
  kGroups,    // groups of the plan, whole
  kPart,      // nodes of a group whose main node no entry names
  kNoKernel,  // nodes that cost nothing in the plan
  kUnknown,   // no node of the model, such as a copy that the runtime added
};

struct MeasuredEntry {
  ProfileEntry entry;
  MeasuredMatch match = MeasuredMatch::kUnknown;
  std::vector<NodeId> nodes;    // ascending
  std::vector<GroupId> groups;  // that hold them, ascending
};

// Groups that entries of a profile tie together: several only if the runtime fused what the plan keeps apart.
struct MeasuredSet {
  std::vector<GroupId> groups;        // ascending
  double time_s = 0;                  // of all its entries
  std::optional<double> predicted_s;  // of its groups; none = a time is unknown
};

struct MeasuredTimes {
  std::string program;
  std::optional<int64_t> runs;
  std::vector<MeasuredEntry> entries;              // as in the profile
  std::vector<MeasuredSet> sets;                   // of entries with kGroups, by their first group
  IdMap<GroupId, std::optional<uint32_t>> set_of;  // index of the set a group is in; none = not measured
};

}  // namespace hwest

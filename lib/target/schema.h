// A reference of the format of target and toolchain files, from target.proto and the tables that check a file.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace hwest {

// Where people find the schema: the path of target.proto installed with the running program or library, else
// "target.proto (`onnx-hwest describe target-format`)".
std::string SchemaName();

// One row of the reference: a field, a value of an enum, a parameter, a form of a limit or a fusion.
struct FormatRow {
  std::string in;  // message or enum of target.proto; "param", "limit" or "fusion" for the names in texts
  std::string name;
  std::string type;     // a field's, e.g. "Fact" or "repeated Unit"; for a parameter, the kinds of unit that have it
  std::string measure;  // unit of measure, empty = none
  std::string range;    // what `targets lint` considers credible, empty = anything
  std::string meaning;
};
std::vector<FormatRow> TargetFormat();

// A complete target file that lints clean and runs.
absl::string_view ExampleTarget();

}  // namespace hwest

// The format of target and toolchain files as a reference, made from target.proto and the tables that check a file.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace hwest {

// Where people read the schema: the path of target.proto beside the program or library that runs, where it is
// installed, else "target.proto (`onnx-hwest describe target-format`)".
std::string SchemaName();

// One row of the reference: a field, a value of an enum, a parameter, a form of a limit or a fusion.
struct FormatRow {
  std::string in;  // message or enum of target.proto; "param", "limit" or "fusion" for the names in texts
  std::string name;
  std::string type;     // of a field, e.g. "Fact" or "repeated Unit"; of a parameter the kinds of unit that have it
  std::string measure;  // unit of measure, empty = none
  std::string range;    // what `targets lint` takes as credible, empty = anything
  std::string meaning;
};
std::vector<FormatRow> TargetFormat();

// A complete target file that lints clean and runs.
absl::string_view ExampleTarget();

}  // namespace hwest

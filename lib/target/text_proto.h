// Reads protobuf's text form, used by target, budget and workload files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "google/protobuf/text_format.h"

namespace hwest {

struct TextProtoError {
  int line = 0, column = 0;  // from 1
  std::string message;       // the parser's
};

// ReadTextProto returns whether `text` is a message of `out`'s type, and appends the parser's complaints. `tree` gets
// the lines of the fields; it may be null.
bool ReadTextProto(absl::string_view text, google::protobuf::Message* out,
                   google::protobuf::TextFormat::ParseInfoTree* tree, std::vector<TextProtoError>* errors);

// The key that the parser does not know; none if its message is about something else.
std::optional<std::string> UnknownKeyOf(absl::string_view message);

}  // namespace hwest

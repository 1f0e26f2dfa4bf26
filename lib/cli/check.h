// --check: libonnx's verdict on a model file, from the program beside this one.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "hwest/diagnostic.h"

namespace hwest {

// CheckModel runs onnx-hwest-check on the file. OK when libonnx accepts it, or when the file is newer than libonnx
// knows: then `notes` gets a note that it was not checked. Errors: kCheckFailed with libonnx's words; kUsage for
// standard input and when the program is not there or gives no verdict.
absl::Status CheckModel(const std::string& path, std::vector<Diagnostic>* notes);

}  // namespace hwest

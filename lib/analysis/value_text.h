// Contents of inputs as text, the way the command line and the C ABI take them.
#pragma once

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/analysis.h"
#include "hwest/graph.h"

namespace hwest {

// AddValue reads "INPUT=FILE" or "INPUT=LITERAL" and adds it to `bind`. A FILE's name ends in .pb or holds a '/'; it is
// a serialised TensorProto, SequenceProto or OptionalProto, as the input's declared type says. A LITERAL (see
// literal.h) takes its element type from the input, or from a prefix such as "int64:"; it is a tensor. Errors: kUsage
// for text and files, kBindConflict for a name that is no input.
absl::Status AddValue(const Graph& graph, absl::string_view text, BindRequest* bind);

// Where in the text of AddValue its FILE begins; none for a literal. Errors: as AddValue for a name that is no input.
absl::StatusOr<std::optional<size_t>> FileOfValue(const Graph& graph, absl::string_view text);

}  // namespace hwest

// Diagnostics: everything the library reports besides figures, errors included.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "hwest/id.h"

namespace hwest {

// Code names one kind of diagnostic. The row of the message table in lib/base/diagnostic.cc gives its text id, severity
// and process exit code. Append only; the text ids are public (JSON `diagnostics[].code`).
enum class Code : int32_t {
  kInternal,
  kUsage,
  kModelMissing,  // the file does not exist or cannot be read
  kModelFormat,   // another container, or no ONNX at all
  kModelCorrupt,  // truncated or malformed bytes
  kModelRefused,  // legal bytes, but a cap or a rule of the format is broken (cycle, recursion, size)
  kTargetUnknown,
  kTargetInvalid,
  kFreeDims,
  kBindConflict,  // --dim/--shape/--batch contradict the model
  kOutputUnwritable,
  kIncomplete,  // --strict and something is unknown
  kCheckFailed,
  kInterrupted,
  // Not errors: the analysis goes on.
  kUnknownOp,         // no rule for (domain, op)
  kOpsetNewer,        // opset above the newest known one
  kOpsetMissing,      // no import for a used domain
  kDeclaredConflict,  // declared shape contradicts the inferred one
  kDimConstraint,     // two dims were asserted equal, or one of them to be 1
  kInferFailed,       // the op's rule refused its inputs
  kOverflow,          // a count left int64
  kShadowedName,
  kExternalData,    // external data missing, refused or needed
  kFolded,          // overridable initialiser used as a constant
  kAssumed,         // an assumption a figure rests on (precision, data-dependent size)
  kCollapsed,       // a picture was drawn by module
  kMetadata,        // exporter metadata could not be read
  kTensorData,      // a tensor's bytes contradict its dims or type
  kUnusedRule,      // a rule of the user's matched nothing in the model
  kDeadNodes,       // nodes that no output of the model needs
  kEmptySelection,  // no node fits what was asked for
  kUnknownTime,     // a part of a workload has no known time
  kDoesNotFit,      // a memory of the target is too small
};

enum class Severity : int32_t { kError, kWarning, kNote };

// NamedOption is an option, or a command, that a message names. text() is how the message has it, in the words of the
// command line: "--dim batch=1 --dim seq=128". The C ABI and Python print their own words in its place.
struct NamedOption {
  NamedOption(const char* words) : flag(words) {}
  NamedOption(absl::string_view words, std::vector<std::string> given = {});

  std::string text() const;  // quoted for a shell where that is needed

  std::string flag;                 // "--dim"; "VERB --dim", without its verb in text(); or a command in backquotes
  std::vector<std::string> values;  // "batch=1"; several repeat the flag
};

// Diagnostic is one row of the `diagnostics` table. `node` and `value` are user-visible names, empty when none.
struct Diagnostic {
  Code code = Code::kInternal;
  std::string message;
  std::string remedy;  // what to do next; empty only for notes
  std::string node;
  std::string value;
  std::vector<NamedOption> options = {};  // that `message` and `remedy` name, in their order
};

struct CodeInfo {
  Code code;
  absl::string_view id;  // stable text id, e.g. "free_dims"
  Severity severity;
  int exit_code;  // process exit status when an error of this code ends the run
  absl::string_view meaning;
};

// InfoOf returns the table row of `code`.
const CodeInfo& InfoOf(Code code);
// AllCodes returns every row in enum order, e.g. for `describe codes`.
const std::vector<CodeInfo>& AllCodes();

// MakeError packs a diagnostic into a Status whose message is "WHAT: REMEDY" and whose payload carries the code and the
// options that this text names, in its order.
absl::Status MakeError(Code code, absl::string_view what, absl::string_view remedy,
                       const std::vector<NamedOption>& options = {});
// DiagnosticOf unpacks what MakeError packed; a Status from elsewhere becomes kInternal.
Diagnostic DiagnosticOf(const absl::Status& status);

}  // namespace hwest

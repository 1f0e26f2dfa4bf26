#include "hwest/diagnostic.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/macros.h"
#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace hwest {
namespace {

using absl::StatusCode;

constexpr char kPayloadUrl[] = "onnx-hwest/diagnostic";

struct Row {
  CodeInfo info;
  StatusCode status;
};

// One row per Code, in enum order. The exit code of a warning or note is what `--strict` makes of it.
constexpr Row kRows[] = {
    {{Code::kInternal, "internal", Severity::kError, 1, "a bug in this program"}, StatusCode::kInternal},
    {{Code::kUsage, "usage", Severity::kError, 2, "the command line or an option struct is wrong"},
     StatusCode::kInvalidArgument},
    {{Code::kModelMissing, "model_missing", Severity::kError, 3, "the model file does not exist or cannot be read"},
     StatusCode::kNotFound},
    {{Code::kModelFormat, "model_format", Severity::kError, 3, "the file is no binary ONNX model"},
     StatusCode::kInvalidArgument},
    {{Code::kModelCorrupt, "model_corrupt", Severity::kError, 3, "the file is truncated or malformed"},
     StatusCode::kDataLoss},
    {{Code::kModelRefused, "model_refused", Severity::kError, 3, "the model breaks a rule of the format or a size cap"},
     StatusCode::kFailedPrecondition},
    {{Code::kTargetUnknown, "target_unknown", Severity::kError, 4, "no target has this name"}, StatusCode::kNotFound},
    {{Code::kTargetInvalid, "target_invalid", Severity::kError, 4, "the target file breaks a rule of its schema"},
     StatusCode::kInvalidArgument},
    {{Code::kFreeDims, "free_dims", Severity::kError, 5, "symbolic input dims must be bound to estimate time"},
     StatusCode::kFailedPrecondition},
    {{Code::kBindConflict, "bind_conflict", Severity::kError, 2, "a requested size contradicts the model"},
     StatusCode::kInvalidArgument},
    {{Code::kOutputUnwritable, "output_unwritable", Severity::kError, 6, "the output cannot be written"},
     StatusCode::kPermissionDenied},
    {{Code::kIncomplete, "incomplete", Severity::kError, 7, "something is unknown and --strict was given"},
     StatusCode::kFailedPrecondition},
    {{Code::kCheckFailed, "check_failed", Severity::kError, 8, "a lint or validation check failed"},
     StatusCode::kAborted},
    {{Code::kInterrupted, "interrupted", Severity::kError, 130, "the run was cancelled"}, StatusCode::kCancelled},
    {{Code::kUnknownOp, "unknown_op", Severity::kWarning, 7, "no rule for this operator"}, StatusCode::kUnimplemented},
    {{Code::kOpsetNewer, "opset_newer", Severity::kWarning, 0, "the opset is newer than the newest known one"},
     StatusCode::kUnimplemented},
    {{Code::kOpsetMissing, "opset_missing", Severity::kWarning, 0, "a used domain has no opset import"},
     StatusCode::kFailedPrecondition},
    {{Code::kDeclaredConflict, "declared_conflict", Severity::kWarning, 0,
      "a declared type contradicts the inferred one, which is used"},
     StatusCode::kInvalidArgument},
    {{Code::kDimConstraint, "dim_constraint", Severity::kNote, 0,
      "the figures hold if two sizes are equal, or one of them is 1"},
     StatusCode::kFailedPrecondition},
    {{Code::kInferFailed, "infer_failed", Severity::kWarning, 7, "an operator refuses its inputs or their types"},
     StatusCode::kInvalidArgument},
    {{Code::kOverflow, "overflow", Severity::kWarning, 7, "a count left the 64-bit range and is unknown"},
     StatusCode::kOutOfRange},
    {{Code::kShadowedName, "shadowed_name", Severity::kWarning, 0, "an inner graph reuses an outer value's name"},
     StatusCode::kAlreadyExists},
    {{Code::kExternalData, "external_data", Severity::kWarning, 7, "external data is missing, refused or needed"},
     StatusCode::kUnavailable},
    {{Code::kFolded, "folded", Severity::kNote, 0, "an overridable initialiser was used as a constant"},
     StatusCode::kFailedPrecondition},
    {{Code::kAssumed, "assumed", Severity::kNote, 0, "a figure rests on this assumption"},
     StatusCode::kFailedPrecondition},
    {{Code::kCollapsed, "collapsed", Severity::kNote, 0, "the picture was drawn by module"},
     StatusCode::kResourceExhausted},
    {{Code::kMetadata, "metadata", Severity::kNote, 0, "exporter metadata could not be read"},
     StatusCode::kInvalidArgument},
    {{Code::kTensorData, "tensor_data", Severity::kWarning, 0,
      "a tensor's bytes contradict its dims or type; its contents are unknown"},
     StatusCode::kInvalidArgument},
    {{Code::kUnusedRule, "unused_rule", Severity::kNote, 0,
      "a rule of --op-rules or --fusions, or an entry of --measured-profile, matched nothing"},
     StatusCode::kNotFound},
    {{Code::kDeadNodes, "dead_nodes", Severity::kNote, 0,
      "nodes that no output of the model needs are counted nowhere"},
     StatusCode::kFailedPrecondition},
    {{Code::kEmptySelection, "empty_selection", Severity::kNote, 0, "no node fits every condition of `graph`"},
     StatusCode::kNotFound},
    {{Code::kUnknownTime, "unknown_time", Severity::kWarning, 7, "a part of a workload has no known time"},
     StatusCode::kFailedPrecondition},
    {{Code::kDoesNotFit, "does_not_fit", Severity::kError, 7, "a memory of the target is too small for the model"},
     StatusCode::kResourceExhausted},
};
static_assert(ABSL_ARRAYSIZE(kRows) == static_cast<size_t>(Code::kDoesNotFit) + 1, "one row per Code");

constexpr bool InEnumOrder() {
  for (size_t i = 0; i < ABSL_ARRAYSIZE(kRows); ++i) {
    if (static_cast<size_t>(kRows[i].info.code) != i) return false;
  }
  return true;
}
static_assert(InEnumOrder(), "rows in enum order");

const Row& RowOf(Code code) {
  const auto index = static_cast<size_t>(code);
  return index < ABSL_ARRAYSIZE(kRows) ? kRows[index] : kRows[0];
}

// Payload: the fields of a diagnostic, "<length>:<bytes>" each; of an option its flag, how many values, and these.
void AddField(absl::string_view field, std::string* packed) { absl::StrAppend(packed, field.size(), ":", field); }

std::string Pack(Code code, absl::string_view what, absl::string_view remedy, const std::vector<NamedOption>& options) {
  std::string packed;
  AddField(absl::StrCat(static_cast<int32_t>(code)), &packed);
  AddField(what, &packed);
  AddField(remedy, &packed);
  for (const NamedOption& option : options) {
    AddField(option.flag, &packed);
    AddField(absl::StrCat(option.values.size()), &packed);
    for (const std::string& value : option.values) AddField(value, &packed);
  }
  return packed;
}

bool TakeField(absl::string_view* packed, std::string* field) {
  const size_t colon = packed->find(':');
  uint64_t length;
  if (colon == packed->npos || !absl::SimpleAtoi(packed->substr(0, colon), &length)) return false;
  packed->remove_prefix(colon + 1);
  if (length > packed->size()) return false;
  *field = std::string(packed->substr(0, length));
  packed->remove_prefix(length);
  return true;
}

bool TakeOption(absl::string_view* packed, NamedOption* option) {
  std::string count;
  uint64_t values;
  if (!TakeField(packed, &option->flag) || !TakeField(packed, &count)) return false;
  if (!absl::SimpleAtoi(count, &values)) return false;
  for (std::string value; values > 0; --values) {
    if (!TakeField(packed, &value)) return false;
    option->values.push_back(value);
  }
  return true;
}

bool Unpack(absl::string_view packed, Diagnostic* out) {
  std::string number;
  int32_t code;
  if (!TakeField(&packed, &number) || !absl::SimpleAtoi(number, &code)) return false;
  if (code < 0 || static_cast<size_t>(code) >= ABSL_ARRAYSIZE(kRows)) return false;
  out->code = static_cast<Code>(code);
  if (!TakeField(&packed, &out->message) || !TakeField(&packed, &out->remedy)) return false;
  while (!packed.empty()) {
    if (!TakeOption(&packed, &out->options.emplace_back(""))) return false;
  }
  return true;
}

std::string ShellWord(const std::string& word) {
  constexpr absl::string_view kPlain = "_-=.,:/+@";
  const auto is_plain = [kPlain](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || absl::StrContains(kPlain, c);
  };
  if (std::all_of(word.begin(), word.end(), is_plain)) return word;
  return absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

}  // namespace

const CodeInfo& InfoOf(Code code) { return RowOf(code).info; }

const std::vector<CodeInfo>& AllCodes() {
  static const auto& rows = *[] {
    auto* all = new std::vector<CodeInfo>();
    for (const Row& row : kRows) all->push_back(row.info);
    return all;
  }();
  return rows;
}

NamedOption::NamedOption(absl::string_view words, std::vector<std::string> given)
    : flag(words), values(std::move(given)) {}

std::string NamedOption::text() const {
  const std::string words = flag[0] == '`' ? flag : flag.substr(flag.rfind(' ') + 1);
  if (values.empty()) return words;
  return absl::StrJoin(values, " ", [&](std::string* out, const std::string& value) {
    absl::StrAppend(out, words, " ", ShellWord(value));
  });
}

absl::Status MakeError(Code code, absl::string_view what, absl::string_view remedy,
                       const std::vector<NamedOption>& options) {
  absl::Status status(RowOf(code).status, remedy.empty() ? std::string(what) : absl::StrCat(what, ": ", remedy));
  status.SetPayload(kPayloadUrl, absl::Cord(Pack(code, what, remedy, options)));
  return status;
}

Diagnostic DiagnosticOf(const absl::Status& status) {
  Diagnostic diagnostic;
  const absl::optional<absl::Cord> payload = status.GetPayload(kPayloadUrl);
  if (payload.has_value() && Unpack(std::string(*payload), &diagnostic)) return diagnostic;
  diagnostic.code = Code::kInternal;
  diagnostic.message = std::string(status.message());
  diagnostic.remedy = "please report this with the command line and the model's structure";
  return diagnostic;
}

}  // namespace hwest

#include "ir/opsets.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace hwest {
namespace {

// Newest default operator set of the first release that wrote this IR version (ONNX versioning table).
int64_t OpsetOfIr(int64_t ir_version) {
  struct Row {
    int64_t ir, opset;
  };
  static constexpr Row kRows[] = {{3, 8},  {4, 9},   {5, 10},  {6, 11},  {7, 14}, {8, 18},
                                  {9, 20}, {10, 22}, {11, 23}, {12, 24}, {13, 27}};
  for (const Row& row : kRows) {
    if (ir_version <= row.ir) return row.opset;
  }
  return 28;
}

}  // namespace

absl::string_view CanonicalDomain(absl::string_view domain) {
  return domain == "ai.onnx" ? absl::string_view() : domain;
}

OpsetMap MakeOpsetMap(const std::vector<OpsetImport>& imports, StringTable& strings) {
  OpsetMap opsets;
  for (const OpsetImport& import : imports) {
    const StrId domain = strings.Intern(CanonicalDomain(import.domain.valid() ? strings[import.domain] : ""));
    int64_t& version = opsets[domain];
    version = std::max(version, import.version);
  }
  return opsets;
}

void AddMissingOpsets(OpsetMap& opsets, int64_t ir_version, StringTable& strings,
                      std::vector<Diagnostic>& diagnostics) {
  opsets.try_emplace(strings.Intern("com.microsoft"), 1);
  const StrId standard = strings.Intern("");
  const auto found = opsets.find(standard);
  if (found != opsets.end() && found->second > 0) return;
  if (ir_version < 3) {
    opsets[standard] = 1;
    return;
  }
  const int64_t version = OpsetOfIr(ir_version);
  opsets[standard] = version;
  diagnostics.push_back({.code = Code::kOpsetMissing,
                         .message = absl::StrCat("the model imports no ai.onnx operator set; ", version,
                                                 " is assumed from IR version ", ir_version),
                         .remedy = "add an opset_import to the file"});
}

}  // namespace hwest

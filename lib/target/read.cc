#include "target/read.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "google/protobuf/text_format.h"
#include "hwest/diagnostic.h"
#include "target/check.h"
#include "target/merge.h"
#include "target/plausible.h"
#include "target/schema.h"
#include "target/text_proto.h"
#include "target/walk.h"

namespace hwest {
namespace {

using google::protobuf::TextFormat;

constexpr int kMaxBases = 8;

bool ParseText(absl::string_view text, google::protobuf::Message* out, std::vector<LintProblem>* problems,
               TextFormat::ParseInfoTree* tree) {
  std::vector<TextProtoError> errors;
  const bool is_read = ReadTextProto(text, out, tree, &errors);
  for (const TextProtoError& error : errors) {
    problems->push_back({.line = error.line,
                         .message = absl::StrCat("column ", error.column, ": ", error.message),
                         .remedy = absl::StrCat("write protobuf text format with the fields of ", SchemaName())});
  }
  return is_read;
}

// Rows that checks name by their first operator.
std::string PathByOperator(const WalkStep& step) {
  if (step.type->name() == "Support") return SupportPath(static_cast<const proto::Support&>(*step.message));
  if (step.type->name() == "Slow") return SlowPath(static_cast<const proto::Slow&>(*step.message));
  if (step.type->name() == "HostCopy") return HostCopyPath(static_cast<const proto::HostCopy&>(*step.message));
  return "";
}

// Sets each problem's line to that of its path, or of the nearest enclosing row in the text.
template <class Message>
void AddLines(absl::string_view text, std::vector<LintProblem>* problems) {
  Message message;
  TextFormat::ParseInfoTree tree;
  std::vector<LintProblem> ignored;
  if (problems->empty() || !ParseText(text, &message, &ignored, &tree)) return;
  std::map<std::string, int> lines;
  Walk(message, &tree, [&](const WalkStep& step) {
    lines[PathOf(step)] = step.line;
    if (std::string path = PathByOperator(step); !path.empty()) lines.emplace(std::move(path), step.line);
  });
  for (LintProblem& problem : *problems) {
    std::string path = problem.path;
    while (problem.line == 0 && !path.empty()) {
      const auto found = lines.find(path);
      if (found != lines.end()) problem.line = found->second;
      const auto slash = path.rfind('/');
      path.resize(slash == std::string::npos ? 0 : slash);
    }
  }
}

LintProblem TooManyBases() {
  return {.path = "base", .message = "the chain of bases is too long", .remedy = "break the cycle"};
}

LintProblem FromStatus(absl::string_view path, const absl::Status& status) {
  const Diagnostic diagnostic = DiagnosticOf(status);
  return {.path = std::string(path), .message = diagnostic.message, .remedy = diagnostic.remedy};
}

// A toolchain that a base names as a file lies relative to the base, not to the file laid over it.
void AnchorToolchains(absl::string_view origin, proto::Target* base) {
  if (origin == "built-in") return;
  for (proto::Unit& unit : *base->mutable_unit()) {
    if (!IsPath(unit.toolchain())) continue;
    unit.set_toolchain(std::filesystem::absolute(ResolvedPath(unit.toolchain(), origin)).lexically_normal().string());
  }
  for (proto::Runtime& row : *base->mutable_runtime()) {
    if (!IsPath(row.toolchain())) continue;
    row.set_toolchain(std::filesystem::absolute(ResolvedPath(row.toolchain(), origin)).lexically_normal().string());
  }
}

// Lays `target` over its chain of bases, with every `like` of a unit expanded.
void ApplyBase(absl::string_view origin, int depth, proto::Target* target, std::vector<LintProblem>* problems);

void MergeBase(absl::string_view origin, int depth, proto::Target* target, std::vector<LintProblem>* problems) {
  if (depth == kMaxBases) {
    problems->push_back(TooManyBases());
    return;
  }
  const absl::StatusOr<FileText> file = FindTarget(target->base(), origin == "built-in" ? "" : origin);
  if (!file.ok()) {
    problems->push_back(FromStatus("base", file.status()));
    return;
  }
  proto::Target& base = NewMessage<proto::Target>(target->GetArena());
  if (!ParseText(file->text(), &base, problems, nullptr)) return;
  ApplyBase(file->origin, depth + 1, &base, problems);
  AnchorToolchains(file->origin, &base);
  proto::Target& merged = NewMessage<proto::Target>(target->GetArena());
  std::string missing;
  if (!Merge(base, *target, &merged, &missing)) {
    problems->push_back({.path = "remove",
                         .message = absl::StrCat("'", missing, "' is not in base '", target->base(), "'"),
                         .remedy = "name a row of the base, e.g. \"unit/dla1\""});
    return;
  }
  target->Swap(&merged);
}

void ApplyBase(absl::string_view origin, int depth, proto::Target* target, std::vector<LintProblem>* problems) {
  if (!target->base().empty()) MergeBase(origin, depth, target, problems);
  std::string missing;
  if (problems->empty() && !ExpandLikes(target, &missing)) {
    problems->push_back({.path = "unit",
                         .message = absl::StrCat("`like` names unit '", missing, "', which does not stand before it"),
                         .remedy = "name an earlier unit"});
  }
}

// The same for a toolchain.
void ApplyBase(absl::string_view origin, int depth, proto::Toolchain* toolchain, std::vector<LintProblem>* problems) {
  if (toolchain->base().empty()) return;
  if (depth == kMaxBases) {
    problems->push_back(TooManyBases());
    return;
  }
  const absl::StatusOr<FileText> file = FindToolchain(toolchain->base(), origin == "built-in" ? "" : origin);
  if (!file.ok()) {
    problems->push_back(FromStatus("base", file.status()));
    return;
  }
  proto::Toolchain& base = NewMessage<proto::Toolchain>(toolchain->GetArena());
  if (!ParseText(file->text(), &base, problems, nullptr)) return;
  ApplyBase(file->origin, depth + 1, &base, problems);
  proto::Toolchain& merged = NewMessage<proto::Toolchain>(toolchain->GetArena());
  Merge(base, *toolchain, &merged);
  toolchain->Swap(&merged);
}

void CheckToolchains(const proto::Target& target, absl::string_view origin, std::vector<LintProblem>* problems) {
  for (const proto::Unit& unit : target.unit()) {
    if (unit.toolchain().empty()) continue;
    const auto file = FindToolchain(unit.toolchain(), origin == "built-in" ? "" : origin);
    if (!file.ok()) problems->push_back(FromStatus(absl::StrCat("unit/", unit.name()), file.status()));
  }
  for (const proto::Runtime& row : target.runtime()) {
    const auto file = FindToolchain(row.toolchain(), origin == "built-in" ? "" : origin);
    if (!file.ok()) problems->push_back(FromStatus(absl::StrCat("runtime/", row.toolchain()), file.status()));
  }
  for (int i = 0; i < target.measured_as_size(); ++i) {
    const std::string& toolchain = target.measured_as(i).toolchain();
    if (toolchain.empty()) continue;
    const auto file = FindToolchain(toolchain, origin == "built-in" ? "" : origin);
    if (!file.ok()) problems->push_back(FromStatus(absl::StrCat("measured_as/", i), file.status()));
  }
}

void CheckHost(const proto::Target& target, absl::string_view origin, std::vector<LintProblem>* problems) {
  if (target.host().empty()) return;
  const auto file = FindTarget(target.host(), origin == "built-in" ? "" : origin);
  if (!file.ok()) problems->push_back(FromStatus("host", file.status()));
}

void Append(std::vector<LintProblem> more, std::vector<LintProblem>* problems) {
  problems->insert(problems->end(), more.begin(), more.end());
}

}  // namespace

ReadResult<proto::Target> ReadTarget(absl::string_view text, absl::string_view origin) {
  ReadResult<proto::Target> result;
  if (!ParseText(text, &result.message, &result.problems, nullptr)) return result;
  result.problems = CheckKeys(result.message);
  if (origin != "built-in") result.warnings = CheckUnread(result.message);  // in this file, not in its base
  if (result.problems.empty()) ApplyBase(origin, 0, &result.message, &result.problems);
  if (result.problems.empty()) {
    result.problems = CheckTarget(result.message);
    CheckToolchains(result.message, origin, &result.problems);
    CheckHost(result.message, origin, &result.problems);
    Append(CheckPlausible(result.message), &result.warnings);
  }
  AddLines<proto::Target>(text, &result.problems);
  AddLines<proto::Target>(text, &result.warnings);
  return result;
}

ReadResult<proto::Toolchain> ReadToolchain(absl::string_view text, absl::string_view origin) {
  ReadResult<proto::Toolchain> result;
  if (!ParseText(text, &result.message, &result.problems, nullptr)) return result;
  result.problems = CheckKeys(result.message);
  if (result.problems.empty()) ApplyBase(origin, 0, &result.message, &result.problems);
  Append(CheckToolchain(result.message), &result.problems);
  AddLines<proto::Toolchain>(text, &result.problems);
  return result;
}

absl::Status InvalidFile(absl::string_view origin, const std::vector<LintProblem>& problems) {
  const LintProblem& first = problems.front();
  const std::string line = first.line > 0 ? absl::StrCat(":", first.line) : "";
  const std::string path = first.path.empty() ? "" : absl::StrCat(first.path, " ");
  const size_t others = problems.size() - 1;
  const std::string more = others == 0 ? "" : absl::StrCat(" (and ", others, " more: `onnx-hwest targets lint FILE`)");
  return MakeError(Code::kTargetInvalid, absl::StrCat(origin, line, ": ", path, first.message, more), first.remedy,
                   {"`onnx-hwest targets lint FILE`"});
}

}  // namespace hwest

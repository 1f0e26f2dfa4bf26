// Reads the text of target and toolchain files: parsing, inheritance, checks with line numbers.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/arena.h"
#include "hwest/target.h"
#include "target/embedded.h"
#include "target/proto.h"

namespace hwest {

// A message that its arena owns.
template <class Message>
Message& NewMessage(google::protobuf::Arena* arena) {
#if GOOGLE_PROTOBUF_VERSION >= 5027000
  return *google::protobuf::Arena::Create<Message>(arena);
#else
  return *google::protobuf::Arena::CreateMessage<Message>(arena);
#endif
}

// The result of reading one file. The message is complete only without problems.
template <class Message>
struct ReadResult {
  std::unique_ptr<google::protobuf::Arena> arena = std::make_unique<google::protobuf::Arena>();
  Message& message = NewMessage<Message>(arena.get());
  std::vector<LintProblem> problems;
  std::vector<LintProblem> warnings;  // only for a target read as text
};

// FileText is a file as found.
struct FileText {
  std::string origin;
  std::string read;  // the text read; empty for built-in files
  absl::string_view embedded;

  absl::string_view text() const { return embedded.empty() ? absl::string_view(read) : embedded; }
};

// ReadTarget parses `text`, lays it over its base (a built-in target by name, or a path relative to `origin`) and
// checks the result, and that its toolchains exist. ReadToolchain does the same.
ReadResult<proto::Target> ReadTarget(absl::string_view text, absl::string_view origin);
ReadResult<proto::Toolchain> ReadToolchain(absl::string_view text, absl::string_view origin);

// Both take a name (or, for targets, an alias) of a built-in file, or a path: text that ends in ".textproto" or has a
// '/'. Relative paths start at the folder of `relative_to`, unless that is "". Errors: kTargetUnknown.
absl::StatusOr<FileText> FindTarget(absl::string_view name_or_path, absl::string_view relative_to);
absl::StatusOr<FileText> FindToolchain(absl::string_view name_or_path, absl::string_view relative_to);

// The file that a path (see IsPath) names.
std::filesystem::path ResolvedPath(absl::string_view path, absl::string_view relative_to);

// InvalidFile makes the error for a file with problems: the first one, and the number of others.
absl::Status InvalidFile(absl::string_view origin, const std::vector<LintProblem>& problems);

}  // namespace hwest

#include "import/import.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"
#include "import/container.h"
#include "import/onnx_reader.h"
#include "import/source.h"
#include "import/tflite_reader.h"
#include "import/window.h"

namespace hwest {
namespace {

constexpr size_t kMaxCandidates = 10'000;
constexpr size_t kMaxSuggestions = 3;

// Names of files beside `path` that look like a misspelling of it.
std::vector<std::string> SimilarFiles(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator() && names.size() < kMaxCandidates;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return NearestNames(path.filename().string(), names, kMaxSuggestions);
}

absl::Status WithSimilarNames(const absl::Status& status, const std::string& path) {
  const Diagnostic error = DiagnosticOf(status);
  const std::vector<std::string> similar = SimilarFiles(path);
  std::error_code ignored;
  if (similar.empty() || std::filesystem::exists(path, ignored)) return status;
  return MakeError(error.code, error.message,
                   absl::StrCat(error.remedy, "; that folder holds ", absl::StrJoin(similar, ", ")), error.options);
}

// By the first bytes, whatever the file's name is.
absl::StatusOr<RawModel> ReadModel(Source& source, const ReadOptions& options) {
  if (source.size() >= static_cast<int64_t>(kTfliteHeadBytes)) {
    Window in(source);
    const char* const head = in.At(0, kTfliteHeadBytes);
    HWEST_RETURN_IF_ERROR(in.status());
    if (IsTflite({head, kTfliteHeadBytes})) return ReadTflite(source, options);
  }
  return ReadOnnx(source, options);
}

}  // namespace

absl::StatusOr<RawModel> ReadModelFile(const std::string& path, const ReadOptions& options) {
  if (path == "-") {
    HWEST_ASSIGN_OR_RETURN(Source source, Source::StandardInput(options.max_stdin_bytes, CheckContainer));
    return ReadModel(source, options);
  }
  absl::StatusOr<Source> source = Source::OpenFile(path);
  if (!source.ok()) return WithSimilarNames(source.status(), path);
  return ReadModel(*source, options);
}

absl::StatusOr<RawModel> ReadModelMemory(absl::string_view bytes, const std::string& name, const ReadOptions& options) {
  Source source = Source::FromMemory(bytes, name);
  return ReadModel(source, options);
}

}  // namespace hwest

#include "cli/written_model.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "app/verify.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/check.h"

namespace hwest {
namespace {

constexpr size_t kCopyBytes = 1 << 20;

std::string FolderOfPath(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

bool IsSameFolder(const std::string& a, const std::string& b) {
  std::error_code error;
  return std::filesystem::equivalent(a.empty() ? "." : a, b.empty() ? "." : b, error) && !error;
}

// Copies a file with weights beside the output, complete or not at all.
absl::Status CopyFile(const std::string& from, const std::string& to) {
  std::error_code error;
  const std::string folder = FolderOfPath(to);
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  return WriteFile(to, [&](Sink sink) -> absl::Status {
    std::ifstream file(from, std::ios::binary);
    std::string bytes(kCopyBytes, '\0');
    while (file.good()) {
      file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      HWEST_RETURN_IF_ERROR(sink(absl::string_view(bytes).substr(0, static_cast<size_t>(file.gcount()))));
    }
    if (file.eof()) return absl::OkStatus();
    return MakeError(Code::kModelMissing, absl::StrCat("cannot read ", EscapeControl(from)), "leave out --copy-data");
  });
}

// Weights in other files stay where they are, by names relative to the model.
absl::Status BringData(CopyData copy, const std::string& output, const Rewritten& rewritten,
                       std::vector<Diagnostic>* notes) {
  const std::vector<std::string> files = ExternalFilesOf(rewritten);
  const std::string from = FolderOf(rewritten), to = FolderOfPath(output);
  if (files.empty()) return absl::OkStatus();
  std::vector<std::string> there, missing;
  for (const std::string& file : files) {
    const absl::StatusOr<std::optional<std::string>> path = ExternalPathOf(rewritten, file);
    // A name that leaves the model's folder would also leave the output's folder.
    if (!path.ok() && copy == CopyData::kYes) return path.status();
    if (!path.ok())
      notes->push_back(DiagnosticOf(path.status()));
    else
      (path->has_value() ? there : missing).push_back(file);
  }
  if (!missing.empty()) {
    notes->push_back({.code = Code::kAssumed,
                      .message = absl::StrCat("the files with weights are not there: ", absl::StrJoin(missing, ", "),
                                              "; rules that compute new weights were left out"),
                      .remedy = "put them beside the model"});
  }
  if (IsSameFolder(from, to) || there.empty()) return absl::OkStatus();
  if (copy == CopyData::kNo) {
    notes->push_back(
        {.code = Code::kAssumed,
         .message = absl::StrCat("the weights have to lie beside the output, too: ", absl::StrJoin(there, ", ")),
         .remedy = "add --copy-data, or copy them"});
    return absl::OkStatus();
  }
  for (const std::string& file : there) HWEST_RETURN_IF_ERROR(CopyFile(from + file, to + file));
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckWritten(const Options& options, const WrittenOptions& how) {
  if (how.verify_runs > 0 && options.words[0] == "-") {
    return MakeError(Code::kUsage, "--verify reads a file, not standard input", "save the model and name the file");
  }
  if (how.verify_runs == 0 && !how.samples.empty()) {
    return MakeError(Code::kUsage, "--samples are the inputs of --verify", "add --verify");
  }
  return CheckFormat(ReportKind::kRewrite, options.report.format);
}

absl::Status DeliverWritten(const Options& options, const WrittenOptions& how, const std::string& path,
                            const Rewritten& rewritten, std::vector<Diagnostic> notes, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(BringData(how.copy_data, path, rewritten, &notes));
  RewriteReport report{.output = path, .totals = {}};
  HWEST_RETURN_IF_ERROR(WriteFile(path, [&](Sink sink) -> absl::Status {
    HWEST_ASSIGN_OR_RETURN(report.totals, WriteRewritten(rewritten, sink));
    return absl::OkStatus();
  }));
  if (how.verify_runs > 0) {
    report.verify = app::Verify({.first = options.words[0],
                                 .second = path,
                                 .runs = how.verify_runs,
                                 .exactness = app::CoarsestOf(rewritten.rules),
                                 .values = options.request.values,
                                 .samples = how.samples});
  }
  ReportOptions written = options.report;
  written.model_path = options.words[0];
  Options to = options;
  if (to.output == path) to.output.clear();  // the flag named the model
  HWEST_RETURN_IF_ERROR(
      Deliver(to, streams, [&](Sink sink) { return WriteRewriteReport(rewritten, report, written, sink); }));
  notes.insert(notes.end(), rewritten.notes.begin(), rewritten.notes.end());
  PrintNotes(notes, options, streams);
  return report.verify.has_value() ? AfterReport(app::StatusOf(*report.verify)) : absl::OkStatus();
}

}  // namespace hwest

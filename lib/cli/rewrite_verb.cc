// rewrite: writes an equivalent model that runs better.
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "app/rewrite.h"
#include "app/verify.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/check.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"
#include "hwest/diagnostic.h"
#include "hwest/rewrite.h"

namespace hwest {
namespace {

constexpr size_t kCopyBytes = 1 << 20;

absl::Status CheckOutput(const RewriteVerbOptions& options) {
  if (options.output.empty()) {
    return MakeError(
        Code::kUsage, "`rewrite` needs --output",
        "write onnx-hwest rewrite MODEL --target NAME --output OUT.onnx; the report goes to standard output");
  }
  if (options.verify_runs > 0 && options.words[0] == "-") {
    return MakeError(Code::kUsage, "--verify reads a file, not standard input", "save the model and name the file");
  }
  if (options.verify_runs == 0 && !options.samples.empty()) {
    return MakeError(Code::kUsage, "--samples are the inputs of --verify", "add --verify");
  }
  return CheckFormat(ReportKind::kRewrite, options.report.format);
}

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
absl::Status BringData(const RewriteVerbOptions& options, const Rewritten& rewritten, std::vector<Diagnostic>* notes) {
  const std::vector<std::string> files = ExternalFilesOf(rewritten);
  const std::string from = FolderOf(rewritten), to = FolderOfPath(options.output);
  if (files.empty()) return absl::OkStatus();
  std::vector<std::string> there, missing;
  for (const std::string& file : files) {
    const absl::StatusOr<std::optional<std::string>> path = ExternalPathOf(rewritten, file);
    // A name that leaves the model's folder would also leave the output's folder.
    if (!path.ok() && options.copy_data == CopyData::kYes) return path.status();
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
  if (options.copy_data == CopyData::kNo) {
    notes->push_back(
        {.code = Code::kAssumed,
         .message = absl::StrCat("the weights have to lie beside the output, too: ", absl::StrJoin(there, ", ")),
         .remedy = "add --copy-data, or copy them"});
    return absl::OkStatus();
  }
  for (const std::string& file : there) HWEST_RETURN_IF_ERROR(CopyFile(from + file, to + file));
  return absl::OkStatus();
}

app::VerifyRequest VerifyRequestOf(const RewriteVerbOptions& options, const Rewritten& rewritten) {
  return {.first = options.words[0],
          .second = options.output,
          .runs = options.verify_runs,
          .exactness = app::CoarsestOf(rewritten.rules),
          .values = options.request.values,
          .samples = options.samples};
}

}  // namespace

absl::Status RunRewrite(const RewriteVerbOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckOutput(options));
  std::vector<Diagnostic> notes;
  if (options.check == Check::kYes) HWEST_RETURN_IF_ERROR(CheckModel(options.words[0], &notes));
  // Flags use the model's names; standard input can be read only once.
  const std::string& path = options.words[0];
  const app::LoadedModel model{.graph = nullptr, .name = path, .source = {.path = path, .limits = {}}};
  const auto request_for = [&](const Graph& graph) { return RequestFor(options.request, graph); };
  HWEST_ASSIGN_OR_RETURN(const Rewritten rewritten,
                         app::Rewrite(model, request_for, options.rewrite, WatchOf(options, streams)));
  HWEST_RETURN_IF_ERROR(BringData(options, rewritten, &notes));
  RewriteReport report{.output = options.output, .totals = {}};
  HWEST_RETURN_IF_ERROR(WriteFile(options.output, [&](Sink sink) -> absl::Status {
    HWEST_ASSIGN_OR_RETURN(report.totals, WriteRewritten(rewritten, sink));
    return absl::OkStatus();
  }));
  if (options.verify_runs > 0) report.verify = app::Verify(VerifyRequestOf(options, rewritten));
  ReportOptions written = options.report;
  written.model_path = options.words[0];
  Options to_stdout = options;
  to_stdout.output.clear();
  HWEST_RETURN_IF_ERROR(
      Deliver(to_stdout, streams, [&](Sink sink) { return WriteRewriteReport(rewritten, report, written, sink); }));
  notes.insert(notes.end(), rewritten.notes.begin(), rewritten.notes.end());
  PrintNotes(notes, options, streams);
  return report.verify.has_value() ? AfterReport(app::StatusOf(*report.verify)) : absl::OkStatus();
}

namespace {

constexpr int64_t kMostOpset = 1000;

absl::Status SetOpset(const Flag& flag, const std::string& value, Options* options) {
  const absl::StatusOr<int64_t> opset = ParseNumber(flag.name, value, 1);
  if (!opset.ok() || *opset > kMostOpset) {
    return BadValue(flag.name, value, "give the number of an operator set, such as 17");
  }
  dynamic_cast<RewriteVerbOptions&>(*options).rewrite.opset = static_cast<int>(*opset);
  return absl::OkStatus();
}

// clang-format off: a paragraph a flag
constexpr Flag kRewriteFlags[] = {
    {.name = "--rule", .value = "A,B",
     .help = "these rules alone, wherever they apply, see `onnx-hwest describe rewrites`", .group = "Rewrite",
     .set = AddNames<&RewriteVerbOptions::rewrite, &RewriteOptions::rules>, .example = "split_gelu", .repeats = true},
    {.name = "--no-rule", .value = "A,B", .help = "never these rules", .group = "Rewrite",
     .set = AddNames<&RewriteVerbOptions::rewrite, &RewriteOptions::no_rules>, .example = "split_gelu",
     .repeats = true},
    {.name = "--allow-approximate", .help = "also rules that change results by more than rounding does",
     .group = "Rewrite", .set = Switch<true, &RewriteVerbOptions::rewrite, &RewriteOptions::allow_approximate>},
    {.name = "--opset", .value = "N",
     .help = "the model in this older operator set of the default domain: nodes get its form, and what it lacks is "
             "written out", .group = "Rewrite", .set = SetOpset, .example = "17"},
    {.name = "--fold", .help = "compute constants and leave out dead nodes, nothing else", .group = "Rewrite",
     .set = Switch<RewriteScope::kFold, &RewriteVerbOptions::rewrite, &RewriteOptions::scope>,
     .conflicts = "--annotate"},
    {.name = "--annotate", .help = "add the figures to the nodes as metadata hwest.*, and change nothing else",
     .group = "Rewrite", .set = Switch<RewriteScope::kAnnotate, &RewriteVerbOptions::rewrite, &RewriteOptions::scope>},
    {.name = "--verify", .value = "[N]",
     .help = "run the original and the result on N sets of inputs (alone: 3) in ONNX Runtime and compare; exit with 8 "
             "when they differ", .group = "Rewrite", .set = SetNumber<1, &RewriteVerbOptions::verify_runs>,
     .example = "10", .alone = "3"},
    {.name = "--samples", .value = "DIR",
     .help = "of --verify: inputs of the user's, a run for each .npz or .npy file or folder in it", .group = "Rewrite",
     .set = SetText<&RewriteVerbOptions::samples>, .example = "samples", .path = PathIn::kFolder},
    {.name = "--copy-data", .help = "copy files with weights to the folder of the output", .group = "Rewrite",
     .set = Switch<CopyData::kYes, &RewriteVerbOptions::copy_data>},
};
// clang-format on

}  // namespace

absl::Span<const Flag> RewriteFlags() { return kRewriteFlags; }

}  // namespace hwest

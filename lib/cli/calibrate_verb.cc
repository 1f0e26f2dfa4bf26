// calibrate: fits a target, or a family of them, to measured figures and writes what was found as a target file.
#include "fit/calibrate.h"

#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cli/measured.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

constexpr size_t kProgressSteps = 10;
constexpr absl::string_view kUsageText =
    "write onnx-hwest calibrate --target NAME --measurements FILE.csv --models DIR --output FILE.textproto";

absl::Status CheckPaths(const MeasuredOptions& options) {
  const auto lacks = [](const char* flag) {
    return MakeError(Code::kUsage, absl::StrCat("`calibrate` needs ", flag), kUsageText);
  };
  if (options.request.target.empty()) return lacks("--target");
  if (options.measurements.empty()) return lacks("--measurements");
  if (options.models.empty()) return lacks("--models");
  if (options.output.empty()) return lacks("--output");
  if (absl::EndsWith(options.output, ".textproto")) return absl::OkStatus();
  return MakeError(Code::kUsage, "--output of `calibrate` is a target file", "let its name end in .textproto");
}

absl::Status CheckFormat(const MeasuredOptions& options) {
  return WriteCalibration({}, {}, options.report, [](absl::string_view) { return absl::OkStatus(); });
}

// The name of the file, without the folders of one machine.
std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

CalibrateOptions CalibrateOptionsOf(const MeasuredOptions& options, const Streams& streams) {
  const auto progress = [&options, &streams](const char* what) {
    return [&options, &streams, what](size_t done, size_t total) {
      const size_t step = total / kProgressSteps + 1;
      if (done % step == 0) PrintProgress(absl::StrCat(done, " of ", total, what), options, streams);
    };
  };
  return {.predict = {.models = options.models, .progress = progress(" analyses")},
          .target = options.request.target,
          .data = FileName(options.measurements),
          .folder = FolderOf(options.output),
          .progress = progress(" fits of a part of the rows")};
}

}  // namespace

absl::Status RunCalibrate(const MeasuredOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckPaths(options));
  HWEST_RETURN_IF_ERROR(CheckFormat(options));
  HWEST_ASSIGN_OR_RETURN(const std::vector<Measurement> rows, ReadMeasured(options));
  HWEST_ASSIGN_OR_RETURN(const Calibration calibration, Calibrate(rows, CalibrateOptionsOf(options, streams)));
  HWEST_RETURN_IF_ERROR(WriteFile(options.output, [&](Sink sink) { return sink(calibration.file); }));
  const CalibrationRequest request{.target = options.request.target,
                                   .measurements = options.measurements,
                                   .models = options.models,
                                   .output = options.output};
  Options to_stdout = options;
  to_stdout.output.clear();
  return Deliver(to_stdout, streams,
                 [&](Sink sink) { return WriteCalibration(calibration, request, options.report, sink); });
}

namespace {

// clang-format off: a paragraph a flag
constexpr Flag kCalibrateFlags[] = {
    {.name = "--target", .value = "NAME", .help = "built-in name or file of what is fitted, or the name of a family",
     .group = "Target", .set = SetText<&Options::request, &RequestDraft::target>, .example = "sa8295p",
     .path = PathIn::kTarget},
};
// clang-format on

}  // namespace

absl::Span<const Flag> CalibrateFlags() { return kCalibrateFlags; }

}  // namespace hwest

// calibrate: fits a target, or a family of them, to measured figures and writes the result as a target file.
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "app/calibrate.h"
#include "base/status_macros.h"
#include "cli/measured.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

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

}  // namespace

absl::Status RunCalibrate(const MeasuredOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckPaths(options));
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kCalibration, options.report.format));
  HWEST_ASSIGN_OR_RETURN(std::vector<Measurement> rows, ReadMeasured(options));
  const app::CalibrateRequest request{.target = options.request.target,
                                      .measurements = options.measurements,
                                      .models = options.models,
                                      .output = options.output,
                                      .rows = std::make_shared<const std::vector<Measurement>>(std::move(rows)),
                                      .watch = WatchOf(options, streams)};
  HWEST_ASSIGN_OR_RETURN(const app::CalibrateResult result, app::Calibrate(request));
  HWEST_RETURN_IF_ERROR(WriteFile(options.output, [&](Sink sink) { return sink(result.calibration.file); }));
  Options to_stdout = options;
  to_stdout.output.clear();
  return Deliver(to_stdout, streams,
                 [&](Sink sink) { return WriteCalibration(result.calibration, result.request, options.report, sink); });
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

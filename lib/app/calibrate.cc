#include "app/calibrate.h"

#include <filesystem>
#include <utility>

#include "app/watching.h"
#include "base/status_macros.h"

namespace hwest::app {
namespace {

// The file's name, without folders that differ between machines.
std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string FolderOf(const std::string& path) {
  if (path.empty()) return "";
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

absl::StatusOr<CalibrateResult> Calibrate(const CalibrateRequest& request) {
  HWEST_ASSIGN_OR_RETURN(const Measurements rows, RowsOf(request.rows, request.measurements, request.target));
  const CalibrateOptions study{.predict = PredictOptionsOf(request.models, request.threads, request.watch),
                               .target = request.target,
                               .data = FileName(request.measurements),
                               .folder = FolderOf(request.output),
                               .progress = CountOf(request.watch, "fits of a part of the rows")};
  absl::StatusOr<Calibration> calibration = hwest::Calibrate(*rows, study);
  HWEST_RETURN_IF_ERROR(StoppedBy(request.watch));
  if (!calibration.ok()) return calibration.status();
  return CalibrateResult{*std::move(calibration),
                         {.target = request.target,
                          .measurements = request.measurements,
                          .models = request.models,
                          .output = request.output}};
}

}  // namespace hwest::app

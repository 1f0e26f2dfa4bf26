#include "cli/measured.h"

#include <utility>

#include "base/status_macros.h"
#include "measured/import.h"

namespace hwest {
namespace {

MeasurementDefaults DefaultsOf(const MeasuredOptions& options, const std::string& model) {
  MeasurementDefaults defaults = options.defaults;
  if (!model.empty()) defaults.models = {{"", model}};
  if (defaults.device.empty()) defaults.device = options.request.target;
  if (options.request.precision != "auto") defaults.precision = options.request.precision;
  defaults.mode = options.request.mode;
  defaults.dims = options.request.bind.dims;
  defaults.images = options.request.bind.batch;
  return defaults;
}

}  // namespace

absl::StatusOr<std::vector<Measurement>> ReadMeasured(const MeasuredOptions& options) {
  std::vector<Measurement> rows;
  for (const auto& [model, path] : options.measured) {
    HWEST_ASSIGN_OR_RETURN(std::vector<Measurement> some, ReadMeasurements(path, DefaultsOf(options, model)));
    for (Measurement& row : some) {
      row.row = rows.size() + 1;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace hwest

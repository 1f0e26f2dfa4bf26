#include "cli/measured.h"

#include <utility>

#include "base/status_macros.h"
#include "measured/import.h"

namespace hwest {
namespace {

Unsaid UnsaidOf(const Options& options, const std::string& model) {
  Unsaid unsaid = options.unsaid;
  if (!model.empty()) unsaid.models = {{"", model}};
  if (unsaid.device.empty()) unsaid.device = options.request.target;
  if (options.request.precision != "auto") unsaid.precision = options.request.precision;
  unsaid.mode = options.request.mode;
  unsaid.dims = options.request.bind.dims;
  unsaid.images = options.request.bind.batch;
  return unsaid;
}

}  // namespace

absl::StatusOr<std::vector<Measurement>> ReadMeasured(const Options& options) {
  std::vector<Measurement> rows;
  for (const auto& [model, path] : options.measured) {
    HWEST_ASSIGN_OR_RETURN(std::vector<Measurement> some, ReadMeasurements(path, UnsaidOf(options, model)));
    for (Measurement& row : some) {
      row.row = rows.size() + 1;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace hwest

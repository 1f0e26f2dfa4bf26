#include "app/measured.h"

#include <utility>

#include "app/watching.h"
#include "base/status_macros.h"
#include "measured/import.h"

namespace hwest::app {

absl::StatusOr<Measurements> RowsOf(const Measurements& rows, const std::string& path, const std::string& device) {
  if (rows != nullptr) return rows;
  HWEST_ASSIGN_OR_RETURN(std::vector<Measurement> read, ReadMeasurements(path, {.device = device}));
  return std::make_shared<const std::vector<Measurement>>(std::move(read));
}

PredictOptions PredictOptionsOf(const std::string& models, size_t threads, const Watch& watch) {
  PredictOptions options{.models = models, .progress = CountOf(watch, "analyses"), .stop = watch.stop};
  if (threads > 0) options.threads = threads;
  return options;
}

}  // namespace hwest::app

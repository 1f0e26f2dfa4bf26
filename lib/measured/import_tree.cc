#include "measured/import_tree.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"

namespace hwest {
namespace {

// What the file says, else the caller; neither is an error that names the flag.
absl::Status Fill(const Imported& file, const std::string& said, const std::string& defaults, absl::string_view what,
                  absl::string_view flag, std::string* field) {
  *field = said.empty() ? defaults : said;
  if (!field->empty()) return absl::OkStatus();
  return ImportError(file.name, absl::StrCat("does not say ", what), absl::StrCat("say it with ", flag));
}

absl::Status FillModel(const Imported& file, const std::string& component, Measurement* row) {
  for (const auto& [part, model] : file.defaults.models) {
    if (part == component || (part.empty() && row->model.empty())) row->model = model;
  }
  if (!row->model.empty()) return absl::OkStatus();
  return ImportError(file.name, "does not say which model file it measured",
                     "name it, without .onnx, with --measurements MODEL=FILE or --model MODEL");
}

}  // namespace

absl::StatusOr<Measurement> RowOf(const Imported& file, const Said& said) {
  const MeasurementDefaults& defaults = file.defaults;
  Measurement row;
  HWEST_RETURN_IF_ERROR(FillModel(file, said.component, &row));
  HWEST_RETURN_IF_ERROR(Fill(file, said.device, defaults.device, "on which device", "--device NAME", &row.device));
  HWEST_RETURN_IF_ERROR(Fill(file, said.unit, defaults.unit, "on which unit", "--unit CPU, GPU or NPU", &row.unit));
  HWEST_RETURN_IF_ERROR(
      Fill(file, said.precision, defaults.precision, "at which precision", "--precision P", &row.precision));
  HWEST_RETURN_IF_ERROR(
      Fill(file, said.runtime, defaults.runtime, "with which runtime", "--runtime NAME", &row.runtime));
  row.mode = said.mode.empty() ? defaults.mode : said.mode;
  row.family = row.model;
  row.dims = defaults.dims;
  row.bind = absl::StrJoin(defaults.dims, ";", absl::PairFormatter("="));
  row.images = defaults.images;
  if (defaults.images.has_value()) row.batch = absl::StrCat(*defaults.images);
  row.metric = "latency_ms";
  return row;
}

}  // namespace hwest

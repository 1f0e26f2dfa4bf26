#include "measured/import_tree.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

constexpr int kMaxDepth = 64;

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

absl::Status ImportError(absl::string_view name, absl::string_view what, absl::string_view remedy) {
  return MakeError(Code::kUsage, absl::StrCat(EscapeControl(name), ": ", EscapeControl(what)), remedy);
}

absl::StatusOr<Tree> ParseJson(absl::string_view text, absl::string_view name) {
  bool too_deep = false;
  const auto check = [&](int depth, Tree::parse_event_t, Tree&) {
    too_deep = too_deep || depth > kMaxDepth;
    return !too_deep;
  };
  Tree tree = Tree::parse(text.begin(), text.end(), check, /*allow_exceptions=*/false);
  if (too_deep) return ImportError(name, "the JSON is nested too deeply", "give a file that one of the programs wrote");
  if (!tree.is_discarded()) return tree;
  return ImportError(name, "the JSON is not complete or not valid", "let the program that writes it end properly");
}

const Tree* MemberOf(const Tree& tree, absl::string_view key) {
  if (!tree.is_object()) return nullptr;
  const auto found = tree.find(std::string(key));
  return found == tree.end() ? nullptr : &*found;
}

std::optional<double> NumberOf(const Tree& tree, absl::string_view key) {
  const Tree* member = MemberOf(tree, key);
  if (member == nullptr || !member->is_number()) return std::nullopt;
  const double number = member->get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::string TextOf(const Tree& tree, absl::string_view key) {
  const Tree* member = MemberOf(tree, key);
  return member != nullptr && member->is_string() ? member->get<std::string>() : "";
}

std::optional<double> MedianOf(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

absl::StatusOr<Measurement> RowOf(const Imported& file, const Said& said) {
  const MeasurementDefaults& defaults = file.defaults;
  Measurement row;
  HWEST_RETURN_IF_ERROR(FillModel(file, said.component, &row));
  HWEST_RETURN_IF_ERROR(Fill(file, said.device, defaults.device, "on which device", "--device NAME", &row.device));
  HWEST_RETURN_IF_ERROR(Fill(file, said.unit, defaults.unit, "on which unit", "--unit CPU, GPU or NPU", &row.unit));
  HWEST_RETURN_IF_ERROR(
      Fill(file, said.precision, defaults.precision, "at which precision", "--precision P", &row.precision));
  HWEST_RETURN_IF_ERROR(Fill(file, said.runtime, defaults.runtime, "with which runtime", "--runtime NAME", &row.runtime));
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

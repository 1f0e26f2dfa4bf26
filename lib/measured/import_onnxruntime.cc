// Profiles of ONNX Runtime: an array of trace events, microseconds.
#include <algorithm>
#include <iterator>
#include <map>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "measured/importers.h"

namespace hwest {
namespace {

struct ProviderRow {
  absl::string_view provider;
  absl::string_view unit;
  absl::string_view runtime;
};

constexpr ProviderRow kProviders[] = {
    {"CPUExecutionProvider", "CPU", "onnxruntime CPU"},
    {"XnnpackExecutionProvider", "CPU", "onnxruntime XNNPACK"},
    {"DnnlExecutionProvider", "CPU", "onnxruntime oneDNN"},
    {"CUDAExecutionProvider", "GPU", "onnxruntime CUDA"},
    {"TensorrtExecutionProvider", "GPU", "onnxruntime TensorRT"},
    {"NvTensorRTRTXExecutionProvider", "GPU", "onnxruntime TensorRT RTX"},
    {"QNNExecutionProvider", "NPU", "onnxruntime QNN"},
};

struct TypeRow {
  absl::string_view type;
  absl::string_view precision;
};

constexpr TypeRow kTypes[] = {
    {"float", "fp32"}, {"float16", "fp16"}, {"bfloat16", "bf16"}, {"uint8", "int8"}, {"int8", "int8"}};

// Nodes of one run and what their time went to.
struct Times {
  std::vector<double> runs;                 // microseconds
  std::map<std::string, double> providers;  // by name
  std::map<std::string, double> types;      // of the first input
};

// [{"float": [1, 3, 224, 224]}, ..]
std::string FirstTypeOf(const Tree& arguments) {
  const Tree* inputs = MemberOf(arguments, "input_type_shape");
  if (inputs == nullptr || !inputs->is_array() || inputs->empty()) return "";
  const Tree& first = inputs->front();
  return first.is_object() && first.size() == 1 ? first.begin().key() : "";
}

Times TimesOf(const Tree& events) {
  Times times;
  for (const Tree& event : events) {
    const std::optional<double> microseconds = NumberOf(event, "dur");
    if (!microseconds.has_value() || *microseconds < 0) continue;
    if (TextOf(event, "name") == "model_run") times.runs.push_back(*microseconds);
    const Tree* arguments = TextOf(event, "cat") == "Node" ? MemberOf(event, "args") : nullptr;
    if (arguments == nullptr) continue;
    if (const std::string provider = TextOf(*arguments, "provider"); !provider.empty()) {
      times.providers[provider] += *microseconds;
    }
    if (const std::string type = FirstTypeOf(*arguments); !type.empty()) times.types[type] += *microseconds;
  }
  // The first run also allocates, and tunes where the provider does.
  if (times.runs.size() > 1) times.runs.erase(times.runs.begin());
  return times;
}

std::string Largest(const std::map<std::string, double>& shares) {
  const auto found =
      std::max_element(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return found == shares.end() ? "" : found->first;
}

Said SaidOf(const Times& times, const MeasurementDefaults& defaults) {
  Said said;
  const std::string provider = Largest(times.providers);
  const auto known = std::find_if(std::begin(kProviders), std::end(kProviders),
                                  [&](const ProviderRow& row) { return row.provider == provider; });
  if (known != std::end(kProviders)) said.unit = std::string(known->unit);
  if (known != std::end(kProviders)) said.runtime = std::string(known->runtime);
  if (said.runtime.empty()) said.runtime = absl::StrCat("onnxruntime ", provider);
  if (!defaults.runtime.empty()) said.runtime = defaults.runtime;
  const std::string type = Largest(times.types);
  for (const TypeRow& row : kTypes) {
    if (row.type == type && defaults.precision.empty()) said.precision = std::string(row.precision);
  }
  return said;
}

}  // namespace

absl::StatusOr<std::vector<Measurement>> ReadOnnxRuntimeProfile(const Imported& file) {
  const Times times = TimesOf(OnnxRuntimeEvents(file.tree));
  const std::optional<double> microseconds = MedianOf(times.runs);
  if (!microseconds.has_value() || *microseconds <= 0) {
    return ImportError(file.name, "holds no run of the model", "profile session.run, then end_profiling");
  }
  HWEST_ASSIGN_OR_RETURN(Measurement row, RowOf(file, SaidOf(times, file.defaults)));
  row.source = "onnxruntime profile";
  row.value = *microseconds / kMicrosecondsPerMillisecond;
  return std::vector<Measurement>{std::move(row)};
}

}  // namespace hwest

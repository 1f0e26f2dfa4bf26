// Qualcomm AI Hub. Its models publish their figures in a perf.yaml each, whose form changed over the releases:
//
//   precisions: PRECISION: components: MODEL: performance_metrics: DEVICE: RUNTIME: {job_status, ..}   milliseconds
//   models: [{name, performance_metrics: [{RUNTIME: {job_status, ..}, reference_device_info}]}]        microseconds
//   performance_metrics: [{precision, device, runtime, metrics: {..}}]                                 milliseconds
//
// A profile job of one's own ends as {execution_summary: {estimated_inference_time}, execution_detail: [..]},
// microseconds.
#include <algorithm>
#include <cctype>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "measured/importers.h"

namespace hwest {
namespace {

constexpr absl::string_view kSource = "qualcomm-ai-hub-models";

// One job of a file: where it ran, and the mapping that holds its figures.
struct Job {
  Said said;
  const Tree* figures = nullptr;
};

// "PRECISION_W8A8" and "w8a8" alike; of older files "torchscript_onnx_qnn" was what is now called qnn_dlc.
std::string Lower(std::string text, absl::string_view prefix) {
  absl::AsciiStrToLower(&text);
  absl::string_view rest = text;
  absl::ConsumePrefix(&rest, prefix);
  return std::string(rest);
}

std::string RuntimeName(const std::string& text) {
  const std::string name = Lower(text, "runtime_");
  if (name == "torchscript_onnx_qnn" || name == "qnn") return "qnn_dlc";
  if (name == "torchscript_onnx_tflite") return "tflite";
  return name == "torchscript_onnx" ? "onnx" : name;
}

void ListByPrecision(const Tree& precisions, std::vector<Job>* jobs) {
  for (const auto& [precision, entry] : precisions.items()) {
    const Tree* components = MemberOf(entry, "components");
    if (components == nullptr || !components->is_object()) continue;
    for (const auto& [component, parts] : components->items()) {
      const Tree* devices = MemberOf(parts, "performance_metrics");
      if (devices == nullptr || !devices->is_object()) continue;
      for (const auto& [device, runtimes] : devices->items()) {
        if (!runtimes.is_object()) continue;
        for (const auto& [runtime, figures] : runtimes.items()) {
          jobs->push_back({{component, device, "", RuntimeName(runtime), precision, ""}, &figures});
        }
      }
    }
  }
}

void ListByModel(const Tree& models, std::vector<Job>* jobs) {
  for (const Tree& model : models) {
    const Tree* runs = MemberOf(model, "performance_metrics");
    if (runs == nullptr || !runs->is_array()) continue;
    for (const Tree& run : *runs) {
      const Tree* info = MemberOf(run, "reference_device_info");
      if (info == nullptr || !run.is_object()) continue;
      for (const auto& [runtime, figures] : run.items()) {
        if (!figures.is_object() || &figures == info) continue;
        jobs->push_back(
            {{TextOf(model, "name"), TextOf(*info, "name"), "", RuntimeName(runtime), TextOf(figures, "precision"), ""},
             &figures});
      }
    }
  }
}

void ListFlat(const Tree& rows, std::vector<Job>* jobs) {
  for (const Tree& row : rows) {
    const Tree* figures = MemberOf(row, "metrics");
    if (figures == nullptr) continue;
    jobs->push_back({{TextOf(row, "component"), TextOf(row, "device"), "", RuntimeName(TextOf(row, "runtime")),
                      Lower(TextOf(row, "precision"), "precision_"), ""},
                     figures});
  }
}

std::vector<Job> JobsOf(const Tree& tree) {
  std::vector<Job> jobs;
  const Tree* precisions = MemberOf(tree, "precisions");
  const Tree* models = MemberOf(tree, "models");
  const Tree* rows = MemberOf(tree, "performance_metrics");
  if (precisions != nullptr && precisions->is_object()) ListByPrecision(*precisions, &jobs);
  if (models != nullptr && models->is_array()) ListByModel(*models, &jobs);
  if (rows != nullptr && rows->is_array()) ListFlat(*rows, &jobs);
  return jobs;
}

std::optional<double> MillisecondsOf(const Tree& figures) {
  if (const auto ms = NumberOf(figures, "inference_time_milliseconds"); ms.has_value()) return ms;
  const auto us = NumberOf(figures, "inference_time");
  return us.has_value() ? std::optional(*us / kMicrosecondsPerMillisecond) : std::nullopt;
}

// Whether all layers ran on `unit`, by either release. Files that count none name that unit as the job's.
bool RanWhollyOn(const Tree& figures, const std::string& unit) {
  const std::string key = absl::AsciiStrToLower(unit);
  const Tree* counts = MemberOf(figures, "layer_counts");
  const Tree* info = MemberOf(figures, "layer_info");
  if (counts != nullptr) return NumberOf(*counts, key) == NumberOf(*counts, "total");
  if (info != nullptr) return NumberOf(*info, absl::StrCat("layers_on_", key)) == NumberOf(*info, "total_layers");
  return true;
}

// Whether the job ended well, on one unit, with a figure.
bool IsUsable(const Job& job) {
  const std::string status = TextOf(*job.figures, "job_status");
  const std::string unit = TextOf(*job.figures, "primary_compute_unit");
  if (!status.empty() && status != "Passed") return false;
  if (unit != "NPU" && unit != "GPU" && unit != "CPU") return false;
  return MillisecondsOf(*job.figures).value_or(0) > 0 && RanWhollyOn(*job.figures, unit);
}

std::vector<std::string> ComponentsOf(const std::vector<Job>& jobs) {
  std::vector<std::string> names;
  for (const Job& job : jobs) names.push_back(job.said.component);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool IsWanted(const MeasurementDefaults& defaults, const std::string& component) {
  return std::any_of(defaults.models.begin(), defaults.models.end(),
                     [&](const auto& row) { return row.first.empty() || row.first == component; });
}

absl::Status CheckComponents(const Imported& file, const std::vector<std::string>& components) {
  const auto& models = file.defaults.models;
  const bool unnamed = std::any_of(models.begin(), models.end(), [](const auto& row) { return row.first.empty(); });
  if (components.size() < 2 || (!models.empty() && !unnamed)) return absl::OkStatus();
  return ImportError(file.name, absl::StrCat("measured ", absl::StrJoin(components, ", ")),
                     absl::StrCat("name the file of each you want, e.g. --model ", components[0], "=MODEL"));
}

std::string VersionOf(const Tree& figures) {
  const Tree* tools = MemberOf(figures, "tool_versions");
  return tools != nullptr ? TextOf(*tools, "qairt") : "";
}

}  // namespace

bool IsAiHubPerf(const Tree& tree) {
  for (const char* key : {"precisions", "models", "performance_metrics"}) {
    if (MemberOf(tree, key) != nullptr) return true;
  }
  return false;
}

absl::StatusOr<std::vector<Measurement>> ReadAiHubPerf(const Imported& file) {
  const std::vector<Job> jobs = JobsOf(file.tree);
  const std::vector<std::string> components = ComponentsOf(jobs);
  HWEST_RETURN_IF_ERROR(CheckComponents(file, components));
  std::vector<Measurement> rows;
  bool usable = false;
  for (const Job& job : jobs) {
    if (!IsUsable(job)) continue;
    usable = true;
    if (components.size() > 1 && !IsWanted(file.defaults, job.said.component)) continue;
    Said said = job.said;
    said.unit = TextOf(*job.figures, "primary_compute_unit");
    HWEST_ASSIGN_OR_RETURN(Measurement row, RowOf(file, said));
    row.source = std::string(kSource);
    row.source_version = VersionOf(*job.figures);
    row.value = *MillisecondsOf(*job.figures);
    rows.push_back(std::move(row));
  }
  if (!rows.empty()) return rows;
  if (!usable) return ImportError(file.name, "no job of it passed on one unit alone", "give another file");
  return ImportError(file.name, "measured none of the models that --model names",
                     absl::StrCat("it measured ", absl::StrJoin(components, ", ")));
}

bool IsAiHubJob(const Tree& tree) { return MemberOf(tree, "execution_summary") != nullptr; }

absl::StatusOr<std::vector<Measurement>> ReadAiHubJob(const Imported& file) {
  const Tree& summary = *MemberOf(file.tree, "execution_summary");
  const std::optional<double> microseconds = NumberOf(summary, "estimated_inference_time");
  if (!microseconds.has_value() || *microseconds <= 0) {
    return ImportError(file.name, "holds no inference time above 0", "give the results of a profile job that passed");
  }
  Said said;
  if (file.defaults.unit.empty()) said.unit = "NPU";
  if (const Tree* layers = MemberOf(file.tree, "execution_detail"); layers != nullptr && layers->is_array()) {
    for (const Tree& layer : *layers) {
      const std::string unit = TextOf(layer, "compute_unit");
      if (unit.empty() || unit == "NPU" || !file.defaults.unit.empty()) continue;
      return ImportError(file.name, absl::StrCat("a layer ran on ", unit), "say what to take it for with --unit");
    }
  }
  HWEST_ASSIGN_OR_RETURN(Measurement row, RowOf(file, said));
  row.source = "qualcomm-ai-hub";
  row.value = *microseconds / kMicrosecondsPerMillisecond;
  return std::vector<Measurement>{std::move(row)};
}

}  // namespace hwest

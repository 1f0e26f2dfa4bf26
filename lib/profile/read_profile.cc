#include "profile/read_profile.h"

#include <algorithm>
#include <iterator>

#include "base/status_macros.h"

namespace hwest {
namespace {

struct ProfileForm {
  bool (*matches)(const Tree& tree);
  absl::StatusOr<Profile> (*read)(const Tree& tree, absl::string_view name);
};
constexpr ProfileForm kForms[] = {{IsTrtexecProfile, ReadTrtexecLayers},
                                  {IsTrexFrame, ReadTrexFrame},
                                  {IsEngineGraph, ReadEngineGraph},
                                  {IsOnnxRuntimeProfile, ReadOnnxRuntimeNodes},
                                  {IsAiHubProfile, ReadAiHubLayers}};

// clang-format off
constexpr TextProfileForm kTextForms[] = {
    {"rknn-layers", "RKNN-Toolkit2, eval_perf with perf_debug", "each layer, with what debugging adds to it", "NPU",
     "RKNN", IsRknnTable, ReadRknnLayers},
    {"qnn-events", "qnn-profile-viewer, or ONNX Runtime with QNN",
     "each node, its share of the accelerator's time by cycles", "NPU", "QNN", IsQnnCsv, ReadQnnEvents},
    {"qnn-text", "qnn-profile-viewer without --output",
     "each node, its share of the accelerator's time by cycles", "NPU", "QNN", IsQnnText, ReadQnnText},
    {"snpe-layers", "snpe-diagview of a log with detailed profiling", "each layer", "", "SNPE", IsSnpeTable,
     ReadSnpeLayers},
    {"executorch-events", "ExecuTorch's Inspector, printed or as TSV", "each event of the runtime or its delegates", "",
     "ExecuTorch", IsExecuTorchTable, ReadExecuTorchEvents},
    {"tflite-nodes", "benchmark_model --enable_op_profiling", "each node in run order", "", "TFLite",
     IsTfliteTable, ReadTfliteNodes},
    {"openvino-counters", "benchmark_app -pc or -report_type average_counters", "each layer that was executed", "",
     "OpenVINO", IsOpenVinoCounters, ReadOpenVinoCounters},
    {"trex-layers", "TensorRT Engine Explorer, plan.df.to_csv()", "each layer of the engine", "GPU", "TensorRT",
     IsTrexTable, ReadTrexTable},
    {"tidl-layers", "TIDL on a board with debug_level 1", "each layer, its share of the accelerator's time by cycles",
     "NPU", "TIDL", IsTidlTrace, ReadTidlLayers},
    {"vela-layers", "Vela, its per-layer CSV with the summary behind it, or what --verbose-performance prints",
     "each operator, as Vela estimates it", "NPU", "Vela", IsVelaTable, ReadVelaLayers, /*is_estimate=*/true},
    {"stedgeai-nodes", "stedgeai validate on a board", "each node", "", "ST Edge AI",
     IsStEdgeAiTable, ReadStEdgeAiNodes},
    {"ncnn-layers", "ncnn built with NCNN_BENCHMARK", "each layer", "", "ncnn", IsNcnnLayers, ReadNcnnLayers},
};
// clang-format on

absl::StatusOr<Profile> ReadTextForm(absl::string_view text, absl::string_view name, const TextProfileForm& form) {
  if (text.size() > kMaxTreeBytes) return ImportError(name, "is above 64 MiB", "export a shorter run");
  return form.read(text, name);
}

absl::Status NoOperators(absl::string_view name) {
  return ImportError(name, "holds no time of an operator", "profile a run of the model");
}

}  // namespace

absl::Span<const TextProfileForm> AllTextProfiles() { return kTextForms; }

const TextProfileForm* TextProfileOf(absl::string_view text) {
  const auto at = std::find_if(std::begin(kTextForms), std::end(kTextForms),
                               [&](const TextProfileForm& form) { return form.matches(text); });
  return at == std::end(kTextForms) ? nullptr : &*at;
}

absl::StatusOr<Profile> ParseProfile(absl::string_view text, absl::string_view name) {
  const size_t begin = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  const bool is_json = begin != absl::string_view::npos && (text[begin] == '{' || text[begin] == '[');
  if (const TextProfileForm* form = is_json ? nullptr : TextProfileOf(text); form != nullptr) {
    HWEST_ASSIGN_OR_RETURN(Profile profile, ReadTextForm(text, name, *form));
    if (!profile.entries.empty()) return profile;
    return NoOperators(name);
  }
  HWEST_ASSIGN_OR_RETURN(const Tree tree, ParseJson(text, name));
  for (const ProfileForm& form : kForms) {
    if (!form.matches(tree)) continue;
    HWEST_ASSIGN_OR_RETURN(Profile profile, form.read(tree, name));
    if (!profile.entries.empty()) return profile;
    return NoOperators(name);
  }
  return ImportError(
      name, "is no profile of operators",
      "give what `trtexec --exportProfile`, TensorRT Engine Explorer, ONNX Runtime with "
      "enable_profiling, RKNN's eval_perf, QNN's profile viewer, snpe-diagview, a profile job of AI Hub, "
      "TIDL, TFLite's benchmark_model, Vela, ExecuTorch's Inspector, OpenVINO's benchmark_app, ST Edge "
      "AI or ncnn write");
}

}  // namespace hwest

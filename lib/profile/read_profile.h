// Profiles that runtimes write, read as the time of each kernel in one inference.
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/profile.h"
#include "profile/json_tree.h"

namespace hwest {

// ParseProfile reads the text of a profile of any of these forms; `name` stands for it in errors. Errors: kUsage for a
// text that is none of them or not complete, and for one without a kernel.
absl::StatusOr<Profile> ParseProfile(absl::string_view text, absl::string_view name);

// trtexec --exportProfile: the median time of each layer, in older releases its average.
bool IsTrtexecProfile(const Tree& tree);
absl::StatusOr<Profile> ReadTrtexecLayers(const Tree& tree, absl::string_view name);

// ONNX Runtime, SessionOptions.enable_profiling: of each node the median of the runs, the first left out where there
// are more. What a body of control flow takes counts for its nodes alone.
bool IsOnnxRuntimeProfile(const Tree& tree);
const Tree& OnnxRuntimeEvents(const Tree& tree);  // of such a tree: an array
absl::StatusOr<Profile> ReadOnnxRuntimeNodes(const Tree& tree, absl::string_view name);

// Qualcomm AI Hub: results of a profile job, of layers in cycles their share of the inference.
bool IsAiHubProfile(const Tree& tree);
absl::StatusOr<Profile> ReadAiHubLayers(const Tree& tree, absl::string_view name);

// Forms that are no JSON, known by their header.
struct TextProfileForm {
  absl::string_view name;     // "rknn-layers"
  absl::string_view written;  // by which program
  absl::string_view summary;  // what an entry is
  absl::string_view unit;     // that it always runs on, as measurements call it; empty = the text does not say
  absl::string_view runtime;  // likewise
  bool (*matches)(absl::string_view text);
  absl::StatusOr<Profile> (*read)(absl::string_view text, absl::string_view name);
  bool is_estimate = false;  // of a compiler: no measurement
};
absl::Span<const TextProfileForm> AllTextProfiles();
const TextProfileForm* TextProfileOf(absl::string_view text);  // null = none

// RKNN-Toolkit2 and its runtime: the layer table of eval_perf with perf_debug.
bool IsRknnTable(absl::string_view text);
absl::StatusOr<Profile> ReadRknnLayers(absl::string_view text, absl::string_view name);

// qnn-profile-viewer and ONNX Runtime's QNN provider: the CSV of detailed profiling, the median of its runs.
bool IsQnnCsv(absl::string_view text);
absl::StatusOr<Profile> ReadQnnEvents(absl::string_view text, absl::string_view name);

// qnn-profile-viewer: what it prints, its averages.
bool IsQnnText(absl::string_view text);
absl::StatusOr<Profile> ReadQnnText(absl::string_view text, absl::string_view name);

// snpe-diagview: its layers, by name or by number.
bool IsSnpeTable(absl::string_view text);
absl::StatusOr<Profile> ReadSnpeLayers(absl::string_view text, absl::string_view name);

// ExecuTorch's Inspector: its table of events, without those around the operators.
bool IsExecuTorchTable(absl::string_view text);
absl::StatusOr<Profile> ReadExecuTorchEvents(absl::string_view text, absl::string_view name);

// TensorFlow Lite's benchmark_model with --enable_op_profiling: its table in run order.
bool IsTfliteTable(absl::string_view text);
absl::StatusOr<Profile> ReadTfliteNodes(absl::string_view text, absl::string_view name);

// OpenVINO's benchmark_app: the report of average_counters, or what -pc prints.
bool IsOpenVinoCounters(absl::string_view text);
absl::StatusOr<Profile> ReadOpenVinoCounters(absl::string_view text, absl::string_view name);

// TensorRT Engine Explorer: the frame of an engine as CSV or JSON, the median of each layer, in older releases its
// average; and what --exportLayerInfo writes, which is refused with what to give.
bool IsTrexTable(absl::string_view text);
absl::StatusOr<Profile> ReadTrexTable(absl::string_view text, absl::string_view name);
bool IsTrexFrame(const Tree& tree);
absl::StatusOr<Profile> ReadTrexFrame(const Tree& tree, absl::string_view name);
bool IsEngineGraph(const Tree& tree);
absl::StatusOr<Profile> ReadEngineGraph(const Tree& tree, absl::string_view name);

// TIDL with debug_level 1: its tables of layers in cycles, the median of the runs, named by a layer_info.txt in front.
bool IsTidlTrace(absl::string_view text);
absl::StatusOr<Profile> ReadTidlLayers(absl::string_view text, absl::string_view name);

// Vela: its table of operators in cycles, which the clock in its summary makes times.
bool IsVelaTable(absl::string_view text);
absl::StatusOr<Profile> ReadVelaLayers(absl::string_view text, absl::string_view name);

// ST Edge AI Core: the table of nodes of `stedgeai validate` on a board.
bool IsStEdgeAiTable(absl::string_view text);
absl::StatusOr<Profile> ReadStEdgeAiNodes(absl::string_view text, absl::string_view name);

// ncnn built with NCNN_BENCHMARK: its layers.
bool IsNcnnLayers(absl::string_view text);
absl::StatusOr<Profile> ReadNcnnLayers(absl::string_view text, absl::string_view name);

}  // namespace hwest

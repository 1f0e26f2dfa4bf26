// Precision by layer: what each format of each layer brings on a target, which Q/DQ of the file hinder, and the fastest
// choice of formats within a budget of loss.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/analysis.h"
#include "hwest/report.h"

namespace hwest {

// One format of one layer, the others at the base.
struct LayerChoice {
  std::string format;            // as of --precision
  std::string runs;              // what the layer then runs at; the base's where its unit does not have the format
  double gain_s = 0;             // latency of the base less this one: below zero = slower
  std::optional<double> gain_j;  // the same of energy; none = not known
  int64_t gain_bytes = 0;        // of the peak of memory
  double conversions_s = 0;      // of the latency: conversions at its edges
  std::optional<double> loss;    // as imported; none = not stated
};

// A layer is a contraction with weights, or those without of one kernel, with what runs in the kernel with it.
struct PlanLayer {
  std::vector<NodeId> nodes;       // its contractions, of `base`; mostly one
  std::vector<std::string> names;  // by which --precision-of and exports name them
  std::string output;              // name of the tensor that the kernel writes
  int64_t macs = 0;
  double time_s = 0;                 // at the base
  std::string in_file;               // its format in the file, where that has Q/DQ: the base's where it has none there
  std::vector<LayerChoice> choices;  // by format of the plan, the base's own included

  const std::string& name() const { return names[0]; }
};

// The fastest assignment of formats among those of at most `loss`.
struct FrontierPoint {
  double loss = 0;
  double summed_s = 0;   // as the search sums it up
  double latency_s = 0;  // of an analysis with these formats
  std::optional<double> energy_j;
  int64_t peak_memory_bytes = 0;
  std::vector<std::string> formats;  // by layer
};

// What hinders, in words with figures.
enum class QuantFindingKind : uint8_t {
  kVerdict,      // which format is the fastest as a whole
  kConversion,   // time in Q/DQ and other conversions
  kFallback,     // layers that run elsewhere, or in floating point, where the format is asked for
  kNoGain,       // layers that are bound by memory or launches, whose rate of int8 brings nothing
  kFusion,       // kernels that no longer fuse
  kFloatIsland,  // an operator in floating point between integer ones
  kHarmfulPair,  // Q/DQ around a layer that is faster without
  kAxis,         // per-channel weights along an axis that is not taken
  kUnsigned      // uint8 where the toolchain takes int8, or the reverse
};
absl::string_view QuantFindingName(QuantFindingKind kind);  // "verdict", ...
struct QuantFinding {
  QuantFindingKind kind = QuantFindingKind::kVerdict;
  std::string text;                // in words
  std::string fix;                 // the change that ends it; empty = none is known
  double time_s = 0;               // that it costs; 0 = not known
  double share = 0;                // of the latency of the file
  std::vector<std::string> nodes;  // labels, as in the file
};

struct QuantizePlan {
  std::shared_ptr<const Analysis> file;  // the model as it is
  std::shared_ptr<const Analysis> base;  // every layer at the widest format, without the file's Q/DQ
  bool is_quantised = false;             // the file has Q/DQ
  std::vector<std::string> formats;      // that layers may have, the widest, the base, first
  // Latency where all layers have one format; the file as it is comes last, as "file", where it is quantised.
  std::vector<std::pair<std::string, double>> uniform;
  std::vector<PlanLayer> layers;       // in the order of the model
  std::vector<QuantFinding> findings;  // largest time first, the verdict before them
  bool has_sensitivity = false;
  int64_t missing = 0;                  // layers and formats without a row: they stay at the base
  std::vector<FrontierPoint> frontier;  // by loss, ascending; without sensitivity every loss is 0 and it has one point
  bool is_exact = true;                 // the search left out nothing that its sums call better
  std::optional<double> budget;
  // Point of the frontier: the fastest within the budget; without sensitivity, of a file with Q/DQ, the fastest in
  // which no layer is narrower than in the file; of one format alone that. None = nothing says what may be narrower.
  std::optional<size_t> chosen;
  // Latency of the file with Q/DQ that this makes of the model; none where none is chosen, or Q/DQ have no form for it.
  std::optional<double> applied_s;
};

// What takes over a plan: a file or the lines of one, in the form of its tool.
//   kHwest     CSV node,format: --precision-of of this program
//   kOrt       JSON with nodes_to_exclude of ONNX Runtime's quantize_static, and its types where the plan has int16
//   kTensorRt  arguments of trtexec: --layerPrecisions
//   kQnn       --quantization_overrides of QAIRT's converters: activation_encodings and param_encodings
//   kRknn      custom_quantize_layers of the configuration that RKNN-Toolkit2's hybrid_quantization_step1 writes
//   kTidl      advanced_options of TIDL's ONNX Runtime provider: output_feature_16bit_names_list,
//   params_16bit_names_list kHailo     quantization_param lines of a model script
enum class QuantizeExport : uint8_t { kHwest, kOrt, kTensorRt, kQnn, kRknn, kTidl, kHailo };
absl::string_view QuantizeExportName(QuantizeExport form);  // "hwest", ...

// ExportQuantizePlan writes the plan that is chosen. Errors: kUsage where none is, or where the tool has no word for a
// format of it.
absl::StatusOr<std::string> ExportQuantizePlan(const QuantizePlan& plan, QuantizeExport form);

// Formats: text, JSON, CSV (a row for each layer and format), Markdown; SVG, PNG and PDF as the frontier of loss and
// latency; HTML. Errors: kUsage for other formats; those of `sink`.
absl::Status WriteQuantizePlan(const QuantizePlan& plan, const ReportOptions& options, Sink sink);

}  // namespace hwest

// The study behind `quantize-plan`.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/load.h"
#include "hwest/quantize.h"
#include "hwest/study.h"

namespace hwest {

// Loss of one layer in one format, as another tool measured it; it adds up over layers.
struct SensitivityRow {
  std::string node;  // or the tensor that the layer writes
  std::string format;
  double loss = 0;
};

// ParseSensitivity reads, told apart by the text:
//   CSV with the columns node, format, loss
//   JSON {"LAYER": number}, AIMET's per_layer_mse_loss.json: a mean square error
//   JSON {"ranking": [{"name": LAYER, "score": number}]}, AIMET's save_sensitivity_results, from the highest score down
//   JSON {"TENSOR": {"qdq_err": dB, "xmodel_err": dB}}, what compute_activation_error of ONNX Runtime's qdq_loss_debug
//        returns, as JSON: the loss is the noise over the signal, 10^(-qdq_err / 10)
// JSON states no format: it is `json_format`. Errors: kUsage with `source`.
absl::StatusOr<std::vector<SensitivityRow>> ParseSensitivity(absl::string_view text, absl::string_view source,
                                                             absl::string_view json_format);

struct QuantizePlanRequest {
  AnalysisRequest analysis;          // with a target; its precision_of is left out
  std::vector<std::string> formats;  // empty = those of int8, w8a16, fp16 that the main unit has
  std::optional<std::vector<SensitivityRow>> sensitivity;
  std::optional<double> budget;  // of loss
  StudyProgress progress;        // may be null
  std::function<bool()> stop;    // may be null
};

// PlanQuantization analyses `graph` in each format, and each layer of it in each. `source` is the file, which is read
// once more where it has Q/DQ. Errors: those of Analyze; kUsage for a format that no unit has, a name that the model
// lacks, a budget without sensitivity.
absl::StatusOr<QuantizePlan> PlanQuantization(const std::shared_ptr<const Graph>& graph, const ModelSource& source,
                                              const QuantizePlanRequest& request);

// Names by which --precision-of finds each of the nodes and no other: of the node, of a value that it makes, or "#id".
std::vector<std::string> UniqueNamesOf(const Graph& graph, const std::vector<NodeId>& nodes);

// The text of --precision-of for these formats, by layer; layers at the base have no row.
std::string PrecisionOfText(const QuantizePlan& plan, const std::vector<std::string>& formats);

}  // namespace hwest

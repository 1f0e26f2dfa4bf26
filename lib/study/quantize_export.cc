// Plans of formats in the forms of tools.
#include <algorithm>
#include <iterator>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cost/model_view.h"
#include "hwest/diagnostic.h"
#include "hwest/reading.h"
#include "study/quantize_plan.h"

namespace hwest {
namespace {

bool IsWideInteger(absl::string_view format) { return format == "w8a16" || format == "w4a16"; }
bool IsFloatFormat(absl::string_view format) {
  return format == "fp32" || format == "tf32" || format == "fp16" || format == "bf16";
}

std::string JsonText(absl::string_view text) {
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}, {"\n", "\\n"}, {"\t", "\\t"}}),
                      "\"");
}

std::string JsonList(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(JsonText(text));
  return absl::StrCat("[", absl::StrJoin(quoted, ", "), "]");
}

class Exporter {
 public:
  Exporter(const QuantizePlan& plan, const FrontierPoint& point) : plan_(plan), formats_(point.formats) {}

  absl::StatusOr<std::string> Run(QuantizeExport form) const {
    switch (form) {
      case QuantizeExport::kHwest: return PrecisionOfText(plan_, formats_);
      case QuantizeExport::kOrt: return Ort();
      case QuantizeExport::kTensorRt: return TensorRt();
      case QuantizeExport::kQnn: return Qnn();
      case QuantizeExport::kRknn: return Rknn();
      case QuantizeExport::kTidl: return Tidl();
      case QuantizeExport::kHailo: return Hailo();
    }
    return std::string();
  }

 private:
  template <class Wanted>
  std::vector<std::string> NodesWith(const Wanted& wanted) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < plan_.layers.size(); ++i) {
      if (!wanted(formats_[i])) continue;
      names.insert(names.end(), plan_.layers[i].names.begin(), plan_.layers[i].names.end());
    }
    return names;
  }
  template <class Wanted>
  std::vector<std::string> OutputsWith(const Wanted& wanted) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < plan_.layers.size(); ++i) {
      if (wanted(formats_[i]) && !plan_.layers[i].output.empty()) names.push_back(plan_.layers[i].output);
    }
    return names;
  }
  // The tool quantises to int8 what it is not told otherwise about, so every other layer needs a word for its format.
  absl::Status OnlyHas(absl::string_view tool, std::initializer_list<absl::string_view> has) const {
    for (const std::string& format : formats_) {
      if (std::find(has.begin(), has.end(), format) != has.end()) continue;
      return MakeError(Code::kUsage, absl::StrCat(tool, " has no word for a layer at ", format),
                       absl::StrCat("choose among --formats ", absl::StrJoin(has, ",")), {"--formats"});
    }
    return absl::OkStatus();
  }

  // https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html:
  // quantize_static(nodes_to_exclude=...), and extra_options["TensorQuantOverrides"] for 16 bits.
  absl::StatusOr<std::string> Ort() const {
    HWEST_RETURN_IF_ERROR(OnlyHas("ONNX Runtime's quantiser", {"fp32", "fp16", "bf16", "w8a16", "int8"}));
    std::string text = absl::StrCat("{\n  \"nodes_to_exclude\": ", JsonList(NodesWith(IsFloatFormat)));
    const std::vector<std::string> wide = OutputsWith(IsWideInteger);
    if (!wide.empty()) {
      std::vector<std::string> rows;
      for (const std::string& tensor : wide) {
        rows.push_back(absl::StrCat("      ", JsonText(tensor), ": [{\"quant_type\": \"QUInt16\"}]"));
      }
      absl::StrAppend(&text, ",\n  \"extra_options\": {\n    \"TensorQuantOverrides\": {\n", absl::StrJoin(rows, ",\n"),
                      "\n    }\n  }");
    }
    return absl::StrCat(text, "\n}\n");
  }

  // `trtexec --help`: --layerPrecisions=layerName:precision,...; with --precisionConstraints=obey they hold.
  absl::StatusOr<std::string> TensorRt() const {
    HWEST_RETURN_IF_ERROR(OnlyHas("TensorRT", {"fp32", "fp16", "bf16", "int8", "fp8"}));
    std::vector<std::string> rows;
    std::set<std::string> types;
    for (size_t i = 0; i < plan_.layers.size(); ++i) {
      types.insert(formats_[i]);
      for (const std::string& name : plan_.layers[i].names) {
        rows.push_back(absl::StrCat(absl::StrReplaceAll(name, {{"'", "'\\''"}}), ":", formats_[i]));
      }
    }
    std::string text;
    for (const std::string& type : types) {
      if (type != "fp32") absl::StrAppend(&text, "--", type, " ");
    }
    return absl::StrCat(text, "--precisionConstraints=obey --layerPrecisions='", absl::StrJoin(rows, ","), "'\n");
  }

  // https://docs.qualcomm.com/doc/80-63442-10/topic/quantization.html: an entry per tensor with dtype and bitwidth.
  absl::StatusOr<std::string> Qnn() const {
    HWEST_RETURN_IF_ERROR(OnlyHas("QNN", {"fp16", "w8a16", "int8"}));
    const Analysis& base = *plan_.base;
    const ModelView model{GraphAsRead(base), base.facts, base.classes, base.work, *base.dims};
    std::vector<std::string> activations, params;
    for (size_t i = 0; i < plan_.layers.size(); ++i) {
      if (formats_[i] == "int8") continue;
      const bool is_float = IsFloatFormat(formats_[i]);
      const absl::string_view entry =
          is_float ? "[{\"bitwidth\": 16, \"dtype\": \"float\"}]" : "[{\"bitwidth\": 16, \"dtype\": \"int\"}]";
      if (!plan_.layers[i].output.empty()) {
        activations.push_back(absl::StrCat("    ", JsonText(plan_.layers[i].output), ": ", entry));
      }
      for (const NodeId node : plan_.layers[i].nodes) {
        for (const ValueId input : model.graph.inputs(node)) {
          const bool is_weight = is_float && input.valid() && model.graph.value(input).constant.valid();
          if (is_weight) params.push_back(absl::StrCat("    ", JsonText(model.graph.name(input)), ": ", entry));
        }
      }
    }
    const auto section = [](const std::vector<std::string>& rows) {
      return rows.empty() ? std::string("{}") : absl::StrCat("{\n", absl::StrJoin(rows, ",\n"), "\n  }");
    };
    return absl::StrCat("{\n  \"activation_encodings\": ", section(activations),
                        ",\n  \"param_encodings\": ", section(params), "\n}\n");
  }

  // RKNN-Toolkit2, hybrid quantisation: names are those of output tensors.
  absl::StatusOr<std::string> Rknn() const {
    HWEST_RETURN_IF_ERROR(OnlyHas("RKNN-Toolkit2's hybrid quantisation", {"fp16", "int8"}));
    const std::vector<std::string> wide = OutputsWith(IsFloatFormat);
    if (wide.empty()) return std::string("custom_quantize_layers: {}\n");
    std::string text = "custom_quantize_layers:\n";
    for (const std::string& tensor : wide) {
      absl::StrAppend(&text, "    '", absl::StrReplaceAll(tensor, {{"'", "''"}}), "': float16\n");
    }
    return text;
  }

  // edgeai-tidl-tools, docs/tidl_fsg_quantization.md: names of the layers' outputs, separated by commas.
  absl::StatusOr<std::string> Tidl() const {
    HWEST_RETURN_IF_ERROR(OnlyHas("TIDL", {"w8a16", "int8"}));
    const std::vector<std::string> wide = OutputsWith(IsWideInteger);
    return absl::StrCat("{\n  \"tensor_bits\": 8,\n  \"advanced_options:output_feature_16bit_names_list\": ",
                        JsonText(absl::StrJoin(wide, ",")),
                        ",\n  \"advanced_options:params_16bit_names_list\": \"\"\n}\n");
  }

  // Hailo Dataflow Compiler, model scripts: quantization_param(layer, precision_mode=...). Its layers have names of its
  // own, which the HAR lists beside those of the ONNX file.
  absl::StatusOr<std::string> Hailo() const {
    HWEST_RETURN_IF_ERROR(OnlyHas("Hailo's model script", {"w8a16", "int8"}));
    std::string text =
        "# Names are those of the ONNX file. Put the compiler's own in their place: the HAR lists them under "
        "original_names.\n";
    for (const std::string& name : NodesWith(IsWideInteger)) {
      absl::StrAppend(&text, "quantization_param([", name, "], precision_mode=a16_w16)\n");
    }
    return text;
  }

  const QuantizePlan& plan_;
  const std::vector<std::string>& formats_;
};

}  // namespace

absl::string_view QuantizeExportName(QuantizeExport form) {
  constexpr absl::string_view kNames[] = {"hwest", "ort", "tensorrt", "qnn", "rknn", "tidl", "hailo"};
  static_assert(std::size(kNames) == kNumEnumerators<QuantizeExport>);
  return kNames[static_cast<size_t>(form)];
}

absl::StatusOr<std::string> ExportQuantizePlan(const QuantizePlan& plan, QuantizeExport form) {
  if (!plan.chosen.has_value()) {
    const bool lacks_budget = plan.has_sensitivity && !plan.frontier.empty();
    return MakeError(Code::kUsage, "there is no plan to write: nothing says which layers may be narrower",
                     lacks_budget ? "add --budget LOSS" : "add --sensitivity FILE and --budget LOSS",
                     {"--sensitivity", "--budget"});
  }
  return Exporter(plan, plan.frontier[*plan.chosen]).Run(form);
}

}  // namespace hwest

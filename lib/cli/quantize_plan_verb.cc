// quantize-plan: which format pays for which layer.
#include <memory>
#include <utility>

#include "absl/strings/numbers.h"
#include "app/analyze.h"
#include "app/quantize_plan.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "cli/check.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"
#include "cli/written_model.h"
#include "hwest/diagnostic.h"
#include "measured/text_file.h"

namespace hwest {

namespace {

absl::Status CheckFlags(const QuantizePlanVerbOptions& options) {
  const bool has_written_flags =
      !options.ranges.empty() || options.written.verify_runs > 0 || !options.written.samples.empty();
  if (options.apply.empty() && has_written_flags) {
    return MakeError(Code::kUsage, "--ranges, --verify and --samples are for the file that --apply writes",
                     "add --apply OUT.onnx");
  }
  if (options.apply.empty() && options.export_as.has_value()) return absl::OkStatus();
  if (options.apply.empty()) return CheckFormat(ReportKind::kQuantizePlan, options.report.format);
  if (options.export_as.has_value()) {
    return MakeError(Code::kUsage, "--export and --apply both write the plan", "leave one of them out");
  }
  if (options.ranges.empty()) {
    return MakeError(
        Code::kUsage, "--apply needs what the values of each tensor lie between",
        "calibrate with ONNX Runtime, write_calibration_table(calibrator.compute_data()), and add --ranges "
        "calibration.json");
  }
  return CheckWritten(options, options.written);
}

}  // namespace

absl::Status RunQuantizePlanVerb(const QuantizePlanVerbOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckFlags(options));
  const std::string& path = options.words[0];
  std::vector<Diagnostic> notes;
  if (options.check == Check::kYes) HWEST_RETURN_IF_ERROR(CheckModel(path, &notes));
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, LoadModel(path));
  const app::LoadedModel model{.graph = std::move(graph), .name = path, .source = {.path = path, .limits = {}}};
  app::QuantizePlanRequest request = options.how;
  request.draft = options.request;
  if (!request.sensitivity_source.empty()) {
    HWEST_ASSIGN_OR_RETURN(request.sensitivity, ReadMeasuredText(request.sensitivity_source, "--sensitivity"));
  }
  request.watch.step = [&](const std::string& what, size_t) { PrintProgress(what, options, streams); };
  HWEST_ASSIGN_OR_RETURN(const QuantizePlan plan, app::PlanFormats(model, request));
  if (!options.apply.empty()) {
    HWEST_ASSIGN_OR_RETURN(const std::string ranges, ReadMeasuredText(options.ranges, "--ranges"));
    HWEST_ASSIGN_OR_RETURN(const Rewritten applied, app::ApplyFormats(model, plan, ranges, options.ranges));
    return DeliverWritten(options, options.written, options.apply, applied, std::move(notes), streams);
  }
  ReportOptions written = options.report;
  written.model_path = path;
  if (options.export_as.has_value()) {
    HWEST_ASSIGN_OR_RETURN(const std::string text, ExportQuantizePlan(plan, *options.export_as));
    HWEST_RETURN_IF_ERROR(Deliver(options, streams, [&](Sink sink) { return sink(text); }));
  } else {
    HWEST_RETURN_IF_ERROR(Deliver(options, streams, [&](Sink sink) { return WriteQuantizePlan(plan, written, sink); }));
  }
  notes.insert(notes.end(), plan.file->diagnostics.begin(), plan.file->diagnostics.end());
  PrintNotes(notes, options, streams);
  return options.strict == Strict::kYes ? AfterReport(app::CheckComplete(*plan.file)) : absl::OkStatus();
}

namespace {

constexpr auto kHow = &QuantizePlanVerbOptions::how;

absl::Status SetBudget(const Flag& flag, const std::string& value, Options* options) {
  double loss;
  if (!absl::SimpleAtod(value, &loss) || !(loss >= 0)) {
    return BadValue(flag.name, value, "give a loss from 0 on, in the unit of the file of --sensitivity");
  }
  dynamic_cast<QuantizePlanVerbOptions&>(*options).how.budget = loss;
  return absl::OkStatus();
}

// clang-format off: a paragraph a flag
constexpr Flag kQuantizePlanFlags[] = {
    {.name = "--sensitivity", .value = "FILE",
     .help = "loss of each layer in each format: CSV node,format,loss, or JSON of qdq_loss_debug or AIMET",
     .group = "Study", .set = SetText<kHow, &app::QuantizePlanRequest::sensitivity_source>, .example = "loss.csv",
     .path = PathIn::kFile},
    {.name = "--budget", .value = "LOSS", .help = "the most that the losses of layers may add up to", .group = "Study",
     .set = SetBudget, .example = "0.01"},
    {.name = "--formats", .value = "P,..", .help = "that layers may have", .group = "Study",
     .set = AddNames<kHow, &app::QuantizePlanRequest::formats>,
     .default_text = "fp16, w8a16 and int8, as far as the target has them", .example = "int8,fp16", .repeats = true},
    {.name = "--export", .value = "FORM", .help = "writes the plan in the form of a tool, in place of the report",
     .group = "Report", .set = SetChoice<&QuantizePlanVerbOptions::export_as>,
     .named_choices = NamesOf<QuantizeExportName, QuantizeExport, kNumEnumerators<QuantizeExport>>, .example = "ort"},
    {.name = "--apply", .value = "FILE",
     .help = "writes the model with Q/DQ for the layers that the plan has in int8, in place of the plan; needs "
             "--ranges",
     .group = "Rewrite", .set = SetText<&QuantizePlanVerbOptions::apply>,
     .example = "int8.onnx", .path = PathIn::kFile},
    {.name = "--ranges", .value = "FILE",
     .help = "of --apply: what the tensors lie between, ONNX Runtime's calibration.json or TensorRT's calibration "
             "cache",
     .group = "Rewrite", .set = SetText<&QuantizePlanVerbOptions::ranges>, .example = "calibration.json",
     .path = PathIn::kFile},
    {.name = "--verify", .value = "[N]",
     .help = "of --apply: run the original and the result on N sets of inputs (alone: 3) in ONNX Runtime and compare",
     .group = "Rewrite", .set = SetNumber<1, &QuantizePlanVerbOptions::written, &WrittenOptions::verify_runs>,
     .example = "10", .alone = "3"},
    {.name = "--samples", .value = "DIR",
     .help = "of --verify: inputs of the user's, a run for each .npz or .npy file or folder in it", .group = "Rewrite",
     .set = SetText<&QuantizePlanVerbOptions::written, &WrittenOptions::samples>, .example = "samples",
     .path = PathIn::kFolder},
    {.name = "--copy-data", .help = "of --apply: copy files with weights to the folder of the result",
     .group = "Rewrite",
     .set = Switch<CopyData::kYes, &QuantizePlanVerbOptions::written, &WrittenOptions::copy_data>},
};
// clang-format on

}  // namespace

absl::Span<const Flag> QuantizePlanFlags() { return kQuantizePlanFlags; }

}  // namespace hwest

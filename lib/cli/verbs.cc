#include "cli/verbs.h"

#include <cstdint>
#include <iterator>

#include "base/enumerators.h"

namespace hwest {

// Each in the file of its verb; nothing but the table below calls them.
absl::Status RunModelVerb(const AnalyzeOptions& options, const Streams& streams);  // of six verbs
absl::Status RunTargets(const Options& options, const Streams& streams);
absl::Status RunFusions(const FusionsOptions& options, const Streams& streams);
absl::Status RunDescribe(const DescribeOptions& options, const Streams& streams);
absl::Status RunCalibrate(const MeasuredOptions& options, const Streams& streams);
absl::Status RunCheckVerb(const CheckOptions& options, const Streams& streams);
absl::Status RunDiffVerb(const DiffOptions& options, const Streams& streams);
absl::Status RunVerify(const Options& options, const Streams& streams);
absl::Status RunExplore(const ExploreVerbOptions& options, const Streams& streams);
absl::Status RunRewrite(const RewriteVerbOptions& options, const Streams& streams);
absl::Status RunSweepVerb(const SweepOptions& options, const Streams& streams);
absl::Status RunValidate(const ValidateVerbOptions& options, const Streams& streams);
absl::Status RunImportLog(const ImportLogOptions& options, const Streams& streams);
absl::Status RunFitVerb(const FitVerbOptions& options, const Streams& streams);
absl::Status RunLlmVerb(const LlmVerbOptions& options, const Streams& streams);
absl::Status RunWorkloadVerb(const WorkloadVerbOptions& options, const Streams& streams);
absl::Status RunRulesVerb(const RulesVerbOptions& options, const Streams& streams);
absl::Status RunMemoryVerb(const MemoryVerbOptions& options, const Streams& streams);
absl::Status RunQuantizePlanVerb(const QuantizePlanVerbOptions& options, const Streams& streams);
absl::Status RunWidthVerb(const WidthVerbOptions& options, const Streams& streams);
absl::Span<const Flag> AnalyzeFlags();
absl::Span<const Flag> SupportFlags();
absl::Span<const Flag> GraphFlags();
absl::Span<const Flag> FusionsFlags();
absl::Span<const Flag> DescribeFlags();
absl::Span<const Flag> CalibrateFlags();
absl::Span<const Flag> CheckVerbFlags();
absl::Span<const Flag> DiffFlags();
absl::Span<const Flag> ExploreFlags();
absl::Span<const Flag> FitFlags();
absl::Span<const Flag> ImportLogFlags();
absl::Span<const Flag> LlmFlags();
absl::Span<const Flag> RewriteFlags();
absl::Span<const Flag> SweepFlags();
absl::Span<const Flag> ValidateFlags();
absl::Span<const Flag> WorkloadFlags();
absl::Span<const Flag> MemoryFlags();
absl::Span<const Flag> QuantizePlanFlags();
absl::Span<const Flag> RulesFlags();
absl::Span<const Flag> WidthFlags();

namespace {

template <class Own>
std::unique_ptr<Options> Make() {
  return std::make_unique<Own>();
}

template <class Own, absl::Status (*run)(const Own&, const Streams&)>
constexpr VerbRun Runs() {
  return {Make<Own>, [](const Options& options, const Streams& streams) {
            return run(dynamic_cast<const Own&>(options), streams);
          }};
}

// clang-format off: a paragraph a verb
constexpr VerbInfo kVerbs[] = {
    {.verb = Verb::kAnalyze, .name = "analyze", .words = "MODEL", .purpose = kEstimate,
     .help = "latency, memory and energy on a target (the default)",
     .min_words = 1, .max_words = 1, .files = 1,
     .report = ReportKind::kAnalysis, .runs = Runs<AnalyzeOptions, RunModelVerb>(), .flags = AnalyzeFlags,
     .examples = "onnx-hwest resnet18.onnx --target jetson-orin\n"
                 "onnx-hwest bert.onnx --target tda4vm --shape 1x128 --precision int8\n"
                 "onnx-hwest yolov8n.onnx --target jetson-orin --mode 30W --output plan.svg\n"},
    {.verb = Verb::kShapes, .name = "shapes", .words = "MODEL", .purpose = kUnderstand,
     .help = "types, shapes and counts of every value, no target needed",
     .min_words = 1, .max_words = 1, .files = 1,
     .report = ReportKind::kShapes, .runs = Runs<AnalyzeOptions, RunModelVerb>(),
     .examples = "onnx-hwest shapes model.onnx --json\n"
                 "onnx-hwest shapes model.tflite\n"},
    {.verb = Verb::kSupport, .name = "support", .words = "MODEL", .purpose = kUnderstand,
     .help = "which unit runs which node, and which limit refuses it",
     .min_words = 1, .max_words = 1, .files = 1,
     .report = ReportKind::kSupport, .runs = Runs<AnalyzeOptions, RunModelVerb>(), .flags = SupportFlags,
     .examples = "onnx-hwest support model.onnx --target hailo-8\n"},
    {.verb = Verb::kExplain, .name = "explain", .words = "MODEL NODE", .purpose = kUnderstand,
     .help = "why a node (name, output, #id, or gN of a group) is where it is and costs what it does",
     .min_words = 2, .max_words = 2, .files = 1,
     .report = ReportKind::kExplain, .runs = Runs<AnalyzeOptions, RunModelVerb>(),
     .examples = "onnx-hwest explain model.onnx Conv_12 --target sa8295p\n"},
    {.verb = Verb::kGraph, .name = "graph", .words = "MODEL", .purpose = kUnderstand,
     .help = "every node in order: operands, types, attributes, users, work, and its place in the plan",
     .min_words = 1, .max_words = 1, .files = 1,
     .report = ReportKind::kGraph, .runs = Runs<AnalyzeOptions, RunModelVerb>(), .flags = GraphFlags,
     .examples = "onnx-hwest graph model.onnx --target rk3588 --around Conv_12 --context 3\n"
                 "onnx-hwest graph model.onnx --start 50 --end 80 --output range.csv\n"},
    {.verb = Verb::kTargets, .name = "targets", .words = "[list | show NAME | diff A B | lint FILE|FOLDER...]",
     .purpose = kLookUp,
     .help = "built-in targets, one target's figures, what differs between two, or checks",
     .max_words = SIZE_MAX,
     .report = ReportKind::kTargets, .runs = Runs<Options, RunTargets>(),
     .examples = "onnx-hwest targets\n"
                 "onnx-hwest targets show jetson-orin\n"
                 "onnx-hwest targets diff jetson-orin orin-nano\n"},
    {.verb = Verb::kFusions, .name = "fusions", .purpose = kLookUp,
     .help = "the fusion patterns and who applies them",
     .report = ReportKind::kFusions, .runs = Runs<FusionsOptions, RunFusions>(), .flags = FusionsFlags,
     .examples = "onnx-hwest fusions --toolchain tidl\n"},
    {.verb = Verb::kDescribe, .name = "describe", .words = "[PAGE]", .purpose = kLookUp,
     .help = "tables of this program; alone, the list of them",
     .max_words = 1,
     .report = ReportKind::kDescribe, .runs = Runs<DescribeOptions, RunDescribe>(), .flags = DescribeFlags,
     .examples = "onnx-hwest describe codes\n"},
    {.verb = Verb::kValidate, .name = "validate", .words = "--measurements FILE --models DIR", .purpose = kMeasure,
     .help = "how far predictions are from measured figures",
     .report = ReportKind::kValidation, .runs = Runs<ValidateVerbOptions, RunValidate>(), .flags = ValidateFlags,
     .examples = "onnx-hwest validate --measurements measured.csv --models models --output accuracy.md\n"},
    {.verb = Verb::kCalibrate, .name = "calibrate",
     .words = "--target T --measurements FILE --models DIR --output FILE", .purpose = kMeasure,
     .help = "fits a target, or a family of them, to measured figures",
     .report = ReportKind::kCalibration, .runs = Runs<MeasuredOptions, RunCalibrate>(), .flags = CalibrateFlags,
     .examples = "onnx-hwest calibrate --target sa8295p --measurements mine.csv --models models "
                 "--output mine.textproto\n"},
    {.verb = Verb::kRewrite, .name = "rewrite", .words = "MODEL [--target T] --output OUT.onnx", .purpose = kImprove,
     .help = "an equivalent model that runs better on the target, as an ONNX file",
     .min_words = 1, .max_words = 1, .files = 1,
     .report = ReportKind::kRewrite, .runs = Runs<RewriteVerbOptions, RunRewrite>(), .flags = RewriteFlags,
     .examples = "onnx-hwest rewrite bert.onnx --target tda4vm --shape 1x128 --output better.onnx\n"
                 "onnx-hwest rewrite bert.onnx --rule gelu_to_erf --verify --output better.onnx\n",
     .more = "--verify runs both files by `python3 -m onnx_hwest.verify`, or the interpreter that PYTHON names; exit "
             "with 8 when they differ by more than the rules allow, with 7 when it cannot run."},
    {.verb = Verb::kSweep, .name = "sweep", .words = "MODEL...", .purpose = kCompare,
     .help = "a row for every combination of models, targets, modes, precisions and sizes",
     .min_words = 1, .max_words = SIZE_MAX, .files = SIZE_MAX,
     .report = ReportKind::kSweep, .runs = Runs<SweepOptions, RunSweepVerb>(),
     .flags = SweepFlags,
     .examples = "onnx-hwest sweep resnet18.onnx vit.onnx --target jetson-orin,tda4vm --mode all --output sweep.csv\n"
                 "onnx-hwest sweep bert.onnx --target all --batch 1,4 --dim seq=128:512:x2 --output sweep.html\n",
     .more = "Numbers may be ranges: 128:2048:x2, 64:256:+64. Several models or a list do the same without the verb. A "
             "language model (a decoder, config.json, GGUF file or folder) has its runtime's figures, as `llm`."},
    {.verb = Verb::kCheck, .name = "check", .words = "[--budget FILE | MODEL]", .purpose = kCompare,
     .help = "models against their budgets; exit with 8 when a limit is broken",
     .max_words = 1, .files = 1,
     .report = ReportKind::kCheck, .runs = Runs<CheckOptions, RunCheckVerb>(), .flags = CheckVerbFlags,
     .examples = "onnx-hwest check resnet18.onnx --target jetson-orin --max-latency 12ms\n"},
    {.verb = Verb::kDiff, .name = "diff", .words = "A [B]", .purpose = kCompare,
     .help = "what differs between two models or saved reports, and what each difference costs",
     .min_words = 1, .max_words = 2, .files = 2,
     .report = ReportKind::kDiff, .runs = Runs<DiffOptions, RunDiffVerb>(), .flags = DiffFlags,
     .examples = "onnx-hwest diff resnet18.onnx vit.onnx --target jetson-orin\n"
                 "onnx-hwest diff resnet18.onnx --target jetson-orin --against tda4vm\n"},
    {.verb = Verb::kVerify, .name = "verify", .words = "EVIDENCE", .purpose = kCompare,
     .help = "runs the command of a record again and says what differs; exit with 8 when anything does",
     .min_words = 1, .max_words = 1, .files = 1,
     .report = ReportKind::kVerify, .runs = Runs<Options, RunVerify>(),
     .examples = "onnx-hwest verify evidence.json\n",
     .more = "Whether two models compute the same: rewrite --verify, or python -m onnx_hwest.verify A.onnx B.onnx."},
    {.verb = Verb::kWorkload, .name = "workload", .words = "FILE | MODEL... --streams N", .purpose = kEstimate,
     .help = "several models on one chip: does each keep its deadline, and what does the chip reach?",
     .min_words = 1, .max_words = SIZE_MAX, .files = SIZE_MAX,
     .report = ReportKind::kWorkload, .runs = Runs<WorkloadVerbOptions, RunWorkloadVerb>(),
     .flags = WorkloadFlags,
     .examples = "onnx-hwest workload stack.textproto --target jetson-orin --output stack.svg\n"
                 "onnx-hwest workload resnet18.onnx --target jetson-orin --streams 4@30FPS\n"},
    {.verb = Verb::kExplore, .name = "explore", .words = "TARGET MODEL...", .purpose = kCompare,
     .help = "which values of a target's figures make models fast, frugal or small",
     .min_words = 1, .max_words = SIZE_MAX, .files = SIZE_MAX,
     .report = ReportKind::kExplore, .runs = Runs<ExploreVerbOptions, RunExplore>(),
     .flags = ExploreFlags,
     .examples = "onnx-hwest explore npu.textproto resnet18.onnx vit.onnx --vary npu.rows=16:64:x2 "
                 "--vary sram.size=1MB,2MB --process 16 --output best.textproto\n"
                 "onnx-hwest explore npu.textproto resnet18.onnx --vary npu.clock=0.5GHz:2GHz:+250MHz "
                 "--objective edp --output trade.html\n",
     .more = "--output FILE.textproto writes the best target, to be used as --target; other names take the report."},
    {.verb = Verb::kMemory, .name = "memory", .words = "MODEL", .purpose = kEstimate,
     .help = "what is where in memory at which address, whether it fits, what makes the peak and what takes less",
     .min_words = 1, .max_words = 1, .files = 1,
     .report = ReportKind::kMemory, .runs = Runs<MemoryVerbOptions, RunMemoryVerb>(), .flags = MemoryFlags,
     .examples = "onnx-hwest memory resnet18.onnx --target ethos-u85-1024 --arena 512kB,2MB\n"
                 "onnx-hwest memory resnet18.onnx --target jetson-orin --plan --output map.svg\n"
                 "onnx-hwest memory bert.onnx --target tda4vm --dim seq=128 --dim batch=1:64\n"},
    {.verb = Verb::kImportLog, .name = "import-log", .words = "LOG MODEL", .purpose = kMeasure,
     .help = "lays a compiler's own log over the plan: which nodes it puts elsewhere",
     .min_words = 2, .max_words = 2, .files = 2,
     .report = ReportKind::kImportLog, .runs = Runs<ImportLogOptions, RunImportLog>(),
     .flags = ImportLogFlags,
     .examples = "onnx-hwest import-log build.log model.onnx --target rk3588\n",
     .more = "Logs of RKNN-Toolkit2, ONNX Runtime and its QNN provider, TensorRT, TIDL, Hailo's parser and OpenVINO."},
    {.verb = Verb::kLlm, .name = "llm", .words = "[MODEL...]", .purpose = kEstimate,
     .help = "a language model on the runtimes of targets: time to first token, tokens per second, energy and memory",
     .max_words = SIZE_MAX, .files = SIZE_MAX,
     .report = ReportKind::kLlm, .runs = Runs<LlmVerbOptions, RunLlmVerb>(), .flags = LlmFlags,
     .examples = "onnx-hwest llm llama-8b --target rk3588,jetson-agx-orin-64gb --prompt 128,1024 --context 4096\n"
                 "onnx-hwest llm --config config.json --target jetson-orin-nano-8gb --weights int4_awq --batch 1,4\n"
                 "onnx-hwest llm llama-8b --target jetson-agx-orin-64gb --runtime llama.cpp-cuda --draft llama-1b "
                 "--acceptance 0.7\n",
     .more = "MODEL is an ONNX graph, the graphs of a split decoder or of a vision part and its decoder, a "
             "config.json, a folder with one, or a GGUF file. `onnx-hwest describe runtimes` lists the runtimes with "
             "their formats. A range holds four of five measurements."},
    {.verb = Verb::kQuantizePlan, .name = "quantize-plan", .words = "MODEL", .purpose = kImprove,
     .help = "which format pays for which layer, which Q/DQ hinder, and the fastest choice within a loss",
     .min_words = 1, .max_words = 1, .files = 1,
     .report = ReportKind::kQuantizePlan, .runs = Runs<QuantizePlanVerbOptions, RunQuantizePlanVerb>(),
     .flags = QuantizePlanFlags,
     .examples = "onnx-hwest quantize-plan resnet18.onnx --target jetson-orin\n"
                 "onnx-hwest quantize-plan resnet18.onnx --target jetson-orin --sensitivity loss.csv --budget 0.01\n"
                 "onnx-hwest quantize-plan resnet18.onnx --target rk3588 --sensitivity loss.csv --budget 0.01 "
                 "--export rknn --output hybrid.cfg\n",
     .more = "Losses are measured elsewhere and imported; they add up over layers. A layer without a row stays at the "
             "widest format."},
    {.verb = Verb::kRules, .name = "rules", .words = "lint FILE | test FILE", .purpose = kImprove,
     .help = "rewrite rules of your own: what is wrong with them, and whether ONNX Runtime computes the same",
     .min_words = 1, .max_words = 2,
     .report = ReportKind::kRules, .runs = Runs<RulesVerbOptions, RunRulesVerb>(), .flags = RulesFlags,
     .examples = "onnx-hwest rules lint own.rules\n"
                 "onnx-hwest rules test own.rules\n",
     .more = "`onnx-hwest describe rules` shows how they are written; `rewrite --rules FILE` uses them."},
    {.verb = Verb::kCures, .name = "cures", .words = "MODEL", .purpose = kImprove,
     .help = "what would make the model faster here: each change with what it saves, risks and takes, and its command",
     .min_words = 1, .max_words = 1, .files = 1,
     .report = ReportKind::kCures, .runs = Runs<AnalyzeOptions, RunModelVerb>(),
     .examples = "onnx-hwest cures yolov8n.onnx --target tda4vm\n"
                 "onnx-hwest cures resnet18.onnx --target jetson-orin --mode 30W --json\n",
     .more = "`analyze --what-if` prints the same list beside the analysis. Rules of your own (--rules FILE) are tried "
             "beside the built-in ones."},
    {.verb = Verb::kWidth, .name = "width", .words = "MODEL", .purpose = kImprove,
     .help = "the steps that time takes over the channels of each layer, and which other widths pay off",
     .min_words = 1, .max_words = 1, .files = 1,
     .report = ReportKind::kWidth, .runs = Runs<WidthVerbOptions, RunWidthVerb>(), .flags = WidthFlags,
     .examples = "onnx-hwest width resnet18.onnx --target tda4vm\n"
                 "onnx-hwest width resnet18.onnx --target rk3588 --layer /conv1/Conv --at 48\n"
                 "onnx-hwest width yolov8n.onnx --target sa8295p --output widths.html\n"},
    {.verb = Verb::kFit, .name = "fit", .words = "MODEL[=RATE]...", .purpose = kCompare,
     .help = "which boards hold a number of streams, in which mode, precision and batch, and what gives way first",
     .min_words = 1, .max_words = SIZE_MAX, .files = SIZE_MAX,
     .report = ReportKind::kFit, .runs = Runs<FitVerbOptions, RunFitVerb>(),
     .flags = FitFlags,
     .examples = "onnx-hwest fit resnet18.onnx --target edge --streams 4@30FPS --deadline 50ms --max-power 15W\n"
                 "onnx-hwest fit resnet18.onnx --target rk3588,jetson-orin --streams max@30FPS --pre h265,resize\n"
                 "onnx-hwest fit resnet18.onnx vit.onnx=5FPS --target jetson-orin --streams 2@30FPS --workloads fits\n",
     .more = "Each stream runs every model, at its RATE where it has one. A board of which a figure is needed that is "
             "not known, as of its decoder, is listed apart."},
    {.verb = Verb::kHelp, .name = "help", .words = "[VERB]", .purpose = kLookUp,
     .help = "what this program, or one of its verbs, takes",
     .max_words = 1,
     .report = ReportKind::kDescribe, .runs = {Make<Options>, nullptr},
     .examples = "onnx-hwest help sweep\n"},
};
// clang-format on

constexpr bool StandsByNumber() {
  for (size_t i = 0; i < std::size(kVerbs); ++i) {
    if (kVerbs[i].verb != static_cast<Verb>(i)) return false;
  }
  return true;
}
static_assert(std::size(kVerbs) == kNumEnumerators<Verb>);
static_assert(StandsByNumber());

}  // namespace

absl::Span<const VerbInfo> AllVerbs() { return kVerbs; }
const VerbInfo& InfoOf(Verb verb) { return kVerbs[static_cast<size_t>(verb)]; }

}  // namespace hwest

// Options: one command as the user meant it. Each verb extends the common struct with what only it reads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/request_options.h"
#include "app/capacity.h"
#include "app/llm.h"
#include "app/memory.h"
#include "app/quantize_plan.h"
#include "budget/budget.h"
#include "cli/command.h"
#include "cli/flag.h"
#include "complog/compiler_log.h"
#include "diff/diff.h"
#include "explore/explore.h"
#include "fit/folds.h"
#include "hwest/analysis.h"
#include "hwest/rewrite.h"
#include "measured/measurements.h"
#include "report/report.h"
#include "study/width.h"
#include "sweep/file.h"
#include "sweep/points.h"

namespace hwest {

enum class ColorMode : uint8_t { kAuto, kAlways, kNever };
enum class Action : uint8_t { kRun, kHelp, kHelpAll, kVersion };
enum class Quiet : bool { kNo, kYes };
enum class Strict : bool { kNo, kYes };
enum class Progress : bool { kNever, kAuto };
enum class Check : bool { kNo, kYes };
enum class Study : bool { kNo, kWhatIf };
enum class CopyData : bool { kNo, kYes };
enum class PerOperator : bool { kNo, kYes };
enum class Shell : uint8_t { kBash, kZsh, kFish };

// The record that goes with a report.
struct EvidenceOptions {
  std::string path;  // "" = none
};

struct GivenFlag {
  const Flag* flag = nullptr;
  std::string value;  // "" when it takes none
};

// Options common to all verbs. What a verb has no flag for keeps its default.
struct Options {
  virtual ~Options() = default;

  Verb verb = Verb::kAnalyze;
  Action action = Action::kRun;
  std::optional<Verb> help_on;     // of kHelp; none = the program
  std::vector<std::string> words;  // after the verb, flags left out: MODEL, NODE, ...
  RequestDraft request;
  std::vector<GivenFlag> request_flags;  // that set `request`, in declaration order
  std::string fusions_file;              // where request.fusion_rules was read; empty = there are none
  ReportOptions report;
  std::optional<Format> format;  // as asked for; none = by the extension of `output`, else text
  std::string output;            // empty = stdout
  std::optional<size_t> width;   // columns of text, 0 = unlimited; none = those of the terminal
  ColorMode color = ColorMode::kAuto;
  Quiet quiet = Quiet::kNo;
  Progress progress = Progress::kAuto;
  Strict strict = Strict::kNo;
  Check check = Check::kNo;
  EvidenceOptions evidence;
};

// Options of analyze; shapes, support, explain, graph and cures run likewise but take none of its flags.
struct AnalyzeOptions : Options {
  Study study = Study::kNo;
  bool with_rewrites = false;     // what rewriting would bring, too
  std::vector<int64_t> contexts;  // lengths that a language model is timed at; empty = not asked
};

// What a sweep runs over, and how; the words are its models.
struct SweepOptions : Options {
  SweepAxes axes;
  bool with_rewrites = false;  // rows are those after rewriting
  std::optional<Shard> shard;
  Resume resume = Resume::kNo;
  size_t threads = 0;  // 0 = as many as the machine has cores
};

inline constexpr char kDefaultBudget[] = "hwest.budget";

// What `check` checks, and against which limits.
struct CheckOptions : Options {
  std::string budget;                  // its file; "" = the limits below, else hwest.budget
  std::vector<BudgetLimit> limits;     // given as flags
  Judge judge = Judge::kPoint;         // of these
  std::optional<Undecided> undecided;  // none = as the budget says
  bool update = false;
};

// What `diff` compares with, and the differences it allows.
struct DiffOptions : Options {
  std::string against_target, against_mode, against_precision;  // of the other side, when it is the same model
  std::vector<FailOn> fail_on;
  bool exit_code = false;
};

// Streams of the models that are `workload`'s words, instead of a workload file.
struct WorkloadVerbOptions : Options {
  int64_t streams = 0;  // of each; 0 = the word is a file
  std::string rate;     // of each; empty = back to back
};

// What `explore` varies; the words are the target and the models.
struct ExploreVerbOptions : Options {
  ExploreRequest how;
};

// What `memory` shows beside the plan.
struct MemoryVerbOptions : Options {
  PlanRows rows = PlanRows::kNo;
  std::vector<int64_t> arenas;
  std::optional<app::DimRange> range;
};

// What `width` asks beside the steps.
struct WidthVerbOptions : Options {
  WidthOptions how;
};

struct ImportLogOptions : Options {
  LogFormat log_format = LogFormat::kAuto;
};

// What `llm` asks of a language model; the words are its files.
struct LlmVerbOptions : Options {
  app::LlmFiles files;
  FormatRows what_if = FormatRows::kNo;
};

// What becomes of a model that a verb writes.
struct WrittenOptions {
  CopyData copy_data = CopyData::kNo;
  int64_t verify_runs = 0;  // of the original and the result on the same inputs; 0 = not asked
  std::string samples;      // a folder of inputs for them; empty = random ones
};

// What `quantize-plan` chooses from, and what it writes beside the report.
struct QuantizePlanVerbOptions : Options {
  app::QuantizePlanRequest how;
  std::optional<QuantizeExport> export_as;
  std::string apply;   // the model with the plan's Q/DQ goes there; empty = it is not written
  std::string ranges;  // a file with the ranges of its tensors
  WrittenOptions written;
};

// What `fit` asks of boards; the words are its models.
struct FitVerbOptions : Options {
  app::FitWords fit;
  std::string workloads;  // folder for the file of each board; empty = none
};

struct RewriteVerbOptions : Options {
  RewriteOptions rewrite;
  WrittenOptions written;
};

struct RulesVerbOptions : Options {
  int64_t runs = 3;
};

// Of validate and calibrate.
struct MeasuredOptions : Options {
  std::string measurements;                                   // the paths as written, joined by ", "
  std::vector<std::pair<std::string, std::string>> measured;  // by file: its model, if given with it, and the path
  MeasurementDefaults defaults;                               // what flags say about the files
  std::string models;                                         // folders, joined by ", "
};

struct ValidateVerbOptions : MeasuredOptions {
  std::string configs;
  LeaveOut leave_out = LeaveOut::kNone;
  PerOperator per_operator = PerOperator::kNo;
};

struct FusionsOptions : Options {
  std::string toolchain;  // whose patterns; empty = those of all
};

struct DescribeOptions : Options {
  std::optional<Shell> shell;  // of `describe completions`
};

// ParseOptions turns a command into the options of its verb. Errors: kUsage, naming the flag and what to write instead.
absl::StatusOr<std::unique_ptr<Options>> ParseOptions(const Command& command);

}  // namespace hwest

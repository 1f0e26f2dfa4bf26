// rewrite: writes an equivalent model that runs better.
#include <string>
#include <utility>
#include <vector>

#include "app/rewrite.h"
#include "base/status_macros.h"
#include "cli/check.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"
#include "cli/written_model.h"
#include "hwest/diagnostic.h"
#include "hwest/rewrite.h"

namespace hwest {
namespace {

absl::Status CheckOutput(const RewriteVerbOptions& options) {
  if (options.output.empty()) {
    return MakeError(
        Code::kUsage, "`rewrite` needs --output",
        "write onnx-hwest rewrite MODEL --target NAME --output OUT.onnx; the report goes to standard output");
  }
  return CheckWritten(options, options.written);
}

}  // namespace

absl::Status RunRewrite(const RewriteVerbOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckOutput(options));
  std::vector<Diagnostic> notes;
  if (options.check == Check::kYes) HWEST_RETURN_IF_ERROR(CheckModel(options.words[0], &notes));
  // Flags use the model's names; standard input can be read only once.
  const std::string& path = options.words[0];
  const app::LoadedModel model{.graph = nullptr, .name = path, .source = {.path = path, .limits = {}}};
  const auto request_for = [&](const Graph& graph) { return RequestFor(options.request, graph); };
  HWEST_ASSIGN_OR_RETURN(const Rewritten rewritten,
                         app::Rewrite(model, request_for, options.rewrite, WatchOf(options, streams)));
  return DeliverWritten(options, options.written, options.output, rewritten, std::move(notes), streams);
}

namespace {

constexpr int64_t kMostOpset = 1000;

absl::Status SetOpset(const Flag& flag, const std::string& value, Options* options) {
  const absl::StatusOr<int64_t> opset = ParseNumber(flag.name, value, 1);
  if (!opset.ok() || *opset > kMostOpset) {
    return BadValue(flag.name, value, "give the number of an operator set, such as 17");
  }
  dynamic_cast<RewriteVerbOptions&>(*options).rewrite.opset = static_cast<int>(*opset);
  return absl::OkStatus();
}

// clang-format off: a paragraph a flag
constexpr Flag kRewriteFlags[] = {
    {.name = "--rule", .value = "A,B",
     .help = "these rules alone, wherever they apply, see `onnx-hwest describe rewrites`", .group = "Rewrite",
     .set = AddNames<&RewriteVerbOptions::rewrite, &RewriteOptions::rules>, .example = "split_gelu", .repeats = true},
    {.name = "--no-rule", .value = "A,B", .help = "never these rules", .group = "Rewrite",
     .set = AddNames<&RewriteVerbOptions::rewrite, &RewriteOptions::no_rules>, .example = "split_gelu",
     .repeats = true},
    {.name = "--allow-approximate", .help = "also rules that change results by more than rounding does",
     .group = "Rewrite", .set = Switch<true, &RewriteVerbOptions::rewrite, &RewriteOptions::allow_approximate>},
    {.name = "--opset", .value = "N",
     .help = "the model in this older operator set of the default domain: nodes get its form, and what it lacks is "
             "written out", .group = "Rewrite", .set = SetOpset, .example = "17"},
    {.name = "--fold", .help = "compute constants and leave out dead nodes, nothing else", .group = "Rewrite",
     .set = Switch<RewriteScope::kFold, &RewriteVerbOptions::rewrite, &RewriteOptions::scope>,
     .conflicts = "--annotate"},
    {.name = "--annotate", .help = "add the figures to the nodes as metadata hwest.*, and change nothing else",
     .group = "Rewrite", .set = Switch<RewriteScope::kAnnotate, &RewriteVerbOptions::rewrite, &RewriteOptions::scope>},
    {.name = "--verify", .value = "[N]",
     .help = "run the original and the result on N sets of inputs (alone: 3) in ONNX Runtime and compare; exit with 8 "
             "when they differ", .group = "Rewrite",
     .set = SetNumber<1, &RewriteVerbOptions::written, &WrittenOptions::verify_runs>,
     .example = "10", .alone = "3"},
    {.name = "--samples", .value = "DIR",
     .help = "of --verify: inputs of the user's, a run for each .npz or .npy file or folder in it", .group = "Rewrite",
     .set = SetText<&RewriteVerbOptions::written, &WrittenOptions::samples>, .example = "samples",
     .path = PathIn::kFolder},
    {.name = "--copy-data", .help = "copy files with weights to the folder of the output", .group = "Rewrite",
     .set = Switch<CopyData::kYes, &RewriteVerbOptions::written, &WrittenOptions::copy_data>},
};
// clang-format on

}  // namespace

absl::Span<const Flag> RewriteFlags() { return kRewriteFlags; }

}  // namespace hwest

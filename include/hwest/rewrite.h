// Rewriting: equivalent models that run better, found by analysing them and written as ONNX files.
//
//   HWEST_ASSIGN_OR_RETURN(Rewritten better, RewriteModel("model.onnx", request_of, {}, nullptr));
//   HWEST_ASSIGN_OR_RETURN(RewriteTotals totals, WriteRewritten(better, sink));
//
// A rule replaces nodes by others that compute the same function of the reals. What no rule touched is copied byte for
// byte, weights included; a file of gigabytes is never in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/analysis.h"

namespace hwest {

// How far a replacement may be from what it replaces.
enum class Exactness : uint8_t {
  kExact,        // the same function of the reals, computed alike
  kRounding,     // the same function; the order of rounding differs
  kApproximate,  // another function, close by: only when asked for
};
absl::string_view ExactnessName(Exactness exactness);

// What to do to the model. kFold only computes constants and removes dead nodes; kAnnotate only adds the figures of the
// analysis to the nodes, as metadata "hwest.*".
enum class RewriteScope : uint8_t { kRules, kFold, kAnnotate };

struct RewriteOptions {
  std::vector<std::string> rules;     // only these, wherever they apply; empty = those that help
  std::vector<std::string> no_rules;  // never these
  bool allow_approximate = false;
  RewriteScope scope = RewriteScope::kRules;
  int opset = 0;  // older operator set of the default domain to convert to; 0 = keep the model's own
};

struct AppliedRule {
  std::string name;
  Exactness exactness = Exactness::kExact;
  int64_t places = 0;
  std::optional<double> saved_s;  // latency; none without a target
  std::string words;              // what became what
  std::string reason;
};

// What running two files on the same inputs found, see `python -m onnx_hwest.verify`.
struct Verification {
  struct Output {
    std::string name;
    std::optional<double> max_abs, max_rel;  // largest difference, and over the largest magnitude; none = not compared
    // Of the first file from itself where each input and weight moves by one rounding; none = not needed.
    std::optional<double> rounding;
    bool varies = true;  // holds more than one number
    bool equal = false;
  };
  // What an operator chose otherwise in the second file, as its inputs differ by rounding; compared with that of the
  // first is what follows.
  struct Choice {
    std::string name, op;  // the value, and what makes it
    int64_t changed = 0, elements = 0;
  };
  std::string verdict = "not_run";  // equal, differs or not_run
  Exactness exactness = Exactness::kExact;
  std::optional<double> tolerance;  // relative difference that the class allows
  int64_t runs = 0;
  std::vector<Output> outputs;
  std::vector<Choice> choices;
  std::optional<std::string> first_difference;  // the first tensor that differs
  int64_t weights_drawn = 0;                    // that the files lack
  // Why it was not run, what the second file is refused for, or what was compared in place of outputs that hold one
  // number.
  std::string message;
};

class EditedModel;  // lib/rewrite/edited_model.h

struct Rewritten {
  std::shared_ptr<const EditedModel> model;
  std::vector<AppliedRule> rules;  // in the order in which they were taken
  std::shared_ptr<const Analysis> before, after;
  std::vector<Diagnostic> notes;
};

struct RewriteTotals {
  int64_t bytes = 0;
  int64_t copied_bytes = 0;  // of these, copied from the file unchanged
};

// Makes the request to analyse a graph with; it may use the names of the graph in the file.
using RequestMaker = std::function<absl::StatusOr<AnalysisRequest>(const Graph& graph)>;
using RewriteProgress = std::function<void(const std::string& what)>;  // may be null

// RewriteModel reads the model at `path` and adds, one at a time, the rules that most improve the request's objective.
// The result is no worse than the best single rule, nor than the model as it is, except that a model free of operators
// that compilers refuse always comes first. Without a target it makes the canonical form: the shorter side of every
// rule that has one. If a rule relied on a size that the request binds, that size is written into the types of inputs
// and outputs. Errors: those of LoadModel and Analyze; kUsage for names that are no rule, and for an operator set in
// which a node has no form.
absl::StatusOr<Rewritten> RewriteModel(const std::string& path, const RequestMaker& request,
                                       const RewriteOptions& options, const RewriteProgress& progress);
// The same from memory; `bytes` must outlive the result. External data are looked up beside `name`.
absl::StatusOr<Rewritten> RewriteModelMemory(absl::string_view bytes, const std::string& name,
                                             const RequestMaker& request, const RewriteOptions& options,
                                             const RewriteProgress& progress);

// WriteRewritten passes the bytes of the new file to `sink`. Errors: those of `sink` and of reading the model again.
absl::StatusOr<RewriteTotals> WriteRewritten(const Rewritten& rewritten,
                                             absl::FunctionRef<absl::Status(absl::string_view)> sink);

// The weight files that the model names, relative to it, sorted. The names are the model's own: ExternalPathOf says
// where such a file is, and FolderOf in which folder it is looked up.
std::vector<std::string> ExternalFilesOf(const Rewritten& rewritten);
// None when there is no such file. Errors: kExternalData for a name or a link that leaves the folder.
absl::StatusOr<std::optional<std::string>> ExternalPathOf(const Rewritten& rewritten, const std::string& file);
std::string FolderOf(const Rewritten& rewritten);

// A row of the table of rules.
struct RewriteRuleInfo {
  absl::string_view name;
  Exactness exactness = Exactness::kExact;
  bool is_canonical = false;  // also applied without a target
  absl::string_view words;
  absl::string_view reason;
};
std::vector<RewriteRuleInfo> RewriteRuleInfos();

// ApplicableRules names, sorted, the rules that match nodes which an accelerator of the target refuses. It is quick and
// tries none of them. Empty without a plan.
std::vector<std::string> ApplicableRules(const Analysis& analysis);

}  // namespace hwest

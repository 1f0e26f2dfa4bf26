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

// What is done to the model. kFold computes constants and removes dead nodes only; kAnnotate adds the figures of the
// analysis to the nodes as metadata "hwest.*" and changes nothing else.
enum class RewriteScope : uint8_t { kRules, kFold, kAnnotate };

struct RewriteOptions {
  std::vector<std::string> rules;     // these and no others, wherever they apply; empty = those that help
  std::vector<std::string> no_rules;  // never these
  bool allow_approximate = false;
  RewriteScope scope = RewriteScope::kRules;
  int opset = 0;  // the older operator set of the default domain that the model gets; 0 = its own
};

struct AppliedRule {
  std::string name;
  Exactness exactness = Exactness::kExact;
  int64_t places = 0;
  std::optional<double> saved_s;  // latency; none without a target
  std::string words;              // what became what
  std::string reason;
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
  int64_t copied_bytes = 0;  // of them, ranges of the file as they are
};

// What the model is analysed with; names in it may be those of the graph as the file has it.
using RequestMaker = std::function<absl::StatusOr<AnalysisRequest>(const Graph& graph)>;
using RewriteProgress = std::function<void(const std::string& what)>;  // may be null

// RewriteModel reads the model at `path` and finds the rules that make it best by the request's objective, one after
// the other, never worse than the best of them alone nor than the model as it is, save for one with operators that
// compilers refuse: a model without them comes first. Without a target it makes the canonical form: the shorter side of
// every rule that has one. A size that the request binds, and that a rule relied on, is written into the types of inputs
// and outputs. Errors: as LoadModel and Analyze; kUsage for names that are no rule, and for an operator set that a node
// has no form in.
absl::StatusOr<Rewritten> RewriteModel(const std::string& path, const RequestMaker& request,
                                       const RewriteOptions& options, const RewriteProgress& progress);
// As above; `bytes` must outlive the result. External data are looked for beside `name`.
absl::StatusOr<Rewritten> RewriteModelMemory(absl::string_view bytes, const std::string& name,
                                             const RequestMaker& request, const RewriteOptions& options,
                                             const RewriteProgress& progress);

// WriteRewritten hands on the bytes of the file. Errors: those of `sink` and of reading the model once more.
absl::StatusOr<RewriteTotals> WriteRewritten(const Rewritten& rewritten,
                                             absl::FunctionRef<absl::Status(absl::string_view)> sink);

// Files with weights that the model names, relative to it, sorted; and the folder they are looked for in. The names are
// what the model says: a file is opened where ExternalPathOf finds it.
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

// ApplicableRules names the rules that could apply to nodes which an accelerator of the target refuses, sorted; a quick
// look that tries nothing. Empty without a plan.
std::vector<std::string> ApplicableRules(const Analysis& analysis);

}  // namespace hwest

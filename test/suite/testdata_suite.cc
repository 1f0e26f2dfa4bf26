// Checks every model of a folder of conformance cases: it loads, inference contradicts neither the file nor the run of
// the reference implementation, and with that run's inputs bound every output is known.
//
//   testdata_suite --models DIR [--only TEXT] [--list]
//
// --only takes the cases whose name holds TEXT; --list prints every output that is not known, not one example per
// cause. Exit status: 0 all good, 1 findings, 77 the folder holds no cases, so nothing was checked (ctest shows
// "Skipped").
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hwest/analysis.h"
#include "suite/case_check.h"
#include "suite/case_reader.h"

namespace hwest {
namespace {

constexpr int kSkipped = 77;
constexpr double kKnownShare = 0.99;

enum class Bound { kNothing, kShapes, kContents };
enum class File { kAsWritten, kStripped };

// One way to run a case. `strict` rows have to reach kKnownShare.
struct Mode {
  const char* name;
  File file;
  Bound bound;
  bool strict;
};
constexpr Mode kModes[] = {
    {"nothing bound", File::kAsWritten, Bound::kNothing, false},
    {"nothing bound, declared shapes removed", File::kStripped, Bound::kNothing, false},
    {"shapes bound, declared shapes removed", File::kStripped, Bound::kShapes, false},
    {"inputs bound", File::kAsWritten, Bound::kContents, true},
    {"inputs bound, declared shapes removed", File::kStripped, Bound::kContents, true},
};

struct Tally {
  int models = 0, outputs = 0, known = 0, bounded = 0, unknown = 0, wrong = 0, refused = 0;
  double Share() const { return outputs == 0 ? 1 : static_cast<double>(known) / outputs; }
  bool Good(const Mode& mode) const { return wrong == 0 && refused == 0 && (!mode.strict || Share() >= kKnownShare); }
};

// Outputs that are not known, by the operator that blocks them.
struct Cause {
  int outputs = 0;
  std::string example;
};
using Causes = std::map<std::string, Cause>;

struct Options {
  std::string models, only;
  bool list = false;
};

// The input of the graph that takes the contents; none when it cannot be bound. Some runs feed a CastLike a second
// operand of another rank than the file declares.
bool IsBindable(const Graph& graph, const CaseValue& input) {
  for (const ValueId id : graph.main().inputs) {
    if (graph.name(id) != input.name) continue;
    const Type* declared = graph.declared(id);
    if (declared == nullptr || !declared->shape.ranked()) return true;
    return std::all_of(input.tensors.begin(), input.tensors.end(), [&](const Constant& tensor) {
      return static_cast<int>(tensor.dims.size()) == declared->shape.rank();
    });
  }
  return false;
}

void BindInput(const CaseValue& input, Bound bound, BindRequest& bind) {
  const bool sequence = input.kind == ValueKind::kSequence || input.inner == ValueKind::kSequence;
  const bool given = input.kind == ValueKind::kSequence || input.length > 0;  // an optional may hold nothing
  if (sequence && given && bound == Bound::kContents) bind.sequences.emplace_back(input.name, input.tensors);
  if (sequence || input.tensors.empty()) return;
  if (bound == Bound::kContents) bind.values.emplace_back(input.name, input.tensors[0]);
  if (bound == Bound::kShapes && input.kind == ValueKind::kTensor) {
    bind.shapes.emplace_back(input.name, input.tensors[0].dims);
  }
}

AnalysisRequest RequestFor(const Graph& graph, const Case& read, Bound bound) {
  AnalysisRequest request;
  if (bound == Bound::kNothing) return request;
  for (const CaseValue& input : read.inputs) {
    if (IsBindable(graph, input)) BindInput(input, bound, request.bind);
  }
  return request;
}

// The operator at which knowledge of the value was lost.
std::string BlockingOp(const Analysis& analysis, ValueId value) {
  const Graph& graph = *analysis.graph;
  const NodeId blocked = analysis.facts.values[value].blocked_by;
  const NodeId node = blocked.valid() ? blocked : graph.value(value).producer;
  return node.valid()
             ? absl::StrCat(graph.domain(node).empty() ? "" : absl::StrCat(graph.domain(node), "."), graph.op(node))
             : "graph input";
}

class Suite {
 public:
  explicit Suite(const Options& options) : options_(options) {}

  void Run(const Case& read) {
    for (size_t m = 0; m < std::size(kModes); ++m) RunMode(read, m);
  }
  bool Report() const;

 private:
  void RunMode(const Case& read, size_t m);
  void CheckOutputs(const Case& read, size_t m, const Analysis& analysis);
  void CheckDiagnostics(const Case& read, size_t m, const Analysis& analysis);
  void Refuse(const Case& read, size_t m, absl::string_view why);

  const Options& options_;
  Tally tallies_[std::size(kModes)];
  Causes causes_;
};

void Suite::Refuse(const Case& read, size_t m, absl::string_view why) {
  ++tallies_[m].refused;
  std::printf("%s: %s: %s\n", read.name.c_str(), kModes[m].name, std::string(why).c_str());
}

void Suite::RunMode(const Case& read, size_t m) {
  const Mode& mode = kModes[m];
  ++tallies_[m].models;
  const auto graph = LoadModelFromMemory(mode.file == File::kStripped ? read.stripped : read.bytes, read.name);
  if (!graph.ok()) return Refuse(read, m, graph.status().message());
  const auto analysis = Analyze(*graph, RequestFor(**graph, read, mode.bound));
  if (!analysis.ok()) return Refuse(read, m, analysis.status().message());
  CheckDiagnostics(read, m, *analysis);
  CheckOutputs(read, m, *analysis);
}

// True when both are known and differ, in kind or element type.
bool Contradicts(const Type& found, const Type& declared) {
  if (found.kind == ValueKind::kUnknown || declared.kind == ValueKind::kUnknown) return false;
  const bool elems = found.elem != ElemType::kUndefined && declared.elem != ElemType::kUndefined;
  return found.kind != declared.kind || (elems && found.elem != declared.elem);
}

// A rule that refuses its inputs, and an inferred type or shape that contradicts a declared one.
void Suite::CheckDiagnostics(const Case& read, size_t m, const Analysis& analysis) {
  for (const Diagnostic& diagnostic : analysis.diagnostics) {
    if (diagnostic.code != Code::kInferFailed && diagnostic.code != Code::kDeclaredConflict) continue;
    Refuse(read, m, absl::StrCat(diagnostic.value, " ", diagnostic.message));
  }
  for (size_t v = 0; v < analysis.graph->values().size(); ++v) {
    const Type* declared = analysis.graph->declared(ValueId(v));
    if (declared == nullptr || !Contradicts(analysis.facts.values[ValueId(v)].type, *declared)) continue;
    Refuse(read, m, absl::StrCat(analysis.graph->name(ValueId(v)), " contradicts its declared type"));
  }
}

void Suite::CheckOutputs(const Case& read, size_t m, const Analysis& analysis) {
  const Binding sizes = InputSizes(analysis, read.inputs);
  Tally& tally = tallies_[m];
  for (const ValueId id : analysis.graph->main().outputs) {
    for (const CaseValue& expected : read.outputs) {
      if (expected.name != analysis.graph->name(id)) continue;
      ++tally.outputs;
      const Finding finding = CheckOutput(analysis, id, expected, sizes);
      int* const counts[] = {&tally.known, &tally.bounded, &tally.unknown, &tally.wrong};
      ++*counts[static_cast<int>(finding.verdict)];
      if (finding.verdict == Match::kWrong) {
        std::printf("WRONG %s: %s: output %s: %s\n", read.name.c_str(), kModes[m].name, expected.name.c_str(),
                    finding.why.c_str());
      } else if (finding.verdict != Match::kKnown && m + 1 == std::size(kModes)) {
        const std::string op = BlockingOp(analysis, id);
        Cause& cause = causes_[options_.list ? absl::StrCat(op, " ", read.name, " ", expected.name) : op];
        if (cause.outputs++ == 0) cause.example = absl::StrCat(read.name, " ", expected.name, ": ", finding.why);
      }
    }
  }
}

bool Suite::Report() const {
  bool good = true;
  std::printf("%-42s %6s %7s %6s %7s %7s %5s %7s %8s\n", "", "models", "outputs", "known", "bounded", "unknown",
              "wrong", "refused", "known");
  for (size_t m = 0; m < std::size(kModes); ++m) {
    const Tally& t = tallies_[m];
    good = good && t.Good(kModes[m]);
    std::printf("%-42s %6d %7d %6d %7d %7d %5d %7d %7.2f%%%s\n", kModes[m].name, t.models, t.outputs, t.known,
                t.bounded, t.unknown, t.wrong, t.refused, 100 * t.Share(), t.Good(kModes[m]) ? "" : "  FAILS");
  }
  if (!causes_.empty()) std::printf("\nnot known when %s, by the operator that blocks it\n", std::end(kModes)[-1].name);
  for (const auto& [op, cause] : causes_) {
    std::printf("%-28s %5d  %s\n", op.c_str(), cause.outputs, cause.example.c_str());
  }
  return good;
}

int Main(const Options& options) {
  const std::vector<std::string> folders = CaseFolders(options.models);
  if (folders.empty()) {
    std::printf("DID NOT RUN: %s holds no cases (package libonnx-testdata); nothing was checked\n",
                options.models.c_str());
    return kSkipped;
  }
  Suite suite(options);
  int unreadable = 0;
  for (const std::string& folder : folders) {
    if (!absl::StrContains(folder, options.only)) continue;
    const Case read = ReadCase(folder);
    if (read.name.empty()) {
      ++unreadable;
      std::printf("%s: the reference implementation does not read it\n", folder.c_str());
      continue;
    }
    suite.Run(read);
  }
  return suite.Report() && unreadable == 0 ? 0 : 1;
}

}  // namespace
}  // namespace hwest

int main(int argc, char** argv) {
  hwest::Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--list") == 0) {
      options.list = true;
    } else if (std::strcmp(argv[i], "--models") == 0 && i + 1 < argc) {
      options.models = argv[++i];
    } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      options.only = argv[++i];
    } else {
      std::fprintf(stderr, "usage: testdata_suite --models DIR [--only TEXT] [--list]\n");
      return 2;
    }
  }
  return hwest::Main(options);
}

// Compares inference with libonnx's on the same models: every value for which libonnx finds an element type or a size.
//
//   agreement_suite DIR... [--settled FILE]
//
// Reads every *.onnx below the folders; shapes the files declare beside those of their inputs are removed first, so
// that both sides infer. FILE lists the differences that the specification settles:
// `model<TAB>value<TAB>ours<TAB>libonnx's <TAB>reason` lines. Exit status: 0 all good, 1 a difference that is not
// listed or a line that no longer applies, 77 no models, so nothing was checked (ctest shows "Skipped").
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "hwest/analysis.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"
#include "onnx/shape_inference/implementation.h"
#include "suite/case_reader.h"

namespace hwest {
namespace {

constexpr int kSkipped = 77;
constexpr int64_t kNewestOpset = 17;  // of the oldest libonnx the project supports

struct Difference {
  std::string model, value, ours, theirs;
  auto operator<=>(const Difference&) const = default;
};

struct Tally {
  int models = 0, newer = 0, refused = 0, values = 0, facts = 0, agree = 0;
};

struct Settled {
  std::map<Difference, std::string> rows;
  std::set<Difference> used;
};

Settled ReadSettled(const std::string& path) {
  Settled settled;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> cells = absl::StrSplit(line, '\t');
    if (cells.size() == 5 && line[0] != '#') settled.rows[{cells[0], cells[1], cells[2], cells[3]}] = cells[4];
  }
  return settled;
}

// Names that libonnx makes up for sizes it does not know.
bool IsMadeUp(const std::string& symbol) { return symbol.empty() || absl::StartsWith(symbol, "unk__"); }

std::string DimText(const onnx::TensorShapeProto::Dimension& dim) {
  if (dim.has_dim_value()) return absl::StrCat(dim.dim_value());
  return IsMadeUp(dim.dim_param()) ? "?" : dim.dim_param();
}

std::string TheirText(const onnx::TypeProto::Tensor& type) {
  std::vector<std::string> dims;
  for (const auto& dim : type.shape().dim()) dims.push_back(DimText(dim));
  const std::string elem = ElemTypeName(static_cast<ElemType>(type.elem_type()));
  return type.has_shape() ? absl::StrCat(elem, "[", absl::StrJoin(dims, ", "), "]") : absl::StrCat(elem, "?");
}

std::string OurText(const Type& type, const DimPool& dims) {
  if (!type.is_tensor()) return std::string(ValueKindName(type.kind));
  return absl::StrCat(ElemTypeName(type.elem), ToString(type.shape, dims));
}

// A size libonnx knows is ours, number or symbol.
bool SameDim(const DimPool& dims, Dim ours, const onnx::TensorShapeProto::Dimension& theirs) {
  if (theirs.has_dim_value()) return ours.IsConstant(theirs.dim_value());
  if (IsMadeUp(theirs.dim_param())) return true;
  if (!ours.is_symbolic()) return false;
  const SymbolId symbol = dims.AsSymbol(ours);
  return symbol.valid() ? dims.symbol(symbol).text == theirs.dim_param() : dims.ToString(ours) == theirs.dim_param();
}

bool Same(const DimPool& dims, const Type& ours, const onnx::TypeProto::Tensor& theirs) {
  if (theirs.elem_type() != 0 && ours.elem != static_cast<ElemType>(theirs.elem_type())) return false;
  if (!theirs.has_shape()) return true;
  if (!ours.shape.ranked() || ours.shape.rank() != theirs.shape().dim_size()) return false;
  for (int axis = 0; axis < ours.shape.rank(); ++axis) {
    if (!SameDim(dims, ours.shape.dim(axis), theirs.shape().dim(axis))) return false;
  }
  return true;
}

int64_t OpsetOf(const onnx::ModelProto& model) {
  int64_t newest = 0;
  for (const auto& import : model.opset_import()) {
    if (import.domain().empty() || import.domain() == "ai.onnx") newest = std::max(newest, import.version());
  }
  return newest;
}

enum class Propagation { kOff, kOn };

// Runs in a child: writes the inferred model to `out`.
[[noreturn]] void InferInChild(onnx::ModelProto& model, Propagation propagation, int out) {
  bool done = false;
  try {
    onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(),
                                       onnx::ShapeInferenceOptions(false, 0, propagation == Propagation::kOn));
    done = model.SerializeToFileDescriptor(out);
  } catch (const std::exception&) {
  }
  _exit(done ? 0 : 1);
}

// Replaces the model by what libonnx infers; false when that throws or crashes (propagation of contents does, on some
// exports), which must not end this program.
bool InferTheirs(onnx::ModelProto& model, Propagation propagation) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    InferInChild(model, propagation, ends[1]);
  }
  close(ends[1]);
  onnx::ModelProto inferred;
  const bool parsed = child > 0 && inferred.ParseFromFileDescriptor(ends[0]);
  close(ends[0]);
  int status = 0;
  if (child <= 0 || waitpid(child, &status, 0) != child || status != 0 || !parsed) return false;
  model.Swap(&inferred);
  return true;
}

class Suite {
 public:
  explicit Suite(Settled settled) : settled_(std::move(settled)) {}

  void Run(const std::string& name, const std::string& path);
  bool Report() const;

 private:
  void Compare(const std::string& name, const onnx::ModelProto& model, const Analysis& analysis);
  void CompareValue(const std::string& model, const onnx::ValueInfoProto& theirs, ValueId id, const Analysis& analysis);

  Settled settled_;
  Tally tally_;
  std::vector<Difference> open_;
};

void Suite::Run(const std::string& name, const std::string& path) {
  ++tally_.models;
  const std::string stripped = ReadModelStripped(path);
  onnx::ModelProto model;
  if (stripped.empty() || !model.ParseFromString(stripped) || OpsetOf(model) > kNewestOpset) {
    ++tally_.newer;
    return;
  }
  if (!InferTheirs(model, Propagation::kOn) && !InferTheirs(model, Propagation::kOff)) {
    ++tally_.refused;
    std::printf("%s: libonnx throws or crashes\n", name.c_str());
    return;
  }
  const auto graph = LoadModelFromMemory(stripped, name);
  const auto analysis = graph.ok() ? Analyze(*graph, {}) : graph.status();
  if (!analysis.ok()) {
    open_.push_back({name, "", std::string(analysis.status().message()), "reads it"});
    return;
  }
  Compare(name, model, *analysis);
}

void Suite::Compare(const std::string& name, const onnx::ModelProto& model, const Analysis& analysis) {
  std::map<std::string, ValueId> ours;
  const Graph& graph = *analysis.graph;
  for (size_t v = 0; v < graph.values().size(); ++v) {
    const ValueId id(v);
    if (graph.value(id).graph == GraphId(0u)) ours.emplace(std::string(graph.name(id)), id);
  }
  const auto compare = [&](const onnx::ValueInfoProto& theirs) {
    const auto found = ours.find(theirs.name());
    if (found != ours.end()) CompareValue(name, theirs, found->second, analysis);
  };
  for (const auto& value : model.graph().value_info()) compare(value);
  for (const auto& value : model.graph().output()) compare(value);
}

void Suite::CompareValue(const std::string& model, const onnx::ValueInfoProto& theirs, ValueId id,
                         const Analysis& analysis) {
  if (!theirs.type().has_tensor_type()) return;
  const onnx::TypeProto::Tensor& type = theirs.type().tensor_type();
  if (type.elem_type() == 0 && !type.has_shape()) return;
  ++tally_.values;
  const Type& ours = analysis.facts.values[id].type;
  if (ours.is_tensor() && Same(*analysis.dims, ours, type)) {
    ++tally_.agree;
    return;
  }
  const Difference found{model, theirs.name(), OurText(ours, *analysis.dims), TheirText(type)};
  if (settled_.rows.count(found) != 0) {
    settled_.used.insert(found);
  } else {
    open_.push_back(found);
  }
}

bool Suite::Report() const {
  for (const Difference& d : open_) {
    std::printf("%s\t%s\t%s\t%s\n", d.model.c_str(), d.value.c_str(), d.ours.c_str(), d.theirs.c_str());
  }
  std::printf(
      "%d models, %d not comparable (opset above %d), %d refused by libonnx; %d values it knows something of: "
      "%d agree, %d differ and are settled, %d differ\n",
      tally_.models, tally_.newer, static_cast<int>(kNewestOpset), tally_.refused, tally_.values, tally_.agree,
      static_cast<int>(settled_.used.size()), static_cast<int>(open_.size()));
  return open_.empty();
}

std::vector<std::string> ModelsBelow(const std::string& root) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root, error)) {
    if (entry.path().extension() == ".onnx") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// "test_abs" of .../test_abs/model.onnx, else the file's own name.
std::string NameOf(const std::filesystem::path& path) {
  return path.filename() == "model.onnx" ? path.parent_path().filename().string() : path.stem().string();
}

int Main(const std::vector<std::string>& roots, const std::string& settled) {
  onnx::OpSchemaRegistry::Schema("Add");  // builds the tables that every child would build again
  Suite suite(ReadSettled(settled));
  bool any = false;
  for (const std::string& root : roots) {
    const std::vector<std::string> paths = ModelsBelow(root);
    if (paths.empty()) std::printf("DID NOT RUN: %s holds no models; nothing of it was checked\n", root.c_str());
    any = any || !paths.empty();
    for (const std::string& path : paths) suite.Run(NameOf(path), path);
  }
  if (!any) return kSkipped;
  return suite.Report() ? 0 : 1;
}

}  // namespace
}  // namespace hwest

int main(int argc, char** argv) {
  std::vector<std::string> roots;
  std::string settled;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--settled") == 0 && i + 1 < argc) {
      settled = argv[++i];
    } else {
      roots.emplace_back(argv[i]);
    }
  }
  if (roots.empty()) {
    std::fprintf(stderr, "usage: agreement_suite DIR... [--settled FILE]\n");
    return 2;
  }
  return hwest::Main(roots, settled);
}

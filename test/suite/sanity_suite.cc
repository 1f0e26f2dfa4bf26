// Checks the laws of analysis/sanity_laws.h on real exports: every model on every built-in target and mode.
//
//   sanity_suite MODELS... [--only SUBSTRING] [--target NAME] [--every N] [--each]
//
// --every N takes the pair of a model and a mode with every Nth of all, so that a short run still meets all models and
// all targets; --each changes each unit and memory alone instead of all together. Prints a row for each violation and
// the worst of each law. Exit status: 0 the laws hold, 1 they do not, 77 no models, so nothing was checked.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "analysis/sanity_laws.h"

namespace hwest::test {
namespace {

constexpr int kSkipped = 77;

struct Options {
  std::vector<std::string> folders;
  std::string only, target;
  size_t every = 1;
  Changes changes = Changes::kTogether;
};

struct Place {
  std::string mode;
  Target target;
};

struct Tally {
  size_t broken = 0;
  double worst = 1;
  std::string where;
};

bool IsFree(const Graph& graph) {
  for (const ValueId input : graph.main().inputs) {
    const Type* type = graph.declared(input);
    if (type == nullptr) continue;
    const Shape& shape = type->shape;
    for (int axis = 0; shape.ranked() && axis < shape.rank(); ++axis) {
      if (!shape.dim(axis).is_constant()) return true;
    }
  }
  return false;
}

// Sizes of symbolic dims: those of generative models as documented, of others the last number of the name.
BindRequest BindOf(const std::string& stem, const Graph& graph) {
  BindRequest bind;
  if (!IsFree(graph)) return bind;
  if (absl::StrContains(stem, "genai")) {
    const bool has_wide_heads = absl::StartsWith(stem, "qwen2.5-1.5b") || absl::StartsWith(stem, "qwen3");
    bind.dims = {{"batch_size", 1},
                 {"sequence_length", 1},
                 {"past_sequence_length", 128},
                 {"total_sequence_length", 129},
                 {"kv_cache_dim", has_wide_heads ? 128 : 64}};
    return bind;
  }
  const std::string name = stem.substr(0, stem.rfind('.'));
  int64_t size = 0;
  if (absl::SimpleAtoi(name.substr(name.rfind('_') + 1), &size)) bind.shapes = {{"", {1, size}}};
  return bind;
}

std::vector<Place> Places(const std::string& only) {
  std::vector<Place> places;
  for (const TargetSummary& row : ListTargets()) {
    if (!only.empty() && row.name != only) continue;
    std::vector<std::string> modes = row.modes;
    if (modes.empty()) modes.push_back("");
    for (const std::string& mode : modes) {
      absl::StatusOr<Target> target = TargetInMode(row.name, mode);
      if (target.ok()) places.push_back({mode, *std::move(target)});
    }
  }
  return places;
}

// The paths of the models by file name; of two folders with one name, the first counts.
std::map<std::string, std::string> ModelsIn(const Options& options) {
  std::map<std::string, std::string> paths;
  std::error_code error;
  for (const std::string& folder : options.folders) {
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() == ".onnx" && absl::StrContains(name, options.only)) {
        paths.try_emplace(name, entry.path().string());
      }
    }
  }
  return paths;
}

// A folder that is not there; a part of the models is not a run.
std::string LackingOf(const Options& options) {
  if (options.folders.empty()) return "(none named)";
  for (const std::string& folder : options.folders) {
    if (!std::filesystem::is_directory(folder)) return folder;
  }
  return "";
}

class Suite {
 public:
  explicit Suite(const Options& options) : options_(options), places_(Places(options.target)) {}

  void Run(const std::string& path) {
    const auto graph = LoadModel(path);
    if (!graph.ok()) return Refused(path, graph.status());
    const std::string stem = std::filesystem::path(path).stem().string();
    const BindRequest bind = BindOf(stem, **graph);
    for (const Place& place : places_) {
      if (pairs_++ % options_.every != 0) continue;
      const auto violations = CheckSanity(*graph, bind, place.target, options_.changes);
      if (!violations.ok()) return Refused(path, violations.status());
      ++checked_;
      for (const Violation& violation : *violations) Print(stem, place, violation);
    }
  }

  bool Report() const {
    std::printf("%zu pairs of a model and a mode checked, %zu models refused\n", checked_, refused_);
    size_t broken = 0;
    for (const auto& [law, tally] : tallies_) {
      std::printf("%-8s broken %zu times, worst %.4f: %s\n", law.c_str(), tally.broken, tally.worst,
                  tally.where.c_str());
      broken += tally.broken;
    }
    return broken == 0;
  }

 private:
  void Refused(const std::string& path, const absl::Status& status) {
    ++refused_;
    std::printf("%s: %s\n", path.c_str(), std::string(status.message()).c_str());
  }

  void Print(const std::string& stem, const Place& place, const Violation& violation) {
    const std::string where = absl::StrCat(place.target.name, " ", place.mode, " ", stem, ": ", violation.what);
    const double ratio = violation.bound > 0 ? violation.found / violation.bound : 0;
    std::printf("%-8s %.4f %s\n", violation.law.c_str(), ratio, where.c_str());
    Tally& tally = tallies_[violation.law];
    ++tally.broken;
    if (ratio > tally.worst || tally.where.empty()) tally.where = where;
    tally.worst = std::max(tally.worst, ratio);
  }

  const Options& options_;
  const std::vector<Place> places_;
  std::map<std::string, Tally> tallies_;
  size_t pairs_ = 0, checked_ = 0, refused_ = 0;
};

Options ReadOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--only")
      options.only = next();
    else if (word == "--target")
      options.target = next();
    else if (word == "--every")
      options.every = std::max(1, std::atoi(next().c_str()));
    else if (word == "--each")
      options.changes = Changes::kEach;
    else
      options.folders.push_back(word);
  }
  return options;
}

int Main(int argc, char** argv) {
  const Options options = ReadOptions(argc, argv);
  if (const std::string lacking = LackingOf(options); !lacking.empty()) {
    std::printf("DID NOT RUN: no folder of models '%s'; nothing was checked\n", lacking.c_str());
    return kSkipped;
  }
  Suite suite(options);
  for (const auto& [name, path] : ModelsIn(options)) suite.Run(path);
  return suite.Report() ? 0 : 1;
}

}  // namespace
}  // namespace hwest::test

int main(int argc, char** argv) { return hwest::test::Main(argc, argv); }

#include "fit/analyse_rows.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "hwest/analysis.h"
#include "pass/bind.h"

namespace hwest {
namespace {

// One analysis; equal keys are one.
struct Key {
  std::string model, bind, target, mode, precision, only, toolchain;
  std::optional<int64_t> images;

  bool operator<(const Key& other) const {
    return std::tie(model, bind, images, target, mode, precision, only, toolchain) <
           std::tie(other.model, other.bind, other.images, other.target, other.mode, other.precision, other.only,
                    other.toolchain);
  }
};

struct Task {
  const Question* question = nullptr;  // the first that wants it
  size_t engine = 0;                   // of its query
  size_t slot = 0;
};

// All tasks of one model.
struct Batch {
  std::string model;
  std::vector<Task> tasks;
};

// Images of a run whose batch has no bound; devices gain little from more.
constexpr int64_t kUnboundedImages = 64;

bool IsUnbounded(const Measurement& row) { return row.batch == "offline"; }

std::optional<int64_t> ImagesOf(const Measurement& row) {
  return IsUnbounded(row) ? std::optional<int64_t>(kUnboundedImages) : row.images;
}

absl::Status Skip(absl::string_view why) { return absl::NotFoundError(why); }

Key KeyOf(const Question& question, size_t engine) {
  const Query& query = question.query;
  return {question.row->model, question.row->bind,     query.target->name,
          query.mode,          query.precision,        absl::StrJoin(query.engines[engine], ","),
          query.toolchain,     ImagesOf(*question.row)};
}

// Whether the dims given fix the batch.
bool BindsBatch(const Graph& graph, const Measurement& row) {
  DimPool dims(&graph.dims());
  const absl::StatusOr<BoundInputs> inputs = Bind(graph, {}, dims);
  if (!inputs.ok()) return false;
  std::vector<std::string> names;
  for (const auto& [input, axis] : inputs->batch.axes) {
    names.push_back(absl::StrCat(graph.name(graph.main().inputs[input]), ".", axis));
    for (const SymbolId id : dims.SymbolsOf(inputs->inputs[input].shape.dim(axis))) {
      names.push_back(dims.symbol(id).name);
      names.push_back(dims.symbol(id).text);
    }
  }
  return std::any_of(row.dims.begin(), row.dims.end(),
                     [&](const auto& dim) { return std::find(names.begin(), names.end(), dim.first) != names.end(); });
}

AnalysisRequest RequestOf(const Graph& graph, const Task& task) {
  const Query& query = task.question->query;
  AnalysisRequest request;
  request.finds_best = false;
  request.bind.dims = task.question->row->dims;
  if (!BindsBatch(graph, *task.question->row)) request.bind.batch = ImagesOf(*task.question->row);
  request.target = query.target->name;
  request.loaded = query.target;
  request.mode = query.mode;
  request.precision = query.precision;
  request.only = query.engines[task.engine];
  if (query.toolchain.empty()) return request;
  for (const std::string& unit : request.only) request.toolchains.emplace_back(unit, query.toolchain);
  return request;
}

absl::Status SkipOf(const absl::Status& failed) {
  const Diagnostic error = DiagnosticOf(failed);
  switch (error.code) {
    case Code::kFreeDims: return Skip("graph needs dims that bind does not give");
    case Code::kBindConflict: return Skip(absl::StrCat("bind or batch does not fit the graph: ", error.message));
    default: return Skip(absl::StrCat("analysis failed: ", error.message));
  }
}

absl::Status Run(const std::shared_ptr<const Graph>& graph, const Task& task, const PredictOptions& options,
                 const TakeAnalysis& take) {
  AnalysisRequest request = RequestOf(*graph, task);
  if (options.stop) request.watch = [&options](absl::string_view, size_t, size_t) { return !options.stop(); };
  absl::StatusOr<Analysis> analysis = Analyze(graph, request);
  if (IsUnbounded(*task.question->row) && DiagnosticOf(analysis.status()).code == Code::kBindConflict) {
    request.bind.batch = std::nullopt;
    analysis = Analyze(graph, request);
  }
  if (!analysis.ok()) return SkipOf(analysis.status());
  return take(task.slot, *analysis);
}

// The model's file in the first folder that has it.
std::optional<std::string> PathOf(const std::vector<std::string>& folders, const std::string& model) {
  if (absl::StrContains(model, '/')) return std::nullopt;
  for (const std::string& folder : folders) {
    const std::filesystem::path path = std::filesystem::path(folder) / absl::StrCat(model, ".onnx");
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) return path.string();
  }
  return std::nullopt;
}

absl::StatusOr<std::shared_ptr<const Graph>> Load(const std::vector<std::string>& folders, const std::string& model) {
  const std::optional<std::string> path = PathOf(folders, model);
  if (!path) return Skip("model file not there");
  auto graph = LoadModel(*path);
  if (!graph.ok()) return Skip(absl::StrCat("model not readable: ", DiagnosticOf(graph.status()).message));
  return graph;
}

// Hands out batches to threads and counts what is done.
class WorkerPool {
 public:
  WorkerPool(std::vector<Batch> batches, const PredictOptions& options, const TakeAnalysis& take)
      : batches_(std::move(batches)), folders_(FoldersOf(options.models)), options_(options), take_(take) {
    for (const Batch& batch : batches_) total_ += batch.tasks.size();
    statuses_.resize(total_);
  }

  std::vector<absl::Status> Work() {
    std::vector<std::thread> others;
    const size_t wanted = std::min(std::max<size_t>(options_.threads, 1), std::max<size_t>(batches_.size(), 1));
    for (size_t i = 1; i < wanted; ++i) others.emplace_back([this] { WorkOn(); });
    WorkOn();
    for (std::thread& other : others) other.join();
    return std::move(statuses_);
  }

 private:
  void WorkOn() {
    for (size_t i = next_++; i < batches_.size(); i = next_++) {
      const bool stopped = options_.stop && options_.stop();
      const absl::StatusOr<std::shared_ptr<const Graph>> graph =
          stopped ? Skip("cancelled") : Load(folders_, batches_[i].model);
      for (const Task& task : batches_[i].tasks) {
        statuses_[task.slot] = graph.ok() ? Run(*graph, task, options_, take_) : graph.status();
        Count();
      }
    }
  }

  void Count() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++done_;
    if (options_.progress) options_.progress(done_, total_);
  }

  const std::vector<Batch> batches_;
  const std::vector<std::string> folders_;
  const PredictOptions& options_;
  const TakeAnalysis& take_;
  std::vector<absl::Status> statuses_;
  std::atomic<size_t> next_ = 0;
  std::mutex mutex_;
  size_t done_ = 0;
  size_t total_ = 0;
};

// By model, the ones with most work first: a long one begun last would leave the other threads idle.
std::vector<Batch> BatchesOf(absl::Span<const Question> questions, const AnalysisSlots& slots) {
  std::map<std::string, Batch> by_model;
  std::vector<uint8_t> listed(slots.count, 0);
  for (size_t q = 0; q < questions.size(); ++q) {
    for (size_t engine = 0; engine < slots.of[q].size(); ++engine) {
      const size_t slot = slots.of[q][engine];
      if (std::exchange(listed[slot], 1) != 0) continue;
      Batch& batch = by_model[questions[q].row->model];
      batch.model = questions[q].row->model;
      batch.tasks.push_back({&questions[q], engine, slot});
    }
  }
  std::vector<Batch> batches;
  for (auto& [model, batch] : by_model) batches.push_back(std::move(batch));
  std::stable_sort(batches.begin(), batches.end(),
                   [](const Batch& a, const Batch& b) { return a.tasks.size() > b.tasks.size(); });
  return batches;
}

}  // namespace

std::vector<std::string> FoldersOf(const std::string& models) {
  std::error_code error;
  if (std::filesystem::is_directory(models, error)) return {models};
  std::vector<std::string> folders;
  for (const absl::string_view folder : absl::StrSplit(models, ',')) {
    folders.emplace_back(absl::StripAsciiWhitespace(folder));
  }
  return folders;
}

AnalysisSlots SlotsOf(absl::Span<const Question> questions) {
  AnalysisSlots slots;
  std::map<Key, size_t> known;
  for (const Question& question : questions) {
    std::vector<size_t>& own = slots.of.emplace_back();
    for (size_t engine = 0; engine < question.query.engines.size(); ++engine) {
      own.push_back(known.try_emplace(KeyOf(question, engine), known.size()).first->second);
    }
  }
  slots.count = known.size();
  return slots;
}

std::vector<absl::Status> AnalyseRows(absl::Span<const Question> questions, const AnalysisSlots& slots,
                                      const PredictOptions& options, const TakeAnalysis& take) {
  return WorkerPool(BatchesOf(questions, slots), options, take).Work();
}

}  // namespace hwest

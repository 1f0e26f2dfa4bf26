#include "sweep/run.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "analysis/fingerprint.h"
#include "base/status_macros.h"
#include "hwest/analysis.h"
#include "hwest/rewrite.h"
#include "rewrite/edited_model.h"
#include "rewrite/search.h"
#include "sweep/fit.h"
#include "sweep/language.h"

namespace hwest {
namespace {

// How many rows may wait for an earlier, slow point.
constexpr size_t kMostWaiting = 4096;

// One model while its points run.
struct LoadedModel {
  std::once_flag once;
  absl::Status status;
  SweepModel loaded;
  SweepSource source;
};

class Sweeper {
 public:
  Sweeper(const SweepPlan& plan, const SweepRun& run)
      : plan_(plan), run_(run), next_(run.range.first), taken_(run.range.first) {}

  absl::Status Work() {
    std::vector<std::thread> others;
    const size_t points = run_.range.second - run_.range.first;
    const size_t wanted = std::min(std::max<size_t>(run_.threads, 1), std::max<size_t>(points, 1));
    for (size_t i = 1; i < wanted; ++i) others.emplace_back([this] { WorkOn(); });
    WorkOn();
    for (std::thread& other : others) other.join();
    if (!failed_.ok()) return failed_;
    if (taken_ < run_.range.second) return MakeError(Code::kInterrupted, "the sweep was interrupted", "");
    return absl::OkStatus();
  }

 private:
  bool Stopped() const { return ended_ || (run_.stop && run_.stop()); }

  void WorkOn() {
    while (const std::optional<size_t> index = Claim()) {
      std::optional<SweepRow> row = RowAt(*index);
      if (!row.has_value()) break;  // stopped midway
      Hand(*index, *std::move(row));
      LeaveModelOf(*index);
    }
    const std::lock_guard lock(mutex_);
    room_.notify_all();
  }

  std::optional<size_t> Claim() {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return Stopped() || next_ >= run_.range.second || next_ - taken_ < kMostWaiting; });
    if (Stopped() || next_ >= run_.range.second) return std::nullopt;
    return next_++;
  }

  void Hand(size_t index, SweepRow row) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(index, std::move(row));
    while (!ended_ && !waiting_.empty() && waiting_.begin()->first == taken_) {
      failed_ = run_.take(taken_, waiting_.begin()->second);
      if (!failed_.ok()) {
        ended_ = true;
        break;
      }
      waiting_.erase(waiting_.begin());
      ++taken_;
    }
    room_.notify_all();
  }

  // The number of the model's points in the range.
  size_t PointsOf(size_t model) const {
    const auto [first, last] = plan_.PointsOf(model);
    return std::min(last, run_.range.second) - std::max(first, run_.range.first);
  }

  struct Entry {
    std::shared_ptr<LoadedModel> model = std::make_shared<LoadedModel>();
    size_t left = 0;
  };

  std::shared_ptr<LoadedModel> ModelAt(size_t index) {
    std::shared_ptr<LoadedModel> model;
    {
      const std::lock_guard lock(models_mutex_);
      const auto [entry, fresh] = models_.try_emplace(index);
      if (fresh) entry->second.left = PointsOf(index);
      model = entry->second.model;
    }
    std::call_once(model->once, [&] { Load(index, model.get()); });
    return model;
  }

  void LeaveModelOf(size_t point) {
    const std::lock_guard lock(models_mutex_);
    const auto entry = models_.find(plan_.ModelOf(point));
    if (--entry->second.left == 0) models_.erase(entry);
  }

  void Load(size_t index, LoadedModel* model) const {
    if (run_.loaded != nullptr) model->loaded = run_.loaded(index);
    if (model->loaded.analyzer != nullptr) {
      model->source = SourceOf(model->loaded.analyzer->graph());
      return;
    }
    const std::string& path = plan_.models()[index];
    absl::StatusOr<SweepSource> source = ReadSource(path);
    model->status = source.status();
    if (!source.ok()) return;
    model->source = *std::move(source);
    if (model->source.graph == nullptr) return;
    const std::string sha256 = FingerprintOf(*model->source.graph);
    model->loaded = {std::make_shared<const Analyzer>(model->source.graph), sha256, {.path = path, .limits = {}}, {}};
  }

  absl::StatusOr<Analysis> Analyze(const LoadedModel& model, const SweepPoint& point) const {
    RequestDraft draft = run_.base;
    LeaveOutOf(plan_.left_out(point.model), &draft);
    draft.target = point.target;
    draft.loaded = LoadedOf(point);
    draft.mode = point.mode;
    draft.precision = point.precision;
    if (point.batch.has_value()) draft.bind.batch = point.batch;
    draft.bind.dims.insert(draft.bind.dims.end(), point.dims.begin(), point.dims.end());
    const Analyzer& analyzer = *model.loaded.analyzer;
    if (point.size.has_value()) draft.image_size = point.size;
    HWEST_ASSIGN_OR_RETURN(AnalysisRequest request, RequestFor(draft, *analyzer.graph()));
    request.finds_best = false;
    request.watch = [this](absl::string_view, size_t, size_t) { return !Stopped(); };
    return analyzer.Analyze(request);
  }

  // The target of the point with the figures that it states anew.
  static std::shared_ptr<const Target> LoadedOf(const SweepPoint& point) {
    if (point.set.empty()) return point.loaded;
    auto target = std::make_shared<Target>(*point.loaded);
    for (const auto& [figure, value] : point.set) SetFigure(figure, value, target.get());
    return target;
  }

  absl::StatusOr<Rewritten> Rewrite(const SweepModel& model, const std::string& name,
                                    const AnalysisRequest& request) const {
    const auto request_of = [&](const Graph&) { return absl::StatusOr<AnalysisRequest>(request); };
    if (model.bytes.data() == nullptr && model.source.path.empty()) {
      return MakeError(Code::kUsage, "the model is in memory, and rewriting reads it once more",
                       "hand over its bytes, too");
    }
    const LoadOptions& limits = model.source.limits;
    HWEST_ASSIGN_OR_RETURN(EditedModel opened, model.bytes.data() != nullptr
                                                   ? EditedModel::FromMemory(model.bytes, name, limits)
                                                   : EditedModel::Open(model.source.path, limits));
    return RewriteOpened(std::move(opened), request_of, {}, nullptr);
  }

  absl::StatusOr<SweepRow> Try(LoadedModel* model, const std::string& path, const SweepPoint& point) const {
    HWEST_RETURN_IF_ERROR(model->status);
    if (model->source.graph == nullptr) return RuntimeRow(path, *model->source.decoder, LoadedOf(point), point);
    HWEST_ASSIGN_OR_RETURN(const Analysis analysis, Analyze(*model, point));
    if (!point.rewritten) return RowOf(path, point, analysis);
    HWEST_ASSIGN_OR_RETURN(const Rewritten rewritten, Rewrite(model->loaded, path, analysis.request));
    return RowOf(path, point, *rewritten.after);
  }

  // None when the sweep stopped before the point finished.
  std::optional<SweepRow> RowAt(size_t index) {
    const SweepPoint point = plan_.point(index);
    const std::string& path = plan_.models()[point.model];
    const std::shared_ptr<LoadedModel> model = ModelAt(point.model);
    absl::StatusOr<SweepRow> row;
    try {
      row = Try(model.get(), path, point);
    } catch (const std::exception& error) {  // mostly lack of memory
      row = MakeError(Code::kInternal, absl::StrCat("the analysis ended with ", error.what()), "run the point alone");
    }
    if (!row.ok()) {
      if (Stopped() && DiagnosticOf(row.status()).code == Code::kInterrupted) return std::nullopt;
      row = FailedRow(path, point, row.status());
    }
    const SweepSource& source = model->source;
    if (source.graph != nullptr && source.decoder.has_value()) {
      AddRuntime(*source.decoder, LoadedOf(point), point, &*row);
    }
    if (!model->loaded.sha256.empty()) row->sha256 = model->loaded.sha256;
    return *std::move(row);
  }

  const SweepPlan& plan_;
  const SweepRun& run_;
  std::mutex mutex_;  // guards the next five
  std::condition_variable room_;
  size_t next_;   // point to begin
  size_t taken_;  // points before it are taken
  std::map<size_t, SweepRow> waiting_;
  absl::Status failed_;
  std::atomic<bool> ended_ = false;
  std::mutex models_mutex_;
  std::map<size_t, Entry> models_;  // in use
};

}  // namespace

absl::Status RunSweep(const SweepPlan& plan, const SweepRun& run) { return Sweeper(plan, run).Work(); }

}  // namespace hwest

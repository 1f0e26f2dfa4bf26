#include "callbacks.h"

#include <string>

#include "fill_rows.h"
#include "handles.h"

namespace hwest::capi {
namespace {

std::shared_ptr<std::atomic<bool>> FlagOf(const hwest_cancel* cancel) {
  return cancel == nullptr ? nullptr : cancel->requested;
}

bool IsSet(const std::shared_ptr<std::atomic<bool>>& flag) { return flag != nullptr && flag->load(); }

}  // namespace

void LogAll(const std::vector<Diagnostic>& diagnostics, hwest_log log, void* payload) {
  if (log == nullptr) return;
  for (const Diagnostic& diagnostic : diagnostics) {
    Texts texts;
    hwest_diagnostic row;
    FillRow(diagnostic, &texts, &row);
    log(payload, &row);
  }
}

StageWatcher WatcherOf(hwest_progress progress, void* payload, const hwest_cancel* cancel) {
  if (progress == nullptr && cancel == nullptr) return nullptr;
  return [progress, payload, flag = FlagOf(cancel)](absl::string_view stage, size_t index, size_t count) {
    if (IsSet(flag)) return false;
    return progress == nullptr || progress(payload, std::string(stage).c_str(), index, count) == 0;
  };
}

struct StudyWatch::State {
  hwest_progress progress = nullptr;
  void* payload = nullptr;
  std::shared_ptr<std::atomic<bool>> cancel;
  std::atomic<bool> stopped = false;  // by the callback
};

StudyWatch::StudyWatch(hwest_progress progress, void* payload, const hwest_cancel* cancel)
    : state_(std::make_shared<State>()) {
  state_->progress = progress;
  state_->payload = payload;
  state_->cancel = FlagOf(cancel);
}

std::function<void(size_t, size_t)> StudyWatch::Progress(const char* what) const {
  if (state_->progress == nullptr) return nullptr;
  return [state = state_, what](size_t done, size_t total) {
    if (!state->stopped && state->progress(state->payload, what, done, total) != 0) state->stopped = true;
  };
}

StudyProgress StudyWatch::Steps(uint64_t total) const {
  if (state_->progress == nullptr) return nullptr;
  return [state = state_, total, done = uint64_t{0}](const std::string& what) mutable {
    if (!state->stopped && state->progress(state->payload, what.c_str(), done++, total) != 0) state->stopped = true;
  };
}

std::function<bool()> StudyWatch::Stop() const {
  return [state = state_] { return state->stopped || IsSet(state->cancel); };
}

StageWatcher StudyWatch::Watcher() const {
  return [stop = Stop()](absl::string_view, size_t, size_t) { return !stop(); };
}

absl::Status StudyWatch::status() const {
  if (!Stop()()) return absl::OkStatus();
  return MakeError(Code::kInterrupted, "the study was cancelled", "");
}

}  // namespace hwest::capi

// Callbacks and cancellation of the C ABI as the library's own.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "hwest.h"
#include "hwest/analysis.h"
#include "hwest/study.h"

namespace hwest::capi {

// Tells each diagnostic to `log`, which may be null.
void LogAll(const std::vector<Diagnostic>& diagnostics, hwest_log log, void* payload);

// The watcher of an analysis; null when there is no callback.
StageWatcher WatcherOf(hwest_progress progress, void* payload, const hwest_cancel* cancel);

// Progress and cancellation of a study, shared by its threads. A callback that asks to stop is not called again.
class StudyWatch {
 public:
  StudyWatch(hwest_progress progress, void* payload, const hwest_cancel* cancel);
  explicit StudyWatch(const hwest_watch& watch) : StudyWatch(watch.progress, watch.progress_payload, watch.cancel) {}

  std::function<void(size_t done, size_t total)> Progress(const char* what) const;
  // For a study that names its steps; `total` of them, 0 = not known. Null when there is no callback.
  StudyProgress Steps(uint64_t total) const;
  std::function<bool()> Stop() const;
  StageWatcher Watcher() const;
  // kInterrupted when somebody asked to stop.
  absl::Status status() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace hwest::capi

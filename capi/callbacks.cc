#include "callbacks.h"

#include <atomic>
#include <memory>
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

Watch WatchOf(hwest_progress progress, void* payload, const hwest_cancel* cancel) {
  struct State {
    std::atomic<bool> stopped = false;  // by the callback
    size_t steps = 0;                   // reported to it
  };
  const auto state = std::make_shared<State>();
  Watch watch;
  watch.stop = [state, flag = FlagOf(cancel)] { return state->stopped || IsSet(flag); };
  if (progress == nullptr) return watch;
  const auto tell = [=](const char* what, size_t index, size_t total) {
    if (!state->stopped && progress(payload, what, index, total) != 0) state->stopped = true;
  };
  watch.count = tell;
  watch.step = [=](const std::string& step, size_t total) { tell(step.c_str(), state->steps++, total); };
  return watch;
}

}  // namespace hwest::capi

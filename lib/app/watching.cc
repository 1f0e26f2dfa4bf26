#include "app/watching.h"

#include <string>

namespace hwest::app {

StudyProgress StepsOf(const Watch& watch, size_t total) {
  if (watch.step == nullptr) return nullptr;
  return [step = watch.step, total](const std::string& what) { step(what, total); };
}

std::function<void(size_t, size_t)> CountOf(const Watch& watch, const char* pieces) {
  if (watch.count == nullptr) return nullptr;
  return [count = watch.count, pieces](size_t done, size_t total) { count(pieces, done, total); };
}

StageWatcher StagesOf(const Watch& watch) {
  if (watch.stop == nullptr) return nullptr;
  return [stop = watch.stop](absl::string_view, size_t, size_t) { return !stop(); };
}

absl::Status StoppedBy(const Watch& watch) {
  if (watch.stop == nullptr || !watch.stop()) return absl::OkStatus();
  return MakeError(Code::kInterrupted, "the study was cancelled", "");
}

}  // namespace hwest::app

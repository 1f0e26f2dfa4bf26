// A Watch in the forms that lower folders take.
#pragma once

#include <functional>

#include "absl/status/status.h"
#include "hwest/analysis.h"
#include "hwest/study.h"
#include "hwest/watch.h"

namespace hwest::app {

// Null when nobody watches.
StudyProgress StepsOf(const Watch& watch, size_t total = 0);
std::function<void(size_t done, size_t total)> CountOf(const Watch& watch, const char* pieces);
StageWatcher StagesOf(const Watch& watch);

// kInterrupted when `watch` asks to stop.
absl::Status StoppedBy(const Watch& watch);

}  // namespace hwest::app

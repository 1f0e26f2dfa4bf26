// Adapts callbacks and cancellation of the C ABI to the library's own types.
#pragma once

#include <vector>

#include "hwest.h"
#include "hwest/analysis.h"
#include "hwest/watch.h"

namespace hwest::capi {

// Calls `log`, which may be null, with each diagnostic.
void LogAll(const std::vector<Diagnostic>& diagnostics, hwest_log log, void* payload);

// The watcher of an analysis; null when there is no callback.
StageWatcher WatcherOf(hwest_progress progress, void* payload, const hwest_cancel* cancel);

// Progress and cancellation of a study. A callback that asks to stop is not called again.
Watch WatchOf(hwest_progress progress, void* payload, const hwest_cancel* cancel);
inline Watch WatchOf(const hwest_watch& watch) { return WatchOf(watch.progress, watch.progress_payload, watch.cancel); }

}  // namespace hwest::capi

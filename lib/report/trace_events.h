// Trace events for Perfetto and chrome://tracing.
#pragma once

#include <string>

#include "hwest/id.h"
#include "report/cell.h"
#include "report/report.h"

namespace hwest {

// TraceEvents writes events one a line: slices on threads of one process.
class TraceEvents {
 public:
  explicit TraceEvents(Sink sink) : sink_(sink) {}

  // The units of a target are threads, by number.
  static int ThreadOf(UnitId unit) { return static_cast<int>(unit.index()) + 1; }

  absl::Status Begin();
  absl::Status End();
  absl::Status Name(absl::string_view what, int thread, const Cell& args);
  // A thread with its name, listed by its number.
  absl::Status Thread(int thread, const std::string& name);
  // Rounds ends, not durations, so that consecutive slices touch.
  absl::Status Slice(const std::string& name, absl::string_view category, int thread, double start_s, double end_s,
                     const Cell& args);
  absl::Status Slice(const std::string& name, absl::string_view category, UnitId unit, double start_s, double end_s,
                     const Cell& args) {
    return Slice(name, category, ThreadOf(unit), start_s, end_s, args);
  }
  // From inside a slice on one unit to the beginning of a slice on another.
  absl::Status Arrow(UnitId from, double from_s, UnitId to, double to_s);
  absl::Status Count(double at_s, int64_t bytes);

 private:
  absl::Status Write(const std::string& event);

  Sink sink_;
  bool is_first_ = true;
  int64_t arrows_ = 0;
};

}  // namespace hwest

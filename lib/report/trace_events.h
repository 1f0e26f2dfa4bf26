// Trace events, as Perfetto and chrome://tracing open them.
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

  // Of a target the units are threads, by their number.
  static int ThreadOf(UnitId unit) { return static_cast<int>(unit.index()) + 1; }

  absl::Status Begin();
  absl::Status End();
  absl::Status Name(absl::string_view what, int thread, const Cell& args);
  // A thread with its name, listed by its number.
  absl::Status Thread(int thread, const std::string& name);
  // Ends are rounded, not durations: what follows each other touches.
  absl::Status Slice(const std::string& name, absl::string_view category, int thread, double start_s, double end_s,
                     const Cell& args);
  absl::Status Slice(const std::string& name, absl::string_view category, UnitId unit, double start_s, double end_s,
                     const Cell& args) {
    return Slice(name, category, ThreadOf(unit), start_s, end_s, args);
  }
  // From within a slice on one unit to the beginning of one on another.
  absl::Status Arrow(UnitId from, double from_s, UnitId to, double to_s);
  absl::Status Count(double at_s, int64_t bytes);

 private:
  absl::Status Write(const std::string& event);

  Sink sink_;
  bool is_first_ = true;
  int64_t arrows_ = 0;
};

}  // namespace hwest

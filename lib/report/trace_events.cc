#include "report/trace_events.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "report/document.h"

namespace hwest {
namespace {

constexpr int kProcess = 1;  // the target

int64_t Nanoseconds(double seconds) { return std::llround(seconds * 1e9); }
std::string Micros(int64_t nanoseconds) { return absl::StrFormat("%d.%03d", nanoseconds / 1000, nanoseconds % 1000); }

// The duration of a slice. A reader that adds it to `start` in floating point must not get past `end`, where the next
// slice begins: it would nest the two.
std::string Duration(int64_t start, int64_t end) {
  const auto micros = [](int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; };
  double duration = micros(end - start);
  if (micros(start) + duration <= micros(end)) return Micros(end - start);
  while (micros(start) + duration > micros(end)) duration = std::nextafter(duration, 0.0);
  return absl::StrFormat("%.17g", duration);
}

}  // namespace

absl::Status TraceEvents::Begin() { return sink_("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"); }
absl::Status TraceEvents::End() { return sink_("\n]}\n"); }

absl::Status TraceEvents::Name(absl::string_view what, int thread, const Cell& args) {
  return Write(absl::StrCat("{\"ph\":\"M\",\"name\":\"", what, "\",\"pid\":", kProcess, ",\"tid\":", thread,
                            ",\"args\":", DumpJson(args), "}"));
}

absl::Status TraceEvents::Thread(int thread, const std::string& name) {
  HWEST_RETURN_IF_ERROR(Name("thread_name", thread, Cell{{"name", name}}));
  return Name("thread_sort_index", thread, Cell{{"sort_index", thread}});
}

absl::Status TraceEvents::Slice(const std::string& name, absl::string_view category, int thread, double start_s,
                                double end_s, const Cell& args) {
  const int64_t start = Nanoseconds(start_s), end = Nanoseconds(end_s);
  if (end <= start) return absl::OkStatus();
  return Write(absl::StrCat("{\"ph\":\"X\",\"name\":", DumpJson(Cell(name)), ",\"cat\":\"", category,
                            "\",\"pid\":", kProcess, ",\"tid\":", thread, ",\"ts\":", Micros(start),
                            ",\"dur\":", Duration(start, end), ",\"args\":", DumpJson(args), "}"));
}

absl::Status TraceEvents::Arrow(UnitId from, double from_s, UnitId to, double to_s) {
  const int64_t id = ++arrows_;
  const auto end = [&](char phase, UnitId unit, double at_s, absl::string_view rest) {
    return absl::StrCat("{\"ph\":\"", std::string(1, phase),
                        "\",\"name\":\"transfer\",\"cat\":\"transfer\",\"id\":", id, ",\"pid\":", kProcess,
                        ",\"tid\":", ThreadOf(unit), ",\"ts\":", Micros(Nanoseconds(at_s)), rest, "}");
  };
  HWEST_RETURN_IF_ERROR(Write(end('s', from, from_s, "")));
  return Write(end('f', to, to_s, ",\"bp\":\"e\""));
}

absl::Status TraceEvents::Count(double at_s, int64_t bytes) {
  return Write(absl::StrCat("{\"ph\":\"C\",\"name\":\"activations\",\"pid\":", kProcess,
                            ",\"ts\":", Micros(Nanoseconds(at_s)), ",\"args\":{\"bytes\":", bytes, "}}"));
}

absl::Status TraceEvents::Write(const std::string& event) {
  const absl::string_view before = is_first_ ? "" : ",\n";
  is_first_ = false;
  return sink_(absl::StrCat(before, event));
}

}  // namespace hwest

// A workload as the text of its file.
#include <cmath>
#include <filesystem>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "hwest/capacity.h"

namespace hwest {
namespace {

constexpr int64_t kNsPerS = 1'000'000'000;
constexpr int64_t kMostDigits = 1'000'000;

std::string Quoted(absl::string_view text) { return absl::StrCat("\"", absl::CEscape(text), "\""); }

// Decimals as far as they go; "" where they do not end.
std::string Decimal(int64_t num, int64_t den) {
  int64_t scale = 1;
  while (scale < kMostDigits && num % den != 0) {
    num *= 10;
    scale *= 10;
  }
  if (num % den != 0) return "";
  const int64_t digits = num / den;
  std::string text = absl::StrCat(digits / scale);
  if (scale == 1) return text;
  std::string rest = absl::StrCat(digits % scale + scale).substr(1);
  return absl::StrCat(text, ".", rest);
}

std::string RateText(const Fraction& job_period, int64_t batch) {
  const int64_t num = job_period.den * batch, den = job_period.num;
  const std::string per_s = Decimal(num, den);
  if (!per_s.empty()) return absl::StrCat(per_s, " FPS");
  const std::string per_min = Decimal(num * 60, den);
  if (!per_min.empty()) return absl::StrCat(per_min, " /min");
  return absl::StrFormat("%.9f FPS", static_cast<double>(num) / static_cast<double>(den));
}

std::string TimeText(double seconds) {
  return absl::StrCat(static_cast<int64_t>(std::llround(seconds * static_cast<double>(kNsPerS))), " ns");
}

std::string TaskText(const WorkloadTask& task) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(task.path, error);
  std::string text = absl::StrCat("task { name: ", Quoted(task.name),
                                  "  model: ", Quoted(error ? task.path : whole.lexically_normal().string()));
  if (task.precision != "auto") absl::StrAppend(&text, "  precision: ", Quoted(task.precision));
  if (task.batch != 1) absl::StrAppend(&text, "  batch: ", task.batch);
  if (task.period.has_value()) absl::StrAppend(&text, "  rate: ", Quoted(RateText(*task.period, task.batch)));
  if (task.deadline_s.has_value()) absl::StrAppend(&text, "  deadline: ", Quoted(TimeText(*task.deadline_s)));
  return absl::StrCat(text, " }\n");
}

std::string LoadText(const WorkloadLoad& load) {
  std::string text = absl::StrCat("load { name: ", Quoted(load.name));
  if (load.bytes_per_s > 0) {
    absl::StrAppend(&text, "  memory: \"", static_cast<int64_t>(std::llround(load.bytes_per_s)), " B/s\"");
  }
  if (!load.unit.empty()) {
    absl::StrAppend(&text, "  unit: ", Quoted(load.unit), "  period: ", Quoted(RateText(load.period, 1)),
                    "  time: ", Quoted(TimeText(load.time_s)));
  }
  return absl::StrCat(text, " }\n");
}

}  // namespace

std::string WorkloadText(const Workload& workload) {
  std::string text = absl::StrCat("target: ", Quoted(workload.target), "\n");
  if (!workload.mode.empty()) absl::StrAppend(&text, "mode: ", Quoted(workload.mode), "\n");
  if (!workload.host.empty()) absl::StrAppend(&text, "host: ", Quoted(workload.host), "\n");
  for (const WorkloadTask& task : workload.tasks) absl::StrAppend(&text, TaskText(task));
  for (const WorkloadLoad& load : workload.loads) absl::StrAppend(&text, LoadText(load));
  return text;
}

}  // namespace hwest

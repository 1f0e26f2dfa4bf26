// RKNN-Toolkit2 with verbose = True: rules that replace nodes, then a table of the layers:
//   fuse_sigmoid_mul_to_exswish: remove node = ['/act/Sigmoid', '/act/Mul'], add node = ['/act/Mul_2exswish']
//   ... 2  ConvExSwish  INT8  NPU  (1,8,16,16),(8,8,3,3),(8)  (1,8,16,16)  406/2304/2304  5  Conv:/conv1/Conv
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "complog/forms.h"

namespace hwest {
namespace {

constexpr size_t kMostReplaced = 256;  // of one rule at one place

LogUnit UnitOfTarget(absl::string_view word) {
  if (word == "NPU") return LogUnit::kNpu;
  if (word == "GPU") return LogUnit::kGpu;
  return word == "CPU" ? LogUnit::kCpu : LogUnit::kUnknown;
}

// A row of the table of layers: its number, or none.
bool ReadLayer(absl::string_view line, int64_t* number, LogKernel* kernel) {
  const size_t stamp = line.find("] ");
  if (stamp != absl::string_view::npos) line.remove_prefix(stamp + 2);
  const std::vector<absl::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
  if (words.size() < 6 || !IsNumber(words[0], number)) return false;
  kernel->unit = UnitOfTarget(words[3]);
  const size_t colon = words.back().find(':');
  if (kernel->unit == LogUnit::kUnknown || colon == absl::string_view::npos) return false;
  kernel->type = std::string(words[1]);
  kernel->unit_name = std::string(words[3]);
  kernel->name = std::string(words.back().substr(colon + 1));
  return true;
}

// Nodes that take the place of others: those that carry the name of one, else all of them.
void AddReplaced(absl::string_view line, CompilerLog* log) {
  absl::string_view removed, added;
  if (!After(line, "remove node = [", &removed) || !After(line, "add node = [", &added)) return;
  const std::vector<std::string> now = QuotedIn(added.substr(0, added.find(']')));
  const std::vector<std::string> before = QuotedIn(removed.substr(0, removed.find(']')));
  if (now.size() > kMostReplaced || before.size() > kMostReplaced) return;
  for (const std::string& was : before) {
    std::vector<std::string> own;
    for (const std::string& name : now) {
      if (absl::StartsWith(name, was)) own.push_back(name);
    }
    for (const std::string& name : own.empty() ? now : own) log->replaced.emplace_back(name, was);
  }
}

}  // namespace

CompilerLog ReadRknnLog(absl::string_view text) {
  CompilerLog log{.program = "RKNN-Toolkit2", .has_kernels = true};
  for (const std::string& line : LinesOf(text)) {
    absl::string_view version;
    if (After(line, "rknn-toolkit2 version: ", &version)) log.program = absl::StrCat("RKNN-Toolkit2 ", version);
    AddReplaced(line, &log);
    int64_t number;
    LogKernel kernel;
    if (!ReadLayer(line, &number, &kernel)) continue;
    if (number == 0) log.kernels.clear();  // one table for each try: the last counts
    if (kernel.type != "InputOperator" && kernel.type != "OutputOperator") log.kernels.push_back(std::move(kernel));
  }
  return log;
}

}  // namespace hwest

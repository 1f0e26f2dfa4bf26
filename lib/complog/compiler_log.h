// The logs in which vendors' compilers say where they put the nodes of a model, and what they made one kernel of.
//
//   HWEST_ASSIGN_OR_RETURN(const CompilerLog log, ReadCompilerLog(text, "build.log", LogFormat::kAuto));
//   HWEST_ASSIGN_OR_RETURN(const LogComparison laid_over, CompareLog(log, "build.log", analysis));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hwest {

enum class LogFormat : uint8_t { kAuto, kRknn, kQnn, kOrt, kTensorRt, kTidl, kHailo, kOpenVino };
absl::string_view LogFormatName(LogFormat format);  // "auto", "rknn", ...

// What a log puts a node on. Targets call their units differently, so that kinds are compared.
enum class LogUnit : uint8_t { kUnknown, kCpu, kGpu, kNpu };

// One kernel, or where a log knows no kernels, one node or group of nodes.
struct LogKernel {
  std::string name;  // as the log writes it; names of nodes in the ways of KernelNames
  std::string type;  // of the kernel, e.g. "ConvRelu"; "" = the log does not say
  LogUnit unit = LogUnit::kUnknown;
  std::string unit_name;           // as the log writes it
  std::string reason;              // why no accelerator takes it; "" = the log does not say
  std::vector<std::string> nodes;  // where `name` does not name them all
  std::vector<int64_t> positions;  // of nodes of the file's main graph, where the log counts them
};

struct CompilerLog {
  LogFormat format = LogFormat::kAuto;
  std::string program;  // that wrote it, with its version where the log has it
  std::vector<LogKernel> kernels;
  bool has_kernels = false;         // each row of `kernels` is one kernel
  std::optional<int64_t> segments;  // pieces of the accelerator's
  // Nodes that the log names nowhere are on this unit; none = it says nothing about them.
  std::optional<std::pair<LogUnit, std::string>> others;
  // The accelerator runs what leads to these nodes, the host all behind them; empty = the log does not divide so.
  std::vector<std::string> ends;
  // What a compiler made of nodes before it chose kernels: the name of a new node, and of one that it stands for.
  std::vector<std::pair<std::string, std::string>> replaced;
};

inline constexpr size_t kMaxLogBytes = size_t{64} << 20;

// ReadCompilerLog reads a whole log; `name` stands for it in messages. Errors: kUsage for a text that is not of the
// format, with what a log of it holds; for kAuto, for one that is of none.
absl::StatusOr<CompilerLog> ReadCompilerLog(absl::string_view text, absl::string_view name, LogFormat format);

}  // namespace hwest

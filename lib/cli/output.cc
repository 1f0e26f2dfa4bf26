#include "cli/output.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "cli/verbs.h"
#include "report/text_table.h"

namespace hwest {
namespace {

constexpr char kAfterReport[] = "hwest/after-report";
constexpr size_t kMostNotes = 10;
constexpr size_t kProgressSteps = 10;  // progress lines of a count
constexpr uint32_t kLeastWidth = 40;   // narrowest page that layouts can use
constexpr size_t kUsualWidth = 80;     // of terminals that report none

bool IsTerminal(std::FILE* file) {
  const int fd = ::fileno(file);
  return fd >= 0 && ::isatty(fd) == 1;
}

// Blocks Ctrl-C for the milliseconds from a report's first byte until the file is in place.
class InterruptGuard {
 public:
  InterruptGuard() {
    sigset_t block;
    sigemptyset(&block);
    sigaddset(&block, SIGINT);
    ::pthread_sigmask(SIG_BLOCK, &block, &before_);
  }
  ~InterruptGuard() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  InterruptGuard(const InterruptGuard&) = delete;

 private:
  sigset_t before_;
};

absl::Status StdoutFailed() {
  if (errno == EPIPE) return absl::OkStatus();
  return MakeError(Code::kOutputUnwritable,
                   absl::StrCat("cannot write to standard output (", std::strerror(errno), ")"),
                   "write to a file with --output");
}

absl::Status ToStdout(const Streams& streams, absl::FunctionRef<absl::Status(Sink)> write) {
  const absl::Status status = write([&](absl::string_view bytes) -> absl::Status {
    if (std::fwrite(bytes.data(), 1, bytes.size(), streams.out) == bytes.size()) return absl::OkStatus();
    return StdoutFailed();
  });
  if (status.ok() && std::fflush(streams.out) != 0) return StdoutFailed();
  return status;
}

std::string Extensions() {
  std::vector<absl::string_view> all;
  for (const FormatInfo& info : AllFormats()) {
    if (!info.extensions.empty()) all.push_back(info.extensions);
  }
  return absl::StrJoin(all, " ");
}

// Whether the extension of --output chooses a format. A name without one can be any file or device; targets and texts
// for other programs have only one form.
bool NamesFormat(const Options& options) {
  const size_t dot = options.output.rfind('.');
  const size_t slash = options.output.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  const bool has_extension = dot != std::string::npos && dot > name && dot + 1 < options.output.size();
  const bool is_described = options.verb == Verb::kDescribe && !options.words.empty();
  const bool other_program = is_described && (options.words[0] == "man" || options.words[0] == "completions");
  const bool is_target = options.verb == Verb::kCalibrate || (is_described && options.words[0] == "target-example") ||
                         (options.verb == Verb::kExplore && absl::EndsWith(options.output, ".textproto"));
  const auto* plan = dynamic_cast<const QuantizePlanVerbOptions*>(&options);
  const bool is_export = plan != nullptr && plan->export_as.has_value();
  return has_extension && !is_target && !other_program && !is_export;
}

}  // namespace

absl::StatusOr<Format> FormatOf(const Options& options, const Streams& streams) {
  Format format = Format::kText;
  const bool is_model = options.verb == Verb::kRewrite;
  const FormatInfo* by_name = options.output.empty() || is_model ? nullptr : FormatOfPath(options.output);
  if (by_name != nullptr) format = by_name->format;
  if (by_name == nullptr && !is_model && !options.format.has_value() && NamesFormat(options)) {
    return MakeError(Code::kUsage, absl::StrCat("no format has the extension of '", EscapeControl(options.output), "'"),
                     absl::StrCat("use one of ", Extensions(), ", or say --format"));
  }
  if (options.format.has_value()) format = *options.format;
  const bool is_chart = options.report.picture.chart.has_value();
  if (is_chart && !options.format.has_value() && by_name == nullptr) format = Format::kSvg;
  if (is_chart && !InfoOf(format).is_picture) {
    return MakeError(Code::kUsage, absl::StrCat("--chart draws, and ", InfoOf(format).name, " is no picture"),
                     "use --format svg, png or pdf");
  }
  if (InfoOf(format).is_binary && options.output.empty() && IsTerminal(streams.out)) {
    return MakeError(Code::kUsage, absl::StrCat(InfoOf(format).name, " is not for a terminal"),
                     absl::StrCat("write it to a file with --output FILE.", InfoOf(format).name));
  }
  return format;
}

Color ColorOf(const Options& options, const Streams& streams) {
  if (options.color != ColorMode::kAuto) return options.color == ColorMode::kAlways ? Color::kYes : Color::kNo;
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool plain =
      (no_color != nullptr && *no_color != '\0') || (terminal != nullptr && std::strcmp(terminal, "dumb") == 0);
  return options.output.empty() && !plain && IsTerminal(streams.out) ? Color::kYes : Color::kNo;
}

size_t WidthOf(const Options& options, const Streams& streams) {
  if (!options.output.empty() || !IsTerminal(streams.out)) return 0;
  const char* columns = std::getenv("COLUMNS");
  uint32_t width = 0;
  if (columns != nullptr && absl::SimpleAtoi(columns, &width) && width > 0) return std::max(width, kLeastWidth);
  struct winsize size = {};
  if (::ioctl(::fileno(streams.out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualWidth;
  return std::max<size_t>(size.ws_col, kLeastWidth);
}

Glyphs GlyphsOf(const Options& options) {
  if (!options.output.empty()) return Glyphs::kUnicode;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* locale = std::getenv(name);
    if (locale == nullptr || *locale == '\0') continue;
    const std::string lower = absl::AsciiStrToLower(locale);
    const bool is_utf8 = absl::StrContains(lower, "utf-8") || absl::StrContains(lower, "utf8");
    return is_utf8 ? Glyphs::kUnicode : Glyphs::kAscii;
  }
  return Glyphs::kUnicode;
}

absl::Status Deliver(const Options& options, const Streams& streams, absl::FunctionRef<absl::Status(Sink)> write) {
  if (options.output.empty()) return ToStdout(streams, write);
  std::optional<InterruptGuard> guard;
  return WriteFile(options.output, [&](Sink file) {
    return write([&](absl::string_view bytes) {
      if (!guard.has_value()) guard.emplace();
      return file(bytes);
    });
  });
}

absl::Status AfterReport(absl::Status status) {
  status.SetPayload(kAfterReport, absl::Cord("yes"));
  return status;
}

bool IsAfterReport(const absl::Status& status) { return status.GetPayload(kAfterReport).has_value(); }

void PrintError(const Diagnostic& error, const Streams& streams) {
  const std::string line = absl::StrCat("onnx-hwest: error: ", EscapeControl(error.message),
                                        error.remedy.empty() ? "" : ": ", EscapeControl(error.remedy), "\n");
  std::fwrite(line.data(), 1, line.size(), streams.err);
  std::fflush(streams.err);
}

void PrintNotes(const std::vector<Diagnostic>& diagnostics, const Options& options, const Streams& streams) {
  if (options.quiet == Quiet::kYes) return;
  std::set<std::string> seen;
  size_t more = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    const bool is_note = InfoOf(diagnostic.code).severity == Severity::kNote;
    const std::string line =
        absl::StrCat("onnx-hwest: ", is_note ? "note: " : "warning: ", EscapeControl(diagnostic.message),
                     diagnostic.node.empty() ? "" : absl::StrCat(" (", EscapeControl(diagnostic.node), ")"), "\n");
    if (!seen.insert(line).second) continue;
    if (seen.size() <= kMostNotes)
      std::fwrite(line.data(), 1, line.size(), streams.err);
    else
      ++more;
  }
  if (more == 0) return;
  const std::string line = absl::StrCat("onnx-hwest: note: ", more, " more notes; --format json lists all\n");
  std::fwrite(line.data(), 1, line.size(), streams.err);
}

void PrintProgress(absl::string_view what, const Options& options, const Streams& streams) {
  if (options.progress == Progress::kNever || options.quiet == Quiet::kYes || !IsTerminal(streams.err)) return;
  const std::string line = absl::StrCat("onnx-hwest: ", what, "\n");
  std::fwrite(line.data(), 1, line.size(), streams.err);
}

Watch WatchOf(const Options& options, const Streams& streams) {
  Watch watch;
  watch.step = [&options, &streams](const std::string& step, size_t) { PrintProgress(step, options, streams); };
  watch.count = [&options, &streams](const char* pieces, size_t done, size_t total) {
    if (done % (total / kProgressSteps + 1) != 0) return;
    PrintProgress(absl::StrCat(done, " of ", total, " ", pieces), options, streams);
  };
  return watch;
}

Diagnostic WithCommand(Diagnostic error, const Command& command) {
  const size_t flags = error.remedy.find("--");
  const bool is_kept = error.code == Code::kInterrupted && flags == 0;
  if ((error.code != Code::kFreeDims && !is_kept) || flags == std::string::npos) return error;
  std::string line = "onnx-hwest";
  const auto add = [&](const CommandPart& part) {
    for (const std::string& word : ArgsOf({part})) absl::StrAppend(&line, " ", ShellQuoted(word));
  };
  const auto end = std::find_if(command.parts.begin(), command.parts.end(),
                                [](const CommandPart& part) { return part.kind == CommandPart::Kind::kEndOfFlags; });
  for (auto part = command.parts.begin(); part != end; ++part) {
    if (part->flag == nullptr || part->text != error.remedy) add(*part);  // a switch appears once
  }
  absl::StrAppend(&line, " ", error.remedy.substr(flags));
  std::for_each(end, command.parts.end(), add);
  error.remedy = std::move(line);
  return error;
}

std::string CommandOf(Verb verb, const Options& options) {
  const std::string& model = options.words[0];
  const bool is_like_flag = model.size() > 1 && model[0] == '-';
  std::string command =
      absl::StrCat("onnx-hwest ", InfoOf(verb).name, " ", ShellQuoted(absl::StrCat(is_like_flag ? "./" : "", model)));
  for (const GivenFlag& given : options.request_flags) {
    if (FindFlag(given.flag->name, verb) != given.flag) continue;
    absl::StrAppend(&command, " ", given.flag->name);
    if (!given.flag->value.empty()) absl::StrAppend(&command, " ", ShellQuoted(given.value));
  }
  return EscapeControl(command);
}

}  // namespace hwest

#include "complog/compiler_log.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/enumerators.h"
#include "base/text.h"
#include "complog/forms.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

struct Form {
  LogFormat format;
  absl::string_view name;
  CompilerLog (*read)(absl::string_view text);
  absl::string_view holds;  // what a log of it holds, and how to have it written
};

// In the order in which they are tried: QNN's provider writes into a log of ONNX Runtime.
constexpr Form kForms[] = {
    {LogFormat::kRknn, "rknn", ReadRknnLog,
     "the layer table with the column Target, which RKNN(verbose=True) prints when it builds"},
    {LogFormat::kQnn, "qnn", ReadQnnLog,
     "the lines \"Validation PASSED for\" of ONNX Runtime's QNN provider, which log_severity_level = 0 prints"},
    {LogFormat::kOrt, "ort", ReadOrtLog,
     "the lines \"placed on [...]\" of ONNX Runtime, which log_severity_level = 0 prints"},
    {LogFormat::kTensorRt, "tensorrt", ReadTensorRtLog,
     "\"Layers Running on DLA\" and \"on GPU\", which the builder prints, or the JSON of trtexec --exportLayerInfo"},
    {LogFormat::kTidl, "tidl", ReadTidlLog,
     "\"Supported TIDL layer type\", which debug_level = 1 prints, or the file allowedNode.txt of the artifacts"},
    {LogFormat::kHailo, "hailo", ReadHailoLog,
     "the parser's errors \"Unsupported...Error in op\" or the end node names that it recommends"},
    {LogFormat::kOpenVino, "openvino", ReadOpenVinoLog, "query_model(model, device) as JSON: each node and its device"},
};

bool IsRead(const CompilerLog& log) { return !log.kernels.empty() || !log.ends.empty() || log.others.has_value(); }

const Form* FormOf(LogFormat format) {
  const auto* at =
      std::find_if(std::begin(kForms), std::end(kForms), [&](const Form& f) { return f.format == format; });
  return at == std::end(kForms) ? nullptr : at;
}

absl::Status NoLog(absl::string_view name, const Form* form) {
  if (form != nullptr) {
    return MakeError(Code::kUsage, absl::StrCat(EscapeControl(name), ": is no log of the format ", form->name),
                     absl::StrCat("give a whole log; it holds ", form->holds));
  }
  std::string forms;
  for (const Form& each : kForms) {
    absl::StrAppend(&forms, forms.empty() ? "" : "; ", each.name, ": ", each.holds);
  }
  return MakeError(Code::kUsage, absl::StrCat(EscapeControl(name), ": is no compiler's log that is known"),
                   absl::StrCat("give a whole log of one of these. ", forms));
}

}  // namespace

absl::string_view LogFormatName(LogFormat format) {
  static_assert(std::size(kForms) + 1 == kNumEnumerators<LogFormat>);
  const Form* form = FormOf(format);
  return form == nullptr ? "auto" : form->name;
}

absl::StatusOr<CompilerLog> ReadCompilerLog(absl::string_view text, absl::string_view name, LogFormat format) {
  if (text.size() > kMaxLogBytes) {
    return MakeError(Code::kUsage, absl::StrCat(EscapeControl(name), ": is above 64 MiB"),
                     "give the part that names nodes");
  }
  for (const Form& form : kForms) {
    if (format != LogFormat::kAuto && format != form.format) continue;
    CompilerLog log = form.read(text);
    log.format = form.format;
    if (IsRead(log)) return log;
  }
  return NoLog(name, FormOf(format));
}

std::vector<std::string> LinesOf(absl::string_view text) {
  std::vector<std::string> lines;
  for (const absl::string_view raw : absl::StrSplit(text, absl::ByAnyChar("\n\r"))) {
    std::string line;
    for (size_t i = 0; i < raw.size(); ++i) {
      if (raw[i] != '\x1b') {
        line.push_back(raw[i]);
        continue;
      }
      while (i < raw.size() && raw[i] != 'm') ++i;  // "\x1b[33m"
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

bool After(absl::string_view line, absl::string_view mark, absl::string_view* rest) {
  const size_t at = line.find(mark);
  if (at == absl::string_view::npos) return false;
  *rest = line.substr(at + mark.size());
  return true;
}

std::vector<std::string> QuotedIn(absl::string_view text) {
  std::vector<std::string> texts;
  for (size_t begin = text.find('\''); begin != absl::string_view::npos; begin = text.find('\'', begin)) {
    const size_t end = text.find('\'', begin + 1);
    if (end == absl::string_view::npos) break;
    texts.emplace_back(text.substr(begin + 1, end - begin - 1));
    begin = end + 1;
  }
  return texts;
}

bool IsNumber(absl::string_view text, int64_t* number) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isdigit(static_cast<unsigned char>(c));
  }) && absl::SimpleAtoi(text, number);
}

}  // namespace hwest

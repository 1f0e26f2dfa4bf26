#include "measured/import.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "measured/importers.h"
#include "measured/text_file.h"

namespace hwest {
namespace {

// What the text itself shows, before it is read.
enum class Syntax : uint8_t { kTable, kJson, kYaml };

constexpr ImportInfo kInfos[] = {
    {"csv", "anyone", "one row per figure, columns as `onnx-hwest describe measurements` lists"},
    {"trtexec-times", "trtexec --exportTimes", "median GPU compute time of the trace"},
    {"trtexec-profile", "trtexec --exportProfile", "sum over the layers of their median or average time"},
    {"onnxruntime-profile", "ONNX Runtime, enable_profiling", "median of its runs, the first left out"},
    {"ai-hub-perf", "Qualcomm AI Hub Models, perf.yaml or JSON", "each job that passed on one unit alone"},
    {"ai-hub-job", "Qualcomm AI Hub, results of a profile job", "its estimated inference time"},
};

struct TreeForm {
  absl::string_view name;
  bool (*matches)(const Tree& tree);
  absl::StatusOr<std::vector<Measurement>> (*read)(const Imported& file);
};

constexpr TreeForm kForms[] = {
    {"trtexec-times", IsTrtexecTimes, ReadTrtexecTimes},
    {"trtexec-profile", IsTrtexecProfile, ReadTrtexecProfile},
    {"onnxruntime-profile", IsOnnxRuntimeProfile, ReadOnnxRuntimeProfile},
    {"ai-hub-perf", IsAiHubPerf, ReadAiHubPerf},
    {"ai-hub-job", IsAiHubJob, ReadAiHubJob},
};

// A table's first line has a comma and no "key:"; of YAML one of the first lines ends a key.
bool IsYaml(absl::string_view text) {
  for (absl::string_view line : absl::StrSplit(text.substr(0, 4096), '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line[0] == '#' || line == "---") continue;
    const size_t colon = line.find(':');
    const absl::string_view key = line.substr(0, colon);
    return colon != absl::string_view::npos && (colon + 1 == line.size() || line[colon + 1] == ' ') &&
           key.find(',') == absl::string_view::npos;
  }
  return false;
}

Syntax SyntaxOf(absl::string_view text) {
  absl::ConsumePrefix(&text, "\xef\xbb\xbf");
  const absl::string_view begin = absl::StripLeadingAsciiWhitespace(text.substr(0, 4096));
  if (!begin.empty() && (begin[0] == '[' || begin[0] == '{')) return Syntax::kJson;
  return IsYaml(text) ? Syntax::kYaml : Syntax::kTable;
}

absl::StatusOr<Tree> ParseTree(absl::string_view text, absl::string_view name, Syntax syntax) {
  if (syntax == Syntax::kJson) return ParseJson(text, name);
  if (text.size() > kMaxTreeBytes) return ImportError(name, "is above 64 MiB", "export a shorter run");
  absl::ConsumePrefix(&text, "\xef\xbb\xbf");
  return ParseYaml(text, name);
}

// One row: the sum over the kernels of a profile that is no JSON.
absl::StatusOr<std::vector<Measurement>> ReadTextProfile(absl::string_view text, absl::string_view name,
                                                         const TextProfileForm& form,
                                                         const MeasurementDefaults& defaults) {
  constexpr double kMilliseconds = 1e3;
  if (form.is_estimate) {
    return ImportError(name, absl::StrCat("holds estimates of ", form.runtime, ", which are no measurements"),
                       "lay them beside a plan with --measured-profile");
  }
  HWEST_ASSIGN_OR_RETURN(const Profile profile, ParseProfile(text, name));
  double sum_s = 0;
  for (const ProfileEntry& entry : profile.entries) sum_s += entry.time_s;
  if (sum_s <= 0) return ImportError(name, "holds no time above 0", "export it again from a run that ended");
  Said said;
  if (defaults.unit.empty()) said.unit = std::string(form.unit);
  if (defaults.runtime.empty()) said.runtime = std::string(form.runtime);
  const Tree none;
  HWEST_ASSIGN_OR_RETURN(Measurement row, RowOf({none, name, defaults}, said));
  row.row = 1;
  row.source = profile.program;
  row.trust = "B";  // profiling adds to every kernel
  row.note = "sum over the kernels of a profile";
  row.value = sum_s * kMilliseconds;
  return std::vector<Measurement>{std::move(row)};
}

}  // namespace

std::vector<ImportInfo> AllImports() {
  std::vector<ImportInfo> infos(std::begin(kInfos), std::end(kInfos));
  for (const TextProfileForm& form : AllTextProfiles()) {
    if (!form.is_estimate) infos.push_back({form.name, form.written, form.summary});
  }
  return infos;
}

absl::StatusOr<std::vector<Measurement>> ImportMeasurements(absl::string_view text, absl::string_view name,
                                                            const MeasurementDefaults& defaults) {
  const Syntax syntax = SyntaxOf(text);
  const TextProfileForm* profile = syntax == Syntax::kJson ? nullptr : TextProfileOf(text);
  if (profile != nullptr) return ReadTextProfile(text, name, *profile, defaults);
  if (syntax == Syntax::kTable) return ParseMeasurements(text, name, defaults);
  HWEST_ASSIGN_OR_RETURN(const Tree tree, ParseTree(text, name, syntax));
  const auto form = std::find_if(std::begin(kForms), std::end(kForms),
                                 [&](const TreeForm& candidate) { return candidate.matches(tree); });
  if (form == std::end(kForms)) {
    const auto add_name = [](std::string* out, const ImportInfo& info) { absl::StrAppend(out, info.name); };
    return ImportError(name, "is of no known form",
                       absl::StrCat("give one of ", absl::StrJoin(AllImports(), ", ", add_name),
                                    ", see `onnx-hwest describe imports`"));
  }
  HWEST_ASSIGN_OR_RETURN(std::vector<Measurement> rows, form->read({tree, name, defaults}));
  for (size_t i = 0; i < rows.size(); ++i) rows[i].row = i + 1;
  return rows;
}

absl::StatusOr<std::vector<Measurement>> ReadMeasurements(const std::string& path,
                                                          const MeasurementDefaults& defaults) {
  HWEST_ASSIGN_OR_RETURN(const std::string text, ReadMeasuredText(path));
  return ImportMeasurements(text, path, defaults);
}

}  // namespace hwest

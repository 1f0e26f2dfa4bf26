#include "request.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "analysis/request_text.h"
#include "analysis/value_text.h"
#include "base/status_macros.h"
#include "handles.h"
#include "hwest/host.h"

namespace hwest::capi {
namespace {

absl::Status Bad(absl::string_view option, absl::string_view value, absl::string_view remedy) {
  return MakeError(Code::kUsage, absl::StrCat("options.", option, " cannot be '", value, "'"), remedy);
}

absl::Status AddSize(absl::string_view option, absl::string_view text,
                     std::vector<std::pair<std::string, int64_t>>* sizes) {
  auto size = ParseSize(text);
  if (!size.has_value()) return Bad(option, text, "write NAME=N with a whole number N");
  sizes->push_back(*std::move(size));
  return absl::OkStatus();
}

absl::Status AddPin(absl::string_view option, absl::string_view text, std::vector<Pin>* pins) {
  std::optional<Pin> pin = ParsePin(text);
  if (!pin.has_value()) return Bad(option, text, "write WHAT@UNIT");
  pins->push_back(*std::move(pin));
  return absl::OkStatus();
}

absl::Status AddDim(absl::string_view option, absl::string_view text, AnalysisRequest* request) {
  return AddSize(option, text, &request->bind.dims);
}

absl::Status AddExpect(absl::string_view option, absl::string_view text, AnalysisRequest* request) {
  return AddSize(option, text, &request->bind.expect);
}

absl::Status AddShape(absl::string_view option, absl::string_view text, AnalysisRequest* request) {
  auto shape = ParseShape(text);
  if (!shape.has_value()) return Bad(option, text, "write 1x3x224x224 or INPUT=1x128");
  request->bind.shapes.push_back(*std::move(shape));
  return absl::OkStatus();
}

absl::Status AddOnly(absl::string_view option, absl::string_view text, AnalysisRequest* request) {
  if (text.empty()) return Bad(option, text, "name a unit of the target");
  request->only.emplace_back(text);
  return absl::OkStatus();
}

absl::Status AddDeny(absl::string_view option, absl::string_view text, AnalysisRequest* request) {
  return AddPin(option, text, &request->deny);
}

absl::Status AddAssume(absl::string_view option, absl::string_view text, AnalysisRequest* request) {
  return AddPin(option, text, &request->assume);
}

absl::Status AddNodePin(absl::string_view option, absl::string_view text, AnalysisRequest* request) {
  return AddPin(option, text, &request->pin);
}

absl::Status AddToolchain(absl::string_view option, absl::string_view text, AnalysisRequest* request) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == absl::string_view::npos || equals + 1 == text.size()) {
    return Bad(option, text, "write UNIT=NAME, NAME built in or a file");
  }
  request->toolchains.emplace_back(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
  return absl::OkStatus();
}

struct ListOption {
  absl::string_view name;
  const char* const* hwest_options::*list;
  absl::Status (*add)(absl::string_view option, absl::string_view text, AnalysisRequest* request);
};

constexpr ListOption kLists[] = {
    {"dims", &hwest_options::dims, AddDim},       {"shapes", &hwest_options::shapes, AddShape},
    {"expect", &hwest_options::expect, AddExpect}, {"only", &hwest_options::only, AddOnly},
    {"deny", &hwest_options::deny, AddDeny},      {"assume", &hwest_options::assume, AddAssume},
    {"pin", &hwest_options::pin, AddNodePin},     {"toolchains", &hwest_options::toolchains, AddToolchain},
};

std::string TextOr(const char* text, const char* fallback) { return text == nullptr ? fallback : text; }

// Stores the row of `values` that `number` names.
template <class T, size_t N>
absl::Status Choose(absl::string_view option, int32_t number, const T (&values)[N], T* chosen) {
  if (number < 0 || static_cast<size_t>(number) >= N) {
    return Bad(option, absl::StrCat(number), "use a constant of hwest.h");
  }
  *chosen = values[number];
  return absl::OkStatus();
}

// Stores a count whose default is 0.
template <class T>
absl::Status SetCount(absl::string_view option, T number, std::optional<T>* count) {
  if (number < 0) return Bad(option, absl::StrCat(number), "use 0 or more");
  if (number > 0) *count = number;
  return absl::OkStatus();
}

// A host is that of the module that `request` names or holds.
absl::Status SetHost(const char* host, AnalysisRequest* request) {
  if (host == nullptr) return absl::OkStatus();
  if (*host == '\0') return Bad("host", host, "name a target with a CPU, or use NULL");
  if (request->loaded == nullptr && request->target.empty()) return Bad("host", host, "name the module with `target`");
  HWEST_ASSIGN_OR_RETURN(const Target lender, LoadTarget(host));
  Target module;
  if (request->loaded != nullptr) module = *request->loaded;
  if (request->loaded == nullptr) {
    HWEST_ASSIGN_OR_RETURN(module, LoadTarget(request->target));
  }
  HWEST_ASSIGN_OR_RETURN(Target changed, UseHost(module, lender));
  request->loaded = std::make_shared<const Target>(std::move(changed));
  return absl::OkStatus();
}

absl::Status SetFusions(const char* fusions, AnalysisRequest* request) {
  request->fusions = TextOr(fusions, "");
  if (request->fusions.empty() || request->fusions == "none") return absl::OkStatus();
  return Bad("fusions", request->fusions, "use \"none\" or NULL");
}

absl::Status SetPowerCap(double watts, AnalysisRequest* request) {
  if (!(watts >= 0) || std::isinf(watts)) return Bad("power_cap_w", absl::StrCat(watts), "use watts above 0, or 0");
  if (watts > 0) request->power_cap_w = watts;
  return absl::OkStatus();
}

absl::Status SetConvention(const char* name, AnalysisRequest* request) {
  if (name == nullptr) return absl::OkStatus();
  const ConventionInfo* info = FindConvention(name);
  if (info == nullptr) return Bad("flops_as", name, "use native, fvcore, torch, thop or onnx-tool");
  request->flops_as = info->convention;
  return absl::OkStatus();
}

absl::Status AddLists(const hwest_options& options, AnalysisRequest* request) {
  for (const ListOption& row : kLists) {
    const char* const* list = options.*row.list;
    for (; list != nullptr && *list != nullptr; ++list) {
      if (absl::Status status = row.add(row.name, *list, request); !status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

absl::Status AddValues(const char* const* values, const Graph& graph, BindRequest* bind) {
  for (; values != nullptr && *values != nullptr; ++values) {
    if (absl::Status status = AddValue(graph, *values, bind); !status.ok()) return status;
  }
  return absl::OkStatus();
}

// The first error, if any.
absl::Status First(std::initializer_list<absl::Status> statuses) {
  for (const absl::Status& status : statuses) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

constexpr Objective kObjectives[] = {Objective::kLatency, Objective::kEnergy};
constexpr Overlap kOverlaps[] = {Overlap::kNo, Overlap::kYes};
constexpr HostCompetes kHostCompetes[] = {HostCompetes::kNo, HostCompetes::kYes};
constexpr LeaveOut kLeaveOuts[] = {LeaveOut::kNone, LeaveOut::kFamily, LeaveOut::kDevice, LeaveOut::kSource};
constexpr Color kColors[] = {Color::kNo, Color::kYes};
constexpr ReportKind kKinds[] = {ReportKind::kAnalysis, ReportKind::kShapes, ReportKind::kSupport,
                                 ReportKind::kExplain};
constexpr Format kFormats[] = {Format::kText, Format::kJson, Format::kCsv, Format::kMarkdown,
                               Format::kDot,  Format::kSvg,  Format::kPng, Format::kPdf};
constexpr std::optional<Level> kLevels[] = {std::nullopt, Level::kNode, Level::kGroup, Level::kSegment, Level::kModule,
                                              Level::kUnit};
static_assert(kObjectives[HWEST_OBJECTIVE_ENERGY] == Objective::kEnergy);
static_assert(kOverlaps[HWEST_OVERLAP_YES] == Overlap::kYes);
static_assert(kLeaveOuts[HWEST_LEAVE_OUT_SOURCE] == LeaveOut::kSource);
static_assert(kKinds[HWEST_REPORT_EXPLAIN] == ReportKind::kExplain);
static_assert(kFormats[HWEST_FORMAT_PDF] == Format::kPdf);
static_assert(kLevels[HWEST_LEVEL_UNIT] == Level::kUnit);

}  // namespace

absl::StatusOr<AnalysisRequest> RequestOf(const hwest_options& options, const Graph& graph) {
  AnalysisRequest request;
  request.target = TextOr(options.target, "");
  request.mode = TextOr(options.mode, "");
  request.op_rules = TextOr(options.op_rules, "");
  request.precision = TextOr(options.precision, "auto");
  request.fusion_rules = TextOr(options.fusion_rules, "");
  if (options.loaded != nullptr) request.loaded = options.loaded->state->target;
  if (const absl::Status status = SetHost(options.host, &request); !status.ok()) return status;
  const absl::Status status = First({
      SetFusions(options.fusions, &request),
      Choose("objective", options.objective, kObjectives, &request.objective),
      SetCount("batch", options.batch, &request.bind.batch),
      SetCount("max_segments", options.max_segments, &request.max_segments),
      Choose("overlap", options.overlap, kOverlaps, &request.overlap),
      Choose("host_competes", options.host_competes, kHostCompetes, &request.host_competes),
      SetPowerCap(options.power_cap_w, &request),
      SetConvention(options.flops_as, &request),
      AddLists(options, &request),
      AddValues(options.values, graph, &request.bind),
  });
  if (!status.ok()) return status;
  return request;
}

absl::StatusOr<LeaveOut> LeaveOutOf(int32_t number) {
  LeaveOut leave_out = LeaveOut::kNone;
  const absl::Status status = Choose("leave_out", number, kLeaveOuts, &leave_out);
  if (!status.ok()) return status;
  return leave_out;
}

absl::StatusOr<ReportRequest> ReportRequestOf(const hwest_report_options& options) {
  ReportRequest request;
  const absl::Status status = First({
      Choose("kind", options.kind, kKinds, &request.kind),
      Choose("format", options.format, kFormats, &request.options.format),
      Choose("level", options.level, kLevels, &request.options.level),
      Choose("color", options.color, kColors, &request.options.color),
  });
  if (!status.ok()) return status;
  if (options.top < HWEST_TOP_ALL) return Bad("top", absl::StrCat(options.top), "use HWEST_TOP_ALL, 0 or more");
  if (options.top != 0) request.options.top = options.top == HWEST_TOP_ALL ? 0 : options.top;
  request.options.node = TextOr(options.node, "");
  return request;
}

}  // namespace hwest::capi

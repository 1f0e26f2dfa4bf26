#include "hwest.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "guard.h"
#include "hwest/analysis.h"
#include "report/report.h"
#include "request.h"
#include "rows.h"

// Layout of ABI 0 on 64-bit machines; on others the order is the same.
#define HWEST_ASSERT_OFFSET(type, field, offset) \
  static_assert(sizeof(void*) != 8 || offsetof(type, field) == (offset), #type "." #field " moved")
#define HWEST_ASSERT_SIZE(type, size) static_assert(sizeof(void*) != 8 || sizeof(type) == (size), #type " changed size")
HWEST_ASSERT_OFFSET(hwest_options, objective, 4);
HWEST_ASSERT_OFFSET(hwest_options, target, 8);
HWEST_ASSERT_OFFSET(hwest_options, mode, 16);
HWEST_ASSERT_OFFSET(hwest_options, precision, 24);
HWEST_ASSERT_OFFSET(hwest_options, fusions, 32);
HWEST_ASSERT_OFFSET(hwest_options, batch, 40);
HWEST_ASSERT_OFFSET(hwest_options, dims, 48);
HWEST_ASSERT_OFFSET(hwest_options, shapes, 56);
HWEST_ASSERT_OFFSET(hwest_options, expect, 64);
HWEST_ASSERT_OFFSET(hwest_options, only, 72);
HWEST_ASSERT_OFFSET(hwest_options, deny, 80);
HWEST_ASSERT_OFFSET(hwest_options, assume, 88);
HWEST_ASSERT_OFFSET(hwest_options, pin, 96);
HWEST_ASSERT_OFFSET(hwest_options, max_segments, 104);
HWEST_ASSERT_OFFSET(hwest_options, values, 112);
HWEST_ASSERT_OFFSET(hwest_options, op_rules, 120);
HWEST_ASSERT_SIZE(hwest_options, 128);
HWEST_ASSERT_SIZE(hwest_count, 16);
HWEST_ASSERT_OFFSET(hwest_totals, grade, 4);
HWEST_ASSERT_OFFSET(hwest_totals, macs, 8);
HWEST_ASSERT_OFFSET(hwest_totals, params, 56);
HWEST_ASSERT_OFFSET(hwest_totals, peak_memory_bytes, 104);
HWEST_ASSERT_OFFSET(hwest_totals, batch, 112);
HWEST_ASSERT_OFFSET(hwest_totals, unknown_nodes, 160);
HWEST_ASSERT_OFFSET(hwest_totals, intensity, 168);
HWEST_ASSERT_OFFSET(hwest_totals, latency_s, 176);
HWEST_ASSERT_OFFSET(hwest_totals, energy_j, 216);
HWEST_ASSERT_OFFSET(hwest_totals, gap, 248);
HWEST_ASSERT_OFFSET(hwest_totals, target, 256);
HWEST_ASSERT_OFFSET(hwest_totals, precision, 272);
HWEST_ASSERT_SIZE(hwest_totals, 280);
HWEST_ASSERT_OFFSET(hwest_group, bound, 4);
HWEST_ASSERT_OFFSET(hwest_group, id, 8);
HWEST_ASSERT_OFFSET(hwest_group, pattern, 16);
HWEST_ASSERT_OFFSET(hwest_group, nodes, 48);
HWEST_ASSERT_OFFSET(hwest_group, segment, 64);
HWEST_ASSERT_OFFSET(hwest_group, macs, 72);
HWEST_ASSERT_OFFSET(hwest_group, saved_launches, 128);
HWEST_ASSERT_OFFSET(hwest_group, start_s, 136);
HWEST_ASSERT_OFFSET(hwest_group, time_s, 168);
HWEST_ASSERT_OFFSET(hwest_group, utilisation, 200);
HWEST_ASSERT_SIZE(hwest_group, 208);
HWEST_ASSERT_OFFSET(hwest_report_options, kind, 4);
HWEST_ASSERT_OFFSET(hwest_report_options, format, 8);
HWEST_ASSERT_OFFSET(hwest_report_options, level, 12);
HWEST_ASSERT_OFFSET(hwest_report_options, top, 16);
HWEST_ASSERT_OFFSET(hwest_report_options, node, 24);
HWEST_ASSERT_SIZE(hwest_report_options, 32);
static_assert(HWEST_UNAUTHENTICATED == static_cast<int>(absl::StatusCode::kUnauthenticated) &&
              HWEST_INVALID_ARGUMENT == static_cast<int>(absl::StatusCode::kInvalidArgument) &&
              HWEST_DATA_LOSS == static_cast<int>(absl::StatusCode::kDataLoss));

struct hwest_model {
  std::shared_ptr<const hwest::Graph> graph;
  std::string name;
};

struct hwest_analysis {
  hwest_analysis(hwest::Analysis result, std::string model)
      : analysis(std::move(result)), model_name(std::move(model)), rows(analysis) {}

  hwest::Analysis analysis;
  std::string model_name;
  hwest::capi::Rows rows;
};

struct hwest_buffer {
  std::string bytes;
};

namespace {

using hwest::capi::CopyIn;
using hwest::capi::CopyOut;
using hwest::capi::Guard;
using hwest::capi::NullArgument;

absl::Status Load(absl::StatusOr<std::shared_ptr<const hwest::Graph>> graph, const char* name, hwest_model** model) {
  if (!graph.ok()) return graph.status();
  *model = new hwest_model{*std::move(graph), name};
  return absl::OkStatus();
}

absl::Status WriteReport(const hwest_analysis* analysis, const hwest_report_options* options, hwest::Sink sink) {
  const absl::StatusOr<hwest_report_options> ours = CopyIn("options", options);
  if (!ours.ok()) return ours.status();
  absl::StatusOr<hwest::capi::ReportRequest> request = hwest::capi::ReportRequestOf(*ours);
  if (!request.ok()) return request.status();
  request->options.model_path = analysis->model_name;
  return hwest::WriteReport(analysis->analysis, request->kind, request->options, sink);
}

absl::Status CheckRows(const hwest_analysis* analysis, uint64_t first, uint64_t count) {
  const uint64_t rows = analysis->rows.num_groups();
  if (first <= rows && count <= rows - first) return absl::OkStatus();
  return hwest::MakeError(hwest::Code::kUsage, absl::StrCat("no ", count, " groups from ", first, " on among ", rows),
                          "stay below hwest_analysis_group_count()");
}

}  // namespace

const char* hwest_version(void) { return HWEST_VERSION; }

const char* hwest_last_error_message(void) { return hwest::capi::LastErrorMessage(); }

const char* hwest_last_error_code(void) { return hwest::capi::LastErrorCode(); }

hwest_status hwest_model_load(const char* path, hwest_model** model) {
  return Guard([&]() -> absl::Status {
    if (path == nullptr) return NullArgument("path");
    if (model == nullptr) return NullArgument("model");
    return Load(hwest::LoadModel(path), path, model);
  });
}

hwest_status hwest_model_load_memory(const void* data, size_t size, const char* name, hwest_model** model) {
  return Guard([&]() -> absl::Status {
    if (data == nullptr && size > 0) return NullArgument("data");
    if (model == nullptr) return NullArgument("model");
    if (name == nullptr) name = "model";
    return Load(hwest::LoadModelFromMemory(absl::string_view(static_cast<const char*>(data), size), name), name, model);
  });
}

void hwest_model_free(hwest_model* model) { delete model; }

hwest_status hwest_analyze(const hwest_model* model, const hwest_options* options, hwest_analysis** analysis) {
  return Guard([&]() -> absl::Status {
    if (model == nullptr) return NullArgument("model");
    if (analysis == nullptr) return NullArgument("analysis");
    const absl::StatusOr<hwest_options> ours = CopyIn("options", options);
    if (!ours.ok()) return ours.status();
    const absl::StatusOr<hwest::AnalysisRequest> request = hwest::capi::RequestOf(*ours, *model->graph);
    if (!request.ok()) return request.status();
    absl::StatusOr<hwest::Analysis> result = hwest::Analyze(model->graph, *request);
    if (!result.ok()) return result.status();
    *analysis = new hwest_analysis(*std::move(result), model->name);
    return absl::OkStatus();
  });
}

void hwest_analysis_free(hwest_analysis* analysis) { delete analysis; }

hwest_status hwest_analysis_totals(const hwest_analysis* analysis, hwest_totals* totals) {
  return Guard([&]() -> absl::Status {
    if (analysis == nullptr) return NullArgument("analysis");
    if (totals == nullptr) return NullArgument("totals");
    return CopyOut("totals", analysis->rows.Totals(), totals->struct_size, totals);
  });
}

uint64_t hwest_analysis_group_count(const hwest_analysis* analysis) {
  return analysis == nullptr ? 0 : analysis->rows.num_groups();
}

hwest_status hwest_analysis_group_get(const hwest_analysis* analysis, uint64_t index, hwest_group* group) {
  return Guard([&]() -> absl::Status {
    if (analysis == nullptr) return NullArgument("analysis");
    if (group == nullptr) return NullArgument("group");
    if (const absl::Status status = CheckRows(analysis, index, 1); !status.ok()) return status;
    return CopyOut("group", analysis->rows.Group(index), group->struct_size, group);
  });
}

hwest_status hwest_analysis_group_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                       hwest_group* groups, size_t stride) {
  return Guard([&]() -> absl::Status {
    if (analysis == nullptr) return NullArgument("analysis");
    if (groups == nullptr && count > 0) return NullArgument("groups");
    absl::Status status = CheckRows(analysis, first, count);
    auto* bytes = reinterpret_cast<char*>(groups);
    for (uint64_t i = 0; i < count && status.ok(); ++i, bytes += stride) {
      status = CopyOut("group", analysis->rows.Group(first + i), stride, reinterpret_cast<hwest_group*>(bytes));
    }
    return status;
  });
}

hwest_status hwest_report(const hwest_analysis* analysis, const hwest_report_options* options, hwest_sink sink,
                          void* payload) {
  return Guard([&]() -> absl::Status {
    if (analysis == nullptr) return NullArgument("analysis");
    if (sink == nullptr) return NullArgument("sink");
    return WriteReport(analysis, options, [&](absl::string_view bytes) {
      if (sink(payload, bytes.data(), bytes.size()) == 0) return absl::OkStatus();
      return hwest::MakeError(hwest::Code::kInterrupted, "the sink ended the report", "");
    });
  });
}

hwest_status hwest_report_buffer(const hwest_analysis* analysis, const hwest_report_options* options,
                                 hwest_buffer** buffer) {
  return Guard([&]() -> absl::Status {
    if (analysis == nullptr) return NullArgument("analysis");
    if (buffer == nullptr) return NullArgument("buffer");
    auto report = std::make_unique<hwest_buffer>();
    const absl::Status status = WriteReport(analysis, options, [&](absl::string_view bytes) {
      report->bytes.append(bytes.data(), bytes.size());
      return absl::OkStatus();
    });
    if (status.ok()) *buffer = report.release();
    return status;
  });
}

const char* hwest_buffer_data(const hwest_buffer* buffer) { return buffer == nullptr ? "" : buffer->bytes.c_str(); }

size_t hwest_buffer_size(const hwest_buffer* buffer) { return buffer == nullptr ? 0 : buffer->bytes.size(); }

void hwest_buffer_free(hwest_buffer* buffer) { delete buffer; }

// What is where in memory.
#include "app/memory.h"

#include <memory>
#include <string>
#include <utility>

#include "base/status_macros.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "request.h"

namespace hwest::capi {
namespace {

absl::StatusOr<app::MemoryRequest> MemoryRequestOf(const hwest_options& asked, const hwest_memory_options& how) {
  app::MemoryRequest request;
  HWEST_ASSIGN_OR_RETURN(request.draft, DraftOf(asked));
  for (uint64_t i = 0; how.arenas != nullptr && i < how.arena_count; ++i) {
    if (how.arenas[i] < 1) return BadOption("memory.arenas", how.arenas[i], "give sizes of 1 byte or more");
    request.arenas.push_back(how.arenas[i]);
  }
  if (how.dim_range == nullptr) return request;
  request.range = app::ParseDimRange(how.dim_range);
  if (request.range.has_value()) return request;
  return MakeError(Code::kUsage, absl::StrCat("memory.dim_range is \"", how.dim_range, "\""),
                   "write a range such as batch=1:64", {"memory.dim_range"});
}

absl::Status WriteInto(const MemoryReport& report, const hwest_report_options& form, PlanRows rows,
                       const std::string& name, std::string* bytes) {
  HWEST_ASSIGN_OR_RETURN(ReportRequest request, ReportRequestOf(form));
  request.options.model_path = name;
  return WriteMemory(report, rows, request.options, [&](absl::string_view part) {
    bytes->append(part.data(), part.size());
    return absl::OkStatus();
  });
}

absl::Status Report(const ModelState& model, const hwest_options* options, const hwest_memory_options* memory,
                    const hwest_report_options* form, hwest_buffer** report) {
  HWEST_ASSIGN_OR_RETURN(const hwest_options asked, CopyIn("options", options));
  HWEST_ASSIGN_OR_RETURN(const hwest_memory_options how, CopyIn("memory", memory));
  HWEST_ASSIGN_OR_RETURN(const hwest_report_options written, CopyIn("form", form));
  HWEST_ASSIGN_OR_RETURN(const app::MemoryRequest request, MemoryRequestOf(asked, how));
  HWEST_ASSIGN_OR_RETURN(const MemoryReport found, app::Memory(model.analyzer, request));
  auto buffer = std::make_unique<hwest_buffer>();
  const PlanRows rows = how.rows != 0 ? PlanRows::kYes : PlanRows::kNo;
  HWEST_RETURN_IF_ERROR(WriteInto(found, written, rows, model.name, &buffer->bytes));
  *report = buffer.release();
  return absl::OkStatus();
}

}  // namespace
}  // namespace hwest::capi

using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_memory(const hwest_model* model, const hwest_options* options, const hwest_memory_options* memory,
                          const hwest_report_options* form, hwest_buffer** report) {
  return Guard([&]() -> absl::Status {
    if (model == nullptr) return NullArgument("model");
    if (report == nullptr) return NullArgument("report");
    return hwest::capi::Report(*model->state, options, memory, form, report);
  });
}

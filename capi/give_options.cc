// Written by lib/report/tables/generate.py from lib/analysis/request.table.
#include "give.h"

#include "base/status_macros.h"

namespace hwest::capi {

absl::Status GiveOptions(const hwest_options& options, RequestDraft* draft) {
  HWEST_RETURN_IF_ERROR(Give("objective", options.objective, draft));
  HWEST_RETURN_IF_ERROR(Give("target", options.target, draft));
  HWEST_RETURN_IF_ERROR(Give("mode", options.mode, draft));
  HWEST_RETURN_IF_ERROR(Give("precision", options.precision, draft));
  HWEST_RETURN_IF_ERROR(Give("fusions", options.fusions, draft));
  HWEST_RETURN_IF_ERROR(Give("batch", options.batch, draft));
  HWEST_RETURN_IF_ERROR(Give("dims", options.dims, draft));
  HWEST_RETURN_IF_ERROR(Give("shapes", options.shapes, draft));
  HWEST_RETURN_IF_ERROR(Give("expect", options.expect, draft));
  HWEST_RETURN_IF_ERROR(Give("only", options.only, draft));
  HWEST_RETURN_IF_ERROR(Give("deny", options.deny, draft));
  HWEST_RETURN_IF_ERROR(Give("assume", options.assume, draft));
  HWEST_RETURN_IF_ERROR(Give("pin", options.pin, draft));
  HWEST_RETURN_IF_ERROR(Give("max_segments", options.max_segments, draft));
  HWEST_RETURN_IF_ERROR(Give("values", options.values, draft));
  HWEST_RETURN_IF_ERROR(Give("op_rules", options.op_rules, draft));
  HWEST_RETURN_IF_ERROR(Give("toolchains", options.toolchains, draft));
  HWEST_RETURN_IF_ERROR(Give("fusion_rules", options.fusion_rules, draft));
  HWEST_RETURN_IF_ERROR(Give("flops_as", options.flops_as, draft));
  HWEST_RETURN_IF_ERROR(Give("power_cap_w", options.power_cap_w, draft));
  HWEST_RETURN_IF_ERROR(Give("overlap", options.overlap, draft));
  HWEST_RETURN_IF_ERROR(Give("host_competes", options.host_competes, draft));
  HWEST_RETURN_IF_ERROR(Give("host", options.host, draft));
  HWEST_RETURN_IF_ERROR(Give("sparsity", options.sparsity, draft));
  HWEST_RETURN_IF_ERROR(Give("seq_len", options.seq_len, draft));
  HWEST_RETURN_IF_ERROR(Give("image_size", options.image_size, draft));
  HWEST_RETURN_IF_ERROR(Give("measured_profile", options.measured_profile, draft));
  HWEST_RETURN_IF_ERROR(Give("context", options.context, draft));
  HWEST_RETURN_IF_ERROR(Give("placement", options.placement, draft));
  HWEST_RETURN_IF_ERROR(Give("precision_of", options.precision_of, draft));
  HWEST_RETURN_IF_ERROR(Give("rewrite_rules", options.rewrite_rules, draft));
  return absl::OkStatus();
}

}  // namespace hwest::capi

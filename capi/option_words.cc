// Written by lib/report/tables/generate.py from lib/analysis/request.table and options.table.
#include "words.h"

namespace hwest::capi {
namespace {

constexpr OptionWords kWords[] = {
    {"`onnx-hwest targets`", "hwest_target_list_create()", "onnx_hwest.targets()", ValueForm::kPlain},
    {"`onnx-hwest targets lint FILE`", "hwest_lint_create()", "onnx_hwest.lint_target()", ValueForm::kPlain},
    {"`graph MODEL --columns id,module`", "hwest_analysis_module_get()", "Analysis.modules", ValueForm::kPlain},
    {"analyze --context", "hwest_generation_create()", "Model.generation()", ValueForm::kPlain},
    {"--rewrite", "hwest_rewrite()", "Model.rewrite()", ValueForm::kPlain},
    {"--objective", "options.objective", "objective", ValueForm::kPlain},
    {"--target", "options.target", "target", ValueForm::kPlain},
    {"--mode", "options.mode", "mode", ValueForm::kPlain},
    {"--precision", "options.precision", "precision", ValueForm::kPlain},
    {"--batch", "options.batch", "batch", ValueForm::kPlain},
    {"--dim", "options.dims", "dims", ValueForm::kDict},
    {"--shape", "options.shapes", "shapes", ValueForm::kShapes},
    {"--expect", "options.expect", "expect", ValueForm::kDict},
    {"--only", "options.only", "only", ValueForm::kList},
    {"--deny", "options.deny", "deny", ValueForm::kList},
    {"--assume", "options.assume", "assume", ValueForm::kList},
    {"--pin", "options.pin", "pin", ValueForm::kList},
    {"--max-segments", "options.max_segments", "max_segments", ValueForm::kPlain},
    {"--value", "options.values", "values", ValueForm::kDict},
    {"--op-rules", "options.op_rules", "op_rules", ValueForm::kPlain},
    {"--toolchain", "options.toolchains", "toolchains", ValueForm::kDict},
    {"--fusions", "options.fusion_rules", "fusion_rules", ValueForm::kPlain},
    {"--flops-as", "options.flops_as", "flops_as", ValueForm::kPlain},
    {"--power-cap", "options.power_cap_w", "power_cap_w", ValueForm::kPlain},
    {"--overlap", "options.overlap", "overlap", ValueForm::kSwitch},
    {"--host-competes", "options.host_competes", "host_competes", ValueForm::kSwitch},
    {"--host", "options.host", "host", ValueForm::kPlain},
    {"--sparsity", "options.sparsity", "sparsity", ValueForm::kPlain},
    {"--seq-len", "options.seq_len", "seq_len", ValueForm::kPlain},
    {"--size", "options.image_size", "image_size", ValueForm::kPlain},
    {"--measured-profile", "options.measured_profile", "measured_profile", ValueForm::kPlain},
    {"--context", "options.context", "context", ValueForm::kPlain},
    {"--placement", "options.placement", "placement", ValueForm::kPlain},
    {"--allow-approximate", "rewrite.allow_approximate", "allow_approximate", ValueForm::kSwitch},
    {"--annotate", "rewrite.annotate", "annotate", ValueForm::kSwitch},
    {"--opset", "rewrite.opset", "opset", ValueForm::kPlain},
    {"--plan", "memory.rows", "rows", ValueForm::kSwitch},
    {"--judge", "limits.judge", "judge", ValueForm::kPlain},
    {"--fits", "limits.fits", "fits", ValueForm::kSwitch},
    {"--leave-out", "options.leave_out", "leave_out", ValueForm::kPlain},
    {"--measurements", "options.measurements", "measurements", ValueForm::kPlain},
    {"--models", "options.models", "models", ValueForm::kPlain},
    {"--format", "options.format", "format", ValueForm::kPlain},
    {"--level", "options.level", "level", ValueForm::kPlain},
    {"--top", "options.top", "top", ValueForm::kPlain},
    {"--color-by", "options.color_by", "color_by", ValueForm::kPlain},
    {"--collapse", "options.collapse", "collapse", ValueForm::kPlain},
    {"--unfold", "options.unfold", "unfold", ValueForm::kSwitch},
    {"--chart", "options.chart", "chart", ValueForm::kPlain},
    {"--start", "options.start", "start", ValueForm::kPlain},
    {"--end", "options.end", "end", ValueForm::kPlain},
    {"--max-nodes", "options.max_nodes", "max_nodes", ValueForm::kPlain},
    {"--around", "options.around", "around", ValueForm::kPlain},
    {"--module", "options.module", "module", ValueForm::kPlain},
    {"--grep", "options.grep", "grep", ValueForm::kPlain},
    {"--op", "options.ops", "ops", ValueForm::kList},
    {"--unit", "options.units", "units", ValueForm::kList},
    {"--bound", "options.bounds", "bounds", ValueForm::kList},
    {"--columns", "options.columns", "columns", ValueForm::kList},
};

}  // namespace

absl::Span<const OptionWords> AllOptionWords() { return kWords; }

}  // namespace hwest::capi

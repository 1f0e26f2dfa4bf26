/* An operator of one's own: without a rule its shape and cost are unknown, which the totals say; with one it counts.
 *
 *     custom_op MODEL TARGET
 *
 * Exit: 0 everything is costed with the rule, 1 not, 2 no answer. */
#include <stdio.h>

#include "hwest.h"

/* GatedMix mixes each row of x with a square matrix, head by head; see `onnx-hwest describe op-rules`. */
static const char kRules[] =
    "my.ops::GatedMix(x, gate) -> y\n"
    "  shape y = x\n"
    "  matmul = [1, x.0 * x.1, gate.1, gate.0]\n"
    "  ops transcendental = numel(y)\n";

static int analyse(const hwest_model* model, const char* target, const char* rules, hwest_totals* totals) {
  hwest_analysis* analysis = NULL;
  hwest_options options = {0};
  hwest_status status;

  options.struct_size = sizeof options;
  options.target = target;
  options.op_rules = rules;
  totals->struct_size = sizeof *totals;
  status = hwest_analyze(model, &options, &analysis);
  if (status == HWEST_OK) status = hwest_analysis_totals(analysis, totals);
  if (status == HWEST_OK) {
    printf("%-12s %lld of %lld nodes costed, %lld MACs, %.3f ms\n", rules == NULL ? "without rule" : "with rule",
           (long long)totals->costed_nodes, (long long)totals->nodes, (long long)totals->macs.value,
           totals->latency_s * 1e3);
  }
  hwest_analysis_free(analysis);
  return status != HWEST_OK;
}

int main(int argc, char** argv) {
  hwest_model* model = NULL;
  hwest_totals totals = {0};
  int failed;

  if (argc != 3) {
    fprintf(stderr, "usage: custom_op MODEL TARGET\n");
    return 2;
  }
  failed = hwest_model_load(argv[1], &model) || analyse(model, argv[2], NULL, &totals) ||
           analyse(model, argv[2], kRules, &totals);
  hwest_model_free(model);
  if (failed) {
    fprintf(stderr, "custom_op: %s\n", hwest_last_error_message());
    return 2;
  }
  return totals.costed_nodes == totals.nodes ? 0 : 1;
}

/* Fails a build when a model would be too slow on the device it is meant for.
 *
 *     latency_gate MODEL TARGET BUDGET_MS
 *
 * Exit: 0 within the budget, 1 over it, 2 no answer. */
#include <stdio.h>
#include <stdlib.h>

#include "hwest.h"

static int no_answer(void) {
  fprintf(stderr, "latency_gate: %s\n", hwest_last_error_message());
  return 2;
}

int main(int argc, char** argv) {
  hwest_model* model = NULL;
  hwest_analysis* analysis = NULL;
  hwest_options options = {0};
  hwest_totals totals = {0};
  int verdict;

  if (argc != 4) {
    fprintf(stderr, "usage: latency_gate MODEL TARGET BUDGET_MS\n");
    return 2;
  }
  options.struct_size = sizeof options;
  options.target = argv[2];
  totals.struct_size = sizeof totals;

  if (hwest_model_load(argv[1], &model) || hwest_analyze(model, &options, &analysis) ||
      hwest_analysis_totals(analysis, &totals)) {
    verdict = no_answer();
  } else {
    const double budget_s = atof(argv[3]) / 1e3;
    verdict = totals.latency_s <= budget_s ? 0 : 1;
    printf("%s on %s: %.3f ms (%.3f to %.3f ms), budget %.3f ms: %s\n", argv[1], totals.target, totals.latency_s * 1e3,
           totals.latency_low_s * 1e3, totals.latency_high_s * 1e3, budget_s * 1e3, verdict == 0 ? "ok" : "too slow");
    if (totals.costed_nodes < totals.nodes) {
      printf("not counted: %lld of %lld nodes\n", (long long)(totals.nodes - totals.costed_nodes),
             (long long)totals.nodes);
    }
  }
  hwest_analysis_free(analysis);
  hwest_model_free(model);
  return verdict;
}

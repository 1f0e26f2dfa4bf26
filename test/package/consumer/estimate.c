/* estimate MODEL TARGET: the latency of a model on a target. */
#include <stdio.h>

#include "hwest.h"

int main(int argc, char** argv) {
  hwest_model* model = NULL;
  hwest_analysis* analysis = NULL;
  hwest_options options = {.struct_size = sizeof options, .target = argc > 2 ? argv[2] : NULL};
  hwest_totals totals = {.struct_size = sizeof totals};
  int failed = hwest_model_load(argc > 1 ? argv[1] : "-", &model) || hwest_analyze(model, &options, &analysis) ||
               hwest_analysis_totals(analysis, &totals);
  if (failed)
    fprintf(stderr, "estimate: %s\n", hwest_last_error_message());
  else
    printf("%.3f ms on %s\n", totals.latency_s * 1e3, totals.target);
  hwest_analysis_free(analysis);
  hwest_model_free(model);
  return failed;
}

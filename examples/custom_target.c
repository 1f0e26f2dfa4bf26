/* An accelerator of one's own: checks its file, says how much of it is estimated, and runs a model on it.
 *
 *     custom_target MODEL TARGET.textproto
 *
 * Exit: 0 answered, 1 the file has problems, 2 no answer. */
#include <stdio.h>
#include <string.h>

#include "hwest.h"

#define MAX_TEXT 65536

static size_t read_file(const char* path, char* text) {
  FILE* file = fopen(path, "rb");
  size_t size = 0;
  if (file != NULL) {
    size = fread(text, 1, MAX_TEXT, file);
    fclose(file);
  }
  return size;
}

/* Prints every problem, not only the first; returns how many there are, or -1. */
static int print_problems(const char* text, size_t size, const char* path) {
  hwest_lint* lint = NULL;
  hwest_problem problem = {0};
  uint64_t i, count;

  if (hwest_lint_create(text, size, path, &lint)) return -1;
  problem.struct_size = sizeof problem;
  count = hwest_lint_problem_count(lint);
  for (i = 0; i < count && hwest_lint_problem_get(lint, i, &problem) == HWEST_OK; ++i) {
    printf("%s:%lld: %s %s (%s)\n", path, (long long)problem.line, problem.path == NULL ? "" : problem.path,
           problem.message, problem.remedy);
  }
  hwest_lint_free(lint);
  return (int)count;
}

static int analyse(const char* model_path, const char* text, size_t size, const char* path) {
  hwest_target* target = NULL;
  hwest_model* model = NULL;
  hwest_analysis* analysis = NULL;
  hwest_options options = {0};
  hwest_target_info info = {0};
  hwest_totals totals = {0};
  hwest_status status;

  options.struct_size = sizeof options;
  info.struct_size = sizeof info;
  totals.struct_size = sizeof totals;
  status = hwest_target_load_memory(text, size, path, &target);
  if (status == HWEST_OK) status = hwest_target_describe(target, &info);
  if (status == HWEST_OK) status = hwest_model_load(model_path, &model);
  options.loaded = target;
  if (status == HWEST_OK) status = hwest_analyze(model, &options, &analysis);
  if (status == HWEST_OK) status = hwest_analysis_totals(analysis, &totals);
  if (status == HWEST_OK) {
    printf("%s: %lld figures, %lld of them estimates\n", info.name, (long long)info.facts, (long long)info.estimated);
    printf("%.3f ms (%.3f to %.3f ms), %s\n", totals.latency_s * 1e3, totals.latency_low_s * 1e3,
           totals.latency_high_s * 1e3, totals.precision);
  }
  hwest_analysis_free(analysis);
  hwest_model_free(model);
  hwest_target_free(target);
  return status != HWEST_OK;
}

int main(int argc, char** argv) {
  static char text[MAX_TEXT];
  size_t size;
  int problems;

  if (argc != 3) {
    fprintf(stderr, "usage: custom_target MODEL TARGET.textproto\n");
    return 2;
  }
  size = read_file(argv[2], text);
  problems = print_problems(text, size, argv[2]);
  if (problems > 0) return 1;
  if (problems < 0 || analyse(argv[1], text, size, argv[2])) {
    fprintf(stderr, "custom_target: %s\n", hwest_last_error_message());
    return 2;
  }
  return 0;
}

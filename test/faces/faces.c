/* One verb through the C ABI, its report to standard output: what faces_test.py compares with the other faces.
 *
 *   faces FORMAT VERB ARG...     FORMAT = HWEST_FORMAT_*; "-" = no target, no node
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hwest.h"

static hwest_report_options as = {sizeof as};
static hwest_buffer* buffer;

/* Stops the program where a call fails. */
static void check(hwest_status status) {
  if (status == HWEST_OK) return;
  fprintf(stderr, "faces: %s\n", hwest_last_error_message());
  exit(1);
}

static const char* given(const char* word) { return strcmp(word, "-") == 0 ? NULL : word; }

static hwest_model* model_of(const char* path) {
  hwest_model* model = NULL;
  check(hwest_model_load(path, &model));
  return model;
}

static hwest_analysis* analysis_of(const hwest_model* model, const char* target) {
  hwest_options options = {sizeof options};
  hwest_analysis* analysis = NULL;
  options.target = given(target);
  check(hwest_analyze(model, &options, &analysis));
  return analysis;
}

/* KIND MODEL TARGET NODE; with `explained` the node is explained first. */
static void analysis(char** words, int explained) {
  hwest_model* model = model_of(words[1]);
  hwest_analysis* result = analysis_of(model, words[2]);
  hwest_explanation* explanation = NULL;
  as.kind = atoi(words[0]);
  if (explained)
    check(hwest_explain(result, words[3], &explanation));
  else
    as.node = given(words[3]);
  as.explanation = explanation;
  check(hwest_report_buffer(result, &as, &buffer));
  hwest_explanation_free(explanation);
  hwest_analysis_free(result);
  hwest_model_free(model);
}

/* MODEL TARGET */
static void what_if(char** words) {
  hwest_model* model = model_of(words[0]);
  hwest_analysis* result = analysis_of(model, words[1]);
  hwest_what_if* changes = NULL;
  check(hwest_what_if_create(result, NULL, NULL, &changes));
  as.what_if = changes;
  check(hwest_report_buffer(result, &as, &buffer));
  hwest_what_if_free(changes);
  hwest_analysis_free(result);
  hwest_model_free(model);
}

/* MODEL TARGET LOG NAME */
static void import_log(char** words) {
  hwest_model* model = model_of(words[0]);
  hwest_analysis* result = analysis_of(model, words[1]);
  hwest_import_log* found = NULL;
  char* text = calloc(1, 1 << 20);
  FILE* file = fopen(words[2], "rb");
  const size_t size = file != NULL ? fread(text, 1, 1 << 20, file) : 0;
  check(hwest_import_log_create(result, text, size, words[3], NULL, &found));
  check(hwest_import_log_report_buffer(found, &as, &buffer));
  if (file != NULL) fclose(file);
  free(text);
  hwest_import_log_free(found);
  hwest_analysis_free(result);
  hwest_model_free(model);
}

static void targets(void) {
  hwest_target_list* list = NULL;
  check(hwest_target_list_create(&list));
  check(hwest_target_list_report_buffer(list, &as, &buffer));
  hwest_target_list_free(list);
}

/* TARGET */
static void target(char** words) {
  hwest_target* one = NULL;
  check(hwest_target_load(words[0], &one));
  check(hwest_target_report_buffer(one, &as, &buffer));
  hwest_target_free(one);
}

/* FILE */
static void lint(char** words) {
  static char text[1 << 20];
  FILE* file = fopen(words[0], "rb");
  hwest_lint* found = NULL;
  size_t size;
  if (file == NULL) exit(1);
  size = fread(text, 1, sizeof text, file);
  fclose(file);
  check(hwest_lint_create(text, size, words[0], &found));
  check(hwest_lint_report_buffer(found, &as, &buffer));
  hwest_lint_free(found);
}

/* MEASUREMENTS MODELS TARGET LEAVE_OUT */
static void validate(char** words) {
  hwest_validate_options options = {sizeof options};
  hwest_validation* validation = NULL;
  options.measurements = words[0];
  options.models = words[1];
  options.target = given(words[2]);
  options.leave_out = atoi(words[3]);
  check(hwest_validate(&options, &validation));
  check(hwest_validation_report_buffer(validation, &as, &buffer));
  hwest_validation_free(validation);
}

/* MEASUREMENTS MODELS TARGET */
static void calibrate(char** words) {
  hwest_calibrate_options options = {sizeof options};
  hwest_calibration* calibration = NULL;
  options.measurements = words[0];
  options.models = words[1];
  options.target = words[2];
  check(hwest_calibrate(&options, &calibration));
  check(hwest_calibration_report_buffer(calibration, &as, &buffer));
  hwest_calibration_free(calibration);
}

/* MODEL TARGET */
static void rewrite(char** words) {
  hwest_model* model = model_of(words[0]);
  hwest_options options = {sizeof options};
  options.target = given(words[1]);
  check(hwest_rewrite(model, &options, NULL, NULL, NULL, &buffer));
  hwest_model_free(model);
}

/* MODEL TARGET TARGET */
static void sweep(char** words) {
  hwest_sweep_lists lists = {sizeof lists};
  hwest_sweep_plan* plan = NULL;
  hwest_sweep* rows = NULL;
  const char *models[2] = {NULL, NULL}, *targets[3] = {NULL, NULL, NULL};
  models[0] = words[0];
  targets[0] = words[1];
  targets[1] = words[2];
  lists.models = models;
  lists.targets = targets;
  check(hwest_sweep_plan_create(&lists, &plan));
  check(hwest_sweep_run(plan, NULL, &rows));
  check(hwest_sweep_report_buffer(rows, &as, &buffer));
  hwest_sweep_free(rows);
  hwest_sweep_plan_free(plan);
}

/* MODEL TARGET SETTING */
static void sweep_set(char** words) {
  hwest_sweep_lists lists = {sizeof lists};
  hwest_sweep_plan* plan = NULL;
  hwest_sweep* rows = NULL;
  const char *models[2] = {NULL, NULL}, *targets[2] = {NULL, NULL}, *settings[2] = {NULL, NULL};
  models[0] = words[0];
  targets[0] = words[1];
  settings[0] = words[2];
  lists.models = models;
  lists.targets = targets;
  lists.settings = settings;
  check(hwest_sweep_plan_create(&lists, &plan));
  check(hwest_sweep_run(plan, NULL, &rows));
  check(hwest_sweep_report_buffer(rows, &as, &buffer));
  hwest_sweep_free(rows);
  hwest_sweep_plan_free(plan);
}

/* TARGET MODEL VARY OUTPUT; OUTPUT = that of the best target, which is written in place of the report, or "-" */
static void explore(char** words) {
  hwest_explore_options asked = {sizeof asked};
  hwest_options options = {sizeof options};
  hwest_buffer* best = NULL;
  const char *models[2] = {NULL, NULL}, *vary[2] = {NULL, NULL};
  models[0] = words[1];
  vary[0] = words[2];
  options.target = words[0];
  asked.models = models;
  asked.vary = vary;
  asked.process_nm = 16;
  asked.output = given(words[3]);
  check(hwest_explore(&asked, &options, &as, &buffer, &best));
  if (asked.output != NULL) {
    hwest_buffer_free(buffer);
    buffer = best;
  } else {
    hwest_buffer_free(best);
  }
}

/* MODEL TARGET MAX_LATENCY */
static void check_model(char** words) {
  hwest_model* model = model_of(words[0]);
  hwest_analysis* result = analysis_of(model, words[1]);
  hwest_limits limits = {sizeof limits};
  hwest_check* checked = NULL;
  limits.max_latency = words[2];
  check(hwest_check_analysis(result, &limits, NULL, NULL, NULL, &checked));
  check(hwest_check_report_buffer(checked, &as, &buffer));
  hwest_check_free(checked);
  hwest_analysis_free(result);
  hwest_model_free(model);
}

/* BUDGET */
static void check_budget(char** words) {
  hwest_check* checked = NULL;
  check(hwest_check_run(words[0], NULL, NULL, NULL, &checked));
  check(hwest_check_report_buffer(checked, &as, &buffer));
  hwest_check_free(checked);
}

/* MODEL TARGET MODEL TARGET */
static void diff(char** words) {
  hwest_model* models[2];
  hwest_analysis* sides[2];
  hwest_diff* found = NULL;
  int i;
  for (i = 0; i < 2; ++i) {
    models[i] = model_of(words[2 * i]);
    sides[i] = analysis_of(models[i], words[2 * i + 1]);
  }
  check(hwest_diff_create(sides[0], NULL, sides[1], NULL, &found));
  check(hwest_diff_report_buffer(found, &as, &buffer));
  hwest_diff_free(found);
  for (i = 0; i < 2; ++i) {
    hwest_analysis_free(sides[i]);
    hwest_model_free(models[i]);
  }
}

/* MODEL TARGET TARGET */
static void against(char** words) {
  hwest_model* model = model_of(words[0]);
  hwest_options options = {sizeof options};
  hwest_diff* found = NULL;
  options.target = words[1];
  check(hwest_diff_against(model, &options, words[2], NULL, NULL, NULL, &found));
  check(hwest_diff_report_buffer(found, &as, &buffer));
  hwest_diff_free(found);
  hwest_model_free(model);
}

/* MODEL TARGET */
static void memory(char** words) {
  hwest_model* model = model_of(words[0]);
  hwest_options options = {sizeof options};
  options.target = words[1];
  check(hwest_memory(model, &options, NULL, &as, &buffer));
  hwest_model_free(model);
}

/* MODEL TARGET */
static void quantize(char** words) {
  hwest_model* model = model_of(words[0]);
  hwest_options options = {sizeof options};
  hwest_quantize_options how = {sizeof how};
  const char* formats[] = {"int8", "w8a16", NULL};
  options.target = words[1];
  how.formats = formats;
  check(hwest_quantize_plan(model, &options, &how, &as, &buffer));
  hwest_model_free(model);
}

/* MODEL TARGET */
static void width(char** words) {
  hwest_model* model = model_of(words[0]);
  hwest_options options = {sizeof options};
  options.target = words[1];
  check(hwest_width(model, &options, NULL, &as, &buffer));
  hwest_model_free(model);
}

/* MODEL TARGET */
static void llm(char** words) {
  const char* models[] = {words[0], NULL};
  const char* targets[] = {words[1], NULL};
  const int64_t prompts[] = {64, 256};
  hwest_llm_options asked = {sizeof asked};
  asked.models = models;
  asked.targets = targets;
  asked.prompts = prompts;
  asked.prompt_count = 2;
  check(hwest_llm(&asked, &as, &buffer));
}

/* FILE */
static void workload(char** words) {
  hwest_workload* found = NULL;
  check(hwest_workload_run(words[0], NULL, NULL, NULL, NULL, &found));
  check(hwest_workload_report_buffer(found, &as, &buffer));
  hwest_workload_free(found);
}

/* MODEL TARGET */
static void fit(char** words) {
  const char* models[] = {words[0], NULL};
  const char* targets[] = {words[1], NULL};
  const char* stages[] = {"h265", "nms", NULL};
  hwest_fit_options asked = {sizeof asked};
  hwest_boards* found = NULL;
  asked.models = models;
  asked.targets = targets;
  asked.stages = stages;
  asked.streams = 2;
  asked.rate = "25FPS";
  asked.deadline = "35ms";
  check(hwest_boards_create(&asked, NULL, &found));
  check(hwest_boards_report_buffer(found, &as, &buffer));
  hwest_boards_free(found);
}

int main(int argc, char** argv) {
  const char* verb = argc > 2 ? argv[2] : "";
  char** words = argv + 3;
  as.format = argc > 2 ? atoi(argv[1]) : 0;
  if (strcmp(verb, "analysis") == 0 && argc == 7)
    analysis(words, 0);
  else if (strcmp(verb, "explanation") == 0 && argc == 7)
    analysis(words, 1);
  else if (strcmp(verb, "what_if") == 0 && argc == 5)
    what_if(words);
  else if (strcmp(verb, "import_log") == 0 && argc == 7)
    import_log(words);
  else if (strcmp(verb, "targets") == 0 && argc == 3)
    targets();
  else if (strcmp(verb, "target") == 0 && argc == 4)
    target(words);
  else if (strcmp(verb, "lint") == 0 && argc == 4)
    lint(words);
  else if (strcmp(verb, "validate") == 0 && argc == 7)
    validate(words);
  else if (strcmp(verb, "calibrate") == 0 && argc == 6)
    calibrate(words);
  else if (strcmp(verb, "rewrite") == 0 && argc == 5)
    rewrite(words);
  else if (strcmp(verb, "sweep") == 0 && argc == 6)
    sweep(words);
  else if (strcmp(verb, "sweep_set") == 0 && argc == 6)
    sweep_set(words);
  else if (strcmp(verb, "explore") == 0 && argc == 7)
    explore(words);
  else if (strcmp(verb, "check_model") == 0 && argc == 6)
    check_model(words);
  else if (strcmp(verb, "check_budget") == 0 && argc == 4)
    check_budget(words);
  else if (strcmp(verb, "diff") == 0 && argc == 7)
    diff(words);
  else if (strcmp(verb, "against") == 0 && argc == 6)
    against(words);
  else if (strcmp(verb, "memory") == 0 && argc == 5)
    memory(words);
  else if (strcmp(verb, "quantize-plan") == 0 && argc == 5)
    quantize(words);
  else if (strcmp(verb, "width") == 0 && argc == 5)
    width(words);
  else if (strcmp(verb, "llm") == 0 && argc == 5)
    llm(words);
  else if (strcmp(verb, "workload") == 0 && argc == 4)
    workload(words);
  else if (strcmp(verb, "fit") == 0 && argc == 5)
    fit(words);
  else
    return 2;
  fwrite(hwest_buffer_data(buffer), 1, hwest_buffer_size(buffer), stdout);
  hwest_buffer_free(buffer);
  return 0;
}

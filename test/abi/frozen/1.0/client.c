/* A client as it was written for version 1.0; only ever built with the header beside it. Prints "ok". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hwest.h"

#define CHECK(condition)                                                                                  \
  do {                                                                                                    \
    if (!(condition)) {                                                                                   \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, hwest_last_error_message());     \
      exit(1);                                                                                            \
    }                                                                                                     \
  } while (0)

static int32_t count_steps(void *payload, const char *what, uint64_t done, uint64_t total) {
  CHECK(what[0] != '\0' && done < total);
  ++*(int *)payload;
  return 0;
}

static int32_t add_bytes(void *payload, const char *data, size_t size) {
  CHECK(size == 0 || data != NULL);
  *(size_t *)payload += size;
  return 0;
}

static void read_tables(const hwest_analysis *analysis, const hwest_totals *totals) {
  hwest_group groups[512];
  hwest_node node = {0};
  hwest_value value = {0};
  hwest_event event = {0};
  int64_t macs = 0;
  uint64_t i, count = hwest_analysis_group_count(analysis);
  CHECK(count > 0 && count <= 512);
  CHECK(hwest_analysis_group_read(analysis, 0, count, groups, sizeof groups[0]) == HWEST_OK);
  for (i = 0; i < count; ++i) {
    CHECK(groups[i].struct_size == sizeof groups[i] && groups[i].name != NULL && groups[i].assumptions != NULL);
    macs += groups[i].macs;
  }
  CHECK(macs == totals->macs.value);
  node.struct_size = sizeof node;
  value.struct_size = sizeof value;
  event.struct_size = sizeof event;
  CHECK(hwest_analysis_node_get(analysis, 0, &node) == HWEST_OK && node.output_count == 1);
  CHECK(hwest_analysis_value_get(analysis, node.outputs[0], &value) == HWEST_OK && value.producer == 0);
  CHECK(hwest_analysis_event_get(analysis, hwest_analysis_event_count(analysis) - 1, &event) == HWEST_OK);
  CHECK(event.end_s == totals->latency_s);
  CHECK(hwest_analysis_node_get(analysis, UINT64_MAX, &node) == HWEST_INVALID_ARGUMENT);
}

int main(int argc, char **argv) {
  hwest_model *model = NULL;
  hwest_target *target = NULL;
  hwest_analysis *analysis = NULL;
  hwest_buffer *buffer = NULL;
  hwest_options options = {0};
  hwest_totals totals = {0};
  hwest_report_options report = {0};
  size_t bytes = 0;
  int steps = 0;
  CHECK(argc == 2);
  CHECK(hwest_abi_version() / 65536 == HWEST_ABI_MAJOR);
  CHECK(hwest_model_load("no such file", &model) == HWEST_NOT_FOUND);
  CHECK(strcmp(hwest_last_error_code(), "model_missing") == 0);
  CHECK(hwest_model_load(argv[1], &model) == HWEST_OK);
  CHECK(hwest_target_load("jetson-orin", &target) == HWEST_OK);
  options.struct_size = sizeof options;
  options.loaded = target;
  options.progress = count_steps;
  options.progress_payload = &steps;
  CHECK(hwest_analyze(model, &options, &analysis) == HWEST_OK);
  CHECK(steps > 5);
  hwest_target_free(target);
  hwest_model_free(model);
  totals.struct_size = sizeof totals;
  CHECK(hwest_analysis_totals(analysis, &totals) == HWEST_OK);
  CHECK(totals.macs.value == 1814073344 && totals.latency_s > 0);
  read_tables(analysis, &totals);
  report.struct_size = sizeof report;
  report.format = HWEST_FORMAT_JSON;
  CHECK(hwest_report(analysis, &report, add_bytes, &bytes) == HWEST_OK);
  CHECK(hwest_report_buffer(analysis, &report, &buffer) == HWEST_OK);
  CHECK(hwest_buffer_size(buffer) == bytes);
  hwest_buffer_free(buffer);
  hwest_analysis_free(analysis);
  puts("ok");
  return 0;
}

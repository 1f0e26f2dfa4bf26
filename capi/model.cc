// Models: loading them, and what a file says about itself.
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "analysis/fingerprint.h"
#include "analysis/load.h"
#include "callbacks.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "report/view_parts.h"

namespace hwest::capi {
namespace {

absl::Status SetLimit(absl::string_view option, int64_t theirs, int64_t* limit) {
  if (theirs < 0) return BadOption(absl::StrCat("options.", option), theirs, "use 0 or more");
  if (theirs > 0) *limit = theirs;
  return absl::OkStatus();
}

absl::Status SetLimit(absl::string_view option, int32_t theirs, int* limit) {
  if (theirs < 0) return BadOption(absl::StrCat("options.", option), theirs, "use 0 or more");
  if (theirs > 0) *limit = theirs;
  return absl::OkStatus();
}

absl::StatusOr<LoadOptions> LoadOptionsOf(const hwest_load_options& theirs) {
  LoadOptions ours;
  for (const absl::Status& status : {
           SetLimit("max_depth", theirs.max_depth, &ours.read.max_depth),
           SetLimit("max_rank", theirs.max_rank, &ours.read.max_rank),
           SetLimit("max_call_depth", theirs.max_call_depth, &ours.max_call_depth),
           SetLimit("max_nodes", theirs.max_nodes, &ours.max_nodes),
           SetLimit("max_objects", theirs.max_objects, &ours.read.max_objects),
           SetLimit("max_stdin_bytes", theirs.max_stdin_bytes, &ours.read.max_stdin_bytes),
           SetLimit("decode_bytes", theirs.decode_bytes, &ours.read.decode_any_bytes),
           SetLimit("decode_integer_bytes", theirs.decode_integer_bytes, &ours.read.decode_integer_bytes),
       }) {
    if (!status.ok()) return status;
  }
  return ours;
}

using Loader = absl::FunctionRef<absl::StatusOr<std::shared_ptr<const Graph>>(const LoadOptions&)>;

absl::Status Load(const hwest_load_options* options, const char* name, const char* path, Loader load,
                  hwest_model** model) {
  const absl::StatusOr<hwest_load_options> ours = CopyIn("options", options);
  if (!ours.ok()) return ours.status();
  const absl::StatusOr<LoadOptions> limits = LoadOptionsOf(*ours);
  if (!limits.ok()) return limits.status();
  absl::StatusOr<std::shared_ptr<const Graph>> graph = load(*limits);
  if (!graph.ok()) return graph.status();
  LogAll((*graph)->diagnostics(), ours->log, ours->log_payload);
  *model = new hwest_model{std::make_shared<const ModelState>(*std::move(graph), name, ModelSource{path, *limits})};
  return absl::OkStatus();
}

}  // namespace

app::LoadedModel ModelOf(const ModelState& state) {
  app::LoadedModel model{.graph = state.graph, .name = state.name, .source = state.source};
  if (model.source.path == "-") model.source.path.clear();
  return model;
}

ModelState::ModelState(std::shared_ptr<const Graph> loaded, std::string called, ModelSource from)
    : graph(std::move(loaded)),
      analyzer(graph),
      name(std::move(called)),
      source(std::move(from)),
      fingerprint([this](std::string* made) { *made = FingerprintOf(*graph); }) {}

}  // namespace hwest::capi

using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_model_load(const char* path, hwest_model** model) {
  return hwest_model_load_with(path, nullptr, model);
}

hwest_status hwest_model_load_with(const char* path, const hwest_load_options* options, hwest_model** model) {
  return Guard([&]() -> absl::Status {
    if (path == nullptr) return NullArgument("path");
    if (model == nullptr) return NullArgument("model");
    return hwest::capi::Load(
        options, path, path, [&](const hwest::LoadOptions& load) { return hwest::LoadModelWith(path, load); }, model);
  });
}

hwest_status hwest_model_load_memory(const void* data, size_t size, const char* name, hwest_model** model) {
  return hwest_model_load_memory_with(data, size, name, nullptr, model);
}

hwest_status hwest_model_load_memory_with(const void* data, size_t size, const char* name,
                                          const hwest_load_options* options, hwest_model** model) {
  return Guard([&]() -> absl::Status {
    if (data == nullptr && size > 0) return NullArgument("data");
    if (model == nullptr) return NullArgument("model");
    const char* called = name == nullptr ? "model" : name;
    const absl::string_view bytes(static_cast<const char*>(data), size);
    return hwest::capi::Load(
        options, called, "",
        [&](const hwest::LoadOptions& load) { return hwest::LoadModelFromMemoryWith(bytes, called, load); }, model);
  });
}

void hwest_model_free(hwest_model* model) { delete model; }

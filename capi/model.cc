// Models: loading, and what a file says of itself.
#include <memory>
#include <optional>
#include <string>
#include <utility>

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
  *model = new hwest_model{std::make_shared<const ModelState>(*std::move(graph), name, path)};
  return absl::OkStatus();
}

// A value as the file types it, or as `type` where that says more.
void AddDeclared(const Graph& graph, ValueId id, const Type& type, const DimPool& dims, Table<hwest_value>* table) {
  const ShapeText shape = ShapeTextOf(dims, type.shape);
  Texts& texts = table->texts;
  table->rows.push_back({
      .struct_size = sizeof(hwest_value),
      .kind = static_cast<int32_t>(type.kind),
      .id = static_cast<int64_t>(id.index()),
      .name = texts.Keep(graph.name(id)),
      .dtype = type.elem == ElemType::kUndefined ? nullptr : texts.Keep(ElemTypeName(type.elem)),
      .rank = shape.has_value() ? static_cast<int64_t>(shape->size()) : -1,
      .dims = shape.has_value() ? texts.KeepCounts(*shape) : nullptr,
      .flags = ValueFlagsOf(graph.value(id)),
      .graph = 0,
      .producer = graph.value(id).producer.valid() ? static_cast<int64_t>(graph.value(id).producer.index()) : -1,
      .contents = nullptr,
      .blocked_by = -1,
  });
}

void FillInfo(const Graph& graph, Table<hwest_model_info>* table) {
  const ModelInfo& info = graph.info();
  table->rows.push_back({
      .struct_size = sizeof(hwest_model_info),
      .reserved = 0,
      .name = table->texts.Keep(info.name),
      .producer = table->texts.Keep(info.producer),
      .ir_version = info.ir_version,
      .nodes = static_cast<int64_t>(graph.nodes().size()),
      .values = static_cast<int64_t>(graph.values().size()),
      .file_bytes = info.file_bytes,
      .metadata_bytes = info.metadata_bytes,
  });
}

void FillModelInputs(const Graph& graph, Table<hwest_value>* table) {
  const absl::StatusOr<ModelInputs> inputs = InputsOf(graph);
  if (!inputs.ok()) return;
  for (size_t i = 0; i < inputs->types.size(); ++i) {
    AddDeclared(graph, graph.main().inputs[i], inputs->types[i], *inputs->dims, table);
  }
}

void FillModelOutputs(const Graph& graph, Table<hwest_value>* table) {
  const Type unknown;
  for (const ValueId id : graph.main().outputs) {
    if (!id.valid()) continue;
    const Type* declared = graph.declared(id);
    AddDeclared(graph, id, declared == nullptr ? unknown : *declared, graph.dims(), table);
  }
}

void FillFreeSymbols(const Graph& graph, Table<hwest_symbol>* table) {
  const absl::StatusOr<ModelInputs> inputs = InputsOf(graph);
  if (!inputs.ok()) return;
  for (const SymbolId id : inputs->symbols) {
    const Symbol& symbol = inputs->dims->symbol(id);
    const SymbolRow row{.name = symbol.name,
                        .text = symbol.text.empty() ? symbol.name : symbol.text,
                        .min = symbol.min,
                        .max = symbol.max.has_value() ? Count(*symbol.max) : Count()};
    table->rows.push_back(SymbolRowOf(row, &table->texts));
  }
}

void FillOpsets(const Graph& graph, Table<hwest_opset>* table) {
  for (const OpsetImport& opset : graph.info().opsets) {
    const absl::string_view domain = graph.str(opset.domain);
    table->rows.push_back({.struct_size = sizeof(hwest_opset),
                           .reserved = 0,
                           .domain = table->texts.Keep(domain.empty() ? "ai.onnx" : domain),
                           .version = opset.version});
  }
}

}  // namespace

ModelState::ModelState(std::shared_ptr<const Graph> loaded, std::string called, std::string file)
    : graph(std::move(loaded)), name(std::move(called)), path(std::move(file)),
      info([this](auto* table) { FillInfo(*graph, table); }),
      inputs([this](auto* table) { FillModelInputs(*graph, table); }),
      outputs([this](auto* table) { FillModelOutputs(*graph, table); }),
      symbols([this](auto* table) { FillFreeSymbols(*graph, table); }),
      opsets([this](auto* table) { FillOpsets(*graph, table); }),
      diagnostics([this](auto* table) { FillDiagnostics(graph->diagnostics(), table); }) {}

}  // namespace hwest::capi

using hwest::capi::CopyOut;
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

hwest_status hwest_model_describe(const hwest_model* model, hwest_model_info* info) {
  return Guard([&]() -> absl::Status {
    if (model == nullptr) return NullArgument("model");
    if (info == nullptr) return NullArgument("info");
    return CopyOut("info", model->state->info.get().rows[0], info->struct_size, info);
  });
}

HWEST_TABLE(hwest_model_input, hwest_model, hwest_value, state->inputs)
HWEST_TABLE(hwest_model_output, hwest_model, hwest_value, state->outputs)
HWEST_TABLE(hwest_model_symbol, hwest_model, hwest_symbol, state->symbols)
HWEST_TABLE(hwest_model_opset, hwest_model, hwest_opset, state->opsets)
HWEST_TABLE(hwest_model_diagnostic, hwest_model, hwest_diagnostic, state->diagnostics)

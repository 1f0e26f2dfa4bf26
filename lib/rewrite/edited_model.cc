#include "rewrite/edited_model.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "import/import.h"
#include "import/onnx_reader.h"
#include "ir/opsets.h"

namespace hwest {
namespace {

// Ids are dense and in order of first use, so a table filled in that order gives the same ones.
StringTable CopyOf(const StringTable& strings) {
  StringTable copy;
  for (size_t i = 0; i < strings.size(); ++i) copy.Intern(strings[StrId(i)]);
  return copy;
}

RawModel CopyOf(const RawModel& raw) {
  RawModel copy;
  copy.strings = CopyOf(raw.strings);
  copy.graph = raw.graph;
  copy.functions = raw.functions;
  copy.opsets = raw.opsets;
  copy.producer_name = raw.producer_name;
  copy.producer_version = raw.producer_version;
  copy.ir_version = raw.ir_version;
  copy.file_bytes = raw.file_bytes;
  copy.metadata_bytes = raw.metadata_bytes;
  copy.diagnostics = raw.diagnostics;
  return copy;
}

template <class Visit>
void ForEachRead(const RawGraph& graph, const Visit& visit) {
  for (const RawNode& node : graph.nodes) {
    for (const StrId input : node.inputs) visit(input);
    for (const RawAttribute& attribute : node.attributes) {
      for (const RawGraph& body : attribute.graphs) ForEachRead(body, visit);
    }
  }
  for (const RawValueInfo& output : graph.outputs) visit(output.name);
}

// Leaves the contents out where a reader of the file would: estimates of the graph are those of the file.
void LeaveAsRead(const ReadOptions& options, Constant* constant) {
  if (constant->storage != Storage::kDecoded || constant->sparse || constant->elem == ElemType::kString) return;
  if (IsDecoded(options, constant->elem, static_cast<int64_t>(constant->data.size()))) return;
  constant->storage = Storage::kInline;
  constant->data.clear();
}

}  // namespace

EditedModel::EditedModel(std::shared_ptr<const ModelFile> file, RawModel raw, const LoadOptions& limits)
    : file_(std::move(file)), raw_(std::move(raw)), limits_(limits) {
  for (size_t i = 0; i < raw_.graph.nodes.size(); ++i) nodes_.push_back({.file = static_cast<int32_t>(i)});
  int32_t dense = 0, sparse = 0;
  for (const Constant& constant : raw_.graph.initializers) {
    initializers_.push_back({.file = constant.sparse ? sparse++ : dense++, .sparse = constant.sparse});
  }
  for (size_t i = 0; i < raw_.graph.value_info.size(); ++i) value_infos_.push_back(static_cast<int32_t>(i));
  changed_inputs_.resize(raw_.graph.inputs.size());
  changed_outputs_.resize(raw_.graph.outputs.size());
  IndexNames();
}

absl::StatusOr<EditedModel> EditedModel::Of(ModelFile file, const LoadOptions& limits) {
  auto shared = std::make_shared<const ModelFile>(std::move(file));
  HWEST_ASSIGN_OR_RETURN(RawModel raw, ReadOnnx(shared->source(), limits.read));
  return EditedModel(std::move(shared), std::move(raw), limits);
}

absl::StatusOr<EditedModel> EditedModel::Open(const std::string& path, const LoadOptions& limits) {
  absl::StatusOr<ModelFile> file = ModelFile::Open(path, limits.read);
  if (file.ok()) return Of(*std::move(file), limits);
  // The reader of models says more about a file that is none.
  if (path != "-") HWEST_RETURN_IF_ERROR(ReadModelFile(path, limits.read).status());
  return file.status();
}

absl::StatusOr<EditedModel> EditedModel::FromMemory(absl::string_view bytes, const std::string& name,
                                                    const LoadOptions& limits) {
  absl::StatusOr<ModelFile> file = ModelFile::FromMemory(bytes, name);
  if (file.ok()) return Of(*std::move(file), limits);
  HWEST_RETURN_IF_ERROR(ReadModelMemory(bytes, name, limits.read).status());
  return file.status();
}

EditedModel EditedModel::Clone() const {
  EditedModel copy(file_, CopyOf(raw_), limits_);
  copy.nodes_ = nodes_;
  copy.initializers_ = initializers_;
  copy.value_infos_ = value_infos_;
  copy.changed_inputs_ = changed_inputs_;
  copy.changed_outputs_ = changed_outputs_;
  copy.new_opsets_ = new_opsets_;
  copy.default_opset_ = default_opset_;
  copy.notes_ = notes_;
  copy.body_edits_ = body_edits_;
  copy.names_ = names_;
  return copy;
}

absl::StatusOr<std::shared_ptr<const Graph>> EditedModel::GraphOf() const {
  RawModel raw = CopyOf(raw_);
  for (size_t i = 0; i < initializers_.size(); ++i) {
    if (initializers_[i].file < 0) LeaveAsRead(limits_.read, &raw.graph.initializers[i]);
  }
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].file >= 0) continue;
    for (RawAttribute& attribute : raw.graph.nodes[i].attributes) {
      for (Constant& constant : attribute.tensors) LeaveAsRead(limits_.read, &constant);
    }
  }
  return BuildModel(std::move(raw), limits_);
}

StrId EditedModel::NewName(absl::string_view stem) {
  std::string name;
  do {
    name = absl::StrCat(stem, "_hw", names_++);
  } while (raw_.strings.Find(name).valid());
  return Intern(name);
}

void EditedModel::IndexNames() {
  makers_.clear();
  constants_.clear();
  outputs_.clear();
  inputs_.clear();
  captured_.clear();
  const RawGraph& graph = raw_.graph;
  for (const RawValueInfo& input : graph.inputs) inputs_.insert(input.name);
  for (const RawValueInfo& output : graph.outputs) outputs_.insert(output.name);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const StrId output : graph.nodes[i].outputs) {
      if (!Absent(output)) makers_[output] = static_cast<int64_t>(i);
    }
    for (const RawAttribute& attribute : graph.nodes[i].attributes) {
      for (const RawGraph& body : attribute.graphs) ForEachRead(body, [&](StrId name) { captured_.insert(name); });
    }
  }
  for (size_t i = 0; i < graph.initializers.size(); ++i) {
    constants_[graph.initializers[i].name] = static_cast<int64_t>(i);
  }
}

int64_t EditedModel::MakerOf(StrId output) const {
  const auto found = makers_.find(output);
  return found == makers_.end() ? -1 : found->second;
}

int64_t EditedModel::InitializerOf(StrId name) const {
  const auto found = constants_.find(name);
  const bool is_replaceable = raw_.ir_version >= kFirstWithInitializersAlone && inputs_.contains(name);
  return found == constants_.end() || is_replaceable ? -1 : found->second;
}

void EditedModel::InsertBefore(size_t node, RawNode made, int32_t like) {
  insertions_[node].push_back({std::move(made), like});
}

void EditedModel::AddInitializer(Constant constant, std::shared_ptr<const Derived> derived) {
  raw_.graph.initializers.push_back(std::move(constant));
  initializers_.push_back({.file = -1, .sparse = false, .derived = std::move(derived)});
}

const RawNode& EditedModel::NodeOfBody(size_t node, const BodyPath& path) const {
  const RawNode* at = &raw_.graph.nodes[node];
  for (const BodyStep& step : path) at = &at->attributes[step.attribute].graphs[0].nodes[step.node];
  return *at;
}

void EditedModel::ReplaceInBody(size_t node, const BodyPath& path, RawNode made) {
  RawNode* at = &raw_.graph.nodes[node];
  for (const BodyStep& step : path) at = &at->attributes[step.attribute].graphs[0].nodes[step.node];
  *at = std::move(made);
  std::vector<BodyPath>& edits = body_edits_[nodes_[node].file];
  if (std::find(edits.begin(), edits.end(), path) == edits.end()) edits.push_back(path);
}

void EditedModel::Rewire(StrId was, StrId now) {
  const auto earlier = renamed_.find(now);
  if (earlier != renamed_.end()) now = earlier->second;
  for (auto& [from, to] : renamed_) {
    if (to == was) to = now;
  }
  renamed_[was] = now;
}

void EditedModel::SetInput(size_t node, size_t input, StrId name) {
  raw_.graph.nodes[node].inputs[input] = name;
  nodes_[node].rewired = true;
}

void EditedModel::ImportOpset(absl::string_view domain, int64_t version) {
  const OpsetImport opset{Intern(domain), version};
  raw_.opsets.push_back(opset);
  new_opsets_.push_back(opset);
}

void EditedModel::SetDefaultOpset(int64_t version) {
  for (OpsetImport& opset : raw_.opsets) {
    if (CanonicalDomain(text(opset.domain)).empty()) opset.version = version;
  }
  default_opset_ = version;
}

void EditedModel::SetInputType(size_t input, const RawType& type) {
  raw_.graph.inputs[input].type = type;
  changed_inputs_[input] = true;
}

void EditedModel::SetOutputType(size_t output, const RawType& type) {
  raw_.graph.outputs[output].type = type;
  changed_outputs_[output] = true;
}

void EditedModel::AddNote(size_t node, std::string key, std::string value) {
  if (nodes_[node].file >= 0) notes_[nodes_[node].file].emplace_back(std::move(key), std::move(value));
}

void EditedModel::CarryOut() {
  std::vector<RawNode> nodes;
  std::vector<NodeOrigin> origins;
  for (size_t i = 0; i < raw_.graph.nodes.size(); ++i) {
    const auto before = insertions_.find(i);
    if (before != insertions_.end()) {
      for (Insertion& insertion : before->second) {
        nodes.push_back(std::move(insertion.node));
        origins.push_back({.file = -1, .rewired = false, .like = insertion.like});
      }
    }
    if (removed_.contains(i)) continue;
    nodes.push_back(std::move(raw_.graph.nodes[i]));
    origins.push_back(nodes_[i]);
  }
  if (!renamed_.empty()) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (StrId& input : nodes[i].inputs) {
        const auto now = renamed_.find(input);
        if (now == renamed_.end()) continue;
        input = now->second;
        origins[i].rewired = true;
      }
    }
  }
  raw_.graph.nodes = std::move(nodes);
  nodes_ = std::move(origins);
  insertions_.clear();
  removed_.clear();
  renamed_.clear();
}

absl::flat_hash_map<StrId, int64_t> EditedModel::CountUses() const {
  absl::flat_hash_map<StrId, int64_t> uses;
  ForEachRead(raw_.graph, [&](StrId name) { ++uses[name]; });
  return uses;
}

int64_t EditedModel::RemoveUnused(std::vector<StrId> doubtful) {
  absl::flat_hash_map<StrId, int64_t> uses = CountUses();
  const auto is_used = [&](StrId name) {
    const auto found = uses.find(name);
    return found != uses.end() && found->second > 0;
  };
  std::vector<bool> dead_nodes(raw_.graph.nodes.size()), dead_initializers(raw_.graph.initializers.size());
  int64_t removed = 0;
  while (!doubtful.empty()) {
    const StrId name = doubtful.back();
    doubtful.pop_back();
    if (Absent(name) || is_used(name)) continue;
    const int64_t initializer = InitializerOf(name);
    if (initializer >= 0 && !inputs_.contains(name)) dead_initializers[static_cast<size_t>(initializer)] = true;
    const int64_t maker = MakerOf(name);
    if (maker < 0 || dead_nodes[static_cast<size_t>(maker)]) continue;
    const RawNode& node = raw_.graph.nodes[static_cast<size_t>(maker)];
    const bool has_body = std::any_of(node.attributes.begin(), node.attributes.end(),
                                      [](const RawAttribute& attribute) { return !attribute.graphs.empty(); });
    if (has_body || std::any_of(node.outputs.begin(), node.outputs.end(), is_used)) continue;
    dead_nodes[static_cast<size_t>(maker)] = true;
    ++removed;
    for (const StrId input : node.inputs) {
      if (--uses[input] == 0) doubtful.push_back(input);
    }
  }
  Sweep(dead_nodes, dead_initializers);
  return removed;
}

void EditedModel::Sweep(const std::vector<bool>& dead_nodes, const std::vector<bool>& dead_initializers) {
  RawGraph& graph = raw_.graph;
  size_t left = 0;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (dead_nodes[i]) continue;
    if (left != i) graph.nodes[left] = std::move(graph.nodes[i]);
    nodes_[left++] = nodes_[i];
  }
  graph.nodes.resize(left);
  nodes_.resize(left);
  left = 0;
  for (size_t i = 0; i < graph.initializers.size(); ++i) {
    if (dead_initializers[i]) continue;
    if (left != i) graph.initializers[left] = std::move(graph.initializers[i]);
    initializers_[left++] = initializers_[i];
  }
  graph.initializers.resize(left);
  initializers_.resize(left);
  IndexNames();
  // What the file says of values that exist no more would be noted as a mistake of the file's.
  KeepValueInfos([&](const RawValueInfo& info) {
    return makers_.contains(info.name) || constants_.contains(info.name) || inputs_.contains(info.name);
  });
}

void EditedModel::KeepValueInfos(absl::FunctionRef<bool(const RawValueInfo&)> is_right) {
  RawGraph& graph = raw_.graph;
  size_t left = 0;
  for (size_t i = 0; i < graph.value_info.size(); ++i) {
    if (!is_right(graph.value_info[i])) continue;
    if (left != i) graph.value_info[left] = std::move(graph.value_info[i]);
    value_infos_[left++] = value_infos_[i];
  }
  graph.value_info.resize(left);
  value_infos_.resize(left);
}

int64_t EditedModel::Settle(std::vector<StrId> doubtful) {
  CarryOut();
  IndexNames();
  return RemoveUnused(std::move(doubtful));
}

}  // namespace hwest

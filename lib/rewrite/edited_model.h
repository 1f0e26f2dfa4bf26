// EditedModel: a model file with changes to its main graph. The file's own nodes and tensors stay what they are, by
// position; what is new is held here. One form serves both ends: GraphOf() builds the graph that is analysed, and
// WriteModel (rewrite/write.h) the bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "analysis/load.h"
#include "hwest/analysis.h"
#include "hwest/graph.h"
#include "ir/raw.h"
#include "rewrite/model_file.h"
#include "rewrite/payload.h"

namespace hwest {

// Where the bytes of a node come from.
struct NodeOrigin {
  int32_t file = -1;     // the file's node, by position; -1 = a new one
  bool rewired = false;  // of the file's: its inputs are others now, all else is the file's
  int32_t like = -1;     // of a new one: node of the file whose documentation and metadata it keeps
};

// From a node to one of a body of it: the attribute that holds the body, and the node there. Both by position.
struct BodyStep {
  size_t attribute = 0, node = 0;
  bool operator==(const BodyStep&) const = default;
};
using BodyPath = std::vector<BodyStep>;

struct InitializerOrigin {
  int32_t file = -1;  // the file's, by position among all of its kind; -1 = a new one
  bool sparse = false;
  std::shared_ptr<const Derived> derived;  // of a new one; null = `Constant::data` holds it
};

// IR version since which an initialiser need not be an input, too; one that is may be replaced by callers of the model.
inline constexpr int64_t kFirstWithInitializersAlone = 4;

// Name and value of an entry of metadata_props.
using NodeNote = std::pair<std::string, std::string>;

class EditedModel {
 public:
  // Open reads the file at `path`; its limits hold for every graph made of it. Errors: as LoadModel.
  static absl::StatusOr<EditedModel> Open(const std::string& path, const LoadOptions& limits = {});
  static absl::StatusOr<EditedModel> FromMemory(absl::string_view bytes, const std::string& name,
                                                const LoadOptions& limits = {});

  EditedModel Clone() const;
  const ModelFile& file() const { return *file_; }
  const RawModel& raw() const { return raw_; }
  const std::vector<NodeOrigin>& node_origins() const { return nodes_; }
  const std::vector<InitializerOrigin>& initializer_origins() const { return initializers_; }
  // Positions of the file's value_info entries that are left.
  const std::vector<int32_t>& value_info_origins() const { return value_infos_; }
  const std::vector<bool>& changed_inputs() const { return changed_inputs_; }
  const std::vector<bool>& changed_outputs() const { return changed_outputs_; }
  const std::vector<OpsetImport>& new_opsets() const { return new_opsets_; }
  // That the default domain has now in place of the file's; 0 = the file's.
  int64_t default_opset() const { return default_opset_; }
  // By position of the file's node.
  const absl::flat_hash_map<int32_t, std::vector<NodeNote>>& notes() const { return notes_; }

  // Nodes of bodies that are new, by position of the file's node that has the body.
  const absl::flat_hash_map<int32_t, std::vector<BodyPath>>& body_edits() const { return body_edits_; }
  // The node of a body that the path leads to from a node of the main graph.
  const RawNode& NodeOfBody(size_t node, const BodyPath& path) const;

  // The graph as edited. Errors: as LoadModel.
  absl::StatusOr<std::shared_ptr<const Graph>> GraphOf() const;

  absl::string_view text(StrId id) const { return id.valid() ? raw_.strings[id] : absl::string_view(); }
  StrId Intern(absl::string_view text) { return raw_.strings.Intern(text); }
  // A name that nothing in the file has, beginning with `stem`.
  StrId NewName(absl::string_view stem);

  // Position of the node of the main graph that makes `output`; -1 when none does.
  int64_t MakerOf(StrId output) const;
  // Position of the initialiser; -1 when there is none, or when the caller of the model may replace it.
  int64_t InitializerOf(StrId name) const;
  bool IsGraphOutput(StrId name) const { return outputs_.contains(name); }
  // Whether a body of a control node reads the value.
  bool IsCaptured(StrId name) const { return captured_.contains(name); }

  // Changes. Positions are as before the change until Settle().
  void Remove(size_t node) { removed_.insert(node); }
  void InsertBefore(size_t node, RawNode made, int32_t like);
  // At once: the node of a body becomes `made`, which has no bodies. The node of the main graph is one of the file's.
  void ReplaceInBody(size_t node, const BodyPath& path, RawNode made);
  void AddInitializer(Constant constant, std::shared_ptr<const Derived> derived = nullptr);
  // Every node of the main graph reads `now` in place of `was`.
  void Rewire(StrId was, StrId now);
  void SetInput(size_t node, size_t input, StrId name);
  void ImportOpset(absl::string_view domain, int64_t version);
  void SetDefaultOpset(int64_t version);
  void SetInputType(size_t input, const RawType& type);
  void SetOutputType(size_t output, const RawType& type);
  // Leaves out what the file declares of values inside where that is not right any more; at once.
  void KeepValueInfos(absl::FunctionRef<bool(const RawValueInfo&)> is_right);
  void AddNote(size_t node, std::string key, std::string value);
  // Settle carries the changes out; then nodes and constants that `doubtful` and what only they read made, and that
  // nobody needs any more, are removed, with what the file declares about values that are gone. `doubtful` holds names
  // of values. Returns the nodes removed so.
  int64_t Settle(std::vector<StrId> doubtful);

 private:
  EditedModel(std::shared_ptr<const ModelFile> file, RawModel raw, const LoadOptions& limits);
  static absl::StatusOr<EditedModel> Of(ModelFile file, const LoadOptions& limits);
  void IndexNames();
  void CarryOut();
  absl::flat_hash_map<StrId, int64_t> CountUses() const;
  int64_t RemoveUnused(std::vector<StrId> doubtful);
  void Sweep(const std::vector<bool>& dead_nodes, const std::vector<bool>& dead_initializers);

  std::shared_ptr<const ModelFile> file_;
  RawModel raw_;
  LoadOptions limits_;
  std::vector<NodeOrigin> nodes_;
  std::vector<InitializerOrigin> initializers_;
  std::vector<int32_t> value_infos_;
  std::vector<bool> changed_inputs_, changed_outputs_;
  std::vector<OpsetImport> new_opsets_;
  int64_t default_opset_ = 0;
  absl::flat_hash_map<int32_t, std::vector<NodeNote>> notes_;

  absl::flat_hash_map<int32_t, std::vector<BodyPath>> body_edits_;

  absl::flat_hash_map<StrId, int64_t> makers_, constants_;
  absl::flat_hash_set<StrId> outputs_, inputs_, captured_;

  struct Insertion {
    RawNode node;
    int32_t like = -1;
  };
  absl::flat_hash_map<size_t, std::vector<Insertion>> insertions_;  // by the node they come before
  absl::flat_hash_set<size_t> removed_;
  absl::flat_hash_map<StrId, StrId> renamed_;
  int64_t names_ = 0;
};

}  // namespace hwest

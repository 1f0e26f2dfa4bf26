// WidthProbe: which sizes of weights have to change together. Every size of every weight becomes a symbol, inference
// runs on the model so, and what it needs to be equal are the equations of the ties.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "analysis/load.h"
#include "hwest/analysis.h"
#include "ir/raw.h"
#include "study/width.h"

namespace hwest {

class WidthProbe {
 public:
  // Sizes that are equal in every valid model are one class.
  using Class = int;
  using Sizes = std::map<Class, int64_t>;

  // A node that multiplies by constant weights.
  struct Layer {
    NodeId node;
    Class made = -1;          // of its output channels; -1 = they have no size of their own
    std::vector<Class> read;  // of its other sizes of weights
    int64_t width = 0;        // output channels
    int64_t per_size = 1;     // output channels for each of the class
    bool is_depthwise = false;
    std::string fixed;  // why they have none
  };

  // Errors: those of `read` and of building a graph.
  static absl::StatusOr<WidthProbe> Make(const Analysis& base, const std::function<absl::StatusOr<RawModel>()>& read,
                                         const LoadOptions& limits);

  const std::vector<Layer>& layers() const { return layers_; }
  int64_t SizeNow(Class of) const { return classes_[static_cast<size_t>(of)].size; }

  // Change finds the sizes that follow when the one of `of` is `size`: all that differ from now, `of` included. Errors:
  // kUsage with the node that stands against it.
  absl::StatusOr<Sizes> Change(Class of, int64_t size);
  std::vector<WidthEdit> EditsOf(const Sizes& sizes) const;

 private:
  // One size of one constant.
  struct Axis {
    size_t constant = 0;
    int axis = 0;
    int64_t size = 0;
    int parent = 0;   // of the forest of equal sizes
    NodeId group_of;  // the depthwise node whose attribute it is
  };
  struct ConstantRow {
    std::string name;
    ValueId value;  // of the base graph
    std::vector<int64_t> dims;
    std::vector<int> axes = {};  // by axis; -1 = it has no symbol
    Use reader = {};             // of a vector that others read, too: this one alone
  };
  struct ClassRow {
    int64_t size = 0;
    bool is_made = false;  // by some layer
    std::string fixed;     // why it cannot change; "" = it can
    std::vector<size_t> equations;
  };
  struct Equation {
    Dim a, b;
    NodeId node;
    std::vector<Class> classes;
  };

  explicit WidthProbe(const Analysis& base) : base_(base), graph_(*base.graph) {}

  void FindConstants(const RawModel& raw);
  void AddConstant(const Constant& constant, absl::string_view name);
  void KeepConstant(ConstantRow row, const std::vector<Use>& readers);
  void FindDepthwise();
  // Whether some pass of inference found more sizes to be equal.
  absl::StatusOr<bool> Infer(const std::function<absl::StatusOr<RawModel>()>& read, const LoadOptions& limits);
  absl::Status Edit(RawModel* raw) const;
  bool Tie();
  bool TieConstraints();
  std::vector<int> EqualSizes(Dim dim);
  bool TieVectors();
  void MakeClasses();
  void MakeEquations();
  void MakeLayers();
  void FixAtNodes();
  void FixAtNode(NodeId node);
  void Fix(const Shape& shape, const std::string& why);
  void FixDim(Dim dim, const std::string& why);
  void AddEquation(Dim a, Dim b, NodeId node);

  int Find(int axis) const;
  bool Join(int a, int b);
  // The nodes that read a value, names of it looked through.
  std::vector<Use> ReadersOf(ValueId value) const;
  std::string InputName(const ConstantRow& row) const;  // in the probe
  // The constant that an operand is, behind conversions and quantisation; -1 = none.
  int ConstantAt(NodeId node, size_t input) const;
  NodeId InProbe(NodeId node) const;
  int AxisOf(SymbolId symbol) const;  // -1 = of the file
  std::vector<Class> ClassesOf(Dim dim) const;
  bool IsLayer(NodeId node) const;
  std::optional<int64_t> Value(Dim dim, const Sizes& sizes);
  std::string Label(NodeId probe_node) const;
  const Shape& ShapeOf(ValueId value) const { return facts_.values[value].type.shape; }

  const Analysis& base_;
  const Graph& graph_;
  std::vector<ConstantRow> constants_;
  absl::flat_hash_map<std::string, size_t> by_name_;   // constants that every reader has alike
  absl::flat_hash_map<std::string, size_t> by_input_;  // all, by the input of the probe
  std::map<std::pair<NodeId, size_t>, size_t> by_reader_;
  mutable std::vector<Axis> axes_;
  std::vector<std::string> fixed_axes_;  // by axis
  std::map<NodeId, int> depthwise_;      // the axis that is its group

  std::shared_ptr<const Graph> probe_;
  std::unique_ptr<DimPool> dims_;
  Facts facts_;
  absl::flat_hash_map<std::string, NodeId> nodes_;  // of the probe, by first output
  absl::flat_hash_set<std::string> multiplies_;     // first outputs of nodes with contractions

  std::vector<ClassRow> classes_;
  std::vector<int> class_of_;  // by axis
  std::vector<Equation> equations_;
  std::vector<Layer> layers_;
};

}  // namespace hwest

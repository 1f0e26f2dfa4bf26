// Fusion: which nodes one toolchain runs as one kernel.
//
//   FuseOptions options{.toolchain = ToolchainOf(target, unit)};
//   HWEST_ASSIGN_OR_RETURN(Overlay overlay, Fuse(graph, facts, classes, options));
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/group.h"
#include "hwest/target.h"

namespace hwest {

class Fuser;
struct FusionRules;
class SizeQuestions;

struct FuseOptions {
  const Toolchain* toolchain = nullptr;      // null = nothing fuses
  std::shared_ptr<const FusionRules> rules;  // further patterns of the caller; groups share what made them
  DimPool* dims = nullptr;                   // for limits of picks; null = only sizes that are constants are known
  Num precision = Num::kUnset;               // what the unit computes in, for limits of picks
  const IdMap<NodeId, Num>* precisions = nullptr;  // of single nodes, where set; null = there are none
  SizeQuestions* asked = nullptr;                  // receives what was asked of sizes; may be null
};

// Fuse puts every node that is not of class shape, constant or view into exactly one group; views inside a match are
// members. Limits of a pick are measured at the root of each match, those of "core:" at its core. `facts` and `classes`
// are of this graph. The result depends on nothing but the arguments. Errors: kTargetInvalid when the toolchain picks a
// fusion that does not exist.
absl::StatusOr<Overlay> Fuse(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes,
                             const FuseOptions& options);

// Fusion is Fuse of one graph again and again, when sizes of its values have changed: which patterns may match is found
// once. The arguments outlive it.
class Fusion {
 public:
  // Errors: as Fuse.
  static absl::StatusOr<Fusion> Make(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes,
                                     const FuseOptions& options);
  Fusion(Fusion&&) noexcept;
  Fusion& operator=(Fusion&&) noexcept;
  ~Fusion();

  // What Fuse returns for the facts as they are now.
  Overlay Run();

 private:
  explicit Fusion(std::unique_ptr<Fuser> fuser);

  std::unique_ptr<Fuser> fuser_;
};

// Miss is a pattern that nearly matched around a node.
struct Miss {
  std::string pattern;
  NodeId node;        // where it failed
  std::string guard;  // what failed: "single use", "inference", "limit", "taken", "toolchain"
  std::string found;  // "second use at Concat_12"
  std::string needed;
  std::string edit;  // smallest change that makes it match
};

// ExplainMisses lists the patterns that had matched `node` and at least one other before they failed, the largest
// attempt first: those of the toolchain that failed at a guard, at a limit of their pick or because a larger fusion
// took a node, then ("toolchain") those that match and that the toolchain does not do. `overlay` is what Fuse made with
// the same arguments. Errors: as Fuse.
absl::StatusOr<std::vector<Miss>> ExplainMisses(const Graph& graph, const Facts& facts,
                                                const IdMap<NodeId, NodeClass>& classes, const FuseOptions& options,
                                                const Overlay& overlay, NodeId node);

}  // namespace hwest

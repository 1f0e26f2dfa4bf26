// Matches compiled patterns against a graph, by backtracking from the root.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "fuse/guards.h"
#include "fuse/patterns.h"
#include "hwest/target.h"
#include "op/rule.h"

namespace hwest {

// Operator of one graph, by its interned names.
struct OpKey {
  StrId domain;
  StrId op;
  bool commutes = false;
};

// CompiledRow is a table row bound to the strings of one graph and to the picks of one toolchain.
struct CompiledRow {
  // Operators as bits of OpBit: a set that may hold more than was put in.
  using Ops = uint64_t;
  static constexpr Ops kAnything = ~Ops{0};
  struct Part {
    absl::InlinedVector<OpKey, 2> ops;
    absl::InlinedVector<OpKey, 2> through;
    Ops own = 0;             // those of `ops`
    Ops starts = kAnything;  // operators that a value of this expression can come from; kAnything = or from none
    bool enabled = true;     // an optional node whose fusion was not picked is never there
    bool folded = false;     // becomes part of the weights, hence no work at run time
  };
  const PatternRow* row = nullptr;
  const Pattern* pattern = nullptr;
  std::vector<Part> parts;  // as Pattern::exprs
  std::vector<OpKey> roots;
  int32_t core_slot = -1;
  std::vector<const std::vector<Limit>*> limits;  // of the picks it needs; owned by the toolchain
};

// Which operators a graph has, quick to ask for names that most graphs lack.
class OpNames {
 public:
  explicit OpNames(const Graph& graph);
  // Whether the graph may have an operator of that name.
  bool MayHave(absl::string_view op) const { return (seen_[BitOf(op) / 64] >> (BitOf(op) % 64) & 1u) != 0; }
  // Whether it may have one of the operators, which spaces separate; true when there are none.
  bool MayHaveAny(absl::string_view ops) const;
  void Add(absl::string_view op) { seen_[BitOf(op) / 64] |= uint64_t{1} << (BitOf(op) % 64); }

 private:
  static size_t BitOf(absl::string_view op) {
    if (op.empty()) return 0;
    const auto at = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(op[i])); };
    return (at(0) * 31 + at(op.size() / 2) * 7 + at(op.size() - 1) * 3 + op.size()) % 512;
  }
  std::array<uint64_t, 8> seen_ = {};
};

// `pattern` is the parsed expression of `row`; both outlive the result.
CompiledRow CompileRow(const PatternRow& row, const Pattern& pattern, const Graph& graph, const OpNames& names,
                       absl::Span<const std::string> picks);

// What a match may pass through besides Identity, inference Dropout and same-type Cast.
enum class QdqMode : uint8_t { kKept, kAbsorbed };
// Whether nodes of constants alone, which run before the model does, are part of matches.
enum class OfConstants : uint8_t { kNo, kYes };

struct Match {
  NodeId root;
  NodeId core;                // node the expression names `core`, none when it names none
  uint32_t weight = 0;        // compute nodes that do work at run time
  std::vector<NodeId> nodes;  // ascending
};

// Obstacle is the one thing that kept an attempt from matching; of several attempts the largest is kept.
struct Obstacle {
  NodeId node;
  std::string guard;
  std::string found;
  std::string needed;
  std::string edit;
  std::vector<NodeId> nodes;  // of the attempt
};

class Matcher {
 public:
  Matcher(const GuardContext& context, QdqMode qdq, OfConstants of_constants = OfConstants::kNo);
  // Of a graph whose nodes are those that `like` has looked at.
  Matcher(const GuardContext& context, const Matcher& like);

  // Find returns true and sets `match` to the first match of `row` that ends in `root` and has no node of `taken`
  // (indexed by node). When `obstacle` is not null, it receives the largest attempt that only one thing kept from it.
  bool Find(const CompiledRow& row, NodeId root, const std::vector<uint8_t>& taken, Match* match,
            Obstacle* obstacle = nullptr);
  // What the names of the expression stand for, by slot, after Find() returned true; none = not in the match.
  absl::Span<const ValueId> bindings() const { return bindings_; }
  // Read is Find for a reading: of any number of kernels, with inner values that may be used outside, too. Fills
  // `values` by slot of the pattern.
  bool Read(const CompiledRow& row, NodeId root, Match* match, std::vector<ValueId>* values);
  // Looks at a node again whose operator, operands or class changed.
  void Update(NodeId node);
  // Identity, inference Dropout, same-type Cast, and Q/DQ when absorbed.
  bool IsPassed(NodeId node) const { return rows_[node].is_passed; }
  bool HasTrait(NodeId node, Traits traits) const { return (rows_[node].traits & traits) != 0; }

 private:
  struct Goal {
    uint16_t expr = 0;
    ValueId value;
    bool is_named = false;  // its let-name is bound already
  };
  struct Member {
    NodeId node;
    bool folded = false;
    bool is_written = false;  // named by the expression, not stepped over
  };

  // What attempts ask of a node again and again.
  struct NodeRow {
    Traits traits = 0;
    uint8_t op_bit = 0;
    bool joins = false;  // runs, and has something before it
    bool is_passed = false;
  };

  NodeRow RowOf(NodeId node, Traits traits) const;
  bool FindPassed(NodeId node, Traits traits) const;
  bool CanStart(uint16_t expr, ValueId value) const;
  bool CanCome(ValueId value, CompiledRow::Ops from) const;
  bool Solve();
  bool Try(const Goal& goal);
  bool TryThrough(const Goal& goal);
  bool TryTerm(const Goal& goal);
  bool TryNumber(double number, ValueId value);
  // Whether the guard holds; asks it of the context's list, too.
  template <class Place>
  bool Holds(bool (*const& guard)(const GuardContext&, Place), Place at);
  bool TryLeaf(const Expr& expr, ValueId value);
  bool TryOp(uint16_t index, ValueId value);
  bool TryNode(uint16_t index, NodeId node);
  bool TryArgs(uint16_t index, NodeId node, bool commutes);
  bool IsMadeLater(ValueId value, ValueId other);
  uint32_t DepthOf(ValueId value);
  bool PushArgs(const Expr& expr, NodeId node, bool swapped);
  bool Accept();
  void CollectNodes();
  bool ClosesOverInner();
  bool FeedsExtraOutputs();
  bool IsAllowedOutput(ValueId value) const;
  bool CanJoin(NodeId node) const;
  bool Has(absl::Span<const OpKey> keys, NodeId node, bool* commutes) const;
  ValueId Resolve(ValueId value) const;
  bool IsKernel(NodeId node) const;
  bool IsFusion(size_t kernels) const;
  bool Excuse(NodeId node, absl::string_view guard, absl::string_view needed, absl::string_view edit, ValueId value);
  void Report(Obstacle obstacle);

  GuardContext context_;
  Traits passed_kernels_;  // kernels to look through
  OfConstants of_constants_;
  IdMap<NodeId, NodeRow> rows_;

  const CompiledRow* row_ = nullptr;
  const std::vector<uint8_t>* taken_ = nullptr;
  Match* match_ = nullptr;
  Obstacle* obstacle_ = nullptr;
  std::vector<ValueId>* read_ = nullptr;  // where a reading's values go; null = what is looked for is a fusion
  Obstacle excuse_;                       // the failed guard that is overlooked; no guard = none
  NodeId root_;
  GraphId graph_id_;
  int steps_ = 0;
  std::vector<Goal> goals_;
  std::vector<ValueId> bindings_;  // by slot
  std::vector<Member> members_;    // as matched, with repetitions
  std::vector<ValueId> leaves_;
  std::vector<ValueId> outputs_;     // inner values that may also be used outside
  std::vector<NodeId> nodes_;        // members once
  std::vector<uint8_t> none_taken_;  // by node, for readings
  std::vector<uint32_t> stamp_of_;   // by node; equal to stamp_ = in nodes_
  uint32_t stamp_ = 0;
  std::vector<uint32_t> depths_;  // by node: most kernels in a row that end in it; empty until one is asked for
};

}  // namespace hwest

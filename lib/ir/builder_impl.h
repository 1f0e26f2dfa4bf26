// The builder's internals: one class, its definitions in builder*.cc by subject.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/interner.h"
#include "ir/builder.h"
#include "ir/opsets.h"
#include "ir/scopes.h"

namespace hwest {

using FunctionKey = std::pair<StrId, std::pair<StrId, StrId>>;

// A function with the order of its nodes and its operator sets, computed once however often it is called.
struct CallableFunction {
  const RawFunction* raw = nullptr;
  std::optional<std::vector<uint32_t>> order;
  OpsetMap opsets;
  bool active = false;  // on the call stack
};

// Frame is one namespace of values: the main graph, a body, or one call of a function.
struct Frame {
  Frame* outer = nullptr;  // visible from a body; null in a function
  GraphId graph;
  const OpsetMap* opsets = nullptr;
  std::string prefix;  // of node and value names, "" outside functions
  ScopeId scope;       // of the call, none outside functions
  StrId source_line;   // as above; nodes that name none come from there
  int body_depth = 0;
  int call_depth = 0;
  bool in_function = false;
  absl::flat_hash_map<StrId, ValueId> names;
  absl::flat_hash_map<StrId, const RawAttribute*> arguments;  // attribute arguments of the call
};

class GraphBuilder {
 public:
  GraphBuilder(RawModel model, const BuildOptions& options)
      : raw_(std::move(model)), options_(options), scopes_(raw_.strings) {}

  absl::StatusOr<Graph> Build();

 private:
  StringTable& strings() { return raw_.strings; }
  absl::string_view text(StrId id) const { return id.valid() ? raw_.strings[id] : absl::string_view(); }
  // After the first hundred warnings of a code the rest is only counted.
  void Warn(Code code, std::string message, std::string remedy, absl::string_view node, absl::string_view value);

  // Spend counts what one step of inlining adds, so that a small file cannot ask for much memory or time.
  absl::Status Spend(int64_t items, int64_t name_bytes = 0);
  absl::Status CheckWritable(ValueId output, StrId name, absl::string_view writer) const;
  void SumUpWarnings();

  void AddInfo();
  void AddFunctions();
  void AddRangeConstraints();
  absl::Status EmitMain();
  absl::Status EmitGraph(const RawGraph& raw, Frame& frame);
  absl::Status EmitInputs(const RawGraph& raw, Frame& frame);
  absl::Status EmitOutputs(const RawGraph& raw, Frame& frame);
  absl::Status EmitNodes(const std::vector<RawNode>& nodes, const std::vector<uint32_t>& order, Frame& frame);
  absl::Status EmitNode(const RawNode& raw, Frame& frame);
  absl::Status EmitCall(const RawNode& raw, CallableFunction& function, Frame& frame);
  absl::Status BindCallInputs(const RawNode& raw, const RawFunction& callee, Frame& frame, Frame& call);
  absl::Status BindCallOutputs(const RawNode& raw, const RawFunction& callee, Frame& frame, Frame& call);
  absl::Status EmitAttributes(const RawNode& raw, Frame& frame, std::vector<Attribute>& out,
                              std::vector<GraphId>& bodies);
  absl::StatusOr<GraphId> EmitBody(const RawGraph& raw, StrId attribute, Frame& frame);
  absl::StatusOr<std::vector<ValueId>> ResolveInputs(const RawNode& raw, Frame& frame);
  void DefineConstantOutput(NodeId id);

  ValueId NewValue(StrId name, Frame& frame);
  ValueId Define(StrId name, Frame& frame);
  ValueId Lookup(StrId name, const Frame& frame) const;
  bool IsAbsentFormal(StrId name, const Frame& frame) const;
  ConstantId AddConstant(const Constant& constant);
  NodeId AddNode(const RawNode& raw, Frame& frame, absl::Span<const ValueId> inputs, absl::Span<const ValueId> outputs,
                 std::vector<Attribute> attributes);
  ScopeId ScopeOf(const RawNode& raw, const Frame& frame);
  StrId Prefixed(StrId name, const Frame& frame);
  CallableFunction* FindFunction(const RawNode& raw);
  const OpsetMap& OpsetsOf(CallableFunction& function);
  Type Convert(const RawType& raw, absl::string_view value);
  void Declare(ValueId value, const RawValueInfo& info);
  void MarkConstants();
  bool ReadsConstants(NodeId node);
  const BuildRole& RoleOf(NodeId node);
  bool OwnsBodies(NodeId node) const;
  std::string Describe(const RawNode& raw);

  RawModel raw_;
  const BuildOptions& options_;
  Graph graph_;
  ScopeTree scopes_;
  OpsetMap opsets_;
  absl::flat_hash_map<FunctionKey, CallableFunction> functions_;
  absl::flat_hash_map<std::pair<StrId, StrId>, BuildRole> roles_;  // by domain and operator
  int64_t items_ = 0;
  int64_t name_bytes_ = 0;
  std::map<Code, int64_t> warnings_;
  absl::flat_hash_map<const Constant*, ConstantId> constants_;  // by identity, so that inlined copies stay shared
};

}  // namespace hwest

// View: everything a report may show, as plain rows made once from an Analysis. Formats read rows, never the analysis.
// An empty optional is unknown and never shown as 0.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/analysis.h"
#include "hwest/generation.h"
#include "hwest/profile.h"
#include "hwest/rewrite.h"
#include "hwest/study.h"
#include "report/summary_view.h"

namespace hwest {

// One element of a known tensor: unknown, integer, expression, or float.
using KnownElement = std::variant<std::monostate, int64_t, std::string, double>;
using ShapeText = std::optional<std::vector<Count>>;  // none = unranked

struct PortRow {
  std::string name;
  std::optional<std::string> dtype;
  ShapeText shape;
};

struct SymbolRow {
  std::string name;
  std::string text;
  int64_t min = 0;
  Count max;
  std::optional<int64_t> assumed;
  std::optional<std::string> cause;
  bool data_dependent = false;
  bool is_stated = false;  // a size that data decides: neither an expression over others nor a loop count
};

struct ModelFacts {
  std::string name;
  int64_t ir_version = 0;
  std::vector<std::pair<std::string, int64_t>> opsets;
  std::string producer;
  std::vector<PortRow> inputs;
  std::vector<PortRow> outputs;
  int64_t nodes = 0;
  ParamTotals params;
  std::optional<int64_t> deployed_bytes;
  std::optional<int64_t> constant_bytes;  // the part that is no weights
  std::string largest_constant;           // of these
  std::string file_precision;             // most used type of the weights, e.g. "fp32"; empty = no weights
};

struct SearchView {
  size_t atoms = 0, states = 0, live = 0;
  bool exact = false;
  double gap = 0;
};

struct BoundRow {
  Bound bound = Bound::kCompute;
  double time_s = 0;
  int64_t flops = 0;
  int64_t bytes = 0;
  int64_t groups = 0;
};

struct CoverageView {
  int64_t nodes = 0, typed = 0, counted = 0;
  std::optional<int64_t> costed, placed;  // none without a target
  std::vector<std::pair<std::string, int64_t>> classes;
  int64_t from_module = 0, from_function = 0, from_unknown = 0;
  std::vector<std::string> unknown_nodes;
  std::vector<std::string> data_dependent;
  std::optional<double> macs_share;  // none also where a node's MACs are unknown
  std::optional<double> time_share;
};

struct ToolchainRow {
  ToolchainStats stats;
  std::vector<FactSource> sources;
};

struct UnitRow {
  std::string name;
  UnitKind kind = UnitKind::kUnset;
  std::optional<std::string> toolchain;
  bool is_cpu = false;
  bool placeable = true;
  bool left_out = false;     // by --only
  bool prefix_only = false;  // takes only one segment, which starts at the inputs
  int64_t groups = 0;
  double busy_s = 0;        // of the groups whose time is known
  bool incomplete = false;  // a group on it has no time
  std::optional<double> energy_j;
  int64_t macs = 0;
  std::optional<double> WholeSeconds() const { return incomplete ? std::nullopt : std::optional<double>(busy_s); }
  Grade grade = Grade::kDatasheet;
};

struct NodeRow {
  NodeId id;
  std::string name;   // the file's own, may be empty
  std::string label;  // never empty
  std::string domain;
  std::string op;
  std::optional<int64_t> since;
  NodeClass node_class = NodeClass::kOpaque;
  Origin origin = Origin::kUnknown;
  std::optional<std::string> module;
  int64_t graph = 0;
  std::vector<std::string> inputs;  // "" = absent optional input
  std::vector<std::string> outputs;
  Count macs, int_macs, flops, params, in_bytes, weight_bytes, out_bytes;
  Count causal_macs;  // none = not causal
  GroupId group;
  UnitId unit;  // of its group
  ValueId first_output;
  std::optional<double> measured_s;  // of its group, where it is the root; of other members 0
};

// A node with its neighbours and its place in the plan.
struct GraphNodeRow : NodeRow {
  std::vector<NodeId> users;
  std::string source_line;       // "" = the file does not say
  Count bytes;                   // read and written
  std::optional<double> time_s;  // of its group, where it is the root; of other members 0
  std::optional<Bound> bound;
  std::string reason;                               // "" without a target
  std::optional<int64_t> dram_bytes, onchip_bytes;  // as time_s
  std::optional<double> utilisation;                // of its group
};

// Totals of several nodes. Counts leave out nodes folded before run time and, with `uncounted`, unknown ones.
struct GraphTotals {
  int64_t nodes = 0;
  Count macs, flops, bytes;
  std::optional<double> time_s;
  int64_t uncounted = 0;
  std::optional<int64_t> untimed;
  std::optional<int64_t> dram_bytes, onchip_bytes;
};

struct GroupRow {
  GroupId id;
  std::string pattern;
  std::string fusion;  // in words; "" = nothing fused
  NodeId root;
  std::string label;               // of the root node
  absl::Span<const NodeId> nodes;  // of the analysis
  UnitId unit;
  SegmentId segment;
  std::optional<std::string> precision;
  std::optional<int64_t> macs, int_macs, flops, in_bytes, weight_bytes, out_bytes;
  int64_t saved_bytes = 0;
  int64_t saved_launches = 0;
  std::optional<double> start_s;
  std::optional<Estimate> estimate;
  std::optional<EnergyParts> energy;
  std::optional<double> energy_low_j, energy_high_j;
  std::optional<Grade> grade;            // of its unit
  std::optional<double> measured_s;      // none = not measured, or only together with other groups
  std::optional<double> measured_ratio;  // to the predicted time, of the groups measured together with it
};

// One memory of a group's unit.
struct TrafficRow {
  GroupId group;
  MemoryTraffic traffic;
};

struct SegmentRow {
  SegmentId id;
  UnitId unit;
  std::vector<GroupId> groups;
  int64_t in_bytes = 0;
  int64_t out_bytes = 0;
  double transfer_s = 0, invoke_s = 0, start_s = 0, time_s = 0;
  double low_s = 0, high_s = 0;  // of time_s
  bool incomplete = false;       // a group has no time; the three times cover the others
  std::optional<double> WholeSeconds() const { return incomplete ? std::nullopt : std::optional<double>(time_s); }
  double InvokedSeconds() const { return start_s + transfer_s; }       // when its inputs are there
  double BeginSeconds() const { return InvokedSeconds() + invoke_s; }  // when its groups begin
  bool IsPipeline() const { return contexts.has_value(); }             // its groups run at the same time
  std::optional<double> energy_j, energy_low_j, energy_high_j;
  Grade grade = Grade::kDatasheet;  // of its unit
  std::string reason;
  std::optional<int64_t> contexts;  // of pipelined units, as the next two
  std::optional<double> interval_s;
  std::optional<int64_t> reloaded_bytes;
};

// What is in memory while a group runs, and while its inputs are moved and its segment started.
struct MemoryStep {
  GroupId group;
  double start_s = 0, end_s = 0;
  int64_t live_bytes = 0;  // of activations
};

// A unit's peak at a precision that it runs at.
struct RoofRow {
  UnitId unit;
  std::string precision;
  std::optional<double> flops_per_s;  // dense peak
  std::optional<double> bytes_per_s;  // of the shared memory
};

struct ModuleView {
  std::string path;
  std::optional<std::string> parent;
  std::optional<int64_t> parent_index;  // of its row
  std::optional<std::string> class_name;
  int64_t nodes = 0;
  Count macs, flops;
  int64_t params = 0;
  std::optional<double> time_s, energy_j;
};

struct ValueRow {
  ValueId id;
  std::string name;
  ValueKind kind = ValueKind::kUnknown;
  std::optional<std::string> dtype;
  ShapeText shape;
  std::optional<std::vector<KnownElement>> value;
  std::optional<std::string> producer;
  NodeId producer_id;
  bool constant = false, is_input = false, is_output = false;
  int64_t graph = 0;                    // 0 = the main graph, else a body of control flow
  std::vector<std::string> blocked_by;  // nodes, from the nearest to the root cause; long chains lack their middle
  NodeId blocked_by_id;                 // the root cause
};

struct SupportRowView {
  NodeId node;
  std::string label;
  std::string op;
  UnitId unit;
  const Support& support;  // of the analysis
  std::optional<EvidenceKind> evidence;
};

// A fusion that nearly happened around a node; see Miss in lib/fuse.
struct MissRow {
  std::string pattern;
  std::string node;
  std::string guard;
  std::string found;
  std::string needed;
  std::string edit;
};

// The pattern that made a node's group; see PatternRow in lib/fuse.
struct FusionRow {
  NodeId node;  // of the group
  std::string name;
  std::string words;
  std::string expression;
  std::string source;
};

// How an explained node fares on one unit.
struct ExplainedUnit {
  std::string unit;
  Verdict verdict = Verdict::kYes;
  std::optional<std::string> reason;
  std::optional<double> time_s;  // of the node's group there
  bool chosen = false;
  std::optional<double> latency_s, delta_s;  // of the whole model with the node pinned there
  std::string flag;                          // to pin it there
};

struct RequestView {
  std::string model;
  std::optional<std::string> target, mode, precision;
  std::optional<std::string> host;  // of a discrete module: the target its CPU is of
  std::string asked_precision;
  Objective objective = Objective::kLatency;
  std::optional<int64_t> batch;
  std::vector<std::pair<std::string, int64_t>> dims;
  std::vector<std::string> flags;  // that name the same target and bind the same sizes
};

// LazyRows makes rows when they are read: tables have as many rows as the model has nodes.
template <class Row>
class LazyRows {
 public:
  class Iterator {
   public:
    Iterator(const LazyRows& rows, size_t at) : rows_(rows), at_(at) {}
    Row operator*() const { return rows_[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    const LazyRows& rows_;
    size_t at_;
  };

  LazyRows() = default;
  LazyRows(size_t size, std::function<Row(size_t)> make) : size_(size), make_(std::move(make)) {}
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Row operator[](size_t i) const { return make_(i); }
  Iterator begin() const { return Iterator(*this, 0); }
  Iterator end() const { return Iterator(*this, size_); }

 private:
  size_t size_ = 0;
  std::function<Row(size_t)> make_;
};

struct View {
  RequestView request;
  std::vector<Diagnostic> diagnostics;
  ModelFacts model;
  SummaryView summary;
  std::vector<BoundRow> bounds;  // in enum order, every class; empty without a target
  CoverageView coverage;
  std::optional<SearchView> search;      // none without a target
  std::vector<UnitRow> units;            // index = UnitId
  std::vector<std::string> memories;     // of the target, by index
  std::vector<ToolchainRow> toolchains;  // those the units name
  LazyRows<NodeRow> nodes;               // index = NodeId
  std::function<GraphNodeRow(const View&, NodeId)> graph_node;
  std::function<GraphTotals(const std::vector<NodeId>&)> totals_of;
  LazyRows<GroupRow> groups;                   // index = GroupId
  std::function<int64_t(GroupId)> live_bytes;  // activations alive while a group runs
  absl::Span<const Lifetime> lifetimes;        // of the plan
  absl::Span<const MemoryNeed> memory_needs;   // of the analysis
  std::vector<RoofRow> roofs;                  // by unit, then precision
  std::vector<SegmentRow> segments;            // index = SegmentId
  std::vector<ModuleView> modules;
  LazyRows<ValueRow> values;  // index = ValueId
  std::vector<SymbolRow> symbols;
  LazyRows<SupportRowView> support;                                        // by node, then unit; kernels only
  std::function<const Support*(NodeId, UnitId)> support_of;                // null where `support` has no row
  std::function<std::optional<EvidenceKind>(NodeId, UnitId)> evidence_of;  // where it has one
  std::optional<std::vector<MissRow>> misses;                              // of the explained node; none = not asked
  std::optional<FusionRow> fusion;                                         // of its group; none = nothing fused
  const std::vector<WhatIfRow>* what_if = nullptr;                         // null = not asked
  const std::vector<RefusalRow>* refusals = nullptr;                       // as above
  const Rewritten* rewritten = nullptr;                                    // as above
  std::string rewrite_command;                             // that writes it, without --output; "" = none does
  const std::vector<GenerationRow>* generation = nullptr;  // null = not asked
  const std::vector<MoveRow>* moves = nullptr;             // of the explained node; null = not asked
  const MeasuredTimes* measured = nullptr;                 // null = not asked
  std::vector<Diagnostic>* notes = nullptr;                // receives the report's own notes; null = nobody listens
  const Graph* graph = nullptr;                            // of the analysis, for pictures
  const Reading* reading = nullptr;                        // of the analysis; null = nodes are read as they are written
};

struct ViewOptions {
  std::string model_path;  // as the user wrote it; empty = the model's own name
};

// MakeView makes the rows. The analysis must outlive the view.
View MakeView(const Analysis& analysis, const ViewOptions& options);

// FindNode resolves "#id", a node's name, an output's name, or "gN", the root of group N unless a node or output has
// that name. Errors: kUsage with the nearest names.
absl::StatusOr<NodeId> FindNode(const View& view, absl::string_view text);
// The same, but "gN" gives all nodes of the group, the root first.
absl::StatusOr<std::vector<NodeId>> FindNodes(const View& view, absl::string_view text);

// Lifetimes of activations with a known size, largest first: all, or those alive while group `at` runs.
std::vector<Lifetime> LargestLifetimes(const View& view, GroupId at = {});

// Whether the group runs at the same time as the others of its segment.
bool IsPipelined(const View& view, const GroupRow& group);
// The factor from a group's time to its share of the segment's time: 1 except for pipelines.
double ShareOfPipeline(const View& view, const SegmentRow& segment);
// One step for each group that runs, in plan order without gaps. Groups of a pipeline run at the same time but follow
// each other here, each with its share of the time.
std::vector<MemoryStep> MemorySteps(const View& view);

// What --strict calls incomplete, in words; empty when nothing is.
std::string Incompleteness(const View& view);

absl::string_view OriginName(Origin origin);      // "module", "function", "unknown"
absl::string_view VerdictName(Verdict verdict);   // "yes", "no", "noted"
std::string TypeText(const ValueRow& value);      // "float 1x64x56", "sequence of float ?", "?"
std::string ShapeToText(const ShapeText& shape);  // "1x64x56", "[batch, 64]", "?", "scalar"

}  // namespace hwest

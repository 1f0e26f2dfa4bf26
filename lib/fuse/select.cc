#include "fuse/select.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "fuse/fusion_rules.h"
#include "fuse/patterns.h"
#include "fuse/readings.h"
#include "hwest/diagnostic.h"
#include "target/names.h"

namespace hwest {
namespace {

class Selector {
 public:
  Selector(const Graph& graph, const FuseOptions& options) : graph_(graph), names_(graph), options_(options) {}

  absl::StatusOr<Selection> Run() {
    HWEST_RETURN_IF_ERROR(ReadPicks());
    selection_.absorbs_qdq = options_.toolchain->absorbs_qdq;
    if (options_.rules != nullptr) AddRules(*options_.rules);
    for (const PatternRow& row : AllPatterns()) AddRow(row, nullptr);
    return std::move(selection_);
  }

 private:
  absl::Status ReadPicks() {
    for (const Pick& pick : options_.toolchain->fuses) {
      const NameProblem problem = CheckFusion(pick.pattern);
      if (!problem.message.empty()) {
        return MakeError(Code::kTargetInvalid,
                         absl::StrCat("toolchain ", options_.toolchain->name, ": ", problem.message), problem.remedy);
      }
      picks_.push_back(pick.pattern);
    }
    for (const ReadingRow& row : AllReadings()) {
      const bool is_new = row.kind == ReadingKind::kSpelled && PickOf(*options_.toolchain, row.fusion) == nullptr;
      if (is_new && Makes(*options_.toolchain, row.fusion)) picks_.emplace_back(row.fusion);
    }
    return absl::OkStatus();
  }

  void AddRules(const FusionRules& rules) {
    for (size_t i = 0; i < rules.rows.size(); ++i) {
      const auto& names = rules.toolchains[i];
      const bool applies = names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
                             return options_.toolchain->IsCalled(name);
                           });
      if (applies) AddRow(rules.rows[i], &rules.patterns[i]);
    }
  }

  // `own` is the pattern of a row of the caller's; null = `row` is of the table.
  void AddRow(const PatternRow& row, const Pattern* own) {
    if (row.kind == RowKind::kQdq) selection_.qdq = &row;
    if (row.kind == RowKind::kExpression && !names_.MayHaveAny(row.key)) return;
    if (!HasPicks(row, *options_.toolchain)) return;
    if (row.kind == RowKind::kChain) selection_.chain = &row;
    if (row.kind == RowKind::kQdq) selection_.absorbs_qdq = true;
    if (row.kind == RowKind::kInPlace) selection_.in_place = {&row, LimitsOf(row)};
    if (row.kind == RowKind::kNested) selection_.nested = {&row, LimitsOf(row)};
    if (row.kind == RowKind::kHorizontal) selection_.horizontal = &row;
    if (row.kind != RowKind::kExpression) return;
    const Pattern& pattern = own != nullptr ? *own : PatternOf(row);
    if (!MayMatch(pattern, pattern.root)) return;
    CompiledRow compiled = CompileRow(row, pattern, graph_, names_, picks_);
    compiled.limits = LimitsOf(row);
    const uint32_t index = static_cast<uint32_t>(selection_.rows.size());
    for (const OpKey& key : compiled.roots) {
      std::vector<uint32_t>& rows = selection_.by_root[{key.domain, key.op}];
      if (rows.empty() || rows.back() != index) rows.push_back(index);
    }
    selection_.rows.push_back(std::move(compiled));
  }

  // Whether the toolchain takes no such operator, in whatever form. No kernel has one then, and what is around it may
  // be part of smaller ones.
  bool Refuses(const OpName& name) const {
    bool is_refused = false;
    for (const SupportRow& row : options_.toolchain->support) {
      if (row.domain != name.domain || !absl::c_linear_search(row.ops, name.op)) continue;
      if (row.supported || !row.limits.empty() || !row.only_in.empty() || !row.also_in.empty()) return false;
      is_refused = true;
    }
    return is_refused;
  }

  // False when the graph lacks an operator that every match of the expression has, the toolchain takes none, or a pick
  // is not made.
  bool MayMatch(const Pattern& pattern, uint16_t index) const {
    const Expr& expr = pattern.exprs[index];
    const auto may = [&](uint16_t arg) { return MayMatch(pattern, arg); };
    if (expr.kind == ExprKind::kEither) return std::any_of(expr.args.begin(), expr.args.end(), may);
    if (expr.kind != ExprKind::kOp) return true;
    if (expr.optional && may(expr.args[0])) return true;
    const bool is_made = expr.pick.empty() || std::find(picks_.begin(), picks_.end(), expr.pick) != picks_.end();
    const auto is_there = [&](const OpName& name) { return names_.MayHave(name.op) && !Refuses(name); };
    return is_made && std::any_of(expr.ops.begin(), expr.ops.end(), is_there) &&
           std::all_of(expr.args.begin(), expr.args.end(), may);
  }

  std::vector<const std::vector<Limit>*> LimitsOf(const PatternRow& row) const {
    std::vector<const std::vector<Limit>*> limits;
    for (const absl::string_view name : absl::StrSplit(row.picks, ' ', absl::SkipEmpty())) {
      const Pick* pick = PickOf(*options_.toolchain, name);
      if (pick != nullptr && !pick->limits.empty()) limits.push_back(&pick->limits);
    }
    return limits;
  }

  const Graph& graph_;
  const OpNames names_;
  const FuseOptions& options_;
  std::vector<std::string> picks_;
  Selection selection_;
};

}  // namespace

bool HasPicks(const PatternRow& row, const Toolchain& toolchain) {
  for (const absl::string_view name : absl::StrSplit(row.picks, ' ', absl::SkipEmpty())) {
    if (!Makes(toolchain, name)) return false;
  }
  return true;
}

const std::vector<uint32_t>* Selection::RowsOf(const GuardContext& context, NodeId node) const {
  const NodeClass node_class = context.classes[node];
  const bool runs =
      node_class == NodeClass::kCompute || node_class == NodeClass::kLayout || node_class == NodeClass::kView;
  if (!runs) return nullptr;
  const auto it = by_root.find({context.graph.node(node).domain, context.graph.node(node).op});
  return it == by_root.end() ? nullptr : &it->second;
}

absl::StatusOr<Selection> Select(const Graph& graph, const FuseOptions& options) {
  if (options.toolchain == nullptr) return Selection();
  return Selector(graph, options).Run();
}

std::vector<std::string> MissingPicks(const PatternRow& row, const Toolchain& toolchain) {
  std::vector<std::string> missing;
  for (const absl::string_view name : absl::StrSplit(row.picks, ' ', absl::SkipEmpty())) {
    if (!Makes(toolchain, name)) missing.emplace_back(name);
  }
  return missing;
}

}  // namespace hwest

#include "partition/support.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"
#include "partition/limit.h"
#include "partition/names.h"

namespace hwest {
namespace {

std::string AllowedText(const Limit& limit) {
  if (limit.kind == LimitKind::kStatic) return "static shapes";
  if (limit.kind == LimitKind::kConst) return "constant";
  std::string text;
  if (limit.min.has_value() && limit.max.has_value() && *limit.min == *limit.max) {
    text = absl::StrCat(*limit.min);
  } else if (limit.min.has_value() && limit.max.has_value()) {
    text = absl::StrCat(*limit.min, " to ", *limit.max);
  } else if (limit.min.has_value()) {
    text = absl::StrCat("at least ", *limit.min);
  } else if (limit.max.has_value()) {
    text = absl::StrCat("at most ", *limit.max);
  }
  const std::string any = absl::StrJoin(limit.any, ", ");
  return text.empty() ? any : any.empty() ? text : absl::StrCat(text, ": ", any);
}

bool Holds(const Limit& limit, const Reading& reading) {
  if (limit.kind == LimitKind::kStatic || limit.kind == LimitKind::kConst) return reading.number == 1.0;
  if (limit.min.has_value() && !(reading.number.has_value() && *reading.number >= static_cast<double>(*limit.min))) {
    return false;
  }
  if (limit.max.has_value() && !(reading.number.has_value() && *reading.number <= static_cast<double>(*limit.max))) {
    return false;
  }
  return limit.any.empty() || std::find(limit.any.begin(), limit.any.end(), reading.text) != limit.any.end();
}

std::string FoundText(const Limit& limit, const Reading& reading) {
  if (limit.kind == LimitKind::kStatic) return "dynamic shapes";
  if (limit.kind == LimitKind::kConst) return "computed at run time";
  return reading.text;
}

// Checker decides for one unit. Rows are looked up once per operator.
class Checker {
 public:
  Checker(const ModelView& model, const Unit& unit, const Toolchain* toolchain)
      : model_(model), unit_(unit), toolchain_(toolchain) {
    if (toolchain_ != nullptr) of_all_ = SupportOfAll(*toolchain_);
  }

  Support Check(NodeId node) {
    const NodeClass node_class = model_.classes[node];
    if (node_class == NodeClass::kConstant || node_class == NodeClass::kShape) return {.verdict = Verdict::kYes};
    Support support = CheckRow(node, RowOf(node));
    if (support.verdict == Verdict::kNo || toolchain_ == nullptr) return support;
    Support general = CheckGeneral(node);
    return general.verdict == Verdict::kNo ? general : support;
  }

  // Nodes that no row states run inside the groups that the toolchain states.
  void CoverGroups(const Overlay& overlay, SharedMap<NodeId, Support>& table) {
    if (toolchain_ == nullptr) return;
    for (const Group& group : overlay.groups) {
      if (group.nodes.size() < 2) continue;
      for (const NodeId node : group.nodes) CoverNode(group, node, table);
    }
  }

 private:
  const SupportRow* RowOf(NodeId node) {
    if (toolchain_ == nullptr) return nullptr;
    const auto key = std::make_pair(model_.graph.node(node).domain, model_.graph.node(node).op);
    const auto [at, is_new] = rows_.try_emplace(key, nullptr);
    if (is_new) at->second = SupportOf(*toolchain_, model_.graph.domain(node), model_.graph.op(node));
    return at->second;
  }

  Support CheckRow(NodeId node, const SupportRow* row) const {
    if (row == nullptr) {
      const bool runs = unit_.kind == UnitKind::kSimdCpu || (toolchain_ != nullptr && toolchain_->runs_everything);
      return runs ? Support{.verdict = Verdict::kYes} : Support{.verdict = Verdict::kNo, .limit = "not stated"};
    }
    if (!row->supported) return {.verdict = Verdict::kNo, .limit = "not supported", .source = row->source};
    for (const Limit& limit : row->limits) {
      Support checked = CheckLimit(model_, node, limit);
      checked.source = row->source;
      if (checked.verdict == Verdict::kNo) return checked;
    }
    if (!row->only_in.empty()) {
      return {.verdict = Verdict::kNo,
              .limit = absl::StrCat("only inside ", absl::StrJoin(row->only_in, ", ")),
              .source = row->source};
    }
    return {.verdict = row->note.empty() ? Verdict::kYes : Verdict::kNoted, .limit = row->note, .source = row->source};
  }

  // What holds for every op of the toolchain.
  Support CheckGeneral(NodeId node) const {
    if (toolchain_->static_only) {
      Support checked = CheckLimit(model_, node, Limit{.kind = LimitKind::kStatic, .text = "static"});
      if (checked.verdict == Verdict::kNo) return checked;
    }
    return of_all_ != nullptr ? CheckRow(node, of_all_) : Support{.verdict = Verdict::kYes};
  }

  void CoverNode(const Group& group, NodeId node, SharedMap<NodeId, Support>& table) {
    Support support = table[node];
    if (support.verdict != Verdict::kNo) return;
    const SupportRow* row = RowOf(node);
    if (!IsComposite(group.pattern)) return;
    if (row == nullptr && support.limit != "not stated") return;
    // A family is made of picks: Erf in a matmul_bias_act is there by way of gelu_erf.
    const auto is_picked = [&](const std::string& pattern) { return PickOf(*toolchain_, pattern) != nullptr; };
    const bool breaks_limit = !support.found.empty();
    if (row != nullptr && (breaks_limit || std::none_of(row->only_in.begin(), row->only_in.end(), is_picked))) return;
    support.verdict = Verdict::kNoted;
    support.limit = absl::StrCat("inside ", group.pattern);
    support.only_in_group = true;
    table.Set(node, std::move(support));
  }

  // A pattern that stands for one operator of its own; a chain is no more than its members.
  bool IsComposite(absl::string_view pattern) const {
    return pattern != "elementwise_chain" && PickOf(*toolchain_, pattern) != nullptr;
  }

  const ModelView& model_;
  const Unit& unit_;
  const Toolchain* toolchain_;
  const SupportRow* of_all_ = nullptr;
  absl::flat_hash_map<std::pair<StrId, StrId>, const SupportRow*> rows_;
};

absl::Status Override(const ModelView& model, const Target& target, const std::vector<Pin>& rows,
                      const Support& support, SupportTable& table) {
  for (const Pin& row : rows) {
    HWEST_ASSIGN_OR_RETURN(const UnitId unit, FindUnit(target, row.unit));
    HWEST_ASSIGN_OR_RETURN(const std::vector<NodeId> nodes, FindNodes(model.graph, row.what));
    for (const NodeId node : nodes) table[unit].Set(node, support);
  }
  return absl::OkStatus();
}

}  // namespace

Support CheckLimit(const ModelView& model, NodeId node, const Limit& limit) {
  for (const Reading& reading : Read(model, node, limit)) {
    if (Holds(limit, reading)) continue;
    return {.verdict = Verdict::kNo,
            .limit = limit.text,
            .found = FoundText(limit, reading),
            .allowed = AllowedText(limit)};
  }
  return {.verdict = Verdict::kYes, .limit = limit.text};
}

absl::StatusOr<SupportTable> CheckSupport(const ModelView& model, const Target& target,
                                          const Overlays& overlays, const AnalysisRequest& request) {
  SupportTable table(target.units.size());
  for (uint32_t u = 0; u < target.units.size(); ++u) {
    const UnitId id(u);
    const Unit& unit = target.units[id];
    Checker checker(model, unit, ToolchainOf(target, unit));
    for (uint32_t n = 0; n < model.graph.nodes().size(); ++n) table[id].push_back(checker.Check(NodeId(n)));
    if (u < overlays.size()) checker.CoverGroups(*overlays[id], table[id]);
  }
  const Support assumed{.verdict = Verdict::kNoted, .limit = "assumed by request"};
  const Support denied{.verdict = Verdict::kNo, .limit = "denied by request"};
  HWEST_RETURN_IF_ERROR(Override(model, target, request.assume, assumed, table));
  HWEST_RETURN_IF_ERROR(Override(model, target, request.deny, denied, table));
  return table;
}

}  // namespace hwest

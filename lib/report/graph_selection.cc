#include "report/graph_selection.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "op/rule.h"

namespace hwest {
namespace {

constexpr int64_t kUsualContext = 5;
constexpr absl::string_view kNoUnit = "none";
constexpr char kListModules[] = "`graph MODEL --columns id,module`";

absl::Status Unknown(absl::string_view flag, absl::string_view what, const std::string& name,
                     const std::vector<std::string>& names, absl::string_view otherwise) {
  const std::vector<std::string> nearest = NearestNames(name, names, 3);
  return MakeError(Code::kUsage, absl::StrCat(flag, ": ", what, " '", EscapeControl(name), "'"),
                   nearest.empty() ? std::string(otherwise)
                                   : absl::StrCat("did you mean ", EscapeControl(absl::StrJoin(nearest, ", ")), "?"),
                   {flag, kListModules});
}

bool Holds(const std::vector<std::string>& names, absl::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Whether any domain has a rule for it: the operator exists even if this model has none.
bool IsOperator(const std::string& op) {
  return std::any_of(AllRules().begin(), AllRules().end(), [&](const OpRule& rule) { return rule.op == op; });
}

absl::Status CheckOps(const View& view, const std::vector<std::string>& ops) {
  if (ops.empty()) return absl::OkStatus();
  std::set<std::string> seen;
  for (uint32_t n = 0; n < view.graph->nodes().size(); ++n) seen.emplace(view.graph->op(NodeId(n)));
  for (const std::string& op : ops) {
    if (seen.count(op) > 0 || IsOperator(op)) continue;
    return Unknown("--op", "the model has no operator", op, {seen.begin(), seen.end()},
                   absl::StrCat("it has ", EscapeControl(absl::StrJoin(seen, ", "))));
  }
  return absl::OkStatus();
}

absl::Status NeedsTarget(absl::string_view flag) {
  return MakeError(Code::kUsage, absl::StrCat(flag, " asks for what only a target decides"), "add --target NAME",
                   {flag, {"--target", {"NAME"}}});
}

absl::Status CheckUnits(const View& view, const std::vector<std::string>& units) {
  if (units.empty()) return absl::OkStatus();
  if (view.units.empty()) return NeedsTarget("--unit");
  std::vector<std::string> names = {std::string(kNoUnit)};
  for (const UnitRow& unit : view.units) names.push_back(unit.name);
  for (const std::string& unit : units) {
    if (!Holds(names, unit)) {
      return Unknown("--unit", "the target has no unit", unit, names,
                     absl::StrCat("it has ", absl::StrJoin(names, ", ")));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckBounds(const View& view, const std::vector<std::string>& bounds) {
  if (bounds.empty()) return absl::OkStatus();
  if (view.units.empty()) return NeedsTarget("--bound");
  std::vector<std::string> names;
  for (const BoundRow& row : view.bounds) names.emplace_back(BoundName(row.bound));
  for (const std::string& bound : bounds) {
    if (!Holds(names, bound)) {
      return Unknown("--bound", "there is no bound", bound, names, absl::StrCat("use ", absl::StrJoin(names, ", ")));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckModule(const View& view, const std::string& module) {
  if (module.empty()) return absl::OkStatus();
  std::vector<std::string> paths;
  for (const ModuleView& row : view.modules) paths.push_back(row.path);
  if (Holds(paths, module)) return absl::OkStatus();
  return Unknown("--module", "the file names no module", module, paths,
                 paths.empty() ? "it names none at all" : absl::StrCat("list them with ", kListModules));
}

// The scopes inside a module, by ScopeId. Parents precede their children.
std::vector<bool> ScopesIn(const Graph& graph, const std::string& module) {
  std::vector<bool> in(graph.scopes().size(), false);
  for (uint32_t s = 0; s < graph.scopes().size(); ++s) {
    const Scope& scope = graph.scope(ScopeId(s));
    in[s] = graph.str(scope.path) == module || (scope.parent.valid() && in[scope.parent.index()]);
  }
  return in;
}

struct Range {
  int64_t first = 0, last = INT64_MAX;  // ids, both included
};

// A node's own name wins over an id of the same digits.
absl::StatusOr<NodeId> Centre(const View& view, const std::string& text) {
  int64_t id;
  const bool is_id = absl::SimpleAtoi(text, &id) && text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_id) return FindNode(view, text);
  for (uint32_t n = 0; n < view.graph->nodes().size(); ++n) {
    if (view.graph->name(NodeId(n)) == text) return NodeId(n);
  }
  return FindNode(view, absl::StrCat("#", text));
}

absl::StatusOr<Range> RangeOf(const View& view, const GraphSelection& selection) {
  Range range;
  if (selection.start && selection.end && *selection.start > *selection.end) {
    const NamedOption start("--start", {absl::StrCat(*selection.start)}), end("--end", {absl::StrCat(*selection.end)});
    return MakeError(Code::kUsage, absl::StrCat(start.text(), " is after ", end.text()),
                     "swap them; both are ids and both are shown", {start, end});
  }
  range.first = selection.start.value_or(range.first);
  range.last = selection.end.value_or(range.last);
  if (selection.around.empty()) {
    if (!selection.context.has_value()) return range;
    return MakeError(Code::kUsage, "--context needs the node it is around", "add --around NODE",
                     {"--context", {"--around", {"NODE"}}});
  }
  HWEST_ASSIGN_OR_RETURN(const NodeId centre, Centre(view, selection.around));
  const int64_t id = centre.index(), context = std::min<int64_t>(selection.context.value_or(kUsualContext), UINT32_MAX);
  range.first = std::max(range.first, id - context);
  range.last = std::min(range.last, id + context);
  return range;
}

// `what` is in lower case.
bool Contains(absl::string_view text, absl::string_view what) {
  return absl::StrContains(absl::AsciiStrToLower(text), what);
}

bool AnyContains(const std::vector<std::string>& texts, absl::string_view what) {
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return Contains(text, what); });
}

class Conditions {
 public:
  Conditions(const View& view, const GraphSelection& selection)
      : view_(view),
        selection_(selection),
        in_module_(ScopesIn(*view.graph, selection.module)),
        grep_(absl::AsciiStrToLower(selection.grep)) {}

  bool Fit(NodeId id) const {
    const Graph& graph = *view_.graph;
    if (!selection_.ops.empty() && !Holds(selection_.ops, graph.op(id))) return false;
    const ScopeId scope = graph.node(id).scope;
    if (!selection_.module.empty() && !(scope.valid() && in_module_[scope.index()])) return false;
    const bool asks_row = !selection_.units.empty() || !selection_.bounds.empty() || !selection_.grep.empty();
    return !asks_row || FitsRow(view_.nodes[id.index()]);
  }

 private:
  bool FitsRow(const NodeRow& row) const {
    const std::string unit = row.unit.valid() ? view_.units[row.unit.index()].name : std::string(kNoUnit);
    if (!selection_.units.empty() && !(row.group.valid() && Holds(selection_.units, unit))) return false;
    if (!selection_.bounds.empty() && !FitsBound(row)) return false;
    const absl::string_view source = view_.graph->str(view_.graph->node(row.id).source_line);
    return grep_.empty() || Contains(row.name, grep_) || Contains(row.op, grep_) ||
           Contains(row.module.value_or(""), grep_) || Contains(source, grep_) || AnyContains(row.inputs, grep_) ||
           AnyContains(row.outputs, grep_);
  }

  bool FitsBound(const NodeRow& row) const {
    if (!row.group.valid()) return false;
    const std::optional<Estimate> estimate = view_.groups[row.group.index()].estimate;
    return estimate.has_value() && Holds(selection_.bounds, BoundName(estimate->bound));
  }

  const View& view_;
  const GraphSelection& selection_;
  std::vector<bool> in_module_;
  std::string grep_;  // in lower case
};

}  // namespace

absl::StatusOr<std::vector<NodeId>> SelectNodes(const View& view, const GraphSelection& selection) {
  HWEST_RETURN_IF_ERROR(CheckOps(view, selection.ops));
  HWEST_RETURN_IF_ERROR(CheckUnits(view, selection.units));
  HWEST_RETURN_IF_ERROR(CheckBounds(view, selection.bounds));
  HWEST_RETURN_IF_ERROR(CheckModule(view, selection.module));
  HWEST_ASSIGN_OR_RETURN(const Range range, RangeOf(view, selection));
  const Conditions conditions(view, selection);
  const auto size = static_cast<int64_t>(view.nodes.size());
  const auto most = static_cast<size_t>(selection.max_nodes.value_or(INT64_MAX));
  std::vector<NodeId> nodes;
  for (int64_t id = range.first; id < size && id <= range.last && nodes.size() < most; ++id) {
    const NodeId node(static_cast<uint32_t>(id));
    if (conditions.Fit(node)) nodes.push_back(node);
  }
  return nodes;
}

std::string SelectionText(const GraphSelection& selection) {
  std::vector<std::string> parts;
  if (selection.start || selection.end) {
    parts.push_back(absl::StrCat("#", selection.start.value_or(0), " to ",
                                 selection.end ? absl::StrCat("#", *selection.end) : "the last"));
  }
  if (!selection.around.empty()) {
    parts.push_back(absl::StrCat(selection.context.value_or(kUsualContext), " around ", selection.around));
  }
  const auto add = [&](absl::string_view what, const std::vector<std::string>& names) {
    if (!names.empty()) parts.push_back(absl::StrCat(what, " ", absl::StrJoin(names, " or ")));
  };
  add("op", selection.ops);
  add("unit", selection.units);
  add("bound", selection.bounds);
  if (!selection.module.empty()) parts.push_back(absl::StrCat("module ", selection.module));
  if (!selection.grep.empty()) parts.push_back(absl::StrCat("with \"", selection.grep, "\""));
  if (selection.max_nodes) parts.push_back(absl::StrCat("the first ", *selection.max_nodes));
  return absl::StrJoin(parts, ", ");
}

}  // namespace hwest

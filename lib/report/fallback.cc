// What accelerators refuse, in words: for one group, and for a model of which none runs any part.
#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "partition/support.h"
#include "report/text_parts.h"

namespace hwest {
namespace {

bool IsAccelerator(const UnitRow& unit) { return !unit.is_cpu && unit.placeable; }

// Why a unit does not run what it supports.
absl::string_view WhyElsewhere(const UnitRow& unit) {
  if (unit.left_out) return "left out by --only";
  if (unit.prefix_only && unit.groups > 0) return "nothing returns to it after the first operator elsewhere";
  if (unit.prefix_only) return "it begins at the inputs only, and the first operator is elsewhere";
  return "could run it, the plan is better without";
}

bool IsStated(const View& view, const GroupRow& group, UnitId unit) {
  return std::any_of(group.nodes.begin(), group.nodes.end(),
                     [&](NodeId node) { return view.support_of(node, unit) != nullptr; });
}

}  // namespace

std::optional<Refusal> RefusalOf(const View& view, const GroupRow& group, UnitId unit) {
  for (const NodeId node : group.nodes) {
    const Support* support = view.support_of(node, unit);
    if (support == nullptr || support->verdict != Verdict::kNo) continue;
    return Refusal{node, std::string(view.graph->op(node)), *support, view.evidence_of(node, unit)};
  }
  return std::nullopt;
}

std::string RefusalText(const Refusal& refusal) {
  return absl::StrCat(EscapeControl(refusal.op), ": ", SupportText(refusal.support, refusal.evidence));
}

std::string WhyNotText(const View& view, const GroupRow& group) {
  std::vector<std::string> reasons;
  for (uint32_t u = 0; u < view.units.size(); ++u) {
    const UnitRow& unit = view.units[u];
    const std::optional<Refusal> refusal = RefusalOf(view, group, UnitId(u));
    const bool nowhere = !group.unit.valid() && refusal.has_value();
    if (!IsAccelerator(unit) && !nowhere) continue;
    if (refusal.has_value()) {
      reasons.push_back(absl::StrCat(
          unit.name, ": ",
          group.nodes.size() > 1 ? RefusalText(*refusal) : SupportText(refusal->support, refusal->evidence)));
    } else if (IsStated(view, group, UnitId(u))) {
      reasons.push_back(absl::StrCat(unit.name, ": ", WhyElsewhere(unit)));
    }
  }
  return reasons.empty() ? "no accelerator was asked" : absl::StrJoin(reasons, "; ");
}

bool HasAccelerator(const View& view) { return std::any_of(view.units.begin(), view.units.end(), IsAccelerator); }

bool FallsBack(const View& view, const GroupRow& group) {
  return !group.unit.valid() || (view.units[group.unit.index()].is_cpu && HasAccelerator(view));
}

std::vector<FallbackRow> FallbackRows(const View& view) {
  std::map<std::pair<std::string, std::string>, FallbackRow> rows;  // by kernel and why
  for (const GroupRow& group : view.groups) {
    if (!FallsBack(view, group)) continue;
    const std::string why = WhyNotText(view, group);
    FallbackRow& row = rows[{group.pattern, why}];
    if (row.groups++ == 0)
      row = {.kernel = group.pattern, .why = why, .groups = 1, .first = group.root, .first_label = group.label};
    if (group.estimate) row.known_s += group.estimate->time_s;
    row.is_partial = row.is_partial || !group.estimate;
  }
  std::vector<FallbackRow> list;
  for (auto& [key, row] : rows) list.push_back(std::move(row));
  return list;
}

std::string IdleText(const View& view) {
  std::vector<std::string> names;
  UnitId first;
  for (uint32_t u = 0; u < view.units.size(); ++u) {
    if (!IsAccelerator(view.units[u])) continue;
    if (view.units[u].groups > 0) return "";
    if (view.units[u].left_out) continue;
    names.push_back(view.units[u].name);
    if (!first.valid()) first = UnitId(u);
  }
  if (names.empty() || view.groups.empty()) return "";
  struct Reason {
    size_t groups = 0;
    double time_s = 0;
  };
  std::map<std::string, Reason> reasons;
  for (const GroupRow& group : view.groups) {
    const std::optional<Refusal> refusal = RefusalOf(view, group, first);
    Reason& reason = reasons[refusal.has_value() ? RefusalText(*refusal) : ""];
    ++reason.groups;
    if (group.estimate) reason.time_s += group.estimate->time_s;
  }
  const auto weight = [](const auto& row) { return std::make_pair(row.second.time_s, row.second.groups); };
  const auto main = std::max_element(reasons.begin(), reasons.end(),
                                     [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
  const std::string groups = absl::StrCat(main->second.groups, " of ", view.groups.size(), " groups");
  const std::string& unit = view.units[first.index()].name;
  const bool cannot_begin = view.units[first.index()].prefix_only;
  const std::string why = main->first.empty() ? absl::StrCat(unit, " could run ", groups,
                                                             cannot_begin ? ", but it begins at the inputs only"
                                                                          : ", the plan is better without")
                                              : absl::StrCat(unit, " refuses ", main->first, ", in ", groups);
  return absl::StrCat("Nothing runs on ", absl::StrJoin(names, ", "), ": ", why);
}

}  // namespace hwest

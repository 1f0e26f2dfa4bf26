// The explain document: one node, its group, the fusions it missed, and how each unit would run it.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "fuse/fuse.h"
#include "fuse/patterns.h"
#include "hwest/reading.h"
#include "partition/support.h"
#include "report/getters.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/view_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

const MoveRow* MoveTo(const View& view, UnitId unit) {
  if (view.moves == nullptr) return nullptr;
  for (const MoveRow& move : *view.moves) {
    if (move.unit == unit) return &move;
  }
  return nullptr;
}

std::string PinFlags(const std::vector<NodeId>& nodes, const std::string& unit) {
  return absl::StrJoin(
      nodes, " ", [&](std::string* out, NodeId node) { absl::StrAppend(out, "--pin #", node.index(), "@", unit); });
}

// On its own unit the cost is the plan's; on another, the result of a run with the node pinned there.
ExplainedUnit ExplainedUnitOf(const View& view, const SupportRowView& row, GroupId group,
                              const std::vector<NodeId>& nodes) {
  const GroupRow planned = group.valid() ? view.groups[group.index()] : GroupRow();
  const bool chosen = group.valid() && planned.unit == row.unit;
  const bool timed = chosen && planned.estimate.has_value();
  std::string reason = SupportText(row.support, row.evidence);
  const std::optional<Refusal> refusal = group.valid() && !chosen ? RefusalOf(view, planned, row.unit) : std::nullopt;
  if (refusal.has_value() && refusal->node != row.node) {
    reason = absl::StrCat("its group does not run there: ", RefusalText(*refusal));
  }
  const MoveRow* move = MoveTo(view, row.unit);
  const bool moved = move != nullptr && move->latency_s.has_value();
  const std::optional<double> time_s = timed ? planned.estimate->time_s : moved ? move->time_s : std::nullopt;
  const std::optional<double> delta_s =
      moved ? std::optional<double>(*move->latency_s - view.summary.latency_s.value_or(0)) : std::nullopt;
  const std::string& unit = view.units[row.unit.index()].name;
  return {.unit = unit,
          .verdict = row.support.verdict,
          .reason = reason == "yes" ? std::nullopt : std::optional<std::string>(reason),
          .time_s = time_s,
          .chosen = chosen,
          .latency_s = moved ? move->latency_s : std::nullopt,
          .delta_s = delta_s,
          .flag = PinFlags(nodes, unit)};
}

CellTable UnitsTable(const View& view, const std::vector<NodeId>& nodes) {
  const GroupId group = view.nodes[nodes[0].index()].group;
  std::vector<Cells> rows;
  for (const SupportRowView& row : view.support) {
    if (row.node == nodes[0]) rows.push_back(CellsOf(ExplainedUnitOf(view, row, group, nodes)));
  }
  const size_t size = rows.size();
  return CellTable{ColumnsOf(static_cast<const ExplainedUnit*>(nullptr)), size,
                   [rows = std::move(rows)](size_t i) { return rows[i]; }};
}

std::string NodeText(const View& view, const NodeRow& row, const ReportOptions& options) {
  std::string text = Wrapped(absl::StrCat("class ", NodeClassName(row.node_class), ", origin ", OriginName(row.origin),
                                          ", ", CountText(row.macs), " MACs, ", CountText(row.params), " parameters"),
                             "  ", "    ", options);
  for (const ValueId output : view.graph->outputs(row.id)) {
    if (!output.valid()) continue;
    const ValueRow& value = view.values[output.index()];
    absl::StrAppend(&text, "  -> ", EscapeControl(value.name), ": ", value.dtype.value_or("?"), " ",
                    ShapeToText(value.shape), "\n");
    if (!value.blocked_by.empty()) {
      absl::StrAppend(&text, "     unknown since ", EscapeControl(absl::StrJoin(value.blocked_by, ", ")), "\n");
    }
  }
  if (const std::string reading = ReadingText(*view.graph, view.reading, row.id); !reading.empty()) {
    absl::StrAppend(&text, Wrapped(EscapeControl(reading), "  ", "    ", options));
  }
  if (!row.group.valid()) {
    absl::StrAppend(&text, "  in no group: a node of class ", NodeClassName(row.node_class), " is no kernel\n");
  }
  return text;
}

// "sram reads 3 MB, writes 2 MB, dram reads 1 MB, writes 1 MB, tiles 128 x 64 x 512, weight stationary"
std::string TrafficText(const View& view, const Estimate& estimate) {
  std::vector<std::string> parts;
  for (const MemoryTraffic& row : estimate.traffic) {
    parts.push_back(absl::StrCat(view.memories[row.memory], " reads ", FormatBytes(static_cast<double>(row.read_bytes)),
                                 ", writes ", FormatBytes(static_cast<double>(row.written_bytes))));
  }
  if (estimate.reload_bytes > 0)
    parts.push_back(absl::StrCat(FormatBytes(static_cast<double>(estimate.reload_bytes)), " of it again"));
  if (estimate.tiling.has_value()) parts.push_back(absl::StrCat("tiles ", getters::TileText(*estimate.tiling)));
  return absl::StrJoin(parts, ", ");
}

std::string GroupText(const View& view, const GroupRow& group, const ReportOptions& options) {
  const std::string unit = group.unit.valid() ? view.units[group.unit.index()].name : "no unit";
  std::string text = absl::StrCat("  ", group.nodes.size(), group.nodes.size() == 1 ? " node on " : " nodes on ", unit,
                                  group.precision ? absl::StrCat(" in ", *group.precision) : "", ", time ",
                                  group.estimate ? FormatSeconds(group.estimate->time_s) : "unknown", "\n");
  for (const NodeId member : group.nodes) {
    const NodeRow& node = view.nodes[member.index()];
    absl::StrAppend(&text, "    ", EscapeControl(absl::StrCat("#", member.index(), " ", node.op, " ", node.label)),
                    "\n");
  }
  if (const auto& e = group.estimate; e.has_value()) {
    const std::string parts =
        absl::StrCat("compute ", FormatSeconds(e->compute_s), ", memory ", FormatSeconds(e->memory_s), ", overhead ",
                     FormatSeconds(e->overhead_s), ", bound by ", BoundName(e->bound), ", ", Percent(e->utilisation),
                     " of dense peak");
    absl::StrAppend(&text, Wrapped(parts, "  ", "    ", options));
    if (!e->traffic.empty()) absl::StrAppend(&text, Wrapped(TrafficText(view, *e), "  ", "    ", options));
    for (const std::string& line : e->assumptions) {
      absl::StrAppend(&text, Wrapped(EscapeControl(line), "  ", "    ", options));
    }
  }
  if (group.measured_ratio) {
    const std::string alone = group.measured_s ? absl::StrCat("measured ", FormatSeconds(*group.measured_s), ", ")
                                               : "measured with other groups, ";
    absl::StrAppend(&text, "  ", alone, absl::StrFormat("%.3g", *group.measured_ratio), " times what is predicted\n");
  }
  if (group.segment.valid()) {
    const std::string reason = EscapeControl(view.segments[group.segment.index()].reason);
    absl::StrAppend(&text, Wrapped(reason, absl::StrCat("  segment ", group.segment.index(), ": "), "    ", options));
  }
  return text;
}

std::string FusionText(const FusionRow& fusion, const ReportOptions& options) {
  const std::string pattern = absl::StrCat("pattern ", fusion.name, " = ", fusion.expression);
  return absl::StrCat(Wrapped(EscapeControl(fusion.words), "  ", "    ", options),
                      Wrapped(EscapeControl(pattern), "  ", "    ", options),
                      Wrapped(EscapeControl(fusion.source), "  source ", "    ", options));
}

std::string MissText(const MissRow& miss) {
  return EscapeControl(absl::StrCat(miss.pattern, " at ", miss.node, ": ", miss.guard, ", found ", miss.found,
                                    miss.needed.empty() ? "" : ", needed ", miss.needed,
                                    miss.edit.empty() ? "" : "; to fuse, ", miss.edit));
}

// A fusion of the toolchain that the unit splits because it refuses a part of it.
void AddSplit(const Analysis& analysis, const PlannedGroup& planned, NodeId node, std::vector<MissRow>* misses) {
  const Overlay& overlay = *analysis.overlays[planned.unit];
  if (!overlay.group_of[node].valid()) return;
  const Group& whole = overlay.groups[overlay.group_of[node]];
  if (whole.nodes.size() <= planned.group.nodes.size()) return;
  const std::string& unit = analysis.target->units[planned.unit].name;
  for (const NodeId member : whole.nodes) {
    const Support& support = analysis.support[planned.unit][member];
    if (support.verdict != Verdict::kNo) continue;
    const Toolchain* toolchain = ToolchainOf(*analysis.target, analysis.target->units[planned.unit]);
    misses->push_back({std::string(whole.pattern), analysis.graph->Label(member), "support",
                       SupportText(support, EvidenceOf(*analysis.graph, member, toolchain, support)),
                       absl::StrCat("every node of the fusion on ", unit),
                       absl::StrCat("change what ", unit, " refuses of ", analysis.graph->op(member))});
    return;
  }
}

}  // namespace

void FillMisses(const Analysis& analysis, NodeId node, View* view) {
  if (analysis.target == nullptr || !analysis.plan.has_value()) return;
  const GroupId id = analysis.plan->group_of[node];
  if (!id.valid() || !analysis.plan->groups[id.index()].unit.valid()) return;
  const PlannedGroup& planned = analysis.plan->groups[id.index()];
  DimPool dims(analysis.dims.get());  // threads may share the analysis
  FuseOptions options{.toolchain = ToolchainOf(*analysis.target, analysis.target->units[planned.unit]),
                      .rules = analysis.fusion_rules,
                      .dims = &dims,
                      .precision = planned.work.precision.act};
  if (options.toolchain == nullptr || analysis.request.fusions == "none") return;
  if (const PatternRow* row = planned.group.fusion.get(); row != nullptr) {
    view->fusion = FusionRow{node, std::string(row->name), std::string(row->words), std::string(row->expression),
                             std::string(row->source)};
  }
  const auto misses = ExplainMisses(GraphAsRead(analysis), analysis.facts, analysis.classes, options,
                                    *analysis.overlays[planned.unit], node);
  if (!misses.ok()) return;
  view->misses.emplace();
  AddSplit(analysis, planned, node, &*view->misses);
  for (const Miss& miss : *misses) {
    view->misses->push_back({miss.pattern, miss.node.valid() ? analysis.graph->Label(miss.node) : "", miss.guard,
                             miss.found, miss.needed, miss.edit});
  }
}

Document ExplainDocument(const View& view, const std::vector<NodeId>& nodes) {
  const NodeId node = nodes[0];
  Document document = HeadOf(ReportKind::kExplain, view);
  document.node = node;
  const GroupId group = view.nodes[node.index()].group;
  document.parts.push_back(PartOfRow("node", view.nodes[node.index()], view));
  document.parts.push_back(group.valid() ? PartOfRow("group", view.groups[group.index()], view)
                                         : Part{"group", Cell()});
  document.parts.push_back(view.fusion.has_value() ? PartOfRow("fusion", *view.fusion) : Part{"fusion", Cell()});
  document.parts.push_back(view.misses.has_value() ? Part{"misses", TableOfRows(*view.misses)}
                                                   : Part{"misses", Cell()});
  document.parts.push_back({"units", UnitsTable(view, nodes)});
  document.tables = {"units", "misses"};
  return document;
}

std::string ExplainText(const View& view, NodeId node, const Document& document, const ReportOptions& options) {
  const NodeRow& row = view.nodes[node.index()];
  const auto title = [&](absl::string_view text) {
    return absl::StrCat("\n", Paint(EscapeControl(text), Style::kBold, options.color), "\n");
  };
  std::string text = HeaderText(view, options);
  absl::StrAppend(&text, title(absl::StrCat("#", node.index(), " ", row.op, " ", row.label)),
                  NodeText(view, row, options));
  if (row.group.valid()) {
    const GroupRow& group = view.groups[row.group.index()];
    absl::StrAppend(&text, title(absl::StrCat("Group g", group.id.index(), ": ", group.pattern)),
                    view.fusion.has_value() ? FusionText(*view.fusion, options) : "", GroupText(view, group, options));
  }
  const CellTable* units = TableOf(document, "units");
  if (units->size > 0) absl::StrAppend(&text, title("Units"), TableText(*units, options));
  if (view.moves != nullptr && !view.moves->empty()) {
    const std::string missing = MissingText(view);
    const std::string what = absl::StrCat("latency_s and delta_s are those of the whole model with it pinned there",
                                          missing.empty() ? "" : absl::StrCat(", of what is known: ", missing));
    absl::StrAppend(&text, Wrapped(what, "  ", "  ", options));
  }

  if (view.misses.has_value() && !view.misses->empty()) {
    absl::StrAppend(&text, title("Fusions that nearly happened"));
    for (const MissRow& miss : *view.misses) absl::StrAppend(&text, Wrapped(MissText(miss), "  ", "    ", options));
  }
  return text;
}

}  // namespace hwest

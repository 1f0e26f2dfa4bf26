// Everything about the selected node, its kernel, or the selected module.
import { button, h, name, table } from "./dom.js";
import * as format from "./format.js";
import type { Analysis } from "./model.js";
import type { Change, State } from "./state.js";

type Row = [term: string, definition: Node | string];

const kShownMembers = 40;

// Beside the predicted time.
function measuredText(time_s: number, ratio: number): string {
  if (Number.isNaN(ratio)) return "not measured";
  const alone = Number.isNaN(time_s) ? "together with other kernels" : format.seconds(time_s);
  return `${alone}, ${format.ratio(ratio)} times what is predicted`;
}

export class Details {
  readonly element = h("section", { "aria-label": "Details", class: "details", tabindex: 0 });

  private readonly closer = button("×", { class: "closer", "aria-label": "Close the details", title: "Close (Escape)" },
                                   () => this.state.clearSelection());

  constructor(private readonly state: State, private readonly openInGraph: () => void) {
    this.update("selection");
  }
  update(change: Change): void {
    if (change !== "selection" && change !== "analysis") return;
    const { node, box } = this.state;
    const isEmpty = node < 0 && box < 0;
    this.element.classList.toggle("empty", isEmpty);
    this.element.replaceChildren(...(isEmpty ? this.ofNothing() : [this.closer, ...(node >= 0 ? this.ofNode(node)
                                                                                     : this.ofBox(box))]));
    this.element.scrollTop = 0;
  }

  private list(rows: (Row | null)[]): HTMLElement {
    return h("dl", {}, rows.filter((row) => row !== null)
             .flatMap(([term, definition]) => [h("dt", {}, term), h("dd", {}, definition)]));
  }
  private link(node: number, text?: string): HTMLElement {
    return button(name(text ?? this.state.analysis.label(node)), { class: "link" }, () => this.state.selectNode(node));
  }
  private boxLink(box: number): HTMLElement {
    const { path, name: own } = this.state.analysis.boxes[box]!;
    return button(name(path || own), { class: "link" }, () => this.state.selectBox(box));
  }
  private links(nodes: number[]): HTMLElement {
    const rows = nodes.slice(0, kShownMembers).map((node) => h("li", {}, this.link(node)));
    if (nodes.length > kShownMembers) rows.push(h("li", {}, `and ${nodes.length - kShownMembers} more`));
    return h("ul", { class: "links" }, rows);
  }

  // A strip until something is chosen.
  private ofNothing(): Node[] {
    return [h("h2", { title: "Choose a node or module in the tree, a picture, the table or by search" }, "Details")];
  }

  private ofNode(node: number): Node[] {
    const { analysis } = this.state;
    const { nodes } = analysis;
    const group = analysis.groupOf[node]!;
    const parts: Node[] = [
      h("h2", { "aria-live": "polite" }, name(analysis.label(node))),
      this.list([
        ["Operator", `${nodes.text("op", node)} (${nodes.text("domain", node)} ${nodes.text("since", node)})`],
        ["Id", `#${node}`],
        nodes.text("name", node) !== analysis.label(node) ? ["Name", name(nodes.text("name", node) || "(none)")] : null,
        ["Class", nodes.text("class", node)],
        ["Module", this.boxLink(analysis.boxOf[node]!)],
        ["MACs", format.countOf(nodes.cell("macs", node))],
        ["FLOP", format.countOf(nodes.cell("flops", node))],
        ["Parameters", format.countOf(nodes.cell("params", node))],
        ["Reads, as in the file", format.bytes(nodes.number("in_bytes", node))],
        ["Weights, as in the file", format.bytes(nodes.number("weight_bytes", node))],
        ["Writes, as in the file", format.bytes(nodes.number("out_bytes", node))],
      ]),
    ];
    parts.push(...(group >= 0 ? this.ofGroup(group, node) : [h("p", { class: "hint" }, this.whyNoKernel(node))]));
    parts.push(h("h3", {}, "Inputs"), this.tensors(nodes.list("input_ids", node) as number[], "producer"));
    parts.push(h("h3", {}, "Outputs"), this.tensors(nodes.list("output_ids", node) as number[], "consumers"));
    return parts;
  }
  private whyNoKernel(node: number): string {
    const kind = this.state.analysis.nodes.text("class", node);
    if (!this.state.analysis.hasPlan) return "No target was given, so nothing has a time.";
    if (kind === "view") return "A view, or read as one of its inputs: it moves nothing and needs no kernel.";
    if (kind === "shape") return "Arithmetic on shapes: known before run time, in no kernel.";
    if (kind === "constant") return "Constant: folded before run time, in no kernel.";
    return kind === "dead" ? "Nothing reads what it makes." : "In no kernel.";
  }

  private ofGroup(group: number, node: number): Node[] {
    const { analysis } = this.state;
    const { groups } = analysis;
    const figure = (key: string): number => groups.number(key, group);
    const members = groups.list("nodes", group) as number[];
    const segment = figure("segment");
    const [from, to] = analysis.spanOf(group);
    const parts: Node[] = [
      h("h3", {}, `Kernel g${group}: ${groups.text("pattern", group)}`),
      this.list([
        ["Time", Number.isNaN(figure("time_s")) ? format.kUnknown
         : `${format.seconds(figure("time_s"))} (${format.shareOf(figure("time_s"), analysis.latency_s)})`],
        analysis.measured === null ? null : ["Measured", measuredText(figure("measured_s"), figure("measured_ratio"))],
        ["Interval", `${format.seconds(figure("low_s"))} to ${format.seconds(figure("high_s"))}`],
        ["Runs", `${format.seconds(from)} to ${format.seconds(to)}${analysis.isPipeline(segment) ? ", with the rest of its pipeline" : ""}`],
        ["Bound", groups.text("bound", group) || format.kUnknown],
        ["Unit", groups.text("unit", group) || "none runs it"],
        ["Precision", groups.text("precision", group) || format.kUnknown],
        ["Energy", format.joules(figure("energy_j"))],
        ["Intensity", format.intensity(figure("intensity"))],
        ["against DRAM", format.intensity(figure("dram_intensity"))],
        ["Utilisation", format.percent(figure("utilisation"))],
        ["MACs", format.count(figure("macs"))],
        ["Moved, as it runs", format.bytes(analysis.movedBytes(group))],
        ["of it DRAM", format.bytes(figure("dram_bytes"))],
        figure("reload_bytes") > 0 ? ["of it again", format.bytes(figure("reload_bytes"))] : null,
        groups.text("loop_order", group) === ""
          ? null : ["Loop order", groups.text("loop_order", group).replace("_", " ")],
        ["Live, as it runs", format.bytes(figure("live_bytes"))],
        figure("saved_bytes") > 0
          ? ["Fusion saves", `${format.bytes(figure("saved_bytes"))}, ${figure("saved_launches")} launches`] : null,
        ["Figures", format.kGrades[groups.text("grade", group)] ?? format.kUnknown],
      ]),
      table("What the time is made of", ["Part", "Time"], [["arithmetic", format.seconds(figure("compute_s"))],
        ["traffic", format.seconds(figure("memory_s"))], ["launch", format.seconds(figure("overhead_s"))]], [0]),
      table("Energy", ["Part", "Energy"], [["arithmetic", "compute_j"], ["on-chip memory", "onchip_j"],
                                           ["DRAM", "dram_j"], ["static", "static_j"]]
        .map(([part, key]) => [part!, format.joules(figure(key!))]), [0]),
    ];
    const why = groups.text("why", group);
    if (why !== "") parts.push(h("h3", {}, "Not on an accelerator"), h("p", {}, name(why)));
    if (!Number.isNaN(segment)) {
      parts.push(h("h3", {}, `Segment ${segment}`), h("p", {}, name(analysis.segments.text("reason", segment))));
    }
    const assumptions = groups.list("assumptions", group);
    if (assumptions.length > 0) parts.push(h("h3", {}, "Assumed"),
                                           h("ul", {}, assumptions.map((text) => h("li", {}, name(String(text))))));
    if (members.length > 1) parts.push(h("h3", {}, `Nodes of the kernel: ${members.length}`),
                                       this.links(members.filter((member) => member !== node)));
    return parts;
  }

  private tensors(values: (number | null)[], other: "producer" | "consumers"): HTMLElement {
    const { analysis } = this.state;
    const rows = values.map((value) => {
      if (value === null) return h("li", {}, "left out");
      const nodes = other === "producer"
        ? [analysis.producer(value)].filter((node) => node >= 0) : analysis.consumers(value);
      return h("li", {}, name(analysis.values.text("name", value)),
        h("span", { class: "type" },
          `${analysis.values.text("dtype", value) || "?"} ${format.shapeOf(analysis.values.cell("shape", value))}`),
        nodes.length > 0 ? this.links(nodes) : null);
    });
    return h("ul", { class: "tensors" }, rows);
  }

  private ofBox(id: number): Node[] {
    const { analysis } = this.state;
    const box = analysis.boxes[id]!;
    const isRoot = id === 0;
    const row = (key: string): string => (box.row < 0 ? "" : format.countOf(analysis.modules.cell(key, box.row)));
    return [
      h("h2", { "aria-live": "polite" }, name(isRoot ? box.name : box.kind === "part" ? `${box.path} ${box.name}`
                                              : box.path)),
      this.list([
        box.row >= 0 && analysis.modules.text("class", box.row) !== ""
          ? ["Class", name(analysis.modules.text("class", box.row))] : null,
        box.parent >= 0 ? ["Inside", this.boxLink(box.parent)] : null,
        ["Nodes", format.plain(box.count)],
        analysis.hasPlan ? ["Time", `${analysis.timeOf(box)} (${analysis.shareOf(box)})`] : null,
        analysis.hasPlan ? ["Energy", format.joules(box.energy_j)] : null,
        ["MACs", box.row < 0 ? format.count(box.macs) : row("macs")],
        box.row >= 0 ? ["FLOP", row("flops")] : null,
        box.row >= 0 ? ["Parameters", row("params")] : null,
      ]),
      h("div", { class: "tools" },
        isRoot ? null : button("Show only this", { title: "Filter every view to this module" },
                               () => this.state.setFilter({ module: id })),
        button("Graph", { title: "Open or close it in the graph" }, this.openInGraph)),
      ...this.costliest(analysis, id),
    ];
  }
  private costliest(analysis: Analysis, box: number): Node[] {
    if (!analysis.hasPlan) return [];
    const inside = [...analysis.rootOf].filter((node) => analysis.isInside(node, box));
    inside.sort((a, b) => (analysis.groupNumber("time_s", b) || 0) - (analysis.groupNumber("time_s", a) || 0) || a - b);
    if (inside.length === 0) {
      return [h("p", { class: "hint" },
        "No kernel begins here: its nodes run in kernels of other modules, or not at all.")];
    }
    return [table(`Most expensive of ${inside.length} kernels`, ["Node", "Time"],
      inside.slice(0, 8).map((node) => [this.link(node), format.seconds(analysis.groupNumber("time_s", node))]), [0])];
  }
}

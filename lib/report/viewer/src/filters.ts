// The bar over every view: what is shown, what colours mean, and the share of the whole.
import { button, h, name, type Option, select, shown } from "./dom.js";
import { colorKeysOf, colorLabel } from "./colors.js";
import { SvgPen } from "./pen.js";
import * as format from "./format.js";
import { inkOn, theme } from "./theme.js";
import type { Change, State } from "./state.js";

export class Filters {
  readonly element = h("section", { class: "filters", "aria-label": "Filter and colours" });
  private readonly status = h("span", { class: "status", role: "status" });
  private readonly legend = h("span", { class: "legend" });
  private readonly module = h("span", { class: "chip", hidden: true });
  private readonly text = h("input", { type: "text", "aria-label": "Filter by text", placeholder: "filter by text",
    size: 14, spellcheck: "false" });
  private readonly reset: HTMLButtonElement;
  private selects: { [key in "op" | "unit" | "bound"]: HTMLSelectElement } | null = null;
  private color: HTMLSelectElement | null = null;
  private pending = 0;

  constructor(private readonly state: State) {
    this.reset = button("Clear", { title: "Show everything again" }, () => state.clearFilter());
    this.text.addEventListener("input", () => {
      clearTimeout(this.pending);
      this.pending = window.setTimeout(() => state.setFilter({ text: this.text.value.trim() }), 80);
    });
    this.build();
  }
  update(change: Change): void {
    if (change === "analysis") this.build();
    if (change !== "selection") this.render();
  }

  private options(any: string, counts: Map<string, number>): Option[] {
    const sorted = [...counts].filter(([value]) => value !== "").sort(([a], [b]) => (a < b ? -1 : 1));
    return [{ value: "", label: any }, ...sorted.map(([value, count]) => ({ value, label: `${value} (${format.plain(count)})` }))];
  }
  private build(): void {
    const { analysis } = this.state;
    const tally = (size: number, of: (row: number) => string): Map<string, number> => {
      const counts = new Map<string, number>();
      for (let row = 0; row < size; ++row) counts.set(of(row), (counts.get(of(row)) ?? 0) + 1);
      return counts;
    };
    const { nodes, groups } = analysis;
    this.selects = {
      op: select("Filter by operator", this.options("any operator", tally(nodes.size, (row) => nodes.text("op", row))),
                 (op) => this.state.setFilter({ op })),
      unit: select("Filter by unit", this.options("any unit", tally(groups.size, (row) => groups.text("unit", row))),
                   (unit) => this.state.setFilter({ unit })),
      bound: select("Filter by bound", this.options("any bound",
          tally(groups.size, (row) => groups.text("bound", row))), (bound) => this.state.setFilter({ bound })),
    };
    const keys = colorKeysOf(analysis);
    this.color = select("Colour by", keys.map((value) => ({ value,
      label: `colour: ${colorLabel(value).toLowerCase()}` })), (key) => this.state.setColor(key));
    this.element.replaceChildren(this.selects.op, ...(analysis.hasPlan ? [this.selects.unit, this.selects.bound] : []),
                                 this.text, this.module,
      this.reset, this.status, this.color, this.legend);
    this.render();
  }
  private render(): void {
    const { analysis, filter, isFiltered, palette } = this.state;
    for (const key of ["op", "unit", "bound"] as const) {
      if (this.selects !== null) this.selects[key].value = filter[key];
    }
    if (this.text.value.trim() !== filter.text) this.text.value = filter.text;
    this.module.hidden = filter.module < 0;
    if (filter.module >= 0) {
      const box = analysis.boxes[filter.module]!;
      this.module.replaceChildren(name(box.kind === "part" ? box.name : box.path),
        button("×", { "aria-label": `Show modules other than ${shown(box.path)} too` },
               () => this.state.setFilter({ module: -1 })));
    }
    this.reset.hidden = !isFiltered;
    this.status.textContent = this.statusText();
    if (this.color !== null) this.color.value = this.state.color;
    const focused = this.legend.contains(document.activeElement) ? document.activeElement!.textContent : null;
    this.legend.replaceChildren(...palette.legend.map(({ label, mark }) => {
      const pen = new SvgPen(14, 14, mark.fill);
      if (mark.shape !== null) pen.shape(mark.shape, 7, 7, 4.2, inkOn(mark.fill));
      if (mark.share !== null) pen.rect(0, 10, 14 * mark.share, 4, theme.ink);
      pen.svg.setAttribute("aria-hidden", "true");
      if (palette.kinds.length === 0) return h("span", {}, pen.svg, shown(label));
      const isOn = this.state.isMarked(label);
      const own = button(pen.svg, { "aria-pressed": String(isOn), title: isOn ? "Show everything again"
        : `Show ${shown(label)} alone, in every view` }, () => this.state.toggleMark(label));
      own.append(shown(label));
      return own;
    }));
    this.legend.title = palette.kinds.length > 0 ? "A module has the colour of most of its time"
      : "A module has the colour of its largest figure";
    for (const own of this.legend.querySelectorAll("button")) if (own.textContent === focused) own.focus();
  }
  private statusText(): string {
    const { analysis, groupPasses, nodePasses, isFiltered } = this.state;
    if (!isFiltered) return "";
    let groups = 0, time = 0, nodes = 0, isPartial = false;
    groupPasses.forEach((passes, group) => {
      groups += passes;
      if (passes === 0) return;
      const own = analysis.groups.number("time_s", group);
      if (Number.isNaN(own)) isPartial = true;
      else time += own;
    });
    nodePasses.forEach((passes) => (nodes += passes));
    const { plain } = format;
    if (!analysis.hasPlan) return `${plain(nodes)} of ${plain(analysis.nodes.size)} nodes`;
    return `${plain(groups)} of ${plain(analysis.groups.size)} kernels, ${plain(nodes)} nodes, ${format.atLeast(format.seconds(time), time, isPartial)}, ${format.shareOf(time, analysis.latency_s)}`;
  }
}

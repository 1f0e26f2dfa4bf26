// The state that all views share: the analysis shown, one selection, one filter, one colouring.
import type { Analysis } from "./model.js";
import { colorKeysOf, kindOf, type Mark, Palette } from "./colors.js";

export type Change = "analysis" | "selection" | "filter" | "color" | "theme";
export const kTabs = ["Summary", "Graph", "Timeline", "Memory", "Roofline", "Table"] as const;
// What colour and filter make of a box: null = nothing in it has a mark.
export interface BoxMark {
  mark: Mark | null; // of what passes
  passing: number; // kernels, without a target nodes
  total: number;
}
export type Tab = (typeof kTabs)[number];

export interface Filter {
  op: string; // "" = any, as in the next two
  unit: string;
  bound: string;
  module: number; // a box; -1 = any
  text: string;
  mark: string; // "precision: int8", an entry of a legend other than those above
}
const kNoFilter: Filter = { op: "", unit: "", bound: "", module: -1, text: "", mark: "" };
const kMarkEnd = ": ";

export class State {
  index = 0; // of the analysis shown
  node = -1; // selected; -1 = none
  box = -1; // selected instead of a node
  tab: Tab = "Summary";
  color: string;
  filter: Filter = { ...kNoFilter };
  groupPasses = new Uint8Array();
  nodePasses = new Uint8Array();
  private palettes: { [key: string]: Palette } = {};
  private readonly watchers: ((change: Change) => void)[] = [];
  private ranked: number[] | null = null;
  private boxMarks: BoxMark[] | null = null;

  constructor(readonly analyses: Analysis[]) {
    this.color = this.analysis.hasPlan ? "bound" : "macs";
    this.applyFilter();
  }
  get analysis(): Analysis {
    return this.analyses[this.index]!;
  }
  get palette(): Palette {
    return (this.palettes[this.color] ??= new Palette(this.analysis, this.color));
  }
  get isFiltered(): boolean {
    const { op, unit, bound, module, text, mark } = this.filter;
    return op !== "" || unit !== "" || bound !== "" || module >= 0 || text !== "" || mark !== "";
  }
  watch(watcher: (change: Change) => void): void {
    this.watchers.push(watcher);
  }
  notify(change: Change): void {
    if (change !== "selection") this.boxMarks = null;
    if (change === "theme" || change === "analysis") this.palettes = {};
    for (const watcher of this.watchers) watcher(change);
  }

  selectNode(node: number): void {
    this.node = node;
    this.box = -1;
    this.notify("selection");
  }
  selectBox(box: number): void {
    this.box = box;
    this.node = -1;
    this.notify("selection");
  }
  clearSelection(): void {
    this.node = -1;
    this.box = -1;
    this.notify("selection");
  }
  setColor(key: string): void {
    if (!colorKeysOf(this.analysis).includes(key)) return;
    this.color = key;
    this.notify("color");
  }
  setFilter(change: Partial<Filter>): void {
    this.filter = { ...this.filter, ...change };
    this.applyFilter();
    this.notify("filter");
  }
  // Shows what an entry of the legend stands for alone, or everything again.
  toggleMark(label: string): void {
    const { color } = this;
    if (color === "bound" || color === "unit") {
      this.setFilter({ [color]: this.filter[color] === label ? "" : label });
    } else {
      const mark = color + kMarkEnd + label;
      this.setFilter({ mark: this.filter.mark === mark ? "" : mark });
    }
  }
  isMarked(label: string): boolean {
    const { color, filter } = this;
    return color === "bound" || color === "unit" ? filter[color] === label : filter.mark === color + kMarkEnd + label;
  }
  clearFilter(): void {
    this.setFilter(kNoFilter);
  }
  // The selection stays where the other analysis has a node or module of that name.
  showAnalysis(index: number): void {
    const name = this.node >= 0 ? this.analysis.label(this.node) : null;
    const path = this.box >= 0 ? this.analysis.boxes[this.box]!.path : null;
    this.index = index;
    this.node = name === null ? -1 : this.analysis.find(name);
    this.box = path === null ? -1 : this.analysis.findBox(path);
    this.filter = { ...this.filter, module: -1 };
    this.applyFilter();
    this.notify("analysis");
  }

  leafPasses(leaf: number): boolean {
    const group = this.analysis.groupOf[leaf]!;
    return (group < 0 ? this.nodePasses[leaf] : this.groupPasses[group]) === 1;
  }
  // Of a box and all in it.
  boxMark(box: number): BoxMark {
    this.boxMarks ??= this.makeBoxMarks();
    return this.boxMarks[box]!;
  }
  // Whether the filter leaves nothing of a box that had something.
  isBoxDim(box: number): boolean {
    const { passing, total } = this.boxMark(box);
    return this.isFiltered && passing === 0 && total > 0;
  }
  private makeBoxMarks(): BoxMark[] {
    const { analysis, palette } = this;
    const leaves = (analysis.hasPlan ? [...analysis.rootOf] : [...analysis.leafOf.keys()])
      .filter((leaf) => !analysis.isConstant(leaf));
    const passing = leaves.filter((leaf) => this.leafPasses(leaf));
    const marks: BoxMark[] = palette.ofBoxes(passing).map((mark) => ({ mark, passing: 0, total: 0 }));
    const count = (from: number[], key: "passing" | "total"): void => {
      for (const leaf of from) {
        for (let box = analysis.placeOf(leaf); box >= 0; box = analysis.boxes[box]!.parent) ++marks[box]![key];
      }
    };
    count(passing, "passing");
    count(leaves, "total");
    return marks;
  }
  // The leaf that the selection stands for in pictures; -1 = none.
  get leaf(): number {
    return this.node < 0 ? -1 : this.analysis.leafOf[this.node]!;
  }

  // From one kernel to the next more or less expensive one that passes the filter.
  stepBottleneck(step: 1 | -1): void {
    const ranked = this.ranking();
    if (ranked.length === 0) return;
    const at = this.leaf < 0 ? -1 : ranked.indexOf(this.leaf);
    const next = at < 0 ? (step > 0 ? 0 : ranked.length - 1) : (at + step + ranked.length) % ranked.length;
    this.selectNode(ranked[next]!);
  }
  private ranking(): number[] {
    if (this.ranked !== null) return this.ranked;
    const { analysis } = this;
    const key = analysis.hasPlan ? "time_s" : "macs";
    const cost = (leaf: number): number =>
      (analysis.hasPlan ? analysis.groupNumber(key, leaf) : analysis.nodes.number(key, leaf)) || 0;
    const leaves = analysis.hasPlan ? [...analysis.rootOf] : [...analysis.leafOf.keys()];
    this.ranked = leaves.filter((leaf) => this.leafPasses(leaf)).sort((a, b) => cost(b) - cost(a) || a - b);
    return this.ranked;
  }

  private applyFilter(): void {
    const { analysis, filter } = this;
    const { nodes, groups } = analysis;
    this.ranked = null;
    this.nodePasses = new Uint8Array(nodes.size).fill(1);
    this.groupPasses = new Uint8Array(groups.size).fill(1);
    if (!this.isFiltered) return;
    const inside = new Uint8Array(analysis.boxes.length);
    const open = filter.module < 0 ? [] : [filter.module];
    for (let box = open.pop(); box !== undefined; box = open.pop()) {
      inside[box] = 1;
      open.push(...analysis.boxes[box]!.boxes);
    }
    const text = filter.text.toLowerCase();
    const at = filter.mark.indexOf(kMarkEnd);
    const [key, label] = [filter.mark.slice(0, Math.max(0, at)), filter.mark.slice(at + kMarkEnd.length)];
    const isIn = (node: number): boolean => filter.module < 0 || inside[analysis.boxOf[node]!] === 1;
    this.groupPasses.fill(0);
    for (let node = 0; node < nodes.size; ++node) {
      const group = analysis.groupOf[node]!;
      const passes =
        (filter.op === "" || nodes.text("op", node) === filter.op) &&
        (filter.unit === "" || analysis.unitOf(node) === filter.unit) &&
        (filter.bound === "" || analysis.boundOf(node) === filter.bound) && isIn(node) &&
        (filter.mark === "" || kindOf(key, analysis, node) === label) &&
        (text === "" || [analysis.label(node), nodes.text("op", node), nodes.text("module", node),
                         group < 0 ? "" : groups.text("pattern", group)].some((own) => own.toLowerCase()
                                                                              .includes(text)));
      this.nodePasses[node] = passes ? 1 : 0;
      if (passes && group >= 0) this.groupPasses[group] = 1;
    }
  }
}

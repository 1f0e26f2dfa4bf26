// Modules by time: a module's width is its cost, and it stands over its parts.
import { CanvasView, type Hit, leafLines } from "./canvas_view.js";
import { button } from "./dom.js";
import * as format from "./format.js";
import { type Mark, Palette } from "./colors.js";
import { inkOn, mix, theme } from "./theme.js";
import type { Pen } from "./pen.js";
import type { Change, State } from "./state.js";

interface Cell {
  node: number; // -1 = a box, kRest = what lies between groups
  box: number;
  x: number;
  y: number;
  width: number;
}

const kRest = -2;
const kRowHeight = 26;
const kMostHeight = 330;
const kLeastRow = 13;

export class Icicle extends CanvasView {
  private cells: Cell[] = [];
  private top = 0; // the box over the whole width
  private rowHeight = kRowHeight;
  private isStale = true;
  private readonly out = button("Whole model", { title: "Show the whole model again" }, () => this.enterBox(0));

  constructor(state: State) {
    super(state, "Modules by time",
      "Arrow keys move the selection, Enter widens the selected module, Escape shows the whole model.");
    this.tools.append(this.out);
  }

  update(change: Change): void {
    if (change === "analysis") this.top = 0;
    if (change === "analysis") this.isStale = true;
    this.out.hidden = this.top === 0;
    this.invalidate();
  }
  protected override fit(): void {
    this.isStale = true;
    this.out.hidden = this.top === 0;
  }

  private weight(node: number, box: number): number {
    const { analysis } = this.state;
    if (node === kRest) return this.weight(-1, box) - this.inside(box);
    if (!analysis.hasPlan) {
      const macs = node >= 0 ? analysis.nodes.number("macs", node) : analysis.boxes[box]!.macs;
      return this.hasMacs ? macs || 0 : node >= 0 ? 1 : analysis.boxes[box]!.count;
    }
    return (node >= 0 ? analysis.groupNumber("time_s", node) : analysis.boxes[box]!.time_s) || 0;
  }
  // Of the members of a box.
  private inside(box: number): number {
    const { analysis } = this.state;
    const { boxes, nodes } = analysis.boxes[box]!;
    const leaves = nodes.map((node) => analysis.leafAt(node)).filter((leaf) => leaf >= 0);
    return boxes.reduce((sum, id) => sum + this.weight(-1, id), 0) +
      leaves.reduce((sum, leaf) => sum + this.weight(leaf, -1), 0);
  }
  private get hasMacs(): boolean {
    return this.state.analysis.root.macs > 0;
  }
  private share(cell: Cell): string {
    const { analysis } = this.state;
    const weight = this.weight(cell.node, cell.box);
    if (!analysis.hasPlan) return this.hasMacs ? format.withUnit(weight, "MACs") : `${weight} nodes`;
    const isPartial = cell.node === -1 && analysis.boxes[cell.box]!.isPartial;
    return `${format.atLeast(format.seconds(weight), weight, isPartial)} · ${format.shareOf(weight, analysis.latency_s)}`;
  }

  private arrange(): void {
    this.isStale = false;
    this.cells = [];
    let rows = 1;
    const visit = (box: number, x: number, width: number, row: number): void => {
      rows = Math.max(rows, row + 1);
      this.cells.push({ node: -1, box, x, y: row, width });
      if ((row + 2) * kLeastRow > kMostHeight) return;
      const { boxes, nodes } = this.state.analysis.boxes[box]!;
      const members = [
        ...boxes.map((id) => ({ node: -1, box: id, first: this.state.analysis.boxes[id]!.first })),
        ...nodes.map((first) => ({ node: this.state.analysis.leafAt(first), box, first }))
          .filter(({ node }) => node >= 0),
      ].map((member) => ({ ...member, weight: this.weight(member.node, member.box) }))
        .filter(({ weight }) => weight > 0);
      members.sort((a, b) => a.first - b.first);
      const total = Math.max(this.weight(-1, box), members.reduce((sum, { weight }) => sum + weight, 0));
      let left = x;
      for (const member of members) {
        const own = (width * member.weight) / total;
        if (own >= 0.7 && member.node < 0) visit(member.box, left, own, row + 1);
        else if (own >= 0.7) {
          this.cells.push({ node: member.node, box: member.box, x: left, y: row + 1, width: own });
          rows = Math.max(rows, row + 2);
        }
        left += own;
      }
      const rest = x + width - left;
      if (box === 0 && this.state.analysis.hasPlan && rest > 2) this.cells.push({ node: kRest, box, x: left, y: row + 1,
        width: rest });
    };
    visit(this.top, 0, this.width, 0);
    this.rowHeight = Math.max(kLeastRow, Math.min(kRowHeight, Math.floor(kMostHeight / rows)));
    this.frame.style.height = `${Math.min(kMostHeight, rows * this.rowHeight + 2)}px`;
  }

  protected paint(pen: Pen): void {
    if (this.isStale) this.arrange();
    const { analysis } = this.state;
    const size = Math.min(12, this.rowHeight - 4);
    for (const cell of this.cells) {
      const y = cell.y * this.rowHeight;
      if (cell.node === kRest) {
        this.paintRest(pen, cell, y, size);
        continue;
      }
      const mark = cell.node < 0 ? this.markOf(cell.box) : this.state.palette.of(cell.node);
      const isDim = cell.node < 0 ? this.state.isBoxDim(cell.box) : this.state.isFiltered &&
        !this.state.leafPasses(cell.node);
      const fill = isDim ? theme.surface : mark.fill;
      const gap = cell.width > 3 ? 1 : 0;
      pen.rect(cell.x, y, cell.width - gap, this.rowHeight - 1, fill);
      if (isDim && cell.width > 3) pen.rect(cell.x + 0.5, y + 0.5, cell.width - gap - 1, this.rowHeight - 2, null,
                                            theme.line);
      const hasShape = mark.shape !== null && cell.width > 16 && !isDim;
      if (hasShape) pen.shape(mark.shape!, cell.x + 9, y + this.rowHeight / 2, 4, inkOn(fill));
      if (mark.share !== null && cell.width > 16) {
        pen.rect(cell.x, y + this.rowHeight - 4, (cell.width - gap) * mark.share, 3, theme.ink);
      }
      if (cell.width < 26) continue;
      const left = cell.x + (hasShape ? 17 : 5);
      const label = cell.node < 0 ? analysis.boxes[cell.box]!.name : analysis.label(cell.node).split("/").pop()!;
      const room = cell.x + cell.width - left - 6;
      const text = room > 190 ? `${label}   ${this.share(cell)}` : label;
      pen.text(text, left, y + this.rowHeight / 2, inkOn(fill), size, room, "start", cell.y === 0);
    }
    for (const cell of this.cells) {
      const isChosen = cell.node >= 0 ? cell.node === this.state.leaf : cell.node === -1 && cell.box === this.state.box;
      if (isChosen) {
        pen.rect(cell.x + 1, cell.y * this.rowHeight + 1, Math.max(2, cell.width - 3), this.rowHeight - 3, null,
                 theme.accent, 3);
      }
    }
  }

  // Paler than its members.
  private markOf(box: number): Mark {
    const { mark } = this.state.boxMark(box);
    return mark === null ? Palette.plain : { fill: mix(theme.surface, mark.fill, 0.42), shape: null, share: null };
  }
  private paintRest(pen: Pen, cell: Cell, y: number, size: number): void {
    pen.rect(cell.x + 0.5, y + 0.5, cell.width - 1, this.rowHeight - 2, null, theme.line);
    const pipelines = this.state.analysis.hasPipelines ? ", filling pipelines" : "";
    const text = cell.width > 260
      ? `between kernels: moves, starts${pipelines}   ${this.share(cell)}` : "between kernels";
    pen.text(text, cell.x + 5, y + this.rowHeight / 2, theme.faint, size, cell.width - 10);
  }

  protected pick(x: number, y: number): Hit | null {
    const row = Math.floor(y / this.rowHeight);
    const cell = this.cells.find((cell) => cell.y === row && x >= cell.x && x < cell.x + cell.width);
    if (cell === undefined) return null;
    const { analysis } = this.state;
    if (cell.node === kRest) {
      return { node: -1, box: -1, lines: ["between kernels", this.share(cell),
                                          "segments that are moved to their unit and started, pipelines that fill"] };
    }
    if (cell.node >= 0) return { node: cell.node, box: -1,
      lines: leafLines(this.state, cell.node, [this.share(cell)]) };
    const box = analysis.boxes[cell.box]!;
    return { node: -1, box: cell.box, lines: [box.path || box.name,
                                              `${this.share(cell)} · ${format.plain(box.count)} nodes`] };
  }

  private enterBox(box: number): void {
    this.top = box;
    this.isStale = true;
    this.update("selection");
  }
  protected override enter(hit: Hit | null): void {
    if (hit !== null && hit.box >= 0) this.enterBox(hit.box);
  }

  protected override key(key: string): boolean {
    if (key === "Escape" && this.top !== 0) return this.enterBox(0), true;
    if (key === "Enter" && this.state.box >= 0) return this.enterBox(this.state.box), true;
    const at = this.cells.findIndex((cell) =>
      cell.node >= 0 ? cell.node === this.state.leaf : cell.node === -1 && cell.box === this.state.box);
    if (!key.startsWith("Arrow")) return false;
    const cell = this.cells[at];
    if (cell === undefined) {
      this.state.selectBox(this.top);
      return true;
    }
    const inRow = (y: number): Cell[] => this.cells.filter((other) => other.y === y && other.node !== kRest)
      .sort((a, b) => a.x - b.x);
    const row = inRow(cell.y);
    const middle = cell.x + Math.min(cell.width / 2, 1);
    const next = key === "ArrowRight" ? row[row.indexOf(cell) + 1]
      : key === "ArrowLeft" ? row[row.indexOf(cell) - 1]
      : key === "ArrowUp" ? inRow(cell.y - 1).find((other) => middle >= other.x && middle < other.x + other.width)
      : inRow(cell.y + 1).find((other) => other.x >= cell.x - 0.1 && other.x < cell.x + cell.width);
    if (next !== undefined) this.choose({ node: next.node, box: next.node < 0 ? next.box : -1, lines: [] });
    return true;
  }
}

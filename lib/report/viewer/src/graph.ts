// The graph as nested boxes: modules open and close, with a box for each kernel inside. Lays out only open boxes, each
// by itself, and draws nothing too small to see.
import { CanvasView, type Hit, leafLines } from "./canvas_view.js";
import { button, h } from "./dom.js";
import * as format from "./format.js";
import { layered, type Layout, type Point, type Size } from "./layout.js";
import type { Analysis, Box } from "./model.js";
import type { Pen } from "./pen.js";
import { inkOn, mix, theme } from "./theme.js";
import type { Change, State } from "./state.js";

// An item is a leaf by its node's id, or a box by the number of nodes plus its own id.
type Item = number;

interface Placed extends Size {
  items: Item[];
  layout: Layout;
}
interface Frame extends Size {
  x: number;
  y: number;
}
interface Drawn extends Frame {
  item: Item;
  depth: number;
}

const kLeafHeight = 36;
const kBoxHeight = 46;
const kNear = 60; // between boxes that follow each other
const kHead = 24;
const kPadding = 14;
const kBoxesAtFirst = 36;
const kReadable = 0.5; // the scale at which names of boxes are still read
const kMostOpened = 1500; // boxes that "open all" shows
const kLeastShown = 5; // pixels; smaller boxes are not drawn
const kLeastOpen = 44; // pixels of height; smaller open boxes are drawn as closed ones
const kLeastScale = 0.004;
const kMostScale = 4;

export class Graph extends CanvasView {
  private open = new Set<number>();
  private placed = new Map<number, Placed>();
  private edges: Map<number, Map<string, number>> | null = null; // by box: "from,to" of its items
  private leafEdges: [number, number][] = [];
  private leavesIn: Int32Array = new Int32Array();
  private withViews = false;
  private scale = 1;
  private x = 0;
  private y = 0;
  private drawn: Drawn[] = [];
  private isFitted = false;
  private readonly views: HTMLInputElement;
  private readonly note = h("span", { class: "note" });

  constructor(state: State) {
    super(state, "Graph",
      "Arrow keys walk along the tensors, Enter opens or closes the selected module, plus and minus zoom, " +
        "0 shows everything.");
    this.views = h("input", { type: "checkbox", change: () => this.showViews(this.views.checked) });
    this.tools.append(
      button("Fit", { title: "Show everything (0)" }, () => this.fitAll()),
      button("+", { "aria-label": "Zoom in", title: "Zoom in (+)" },
             () => this.zoom(1.4, this.width / 2, this.height / 2)),
      button("−", { "aria-label": "Zoom out", title: "Zoom out (-)" },
             () => this.zoom(1 / 1.4, this.width / 2, this.height / 2)),
      button("Open all", { title: "Open every module, as far as the page stays readable" }, () => this.openAll()),
      button("Close all", { title: "Close every module" }, () => this.closeAll()),
      h("label", {}, this.views, ` views and shapes (dashed: ${format.kNoKernel})`), this.note);
  }

  private get analysis(): Analysis {
    return this.state.analysis;
  }
  private boxOfItem(item: Item): Box | null {
    return item < this.analysis.nodes.size ? null : this.analysis.boxes[item - this.analysis.nodes.size]!;
  }
  private itemOf(box: number): Item {
    return this.analysis.nodes.size + box;
  }

  // Whether the node has its own place; views and shape arithmetic have one on request.
  private isDrawn(node: number): boolean {
    if (!this.analysis.isLeaf(node) || this.analysis.isConstant(node)) return false;
    return this.analysis.groupOf[node]! >= 0 || this.withViews || !this.analysis.hasPlan;
  }

  update(change: Change): void {
    if (change === "analysis") this.forget();
    if (change === "selection" && this.isShown) this.reveal();
    this.invalidate();
  }
  private forget(): void {
    this.edges = null;
    this.placed.clear();
    this.open.clear();
    this.isFitted = false;
  }
  protected override fit(): void {
    this.prepare();
    if (this.isFitted) return;
    this.isFitted = true;
    this.fitAll();
    if (this.state.node >= 0 || this.state.box >= 0) this.reveal();
  }

  private showViews(withViews: boolean): void {
    this.withViews = withViews;
    this.views.checked = withViews;
    this.edges = null;
    this.placed.clear();
    this.prepare();
    if (this.state.node >= 0) this.reveal();
    this.invalidate();
  }

  // Which leaf feeds which, as edges between members of the innermost box that holds both.
  private prepare(): void {
    if (this.edges !== null) return;
    const { analysis } = this;
    const through = (node: number): boolean => !this.isDrawn(analysis.leafOf[node]!);
    this.leafEdges = [];
    this.leavesIn = new Int32Array(analysis.boxes.length);
    this.edges = new Map();
    for (let node = 0; node < analysis.nodes.size; ++node) {
      if (!this.isDrawn(node)) continue;
      for (let box = analysis.placeOf(node); box >= 0; box = analysis.boxes[box]!.parent) ++this.leavesIn[box]!;
      for (const source of analysis.sources(node, through)) this.leafEdges.push([source, node]);
    }
    for (const [from, to] of this.leafEdges) {
      const [box, a, b] = this.meet(from, to);
      let own = this.edges.get(box);
      if (own === undefined) this.edges.set(box, (own = new Map()));
      const key = `${a},${b}`;
      own.set(key, (own.get(key) ?? 0) + 1);
    }
    if (this.open.size === 0) this.openFirst();
  }
  private meet(from: number, to: number): [box: number, a: Item, b: Item] {
    const { boxes } = this.analysis;
    let a = this.analysis.placeOf(from), b = this.analysis.placeOf(to);
    let itemA: Item = from, itemB: Item = to;
    while (a !== b) {
      if (boxes[a]!.depth >= boxes[b]!.depth) {
        itemA = this.itemOf(a);
        a = boxes[a]!.parent;
      } else {
        itemB = this.itemOf(b);
        b = boxes[b]!.parent;
      }
    }
    return [a, itemA, itemB];
  }

  private itemsOf(box: number): Item[] {
    const { boxes, nodes } = this.analysis.boxes[box]!;
    const members = [
      ...boxes.filter((child) => this.leavesIn[child]! > 0)
        .map((child) => ({ item: this.itemOf(child), first: this.analysis.boxes[child]!.first })),
      ...nodes.map((first) => ({ item: this.analysis.leafAt(first), first }))
        .filter(({ item }) => item >= 0 && this.isDrawn(item)),
    ];
    return members.sort((a, b) => a.first - b.first).map(({ item }) => item);
  }
  // The most expensive boxes are open at first, as long as everything fits a page and can be read there.
  private openFirst(): void {
    let shown = 0;
    const waiting = [0];
    while (waiting.length > 0) {
      waiting.sort((a, b) => (this.analysis.boxes[b]!.time_s || 0) - (this.analysis.boxes[a]!.time_s || 0));
      const box = waiting.shift()!;
      const items = this.itemsOf(box);
      if (shown > 1 && shown + items.length > kBoxesAtFirst) return;
      if (shown > 1 && items.length === 1 && this.boxOfItem(items[0]!) === null) continue;  // shows nothing more
      this.open.add(box);
      this.changed(box);
      if (shown > 1 && this.fittingScale() < kReadable) {
        this.open.delete(box);
        this.changed(box);
        continue;
      }
      shown += items.length;
      for (const item of items) if (this.boxOfItem(item) !== null) waiting.push(this.boxOfItem(item)!.id);
    }
  }

  private sizeOf(item: Item): Size {
    const box = this.boxOfItem(item);
    if (box === null) return { width: 176, height: kLeafHeight };
    if (!this.open.has(box.id)) return { width: 190, height: kBoxHeight };
    const placed = this.place(box.id);
    return { width: placed.width, height: placed.height };
  }
  private place(box: number): Placed {
    const had = this.placed.get(box);
    if (had !== undefined) return had;
    const items = this.itemsOf(box);
    const index = new Map(items.map((item, i) => [item, i]));
    const edges = [...(this.edges?.get(box)?.keys() ?? [])].map((key) =>
      key.split(",").map((item) => index.get(Number(item))!) as Point);
    const layout = layered(items.map((item) => this.sizeOf(item)), edges);
    const placed: Placed = {
      items, layout, width: Math.max(190, layout.width + 2 * kPadding), height: layout.height + kHead + 2 * kPadding,
    };
    this.placed.set(box, placed);
    return placed;
  }
  // A box that opens or closes has another size, and so may all around it.
  private changed(box: number): void {
    for (const at of this.analysis.lineage(box)) this.placed.delete(at);
  }
  private toggle(box: number): void {
    const before = this.frameOf(this.itemOf(box));
    if (this.open.has(box) && box !== 0) this.open.delete(box);
    else this.open.add(box);
    this.changed(box);
    const after = this.frameOf(this.itemOf(box));
    if (before !== null && after !== null) {
      this.x += (before.x - after.x) * this.scale;
      this.y += (before.y - after.y) * this.scale;
    }
    this.invalidate();
  }
  private openAll(): void {
    let shown = 0;
    const waiting = [0];
    for (let box = waiting.shift(); box !== undefined; box = waiting.shift()) {
      const items = this.itemsOf(box);
      if (shown + items.length > kMostOpened) continue;
      shown += items.length;
      this.open.add(box);
      for (const item of items) if (this.boxOfItem(item) !== null) waiting.push(this.boxOfItem(item)!.id);
    }
    this.placed.clear();
    this.fitAll();
  }
  private closeAll(): void {
    this.open = new Set([0]);
    this.placed.clear();
    this.fitAll();
  }

  // Where an item is in the picture's own coordinates; null = inside a closed box.
  private frameOf(item: Item): Frame | null {
    const box = this.boxOfItem(item);
    const parent = box === null ? this.analysis.placeOf(item) : box.parent;
    if (parent < 0) return { x: 0, y: 0, ...this.sizeOf(item) };
    if (!this.open.has(parent)) return null;
    const outer = this.frameOf(this.itemOf(parent));
    const placed = outer === null ? null : this.place(parent);
    const at = placed === null ? -1 : placed.items.indexOf(item);
    if (outer === null || placed === null || at < 0) return null;
    const [x, y] = placed.layout.at[at]!;
    const left = outer.x + (placed.width - placed.layout.width) / 2;
    return { x: left + x, y: outer.y + kHead + kPadding + y, ...this.sizeOf(item) };
  }
  // The item itself, or the closed box that hides it.
  private visible(leaf: number): Item {
    let item: Item = leaf;
    const line = this.analysis.lineage(this.analysis.placeOf(leaf));
    for (const box of line) if (!this.open.has(box)) return this.itemOf(box);
    if (!this.isDrawn(leaf)) item = this.itemOf(line[line.length - 1]!);
    return item;
  }

  // The scale at which everything is just seen.
  private fittingScale(): number {
    const { width, height } = this.sizeOf(this.itemOf(0));
    return Math.min((this.width - 16) / width, (this.height - 16) / height);
  }
  private fitAll(): void {
    if (!this.isShown) return;
    const { width, height } = this.sizeOf(this.itemOf(0));
    this.scale = Math.max(kLeastScale, Math.min(1.25, this.fittingScale()));
    this.x = (this.width - width * this.scale) / 2;
    this.y = Math.max(8, (this.height - height * this.scale) / 2);
    this.invalidate();
  }
  // Opens what hides the selection and brings it into sight.
  private reveal(): void {
    const { node, box } = this.state;
    if (node < 0 && box < 0) return;
    this.prepare();
    const leaf = this.state.leaf;
    if (leaf >= 0 && !this.isDrawn(leaf) && !this.analysis.isConstant(leaf) && !this.withViews) {
      this.showViews(true);
      return;
    }
    const line = this.analysis.lineage(leaf >= 0 ? this.analysis.placeOf(leaf) : this.analysis.boxes[box]!.parent);
    for (const at of line) {
      if (this.open.has(at)) continue;
      this.open.add(at);
      this.changed(at);
    }
    const frame = this.frameOf(leaf >= 0 ? leaf : this.itemOf(box));
    if (frame === null) return;
    const left = this.x + frame.x * this.scale, top = this.y + frame.y * this.scale;
    const right = left + frame.width * this.scale, bottom = top + frame.height * this.scale;
    const isInSight = left >= 0 && top >= 0 && right <= this.width && bottom <= this.height && this.scale > 0.45;
    if (isInSight) return;
    const most = Math.min((this.width - 40) / frame.width, (this.height - 40) / frame.height);
    this.scale = Math.min(Math.max(this.scale, 0.8), Math.max(kLeastScale, most));
    this.x = this.width / 2 - (frame.x + frame.width / 2) * this.scale;
    this.y = this.height / 2 - (frame.y + frame.height / 2) * this.scale;
  }

  protected override pan(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    this.invalidate();
  }
  protected override zoom(factor: number, x: number, y: number): void {
    const scale = Math.min(kMostScale, Math.max(kLeastScale, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.invalidate();
  }

  protected paint(pen: Pen): void {
    this.drawn = [];
    this.paintBox(pen, 0, this.x, this.y, 0);
    this.paintSelection(pen);
    const hidden = this.analysis.nodes.size;
    this.note.textContent = `${this.drawn.length} boxes of ${hidden} nodes`;
  }
  private isOutside(x: number, y: number, width: number, height: number): boolean {
    return x > this.width || y > this.height || x + width < 0 || y + height < 0;
  }

  private paintBox(pen: Pen, box: number, x: number, y: number, depth: number): void {
    const placed = this.place(box);
    const width = placed.width * this.scale, height = placed.height * this.scale;
    if (this.isOutside(x, y, width, height)) return;
    const item = this.itemOf(box);
    this.drawn.push({ item, x, y, width, height, depth });
    const fill = depth % 2 === 0 ? theme.raised : mix(theme.raised, theme.ink, 0.06);
    pen.rect(x, y, width, height, fill, theme.line);
    const size = Math.min(13, 13 * this.scale);
    const { name, path } = this.analysis.boxes[box]!;
    if (size > 4) {
      const head = this.headOf(box);
      pen.text(`▾ ${depth === 0 ? name : name || path}   ${head}`, Math.max(x, 0) + 8 * this.scale,
               y + (kHead * this.scale) / 2, theme.ink, size,
        width - 16 * this.scale, "start", true);
    }
    const left = x + ((placed.width - placed.layout.width) / 2) * this.scale;
    const top = y + (kHead + kPadding) * this.scale;
    if (this.scale > 0.05) {
      for (const path of placed.layout.paths) this.paintEdge(pen, path, left, top, theme.faint, 1);
    }
    placed.items.forEach((child, i) => {
      const [dx, dy] = placed.layout.at[i]!;
      this.paintItem(pen, child, left + dx * this.scale, top + dy * this.scale, depth + 1);
    });
  }
  private headOf(box: number): string {
    const own = this.analysis.boxes[box]!;
    if (!this.analysis.hasPlan) return `${format.plain(own.count)} nodes`;
    return box === 0 ? this.analysis.timeOf(own) : `${this.analysis.timeOf(own)} · ${this.analysis.shareOf(own)}`;
  }

  private paintItem(pen: Pen, item: Item, x: number, y: number, depth: number): void {
    const size = this.sizeOf(item);
    const width = size.width * this.scale, height = size.height * this.scale;
    if (this.isOutside(x, y, width, height) || width < kLeastShown) return;
    const box = this.boxOfItem(item);
    if (box !== null && this.open.has(box.id) && height >= kLeastOpen) return this.paintBox(pen, box.id, x, y, depth);
    this.drawn.push({ item, x, y, width, height, depth });
    if (box !== null) this.paintClosed(pen, box, x, y, width, height);
    else this.paintLeaf(pen, item, x, y, width, height);
  }
  private paintClosed(pen: Pen, box: Box, x: number, y: number, width: number, height: number): void {
    const { state } = this;
    const { mark, passing, total } = state.boxMark(box.id);
    const isDim = state.isBoxDim(box.id);
    const fill = isDim ? theme.surface : mark === null ? theme.sunken : mix(theme.sunken, mark.fill, 0.6);
    pen.rect(x, y, width, height, fill, isDim ? theme.line : theme.faint);
    const share = mark?.share ?? (isDim ? 0 : box.time_s / this.analysis.latency_s);
    if (share > 0) {
      pen.rect(x + 1, y + height - 5 * this.scale, (width - 2) * Math.min(1, share), 4 * this.scale,
               mark?.share === null ? theme.ramp : theme.ink);
    }
    const font = 13 * this.scale;
    if (font < 5) return;
    const ink = isDim ? theme.faint : inkOn(fill);
    const hasShape = mark !== null && mark.shape !== null;
    if (hasShape) pen.shape(mark.shape!, x + width - 13 * this.scale, y + 15 * this.scale, 5 * this.scale, ink);
    const left = x + 9 * this.scale, room = width - 18 * this.scale;
    pen.text(`▸ ${box.name}`, left, y + 15 * this.scale, ink, font, room - (hasShape ? 14 * this.scale : 0), "start",
             true);
    const count = state.isFiltered && total > 0 ? `${passing} of ${total}` : `${this.leavesIn[box.id]!}`;
    pen.text(`${this.headOf(box.id)} · ${count}`, left, y + 31 * this.scale, isDim ? theme.faint : ink, font * 0.88,
             room);
  }
  private paintLeaf(pen: Pen, leaf: number, x: number, y: number, width: number, height: number): void {
    const { analysis } = this;
    const isDim = this.state.isFiltered && !this.state.leafPasses(leaf);
    const mark = this.state.palette.of(leaf);
    const isFree = analysis.needsNoKernel(leaf);
    const fill = isDim || isFree ? theme.surface : mark.fill;
    const border = isDim ? theme.line : mix(fill, theme.ink, 0.45);
    pen.rect(x, y, width, height, fill, isFree ? undefined : border);
    if (isFree) pen.line([[x, y], [x + width, y], [x + width, y + height], [x, y + height], [x, y]], border, 1, [4, 3]);
    const font = 12 * this.scale;
    if (font < 4.5) return;
    const ink = isDim ? theme.faint : inkOn(fill);
    let left = x + 8 * this.scale;
    if (mark.shape !== null && !isDim) {
      pen.shape(mark.shape, x + 12 * this.scale, y + height / 2, 5 * this.scale, ink);
      left = x + 24 * this.scale;
    }
    if (mark.share !== null && !isDim) {
      pen.rect(x + 1, y + height - 4 * this.scale, (width - 2) * mark.share, 3 * this.scale, theme.ink);
    }
    const group = analysis.groupOf[leaf]!;
    const kind = group < 0 ? analysis.nodes.text("op", leaf) : analysis.groups.text("pattern", group);
    const room = x + width - left - 6 * this.scale;
    const time = analysis.groupNumber("time_s", leaf);
    const head = isFree ? `${kind}  no kernel` : analysis.hasPlan ? `${kind}  ${format.seconds(time)}` : kind;
    pen.text(head, left, y + 12 * this.scale, ink, font, room, "start", true);
    pen.text(analysis.label(leaf), left, y + 26 * this.scale, ink, font * 0.82, room);
  }
  private paintEdge(pen: Pen, path: Point[], left: number, top: number, color: string, weight: number): void {
    const points = path.map(([x, y]): Point => [left + x * this.scale, top + y * this.scale]);
    const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
    const least = Math.min(...xs), low = Math.min(...ys);
    if (this.isOutside(least, low, Math.max(...xs) - least, Math.max(...ys) - low)) return;
    pen.line(points, color, weight);
    const [x, y] = points[points.length - 1]!;
    const size = 4 * this.scale;
    if (size > 1.2) pen.line([[x - size, y - 1.6 * size], [x, y], [x + size, y - 1.6 * size]], color, weight);
  }

  // The selection, and straight to it what it reads and who reads it.
  private paintSelection(pen: Pen): void {
    const { state } = this;
    if (state.leaf < 0 && state.box < 0) return;
    const wanted = state.leaf >= 0 ? this.visible(state.leaf) : this.itemOf(state.box);
    const chosen = this.drawn.find(({ item }) => item === wanted);
    if (state.leaf >= 0) {
      for (const [from, to] of this.leafEdges) {
        if (from !== state.leaf && to !== state.leaf) continue;
        const a = this.screenFrame(this.visible(from)), b = this.screenFrame(this.visible(to));
        if (a === null || b === null || a.item === b.item) continue;
        pen.line(this.wayBetween(a, b), theme.accent, 2, from === state.leaf ? [] : [6, 3]);
      }
    }
    if (chosen !== undefined) pen.rect(chosen.x, chosen.y, chosen.width, chosen.height, null, theme.accent, 3);
  }
  // Straight, but beside the boxes in between where one stands far below the other.
  private wayBetween(a: Drawn, b: Drawn): Point[] {
    const from = a.x + a.width / 2, to = b.x + b.width / 2;
    const isColumn = Math.abs(from - to) < Math.min(a.width, b.width) / 2;
    if (!isColumn || b.y - a.y - a.height < kNear * this.scale) return [[from, a.y + a.height], [to, b.y]];
    const side = Math.max(a.x + a.width, b.x + b.width) + 8;
    const [above, below] = [a.y + a.height / 2, b.y + b.height / 2];
    return [[a.x + a.width, above], [side, above + 8], [side, below - 8], [b.x + b.width, below]];
  }
  private screenFrame(item: Item): Drawn | null {
    const frame = this.frameOf(item);
    if (frame === null) return null;
    return { item, depth: 0, x: this.x + frame.x * this.scale, y: this.y + frame.y * this.scale,
             width: frame.width * this.scale, height: frame.height * this.scale };
  }

  protected pick(x: number, y: number): Hit | null {
    for (let i = this.drawn.length - 1; i >= 0; --i) {
      const drawn = this.drawn[i]!;
      if (x < drawn.x || y < drawn.y || x > drawn.x + drawn.width || y > drawn.y + drawn.height) continue;
      const box = this.boxOfItem(drawn.item);
      if (box === null) return { node: drawn.item, box: -1,
        lines: leafLines(this.state, drawn.item, this.timeOf(drawn.item)) };
      const isHead = !this.open.has(box.id) || y < drawn.y + kHead * this.scale;
      return isHead ? { node: -1, box: box.id, lines: [box.path || box.name,
                                                       `${this.headOf(box.id)} · ${format.plain(box.count)} nodes`,
        this.open.has(box.id) ? "double-click closes it" : "double-click opens it"] } : null;
    }
    return null;
  }
  private timeOf(leaf: number): string[] {
    const time = this.analysis.groupNumber("time_s", leaf);
    return Number.isNaN(time) ? [] : [format.seconds(time)];
  }
  protected override enter(hit: Hit | null): void {
    if (hit !== null && hit.box >= 0) this.toggle(hit.box);
  }
  // For the panel of details.
  toggleSelected(): void {
    if (this.state.box >= 0) this.toggle(this.state.box);
  }

  protected override key(key: string): boolean {
    const zooms: { [key: string]: number } = { "+": 1.3, "=": 1.3, "-": 1 / 1.3 };
    if (zooms[key] !== undefined) return this.zoom(zooms[key]!, this.width / 2, this.height / 2), true;
    if (key === "0") return this.fitAll(), true;
    if (key === "Enter" && this.state.box >= 0) return this.toggle(this.state.box), true;
    if (!key.startsWith("Arrow")) return false;
    const { leaf } = this.state;
    if (leaf < 0) {
      const first = this.leafEdges[0]?.[0];
      if (first !== undefined) this.state.selectNode(first);
      return true;
    }
    const next = key === "ArrowDown" ? this.leafEdges.find(([from]) => from === leaf)?.[1]
      : key === "ArrowUp" ? this.leafEdges.find(([, to]) => to === leaf)?.[0]
      : this.sibling(leaf, key === "ArrowRight" ? 1 : -1);
    if (next !== undefined) this.state.selectNode(next);
    return true;
  }
  // The next of those that read what this one's first source writes.
  private sibling(leaf: number, step: number): number | undefined {
    const source = this.leafEdges.find(([, to]) => to === leaf)?.[0];
    const readers = this.leafEdges.filter(([from]) => from === source).map(([, to]) => to);
    return readers[(readers.indexOf(leaf) + step + readers.length) % Math.max(1, readers.length)];
  }
  // Boxes drawn by the last paint: what the tests of the level of detail count.
  get boxesDrawn(): number {
    return this.drawn.length;
  }
}

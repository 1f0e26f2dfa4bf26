// The graph as nested boxes: modules open and close, with a box for each kernel inside. Lays out only open boxes, each
// by itself, draws nothing too small to see and no text too small to read: an open box whose members would be smaller
// is drawn closed until it is zoomed in. Of equal modules in a row the first stands for all.
import { CanvasView, type Hit, leafLines } from "./canvas_view.js";
import { button, h } from "./dom.js";
import * as format from "./format.js";
import { layered, type Layout, type Point, type Size } from "./layout.js";
import type { Analysis, Box } from "./model.js";
import { type Pen, textWidth } from "./pen.js";
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
const kBoxHeight = 60;
const kBoxWidth = 210;
const kRunWidth = 270; // of equal modules, which have a longer name
const kNear = 60; // between boxes that follow each other
const kHead = 30;
const kPadding = 14;
const kBoxesAtFirst = 36;
const kFont = 13; // at scale 1
const kLeastFont = 11; // pixels; below it there is no text
const kBoldFactor = 1.1;
const kMostFont = 18; // of what stands in a large closed box
const kReadable = kLeastFont / kFont; // the scale at which what is opened at first has room for its names
const kLeastLine = 15; // pixels that a line takes
const kLeastWidth = 84; // of a member that is worth unfolding for
const kMostShare = 0.55; // of the place
const kLeastFit = 0.52; // the scale at which a box has room for its name; what is larger then is moved through
const kLeastNarrowFit = 0.4; // and where the place is narrow, for a part of its name
const kNarrow = 600; // pixels, as in style.css
const kMostOpened = 1500; // boxes that "open all" shows
const kLeastShown = 5; // pixels; smaller boxes are not drawn
const kLeastOpen = 44; // pixels of height; smaller open boxes are drawn as closed ones
const kLeastScale = 0.004;
const kMostScale = 4;

export class Graph extends CanvasView {
  private open = new Set<number>();
  private unrolled = new Set<number>(); // of equal modules: all are shown
  private contents = new Map<number, string>(); // what boxes hold, in words
  private folded = new Set<number>(); // open boxes that the last paint drew closed
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
  private fitted = ""; // where fitAll() put the picture
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
      button("Open all", { title: "Open every module; zoom in, and they unfold as they become readable" },
             () => this.openAll()),
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
    this.unrolled.clear();
    this.contents.clear();
    this.isFitted = false;
  }
  protected override fit(): void {
    this.prepare();
    // A place that changes, as when a legend beside it grows, is filled anew unless its user has moved the picture.
    if (this.isFitted && this.where() !== this.fitted) return;
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
    const items = members.sort((a, b) => a.first - b.first).map(({ item }) => item);
    return this.isRolled(box) ? items.slice(0, 1) : items;
  }
  private isRolled(box: number): boolean {
    return this.analysis.boxes[box]!.alike > 0 && !this.unrolled.has(box);
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
    if (!this.open.has(box.id)) return { width: box.alike > 0 ? kRunWidth : kBoxWidth, height: kBoxHeight };
    const placed = this.place(box.id);
    return { width: placed.width, height: placed.height };
  }
  private place(box: number): Placed {
    const had = this.placed.get(box);
    if (had !== undefined) return had;
    const items = this.itemsOf(box);
    const index = new Map(items.map((item, i) => [item, i]));
    const edges = [...(this.edges?.get(box)?.keys() ?? [])].map((key) =>
      key.split(",").map((item) => index.get(Number(item)) ?? -1) as Point).filter(([a, b]) => a >= 0 && b >= 0);
    // The outermost box takes the form of its place.
    const form = box === 0 && this.isShown ? Math.max(0.4, Math.min(1.8, this.width / this.height)) : undefined;
    // So that nothing is beside a narrow place.
    const isNarrow = box === 0 && this.isShown && this.width < kNarrow;
    const most = isNarrow ? (this.width - 16) / kLeastFit - 2 * kPadding : Infinity;
    const layout = layered(items.map((item) => this.sizeOf(item)), edges, form, most);
    const placed: Placed = {
      items, layout, height: layout.height + kHead + 2 * kPadding,
      width: Math.max(this.isRolled(box) ? kRunWidth : kBoxWidth, layout.width) + 2 * kPadding,
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
    // Equal modules: closed, then one of them, then all.
    if (this.open.has(box) && this.isRolled(box)) this.unrolled.add(box);
    else if (this.open.has(box) && box !== 0) {
      this.open.delete(box);
      this.unrolled.delete(box);
    } else this.open.add(box);
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
    this.unrolled.clear();
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
    for (const [i, box] of line.entries()) {
      const next = line[i + 1];
      const isHidden = this.isRolled(box) && next !== undefined && this.itemsOf(box)[0] !== this.itemOf(next);
      if (!this.open.has(box) || isHidden) return this.itemOf(box);
    }
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
    const isFolded = [...this.open].some((box) => box !== 0);
    const least = this.width < kNarrow ? kLeastNarrowFit : kLeastFit;
    this.scale = Math.max(isFolded ? kLeastScale : least, Math.min(1.25, this.fittingScale()));
    this.x = Math.max(8, (this.width - width * this.scale) / 2);
    this.y = Math.max(8, (this.height - height * this.scale) / 2);
    this.fitted = this.where();
    this.invalidate();
  }
  private where(): string {
    return [this.x, this.y, this.scale].join();
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
    const inside = [...line, ...(leaf >= 0 ? [] : [box])];
    for (const [i, at] of line.entries()) {
      const next = inside[i + 1];
      const isHidden = this.isRolled(at) && next !== undefined && this.itemsOf(at)[0] !== this.itemOf(next);
      if (this.open.has(at) && !isHidden) continue;
      this.open.add(at);
      if (isHidden) this.unrolled.add(at);
      this.changed(at);
    }
    const frame = this.frameOf(leaf >= 0 ? leaf : this.itemOf(box));
    if (frame === null) return;
    const left = this.x + frame.x * this.scale, top = this.y + frame.y * this.scale;
    const right = left + frame.width * this.scale, bottom = top + frame.height * this.scale;
    const isInSight = left >= 0 && top >= 0 && right <= this.width && bottom <= this.height && this.scale > 0.6;
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
    this.folded.clear();
    this.paintBox(pen, 0, this.x, this.y, 0);
    this.paintSelection(pen);
    this.note.textContent = `${format.plain(this.drawn.length)} boxes of ${format.plain(this.analysis.nodes.size)} nodes${this.folded.size > 0 ? "; zoom in to unfold the rest" : ""}`;
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
    const size = Math.min(kFont, Math.max(kLeastFont, kFont * this.scale));
    const { name, path, alike } = this.analysis.boxes[box]!;
    if (kHead * this.scale >= kLeastFont) {
      const called = this.isRolled(box) ? `1 of ${alike} alike` : name || path;
      const left = Math.max(x, 0) + 8 * this.scale;
      const room = x + width - left - 8 * this.scale, start = `▾ ${called}`;
      const figure = this.shortHead(box, size, room - 1.2 * textWidth(`${start}   `, size));
      const text = `${start}   ${figure}`;
      pen.text(kBoldFactor * textWidth(text, size) <= room ? text : start, left, y + (kHead * this.scale) / 2,
               theme.ink, size, room, "start", true);
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
    const isOpen = box !== null && this.open.has(box.id);
    if (isOpen && height >= kLeastOpen && this.isUnfolded(box.id, x, y, width, height)) {
      return this.paintBox(pen, box.id, x, y, depth);
    }
    if (isOpen) this.folded.add(box.id);
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
    const ink = isDim ? theme.faint : inkOn(fill);
    const count = state.isFiltered && total > 0 ? `${passing} of ${total}` : format.plain(this.leavesIn[box.id]!);
    const font = this.fontOf(box.name, width, height);
    // As many kinds of kernels as have room.
    let content = `${count} · ${this.contentOf(box.id)}`;
    while (content.includes(", ") && textWidth(content, font) > width - font * 1.2) {
      content = content.slice(0, content.lastIndexOf(", "));
    }
    const room = width - font * 1.2;
    const lines = [`▸ ${box.name}`, this.shortHead(box.id, font, room), content];
    const hasShape = mark !== null && mark.shape !== null && width > 40 && height > kLeastLine;
    if (hasShape) pen.shape(mark.shape!, x + width - font, y + Math.min(font, height / 2), font * 0.38, ink);
    const isTooNarrow = kBoldFactor * textWidth(`▸ ${box.name}`, font) > room - (hasShape ? font * 1.1 : 0);
    if (isTooNarrow && width < height && width > kLeastLine) {
      pen.textUp(box.name, x + width / 2, y + height - 6, ink, kLeastFont, height - 12 - (hasShape ? 2 * font : 0));
      return;
    }
    this.paintLines(pen, lines, x + font * 0.6, y, room, height, font, ink, hasShape ? font * 1.1 : 0);
  }
  // As large as the box allows, down to the least that is read.
  private fontOf(name: string, width: number, height: number): number {
    let font = Math.max(kFont * this.scale, Math.min(kMostFont, height / 5), kLeastFont);
    const limit = Math.max(kLeastFont, kFont * this.scale);
    while (font > limit && kBoldFactor * textWidth(`▸ ${name}`, font) > width - font * 2.3) font -= 1;
    return Math.max(font, kLeastFont);
  }
  // The time and share of a box, the share alone where there is no room for both.
  private shortHead(box: number, font: number, room: number): string {
    const head = this.headOf(box);
    return textWidth(head, font) <= room ? head : head.split(" · ").pop()!;
  }
  // As many lines as have room, the first one bold and clear of the shape beside it.
  private paintLines(pen: Pen, lines: string[], x: number, y: number, room: number, height: number, font: number,
                     ink: string, shape: number): void {
    const step = Math.max(kLeastLine - 2, font * 1.3);
    const count = Math.min(lines.length, Math.floor((height - 3) / step));
    const top = y + (height - count * step) / 2;
    for (let i = 0; i < count; ++i) {
      pen.text(lines[i]!, x, top + (i + 0.5) * step, ink, font, room - (i === 0 ? shape : 0), "start", i === 0);
    }
  }
  // Whether its own name and enough of what an open box holds are large enough to be read, or anything where the box is
  // most of what is in sight.
  private isUnfolded(box: number, x: number, y: number, width: number, height: number): boolean {
    const sizes = this.place(box).items.map((item) => this.sizeOf(item));
    const readable = sizes.filter((size) => {
      const [wide, high] = [size.width * this.scale, size.height * this.scale];
      return (high >= kLeastLine && wide >= kLeastWidth) || (high >= kLeastWidth && wide >= kLeastLine);
    }).length;
    const isMost = width > kMostShare * this.width || height > kMostShare * this.height;
    const isAround = x < 0 && y < 0 && x + width > this.width && y + height > this.height;
    const hasHead = kHead * this.scale >= kLeastFont;
    return isAround || (isMost ? readable > 0 : hasHead && 3 * readable >= sizes.length);
  }
  // "12 Conv, 3 Add": the kernels that a box holds, those of which it holds most first.
  private contentOf(box: number): string {
    let text = this.contents.get(box);
    if (text !== undefined) return text;
    const counts = new Map<string, number>();
    const open = [box];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const own = this.analysis.boxes[id]!;
      open.push(...own.boxes);
      for (const node of own.nodes) {
        const leaf = this.analysis.leafAt(node);
        if (leaf < 0 || !this.isDrawn(leaf)) continue;
        const kind = this.kindOf(leaf);
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    }
    const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
    text = most.map(([kind, count]) => (count > 1 ? `${count} ${kind}` : kind)).join(", ");
    this.contents.set(box, text);
    return text;
  }
  private kindOf(leaf: number): string {
    const group = this.analysis.groupOf[leaf]!;
    return group < 0 ? this.analysis.nodes.text("op", leaf) : this.analysis.groups.text("pattern", group);
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
    const font = Math.max(kLeastFont, 12 * this.scale);
    const ink = isDim ? theme.faint : inkOn(fill);
    let left = x + 8 * this.scale;
    if (mark.shape !== null && !isDim && height > 9) {
      pen.shape(mark.shape, x + 12 * this.scale, y + height / 2, 5 * this.scale, ink);
      left = x + 24 * this.scale;
    }
    if (mark.share !== null && !isDim) {
      pen.rect(x + 1, y + height - 4 * this.scale, (width - 2) * mark.share, 3 * this.scale, theme.ink);
    }
    const kind = this.kindOf(leaf);
    const room = x + width - left - 6 * this.scale;
    const time = analysis.groupNumber("time_s", leaf);
    const head = isFree ? `${kind}  no kernel` : analysis.hasPlan ? `${kind}  ${format.seconds(time)}` : kind;
    this.paintLines(pen, [head, analysis.label(leaf)], left, y, room, height, font, ink, 0);
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
      const isClosed = !this.open.has(box.id) || this.folded.has(box.id);
      if (!isClosed && y > drawn.y + kHead * this.scale) return null;
      const how = this.folded.has(box.id) ? "zooms in" : isClosed ? "opens it"
        : this.isRolled(box.id) ? `shows all ${box.alike}` : "closes it";
      return { node: -1, box: box.id, lines: [box.kind === "part" ? box.name : box.path || box.name,
        `${this.headOf(box.id)} · ${format.plain(box.count)} nodes`, isClosed ? this.contentOf(box.id) : "",
        `double-click ${how}`] };
    }
    return null;
  }
  private timeOf(leaf: number): string[] {
    const time = this.analysis.groupNumber("time_s", leaf);
    return Number.isNaN(time) ? [] : [format.seconds(time)];
  }
  protected override enter(hit: Hit | null): void {
    if (hit === null || hit.box < 0) return;
    if (this.folded.has(hit.box)) this.zoomTo(hit.box);
    else this.toggle(hit.box);
  }
  private zoomTo(box: number): void {
    const frame = this.frameOf(this.itemOf(box));
    if (frame === null) return;
    const fit = Math.min((this.width - 40) / frame.width, (this.height - 40) / frame.height);
    this.scale = Math.min(kMostScale, Math.max(this.scale, fit));
    this.x = this.width / 2 - (frame.x + frame.width / 2) * this.scale;
    this.y = fit < this.scale ? 20 - frame.y * this.scale : this.height / 2 - (frame.y + frame.height / 2) * this.scale;
    this.invalidate();
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

// Every kernel by its intensity and the rate that it reaches, under the roofline of its unit.
import { CanvasView, type Hit, leafLines } from "./canvas_view.js";
import { h } from "./dom.js";
import * as format from "./format.js";
import type { Pen } from "./pen.js";
import type { Change, State } from "./state.js";
import { mix, theme } from "./theme.js";

interface Dot {
  group: number;
  x: number; // logarithms
  y: number;
}
interface Range {
  from: number;
  to: number;
}

const kLeft = 92, kBottom = 44, kTop = 12, kRight = 16;

export class Roofline extends CanvasView {
  private dots: Dot[] = [];
  private x: Range = { from: 0, to: 1 };
  private y: Range = { from: 0, to: 1 };
  private readonly note = h("span", { class: "note" });

  constructor(state: State) {
    super(state, "Roofline", "Arrow keys go through the kernels by intensity.");
    this.tools.append(this.note);
    this.arrange();
  }
  update(change: Change): void {
    if (change === "analysis") this.arrange();
    this.invalidate();
  }

  private arrange(): void {
    const { analysis } = this.state;
    const { groups, roofs } = analysis;
    this.dots = [];
    for (let group = 0; group < groups.size; ++group) {
      const intensity = groups.number("intensity", group);
      const rate = groups.number("flops", group) / groups.number("time_s", group);
      if (intensity > 0 && rate > 0 && Number.isFinite(rate)) {
        this.dots.push({ group, x: Math.log10(intensity), y: Math.log10(rate) });
      }
    }
    this.dots.sort((a, b) => a.x - b.x || a.group - b.group);
    const left = groups.size - this.dots.length;
    const rest = left === 0
      ? "" : ` ${left} of ${groups.size} kernels have no arithmetic or no known time, and no dot.`;
    this.note.textContent = `Slopes are of the shared memory: dots over one are fed from memory on the chip.${rest}`;
    const xs = this.dots.map((dot) => dot.x), ys = this.dots.map((dot) => dot.y);
    for (let roof = 0; roof < roofs.size; ++roof) {
      const peak = roofs.number("flops_per_s", roof), bandwidth = roofs.number("bytes_per_s", roof);
      if (!(peak > 0)) continue;
      ys.push(Math.log10(peak) + 0.2);
      if (bandwidth > 0) xs.push(Math.log10(peak / bandwidth) + 0.5);
    }
    this.x = rangeOf(xs);
    this.y = rangeOf(ys);
  }
  private xOf(log: number): number {
    return kLeft + ((log - this.x.from) / (this.x.to - this.x.from)) * (this.width - kLeft - kRight);
  }
  private yOf(log: number): number {
    return this.height - kBottom - ((log - this.y.from) / (this.y.to - this.y.from)) * (this.height - kBottom - kTop);
  }

  protected paint(pen: Pen): void {
    this.paintAxes(pen);
    this.paintRoofs(pen);
    const seen = new Set<string>();
    const { analysis } = this.state;
    const radius = this.dots.length > 3000 ? 3 : this.dots.length > 400 ? 4 : 5.5;
    for (const dot of this.dots) {
      const leaf = analysis.rootOf[dot.group]!;
      const x = this.xOf(dot.x), y = this.yOf(dot.y);
      const mark = this.state.palette.of(leaf);
      const isDim = this.state.isFiltered && !this.state.leafPasses(leaf);
      const key = `${Math.round(x)},${Math.round(y)},${isDim ? "" : mark.fill}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (isDim) pen.shape("ring", x, y, 2, theme.line);
      else {
        pen.shape(mark.shape === "ring" ? "circle" : mark.shape ?? "circle", x, y, radius + 1, theme.ink);
        pen.shape(mark.shape === "ring" ? "circle" : mark.shape ?? "circle", x, y, radius, mark.fill);
      }
    }
    this.paintChosen(pen);
  }
  private paintAxes(pen: Pen): void {
    for (let power = this.x.from; power <= this.x.to; ++power) {
      pen.line([[this.xOf(power), kTop], [this.xOf(power), this.height - kBottom]], theme.sunken);
      pen.text(format.ratio(10 ** power), this.xOf(power), this.height - kBottom + 12, theme.faint, 11, 80,
               power === this.x.to ? "end" : "middle");
    }
    for (let power = this.y.from; power <= this.y.to; ++power) {
      pen.line([[kLeft, this.yOf(power)], [this.width - kRight, this.yOf(power)]], theme.sunken);
      pen.text(format.short(format.flopRate(10 ** power)), kLeft - 6, this.yOf(power), theme.faint, 11, kLeft, "end");
    }
    pen.text("FLOP per byte moved", (kLeft + this.width) / 2, this.height - 12, theme.faint, 12, 300, "middle");
  }
  private paintRoofs(pen: Pen): void {
    const { roofs, units } = this.state.analysis;
    const names = Array.from({ length: units.size }, (_, row) => units.text("name", row)).sort();
    const labels: number[] = []; // heights taken
    for (let roof = 0; roof < roofs.size; ++roof) {
      const peak = roofs.number("flops_per_s", roof), bandwidth = roofs.number("bytes_per_s", roof);
      if (!(peak > 0)) continue;
      const unit = roofs.text("unit", roof);
      const at = names.indexOf(unit);
      const color = mix(theme.kinds[Math.max(0, at) % theme.kinds.length]!, theme.ink, 0.25);
      const top = Math.log10(peak);
      const points: [number, number][] = [[this.xOf(this.x.to), this.yOf(top)]];
      if (bandwidth > 0) {
        const ridge = top - Math.log10(bandwidth);
        points.unshift([this.xOf(ridge), this.yOf(top)]);
        const foot = Math.max(this.x.from, this.y.from - Math.log10(bandwidth));
        points.unshift([this.xOf(foot), this.yOf(foot + Math.log10(bandwidth))]);
      } else {
        points.unshift([this.xOf(this.x.from), this.yOf(top)]);
      }
      pen.line(points, color, 2, at % 2 === 1 ? [7, 4] : []);
      const text = `${unit} ${roofs.text("precision", roof)} ${format.short(format.flopRate(peak))}${bandwidth > 0 ? `, ${format.byteRate(bandwidth)}` : ""}`;
      let y = this.yOf(top) - 9;
      while (labels.some((other) => Math.abs(other - y) < 14)) y += 14;
      labels.push(y);
      pen.text(text, this.width - kRight - 4, y, theme.ink, 12, this.width - kLeft, "end");
    }
  }
  private paintChosen(pen: Pen): void {
    const group = this.state.leaf < 0 ? -1 : this.state.analysis.groupOf[this.state.leaf]!;
    const dot = this.dots.find((dot) => dot.group === group);
    if (dot === undefined) return;
    pen.shape("ring", this.xOf(dot.x), this.yOf(dot.y), 10, theme.accent);
    const x = Math.min(Math.max(this.xOf(dot.x), kLeft + 130), this.width - 134);
    pen.text(this.state.analysis.label(this.state.leaf), x, this.yOf(dot.y) + 20, theme.ink, 12, 260, "middle");
  }

  protected pick(x: number, y: number): Hit | null {
    let best: Dot | null = null, least = 12 ** 2;
    for (const dot of this.dots) {
      const distance = (this.xOf(dot.x) - x) ** 2 + (this.yOf(dot.y) - y) ** 2;
      if (distance >= least) continue;
      best = dot;
      least = distance;
    }
    if (best === null) return null;
    const leaf = this.state.analysis.rootOf[best.group]!;
    const { groups } = this.state.analysis;
    return { node: leaf, box: -1, lines: leafLines(this.state, leaf,
      [format.seconds(groups.number("time_s", best.group)), format.flopRate(10 ** best.y),
       format.intensity(10 ** best.x)]) };
  }
  protected override key(key: string): boolean {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (step === 0 || this.dots.length === 0) return false;
    const group = this.state.leaf < 0 ? -1 : this.state.analysis.groupOf[this.state.leaf]!;
    const at = this.dots.findIndex((dot) => dot.group === group);
    const next = this.dots[at < 0 ? 0 : Math.max(0, Math.min(this.dots.length - 1, at + step))]!;
    this.state.selectNode(this.state.analysis.rootOf[next.group]!);
    return true;
  }
}

// Whole powers of ten around all of them.
function rangeOf(logs: number[]): Range {
  if (logs.length === 0) return { from: 0, to: 1 };
  let least = Infinity, most = -Infinity;
  for (const log of logs) {
    least = Math.min(least, log);
    most = Math.max(most, log);
  }
  const from = Math.floor(least);
  return { from, to: Math.max(from + 1, Math.ceil(most)) };
}

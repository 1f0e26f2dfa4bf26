// A view along the time of one inference: the part shown, moved and zoomed by pointer and keys alike.
import { CanvasView } from "./canvas_view.js";
import { button } from "./dom.js";
import * as format from "./format.js";
import type { Pen } from "./pen.js";
import type { Change, State } from "./state.js";
import { theme } from "./theme.js";

const kLeastShare = 1e-6; // of the inference that is shown at least
const kRight = 8; // pixels kept free

export abstract class TimeView extends CanvasView {
  protected from = 0;
  protected to = 1; // seconds
  protected readonly left: number;

  constructor(state: State, title: string, help: string, left: number) {
    super(state, title, `${help} Arrow keys move along the time, plus and minus zoom, 0 shows all of it.`);
    this.left = left;
    this.tools.append(
      button("Fit", { title: "Show the whole inference (0)" }, () => this.all()),
      button("+", { "aria-label": "Zoom in", title: "Zoom in (+)" }, () => this.zoom(1.5, this.middle)),
      button("−", { "aria-label": "Zoom out", title: "Zoom out (-)" }, () => this.zoom(1 / 1.5, this.middle)));
    this.all();
  }
  // Sorts what the analysis holds.
  protected abstract arrange(): void;
  update(change: Change): void {
    if (change === "analysis") {
      this.arrange();
      this.all();
    }
    if (change === "selection") this.showSelected();
    this.invalidate();
  }
  private get middle(): number {
    return (this.left + this.width) / 2;
  }
  protected get end(): number {
    const { groups, latency_s } = this.state.analysis;
    let end = Number.isFinite(latency_s) ? latency_s : 0;
    for (const at of groups.numbers("end_s")) if (at > end) end = at;
    return end > 0 ? end : 1;
  }
  protected all(): void {
    this.from = 0;
    this.to = this.end;
    this.invalidate();
  }
  protected xOf(seconds: number): number {
    return this.left + ((seconds - this.from) / (this.to - this.from)) * (this.width - this.left - kRight);
  }
  protected secondsAt(x: number): number {
    return this.from + ((x - this.left) / (this.width - this.left - kRight)) * (this.to - this.from);
  }
  // The part of a span of time that is shown, in pixels; null where none of it is.
  protected shown(from: number, to: number): [x: number, right: number] | null {
    if (!(from <= this.to && to >= this.from)) return null;
    return [Math.max(this.left, this.xOf(from)), Math.min(this.width - kRight, this.xOf(to))];
  }
  protected override pan(dx: number): void {
    const shift = this.secondsAt(this.left) - this.secondsAt(this.left + dx);
    const size = this.to - this.from;
    this.from = Math.max(0, Math.min(this.end - size, this.from + shift));
    this.to = this.from + size;
    this.invalidate();
  }
  protected override zoom(factor: number, x: number): void {
    const at = this.secondsAt(x);
    const size = Math.min(this.end, Math.max(this.end * kLeastShare, (this.to - this.from) / factor));
    const share = (at - this.from) / (this.to - this.from);
    this.from = Math.max(0, Math.min(this.end - size, at - share * size));
    this.to = this.from + size;
    this.invalidate();
  }
  protected override key(key: string): boolean {
    if (key === "0") return this.all(), true;
    if (key === "+" || key === "=") return this.zoom(1.5, this.middle), true;
    if (key === "-") return this.zoom(1 / 1.5, this.middle), true;
    if (key === "ArrowLeft") return this.pan(80), true;
    if (key === "ArrowRight") return this.pan(-80), true;
    return false;
  }
  // Brings the selected group into what is shown.
  private showSelected(): void {
    const { analysis, leaf } = this.state;
    const group = leaf < 0 ? -1 : analysis.groupOf[leaf]!;
    const [start, end] = group < 0 ? [NaN, NaN] : analysis.spanOf(group);
    if (Number.isNaN(start) || (start >= this.from && end <= this.to)) return;
    const size = Math.min(this.end, Math.max(this.to - this.from, 1.2 * (end - start)));
    this.from = Math.max(0, Math.min(this.end - size, (start + end - size) / 2));
    this.to = this.from + size;
  }
  protected paintAxis(pen: Pen, y: number, top: number): void {
    const step = niceStep((this.to - this.from) / Math.max(2, (this.width - this.left) / 110));
    for (let i = Math.ceil(this.from / step); i * step <= this.to * (1 + 1e-9); ++i) {
      const x = this.xOf(i * step);
      pen.line([[x, top], [x, y]], theme.sunken);
      pen.text(format.short(format.seconds(i * step)), x, y + 11, theme.faint, 11, 100,
               i === 0 ? "start" : x > this.width - 40 ? "end" : "middle");
    }
    pen.line([[this.left, y], [this.width - kRight, y]], theme.faint);
  }
}

export function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((digit) => digit * power >= rough) ?? 10);
}

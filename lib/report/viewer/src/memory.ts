// Memory during the inference: weights throughout, activations above them, and the lifetimes of the largest tensors.
import { type Hit, leafLines } from "./canvas_view.js";
import * as format from "./format.js";
import type { Pen } from "./pen.js";
import type { State } from "./state.js";
import { inkOn, mix, theme } from "./theme.js";
import { niceStep, TimeView } from "./time_axis.js";

const kTensors = 12;
const kTensorHeight = 17;
const kTop = 26;

export class Memory extends TimeView {
  private order: number[] = []; // groups by start
  private bySize: number[] = []; // rows of lifetimes, largest first
  private tensors: number[] = []; // those of them that are shown
  private peak = -1; // the group with most activations alive

  constructor(state: State) {
    super(state, "Memory over time", "Weights, activations over them, and the largest tensors.", 84);
    this.arrange();
  }
  protected arrange(): void {
    const { groups, lifetimes } = this.state.analysis;
    const starts = groups.numbers("held_from_s"), live = groups.numbers("live_bytes"),
    sizes = lifetimes.numbers("bytes");
    this.order = [...starts.keys()].filter((group) => !Number.isNaN(starts[group]))
      .sort((a, b) => starts[a]! - starts[b]! || a - b);
    this.peak = this.order.reduce((best, group) => (best < 0 || live[group]! > live[best]! ? group : best), -1);
    this.bySize = [...sizes.keys()].filter((row) => sizes[row]! > 0).sort((a, b) => sizes[b]! - sizes[a]! || a - b);
  }
  private get weights(): number {
    return format.numberOf(this.state.analysis.model["deployed_bytes"]) || 0;
  }

  protected paint(pen: Pen): void {
    const { analysis } = this.state;
    this.tensors = this.bySize.filter((row) => this.shown(...this.tensorSpan(row)) !== null).slice(0, kTensors);
    const rows = this.tensors.length;
    const axis = Math.max(kTop + 80, this.height - 30 - rows * kTensorHeight);
    const live = analysis.groups.numbers("live_bytes");
    const most = this.weights + (this.peak < 0 ? 0 : live[this.peak]!);
    const yOf = (bytes: number): number => axis - (bytes / (most * 1.04 || 1)) * (axis - kTop);
    this.paintScale(pen, most, yOf);
    this.paintAxis(pen, axis, kTop);
    pen.rect(this.left, yOf(this.weights), this.width - this.left - 8, axis - yOf(this.weights),
             mix(theme.surface, theme.kinds[2]!, 0.45));
    this.paintCurve(pen, yOf);
    pen.text(`weights ${format.bytes(this.weights)}`, this.left + 6, yOf(this.weights / 2), theme.ink, 12, 300);
    pen.text(`peak ${analysis.answerOf("Peak memory")}`, this.left + 6, 12, theme.ink, 13, 300, "start", true);
    if (this.peak >= 0) this.paintCursor(pen, this.peak, axis, theme.ramp,
                                         `peak at ${analysis.label(analysis.rootOf[this.peak]!)}`);
    const chosen = this.state.leaf < 0 ? -1 : analysis.groupOf[this.state.leaf]!;
    if (chosen >= 0) this.paintCursor(pen, chosen, axis, theme.accent,
                                      `${format.bytes(this.weights + live[chosen]!)} at the selection`);
    this.tensors.forEach((row, i) => this.paintTensor(pen, row, axis + 24 + i * kTensorHeight));
  }
  private paintScale(pen: Pen, most: number, yOf: (bytes: number) => number): void {
    const step = niceStep(Math.max(1, most) / 5);
    for (let i = 1; i * step <= most; ++i) {
      pen.line([[this.left, yOf(i * step)], [this.width - 8, yOf(i * step)]], theme.sunken);
      pen.text(format.short(format.bytes(i * step)), this.left - 6, yOf(i * step), theme.faint, 11, this.left, "end");
    }
  }
  // One bar a pixel: the most that is alive within it.
  private paintCurve(pen: Pen, yOf: (bytes: number) => number): void {
    const { groups } = this.state.analysis;
    const starts = groups.numbers("held_from_s"), ends = groups.numbers("held_until_s"),
    live = groups.numbers("live_bytes");
    const fill = mix(theme.surface, theme.kinds[0]!, 0.6);
    const base = yOf(this.weights);
    let from = NaN, to = NaN, most = 0;
    const flush = (): void => {
      if (!Number.isNaN(from) && most > 0) {
        const top = yOf(this.weights + most);
        pen.rect(from, top, Math.max(1, to - from), base - top, fill);
      }
    };
    for (const group of this.order) {
      const span = this.shown(starts[group]!, ends[group]!);
      if (span === null) continue;
      const [x, right] = span;
      if (right - from < 1) {
        most = Math.max(most, live[group]!);
        to = right;
        continue;
      }
      flush();
      from = Number.isNaN(to) || x - to > 1 ? x : to;
      to = right;
      most = live[group]!;
    }
    flush();
  }
  private paintCursor(pen: Pen, group: number, axis: number, color: string, label: string): void {
    const { groups } = this.state.analysis;
    const at = (groups.number("held_from_s", group) + groups.number("held_until_s", group)) / 2;
    if (!(at >= this.from && at <= this.to)) return; // also where it is not known when the group runs
    const x = this.xOf(at);
    pen.line([[x, kTop - 6], [x, axis]], color, 2, [4, 3]);
    const isRight = x > this.width * 0.6;
    const y = color === theme.accent ? kTop + 24 : kTop + 6;
    pen.text(label, isRight ? x - 6 : x + 6, y, theme.ink, 12,
             Math.max(60, (isRight ? x - this.left : this.width - x) - 14), isRight ? "end" : "start");
  }
  private tensorSpan(row: number): [number, number] {
    const { groups, lifetimes } = this.state.analysis;
    return [groups.number("held_from_s", lifetimes.number("first", row)),
            groups.number("held_until_s", lifetimes.number("last", row))];
  }
  private paintTensor(pen: Pen, row: number, y: number): void {
    const { lifetimes, values } = this.state.analysis;
    const size = lifetimes.number("bytes", row);
    pen.text(format.bytes(size), this.left - 6, y + kTensorHeight / 2, theme.faint, 11, this.left, "end");
    const span = this.shown(...this.tensorSpan(row));
    if (span === null) return;
    const [x, right] = span;
    const fill = mix(theme.surface, theme.kinds[0]!, 0.6);
    pen.rect(x, y + 1, Math.max(2, right - x), kTensorHeight - 3, fill);
    const value = lifetimes.number("value", row);
    const text = `${values.text("name", value)}  ${format.shapeOf(values.cell("shape", value))}`;
    if (right - x > 160) pen.text(text, x + 4, y + kTensorHeight / 2, inkOn(fill), 11, right - x - 8);
    else if (x < this.width * 0.6) pen.text(text, right + 5, y + kTensorHeight / 2, theme.ink, 11,
                                            this.width - right - 14);
    else pen.text(text, x - 5, y + kTensorHeight / 2, theme.ink, 11, x - this.left - 8, "end");
  }

  protected pick(x: number, y: number): Hit | null {
    if (x < this.left) return null;
    const { analysis } = this.state;
    const axis = Math.max(kTop + 80, this.height - 30 - this.tensors.length * kTensorHeight);
    const row = this.tensors[Math.floor((y - axis - 24) / kTensorHeight)];
    if (row !== undefined) {
      const value = analysis.lifetimes.number("value", row);
      const producer = analysis.producer(value);
      const [start, end] = this.tensorSpan(row);
      return { node: producer, box: -1, lines: [analysis.values.text("name", value),
        `${format.bytes(analysis.lifetimes.number("bytes", row))} from ${format.seconds(start)} to ${format.seconds(end)}`] };
    }
    const at = this.secondsAt(x);
    const starts = analysis.groups.numbers("held_from_s"), ends = analysis.groups.numbers("held_until_s");
    const group = this.order.find((id) => starts[id]! <= at && ends[id]! >= at);
    if (group === undefined || y > axis) return null;
    const leaf = analysis.rootOf[group]!;
    return { node: leaf, box: -1, lines: leafLines(this.state, leaf,
      [`${format.bytes(this.weights + analysis.groups.number("live_bytes", group))} in memory`]) };
  }
}

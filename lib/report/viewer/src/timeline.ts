// Which unit runs what, when: a lane a unit, a bar a kernel, and what moves and starts segments before them.
import { type Hit, leafLines } from "./canvas_view.js";
import * as format from "./format.js";
import { type Pen, textWidth } from "./pen.js";
import type { State } from "./state.js";
import { inkOn, mix, theme } from "./theme.js";
import { TimeView } from "./time_axis.js";

interface Lane {
  unit: string;
  groups: number[]; // those that run one after the other, by start
  segments: number[];
  pipelines: number[]; // of the segments
  gaps: Gap[];
}
// Between what a lane does, and what it waits for.
interface Gap {
  from: number;
  to: number;
  why: string;
}

const kTop = 8;
const kIdleLane = 26; // of a unit that runs nothing
const kLeastGap = 1e-4; // of the inference, as the next
const kSameTime = 1e-9;
const kMostWait = 64; // pixels of height
const kLeastName = 13; // pixels of a bar that holds a name upright

export class Timeline extends TimeView {
  private lanes: Lane[] = [];
  private tops: number[] = []; // of lanes, and where the last one ends

  constructor(state: State) {
    super(state, "Timeline", "A lane for each unit.", 118);
    this.arrange();
  }
  protected arrange(): void {
    const { analysis } = this.state;
    const { groups, segments, units } = analysis;
    const byUnit = new Map<string, Lane>();
    for (let unit = 0; unit < units.size; ++unit) {
      byUnit.set(units.text("name", unit), { unit: units.text("name", unit), groups: [], segments: [], pipelines: [],
        gaps: [] });
    }
    const starts = groups.numbers("start_s");
    for (let group = 0; group < groups.size; ++group) {
      const isInRow = !Number.isNaN(starts[group]) && !analysis.isPipeline(groups.number("segment", group));
      if (isInRow) byUnit.get(groups.text("unit", group))?.groups.push(group);
    }
    for (let segment = 0; segment < segments.size; ++segment) {
      const lane = byUnit.get(segments.text("unit", segment));
      lane?.segments.push(segment);
      if (analysis.isPipeline(segment)) lane?.pipelines.push(segment);
    }
    this.lanes = [...byUnit.values()];
    for (const lane of this.lanes) lane.groups.sort((a, b) => starts[a]! - starts[b]! || a - b);
    const spans = this.lanes.map((lane) => this.spansOf(lane));
    this.lanes.forEach((lane, i) => {
      if (!isIdle(lane)) lane.gaps = this.gapsOf(i, spans);
    });
  }
  // When a lane does something: moves and starts a segment, or runs it.
  private spansOf(lane: Lane): [from: number, to: number][] {
    const { segments } = this.state.analysis;
    return lane.segments.map((segment): [number, number] =>
      [segments.number("start_s", segment), this.state.analysis.segmentTimes(segment).end])
      .filter(([from, to]) => to > from).sort((a, b) => a[0] - b[0]);
  }
  private gapsOf(lane: number, spans: [from: number, to: number][][]): Gap[] {
    const { end } = this;
    const gaps: Gap[] = [];
    const next = spans.map(() => 0); // of each lane the first span that may end in or after the gap
    let last = 0;
    for (const [from, to] of [...spans[lane]!, [end, end]] as [number, number][]) {
      if (from - last > kLeastGap * end) {
        const others = this.lanes.filter((_, other) => {
          const own = spans[other]!;
          while (next[other]! < own.length && own[next[other]!]![1] <= last + kSameTime * end) ++next[other]!;
          const [begin] = own[next[other]!] ?? [Infinity];
          return other !== lane && begin! < from - kSameTime * end;
        }).map(({ unit }) => unit).join(" and ");
        gaps.push({ from: last, to: from, why: others === "" ? "nothing runs" : last === 0
          ? `waits for what ${others} makes` : from >= end ? `done; ${others} goes on` : `waits for ${others}` });
      }
      last = Math.max(last, to);
    }
    return gaps;
  }
  // The first group of the lane that ends after the time.
  private firstAt(lane: Lane, seconds: number): number {
    const ends = this.state.analysis.groups.numbers("end_s");
    let low = 0, high = lane.groups.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[lane.groups[middle]!]! < seconds) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  protected paint(pen: Pen): void {
    const bottom = this.height - 46;
    const busy = this.lanes.filter((lane) => !isIdle(lane)).length;
    const room = bottom - kTop - (this.lanes.length - busy) * kIdleLane;
    const height = Math.max(kIdleLane, room / Math.max(1, busy));
    let end = kTop;
    this.tops = this.lanes.map((lane) => {
      const top = end;
      end += isIdle(lane) ? kIdleLane : height;
      return top;
    });
    this.tops.push(end);
    this.paintAxis(pen, end + 4, kTop);
    this.lanes.forEach((lane, i) => this.paintLane(pen, lane, this.tops[i]!, this.tops[i + 1]! - this.tops[i]! - 8));
    const note = `hatched: moved to the unit and started; dotted: waits${this.state.analysis.hasPipelines ? "; busy: kernels alone, without filling pipelines" : ""}`;
    pen.text(note, this.left, Math.min(this.height - 8, end + 32), theme.faint, 11, this.width - this.left);
  }
  private paintLane(pen: Pen, lane: Lane, y: number, height: number): void {
    const { analysis } = this.state;
    const starts = analysis.groups.numbers("start_s"), ends = analysis.groups.numbers("end_s");
    pen.line([[0, y + height + 5], [this.width, y + height + 5]], theme.sunken);
    const row = this.unitRow(lane.unit);
    const rests = isIdle(lane);
    pen.text(rests ? `${lane.unit}: idle` : lane.unit, 8, y + height / 2 - (height > 34 ? 8 : 0),
             rests ? theme.faint : theme.ink, 13, this.left - 14,
      "start", !rests);
    if (height > 34) {
      pen.text(`${this.busy(row)} busy`, 8, y + height / 2 + 9, theme.faint, 11, this.left - 14);
    }
    this.paintGaps(pen, lane, y, height);
    this.paintWaits(pen, lane, y, height);
    for (const segment of lane.pipelines) this.paintPipeline(pen, segment, y, height);
    let painted = -1;
    for (let i = this.firstAt(lane, this.from); i < lane.groups.length; ++i) {
      const group = lane.groups[i]!;
      if (starts[group]! > this.to) break;
      const span = this.shown(starts[group]!, ends[group]!);
      if (span === null) continue;
      const [x, right] = span;
      if (right < painted + 0.5 && right - x < 1) continue;
      painted = Math.max(right, x + 1);
      this.paintBar(pen, analysis.rootOf[group]!, x, y, Math.max(1, right - x), height);
    }
    this.paintChosen(pen, lane, y, height);
  }
  private busy(row: number): string {
    const { units } = this.state.analysis;
    const known = units.number("known_s", row);
    // it has little room
    return format.atLeast(format.seconds(known), known, units.cell("busy_s", row) === null).replace("at least", "≥");
  }
  private unitRow(unit: string): number {
    const { units } = this.state.analysis;
    for (let row = 0; row < units.size; ++row) if (units.text("name", row) === unit) return row;
    return -1;
  }
  private paintBar(pen: Pen, leaf: number, x: number, y: number, width: number, height: number): void {
    const isDim = this.state.isFiltered && !this.state.leafPasses(leaf);
    const mark = this.state.palette.of(leaf);
    const fill = isDim ? theme.surface : mark.fill;
    const gap = width > 3 ? 1 : 0;
    pen.rect(x, y, width - gap, height, fill);
    if (isDim && width > 3) pen.rect(x + 0.5, y + 0.5, width - 2, height - 1, null, theme.line);
    if (mark.share !== null && width > 6) pen.rect(x, y + height - 4, (width - gap) * mark.share, 3, theme.ink);
    if (width < 14 || isDim) return;
    let left = x + 4;
    if (mark.shape !== null) {
      pen.shape(mark.shape, x + 8, y + height / 2, 4, inkOn(fill));
      left = x + 16;
    }
    const { analysis } = this.state;
    const group = analysis.groupOf[leaf]!;
    const room = x + width - left - 4;
    if (room > 24) pen.text(analysis.groups.text("pattern", group), left, y + height / 2 - (height > 30 ? 7 : 0),
                            inkOn(fill), 12, room, "start", true);
    if (room > 24 && height > 30) pen.text(analysis.label(leaf), left, y + height / 2 + 9, inkOn(fill), 11, room);
    if (room <= 24 || room < 60 && height > 90) this.paintUpright(pen, leaf, x, y, width - gap, height, inkOn(fill));
  }
  // A bar too narrow for its name has it from below upwards.
  private paintUpright(pen: Pen, leaf: number, x: number, y: number, width: number, height: number, ink: string): void {
    if (width < kLeastName || height < 90) return;
    pen.textUp(this.state.analysis.label(leaf), x + width / 2, y + height - 6, ink, 11, height / 2 - 16);
  }
  private paintGaps(pen: Pen, lane: Lane, y: number, height: number): void {
    for (const gap of lane.gaps) {
      const span = this.shown(gap.from, gap.to);
      if (span === null || span[1] - span[0] < 3) continue;
      const [x, right] = span;
      pen.line([[x + 1, y + height / 2], [right - 1, y + height / 2]], theme.line, 1, [2, 4]);
      const room = right - x - 12;
      if (room > 40) pen.text(gap.why, (x + right) / 2, y + height / 2 - 10, theme.faint, 11, room, "middle");
    }
  }
  // Before the first group of a segment its inputs are moved and it is started.
  private waitOf(segment: number): [from: number, to: number] {
    const { analysis } = this.state;
    return [analysis.segments.number("start_s", segment), analysis.segmentTimes(segment).invoked];
  }
  private paintWaits(pen: Pen, lane: Lane, y: number, height: number): void {
    let painted = -1;
    for (const segment of lane.segments) {
      const [from, to] = this.waitOf(segment);
      const span = to > from ? this.shown(from, to) : null;
      if (span === null || span[1] < painted + 0.7) continue;
      const [x, right] = span;
      painted = right;
      const top = y + (height - Math.min(height * 0.5, kMostWait)) / 2, bottom = 2 * y + height - top;
      pen.rect(x, top, Math.max(1, right - x), bottom - top, mix(theme.surface, theme.ink, 0.22));
      for (let at = x + 3; at < right - 2; at += 5) {
        pen.line([[at, bottom], [Math.min(right, at + 14), top]], theme.faint);
      }
      if (right - x > 70) this.paintMove(pen, segment, x, right, bottom);
    }
  }
  // What the hatched part is, below it.
  private paintMove(pen: Pen, segment: number, x: number, right: number, y: number): void {
    const { segments } = this.state.analysis;
    const parts: [what: string, time: number][] = [["moved in", segments.number("transfer_s", segment)],
                                                   ["started in", segments.number("invoke_s", segment)]];
    parts.filter(([, time]) => time > 0).forEach(([what, time], i) => {
      const text = `${what} ${format.seconds(time)}`;
      if (textWidth(text, 11) < right - x - 2) pen.text(text, x + 2, y + 10 + 14 * i, theme.faint, 11);
    });
  }
  private paintPipeline(pen: Pen, segment: number, y: number, height: number): void {
    const { analysis } = this.state;
    const { invoked, end } = analysis.segmentTimes(segment);
    const span = this.shown(invoked, end);
    if (span === null) return;
    const [x, right] = span;
    const fill = mix(theme.surface, theme.kinds[0]!, 0.3);
    pen.rect(x, y, Math.max(1, right - x), height, fill, theme.faint);
    pen.text(pipelineText(this.state, segment), x + 6, y + height / 2, inkOn(fill), 12, right - x - 12);
  }
  private paintChosen(pen: Pen, lane: Lane, y: number, height: number): void {
    const { analysis, leaf } = this.state;
    if (leaf < 0 || analysis.unitOf(leaf) !== lane.unit) return;
    const span = this.shown(...analysis.spanOf(analysis.groupOf[leaf]!));
    if (span === null) return;
    const [x, right] = span;
    pen.rect(x - 1, y - 1, Math.max(3, right - x) + 1, height + 2, null, theme.accent, 3);
  }

  protected pick(x: number, y: number): Hit | null {
    const lane = this.lanes[this.tops.findIndex((top, i) => y >= top && y < (this.tops[i + 1] ?? top))];
    if (lane === undefined || x < this.left) return null;
    const { analysis } = this.state;
    const starts = analysis.groups.numbers("start_s");
    const near = this.firstAt(lane, this.secondsAt(x - 1));
    const group = lane.groups[near];
    if (group !== undefined && starts[group]! <= this.secondsAt(x + 1)) {
      const leaf = analysis.rootOf[group]!;
      const figures = [format.seconds(analysis.groups.number("time_s", group)),
                       `from ${format.seconds(starts[group]!)}`];
      return { node: leaf, box: -1, lines: leafLines(this.state, leaf, figures) };
    }
    for (const segment of lane.segments) {
      const [from, to] = this.waitOf(segment);
      if (this.secondsAt(x) < from || this.secondsAt(x) > to) continue;
      const { segments } = analysis;
      return { node: -1, box: -1, lines: [`segment ${segment} on ${lane.unit}`,
        `moved in ${format.seconds(segments.number("transfer_s", segment))}, started in ${format.seconds(segments.number("invoke_s", segment))}`,
        segments.text("reason", segment)] };
    }
    const gap = lane.gaps.find(({ from, to }) => this.secondsAt(x) >= from && this.secondsAt(x) <= to);
    if (gap !== undefined) {
      return { node: -1, box: -1, lines: [`${lane.unit}: ${gap.why}`, `idle for ${format.seconds(gap.to - gap.from)}`] };
    }
    for (const segment of lane.pipelines) {
      const { invoked, end } = analysis.segmentTimes(segment);
      if (this.secondsAt(x) < invoked || this.secondsAt(x) > end) continue;
      const { segments } = analysis;
      return { node: -1, box: -1, lines: [pipelineText(this.state, segment),
        `from ${format.seconds(invoked)} to ${format.seconds(end)}`, segments.text("reason", segment)] };
    }
    return null;
  }
}

const isIdle = (lane: Lane): boolean => lane.groups.length === 0 && lane.pipelines.length === 0;

function pipelineText({ analysis }: State, segment: number): string {
  const count = analysis.segments.list("groups", segment).length;
  return `pipeline of ${count} kernels, ${format.seconds(analysis.segments.number("time_s", segment))}: they run at the same time`;
}

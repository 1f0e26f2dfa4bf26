// Shared by the drawn views: a canvas that fills its place, a line about what is under the pointer, pictures to save.
import { h, name } from "./dom.js";
import * as format from "./format.js";
import { CanvasPen, type Pen, SvgPen } from "./pen.js";
import type { Change, State } from "./state.js";
import { theme } from "./theme.js";

export interface Hit {
  node: number; // -1 = none
  box: number; // -1 = none
  lines: string[]; // about it; the first one is its name
}

export abstract class CanvasView {
  readonly element: HTMLElement;
  protected readonly canvas: HTMLCanvasElement;
  protected readonly tools = h("div", { class: "tools" });
  protected width = 0;
  protected height = 0;
  protected readonly frame: HTMLElement;
  private readonly tip = h("div", { class: "tip", hidden: true });
  private isDue = false;
  private drag: { x: number; y: number; moved: boolean } | null = null;

  constructor(protected readonly state: State, readonly title: string, help: string) {
    this.canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": `${title}. ${help}` });
    this.frame = h("div", { class: "canvas" }, this.canvas, this.tip);
    this.element = h("div", { class: "drawn" }, this.tools, this.frame);
    new ResizeObserver(() => this.resize()).observe(this.frame);
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", (event) => this.release(event));
    this.canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.canvas.addEventListener("dblclick", (event) => this.enter(this.pick(event.offsetX, event.offsetY)));
    this.canvas.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && this.key(event.key)) event.preventDefault();
    });
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002)), event.offsetX, event.offsetY);
    }, { passive: false });
  }

  protected abstract paint(pen: Pen): void;
  protected abstract pick(x: number, y: number): Hit | null;
  abstract update(change: Change): void;
  protected pan(_dx: number, _dy: number): void {}
  protected zoom(_factor: number, _x: number, _y: number): void {}
  protected enter(_hit: Hit | null): void {}
  protected key(_key: string): boolean {
    return false;
  }
  // Called when the place gets another size, before it is painted.
  protected fit(): void {}

  protected choose(hit: Hit | null): void {
    if (hit === null) return;
    if (hit.node >= 0) this.state.selectNode(hit.node);
    else if (hit.box >= 0) this.state.selectBox(hit.box);
  }

  invalidate(): void {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.paintNow();
    });
  }
  paintNow(): void {
    if (this.width === 0) return;
    const context = this.canvas.getContext("2d")!;
    const density = devicePixelRatio || 1;
    context.setTransform(density, 0, 0, density, 0, 0);
    context.fillStyle = theme.surface;
    context.fillRect(0, 0, this.width, this.height);
    this.paint(new CanvasPen(context));
  }
  toSvg(): SvgPen {
    const pen = new SvgPen(this.width, this.height, theme.surface);
    this.paint(pen);
    return pen;
  }
  toPng(): Promise<Blob | null> {
    this.paintNow();
    return new Promise((resolve) => this.canvas.toBlob(resolve, "image/png"));
  }
  get isShown(): boolean {
    return this.width > 0;
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.frame;
    if (clientWidth === 0 || clientHeight === 0 || (clientWidth === this.width && clientHeight === this.height)) return;
    this.width = clientWidth;
    this.height = clientHeight;
    const density = devicePixelRatio || 1;
    this.canvas.width = Math.round(clientWidth * density);
    this.canvas.height = Math.round(clientHeight * density);
    this.fit();
    this.paintNow();
  }

  private press(event: PointerEvent): void {
    this.drag = { x: event.offsetX, y: event.offsetY, moved: false };
    this.canvas.setPointerCapture(event.pointerId);
  }
  private move(event: PointerEvent): void {
    if (this.drag === null) return this.point(event);
    const dx = event.offsetX - this.drag.x, dy = event.offsetY - this.drag.y;
    if (!this.drag.moved && Math.hypot(dx, dy) < 4) return;
    this.drag = { x: event.offsetX, y: event.offsetY, moved: true };
    this.tip.hidden = true;
    this.pan(dx, dy);
  }
  private release(event: PointerEvent): void {
    if (this.drag !== null && !this.drag.moved) this.choose(this.pick(event.offsetX, event.offsetY));
    this.drag = null;
  }
  private point(event: PointerEvent): void {
    const hit = this.pick(event.offsetX, event.offsetY);
    this.canvas.style.cursor = hit === null ? "" : "pointer";
    this.tip.hidden = hit === null;
    if (hit === null) return;
    this.tip.replaceChildren(...hit.lines.filter((line) => line !== "")
                             .map((line, i) => h("div", {}, i === 0 ? name(line) : line)));
    const left = Math.min(event.offsetX + 14, this.width - this.tip.offsetWidth - 4);
    const above = event.offsetY + 18 + this.tip.offsetHeight > this.height;
    this.tip.style.left = `${Math.max(0, left)}px`;
    this.tip.style.top = `${above ? Math.max(0, event.offsetY - this.tip.offsetHeight - 10) : event.offsetY + 18}px`;
  }
}

// What a leaf is, for the line under the pointer.
export function leafLines(state: State, leaf: number, figures: string[]): string[] {
  const { analysis } = state;
  const group = analysis.groupOf[leaf]!;
  const kind = group < 0 ? analysis.nodes.text("op", leaf) : analysis.groups.text("pattern", group);
  const place = analysis.needsNoKernel(leaf) ? format.kNoKernel
    : [analysis.unitOf(leaf), analysis.boundOf(leaf)].filter((text) => text !== "").join(", ");
  return [analysis.label(leaf), kind, [...figures, place].filter((text) => text !== "").join(" · ")];
}

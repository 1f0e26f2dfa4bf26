// Draws pictures: onto a canvas, or into an SVG file.

export type Shape = "square" | "circle" | "triangle" | "diamond" | "cross" | "bar" | "ring" | "star";
export const kShapes: Shape[] = ["square", "circle", "triangle", "diamond", "cross", "bar", "ring", "star"];

export interface Pen {
  rect(x: number, y: number, width: number, height: number, fill: string | null, stroke?: string,
       weight?: number): void;
  line(points: [number, number][], color: string, weight?: number, dashes?: number[]): void;
  // Cut to `room` pixels; the middle of `text` is left out where it is longer.
  text(text: string, x: number, y: number, color: string, size: number, room?: number,
       anchor?: "start" | "middle" | "end",
       isBold?: boolean): void;
  // The same upwards from x, y, in the middle of a column.
  textUp(text: string, x: number, y: number, color: string, size: number, room: number): void;
  shape(shape: Shape, x: number, y: number, radius: number, color: string): void;
}

type Point = [number, number];
function outline(shape: Shape, x: number, y: number, r: number): Point[] {
  const around = (corners: number, turn: number, radius: (i: number) => number): Point[] =>
    Array.from({ length: corners }, (_, i) => {
      const angle = turn + (2 * Math.PI * i) / corners;
      return [x + radius(i) * Math.cos(angle), y + radius(i) * Math.sin(angle)];
    });
  switch (shape) {
    case "circle": case "ring": return around(14, 0, () => r);
    case "triangle": return around(3, -Math.PI / 2, () => r * 1.2);
    case "diamond": return around(4, 0, () => r * 1.2);
    case "star": return around(10, -Math.PI / 2, (i) => (i % 2 === 0 ? r * 1.3 : r * 0.55));
    case "bar": return [[x - r, y - r * 0.45], [x + r, y - r * 0.45], [x + r, y + r * 0.45], [x - r, y + r * 0.45]];
    case "cross": {
      const t = r * 0.35;
      return [[-r, -t], [-t, -t], [-t, -r], [t, -r], [t, -t], [r, -t], [r, t], [t, t], [t, r], [-t, r], [-t, t],
              [-r, t]]
        .map(([dx, dy]) => [x + dx!, y + dy!]);
    }
    default: return [[x - r * 0.9, y - r * 0.9], [x + r * 0.9, y - r * 0.9], [x + r * 0.9, y + r * 0.9],
                     [x - r * 0.9, y + r * 0.9]];
  }
}

const kFont = "system-ui, 'DejaVu Sans', sans-serif";
const measurer = document.createElement("canvas").getContext("2d")!;
const widths = new Map<string, number>();

// Of a text in pixels at size 100; by code unit, which is near enough for cutting.
function unitWidth(text: string): number {
  let width = 0;
  for (const letter of text) {
    let own = widths.get(letter);
    if (own === undefined) {
      measurer.font = `100px ${kFont}`;
      own = measurer.measureText(letter).width;
      widths.set(letter, own);
    }
    width += own;
  }
  return width;
}
export const textWidth = (text: string, size: number): number => (unitWidth(text) * size) / 100;

// The text, without its middle where it is too long; "" where so little is left that it names nothing.
const kLeastLetters = 7;
const kBold = 1.09; // how much wider letters are
export function cut(text: string, size: number, room: number, isBold = false): string {
  if (isBold) return cut(text, size, room / kBold);
  const head = text.slice(0, 300);
  const width = textWidth(head, size);
  if (width <= room && head.length === text.length) return text;
  const letters = Math.floor((head.length * room) / Math.max(1, width)) - 1;
  if (letters < kLeastLetters) return "";
  const without = (left: number): string => {
    const front = Math.ceil(left / 3);
    return `${text.slice(0, front)}…${text.slice(text.length - (left - front))}`;
  };
  for (let left = letters; left >= kLeastLetters; --left) {
    const shown = without(left);
    if (textWidth(shown, size) <= room) return shown;
  }
  return "";
}

export class CanvasPen implements Pen {
  constructor(private readonly context: CanvasRenderingContext2D) {}

  rect(x: number, y: number, width: number, height: number, fill: string | null, stroke?: string, weight = 1): void {
    if (fill !== null) {
      this.context.fillStyle = fill;
      this.context.fillRect(x, y, width, height);
    }
    if (stroke === undefined) return;
    this.context.strokeStyle = stroke;
    this.context.lineWidth = weight;
    this.context.strokeRect(x, y, width, height);
  }
  line(points: [number, number][], color: string, weight = 1, dashes: number[] = []): void {
    this.context.strokeStyle = color;
    this.context.lineWidth = weight;
    this.context.setLineDash(dashes);
    this.context.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? this.context.moveTo(x, y) : this.context.lineTo(x, y)));
    this.context.stroke();
    this.context.setLineDash([]);
  }
  text(text: string, x: number, y: number, color: string, size: number, room = Infinity,
       anchor: "start" | "middle" | "end" = "start", isBold = false): void {
    const shown = cut(text, size, room, isBold);
    if (shown === "") return;
    this.context.font = `${isBold ? "600 " : ""}${size}px ${kFont}`;
    this.context.fillStyle = color;
    this.context.textAlign = anchor === "middle" ? "center" : anchor === "end" ? "right" : "left";
    this.context.textBaseline = "middle";
    this.context.fillText(shown, x, y);
  }
  textUp(text: string, x: number, y: number, color: string, size: number, room: number): void {
    this.context.save();
    this.context.translate(x, y);
    this.context.rotate(-Math.PI / 2);
    this.text(text, 0, 0, color, size, room);
    this.context.restore();
  }
  shape(shape: Shape, x: number, y: number, radius: number, color: string): void {
    this.context.beginPath();
    outline(shape, x, y, radius).forEach(([px, py], i) => (i === 0 ? this.context.moveTo(px, py)
                                                           : this.context.lineTo(px, py)));
    this.context.closePath();
    if (shape === "ring") {
      this.context.strokeStyle = color;
      this.context.lineWidth = radius * 0.5;
      this.context.stroke();
    } else {
      this.context.fillStyle = color;
      this.context.fill();
    }
  }
}

const kSvg = "http://www.w3.org/2000/svg";

export class SvgPen implements Pen {
  readonly svg = document.createElementNS(kSvg, "svg");

  constructor(readonly width: number, readonly height: number, background: string) {
    this.svg.setAttribute("xmlns", kSvg);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("width", String(width));
    this.svg.setAttribute("height", String(height));
    this.rect(0, 0, width, height, background);
  }
  private add(tag: string, attributes: { [name: string]: string | number }): Element {
    const element = document.createElementNS(kSvg, tag);
    for (const [name, value] of Object.entries(attributes)) {
      element.setAttribute(name, typeof value === "number" ? String(Math.round(value * 100) / 100) : value);
    }
    return this.svg.appendChild(element);
  }
  rect(x: number, y: number, width: number, height: number, fill: string | null, stroke?: string, weight = 1): void {
    this.add("rect", { x, y, width: Math.max(0, width), height: Math.max(0, height), fill: fill ?? "none",
                       ...(stroke === undefined ? {} : { stroke, "stroke-width": weight }) });
  }
  line(points: [number, number][], color: string, weight = 1, dashes: number[] = []): void {
    const d = points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    this.add("path", { d, fill: "none", stroke: color, "stroke-width": weight,
                       ...(dashes.length > 0 ? { "stroke-dasharray": dashes.join(" ") } : {}) });
  }
  text(text: string, x: number, y: number, color: string, size: number, room = Infinity,
       anchor: "start" | "middle" | "end" = "start", isBold = false): void {
    const shown = cut(text, size, room, isBold);
    if (shown === "") return;
    this.add("text", { x, y, fill: color, "font-size": size, "font-family": kFont, "text-anchor": anchor,
                       "dominant-baseline": "central", ...(isBold ? { "font-weight": 600 } : {}) }).textContent = shown;
  }
  textUp(text: string, x: number, y: number, color: string, size: number, room: number): void {
    const shown = cut(text, size, room);
    if (shown === "") return;
    this.add("text", { x, y, fill: color, "font-size": size, "font-family": kFont, "dominant-baseline": "central",
                       transform: `rotate(-90 ${x.toFixed(1)} ${y.toFixed(1)})` }).textContent = shown;
  }
  shape(shape: Shape, x: number, y: number, radius: number, color: string): void {
    const d = outline(shape, x, y, radius)
      .map(([px, py], i) => `${i === 0 ? "M" : "L"}${px.toFixed(1)} ${py.toFixed(1)}`);
    this.add("path", shape === "ring" ? { d: `${d.join("")}Z`, fill: "none", stroke: color,
      "stroke-width": radius * 0.5 }
                                      : { d: `${d.join("")}Z`, fill: color });
  }
  blob(): Blob {
    return new Blob([new XMLSerializer().serializeToString(this.svg)], { type: "image/svg+xml" });
  }
}

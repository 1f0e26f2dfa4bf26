// Makes elements, always from text: nothing from a model is ever parsed as HTML.

type Attributes = { [name: string]: string | number | boolean | null | undefined | ((event: never) => void) };
type Child = Node | string | null;

function apply(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, attributes);
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

// One of the model's names. <bdi> keeps its text direction from affecting its neighbours.
export const name = (text: string): HTMLElement => h("bdi", {}, shown(text));

// A name that people can read: controls and marks of direction as \uNNNN.
export const whole = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (control) =>
    `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);

// The same, not longer than a page.
const kLongestName = 400;
export function shown(text: string): string {
  const safe = whole(text);
  return safe.length <= kLongestName ? safe : `${safe.slice(0, kLongestName - 40)}…${safe.slice(-39)}`;
}

export const button = (label: Child, attributes: Attributes, press: () => void): HTMLButtonElement =>
  h("button", { type: "button", ...attributes, click: press }, label);

export interface Option {
  value: string;
  label: string;
}
export function select(label: string, options: Option[], change: (value: string) => void): HTMLSelectElement {
  const element = h("select", { "aria-label": label, title: label });
  element.append(...options.map((option) => h("option", { value: option.value }, shown(option.label))));
  element.addEventListener("change", () => change(element.value));
  return element;
}

export function table(caption: string, heads: string[], rows: (Child | string)[][], words: number[]): HTMLTableElement {
  const style = (i: number): Attributes => ({ class: words.includes(i) ? "word" : "number" });
  return h("table", { class: "plain" },
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, heads.map((head, i) => h("th", { scope: "col", ...style(i) }, head)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, i) => h("td", style(i), cell))))));
}

export function download(file: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// What pages that are whole without a script gain by one: tables that sort and filter, words about what the pointer is
// over in a chart, and themes.
import "./still.css";
import { button, h } from "./dom.js";
import { makeSortable } from "./sortable.js";
import { nextTheme, startTheme, themeChoice } from "./theme.js";

const kFilterFrom = 12; // rows

function head(): void {
  const title = document.querySelector("h1")!;
  const theme = button("◐", { "aria-label": "Theme: automatic", title: "Light or dark" }, () => {
    nextTheme();
    theme.setAttribute("aria-label", `Theme: ${themeChoice() === "auto" ? "automatic" : themeChoice()}`);
  });
  const bar = h("div", { class: "head" });
  title.replaceWith(bar);
  bar.append(title, theme);
}

function prepare(table: HTMLTableElement): void {
  const body = table.tBodies[0]!;
  makeSortable(table);
  for (const row of body.rows) {
    for (const cell of row.cells) if (/^(ok|over|undecided|missed|holds)$/.test(cell.textContent ?? "")) {
      cell.classList.add("verdict");
    } else if (/^[█░]+$/.test(cell.textContent ?? "")) {
      const all = cell.textContent!, share = all.lastIndexOf("█") + 1;
      cell.replaceChildren(h("div", { class: "share", title: `${Math.round(100 * share / all.length)} %` }));
      (cell.firstElementChild as HTMLElement).style.setProperty("--share", `${100 * share / all.length}%`);
    }
  }
  const place = table.parentElement!;
  place.tabIndex = 0;
  place.setAttribute("role", "region");
  place.setAttribute("aria-label", place.previousElementSibling?.textContent?.slice(0, 200) || "Table");
  if (body.rows.length >= kFilterFrom) filterOf(place, body);
}
function filterOf(place: HTMLElement, body: HTMLTableSectionElement): void {
  const note = h("span", { role: "status" });
  const input = h("input", { type: "search", placeholder: "filter rows", "aria-label": "Filter the rows" });
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    let count = 0;
    for (const row of body.rows) {
      row.hidden = !row.textContent!.toLowerCase().includes(wanted);
      count += row.hidden ? 0 : 1;
    }
    note.textContent = wanted === "" ? "" : `${count} of ${body.rows.length} rows`;
  });
  place.before(h("div", { class: "tools" }, input, note));
}

// Browsers show a shape's <title> late; here its words follow the pointer.
function tips(): void {
  const tip = h("div", { class: "tip", hidden: true });
  const words = new Map<Element, string>();
  for (const title of document.querySelectorAll("figure svg title")) {
    const shape = title.parentElement as Element;
    if (shape.tagName === "svg") continue;
    words.set(shape, title.textContent ?? "");
    title.remove();
  }
  if (words.size === 0) return;
  document.querySelector("main")!.append(tip);
  let over: Element | null = null;
  document.addEventListener("pointermove", (event) => {
    const text = words.get(event.target as Element);
    if (over !== event.target) {
      over?.classList.remove("over");
      over = text === undefined ? null : event.target as Element;
      over?.classList.add("over");
    }
    tip.hidden = text === undefined;
    if (text === undefined) return;
    tip.textContent = text;
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${event.clientY + 20 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10
      : event.clientY + 18}px`;
  });
}

startTheme(() => {});
head();
for (const table of document.querySelectorAll<HTMLTableElement>(".scroll > table")) prepare(table);
tips();
document.documentElement.dataset["ready"] = "1";

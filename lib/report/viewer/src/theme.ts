// Light and dark themes, for the page and for drawings on canvases.

export interface Theme {
  surface: string;
  raised: string;
  sunken: string;
  ink: string;
  faint: string;
  line: string;
  accent: string;
  ramp: string; // the far end of a scale of figures
  // Of things without an order. The first five are those of bounds: readers who see no red or green tell blue, orange,
  // grey, pink and yellow apart by hue or lightness, and none of them means good or bad.
  kinds: string[];
}

const kLight: Theme = {
  surface: "#ffffff", raised: "#f5f6f8", sunken: "#e9ebef", ink: "#16191f", faint: "#565d69", line: "#c4c9d1",
  accent: "#0b57c2", ramp: "#b3261e",
  kinds: ["#3b82d6", "#e08a00", "#6b7685", "#c2609e", "#a89a00", "#00909c", "#16966f", "#c9483a"],
};
const kDark: Theme = {
  surface: "#14171c", raised: "#1d2127", sunken: "#282d35", ink: "#eceef2", faint: "#a9b1bd", line: "#464d58",
  accent: "#7db3ff", ramp: "#ff6f61",
  kinds: ["#5a9bea", "#f0a63a", "#97a2b2", "#dd8ec0", "#d6c94a", "#3bb9c4", "#3dbb93", "#ea7466"],
};

export type Choice = "auto" | "light" | "dark";

let choice: Choice = "auto";
let isPrinting = false;
const watchers: (() => void)[] = [];
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const prints = matchMedia("print");

export let theme = kLight;

function apply(): void {
  const isDark = !isPrinting && (choice === "dark" || (choice === "auto" && prefersDark.matches));
  theme = isDark ? kDark : kLight;
  const root = document.documentElement;
  root.style.colorScheme = isDark ? "dark" : "light";
  root.toggleAttribute("data-dark", isDark);
  for (const [key, color] of Object.entries(theme)) {
    if (typeof color === "string") root.style.setProperty(`--${key}`, color);
  }
  for (const watcher of watchers) watcher();
}

export function setTheme(to: Choice): void {
  choice = to;
  apply();
}
export const themeChoice = (): Choice => choice;
const kChoices: Choice[] = ["auto", "light", "dark"];
export const nextTheme = (): void => setTheme(kChoices[(kChoices.indexOf(choice) + 1) % kChoices.length]!);

export function startTheme(watch: () => void): void {
  watchers.push(watch);
  prefersDark.addEventListener("change", apply);
  prints.addEventListener("change", (event) => {
    isPrinting = event.matches;
    apply();
  });
  apply();
}

const channels = (color: string): number[] => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

// `share` of b, the rest a.
export function mix(a: string, b: string, share: number): string {
  const to = channels(b);
  const mixed = channels(a).map((channel, i) => Math.round(channel + (to[i]! - channel) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

const inks = new Map<string, string>();
// Black or white, whichever is easier to read on the color.
export function inkOn(color: string): string {
  let ink = inks.get(color);
  if (ink === undefined) {
    ink = luminance(color) > 0.19 ? "#0d0f12" : "#ffffff";
    inks.set(color, ink);
  }
  return ink;
}

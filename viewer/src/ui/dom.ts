// Elements in a line of code.

type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;
type Child = Node | string | null;

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "path", "line", "text", "g", "rect", "circle", "polyline", "title", "use"]);

/** An element with attributes (`onclick` and the like are listeners) and children. */
export function h(tag: string, attributes: Attributes = {}, ...children: Child[]): HTMLElement {
  const element = (DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag)) as HTMLElement;
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const ICONS: Record<string, string> = {
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  first: "M6 5h2.5v14H6zM19 5v14l-9.5-7z",
  last: "M15.5 5H18v14h-2.5zM5 5v14l9.5-7z",
  fit: "M4 9V4h5v2H6v3zM15 4h5v5h-2V6h-3zM4 15h2v3h3v2H4zM18 15h2v5h-5v-2h3zM9 9h6v6H9z",
  camera: "M9 5l-1.5 2H4v12h16V7h-3.5L15 5zm3 4.5a4 4 0 110 8 4 4 0 010-8z",
  record: "M12 6a6 6 0 110 12 6 6 0 010-12z",
  link: "M10.6 13.4a4 4 0 005.7 0l3-3a4 4 0 00-5.7-5.7l-1.4 1.4 1.4 1.4 1.4-1.4a2 2 0 012.9 2.9l-3 3a2 2 0 01-2.9 0zm2.8-2.8a4 4 0 00-5.7 0l-3 3a4 4 0 005.7 5.7l1.4-1.4-1.4-1.4-1.4 1.4a2 2 0 01-2.9-2.9l3-3a2 2 0 012.9 0z",
  theme: "M12 4a8 8 0 100 16zm0-2a10 10 0 110 20 10 10 0 010-20z",
  help: "M11 17h2v2h-2zM12 5a4.5 4.5 0 00-4.5 4.5h2.2a2.3 2.3 0 114.6 0c0 2-3.3 2-3.3 5.5h2.2c0-2.400 3.300-2.700 3.300-5.500A4.500 4.500 0 0012 5z",
  panel: "M4 5h16v14H4zm2 2v10h8V7z",
};

export function icon(name: string): Node {
  return h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, h("path", { d: ICONS[name] }));
}

export function button(name: string, label: string, onclick: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "icon-button", title: label, "aria-label": label, onclick }, icon(name)) as HTMLButtonElement;
}

/** A checkbox with its words. */
export function check(label: string, checked: boolean, onchange: (on: boolean) => void, swatch?: string): HTMLElement {
  const input = h("input", { type: "checkbox", checked }) as HTMLInputElement;
  input.addEventListener("change", () => onchange(input.checked));
  const dot = swatch ? h("span", { class: "swatch" }) : null;
  if (dot && swatch) dot.style.background = swatch;
  return h("label", { class: "check" }, input, dot, h("span", {}, label));
}

export function select(label: string, options: [string, string][], value: string, onchange: (value: string) => void): HTMLElement {
  const list = h("select", { "aria-label": label }) as HTMLSelectElement;
  for (const [key, text] of options) list.append(h("option", { value: key, selected: key === value }, text));
  list.addEventListener("change", () => onchange(list.value));
  return list;
}

/** Lets a browser save something. */
export function save(blob: Blob, name: string): void {
  const link = h("a", { href: URL.createObjectURL(blob), download: name }) as HTMLAnchorElement;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

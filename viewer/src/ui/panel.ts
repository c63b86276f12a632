// What is shown: bodies, colours, arrows, cuts, comparison.

import type { App } from "../app";
import { css } from "../colours";
import { ARROW_COLOURS } from "../draw/runview";
import { number, typed, words } from "../format";
import { check, h, select } from "./dom";
import { expectations } from "./expectations";

export function panel(app: App): HTMLElement {
  const content = h("div", { class: "panel-content" });
  const draw = () => {
    content.replaceChildren(compare(app) ?? "", bodies(app), colour(app), arrows(app), cut(app), look(app), expectations(app));
  };
  draw();
  // Frames that come change nothing here, and whoever has a list open wants to keep it.
  const known = () => app.runs.map((run) => `${run.about.generation} ${run.status}`).join();
  let drawn = known();
  app.onRuns.push(() => {
    if (drawn !== known()) draw();
    drawn = known();
  });
  // The range that was found is known once a frame is drawn.
  app.onFrame.push(() => {
    const inputs = content.querySelectorAll<HTMLInputElement>(".bounds input");
    if (inputs.length && !app.store.now.range) app.range.forEach((value, k) => (inputs[k].value = typed(value)));
  });
  // Controls that appear or change with others.
  app.store.onChange((changed) => {
    if (["colour", "cut", "compare", "arrows", "range", "hidden", "wireframe", "grid", "tets"].some((key) => changed.has(key as never))) {
      const focused = document.activeElement?.id;
      draw();
      if (focused) document.getElementById(focused)?.focus();
    }
  });
  return content;
}

function section(title: string, ...children: (Node | string | null)[]): HTMLElement {
  return h("section", {}, h("h2", {}, title), ...children);
}

function compare(app: App): HTMLElement | null {
  if (!app.isComparing) return null;
  const options: [string, string][] = [["side", "Side by side"], ["overlay", "Over each other"]];
  const choice = select("Comparison", options, app.store.now.compare, (value) => app.store.set({ compare: value as "side" | "overlay" }));
  choice.id = "compare";
  const names = app.runs.map((run, k) => h("li", {}, `${k === 0 ? "A" : "B"}: ${run.about.name}`));
  return section("Compare", choice, h("ul", { class: "plain" }, ...names));
}

function bodies(app: App): HTMLElement {
  const seen = new Set<string>();
  const rows: Node[] = [];
  for (const view of app.views.flatMap((run) => run.bodies)) {
    const { name, kind, vertices, tets, triangles } = view.about;
    if (seen.has(name)) continue;
    seen.add(name);
    const set = (on: boolean) => {
      const others = app.store.now.hidden.filter((hidden) => hidden !== name);
      app.store.set({ hidden: on ? others : [...others, name] });
    };
    const row = check(name, !app.store.now.hidden.includes(name), set, css(view.colour));
    const input = row.querySelector("input") as HTMLInputElement;
    input.id = `body-${seen.size}`;
    const size = tets ? `${vertices} vertices, ${tets} tetrahedra` : `${vertices} vertices, ${triangles} triangles`;
    row.title = `${kind}: ${size}`;
    row.append(h("span", { class: "kind" }, kind));
    rows.push(row);
  }
  return section("Bodies", h("div", { class: "list" }, ...rows));
}

function colour(app: App): HTMLElement {
  const options: [string, string][] = [["body", "Body"]];
  options.push(...app.quantities.map((quantity): [string, string] => [quantity.name, words(quantity.name)]));
  const choice = select("Colour by", options, app.store.now.colour, (value) => app.store.set({ colour: value, range: null }));
  choice.id = "colour";
  const quantity = app.quantity;
  if (!quantity || quantity.scale === "states") return section("Colour", choice);
  const [low, high] = app.store.now.range ?? app.range;
  const bound = (label: string, value: number, set: (value: number) => void) => {
    const input = h("input", { type: "text", inputmode: "decimal", "aria-label": `${label} of colours`, value: typed(value), id: `range-${label}` }) as HTMLInputElement;
    input.addEventListener("change", () => {
      const given = Number(input.value.replace(",", "."));
      if (Number.isFinite(given)) set(given);
    });
    return h("label", {}, h("span", {}, label), input);
  };
  const set = (range: [number, number]) => range[0] < range[1] && app.store.set({ range });
  const bounds = h(
    "div",
    { class: "bounds" },
    bound("From", low, (value) => set([value, high])),
    bound("to", high, (value) => set([low, value])),
    h("button", { type: "button", class: "small", onclick: () => app.store.set({ range: null }), disabled: app.store.now.range === null }, "Auto"),
  );
  return section("Colour", choice, bounds);
}

function arrows(app: App): HTMLElement {
  const names = app.arrowNames;
  if (names.length === 0) return section("Arrows", h("p", { class: "hint" }, "Nothing moves here."));
  const { arrows: on, arrowScale } = app.store.now;
  const rows = names.map((name, k) => {
    const set = (shown: boolean) => app.store.set({ arrows: shown ? [...on, name] : on.filter((other) => other !== name) });
    const row = check(words(name), on.includes(name), set, css(ARROW_COLOURS[name] ?? [90, 90, 90]));
    (row.querySelector("input") as HTMLInputElement).id = `arrows-${k}`;
    return row;
  });
  const scale = h("input", { type: "range", min: -1, max: 1, step: 0.05, value: Math.log10(arrowScale), "aria-label": "Length of arrows" }) as HTMLInputElement;
  scale.addEventListener("input", () => app.store.set({ arrowScale: 10 ** Number(scale.value) }));
  return section("Arrows", h("div", { class: "list" }, ...rows), on.length ? h("label", { class: "wide" }, "Length", scale) : null);
}

function cut(app: App): HTMLElement {
  const { cut: axis, cutAt, flip, tets } = app.store.now;
  const options: [string, string][] = [["", "Off"], ["x", "Across x"], ["y", "Across y"], ["z", "Across z"]];
  const choice = select("Cut", options, axis, (value) => app.store.set({ cut: value as "" | "x" | "y" | "z" }));
  choice.id = "cut";
  if (!axis) return section("Cut", choice);
  const place = h("input", { type: "range", min: 0, max: 1, step: 0.005, value: cutAt, "aria-label": "Place of the cut", id: "cut-at" }) as HTMLInputElement;
  place.addEventListener("input", () => app.store.set({ cutAt: Number(place.value) }));
  return section(
    "Cut",
    choice,
    place,
    check("Other side", flip, (on) => app.store.set({ flip: on })),
    check("Whole tetrahedra", tets, (on) => app.store.set({ tets: on })),
  );
}

function look(app: App): HTMLElement {
  const { wireframe, grid, shadows } = app.store.now;
  return section(
    "View",
    check("Edges", wireframe, (on) => app.store.set({ wireframe: on })),
    check("Grid", grid, (on) => app.store.set({ grid: on })),
    check("Shadows", shadows, (on) => app.store.set({ shadows: on })),
    h("p", { class: "hint" }, `${number(app.stage.size, 3)} m across`),
  );
}

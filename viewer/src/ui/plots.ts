// Plots under the view; their cursors follow the timeline, and clicking moves it.

import type { App } from "../app";
import { h, save } from "./dom";
import { COLOURS, Plot, type PlotData } from "./plot";
import { csvOf, plotData } from "./plotdata";

export function plots(app: App): HTMLElement {
  const strip = h("div", { class: "plots", tabindex: 0, role: "group", "aria-label": "Plots" });
  let drawn: { plot: Plot; values: HTMLElement[] }[] = [];
  const setTime = () => {
    for (const { plot, values } of drawn) {
      plot.setTime(app.times[app.frame] ?? 0).forEach((text, k) => (values[k].textContent = text));
    }
  };
  let [next, waiting] = [0, 0];
  const load = async () => {
    const began = performance.now();
    try {
      const none = { rows: 0, bundle: 1, columns: [] };
      const tables = (name: "steps" | "probes") => Promise.all(app.runs.map((run) => run.table(name).catch(() => none)));
      const [steps, probes] = await Promise.all([tables("steps"), tables("probes")]);
      drawn = [];
      const left = strip.scrollLeft;
      strip.replaceChildren(...plotData(steps, probes).map((data) => card(app, data, drawn)));
      strip.scrollLeft = left;
      setTime();
    } catch (error) {
      strip.replaceChildren(h("p", { class: "hint" }, String(error)));
    }
    // Tables of a run that goes on are long; reading them takes no more than a tenth of the time.
    next = performance.now() + Math.max(2000, 10 * (performance.now() - began));
  };
  const loadSoon = () => {
    waiting ||= window.setTimeout(async () => {
      await load();
      waiting = 0;
    }, Math.max(0, next - performance.now()));
  };
  app.onFrame.push(setTime);
  app.onRuns.push(loadSoon);
  void load();
  return strip;
}

function card(app: App, data: PlotData, drawn: { plot: Plot; values: HTMLElement[] }[]): HTMLElement {
  const plot = new Plot(data, (time) => app.goTo(nearest(app.times, time)));
  const values: HTMLElement[] = [];
  const keys = data.lines.map((line) => {
    const mark = h("span", { class: line.dashed ? "key dashed" : "key" });
    mark.style.borderColor = COLOURS[line.colour % COLOURS.length];
    const value = h("span", { class: "key-value" });
    values.push(value);
    const name = app.isComparing ? `${line.name} ${line.dashed ? "B" : "A"}` : line.name;
    return h("span", { class: "key-item" }, mark, data.lines.length > 1 ? name : null, value);
  });
  drawn.push({ plot, values });
  const file = data.title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const export_ = (kind: string, make: () => Blob) =>
    h("button", { type: "button", class: "small", "aria-label": `Save ${data.title} as ${kind}`, onclick: () => save(make(), `${file}.${kind.toLowerCase()}`) }, kind);
  return h(
    "figure",
    { class: "card" },
    h(
      "figcaption",
      {},
      h("span", { class: "card-title" }, data.title, data.unit && data.unit !== "1" ? ` [${data.unit}]` : ""),
      h("span", { class: "exports" }, export_("SVG", () => svgOf(plot)), export_("CSV", () => new Blob([csvOf(data)], { type: "text/csv" }))),
    ),
    plot.svg,
    h("div", { class: "keys" }, ...keys),
  );
}

function nearest(times: number[], time: number): number {
  let best = 0;
  times.forEach((t, k) => {
    if (Math.abs(t - time) < Math.abs(times[best] - time)) best = k;
  });
  return best;
}

/** The plot with its styles in it, so that it looks the same elsewhere. */
function svgOf(plot: Plot): Blob {
  const copy = plot.svg.cloneNode(true) as SVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.querySelectorAll(".rule").forEach((line) => line.setAttribute("stroke", "#dddddd"));
  copy.querySelectorAll(".cursor").forEach((line) => line.remove());
  copy.querySelectorAll("text").forEach((text) => {
    text.setAttribute("font-family", "sans-serif");
    text.setAttribute("font-size", "9");
    text.setAttribute("fill", "#444444");
  });
  return new Blob([copy.outerHTML], { type: "image/svg+xml" });
}

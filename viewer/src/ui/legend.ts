// What colours mean.

import type { App } from "../app";
import { css } from "../colours";
import { number, words } from "../format";
import { h } from "./dom";

const STATES = ["Free", "Sticks", "Slips"];

export function legend(app: App): HTMLElement {
  const box = h("div", { class: "legend", role: "img", hidden: true });
  const update = () => {
    const quantity = app.quantity;
    box.hidden = !quantity;
    if (!quantity) return;
    const stops = app.colours.stops(quantity);
    const unit = quantity.unit === "1" ? "" : ` [${quantity.unit}]`;
    const [low, high] = app.range;
    box.setAttribute("aria-label", `${words(quantity.name)}, from ${number(low)} to ${number(high)} ${quantity.unit}`);
    if (quantity.scale === "states") {
      const rows = STATES.map((text, k) => {
        const swatch = h("span", { class: "swatch" });
        swatch.style.background = css(stops[k]);
        return h("div", { class: "state" }, swatch, text);
      });
      box.replaceChildren(h("div", { class: "legend-title" }, words(quantity.name)), ...rows);
      return;
    }
    const bar = h("div", { class: "bar" });
    bar.style.background = `linear-gradient(to right, ${stops.map(css).join(", ")})`;
    const ticks = [low, (low + high) / 2, high].map((value) => h("span", {}, number(value, 3)));
    box.replaceChildren(h("div", { class: "legend-title" }, words(quantity.name) + unit), bar, h("div", { class: "ticks" }, ...ticks));
  };
  app.onFrame.push(update);
  return box;
}

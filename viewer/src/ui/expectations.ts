// What the scene expects, and whether it came out.

import type { App } from "../app";
import { number } from "../format";
import { h } from "./dom";

export function expectations(app: App): HTMLElement {
  const list = h("div", { class: "list" });
  const all = h("section", { hidden: true }, h("h2", {}, "Expected"), list);
  Promise.all(app.runs.map((run) => run.report().catch(() => ({ expectations: [] }))))
    .then((reports) => {
      reports.forEach((report, k) => {
        for (const { name, holds, value, low, high, source } of report.expectations ?? []) {
          const which = app.isComparing ? `${k === 0 ? "A" : "B"} ` : "";
          const text = `${which}${name}`;
          const title = `${number(value)}; expected ${number(low)} to ${number(high)}. From: ${source}`;
          const mark = h("span", { class: holds ? "holds" : "fails", "aria-label": holds ? "holds" : "does not hold" }, holds ? "✓" : "✗");
          list.append(h("div", { class: "expectation", title }, mark, h("span", {}, text), h("span", { class: "kind" }, number(value, 3))));
        }
      });
      all.hidden = list.childElementCount === 0;
    })
    .catch(() => {});
  return all;
}

// The page.

import "./style.css";

import { App } from "./app";
import { json } from "./data/fetch";
import { Run } from "./data/run";
import type { Overview } from "./data/types";
import { Player } from "./player";
import { h } from "./ui/dom";
import { hover } from "./ui/hover";
import { keys } from "./ui/keys";
import { legend } from "./ui/legend";
import { panel } from "./ui/panel";
import { plots } from "./ui/plots";
import { timeline } from "./ui/timeline";
import { toolbar } from "./ui/toolbar";

/** How often growing runs are looked at, and others [ms]. */
const [LIVE, STILL] = [700, 5000];

async function main(root: HTMLElement): Promise<void> {
  const overview = await json<Overview>("/api");
  const runs = await Promise.all(Array.from({ length: overview.runs }, (_, k) => Run.open(k)));
  const canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": "The bodies in space. Drag to turn, wheel to zoom." }) as HTMLCanvasElement;
  const stage = h("main", { class: "stage" }, canvas);
  root.replaceChildren(stage);
  const app = new App(overview, runs, canvas);
  const player = new Player(app);
  const trouble = h("div", { class: "trouble", role: "alert", hidden: true });
  app.onError = (message) => {
    trouble.hidden = !message;
    trouble.textContent = message;
  };
  const labels = h("div", { class: "labels", hidden: true });
  stage.append(legend(app), hover(app, canvas), trouble, labels);
  await app.start();
  const drawer = h("div", { class: "drawer" }, plots(app));
  root.replaceChildren(toolbar(app, player), stage, h("aside", { "aria-label": "What is shown" }, panel(app)), timeline(app, player), drawer);
  const arrange = () => {
    labels.hidden = !app.isSideBySide;
    labels.replaceChildren(...app.runs.map((run, k) => h("span", {}, `${k === 0 ? "A" : "B"} · ${run.about.name}`)));
    drawer.hidden = !app.store.now.plots;
    dress(app);
  };
  app.store.onChange(arrange);
  arrange();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", arrange);
  addEventListener("hashchange", () => app.store.read());
  app.stage.controls.addEventListener("end", () => app.store.set({ camera: app.stage.view }));
  keys(app, player);
  watch(app);
  document.documentElement.dataset.ready = "true";
}

/** Light or dark, in the page and in the view. */
function dress(app: App): void {
  const { theme } = app.store.now;
  const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const style = getComputedStyle(document.documentElement);
  app.stage.setTheme(style.getPropertyValue("--stage").trim(), style.getPropertyValue("--grid").trim());
  app.views.forEach((view) => view.setWireColour(dark ? "#ffffff" : "#000000"));
}

function watch(app: App): void {
  const again = async () => {
    await app.look();
    setTimeout(again, app.runs.some((run) => run.grows) ? LIVE : STILL);
  };
  setTimeout(again, LIVE);
}

const root = document.getElementById("app") as HTMLElement;
main(root).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  root.replaceChildren(h("div", { class: "failed", role: "alert" }, h("h1", {}, "This cannot be shown"), h("p", {}, message)));
});

// Title, state of the runs, and what concerns the whole page.

import type { App } from "../app";
import type { Player } from "../player";
import type { Theme } from "../settings";
import { button, h } from "./dom";
import { toggleHelp } from "./help";
import { canRecord, record, screenshot } from "./record";

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

export function toolbar(app: App, player: Player): HTMLElement {
  const title = h("h1", {});
  const status = h("span", { class: "status", role: "status" });
  const update = () => {
    title.textContent = [...new Set(app.runs.map((run) => run.title))].join(" and ");
    document.title = `${title.textContent} – stiction`;
    const growing = app.runs.some((run) => run.grows);
    const failed = app.runs.find((run) => run.status === "failed" || run.status === "stopped");
    status.textContent = growing ? "running" : (failed?.status ?? "");
    status.className = `status ${growing ? "live" : ""}`;
  };
  app.onRuns.push(update);
  update();
  const share = button("link", "Copy a link to this view", async () => {
    app.store.set({ camera: app.stage.view });
    app.store.write();
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    status.textContent = "link copied";
    setTimeout(update, 1500);
  });
  const theme = button("theme", `Colours of the page: ${app.store.now.theme}`, () => app.store.set({ theme: NEXT[app.store.now.theme] }));
  app.store.onChange((changed) => {
    if (changed.has("theme")) theme.title = `Colours of the page: ${app.store.now.theme}`;
  });
  let stop: (() => void) | null = null;
  const film = button("record", "Record a film (WebM)", () => {
    if (stop) return stop();
    film.classList.add("recording");
    film.title = "End the film";
    stop = record(app, player, () => {
      stop = null;
      film.classList.remove("recording");
      film.title = "Record a film (WebM)";
    });
  });
  film.hidden = !canRecord();
  const plots = button("panel", "Show or hide plots (p)", () => app.store.set({ plots: !app.store.now.plots }));
  return h(
    "header",
    { class: "toolbar" },
    title,
    status,
    h("span", { class: "spacer" }),
    button("fit", "Fit everything (f)", () => app.stage.fit()),
    button("camera", "Save a picture (s)", () => screenshot(app)),
    film,
    share,
    plots,
    theme,
    button("help", "Keys (?)", toggleHelp),
  );
}

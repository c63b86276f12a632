// The keyboard.

import type { App } from "../app";
import type { Player } from "../player";
import { toggleHelp } from "./help";
import { screenshot } from "./record";

export function keys(app: App, player: Player): void {
  const { store } = app;
  const move = (frames: number) => {
    player.pause();
    app.goTo(app.frame + frames);
  };
  const actions: Record<string, (event: KeyboardEvent) => void> = {
    " ": () => player.toggle(),
    ArrowLeft: (event) => move(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => move(event.shiftKey ? 10 : 1),
    Home: () => app.goTo(0),
    End: () => app.goTo(app.times.length - 1),
    f: () => app.stage.fit(),
    e: () => store.set({ wireframe: !store.now.wireframe }),
    g: () => store.set({ grid: !store.now.grid }),
    p: () => store.set({ plots: !store.now.plots }),
    s: () => screenshot(app),
    "?": () => toggleHelp(),
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const typing = target.matches("input[type=text], select, textarea") || target.closest("dialog");
    const pressing = event.key === " " && target.matches("button, input[type=checkbox]");
    if (typing || pressing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[1-9]$/.test(event.key)) return toggleBody(app, Number(event.key) - 1);
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}

function toggleBody(app: App, place: number): void {
  const body = app.runs[0].bodies[place];
  if (!body) return;
  const { hidden } = app.store.now;
  const others = hidden.filter((name) => name !== body.name);
  app.store.set({ hidden: others.length < hidden.length ? others : [...hidden, body.name] });
}

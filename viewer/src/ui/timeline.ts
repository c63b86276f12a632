// Play, scrub, speed.

import type { App } from "../app";
import { number } from "../format";
import type { Player } from "../player";
import { button, h, icon, select } from "./dom";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5];

export function timeline(app: App, player: Player): HTMLElement {
  const slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "Frame", class: "scrub" }) as HTMLInputElement;
  slider.addEventListener("input", () => {
    player.pause();
    app.goTo(Number(slider.value));
  });
  const time = h("output", { class: "time", id: "time" });
  const frames = h("span", { class: "frames" });
  const play = button("play", "Play (space)", () => player.toggle());
  play.id = "play";
  player.onChange = () => {
    play.replaceChildren(icon(player.playing ? "pause" : "play"));
    const label = player.playing ? "Pause (space)" : "Play (space)";
    play.title = label;
    play.setAttribute("aria-label", label);
  };
  const speed = select(
    "Speed",
    SPEEDS.map((s) => [String(s), `${s}×`]),
    String(app.store.now.speed),
    (value) => app.store.set({ speed: Number(value) }),
  );
  const update = () => {
    const count = app.times.length;
    slider.max = String(Math.max(count - 1, 0));
    slider.value = String(app.frame);
    const at = app.times[app.frame] ?? 0;
    slider.setAttribute("aria-valuetext", `${number(at)} seconds, frame ${app.frame}`);
    time.textContent = `${at.toFixed(3)} s`;
    frames.textContent = `${app.frame + 1} / ${count}`;
  };
  app.onFrame.push(update);
  app.onRuns.push(update);
  update();
  return h(
    "div",
    { class: "timeline", role: "group", "aria-label": "Timeline" },
    button("first", "First frame (Home)", () => app.goTo(0)),
    play,
    button("last", "Last frame (End)", () => app.goTo(app.times.length - 1)),
    slider,
    time,
    frames,
    speed,
  );
}

// Pictures and films of what is seen.

import type { App } from "../app";
import { css } from "../colours";
import { number, words } from "../format";
import type { Player } from "../player";
import { save } from "./dom";

function fileName(app: App, ending: string): string {
  return `${app.runs.map((run) => run.about.name).join("-")}-${(app.times[app.frame] ?? 0).toFixed(3)}s.${ending}`;
}

/** Saves the view with its legend. */
export function screenshot(app: App): void {
  app.stage.drawNow();
  const view = app.stage.renderer.domElement;
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [view.width, view.height];
  const context = picture.getContext("2d");
  if (!context) return;
  context.drawImage(view, 0, 0);
  drawLegend(app, context, view.width / view.clientWidth);
  picture.toBlob((blob) => blob && save(blob, fileName(app, "png")));
}

function drawLegend(app: App, context: CanvasRenderingContext2D, scale: number): void {
  const quantity = app.quantity;
  if (!quantity || quantity.scale === "states") return;
  const style = getComputedStyle(document.documentElement);
  const [x, y, width] = [20 * scale, context.canvas.height - 52 * scale, 220 * scale];
  const gradient = context.createLinearGradient(x, 0, x + width, 0);
  const stops = app.colours.stops(quantity);
  stops.forEach((stop, k) => gradient.addColorStop(k / (stops.length - 1), css(stop)));
  context.fillStyle = gradient;
  context.fillRect(x, y, width, 10 * scale);
  context.fillStyle = style.getPropertyValue("--text");
  context.font = `${12 * scale}px sans-serif`;
  context.fillText(`${words(quantity.name)} [${quantity.unit}]`, x, y - 8 * scale);
  context.fillText(number(app.range[0], 3), x, y + 26 * scale);
  context.textAlign = "right";
  context.fillText(number(app.range[1], 3), x + width, y + 26 * scale);
}

/** Whether this browser can make films. */
export function canRecord(): boolean {
  return typeof MediaRecorder !== "undefined" && "captureStream" in HTMLCanvasElement.prototype;
}

/** Plays the run once from its start and saves it; calling the result ends it early. */
export function record(app: App, player: Player, onEnd: () => void): () => void {
  const stream = app.stage.renderer.domElement.captureStream(30);
  const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((kind) => MediaRecorder.isTypeSupported(kind));
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 12_000_000 });
  const parts: Blob[] = [];
  const loop = app.store.now.loop;
  recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
  recorder.addEventListener("stop", () => {
    save(new Blob(parts, { type: "video/webm" }), fileName(app, "webm"));
    app.store.set({ loop });
    onEnd();
  });
  player.pause();
  app.goTo(0);
  app.store.set({ loop: false });
  recorder.start();
  player.play();
  const watch = setInterval(() => {
    if (!player.playing) end();
  }, 100);
  const end = () => {
    clearInterval(watch);
    if (recorder.state !== "inactive") recorder.stop();
  };
  return end;
}

// The value under the pointer, and the friction cone of the contact there.

import * as THREE from "three";

import type { App } from "../app";
import type { BodyView } from "../draw/body";
import { dispose, frictionCone } from "../draw/cone";
import type { RunView } from "../draw/runview";
import { measure, words } from "../format";
import { h } from "./dom";

const STATES = ["free", "sticks", "slips"];

export function hover(app: App, canvas: HTMLCanvasElement): HTMLElement {
  const tip = h("div", { class: "tip", role: "status", hidden: true });
  const caster = new THREE.Raycaster();
  let cone: THREE.Group | null = null;
  let asked = 0;
  const hide = () => {
    asked++;
    tip.hidden = true;
    setCone(null);
  };
  const setCone = (next: THREE.Group | null) => {
    if (!cone && !next) return;
    if (cone) {
      app.stage.scene.remove(cone);
      dispose(cone);
    }
    cone = next;
    if (cone) app.stage.scene.add(cone);
    app.stage.draw();
  };
  const look = async (event: PointerEvent) => {
    const mine = ++asked;
    const box = canvas.getBoundingClientRect();
    const views = app.isSideBySide ? app.views : null;
    const share = box.width / (views?.length ?? 1);
    const column = Math.min(Math.floor((event.clientX - box.left) / share), (views?.length ?? 1) - 1);
    const x = ((event.clientX - box.left - column * share) / share) * 2 - 1;
    const y = 1 - ((event.clientY - box.top) / box.height) * 2;
    caster.setFromCamera(new THREE.Vector2(x, y), app.stage.camera);
    const candidates = (views ? [views[column]] : app.views).flatMap((view) => view.bodies.filter((body) => body.mesh.visible).map((body) => ({ view, body })));
    let [best, found]: [THREE.Intersection | null, (typeof candidates)[number] | null] = [null, null];
    for (const candidate of candidates) {
      const clipped = candidate.body.mesh.material.clippingPlanes ?? [];
      const kept = (hit: THREE.Intersection) => clipped.every((plane) => plane.distanceToPoint(hit.point) >= 0);
      const hit = caster.intersectObject(candidate.body.mesh, false).find(kept);
      if (hit && (!best || hit.distance < best.distance)) [best, found] = [hit, candidate];
    }
    if (!best || !found || best.faceIndex === null || best.faceIndex === undefined) return hide();
    const place = nearestCorner(found.body, best.faceIndex, best.point);
    const told = await describe(app, found.view, found.body, best.faceIndex, place);
    if (mine !== asked) return;
    tip.replaceChildren(...told.lines.map(([name, value]) => h("div", {}, h("span", { class: "tip-name" }, name), h("span", {}, value))));
    tip.hidden = false;
    const parent = (tip.parentElement as HTMLElement).getBoundingClientRect();
    const left = event.clientX - parent.left + 16;
    tip.style.left = `${Math.min(left, parent.width - tip.offsetWidth - 8)}px`;
    tip.style.top = `${Math.min(event.clientY - parent.top + 16, parent.height - tip.offsetHeight - 8)}px`;
    setCone(told.cone);
  };
  let pending: PointerEvent | null = null;
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons) return hide();
    if (!pending) requestAnimationFrame(() => {
      if (pending) look(pending).catch(() => hide());
      pending = null;
    });
    pending = event;
  });
  canvas.addEventListener("pointerleave", hide);
  app.onFrame.push(() => app.stage && tip.hidden === false && hide());
  return tip;
}

function nearestCorner(body: BodyView, face: number, point: THREE.Vector3): number {
  const corners = [0, 1, 2].map((k) => body.drawn.triangles[3 * face + k]);
  const far = (v: number) => point.distanceToSquared(new THREE.Vector3().fromArray(body.positions, 3 * v));
  return corners.reduce((a, b) => (far(b) < far(a) ? b : a));
}

async function describe(
  app: App,
  view: RunView,
  body: BodyView,
  face: number,
  vertex: number,
): Promise<{ lines: [string, string][]; cone: THREE.Group | null }> {
  const { run, frame } = view;
  const which = app.isComparing ? ` (${run.index === 0 ? "A" : "B"})` : "";
  const lines: [string, string][] = [[body.about.name + which, `vertex ${vertex}`]];
  const quantity = body.about.quantities.find((other) => other.name === app.store.now.colour);
  if (quantity && quantity.name !== "contact_state") {
    const values = await run.values(frame, body.index, quantity.name);
    const site = quantity.place === "element" ? body.drawn.owners[face] : vertex;
    if (values) lines.push([words(quantity.name), measure(values[site], quantity.unit)]);
  }
  const value = async (name: string) => (await run.values(frame, body.index, name))?.[vertex] ?? NaN;
  const state = await value("contact_state");
  if (!(state > 0)) {
    if (state === 0) lines.push(["Contact", STATES[0]]);
    return { lines, cone: null };
  }
  const [gap, push, rub, coefficient] = await Promise.all(["gap", "normal_force", "friction_force", "friction_coefficient"].map(value));
  lines.push(["Contact", STATES[state] ?? ""], ["Gap", measure(gap, "m")], ["Normal force", measure(push, "N")], ["Friction", measure(rub, "N")]);
  const [normals, friction] = await Promise.all(["normal_force", "friction_force"].map((name) => run.arrows(frame, body.index, name)));
  if (!normals || !friction || !(push > 0) || Number.isNaN(coefficient)) return { lines, cone: null };
  lines.push(["Share of cone", coefficient > 0 ? `${Math.round((100 * rub) / (coefficient * push))} %` : "–"]);
  const normal = new THREE.Vector3().fromArray(normals, 3 * vertex);
  const force = normal.clone().add(new THREE.Vector3().fromArray(friction, 3 * vertex));
  const point = new THREE.Vector3().fromArray(body.positions, 3 * vertex);
  return { lines, cone: frictionCone(point, normal.normalize(), coefficient, force, 0.14 * app.stage.size) };
}

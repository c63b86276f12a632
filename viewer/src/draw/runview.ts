// All bodies of one run, and what is drawn on them.

import * as THREE from "three";

import { type Colours, css } from "../colours";
import type { Run } from "../data/run";
import type { Quantity, Rgb } from "../data/types";
import type { Settings } from "../settings";
import { arrows, largest } from "./arrows";
import { BodyView, type Colouring, type CutAt, isPlane } from "./body";

export const ARROW_COLOURS: Record<string, Rgb> = {
  velocity: [46, 125, 90],
  displacement: [120, 120, 130],
  normal_force: [38, 110, 184],
  friction_force: [214, 94, 20],
  contact_force: [140, 70, 160],
  contact_normal: [70, 150, 190],
  reaction: [160, 60, 90],
};

/** Everything a frame of a run needs, loaded. */
interface Loaded {
  frame: number;
  positions: Float32Array[];
  values: (Float32Array | null)[];
  vectors: { body: number; name: string; array: Float32Array }[];
}

export class RunView {
  readonly group = new THREE.Group();
  readonly bodies: BodyView[] = [];
  frame = -1;
  private readonly glyphs = new THREE.Group();

  private constructor(readonly run: Run) {
    this.group.add(this.glyphs);
  }

  static async create(run: Run, colours: Colours): Promise<RunView> {
    const view = new RunView(run);
    let place = 0;
    for (const [index, about] of run.bodies.entries()) {
      const colour = colours.body(about.kind, about.kind === "obstacle" ? 0 : place++);
      const body = new BodyView(about, index, await run.topology(index), colour);
      view.bodies.push(body);
      view.group.add(body.mesh, body.wire);
    }
    return view;
  }

  isVisible(body: BodyView, settings: Settings): boolean {
    return !settings.hidden.includes(body.about.name);
  }

  /** Loads what a frame needs under these settings. */
  async load(frame: number, settings: Settings): Promise<Loaded> {
    const seen = (body: BodyView) => this.isVisible(body, settings);
    const vectors: Promise<Loaded["vectors"][number] | null>[] = [];
    for (const body of this.bodies.filter(seen)) {
      for (const name of settings.arrows) {
        const loading = this.run.arrows(frame, body.index, name);
        vectors.push(loading.then((array) => array && { body: body.index, name, array }));
      }
    }
    const positions = this.bodies.map((body) => (seen(body) ? this.run.positions(frame, body.index) : body.positions));
    const coloured = settings.colour !== "body";
    const values = this.bodies.map((body) =>
      coloured && seen(body) ? this.run.values(frame, body.index, settings.colour) : null,
    );
    const tets = settings.tets && settings.cut !== "";
    const solids = this.bodies.filter((body) => tets && body.about.kind === "solid" && !body.hasTets && seen(body));
    const cutting = solids.map(async (body) => body.useTets(await this.run.tets(body.index)));
    await Promise.all(cutting);
    return {
      frame,
      positions: await Promise.all(positions),
      values: await Promise.all(values),
      vectors: (await Promise.all(vectors)).filter((loaded) => loaded !== null),
    };
  }

  /** Shows a frame that was loaded. `longest` is how long the longest arrow is [m]. */
  show(
    loaded: Loaded,
    settings: Settings,
    look: { quantity: Quantity | null; table: Float32Array | null; range: [number, number]; cut: CutAt | null; longest: number },
  ): void {
    this.frame = loaded.frame;
    for (const body of this.bodies) {
      const visible = this.isVisible(body, settings);
      body.mesh.visible = visible;
      body.wire.visible = visible && settings.wireframe && !isPlane(body.about);
      if (!visible) continue;
      const values = loaded.values[body.index];
      let colouring: Colouring | null = null;
      if (values && look.quantity && look.table) {
        const place = body.about.quantities.find((q) => q.name === settings.colour)?.place ?? "vertex";
        colouring = { values, place, table: look.table, range: look.range };
      }
      const opened = settings.tets && body.hasTets ? look.cut : null;
      body.show(loaded.positions[body.index], colouring, opened, look.quantity !== null);
      const plane = look.cut && !opened && !isPlane(body.about) ? [clipping(look.cut)] : [];
      body.mesh.material.clippingPlanes = plane;
      body.wire.material.clippingPlanes = plane;
    }
    this.showArrows(loaded, settings, look.longest);
  }

  /** Shows nothing, where there is a frame that cannot be read. */
  clear(): void {
    this.frame = -1;
    for (const body of this.bodies) body.mesh.visible = body.wire.visible = false;
    this.clearArrows();
  }

  /** The second of two runs that lie over each other is seen through, and its still bodies are those of the first. */
  setGhost(ghost: boolean): void {
    for (const body of this.bodies) {
      body.setGhost(ghost);
      if (ghost && !body.about.moves) body.mesh.visible = false;
    }
  }

  setWireColour(colour: string): void {
    this.bodies.forEach((body) => body.wire.material.color.set(colour));
  }

  dispose(): void {
    this.bodies.forEach((body) => body.dispose());
    this.clearArrows();
  }

  private showArrows(loaded: Loaded, settings: Settings, longest: number): void {
    this.clearArrows();
    for (const name of settings.arrows) {
      const drawn = loaded.vectors.filter((vectors) => vectors.name === name);
      // Normal and friction forces share a scale, so that they can be compared.
      const shared = (other: string) => other === name || (name.endsWith("force") && other.endsWith("force"));
      const most = Math.max(0, ...loaded.vectors.filter((v) => shared(v.name)).map((v) => largest(v.array)));
      if (most === 0) continue;
      const unit = (longest * settings.arrowScale) / most;
      for (const { body, array } of drawn) {
        const colour = css(ARROW_COLOURS[name] ?? [90, 90, 90]);
        this.glyphs.add(arrows(loaded.positions[body], array, colour, unit, longest * settings.arrowScale));
      }
    }
  }

  private clearArrows(): void {
    for (const mesh of this.glyphs.children as THREE.InstancedMesh[]) {
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
    this.glyphs.clear();
  }
}

function clipping({ axis, at, above }: CutAt): THREE.Plane {
  const sign = above ? 1 : -1;
  const normal = new THREE.Vector3().setComponent(axis, sign);
  return new THREE.Plane(normal, -sign * at);
}

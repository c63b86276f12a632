// Brings runs, settings and drawing together.

import * as THREE from "three";

import { Colours } from "./colours";
import { Run } from "./data/run";
import type { Overview, Quantity } from "./data/types";
import type { CutAt } from "./draw/body";
import { isPlane } from "./draw/body";
import { around } from "./draw/bounds";
import { RunView } from "./draw/runview";
import { Stage } from "./draw/stage";
import { Store } from "./settings";

/** Frames that are loaded ahead while it plays. */
const AHEAD = 4;
/** Length of the longest arrow, as a share of everything. */
const ARROW = 0.13;

export class App {
  readonly store = new Store();
  readonly colours: Colours;
  readonly stage: Stage;
  views: RunView[] = [];
  range: [number, number] = [0, 1];
  /** Called when a frame has been shown, when runs have grown, and when something failed. */
  onFrame: (() => void)[] = [];
  onRuns: (() => void)[] = [];
  onError: (message: string) => void = () => {};
  private asked = 0;
  private busy = false;
  private again = false;
  /** Whether the server did not answer when runs were looked at last. */
  private lost = false;
  private shown = 0;
  /** Frames there were when bounds were found. */
  private known = 0;

  constructor(overview: Overview, public runs: Run[], canvas: HTMLCanvasElement) {
    this.colours = new Colours(overview.colours);
    this.stage = new Stage(canvas, () => this.viewports());
  }

  async start(): Promise<void> {
    await this.rebuild();
    if (this.store.now.camera) this.stage.view = this.store.now.camera;
    this.store.onChange((changed) => {
      const drawn = [...changed].some((key) => !["speed", "loop", "plots", "theme", "camera"].includes(key));
      if (changed.has("grid")) this.stage.ground.visible = this.store.now.grid;
      if (changed.has("shadows")) this.stage.renderer.shadowMap.enabled = this.store.now.shadows;
      if (changed.has("camera") && this.store.now.camera) this.stage.view = this.store.now.camera;
      if (drawn) this.show();
    });
    this.stage.ground.visible = this.store.now.grid;
    this.stage.renderer.shadowMap.enabled = this.store.now.shadows;
    await this.show();
  }

  /** The run with most frames sets the pace. */
  get times(): number[] {
    return this.runs.reduce((a, b) => (b.times.length > a.times.length ? b : a)).times;
  }

  get frame(): number {
    const lead = this.runs.reduce((a, b) => (b.times.length > a.times.length ? b : a));
    return lead.frameAt(this.store.now.time);
  }

  goTo(frame: number): void {
    const times = this.times;
    if (times.length) this.store.set({ time: times[Math.min(Math.max(frame, 0), times.length - 1)] });
  }

  /** Quantities of all bodies, each once. */
  get quantities(): Quantity[] {
    const all = new Map<string, Quantity>();
    for (const quantity of this.runs.flatMap((run) => run.bodies.flatMap((body) => body.quantities))) {
      if (!all.has(quantity.name)) all.set(quantity.name, quantity);
    }
    return [...all.values()];
  }

  get arrowNames(): string[] {
    return [...new Set(this.runs.flatMap((run) => run.bodies.flatMap((body) => body.arrows.map((a) => a.name))))];
  }

  get quantity(): Quantity | null {
    return this.quantities.find((quantity) => quantity.name === this.store.now.colour) ?? null;
  }

  get isComparing(): boolean {
    return this.runs.length > 1;
  }

  get isSideBySide(): boolean {
    return this.isComparing && this.store.now.compare === "side";
  }

  /** Shows the present time. What is asked for while a frame loads is shown after it, and only the last of it. */
  async show(): Promise<void> {
    const asked = ++this.asked;
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    try {
      await this.showNow();
      this.onError("");
    } catch (error) {
      if (asked === this.asked) this.onError(words(error));
    } finally {
      this.busy = false;
    }
    if (this.again) {
      this.again = false;
      await this.show();
    }
  }

  get isBusy(): boolean {
    return this.busy;
  }

  private async showNow(): Promise<void> {
    const settings = { ...this.store.now };
    const quantity = this.quantity;
    const loading = this.views.map((view) => {
      const frame = view.run.frameAt(settings.time);
      const refuse = (error: unknown) => new Error(`Frame ${frame} of ${view.run.about.name} cannot be shown. ${words(error)}`);
      return view.load(frame, settings).catch(refuse);
    });
    const range = quantity ? (settings.range ?? (await this.findRange(quantity.name))) : null;
    const loaded = await Promise.all(loading);
    this.range = range ?? [0, 1];
    const table = quantity ? this.colours.table(quantity) : null;
    const look = { quantity, table, range: this.range, cut: this.cut(), longest: ARROW * this.stage.size };
    this.views.forEach((view, k) => {
      const found = loaded[k];
      // What another frame has would look like what this one has.
      if (found instanceof Error) return view.clear();
      view.show(found, settings, look);
      view.setGhost(k > 0 && !this.isSideBySide);
    });
    this.stage.draw();
    this.onFrame.forEach((listener) => listener());
    // Whoever goes on frame by frame will want the next ones; whoever jumps may not.
    const frame = this.frame;
    if (frame === this.shown + 1 || frame === this.shown) this.prefetch(settings.time);
    this.shown = frame;
    const failed = loaded.find((found) => found instanceof Error);
    if (failed) throw failed;
  }

  private async findRange(name: string): Promise<[number, number] | null> {
    const ranges = (await Promise.all(this.runs.map((run) => run.range(name)))).filter((range) => range !== null);
    if (ranges.length === 0) return null;
    return [Math.min(...ranges.map((r) => r[0])), Math.max(...ranges.map((r) => r[1]))];
  }

  private cut(): CutAt | null {
    const { cut, cutAt, flip } = this.store.now;
    if (!cut) return null;
    const axis = "xyz".indexOf(cut);
    const [min, max] = [this.stage.bounds.min.getComponent(axis), this.stage.bounds.max.getComponent(axis)];
    return { axis, at: min + cutAt * (max - min), above: flip };
  }

  private prefetch(time: number): void {
    for (const view of this.views) {
      const frame = view.run.frameAt(time);
      for (let next = frame + 1; next <= Math.min(frame + AHEAD, view.run.times.length - 1); next++) {
        view.load(next, this.store.now).catch(() => {});
      }
    }
  }

  private viewports(): (() => void)[] {
    if (!this.isSideBySide) return [() => this.views.forEach((view) => (view.group.visible = true))];
    return this.views.map((_, k) => () => this.views.forEach((view, j) => (view.group.visible = j === k)));
  }

  /** Makes everything anew, at the start and when another run has taken the place of one. */
  async rebuild(): Promise<void> {
    for (const view of this.views) {
      this.stage.scene.remove(view.group);
      view.dispose();
    }
    this.views = await Promise.all(this.runs.map((run) => RunView.create(run, this.colours)));
    this.views.forEach((view) => this.stage.scene.add(view.group));
    await this.measure();
  }

  /** Finds where everything is; who has not chosen a view sees all of it. */
  private async measure(): Promise<void> {
    this.known = this.times.length;
    this.stage.setBounds(await this.findBounds(), this.up(), await this.findFloor());
    if (!this.store.now.camera) this.stage.fit();
  }

  private up(): THREE.Vector3 {
    const gravity = this.runs.map((run) => run.about.gravity).find((g) => g && g.some((c) => c !== 0));
    if (!gravity) return new THREE.Vector3(0, 1, 0);
    const sizes = gravity.map(Math.abs);
    const axis = sizes.indexOf(Math.max(...sizes));
    return new THREE.Vector3().setComponent(axis, -Math.sign(gravity[axis]));
  }

  /** The plane that bodies can lie on, if there is one. */
  private async findFloor(): Promise<THREE.Plane | null> {
    for (const run of this.runs) {
      for (const [index, body] of run.bodies.entries()) {
        if (!isPlane(body) || body.moves) continue;
        const { start } = await run.topology(index);
        const corner = (k: number) => new THREE.Vector3().fromArray(start, 3 * k);
        const plane = new THREE.Plane().setFromCoplanarPoints(corner(0), corner(1), corner(2));
        if (plane.normal.dot(this.up()) > 0.7) return plane;
      }
    }
    return null;
  }

  /** Around what moves, in a few frames, and around obstacles that are not much larger. */
  private async findBounds(): Promise<THREE.Box3> {
    const bounds = new THREE.Box3();
    const box = new THREE.Box3();
    for (const run of this.runs) {
      const last = Math.max(run.times.length - 1, 0);
      const frames = [...new Set([0, last >> 2, last >> 1, (3 * last) >> 2, last])];
      for (const [index, body] of run.bodies.entries()) {
        if (body.kind === "obstacle") continue;
        for (const frame of frames) {
          // A damaged frame is told when it is to be shown; all others are.
          const positions = await run.positions(frame, index).catch(() => null);
          if (positions) bounds.union(around(positions, box));
        }
      }
    }
    const size = bounds.isEmpty() ? Infinity : bounds.getSize(new THREE.Vector3()).length();
    for (const run of this.runs) {
      for (const [index, body] of run.bodies.entries()) {
        if (body.kind !== "obstacle" || isPlane(body)) continue;
        const positions = await run.positions(0, index).catch(() => null);
        if (!positions) continue;
        around(positions, box);
        if (box.getSize(new THREE.Vector3()).length() < 4 * size) bounds.union(box);
      }
    }
    return bounds.isEmpty() ? new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1)) : bounds;
  }

  /** Looks whether runs have grown; who was at the end stays there. */
  async look(): Promise<void> {
    const atEnd = this.frame >= this.times.length - 1;
    let [grew, replaced] = [false, false];
    try {
      for (const [k, run] of this.runs.entries()) {
        const found = await run.look();
        grew ||= found.grew;
        if (found.replaced) {
          this.runs[k] = await Run.open(k);
          replaced = true;
        }
      }
      if (replaced) await this.rebuild();
    } catch (error) {
      this.onError(words(error));
      this.lost = true;
      return;
    }
    // What is said of a frame stays as long as that is shown.
    if (this.lost) await this.show();
    this.lost = false;
    if (!grew) return;
    if (!replaced && this.times.length > 2 * this.known) await this.measure();
    this.onRuns.forEach((listener) => listener());
    if (atEnd && !replaced) this.goTo(this.times.length - 1);
    else await this.show();
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// One run: what is in it, how far it is, and its arrays.

import { Cache } from "./cache";
import { floats, integers, json } from "./fetch";
import type { BodyAbout, Report, RunAbout, RunStatus, Table } from "./types";

const CACHE_BYTES = 192 << 20;

export interface Topology {
  start: Float32Array<ArrayBuffer>;
  triangles: Uint32Array<ArrayBuffer>;
  /** The element behind each triangle. */
  owners: Uint32Array<ArrayBuffer>;
}

export class Run {
  times: number[] = [];
  status: RunStatus["status"] = "running";
  grows = false;
  private readonly cache = new Cache(CACHE_BYTES);
  private readonly topologies = new Map<number, Promise<Topology>>();
  private readonly tetrahedra = new Map<number, Promise<Uint32Array<ArrayBuffer>>>();
  private readonly ranges = new Map<string, Promise<[number, number] | null>>();

  private constructor(readonly index: number, public about: RunAbout) {}

  static async open(index: number): Promise<Run> {
    const run = new Run(index, await json<RunAbout>(`/api/${index}`));
    await run.look();
    return run;
  }

  get bodies(): BodyAbout[] {
    return this.about.bodies;
  }

  get title(): string {
    return this.about.title ?? this.about.name;
  }

  /** Looks how far the run is: whether frames came, and whether another run took its place. */
  async look(): Promise<{ grew: boolean; replaced: boolean }> {
    const from = this.times.length;
    const status = await json<RunStatus>(`/api/${this.index}/status?from=${from}`);
    const replaced = status.generation !== this.about.generation;
    const changed = status.status !== this.status;
    this.status = status.status;
    this.grows = status.grows;
    if (replaced) return { grew: true, replaced };
    this.times.length = status.from;
    this.times.push(...status.times);
    return { grew: this.times.length !== from || changed, replaced };
  }

  /** The last frame that is not later than a time. */
  frameAt(time: number): number {
    let [low, high] = [0, this.times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return Math.max(low, 0);
  }

  topology(body: number): Promise<Topology> {
    return remember(this.topologies, body, async () => {
      const path = (what: string) => `/api/${this.index}/body/${body}/${what}`;
      const [start, triangles, owners] = await Promise.all([
        floats(path("start")),
        integers(path("triangles")),
        integers(path("owners")),
      ]);
      return { start, triangles, owners };
    });
  }

  tets(body: number): Promise<Uint32Array<ArrayBuffer>> {
    return remember(this.tetrahedra, body, () => integers(`/api/${this.index}/body/${body}/tets`));
  }

  quantity(body: number, name: string): number {
    return this.bodies[body].quantities.findIndex((quantity) => quantity.name === name);
  }

  async positions(frame: number, body: number): Promise<Float32Array> {
    if (!this.bodies[body].moves || this.times.length === 0) return (await this.topology(body)).start;
    return this.cache.load(`/api/${this.index}/frame/${frame}/body/${body}/positions`);
  }

  /** Nothing if the body has no such quantity. */
  async values(frame: number, body: number, name: string): Promise<Float32Array | null> {
    const place = this.quantity(body, name);
    if (place < 0 || this.times.length === 0) return null;
    return this.cache.load(`/api/${this.index}/frame/${frame}/body/${body}/values/${place}`);
  }

  async arrows(frame: number, body: number, name: string): Promise<Float32Array | null> {
    const place = this.bodies[body].arrows.findIndex((arrows) => arrows.name === name);
    if (place < 0 || this.times.length === 0) return null;
    return this.cache.load(`/api/${this.index}/frame/${frame}/body/${body}/arrows/${place}`);
  }

  /** Colours for the whole run; asked again when it has grown. */
  range(name: string): Promise<[number, number] | null> {
    const body = this.bodies.findIndex((_, index) => this.quantity(index, name) >= 0);
    if (body < 0) return Promise.resolve(null);
    const key = `${name} ${Math.ceil(Math.log2(this.times.length + 1))} ${this.grows}`;
    return remember(this.ranges, key, async () => {
      const path = `/api/${this.index}/body/${body}/range/${this.quantity(body, name)}`;
      return (await json<{ range: [number, number] | null }>(path)).range;
    });
  }

  table(name: "steps" | "probes"): Promise<Table> {
    return json<Table>(`/api/${this.index}/${name}`);
  }

  report(): Promise<Report> {
    return json<Report>(`/api/${this.index}/report`);
  }
}

function remember<K, T>(known: Map<K, Promise<T>>, key: K, load: () => Promise<T>): Promise<T> {
  let loading = known.get(key);
  if (!loading) {
    loading = load();
    known.set(key, loading);
    loading.catch(() => known.delete(key));
  }
  return loading;
}

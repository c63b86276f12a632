// One body as three.js draws it.

import * as THREE from "three";

import { linear, NOTHING } from "../colours";
import type { Topology } from "../data/run";
import type { BodyAbout, Rgb } from "../data/types";
import { around } from "./bounds";
import { Cut, type Seen } from "./cut";
import { Surface, triangleNormal } from "./surface";

const BOX = new THREE.Box3();

/** How values become colours. */
export interface Colouring {
  values: Float32Array;
  place: "vertex" | "element";
  table: Float32Array;
  range: [number, number];
}

export interface CutAt {
  axis: number;
  at: number;
  above: boolean;
}

export class BodyView {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  readonly wire: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  positions: Float32Array;
  /** What is drawn: corners of triangles, and the elements behind them. */
  drawn: Seen;
  private readonly surface: Surface;
  private cut: Cut | null = null;
  private plain: Rgb = NOTHING;

  constructor(
    readonly about: BodyAbout,
    readonly index: number,
    private readonly topology: Topology,
    readonly colour: Rgb,
  ) {
    this.surface = new Surface(topology);
    this.positions = topology.start;
    this.drawn = topology;
    const material = new THREE.MeshStandardMaterial({
      roughness: about.kind === "cloth" ? 0.9 : 0.62,
      metalness: 0,
      // Thin things are seen from both sides, solids when they are cut open; planes would hide what is behind them.
      side: isPlane(about) ? THREE.FrontSide : THREE.DoubleSide,
      // Far sides cast shadows just as well, and never on themselves.
      shadowSide: about.kind === "cloth" ? THREE.DoubleSide : THREE.BackSide,
      vertexColors: true,
      fog: isPlane(about),
      clipShadows: true,
      polygonOffset: true,
    });
    const geometry = new THREE.BufferGeometry();
    this.mesh = new THREE.Mesh(geometry, material);
    // Drawn before it has normals, it would be flat for good.
    this.mesh.visible = false;
    this.setGhost(false);
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    const opacity = about.kind === "obstacle" ? 0.08 : 0.25;
    const lines = new THREE.MeshBasicMaterial({ wireframe: true, transparent: true, opacity, color: 0x000000 });
    this.wire = new THREE.Mesh(geometry, lines);
    this.wire.frustumCulled = false;
    this.wire.visible = false;
  }

  /** Seen through, or not. Further back in depth are obstacles, since edges of cloth on them cut corners, and ghosts: where
   * both lie in one place, the first run is seen. Everything is behind its own lines. */
  setGhost(ghost: boolean): void {
    const material = this.mesh.material;
    if (material.transparent !== ghost) material.needsUpdate = true;
    material.transparent = ghost;
    material.opacity = ghost ? 0.45 : 1;
    material.depthWrite = !ghost;
    material.polygonOffsetFactor = ghost ? 4 : 1;
    material.polygonOffsetUnits = 1 + (this.about.kind === "obstacle" ? 24 : 0) + (ghost ? 12 : 0);
    this.mesh.castShadow = !ghost && !isPlane(this.about);
  }

  useTets(tets: Uint32Array): void {
    this.cut ??= new Cut(tets);
  }

  get hasTets(): boolean {
    return this.cut !== null;
  }

  /** Shows a frame. With `cut`, tetrahedra beyond it are taken away. A `plain` body has nothing of what others show. */
  show(positions: Float32Array, colouring: Colouring | null, cut: CutAt | null, plain: boolean): void {
    this.positions = positions;
    this.plain = plain ? NOTHING : this.colour;
    if (cut && this.cut) {
      this.drawn = this.cut.seen(positions, cut.axis, cut.at, cut.above);
      this.showFlat(colouring);
    } else if (colouring?.place === "element") {
      this.drawn = this.topology;
      this.surface.updateNormals(positions);
      this.showCorners(colouring);
    } else {
      this.drawn = this.topology;
      this.surface.updateNormals(positions);
      this.showShared(colouring);
    }
    // What picking looks at first.
    const sphere = (this.mesh.geometry.boundingSphere ??= new THREE.Sphere());
    around(positions, BOX).getBoundingSphere(sphere);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.wire.material.dispose();
  }

  /** Vertices shared by triangles: colours vary between them. */
  private showShared(colouring: Colouring | null): void {
    const { source, normals, corners } = this.surface;
    const [x, colours] = this.fill(source.length, (k) => source[k], (k) => source[k], colouring);
    this.attributes(x, normals, colours, corners);
  }

  /** Every triangle with corners of its own: one colour each. */
  private showCorners(colouring: Colouring): void {
    const { triangles, owners } = this.topology;
    const element = (k: number) => owners[Math.floor(k / 3)];
    const [x, colours] = this.fill(triangles.length, (k) => triangles[k], element, colouring);
    const normals = new Float32Array(3 * triangles.length);
    this.surface.corners.forEach((v, k) => {
      for (let c = 0; c < 3; c++) normals[3 * k + c] = this.surface.normals[3 * v + c];
    });
    this.attributes(x, normals, colours, null);
  }

  /** The same without smooth normals, of what a cut leaves. */
  private showFlat(colouring: Colouring | null): void {
    const { triangles, owners } = this.drawn;
    const site = (k: number) => (colouring?.place === "element" ? owners[Math.floor(k / 3)] : triangles[k]);
    const [x, colours] = this.fill(triangles.length, (k) => triangles[k], site, colouring);
    const facing = new Float32Array(triangles.length);
    const normals = new Float32Array(3 * triangles.length);
    for (let t = 0; t < triangles.length / 3; t++) {
      triangleNormal(this.positions, triangles, t, facing, true);
      for (let c = 0; c < 9; c++) normals[9 * t + c] = facing[3 * t + (c % 3)];
    }
    this.attributes(x, normals, colours, null);
  }

  private fill(
    count: number,
    vertex: (k: number) => number,
    site: (k: number) => number,
    colouring: Colouring | null,
  ): [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] {
    const x = new Float32Array(3 * count);
    const colours = new Float32Array(3 * count);
    const plain = this.plain.map((c) => linear(c / 255));
    const scale = colouring ? 255 / (colouring.range[1] - colouring.range[0]) : 0;
    for (let k = 0; k < count; k++) {
      const from = 3 * vertex(k);
      x[3 * k] = this.positions[from];
      x[3 * k + 1] = this.positions[from + 1];
      x[3 * k + 2] = this.positions[from + 2];
      const value = colouring ? colouring.values[site(k)] : NaN;
      if (colouring && value === value) {
        const place = Math.round((value - colouring.range[0]) * scale);
        const at = 3 * Math.min(Math.max(place, 0), 255);
        for (let c = 0; c < 3; c++) colours[3 * k + c] = colouring.table[at + c];
      } else {
        for (let c = 0; c < 3; c++) colours[3 * k + c] = plain[c];
      }
    }
    return [x, colours];
  }

  private attributes(
    x: Float32Array<ArrayBuffer>,
    normals: Float32Array<ArrayBuffer>,
    colours: Float32Array<ArrayBuffer>,
    index: Uint32Array<ArrayBuffer> | null,
  ): void {
    const geometry = this.mesh.geometry;
    const put = (name: string, array: Float32Array<ArrayBuffer>) => {
      const old = geometry.getAttribute(name) as THREE.BufferAttribute | undefined;
      if (old && old.array.length === array.length) {
        old.array.set(array);
        old.needsUpdate = true;
      } else {
        geometry.setAttribute(name, new THREE.BufferAttribute(array, 3).setUsage(THREE.DynamicDrawUsage));
      }
    };
    const indexed = geometry.getIndex() !== null;
    if (indexed !== (index !== null) || geometry.getAttribute("position")?.count * 3 !== x.length) {
      // Buffers of another size cannot be reused; wireframes are made from the index.
      geometry.dispose();
      geometry.setIndex(index ? new THREE.BufferAttribute(index, 1) : null);
    }
    put("position", x);
    put("normal", normals);
    put("color", colours);
  }
}

/** A plane without end, of which a square is drawn. */
export function isPlane(about: BodyAbout): boolean {
  return about.kind === "obstacle" && about.triangles === 2;
}

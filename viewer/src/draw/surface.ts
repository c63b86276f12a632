// The triangles of a body, with normals that are smooth except across creases of its rest shape.

import type { Topology } from "../data/run";

/** Faces that meet at more than 50° keep their edge. */
const CREASE = Math.cos((50 * Math.PI) / 180);

export class Surface {
  /** The vertex of the body behind each drawn vertex. */
  readonly source: Uint32Array;
  /** Drawn vertices of triangles. */
  readonly corners: Uint32Array<ArrayBuffer>;
  readonly normals: Float32Array<ArrayBuffer>;

  constructor(readonly topology: Topology) {
    const { triangles, start } = topology;
    const count = triangles.length / 3;
    const facing = new Float32Array(3 * count);
    for (let t = 0; t < count; t++) triangleNormal(start, triangles, t, facing, true);

    // Triangles around each vertex.
    const first = new Uint32Array(start.length / 3 + 1);
    for (const v of triangles) first[v + 1]++;
    for (let v = 0; v < first.length - 1; v++) first[v + 1] += first[v];
    const around = new Uint32Array(triangles.length);
    const next = first.slice();
    for (let c = 0; c < triangles.length; c++) around[next[triangles[c]]++] = c;

    // Around a vertex, a corner joins the first group whose first triangle looks the same way.
    const source: number[] = [];
    this.corners = new Uint32Array(triangles.length);
    for (let v = 0; v + 1 < first.length; v++) {
      const groups: number[] = [];
      const begin = source.length;
      for (let k = first[v]; k < first[v + 1]; k++) {
        const t = Math.floor(around[k] / 3);
        let group = groups.findIndex((other) => dot(facing, t, other) > CREASE);
        if (group < 0) {
          group = groups.length;
          groups.push(t);
          source.push(v);
        }
        this.corners[around[k]] = begin + group;
      }
    }
    this.source = Uint32Array.from(source);
    this.normals = new Float32Array(3 * source.length);
  }

  /** Normals at these positions of the body's vertices. */
  updateNormals(positions: Float32Array): void {
    const { normals, corners, topology } = this;
    normals.fill(0);
    const one = new Float32Array(3);
    for (let t = 0; t < corners.length / 3; t++) {
      triangleNormal(positions, topology.triangles, t, one, false);
      for (let c = 0; c < 3; c++) {
        const at = 3 * corners[3 * t + c];
        normals[at] += one[0];
        normals[at + 1] += one[1];
        normals[at + 2] += one[2];
      }
    }
    for (let at = 0; at < normals.length; at += 3) {
      const length = Math.hypot(normals[at], normals[at + 1], normals[at + 2]) || 1;
      for (let c = 0; c < 3; c++) normals[at + c] /= length;
    }
  }
}

/** Writes the normal of a triangle to its place in a list, of length one; or to the front, as long as twice its area. */
export function triangleNormal(
  x: Float32Array,
  triangles: Uint32Array,
  t: number,
  out: Float32Array,
  listed: boolean,
): void {
  const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = listed ? Math.hypot(nx, ny, nz) || 1 : 1;
  const at = listed ? 3 * t : 0;
  out[at] = nx / length;
  out[at + 1] = ny / length;
  out[at + 2] = nz / length;
}

function dot(vectors: Float32Array, i: number, j: number): number {
  return (
    vectors[3 * i] * vectors[3 * j] +
    vectors[3 * i + 1] * vectors[3 * j + 1] +
    vectors[3 * i + 2] * vectors[3 * j + 2]
  );
}

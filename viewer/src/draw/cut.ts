// What is seen of a solid when the tetrahedra on one side of a plane are taken away.

const FACES = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
];

export interface Seen {
  triangles: Uint32Array<ArrayBuffer>;
  owners: Uint32Array<ArrayBuffer>;
}

export class Cut {
  /** The tetrahedron behind each of the four faces of each; −1 at the surface. */
  private readonly neighbours: Int32Array;

  constructor(private readonly tets: Uint32Array) {
    this.neighbours = new Int32Array(tets.length).fill(-1);
    const open = new Map<string, number>();
    for (let face = 0; face < tets.length; face++) {
      const corners = FACES[face % 4].map((k) => tets[face - (face % 4) + k]).sort((a, b) => a - b);
      const key = corners.join(" ");
      const other = open.get(key);
      if (other === undefined) open.set(key, face);
      else {
        this.neighbours[face] = other >> 2;
        this.neighbours[other] = face >> 2;
        open.delete(key);
      }
    }
  }

  /** Faces between what is kept, by the side of its centre, and what is not. */
  seen(x: Float32Array, axis: number, at: number, above: boolean): Seen {
    const count = this.tets.length / 4;
    const kept = new Uint8Array(count);
    for (let t = 0; t < count; t++) {
      let centre = 0;
      for (let k = 0; k < 4; k++) centre += 0.25 * x[3 * this.tets[4 * t + k] + axis];
      kept[t] = Number(centre > at === above);
    }
    const triangles: number[] = [];
    const owners: number[] = [];
    for (let face = 0; face < 4 * count; face++) {
      const tet = face >> 2;
      const behind = this.neighbours[face];
      if (!kept[tet] || (behind >= 0 && kept[behind])) continue;
      for (const k of FACES[face & 3]) triangles.push(this.tets[4 * tet + k]);
      owners.push(tet);
    }
    return { triangles: Uint32Array.from(triangles), owners: Uint32Array.from(owners) };
  }
}

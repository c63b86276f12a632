// Arrows at vertices: velocities, forces, normals.

import * as THREE from "three";

/** A shaft and a tip along y, one unit long. */
function shape(): THREE.BufferGeometry {
  const profile = [[0, 0], [0.015, 0], [0.015, 0.76], [0.046, 0.76], [0, 1]];
  const geometry = new THREE.LatheGeometry(profile.map(([r, y]) => new THREE.Vector2(r, y)), 10);
  geometry.computeVertexNormals();
  return geometry;
}

/** More arrows hide what they are about, and cost more than the bodies. */
const MOST = 6000;
const SHAPE = shape();

/** All arrows of one kind at one body. `unit` is the length of an arrow of size one [m]. */
export function arrows(
  positions: Float32Array,
  vectors: Float32Array,
  colour: string,
  unit: number,
  longest: number,
): THREE.InstancedMesh {
  const seen: number[] = [];
  for (let v = 0; v < vectors.length / 3; v++) {
    const [x, y, z] = [vectors[3 * v], vectors[3 * v + 1], vectors[3 * v + 2]];
    if (Math.hypot(x, y, z) * unit > 0.01 * longest) seen.push(v);
  }
  const every = Math.ceil(seen.length / MOST);
  const drawn = seen.filter((_, k) => k % every === 0);
  const material = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.5 });
  const mesh = new THREE.InstancedMesh(SHAPE, material, drawn.length);
  mesh.frustumCulled = false;
  mesh.castShadow = false;
  const up = new THREE.Vector3(0, 1, 0);
  const direction = new THREE.Vector3();
  const place = new THREE.Vector3();
  const turn = new THREE.Quaternion();
  const scale = new THREE.Vector3();
  const matrix = new THREE.Matrix4();
  drawn.forEach((v, k) => {
    direction.fromArray(vectors, 3 * v);
    const size = direction.length();
    turn.setFromUnitVectors(up, direction.divideScalar(size));
    const length = size * unit;
    // As thick as it is long, but no thicker than the typical one.
    const thick = Math.min(length, 0.6 * longest);
    matrix.compose(place.fromArray(positions, 3 * v), turn, scale.set(thick, length, thick));
    mesh.setMatrixAt(k, matrix);
  });
  return mesh;
}

/** The largest length of vectors. */
export function largest(vectors: Float32Array): number {
  let most = 0;
  for (let k = 0; k < vectors.length; k += 3) {
    most = Math.max(most, Math.hypot(vectors[k], vectors[k + 1], vectors[k + 2]));
  }
  return most;
}

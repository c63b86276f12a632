// Boxes around many points.

import type { Box3 } from "three";

/** Makes a box hold points, and nothing else. */
export function around(x: Float32Array, box: Box3): Box3 {
  box.makeEmpty();
  const { min, max } = box;
  let [x0, y0, z0, x1, y1, z1] = [min.x, min.y, min.z, max.x, max.y, max.z];
  for (let k = 0; k < x.length; k += 3) {
    if (x[k] < x0) x0 = x[k];
    if (x[k] > x1) x1 = x[k];
    if (x[k + 1] < y0) y0 = x[k + 1];
    if (x[k + 1] > y1) y1 = x[k + 1];
    if (x[k + 2] < z0) z0 = x[k + 2];
    if (x[k + 2] > z1) z1 = x[k + 2];
  }
  min.set(x0, y0, z0);
  max.set(x1, y1, z1);
  return box;
}

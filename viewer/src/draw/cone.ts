// The friction cone of a contact, with the force in it: inside it sticks, on its flank it slips.

import * as THREE from "three";

export function frictionCone(
  point: THREE.Vector3,
  normal: THREE.Vector3,
  coefficient: number,
  force: THREE.Vector3,
  height: number,
): THREE.Group {
  const group = new THREE.Group();
  const radius = Math.max(coefficient, 0.004) * height;
  const cone = new THREE.ConeGeometry(radius, height, 48, 1, true);
  cone.rotateX(Math.PI);
  cone.translate(0, height / 2, 0);
  const glass = new THREE.MeshBasicMaterial({
    color: 0xf2b134,
    transparent: true,
    opacity: 0.32,
    side: THREE.DoubleSide,
    depthWrite: false,
  });
  const surface = new THREE.Mesh(cone, glass);
  const rim = new THREE.Mesh(
    new THREE.TorusGeometry(radius, 0.008 * height, 8, 64).rotateX(Math.PI / 2).translate(0, height, 0),
    new THREE.MeshBasicMaterial({ color: 0xd18f0a }),
  );
  surface.add(rim);
  surface.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), normal);
  group.add(surface);
  if (force.lengthSq() > 0) {
    // Scaled so that its normal part is as high as the cone.
    const length = (height * force.length()) / Math.max(force.dot(normal), 1e-30);
    const arrow = new THREE.ArrowHelper(force.clone().normalize(), undefined, length, 0xb3261e, 0.16 * height, 0.08 * height);
    group.add(arrow);
  }
  group.position.copy(point);
  return group;
}

export function dispose(group: THREE.Object3D): void {
  group.traverse((object) => {
    const { geometry, material } = object as THREE.Mesh;
    geometry?.dispose();
    if (material) (material as THREE.Material).dispose();
  });
}

// Camera, light and ground.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

import { niceStep } from "../format";

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly ground = new THREE.Group();
  readonly bounds = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  up = new THREE.Vector3(0, 1, 0);
  /** An obstacle on which the grid lies; without one it lies under everything. */
  private floor: THREE.Plane | null = null;
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.7);
  private readonly fill = new THREE.DirectionalLight(0xdfe8f5, 0.7);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0xb9b2a8, 0.85);
  private readonly lines = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.55, depthWrite: false });
  private wanted = 0;

  constructor(canvas: HTMLCanvasElement, private readonly views: () => (() => void)[]) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.localClippingEnabled = true;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.listenToKeyEvents(canvas);
    this.controls.addEventListener("change", () => this.draw());
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3;
    this.scene.add(this.sun, this.sun.target, this.fill, this.fill.target, this.sky, this.ground);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement as HTMLElement);
  }

  /** Where the bodies are, and what is up there. */
  setBounds(bounds: THREE.Box3, up: THREE.Vector3, floor: THREE.Plane | null): void {
    this.bounds.copy(bounds);
    this.up = up;
    this.floor = floor;
    this.camera.up.copy(up);
    // OrbitControls keeps the up axis it was made with; this is how it takes over another.
    const controls = this.controls as unknown as { _quat: THREE.Quaternion; _quatInverse: THREE.Quaternion };
    controls._quat.setFromUnitVectors(up, new THREE.Vector3(0, 1, 0));
    controls._quatInverse.copy(controls._quat).invert();
    this.light();
    this.layGround();
  }

  get size(): number {
    return this.bounds.getSize(new THREE.Vector3()).length() || 1;
  }

  /** Looks at everything, from as near as all corners of it allow. */
  fit(): void {
    const centre = this.bounds.getCenter(new THREE.Vector3());
    const side = this.up.y > 0.5 ? new THREE.Vector3(0.55, 0.42, 1) : new THREE.Vector3(0.55, -1, 0.42);
    this.camera.position.copy(centre).add(side.normalize());
    this.camera.lookAt(centre);
    const inside = this.camera.quaternion.clone().invert();
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0.1 * this.size;
    for (let k = 0; k < 8; k++) {
      const pick = (axis: 0 | 1 | 2) => (k & (1 << axis) ? this.bounds.max : this.bounds.min).getComponent(axis);
      const corner = new THREE.Vector3(pick(0), pick(1), pick(2)).sub(centre).applyQuaternion(inside);
      const across = Math.max(Math.abs(corner.x) / this.camera.aspect, Math.abs(corner.y));
      distance = Math.max(distance, corner.z + (1.12 * across) / tangent);
    }
    this.camera.position.copy(centre).addScaledVector(side, distance);
    this.controls.target.copy(centre);
    this.controls.update();
    this.draw();
  }

  get view(): number[] {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }

  set view(view: number[]) {
    this.camera.position.fromArray(view);
    this.controls.target.fromArray(view, 3);
    this.controls.update();
    this.draw();
  }

  setTheme(background: string, line: string): void {
    this.scene.background = new THREE.Color(background);
    this.scene.fog = new THREE.Fog(background);
    this.lines.color.set(line);
    this.draw();
  }

  /** Draws soon; once, however often it is asked for. */
  draw(): void {
    this.wanted ||= requestAnimationFrame(() => this.drawNow());
  }

  drawNow(): void {
    cancelAnimationFrame(this.wanted);
    this.wanted = 0;
    this.controls.update();
    const distance = this.camera.position.distanceTo(this.controls.target) + this.size;
    this.camera.near = distance / 2000;
    this.camera.far = distance * 20;
    if (this.scene.fog instanceof THREE.Fog) {
      // The ground fades out; what is simulated does not.
      this.scene.fog.near = distance + 0.2 * this.size;
      this.scene.fog.far = distance + 1.3 * this.size;
    }
    const { width, height } = this.renderer.domElement;
    const ratio = this.renderer.getPixelRatio();
    const views = this.views();
    const share = width / ratio / views.length;
    this.camera.aspect = share / Math.max(height / ratio, 1);
    this.camera.updateProjectionMatrix();
    this.renderer.setScissorTest(views.length > 1);
    views.forEach((prepare, k) => {
      prepare();
      this.renderer.setViewport(k * share, 0, share, height / ratio);
      this.renderer.setScissor(k * share, 0, share, height / ratio);
      this.renderer.render(this.scene, this.camera);
    });
  }

  private resize(): void {
    const parent = this.renderer.domElement.parentElement as HTMLElement;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(Math.max(parent.clientWidth, 1), Math.max(parent.clientHeight, 1));
    this.drawNow();
  }

  private light(): void {
    const centre = this.bounds.getCenter(new THREE.Vector3());
    const aside = this.up.y > 0.5 ? new THREE.Vector3(-0.75, 0, 0.5) : new THREE.Vector3(-0.75, -0.5, 0);
    const place = (light: THREE.DirectionalLight, to: THREE.Vector3) => {
      light.position.copy(centre).addScaledVector(to.normalize(), 2 * this.size);
      light.target.position.copy(centre);
    };
    place(this.sun, this.up.clone().add(aside));
    place(this.fill, this.up.clone().multiplyScalar(0.4).sub(aside));
    this.sky.position.copy(this.up);
    const camera = this.sun.shadow.camera;
    const reach = 0.9 * this.size;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.2 * this.size, far: 4 * this.size });
    camera.updateProjectionMatrix();
    // Along the light alone: along normals, the sunny side of cloth whose triangles face away would lie behind itself.
    this.sun.shadow.normalBias = 0;
    this.sun.shadow.bias = -0.002;
  }

  /** A grid of round lengths, and a floor that only shows shadows. */
  private layGround(): void {
    this.ground.clear();
    const step = niceStep(this.size, 8);
    const count = 2 * Math.ceil((1.6 * this.size) / step);
    const grid = new THREE.GridHelper(count * step, count);
    grid.material = this.lines;
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(count * step, count * step), new THREE.ShadowMaterial({ opacity: 0.2 }));
    floor.rotateX(-Math.PI / 2);
    floor.receiveShadow = true;
    floor.visible = !this.floor; // an obstacle there shows shadows itself
    const holder = new THREE.Group();
    holder.add(grid, floor);
    const normal = this.floor?.normal ?? this.up;
    holder.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), normal);
    const centre = this.bounds.getCenter(new THREE.Vector3());
    if (this.floor) {
      this.floor.projectPoint(centre, holder.position).addScaledVector(normal, 0.001 * this.size);
    } else {
      const lowest = this.bounds.min.dot(this.up);
      holder.position.copy(centre).addScaledVector(this.up, lowest - centre.dot(this.up) - 0.004 * this.size);
      for (const axis of ["x", "y", "z"] as const) {
        if (this.up[axis] < 0.5) holder.position[axis] = Math.round(holder.position[axis] / step) * step;
      }
    }
    this.ground.add(holder);
  }
}

/**
 * Where the camera stands: an orbit (target, azimuth, elevation, distance) that eases towards its goal, four presets, a fit to
 * bounds for any aspect, and pointer input. Angles in radians; azimuth 0 looks from +z, elevation 0 is the horizon.
 */
import { type Box3, MathUtils, PerspectiveCamera, Vector3 } from 'three';
import type { CameraPreset } from '../types.ts';

/** How a view wants to be looked at. */
export interface Framing {
  readonly bounds: Box3;
  readonly azimuth: number;
  readonly elevation: number;
}

const FOV = 24;
const EASE_PER_SECOND = 11;
const PAN = 0.5;

export class OrbitCamera {
  readonly camera = new PerspectiveCamera(FOV, 1, 0.05, 400);
  reducedMotion = false;
  preset: CameraPreset = 'home';
  private framing: Framing | null = null;
  private readonly target = new Vector3();
  private readonly goalTarget = new Vector3();
  /** What the preset looks at when nothing leads it away. */
  private readonly centre = new Vector3();
  private azimuth = 0;
  private elevation = 0.9;
  private distance = 10;
  private goalAzimuth = 0;
  private goalElevation = 0.9;
  private goalDistance = 10;
  private zoom = 1;
  private above = 0;
  private readonly corner = new Vector3();

  frame(framing: Framing): void {
    this.framing = framing;
    this.setPreset(this.preset);
    this.settle();
  }

  /** Other bounds, seen from where it looks now: eased, unless a person wants no motion. */
  reframe(bounds: Box3): void {
    if (this.framing === null) return;
    this.framing = { ...this.framing, bounds };
    this.fit();
  }

  /** The point it is turned to. */
  get lookedAt(): Vector3 {
    return this.target;
  }

  /** Scene units that one of `height` pixels shows, in the plane through the point it is turned to. */
  unitsPerPixel(height: number): number {
    return (2 * this.goalDistance * Math.tan(MathUtils.degToRad(FOV / 2))) / Math.max(1, height);
  }

  setPreset(preset: CameraPreset): void {
    this.preset = preset;
    const f = this.framing;
    if (f === null) return;
    this.zoom = 1;
    this.goalAzimuth = f.azimuth;
    this.goalElevation = f.elevation;
    if (preset === 'top') {
      this.goalAzimuth = 0;
      this.goalElevation = Math.PI / 2 - 0.001;
    } else if (preset === 'side') {
      this.goalAzimuth = f.azimuth === 0 ? 0.9 : 0;
      this.goalElevation = 0.28;
    } else if (preset === 'follow') {
      this.goalElevation = Math.min(f.elevation, 0.8);
    }
    this.fit();
  }

  /** `above`: share of the height that buttons cover, where nothing to be seen should stand. */
  setAspect(aspect: number, above = 0): void {
    this.camera.aspect = aspect;
    this.above = above;
    this.camera.updateProjectionMatrix();
    this.fit();
    this.settle();
  }

  orbit(turn: number, tilt: number, zoom: number): void {
    this.goalAzimuth += turn;
    this.goalElevation = MathUtils.clamp(this.goalElevation + tilt, 0.08, Math.PI / 2 - 0.001);
    this.zoom = MathUtils.clamp(this.zoom * zoom, 0.3, 3);
    this.fit();
  }

  /** Keeps a moving thing in the middle while the preset is `follow`. */
  follow(point: Vector3): void {
    if (this.preset === 'follow') this.goalTarget.copy(point);
  }

  /** From the side the camera pans after the ball, as on television: half of the way, unless the person wants no motion. */
  pan(point: Vector3): void {
    if (this.preset === 'side' && !this.reducedMotion) this.goalTarget.copy(this.centre).lerp(point, PAN);
  }

  /** Moves towards the goal; true while there is still way to go. */
  update(seconds: number): boolean {
    const k = this.reducedMotion ? 1 : 1 - Math.exp(-EASE_PER_SECOND * seconds);
    this.azimuth += (this.goalAzimuth - this.azimuth) * k;
    this.elevation += (this.goalElevation - this.elevation) * k;
    this.distance += (this.goalDistance - this.distance) * k;
    this.target.lerp(this.goalTarget, k);
    const left =
      Math.abs(this.goalAzimuth - this.azimuth) +
      Math.abs(this.goalElevation - this.elevation) +
      Math.abs(this.goalDistance - this.distance) / this.goalDistance +
      this.target.distanceTo(this.goalTarget) / this.goalDistance;
    if (left < 5e-4) this.settle();
    this.place();
    return left >= 5e-4;
  }

  private settle(): void {
    this.azimuth = this.goalAzimuth;
    this.elevation = this.goalElevation;
    this.distance = this.goalDistance;
    this.target.copy(this.goalTarget);
    this.place();
  }

  private place(): void {
    const { camera, target, elevation: e, azimuth: a, distance: d } = this;
    camera.position.set(target.x + d * Math.cos(e) * Math.sin(a), target.y + d * Math.sin(e), target.z + d * Math.cos(e) * Math.cos(a));
    camera.up.set(-Math.sin(a) * Math.sin(e), Math.cos(e), -Math.cos(a) * Math.sin(e));
    camera.lookAt(target);
    camera.updateMatrixWorld();
  }

  /** The distance and target from which the corners of the bounds fill the picture and stand in its middle, from the goal's direction. */
  private fit(): void {
    const f = this.framing;
    if (f === null) return;
    const { min, max } = f.bounds;
    const e = this.goalElevation;
    const a = this.goalAzimuth;
    const back = new Vector3(Math.cos(e) * Math.sin(a), Math.sin(e), Math.cos(e) * Math.cos(a));
    const right = new Vector3(Math.cos(a), 0, -Math.sin(a));
    const up = new Vector3().crossVectors(back, right);
    const tanY = Math.tan(MathUtils.degToRad(FOV / 2)) * 0.9;
    const tanX = tanY * this.camera.aspect;
    const centre = f.bounds.getCenter(new Vector3());
    const size = max.distanceTo(min);
    let distance = size / tanY;
    // Perspective makes the near edge wider: a few rounds of "how far do the edges reach, move, rescale" settle it.
    for (let round = 0; round < 8; round++) {
      let [x0, x1, y0, y1] = [1e9, -1e9, 1e9, -1e9];
      for (let i = 0; i < 8; i++) {
        this.corner.set(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).sub(centre);
        const depth = Math.max(0.01, distance - this.corner.dot(back));
        const x = this.corner.dot(right) / (depth * tanX);
        const y = this.corner.dot(up) / (depth * tanY);
        x0 = Math.min(x0, x);
        x1 = Math.max(x1, x);
        y0 = Math.min(y0, y);
        y1 = Math.max(y1, y);
      }
      const middle = (y0 + y1) / 2 + this.above;
      centre.addScaledVector(right, ((x0 + x1) / 2) * distance * tanX).addScaledVector(up, middle * distance * tanY);
      distance *= Math.max((x1 - x0) / 2, (y1 - y0) / 2 / (1 - this.above));
    }
    this.centre.copy(centre);
    if (this.preset !== 'follow') this.goalTarget.copy(centre);
    this.goalDistance = (this.preset === 'follow' ? Math.min(distance, Math.max(distance * 0.5, 6)) : distance) * this.zoom;
    this.camera.near = Math.max(0.02, this.goalDistance / 50);
    this.camera.far = this.goalDistance * 4 + size * 3;
    this.camera.updateProjectionMatrix();
  }
}

/** How long a finger rests on a thing to hold it, ms, and how far it may tremble meanwhile, px. */
const REST_MS = 350;
const TREMBLE = 8;

/**
 * Turns pointer and wheel into orbit(turn, tilt, zoom); what the mouse grabs, or a finger that rests on it, is dragged instead. A finger that moves
 * at once turns the picture and scrolls the page. Returns the function that stops listening.
 */
export function listenToPointer(
  element: HTMLElement,
  on: {
    orbit(turn: number, tilt: number, zoom: number): void;
    hover(x: number, y: number): void;
    leave(): void;
    tap(x: number, y: number): void;
    /** Whether something is held there from now on. */
    grab(x: number, y: number): boolean;
    drag(x: number, y: number): void;
    drop(): void;
  },
): () => void {
  const held = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  /** The pointer that holds something. */
  let holder: number | null = null;
  let resting = 0;
  const inside = (event: PointerEvent): [number, number] => {
    const r = element.getBoundingClientRect();
    return [((event.clientX - r.left) / r.width) * 2 - 1, 1 - ((event.clientY - r.top) / r.height) * 2];
  };
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    clearTimeout(resting);
    const take = (): boolean => {
      if (!on.grab(...inside(event))) return false;
      holder = event.pointerId;
      element.setPointerCapture(event.pointerId);
      return true;
    };
    if (event.pointerType === 'touch') {
      if (held.size === 0 && holder === null)
        resting = window.setTimeout(() => {
          if (held.size === 1 && travelled < TREMBLE && take()) held.clear();
        }, REST_MS);
    } else if (held.size === 0 && take()) return;
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    travelled = 0;
    element.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    if (event.pointerId === holder) {
      on.drag(...inside(event));
      return;
    }
    const from = held.get(event.pointerId);
    if (from === undefined) {
      on.hover(...inside(event));
      return;
    }
    const dx = event.clientX - from.x;
    const dy = event.clientY - from.y;
    travelled += Math.abs(dx) + Math.abs(dy);
    if (held.size === 2) {
      const other = [...held].find(([id]) => id !== event.pointerId)?.[1] ?? from;
      const before = Math.hypot(from.x - other.x, from.y - other.y);
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      if (after > 0 && before > 0) on.orbit(0, 0, before / after);
    } else {
      on.orbit(-dx * 0.008, dy * 0.006, 1);
    }
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const up = (event: PointerEvent): void => {
    clearTimeout(resting);
    if (event.pointerId === holder) {
      holder = null;
      on.drop();
      return;
    }
    if (held.delete(event.pointerId) && travelled < 6) on.tap(...inside(event));
  };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    on.orbit(0, 0, Math.exp(MathUtils.clamp(event.deltaY, -120, 120) * 0.0015));
  };
  const leave = (): void => on.leave();
  // While a finger holds something, it neither scrolls the page nor opens a menu.
  const stay = (event: Event): void => {
    if (holder !== null && event.cancelable) event.preventDefault();
  };
  element.addEventListener('pointerdown', down);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', up);
  element.addEventListener('pointerleave', leave);
  element.addEventListener('wheel', wheel, { passive: false });
  element.addEventListener('touchmove', stay, { passive: false });
  element.addEventListener('contextmenu', stay);
  return () => {
    element.removeEventListener('pointerdown', down);
    element.removeEventListener('pointermove', move);
    element.removeEventListener('pointerup', up);
    element.removeEventListener('pointercancel', up);
    element.removeEventListener('pointerleave', leave);
    element.removeEventListener('wheel', wheel);
    element.removeEventListener('touchmove', stay);
    element.removeEventListener('contextmenu', stay);
    clearTimeout(resting);
  };
}

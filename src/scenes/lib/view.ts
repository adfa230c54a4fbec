/** What the renderer asks of every kind of picture. A view is built for one layout and one palette and thrown away when either changes. */
import { Color, type Object3D, type Ray, SRGBColorSpace, type Vector3 } from 'three';
import type { SceneOverlay } from '../types.ts';
import type { Framing } from './camera.ts';
import type { Rgb } from './theme.ts';

export interface View {
  readonly root: Object3D;
  readonly framing: Framing;
  /** The picture stands on a base of its own thickness: the ground lies below it. */
  readonly onBase?: boolean;
  /** Draws between two frames; `time` is the frame number plus alpha and drives patterns that move; `fresh`: the frames are not those of last time. */
  update(a: Float32Array, b: Float32Array, alpha: number, time: number, fresh: boolean): void;
  overlay(overlay: SceneOverlay): void;
  /** What the follow camera looks at. */
  focus(out: Vector3): void;
  /** What a broadcast camera pans after; false: there is nothing of the kind. */
  broadcast?(out: Vector3): boolean;
  /** The cell a ray meets, -1: none. */
  pick(ray: Ray): number;
  /** The action between the two frames shown, undefined where it is not known; called before update. */
  act?(action: number | undefined): void;
  /** Frames before `t` that the picture needs (trails); called before update. */
  history?(read: (t: number) => Float32Array | null, t: number): void;
  dispose(): void;
}

/** A CSS colour for three.js: palettes are sRGB, three works in linear. */
export function colour(rgb: Rgb): Color {
  return new Color().setRGB(rgb[0] / 255, rgb[1] / 255, rgb[2] / 255, SRGBColorSpace);
}

/** Frees everything below an object: geometries, materials and their textures. */
export function disposeTree(root: Object3D): void {
  root.traverse((object) => {
    const { geometry, material } = object as {
      geometry?: { dispose(): void };
      material?: Disposable | Disposable[];
      dispose?: () => void;
    };
    geometry?.dispose();
    for (const m of material === undefined ? [] : Array.isArray(material) ? material : [material]) {
      m.map?.dispose();
      m.dispose();
    }
    if ('isInstancedMesh' in object) (object as unknown as { dispose(): void }).dispose();
  });
}

interface Disposable {
  dispose(): void;
  map?: { dispose(): void } | null;
}

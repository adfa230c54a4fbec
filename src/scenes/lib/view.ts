/** What the renderer asks of every kind of picture. A view is built for one layout and one palette and thrown away when either changes. */
import { Color, type Object3D, type Ray, type Raycaster, SRGBColorSpace, type Vector3 } from 'three';
import type { Pull } from '#contract/game/frames.ts';
import type { SceneOverlay } from '../types.ts';
import type { Framing } from './camera.ts';
import type { Rgb } from './theme.ts';

/** What must be seen: an agent, a place to reach, a thing that is played with or carried. */
export interface Subject {
  readonly kind: 'agent' | 'goal' | 'thing';
  /** Its middle; the vector serves the next subject too. */
  readonly at: Vector3;
  /** As drawn, scene units. */
  readonly radius: number;
  readonly tint: Rgb;
}

/** A point of a part, in the part's axes. */
export type Grip = Pick<Pull, 'part' | 'at'>;

/** A board has a thickness, and lies on the ground; a slab is all the ground there is. */
export type Base = 'board' | 'slab';

export interface View {
  readonly root: Object3D;
  readonly framing: Framing;
  readonly base?: Base;
  /** Draws between two frames; `time` is the frame number plus alpha and drives patterns that move; `fresh`: the frames are not those of last time. */
  update(a: Float32Array, b: Float32Array, alpha: number, time: number, fresh: boolean): void;
  /** Calls `see` with every subject that is shown now, as drawn by the last update; without it everything keeps within the framing's bounds. */
  subjects?(see: (subject: Subject) => void): void;
  /** How large the picture is, scene units per CSS pixel: things that would be too small to read are drawn larger from the next update on. */
  scale?(unitsPerPixel: number): void;
  /** What a scene unit is, where distances can be told: 'm'. */
  readonly unit?: string;
  overlay(overlay: SceneOverlay): void;
  /** What the follow camera looks at. */
  focus(out: Vector3): void;
  /** What a broadcast camera pans after; false: there is nothing of the kind. */
  broadcast?(out: Vector3): boolean;
  /** The cell a ray meets, -1: none. */
  pick(ray: Ray): number;
  /** What a person may hold under the pointer, null: nothing; the point of it that is met goes into `met`. */
  grip?(pointer: Raycaster, met: Vector3): Grip | null;
  /** What a press calls to where the pointer meets the floor, null: nothing; `met` is scratch. */
  call?(pointer: Raycaster, met: Vector3): Pull | null;
  /** What is held is drawn along the floor, not across the line of sight. */
  readonly level?: true;
  /** Shows that a point is held and drawn to a place of the scene, null: nothing is held. The place in the layout's own axes. */
  draw?(grip: Grip | null, to: Vector3): Pull['to'];
  /** The action between the two frames shown and the one before them, undefined where there is none or it is not known; called before update. */
  act?(next: number | undefined, before: number | undefined): void;
  /** Frames before `t` that the picture needs (trails); called before update. */
  history?(read: (t: number) => Float32Array | null, t: number): void;
  dispose(): void;
}

/** CSS pixels across that agents and goals are drawn at least where the picture has its middle; farther off they are a fifth smaller. */
export const LEAST_PIXELS = 30;
/** The same of things they play with, and of the height of words. */
export const LEAST_THING = 16;
export const LEAST_WORDS = 18;
/** So many agents or more are a crowd: they are drawn as large as they are. */
export const CROWD = 25;

/** How many times larger a thing of `radius` is drawn so that it is `pixels` across. */
export function enlargement(radius: number, unitsPerPixel: number, pixels: number): number {
  return radius > 0 ? Math.max(1, (pixels * unitsPerPixel) / (2 * radius)) : 1;
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

/**
 * One picture of an episode: what stands in it, its light, its camera and the moment it shows. Who draws it and when is its owner's matter, so
 * that one renderer serves the stage's single picture (scene.ts) and many small ones (wall.ts).
 */
import { DoubleSide, type Material, type Object3D, Scene as ThreeScene, Vector3 } from 'three';
import { type FrameLayout, type FrameSource, frameSize } from '#contract/game/frames.ts';
import { NO_OVERLAY, type SceneOverlay } from '../types.ts';
import { OrbitCamera } from './camera.ts';
import { EdgeArrows } from './edges.ts';
import { sameLayout } from './frames.ts';
import { Lights } from './lights.ts';
import { Shot } from './shot.ts';
import type { Palette } from './theme.ts';
import { disposeTree, type View } from './view.ts';

/** px: on a page at least so wide buttons stand over the upper edge of the picture, so high; on a narrower one above it. */
const PHONE = 520;
const BUTTONS = 44;
/** Share by which the picture's scale may change before things in it are drawn to the new one. */
const SAME_SCALE = 0.03;

export interface PictureOptions {
  /** Makes the drawing of a layout; null: there is none for its kind. */
  readonly viewOf: (layout: FrameLayout, palette: Palette) => View | null;
  readonly palette: Palette;
  /** Texels along a side of the shadow map. */
  readonly shadowSize: number;
  readonly reducedMotion: boolean;
  /** CSS pixels: in a picture less wide than this, things may be smaller than a stage would draw them, or they would fill it. 0: never. */
  readonly full: number;
  /** Called when what stands in the picture was made anew, to compile its shaders before they are needed. */
  readonly prepare: (picture: Picture) => void;
}

export class Picture {
  readonly scene = new ThreeScene();
  readonly orbit = new OrbitCamera();
  private readonly options: PictureOptions;
  private readonly lights: Lights;
  private readonly edges: EdgeArrows;
  private readonly size = { width: 1, height: 1 };
  private readonly focus = new Vector3();
  private palette: Palette;
  private view: View | null = null;
  private layout: FrameLayout | null = null;
  private source: FrameSource | null = null;
  private overlay: SceneOverlay = NO_OVERLAY;
  private shot: Shot | null = null;
  /** The moment of the last frame that was framed, and the scale the view was told last. */
  private framedAt = Number.POSITIVE_INFINITY;
  private scaled = Number.NaN;
  private frameA = new Float32Array(0);
  private frameB = new Float32Array(0);
  private past = new Float32Array(0);
  private shown: { t: number; alpha: number } | null = null;
  /** The moment whose frames were read last, and whether both were there. */
  private held = { t: -1, both: false };

  constructor(options: PictureOptions) {
    this.options = options;
    this.palette = options.palette;
    this.lights = new Lights(options.shadowSize);
    this.scene.add(...this.lights.objects);
    this.orbit.reducedMotion = options.reducedMotion;
    this.edges = new EdgeArrows(options.palette);
    this.orbit.camera.add(this.edges.root);
    this.scene.add(this.orbit.camera);
  }

  /** What stands in it now; null: nothing. */
  get drawing(): View | null {
    return this.view;
  }

  /** Another episode. True: it must be drawn. */
  setSource(next: FrameSource | null): boolean {
    this.source = next;
    this.held = { t: -1, both: false };
    this.framedAt = Number.POSITIVE_INFINITY;
    if (next === null) {
      this.layout = null;
      this.shot = null;
      this.rebuild();
      return true;
    }
    if (!sameLayout(this.layout, next.layout)) {
      this.layout = next.layout;
      const size = frameSize(next.layout);
      this.frameA = new Float32Array(size);
      this.frameB = new Float32Array(size);
      this.past = new Float32Array(size);
      this.rebuild();
      this.shot = this.view === null ? null : new Shot(this.view.framing.bounds);
      if (this.view !== null) this.orbit.frame(this.view.framing);
    }
    return this.apply();
  }

  /** The moment between frame t and t + 1, alpha 0..1. True: it must be drawn; false: its frame is not there yet. */
  show(t: number, alpha: number): boolean {
    this.shown = { t, alpha };
    return this.apply(false);
  }

  setOverlay(next: SceneOverlay): boolean {
    this.overlay = next;
    this.view?.overlay(next);
    return this.apply();
  }

  /** Whether things throw shadows, true at first. */
  castShadows(shadows: boolean): void {
    this.lights.cast(shadows);
  }

  /** CSS pixels. */
  resize(width: number, height: number): void {
    Object.assign(this.size, { width, height });
    this.orbit.setAspect(width / Math.max(1, height), width < PHONE ? 0 : Math.min(0.2, BUTTONS / Math.max(1, height)));
    this.apply(false);
  }

  refreshTheme(palette: Palette): boolean {
    this.palette = palette;
    this.edges.refresh(palette);
    this.rebuild();
    return this.apply();
  }

  /** Moves the camera by so many seconds, before it is drawn. True: it has not come to rest. */
  advance(seconds: number): boolean {
    const { view, orbit, focus, shot, size } = this;
    if (view !== null && orbit.preset === 'follow') {
      view.focus(focus);
      orbit.follow(focus);
    }
    if (orbit.preset === 'side' && view?.broadcast?.(focus) === true) orbit.pan(focus);
    const moving = orbit.update(seconds);
    if (shot !== null) this.edges.show(shot.lost, orbit.camera, size.width, size.height, orbit.lookedAt, view?.unit);
    return moving;
  }

  /** Shows the same moment: from frames read anew, or with the frames that were read. True: it must be drawn. */
  apply(again = true): boolean {
    const { view, source, shown, frameA, frameB } = this;
    if (view === null || source === null || shown === null) return false;
    const { t, alpha } = shown;
    const fresh = again || t !== this.held.t || (alpha > 0 && !this.held.both);
    if (fresh) {
      if (!source.read(t, frameA)) return false;
      const both = alpha > 0 && t + 1 < source.length && source.read(t + 1, frameB);
      if (!both) frameB.set(frameA);
      this.held = { t, both };
      view.history?.(this.readPast, t);
      view.act?.(t + 1 < source.length ? source.action?.(t) : undefined, t > 0 ? source.action?.(t - 1) : undefined);
    }
    view.update(frameA, frameB, alpha, t + alpha, fresh);
    if (this.reframe(t + alpha)) view.update(frameA, frameB, alpha, t + alpha, false);
    return true;
  }

  dispose(): void {
    this.view?.dispose();
    this.edges.dispose();
    disposeTree(this.scene);
  }

  private readonly readPast = (t: number): Float32Array | null => (this.source?.read(t, this.past) === true ? this.past : null);

  /** Frames what strays, and tells the view how large it is then; true where it must draw itself anew for that. */
  private reframe(from: number): boolean {
    const { view, shot, orbit } = this;
    if (view === null || shot === null) return false;
    if (shot.take(view, from < this.framedAt)) orbit.reframe(shot.box);
    this.framedAt = from;
    const small = Math.min(1, this.size.width / Math.max(1, this.options.full));
    const unitsPerPixel = small * orbit.unitsPerPixel(this.size.height);
    if (Math.abs(unitsPerPixel / this.scaled - 1) < SAME_SCALE) return false;
    this.scaled = unitsPerPixel;
    view.scale?.(unitsPerPixel);
    return view.scale !== undefined;
  }

  private rebuild(): void {
    if (this.view !== null) {
      this.scene.remove(this.view.root);
      this.view.dispose();
      this.view = null;
    }
    if (this.layout === null) return;
    this.view = this.options.viewOf(this.layout, this.palette);
    if (this.view === null) return;
    this.view.overlay(this.overlay);
    this.view.root.traverse(inOnePass);
    this.scaled = Number.NaN;
    this.scene.add(this.view.root);
    this.lights.follow(this.view.framing.bounds, this.palette, this.view.base);
    this.options.prepare(this);
  }
}

/**
 * What is transparent and seen from both sides is drawn in two passes, far side first, with a program for each, unless told otherwise. Such
 * things here write no depth, and both sides have one colour: their order makes no difference.
 */
function inOnePass(thing: Object3D): void {
  const { material } = thing as Object3D & { readonly material?: Material | readonly Material[] };
  for (const each of material === undefined ? [] : [material].flat())
    if (each.transparent && each.side === DoubleSide) each.forceSinglePass = true;
}

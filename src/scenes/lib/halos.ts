/**
 * What an explanation says, over any picture: a ring round each thing that faces the camera whatever the camera does, a few words below it,
 * arcs from one thing to another. Nothing hides them: they are read, not looked at.
 */
import {
  type Camera,
  CanvasTexture,
  type Color,
  CylinderGeometry,
  Group,
  Matrix4,
  MeshBasicMaterial,
  PerspectiveCamera,
  Quaternion,
  Sprite,
  SpriteMaterial,
  SRGBColorSpace,
  type Texture,
  Vector2,
  Vector3,
  type WebGLRenderer,
} from 'three';
import type { SceneOverlay, ThingMark, ThingTie } from '../types.ts';
import { alongArc, arcBetween, haloRadius, type Place, RING_WIDTHS, type RingKind, ringOf, ringPieces } from './halo-shape.ts';
import { Badge, type LabelStyle, type Labels } from './labels.ts';
import { Pool } from './pool.ts';
import type { Palette, Rgb } from './theme.ts';
import { colour } from './view.ts';

/** The strongest of more are drawn. */
const MOST_TIES = 60;
const SEGMENTS = 16;
const RISE = 0.17;
/** Heights of words between things that both have some. */
const ROOM = 1.6;
/** CSS pixels that words are high at least, their plate included. */
const LEAST_PIXELS = 20;
const TEXTURE = 256; // pixels
const UP = new Vector3(0, 1, 0);

/** Writes where a thing is and gives its radius; 0: it is not shown. */
type Anchor = (thing: number, out: Vector3) => number;

interface Sizes {
  /** How far the strongest ring lies outside its thing. */
  readonly reach: number;
  /** Height of the words. */
  readonly words: number;
}

export class Halos {
  readonly root = new Group();
  private readonly sizes: Sizes;
  private readonly palette: Palette;
  private readonly labels: Labels;
  private readonly style: LabelStyle;
  private readonly tints: readonly Color[];
  private readonly textures = new Map<string, Texture>();
  private readonly rings: Sprite[] = [];
  private readonly words: Badge[] = [];
  private readonly shafts: Pool;
  private readonly heads: Pool;
  private marks: readonly ThingMark[] = [];
  private ties: readonly ThingTie[] = [];
  /** Where words stand. */
  private readonly spoken: Vector3[] = [];
  private readonly screen = new Vector2();
  private readonly at = new Vector3();
  private readonly to = new Vector3();
  private readonly along = new Vector3();
  private readonly turn = new Quaternion();
  private readonly size = new Vector3();
  private readonly matrix = new Matrix4();

  constructor(sizes: Sizes, labels: Labels, palette: Palette) {
    this.sizes = sizes;
    this.palette = palette;
    this.labels = labels;
    this.style = { ink: palette.ink, paper: palette.paper, plate: 'plate' };
    this.tints = palette.series.map(colour);
    const plain = (): MeshBasicMaterial => new MeshBasicMaterial({ transparent: true, opacity: 0.92 });
    this.shafts = new Pool(new CylinderGeometry(1, 1, 1, 8, 1, true).translate(0, 0.5, 0), plain(), { order: 7 });
    this.heads = new Pool(new CylinderGeometry(0, 1, 1, 14).translate(0, 0.5, 0), plain(), { order: 7 });
    this.root.add(this.shafts.root, this.heads.root);
  }

  set({ marks: given, ties }: SceneOverlay): void {
    // the strongest first: where words would lie on each other, theirs stand
    const marks = [...given].sort((a, b) => Math.abs(b.strength) - Math.abs(a.strength));
    this.marks = marks;
    this.ties = [...ties].sort((a, b) => b.weight - a.weight).slice(0, MOST_TIES);
    while (this.rings.length < marks.length) this.add();
    marks.forEach(({ strength, words }, i) => {
      const { kind, level } = ringOf(strength);
      const { material } = this.rings[i]!;
      material.map = this.texture(kind, level);
      material.needsUpdate = true;
      this.words[i]!.set(words);
    });
  }

  update(anchor: Anchor): void {
    this.spoken.length = 0;
    this.rings.forEach((ring, i) => {
      const mark = this.marks[i];
      const radius = mark === undefined ? 0 : anchor(mark.thing, this.at);
      const { sprite } = this.words[i]!;
      ring.visible = radius > 0;
      sprite.visible = false;
      if (mark === undefined || !(radius > 0)) return;
      const outer = haloRadius(radius, mark.strength, this.sizes.reach);
      ring.position.copy(this.at);
      ring.scale.setScalar(2 * outer);
      sprite.position.copy(this.at);
      sprite.visible = mark.words !== '' && this.spoken.every((place) => place.distanceTo(this.at) > ROOM * this.sizes.words);
      if (sprite.visible) this.spoken.push(sprite.position);
    });
    this.shafts.begin();
    this.heads.begin();
    for (const { from, to, weight } of this.ties) {
      const [a, b] = [anchor(from, this.at), anchor(to, this.to)];
      if (!(a > 0 && b > 0)) continue;
      const arc = arcBetween(this.at.toArray(), a, this.to.toArray(), b, RISE);
      if (arc !== null) this.draw(arc, weight, this.tints[from % this.tints.length]!);
    }
    this.shafts.end();
    this.heads.end();
  }

  private draw(arc: readonly [Place, Place, Place], weight: number, tint: Color): void {
    const thick = this.sizes.words * (0.03 + 0.1 * weight);
    const length = Math.hypot(arc[2][0] - arc[0][0], arc[2][1] - arc[0][1], arc[2][2] - arc[0][2]);
    const neck = 1 - Math.min(0.4, (this.sizes.words * (0.4 + 0.35 * weight)) / (length || 1));
    for (let k = 0; k < SEGMENTS; k++)
      this.piece(this.shafts, alongArc(arc, (neck * k) / SEGMENTS), alongArc(arc, (neck * (k + 1)) / SEGMENTS), thick, tint);
    this.piece(this.heads, alongArc(arc, neck), arc[2], thick * 2.4 + 0.05 * this.sizes.words, tint);
  }

  private piece(pool: Pool, [x0, y0, z0]: Place, [x1, y1, z1]: Place, thick: number, tint: Color): void {
    this.along.set(x1 - x0, y1 - y0, z1 - z0);
    const length = this.along.length();
    if (length < 1e-9) return;
    this.turn.setFromUnitVectors(UP, this.along.divideScalar(length));
    pool.putMatrix(this.matrix.compose(this.at.set(x0, y0, z0), this.turn, this.size.set(thick, length, thick)), tint);
  }

  private add(): void {
    const ring = new Sprite(new SpriteMaterial({ transparent: true, depthTest: false, depthWrite: false }));
    ring.renderOrder = 8;
    ring.visible = false;
    const words = new Badge(this.labels, this.style, this.sizes.words);
    words.sprite.onBeforeRender = (renderer, _scene, camera) => this.enlarge(words.sprite, ring, renderer, camera);
    this.rings.push(ring);
    this.words.push(words);
    this.root.add(ring, words.sprite);
  }

  /** On a small screen words would be specks: they are as high as can be read. */
  private enlarge(sprite: Sprite, ring: Sprite, renderer: WebGLRenderer, camera: Camera): void {
    if (!(camera instanceof PerspectiveCamera)) return;
    const pixel =
      (2 * camera.position.distanceTo(sprite.position) * Math.tan((camera.fov * Math.PI) / 360)) / renderer.getSize(this.screen).y;
    const height = Math.max(this.sizes.words, LEAST_PIXELS * pixel);
    sprite.scale.multiplyScalar(height / sprite.scale.y);
    sprite.center.set(0.5, 1.1 + ring.scale.y / 2 / height);
    sprite.updateMatrixWorld();
  }

  private texture(kind: RingKind, level: number): Texture {
    const key = `${kind} ${level}`;
    const found = this.textures.get(key);
    if (found !== undefined) return found;
    const { takes, adds, muted, paper } = this.palette;
    const made = ringTexture(kind, RING_WIDTHS[level]!, { closed: adds, broken: takes, dotted: muted }[kind], paper);
    this.textures.set(key, made);
    return made;
  }
}

function ringTexture(kind: RingKind, width: number, ink: Rgb, paper: Rgb): Texture {
  const canvas = document.createElement('canvas');
  canvas.width = TEXTURE;
  canvas.height = TEXTURE;
  const g = canvas.getContext('2d');
  if (g !== null) {
    const half = TEXTURE / 2;
    const line = half * width;
    const rim = half * 0.02;
    const css = (rgb: Rgb, alpha: number): string => `rgb(${rgb.map(Math.round).join(' ')} / ${alpha})`;
    for (const [from, to] of ringPieces(kind)) {
      // a rim of paper keeps the ring readable on any ground
      for (const [colourOf, wide] of [[css(paper, 0.75), line + 2 * rim] as const, [css(ink, 1), line] as const]) {
        g.strokeStyle = colourOf;
        g.lineWidth = wide;
        g.beginPath();
        g.arc(half, half, half - line / 2 - rim, from, to);
        g.stroke();
      }
    }
  }
  const made = new CanvasTexture(canvas);
  made.colorSpace = SRGBColorSpace;
  return made;
}

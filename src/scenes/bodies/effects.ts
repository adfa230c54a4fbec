/** What moves around bodies without being one: trails, rings of contacts, arrows of pushes, wind and contact forces. In the scene's axes. */
import {
  CanvasTexture,
  type Color,
  CylinderGeometry,
  Group,
  Matrix4,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Quaternion,
  SphereGeometry,
  Sprite,
  SpriteMaterial,
  SRGBColorSpace,
  Vector3,
} from 'three';
import type { BodiesLayout } from '#contract/game/frames.ts';
import { Pool } from '../lib/pool.ts';
import type { Palette } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';
import { bodyColumns, sceneBounds, toScene } from './axes.ts';
import { roleColour } from './parts.ts';

const TRAIL = 26; // frames
const RING = 12; // frames a ring takes to fade
const RINGS = 6;
const UP = new Vector3(0, 1, 0);

export class BodyEffects {
  readonly root = new Group();
  private readonly layout: BodiesLayout;
  private readonly columns: ReturnType<typeof bodyColumns>;
  private readonly size: number;
  private readonly dots: Pool;
  private readonly trailed: readonly { readonly part: number; readonly radius: number; readonly tint: Color }[];
  private readonly rings: readonly Sprite[];
  private readonly touches: { readonly at: Vector3; readonly age: number; readonly strength: number }[] = [];
  private readonly past: { readonly at: Vector3; readonly share: number; readonly radius: number; readonly tint: Color }[] = [];
  private readonly shafts: Pool;
  private readonly heads: Pool;
  private readonly spots: Pool;
  private readonly force: Color;
  private readonly at = new Vector3();
  private readonly along = new Vector3();
  private readonly turn = new Quaternion();
  private readonly matrix = new Matrix4();
  private readonly scale = new Vector3();
  trails = true;
  /** Whether forces of contacts are drawn. */
  forces = false;

  constructor(layout: BodiesLayout, palette: Palette) {
    this.layout = layout;
    this.columns = bodyColumns(layout);
    this.size = sceneBounds(layout).getSize(new Vector3()).length();
    this.trailed = layout.parts.flatMap((part, i) => {
      if (part.trail !== true) return [];
      const radius =
        part.model === 'drone'
          ? (part.size[0] ?? 0.1) * 0.22
          : part.shape === 'sphere' || part.model !== undefined
            ? (part.size[0] ?? 0.1) * 0.62
            : this.size * 0.006;
      return [
        {
          part: i,
          radius,
          tint: part.model === 'ball' ? colour(palette.named.yellow ?? palette.accent) : roleColour(part.colour, palette),
        },
      ];
    });
    const veil = new MeshBasicMaterial({ transparent: true, opacity: 0.34, depthWrite: false });
    this.dots = new Pool(new SphereGeometry(1, 10, 7), veil, { order: 3 }, Math.max(1, this.trailed.length * TRAIL));
    const matte = (): MeshLambertMaterial => new MeshLambertMaterial();
    this.shafts = new Pool(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), matte(), { cast: true });
    this.heads = new Pool(new CylinderGeometry(0, 1, 1, 14).translate(0, 0.5, 0), matte(), { cast: true });
    this.force = colour(palette.hazard);
    this.spots = new Pool(new CylinderGeometry(1, 1, 1, 20), matte(), {});
    this.root.add(this.dots.root, this.shafts.root, this.heads.root, this.spots.root);
    const map = ringTexture();
    this.rings = Array.from({ length: layout.contacts === undefined ? 0 : RINGS }, () => {
      const ring = new Sprite(
        new SpriteMaterial({ map, color: colour(palette.hazard), transparent: true, depthWrite: false, depthTest: false }),
      );
      ring.visible = false;
      ring.renderOrder = 8;
      this.root.add(ring);
      return ring;
    });
  }

  history(read: (t: number) => Float32Array | null, t: number): void {
    this.past.length = 0;
    this.touches.length = 0;
    const back = Math.max(this.trailed.length > 0 ? TRAIL : 0, this.rings.length > 0 ? RING : 0);
    const last = this.trailed.map(() => new Vector3(Number.NaN));
    for (let k = 0; k < back && t - k >= 0; k++) {
      const frame = read(t - k);
      if (frame === null) return;
      if (k < TRAIL) this.readTrails(frame, k, last);
      if (k < RING) this.readTouches(frame, k);
    }
  }

  update(frame: Float32Array, alpha: number): void {
    this.dots.begin();
    if (this.trails) for (const { at, share, radius, tint } of this.past) this.dots.put(at.x, at.y, at.z, tint, 0, radius * share);
    this.dots.end();
    this.rings.forEach((ring, i) => {
      const touch = this.touches[i];
      ring.visible = touch !== undefined;
      if (touch === undefined) return;
      const age = (touch.age + alpha) / RING;
      ring.position.copy(touch.at);
      ring.scale.setScalar(this.size * (0.025 + 0.07 * Math.sqrt(Math.min(1, age))));
      ring.material.opacity = Math.max(0, 1 - age) * (0.5 + 0.5 * touch.strength);
    });
    this.drawArrows(frame);
  }

  private readTrails(frame: Float32Array, k: number, last: readonly Vector3[]): void {
    this.trailed.forEach(({ part, radius, tint }, i) => {
      const o = part * 7;
      toScene(this.layout, frame[o]!, frame[o + 1]!, frame[o + 2]!, this.at);
      const before = last[i]!;
      // A jump ends the trail: what lies before it belongs to another rally.
      const broken = k > 0 && !(before.distanceTo(this.at) < 0.25 * this.size);
      before.copy(broken ? this.along.set(Number.NaN, 0, 0) : this.at);
      if (k === 0 || broken) return;
      this.past.push({ at: this.at.clone(), share: 1 - k / TRAIL, radius, tint });
    });
  }

  private readTouches(frame: Float32Array, age: number): void {
    for (let i = 0; i < (this.layout.contacts ?? 0) && this.touches.length < RINGS; i++) {
      const o = this.columns.contacts + i * 4;
      const strength = frame[o + 3]!;
      if (strength <= 0) continue;
      this.touches.push({
        at: toScene(this.layout, frame[o]!, frame[o + 1]!, frame[o + 2]!, new Vector3()),
        age,
        strength: Math.min(1, strength),
      });
    }
  }

  private drawArrows(frame: Float32Array): void {
    this.shafts.begin();
    this.heads.begin();
    this.spots.begin();
    const thick = this.size * 0.0045;
    for (let i = 0; i < (this.layout.arrows ?? 0); i++) this.drawArrow(frame, this.columns.arrows + i * 6, thick);
    for (let i = 0; this.forces && i < (this.layout.contactForces ?? 0); i++) {
      const o = this.columns.contactForces + i * 6;
      if (!this.drawArrow(frame, o, thick)) continue;
      toScene(this.layout, frame[o]!, frame[o + 1]!, frame[o + 2]!, this.at);
      this.spots.putMatrix(this.matrix.compose(this.at, this.turn.identity(), this.scale.set(thick * 3, thick, thick * 3)), this.force);
    }
    this.shafts.end();
    this.heads.end();
    this.spots.end();
  }

  /** False: it has no length. */
  private drawArrow(frame: Float32Array, o: number, thick: number): boolean {
    toScene(this.layout, frame[o]!, frame[o + 1]!, frame[o + 2]!, this.at);
    toScene(this.layout, frame[o + 3]!, frame[o + 4]!, frame[o + 5]!, this.along);
    const length = this.along.length();
    if (length < 1e-6) return false;
    this.turn.setFromUnitVectors(UP, this.along.divideScalar(length));
    const head = Math.min(length * 0.45, thick * 5);
    this.shafts.putMatrix(this.matrix.compose(this.at, this.turn, this.scale.set(thick, length - head, thick)), this.force);
    this.at.addScaledVector(this.along, length - head);
    this.heads.putMatrix(this.matrix.compose(this.at, this.turn, this.scale.set(thick * 2.4, head, thick * 2.4)), this.force);
    return true;
  }
}

function ringTexture(): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = 128;
  canvas.height = 128;
  const g = canvas.getContext('2d');
  if (g !== null) {
    g.strokeStyle = '#fff';
    g.lineWidth = 9;
    g.beginPath();
    g.arc(64, 64, 56, 0, Math.PI * 2);
    g.stroke();
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

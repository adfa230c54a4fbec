/**
 * Points in the plane: wedges that look where they go (all of them one draw call), pucks, rings, pillars; trails, rays, links and
 * messages over them. Layout x, y are the floor (y away from the viewer), z is height; metres.
 */
import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  type Color,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Plane,
  type Ray,
  type Raycaster,
  Vector3,
} from 'three';
import { calledPoint, heldPoints, type PointGroup, type PointShape, type PointsLayout, type Pull } from '#contract/game/frames.ts';
import type { Framing } from '../lib/camera.ts';
import { pointAt, pointColumns, pointGroups } from '../lib/frames.ts';
import { Halos } from '../lib/halos.ts';
import { Badge, Labels } from '../lib/labels.ts';
import { Pool } from '../lib/pool.ts';
import { disc, square, wedge } from '../lib/shapes.ts';
import type { Palette } from '../lib/theme.ts';
import {
  CROWD,
  colour,
  disposeTree,
  enlargement,
  type Grip,
  LEAST_PIXELS,
  LEAST_THING,
  LEAST_WORDS,
  type Subject,
  type View,
} from '../lib/view.ts';
import type { SceneOverlay } from '../types.ts';
import { pointsGround } from './ground.ts';
import { Ribbons } from './ribbons.ts';
import { Swarm } from './swarm.ts';
import { PointsGroup } from './things.ts';
import { pointRgb } from './tints.ts';

const TRAIL = 18; // frames
const MOST_TRAILS = 400; // beyond this many points the trails would cover the floor
const MOST_SHADOWS = 2000;
/** So many numbered wedges are pucks with a nose and a number; more are a swarm. */
const MOST_NUMBERED = 40;
/** Of more points it does not matter where each is. */
const MOST_SUBJECTS = 400;

/** What must be in the picture, by its shape. */
const SUBJECT: { readonly [shape in PointShape]?: Subject['kind'] } = {
  wedge: 'agent',
  disc: 'agent',
  landmark: 'goal',
  goal: 'goal',
  box: 'thing',
  ball: 'thing',
};
/** CSS pixels across at least, by shape; the others are as large as they are. */
const LEAST: { readonly [shape in PointShape]?: number } = {
  wedge: LEAST_PIXELS,
  disc: LEAST_PIXELS,
  landmark: LEAST_PIXELS,
  goal: LEAST_PIXELS,
  ball: LEAST_PIXELS,
  food: LEAST_THING,
};

/** A point is taken hold of within so many radii of its middle, or so many CSS pixels where that is more. */
const GRASP = 1.5;
const GRASP_PIXELS = 12;

/** A group of points as it is drawn. */
interface Things {
  readonly view: PointsGroup;
  readonly from: number;
  readonly count: number;
  /** By palette index. */
  readonly tints: readonly Color[];
}

export class PointsView implements View {
  readonly root = new Group();
  readonly framing: Framing;
  readonly unit = 'm';
  readonly level = true;
  private readonly floor = new Plane(new Vector3(0, 1, 0), 0);
  private readonly layout: PointsLayout;
  private readonly columns: ReturnType<typeof pointColumns>;
  private readonly span: number;
  private readonly labels = new Labels();
  private readonly swarms: readonly Swarm[];
  private readonly things: readonly Things[];
  private readonly colours: readonly Color[];
  private readonly faint: Color;
  private readonly struck: Color;
  private readonly at = new Float32Array(4);
  private readonly first = new Vector3();
  private readonly subjectAt = new Vector3();
  private readonly groups: ReturnType<typeof pointGroups>;
  private readonly palette: Palette;
  /** They are drawn as large as they are. */
  private readonly crowd: boolean;
  /** Of each point x, y, height (of a box with sides: half of the second), radius as drawn (of a box: half of the first), palette index. */
  private readonly places: Float32Array;
  private unitsPerPixel = 0;
  private readonly trails: Ribbons | null;
  private readonly tracks: readonly number[];
  private readonly rays: LineSegments<BufferGeometry, LineBasicMaterial> | null;
  private readonly hits: Pool;
  private readonly links: Pool;
  private readonly bubbles: readonly Badge[];
  private readonly halos: Halos;
  private readonly tint: Color;
  private trailAt = -1;
  private lastA = new Float32Array(0);
  private shown: SceneOverlay | null = null;

  constructor(layout: PointsLayout, palette: Palette) {
    this.layout = layout;
    this.columns = pointColumns(layout);
    this.crowd = layout.count - (layout.groups ?? []).reduce((sum, { count, between }) => sum + (between === true ? count : 0), 0) >= CROWD;
    const [minX, minY, maxX, maxY] = layout.bounds;
    const unit = Math.max(maxX - minX, maxY - minY);
    this.span = unit;
    this.framing =
      layout.upright === true
        ? { bounds: new Box3(new Vector3(minX, minY, 0), new Vector3(maxX, maxY, unit * 0.06)), azimuth: 0.16, elevation: 0.1 }
        : { bounds: new Box3(new Vector3(minX, 0, -maxY), new Vector3(maxX, unit * 0.06, -minY)), azimuth: 0, elevation: 1.05 };
    // What lies on a floor stands before a wall.
    if (layout.upright === true) this.root.rotation.x = Math.PI / 2;
    this.colours = palette.series.map(colour);
    this.palette = palette;
    this.places = new Float32Array(layout.count * 5);
    this.faint = colour(palette.muted);
    this.struck = colour(palette.hazard);
    this.tint = colour(palette.tile);
    this.root.add(pointsGround(layout, palette));
    const groups = pointGroups(layout);
    this.groups = groups;
    const swarming = (group: PointGroup): boolean => group.shape === 'wedge' && !(group.numbered === true && group.count <= MOST_NUMBERED);
    this.swarms = groups
      .filter(({ group }) => swarming(group))
      .map(({ from, group }) => {
        const swarm = new Swarm(wedge(), from, group.count, 0.25 * unit, layout.count <= MOST_SHADOWS, palette);
        this.root.add(swarm.mesh);
        return swarm;
      });
    this.things = groups.flatMap(({ from, group }) => (swarming(group) ? [] : [this.addThings(group, from, palette)]));
    this.tracks = groups.flatMap(({ from, group }) =>
      group.trail === true || layout.groups === undefined ? Array.from({ length: group.count }, (_, i) => from + i) : [],
    );
    this.trails = this.tracks.length === 0 || this.tracks.length > MOST_TRAILS ? null : new Ribbons(this.tracks.length, TRAIL);
    if (this.trails !== null) this.root.add(this.trails.mesh);
    const veil = (): MeshBasicMaterial => new MeshBasicMaterial({ transparent: true, opacity: 0.75, depthWrite: false });
    this.links = new Pool(square(1), veil(), { order: 1 }, Math.max(1, layout.lines ?? 0));
    this.hits = new Pool(disc(1, 10), new MeshLambertMaterial(), { order: 2 });
    this.root.add(this.links.root, this.hits.root);
    this.rays = layout.rays === undefined ? null : this.makeRays(layout.rays.agents * layout.rays.count);
    this.bubbles = Array.from({ length: layout.messages?.agents ?? 0 }, () => {
      const bubble = new Badge(this.labels, { ink: palette.ink, paper: palette.paper, plate: 'bubble' }, unit * 0.075);
      this.root.add(bubble.sprite);
      return bubble;
    });
    this.halos = new Halos({ reach: 0.055 * unit, words: 0.034 * unit }, this.labels, palette);
    this.root.add(this.halos.root);
  }

  /** Trails: the ways of the last frames. */
  history(read: (t: number) => Float32Array | null, t: number): void {
    const { trails, tracks, layout } = this;
    if (trails === null) return;
    // The same moment of another episode has other ways.
    const now = read(t);
    if (t === this.trailAt && now !== null && this.lastA.every((value, i) => value === now[i])) return;
    this.trailAt = t;
    trails.begin();
    const [minX, minY, maxX, maxY] = layout.bounds;
    const limit = 0.25 * Math.max(maxX - minX, maxY - minY);
    const last = new Map<number, readonly [number, number]>();
    for (let k = 0; k < TRAIL && t - k >= 0; k++) {
      const frame = read(t - k);
      if (frame === null) break;
      tracks.forEach((point, i) => {
        const o = point * 6;
        const x = frame[o]!;
        const y = frame[o + 1]!;
        const newer = last.get(i);
        if (k > 0 && (newer === undefined || Math.abs(newer[0] - x) > limit || Math.abs(newer[1] - y) > limit)) {
          last.delete(i);
          return;
        }
        if (frame[o + 4] === 0) return;
        last.set(i, [x, y]);
        trails.add(i, x, frame[o + 2]! + 0.002 * this.span, -y);
      });
      if (k === 0) this.lastA = frame.slice(0, layout.count * 6);
    }
    trails.end(
      (i) => this.lastA[tracks[i]! * 6 + 4]! * 0.8,
      (i) => this.colours[this.lastA[tracks[i]! * 6 + 5]! % 8]!,
    );
  }

  update(a: Float32Array, b: Float32Array, alpha: number, _time: number, fresh: boolean): void {
    const { layout } = this;
    for (const swarm of this.swarms) swarm.update(a, b, alpha, fresh);
    if (layout.count <= MOST_SUBJECTS) this.place(a, b, alpha);
    pointAt(this.layout, a, b, 0, alpha, this.at);
    this.turned(this.first.set(this.at[0]!, this.at[2]!, -this.at[1]!));
    for (const { view, from, count, tints } of this.things) {
      view.begin();
      for (let i = 0; i < count; i++) {
        pointAt(this.layout, a, b, from + i, alpha, this.at);
        const o = (from + i) * 6;
        const sized = view.group.sized === true;
        view.put(i, {
          x: this.at[0]!,
          y: sized ? 0 : this.at[2]!,
          half: sized ? this.at[2]! : 0,
          z: -this.at[1]!,
          heading: this.at[3]!,
          radius: this.drawn(view.group, alpha >= 0.5 ? b[o + 4]! : a[o + 4]!),
          tint: tints[a[o + 5]! % 8]!,
        });
      }
      view.end();
    }
    this.drawLinks(alpha >= 0.5 ? b : a);
    if (this.rays !== null) this.drawRays(a, b, alpha);
    this.drawMessages(a, b, alpha);
    this.halos.update((point, out) => {
      if (point >= layout.count) return 0;
      pointAt(layout, a, b, point, alpha, this.at);
      out.set(this.at[0]!, this.at[2]!, -this.at[1]!);
      return layout.count <= MOST_SUBJECTS ? this.places[point * 5 + 3]! : a[point * 6 + 4]!;
    });
  }

  overlay(overlay: SceneOverlay): void {
    this.shown = overlay;
    this.halos.set(overlay);
    for (const { view, from } of this.things) view.name(overlay.agents, from);
    if (this.trails !== null) this.trails.mesh.visible = overlay.trails;
    if (this.rays !== null) this.rays.visible = overlay.rays;
    this.hits.root.visible = overlay.rays;
  }

  subjects(see: (subject: Subject) => void): void {
    if (this.layout.count > MOST_SUBJECTS) return;
    for (const { from, group } of this.groups) {
      const kind = SUBJECT[group.shape];
      if (kind === undefined || group.between === true) continue;
      const sized = group.sized === true;
      for (let i = from; i < from + group.count; i++) {
        const [x = 0, y = 0, z = 0, r = 0, tint = 0] = this.places.subarray(i * 5, i * 5 + 5);
        const radius = sized ? Math.min(r, z) : r; // a long wall does not widen the picture by half of its length on all sides
        if (!(radius > 0)) continue;
        see({ kind, at: this.turned(this.subjectAt.set(x, sized ? 0 : z, -y)), radius, tint: pointRgb(group.shape, tint, this.palette) });
      }
    }
  }

  scale(unitsPerPixel: number): void {
    this.unitsPerPixel = unitsPerPixel;
    for (const { view } of this.things) view.words(this.crowd ? 0 : LEAST_WORDS * unitsPerPixel);
    for (const bubble of this.bubbles) bubble.resize(Math.max(0.075 * this.span, 1.5 * LEAST_WORDS * unitsPerPixel));
  }

  focus(out: Vector3): void {
    out.copy(this.first);
  }

  pick(_ray: Ray): number {
    return -1;
  }

  /** The nearest of the points that may be held, where the pointer is near enough. */
  grip(pointer: Raycaster, met: Vector3): Grip | null {
    const held = this.layout.upright === true ? [] : heldPoints(this.layout);
    if (held.length === 0 || pointer.ray.intersectPlane(this.floor, met) === null) return null;
    let [part, least] = [-1, Number.POSITIVE_INFINITY];
    for (const i of held) {
      const [x = 0, y = 0, , radius = 0] = this.places.subarray(i * 5, i * 5 + 5);
      const away = Math.hypot(met.x - x, -met.z - y) / Math.max(GRASP * radius, GRASP_PIXELS * this.unitsPerPixel);
      if (radius > 0 && away < Math.min(least, 1)) [part, least] = [i, away];
    }
    return part < 0 ? null : { part, at: [0, 0, 0] };
  }

  call(pointer: Raycaster, met: Vector3): Pull | null {
    const part = this.layout.upright === true ? -1 : calledPoint(this.layout);
    if (part < 0 || pointer.ray.intersectPlane(this.floor, met) === null) return null;
    return { part, at: [0, 0, 0], to: this.draw(null, met) };
  }

  draw(_grip: Grip | null, to: Vector3): Pull['to'] {
    return [to.x, -to.z, 0];
  }

  dispose(): void {
    disposeTree(this.root);
    this.labels.dispose();
  }

  /** Keeps where the points are drawn, and how large. */
  private place(a: Float32Array, b: Float32Array, alpha: number): void {
    const late = alpha >= 0.5 ? b : a;
    for (const { from, group } of this.groups) {
      for (let i = from; i < from + group.count; i++) {
        pointAt(this.layout, a, b, i, alpha, this.at);
        const radius = this.drawn(group, late[i * 6 + 4]!);
        this.places.set([this.at[0]!, this.at[1]!, this.at[2]!, radius, late[i * 6 + 5]!], i * 5);
      }
    }
  }

  /** Radius at which a point of radius `r` is drawn. */
  private drawn({ shape, between }: Pick<PointGroup, 'shape' | 'between'>, r: number): number {
    const pixels = this.crowd || between === true ? undefined : LEAST[shape];
    return pixels === undefined ? r : r * enlargement(r, this.unitsPerPixel, pixels);
  }

  /** From the floor's axes to the scene's. */
  private turned(at: Vector3): Vector3 {
    return at.applyEuler(this.root.rotation);
  }

  private addThings(group: PointGroup, from: number, palette: Palette): Things {
    const view = new PointsGroup(group, palette, this.labels);
    this.root.add(view.root);
    return { view, from, count: group.count, tints: palette.series.map((_, i) => colour(pointRgb(group.shape, i, palette))) };
  }

  private makeRays(count: number): LineSegments<BufferGeometry, LineBasicMaterial> {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(count * 6), 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(count * 8), 4).setUsage(DynamicDrawUsage));
    const rays = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
    rays.frustumCulled = false;
    this.root.add(rays);
    return rays;
  }

  private drawRays(a: Float32Array, b: Float32Array, alpha: number): void {
    const { rays, layout } = this;
    const spec = layout.rays;
    if (rays === null || spec === undefined) return;
    const position = rays.geometry.getAttribute('position');
    const tint = rays.geometry.getAttribute('color');
    const y = 0.004 * this.span;
    this.hits.begin();
    let v = 0;
    for (let i = 0; i < spec.agents; i++) {
      pointAt(layout, a, b, i, alpha, this.at);
      const [x0, y0] = [this.at[0]!, this.at[1]!];
      const base = (spec.from ?? 0) + (spec.turns === true ? this.at[3]! : 0);
      for (let k = 0; k < spec.count; k++) {
        const o = this.columns.rays + i * spec.count + k;
        const reach = Math.min(spec.range, a[o]! + (b[o]! - a[o]!) * alpha);
        const hit = reach < spec.range * 0.999;
        const angle = base + (k / spec.count) * 2 * Math.PI;
        const x1 = x0 + reach * Math.cos(angle);
        const y1 = y0 + reach * Math.sin(angle);
        const c = hit ? this.struck : this.faint;
        position.setXYZ(v, x0, y, -y0);
        tint.setXYZW(v++, c.r, c.g, c.b, hit ? 0.75 : 0.3);
        position.setXYZ(v, x1, y, -y1);
        tint.setXYZW(v++, c.r, c.g, c.b, hit ? 0.95 : 0.08);
        if (hit) this.hits.put(x1, y, -y1, this.struck, 0, 0.006 * this.span);
      }
    }
    this.hits.end();
    position.needsUpdate = true;
    tint.needsUpdate = true;
  }

  private drawLinks(frame: Float32Array): void {
    const lines = this.layout.lines ?? 0;
    if (lines === 0) return;
    this.links.begin();
    for (let i = 0; i < lines; i++) {
      const o = this.columns.lines + i * 6;
      const strength = frame[o + 5]!;
      if (strength <= 0) continue;
      const dx = frame[o + 2]! - frame[o]!;
      const dy = frame[o + 3]! - frame[o + 1]!;
      const c = this.tint.copy(this.faint).lerp(this.colours[frame[o + 4]! % 8]!, 0.25 + 0.75 * strength);
      const turn = Math.atan2(-dy, dx);
      const width = this.span * (this.layout.upright === true ? 0.016 : 0.002 + 0.004 * strength);
      this.links.put(
        (frame[o]! + frame[o + 2]!) / 2,
        0.003 * this.span,
        -(frame[o + 1]! + frame[o + 3]!) / 2,
        c,
        turn,
        Math.hypot(dx, dy),
        1,
        width,
      );
    }
    this.links.end();
  }

  private drawMessages(a: Float32Array, b: Float32Array, alpha: number): void {
    const spec = this.layout.messages;
    if (spec === undefined) return;
    const late = alpha >= 0.5 ? b : a;
    this.bubbles.forEach((bubble, i) => {
      const symbol = late[this.columns.messages + i]!;
      bubble.set(symbol < 0 || this.shown?.messages === false ? '' : `says ${spec.symbols[symbol] ?? symbol}`);
      pointAt(this.layout, a, b, i, alpha, this.at);
      const radius = this.places[i * 5 + 3] ?? 0;
      bubble.sprite.position.set(this.at[0]!, this.at[2]! + 0.7 * radius, -this.at[1]! - 0.8 * radius);
    });
  }
}

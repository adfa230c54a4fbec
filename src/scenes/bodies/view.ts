/**
 * Rigid bodies at positions and quaternions: plain shapes, known things with their details, drones, courts, trails, contacts, forces.
 * The layout's axes may have y or z up (contract/game/frames.ts); the scene has y up. Metres.
 */
import {
  Box3,
  BufferGeometry,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  type Quaternion,
  type Ray,
  type Raycaster,
  Vector3,
} from 'three';
import type { BodiesLayout, BodyPart, Fixture, Pull } from '#contract/game/frames.ts';
import type { Framing } from '../lib/camera.ts';
import { floorGrid } from '../lib/floor.ts';
import { bodyAt, followedRise } from '../lib/frames.ts';
import { Halos } from '../lib/halos.ts';
import { Badge, Labels } from '../lib/labels.ts';
import { block } from '../lib/shapes.ts';
import type { Palette, Rgb } from '../lib/theme.ts';
import {
  type Base,
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
import { unitOf } from '../lib/words.ts';
import type { SceneOverlay } from '../types.ts';
import { bodyColumns, sceneBounds, toScene } from './axes.ts';
import { BodyDrive } from './drive.ts';
import { Drones } from './drones.ts';
import { BodyEffects } from './effects.ts';
import { makeFixture } from './fixtures.ts';
import { PassingGround } from './ground.ts';
import { buildPart, type Moving, roleRgb } from './parts.ts';
import { Profile } from './profile.ts';
import { partDetails } from './rigs.ts';

/** Drones smaller than this share of the picture are drawn larger, at most this many times. */
const LEAST_ARM = 0.028;
const MOST_SCALE = 3;
/** From a drone's middle to the tips of its rotors, arms. */
const DRONE_REACH = 1.4;
/** What must be in the picture, by its model; where nothing has one, parts in the colours of agents. */
const SUBJECT: { readonly [model in NonNullable<BodyPart['model']>]: Subject['kind'] } = {
  drone: 'agent',
  slime: 'agent',
  ball: 'thing',
  target: 'goal',
};
const LEAST: { readonly [kind in Subject['kind']]: number } = { agent: LEAST_PIXELS, goal: LEAST_PIXELS, thing: LEAST_THING };
/** Drones are told apart by how they lean: CSS pixels across at least. */
const LEAST_DRONE = 54;

export class BodiesView implements View {
  readonly root = new Group();
  readonly framing: Framing;
  readonly base?: Base;
  readonly unit = 'm';
  private readonly layout: BodiesLayout;
  private readonly columns: ReturnType<typeof bodyColumns>;
  private readonly parts: readonly (Group | null)[]; // null: a drone
  private readonly moving: readonly (Moving & { readonly part: number })[];
  private readonly drones: Drones | null;
  private readonly droneParts: readonly number[];
  private readonly effects: BodyEffects;
  private readonly drive: BodyDrive | null;
  private readonly pose = new Float32Array(7);
  private readonly followed: number;
  private readonly ball: number;
  private readonly ballAt = new Vector3();
  private readonly focusAt = new Vector3();
  private readonly floor: number;
  private readonly labels = new Labels();
  private readonly halos: Halos;
  private readonly subjectAt = new Vector3();
  private readonly seen: readonly { readonly part: number; readonly kind: Subject['kind']; readonly tint: Rgb }[];
  private readonly tags: readonly Tag[];
  /** Of each part whether it is shown, and where it is. */
  private readonly places: Float32Array;
  /** How many times larger drones are drawn, at any scale of the picture. */
  private droneScale = 1;
  private unitsPerPixel = 0;
  private readonly world = new Group();
  private readonly ground: PassingGround | null;
  private readonly profile: Profile | null;
  /** What the picture moves with, in the scene's axes; it stands still at the origin. */
  private readonly middle = new Vector3();
  private forces = false;
  /** From the point that a person holds to where it is drawn, in the axes of the layout. */
  private readonly string: Line<BufferGeometry, LineBasicMaterial>;
  private held: Grip | null = null;
  private readonly drawnTo = new Vector3();
  private readonly heldAt = new Vector3();

  constructor(layout: BodiesLayout, palette: Palette) {
    this.layout = layout;
    this.columns = bodyColumns(layout);
    const box = sceneBounds(layout);
    const size = box.getSize(new Vector3());
    const flatScene = size.z < 0.5 * size.x && layout.up !== 'z';
    const pad = 0.03 * size.x;
    // Words stand above what bears them.
    const above = layout.parts.some(({ tag }) => tag !== undefined) ? 0.12 * size.y : 0;
    this.framing = {
      bounds: new Box3(
        box.min.clone().setX(box.min.x - pad),
        box.max
          .clone()
          .setX(box.max.x + pad)
          .setY(box.max.y + above),
      ),
      azimuth: layout.seenFrom ?? (flatScene ? 0.14 : layout.fixtures?.some(({ kind }) => kind === 'court') === true ? 0.22 : 0.5),
      elevation: layout.seenAbove ?? (flatScene ? 0.26 : layout.up === 'z' ? 0.36 : 0.5),
    };
    this.floor = layout.up === 'z' ? Math.max(0, box.min.y) : box.min.y;
    const zUp = layout.up === 'z';
    const moving: (Moving & { part: number })[] = [];
    this.parts = layout.parts.map((part, i) => {
      if (part.model === 'drone') return null;
      const built = buildPart(part, zUp, palette);
      for (const detail of partDetails(part, layout, palette)) built.root.add(detail);
      for (const one of built.moving) moving.push({ ...one, part: i });
      return built.root;
    });
    this.moving = moving;
    // Robotics axes as a whole are turned once; what is placed by hand converts for itself.
    if (zUp) this.world.rotation.x = -Math.PI / 2;
    for (const part of this.parts) if (part !== null) this.world.add(part);
    this.string = new Line(
      new BufferGeometry().setFromPoints([this.heldAt, this.drawnTo]),
      new LineBasicMaterial({ color: colour(palette.ink), depthTest: false }),
    );
    this.string.frustumCulled = false;
    this.string.visible = false;
    this.world.add(this.string);
    this.root.add(this.world);
    this.ground = layout.follow === undefined ? null : new PassingGround(layout, this.labels, palette);
    if (this.ground !== null) this.root.add(this.ground.root);
    this.profile = layout.profile === undefined ? null : new Profile(layout, palette);
    if (this.profile !== null) this.world.add(this.profile.root);
    this.droneParts = layout.parts.flatMap((part, i) => (part.model === 'drone' ? [i] : []));
    this.drones = this.makeDrones(size.length(), palette);
    this.effects = new BodyEffects(layout, palette);
    this.drive = layout.drive === undefined ? null : new BodyDrive(layout.drive, layout, palette);
    if (this.drive !== null) this.root.add(this.drive.root);
    this.root.add(this.effects.root, ...this.fixtures().map((fixture) => makeFixture(fixture, layout, palette)));
    if (layout.fixtures === undefined) {
      const plate = this.plate(palette);
      if (plate.length > 0) {
        this.root.add(...plate);
        this.base = 'slab';
      }
    }
    const extent = size.length();
    this.halos = new Halos({ reach: 0.028 * extent, words: 0.026 * extent }, this.labels, palette);
    this.root.add(this.halos.root);
    const agents = layout.parts.findIndex((part) => typeof part.colour === 'number');
    this.places = new Float32Array(layout.parts.length * 4);
    const modelled = layout.parts.some(({ model }) => model !== undefined);
    // A body of many parts is one agent: its largest part stands for it.
    const own = layout.parts.map(({ colour: role }, i) => (typeof role === 'number' ? this.ownRadius(i) : 0));
    const largest = zUp ? own.indexOf(Math.max(...own)) : -1;
    this.seen = layout.parts.flatMap((part, i) => {
      const kind =
        part.model !== undefined
          ? SUBJECT[part.model]
          : !modelled && typeof part.colour === 'number' && (largest < 0 || i === largest)
            ? 'agent'
            : undefined;
      return kind === undefined ? [] : [{ part: i, kind, tint: roleRgb(part.colour, palette) }];
    });
    this.tags = layout.parts.flatMap((part, i) => (part.tag === undefined ? [] : [this.makeTag(i, part.tag, palette)]));
    this.ball = layout.parts.findIndex((part) => part.model === 'ball');
    this.followed = agents < 0 ? 0 : agents;
  }

  history(read: (t: number) => Float32Array | null, t: number): void {
    this.effects.history(read, t);
  }

  act(action: number | undefined): void {
    this.drive?.act(action);
  }

  update(a: Float32Array, b: Float32Array, alpha: number, time: number): void {
    const { layout, pose } = this;
    this.moveWith(a, b, alpha);
    this.parts.forEach((part, i) => {
      if (part === null) return;
      part.visible = shown(a, i);
      bodyAt(layout, a, b, i, alpha, pose);
      part.position.set(pose[0]!, pose[1]!, pose[2]!);
      part.quaternion.set(pose[3]!, pose[4]!, pose[5]!, pose[6]!);
      part.scale.setScalar(this.drawnLarger(i));
    });
    for (let i = 0; i < layout.parts.length; i++) {
      this.place(a, b, i, alpha, this.subjectAt);
      this.places.set([shown(a, i) ? 1 : 0, ...this.subjectAt.toArray()], i * 4);
    }
    if (this.ball >= 0) this.place(a, b, this.ball, alpha, this.ballAt);
    this.place(a, b, this.followed, alpha, this.focusAt);
    for (const { object, kind, radius, part } of this.moving) {
      const group = this.parts[part]!;
      if (kind === 'wheel') object.rotation.z = -group.position.x / radius;
      else lookAt(object, group, this.ballAt);
    }
    const { drive } = this.layout;
    const driven = drive === undefined ? null : this.parts[drive.part];
    if (driven) this.drive?.update(driven);
    const late = alpha >= 0.5 ? b : a;
    this.profile?.update(late, this.columns.profile);
    const rotors = layout.rotors?.count ?? 4;
    this.drones?.enlarge(this.droneScale * this.drawnLarger(this.droneParts[0]!));
    this.drones?.update(
      (i, at, turn) => this.dronePose(a, b, this.droneParts[i]!, alpha, at, turn),
      (i, r) => (layout.rotors === undefined ? 1 : late[this.columns.rotors + i * rotors + r]!),
      time,
      this.forces,
      this.floor,
    );
    this.effects.update(late, alpha);
    this.span();
    for (const tag of this.tags) this.drawTag(tag, late);
    this.halos.update((part, out) => {
      if (part >= layout.parts.length || !shown(a, part)) return 0;
      this.place(a, b, part, alpha, out);
      return this.radiusOf(part);
    });
  }

  overlay(overlay: SceneOverlay): void {
    this.forces = overlay.forces;
    this.effects.forces = overlay.forces;
    this.effects.trails = overlay.trails;
    this.halos.set(overlay);
  }

  subjects(see: (subject: Subject) => void): void {
    for (const { part, kind, tint } of this.seen) {
      const [there = 0, x = 0, y = 0, z = 0] = this.places.subarray(part * 4, part * 4 + 4);
      if (there === 1) see({ kind, at: this.subjectAt.set(x, y, z), radius: this.radiusOf(part), tint });
    }
  }

  scale(unitsPerPixel: number): void {
    this.unitsPerPixel = unitsPerPixel;
    this.ground?.scale(unitsPerPixel);
  }

  focus(out: Vector3): void {
    out.copy(this.focusAt);
    // The camera keeps level over things that stay on a track.
    if (this.layout.up !== 'z' && this.ball < 0) {
      const [, minY, , , maxY] = this.layout.bounds;
      out.y = Math.max(out.y, (minY + maxY) / 2);
    }
  }

  broadcast(out: Vector3): boolean {
    if (this.ball >= 0) out.copy(this.ballAt);
    return this.ball >= 0;
  }

  pick(_ray: Ray): number {
    return -1;
  }

  grip(pointer: Raycaster, met: Vector3): Grip | null {
    if (this.layout.pulls !== true) return null;
    const groups = this.parts.filter((part) => part?.visible === true) as Group[];
    const [first] = pointer.intersectObjects(groups);
    if (first === undefined) return null;
    const part = this.parts.findIndex((group) => group !== null && within(first.object, group));
    const { colour: role } = this.layout.parts[part]!;
    if (role !== 'accent' && typeof role !== 'number') return null;
    met.copy(first.point);
    const { x, y, z } = this.parts[part]!.worldToLocal(first.point);
    return { part, at: [x, y, z] };
  }

  draw(grip: Grip | null, to: Vector3): Pull['to'] {
    this.held = grip;
    this.world.worldToLocal(this.drawnTo.copy(to));
    this.span();
    return this.drawnTo.toArray();
  }

  /** Draws the line between what is held and where it is drawn to. */
  private span(): void {
    const { held, string, heldAt, drawnTo } = this;
    const part = held === null ? null : (this.parts[held.part] ?? null);
    string.visible = part !== null;
    if (held === null || part === null) return;
    heldAt
      .set(...held.at)
      .applyQuaternion(part.quaternion)
      .add(part.position);
    string.geometry.setFromPoints([heldAt, drawnTo]);
  }

  dispose(): void {
    disposeTree(this.root);
    this.labels.dispose();
  }

  private makeDrones(extent: number, palette: Palette): Drones | null {
    if (this.droneParts.length === 0) return null;
    const parts = this.droneParts.map((i) => this.layout.parts[i]!);
    const arm = Math.min(...parts.map((part) => part.size[0] ?? 0.1));
    this.droneScale = Math.min(MOST_SCALE, Math.max(1, (LEAST_ARM * extent) / arm));
    const drones = new Drones(parts, this.layout.rotors, palette);
    this.root.add(drones.root);
    return drones;
  }

  /** Where part `i` is, in the scene's axes. */
  private place(a: Float32Array, b: Float32Array, i: number, alpha: number, out: Vector3): void {
    bodyAt(this.layout, a, b, i, alpha, this.pose);
    toScene(this.layout, this.pose[0]!, this.pose[1]!, this.pose[2]!, out).sub(this.middle);
  }

  /** A floor that passes under what is followed takes the place of one that stands still. */
  private fixtures(): readonly Fixture[] {
    const { fixtures = [], follow } = this.layout;
    return follow === undefined ? fixtures : fixtures.filter(({ kind }) => kind !== 'floor');
  }

  private moveWith(a: Float32Array, b: Float32Array, alpha: number): void {
    const { follow } = this.layout;
    if (follow === undefined) return;
    bodyAt(this.layout, a, b, follow, alpha, this.pose);
    toScene(this.layout, this.pose[0]!, this.pose[1]!, this.pose[2]!, this.middle).setY(followedRise(this.layout, b, this.pose[0]!));
    this.world.position.copy(this.middle).negate();
    this.effects.root.position.copy(this.world.position);
    this.ground?.update(this.middle);
  }

  /** Metres from a part's middle to its edge, as drawn. */
  private radiusOf(part: number): number {
    return this.ownRadius(part) * this.drawnLarger(part);
  }

  /** The same before it is drawn larger for a small picture. */
  private ownRadius(part: number): number {
    const { model, shape, size } = this.layout.parts[part]!;
    const [first = 0.1] = size;
    if (model === 'drone') return DRONE_REACH * first * this.droneScale;
    if (shape === 'sphere' || model !== undefined) return first;
    // a disc is as wide as its radius says, a rod as its length
    return shape === 'cylinder' ? Math.max(first, ...size.map((length) => length / 2)) : Math.max(...size) / 2;
  }

  /** How many times larger a part with a model is drawn, so that it can be read in a small picture. */
  private drawnLarger(part: number): number {
    const { model, tag, shape } = this.layout.parts[part]!;
    if (this.droneParts.length >= CROWD) return 1;
    // Of plain parts only round ones that bear a name stand for themselves.
    if (model === undefined)
      return tag === undefined || shape === 'box' ? 1 : enlargement(this.ownRadius(part), this.unitsPerPixel, LEAST_PIXELS);
    return enlargement(this.ownRadius(part), this.unitsPerPixel, model === 'drone' ? LEAST_DRONE : LEAST[SUBJECT[model]]);
  }

  private makeTag(part: number, { text, number }: NonNullable<BodyPart['tag']>, palette: Palette): Tag {
    const badge = new Badge(this.labels, { ink: palette.ink, paper: palette.paper, plate: 'plate', weight: 500 }, 1);
    this.root.add(badge.sprite);
    const column = number === undefined ? -1 : this.columns.extra + this.layout.extra.indexOf(number);
    return { part, text, column, unit: number === undefined ? '' : unitOf(number), badge };
  }

  private drawTag({ part, text, column, unit, badge }: Tag, frame: Float32Array): void {
    const [there = 0, x = 0, y = 0, z = 0] = this.places.subarray(part * 4, part * 4 + 4);
    badge.set(there === 1 ? [text, column < 0 ? '' : `${short(frame[column]!)} ${unit}`].join(' ').trim() : '');
    badge.resize(LEAST_WORDS * this.unitsPerPixel);
    badge.sprite.position.set(x, y + this.radiusOf(part) + LEAST_WORDS * this.unitsPerPixel, z);
  }

  private dronePose(a: Float32Array, b: Float32Array, part: number, alpha: number, at: Vector3, turn: Quaternion): boolean {
    if (!shown(a, part)) return false;
    this.place(a, b, part, alpha, at);
    const [, , , x = 0, y = 0, z = 0, w = 1] = this.pose;
    if (this.layout.up === 'z') turn.set(x, z, -y, w);
    else turn.set(x, y, z, w);
    return true;
  }

  /** A plate under the action with a metre grid, unless a part is the ground itself. */
  private plate(palette: Palette): Object3D[] {
    if (this.layout.parts.some((part) => part.colour === 'ground')) return [];
    const { min, max } = sceneBounds(this.layout);
    const width = max.x - min.x;
    const depth = Math.max(max.z - min.z, width * 0.26);
    const z = (min.z + max.z) / 2;
    const unit = width * 0.012;
    const plate = new Mesh(block(width * 1.1, unit * 3, depth, unit), new MeshLambertMaterial({ color: colour(palette.tile) }));
    plate.position.set((min.x + max.x) / 2, min.y - unit * 3, z);
    plate.receiveShadow = true;
    return [plate, floorGrid(min.x, z - depth * 0.42, max.x, z + depth * 0.42, min.y + 0.002, palette)];
  }
}

/** Three digits or so: what can be read at a glance. */
function short(value: number): string {
  return Math.abs(value) < 100 ? String(Number(value.toFixed(1))) : String(Math.round(value));
}

/** Whether an object is a part of another. */
function within(object: Object3D, whole: Object3D): boolean {
  return object === whole || (object.parent !== null && within(object.parent, whole));
}

/** Words beside a part; `column` of the number they tell, -1: none. */
interface Tag {
  readonly part: number;
  readonly text: string;
  readonly column: number;
  readonly unit: string;
  readonly badge: Badge;
}

/** A quaternion of zeros hides a part. */
function shown(frame: Float32Array, part: number): boolean {
  const o = part * 7 + 3;
  return frame[o] !== 0 || frame[o + 1] !== 0 || frame[o + 2] !== 0 || frame[o + 3] !== 0;
}

/** Turns an eye about its own place towards a point. */
function lookAt(eye: Object3D, body: Group, at: Vector3): void {
  const dx = at.x - body.position.x;
  const dy = at.y - body.position.y;
  eye.rotation.z = Math.atan2(dy, dx);
}

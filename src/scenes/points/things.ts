/** What points look like, group by group: pucks with numbers, rings, pillars, zones, crates. Sizes scale with the radius column. */
import {
  type BufferGeometry,
  type Color,
  CylinderGeometry,
  DoubleSide,
  Group,
  type Material,
  MeshBasicMaterial,
  MeshLambertMaterial,
  SphereGeometry,
} from 'three';
import type { PointGroup } from '#contract/game/frames.ts';
import { Badge, FloorLabel, type Labels } from '../lib/labels.ts';
import { glowMaterial } from '../lib/materials.ts';
import { Pool } from '../lib/pool.ts';
import { apple, block, disc, flat, merge, ring } from '../lib/shapes.ts';
import type { Palette } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';
import { cornerReach, STRIPE, STRIPE_ANGLE, STRIPES, stripeHalf } from './tints.ts';

/** A point as it is now: floor coordinates, heading counter-clockwise from +x, radius. */
export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly heading: number;
  readonly radius: number;
  /** Of a box with a size of its own: half its width. */
  readonly half: number;
  readonly tint: Color;
}

/** One shape in a group: geometry of unit radius, and how high it reaches. */
interface Layer {
  readonly pool: Pool;
  readonly own: boolean; // takes the point's colour
  readonly lift: number; // times the radius
}

/** A puck of radius 1: a bevelled cylinder; with so many corners, the first of them ahead, a prism of the same area. */
function puck(corners?: number): BufferGeometry {
  const sides = corners ?? 32;
  const whole = merge([
    new CylinderGeometry(0.86, 1, 0.16, sides).translate(0, 0.56, 0),
    new CylinderGeometry(1, 1, 0.48, sides, 1, true).translate(0, 0.24, 0),
  ]);
  if (corners === undefined) return whole;
  const reach = cornerReach(corners);
  whole
    .rotateY(Math.PI / 2)
    .scale(reach, 1, reach)
    .computeVertexNormals(); // flat sides
  return whole;
}

/** The nose of a puck: where it goes. */
function nose(): BufferGeometry {
  return flat([
    [1.5, 0],
    [0.72, -0.62],
    [0.72, 0.62],
  ]).translate(0, 0.3, 0);
}

/** Trees of a forest of radius 1, each a cone; fixed places. */
function trees(): BufferGeometry {
  const places = Array.from({ length: 13 }, (_, i) => {
    const r = 0.86 * Math.sqrt((i + 0.5) / 13);
    return [r * Math.cos(i * 2.4), r * Math.sin(i * 2.4)] as const;
  });
  return merge(places.map(([x, z], i) => new CylinderGeometry(0, 0.1, 0.32 + 0.1 * (i % 3), 7).translate(x, 0.18, z)));
}

/** Parallel stripes across a disc of radius 1, which rise to the right. */
function stripes(): BufferGeometry {
  return merge(
    STRIPES.map((middle) => {
      const half = stripeHalf(middle);
      const side = STRIPE / 2;
      return flat([
        [-half, middle - side],
        [half, middle - side],
        [half, middle + side],
        [-half, middle + side],
      ]);
    }),
  ).rotateY(STRIPE_ANGLE);
}

export class PointsGroup {
  readonly root = new Group();
  private readonly layers: readonly Layer[];
  private readonly numbers: readonly FloorLabel[];
  readonly group: PointGroup;
  private readonly white: Color;
  private readonly tag: Badge | null;
  private tagHeight = 0;

  constructor(group: PointGroup, palette: Palette, labels: Labels) {
    this.group = group;
    this.white = colour([255, 255, 255]);
    this.layers = layersOf(group, palette);
    for (const { pool } of this.layers) this.root.add(pool.root);
    this.numbers =
      group.numbered === true
        ? Array.from({ length: group.count }, () => new FloorLabel(labels, { ink: [255, 255, 255], weight: 700 }, 1))
        : [];
    for (const { mesh } of this.numbers) this.root.add(mesh);
    this.tag =
      group.tag === undefined
        ? null
        : new Badge(labels, { ink: palette.ink, paper: palette.paper, plate: 'plate', weight: 500 }, 1).set(group.tag);
    if (this.tag !== null) {
      this.tag.sprite.center.set(0.5, 1);
      this.root.add(this.tag.sprite);
    }
  }

  /** How high words are at least, scene units. */
  words(height: number): void {
    this.tagHeight = height;
  }

  /** What stands on each: `marks` by the points' places, of which `from` is the group's first. */
  name(marks: readonly string[], from: number): void {
    const agents = marks.length >= from + this.numbers.length; // fewer are those of someone who is none of these points
    this.numbers.forEach((label, i) => {
      label.set((agents ? marks[from + i] : undefined) ?? String((this.group.numberedFrom ?? from + 1) + i));
    });
  }

  begin(): void {
    for (const { pool } of this.layers) pool.begin();
  }

  put(index: number, at: Placed): void {
    const label = this.numbers[index];
    if (label !== undefined) label.mesh.visible = at.radius > 0;
    if (this.tag !== null && index === 0) this.tag.sprite.visible = at.radius > 0;
    if (at.radius <= 0) return;
    const size = this.group.sized === true ? ([2 * at.radius, 2 * at.half] as const) : this.group.size;
    for (const { pool, own, lift } of this.layers) {
      const y = at.y + lift * at.radius;
      const tint = own ? at.tint : this.white;
      if (size === undefined) pool.put(at.x, y, at.z, tint, -at.heading, at.radius);
      else if (this.group.sized === true) pool.put(at.x, y, at.z, tint, -at.heading, size[0], 0.5 * Math.min(size[0], size[1]), size[1]);
      else pool.put(at.x, y, at.z, tint, -at.heading, size[0], Math.max(size[1], 0.25 * Math.min(size[0], 0.4)), size[1]);
    }
    this.placeTag(index, at);
    if (label === undefined) return;
    label.mesh.position.set(at.x, at.y + 0.66 * at.radius, at.z);
    const digits = this.group.count > 9 ? 1.15 : 1.4;
    label.mesh.scale.setScalar(at.radius * digits);
  }

  /** The name of the first of a group stands at its lower edge. */
  private placeTag(index: number, at: Placed): void {
    if (this.tag === null || index > 0) return;
    const below = this.group.size === undefined ? at.radius : this.group.size[1] / 2;
    this.tag.sprite.position.set(at.x, at.y, at.z + 1.15 * below);
    this.tag.resize(this.group.shape === 'words' ? Math.max(this.tagHeight, 2 * at.radius) : this.tagHeight);
  }

  end(): void {
    for (const { pool } of this.layers) pool.end();
  }
}

function layersOf(group: PointGroup, palette: Palette): Layer[] {
  const matte = (): MeshLambertMaterial => new MeshLambertMaterial();
  const veil = (opacity: number): Material => new MeshBasicMaterial({ transparent: true, opacity, depthWrite: false, side: DoubleSide });
  const solid = (geometry: BufferGeometry): Layer => ({
    pool: new Pool(geometry, matte(), { cast: true, receive: true }, group.count),
    own: true,
    lift: 0,
  });
  const flatLayer = (geometry: BufferGeometry, material: Material, lift: number, order = 1): Layer => ({
    pool: new Pool(geometry, material, { order }, group.count),
    own: true,
    lift,
  });
  switch (group.shape) {
    case 'disc':
      return [solid(puck(group.corners))];
    case 'wedge':
      return [solid(puck()), solid(nose())];
    case 'landmark':
      return [flatLayer(ring(0.74, 1), matte(), 0.02), flatLayer(disc(0.3), matte(), 0.02)];
    case 'goal':
      return [
        flatLayer(ring(0.82, 1), matte(), 0.02),
        flatLayer(disc(0.82), veil(0.16), 0.015),
        {
          pool: new Pool(
            new CylinderGeometry(0.97, 0.97, 1.6, 32, 1, true).translate(0, 0.5, 0),
            glowMaterial(palette),
            { order: 5 },
            group.count,
          ),
          own: false,
          lift: 0,
        },
      ];
    case 'zone': {
      const layers = [flatLayer(disc(1, 48), veil(0.2), 0.008), flatLayer(ring(0.975, 1, 48), veil(0.8), 0.01)];
      if (group.striped === true) layers.push(flatLayer(stripes(), veil(0.8), 0.01));
      if (/forest|tree/i.test(group.name)) layers.push(solid(trees()));
      return layers;
    }
    case 'obstacle':
      return [
        solid(
          merge([
            new CylinderGeometry(0.94, 1, 0.08, 32).translate(0, 0.86, 0),
            new CylinderGeometry(1, 1, 0.82, 32, 1, true).translate(0, 0.41, 0),
          ]),
        ),
      ];
    case 'ball':
      return [solid(new SphereGeometry(1, 24, 16).translate(0, 1, 0))];
    case 'box':
      return [solid(block(1, 1, 1, group.size === undefined ? 0.04 : 0.02))];
    case 'words':
      return [];
    case 'food':
      return [solid(apple().scale(3.2, 3.2, 3.2))];
  }
}

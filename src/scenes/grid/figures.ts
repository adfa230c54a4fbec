/**
 * Agents of a grid, any number of them in a few draw calls: each kind is a handful of instanced parts. A figure says which way it
 * looks, how alive it is and what it carries; numbers stand above them while there are few.
 */
import {
  BoxGeometry,
  type BufferGeometry,
  CapsuleGeometry,
  type Color,
  CylinderGeometry,
  Group,
  Matrix4,
  MeshLambertMaterial,
  Quaternion,
  SphereGeometry,
  SRGBColorSpace,
  TorusGeometry,
  Vector3,
} from 'three';
import type { GridFigure, GridLook } from '#contract/game/frames.ts';
import type { GridAgent } from '../lib/frames.ts';
import { Badge, type Labels } from '../lib/labels.ts';
import { Pool } from '../lib/pool.ts';
import { agentBody, agentEyes, agentFoot, agentVisor, apple, ball, block, crate, key, merge } from '../lib/shapes.ts';
import { mix, type Palette, type Rgb } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';
import { coin, cube, dish, hexPrism, onion, pad, person, pyramid, star, submarine, tomato } from './things.ts';

/** With more agents than this numbers would hide what they name. */
const MOST_BADGES = 64;
const BADGE = 0.36; // cells

interface Part {
  readonly geometry: () => BufferGeometry;
  readonly tint: (own: Rgb) => Rgb;
}

const DARK: Rgb = [24, 28, 38];
const WHITE: Rgb = [255, 255, 255];
const plain = (own: Rgb): Rgb => own;
const shade = (own: Rgb): Rgb => mix(own, [0, 0, 0], 0.38);

const BELL: readonly Part[] = [
  { geometry: agentFoot, tint: shade },
  { geometry: agentBody, tint: plain },
  { geometry: agentVisor, tint: () => DARK },
  { geometry: agentEyes, tint: () => WHITE },
];

const KINDS: { readonly [figure in Exclude<GridFigure, 'none'>]: readonly Part[] } = {
  agent: BELL,
  chef: [
    ...BELL,
    {
      geometry: () =>
        merge([
          new CylinderGeometry(0.17, 0.15, 0.14, 16).translate(-0.03, 0.68, 0),
          ...[0, 1, 2, 3, 4].map((i) =>
            new SphereGeometry(0.105, 10, 7).translate(-0.03 + 0.1 * Math.cos(i * 1.257), 0.79, 0.1 * Math.sin(i * 1.257)),
          ),
        ]),
      tint: () => [250, 250, 248],
    },
  ],
  // Round, low, with ears: what is chased.
  prey: [
    {
      geometry: () =>
        merge([
          new SphereGeometry(0.27, 18, 12).scale(1.1, 0.85, 0.95).translate(-0.04, 0.24, 0),
          new SphereGeometry(0.17, 14, 10).translate(0.2, 0.36, 0),
          new SphereGeometry(0.08, 8, 6).translate(-0.34, 0.28, 0),
        ]),
      tint: plain,
    },
    {
      geometry: () =>
        merge(
          [-1, 1].map((side) =>
            new CapsuleGeometry(0.045, 0.17, 3, 8)
              .rotateX(side * 0.2)
              .rotateZ(0.35)
              .translate(0.12, 0.58, side * 0.08),
          ),
        ),
      tint: shade,
    },
    { geometry: () => merge([-1, 1].map((side) => new SphereGeometry(0.03, 8, 6).translate(0.33, 0.4, side * 0.08))), tint: () => DARK },
  ],
  taxi: [
    {
      geometry: () => merge([block(0.86, 0.22, 0.5, 0.06).translate(0, 0.09, 0), block(0.44, 0.17, 0.44, 0.07).translate(-0.05, 0.3, 0)]),
      tint: () => [232, 184, 36],
    },
    {
      geometry: () =>
        merge([
          ...[-0.26, 0.26].flatMap((x) =>
            [-0.24, 0.24].map((z) => new CylinderGeometry(0.11, 0.11, 0.1, 14).rotateX(Math.PI / 2).translate(x, 0.11, z)),
          ),
          block(0.34, 0.11, 0.46, 0.02).translate(-0.05, 0.32, 0),
        ]),
      tint: () => DARK,
    },
    {
      geometry: () =>
        merge([block(0.2, 0.08, 0.12, 0.02).translate(-0.05, 0.48, 0), new BoxGeometry(0.02, 0.06, 0.3).translate(0.43, 0.22, 0)]),
      tint: () => [250, 246, 230],
    },
  ],
  snake: [
    { geometry: () => new SphereGeometry(0.36, 18, 12).scale(1.15, 0.72, 1).translate(0.02, 0.24, 0), tint: plain },
    { geometry: () => merge([-1, 1].map((side) => new SphereGeometry(0.085, 10, 8).translate(0.2, 0.42, side * 0.17))), tint: () => WHITE },
    { geometry: () => merge([-1, 1].map((side) => new SphereGeometry(0.045, 8, 6).translate(0.27, 0.44, side * 0.18))), tint: () => DARK },
    { geometry: () => new BoxGeometry(0.16, 0.015, 0.05).translate(0.46, 0.16, 0), tint: () => [209, 72, 62] },
  ],
  submarine: [{ geometry: submarine, tint: () => [236, 182, 48] }],
  // A worker with a helmet and two arms ahead.
  pusher: [
    ...BELL,
    {
      geometry: () =>
        merge([
          new SphereGeometry(0.25, 18, 9, 0, Math.PI * 2, 0, Math.PI / 2).scale(1, 0.75, 1).translate(-0.03, 0.53, 0),
          new CylinderGeometry(0.29, 0.29, 0.03, 20).translate(0, 0.535, 0),
        ]),
      tint: () => [240, 196, 60],
    },
    {
      geometry: () =>
        merge([-1, 1].map((side) => new CapsuleGeometry(0.045, 0.2, 3, 8).rotateZ(Math.PI / 2).translate(0.26, 0.3, side * 0.2))),
      tint: shade,
    },
  ],
};

const CARRIED: { readonly [look in GridLook]?: () => BufferGeometry } = {
  key,
  ball,
  box: crate,
  square: cube,
  pyramid,
  hex: hexPrism,
  star,
  pad,
  food: apple,
  onion,
  tomato,
  dish,
  soup: () => merge([dish(), new SphereGeometry(0.2, 14, 6, 0, Math.PI * 2, 0, Math.PI / 2).scale(1, 0.5, 1).translate(0, 0.05, 0)]),
  coin,
  person,
  treasure: () => new TorusGeometry(0.18, 0.07, 8, 18).translate(0, 0.25, 0),
};

interface Kind {
  readonly pools: readonly { readonly pool: Pool; readonly tint: (own: Rgb) => Rgb }[];
}

export class Figures {
  readonly root = new Group();
  private readonly kinds = new Map<GridFigure, Kind>();
  private readonly kindOf: readonly GridFigure[];
  private readonly tints: readonly Rgb[];
  private readonly badges: readonly Badge[];
  private readonly hands = new Map<GridLook, Pool>();
  private readonly faded: Rgb;
  private readonly tint = colour([0, 0, 0]);
  private readonly matrix = new Matrix4();
  private readonly at = new Vector3();
  private readonly turn = new Quaternion();
  private readonly size = new Vector3();
  private readonly up = new Vector3(0, 1, 0);
  private grow = 1;
  private words = BADGE;

  constructor(figures: readonly GridFigure[], tints: readonly Rgb[], badge: 'disc' | 'plate' | null, labels: Labels, palette: Palette) {
    this.kindOf = figures;
    this.tints = tints;
    this.faded = mix(palette.muted, palette.tile, 0.35);
    for (const figure of new Set(figures)) {
      if (figure === 'none') continue;
      const count = figures.filter((other) => other === figure).length;
      const pools = KINDS[figure].map(({ geometry, tint }) => ({
        pool: new Pool(geometry(), new MeshLambertMaterial(), { cast: true }, count),
        tint,
      }));
      for (const { pool } of pools) this.root.add(pool.root);
      this.kinds.set(figure, { pools });
    }
    this.badges =
      badge !== null && figures.length <= MOST_BADGES
        ? figures.map(() => new Badge(labels, { ink: palette.ink, paper: palette.paper, plate: badge }, BADGE))
        : [];
    for (const { sprite } of this.badges) this.root.add(sprite);
  }

  begin(): void {
    for (const { pools } of this.kinds.values()) for (const { pool } of pools) pool.begin();
    for (const pool of this.hands.values()) pool.begin();
  }

  /** How many times larger than life figures are drawn, and how high words are; cells. */
  enlarge(figures: number, words: number): void {
    this.grow = figures;
    this.words = Math.max(BADGE, words);
    for (const badge of this.badges) badge.resize(this.words);
  }

  /** `text` stands on the badge; `carriedColour` is the layout's. */
  put(index: number, agent: GridAgent, x: number, z: number, text: string, look: GridLook | undefined, carriedColour: Color): void {
    const figure = this.kindOf[index]!;
    const life = Math.min(1, Math.max(0, agent.alive));
    const kind = this.kinds.get(figure);
    this.turn.setFromAxisAngle(this.up, -agent.angle);
    const { grow } = this;
    this.size.set(0.7 + 0.3 * life, 0.3 + 0.7 * life, 0.7 + 0.3 * life).multiplyScalar(grow);
    this.matrix.compose(this.at.set(x, 0, z), this.turn, this.size);
    for (const { pool, tint } of kind?.pools ?? []) pool.putMatrix(this.matrix, this.mixed(tint(this.tints[index]!), life));
    const badge = this.badges[index];
    if (badge !== undefined) {
      badge.set(kind === undefined || life < 0.5 ? '' : text);
      const head = figure === 'prey' || figure === 'taxi' || figure === 'snake' ? 0.68 : 0.84;
      badge.sprite.position.set(x, head * grow + this.words / 2, z);
    }
    const make = agent.carried > 0 && look !== undefined ? CARRIED[look] : undefined;
    if (make === undefined || look === undefined) return;
    this.hand(look, make).put(
      x + 0.02 * Math.cos(agent.angle),
      (figure === 'taxi' ? 0.52 : figure === 'chef' ? 0.9 : 0.66) * grow,
      z,
      carriedColour,
      agent.angle,
      0.56 * grow,
    );
  }

  end(): void {
    for (const { pools } of this.kinds.values()) for (const { pool } of pools) pool.end();
    for (const pool of this.hands.values()) pool.end();
  }

  private hand(look: GridLook, make: () => BufferGeometry): Pool {
    const found = this.hands.get(look);
    if (found !== undefined) return found;
    const pool = new Pool(make(), new MeshLambertMaterial(), { cast: true });
    pool.begin();
    this.hands.set(look, pool);
    this.root.add(pool.root);
    return pool;
  }

  private mixed(own: Rgb, life: number): Color {
    const [r, g, b] = mix(this.faded, own, life);
    return this.tint.setRGB(r / 255, g / 255, b / 255, SRGBColorSpace);
  }
}

/**
 * Draws all cells of a grid: ground, walls, doors that swing, things that slide, grow and vanish between two frames. Everything
 * repeated is instanced; pools exist only for looks that the layout names. One unit = one cell, tile tops at y = 0.
 */
import { Color, CylinderGeometry, Group, MeshLambertMaterial, type ShaderMaterial } from 'three';
import type { GridLayout, GridLook } from '#contract/game/frames.ts';
import { doorOpening, ease, headingAt, slides } from '../lib/frames.ts';
import { Badge, type Labels } from '../lib/labels.ts';
import { glowMaterial, lavaMaterial, stripeMaterial } from '../lib/materials.ts';
import { Pool } from '../lib/pool.ts';
import { block, disc, doorFrame, doorKnob, doorLock, doorPanel, holeTile, ring, square } from '../lib/shapes.ts';
import { mix, type Palette, type Rgb } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';
import { COUNTER_TOP, type Layer, ON_COUNTER, SLIDES, THINGS } from './looks.ts';
import { broth, snakeJoint, snakeReach } from './things.ts';
import { LETTERED } from './tints.ts';

export const TILE = 0.3; // thickness
const OPEN_ANGLE = 1.45;
const NO_TILE: ReadonlySet<GridLook> = new Set(['hole', 'cliff', 'water', 'lava', 'unseen', 'wall']);
const MOST_NUMBERS = 48;
/** Letters of colours are read from afar. */
const LETTER_SIZE = 0.46;
/** Tiles of boards of arcade games, two shades. */
const ARCADE: { readonly [theme in 'dark' | 'light']: readonly [Rgb, Rgb] } = {
  dark: [
    [46, 56, 80],
    [53, 64, 91],
  ],
  light: [
    [226, 232, 243],
    [215, 223, 237],
  ],
};
/** Figures of arcade games fill their cells. */
const ARCADE_SIZE = 1.3;
/** Share of its own colour that a board has. */
const TINT = 0.2;
/** The same of a floor that bears a colour: a light one swallows more of it. */
const FLOOR_TINT = { dark: 0.34, light: 0.62 };

/** What is much smaller than its cell. */
const SMALL: ReadonlySet<GridLook> = new Set(['food', 'coin', 'key', 'ball']);

interface ThingPool extends Layer {
  readonly pool: Pool;
  readonly colour: Color | null; // null: the cell's
}

export class GridCells {
  readonly root = new Group();
  private readonly layout: GridLayout;
  private readonly palette: Palette;
  private readonly ground: ReturnType<GridCells['makeGround']>;
  private readonly things = new Map<GridLook, readonly ThingPool[]>();
  private readonly named: readonly Color[];
  private readonly c: ReturnType<typeof materials>;
  private readonly tint = new Color();
  private readonly ownTint = new Color();
  private readonly lava: ShaderMaterial;
  private readonly numbers: Badge[] = [];
  private readonly labels: Labels;
  private numbersUsed = 0;
  private grow = 1;
  /** Frozen lakes draw start, goal and holes on ice. */
  private frozen = false;
  private readonly counters: boolean;

  constructor(layout: GridLayout, palette: Palette, labels: Labels) {
    this.layout = layout;
    this.palette = palette;
    this.labels = labels;
    this.c = materials(layout, palette);
    this.named = layout.colours.map((name) => colour(palette.named[name] ?? palette.structure));
    this.counters = layout.looks.includes('counter');
    this.lava = lavaMaterial(palette);
    this.ground = this.makeGround();
    for (const look of new Set(layout.looks)) {
      const layers = THINGS[look];
      if (layers === undefined || (look === 'agent' && layout.agents > 0)) continue;
      this.things.set(
        look,
        layers.map((layer) => ({
          ...layer,
          pool: this.thingPool(layer, layout.width * layout.height),
          colour: layer.tint === 'own' ? null : colour(layer.tint(palette)),
        })),
      );
    }
    for (const pool of this.pools()) this.root.add(pool.root);
  }

  /** Small things to pick up are drawn so many times larger; true where that is new. */
  enlarge(factor: number): boolean {
    const before = this.grow;
    this.grow = factor;
    return before !== factor;
  }

  /** Patterns that move. */
  flow(time: number): void {
    this.lava.uniforms.phase = { value: time * 0.16 };
  }

  draw(a: Float32Array, b: Float32Array, alpha: number): void {
    for (const pool of this.pools()) pool.begin();
    this.numbersUsed = 0;
    const { width, height, looks } = this.layout;
    const late = alpha >= 0.5 ? b : a;
    const s = ease(alpha);
    this.frozen = false;
    for (let o = 0; o < width * height * 3; o += 3) this.frozen ||= looks[late[o]!] === 'ice';
    const moves = slides(this.layout, a, b, SLIDES);
    const gone = new Set(moves.values());
    for (let cell = 0; cell < width * height; cell++) {
      const o = cell * 3;
      const x = (cell % width) - (width - 1) / 2;
      const z = Math.floor(cell / width) - (height - 1) / 2;
      const [lookA, lookB] = [looks[a[o]!] ?? 'empty', looks[b[o]!] ?? 'empty'];
      this.drawGround(alpha >= 0.5 ? lookB : lookA, cell, x, z, late, a, b, alpha);
      const same = a[o] === b[o] && a[o + 1] === b[o + 1] && a[o + 2] === b[o + 2];
      const from = moves.get(cell);
      const [stateA, stateB] = [headingAt(this.layout, a, cell), headingAt(this.layout, b, cell)];
      if (same) this.drawThing(lookA, x, z, a[o + 1]!, stateA, 1);
      else {
        // Of two states of one look the late one is shown at once; other looks shrink and grow.
        const change = lookA === lookB ? (alpha < 0.5 ? 0 : 1) : s;
        if (!gone.has(cell)) this.drawThing(lookA, x, z, a[o + 1]!, stateA, 1 - change);
        if (from === undefined) this.drawThing(lookB, x, z, b[o + 1]!, stateB, change);
        else {
          const dx = (from % width) - (width - 1) / 2 - x;
          const dz = Math.floor(from / width) - (height - 1) / 2 - z;
          this.drawThing(lookB, x + dx * (1 - s), z + dz * (1 - s), b[o + 1]!, alpha < 0.5 ? headingAt(this.layout, a, from) : stateB, 1);
        }
      }
    }
    for (const pool of this.pools()) pool.end();
    for (let i = this.numbersUsed; i < this.numbers.length; i++) this.numbers[i]!.set('');
  }

  private drawGround(
    look: GridLook,
    cell: number,
    x: number,
    z: number,
    late: Float32Array,
    a: Float32Array,
    b: Float32Array,
    alpha: number,
  ): void {
    const { ground: p, c, layout } = this;
    const o = cell * 3;
    const [cx, cy] = [cell % layout.width, Math.floor(cell / layout.width)];
    const own = this.named[late[o + 1]!] ?? c.muted;
    const even = (cx + cy) % 2 === 0;
    const icy = look === 'ice' || ((look === 'goal' || look === 'start') && this.frozen);
    if (look === 'hole') {
      p.iceHole?.put(x, 0, z, this.frozen ? (even ? c.ice : c.iceAlternate) : c.tile);
      p.pit?.put(x, -0.2, z, c.pit);
    } else if (!NO_TILE.has(look)) {
      const plain = icy ? (even ? c.ice : c.iceAlternate) : even ? c.tile : c.alternate;
      const tint =
        look === 'floor'
          ? this.tint.copy(plain).lerp(own, FLOOR_TINT[this.palette.dark ? 'dark' : 'light'])
          : look === 'soil'
            ? c.soil
            : look === 'grass'
              ? c.grass
              : plain;
      p.tile.put(x, -TILE, z, tint);
    }
    if (this.counters && ON_COUNTER.has(look)) p.counter?.put(x, 0, z, look === 'serving' ? c.serving : c.structure);
    switch (look) {
      case 'wall': {
        // Stones are not all alike: ±3 % lightness by place.
        const shade = 1 + 0.06 * (hash(cx, cy) - 0.5);
        p.wall?.put(x, -TILE, z, this.tint.copy(c.wall).multiplyScalar(shade));
        break;
      }
      case 'door': {
        const both = layout.looks[a[o]!] === 'door' && layout.looks[b[o]!] === 'door';
        const opening = both ? doorOpening(a[o + 2]!, b[o + 2]!, alpha) : late[o + 2] === 0 ? 1 : 0;
        this.drawDoor(x, z, cx, cy, own, late[o + 2]!, opening, late);
        break;
      }
      case 'goal':
        // Where every agent has a goal of its own, their rings mark it.
        if (layout.agentExtras?.includes('targetX')) break;
        p.pad?.put(x, 0.006, z, c.goal);
        p.ring?.put(x, 0.012, z, c.goal);
        p.glow?.put(x, 0.01, z, c.white);
        break;
      case 'lava':
        p.lava?.put(x, -0.07, z, c.white);
        break;
      case 'water':
        p.water?.put(x, -0.08, z, c.water);
        break;
      case 'cliff':
        p.stripes?.put(x, -TILE + 0.02, z, c.white);
        break;
      case 'serving':
        p.ring?.put(x, COUNTER_TOP + 0.012, z, c.white, 0, 0.8);
        break;
      default:
        break;
    }
  }

  /** A thing of the size given, 0..1. */
  private drawThing(look: GridLook, x: number, z: number, colourCode: number, state: number, scale: number): void {
    if (scale <= 0.01) return;
    const own = this.named[colourCode] ?? this.c.muted;
    if (look === 'snake') {
      this.ground.joint?.put(x, 0, z, own, 0, scale);
      for (let k = 0; k < 4; k++) if ((state >> k) & 1) this.ground.reach?.put(x, 0, z, own, (k * Math.PI) / 2, 1, scale, scale);
      return;
    }
    if (look === 'dispenser') {
      const given = this.layout.looks[state];
      if (given !== undefined && given !== 'dispenser') this.drawThing(given, x, z, colourCode, 0, 0.85 * scale);
      this.ground.tray?.put(x, COUNTER_TOP, z, this.c.structure);
      return;
    }
    for (const { pool, colour: tint, lift = 0, turn = 0, heads } of this.things.get(look) ?? []) {
      const raised = this.counters || !ON_COUNTER.has(look) ? lift : lift - COUNTER_TOP;
      // A crate on its target is lit.
      const lit = look === 'box' && state === 1;
      const shown = tint ?? (lit ? this.ownTint.copy(own).lerp(this.c.goal, 0.62) : own);
      pool.put(
        x,
        raised,
        z,
        shown,
        turn + (heads === true ? (state * Math.PI) / 2 : 0),
        scale * (SMALL.has(look) ? this.grow : this.layout.stage === 'arcade' && SLIDES.has(look) && look !== 'paddle' ? ARCADE_SIZE : 1),
      );
    }
    const letter = LETTERED.has(look) ? this.layout.letters?.[colourCode] : undefined;
    if (letter !== undefined && scale === 1) this.number(letter, x, look === 'pad' ? 0.2 : 0.62, z);
    if (look === 'pot') this.drawPot(x, z, state);
    else if ((look === 'food' || look === 'treasure') && state > 0) this.number(String(state), x, look === 'food' ? 0.66 : 0.72, z);
  }

  private drawPot(x: number, z: number, state: number): void {
    const inside = state % 10;
    if (inside === 0 && state < 20) return;
    const done = state >= 20;
    this.ground.broth?.put(x, COUNTER_TOP + 0.1 + 0.07 * Math.min(3, done ? 3 : inside), z, done ? this.c.soup : this.c.stew);
    if (state >= 10) this.number(done ? '✓' : '…', x, 1.02, z);
    else this.number(String(inside), x, 1.02, z);
  }

  private number(text: string, x: number, y: number, z: number): void {
    if (this.numbersUsed >= MOST_NUMBERS) return;
    let badge = this.numbers[this.numbersUsed];
    if (badge === undefined) {
      const { ink, paper } = this.palette;
      badge = new Badge(this.labels, { ink, paper, plate: 'disc' }, this.layout.letters === undefined ? 0.32 : LETTER_SIZE);
      this.numbers.push(badge);
      this.root.add(badge.sprite);
    }
    this.numbersUsed++;
    badge.set(text);
    badge.sprite.position.set(x, y, z);
  }

  private drawDoor(x: number, z: number, cx: number, cy: number, own: Color, state: number, opening: number, frame: Float32Array): void {
    const { ground: p, layout } = this;
    const solid = (dx: number, dy: number): boolean => {
      const nx = cx + dx;
      const ny = cy + dy;
      if (nx < 0 || ny < 0 || nx >= layout.width || ny >= layout.height) return true;
      return layout.looks[frame[(ny * layout.width + nx) * 3]!] === 'wall';
    };
    const turn = solid(-1, 0) && solid(1, 0) ? 0 : Math.PI / 2;
    p.frame?.put(x, 0, z, this.tint.copy(own).multiplyScalar(0.72), turn);
    const hx = x - Math.cos(turn) * 0.4;
    const hz = z - Math.sin(turn) * 0.4;
    const swing = turn - opening * OPEN_ANGLE;
    p.panel?.put(hx, 0, hz, own, swing);
    if (state === 2) p.lock?.put(hx, 0, hz, this.c.metal, swing);
    else p.knob?.put(hx, 0, hz, this.c.white, swing);
  }

  private thingPool(layer: Layer, cells: number): Pool {
    const material = new MeshLambertMaterial();
    if (layer.glows !== undefined) {
      // Instance colours do not reach the emission, so that what glows is simply lit from all sides.
      material.emissive.setScalar(layer.glows * 0.35);
    }
    return new Pool(layer.shape(), material, layer.flat === true ? { order: 1 } : { cast: true, receive: true }, Math.min(cells, 64));
  }

  private pools(): readonly Pool[] {
    return [...Object.values(this.ground), ...[...this.things.values()].flatMap((layers) => layers.map(({ pool }) => pool))];
  }

  private makeGround() {
    const { palette } = this;
    const cells = this.layout.width * this.layout.height;
    const matte = (): MeshLambertMaterial => new MeshLambertMaterial();
    const solid = { cast: true, receive: true };
    const floor = { receive: true };
    const has = (...looks: readonly GridLook[]): boolean => looks.some((look) => this.layout.looks.includes(look));
    return {
      tile: new Pool(block(0.965, TILE, 0.965, 0.022), matte(), floor, cells),
      ...(has('wall') && { wall: new Pool(block(0.995, TILE + 0.34, 0.995, 0.045), matte(), solid, cells) }),
      ...(has('hole') && { iceHole: new Pool(holeTile(0.965, TILE, 0.36), matte(), floor), pit: new Pool(square(0.8), matte(), floor) }),
      ...(has('water') && { water: new Pool(square(1), matte(), floor) }),
      ...(has('lava') && { lava: new Pool(square(1), this.lava) }),
      ...(has('cliff') && { stripes: new Pool(square(1), stripeMaterial(palette)) }),
      ...(has('counter') && { counter: new Pool(block(0.97, COUNTER_TOP, 0.97, 0.05), matte(), solid) }),
      ...(has('dispenser') && { tray: new Pool(ring(0.34, 0.42), matte(), floor) }),
      ...(has('pot') && { broth: new Pool(broth(), matte(), floor) }),
      ...(has('door') && {
        frame: new Pool(doorFrame(), matte(), solid),
        panel: new Pool(doorPanel(), matte(), solid),
        knob: new Pool(doorKnob(), matte()),
        lock: new Pool(doorLock(), matte()),
      }),
      ...(has('goal', 'serving') && {
        ring: new Pool(ring(0.36, 0.41), matte(), {}),
        pad: new Pool(disc(0.3), new MeshLambertMaterial({ emissive: colour(palette.goal), emissiveIntensity: 0.35 }), {}),
        glow: new Pool(new CylinderGeometry(0.385, 0.385, 0.9, 24, 1, true).translate(0, 0.45, 0), glowMaterial(palette), { order: 5 }),
      }),
      ...(has('snake') && { joint: new Pool(snakeJoint(), matte(), solid), reach: new Pool(snakeReach(), matte(), solid) }),
    };
  }
}

/** Colours of ground and things, but those that cells name. */
function materials(layout: GridLayout, palette: Palette) {
  const arcade = layout.stage === 'arcade';
  const touched = (rgb: Rgb): Rgb => (layout.tint === undefined ? rgb : mix(rgb, palette.named[layout.tint] ?? rgb, TINT));
  const [tile, alternate] = arcade ? ARCADE[palette.dark ? 'dark' : 'light'] : ([palette.tile, palette.tileAlternate] as const);
  return {
    tile: colour(touched(tile)),
    alternate: colour(touched(alternate)),
    ice: colour(palette.ice),
    iceAlternate: colour(mix(palette.ice, palette.tile, 0.25)),
    wall: colour(palette.wall),
    pit: colour(palette.pit),
    water: colour(palette.water),
    goal: colour(palette.goal),
    metal: colour(palette.metal),
    structure: colour(mix(palette.structure, palette.tile, 0.25)),
    muted: colour(palette.muted),
    white: new Color(1, 1, 1),
    soil: colour(palette.dark ? [84, 66, 52] : [196, 172, 144]),
    grass: colour(palette.dark ? [58, 88, 64] : [176, 210, 172]),
    soup: colour([226, 142, 50]),
    stew: colour([206, 182, 120]),
    serving: colour(mix(palette.goal, palette.structure, 0.25)),
  };
}

/** 0..1, fixed per cell. */
function hash(x: number, y: number): number {
  const n = Math.imul(x * 374761393 + y * 668265263, 1274126177);
  return ((n ^ (n >>> 15)) >>> 0) / 4294967296;
}

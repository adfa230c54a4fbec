/**
 * Grid worlds as a small board: thick tiles on a base (pits show their sides), bevelled walls, doors that swing, things to pick up,
 * agents as figures. One unit = one cell, tile tops at y = 0, x right, z down the page. Everything repeated is instanced.
 */
import { Box3, Color, CylinderGeometry, Group, Mesh, MeshLambertMaterial, Plane, type Ray, type ShaderMaterial, Vector3 } from 'three';
import type { GridLayout, GridLook } from '#contract/frames.ts';
import { AgentFigure } from './agent-figure.ts';
import type { Framing } from './camera.ts';
import { doorOpening, gridAgent } from './frames.ts';
import { glowMaterial, lavaMaterial, numerals, stripeMaterial } from './grid-materials.ts';
import { GridOverlays } from './grid-overlays.ts';
import { Pool } from './pool.ts';
import { apple, ball, block, crate, disc, doorFrame, doorKnob, doorLock, doorPanel, holeTile, key, ring, square } from './shapes.ts';
import { mix, type Palette } from './theme.ts';
import type { SceneOverlay } from './types.ts';
import { colour, disposeTree, type View } from './view.ts';

const TILE = 0.3; // thickness
const OPEN_ANGLE = 1.45;
const NO_TILE: ReadonlySet<GridLook> = new Set(['hole', 'cliff', 'water', 'lava', 'unseen']);

interface Pools {
  readonly tile: Pool;
  readonly iceHole: Pool;
  readonly pit: Pool;
  readonly water: Pool;
  readonly lava: Pool;
  readonly stripes: Pool;
  readonly wall: Pool;
  readonly counter: Pool;
  readonly brick: Pool;
  readonly paddle: Pool;
  readonly frame: Pool;
  readonly panel: Pool;
  readonly knob: Pool;
  readonly lock: Pool;
  readonly key: Pool;
  readonly ball: Pool;
  readonly box: Pool;
  readonly food: Pool;
  readonly ring: Pool;
  readonly pad: Pool;
  readonly glow: Pool;
  readonly dot: Pool;
}

export class GridView implements View {
  readonly root = new Group();
  readonly framing: Framing;
  private readonly layout: GridLayout;
  private readonly pools: Pools;
  private readonly list: readonly Pool[];
  private readonly overlays: GridOverlays;
  private readonly figures: readonly AgentFigure[];
  private readonly named: readonly Color[];
  private readonly lastAngle: Float64Array;
  private readonly lava: ShaderMaterial;
  private readonly drawnA: Float32Array;
  private readonly drawnB: Float32Array;
  private drawnAlpha = -1;
  /** Frozen lakes draw start, goal and holes on ice. */
  private frozen = false;
  private readonly tint = new Color();
  private readonly floor = new Plane(new Vector3(0, 1, 0), 0);
  private readonly hit = new Vector3();
  private readonly c: { readonly [name: string]: Color };

  constructor(layout: GridLayout, palette: Palette) {
    this.layout = layout;
    const { width: w, height: h } = layout;
    const cells = w * h;
    this.framing = {
      bounds: new Box3(new Vector3(-w / 2 - 0.35, -TILE, -h / 2 - 0.2), new Vector3(w / 2 + 0.35, 0.45, h / 2 + 0.65)),
      // A little from the side, so that doors in vertical walls show their face; wide boards less, or they would stand askew.
      azimuth: w > 2 * h ? 0.07 : 0.17,
      elevation: 0.95,
    };
    this.c = {
      tile: colour(palette.tile),
      alternate: colour(palette.tileAlternate),
      ice: colour(palette.ice),
      iceAlternate: colour(mix(palette.ice, palette.tile, 0.25)),
      wall: colour(palette.wall),
      pit: colour(palette.pit),
      water: colour(palette.water),
      goal: colour(palette.goal),
      accent: colour(palette.accent),
      metal: colour(palette.metal),
      structure: colour(palette.structure),
      muted: colour(palette.muted),
      white: new Color(1, 1, 1),
    };
    this.named = layout.colours.map((name) => colour(palette.named[name] ?? palette.structure));
    this.lava = lavaMaterial(palette);
    this.pools = makePools(cells, palette, this.lava);
    this.list = Object.values(this.pools);
    for (const pool of this.list) this.root.add(pool.root);
    this.overlays = new GridOverlays(layout, palette);
    this.root.add(this.overlays.root, ...numerals(w, h, palette));
    const base = new Mesh(block(w + 0.16, 0.14, h + 0.16, 0.05), new MeshLambertMaterial({ color: colour(palette.base) }));
    base.position.y = -TILE - 0.13;
    base.receiveShadow = true;
    this.root.add(base);
    this.figures = Array.from({ length: layout.agents }, (_, i) => {
      const several = layout.agents > 1;
      const figure = new AgentFigure(palette, several ? palette.series[i % 8]! : palette.accent, several ? String(i + 1) : null);
      this.root.add(figure.root);
      return figure;
    });
    this.lastAngle = new Float64Array(layout.agents).fill(Math.PI / 2);
    this.drawnA = new Float32Array(cells * 3).fill(Number.NaN);
    this.drawnB = new Float32Array(cells * 3).fill(Number.NaN);
  }

  update(a: Float32Array, b: Float32Array, alpha: number, time: number): void {
    this.lava.uniforms.phase!.value = time * 0.16;
    const cells = this.drawnA.length;
    const same = equalUpTo(this.drawnA, a, cells) && equalUpTo(this.drawnB, b, cells);
    const moving = !equalUpTo(a, b, cells) && alpha !== this.drawnAlpha;
    if (!same || moving) {
      this.drawCells(a, b, alpha);
      this.drawnA.set(a.subarray(0, cells));
      this.drawnB.set(b.subarray(0, cells));
      this.drawnAlpha = alpha;
    }
    this.figures.forEach((figure, i) => {
      const agent = gridAgent(this.layout, a, b, i, alpha, this.lastAngle[i]!);
      if (alpha >= 1 || (alpha === 0 && !this.layout.headings)) this.lastAngle[i] = agent.angle;
      const x = agent.x - (this.layout.width - 1) / 2;
      const z = agent.y - (this.layout.height - 1) / 2;
      figure.show(agent, x, z, this.layout.looks[agent.carried], this.named[agent.carriedColour] ?? this.c.muted!);
      if (i === 0) this.overlays.follow(x, z, agent.angle);
    });
  }

  overlay(overlay: SceneOverlay): void {
    this.overlays.set(overlay);
  }

  focus(out: Vector3): void {
    if (this.figures[0] !== undefined) out.copy(this.figures[0].root.position).setY(0.3);
    else out.set(0, 0, 0);
  }

  pick(ray: Ray): number {
    if (ray.intersectPlane(this.floor, this.hit) === null) return -1;
    const x = Math.round(this.hit.x + (this.layout.width - 1) / 2);
    const y = Math.round(this.hit.z + (this.layout.height - 1) / 2);
    return x < 0 || y < 0 || x >= this.layout.width || y >= this.layout.height ? -1 : y * this.layout.width + x;
  }

  dispose(): void {
    disposeTree(this.root);
  }

  private drawCells(a: Float32Array, b: Float32Array, alpha: number): void {
    for (const pool of this.list) pool.begin();
    const { width, height, looks } = this.layout;
    const late = alpha >= 0.5 ? b : a;
    this.frozen = false;
    for (let o = 0; o < width * height * 3; o += 3) this.frozen ||= looks[late[o]!] === 'ice';
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const o = (y * width + x) * 3;
        const look = looks[late[o]!] ?? 'empty';
        const both = looks[a[o]!] === 'door' && looks[b[o]!] === 'door';
        const opening = both ? doorOpening(a[o + 2]!, b[o + 2]!, alpha) : late[o + 2] === 0 ? 1 : 0;
        this.drawCell(look, x, y, late[o + 1]!, late[o + 2]!, opening, late);
      }
    }
    for (const pool of this.list) pool.end();
  }

  private drawCell(look: GridLook, cx: number, cy: number, colourCode: number, state: number, opening: number, frame: Float32Array): void {
    const { pools: p, c } = this;
    const x = cx - (this.layout.width - 1) / 2;
    const z = cy - (this.layout.height - 1) / 2;
    const own = this.named[colourCode] ?? c.muted!;
    const even = (cx + cy) % 2 === 0;
    const icy = look === 'ice' || ((look === 'goal' || look === 'start') && this.frozen);
    if (look === 'hole') {
      p.iceHole.put(x, 0, z, this.frozen ? (even ? c.ice! : c.iceAlternate!) : c.tile!);
      p.pit.put(x, -0.2, z, c.pit!);
    } else if (!NO_TILE.has(look) && look !== 'wall') {
      const ground = icy ? (even ? c.ice! : c.iceAlternate!) : even ? c.tile! : c.alternate!;
      p.tile.put(x, -TILE, z, look === 'floor' ? this.tint.copy(ground).lerp(own, 0.3) : ground);
    }
    switch (look) {
      case 'wall': {
        // Stones are not all alike: ±3 % lightness by place.
        const shade = 1 + 0.06 * (hash(cx, cy) - 0.5);
        p.wall.put(x, -TILE, z, this.tint.copy(c.wall!).multiplyScalar(shade));
        break;
      }
      case 'door':
        this.drawDoor(x, z, cx, cy, own, state, opening, frame);
        break;
      case 'key':
        p.key.put(x, 0.02, z, own, -0.6, 1.05);
        break;
      case 'ball':
        p.ball.put(x, 0, z, own);
        break;
      case 'box':
        p.box.put(x, 0, z, own, 0.2);
        break;
      case 'food':
        p.food.put(x, 0, z, own);
        break;
      case 'goal':
        p.pad.put(x, 0.006, z, c.goal!);
        p.ring.put(x, 0.012, z, c.goal!);
        p.glow.put(x, 0.01, z, c.white!);
        break;
      case 'start':
        p.ring.put(x, 0.008, z, c.muted!, 0, 0.8);
        break;
      case 'lava':
        p.lava.put(x, -0.07, z, c.white!);
        break;
      case 'water':
        p.water.put(x, -0.08, z, c.water!);
        break;
      case 'cliff':
        p.stripes.put(x, -TILE + 0.02, z, c.white!);
        break;
      case 'paddle':
      case 'agent':
        if (look === 'paddle' || this.layout.agents === 0) p.paddle.put(x, 0, z, c.accent!);
        break;
      case 'brick':
        p.brick.put(x, 0, z, own);
        break;
      case 'counter':
        p.counter.put(x, 0, z, c.structure!);
        break;
      case 'trail':
        p.dot.put(x, 0.01, z, own);
        break;
      default:
        break;
    }
  }

  private drawDoor(x: number, z: number, cx: number, cy: number, own: Color, state: number, opening: number, frame: Float32Array): void {
    const { pools: p } = this;
    const solid = (dx: number, dy: number): boolean => {
      const nx = cx + dx;
      const ny = cy + dy;
      if (nx < 0 || ny < 0 || nx >= this.layout.width || ny >= this.layout.height) return true;
      return this.layout.looks[frame[(ny * this.layout.width + nx) * 3]!] === 'wall';
    };
    const turn = solid(-1, 0) && solid(1, 0) ? 0 : Math.PI / 2;
    p.frame.put(x, 0, z, this.tint.copy(own).multiplyScalar(0.72), turn);
    const hx = x - Math.cos(turn) * 0.4;
    const hz = z - Math.sin(turn) * 0.4;
    const swing = turn - opening * OPEN_ANGLE;
    p.panel.put(hx, 0, hz, own, swing);
    if (state === 2) p.lock.put(hx, 0, hz, this.c.metal!, swing);
    else p.knob.put(hx, 0, hz, this.c.white!, swing);
  }
}

function makePools(cells: number, palette: Palette, lava: ShaderMaterial): Pools {
  const matte = (): MeshLambertMaterial => new MeshLambertMaterial();
  const glowing = (share: number): MeshLambertMaterial =>
    new MeshLambertMaterial({ emissive: colour(palette.goal), emissiveIntensity: share });
  const solid = { cast: true, receive: true };
  const ground = { receive: true };
  return {
    tile: new Pool(block(0.965, TILE, 0.965, 0.022), matte(), ground, cells),
    iceHole: new Pool(holeTile(0.965, TILE, 0.36), matte(), ground),
    pit: new Pool(square(0.8), matte(), ground),
    water: new Pool(square(1), matte(), ground),
    lava: new Pool(square(1), lava),
    stripes: new Pool(square(1), stripeMaterial(palette)),
    wall: new Pool(block(0.995, TILE + 0.34, 0.995, 0.045), matte(), solid, cells),
    counter: new Pool(block(0.97, 0.42, 0.97, 0.05), matte(), solid),
    brick: new Pool(block(0.92, 0.34, 0.92, 0.06), matte(), solid),
    paddle: new Pool(block(0.94, 0.3, 0.62, 0.1), matte(), solid),
    frame: new Pool(doorFrame(), matte(), solid),
    panel: new Pool(doorPanel(), matte(), solid),
    knob: new Pool(doorKnob(), matte()),
    lock: new Pool(doorLock(), matte()),
    key: new Pool(key(), matte(), solid),
    ball: new Pool(ball(), matte(), solid),
    box: new Pool(crate(), matte(), solid),
    food: new Pool(apple(), matte(), solid),
    ring: new Pool(ring(0.36, 0.41), matte(), {}),
    pad: new Pool(disc(0.3), glowing(0.35), {}),
    glow: new Pool(new CylinderGeometry(0.385, 0.385, 0.9, 24, 1, true).translate(0, 0.45, 0), glowMaterial(palette), { order: 5 }),
    dot: new Pool(disc(0.2), matte(), {}),
  };
}

function equalUpTo(a: Float32Array, b: Float32Array, n: number): boolean {
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** 0..1, fixed per cell. */
function hash(x: number, y: number): number {
  const n = Math.imul(x * 374761393 + y * 668265263, 1274126177);
  return ((n ^ (n >>> 15)) >>> 0) / 4294967296;
}

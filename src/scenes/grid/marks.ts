/**
 * What a frame says beside cells and figures: rays of tagging, what is seen, heat, paths, goals of agents, crossed-out cells, messages, scores.
 * Heights in cells above the tiles.
 */
import { Color, DoubleSide, Group, MeshBasicMaterial, MeshLambertMaterial, PlaneGeometry, SRGBColorSpace } from 'three';
import type { GridLayout } from '#contract/game/frames.ts';
import { scaleColour } from '../lib/colours.ts';
import { agentExtra, type GridAgent, layerAt } from '../lib/frames.ts';
import { Badge, type Labels } from '../lib/labels.ts';
import { Pool } from '../lib/pool.ts';
import { block, disc, ring, square } from '../lib/shapes.ts';
import type { Palette } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';
import type { SceneOverlay } from '../types.ts';
import { COUNTER_TOP, ON_COUNTER } from './looks.ts';

const WALL_TOP = 0.36;
const FLOOR = 0.018;
/** Lines to goals are drawn for so many agents at most: more would be a net. */
const MOST_LINES = 16;
const MOST_WORDS = 64;

export class GridMarks {
  readonly root = new Group();
  private readonly layout: GridLayout;
  private readonly beams: Pool;
  private readonly glows: Pool;
  private readonly fog: Pool;
  private readonly heat: Pool;
  private readonly steps: Pool;
  private readonly goals: Pool;
  private readonly lines: Pool;
  private readonly crosses: Pool;
  private readonly words: readonly Badge[];
  private readonly named: readonly Color[];
  private readonly own: readonly Color[];
  private readonly shade: Color;
  private readonly paper: Color;
  private readonly counters: boolean;
  private readonly tint = new Color();
  private lift = 1.32;
  private view = true;
  private messages = true;

  constructor(layout: GridLayout, own: readonly Color[], labels: Labels, palette: Palette) {
    this.layout = layout;
    this.own = own;
    this.named = layout.colours.map((name) => colour(palette.named[name] ?? palette.structure));
    this.shade = colour(palette.dark ? [6, 8, 12] : [60, 68, 86]);
    const veil = (opacity: number): MeshBasicMaterial =>
      new MeshBasicMaterial({ transparent: true, opacity, depthWrite: false, side: DoubleSide });
    this.beams = new Pool(block(1, 0.07, 0.34, 0.02), veil(0.85), { order: 4 });
    this.glows = new Pool(square(1), veil(0.3), { order: 4 });
    this.fog = new Pool(new PlaneGeometry(1, 1).rotateX(-Math.PI / 2), veil(palette.dark ? 0.5 : 0.36), { order: 2 });
    this.heat = new Pool(square(0.94), veil(0.8), { order: 1 });
    this.steps = new Pool(disc(0.1, 12), veil(0.8), { order: 1 });
    this.goals = new Pool(ring(0.27, 0.38), new MeshLambertMaterial(), { order: 1 });
    this.lines = new Pool(square(1), veil(0.4), { order: 1 });
    this.crosses = new Pool(square(1), Object.assign(veil(1), { depthTest: false }), { order: 5 });
    this.paper = colour(palette.paper);
    this.counters = layout.looks.includes('counter');
    for (const pool of this.pools()) this.root.add(pool.root);
    const speaks = layout.agentExtras?.some((name) => name === 'message' || name === 'score') === true;
    this.words = Array.from({ length: speaks ? Math.min(MOST_WORDS, layout.agents) : 0 }, () => {
      const badge = new Badge(
        labels,
        { ink: palette.ink, paper: palette.paper, plate: layout.agentExtras?.includes('message') === true ? 'bubble' : 'plate' },
        0.4,
      );
      this.root.add(badge.sprite);
      return badge;
    });
  }

  set(overlay: SceneOverlay): void {
    this.view = overlay.view;
    this.messages = overlay.messages;
  }

  /** Words stand so high above the floor and are so high; cells. */
  enlarge(lift: number, height: number): void {
    this.lift = lift;
    for (const word of this.words) word.resize(Math.max(0.4, height));
  }

  /** Layers of cells, from the frame that is shown. */
  drawLayers(frame: Float32Array): void {
    const { layout } = this;
    const cells = layout.width * layout.height;
    for (const pool of [this.beams, this.glows, this.fog, this.heat, this.steps]) pool.begin();
    const beam = layerAt(layout, 'beam');
    const visible = layerAt(layout, 'visible');
    const heat = layerAt(layout, 'heat');
    const path = layerAt(layout, 'path');
    for (let cell = 0; cell < cells; cell++) {
      const [x, z] = this.at(cell % layout.width, Math.floor(cell / layout.width));
      const ray = beam === undefined ? 0 : frame[beam + cell]!;
      if (beam !== undefined && ray > 0) {
        const tint = this.named[ray - 1] ?? this.shade;
        this.glows.put(x, 0.03, z, tint);
        this.beams.put(x, 0.3, z, tint, this.rayTurn(frame, beam, cell, ray));
      }
      if (visible !== undefined && this.view && frame[visible + cell] === 0) {
        const tall = layout.looks[frame[cell * 3]!] === 'wall';
        this.fog.put(x, tall ? WALL_TOP : FLOOR, z, this.shade);
      }
      if (heat !== undefined && frame[heat + cell]! > 0) {
        const [r, g, b] = scaleColour('viridis', frame[heat + cell]!);
        this.heat.put(x, 0.008, z, this.tint.setRGB(r / 255, g / 255, b / 255, SRGBColorSpace));
      }
      const step = path === undefined ? 0 : frame[path + cell]!;
      if (step > 0) this.steps.put(x, 0.014, z, this.own[(step - 1) % this.own.length] ?? this.shade);
    }
    for (const pool of [this.beams, this.glows, this.fog, this.heat, this.steps]) pool.end();
  }

  beginAgents(): void {
    this.goals.begin();
    this.lines.begin();
    this.crosses.begin();
  }

  /** Goal and words of an agent at (x, z). */
  agent(index: number, agent: GridAgent, x: number, z: number, frame: Float32Array): void {
    const { layout } = this;
    const targetX = agentExtra(layout, frame, index, 'targetX');
    const targetY = agentExtra(layout, frame, index, 'targetY');
    const tint = this.own[index] ?? this.shade;
    if (targetX !== undefined && targetY !== undefined && targetX >= 0 && agent.alive > 0) {
      const [gx, gz] = this.at(targetX, targetY);
      this.goals.put(gx, this.isTall(frame, targetY * layout.width + targetX) ? COUNTER_TOP + 0.03 : 0.012, gz, tint);
      const length = Math.hypot(gx - x, gz - z);
      if (layout.agents <= MOST_LINES && length > 0.4) {
        this.lines.put((x + gx) / 2, 0.01, (z + gz) / 2, tint, Math.atan2(gz - z, gx - x), length, 1, 0.045);
      }
    }
    const crossed = agentExtra(layout, frame, index, 'crossed') ?? -1;
    if (crossed >= 0 && crossed < layout.width * layout.height) this.cross(frame, crossed, tint);
    const word = this.words[index];
    if (word === undefined) return;
    const message = agentExtra(layout, frame, index, 'message');
    const score = agentExtra(layout, frame, index, 'score');
    const said =
      message === undefined || message < 0 || !this.messages ? '' : (layout.symbols?.[message] ?? String.fromCharCode(65 + message));
    word.set(message === undefined ? (score === undefined ? '' : String(Number(score.toFixed(2)))) : said);
    word.sprite.position.set(x, this.lift + (message === undefined ? 0 : 0.14), z);
  }

  endAgents(): void {
    this.goals.end();
    this.lines.end();
    this.crosses.end();
  }

  private cross(frame: Float32Array, cell: number, tint: Color): void {
    const [x, z] = this.at(cell % this.layout.width, Math.floor(cell / this.layout.width));
    const y = this.isTall(frame, cell) ? COUNTER_TOP + 0.03 : 0.03;
    for (const [ink, wide, up] of [
      [this.paper, 0.24, 0],
      [tint, 0.14, 0.006],
    ] as const) {
      for (const turn of [Math.PI / 4, -Math.PI / 4]) this.crosses.put(x, y + up, z, ink, turn, 0.74 + wide, 1, wide);
    }
  }

  private isTall(frame: Float32Array, cell: number): boolean {
    const look = this.layout.looks[frame[cell * 3]!];
    return look !== undefined && this.counters && ON_COUNTER.has(look);
  }

  /** A beam lies along its neighbours: 0 across, a quarter turn down the page. */
  private rayTurn(frame: Float32Array, from: number, cell: number, ray: number): number {
    const { width, height } = this.layout;
    const x = cell % width;
    const along = (x > 0 && frame[from + cell - 1] === ray ? 1 : 0) + (x < width - 1 && frame[from + cell + 1] === ray ? 1 : 0);
    const down =
      (cell >= width && frame[from + cell - width] === ray ? 1 : 0) +
      (cell < width * (height - 1) && frame[from + cell + width] === ray ? 1 : 0);
    return down > along ? Math.PI / 2 : 0;
  }

  private at(x: number, y: number): [number, number] {
    return [x - (this.layout.width - 1) / 2, y - (this.layout.height - 1) / 2];
  }

  private pools(): readonly Pool[] {
    return [this.beams, this.glows, this.fog, this.heat, this.steps, this.goals, this.lines, this.crosses];
  }
}

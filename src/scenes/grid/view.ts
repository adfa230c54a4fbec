/**
 * Grid worlds as a small board: thick tiles on a base (pits show their sides), bevelled walls, doors that swing, things to pick up,
 * agents as figures, thin layers over it all. One unit = one cell, tile tops at y = 0, x right, z down the page.
 */
import { Box3, type Color, Group, Mesh, MeshLambertMaterial, Plane, type Ray, Vector3 } from 'three';
import { type GridLayout, OFF_BOARD } from '#contract/game/frames.ts';
import type { Framing } from '../lib/camera.ts';
import { agentExtra, gridAgent } from '../lib/frames.ts';
import { Halos } from '../lib/halos.ts';
import { FloorLabel, Labels } from '../lib/labels.ts';
import { numerals } from '../lib/materials.ts';
import { block } from '../lib/shapes.ts';
import { mix, type Palette, type Rgb } from '../lib/theme.ts';
import { CROWD, colour, disposeTree, enlargement, LEAST_PIXELS, LEAST_WORDS, type Subject, type View } from '../lib/view.ts';
import type { SceneOverlay } from '../types.ts';
import { GridCells, TILE } from './cells.ts';
import { Figures } from './figures.ts';
import { Flags } from './flags.ts';
import { GridMarks } from './marks.ts';
import { GridOverlays } from './overlays.ts';
import { agentRgb, figureOf } from './tints.ts';

/** Boards so many times wider than high are wide. */
const WIDE = 1.6;
/** Height of words on and beside the board, cells. */
const SIGN = 0.5;
/** Boards of so many cells a side show them large enough. */
const READ_UP_TO = 10;
/** Half the width of a figure, cells. */
const FIGURE = 0.32;
/** Share of the board that enlarged figures may cover. */
const FREE = 0.5;
/** Small things to pick up grow with the figures, so far. */
const MOST_THING = 1.7;

export class GridView implements View {
  readonly root = new Group();
  readonly framing: Framing;
  readonly base = 'board';
  private readonly layout: GridLayout;
  private readonly labels = new Labels();
  private readonly cells: GridCells;
  private readonly overlays: GridOverlays;
  private readonly flags: Flags;
  private readonly marks: GridMarks;
  private readonly figures: Figures;
  private readonly halos: Halos;
  /** Of each agent x, z and whether it is there, as drawn. */
  private readonly places: Float32Array;
  private marksOfAgents: readonly string[] = [];
  private readonly named: readonly Color[];
  private readonly muted: Color;
  private readonly lastAngle: Float64Array;
  private readonly drawnA: Float32Array;
  private readonly drawnB: Float32Array;
  private drawnAlpha = -1;
  private readonly tints: readonly Rgb[];
  private readonly subjectAt = new Vector3();
  private grow = 1;
  private readonly first = new Vector3();
  private readonly floor = new Plane(new Vector3(0, 1, 0), 0);
  private readonly hit = new Vector3();

  constructor(layout: GridLayout, palette: Palette) {
    this.layout = layout;
    const { width: w, height: h } = layout;
    const arcade = layout.stage === 'arcade';
    const wide = w > WIDE * h;
    // Beside a large board words are larger, or they could not be read with the whole of it in the picture.
    const words = SIGN * Math.max(1, Math.max(w, h) / READ_UP_TO);
    const signs = layout.signs?.some(({ y }) => y < 0 || y >= h) === true ? words : 0;
    const tall = layout.looks.includes('counter') ? 0.75 : 0.45;
    this.framing = {
      bounds: new Box3(
        new Vector3(-w / 2 - 0.35, -TILE, -h / 2 - 0.2 - signs),
        new Vector3(w / 2 + 0.35, tall, h / 2 + signs + (arcade ? 0.3 : 0.65)),
      ),
      // A little from the side, so that doors in vertical walls show their face; wide boards less, or they would stand askew.
      azimuth: arcade ? 0 : wide ? 0.04 : 0.17,
      // Wide boards from higher up: they are no strip then.
      elevation: arcade ? 1.08 : wide ? 1.2 : 0.95,
    };
    this.named = layout.colours.map((name) => colour(palette.named[name] ?? palette.structure));
    this.muted = colour(palette.muted);
    this.cells = new GridCells(layout, palette, this.labels);
    this.overlays = new GridOverlays(layout, palette);
    this.flags = new Flags(layout, palette);
    const rgbs = Array.from({ length: layout.agents }, (_, i) => agentRgb(layout, i, palette));
    this.tints = rgbs;
    this.marks = new GridMarks(layout, rgbs.map(colour), this.labels, palette);
    this.figures = new Figures(
      rgbs.map((_, i) => figureOf(layout, i)),
      rgbs,
      layout.agentExtras?.includes('level') === true ? 'plate' : layout.agents > 1 ? 'disc' : null,
      this.labels,
      palette,
    );
    this.halos = new Halos({ reach: 0.24, words: Math.max(0.2, 0.032 * Math.max(w, h)) }, this.labels, palette);
    this.places = new Float32Array(layout.agents * 3);
    this.root.add(this.cells.root, this.overlays.root, this.flags.root, this.marks.root, this.figures.root, this.halos.root);
    if (!arcade) this.root.add(...numerals(w, h, palette));
    for (const { x, y, text } of layout.signs ?? []) {
      const beside = x < 0 || y < 0 || x >= w || y >= h;
      const sign = new FloorLabel(this.labels, { ink: palette.text, weight: 500 }, beside ? words : SIGN, false, beside ? w : 0.94).set(
        text,
      );
      sign.mesh.position.set(x - (w - 1) / 2, beside ? -TILE : 0.02, y - (h - 1) / 2);
      this.root.add(sign.mesh);
    }
    const tint = arcade ? mix(palette.base, palette.dark ? [20, 25, 38] : palette.structure, palette.dark ? 0.8 : 0.3) : palette.base;
    const base = new Mesh(
      block(w + (arcade ? 0.5 : 0.16), arcade ? 0.34 : 0.14, h + (arcade ? 0.5 : 0.16), 0.05),
      new MeshLambertMaterial({ color: colour(tint) }),
    );
    base.position.y = -TILE - 0.13;
    base.receiveShadow = true;
    this.root.add(base);
    this.lastAngle = new Float64Array(layout.agents).fill(Math.PI / 2);
    const columns = w * h * (3 + (layout.layers?.length ?? 0));
    this.drawnA = new Float32Array(columns).fill(Number.NaN);
    this.drawnB = new Float32Array(columns).fill(Number.NaN);
  }

  update(a: Float32Array, b: Float32Array, alpha: number, time: number): void {
    this.cells.flow(time);
    const cells = this.layout.width * this.layout.height * 3;
    const same = equalUpTo(this.drawnA, a, cells) && equalUpTo(this.drawnB, b, cells);
    const moving = alpha !== this.drawnAlpha && !equalUpTo(a, b, cells);
    if (!same || moving || Number.isNaN(this.drawnAlpha)) {
      this.cells.draw(a, b, alpha);
      this.drawnA.set(a.subarray(0, cells));
      this.drawnB.set(b.subarray(0, cells));
      this.drawnAlpha = alpha;
    }
    const late = alpha >= 0.5 ? b : a;
    if (this.layout.layers !== undefined) this.marks.drawLayers(late);
    this.drawAgents(a, b, alpha, late);
  }

  subjects(see: (subject: Subject) => void): void {
    for (let i = 0; i < this.layout.agents; i++) {
      const [x = 0, z = 0, alive = 0] = this.places.subarray(i * 3, i * 3 + 3);
      if (alive < 0.5) continue;
      see({ kind: 'agent', at: this.subjectAt.set(x, FIGURE * this.grow, z), radius: FIGURE * this.grow, tint: this.tints[i]! });
    }
  }

  scale(unitsPerPixel: number): void {
    const { width, height, agents } = this.layout;
    // However small the picture, figures leave most of the board free.
    const most = Math.max(1, Math.sqrt((FREE * width * height) / Math.max(1, agents)));
    this.grow = agents >= CROWD ? 1 : Math.min(most, enlargement(FIGURE, unitsPerPixel, LEAST_PIXELS));
    const words = agents >= CROWD ? 0 : LEAST_WORDS * unitsPerPixel;
    this.figures.enlarge(this.grow, words);
    this.marks.enlarge(0.92 * this.grow + 1.1 * Math.max(0.36, words), words);
    if (this.cells.enlarge(Math.min(MOST_THING, Math.sqrt(this.grow)))) this.drawnAlpha = Number.NaN;
  }

  overlay(overlay: SceneOverlay): void {
    this.flags.set(overlay);
    this.overlays.set(this.layout.layers?.includes('visible') === true ? { ...overlay, view: false } : overlay);
    this.marks.set(overlay);
    this.halos.set(overlay);
    this.marksOfAgents = overlay.agents;
  }

  focus(out: Vector3): void {
    out.copy(this.first);
  }

  pick(ray: Ray): number {
    if (ray.intersectPlane(this.floor, this.hit) === null) return -1;
    const x = Math.round(this.hit.x + (this.layout.width - 1) / 2);
    const y = Math.round(this.hit.z + (this.layout.height - 1) / 2);
    return x < 0 || y < 0 || x >= this.layout.width || y >= this.layout.height ? -1 : y * this.layout.width + x;
  }

  dispose(): void {
    disposeTree(this.root);
    this.labels.dispose();
  }

  private drawAgents(a: Float32Array, b: Float32Array, alpha: number, late: Float32Array): void {
    const { layout } = this;
    this.figures.begin();
    this.marks.beginAgents();
    for (let i = 0; i < layout.agents; i++) {
      const agent = gridAgent(layout, a, b, i, alpha, this.lastAngle[i]!);
      if (agent.x <= OFF_BOARD) {
        this.places.set([0, 0, 0], i * 3);
        continue;
      }
      if (alpha >= 1 || (alpha === 0 && !layout.headings)) this.lastAngle[i] = agent.angle;
      const x = agent.x - (layout.width - 1) / 2;
      const z = agent.y - (layout.height - 1) / 2;
      const level = agentExtra(layout, late, i, 'level');
      const mark = this.marksOfAgents[i] ?? String(i + 1);
      const text = level === undefined ? mark : layout.agents > 1 ? `${mark}  L${level}` : `L${level}`;
      this.figures.put(i, agent, x, z, text, layout.looks[agent.carried], this.named[agent.carriedColour] ?? this.muted);
      this.places.set([x, z, agent.alive], i * 3);
      this.marks.agent(i, agent, x, z, late);
      if (i > 0) continue;
      this.first.set(x, 0.3, z);
      this.overlays.follow(x, z, agent.angle);
    }
    this.figures.end();
    this.marks.endAgents();
    this.halos.update((agent, out) => {
      const [x = 0, z = 0, alive = 0] = this.places.subarray(agent * 3, agent * 3 + 3);
      if (alive < 0.5) return 0;
      out.set(x, FIGURE * this.grow, z);
      return 0.36 * this.grow;
    });
  }
}

function equalUpTo(a: Float32Array, b: Float32Array, n: number): boolean {
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return false;
  return true;
}

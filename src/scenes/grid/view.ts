/**
 * Grid worlds as a small board: thick tiles on a base (pits show their sides), bevelled walls, doors that swing, things to pick up,
 * agents as figures, thin layers over it all. One unit = one cell, tile tops at y = 0, x right, z down the page.
 */
import { Box3, type Color, Group, Mesh, MeshLambertMaterial, Plane, type Ray, Vector3 } from 'three';
import type { GridFigure, GridLayout } from '#contract/frames.ts';
import type { Framing } from '../lib/camera.ts';
import { agentExtra, gridAgent } from '../lib/frames.ts';
import { Halos } from '../lib/halos.ts';
import { Labels } from '../lib/labels.ts';
import { numerals } from '../lib/materials.ts';
import { block } from '../lib/shapes.ts';
import { mix, type Palette, type Rgb } from '../lib/theme.ts';
import { colour, disposeTree, type View } from '../lib/view.ts';
import type { SceneOverlay } from '../types.ts';
import { GridCells, TILE } from './cells.ts';
import { Figures } from './figures.ts';
import { GridMarks } from './marks.ts';
import { GridOverlays } from './overlays.ts';

/** The figure of agent `index`: the last entry serves the rest. */
function figureOf(layout: GridLayout, index: number): GridFigure {
  const { figures } = layout;
  return figures === undefined ? 'agent' : (figures[Math.min(index, figures.length - 1)] ?? 'agent');
}

function agentRgb(layout: GridLayout, index: number, palette: Palette): Rgb {
  if (figureOf(layout, index) === 'snake') return palette.named.green ?? palette.accent;
  if (layout.agents === 1 && layout.teams === undefined) return palette.accent;
  return palette.series[(layout.teams?.[index] ?? index) % 8]!;
}

export class GridView implements View {
  readonly root = new Group();
  readonly framing: Framing;
  readonly onBase = true;
  private readonly layout: GridLayout;
  private readonly labels = new Labels();
  private readonly cells: GridCells;
  private readonly overlays: GridOverlays;
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
  private readonly first = new Vector3();
  private readonly floor = new Plane(new Vector3(0, 1, 0), 0);
  private readonly hit = new Vector3();

  constructor(layout: GridLayout, palette: Palette) {
    this.layout = layout;
    const { width: w, height: h } = layout;
    const arcade = layout.stage === 'arcade';
    const tall = layout.looks.includes('counter') ? 0.75 : 0.45;
    this.framing = {
      bounds: new Box3(new Vector3(-w / 2 - 0.35, -TILE, -h / 2 - 0.2), new Vector3(w / 2 + 0.35, tall, h / 2 + (arcade ? 0.3 : 0.65))),
      // A little from the side, so that doors in vertical walls show their face; wide boards less, or they would stand askew.
      azimuth: arcade ? 0 : w > 2 * h ? 0.07 : 0.17,
      elevation: arcade ? 1.08 : 0.95,
    };
    this.named = layout.colours.map((name) => colour(palette.named[name] ?? palette.structure));
    this.muted = colour(palette.muted);
    this.cells = new GridCells(layout, palette, this.labels);
    this.overlays = new GridOverlays(layout, palette);
    const rgbs = Array.from({ length: layout.agents }, (_, i) => agentRgb(layout, i, palette));
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
    this.root.add(this.cells.root, this.overlays.root, this.marks.root, this.figures.root, this.halos.root);
    if (!arcade) this.root.add(...numerals(w, h, palette));
    const tint = arcade ? mix(palette.base, [20, 25, 38], 0.8) : palette.base;
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
    if (!same || moving) {
      this.cells.draw(a, b, alpha);
      this.drawnA.set(a.subarray(0, cells));
      this.drawnB.set(b.subarray(0, cells));
      this.drawnAlpha = alpha;
    }
    const late = alpha >= 0.5 ? b : a;
    if (this.layout.layers !== undefined) this.marks.drawLayers(late);
    this.drawAgents(a, b, alpha, late);
  }

  overlay(overlay: SceneOverlay): void {
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
      if (alpha >= 1 || (alpha === 0 && !layout.headings)) this.lastAngle[i] = agent.angle;
      const x = agent.x - (layout.width - 1) / 2;
      const z = agent.y - (layout.height - 1) / 2;
      const level = agentExtra(layout, late, i, 'level');
      const mark = this.marksOfAgents[i] ?? String(i);
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
      const [x, z, alive] = this.places.subarray(agent * 3, agent * 3 + 3);
      if (x === undefined || z === undefined || alive! < 0.5) return 0;
      out.set(x, 0.3, z);
      return 0.36;
    });
  }
}

function equalUpTo(a: Float32Array, b: Float32Array, n: number): boolean {
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return false;
  return true;
}

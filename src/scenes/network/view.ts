/**
 * Nodes on a ring and the links between them: many nodes are pins that rise with their value, few are figures. Links between
 * neighbours run outside along the ring, the others are chords. Named numbers stand in the middle and, over time, on a board behind.
 */
import {
  Box3,
  type Color,
  CylinderGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Quaternion,
  type Ray,
  SphereGeometry,
  Vector3,
} from 'three';
import type { NetworkLayout } from '#contract/game/frames.ts';
import type { Framing } from '../lib/camera.ts';
import { ease, linkAt, nodePlace, ringRadius } from '../lib/frames.ts';
import { Halos } from '../lib/halos.ts';
import { FloorLabel, Labels } from '../lib/labels.ts';
import { Pool } from '../lib/pool.ts';
import { agentBody, agentFoot, disc, flat, merge, square } from '../lib/shapes.ts';
import type { Palette } from '../lib/theme.ts';
import { colour, disposeTree, type View } from '../lib/view.ts';
import type { SceneOverlay } from '../types.ts';
import { Chart } from './chart.ts';

const FEW = 24;
const HISTORY = 160; // steps on the board behind
const UP = new Vector3(0, 1, 0);

export class NetworkView implements View {
  readonly root = new Group();
  readonly framing: Framing;
  private readonly layout: NetworkLayout;
  private readonly radius: number;
  private readonly labels = new Labels();
  private readonly bodies: Pool;
  private readonly stems: Pool;
  private readonly strips: Pool;
  private readonly heads: Pool;
  private readonly states: readonly Color[];
  private readonly kinds: readonly Color[];
  private readonly numbers: readonly FloorLabel[];
  private readonly places: readonly FloorLabel[];
  private readonly halos: Halos;
  private readonly chart: Chart | null;
  private readonly matrix = new Matrix4();
  private readonly from = new Vector3();
  private readonly to = new Vector3();
  private readonly turn = new Quaternion();
  private readonly size = new Vector3();
  private readonly tint = colour([0, 0, 0]);

  constructor(layout: NetworkLayout, palette: Palette) {
    this.layout = layout;
    const few = layout.nodes <= FEW;
    const r = ringRadius(layout.nodes);
    this.radius = r;
    const named = (name: string): Color => colour(palette.named[name] ?? palette.structure);
    this.states = layout.states.map(({ colour: name }) => named(name));
    this.kinds = layout.linkKinds.map(({ colour: name }) => named(name));
    const matte = (): MeshLambertMaterial => new MeshLambertMaterial();
    this.bodies = new Pool(
      few ? merge([agentFoot(), agentBody()]) : new SphereGeometry(0.17, 12, 8),
      matte(),
      { cast: true, receive: true },
      layout.nodes,
    );
    this.stems = new Pool(
      new CylinderGeometry(0.045, 0.06, 1, 6, 1, true).translate(0, 0.5, 0),
      matte(),
      { cast: true },
      few ? 1 : layout.nodes,
    );
    const veil = (): MeshBasicMaterial => new MeshBasicMaterial({ transparent: true, opacity: few ? 0.85 : 0.3, depthWrite: false });
    this.strips = new Pool(square(1), veil(), { order: 1 }, Math.max(1, layout.links));
    this.heads = new Pool(
      flat([
        [0, 0],
        [-0.34, -0.2],
        [-0.34, 0.2],
      ]),
      veil(),
      { order: 2 },
    );
    const plate = new Mesh(disc(r + 0.9, 64), new MeshLambertMaterial({ color: colour(palette.tile) }));
    plate.receiveShadow = true;
    const rim = new Mesh(
      new CylinderGeometry(r + 0.9, r + 1, 0.22, 64, 1, true).translate(0, -0.11, 0),
      new MeshLambertMaterial({ color: colour(palette.base) }),
    );
    this.root.add(plate, rim, this.strips.root, this.heads.root, this.stems.root, this.bodies.root);
    this.numbers = layout.extra.map((_, i) => {
      const label = new FloorLabel(this.labels, { ink: palette.text, weight: 600, outline: palette.tile }, r * 0.16);
      label.mesh.position.set(0, 0.03, (i - (layout.extra.length - 1) / 2) * r * 0.2);
      this.root.add(label.mesh);
      return label;
    });
    this.places = Array.from({ length: few ? layout.nodes : 0 }, (_, i) => {
      const [x, z] = nodePlace(layout.nodes, i, r + 0.62);
      const label = new FloorLabel(this.labels, { ink: palette.muted, weight: 600 }, 0.3);
      label.mesh.position.set(x, 0.01, z);
      this.root.add(label.mesh);
      return label;
    });
    this.halos = new Halos({ reach: 0.3, words: 0.09 * r }, this.labels, palette);
    this.root.add(this.halos.root);
    this.chart = layout.extra.length === 0 ? null : new Chart(layout.extra, HISTORY, 2 * r, 0.62 * r, palette, this.labels);
    if (this.chart !== null) {
      this.chart.root.position.set(0, 0, -r - 1.4);
      this.root.add(this.chart.root);
    }
    const back = this.chart === null ? r + 1 : r + 1.6;
    this.framing = {
      bounds: new Box3(new Vector3(-r - 1, -0.3, -back), new Vector3(r + 1, this.chart === null ? 0.8 : 0.62 * r, r + 1)),
      azimuth: 0,
      elevation: 0.72,
    };
  }

  history(read: (t: number) => Float32Array | null, t: number): void {
    const { chart, layout } = this;
    if (chart === null) return;
    const at = layout.nodes * 2 + layout.links * 3;
    chart.set(t, (past, which) => read(past)?.[at + which] ?? Number.NaN);
  }

  update(a: Float32Array, b: Float32Array, alpha: number): void {
    const { layout, radius: r } = this;
    const s = ease(alpha);
    const few = layout.nodes <= FEW;
    const late = alpha >= 0.5 ? b : a;
    this.bodies.begin();
    this.stems.begin();
    for (let i = 0; i < layout.nodes; i++) {
      const [x, z] = nodePlace(layout.nodes, i, r);
      const state = this.tint.copy(this.states[a[2 * i]!] ?? this.states[0]!).lerp(this.states[b[2 * i]!] ?? this.states[0]!, s);
      const value = Math.min(1, Math.max(0, a[2 * i + 1]! + (b[2 * i + 1]! - a[2 * i + 1]!) * s));
      if (few) {
        this.bodies.put(x, 0, z, state, Math.atan2(-z, -x), 0.8 + 0.5 * value);
        continue;
      }
      const height = 0.12 + 1.1 * value;
      this.bodies.put(x, height, z, state);
      this.stems.put(x, 0, z, state, 0, 1, height, 1);
    }
    this.bodies.end();
    this.stems.end();
    this.strips.begin();
    this.heads.begin();
    for (let i = 0; i < layout.links; i++) {
      const link = linkAt(layout, late, i);
      if (link === null) continue;
      this.putLink(link.from, link.to, link.kind, few);
    }
    this.strips.end();
    this.heads.end();
    const at = layout.nodes * 2 + layout.links * 3;
    this.numbers.forEach((label, i) => {
      label.set(`${layout.extra[i]} ${late[at + i]!.toFixed(2).replace('-', '−')}`);
    });
    this.halos.update((node, out) => {
      if (node >= layout.nodes) return 0;
      const [x, z] = nodePlace(layout.nodes, node, r);
      out.set(x, few ? 0.35 : 0.12 + 1.1 * late[2 * node + 1]!, z);
      return few ? 0.4 : 0.17;
    });
  }

  private putLink(from: number, to: number, kind: number, few: boolean): void {
    const { layout, radius: r } = this;
    const inner = few ? r - 0.45 : r - 0.1;
    const [x1, z1] = nodePlace(layout.nodes, from, inner);
    const [x2, z2] = nodePlace(layout.nodes, to, inner);
    const arrow = layout.linkKinds[kind]?.arrow === true;
    // Links of two directions lie side by side.
    const length = Math.hypot(x2 - x1, z2 - z1) || 1;
    const shift = arrow ? 0.09 : 0;
    const [nx, nz] = [(-(z2 - z1) / length) * shift, ((x2 - x1) / length) * shift];
    this.from.set(x1 + nx, 0.012 + 0.002 * kind, z1 + nz);
    this.to.set(x2 + nx, 0.012 + 0.002 * kind, z2 + nz);
    const turn = Math.atan2(z2 - z1, x2 - x1);
    this.turn.setFromAxisAngle(UP, -turn);
    this.size.set(length, 1, few ? 0.09 : 0.035);
    this.matrix.compose(this.from.lerp(this.to, 0.5), this.turn, this.size);
    const tint = this.kinds[kind] ?? this.kinds[0]!;
    this.strips.putMatrix(this.matrix, tint);
    if (arrow) this.heads.put(this.to.x, this.to.y + 0.004, this.to.z, tint, turn);
  }

  overlay(overlay: SceneOverlay): void {
    this.halos.set(overlay);
    this.places.forEach((label, i) => {
      label.set(overlay.agents[i] ?? String(i + 1));
    });
  }

  focus(out: Vector3): void {
    out.set(0, 0.3, 0);
  }

  pick(_ray: Ray): number {
    return -1;
  }

  dispose(): void {
    disposeTree(this.root);
    this.labels.dispose();
  }
}

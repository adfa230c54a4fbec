/** Flags on the cells that agents go to: a pole with a pennant in the colour of the agent, several in a cell side by side. */
import { BufferGeometry, type Color, CylinderGeometry, DoubleSide, Group, MeshLambertMaterial, Vector3 } from 'three';
import type { GridLayout } from '#contract/game/frames.ts';
import { Pool } from '../lib/pool.ts';
import type { Palette } from '../lib/theme.ts';
import { colour } from '../lib/view.ts';
import type { SceneOverlay } from '../types.ts';
import { agentRgb, flagShift } from './tints.ts';

const HEIGHT = 1.15;

export class Flags {
  readonly root = new Group();
  private readonly poles: Pool;
  private readonly pennants: Pool;
  private readonly tints: readonly Color[];
  private readonly ink: Color;
  private readonly layout: GridLayout;

  constructor(layout: GridLayout, palette: Palette) {
    this.layout = layout;
    this.ink = colour(palette.ink);
    this.tints = Array.from({ length: layout.agents }, (_, i) => colour(agentRgb(layout, i, palette)));
    this.poles = new Pool(new CylinderGeometry(0.035, 0.035, HEIGHT, 8), new MeshLambertMaterial(), { cast: true });
    const edges = [new Vector3(0, HEIGHT / 2, 0), new Vector3(0.6, HEIGHT / 2 - 0.22, 0), new Vector3(0, HEIGHT / 2 - 0.46, 0)];
    const pennant = new BufferGeometry().setFromPoints(edges);
    pennant.computeVertexNormals();
    this.pennants = new Pool(pennant, new MeshLambertMaterial({ side: DoubleSide }), { cast: true });
    this.root.add(this.poles.root, this.pennants.root);
  }

  set({ flags }: SceneOverlay): void {
    const { width: w, height: h, agents } = this.layout;
    this.poles.begin();
    this.pennants.begin();
    for (const { cell, agent } of flags) {
      const tint = this.tints[agent];
      if (cell < 0 || cell >= w * h || tint === undefined) continue;
      const x = (cell % w) - (w - 1) / 2 + flagShift(agent, agents);
      const z = Math.floor(cell / w) - (h - 1) / 2;
      this.poles.put(x, HEIGHT / 2, z, this.ink);
      this.pennants.put(x, HEIGHT / 2, z, tint);
    }
    this.poles.end();
    this.pennants.end();
  }
}

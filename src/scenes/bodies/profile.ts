/** The ground of the episode, seen from the side: built again where it is another one. */
import { Group } from 'three';
import type { BodiesLayout } from '#contract/game/frames.ts';
import type { Palette } from '../lib/theme.ts';
import { disposeTree } from '../lib/view.ts';
import { slope } from './fixtures.ts';

export class Profile {
  readonly root = new Group();
  private readonly layout: BodiesLayout;
  private readonly palette: Palette;
  private readonly built: Float32Array;

  constructor(layout: BodiesLayout, palette: Palette) {
    this.layout = layout;
    this.palette = palette;
    this.built = new Float32Array(2 * (layout.profile?.points ?? 0)).fill(Number.NaN);
  }

  update(frame: Float32Array, from: number): void {
    const { built, root } = this;
    const points = frame.subarray(from, from + built.length);
    if (points.every((value, i) => value === built[i])) return;
    built.set(points);
    disposeTree(root);
    root.clear();
    root.add(slope(built, this.layout, this.palette, this.layout.profile?.bare === true ? 'bare' : 'turf'));
  }
}

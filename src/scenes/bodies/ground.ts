/** The ground under a body that travels: a floor whose lines pass below, with the distance written beside the way. Metres. */
import { Group, type LineSegments, type Vector3 } from 'three';
import type { BodiesLayout } from '#contract/game/frames.ts';
import { niceStep, openFloorWithLines } from '../lib/floor.ts';
import { Badge, type Labels } from '../lib/labels.ts';
import type { Palette } from '../lib/theme.ts';
import { LEAST_WORDS } from '../lib/view.ts';
import { sceneBounds } from './axes.ts';

/** Marks to each side of the middle. */
const AHEAD = 3;

export class PassingGround {
  readonly root = new Group();
  private readonly lines: LineSegments;
  private readonly step: number;
  /** Metres between marks, and how far before the way they stand. */
  private readonly between: number;
  private readonly beside: number;
  private readonly marks: readonly Badge[];
  private readonly level: number;

  constructor(layout: BodiesLayout, labels: Labels, palette: Palette) {
    const { min, max } = sceneBounds(layout);
    this.level = layout.profile === undefined ? Math.min(0, min.y) : min.y;
    const floor = openFloorWithLines([min.x, min.z, max.x, max.z], this.level, (max.y - min.y) * 0.75, 0.85, palette);
    this.lines = floor.lines;
    this.step = floor.step;
    const width = max.x - min.x;
    this.between = Math.max(1, niceStep(width, 3));
    this.beside = max.z + 0.02 * width;
    this.marks = Array.from(
      { length: 2 * AHEAD + 1 },
      () => new Badge(labels, { ink: palette.muted, paper: palette.paper, weight: 500 }, 1),
    );
    this.root.add(floor.root, ...this.marks.map(({ sprite }) => sprite));
  }

  /** `middle`: the place that is drawn at the origin. */
  update({ x, z }: Vector3): void {
    this.lines.position.x = -(x - this.step * Math.round(x / this.step));
    this.lines.position.z = -(z - this.step * Math.round(z / this.step));
    const first = Math.round(x / this.between) - AHEAD;
    this.marks.forEach((mark, i) => {
      const at = (first + i) * this.between;
      mark.set(`${at} m`);
      mark.sprite.position.set(at - x, Math.max(0, this.level) + 0.01, this.beside);
    });
  }

  scale(unitsPerPixel: number): void {
    for (const mark of this.marks) mark.resize(LEAST_WORDS * unitsPerPixel);
  }
}

/**
 * What scripted members of a dilemma share: where things are, by the central state, and the first step of the shortest way to the
 * nearest cell that will do, around walls and agents that stand there now.
 */
import type { StepBuffers } from '../../api/types.ts';
import { AHEAD_COLUMN, AHEAD_ROW, type Ground } from './ground.ts';
import { BADGE, planesOf, type Rules } from './rules.ts';

/** Whether a cell may be taken. */
export type Wanted = (cell: number) => boolean;

export class Walker {
  readonly ground: Ground;
  /** Of the agent last read. */
  cell = 0;
  heading = 0;
  inPlay = false;
  private readonly planes: number;
  private readonly size: number;
  private readonly queue: Int32Array;
  private readonly first: Int8Array; // direction of the first step, -1: not reached
  private state: Float32Array = new Float32Array(0);
  private from = 0;

  constructor(r: Rules) {
    this.ground = r.ground;
    this.planes = planesOf(r);
    this.size = this.planes * r.ground.cells + BADGE * r.agents;
    this.queue = new Int32Array(r.ground.cells);
    this.first = new Int8Array(r.ground.cells);
  }

  /** Looks at one agent of one row. */
  read(buffers: StepBuffers, row: number, agent: number): void {
    if (buffers.state === undefined) throw new Error('scripted members need the central state');
    this.state = buffers.state;
    this.from = row * this.size;
    const at = this.from + this.planes * this.ground.cells + BADGE * agent;
    const badge = (i: number) => this.state[at + i]!;
    this.cell = Math.round(badge(0) * this.ground.height) * this.ground.width + Math.round(badge(1) * this.ground.width);
    this.heading = [2, 3, 4, 5].findIndex((i) => badge(i) === 1);
    this.inPlay = badge(6) === 1;
  }

  apple(cell: number): boolean {
    return this.state[this.from + cell] === 1;
  }

  waste(cell: number): boolean {
    return this.planes === 6 && this.state[this.from + this.ground.cells + cell] === 1;
  }

  occupied(cell: number): boolean {
    const agents = this.from + (this.planes - 4) * this.ground.cells;
    for (let h = 0; h < 4; h++) if (this.state[agents + h * this.ground.cells + cell] === 1) return true;
    return false;
  }

  /** The cell beside in a direction (0 up, 1 right, 2 down, 3 left), -1: off the map or a wall. */
  beside(cell: number, direction: number): number {
    const { width, height, walls } = this.ground;
    const y = Math.floor(cell / width) + AHEAD_ROW[direction]!;
    const x = (cell % width) + AHEAD_COLUMN[direction]!;
    if (x < 0 || y < 0 || x >= width || y >= height) return -1;
    return walls[y * width + x] === 1 ? -1 : y * width + x;
  }

  /** Direction of the first step towards the nearest cell that will do (0..3); -1: none can be reached. */
  towards(wanted: Wanted): number {
    const { queue, first } = this;
    first.fill(-1);
    queue[0] = this.cell;
    first[this.cell] = 4;
    let end = 1;
    for (let i = 0; i < end; i++) {
      const at = queue[i]!;
      for (let d = 0; d < 4; d++) {
        const next = this.beside(at, d);
        if (next < 0 || first[next] !== -1) continue;
        first[next] = i === 0 ? d : first[at]!;
        if (this.occupied(next)) continue;
        if (wanted(next)) return first[next]!;
        queue[end++] = next;
      }
    }
    return -1;
  }

  /** Whether another agent stands straight ahead within `reach` cells, no wall between. */
  inFront(heading: number, reach: number): boolean {
    let cell = this.cell;
    for (let i = 0; i < reach; i++) {
      cell = this.beside(cell, heading);
      if (cell < 0) return false;
      if (this.occupied(cell)) return true;
    }
    return false;
  }
}

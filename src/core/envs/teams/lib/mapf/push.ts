/**
 * One step for all agents at once, by priority inheritance (Okumura et al. 2022): in order of priority each agent takes the best free
 * cell beside it; who stands in it must make room first, with the priority of the one who pushes. No two share a cell or swap, and
 * at least one agent can always stay, so it never fails; the planner falls back on it where its search finds no way for all.
 */
import { ACTIONS, type Ground } from './ground.ts';

const NONE = -1;

export class Push {
  private readonly ground: Ground;
  private readonly now: Int32Array; // [cells] who stands there
  private readonly later: Int32Array; // [cells] who will
  private readonly to: Int32Array; // [A], -1: not decided

  constructor(ground: Ground, agents: number) {
    this.ground = ground;
    this.now = new Int32Array(ground.cells).fill(NONE);
    this.later = new Int32Array(ground.cells).fill(NONE);
    this.to = new Int32Array(agents);
  }

  /** `at` [A] is where they stand (-1: gone), `order` who comes first. Returns where each goes; valid until the next call. */
  step(at: Int32Array, order: readonly number[], distances: readonly (Uint16Array | null)[], follow: boolean): Int32Array {
    this.now.fill(NONE);
    this.later.fill(NONE);
    this.to.fill(-1);
    for (const i of order) this.now[at[i]!] = i;
    for (const i of order) if (this.to[i] === -1) this.decide(i, NONE, at, distances, follow);
    return this.to;
  }

  private decide(i: number, pusher: number, at: Int32Array, distances: readonly (Uint16Array | null)[], follow: boolean): boolean {
    const { now, later, to, ground } = this;
    const here = at[i]!;
    const distance = distances[i] as Uint16Array;
    const cells = Array.from({ length: ACTIONS }, (_, action) => ground.next[here * ACTIONS + action]!).filter((cell) => cell >= 0);
    // the nearest first; of equal ones a free one
    cells.sort((a, b) => distance[a]! - distance[b]! || (now[a] === NONE ? 0 : 1) - (now[b] === NONE ? 0 : 1));
    for (const cell of cells) {
      if (later[cell] !== NONE) continue;
      const other = now[cell]!;
      if (pusher !== NONE && cell === at[pusher]) continue;
      if (other !== NONE && other !== i && (!follow || to[other] === here)) continue;
      later[cell] = i;
      to[i] = cell;
      if (other === NONE || other === i || to[other] !== -1 || this.decide(other, i, at, distances, follow)) return true;
      // it could not leave: it stays, and has taken its cell itself
    }
    later[here] = i;
    to[i] = here;
    return false;
  }
}

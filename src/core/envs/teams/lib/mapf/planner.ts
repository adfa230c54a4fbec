/**
 * Planners for path finding. `planner`: prioritised search over a rolling horizon. Every agent has a path for the next HORIZON steps that
 * collides with none; an agent with a new target searches again around the paths of the others, all search anew after PERIOD steps, those first who
 * have been under way longest. Who finds no way goes to the front, and all begin again; after TRIES one step by priority inheritance
 * (push.ts). So no move it makes is ever refused, whatever the map. `greedy`: every agent takes the shortest path as if alone.
 * Both read the state, not the views. Sources: Silver 2005; Li et al. 2021 (RHCR); Okumura et al. 2022 (PIBT).
 */
import type { Environment, ScriptedPolicy } from '#core/envs/api/types.ts';
import type { Config } from './config.ts';
import { sides } from './config.ts';
import { ACTIONS, Ground } from './ground.ts';
import { Horizon } from './horizon.ts';
import { Push } from './push.ts';

const HORIZON = 20;
const PERIOD = 5;
const TRIES = 24;

/** The state of a row as words: obstacles, then row and column of agents and of targets, then when they arrived. */
function wordsOf(env: Environment, row: number): Uint32Array {
  const state = env.save(row); // no 64-bit fields: words begin behind version and padding
  return new Uint32Array(state.buffer, state.byteOffset + 8, (state.byteLength - 8) / 4);
}

/** What both planners need to know of a row. */
class Scene {
  readonly ground: Ground;
  readonly at: Int32Array; // [A] cells, -1: gone
  readonly targets: Int32Array;
  private readonly width: number;
  private readonly leave: boolean;

  constructor(c: Config) {
    const [height, width] = sides(c);
    this.width = width;
    this.ground = new Ground(width, height);
    this.at = new Int32Array(c.agents);
    this.targets = new Int32Array(c.agents);
    this.leave = c.onTarget === 'finish';
  }

  /** True if the map is another one. */
  read(words: Uint32Array): boolean {
    const { at, targets, width, ground } = this;
    const A = at.length;
    const fresh = ground.lay(words, 0);
    const agents = ground.cells;
    for (let i = 0; i < A; i++) {
      const from = agents + 2 * i;
      const to = from + 2 * A;
      at[i] = words[from]! * width + words[from + 1]!;
      targets[i] = words[to]! * width + words[to + 1]!;
      if (this.leave && words[agents + 4 * A + i]! > 0) at[i] = -1;
    }
    return fresh;
  }
}

class RowPlanner {
  private readonly scene: Scene;
  private readonly horizon: Horizon;
  private readonly push: Push;
  private readonly follow: boolean;
  private readonly paths: Int32Array; // [A, HORIZON + 1]
  private readonly known: Int32Array; // [A] targets planned for
  private readonly since: Int32Array; // [A] steps under way to it
  private readonly distances: (Uint16Array | null)[];
  private age = -1; // steps of the plan that are done, -1: no plan

  constructor(c: Config) {
    this.scene = new Scene(c);
    this.follow = c.collisionSystem === 'soft';
    this.horizon = new Horizon(this.scene.ground, HORIZON, this.follow, c.onTarget === 'nothing');
    this.push = new Push(this.scene.ground, c.agents);
    this.paths = new Int32Array(c.agents * (HORIZON + 1));
    this.known = new Int32Array(c.agents).fill(-1);
    this.since = new Int32Array(c.agents);
    this.distances = new Array<Uint16Array | null>(c.agents).fill(null);
  }

  act(words: Uint32Array, out: { [slot: number]: number }, first: number): void {
    const { scene, known, since, distances } = this;
    const { at, targets, ground } = scene;
    const A = at.length;
    if (scene.read(words)) this.age = -1;
    for (let i = 0; i < A; i++) if (this.age >= 0 && at[i] !== -1 && at[i] !== this.cell(i, this.age)) this.age = -1;
    const changed: number[] = [];
    for (let i = 0; i < A; i++) {
      since[i] = since[i]! + 1;
      if (this.age >= 0 && targets[i] === known[i]) continue;
      if (targets[i] !== known[i]) since[i] = 0;
      known[i] = targets[i]!;
      distances[i] = ground.distances(targets[i]!);
      changed.push(i);
    }
    const kept = this.age >= 0 && this.age < PERIOD && changed.every((i) => this.replan(i));
    const to = kept || this.planAll() ? null : this.push.step(at, this.order(), distances, this.follow);
    for (let i = 0; i < A; i++) {
      const here = at[i]!;
      const next = here < 0 ? -1 : to === null ? this.cell(i, this.age + 1) : to[i]!;
      let action = 0;
      for (let a = 1; a < ACTIONS; a++) if (next !== here && here >= 0 && ground.next[here * ACTIONS + a] === next) action = a;
      out[first + i] = action;
    }
    this.age = to === null ? this.age + 1 : -1;
  }

  private cell(agent: number, step: number): number {
    return this.paths[agent * (HORIZON + 1) + step]!;
  }

  /** A new way for one among the ways of the others. */
  private replan(i: number): boolean {
    if (this.scene.at[i] === -1) return true;
    const at = i * (HORIZON + 1);
    this.horizon.mark(this.paths, at, this.age, i, false);
    if (!this.horizon.search(this.paths, at, this.age, this.distances[i] as Uint16Array)) return false;
    this.horizon.mark(this.paths, at, this.age, i, true);
    return true;
  }

  /** Agents longest under way come first, those at their targets last. */
  private order(): number[] {
    const { at, targets } = this.scene;
    const rank = (i: number) => (at[i] === targets[i] ? -1 : this.since[i]!);
    return Array.from(at.keys())
      .filter((i) => at[i] !== -1)
      .sort((a, b) => rank(b) - rank(a) || a - b);
  }

  private planAll(): boolean {
    const { horizon, paths, distances } = this;
    const { at } = this.scene;
    const order = this.order();
    this.age = 0;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      horizon.begin(at);
      const stuck = order.findIndex((i) => {
        const from = i * (HORIZON + 1);
        paths[from] = at[i]!;
        if (!horizon.search(paths, from, 0, distances[i] as Uint16Array)) return true;
        horizon.mark(paths, from, 0, i, true);
        return false;
      });
      if (stuck < 0) return true;
      order.unshift(...order.splice(stuck, 1));
    }
    return false;
  }
}

export function horizonPlanner(c: Config): ScriptedPolicy {
  const planners = new Map<number, RowPlanner>();
  return {
    act(env, _buffers, out) {
      for (let row = 0; row < env.batch; row++) {
        const planner = planners.get(row) ?? new RowPlanner(c);
        planners.set(row, planner);
        planner.act(wordsOf(env, row), out, row * c.agents);
      }
    },
  };
}

export function greedyPlanner(c: Config): ScriptedPolicy {
  const scene = new Scene(c);
  return {
    act(env, _buffers, out) {
      for (let row = 0; row < env.batch; row++) {
        scene.read(wordsOf(env, row));
        const { next } = scene.ground;
        scene.at.forEach((here, i) => {
          const distance = scene.ground.distances(scene.targets[i]!);
          let best = 0;
          for (let a = 1; here >= 0 && a < ACTIONS; a++) {
            const to = next[here * ACTIONS + a]!;
            const nearest = next[here * ACTIONS + best]!;
            if (to >= 0 && distance[to]! < distance[nearest]!) best = a;
          }
          out[row * c.agents + i] = best;
        });
      }
    },
  };
}
